// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the evaluation and the order of moves see of a position, for the program that fits their
//! weights.

use alloc::vec::Vec;

use crate::combo::{self, COMBOS, Threat};
use crate::pattern::Pattern;
use crate::position::{Position, Square};
use crate::weights;
use crate::{Color, Game, Point};

/// The number of combinations of four patterns.
pub const COMBINATIONS: usize = COMBOS;
/// The number of sets of threats of both sides.
pub const THREAT_SETS: usize = weights::THREAT_SETS;
/// The number of distances between a move and an earlier one.
pub const DISTANCES: usize = weights::DISTANCES;
/// The number of patterns.
pub const PATTERNS: usize = Pattern::COUNT;

/// One empty point.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// The point.
    pub point: Point,
    /// What a stone of the side to move makes there.
    pub own: u16,
    /// What a stone of the other side makes there.
    pub enemy: u16,
    /// Whether a search considers a move there.
    pub near: bool,
    /// The distance classes to the last move and to the one before it.
    pub distances: [u8; 2],
}

/// One position.
#[derive(Clone, Debug)]
pub struct Features {
    /// All empty points.
    pub spots: Vec<Spot>,
    /// The threats of both sides, a number below [`THREAT_SETS`].
    pub threats: u16,
    /// Whether a search decides here without an evaluation: somebody makes five, or the side to move
    /// a straight four.
    pub decided: bool,
}

/// The features of a game's position for the side to move.
#[must_use]
pub fn features(game: &Game) -> Features {
    let position = Position::of_game(game);
    let me = game.to_move();
    let enemy = me.opposite();
    let mut back = game.moves().iter().rev().map(|&p| position.square(p));
    let last = [back.next(), back.next()];
    let mut near = alloc::vec![false; position.points()];
    position.near().for_each(|square| near[usize::from(square)] = true);
    let spots = (0..position.points() as Square).filter(|&square| position.is_empty_at(square));
    let spots = spots.map(|square| Spot {
        point: position.point(square),
        own: position.combo(square, me),
        enemy: position.combo(square, enemy),
        near: near[usize::from(square)],
        distances: last.map(|last| position.distance(square, last) as u8),
    });
    let decided = position.count(me, Threat::Five)
        + position.count(enemy, Threat::Five)
        + position.count(me, Threat::StraightFour)
        > 0;
    Features { spots: spots.collect(), threats: position.threat_set(me) as u16, decided }
}

/// The four patterns of every combination.
#[must_use]
pub fn combinations() -> Vec<[u8; 4]> {
    let mut all = alloc::vec![[0; 4]; COMBOS];
    for codes in 0..=u16::MAX {
        let patterns = [codes & 15, codes >> 4 & 15, codes >> 8 & 15, codes >> 12].map(|p| p as u8);
        if patterns.iter().all(|&p| usize::from(p) < PATTERNS) {
            all[usize::from(combo::combo(codes))] = patterns;
        }
    }
    all
}

/// Which of the four parts of the weights belongs to a colour.
#[must_use]
pub const fn part(game: &Game, color: Color) -> usize {
    weights::part(game.rule(), color)
}
