// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solves the puzzles of `tests/data` and tells how many, how fast.
//!
//! `cargo run --release -p wuzi-engine --example puzzles [NODES]`

use std::time::Instant;

use serde::Deserialize;
use wuzi_engine::{Answer, Board, Color, Point, Rule, Size, vcf};

#[derive(Deserialize)]
struct Puzzle {
    rule: String,
    to_move: String,
    board: Vec<String>,
    has_vcf: bool,
}

fn main() {
    let limit = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/vcf.json");
    let text = std::fs::read_to_string(path).expect("the test data is in the repository");
    let (mut solved, mut positives, mut wrong, mut proven, mut negatives) = (0, 0, 0, 0, 0);
    let (mut micros, mut nodes) = (Vec::new(), 0);
    for line in text.lines() {
        let puzzle: Puzzle = serde_json::from_str(line).expect("a puzzle");
        let rule = match puzzle.rule.as_str() {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::Standard,
            _ => Rule::Renju,
        };
        let attacker = if puzzle.to_move == "black" { Color::Black } else { Color::White };
        let board = read(&puzzle.board);
        let start = Instant::now();
        let solution = vcf(&board, rule, attacker, limit, 1 << 18);
        let time = start.elapsed().as_micros();
        nodes += solution.nodes;
        let win = matches!(solution.answer, Answer::Win(_));
        if puzzle.has_vcf {
            positives += 1;
            solved += u32::from(win);
            micros.push(time);
        } else {
            negatives += 1;
            wrong += u32::from(win);
            proven += u32::from(solution.answer == Answer::None);
        }
    }
    let total: u128 = micros.iter().sum();
    micros.sort_unstable();
    println!(
        "VCF, {limit} nodes: {solved} of {positives} solved, {wrong} wrong and {proven} proven of {negatives} negatives"
    );
    println!(
        "median {} us, 99th percentile {} us, all {total} us; {nodes} nodes",
        micros[micros.len() / 2],
        micros[micros.len() * 99 / 100]
    );
}

fn read(rows: &[String]) -> Board {
    let mut board = Board::new(Size::DEFAULT);
    for (y, row) in rows.iter().enumerate() {
        for (x, cell) in row.chars().enumerate() {
            let point = Point::new(x as u8, y as u8);
            match cell {
                'X' => board.place(point, Color::Black),
                'O' => board.place(point, Color::White),
                _ => {}
            }
        }
    }
    board
}
