// SPDX-License-Identifier: MIT OR Apache-2.0
//! Principal variation search.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::combo::Threat;
use crate::position::{Position, Square};
use crate::table::{Bound, Entry, Table};
use crate::vcf::{Found, Vcf};
use crate::{Color, Point, Score};

/// The longest line reported.
const MAX_LINE: usize = 24;
/// The greatest nominal depth.
const MAX_DEPTH: i32 = 40;
/// The value of a win now; a win in `n` plies is worth `n` less.
const WON: i32 = Score::win_in(0).raw() as i32;
/// Scores beyond this are forced ends.
const MATE: i32 = Score::MAX_PLAIN as i32;
/// The positions between two questions whether to stop.
const STOP_INTERVAL: u64 = 256;

/// What a search has found.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// `None` only if nothing is legal.
    pub best: Option<Point>,
    pub score: Score,
    pub line: Vec<Point>,
    pub depth: u8,
    pub nodes: u64,
}

/// How far a search may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub nodes: u64,
    pub depth: u8,
    /// The longest way from the root, in plies; it bounds the stack.
    pub plies: usize,
    /// The first depth; the threads of a search begin at different ones.
    pub from: u8,
}

/// A candidate with its place in the order: the order in the upper half, above 0 for all, the point
/// in the lower half. A number, so that sorting is quick and a microcontroller can keep many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate(u32);

impl Candidate {
    fn new(square: Square, order: i32) -> Self {
        let order = (order / 2).clamp(i16::MIN.into(), i16::MAX.into()) - i32::from(i16::MIN);
        // Of equal candidates the first point comes first.
        Self((order as u32) << 16 | u32::from(!square))
    }

    const fn square(self) -> Square {
        !(self.0 as Square)
    }

    const fn order(self) -> i32 {
        ((self.0 >> 16) as i32 + i16::MIN as i32) * 2
    }
}

/// One thread of a search.
pub(crate) struct Search<'a> {
    position: Position,
    root_color: Color,
    /// The moves that are searched at the root; all if empty.
    roots: Vec<Square>,
    table: &'a Table,
    vcf: &'a mut Vcf,
    stop: &'a mut dyn FnMut() -> bool,
    /// Gets what was found after each depth but the last.
    pub tell: Option<&'a mut dyn FnMut(&Report)>,
    stopped: bool,
    nodes: u64,
    limit: u64,
    plies: usize,
    next_question: u64,
    /// The candidates of all positions on the way to the present one.
    candidates: Vec<Candidate>,
    /// Per colour and point how often a move there refuted the enemy's.
    history: [Vec<i16>; 2],
    /// Per ply two moves that refuted siblings.
    killers: Vec<[Square; 2]>,
    /// Per ply the value of the position before any move.
    values: Vec<i32>,
    /// Per ply the best line from there.
    lines: Vec<Vec<Square>>,
}

/// No point of any board.
const NOWHERE: Square = Square::MAX;

impl core::fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Search").field("position", &self.position).field("nodes", &self.nodes).finish()
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        position: Position,
        to_move: Color,
        table: &'a Table,
        vcf: &'a mut Vcf,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let history = vec![0; position.points()];
        Self {
            position,
            root_color: to_move,
            roots: Vec::new(),
            table,
            vcf,
            stop,
            tell: None,
            stopped: false,
            nodes: 0,
            limit: u64::MAX,
            plies: 0,
            next_question: 0,
            candidates: Vec::new(),
            history: [history.clone(), history],
            killers: Vec::new(),
            values: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// Searches the moves in `roots`, or all if there are none given, deeper and deeper until a limit
    /// is reached or the end is certain.
    pub(crate) fn run(&mut self, roots: Vec<Square>, bounds: Bounds) -> Report {
        self.roots = roots;
        self.limit = bounds.nodes;
        self.plies = bounds.plies;
        self.killers = vec![[NOWHERE; 2]; bounds.plies + 1];
        self.values = vec![0; bounds.plies + 1];
        self.lines = vec![Vec::new(); bounds.plies + 1];
        let mut report = Report { best: None, score: Score::EVEN, line: Vec::new(), depth: 0, nodes: 0 };
        let mut score = 0;
        for depth in bounds.from.into()..=MAX_DEPTH.min(bounds.depth.into()) {
            score = self.aspire(depth, score);
            let line = &self.lines[0];
            // An unfinished depth counts if it has a move: the best of the last depth comes first.
            if let Some(&best) = line.first() {
                report.best = Some(self.position.point(best));
                report.line = line.iter().map(|&square| self.position.point(square)).collect();
                if !self.stopped {
                    report.depth = depth as u8;
                    report.score = Score::from_raw(score as i16);
                }
            }
            if self.stopped || score.abs() > MATE && WON - score.abs() <= depth {
                break;
            }
            report.nodes = self.nodes;
            if let Some(tell) = &mut self.tell {
                tell(&report);
            }
        }
        if report.best.is_none() {
            report.best = self.first_thought().map(|square| self.position.point(square));
            report.line.extend(report.best);
        }
        report.nodes = self.nodes;
        report
    }

    /// The legal move that looks best without a search.
    fn first_thought(&self) -> Option<Square> {
        let me = self.root_color;
        let legal =
            |&square: &Square| self.position.is_empty_at(square) && self.position.is_legal(square, me);
        let all = (0..self.position.points() as Square).filter(legal);
        all.max_by_key(|&square| self.order(square, me, 0, None))
    }

    /// Searches one depth in a window around the last score.
    fn aspire(&mut self, depth: i32, last: i32) -> i32 {
        let mut delta = 60;
        let (mut alpha, mut beta) =
            if depth < 4 || last.abs() > MATE { (-WON, WON) } else { (last - delta, last + delta) };
        loop {
            let score = self.search(alpha, beta, depth, 0);
            if self.stopped {
                return score;
            }
            if score <= alpha && alpha > -WON {
                alpha = (score - delta).max(-WON);
            } else if score >= beta && beta < WON {
                beta = (score + delta).min(WON);
            } else {
                return score;
            }
            delta *= 3;
            if delta > 1000 {
                (alpha, beta) = (-WON, WON);
            }
        }
    }

    fn should_stop(&mut self) -> bool {
        if !self.stopped && self.nodes >= self.next_question {
            self.next_question = self.nodes + STOP_INTERVAL;
            // The first depth is always finished, so that there is a move.
            self.stopped = (self.stop)();
        }
        self.stopped |= self.nodes >= self.limit;
        self.stopped
    }

    fn color(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.root_color } else { self.root_color.opposite() }
    }

    /// Sets the line from `ply` to a move and what follows it.
    fn set_line(&mut self, ply: usize, square: Square) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(square);
        if let Some(next) = after.first() {
            line.extend(next.iter().take(MAX_LINE - 1));
        }
    }

    fn set_end(&mut self, ply: usize, squares: impl Iterator<Item = Square>) {
        self.lines[ply].clear();
        self.lines[ply].extend(squares.take(MAX_LINE));
    }

    fn enter(&mut self, square: Square, color: Color) {
        self.nodes += 1;
        self.position.place(square, color);
    }

    fn leave(&mut self) {
        self.position.undo();
    }

    /// The first legal point where `color` makes a threat.
    fn legal_threat(&self, color: Color, threat: Threat) -> Option<Square> {
        if self.position.count(color, threat) == 0 {
            return None;
        }
        self.position.squares(color, threat).iter().find(|&square| self.position.is_legal(square, color))
    }

    /// The value for the side to move within (`alpha`, `beta`).
    fn search(&mut self, mut alpha: i32, mut beta: i32, depth: i32, ply: usize) -> i32 {
        let me = self.color(ply);
        let enemy = me.opposite();
        self.lines[ply].clear();

        if self.position.is_full() {
            return 0;
        }
        if let Some(five) = self.position.squares(me, Threat::Five).first() {
            self.set_end(ply, core::iter::once(five));
            return WON - (ply as i32 + 1);
        }
        if ply > 0 && self.should_stop() || ply >= self.plies {
            return self.position.evaluate(me);
        }
        if let Some(block) = self.position.squares(enemy, Threat::Five).first() {
            let lost = -(WON - (ply as i32 + 2));
            if !self.position.is_legal(block, me) {
                return lost;
            }
            if self.position.count(enemy, Threat::Five) > 1 {
                self.set_end(ply, core::iter::once(block));
                return lost;
            }
            self.enter(block, me);
            let score = -self.search(-beta, -alpha, depth, ply + 1);
            self.leave();
            self.set_line(ply, block);
            return score;
        }
        for threat in [Threat::StraightFour, Threat::DoubleFour] {
            if let Some(four) = self.legal_threat(me, threat) {
                self.set_end(ply, core::iter::once(four));
                return WON - (ply as i32 + 3);
            }
        }
        // No end is nearer than a win in five plies or a loss in four.
        alpha = alpha.max(-(WON - (ply as i32 + 4)));
        beta = beta.min(WON - (ply as i32 + 5));
        if alpha >= beta {
            return alpha;
        }

        let is_pv = beta - alpha > 1;
        let hash = self.position.hash();
        let known = self.table.get(hash);
        if let Some(entry) = known
            && i32::from(entry.depth) >= depth
            && ply > 0
            && !is_pv
        {
            let score = from_table(entry.score, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cuts {
                return score;
            }
        }

        let threatened = self.position.count(enemy, Threat::StraightFour)
            + self.position.count(enemy, Threat::DoubleFour)
            > 0;
        let value = self.position.evaluate(me);
        self.values[ply] = value;
        // Whether the last two plies did the side to move good.
        let improves = ply >= 2 && value > self.values[ply - 2];
        let margin = if improves { FUTILITY * 2 / 3 } else { FUTILITY };
        if !is_pv
            && !threatened
            && depth <= FUTILITY_DEPTH
            && value - margin * depth.max(0) >= beta
            && beta.abs() < MATE
        {
            return value;
        }

        // A win by fours ends the matter; a known position has been asked already.
        if self.position.count(me, Threat::Four) + self.position.count(me, Threat::FourThree) > 0
            && known.is_none_or(|entry| i32::from(entry.depth) < depth.max(1))
        {
            let left = self.limit.saturating_sub(self.nodes);
            let found = if ply == 0 {
                // The root is asked once, with a part of what the whole search may cost.
                let most = (self.limit / VCF_ROOT_PART).clamp(VCF_NODES, VCF_AT_ROOT);
                let budget = if depth <= 1 { most.min(left) } else { 0 };
                self.vcf.solve(&mut self.position, me, budget)
            } else {
                self.vcf.solve_once(&mut self.position, me, VCF_NODES.min(left))
            };
            self.nodes += self.vcf.nodes();
            if found == Found::Win {
                let plies = self.vcf.line().len();
                self.lines[ply].clear();
                self.lines[ply].extend(self.vcf.line().take(MAX_LINE));
                let score = WON - (ply + plies + 2) as i32;
                let best = self.lines[ply].first().copied();
                let stored = to_table(score, ply);
                self.table.put(hash, Entry { best, score: stored, depth: 63, bound: Bound::Exact });
                return score;
            }
        }

        if depth <= 0 && (!threatened || depth <= -QUIET_DEPTH) {
            return value;
        }
        let start = self.candidates.len();
        let known_best = known.and_then(|entry| entry.best).filter(|&s| self.position.is_empty_at(s));
        if ply == 0 && !self.roots.is_empty() {
            for index in 0..self.roots.len() {
                let square = self.roots[index];
                let order = self.order(square, me, ply, known_best);
                self.candidates.push(Candidate::new(square, order));
            }
        } else if threatened {
            self.add_defences(me, ply, known_best);
        } else {
            self.add_near(me, ply, known_best);
        }
        self.candidates[start..].sort_unstable_by_key(|&candidate| Reverse(candidate));

        let mut best: Option<Square> = None;
        let mut best_score = -(WON - (ply as i32 + 4));
        let old_alpha = alpha;
        let mut tried = 0;
        // The order of the best move that was not remembered.
        let mut top = None;
        let end = self.candidates.len();
        for index in start..end {
            let square = self.candidates[index].square();
            if !self.position.is_legal(square, me) {
                continue;
            }
            let own = self.position.class(square, me).threat();
            let prevented = self.position.class(square, enemy).threat();
            let quiet = own < Threat::Three && prevented < Threat::Four;
            if best.is_some() && !threatened && quiet && ply > 0 && best_score > -MATE {
                let most = LATE_BASE + depth * depth;
                let late = tried >= if improves { most } else { most * 2 / 3 };
                let futile = !is_pv && depth <= FUTILITY_DEPTH && value + FUTILITY * depth.max(1) <= alpha;
                if late || futile {
                    break;
                }
            }
            let order = self.candidates[index].order();
            let top = match known_best {
                Some(known) if known == square => order,
                _ => *top.get_or_insert(order),
            };
            self.enter(square, me);
            let next = depth - 1;
            let mut score;
            if tried == 0 {
                score = -self.search(-beta, -alpha, next, ply + 1);
            } else {
                let mut reduction = 0;
                if depth >= 3 && tried >= 2 && !threatened && own < Threat::Four {
                    reduction = reduction_of(depth, tried, top - order);
                    if is_pv {
                        reduction -= 1;
                    }
                    if !quiet {
                        reduction -= 1;
                    }
                    reduction = reduction.clamp(0, next - 1);
                }
                score = -self.search(-alpha - 1, -alpha, next - reduction, ply + 1);
                if score > alpha && reduction > 0 && !self.stopped {
                    score = -self.search(-alpha - 1, -alpha, next, ply + 1);
                }
                if score > alpha && score < beta && is_pv && !self.stopped {
                    score = -self.search(-beta, -alpha, next, ply + 1);
                }
            }
            self.leave();
            if self.stopped {
                break;
            }
            tried += 1;
            if best.is_none() || score > best_score {
                best_score = score;
                best = Some(square);
                if score > alpha || ply == 0 {
                    self.set_line(ply, square);
                }
                alpha = alpha.max(score);
                if score >= beta {
                    self.reward(square, me, ply, depth, start, index);
                    break;
                }
            }
        }
        self.candidates.truncate(start);
        if self.stopped {
            return best_score;
        }
        let Some(best) = best else {
            // Nothing was legal or worth trying.
            return if threatened { best_score } else { value };
        };
        let bound = if best_score >= beta {
            Bound::Lower
        } else if best_score > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let stored = to_table(best_score, ply);
        let depth = depth.max(0) as u8;
        self.table.put(hash, Entry { best: Some(best), score: stored, depth, bound });
        best_score
    }

    /// A move that refuted the enemy's last is tried earlier elsewhere, those before it later.
    fn reward(&mut self, square: Square, me: Color, ply: usize, depth: i32, start: usize, index: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != square {
            killers[1] = killers[0];
            killers[0] = square;
        }
        let bonus = (depth.max(1) * depth.max(1) * 8).min(400);
        let history = &mut self.history[me.index()];
        let change = |entry: &mut i16, by: i32| {
            let old = i32::from(*entry);
            *entry = (old + by - old * by.abs() / HISTORY_MOST) as i16;
        };
        for candidate in &self.candidates[start..index] {
            change(&mut history[usize::from(candidate.square())], -bonus);
        }
        change(&mut history[usize::from(square)], bonus);
    }

    /// How early a move is tried.
    fn order(&self, square: Square, me: Color, ply: usize, known_best: Option<Square>) -> i32 {
        if known_best == Some(square) {
            return i32::MAX;
        }
        let position = &self.position;
        let enemy = me.opposite();
        let mut order = position.weights(me).attack(position.combo(square, me))
            + position.weights(enemy).defence(position.combo(square, enemy))
            + i32::from(self.history[me.index()][usize::from(square)]);
        for back in 0..2 {
            let distance = position.distance(square, position.last(back));
            order += position.weights(me).distance(back, distance);
        }
        if self.killers[ply].contains(&square) {
            order += KILLER;
        }
        order
    }

    fn add_near(&mut self, me: Color, ply: usize, known_best: Option<Square>) {
        for square in self.position.near() {
            let order = self.order(square, me, ply, known_best);
            self.candidates.push(Candidate::new(square, order));
        }
    }

    /// The moves that may stop a straight or double four: those on its lines, and own fours.
    fn add_defences(&mut self, me: Color, ply: usize, known_best: Option<Square>) {
        let enemy = me.opposite();
        let defences = self.position.defences(me, enemy);
        for square in defences.iter() {
            let order = self.order(square, me, ply, known_best);
            self.candidates.push(Candidate::new(square, order));
        }
    }
}

/// The positions entered to look for a win by fours.
const VCF_NODES: u64 = 15;
const VCF_AT_ROOT: u64 = 20_000;
const VCF_ROOT_PART: u64 = 8;
/// The plies for which straight fours are answered beyond the nominal depth.
const QUIET_DEPTH: i32 = 6;
/// A position is left when its value exceeds what is needed by this much for each ply left, and its
/// quiet moves are when it falls short by as much.
const FUTILITY: i32 = 60;
const FUTILITY_DEPTH: i32 = 6;
/// How many moves are tried at depth 0; at depth d, d² more.
const LATE_BASE: i32 = 5;
/// How much earlier a move is tried that refuted a sibling position.
const KILLER: i32 = 600;
/// The bound of the history's numbers.
const HISTORY_MOST: i32 = 2_000;

/// The plies by which the search of a late move is shortened: the more, the deeper the search, the
/// more moves were `tried` before it and the less likely its order makes it beside the best, by a
/// `gap` in thousandths of a logit.
fn reduction_of(depth: i32, tried: i32, gap: i32) -> i32 {
    const MOST_GAP: i32 = 8_000;
    let thousandths = log2(tried) * 25 / 2 + gap.clamp(0, MOST_GAP) * 3 / 10;
    (500 + log2(depth) * thousandths / 16) / 1000
}

/// The logarithm of a positive number in sixteenths, straight between the powers of two.
fn log2(number: i32) -> i32 {
    let whole = number.max(1).ilog2();
    16 * whole as i32 + ((number << 4 >> whole) & 15)
}

fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    (if score > MATE {
        score + ply
    } else if score < -MATE {
        score - ply
    } else {
        score
    }) as i16
}

fn from_table(score: i16, ply: usize) -> i32 {
    let (score, ply) = (i32::from(score), ply as i32);
    if score > MATE {
        score - ply
    } else if score < -MATE {
        score + ply
    } else {
        score
    }
}
