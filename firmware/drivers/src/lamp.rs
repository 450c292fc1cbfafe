// SPDX-License-Identifier: GPL-3.0-only
//! The two lamps: DS0 for black, DS1 for white, stepped by a tick of 100 ms.

/// What the lamps show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Show {
    /// No game runs.
    #[default]
    Dark,
    /// Black is to move: DS0 blinks at 1 Hz.
    Black,
    /// White is to move: DS1 blinks at 1 Hz.
    White,
    /// A fault: both blink together at 5 Hz.
    Fault,
}

/// Ticks of a full blink.
const PERIOD: u8 = 10;

/// The lamps over time.
#[derive(Debug, Default)]
pub struct Lamps {
    show: Show,
    tick: u8,
}

impl Lamps {
    /// Dark.
    #[must_use]
    pub const fn new() -> Self {
        Self { show: Show::Dark, tick: 0 }
    }

    /// Shows something else, from its lit half on.
    pub fn set(&mut self, show: Show) {
        if show != self.show {
            (self.show, self.tick) = (show, 0);
        }
    }

    /// Goes 100 ms on and tells which of DS0 and DS1 are lit.
    pub fn step(&mut self) -> [bool; 2] {
        let slow = self.tick < PERIOD / 2;
        let fast = self.tick.is_multiple_of(2);
        self.tick = (self.tick + 1) % PERIOD;
        match self.show {
            Show::Dark => [false, false],
            Show::Black => [slow, false],
            Show::White => [false, slow],
            Show::Fault => [fast, fast],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ticks of 10 s at which each lamp changes.
    fn changes(show: Show) -> [usize; 2] {
        let mut lamps = Lamps::new();
        let mut before = lamps.step();
        lamps.set(show);
        let mut changes = [0; 2];
        for _ in 0..100 {
            let now = lamps.step();
            for lamp in 0..2 {
                changes[lamp] += usize::from(now[lamp] != before[lamp]);
            }
            before = now;
        }
        changes
    }

    #[test]
    fn the_side_to_move_blinks_once_a_second_and_the_other_is_dark() {
        assert_eq!(changes(Show::Black), [20, 0]);
        assert_eq!(changes(Show::White), [0, 20]);
        assert_eq!(changes(Show::Dark), [0, 0]);
        assert_eq!(changes(Show::Fault), [100, 100]);
    }

    #[test]
    fn showing_the_same_again_does_not_disturb_the_rhythm() {
        let mut lamps = Lamps::new();
        lamps.set(Show::Black);
        let lit = (0..10)
            .filter(|_| {
                lamps.set(Show::Black);
                lamps.step()[0]
            })
            .count();
        assert_eq!(lit, 5);
    }
}
