// SPDX-License-Identifier: MIT OR Apache-2.0
//! How fast the engine searches and solves on this machine.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use serde_json::json;
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
/// JSON lines. A node is a position entered by the search or its solver of continuous fours.
///
/// # Errors
/// If `output` takes no more lines.
pub fn run(mut output: impl Write, time: Duration) -> io::Result<()> {
    let mut total = (0, Duration::ZERO);
    for (number, &(rule, moves)) in (1..).zip(&POSITIONS) {
        let moves = parse_moves(moves, Size::DEFAULT).map_err(io::Error::other)?;
        let game = Game::from_moves(Size::DEFAULT, rule, &moves).map_err(io::Error::other)?;
        let mut player = Player::new(MEMORY);
        let mut rng = SmallRng::seed_from_u64(1);
        let start = Instant::now();
        let limits = Some(Limits::default());
        let choice = player.choose(&game, Level::Master, limits, &mut rng, &mut || start.elapsed() >= time);
        let took = start.elapsed();
        let Some(choice) = choice else { continue };
        total = (total.0 + choice.nodes, total.1 + took);
        let line = json!({
            "bench": "search",
            "position": number,
            "rule": rule_name(rule),
            "depth": choice.depth,
            "move": choice.point.name(game.size()).to_string(),
            "nodes": choice.nodes,
            "micros": micros(took),
            "nodes_per_second": per_second(choice.nodes, took),
        });
        writeln!(output, "{line}")?;
    }
    let (nodes, took) = total;
    let line = json!({
        "bench": "search",
        "positions": POSITIONS.len(),
        "nodes": nodes,
        "micros": micros(took),
        "nodes_per_second": per_second(nodes, took),
    });
    writeln!(output, "{line}")?;
    output.flush()
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
