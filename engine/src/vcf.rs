// SPDX-License-Identifier: MIT OR Apache-2.0
//! Victory by continuous fours: every move of the attacker makes a four, which leaves the defender
//! one answer.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::Color;
use crate::combo::Threat;
use crate::memory::zeroed;
use crate::position::{Position, Square};

/// What a solver has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A win; its line is kept.
    Win,
    /// There is no win.
    None,
    /// A limit was reached.
    Unknown,
}

/// Positions in which an attacker has no win by continuous fours.
#[derive(Clone, Debug)]
struct Failures(Box<[u32]>);

impl Failures {
    /// A memory of at most `bytes` bytes.
    fn new(bytes: usize) -> Self {
        let entries = 1 << (bytes / 4).max(2).ilog2();
        Self(zeroed(entries))
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.0.len() - 1)
    }

    /// The high half of a key, never the number of an unused entry.
    const fn check(key: u64) -> u32 {
        (key >> 32) as u32 | 1
    }

    fn contains(&self, key: u64) -> bool {
        self.0[self.slot(key)] == Self::check(key)
    }

    fn insert(&mut self, key: u64) {
        let slot = self.slot(key);
        self.0[slot] = Self::check(key);
    }
}

/// A solver with its memory.
#[derive(Clone, Debug)]
pub(crate) struct Vcf {
    failures: Failures,
    /// The attacker's moves that a line may have.
    depth: usize,
    nodes: u64,
    limit: u64,
    /// The candidates of all positions on the way to the present one.
    candidates: Vec<Square>,
    /// The line found, its last move first.
    line: Vec<Square>,
}

impl Vcf {
    /// A solver of lines of at most `depth` attacker's moves, with a memory of at most `bytes` bytes.
    pub(crate) fn new(bytes: usize, depth: usize) -> Self {
        Self {
            failures: Failures::new(bytes),
            depth,
            nodes: 0,
            limit: 0,
            candidates: Vec::new(),
            line: Vec::new(),
        }
    }

    /// Forgets all positions.
    pub(crate) fn clear(&mut self) {
        self.failures.0.fill(0);
    }

    /// Looks for a win of `attacker`, who is to move, entering at most `limit` positions. The
    /// position is unchanged afterwards.
    pub(crate) fn solve(&mut self, position: &mut Position, attacker: Color, limit: u64) -> Found {
        self.nodes = 0;
        self.limit = limit;
        self.line.clear();
        self.candidates.clear();
        self.attack(position, attacker, self.depth)
    }

    /// As [`solve`](Self::solve), but a position that was given up before is not tried again.
    pub(crate) fn solve_once(&mut self, position: &mut Position, attacker: Color, limit: u64) -> Found {
        const GIVEN_UP: u64 = 0x94d0_49bb_1331_11eb;
        let key = key(position, attacker) ^ GIVEN_UP;
        if self.failures.contains(key) {
            self.nodes = 0;
            return Found::Unknown;
        }
        let found = self.solve(position, attacker, limit);
        if found == Found::Unknown {
            self.failures.insert(key);
        }
        found
    }

    /// The positions entered by the last call of [`solve`](Self::solve).
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The line of the last win: attacker, defender, …, up to the attacker's move that can no longer
    /// be answered (a straight or double four, a four whose answer is forbidden, or a five).
    pub(crate) fn line(&self) -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + '_ {
        self.line.iter().rev().copied()
    }

    fn win(&mut self, square: Square) -> Found {
        self.line.push(square);
        Found::Win
    }

    fn attack(&mut self, position: &mut Position, attacker: Color, depth: usize) -> Found {
        let defender = attacker.opposite();
        if let Some(five) = position.squares(attacker, Threat::Five).first() {
            return self.win(five);
        }
        let forced = match position.count(defender, Threat::Five) {
            0 => None,
            1 => position.squares(defender, Threat::Five).first(),
            _ => return Found::None,
        };
        if let Some(block) = forced {
            let four = position.class(block, attacker).threat() >= Threat::Four;
            if !four || !position.is_legal(block, attacker) {
                return Found::None;
            }
            return self.try_four(position, attacker, block, depth);
        }
        for threat in [Threat::StraightFour, Threat::DoubleFour] {
            for square in position.squares(attacker, threat).iter() {
                if position.is_legal(square, attacker) {
                    return self.win(square);
                }
            }
        }
        if position.count(attacker, Threat::Four) + position.count(attacker, Threat::FourThree) == 0 {
            return Found::None;
        }
        let key = key(position, attacker);
        if self.failures.contains(key) {
            return Found::None;
        }
        let start = self.candidates.len();
        for threat in [Threat::FourThree, Threat::Four] {
            let from = self.candidates.len();
            self.candidates.extend(position.squares(attacker, threat).iter());
            let order = position.weights(attacker);
            self.candidates[from..].sort_by_key(|&s| Reverse(order.attack(position.combo(s, attacker))));
        }
        let mut result = Found::None;
        for index in start..self.candidates.len() {
            let square = self.candidates[index];
            if !position.is_legal(square, attacker) {
                continue;
            }
            match self.try_four(position, attacker, square, depth) {
                Found::Win => {
                    result = Found::Win;
                    break;
                }
                Found::Unknown => result = Found::Unknown,
                Found::None => {}
            }
        }
        self.candidates.truncate(start);
        if result == Found::None {
            self.failures.insert(key);
        }
        result
    }

    /// Plays a legal four and its answer.
    fn try_four(&mut self, position: &mut Position, attacker: Color, four: Square, depth: usize) -> Found {
        if depth == 0 || self.nodes >= self.limit {
            return Found::Unknown;
        }
        let defender = attacker.opposite();
        self.nodes += 1;
        position.place(four, attacker);
        let fives = position.count(attacker, Threat::Five);
        let result = match position.squares(attacker, Threat::Five).first() {
            Some(answer) if fives == 1 && position.is_legal(answer, defender) => {
                self.nodes += 1;
                position.place(answer, defender);
                let result = self.attack(position, attacker, depth - 1);
                position.undo();
                if result == Found::Win {
                    self.line.push(answer);
                }
                result
            }
            Some(_) => Found::Win,
            None => Found::None,
        };
        position.undo();
        if result == Found::Win {
            self.line.push(four);
        }
        result
    }
}

/// A key of the position with the attacker to move.
fn key(position: &Position, attacker: Color) -> u64 {
    position.hash() ^ if attacker == Color::Black { 0x5bd1_e995_9e37_79b9 } else { 0xc2b2_ae3d_27d4_eb4f }
}
