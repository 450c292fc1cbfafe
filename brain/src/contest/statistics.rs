// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the results of a match say about the difference in strength.
//!
//! Each opening is played twice with the colours exchanged. The two games are not independent, so
//! the pair is the unit of all error estimates.

use std::fmt;

/// Half points that the first player can make in a pair: 0 to 4.
const CLASSES: usize = 5;

/// The results so far, from the first player's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games won, drawn and lost.
    pub games: [u32; 3],
    /// Pairs by the half points made.
    pub pairs: [u32; CLASSES],
}

/// A game's result from the first player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// The first player won.
    Win,
    /// Nobody won.
    Draw,
    /// The second player won.
    Loss,
}

/// A difference in Elo with its 95 % interval; infinite where one side made every point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Tally {
    /// Adds the two games of an opening.
    pub fn add(&mut self, pair: [Score; 2]) {
        let mut half_points = 0;
        for score in pair {
            self.games[score as usize] += 1;
            half_points += 2 - score as usize;
        }
        self.pairs[half_points] += 1;
    }

    /// The number of games.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.games.iter().sum()
    }

    /// The first player's share of the points, 0 to 1; `NaN` without games.
    #[must_use]
    pub fn share(&self) -> f64 {
        let [wins, draws, _] = self.games.map(f64::from);
        (wins + draws / 2.0) / f64::from(self.count())
    }

    /// Mean and variance of the share per pair, and the number of pairs, after adding `prior` pairs,
    /// half of them lost twice and half won twice, which keeps the variance of a one-sided match from
    /// vanishing.
    fn moments(&self, prior: f64) -> (f64, f64, f64) {
        let mut weights = self.pairs.map(f64::from);
        weights[0] += prior / 2.0;
        weights[CLASSES - 1] += prior / 2.0;
        let total: f64 = weights.iter().sum();
        let share = |class: usize| class as f64 / (CLASSES - 1) as f64;
        let over = |f: &dyn Fn(f64) -> f64| {
            weights.iter().enumerate().map(|(class, weight)| weight * f(share(class))).sum::<f64>() / total
        };
        let mean = over(&|x| x);
        (mean, over(&|x| (x - mean).powi(2)), total)
    }

    /// The 95 % interval of the share.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let (mean, variance, pairs) = self.moments(1.0);
        let error = 1.96 * (variance / pairs).sqrt();
        ((mean - error).max(0.0), (mean + error).min(1.0))
    }

    /// The difference in Elo.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let (low, high) = self.interval();
        Elo { value: elo(self.share()), low: elo(low), high: elo(high) }
    }
}

/// The Elo difference that makes this share of the points: −400·log₁₀(1/share − 1).
fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

/// The share of the points that an Elo difference makes.
fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero makes the negative zero a positive one.
        let [value, low, high] = [self.value, self.low, self.high].map(|elo| elo.round() + 0.0);
        write!(f, "{value:+.0} [{low:+.0}, {high:+.0}]")
    }
}

/// A sequential probability ratio test of two hypotheses about the Elo difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference if the change is worth nothing.
    pub elo0: f64,
    /// The difference if it is worth something.
    pub elo1: f64,
    /// The chance to accept a change that is worth nothing.
    pub alpha: f64,
    /// The chance to miss one that is worth something.
    pub beta: f64,
}

/// What a test has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// `elo0` is the better hypothesis.
    Elo0,
    /// `elo1` is the better hypothesis.
    Elo1,
}

impl Sprt {
    /// The log likelihood ratio of the hypotheses, by the normal approximation of the generalised
    /// test on pairs: n·(s₁ − s₀)·(2·mean − s₀ − s₁) / (2·variance).
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> f64 {
        if tally.pairs.iter().sum::<u32>() == 0 {
            return 0.0;
        }
        let (mean, variance, _) = tally.moments(0.5);
        let pairs: u32 = tally.pairs.iter().sum();
        let (s0, s1) = (share(self.elo0), share(self.elo1));
        f64::from(pairs) * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
    }

    /// The ratios at which `elo0` and `elo1` are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Whether the games suffice, and for which hypothesis.
    #[must_use]
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let llr = self.llr(tally);
        let (low, high) = self.bounds();
        if llr <= low {
            Verdict::Elo0
        } else if llr >= high {
            Verdict::Elo1
        } else {
            Verdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Score::{Draw, Loss, Win};

    fn tally(pairs: &[([Score; 2], u32)]) -> Tally {
        let mut tally = Tally::default();
        for &(pair, count) in pairs {
            (0..count).for_each(|_| tally.add(pair));
        }
        tally
    }

    #[test]
    fn games_and_pairs_are_counted() {
        let tally = tally(&[([Win, Loss], 2), ([Win, Win], 1), ([Draw, Loss], 1)]);
        assert_eq!(tally.games, [4, 1, 3]);
        assert_eq!(tally.pairs, [0, 1, 2, 0, 1]);
        assert_eq!(tally.share(), 4.5 / 8.0);
    }

    #[test]
    fn elo_and_share_are_inverse() {
        for value in [-400.0, -35.0, 0.0, 10.0, 191.0, 800.0] {
            assert!((elo(share(value)) - value).abs() < 1e-9);
        }
        // A share of 10/11 is ten points to one, which is 400 by definition.
        assert!((elo(10.0 / 11.0) - 400.0).abs() < 1e-9);
    }

    #[test]
    fn the_interval_holds_the_estimate_and_narrows() {
        let few = tally(&[([Win, Loss], 10), ([Win, Win], 8), ([Loss, Loss], 2)]);
        let many = tally(&[([Win, Loss], 1000), ([Win, Win], 800), ([Loss, Loss], 200)]);
        for tally in [few, many] {
            let Elo { value, low, high } = tally.elo();
            assert!(low < value && value < high);
        }
        assert!(many.elo().high - many.elo().low < (few.elo().high - few.elo().low) / 5.0);
    }

    #[test]
    fn pairs_that_split_tell_more_than_games_alone() {
        let split = tally(&[([Win, Loss], 50)]);
        let swept = tally(&[([Win, Win], 25), ([Loss, Loss], 25)]);
        assert_eq!(split.games, swept.games);
        let width = |tally: &Tally| tally.elo().high - tally.elo().low;
        assert!(width(&split) < width(&swept) / 3.0);
    }

    #[test]
    fn a_clean_sweep_has_a_finite_lower_end() {
        let tally = tally(&[([Win, Win], 50)]);
        let Elo { value, low, high } = tally.elo();
        assert!(value.is_infinite() && high.is_infinite());
        // Wilson's interval for 100 of 100 begins at 0.963, which is 566.
        assert!((500.0..700.0).contains(&low), "{low}");
    }

    #[test]
    fn the_test_accepts_what_the_games_show() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        let (low, high) = sprt.bounds();
        assert!((high - 2.944).abs() < 0.001 && (low + 2.944).abs() < 0.001, "ln 19");
        assert_eq!(sprt.verdict(&Tally::default()), Verdict::Open);
        assert_eq!(sprt.verdict(&tally(&[([Win, Win], 1)])), Verdict::Open);
        let better = [([Win, Loss], 100), ([Win, Win], 60), ([Loss, Loss], 20)];
        assert_eq!(sprt.verdict(&tally(&better)), Verdict::Elo1);
        let equal = [([Win, Loss], 600), ([Win, Win], 200), ([Loss, Loss], 220)];
        assert_eq!(sprt.verdict(&tally(&equal)), Verdict::Elo0);
    }

    #[test]
    fn at_the_middle_of_the_hypotheses_the_test_stays_open() {
        let sprt = Sprt { elo0: -10.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let even = tally(&[([Win, Win], 300), ([Loss, Loss], 300)]);
        assert!(sprt.llr(&even).abs() < 1e-9);
    }
}
