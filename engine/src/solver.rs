// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solvers of forced wins.

use alloc::vec::Vec;

use crate::game::DIRECTIONS;
use crate::position::Position;
use crate::vcf::{Found, Vcf};
use crate::vct::Vct;
use crate::{Board, Color, Point, Rule};

/// What a solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A win: attacker, defender, attacker, …, up to the attacker's move that makes five or can no
    /// longer be answered.
    Win(Vec<Point>),
    /// There is no win of this kind, or somebody has won already.
    None,
    /// The limit was reached before either was certain.
    Unknown,
}

/// The answer of a solver and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// What was found.
    pub answer: Answer,
    /// The positions entered.
    pub nodes: u64,
}

/// What is told of a game that somebody has won already.
const WON: Solution = Solution { answer: Answer::None, nodes: 0 };

/// Whether a winning row stands on the board.
fn is_won(board: &Board, rule: Rule) -> bool {
    board.size().iter().any(|point| {
        board.get(point).is_some_and(|color| {
            DIRECTIONS.iter().any(|&(dx, dy)| {
                // A row is counted from its first stone.
                board.run(point, color, -dx, -dy) == 0
                    && rule.wins(color, board.run(point, color, dx, dy) + 1)
            })
        })
    })
}

/// The longest line a solver looks for, in moves of the attacker.
const DEPTH: usize = 60;

/// Looks for a win of `attacker`, who is to move, by continuous fours: each of its moves makes a
/// four. At most `limit` positions are entered, `memory_bytes` bytes remember failures.
#[must_use]
pub fn vcf(board: &Board, rule: Rule, attacker: Color, limit: u64, memory_bytes: usize) -> Solution {
    if is_won(board, rule) {
        return WON;
    }
    let mut position = Position::of_board(board, rule);
    let mut solver = Vcf::new(memory_bytes, DEPTH);
    let answer = match solver.solve(&mut position, attacker, limit) {
        Found::Win => Answer::Win(solver.line().map(|square| position.point(square)).collect()),
        Found::None => Answer::None,
        Found::Unknown => Answer::Unknown,
    };
    Solution { answer, nodes: solver.nodes() }
}

/// Looks for a win of `attacker`, who is to move, by continuous threats: each of its moves makes a
/// four or threatens a straight or double four, and every answer loses. About `limit` positions are
/// entered at most, about `memory_bytes` bytes are used. [`Answer::None`] says that there is no win
/// of this kind; there may be one with a quieter move.
#[must_use]
pub fn vct(board: &Board, rule: Rule, attacker: Color, limit: u64, memory_bytes: usize) -> Solution {
    if is_won(board, rule) {
        return WON;
    }
    let mut position = Position::of_board(board, rule);
    let mut solver = Vct::new(memory_bytes);
    let answer = match solver.solve(&mut position, attacker, limit) {
        Found::Win => Answer::Win(solver.line().map(|square| position.point(square)).collect()),
        Found::None => Answer::None,
        Found::Unknown => Answer::Unknown,
    };
    Solution { answer, nodes: solver.nodes() }
}
