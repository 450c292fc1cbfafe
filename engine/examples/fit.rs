// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fits the weights of the evaluation and of the order of moves to scored games and writes
//! `weights.bin`.
//!
//! `cargo run --release -p wuzi-engine --features fit --example fit -- OUT GAMES.jsonl…`
//!
//! A line of the input is a game: `rule`, `moves` run together (A1 at the lower left), `opening_plies`,
//! `evals` (from the side to move's view after the opening: a number, or "M5" / "-M4" for a forced
//! end), `result` (black's: 1, 0.5, 0), `random` (the moves that were not the player's choice) and
//! `random_best` (its choices there).
//!
//! The value of a position is a logistic regression: the sum of a weight for what either side's
//! stone would make on each empty point, and of one for the set of threats. A weight of four
//! patterns is the sum of a part for each pattern, one for each pair and one for all four, each again
//! the sum of a part shared by the rules and one of its own, all held small, so that rare combinations borrow
//! from common ones. The order of moves is a softmax over the near empty points with weights built
//! the same way, fitted to the moves played.

use std::io::Write;

use serde::Deserialize;
use wuzi_engine::features::{COMBINATIONS, DISTANCES, PATTERNS, THREAT_SETS, combinations, features, part};
use wuzi_engine::{Game, Point, Rule, Size};

#[derive(Deserialize)]
struct Record {
    rule: String,
    moves: String,
    opening_plies: usize,
    evals: Vec<Option<Eval>>,
    result: f32,
    random: Vec<usize>,
    random_best: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Eval {
    Plain(f32),
    Forced(String),
}

/// A near point: own and enemy combination and the distances to the last two moves.
type Move = (u16, u16, [u8; 2]);

/// A position to fit.
struct Sample {
    /// The parts of the side to move and of the other.
    parts: [usize; 2],
    /// Combinations of the side to move and of the other, with how often they occur.
    counts: [Vec<(u16, u8)>; 2],
    threats: u16,
    /// The chance to win, the weight of the sample, and the result if no random move followed.
    target: f32,
    weight: f32,
    result: Option<f32>,
    /// The score's own chance, for comparison.
    score: f32,
    /// The near points; the first is the move.
    moves: Vec<Move>,
}

/// The share of the score in a target; the rest is the result.
const SCORE_SHARE: f32 = 0.7;
/// Scores are divided by this for a logit, by part of the side to move.
const SCALE: [f32; 4] = [239.0, 186.0, 212.0, 212.0];
const EPOCHS: usize = 12;
const BATCH: usize = 1024;

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(out) = args.next() else {
        eprintln!("fit OUT GAMES.jsonl…");
        return;
    };
    let (mut train, mut held_out) = (Vec::new(), Vec::new());
    for path in args {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for (number, line) in text.lines().enumerate() {
            let record: Record = serde_json::from_str(line).unwrap_or_else(|error| panic!("{path}: {error}"));
            let set = if number % 20 == 7 { &mut held_out } else { &mut train };
            samples(&record, set);
        }
    }
    println!("{} positions, {} held out", train.len(), held_out.len());
    let mut random = 1;
    let mut model = Model::new();
    for epoch in 0..EPOCHS {
        shuffle(&mut train, &mut random);
        let rate = 0.02 * (1.0 - epoch as f32 / EPOCHS as f32).powi(2) + 0.0002;
        for batch in train.chunks(BATCH) {
            model.learn(batch, rate);
        }
        println!("epoch {epoch}: {}", model.report(&held_out));
    }
    println!("training set: {}", model.report(&train));
    for (n, rule) in ["freestyle", "standard", "renju black", "renju white"].iter().enumerate() {
        let own: Vec<Sample> = held_out.extract_if(.., |sample| sample.parts[0] == n).collect();
        println!("held out, {rule}: {}", model.report(&own));
    }
    let file = std::fs::File::create(&out).unwrap_or_else(|error| panic!("{out}: {error}"));
    model.write(std::io::BufWriter::new(file)).unwrap_or_else(|error| panic!("{out}: {error}"));
}

fn shuffle<T>(items: &mut [T], random: &mut u64) {
    for n in (1..items.len()).rev() {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        items.swap(n, (*random >> 33) as usize % (n + 1));
    }
}

fn points(moves: &str) -> Vec<Point> {
    let starts: Vec<usize> =
        moves.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    let ends = starts.iter().copied().skip(1).chain([moves.len()]);
    let names = starts.iter().zip(ends).map(|(&start, end)| &moves[start..end]);
    names.map(|name| Point::parse(name, Size::DEFAULT).expect("a point")).collect()
}

fn samples(record: &Record, into: &mut Vec<Sample>) {
    let rule = match record.rule.as_str() {
        "freestyle" => Rule::Freestyle,
        "standard" => Rule::Standard,
        _ => Rule::Renju,
    };
    let moves = points(&record.moves);
    let last_random = record.random.last().copied();
    for (n, eval) in record.evals.iter().enumerate() {
        let ply = record.opening_plies + n;
        let Ok(game) = Game::from_moves(Size::DEFAULT, rule, &moves[..ply]) else { continue };
        let Some(eval) = eval else { continue };
        let features = features(&game);
        if features.decided {
            continue;
        }
        let me = game.to_move();
        let parts = [part(&game, me), part(&game, me.opposite())];
        let black_to_move = ply.is_multiple_of(2);
        let outcome = if black_to_move { record.result } else { 1.0 - record.result };
        let clean = last_random.is_none_or(|last| ply > last);
        let (target, weight, result, score) = match eval {
            Eval::Plain(score) => {
                let chance = sigmoid(score.clamp(-1500.0, 1500.0) / SCALE[parts[0]]);
                let target =
                    if clean { SCORE_SHARE * chance + (1.0 - SCORE_SHARE) * outcome } else { chance };
                (target, 1.0, clean.then_some(outcome), chance)
            }
            Eval::Forced(text) => {
                let loses = text.starts_with('-');
                let plies: u32 = text.trim_start_matches(['-', 'M']).parse().expect("a distance");
                let weight = if plies < 6 { 0.0 } else { 0.4 };
                let target = if loses { 0.02 } else { 0.98 };
                (target, weight, None, target)
            }
        };
        let best = match record.random.iter().position(|&r| r == ply) {
            Some(at) => points(&record.random_best[at]).first().copied(),
            None => moves.get(ply).copied(),
        };
        let mut near: Vec<(Point, Move)> = features
            .spots
            .iter()
            .filter(|spot| spot.near)
            .map(|spot| (spot.point, (spot.own, spot.enemy, spot.distances)))
            .collect();
        match near.iter().position(|&(point, _)| Some(point) == best) {
            Some(at) => near.swap(0, at),
            None => near.clear(),
        }
        let count = |of: fn(&wuzi_engine::features::Spot) -> u16| {
            let mut combos: Vec<u16> = features.spots.iter().map(of).collect();
            combos.sort_unstable();
            combos.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u8)).collect()
        };
        into.push(Sample {
            parts,
            counts: [count(|spot| spot.own), count(|spot| spot.enemy)],
            threats: features.threats,
            target,
            weight,
            result,
            score,
            moves: near.into_iter().map(|(_, combos)| combos).collect(),
        });
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Parameters under Adam.
struct Parameters {
    value: Vec<f32>,
    gradient: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Parameters {
    fn new(count: usize) -> Self {
        let zero = vec![0.0; count];
        Self { value: zero.clone(), gradient: zero.clone(), mean: zero.clone(), square: zero, steps: 0 }
    }

    /// One step against the gradient, which is emptied; `decay` pulls each parameter to zero.
    fn step(&mut self, rate: f32, decay: f32) {
        self.steps += 1;
        let (one, two) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        for n in 0..self.value.len() {
            let gradient = std::mem::take(&mut self.gradient[n]);
            self.mean[n] = 0.9 * self.mean[n] + 0.1 * gradient;
            self.square[n] = 0.999 * self.square[n] + 0.001 * gradient * gradient;
            let step = self.mean[n] / one / ((self.square[n] / two).sqrt() + 1e-7);
            self.value[n] -= rate * (step + decay * self.value[n]);
        }
    }
}

/// A weight for each combination, part and role, made of shared and own parts.
struct Combined {
    patterns: Vec<[u8; 4]>,
    parameters: Parameters,
    /// The sums: `[part][role][combination]`.
    table: Vec<f32>,
    gradient: Vec<f32>,
}

const ONE: usize = PATTERNS;
const PAIRS: usize = PATTERNS * PATTERNS;
const GROUP: usize = ONE + PAIRS + COMBINATIONS;

impl Combined {
    fn new() -> Self {
        let table = vec![0.0; 4 * 2 * COMBINATIONS];
        Self {
            patterns: combinations(),
            parameters: Parameters::new(5 * 2 * GROUP),
            table: table.clone(),
            gradient: table,
        }
    }

    fn index(part: usize, role: usize, combination: u16) -> usize {
        (part * 2 + role) * COMBINATIONS + usize::from(combination)
    }

    /// The parameters whose sum is a weight of one group.
    fn parts(patterns: [u8; 4], combination: usize) -> impl Iterator<Item = usize> {
        let p = patterns.map(usize::from);
        let pair = move |a: usize, b: usize| ONE + p[a].min(p[b]) * PATTERNS + p[a].max(p[b]);
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        p.into_iter()
            .chain(pairs.into_iter().map(move |(a, b)| pair(a, b)))
            .chain([ONE + PAIRS + combination])
    }

    fn step(&mut self, rate: f32, decay: f32) {
        for slot in 0..self.table.len() {
            let gradient = std::mem::take(&mut self.gradient[slot]);
            if gradient == 0.0 {
                continue;
            }
            let (group, combination) = (slot / COMBINATIONS, slot % COMBINATIONS);
            for n in Self::parts(self.patterns[combination], combination) {
                self.parameters.gradient[(group % 2) * GROUP + n] += gradient;
                self.parameters.gradient[(2 + group) * GROUP + n] += gradient;
            }
        }
        self.parameters.step(rate, decay);
        for slot in 0..self.table.len() {
            let (group, combination) = (slot / COMBINATIONS, slot % COMBINATIONS);
            let value = &self.parameters.value;
            self.table[slot] = Self::parts(self.patterns[combination], combination)
                .map(|n| value[(group % 2) * GROUP + n] + value[(2 + group) * GROUP + n])
                .sum();
        }
    }
}

struct Model {
    values: Combined,
    /// `[part][set]`.
    threats: Parameters,
    orders: Combined,
    /// `[part][back][distance]`.
    distances: Parameters,
}

impl Model {
    fn new() -> Self {
        Self {
            values: Combined::new(),
            threats: Parameters::new(4 * THREAT_SETS),
            orders: Combined::new(),
            distances: Parameters::new(4 * 2 * DISTANCES),
        }
    }

    fn logit(&self, sample: &Sample) -> f32 {
        let sum = |role: usize| {
            let weight = |combo| self.values.table[Combined::index(sample.parts[role], role, combo)];
            sample.counts[role].iter().map(|&(combo, count)| weight(combo) * f32::from(count)).sum::<f32>()
        };
        sum(0) - sum(1) + self.threats.value[sample.parts[0] * THREAT_SETS + usize::from(sample.threats)]
    }

    fn order(&self, sample: &Sample, (own, enemy, distances): Move) -> f32 {
        self.orders.table[Combined::index(sample.parts[0], 0, own)]
            + self.orders.table[Combined::index(sample.parts[1], 1, enemy)]
            + (0..2).map(|back| self.distances.value[distance_index(sample, back, distances)]).sum::<f32>()
    }

    /// The chances of the near points to be played.
    fn chances(&self, sample: &Sample) -> Vec<f32> {
        let mut chances: Vec<f32> = sample.moves.iter().map(|&m| self.order(sample, m)).collect();
        let most = chances.iter().copied().fold(f32::MIN, f32::max);
        for chance in &mut chances {
            *chance = (*chance - most).exp();
        }
        let sum: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        chances
    }

    fn learn(&mut self, batch: &[Sample], rate: f32) {
        let scale = 1.0 / batch.len() as f32;
        for sample in batch {
            let error = (sigmoid(self.logit(sample)) - sample.target) * sample.weight * scale;
            for role in 0..2 {
                let signed = if role == 0 { error } else { -error };
                for &(combo, count) in &sample.counts[role] {
                    let slot = Combined::index(sample.parts[role], role, combo);
                    self.values.gradient[slot] += signed * f32::from(count);
                }
            }
            self.threats.gradient[sample.parts[0] * THREAT_SETS + usize::from(sample.threats)] += error;
            for (n, chance) in self.chances(sample).into_iter().enumerate() {
                let error = (chance - f32::from(n == 0)) * scale;
                let (own, enemy, distances) = sample.moves[n];
                self.orders.gradient[Combined::index(sample.parts[0], 0, own)] += error;
                self.orders.gradient[Combined::index(sample.parts[1], 1, enemy)] += error;
                for back in 0..2 {
                    self.distances.gradient[distance_index(sample, back, distances)] += error;
                }
            }
        }
        self.values.step(rate * 0.05, 1.0);
        self.threats.step(rate * 0.3, 0.01);
        self.orders.step(rate * 0.5, 0.2);
        self.distances.step(rate, 0.0);
    }

    fn report(&self, samples: &[Sample]) -> String {
        let cross = |p: f32, t: f32| -(t * p.max(1e-6).ln() + (1.0 - t) * (1.0 - p).max(1e-6).ln());
        let (mut blended, mut least, mut weight) = (0.0, 0.0, 0.0);
        let (mut on_result, mut of_score, mut results) = (0.0, 0.0, 0.0);
        let (mut order, mut first, mut top, mut moves) = (0.0, 0.0, 0.0, 0.0);
        for sample in samples {
            let chance = sigmoid(self.logit(sample));
            blended += cross(chance, sample.target) * sample.weight;
            least += cross(sample.target, sample.target) * sample.weight;
            weight += sample.weight;
            if let Some(result) = sample.result {
                on_result += cross(chance, result);
                of_score += cross(sample.score, result);
                results += 1.0;
            }
            let chances = self.chances(sample);
            if let Some(&played) = chances.first() {
                order -= played.max(1e-9).ln();
                let better = chances[1..].iter().filter(|&&c| c > played).count();
                first += f32::from(better == 0);
                top += f32::from(better < 8);
                moves += 1.0;
            }
        }
        format!(
            "target {:.4} (least {:.4}), result {:.4} (the score's own {:.4}), move {:.4}, first {:.3}, in 8 {:.3}",
            blended / weight,
            least / weight,
            on_result / results,
            of_score / results,
            order / moves,
            first / moves,
            top / moves
        )
    }

    fn write(&self, mut out: impl Write) -> std::io::Result<()> {
        let mut number = |value: f32, unit: f32| {
            let value = (value * unit).round().clamp(-32_000.0, 32_000.0) as i16;
            out.write_all(&value.to_le_bytes())
        };
        // 250 score points a logit, 16 units a point.
        const VALUE: f32 = 250.0 * 16.0;
        const ORDER: f32 = 1_000.0;
        for part in 0..4 {
            for combo in 0..COMBINATIONS as u16 {
                number(self.values.table[Combined::index(part, 0, combo)], VALUE)?;
                number(self.values.table[Combined::index(part, 1, combo)], VALUE)?;
                number(self.orders.table[Combined::index(part, 0, combo)], ORDER)?;
                number(self.orders.table[Combined::index(part, 1, combo)], ORDER)?;
            }
            for set in 0..THREAT_SETS {
                number(self.threats.value[part * THREAT_SETS + set], VALUE)?;
            }
            for distance in 0..2 * DISTANCES {
                number(self.distances.value[part * 2 * DISTANCES + distance], ORDER)?;
            }
        }
        Ok(())
    }
}

fn distance_index(sample: &Sample, back: usize, distances: [u8; 2]) -> usize {
    (sample.parts[0] * 2 + back) * DISTANCES + usize::from(distances[back])
}
