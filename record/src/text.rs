// SPDX-License-Identifier: MIT OR Apache-2.0
//! Moves as text: `h8 i9 g7 …`, or run together as web calculators write a position, `h8i9g7…`.
//!
//! Letters are columns from the left, numbers are rows. The heading of a written file,
//! `# board 15, row 1 at the bottom`, says the size and where row 1 is; without it the board is the
//! smallest one from 15×15 that holds the moves, and the reader says where row 1 is. Other lines
//! with `#` are comments, numbers with a dot (`1.`) and punctuation between moves are passed over.

use std::fmt::Write as _;

use wuzi_engine::{Point, Size};

use crate::charset::decode;
use crate::{Place, ReadError, Reason, Record};

/// Where row 1 is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// At the bottom: the usual one.
    #[default]
    FromBottom,
    /// At the top.
    FromTop,
}

/// Reads moves. `rows` counts for a text that does not say it.
///
/// # Errors
/// If something is no move, or a move is off the board or on a stone.
pub fn read(bytes: &[u8], rows: Rows) -> Result<Record, ReadError> {
    let text = decode(bytes, None);
    let mut heading = Heading { size: None, rows };
    let mut moves = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match line.trim_start().strip_prefix('#') {
            Some(comment) => {
                heading.read(comment).map_err(|reason| ReadError::new(Place::in_text(&text, at), reason))?
            }
            None => read_line(&text, at, line, &mut moves)?,
        }
        at += line.len();
    }
    let largest = moves.iter().map(|&(column, row, _)| (column + 1).max(row)).max().unwrap_or(0);
    let size = match heading.size {
        Some(size) => size,
        None => Size::new(largest.clamp(Size::DEFAULT.lines(), Size::MAX.lines())).unwrap_or_default(),
    };
    let mut record = Record::new(size);
    let mut node = Record::ROOT;
    for (column, row, at) in moves {
        let y = match heading.rows {
            Rows::FromBottom => size.lines().wrapping_sub(row),
            Rows::FromTop => row.wrapping_sub(1),
        };
        node = record
            .add(node, Point::new(column, y))
            .map_err(|error| ReadError::new(Place::in_text(&text, at), error))?;
    }
    Ok(record)
}

struct Heading {
    size: Option<Size>,
    rows: Rows,
}

impl Heading {
    fn read(&mut self, comment: &str) -> Result<(), Reason> {
        for part in comment.split(',').map(str::trim) {
            match part {
                "row 1 at the bottom" => self.rows = Rows::FromBottom,
                "row 1 at the top" => self.rows = Rows::FromTop,
                _ => {
                    let Some(lines) = part.strip_prefix("board ") else { continue };
                    let size = lines.trim().parse().ok().and_then(Size::new);
                    self.size = Some(size.ok_or(Reason::BoardSize)?);
                }
            }
        }
        Ok(())
    }
}

/// Column from 0, row as it is written, and the byte where the move begins.
type Move = (u8, u8, usize);

fn read_line(text: &str, start: usize, line: &str, moves: &mut Vec<Move>) -> Result<(), ReadError> {
    let bytes = line.as_bytes();
    let mut at = 0;
    let number_end = |from: usize| from + bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let end = number_end(at + 1);
                let row =
                    line[at + 1..end].parse::<u8>().ok().filter(|row| (1..=Size::MAX.lines()).contains(row));
                let column = byte.to_ascii_lowercase() - b'a';
                let Some(row) = row.filter(|_| column < Size::MAX.lines()) else {
                    return Err(no_move(text, start + at));
                };
                if moves.len() >= Size::MAX.points() {
                    return Err(ReadError::new(Place::in_text(text, start + at), Reason::TooManyMoves));
                }
                moves.push((column, row, start + at));
                end
            }
            b'0'..=b'9' if bytes.get(number_end(at)) == Some(&b'.') => number_end(at) + 1,
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b';' | b'.' | b'-' | b'|' => at + 1,
            _ => return Err(no_move(text, start + at)),
        };
        at = end;
    }
    Ok(())
}

fn no_move(text: &str, at: usize) -> ReadError {
    let found: String = text[at..].chars().take(4).map(|c| if c.is_control() { ' ' } else { c }).collect();
    ReadError::new(Place::in_text(text, at), Reason::NoMove(found.trim_end().into()))
}

/// Writes the main line with spaces, below a heading.
#[must_use]
pub fn write(record: &Record, rows: Rows) -> String {
    format!("{}{}\n", heading(record, rows), moves(record, rows, " "))
}

/// Writes the main line run together, row 1 at the bottom, as web calculators take it. Boards that
/// are not 15×15 get a heading.
#[must_use]
pub fn write_position(record: &Record) -> String {
    let moves = moves(record, Rows::FromBottom, "");
    if record.size() == Size::DEFAULT { moves } else { heading(record, Rows::FromBottom) + &moves }
}

fn heading(record: &Record, rows: Rows) -> String {
    let origin = match rows {
        Rows::FromBottom => "bottom",
        Rows::FromTop => "top",
    };
    format!("# board {}, row 1 at the {origin}\n", record.size().lines())
}

fn moves(record: &Record, rows: Rows, between: &str) -> String {
    let mut text = String::new();
    for point in record.main_line() {
        if !text.is_empty() {
            text.push_str(between);
        }
        let row = match rows {
            Rows::FromBottom => record.size().lines() - point.y,
            Rows::FromTop => point.y + 1,
        };
        let _ = write!(text, "{}{row}", char::from(b'a' + point.x));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bare, points, record};
    use proptest::prelude::*;

    #[test]
    fn spaces_numbers_and_capitals_make_no_difference() {
        for text in ["h8i9g10", "H8 I9 G10", "1. h8 i9\r\n2. g10", "h8,i9;g10\n", "# by hand\nh8-i9-g10"] {
            let record = read(text.as_bytes(), Rows::FromBottom).unwrap();
            assert_eq!(record.main_line(), points("h8 i9 g10"), "{text}");
        }
    }

    /// The same text, read with both origins: mirrored.
    #[test]
    fn row_1_is_where_it_is_said() {
        let read = |text: &str, rows| read(text.as_bytes(), rows).unwrap().main_line();
        assert_eq!(read("h8 i9", Rows::FromBottom), points("h8 i9"));
        assert_eq!(read("h8 i9", Rows::FromTop), points("h8 i7"));
        assert_eq!(read("# row 1 at the top\nh8 i9", Rows::FromBottom), points("h8 i7"));
        assert_eq!(read("# board 15, row 1 at the bottom\nh8 i9", Rows::FromTop), points("h8 i9"));
    }

    #[test]
    fn the_board_grows_with_the_moves() {
        let size = |text: &str| read(text.as_bytes(), Rows::FromBottom).unwrap().size().lines();
        assert_eq!(
            (size(""), size("h8"), size("p1"), size("a20"), size("# board 10\na1")),
            (15, 15, 16, 20, 10)
        );
    }

    #[test]
    fn bad_text_is_refused_with_the_place() {
        for (text, message) in [
            ("h8 i", "line 1, column 4: expected a move such as h8, found \"i\""),
            ("h8\n  8 h", "line 2, column 3: expected a move such as h8, found \"8 h\""),
            ("h8 h8", "line 1, column 4: a stone stands on that point"),
            ("h0", "line 1, column 1: expected a move such as h8, found \"h0\""),
            ("h256", "line 1, column 1: expected a move such as h8, found \"h256\""),
            ("u8", "line 1, column 1: expected a move such as h8, found \"u8\""),
            ("五子", "line 1, column 1: expected a move such as h8, found \"五子\""),
            ("# board 15\nh16", "line 2, column 1: the point is not on the board"),
            ("\n# board 9", "line 2, column 1: boards are square and have 10 to 20 lines"),
        ] {
            assert_eq!(read(text.as_bytes(), Rows::FromBottom).unwrap_err().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn text_reads_back_from_both_origins(record in record()) {
            let line = bare(&record);
            for (written, asked) in
                [(Rows::FromBottom, Rows::FromTop), (Rows::FromTop, Rows::FromBottom)]
            {
                prop_assert_eq!(&read(write(&record, written).as_bytes(), asked).unwrap(), &line);
            }
            prop_assert_eq!(&read(write_position(&record).as_bytes(), Rows::FromBottom).unwrap(), &line);
        }
    }
}
