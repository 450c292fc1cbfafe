// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fitted numbers of the evaluation and of the order of moves.
//!
//! `weights.bin` is written by the program `fit`; docs/strength.md tells from which games and how
//! well it fits.

use crate::combo::COMBOS;
use crate::{Color, Rule};

/// How many units of a weight make one of a [`Score`](crate::Score).
pub(crate) const UNIT: i32 = 16;

/// The number of sets of threats of both sides.
pub(crate) const THREAT_SETS: usize = 1 << (2 * THREAT_BITS);
/// The threats of one side that count: those a stone makes somewhere.
pub(crate) const THREAT_BITS: usize = 5;
/// The number of distances between two points, told apart up to five steps: 21 pairs of the greater
/// and the smaller difference of their coordinates, and one class for all that is farther.
pub(crate) const DISTANCES: usize = 22;

/// The weights of one colour under one rule.
#[derive(Debug)]
pub(crate) struct Weights {
    values: [[i16; 2]; COMBOS],
    orders: [[i16; 2]; COMBOS],
    threats: [i16; THREAT_SETS],
    distances: [[i16; DISTANCES]; 2],
}

/// The numbers of one colour in the file: for each combination the value of a point to the side to
/// move and to the other, and the order of a move that makes or prevents it; then the values of the
/// threats, the order by the distance to the last move and to the one before it.
const NUMBERS: usize = 4 * COMBOS + THREAT_SETS + 2 * DISTANCES;

static FILE: &[u8; 4 * 2 * NUMBERS] = include_bytes!("weights.bin");

static PARTS: [Weights; 4] = [Weights::read(0), Weights::read(1), Weights::read(2), Weights::read(3)];

/// The part of the file with the weights of a colour.
pub(crate) const fn part(rule: Rule, color: Color) -> usize {
    match (rule, color) {
        (Rule::Freestyle, _) => 0,
        (Rule::Standard, _) => 1,
        (Rule::Renju, Color::Black) => 2,
        (Rule::Renju, Color::White) => 3,
    }
}

/// The weights of a colour.
pub(crate) const fn of(rule: Rule, color: Color) -> &'static Weights {
    &PARTS[part(rule, color)]
}

impl Weights {
    const fn read(part: usize) -> Self {
        let mut weights = Self {
            values: [[0; 2]; COMBOS],
            orders: [[0; 2]; COMBOS],
            threats: [0; THREAT_SETS],
            distances: [[0; DISTANCES]; 2],
        };
        let mut at = part * NUMBERS;
        let mut index = 0;
        while index < COMBOS {
            weights.values[index] = [number(at), number(at + 1)];
            weights.orders[index] = [number(at + 2), number(at + 3)];
            at += 4;
            index += 1;
        }
        index = 0;
        while index < THREAT_SETS {
            weights.threats[index] = number(at);
            at += 1;
            index += 1;
        }
        index = 0;
        while index < DISTANCES {
            weights.distances[0][index] = number(at + index);
            weights.distances[1][index] = number(at + DISTANCES + index);
            index += 1;
        }
        weights
    }

    /// The value of the threats of both sides to the side to move, in units.
    pub(crate) fn threats(&self, set: usize) -> i32 {
        self.threats[set].into()
    }

    /// The value of a point to its colour if that is to move and if it is not, in units.
    pub(crate) fn value(&self, combo: usize) -> [i32; 2] {
        self.values[combo].map(i32::from)
    }

    /// How early a move is tried that makes a combination, in thousandths of a logit.
    pub(crate) fn attack(&self, combo: u16) -> i32 {
        self.orders[usize::from(combo)][0].into()
    }

    /// How early a move is tried that takes a point from the enemy.
    pub(crate) fn defence(&self, combo: u16) -> i32 {
        self.orders[usize::from(combo)][1].into()
    }

    /// How early a move is tried at a distance from the last move (`back` 0) or the one before it.
    pub(crate) fn distance(&self, back: usize, distance: usize) -> i32 {
        self.distances[back][distance].into()
    }
}

const fn number(index: usize) -> i16 {
    i16::from_le_bytes([FILE[2 * index], FILE[2 * index + 1]])
}
