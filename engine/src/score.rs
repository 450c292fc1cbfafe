// SPDX-License-Identifier: MIT OR Apache-2.0
//! How good a position is.

/// The value of a position for the side to move: positive is better, 0 is even.
///
/// Plain scores are on a logistic scale: the chance to win is about 1 / (1 + e^(−score / 250)).
/// Forced ends carry their distance: [`win_in`](Self::win_in), [`loss_in`](Self::loss_in).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(i16);

impl Score {
    /// An even position.
    pub const EVEN: Self = Self(0);
    /// The highest plain score.
    pub const MAX_PLAIN: i16 = 12_000;
    /// The value of a game that is won now.
    const WON: i16 = 16_000;

    /// A plain score, held within ±[`MAX_PLAIN`](Self::MAX_PLAIN).
    #[must_use]
    pub const fn plain(value: i32) -> Self {
        let most = Self::MAX_PLAIN as i32;
        Self(if value > most {
            most as i16
        } else if value < -most {
            -most as i16
        } else {
            value as i16
        })
    }

    /// The side to move wins; the last of `plies` plies makes the five.
    #[must_use]
    pub const fn win_in(plies: u16) -> Self {
        Self(Self::WON - plies as i16)
    }

    /// The side to move loses; the last of `plies` plies makes the enemy's five.
    #[must_use]
    pub const fn loss_in(plies: u16) -> Self {
        Self(plies as i16 - Self::WON)
    }

    /// The number itself, as compared by the search.
    #[must_use]
    pub const fn raw(self) -> i16 {
        self.0
    }

    /// The score with such a number.
    #[must_use]
    pub(crate) const fn from_raw(raw: i16) -> Self {
        Self(raw)
    }

    /// The plies to a forced win.
    #[must_use]
    pub const fn win_plies(self) -> Option<u16> {
        if self.0 > Self::MAX_PLAIN { Some((Self::WON - self.0) as u16) } else { None }
    }

    /// The plies to a forced loss.
    #[must_use]
    pub const fn loss_plies(self) -> Option<u16> {
        if self.0 < -Self::MAX_PLAIN { Some((Self::WON + self.0) as u16) } else { None }
    }

    /// The side to move's chance to win in thousandths, 0 and 1000 only for forced ends.
    #[must_use]
    pub fn chance(self) -> u16 {
        /// 1000 / (1 + e^(−x / 4)) for x = 0, 1, …, 32.
        const LOGISTIC: [u16; 33] = [
            500, 562, 622, 679, 731, 777, 818, 852, 881, 905, 924, 940, 953, 963, 971, 977, 982, 986, 989,
            991, 993, 995, 996, 997, 998, 998, 998, 999, 999, 999, 999, 999, 999,
        ];
        if self.win_plies().is_some() {
            return 1000;
        }
        if self.loss_plies().is_some() {
            return 0;
        }
        let quarter_scales = i32::from(self.0).unsigned_abs() * 4;
        let step = (quarter_scales / 250) as usize;
        let above = if step >= 32 {
            999
        } else {
            let (low, high) = (u32::from(LOGISTIC[step]), u32::from(LOGISTIC[step + 1]));
            low + (high - low) * (quarter_scales % 250) / 250
        } as u16;
        if self.0 >= 0 { above } else { 1000 - above }
    }
}

impl core::ops::Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl core::fmt::Display for Score {
    /// `+35`, `-120`, or `+M5`, `-M4` for a forced end with its distance in plies.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.win_plies(), self.loss_plies()) {
            (Some(plies), _) => write!(f, "+M{plies}"),
            (_, Some(plies)) => write!(f, "-M{plies}"),
            _ => write!(f, "{:+}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_faster_win_is_better_and_a_slower_loss_is() {
        let ordered = [
            Score::loss_in(2),
            Score::loss_in(20),
            Score::plain(i32::MIN),
            Score::EVEN,
            Score::plain(i32::MAX),
            Score::win_in(21),
            Score::win_in(1),
        ];
        assert!(ordered.is_sorted());
        assert_eq!(-Score::win_in(5), Score::loss_in(5));
        assert_eq!(Score::win_in(5).win_plies(), Some(5));
        assert_eq!(Score::loss_in(4).loss_plies(), Some(4));
        assert_eq!(Score::plain(i32::MAX).win_plies(), None);
    }

    #[test]
    fn chances_follow_the_logistic_curve() {
        for value in (-2000..=2000).step_by(7) {
            let exact = 1000.0 / (1.0 + (-f64::from(value) / 250.0).exp());
            let chance = f64::from(Score::plain(value).chance());
            assert!((chance - exact).abs() < 3.0, "{value}: {chance} for {exact}");
        }
        assert_eq!(Score::win_in(3).chance(), 1000);
        assert_eq!(Score::loss_in(2).chance(), 0);
    }

    #[test]
    fn scores_print_with_a_sign() {
        assert_eq!(Score::plain(35).to_string(), "+35");
        assert_eq!(Score::win_in(5).to_string(), "+M5");
        assert_eq!(Score::loss_in(4).to_string(), "-M4");
    }
}
