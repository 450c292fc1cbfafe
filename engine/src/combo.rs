// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a stone makes of its four lines together.

use crate::pattern::Pattern;

/// The number of ways to choose four patterns whatever their order.
pub(crate) const COMBOS: usize = 2_380;

/// Four patterns, whatever their order, as a number below [`COMBOS`].
pub(crate) type Combo = u16;

/// The number of four patterns given as the nibbles of `codes`.
#[inline]
pub(crate) fn combo(codes: u16) -> Combo {
    let (one, other) = (PAIRS[usize::from(codes & 255)], PAIRS[usize::from(codes >> 8)]);
    let (high, low) = (usize::from(one.max(other)), usize::from(one.min(other)));
    PAIRS_OF_PAIRS[high * (high + 1) / 2 + low]
}

/// The number of pairs of patterns whatever their order.
const PAIR_COUNT: usize = Pattern::COUNT * (Pattern::COUNT + 1) / 2;

/// The number of the pair of patterns in two nibbles: a(a+1)/2 + b for a ≥ b.
pub(crate) static PAIRS: [u8; 256] = {
    let mut table = [0; 256];
    let mut codes = 0;
    while codes < table.len() {
        let (a, b) = sorted(codes as u16 & 15, codes as u16 >> 4);
        if (a as usize) < Pattern::COUNT {
            table[codes] = (a * (a + 1) / 2 + b) as u8;
        }
        codes += 1;
    }
    table
};

/// The number of the combination of two pairs, by their numbers likewise.
pub(crate) static PAIRS_OF_PAIRS: [Combo; PAIR_COUNT * (PAIR_COUNT + 1) / 2] = {
    let mut table = [0; PAIR_COUNT * (PAIR_COUNT + 1) / 2];
    let mut high = 0;
    while high < PAIR_COUNT {
        let mut low = 0;
        while low <= high {
            table[high * (high + 1) / 2 + low] = number(pair(high) | pair(low) << 8);
            low += 1;
        }
        high += 1;
    }
    table
};

/// Two nibbles with the pair of a number.
const fn pair(number: usize) -> u16 {
    let mut a = 0;
    while (a + 1) * (a + 2) / 2 <= number {
        a += 1;
    }
    (a | (number - a * (a + 1) / 2) << 4) as u16
}

/// The number of four patterns given as nibbles: sorted a ≥ b ≥ c ≥ d, they are number
/// C(a+3, 4) + C(b+2, 3) + C(c+1, 2) + d of the combinatorial number system.
const fn number(codes: u16) -> Combo {
    let (a, b) = sorted(codes & 15, codes >> 4 & 15);
    let (c, d) = sorted(codes >> 8 & 15, codes >> 12);
    let (a, c) = sorted(a, c);
    let (b, d) = sorted(b, d);
    let (b, c) = sorted(b, c);
    FOURS[a as usize & 15] + TRIPLES[b as usize & 15] + c * (c + 1) / 2 + d
}

const fn sorted(a: u16, b: u16) -> (u16, u16) {
    if a > b { (a, b) } else { (b, a) }
}

const FOURS: [u16; 16] = {
    let mut table = [0; 16];
    let mut n = 0u32;
    while n < 16 {
        table[n as usize] = (n * (n + 1) * (n + 2) * (n + 3) / 24) as u16;
        n += 1;
    }
    table
};

const TRIPLES: [u16; 16] = {
    let mut table = [0; 16];
    let mut n = 0u32;
    while n < 16 {
        table[n as usize] = (n * (n + 1) * (n + 2) / 6) as u16;
        n += 1;
    }
    table
};

/// What a stone threatens, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Threat {
    /// Nothing that has to be answered.
    Quiet,
    /// An open three.
    Three,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four and an open three.
    FourThree,
    /// Two fours.
    DoubleFour,
    /// A straight four.
    StraightFour,
    /// A winning row.
    Five,
}

impl Threat {
    /// The number of threats.
    pub(crate) const COUNT: usize = 8;
}

/// The threat of a combination and what a Renju player has to know about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u8);

impl Class {
    /// The point is forbidden.
    const BARRED: u8 = 8;
    /// The point is forbidden if two of its threes are real.
    const SUSPECT: u8 = 16;

    /// The threat; [`Threat::Quiet`] if the point is forbidden.
    pub(crate) const fn threat(self) -> Threat {
        match self.0 & 7 {
            1 => Threat::Three,
            2 => Threat::DoubleThree,
            3 => Threat::Four,
            4 => Threat::FourThree,
            5 => Threat::DoubleFour,
            6 => Threat::StraightFour,
            7 => Threat::Five,
            _ => Threat::Quiet,
        }
    }

    /// Whether the point is forbidden, as far as the patterns alone tell.
    pub(crate) const fn is_barred(self) -> bool {
        self.0 & Self::BARRED != 0
    }

    /// Whether the patterns alone do not tell if the point is forbidden.
    pub(crate) const fn is_suspect(self) -> bool {
        self.0 & Self::SUSPECT != 0
    }

    const fn new(patterns: [u8; 4], renju_black: bool) -> Self {
        let (mut threes, mut fours, mut straight, mut five, mut overline) = (0, 0, false, false, false);
        let mut line = 0;
        while line < 4 {
            let pattern = patterns[line];
            threes += is(pattern, Pattern::NarrowThree) as u8 + is(pattern, Pattern::OpenThree) as u8;
            fours += is(pattern, Pattern::Four) as u8
                + is(pattern, Pattern::StraightFour) as u8
                + 2 * is(pattern, Pattern::DoubleFour) as u8;
            straight |= is(pattern, Pattern::StraightFour);
            five |= is(pattern, Pattern::Five);
            overline |= is(pattern, Pattern::Overline);
            line += 1;
        }
        let threat = if five {
            Threat::Five
        } else if renju_black && (overline || fours >= 2) {
            return Self(Self::BARRED);
        } else if straight {
            Threat::StraightFour
        } else if fours >= 2 {
            Threat::DoubleFour
        } else if fours == 1 && threes > 0 {
            Threat::FourThree
        } else if fours == 1 {
            Threat::Four
        } else if threes >= 2 {
            Threat::DoubleThree
        } else if threes == 1 {
            Threat::Three
        } else {
            Threat::Quiet
        };
        let suspect = renju_black && !five && threes >= 2;
        Self(threat as u8 | if suspect { Self::SUSPECT } else { 0 })
    }
}

const fn is(number: u8, pattern: Pattern) -> bool {
    number == pattern as u8
}

/// The classes of all combinations.
pub(crate) type Classes = [Class; COMBOS];

/// Where nothing is forbidden.
pub(crate) static FREE: Classes = classes(false);
/// For black under Renju.
pub(crate) static RENJU_BLACK: Classes = classes(true);

const fn classes(renju_black: bool) -> Classes {
    let mut table = [Class(0); COMBOS];
    let mut number = 0;
    let mut a = 0;
    while a < Pattern::COUNT as u8 {
        let mut b = 0;
        while b <= a {
            let mut c = 0;
            while c <= b {
                let mut d = 0;
                while d <= c {
                    table[number] = Class::new([a, b, c, d], renju_black);
                    number += 1;
                    d += 1;
                }
                c += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combination_has_one_number_in_every_order() {
        let mut seen = [false; COMBOS];
        let count = Pattern::COUNT as u16;
        let mut next = 0;
        for a in 0..count {
            for b in 0..=a {
                for c in 0..=b {
                    for d in 0..=c {
                        let number = combo(a | b << 4 | c << 8 | d << 12);
                        assert_eq!(number, next, "the tables are filled in this order");
                        next += 1;
                        seen[usize::from(number)] = true;
                        for [w, x, y, z] in
                            [[d, c, b, a], [b, a, d, c], [c, d, a, b], [a, c, b, d], [d, a, c, b]]
                        {
                            assert_eq!(combo(w | x << 4 | y << 8 | z << 12), number);
                        }
                    }
                }
            }
        }
        assert!(seen.iter().all(|&s| s));
    }

    #[test]
    fn classes_tell_threats_and_forbidden_points() {
        use Pattern::{Dead, DoubleFour, Five, Four, NarrowThree, OpenThree, Overline, StraightFour};
        let class = |table: &Classes, p: [Pattern; 4]| {
            let codes = p.iter().rev().fold(0, |codes, &p| codes << 4 | p as u16);
            table[usize::from(combo(codes))]
        };
        for (patterns, free, renju) in [
            ([Five, Overline, Four, Four], Threat::Five, (Threat::Five, false, false)),
            ([StraightFour, Dead, Dead, Dead], Threat::StraightFour, (Threat::StraightFour, false, false)),
            ([StraightFour, Four, Dead, Dead], Threat::StraightFour, (Threat::Quiet, true, false)),
            ([Dead, DoubleFour, Dead, Dead], Threat::DoubleFour, (Threat::Quiet, true, false)),
            ([Four, Dead, NarrowThree, Dead], Threat::FourThree, (Threat::FourThree, false, false)),
            ([Four, OpenThree, NarrowThree, Dead], Threat::FourThree, (Threat::FourThree, false, true)),
            ([Dead, OpenThree, NarrowThree, Dead], Threat::DoubleThree, (Threat::DoubleThree, false, true)),
            ([Dead, OpenThree, Overline, Dead], Threat::Three, (Threat::Quiet, true, false)),
            ([Dead, Dead, Four, Dead], Threat::Four, (Threat::Four, false, false)),
        ] {
            assert_eq!(class(&FREE, patterns).threat(), free, "{patterns:?}");
            let black = class(&RENJU_BLACK, patterns);
            assert_eq!((black.threat(), black.is_barred(), black.is_suspect()), renju, "{patterns:?}");
        }
    }
}
