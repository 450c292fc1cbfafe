// SPDX-License-Identifier: MIT OR Apache-2.0
//! Points of the board and their names.

use core::fmt;

/// The number of lines in each direction, 10 to 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

impl Size {
    /// The smallest board, 10×10.
    pub const MIN: Self = Self(10);
    /// The largest board, 20×20.
    pub const MAX: Self = Self(20);
    /// The usual board, 15×15.
    pub const DEFAULT: Self = Self(15);

    /// A size of `lines` lines, if that is within 10 and 20.
    #[must_use]
    pub const fn new(lines: u8) -> Option<Self> {
        if lines >= Self::MIN.0 && lines <= Self::MAX.0 { Some(Self(lines)) } else { None }
    }

    /// The number of lines.
    #[must_use]
    pub const fn lines(self) -> u8 {
        self.0
    }

    /// The number of points.
    #[must_use]
    pub const fn points(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// The middle point (tengen); on an even size the one right of and below the middle, as the
    /// brain protocol counts it.
    #[must_use]
    pub const fn centre(self) -> Point {
        Point { x: self.0 / 2, y: self.0 / 2 }
    }

    /// Whether the point lies on a board of this size.
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        point.x < self.0 && point.y < self.0
    }

    /// Every point, row by row from the top left.
    pub fn iter(self) -> impl Iterator<Item = Point> + Clone {
        let lines = self.0;
        (0..lines).flat_map(move |y| (0..lines).map(move |x| Point { x, y }))
    }
}

impl Default for Size {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// An intersection: `x` counts from the left, `y` from the **top**, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// Column, 0 at the left.
    pub x: u8,
    /// Row, 0 at the top.
    pub y: u8,
}

impl Point {
    /// The point in column `x` and row `y`, counted from the top left.
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }

    /// The point `dx` to the right and `dy` down, if that is on the board.
    #[must_use]
    pub fn offset(self, dx: i32, dy: i32, size: Size) -> Option<Self> {
        let x = u8::try_from(i32::from(self.x) + dx).ok()?;
        let y = u8::try_from(i32::from(self.y) + dy).ok()?;
        let point = Self { x, y };
        size.contains(point).then_some(point)
    }

    /// The name by column letter (A at the left, I included) and row number (1 at the bottom),
    /// such as `H8` for the middle of a 15×15 board.
    #[must_use]
    pub const fn name(self, size: Size) -> PointName {
        PointName { column: b'A' + self.x, row: size.0 - self.y }
    }

    /// Reads such a name; letters of either case.
    ///
    /// # Errors
    /// If the text is not one letter and a number, or the point is not on the board.
    pub fn parse(text: &str, size: Size) -> Result<Self, ParsePointError> {
        let mut chars = text.chars();
        let letter = chars.next().ok_or(ParsePointError)?.to_ascii_uppercase();
        let digits = chars.as_str();
        if !letter.is_ascii_uppercase() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParsePointError);
        }
        let row: u8 = digits.parse().map_err(|_| ParsePointError)?;
        let x = letter as u8 - b'A';
        let y = size.0.checked_sub(row).ok_or(ParsePointError)?;
        let point = Self { x, y };
        if size.contains(point) { Ok(point) } else { Err(ParsePointError) }
    }
}

/// Shows a point's name; made by [`Point::name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointName {
    column: u8,
    row: u8,
}

impl fmt::Display for PointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(self.column), self.row)
    }
}

/// The text names no point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsePointError;

impl fmt::Display for ParsePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a point of the board: expected a column letter and a row number, such as H8")
    }
}

impl core::error::Error for ParsePointError {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn sizes_run_from_10_to_20() {
        assert_eq!(Size::new(9), None);
        assert_eq!(Size::new(21), None);
        assert_eq!((10..=20).filter_map(Size::new).count(), 11);
    }

    #[test]
    fn every_name_reads_back_on_every_size() {
        for size in (10..=20).filter_map(Size::new) {
            assert_eq!(size.iter().count(), size.points());
            for point in size.iter() {
                let name = point.name(size).to_string();
                assert_eq!(Point::parse(&name, size), Ok(point));
                assert_eq!(Point::parse(&name.to_lowercase(), size), Ok(point));
            }
        }
    }

    #[test]
    fn names_count_rows_from_the_bottom() {
        let size = Size::DEFAULT;
        assert_eq!(Point::new(0, 0).name(size).to_string(), "A15");
        assert_eq!(Point::new(14, 14).name(size).to_string(), "O1");
        assert_eq!(size.centre().name(size).to_string(), "H8");
    }

    #[test]
    fn text_that_names_no_point_is_refused() {
        for text in ["", "H", "8", "H0", "H16", "P1", "HH", "H8 ", "h-1", "H+8", "中8", "H999"] {
            assert_eq!(Point::parse(text, Size::DEFAULT), Err(ParsePointError), "{text:?}");
        }
    }
}
