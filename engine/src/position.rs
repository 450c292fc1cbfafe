// SPDX-License-Identifier: MIT OR Apache-2.0
//! A board with everything a search asks of it, kept up to date stone by stone.

use alloc::vec;
use alloc::vec::Vec;

use crate::combo::{self, Class, Classes, Combo, Threat, combo};
use crate::pattern::{Arms, Lines, Pattern, REACH, lines};
use crate::weights::{self, Weights};
use crate::{Board, Color, Forbidden, Game, Point, Rule, Score, Size, forbidden};

/// A point by its number: row by row from the top left.
pub(crate) type Square = u16;

/// What is known of one empty point. An occupied point keeps what it had when it was occupied.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    /// Per colour the patterns of the four directions, a nibble each.
    codes: [u16; 2],
    /// Per colour the same patterns whatever their order.
    combos: [Combo; 2],
}

/// A set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Squares([u64; Size::MAX.points().div_ceil(64)]);

impl Squares {
    fn toggle(&mut self, square: usize) {
        self.0[square / 64] ^= 1 << (square % 64);
    }

    fn insert(&mut self, square: usize) {
        self.0[square / 64] |= 1 << (square % 64);
    }

    fn add(&mut self, other: Self) {
        for (bits, others) in self.0.iter_mut().zip(other.0) {
            *bits |= others;
        }
    }

    /// Whether a point is one of them.
    pub(crate) const fn contains(&self, square: Square) -> bool {
        self.0[square as usize / 64] >> (square % 64) & 1 != 0
    }

    /// The points in order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Square> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            core::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < 64).then(|| (word * 64) as Square + bit as Square)
            })
        })
    }

    /// The first point.
    pub(crate) fn first(&self) -> Option<Square> {
        let word = self.0.iter().position(|&bits| bits != 0)?;
        Some((word * 64) as Square + self.0[word].trailing_zeros() as Square)
    }
}

/// The numbers of the ones of a word, the lowest first.
fn ones(mut word: u32) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

/// An empty point as it was before a stone changed its patterns.
#[derive(Clone, Copy, Debug)]
struct Change {
    square: Square,
    codes: [u16; 2],
    combos: [Combo; 2],
}

/// A stone with what its removal restores.
#[derive(Clone, Copy, Debug)]
struct Placed {
    square: Square,
    color: Color,
    /// The number of changes before it.
    changes: u32,
    sums: [[i32; 2]; 2],
    near: [u32; NEAR_ROWS],
}

/// A board with patterns, threats, evaluation and hash.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    board: Board,
    lines: usize,
    reach: u32,
    arms: &'static Arms,
    patterns: [&'static Lines; 2],
    classes: [&'static Classes; 2],
    weights: [&'static Weights; 2],
    /// The points by their numbers.
    names: Vec<Point>,
    cells: Vec<Cell>,
    /// 0 empty, 1 black, 2 white.
    stones: Vec<u8>,
    /// The stones of black and of white on every line, by [`row`](Self::row): point n of the line is
    /// bit n + [`REACH`]. Beyond its ends the bits of both colours are set.
    rows: Vec<[u32; 2]>,
    /// Per horizontal line the points with a stone within three steps on a line, as bits likewise.
    near: Vec<u32>,
    /// The empty points by colour and threat.
    threats: [[Squares; Threat::COUNT]; 2],
    counts: [[u16; Threat::COUNT]; 2],
    /// Per colour the values of its points if it is to move and if it is not.
    sums: [[i32; 2]; 2],
    hash: u64,
    placed: Vec<Placed>,
    changes: Vec<Change>,
}

/// How far from a stone a move is thought of, in steps on a line.
const NEAR: usize = 3;
/// The horizontal lines with points that near a stone.
const NEAR_ROWS: usize = 2 * NEAR + 1;
/// The points near a stone on the horizontal lines so far above or below it; its own column is bit
/// [`NEAR`].
const NEAR_MASKS: [u32; NEAR + 1] = [0b111_1111, 0b001_1100, 0b010_1010, 0b100_1001];

impl Position {
    /// An empty board.
    pub(crate) fn new(size: Size, rule: Rule) -> Self {
        let classes = |color: Color| match (rule, color) {
            (Rule::Renju, Color::Black) => &combo::RENJU_BLACK,
            _ => &combo::FREE,
        };
        let count = usize::from(size.lines());
        let of = |color| lines(rule.is_exact(color));
        let mut position = Self {
            board: Board::new(size),
            lines: count,
            reach: if rule == Rule::Freestyle { 4 } else { REACH as u32 },
            arms: Arms::of(rule),
            patterns: [of(Color::Black), of(Color::White)],
            classes: [classes(Color::Black), classes(Color::White)],
            weights: [weights::of(rule, Color::Black), weights::of(rule, Color::White)],
            names: size.iter().collect(),
            cells: vec![Cell { codes: [0; 2], combos: [0; 2] }; size.points()],
            stones: vec![0; size.points()],
            rows: vec![[u32::MAX; 2]; 4 * (2 * count - 1)],
            near: vec![0; count],
            threats: [[Squares::default(); Threat::COUNT]; 2],
            counts: [[0; Threat::COUNT]; 2],
            sums: [[0; 2]; 2],
            hash: splitmix((count * 4 + rule as usize) as u64),
            placed: Vec::new(),
            // Enough for a microcontroller's search, so that it need not grow.
            changes: Vec::with_capacity(800),
        };
        for direction in 0..4 {
            for point in size.iter() {
                let (row, bit) = position.row(point, direction);
                position.rows[row] = position.rows[row].map(|bits| bits & !(1 << bit));
            }
        }
        for square in 0..size.points() {
            position.fill(square);
        }
        position
    }

    /// The position of a game; its stones cannot be taken back.
    pub(crate) fn of_game(game: &Game) -> Self {
        let mut position = Self::new(game.size(), game.rule());
        for (ply, &point) in game.moves().iter().enumerate() {
            position.place(position.square(point), Color::to_move_after(ply));
            position.settle();
        }
        position
    }

    /// The position of a board, the stones placed in the order of the points; they cannot be taken back.
    pub(crate) fn of_board(board: &Board, rule: Rule) -> Self {
        let mut position = Self::new(board.size(), rule);
        for point in board.size().iter() {
            if let Some(color) = board.get(point) {
                position.place(position.square(point), color);
                position.settle();
            }
        }
        position
    }

    /// Makes the stones so far stay: of how they came only the last two are kept, which
    /// [`last`](Self::last) tells.
    fn settle(&mut self) {
        self.changes.clear();
        if self.placed.len() > 2 {
            self.placed.remove(0);
        }
    }

    /// The number of stones.
    pub(crate) const fn stones(&self) -> usize {
        self.board.stones()
    }

    pub(crate) const fn is_full(&self) -> bool {
        self.board.is_full()
    }

    /// The stones and the side that placed them, as a number.
    pub(crate) const fn hash(&self) -> u64 {
        self.hash
    }

    /// The number of points.
    pub(crate) fn points(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn square(&self, point: Point) -> Square {
        Square::from(point.y) * self.lines as Square + Square::from(point.x)
    }

    pub(crate) fn point(&self, square: Square) -> Point {
        self.names[usize::from(square)]
    }

    pub(crate) fn is_empty_at(&self, square: Square) -> bool {
        self.stones[usize::from(square)] == 0
    }

    /// The last stone (`back` 0) or the one before it.
    pub(crate) fn last(&self, back: usize) -> Option<Square> {
        self.placed.iter().rev().nth(back).map(|placed| placed.square)
    }

    /// The empty points with a stone within three steps on a line, in order.
    pub(crate) fn near(&self) -> impl Iterator<Item = Square> + '_ {
        self.near.iter().enumerate().flat_map(|(y, &near)| {
            let [black, white] = self.rows[y];
            let first = (y * self.lines) as u32;
            ones(near & !(black | white)).map(move |bit| (first + bit - REACH as u32) as Square)
        })
    }

    /// What a stone of `color` on an empty point makes of its lines.
    pub(crate) fn combo(&self, square: Square, color: Color) -> Combo {
        self.cells[usize::from(square)].combos[color.index()]
    }

    pub(crate) fn class(&self, square: Square, color: Color) -> Class {
        self.classes[color.index()][usize::from(self.combo(square, color))]
    }

    /// What a stone of `color` on an empty point makes of the line in one of the four directions.
    pub(crate) fn pattern(&self, square: Square, color: Color, direction: usize) -> u8 {
        (self.cells[usize::from(square)].codes[color.index()] >> (4 * direction) & 15) as u8
    }

    /// The number of empty points where a stone of `color` makes a threat.
    pub(crate) fn count(&self, color: Color, threat: Threat) -> u16 {
        self.counts[color.index()][threat as usize]
    }

    /// The empty points where a stone of `color` makes a threat.
    pub(crate) fn squares(&self, color: Color, threat: Threat) -> Squares {
        self.threats[color.index()][threat as usize]
    }

    pub(crate) fn weights(&self, color: Color) -> &'static Weights {
        self.weights[color.index()]
    }

    /// Whether `color` may play on an empty point.
    pub(crate) fn is_legal(&self, square: Square, color: Color) -> bool {
        let class = self.class(square, color);
        !(class.is_barred() || class.is_suspect() && self.forbidden(square).is_some())
    }

    fn forbidden(&self, square: Square) -> Option<Forbidden> {
        forbidden(&self.board, self.point(square))
    }

    /// The value for `mover`, who is to move.
    pub(crate) fn evaluate(&self, mover: Color) -> i32 {
        let own = self.sums[mover.index()][0];
        let enemy = self.sums[mover.opposite().index()][1];
        let threats = self.weights(mover).threats(self.threat_set(mover));
        Score::plain((own - enemy + threats) / weights::UNIT).raw().into()
    }

    /// Which threats `mover` and the enemy could make, as a number below
    /// [`THREAT_SETS`](weights::THREAT_SETS).
    pub(crate) fn threat_set(&self, mover: Color) -> usize {
        /// Without a five or a straight four of the mover, which end a search before an evaluation.
        const THREATS: [Threat; weights::THREAT_BITS] =
            [Threat::Three, Threat::DoubleThree, Threat::Four, Threat::FourThree, Threat::StraightFour];
        let side = |color| {
            let bit = |set, &threat| set << 1 | usize::from(self.count(color, threat) > 0);
            THREATS.iter().fold(0, bit)
        };
        side(mover) << weights::THREAT_BITS | side(mover.opposite())
    }

    /// The class of the distance from a point to an earlier move.
    pub(crate) fn distance(&self, square: Square, earlier: Option<Square>) -> usize {
        const FAR: usize = weights::DISTANCES - 1;
        let Some(earlier) = earlier else {
            return FAR;
        };
        let (one, other) = (self.point(square), self.point(earlier));
        let (dx, dy) = (usize::from(one.x.abs_diff(other.x)), usize::from(one.y.abs_diff(other.y)));
        let (most, least) = (dx.max(dy), dx.min(dy));
        if most > 5 { FAR } else { most * (most + 1) / 2 + least }
    }

    /// The empty points where `me` may stop a straight or double four of `enemy`, or makes a four
    /// instead.
    pub(crate) fn defences(&self, me: Color, enemy: Color) -> Squares {
        let mut defences = Squares::default();
        for threat in [Threat::Four, Threat::FourThree] {
            defences.add(self.squares(me, threat));
        }
        for threat in [Threat::StraightFour, Threat::DoubleFour] {
            for square in self.squares(enemy, threat).iter() {
                let at = usize::from(square);
                defences.insert(at);
                for (direction, (ahead, behind, step)) in self.rays(at).into_iter().enumerate() {
                    if self.pattern(square, enemy, direction) < Pattern::Four as u8 {
                        continue;
                    }
                    let ways = [(1..=ahead, true), (1..=behind, false)];
                    for (distances, forward) in ways {
                        for distance in distances {
                            let next = if forward { at + distance * step } else { at - distance * step };
                            match self.stones[next] {
                                0 => defences.insert(next),
                                stone if stone == me as u8 + 1 => break,
                                _ => {}
                            }
                        }
                    }
                }
            }
        }
        defences
    }

    /// Squares from a point to the edge and the step, for both ways of a direction.
    fn rays(&self, square: usize) -> [(usize, usize, usize); 4] {
        let (x, y, last) = (square % self.lines, square / self.lines, self.lines - 1);
        let reach = |steps: usize| steps.min(self.reach as usize);
        [
            (reach(last - x), reach(x), 1),
            (reach(last - y), reach(y), self.lines),
            (reach((last - x).min(last - y)), reach(x.min(y)), self.lines + 1),
            // Up to the right: the step is negative, so the two ways change places.
            (reach(x.min(last - y)), reach((last - x).min(y)), self.lines - 1),
        ]
    }

    /// The line through a point in a direction, as an index of `rows`, and the point's bit there.
    fn row(&self, point: Point, direction: usize) -> (usize, u32) {
        let (x, y) = (usize::from(point.x), usize::from(point.y));
        let (row, number) = match direction {
            0 => (y, x),
            1 => (x, y),
            2 => (x + self.lines - 1 - y, x),
            _ => (x + y, x),
        };
        (direction * (2 * self.lines - 1) + row, (number + REACH) as u32)
    }

    /// From a point to the one with the next bit on its line in each direction.
    fn steps(&self) -> [isize; 4] {
        let lines = self.lines as isize;
        [1, lines, lines + 1, 1 - lines]
    }

    /// Sets the patterns of a point of the empty board.
    fn fill(&mut self, square: usize) {
        let point = self.names[square];
        let mut codes = [0; 2];
        for direction in 0..4 {
            let (row, bit) = self.row(point, direction);
            let patterns = self.arms.patterns(self.patterns, self.rows[row], bit);
            for (code, pattern) in codes.iter_mut().zip(patterns) {
                *code |= (pattern as u16) << (4 * direction);
            }
        }
        self.cells[square] = Cell { codes, combos: codes.map(combo) };
        self.include(square);
    }

    /// Counts an empty point in.
    fn include(&mut self, square: usize) {
        for side in 0..2 {
            let combo = usize::from(self.cells[square].combos[side]);
            let threat = self.classes[side][combo].threat() as usize;
            self.threats[side][threat].toggle(square);
            self.counts[side][threat] += 1;
            let value = self.weights[side].value(combo);
            self.sums[side][0] += value[0];
            self.sums[side][1] += value[1];
        }
    }

    /// Counts an empty point out.
    fn exclude(&mut self, square: usize) {
        for side in 0..2 {
            let combo = usize::from(self.cells[square].combos[side]);
            let threat = self.classes[side][combo].threat() as usize;
            self.threats[side][threat].toggle(square);
            self.counts[side][threat] -= 1;
            let value = self.weights[side].value(combo);
            self.sums[side][0] -= value[0];
            self.sums[side][1] -= value[1];
        }
    }

    /// Puts a stone on an empty point.
    pub(crate) fn place(&mut self, square: Square, color: Color) {
        let at = usize::from(square);
        let point = self.names[at];
        self.board.place(point, color);
        let near = self.come_near(point);
        let changes = self.changes.len() as u32;
        self.placed.push(Placed { square, color, changes, sums: self.sums, near });
        self.exclude(at);
        self.stones[at] = color as u8 + 1;
        self.hash ^= stone_hash(square, color);
        for (direction, step) in self.steps().into_iter().enumerate() {
            let (row, bit) = self.row(point, direction);
            self.rows[row][color.index()] |= 1 << bit;
            let row = self.rows[row];
            let seen = self.seen_from(row, bit);
            for other in ones(seen) {
                let distance = other as isize - bit as isize;
                self.update(at.wrapping_add_signed(distance * step), direction, row, other);
            }
        }
    }

    /// The empty points of a line from which a player may see a stone on it, as bits: those with no
    /// two stones of different colours between, or the end of the board.
    fn seen_from(&self, [black, white]: [u32; 2], bit: u32) -> u32 {
        let after = |bits: u32| (bits >> bit >> 1).trailing_zeros();
        let before = |bits: u32| (bits << (32 - bit)).leading_zeros();
        let after = after(black).max(after(white)).min(self.reach);
        let before = before(black).max(before(white)).min(self.reach);
        // From the first to the last of them.
        let window = ((2 << (before + after)) - 1) << (bit - before);
        window & !(black | white)
    }

    /// Adds the points near a stone to those near any; tells what stood in their place.
    fn come_near(&mut self, point: Point) -> [u32; NEAR_ROWS] {
        let (x, y) = (usize::from(point.x), usize::from(point.y));
        let mut before = [0; NEAR_ROWS];
        let first = y.saturating_sub(NEAR);
        for (row, (near, before)) in self.near.iter_mut().skip(first).zip(&mut before).enumerate() {
            *before = *near;
            if let Some(&mask) = NEAR_MASKS.get(y.abs_diff(first + row)) {
                *near |= mask << (x + REACH - NEAR);
            }
        }
        before
    }

    /// Takes the last stone away.
    pub(crate) fn undo(&mut self) {
        let Some(Placed { square, color, changes, sums, near }) = self.placed.pop() else {
            return;
        };
        let at = usize::from(square);
        let point = self.names[at];
        for direction in 0..4 {
            let (row, bit) = self.row(point, direction);
            self.rows[row][color.index()] &= !(1 << bit);
        }
        let first = usize::from(point.y).saturating_sub(NEAR);
        for (now, before) in self.near.iter_mut().skip(first).zip(near) {
            *now = before;
        }
        while self.changes.len() > changes as usize {
            if let Some(change) = self.changes.pop() {
                self.restore(change);
            }
        }
        self.stones[at] = 0;
        self.include(at);
        self.sums = sums;
        self.hash ^= stone_hash(square, color);
        self.board.remove(point);
    }

    /// Sets the patterns that a line makes at an empty point of it.
    #[inline]
    fn update(&mut self, square: usize, direction: usize, row: [u32; 2], bit: u32) {
        let now = self.arms.patterns(self.patterns, row, bit).map(|pattern| pattern as u16);
        let shift = 4 * direction;
        let cell = &mut self.cells[square];
        let changed = [(cell.codes[0] >> shift & 15) ^ now[0], (cell.codes[1] >> shift & 15) ^ now[1]];
        if changed == [0, 0] {
            return;
        }
        self.changes.push(Change { square: square as Square, codes: cell.codes, combos: cell.combos });
        for (side, change) in changed.into_iter().enumerate() {
            if change == 0 {
                continue;
            }
            cell.codes[side] ^= change << shift;
            let (old, new) = (usize::from(cell.combos[side]), combo(cell.codes[side]));
            cell.combos[side] = new;
            let new = usize::from(new);
            let (was, is) = (self.weights[side].value(old), self.weights[side].value(new));
            self.sums[side][0] += is[0] - was[0];
            self.sums[side][1] += is[1] - was[1];
            let (was, is) = (self.classes[side][old].threat(), self.classes[side][new].threat());
            if was != is {
                self.threats[side][was as usize].toggle(square);
                self.counts[side][was as usize] -= 1;
                self.threats[side][is as usize].toggle(square);
                self.counts[side][is as usize] += 1;
            }
        }
    }

    fn restore(&mut self, change: Change) {
        let square = usize::from(change.square);
        let cell = &mut self.cells[square];
        for side in 0..2 {
            let was = self.classes[side][usize::from(cell.combos[side])].threat();
            let is = self.classes[side][usize::from(change.combos[side])].threat();
            if was != is {
                self.threats[side][was as usize].toggle(square);
                self.counts[side][was as usize] -= 1;
                self.threats[side][is as usize].toggle(square);
                self.counts[side][is as usize] += 1;
            }
        }
        cell.codes = change.codes;
        cell.combos = change.combos;
    }
}

/// The hash of one stone.
pub(crate) fn stone_hash(square: Square, color: Color) -> u64 {
    STONE_HASHES[usize::from(square)][color.index()]
}

static STONE_HASHES: [[u64; 2]; Size::MAX.points()] = {
    let mut table = [[0; 2]; Size::MAX.points()];
    let mut square = 0;
    while square < table.len() {
        table[square] = [splitmix(square as u64 * 2 + 1000), splitmix(square as u64 * 2 + 1001)];
        square += 1;
    }
    table
};

/// A well mixed number from a counter (SplitMix64).
pub(crate) const fn splitmix(counter: u64) -> u64 {
    let mut z = (counter + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern;
    use crate::{Game, game::DIRECTIONS};
    use proptest::prelude::*;

    /// Everything a search reads, asked of the board itself.
    fn assert_is_recomputed(position: &Position, rule: Rule) {
        let board = &position.board;
        let mut counts = [[0; Threat::COUNT]; 2];
        let mut sums = [[0; 2]; 2];
        let mut hash = splitmix((position.lines * 4 + rule as usize) as u64);
        for point in board.size().iter() {
            let square = position.square(point);
            assert_eq!(position.point(square), point);
            assert_eq!(position.is_empty_at(square), board.is_empty_at(point));
            if let Some(color) = board.get(point) {
                hash ^= stone_hash(square, color);
                continue;
            }
            let near = DIRECTIONS.iter().any(|&(dx, dy)| {
                (-3..=3).any(|n| {
                    point.offset(n * dx, n * dy, board.size()).is_some_and(|p| board.get(p).is_some())
                })
            });
            assert_eq!(position.near().any(|s| s == square), near);
            for color in [Color::Black, Color::White] {
                let side = color.index();
                let exact = rule.is_exact(color);
                let codes = DIRECTIONS.map(|d| pattern::pattern(board, point, color, d, exact) as u8);
                for (direction, &code) in codes.iter().enumerate() {
                    assert_eq!(position.pattern(square, color, direction), code, "{point:?} {color:?}");
                }
                let expected = combo(codes.iter().rev().fold(0, |all, &code| all << 4 | u16::from(code)));
                assert_eq!(position.combo(square, color), expected);
                let threat = position.class(square, color).threat();
                counts[side][threat as usize] += 1;
                assert!(position.squares(color, threat).iter().any(|s| s == square));
                let value = position.weights[side].value(usize::from(expected));
                sums[side] = [sums[side][0] + value[0], sums[side][1] + value[1]];
            }
        }
        assert_eq!(position.counts, counts);
        let sizes = position.threats.map(|sets| sets.map(|set| set.iter().count() as u16));
        assert_eq!(sizes, counts);
        assert_eq!(position.sums, sums);
        assert_eq!(position.hash, hash);
    }

    fn rules() -> impl Strategy<Value = Rule> {
        prop_oneof![Just(Rule::Freestyle), Just(Rule::Standard), Just(Rule::Renju)]
    }

    /// They stand in a microcontroller's flash beside the rest of the program.
    #[test]
    fn the_tables_take_at_most_160_kilobytes() {
        let patterns = 2 * size_of::<Lines>() + 3 * size_of::<Arms>();
        let combos = size_of_val(&combo::PAIRS) + size_of_val(&combo::PAIRS_OF_PAIRS);
        let classes = 2 * size_of::<Classes>();
        let weights = 4 * size_of::<Weights>();
        let bytes = patterns + combos + classes + weights + size_of_val(&STONE_HASHES);
        assert!(bytes <= 160_000, "{bytes}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..Default::default() })]

        /// Random stones of either colour, some taken back.
        #[test]
        fn what_is_kept_up_to_date_is_what_is_recomputed(
            rule in rules(),
            lines in 10u8..=20,
            steps in proptest::collection::vec((0usize..400, 0u8..3), 1..120),
        ) {
            let size = Size::new(lines).unwrap();
            let mut position = Position::new(size, rule);
            for (n, (square, what)) in steps.into_iter().enumerate() {
                let square = (square % size.points()) as Square;
                if what == 2 {
                    position.undo();
                } else if position.is_empty_at(square) {
                    position.place(square, if what == 0 { Color::Black } else { Color::White });
                }
                if n % 16 == 0 {
                    assert_is_recomputed(&position, rule);
                }
            }
            assert_is_recomputed(&position, rule);
            while position.stones() > 0 {
                position.undo();
            }
            assert_is_recomputed(&position, rule);
            let empty = Position::new(size, rule);
            prop_assert_eq!(position.cells, empty.cells);
        }

        /// A legal point is one that the rule does not forbid.
        #[test]
        fn legal_points_are_those_not_forbidden(
            stones in proptest::collection::vec((3u8..12, 3u8..12, 0u8..5), 6..50),
        ) {
            let mut board = Board::new(Size::DEFAULT);
            for (x, y, color) in stones {
                let point = Point::new(x, y);
                if board.is_empty_at(point) {
                    board.place(point, if color < 3 { Color::Black } else { Color::White });
                }
            }
            let position = Position::of_board(&board, Rule::Renju);
            for point in board.empty_points() {
                let square = position.square(point);
                prop_assert_eq!(position.is_legal(square, Color::Black), forbidden(&board, point).is_none());
                prop_assert!(position.is_legal(square, Color::White));
            }
        }

        /// The eight symmetries of a board change neither its value nor its threats.
        #[test]
        fn symmetric_positions_get_equal_values(
            rule in rules(),
            moves in proptest::collection::vec((0u8..15, 0u8..15), 2..40),
            symmetry in 1u8..8,
        ) {
            let turn = |p: Point| {
                let (x, y) = if symmetry & 1 == 0 { (p.x, p.y) } else { (p.y, p.x) };
                Point::new(if symmetry & 2 == 0 { x } else { 14 - x }, if symmetry & 4 == 0 { y } else { 14 - y })
            };
            let mut games = [Game::new(Size::DEFAULT, rule), Game::new(Size::DEFAULT, rule)];
            for (x, y) in moves {
                let point = Point::new(x, y);
                let _ = games[0].play(point);
                let _ = games[1].play(turn(point));
            }
            let [one, other] = games.map(|game| Position::of_game(&game));
            for color in [Color::Black, Color::White] {
                prop_assert_eq!(one.evaluate(color), other.evaluate(color));
            }
            prop_assert_eq!(one.counts, other.counts);
        }
    }
}
