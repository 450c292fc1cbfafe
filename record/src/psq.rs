// SPDX-License-Identifier: MIT OR Apache-2.0
//! Piskvork's `.psq`: `Piskvorky 15x15, 11:11, 0`, lines `x,y,ms` counted from 1 at the top left,
//! the names of the two players, and a code for the result.
//!
//! The code is written as -1, unknown, and not believed when read: programs differ in it.

use std::fmt::Write as _;

use wuzi_engine::{Point, Size};

use crate::charset::{clean_line, decode};
use crate::{AddError, Place, ReadError, Reason, Record};

/// The word at the beginning of every file.
pub(crate) const HEADING: &str = "Piskvorky ";

/// Reads a game.
///
/// # Errors
/// If the heading is missing, the board has another form or size, or a move is off the board or on
/// a stone.
pub fn read(bytes: &[u8]) -> Result<Record, ReadError> {
    let text = decode(bytes, None);
    let mut lines = text.lines().enumerate();
    let heading = lines.next().map_or("", |(_, line)| line);
    let mut record = Record::new(size(heading)?);
    let mut at = Record::ROOT;
    let mut texts = Vec::new();
    for (index, line) in lines {
        if texts.is_empty()
            && let Some([x, y, millis]) = numbers(line)
        {
            let error = |refused: AddError| ReadError::new(Place::Line(index + 1, 1), refused);
            let coordinate = |n: i64| {
                u8::try_from(n).ok().and_then(|n| n.checked_sub(1)).ok_or_else(|| error(AddError::OffBoard))
            };
            let point = Point::new(coordinate(x)?, coordinate(y)?);
            at = record.add(at, point).map_err(error)?;
            record.set_millis(at, Some(u32::try_from(millis.max(0)).unwrap_or(u32::MAX)));
        } else if texts.len() < 2 {
            texts.push(name(line));
        } else {
            break;
        }
    }
    let mut texts = texts.into_iter();
    record.info.black = texts.next().unwrap_or_default();
    record.info.white = texts.next().unwrap_or_default();
    Ok(record)
}

fn size(heading: &str) -> Result<Size, ReadError> {
    let error = |reason| Err(ReadError::new(Place::Line(1, 1), reason));
    let Some(rest) = heading.strip_prefix(HEADING) else {
        return error(Reason::NotPiskvork);
    };
    let size = rest.split(',').next().unwrap_or_default();
    let sides = size.split_once('x').map(|(w, h)| (w.trim().parse::<u8>(), h.trim().parse::<u8>()));
    let Some((Ok(width), Ok(height))) = sides else {
        return error(Reason::NoHeadingSize);
    };
    match Size::new(width) {
        Some(size) if width == height => Ok(size),
        _ => error(Reason::BoardSize),
    }
}

fn numbers(line: &str) -> Option<[i64; 3]> {
    let mut parts = line.split(',').map(|part| part.trim().parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

/// Writes the main line; moves whose time is not known took 0 ms.
#[must_use]
pub fn write(record: &Record) -> String {
    let lines = record.size().lines();
    let mut text = format!("{HEADING}{lines}x{lines}, 11:11, 0\r\n");
    for id in record.line_from(Record::ROOT) {
        if let Some(point) = record.point(id) {
            let millis = record.millis(id).unwrap_or(0);
            let _ = write!(text, "{},{},{millis}\r\n", point.x + 1, point.y + 1);
        }
    }
    let _ = write!(text, "{}\r\n{}\r\n-1\r\n", name(&record.info.black), name(&record.info.white));
    text
}

/// A name that cannot be taken for a move.
fn name(name: &str) -> String {
    let name = clean_line(name);
    if numbers(&name).is_some() { name.replace(',', " ") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, record};
    use proptest::prelude::*;

    #[test]
    fn moves_count_from_one_at_the_top_left_and_lines_end_with_crlf() {
        let mut record = Record::from_moves(Size::DEFAULT, &points("h8 a1")).unwrap();
        record.info.black = "one\r\ntwo".into();
        record.info.white = "1,2,3".into();
        let h8 = record.first_child(Record::ROOT).unwrap();
        record.set_millis(h8, Some(12));
        let text = write(&record);
        assert_eq!(text, "Piskvorky 15x15, 11:11, 0\r\n8,8,12\r\n1,15,0\r\none two\r\n1 2 3\r\n-1\r\n");
    }

    #[test]
    fn files_of_other_programs_are_read() {
        let text = b"Piskvorky 20x20, 0:0, 1\n1,1,0\n20,20,-5\npbrain-a.exe\n\xCE\xE5.exe\n2\nextra\n";
        let record = read(text).unwrap();
        assert_eq!(record.main_line(), [Point::new(0, 0), Point::new(19, 19)]);
        assert_eq!((&*record.info.black, &*record.info.white), ("pbrain-a.exe", "五.exe"));
    }

    /// Found by fuzzing: the second name would have been a move where the first is empty.
    #[test]
    fn a_name_like_a_move_reads_back() {
        let record = read(b"Piskvorky 15x15,\n8,8,0\n-1\n9,9,9\n").unwrap();
        assert_eq!(record.info.white, "9 9 9");
        assert_eq!(read(write(&record).as_bytes()).unwrap(), record);
    }

    #[test]
    fn bad_files_are_refused_with_the_place() {
        for (text, message) in [
            (
                "",
                "line 1, column 1: not a Piskvork game: the heading \"Piskvorky 15x15, 11:11, 0\" is missing",
            ),
            ("Piskvorky x, 1", "line 1, column 1: the heading names no board size such as 15x15"),
            ("Piskvorky 15x16,", "line 1, column 1: boards are square and have 10 to 20 lines"),
            ("Piskvorky 9x9,", "line 1, column 1: boards are square and have 10 to 20 lines"),
            ("Piskvorky 15x15,\n8,8,0\n0,1,0", "line 3, column 1: the point is not on the board"),
            ("Piskvorky 15x15,\n16,1,0", "line 2, column 1: the point is not on the board"),
            ("Piskvorky 15x15,\n-9223372036854775808,1,0", "line 2, column 1: the point is not on the board"),
            ("Piskvorky 15x15,\n8,8,0\n8,8,0", "line 3, column 1: a stone stands on that point"),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn moves_times_and_names_read_back(record in record()) {
            let read = read(write(&record).as_bytes()).unwrap();
            prop_assert_eq!(read.main_line(), record.main_line());
            prop_assert_eq!(&read.info.black, &name(&record.info.black));
            prop_assert_eq!(&read.info.white, &name(&record.info.white));
            for (a, b) in read.line_from(Record::ROOT).zip(record.line_from(Record::ROOT)).skip(1) {
                prop_assert_eq!(read.millis(a), Some(record.millis(b).unwrap_or(0)));
            }
        }
    }
}
