// SPDX-License-Identifier: MIT OR Apache-2.0
//! `.pos`: a byte with the number of moves, then a byte a move, `15 × row + column`, both counted
//! from 0 at the **top** left. 15×15 boards only.

use wuzi_engine::{Point, Size};

use crate::{Place, ReadError, Reason, Record, WriteError};

/// Reads a position.
///
/// # Errors
/// If the count and the length differ, or a move is off the board or on a stone.
pub fn read(bytes: &[u8]) -> Result<Record, ReadError> {
    let Some((&count, moves)) = bytes.split_first() else {
        return Err(ReadError::new(Place::Byte(0), Reason::Empty));
    };
    if moves.len() != usize::from(count) {
        let reason = Reason::Count { announced: count.into(), follow: moves.len() };
        return Err(ReadError::new(Place::Byte(0), reason));
    }
    let mut record = Record::new(Size::DEFAULT);
    let mut at = Record::ROOT;
    for (index, &code) in moves.iter().enumerate() {
        let point = Point::new(code % Size::DEFAULT.lines(), code / Size::DEFAULT.lines());
        at = record.add(at, point).map_err(|error| ReadError::new(Place::Byte(index + 1), error))?;
    }
    Ok(record)
}

/// Writes the main line.
///
/// # Errors
/// If the board is not 15×15.
pub fn write(record: &Record) -> Result<Vec<u8>, WriteError> {
    if record.size() != Size::DEFAULT {
        return Err(WriteError::Not15Lines);
    }
    let codes: Vec<u8> = record.main_line().iter().map(|p| p.y * Size::DEFAULT.lines() + p.x).collect();
    const { assert!(Size::DEFAULT.points() <= u8::MAX as usize) };
    Ok([&[codes.len() as u8], &*codes].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::points;

    /// Rows count from the top; counted from the bottom, the last move would be A1.
    #[test]
    fn rows_count_from_the_top() {
        let record = read(&[3, 112, 98, 0]).unwrap();
        assert_eq!(record.main_line(), points("h8 i9 a15"));
        assert_eq!(write(&record), Ok(vec![3, 112, 98, 0]));
    }

    #[test]
    fn bad_files_are_refused_with_the_place() {
        for (bytes, message) in [
            (&[][..], "byte 0: the file is empty"),
            (&[2, 0], "byte 0: 2 moves are announced and 1 bytes follow"),
            (&[1, 0, 1], "byte 0: 1 moves are announced and 2 bytes follow"),
            (&[2, 7, 7], "byte 2: a stone stands on that point"),
            (&[1, 225], "byte 1: the point is not on the board"),
        ] {
            assert_eq!(read(bytes).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn other_sizes_are_refused() {
        assert_eq!(write(&Record::new(Size::MAX)), Err(WriteError::Not15Lines));
    }
}
