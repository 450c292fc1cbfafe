// SPDX-License-Identifier: MIT OR Apache-2.0
//! The computer player.

use alloc::vec::Vec;
use core::cmp::Reverse;

use rand::Rng;

use crate::classic::{self, Original, Scored};
use crate::combo::Threat;
use crate::position::Position;
use crate::search::{Bounds, Report, Search};
use crate::table::Table;
use crate::vcf::Vcf;
use crate::{Game, Level, Point, Score};

/// How far a search may go; what is `None` is not limited.
///
/// Time is the business of the stop callback.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The positions that may be entered; with several threads, by the first of them.
    pub nodes: Option<u64>,
    /// The plies that Expert and Master look ahead, without extensions.
    pub depth: Option<u8>,
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
    table: Table,
    vcf: Vcf,
    plies: usize,
    /// What the other threads of a search need.
    #[cfg(feature = "std")]
    helpers: Vec<Vcf>,
}

/// The part of the memory that remembers positions without a win by fours.
const VCF_PART: usize = 16;
/// A memory below this is a microcontroller's, where the stack is short too.
const SMALL_MEMORY: usize = 1 << 18;
/// The attacker's moves of the longest line of fours that is looked for, on a microcontroller and
/// elsewhere.
const VCF_DEPTH: [usize; 2] = [12, 24];
/// The longest way from the root in plies, likewise.
const PLIES: [usize; 2] = [32, 64];
/// How many of the classic player's points Hard looks at.
const HARD_WIDTH: usize = 10;
/// How far Hard looks ahead.
const HARD_DEPTH: u8 = 4;
/// How many positions Hard looks at.
const HARD_NODES: u64 = 2_000;
/// How many positions Expert looks at, well within a second: with all of the second it would play
/// nearly as strongly as Master with five.
const EXPERT_NODES: u64 = 40_000;

impl Player {
    /// A player that remembers positions in at most `memory_bytes` bytes (but at least a few), or in
    /// what the system can give.
    #[must_use]
    pub fn new(memory_bytes: usize) -> Self {
        let vcf_bytes = memory_bytes / VCF_PART;
        let large = usize::from(memory_bytes >= SMALL_MEMORY);
        Self {
            table: Table::new(memory_bytes - vcf_bytes),
            vcf: Vcf::new(vcf_bytes, VCF_DEPTH[large]),
            plies: PLIES[large],
            #[cfg(feature = "std")]
            helpers: Vec::new(),
        }
    }

    /// Lets Expert and Master think with `threads` threads (at least one). With more than one, equal
    /// inputs no longer give equal choices.
    #[cfg(feature = "std")]
    pub fn set_threads(&mut self, threads: usize) {
        self.helpers.resize_with(threads.max(1) - 1, || self.vcf.clone());
    }

    /// Forgets all positions, as before a new game.
    pub fn forget(&mut self) {
        self.table.clear();
        self.vcf.clear();
    }

    /// Chooses a move for the side to move; `None` only if the game is over.
    ///
    /// `stop` is asked every few hundred positions; once it says `true` the best move so far is
    /// returned. A player that has forgotten all positions chooses the same move for the same game,
    /// limits and random numbers. Unless `limits` tell otherwise, Hard looks at 2,000 positions and
    /// Expert at 40,000 at most; Master goes on until `stop` or a certain end.
    ///
    /// Under Renju black is never given a forbidden point, unless there are no others.
    pub fn choose(
        &mut self,
        game: &Game,
        level: Level,
        limits: Option<Limits>,
        rng: &mut dyn Rng,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Choice> {
        self.choose_telling(game, level, limits, rng, stop, &mut |_| {})
    }

    /// As [`choose`](Self::choose); `tell` gets the best so far after each depth of the search, for
    /// those who show it, or who must answer before the search has noticed that it should stop.
    pub fn choose_telling(
        &mut self,
        game: &Game,
        level: Level,
        limits: Option<Limits>,
        rng: &mut dyn Rng,
        stop: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(Choice),
    ) -> Option<Choice> {
        if game.outcome().is_over() {
            return None;
        }
        if game.moves().is_empty() {
            let scored = Scored::new(game, game.size().centre(), classic::Table::Original);
            return Some(unsearched(scored));
        }
        let mover = game.to_move();
        let candidates = |table| classic::candidates(game, table);
        match level {
            Level::Easy => classic::easy(&candidates(classic::Table::Original), mover, rng).map(unsearched),
            Level::Normal => {
                Original::Normal.choose(&candidates(classic::Table::Original), mover, rng).map(unsearched)
            }
            Level::Hard => {
                let mut roots = candidates(classic::Table::Repaired);
                roots.sort_by_cached_key(|c| (Reverse(classic::weighted(c, mover)), rng.next_u32()));
                roots.truncate(HARD_WIDTH);
                roots.shrink_to_fit();
                let nodes = limits.and_then(|limits| limits.nodes).unwrap_or(HARD_NODES);
                let bounds = Bounds { nodes, depth: HARD_DEPTH, plies: self.plies, from: 1 };
                self.search(game, &roots, bounds, stop, tell)
            }
            Level::Expert | Level::Master => {
                let Limits { nodes, depth } = limits.unwrap_or_default();
                let nodes = nodes.or((level == Level::Expert).then_some(EXPERT_NODES));
                let bounds = Bounds {
                    nodes: nodes.unwrap_or(u64::MAX),
                    depth: depth.unwrap_or(u8::MAX),
                    plies: self.plies,
                    from: 1,
                };
                #[cfg(feature = "std")]
                if !self.helpers.is_empty() {
                    return self.search_together(game, bounds, stop, tell).or_else(|| last_resort(game));
                }
                self.search(game, &[], bounds, stop, tell)
            }
        }
        .or_else(|| last_resort(game))
    }

    /// Searches the moves in `roots`, or all if there are none given.
    fn search(
        &mut self,
        game: &Game,
        roots: &[Scored],
        bounds: Bounds,
        stop: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(Choice),
    ) -> Option<Choice> {
        let position = Position::of_game(game);
        let roots = roots.iter().map(|root| position.square(root.point)).collect();
        self.table.age();
        let mut tell = |report: &Report| {
            if let Some(choice) = searched(game, report.clone()) {
                tell(choice);
            }
        };
        let mut search = Search::new(position, game.to_move(), &self.table, &mut self.vcf, stop);
        search.tell = Some(&mut tell);
        let report = search.run(roots, bounds);
        searched(game, report)
    }
}

#[cfg(feature = "std")]
impl Player {
    /// Searches with all threads. They share the table: what one finds spares the others work.
    fn search_together(
        &mut self,
        game: &Game,
        bounds: Bounds,
        stop: &mut dyn FnMut() -> bool,
        tell: &mut dyn FnMut(Choice),
    ) -> Option<Choice> {
        use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

        let position = Position::of_game(game);
        let mover = game.to_move();
        let (table, helpers) = (&self.table, &mut self.helpers);
        let (done, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        table.age();
        let mut tell = |report: &Report| {
            if let Some(choice) = searched(game, report.clone()) {
                tell(choice);
            }
        };
        let report = std::thread::scope(|scope| {
            for (number, vcf) in helpers.iter_mut().enumerate() {
                let (position, done, nodes) = (position.clone(), &done, &nodes);
                let bounds = Bounds { nodes: u64::MAX, from: 1 + (number % 2) as u8, ..bounds };
                scope.spawn(move || {
                    let stop = &mut || done.load(Ordering::Relaxed);
                    let report = Search::new(position, mover, table, vcf, stop).run(Vec::new(), bounds);
                    nodes.fetch_add(report.nodes, Ordering::Relaxed);
                });
            }
            let mut search = Search::new(position.clone(), mover, table, &mut self.vcf, stop);
            search.tell = Some(&mut tell);
            let report = search.run(Vec::new(), bounds);
            done.store(true, Ordering::Relaxed);
            report
        });
        let choice = searched(game, report)?;
        let nodes = choice.nodes + nodes.load(Ordering::Relaxed);
        Some(Choice { nodes, ..choice })
    }
}

fn searched(game: &Game, report: Report) -> Option<Choice> {
    let scored = Scored::new(game, report.best?, classic::Table::Repaired);
    Some(Choice {
        score: Some(report.score),
        line: report.line,
        depth: report.depth,
        nodes: report.nodes,
        ..unsearched(scored)
    })
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
    let mover = game.to_move();
    let position = Position::of_game(game);
    if position.count(mover, Threat::Five) > 0 {
        return Score::win_in(1);
    }
    Score::plain(position.evaluate(mover))
}

/// Black may be left with nothing but forbidden points; then one of them has to be played.
fn last_resort(game: &Game) -> Option<Choice> {
    let point = game.board().empty_points().next()?;
    Some(unsearched(Scored::new(game, point, classic::Table::Original)))
}

fn unsearched(scored: Scored) -> Choice {
    let Scored { point, attack, defence } = scored;
    Choice { point, attack, defence, score: None, line: Vec::new(), depth: 0, nodes: 0 }
}
