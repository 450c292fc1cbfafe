// SPDX-License-Identifier: MIT OR Apache-2.0
//! The position that a manager has told, stone by stone or as a whole.

use std::fmt;

use wuzi_engine::{Color, Game, Outcome, PlayError, Point, Rule, Size};

use crate::protocol::{Cell, Owner};

/// The stones of the game, alternating from black.
#[derive(Clone, Debug)]
pub struct Position {
    size: Size,
    stones: Vec<Point>,
    /// So many of the first stones were told without their order.
    unordered: usize,
}

/// Why a position or a move cannot be taken; the position is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// The point is not on the board.
    OffBoard(Cell),
    /// A stone stands there.
    Occupied(Cell),
    /// No stone stands there.
    Empty(Cell),
    /// Not the stone played last.
    NotLast(Cell),
    /// Marked stones belong to continuous games, which are not played here.
    Marked(Cell),
    /// Stones of the two sides do not fit the side to move.
    Counts {
        /// The brain's stones.
        own: usize,
        /// The opponent's stones.
        opponent: usize,
    },
    /// The game has ended.
    Over(Outcome),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffBoard(cell) => write!(f, "{cell} is not on the board"),
            Self::Occupied(cell) => write!(f, "{cell} is occupied"),
            Self::Empty(cell) => write!(f, "no stone stands on {cell}"),
            Self::NotLast(cell) => write!(f, "{cell} is not the last move"),
            Self::Marked(cell) => write!(f, "{cell} has field 3, which belongs to continuous games"),
            Self::Counts { own, opponent } => {
                write!(f, "{own} own and {opponent} opponent's stones do not fit the brain's turn")
            }
            Self::Over(Outcome::Win(Color::Black, _)) => f.write_str("the game is over: black has won"),
            Self::Over(Outcome::Win(Color::White, _)) => f.write_str("the game is over: white has won"),
            Self::Over(_) => f.write_str("the game is over: the board is full"),
        }
    }
}

impl std::error::Error for PositionError {}

impl Position {
    /// The empty board.
    #[must_use]
    pub const fn new(size: Size) -> Self {
        Self { size, stones: Vec::new(), unordered: 0 }
    }

    /// The number of lines of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The stones, alternating from black.
    #[must_use]
    pub fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// The game that stands here.
    #[must_use]
    pub fn game(&self, rule: Rule) -> Game {
        Game::from_moves(self.size, rule, &self.stones)
            .unwrap_or_else(|_| unreachable!("each stone was checked when it was placed"))
    }

    /// The position told by a BOARD: the brain is to move.
    ///
    /// # Errors
    /// If a stone has no place of its own on the board, or the counts do not fit.
    pub fn from_board(size: Size, told: &[(Cell, Owner)]) -> Result<Self, PositionError> {
        Self::told(size, told, |own, opponent| match own {
            _ if own == opponent => Some(Owner::Own),
            _ if own + 1 == opponent => Some(Owner::Opponent),
            _ => None,
        })
    }

    /// The position told by a YXBOARD: either side may be to move. With equal counts it is black's
    /// turn, and the first stone of a list in the order of play is black.
    ///
    /// # Errors
    /// If a stone has no place of its own on the board, or the counts do not fit.
    pub fn from_yxboard(size: Size, told: &[(Cell, Owner)]) -> Result<Self, PositionError> {
        let first = told.first().map_or(Owner::Own, |&(_, owner)| owner);
        let alternating = told.windows(2).all(|pair| pair[0].1 != pair[1].1);
        Self::told(size, told, |own, opponent| match own {
            _ if own == opponent => Some(if alternating { first } else { Owner::Own }),
            _ if own + 1 == opponent => Some(Owner::Opponent),
            _ if own == opponent + 1 => Some(Owner::Own),
            _ => None,
        })
    }

    /// The position told by a SWAP2BOARD, in the order of play.
    ///
    /// # Errors
    /// If a stone has no place of its own on the board.
    pub fn from_moves(size: Size, moves: &[Cell]) -> Result<Self, PositionError> {
        let mut position = Self::new(size);
        for &cell in moves {
            position.push(cell)?;
        }
        Ok(position)
    }

    fn told(
        size: Size,
        told: &[(Cell, Owner)],
        black: impl FnOnce(usize, usize) -> Option<Owner>,
    ) -> Result<Self, PositionError> {
        if let Some(&(cell, _)) = told.iter().find(|(_, owner)| *owner == Owner::Marked) {
            return Err(PositionError::Marked(cell));
        }
        let cells = |of: Owner| told.iter().filter(move |(_, owner)| *owner == of).map(|&(cell, _)| cell);
        let (own, opponent) = (cells(Owner::Own).count(), cells(Owner::Opponent).count());
        let black = black(own, opponent).ok_or(PositionError::Counts { own, opponent })?;
        let white = if black == Owner::Own { Owner::Opponent } else { Owner::Own };
        let mut position = Self::new(size);
        let (mut blacks, mut whites) = (cells(black), cells(white));
        while let Some(cell) =
            if position.stones.len().is_multiple_of(2) { blacks.next() } else { whites.next() }
        {
            position.push(cell)?;
        }
        let in_order =
            told.iter().enumerate().all(|(ply, &(_, owner))| (owner == black) == ply.is_multiple_of(2));
        position.unordered = if in_order { 0 } else { position.stones.len() };
        Ok(position)
    }

    /// The point of the board that a cell means.
    fn point(&self, cell: Cell) -> Result<Point, PositionError> {
        let point = u8::try_from(cell.x).ok().zip(u8::try_from(cell.y).ok()).map(|(x, y)| Point::new(x, y));
        point.filter(|&point| self.size.contains(point)).ok_or(PositionError::OffBoard(cell))
    }

    /// Places the next stone without judging it.
    fn push(&mut self, cell: Cell) -> Result<(), PositionError> {
        let point = self.point(cell)?;
        if self.stones.contains(&point) {
            return Err(PositionError::Occupied(cell));
        }
        self.stones.push(point);
        Ok(())
    }

    /// Plays a move by the rule and tells how the game stands after it.
    ///
    /// # Errors
    /// If the point is off the board or occupied, or the game has ended.
    pub fn play(&mut self, rule: Rule, cell: Cell) -> Result<Outcome, PositionError> {
        let point = self.point(cell)?;
        let mut game = self.game(rule);
        let outcome = game.play(point).map_err(|error| match error {
            PlayError::OffBoard => PositionError::OffBoard(cell),
            PlayError::Occupied => PositionError::Occupied(cell),
            PlayError::GameOver => PositionError::Over(game.outcome()),
        })?;
        self.stones.push(point);
        Ok(outcome)
    }

    /// Takes back the last move; of stones told without order, any of the side that moved last.
    ///
    /// # Errors
    /// If no such stone stands there.
    pub fn take_back(&mut self, cell: Cell) -> Result<(), PositionError> {
        let point = self.point(cell)?;
        let ply = self.stones.iter().position(|&stone| stone == point).ok_or(PositionError::Empty(cell))?;
        let last = self.stones.len() - 1;
        let loose = self.unordered == self.stones.len() && (last - ply).is_multiple_of(2);
        if ply != last && !loose {
            return Err(PositionError::NotLast(cell));
        }
        self.stones.swap_remove(ply);
        self.unordered = self.unordered.min(self.stones.len());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::DEFAULT;

    fn cell(x: i32, y: i32) -> Cell {
        Cell { x, y }
    }

    fn row(owners: &[Owner]) -> Vec<(Cell, Owner)> {
        (0..).zip(owners).map(|(x, &owner)| (cell(x, 0), owner)).collect()
    }

    fn xs(position: &Position) -> Vec<u8> {
        position.stones().iter().map(|point| point.x).collect()
    }

    use Owner::{Marked, Opponent, Own};

    #[test]
    fn a_board_in_the_order_of_play_keeps_it() {
        let position = Position::from_board(SIZE, &row(&[Own, Opponent, Own, Opponent])).unwrap();
        assert_eq!(xs(&position), [0, 1, 2, 3]);
        let position = Position::from_board(SIZE, &row(&[Opponent, Own, Opponent])).unwrap();
        assert_eq!(xs(&position), [0, 1, 2]);
    }

    #[test]
    fn a_board_in_any_order_gives_each_side_its_stones() {
        let position = Position::from_board(SIZE, &row(&[Own, Own, Opponent, Opponent, Opponent])).unwrap();
        assert_eq!(xs(&position), [2, 0, 3, 1, 4], "the opponent is black");
        let position = Position::from_board(SIZE, &row(&[Opponent, Own])).unwrap();
        assert_eq!(xs(&position), [1, 0], "the brain is to move, so it is black");
    }

    #[test]
    fn counts_must_fit_the_turn() {
        for owners in [&[Own][..], &[Opponent, Opponent], &[Own, Own, Opponent]] {
            let error = Position::from_board(SIZE, &row(owners)).unwrap_err();
            assert!(matches!(error, PositionError::Counts { .. }), "{owners:?}");
        }
        assert!(Position::from_yxboard(SIZE, &row(&[Own])).is_ok());
        assert!(Position::from_yxboard(SIZE, &row(&[Own, Own])).is_err());
    }

    #[test]
    fn a_yxboard_tells_black_by_the_first_stone() {
        let position = Position::from_yxboard(SIZE, &row(&[Opponent, Own])).unwrap();
        assert_eq!(xs(&position), [0, 1]);
    }

    #[test]
    fn a_stone_has_a_point_of_its_own() {
        let twice = [(cell(1, 1), Own), (cell(1, 1), Opponent)];
        assert_eq!(Position::from_board(SIZE, &twice).unwrap_err(), PositionError::Occupied(cell(1, 1)));
        for (x, y) in [(15, 0), (0, 15), (-1, 0), (256, 0), (i32::MAX, i32::MIN)] {
            let error = Position::from_board(SIZE, &[(cell(x, y), Opponent)]).unwrap_err();
            assert_eq!(error, PositionError::OffBoard(cell(x, y)));
        }
        let error = Position::from_board(SIZE, &[(cell(1, 1), Marked)]).unwrap_err();
        assert_eq!(error, PositionError::Marked(cell(1, 1)));
    }

    #[test]
    fn only_the_last_move_is_taken_back() {
        let mut position = Position::from_moves(SIZE, &[cell(0, 0), cell(1, 0), cell(2, 0)]).unwrap();
        assert_eq!(position.take_back(cell(0, 0)), Err(PositionError::NotLast(cell(0, 0))));
        assert_eq!(position.take_back(cell(9, 0)), Err(PositionError::Empty(cell(9, 0))));
        assert_eq!(position.take_back(cell(2, 0)), Ok(()));
        assert_eq!(xs(&position), [0, 1]);
    }

    #[test]
    fn stones_without_order_are_taken_back_in_turn_of_the_sides() {
        let told = row(&[Own, Own, Opponent, Opponent]);
        let mut position = Position::from_board(SIZE, &told).unwrap();
        assert_eq!(
            position.take_back(cell(0, 0)),
            Err(PositionError::NotLast(cell(0, 0))),
            "black is to move"
        );
        assert_eq!(position.take_back(cell(2, 0)), Ok(()));
        assert_eq!(position.take_back(cell(0, 0)), Ok(()));
        assert_eq!(xs(&position), [1, 3]);
        position.play(Rule::Freestyle, cell(9, 9)).unwrap();
        assert_eq!(position.take_back(cell(1, 0)), Err(PositionError::NotLast(cell(1, 0))));
    }

    #[test]
    fn no_move_follows_the_end() {
        let told: Vec<_> =
            (0..5).map(|x| (cell(x, 0), Opponent)).chain((0..4).map(|x| (cell(x, 5), Own))).collect();
        let mut position = Position::from_board(SIZE, &told).unwrap();
        let error = position.play(Rule::Freestyle, cell(9, 9)).unwrap_err();
        assert_eq!(error.to_string(), "the game is over: black has won");
        assert_eq!(position.stones().len(), 9);
    }
}
