// SPDX-License-Identifier: MIT OR Apache-2.0
//! The engine's player with the resources that a manager grants.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{Rng, RngExt, SeedableRng};
use wuzi_engine::{Choice, Game, Level, Limits, Player, Point, Rule, Score, Size};

/// The memory for each millisecond of a move, in bytes: about what its search fills. More would cost
/// time, because the system provides it page by page.
const TABLE_PER_MILLISECOND: u64 = 64 << 10;
/// The least and the most that is taken for the time of a move.
const USUAL_TABLE: (u64, u64) = (8 << 20, 256 << 20);
/// The most that is taken while no limit was told.
const UNASKED_TABLE: u64 = 64 << 20;
/// The least and the most that is taken, whatever was told.
const TABLE_BOUNDS: (u64, u64) = (64 << 10, 1 << 30);
/// What the program takes beside the table, in bytes.
const PROGRAM: u64 = 24 << 20;

/// A player and what it may use.
#[derive(Debug)]
pub struct Thinker {
    player: Player,
    rng: SmallRng,
    max_memory: u64,
    /// The memory asked for; `None`: by the time of a move.
    table: Option<u64>,
    turn: Duration,
    threads: usize,
    allocated: usize,
    /// There is something to forget.
    used: bool,
    limits: Limits,
}

impl Thinker {
    /// A player whose random choices come from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut thinker = Self {
            player: Player::new(0),
            rng: SmallRng::seed_from_u64(seed),
            max_memory: 0,
            table: None,
            turn: Duration::from_secs(1),
            threads: 1,
            allocated: 0,
            used: false,
            limits: Limits::default(),
        };
        thinker.resize();
        thinker
    }

    /// Grants the whole program so many bytes; 0: no limit.
    pub fn set_max_memory(&mut self, bytes: u64) {
        self.max_memory = bytes;
        self.resize();
    }

    /// Asks for a table of so many bytes, within the memory granted.
    pub fn set_table(&mut self, bytes: u64) {
        self.table = Some(bytes);
        self.resize();
    }

    /// Tells the time of a move, for which there should be memory. What has been found in a game is not
    /// given up for it.
    pub fn set_turn(&mut self, turn: Duration) {
        self.turn = turn;
        if !self.used {
            self.resize();
        }
    }

    /// Asks for so many threads; no more are used than the machine runs at once.
    pub fn set_threads(&mut self, threads: u64) {
        let most = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads = usize::try_from(threads).unwrap_or(most).clamp(1, most);
        self.resize();
        self.player.set_threads(self.threads);
    }

    /// Limits the positions entered for a move; 0: no limit.
    pub fn set_nodes(&mut self, nodes: u64) {
        self.limits.nodes = (nodes > 0).then_some(nodes);
    }

    /// Limits the plies looked ahead; 0: no limit.
    pub fn set_depth(&mut self, plies: u64) {
        self.limits.depth = (plies > 0).then(|| u8::try_from(plies).unwrap_or(u8::MAX));
    }

    /// Forgets what earlier searches found.
    pub fn forget(&mut self) {
        if self.used {
            // New memory comes cleared when it is used; clearing the old would take its time now.
            self.allocated = 0;
        }
        self.resize();
    }

    fn table_bytes(&self) -> usize {
        let granted = if self.max_memory == 0 { u64::MAX } else { self.max_memory.saturating_sub(PROGRAM) };
        let (least, most) = TABLE_BOUNDS;
        let table = self.table.unwrap_or_else(|| {
            let millis = u64::try_from(self.turn.as_millis()).unwrap_or(u64::MAX);
            let usual = if self.max_memory == 0 { UNASKED_TABLE } else { USUAL_TABLE.1 };
            millis.saturating_mul(TABLE_PER_MILLISECOND).clamp(USUAL_TABLE.0, usual)
        });
        let bytes = table.min(granted).clamp(least, most);
        // Each further thread has a memory of its own, a sixteenth of the first one's.
        let bytes = bytes / (15 + self.threads as u64) * 16;
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    fn resize(&mut self) {
        let bytes = self.table_bytes();
        if self.allocated != bytes {
            // The old memory is given back before the new is taken.
            self.player = Player::new(0);
            self.player = Player::new(bytes);
            self.player.set_threads(self.threads);
            self.allocated = bytes;
            self.used = false;
        }
    }

    /// Tells better and better moves until `stop`, the last one when it ends; nothing if the game is
    /// over.
    pub fn think(&mut self, game: &Game, stop: &mut dyn FnMut() -> bool, tell: &mut dyn FnMut(Choice)) {
        self.used = true;
        let limits = Some(self.limits);
        let choice = self.player.choose_telling(game, Level::Master, limits, &mut self.rng, stop, tell);
        choice.into_iter().for_each(tell);
    }

    /// Tells openings of three stones (black, white, black) that leave white, to move, with more and
    /// more even chances; for swap2. Of random openings the search, within `budget`, judges which is
    /// the most even.
    pub fn open(
        &mut self,
        size: Size,
        rule: Rule,
        budget: Duration,
        stop: &dyn Fn() -> bool,
        tell: &mut dyn FnMut([Point; 3]),
    ) {
        const TRIES: u32 = 12;
        let start = Instant::now();
        let mut least = u16::MAX;
        for part in 1..=TRIES {
            let opening = random_opening(size, &mut self.rng);
            if part == 1 {
                tell(opening);
            }
            let Ok(game) = Game::from_moves(size, rule, &opening) else { continue };
            let mut stop = || stop() || start.elapsed() >= budget * part / TRIES;
            if stop() {
                break;
            }
            let mut score = Score::EVEN;
            self.think(&game, &mut stop, &mut |choice| score = choice.score.unwrap_or_default());
            let unevenness = score.raw().unsigned_abs();
            if unevenness < least {
                least = unevenness;
                tell(opening);
            }
        }
    }
}

/// The move to answer with if not even the first depth of a search was finished in time.
#[must_use]
pub fn quick_move(game: &Game) -> Option<Choice> {
    /// Entered in less than a millisecond.
    const NODES: u64 = 200;
    let mut rng = SmallRng::seed_from_u64(0);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    Player::new(0).choose(game, Level::Master, Some(limits), &mut rng, &mut || false)
}

/// Three points near each other and to an edge, where the first move is worth less.
pub fn random_opening(size: Size, rng: &mut impl Rng) -> [Point; 3] {
    let lines = i32::from(size.lines());
    let first = (rng.random_range(0..lines), rng.random_range(0..4));
    let mut points: Vec<Point> = Vec::with_capacity(3);
    while points.len() < 3 {
        let (dx, dy) =
            if points.is_empty() { (0, 0) } else { (rng.random_range(-4..=4), rng.random_range(-4..=4)) };
        if let Some(point) = Point::new(0, 0).offset(first.0 + dx, first.1 + dy, size)
            && !points.contains(&point)
        {
            points.push(point);
        }
    }
    let turned = |point: Point, turns: u32| {
        (0..turns).fold(point, |point, _| Point::new(size.lines() - 1 - point.y, point.x))
    };
    let turns = rng.random_range(0..4);
    [points[0], points[1], points[2]].map(|point| turned(point, turns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_keeps_within_the_memory_granted() {
        let mut thinker = Thinker::new(1);
        thinker.set_turn(Duration::from_secs(60));
        assert_eq!(thinker.table_bytes() as u64, UNASKED_TABLE);
        thinker.set_max_memory(40 << 20);
        assert_eq!(thinker.table_bytes() as u64 + PROGRAM, 40 << 20);
        thinker.set_max_memory(350 << 20);
        assert_eq!(thinker.table_bytes() as u64, USUAL_TABLE.1);
        thinker.set_table(1 << 20);
        assert_eq!(thinker.table_bytes(), 1 << 20);
        for absurd in [1, u64::MAX] {
            thinker.set_max_memory(absurd);
            thinker.set_table(absurd);
            assert!((TABLE_BOUNDS.0..=TABLE_BOUNDS.1).contains(&(thinker.table_bytes() as u64)));
        }
    }

    #[test]
    fn the_table_grows_with_the_time_of_a_move_but_not_in_a_game() {
        let mut thinker = Thinker::new(1);
        thinker.set_max_memory(350 << 20);
        thinker.set_turn(Duration::ZERO);
        assert_eq!(thinker.allocated as u64, USUAL_TABLE.0);
        thinker.set_turn(Duration::from_secs(1));
        assert_eq!(thinker.allocated as u64, 1000 * TABLE_PER_MILLISECOND);
        thinker.think(&Game::new(Size::DEFAULT, Rule::Freestyle), &mut || true, &mut |_| {});
        thinker.set_turn(Duration::MAX);
        assert_eq!(thinker.allocated as u64, 1000 * TABLE_PER_MILLISECOND);
        thinker.forget();
        assert_eq!(thinker.allocated as u64, USUAL_TABLE.1);
    }

    #[test]
    fn threads_share_the_memory_granted() {
        let mut thinker = Thinker::new(1);
        thinker.set_table(64 << 20);
        thinker.threads = 17;
        assert_eq!(thinker.table_bytes(), 32 << 20);
        thinker.set_threads(u64::MAX);
        assert!(thinker.threads >= 1 && thinker.threads < 10_000);
        thinker.set_threads(0);
        assert_eq!(thinker.threads, 1);
    }

    #[test]
    fn openings_are_three_points_of_the_board() {
        let mut rng = SmallRng::seed_from_u64(7);
        for size in (10..=20).filter_map(Size::new) {
            for _ in 0..100 {
                let opening = random_opening(size, &mut rng);
                assert!(Game::from_moves(size, Rule::Freestyle, &opening).is_ok(), "{opening:?}");
            }
        }
    }
}
