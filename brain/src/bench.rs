// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast the engine searches and solves on this machine.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::{Value, json};
use wuzi_engine::{Game, Level, Limits, Player, Rule, Size};

use crate::batch::{parse_moves, rule_name};

/// Memory of the search, in bytes.
const MEMORY: usize = 64 << 20;

/// Middle games that were played by this engine against itself with 2,000 nodes a move, cut off
/// after 20 stones.
const POSITIONS: [(Rule, &str); 6] = [
    (Rule::Freestyle, "m4k6i8i6i3j8n5m10j6l3k5j5k4m8l7m9m11l4m6k8"),
    (Rule::Freestyle, "e7f8h9e9g8e8e5j4e3f7f6g6h5d9c10f9c9f10f11d8"),
    (Rule::Standard, "j10f12h11j12h7g7j7k11l5h14i13i8j9j8k8i10i6h5l9m10"),
    (Rule::Standard, "h4i9k8h6l5k6g8i5g7g9i6j5h9i4l7g5h5g2h3g4"),
    (Rule::Renju, "k8g6f4j10f8j8f10g9j9g7g8f7h7e8h5d9c10f9e9d7"),
    (Rule::Renju, "f11g8h8i11h11f9e10d9h9h10e12g10e11e9g9f10e14e13g11d11"),
];

/// Searches each position for `time`, and writes nodes and nodes per second of each and of all as
/// JSON lines. A node is a position entered by the search or its solver of continuous fours. Where
/// the system tells it, the time that the thread had a processor is given too: nodes for a second of
/// that do not depend on what else the machine does.
///
/// # Errors
/// If `output` takes no more lines.
pub fn run(mut output: impl Write, time: Duration) -> io::Result<()> {
    let mut total = Effort::default();
    for (number, &(rule, moves)) in (1..).zip(&POSITIONS) {
        let moves = parse_moves(moves, Size::DEFAULT).map_err(io::Error::other)?;
        let game = Game::from_moves(Size::DEFAULT, rule, &moves).map_err(io::Error::other)?;
        let mut player = Player::new(MEMORY);
        let mut rng = SmallRng::seed_from_u64(1);
        let start = Instant::now();
        let cpu_start = cpu_time();
        let limits = Some(Limits::default());
        let choice = player.choose(&game, Level::Master, limits, &mut rng, &mut || start.elapsed() >= time);
        let took = start.elapsed();
        let cpu = cpu_time().zip(cpu_start).map(|(end, start)| end.saturating_sub(start));
        let Some(choice) = choice else { continue };
        let effort = Effort { nodes: choice.nodes, took, cpu };
        total.add(&effort);
        let mut line = json!({
            "bench": "search",
            "position": number,
            "rule": rule_name(rule),
            "depth": choice.depth,
            "move": choice.point.name(game.size()).to_string(),
        });
        effort.write_to(&mut line);
        writeln!(output, "{line}")?;
    }
    let mut line = json!({ "bench": "search", "positions": POSITIONS.len() });
    total.write_to(&mut line);
    writeln!(output, "{line}")?;
    output.flush()
}

/// What a search took.
struct Effort {
    nodes: u64,
    took: Duration,
    /// The time that its thread had a processor, if that is known.
    cpu: Option<Duration>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { nodes: 0, took: Duration::ZERO, cpu: Some(Duration::ZERO) }
    }
}

impl Effort {
    fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.took += other.took;
        self.cpu = self.cpu.zip(other.cpu).map(|(sum, more)| sum + more);
    }

    fn write_to(&self, line: &mut Value) {
        line["nodes"] = self.nodes.into();
        line["micros"] = micros(self.took).into();
        line["nodes_per_second"] = per_second(self.nodes, self.took).into();
        if let Some(cpu) = self.cpu {
            line["cpu_micros"] = micros(cpu).into();
            line["nodes_per_cpu_second"] = per_second(self.nodes, cpu).into();
        }
    }
}

/// How long this thread has had a processor.
#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().ok()
}

/// As above; unknown here.
#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn per_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_goes_on() {
        for (rule, moves) in POSITIONS {
            let moves = parse_moves(moves, Size::DEFAULT).unwrap();
            let game = Game::from_moves(Size::DEFAULT, rule, &moves).unwrap();
            assert!(!game.outcome().is_over() && moves.len() == 20);
        }
    }

    #[test]
    fn each_position_and_the_sum_give_a_line() {
        let mut output = Vec::new();
        run(&mut output, Duration::from_millis(1)).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.lines().count(), POSITIONS.len() + 1);
        assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    }
}
