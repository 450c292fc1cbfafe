// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fitted numbers of the evaluation and of the order of moves.
//!
//! `weights.bin` is written by the program `fit`; docs/strength.md tells from which games and how
//! well it fits.

use crate::combo::COMBOS;
use crate::{Color, Rule};

/// How many units of a weight make one of a [`Score`](crate::Score).
pub(crate) const UNIT: i32 = 16;

/// The weights of one colour under one rule.
#[derive(Debug)]
pub(crate) struct Weights {
    bias: i16,
    values: [[i16; 2]; COMBOS],
    orders: [[i16; 2]; COMBOS],
}

/// The numbers of one colour in the file: the bias, then for each combination the value of a point
/// to the side to move and to the other, and the order of a move that makes or prevents it.
const NUMBERS: usize = 1 + 4 * COMBOS;

static FILE: &[u8; 4 * 2 * NUMBERS] = include_bytes!("weights.bin");

static FREESTYLE: Weights = Weights::read(0);
static STANDARD: Weights = Weights::read(1);
static RENJU_BLACK: Weights = Weights::read(2);
static RENJU_WHITE: Weights = Weights::read(3);

/// The weights of a colour.
pub(crate) const fn of(rule: Rule, color: Color) -> &'static Weights {
    match (rule, color) {
        (Rule::Freestyle, _) => &FREESTYLE,
        (Rule::Standard, _) => &STANDARD,
        (Rule::Renju, Color::Black) => &RENJU_BLACK,
        (Rule::Renju, Color::White) => &RENJU_WHITE,
    }
}

impl Weights {
    const fn read(part: usize) -> Self {
        let mut weights = Self { bias: 0, values: [[0; 2]; COMBOS], orders: [[0; 2]; COMBOS] };
        let mut at = part * NUMBERS;
        weights.bias = number(at);
        at += 1;
        let mut combo = 0;
        while combo < COMBOS {
            weights.values[combo] = [number(at), number(at + 1)];
            weights.orders[combo] = [number(at + 2), number(at + 3)];
            at += 4;
            combo += 1;
        }
        weights
    }

    /// The advantage of being to move, in units.
    pub(crate) fn bias(&self) -> i32 {
        self.bias.into()
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
}

const fn number(index: usize) -> i16 {
    i16::from_le_bytes([FILE[2 * index], FILE[2 * index + 1]])
}
