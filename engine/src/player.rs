// SPDX-License-Identifier: MIT OR Apache-2.0
//! The computer player.

use alloc::vec::Vec;
use core::cmp::Reverse;

use rand::Rng;

use crate::classic::{self, Original, Scored, Table};
use crate::{Game, Level, Point, Score};

/// How far a search may go; what is `None` is not limited.
///
/// Time is the business of the stop callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The positions that may be entered.
    pub nodes: Option<u64>,
}

/// A move the computer has chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Where to play; always legal.
    pub point: Point,
    /// The classic score of the point for the side to move.
    pub attack: i32,
    /// The classic score of the point for the other side.
    pub defence: i32,
    /// How good the position is for the side to move, if it was searched.
    pub score: Option<Score>,
    /// The expected moves, this one first; empty if nothing was searched.
    pub line: Vec<Point>,
    /// The plies looked ahead, without extensions.
    pub depth: u8,
    /// The positions entered.
    pub nodes: u64,
}

/// A computer player with its memory.
#[derive(Debug)]
pub struct Player {
    memory_bytes: usize,
}

impl Player {
    /// A player that remembers positions in about `memory_bytes` bytes.
    #[must_use]
    pub const fn new(memory_bytes: usize) -> Self {
        Self { memory_bytes }
    }

    /// The size of the memory for positions.
    #[must_use]
    pub const fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// Chooses a move for the side to move; `None` only if the game is over.
    ///
    /// `stop` is asked every few hundred positions; once it says `true` the best move so far is
    /// returned. Equal inputs and random numbers give equal choices.
    pub fn choose(
        &mut self,
        game: &Game,
        level: Level,
        limits: Option<Limits>,
        rng: &mut dyn Rng,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Choice> {
        if game.outcome().is_over() {
            return None;
        }
        if game.moves().is_empty() {
            let scored = Scored::new(game, game.size().centre(), Table::Original);
            return Some(unsearched(scored));
        }
        let mover = game.to_move();
        match level {
            Level::Easy => {
                let candidates = classic::candidates(game, Table::Original);
                classic::easy(&candidates, mover, rng).map(unsearched)
            }
            Level::Normal => {
                let candidates = classic::candidates(game, Table::Original);
                Original::Normal.choose(&candidates, mover, rng).map(unsearched)
            }
            Level::Hard | Level::Expert | Level::Master => look_ahead(game, limits, rng, stop),
        }
        .or_else(|| last_resort(game))
    }
}

/// A cheap estimate of how good the position is for the side to move.
#[must_use]
pub fn evaluate(game: &Game) -> Score {
    if game.outcome().is_over() {
        return match game.outcome().winner() {
            Some(winner) if winner == game.to_move() => Score::win_in(0),
            Some(_) => Score::loss_in(0),
            None => Score::EVEN,
        };
    }
    let candidates = classic::candidates(game, Table::Repaired);
    let best = |score: fn(&Scored) -> i32| candidates.iter().map(score).max().unwrap_or(0);
    if best(|c| c.attack) == classic::FIVE {
        return Score::win_in(1);
    }
    Score::plain((best(|c| c.attack) - best(|c| c.defence) * 3 / 4) / 5)
}

/// Black may be left with nothing but forbidden points; then one of them has to be played.
fn last_resort(game: &Game) -> Option<Choice> {
    let point = game.board().empty_points().next()?;
    Some(unsearched(Scored::new(game, point, Table::Original)))
}

fn unsearched(scored: Scored) -> Choice {
    let Scored { point, attack, defence } = scored;
    Choice { point, attack, defence, score: None, line: Vec::new(), depth: 0, nodes: 0 }
}

/// The width of the look-ahead.
const WIDTH: usize = 8;

fn look_ahead(
    game: &Game,
    limits: Option<Limits>,
    rng: &mut dyn Rng,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Choice> {
    let mut candidates = classic::candidates(game, Table::Repaired);
    let mover = game.to_move();
    candidates.sort_by_cached_key(|c| (Reverse(classic::weighted(c, mover)), rng.next_u32()));
    candidates.truncate(WIDTH);
    let mut nodes = 0;
    let mut best: Option<(Score, Scored)> = None;
    for &candidate in &candidates {
        if best.is_some() && (stop() || limits.and_then(|l| l.nodes).is_some_and(|most| nodes >= most)) {
            break;
        }
        let mut next = game.clone();
        let score =
            if next.play(candidate.point).is_ok() { -negamax(&next, 2, &mut nodes) } else { continue };
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, candidate));
        }
    }
    best.map(|(score, scored)| Choice {
        score: Some(score),
        line: alloc::vec![scored.point],
        depth: 3,
        nodes,
        ..unsearched(scored)
    })
}

fn negamax(game: &Game, depth: u16, nodes: &mut u64) -> Score {
    *nodes += 1;
    if game.outcome().is_over() || depth == 0 {
        return evaluate(game);
    }
    let mover = game.to_move();
    let mut candidates = classic::candidates(game, Table::Repaired);
    if candidates.iter().any(|c| c.attack == classic::FIVE) {
        return Score::win_in(1);
    }
    candidates.sort_by_cached_key(|c| Reverse(classic::weighted(c, mover)));
    let replies = candidates.iter().take(WIDTH).map(|candidate| {
        let mut next = game.clone();
        match next.play(candidate.point) {
            Ok(_) => -negamax(&next, depth - 1, nodes),
            Err(_) => Score::loss_in(0),
        }
    });
    replies.max().unwrap_or(Score::EVEN)
}
