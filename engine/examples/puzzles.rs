// SPDX-License-Identifier: MIT OR Apache-2.0
//! Solves the puzzles of `tests/data` and tells how many, how fast.
//!
//! `cargo run --release -p wuzi-engine --example puzzles`

use std::time::Instant;

use serde::Deserialize;
use wuzi_engine::{Answer, Board, Color, Point, Rule, Size, Solution, vcf, vct};

#[derive(Deserialize)]
struct Puzzle {
    rule: String,
    to_move: String,
    board: Vec<String>,
    has_vcf: bool,
}

type Solver = fn(&Board, Rule, Color, u64, usize) -> Solution;

fn main() {
    measure("VCF", vcf, "vcf.json", |puzzle| puzzle.has_vcf, 20_000);
    measure("VCF", vcf, "vcf.json", |puzzle| puzzle.has_vcf, 200_000);
    measure("VCT", vct, "vct.json", |_| true, 100_000);
}

fn measure(name: &str, solver: Solver, file: &str, has_win: fn(&Puzzle) -> bool, limit: u64) {
    let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
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
        let solution = solver(&board, rule, attacker, limit, 1 << 20);
        let time = start.elapsed().as_micros();
        nodes += solution.nodes;
        let win = matches!(solution.answer, Answer::Win(_));
        if has_win(&puzzle) {
            positives += 1;
            solved += u32::from(win);
            micros.push(time);
        } else {
            negatives += 1;
            wrong += u32::from(win);
            proven += u32::from(solution.answer == Answer::None);
        }
    }
    micros.sort_unstable();
    println!(
        "{name}, {limit} nodes: {solved} of {positives} solved ({:.1} %); of {negatives} without a win {proven} proven, {wrong} wrong; \
         median {} us, 99th percentile {} us; {nodes} nodes",
        100.0 * f64::from(solved) / f64::from(positives),
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
