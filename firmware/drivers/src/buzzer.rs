// SPDX-License-Identifier: GPL-3.0-only
//! Patterns of the buzzer, which is on or off, stepped by a tick of 100 ms.

/// A pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A stone was placed.
    Stone,
    /// Five in a row.
    Five,
}

impl Pattern {
    /// On and off, the first tick in the lowest bit, and the number of ticks.
    const fn ticks(self) -> (u32, u8) {
        match self {
            Self::Stone => (0b1, 1),
            // Long, long, long, and a longer one.
            Self::Five => (0b1_1111_1001_1100_1110_0111, 21),
        }
    }
}

/// The buzzer over time.
#[derive(Debug, Default)]
pub struct Buzzer {
    ticks: u32,
    left: u8,
}

impl Buzzer {
    /// Silent.
    #[must_use]
    pub const fn new() -> Self {
        Self { ticks: 0, left: 0 }
    }

    /// Starts a pattern; a short beep does not cut a longer pattern off.
    pub fn play(&mut self, pattern: Pattern) {
        let (ticks, count) = pattern.ticks();
        if count >= self.left {
            (self.ticks, self.left) = (ticks, count);
        }
    }

    /// Falls silent.
    pub fn stop(&mut self) {
        self.left = 0;
    }

    /// Goes 100 ms on and tells whether the buzzer sounds.
    pub fn step(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        let on = self.ticks & 1 == 1;
        self.ticks >>= 1;
        self.left -= 1;
        on
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths of the beeps, in ticks.
    fn beeps(pattern: Pattern) -> [u8; 5] {
        let mut buzzer = Buzzer::new();
        buzzer.play(pattern);
        let (mut lengths, mut at, mut before) = ([0; 5], 0, false);
        for _ in 0..40 {
            let on = buzzer.step();
            if on {
                lengths[at] += 1;
            } else if before {
                at += 1;
            }
            before = on;
        }
        assert!(!before, "every pattern ends");
        lengths
    }

    #[test]
    fn a_stone_is_one_short_beep_and_five_is_a_rhythm_of_long_ones() {
        assert_eq!(beeps(Pattern::Stone), [1, 0, 0, 0, 0]);
        assert_eq!(beeps(Pattern::Five), [3, 3, 3, 6, 0]);
    }

    #[test]
    fn a_stone_does_not_cut_the_rhythm_off() {
        let mut buzzer = Buzzer::new();
        buzzer.play(Pattern::Five);
        buzzer.step();
        buzzer.play(Pattern::Stone);
        assert_eq!((0..40).filter(|_| buzzer.step()).count(), 14);
        buzzer.play(Pattern::Five);
        buzzer.stop();
        assert!(!buzzer.step());
    }
}
