// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a stone makes of one line, looked up by the stones around its point.
//!
//! What one colour can do with a line around a point is told by its two arms: the neighbours each
//! way up to the first enemy stone or the edge, at most four of them where five or more win, at most
//! five where only exactly five win. An arm of `n` neighbours with the stones `bits` (bit 0 is the
//! nearest) has the number 2ⁿ − 1 + `bits`, so there are 63 arms and 63 × 63 lines: a table that
//! stays in the first cache of a desktop and in the fast memory of a microcontroller.
//!
//! A position keeps the stones of a line as bits; a table tells the arms of both colours that five
//! neighbours make.

use crate::{Board, Color, Point, Rule};

/// What a stone of one colour on a point makes of one line through that point.
///
/// Defined by what further own stones on the line could make of it: a four needs one stone to
/// five, an open three one stone to a straight four, and so on down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pattern {
    /// Can never become five.
    Dead,
    /// Six or more in a row where exactly five are needed.
    Overline,
    /// Three more stones make a closed four.
    ClosedOne,
    /// Two more stones make an open three.
    OpenOne,
    /// One more stone makes a closed three.
    ClosedTwo,
    /// One more stone makes an open three, in two or three places: two stones are missing to a
    /// straight four, and either may come first.
    OpenTwo,
    /// One more stone makes an open three, in four or more places.
    WideTwo,
    /// One more stone makes a four, none a straight four.
    ClosedThree,
    /// One more stone makes a straight four, in one place.
    NarrowThree,
    /// One more stone makes a straight four, in more than one place.
    OpenThree,
    /// One more stone makes five, in one place.
    Four,
    /// Two fours in one line: two places for a fifth stone, not the two ends of one row.
    DoubleFour,
    /// Four in a row that become five at either end.
    StraightFour,
    /// Five.
    Five,
}

impl Pattern {
    /// The number of patterns.
    pub const COUNT: usize = 14;

    /// Whether one more stone makes a straight four.
    #[must_use]
    pub const fn is_three(self) -> bool {
        matches!(self, Self::NarrowThree | Self::OpenThree)
    }
}

/// The number of arms, one more to make the rows of the tables a power of two.
const ARMS: usize = 64;
/// The number of lines: an index is made of two arms by [`line`].
const LINES: usize = ARMS * ARMS;
/// The longest arm, where only exactly five win.
pub(crate) const REACH: usize = 5;

/// The index of a line in a table.
const fn line(left: usize, right: usize) -> usize {
    left * ARMS + right
}

/// The patterns of the lines of one way to win.
pub(crate) type Lines = [Pattern; LINES];

/// Where five or more win.
static FIVE_OR_MORE: Lines = patterns(4, false);
/// Where exactly five win.
static EXACTLY_FIVE: Lines = patterns(5, true);

/// The patterns of a colour that wins only by exactly five, or by five and more.
pub(crate) const fn lines(exact: bool) -> &'static Lines {
    if exact { &EXACTLY_FIVE } else { &FIVE_OR_MORE }
}

/// The neighbours of a point on one side: the stones of black in the lower bits, those of white in
/// the upper; both have one where the board has ended.
const NEIGHBOURS: usize = 1 << (2 * REACH);

/// The arms of black (lower byte) and of white (upper byte) that neighbours make.
#[derive(Debug)]
pub(crate) struct Arms {
    /// Of neighbours whose nearest is their last bit.
    before: [u16; NEIGHBOURS],
    /// Of neighbours whose nearest is their first bit.
    after: [u16; NEIGHBOURS],
}

static FREE_ARMS: Arms = Arms::new([4, 4]);
static EXACT_ARMS: Arms = Arms::new([5, 5]);
static RENJU_ARMS: Arms = Arms::new([5, 4]);

impl Arms {
    /// The arms under a rule.
    pub(crate) const fn of(rule: Rule) -> &'static Self {
        match rule {
            Rule::Freestyle => &FREE_ARMS,
            Rule::Standard => &EXACT_ARMS,
            Rule::Renju => &RENJU_ARMS,
        }
    }

    const fn new(reach: [usize; 2]) -> Self {
        let mut arms = Self { before: [0; NEIGHBOURS], after: [0; NEIGHBOURS] };
        let mut neighbours = 0;
        while neighbours < NEIGHBOURS {
            let (black, white) = (neighbours & SIDE, neighbours >> REACH);
            arms.after[neighbours] = arm(black, white, reach[0]) | arm(white, black, reach[1]) << 8;
            let (black, white) = (reversed(black), reversed(white));
            arms.before[neighbours] = arm(black, white, reach[0]) | arm(white, black, reach[1]) << 8;
            neighbours += 1;
        }
        arms
    }

    /// What a stone of each colour on an empty point makes of a line of black and white stones given
    /// as bits. The point is number `bit`, at least [`REACH`].
    #[inline]
    pub(crate) fn patterns(&self, patterns: [&Lines; 2], [black, white]: [u32; 2], bit: u32) -> [Pattern; 2] {
        let neighbours =
            |from: u32| (black >> from) as usize & SIDE | ((white >> from) as usize & SIDE) << REACH;
        let before = usize::from(self.before[neighbours(bit - REACH as u32)]);
        let after = usize::from(self.after[neighbours(bit + 1)]);
        [
            patterns[0][line(before & (ARMS - 1), after & (ARMS - 1))],
            patterns[1][line(before >> 8 & (ARMS - 1), after >> 8 & (ARMS - 1))],
        ]
    }
}

/// The bits of one colour's neighbours.
const SIDE: usize = (1 << REACH) - 1;

/// The arm of a colour with the stones `own`, the nearest first.
const fn arm(own: usize, enemy: usize, reach: usize) -> u16 {
    let free = enemy.trailing_zeros() as usize;
    let length = if free < reach { free } else { reach };
    ((1 << length) - 1 + (own & ((1 << length) - 1))) as u16
}

const fn reversed(side: usize) -> usize {
    side.reverse_bits() >> (usize::BITS as usize - REACH)
}

/// Fills the table from the fullest line to the emptiest, so that what a further stone makes is
/// already known: a further stone makes an arm's number greater.
const fn patterns(reach: usize, exact: bool) -> Lines {
    let arms = (2 << reach) - 1;
    let mut table = [Pattern::Dead; LINES];
    let mut left = arms;
    while left > 0 {
        left -= 1;
        let mut right = arms;
        while right > 0 {
            right -= 1;
            table[line(left, right)] = classify(&table, left, right, exact);
        }
    }
    table
}

/// The length and the stones of an arm.
const fn arm_parts(arm: usize) -> (usize, usize) {
    let length = (arm + 1).ilog2() as usize;
    (length, arm + 1 - (1 << length))
}

const fn classify(table: &Lines, left: usize, right: usize, exact: bool) -> Pattern {
    let (left_length, left_bits) = arm_parts(left);
    let (right_length, right_bits) = arm_parts(right);
    let left_run = left_bits.trailing_ones() as usize;
    let right_run = right_bits.trailing_ones() as usize;
    let run = left_run + right_run + 1;
    if run == 5 || (run > 5 && !exact) {
        return Pattern::Five;
    }
    if run > 5 {
        return Pattern::Overline;
    }
    let mut count = [0u8; Pattern::COUNT];
    let mut fives_at_ends = 0;
    let mut step = 0;
    while step < left_length {
        if left_bits >> step & 1 == 0 {
            let next = table[line(left + (1 << step), right)];
            count[next as usize] += 1;
            fives_at_ends += (matches!(next, Pattern::Five) && step == left_run) as u8;
        }
        step += 1;
    }
    step = 0;
    while step < right_length {
        if right_bits >> step & 1 == 0 {
            let next = table[line(left, right + (1 << step))];
            count[next as usize] += 1;
            fives_at_ends += (matches!(next, Pattern::Five) && step == right_run) as u8;
        }
        step += 1;
    }
    let fives = count[Pattern::Five as usize];
    let straight = count[Pattern::StraightFour as usize];
    let fours = count[Pattern::Four as usize] + count[Pattern::DoubleFour as usize];
    let threes = count[Pattern::NarrowThree as usize] + count[Pattern::OpenThree as usize];
    let twos = count[Pattern::OpenTwo as usize] + count[Pattern::WideTwo as usize];
    if fives >= 2 {
        if run == 4 && fives_at_ends == 2 { Pattern::StraightFour } else { Pattern::DoubleFour }
    } else if fives == 1 {
        Pattern::Four
    } else if straight >= 2 {
        Pattern::OpenThree
    } else if straight == 1 {
        Pattern::NarrowThree
    } else if fours > 0 {
        Pattern::ClosedThree
    } else if threes >= 4 {
        Pattern::WideTwo
    } else if threes > 0 {
        Pattern::OpenTwo
    } else if count[Pattern::ClosedThree as usize] > 0 {
        Pattern::ClosedTwo
    } else if twos > 0 {
        Pattern::OpenOne
    } else if count[Pattern::ClosedTwo as usize] > 0 {
        Pattern::ClosedOne
    } else {
        Pattern::Dead
    }
}

/// What a stone of `color` on `point` makes of the line in direction `(dx, dy)`; `exact` where
/// only exactly five win.
#[must_use]
pub fn pattern(board: &Board, point: Point, color: Color, (dx, dy): (i32, i32), exact: bool) -> Pattern {
    let reach = if exact { 5 } else { 4 };
    let arm = |sign: i32| {
        let mut arm = 0;
        for step in 0..reach {
            let Some(next) = point.offset(dx * sign * (step + 1), dy * sign * (step + 1), board.size())
            else {
                break;
            };
            match board.get(next) {
                None => arm += 1 << step,
                Some(stone) if stone == color => arm += 2 << step,
                Some(_) => break,
            }
        }
        arm
    };
    lines(exact)[line(arm(-1), arm(1))]
}
