// SPDX-License-Identifier: MIT OR Apache-2.0
//! The positions that the games of a match begin with.

use wuzi_engine::{Game, Point, Rule, Size};

use crate::batch::parse_moves;

/// Where row 1 of move text such as `h8i9` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrigin {
    /// At the bottom, as in RIF and RenLib.
    #[default]
    Bottom,
    /// At the top.
    Top,
}

/// Reads an openings file, an opening a line, black first: either offsets from the centre, x to the
/// right and y down (`0,0, 1,-1, …`), or move text (`h8i9…`). Blank lines are passed over.
///
/// # Errors
/// At the first line that is no opening of a game that goes on, with its number.
pub fn parse(text: &str, size: Size, rule: Rule, origin: RowOrigin) -> Result<Vec<Vec<Point>>, String> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let opening = if line.starts_with(|c: char| c.is_alphabetic()) {
            parse_moves(line, size).map(|moves| with_origin(moves, size, origin))
        } else {
            parse_offsets(line, size)
        };
        let opening = opening
            .and_then(|opening| check(opening, size, rule))
            .map_err(|e| format!("line {number}: {e}"))?;
        openings.push(opening);
    }
    if openings.is_empty() { Err("there is no opening in it".to_owned()) } else { Ok(openings) }
}

fn with_origin(moves: Vec<Point>, size: Size, origin: RowOrigin) -> Vec<Point> {
    match origin {
        RowOrigin::Bottom => moves,
        RowOrigin::Top => moves.into_iter().map(|p| Point::new(p.x, size.lines() - 1 - p.y)).collect(),
    }
}

fn parse_offsets(line: &str, size: Size) -> Result<Vec<Point>, String> {
    let numbers: Vec<i32> = line
        .split(',')
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().map_err(|_| format!("{part:?} is no number")))
        .collect::<Result<_, _>>()?;
    let (pairs, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("an offset has no second number".to_owned());
    }
    let far = i32::from(Size::MAX.lines());
    pairs
        .iter()
        .map(|&[dx, dy]| {
            let near = dx.abs() < far && dy.abs() < far;
            let point = if near { size.centre().offset(dx, dy, size) } else { None };
            point.ok_or_else(|| format!("offset {dx},{dy} is not on the board"))
        })
        .collect()
}

fn check(opening: Vec<Point>, size: Size, rule: Rule) -> Result<Vec<Point>, String> {
    let mut game = Game::new(size, rule);
    for &point in &opening {
        game.play(point).map_err(|error| format!("{}: {error}", point.name(size)))?;
    }
    if game.outcome().is_over() { Err("the game is over".to_owned()) } else { Ok(opening) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::DEFAULT;

    fn read(text: &str) -> Result<Vec<Vec<Point>>, String> {
        parse(text, SIZE, Rule::Renju, RowOrigin::Bottom)
    }

    #[test]
    fn both_forms_tell_the_same_opening() {
        // A line of each of two files that list the same openings in both forms.
        let offsets = read("2,-3, 2,-4, 1,-4, 0,-1, -2,2, 3,-3\n").unwrap();
        assert_eq!(offsets, read("j11j12i12h9f6k11").unwrap());
        assert_eq!(offsets[0][0], Point::new(9, 4));
    }

    #[test]
    fn rows_may_count_from_the_top() {
        let top = parse("j5", SIZE, Rule::Renju, RowOrigin::Top).unwrap();
        assert_eq!(top, read("j11").unwrap());
    }

    #[test]
    fn offsets_count_from_the_centre_rounded_down() {
        let size = Size::new(20).unwrap();
        let openings = parse("0,0", size, Rule::Freestyle, RowOrigin::Bottom).unwrap();
        assert_eq!(openings, [[Point::new(10, 10)]]);
    }

    #[test]
    fn a_bad_line_is_named() {
        for (bad, reason) in [
            ("0,0,1", "no second number"),
            ("0,0, 8,0", "not on the board"),
            ("0,0, 2147483647,0", "not on the board"),
            ("0,0, 0,0", "a stone stands"),
            ("0;0", "is no number"),
            ("h8z9", "not a point"),
            ("h8a1i8a2j8a3k8a4l8", "the game is over"),
        ] {
            let error = read(&format!("0,0\n\n{bad}\n")).unwrap_err();
            assert!(error.starts_with("line 3: ") && error.contains(reason), "{bad}: {error}");
        }
        assert!(read("\n").is_err());
    }
}
