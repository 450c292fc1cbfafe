// SPDX-License-Identifier: MIT OR Apache-2.0
//! How long a move may take.

use std::time::Duration;

/// A `time_left` that means no limit.
const UNLIMITED: i64 = i32::MAX as i64;

/// The limits that a manager has told, and the time used.
#[derive(Clone, Debug)]
pub struct Clock {
    turn: Duration,
    game: Option<Duration>,
    left: Option<Duration>,
    left_is_fresh: bool,
    used: Duration,
    /// How late this program was served at most in the last moves.
    lateness: Duration,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            turn: Duration::from_secs(5),
            game: None,
            left: None,
            left_is_fresh: false,
            used: Duration::ZERO,
            lateness: Self::USUAL_LATENESS,
        }
    }
}

impl Clock {
    /// The way to the manager and back.
    const MARGIN: Duration = Duration::from_millis(40);
    /// How late the program is taken to be served before that is seen.
    const USUAL_LATENESS: Duration = Duration::from_millis(5);
    /// The shortest limit; less means as fast as possible.
    const LEAST: Duration = Duration::from_millis(2);
    /// No move takes longer, whatever was told.
    const MOST: Duration = Duration::from_secs(24 * 60 * 60);

    /// Sets the milliseconds for a move; 0: as fast as possible.
    pub fn set_turn(&mut self, millis: u64) {
        self.turn = Duration::from_millis(millis).min(Self::MOST);
    }

    /// Sets the milliseconds for a game; 0: no limit.
    pub fn set_game(&mut self, millis: u64) {
        self.game = (millis > 0).then(|| Duration::from_millis(millis));
    }

    /// Sets the milliseconds that are left of the game.
    pub fn set_left(&mut self, millis: i64) {
        self.left = (millis < UNLIMITED).then(|| Duration::from_millis(u64::try_from(millis).unwrap_or(0)));
        self.left_is_fresh = true;
    }

    /// A new game begins. What was told since the last move is about that game.
    pub fn restart(&mut self) {
        self.used = Duration::ZERO;
        if !self.left_is_fresh {
            self.left = None;
        }
    }

    /// Counts a move that took `took` until its answer, during which this program was served late
    /// by up to `late`.
    pub fn count(&mut self, took: Duration, late: Duration) {
        self.used += took;
        self.left = self.left.map(|left| left.saturating_sub(took));
        self.left_is_fresh = false;
        self.lateness = late.max(self.lateness * 7 / 8);
    }

    /// The time from a request until the search for its answer must stop, on a board with `stones`
    /// stones.
    ///
    /// A margin is kept for the way to the manager and for other programs that hold the processor;
    /// it grows with the lateness `late` seen since the request and with that of the last moves.
    #[must_use]
    pub fn budget(&self, stones: usize, late: Duration) -> Duration {
        // The two ends of the way to the manager may be served as late, and later than seen so far.
        let late = 3 * self.lateness.max(late);
        let margin = (Self::MARGIN + self.turn * 3 / 50).min(Duration::from_millis(500)) + late;
        let of_turn = self.turn.saturating_sub(margin.min(self.turn * 4 / 5));
        let left = match (self.left, self.game) {
            (Some(left), _) => Some(left),
            (None, Some(game)) => Some(game.saturating_sub(self.used)),
            (None, None) => None,
        };
        let of_game =
            left.map_or(Self::MOST, |left| left.saturating_sub(Self::MARGIN + late) / moves_to_go(stones));
        of_turn.min(of_game).max(Self::LEAST)
    }
}

/// Among how many moves the time left of a game is shared, with so many stones on the board. Half of
/// the games have ended after 36 stones and nine in ten after 60; the longer ones get along with less
/// and less, so that the moves that decide the others have more.
fn moves_to_go(stones: usize) -> u32 {
    24u32.saturating_sub(stones as u32 / 3).max(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(turn: u64) -> Clock {
        let mut clock = Clock::default();
        clock.set_turn(turn);
        clock
    }

    #[test]
    fn a_margin_is_kept_and_most_of_the_turn_used() {
        for turn in [50, 100, 200, 500, 1000, 5000, 30_000, 300_000] {
            let budget = clock(turn).budget(10, Duration::ZERO);
            assert!(budget + millis(20) <= millis(turn), "{turn}: {budget:?}");
            assert!(budget >= millis(turn / 5), "{turn}: {budget:?}");
        }
    }

    #[test]
    fn no_time_means_as_fast_as_possible() {
        assert_eq!(clock(0).budget(0, Duration::ZERO), Clock::LEAST);
        let mut clock = clock(1000);
        clock.set_left(-70);
        assert_eq!(clock.budget(0, Duration::ZERO), Clock::LEAST);
    }

    #[test]
    fn the_time_left_is_shared_among_the_moves_to_come() {
        let mut clock = clock(30_000);
        clock.set_game(60_000);
        assert!(clock.budget(0, Duration::ZERO) < millis(3000));
        for ply in 0..1000 {
            let budget = clock.budget(ply, Duration::ZERO);
            clock.count(budget, Duration::ZERO);
        }
        assert!(clock.used <= millis(60_000) + 1000 * Clock::LEAST);
        clock.set_left(UNLIMITED);
        assert!(clock.budget(0, Duration::ZERO) < millis(60_000), "the turn still counts");
    }

    #[test]
    fn what_was_told_before_a_game_counts_in_it() {
        let mut clock = clock(1000);
        clock.set_left(100);
        clock.restart();
        assert!(clock.budget(0, Duration::ZERO) < millis(100));
        clock.count(millis(5), Duration::ZERO);
        clock.restart();
        assert!(clock.budget(0, Duration::ZERO) > millis(500));
    }

    #[test]
    fn lateness_makes_it_careful_for_a_while() {
        let mut clock = clock(1000);
        let usual = clock.budget(0, Duration::ZERO);
        assert!(clock.budget(0, millis(100)) <= usual - millis(190), "in the move itself");
        clock.count(usual, millis(100));
        assert!(clock.budget(0, Duration::ZERO) <= usual - millis(190), "in the moves after it");
        for _ in 0..100 {
            clock.count(usual, Duration::ZERO);
        }
        assert!(clock.budget(0, Duration::ZERO) + millis(1) > usual);
    }

    #[test]
    fn absurd_times_are_bounded() {
        let mut clock = clock(u64::MAX);
        clock.set_game(u64::MAX);
        clock.set_left(i64::MIN);
        clock.set_left(UNLIMITED - 1);
        assert!(clock.budget(400, Duration::ZERO) <= Clock::MOST);
    }
}
