// SPDX-License-Identifier: GPL-3.0-only
//! The cursor that the keyboard moves over the board.

use wuzi_engine::{Point, Size};

/// A point of the board, hidden until a key moves it.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    size: Size,
    point: Point,
    shown: bool,
}

impl Cursor {
    /// A hidden cursor on the middle point.
    #[must_use]
    pub const fn new(size: Size) -> Self {
        Self { size, point: size.centre(), shown: false }
    }

    /// Where it is.
    #[must_use]
    pub const fn point(&self) -> Point {
        self.point
    }

    /// Whether it is shown.
    #[must_use]
    pub const fn is_shown(&self) -> bool {
        self.shown
    }

    /// Shows it where it is.
    pub const fn show(&mut self) {
        self.shown = true;
    }

    /// Hides it: the board is used by touch.
    pub const fn hide(&mut self) {
        self.shown = false;
    }

    /// Moves it by a step, not beyond the board's edge. The first step only shows it.
    pub fn step(&mut self, dx: i32, dy: i32) {
        if self.shown
            && let Some(point) = self.point.offset(dx, dy, self.size)
        {
            self.point = point;
        }
        self.shown = true;
    }

    /// Moves it to a column, counted from the left from 0.
    pub fn set_column(&mut self, column: u8) {
        self.go(Point::new(column, self.point.y));
    }

    /// Moves it to a row by its number, 1 at the bottom.
    pub fn set_row(&mut self, row: u8) {
        if let Some(y) = self.size.lines().checked_sub(row) {
            self.go(Point::new(self.point.x, y));
        }
    }

    fn go(&mut self, point: Point) {
        if self.size.contains(point) {
            self.point = point;
            self.shown = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_stays_on_the_board() {
        let size = Size::MIN;
        let mut cursor = Cursor::new(size);
        for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
            for _ in 0..30 {
                cursor.step(dx, dy);
                assert!(size.contains(cursor.point()));
            }
        }
        assert_eq!(cursor.point(), Point::new(0, 0));
        cursor.set_column(10);
        cursor.set_row(0);
        cursor.set_row(11);
        assert_eq!(cursor.point(), Point::new(0, 0));
        cursor.set_column(9);
        cursor.set_row(1);
        assert_eq!(cursor.point(), Point::new(9, 9));
    }
}
