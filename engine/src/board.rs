// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stones on points, without any rule.

use crate::{Color, Point, Size};

/// The stones that stand on the board.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    stones: u16,
    cells: [Option<Color>; Size::MAX.points()],
}

impl Board {
    /// An empty board.
    #[must_use]
    pub const fn new(size: Size) -> Self {
        Self { size, stones: 0, cells: [None; Size::MAX.points()] }
    }

    /// The number of lines.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The number of stones.
    #[must_use]
    pub const fn stones(&self) -> usize {
        self.stones as usize
    }

    /// Whether no empty point is left.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.stones() == self.size.points()
    }

    /// The stone on a point; `None` if it is empty or not on the board.
    #[must_use]
    pub fn get(&self, point: Point) -> Option<Color> {
        if self.size.contains(point) { self.cells[self.index(point)] } else { None }
    }

    /// Whether the point is on the board and empty.
    #[must_use]
    pub fn is_empty_at(&self, point: Point) -> bool {
        self.size.contains(point) && self.cells[self.index(point)].is_none()
    }

    /// Puts a stone on an empty point.
    ///
    /// # Panics
    /// If the point is occupied or not on the board.
    pub fn place(&mut self, point: Point, color: Color) {
        assert!(self.is_empty_at(point), "a stone goes on an empty point of the board");
        let index = self.index(point);
        self.cells[index] = Some(color);
        self.stones += 1;
    }

    /// Takes the stone away from a point and returns it.
    pub fn remove(&mut self, point: Point) -> Option<Color> {
        if !self.size.contains(point) {
            return None;
        }
        let index = self.index(point);
        let stone = self.cells[index].take();
        self.stones -= u16::from(stone.is_some());
        stone
    }

    /// The empty points, row by row from the top left.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + Clone + '_ {
        self.size.iter().filter(|&point| self.is_empty_at(point))
    }

    /// The number of stones of `color` that follow `point` without a gap in direction `(dx, dy)`.
    #[must_use]
    pub fn run(&self, point: Point, color: Color, dx: i32, dy: i32) -> u8 {
        let mut count = 0;
        let mut at = point;
        while let Some(next) = at.offset(dx, dy, self.size) {
            if self.get(next) != Some(color) {
                break;
            }
            count += 1;
            at = next;
        }
        count
    }

    fn index(&self, point: Point) -> usize {
        usize::from(point.y) * usize::from(self.size.lines()) + usize::from(point.x)
    }
}

impl core::fmt::Debug for Board {
    /// A picture: `X` black, `O` white, `.` empty, the top row first.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for y in 0..self.size.lines() {
            writeln!(f)?;
            for x in 0..self.size.lines() {
                f.write_str(match self.get(Point::new(x, y)) {
                    Some(Color::Black) => "X",
                    Some(Color::White) => "O",
                    None => ".",
                })?;
            }
        }
        Ok(())
    }
}
