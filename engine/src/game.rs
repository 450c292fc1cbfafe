// SPDX-License-Identifier: MIT OR Apache-2.0
//! A game: a rule, a board and the moves in the order of play.

use alloc::vec::Vec;
use core::fmt;

use crate::{Board, Color, Forbidden, Point, Rule, Size, forbidden};

/// The four directions of a line: right, down, down-right, up-right.
pub(crate) const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// A row of stones of one colour, given by its two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// The first stone.
    pub from: Point,
    /// The last stone.
    pub to: Point,
}

impl Row {
    /// The points of the row, from one end to the other.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        let span = |a: u8, b: u8| i32::from(b) - i32::from(a);
        let (dx, dy) = (span(self.from.x, self.to.x), span(self.from.y, self.to.y));
        (0..=dx.abs().max(dy.abs())).map(move |i| Point {
            x: (i32::from(self.from.x) + i * dx.signum()) as u8,
            y: (i32::from(self.from.y) + i * dy.signum()) as u8,
        })
    }
}

/// What decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WinReason {
    /// A winning row; of several made at once, the first found.
    Row(Row),
    /// Black played a forbidden point.
    Forbidden(Forbidden),
}

/// How a game stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nobody has won and an empty point is left.
    #[default]
    Running,
    /// One side has won.
    Win(Color, WinReason),
    /// The board is full.
    Draw,
}

impl Outcome {
    /// Who has won.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color, _) => Some(color),
            Self::Running | Self::Draw => None,
        }
    }

    /// Whether the game has ended.
    #[must_use]
    pub const fn is_over(self) -> bool {
        !matches!(self, Self::Running)
    }
}

/// Why a move was refused; the game is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The point is not on the board.
    OffBoard,
    /// A stone stands there.
    Occupied,
    /// The game has ended.
    GameOver,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "the point is not on the board",
            Self::Occupied => "a stone stands on that point",
            Self::GameOver => "the game has ended",
        })
    }
}

impl core::error::Error for PlayError {}

/// A game in progress or ended. Black moves first, the sides alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    rule: Rule,
    board: Board,
    moves: Vec<Point>,
    outcome: Outcome,
}

impl Game {
    /// A game before its first move.
    #[must_use]
    pub const fn new(size: Size, rule: Rule) -> Self {
        Self { rule, board: Board::new(size), moves: Vec::new(), outcome: Outcome::Running }
    }

    /// A game that stands at a given position: the stones alternate from black. Only the end counts,
    /// so rows and forbidden points on the way do not matter; for programs that tell or edit positions.
    ///
    /// # Errors
    /// If a point is off the board or named twice.
    pub fn from_moves(size: Size, rule: Rule, moves: &[Point]) -> Result<Self, PlayError> {
        let mut game = Self::new(size, rule);
        for &point in moves {
            if !size.contains(point) {
                return Err(PlayError::OffBoard);
            }
            if !game.board.is_empty_at(point) {
                return Err(PlayError::Occupied);
            }
            game.board.place(point, game.to_move());
            game.moves.push(point);
        }
        let row = moves.iter().enumerate().find_map(|(ply, &point)| {
            let color = Color::to_move_after(ply);
            Some((color, game.winning_row(point, color)?))
        });
        game.outcome = match row {
            Some((color, row)) => Outcome::Win(color, WinReason::Row(row)),
            None if game.board.is_full() => Outcome::Draw,
            None => Outcome::Running,
        };
        Ok(game)
    }

    /// The rule it is played by.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The number of lines of its board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.board.size()
    }

    /// The stones.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The moves in the order of play.
    #[must_use]
    pub fn moves(&self) -> &[Point] {
        &self.moves
    }

    /// The side to move (also after the end: the side that would have moved).
    #[must_use]
    pub fn to_move(&self) -> Color {
        Color::to_move_after(self.moves.len())
    }

    /// How the game stands.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Places the next stone and tells how the game stands after it.
    ///
    /// Under Renju black loses at once by a forbidden point.
    ///
    /// # Errors
    /// If the point is off the board or occupied, or the game has ended.
    pub fn play(&mut self, point: Point) -> Result<Outcome, PlayError> {
        if self.outcome.is_over() {
            return Err(PlayError::GameOver);
        }
        if !self.size().contains(point) {
            return Err(PlayError::OffBoard);
        }
        if !self.board.is_empty_at(point) {
            return Err(PlayError::Occupied);
        }
        let color = self.to_move();
        let broken = if self.rule == Rule::Renju && color == Color::Black {
            forbidden(&self.board, point)
        } else {
            None
        };
        self.board.place(point, color);
        self.moves.push(point);
        self.outcome = self.judge(point, color, broken);
        Ok(self.outcome)
    }

    /// Takes the last stone back and returns its point; the game runs again.
    pub fn undo(&mut self) -> Option<Point> {
        let point = self.moves.pop()?;
        self.board.remove(point);
        self.outcome = Outcome::Running;
        Some(point)
    }

    fn judge(&self, point: Point, color: Color, broken: Option<Forbidden>) -> Outcome {
        if let Some(row) = self.winning_row(point, color) {
            Outcome::Win(color, WinReason::Row(row))
        } else if let Some(kind) = broken {
            Outcome::Win(color.opposite(), WinReason::Forbidden(kind))
        } else if self.board.is_full() {
            Outcome::Draw
        } else {
            Outcome::Running
        }
    }

    fn winning_row(&self, point: Point, color: Color) -> Option<Row> {
        DIRECTIONS.iter().find_map(|&(dx, dy)| {
            let ahead = self.board.run(point, color, dx, dy);
            let behind = self.board.run(point, color, -dx, -dy);
            let wins = self.rule.wins(color, ahead + behind + 1);
            let end = |steps: i32| point.offset(dx * steps, dy * steps, self.size());
            if wins { Some(Row { from: end(-i32::from(behind))?, to: end(i32::from(ahead))? }) } else { None }
        })
    }
}

#[cfg(test)]
mod position_tests {
    use super::*;

    fn points(names: &str) -> Vec<Point> {
        names.split(' ').map(|name| Point::parse(name, Size::DEFAULT).unwrap()).collect()
    }

    #[test]
    fn a_position_is_judged_by_its_rows_whatever_their_order() {
        let moves = points("H8 A1 L8 A2 I8 A3 K8 A4 J8 A15");
        let game = Game::from_moves(Size::DEFAULT, Rule::Freestyle, &moves).unwrap();
        assert_eq!(game.outcome().winner(), Some(Color::Black));
        assert_eq!((game.moves(), game.to_move()), (&*moves, Color::Black));
        let game = Game::from_moves(Size::DEFAULT, Rule::Freestyle, &moves[..8]).unwrap();
        assert_eq!(game.outcome(), Outcome::Running);
    }

    #[test]
    fn a_position_takes_each_point_once_and_none_off_the_board() {
        let from = |moves: &[Point]| Game::from_moves(Size::DEFAULT, Rule::Freestyle, moves);
        assert_eq!(from(&points("H8 I8 H8")), Err(PlayError::Occupied));
        assert_eq!(from(&[Point::new(15, 0)]), Err(PlayError::OffBoard));
    }
}
