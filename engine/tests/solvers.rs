// SPDX-License-Identifier: MIT OR Apache-2.0
//! The solvers against puzzles; every line they give is played out.

use serde::Deserialize;
use wuzi_engine::{Answer, Board, Color, Point, Rule, forbidden, vcf};

mod common;
use common::{board, records};

#[derive(Deserialize)]
struct Puzzle {
    id: String,
    rule: String,
    to_move: String,
    board: Vec<String>,
    has_vcf: bool,
}

impl Puzzle {
    fn rule(&self) -> Rule {
        match self.rule.as_str() {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::Standard,
            _ => Rule::Renju,
        }
    }

    fn attacker(&self) -> Color {
        if self.to_move == "black" { Color::Black } else { Color::White }
    }
}

/// The empty points where a stone of `color` wins at once.
fn fives(board: &Board, rule: Rule, color: Color) -> Vec<Point> {
    let wins = |&point: &Point| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
            rule.wins(color, board.run(point, color, dx, dy) + board.run(point, color, -dx, -dy) + 1)
        })
    };
    board.empty_points().filter(wins).collect()
}

fn is_legal(board: &Board, rule: Rule, color: Color, point: Point) -> bool {
    board.is_empty_at(point)
        && (rule != Rule::Renju || color == Color::White || forbidden(board, point).is_none())
}

/// Plays a line of continuous fours and checks that every defence in it is the only one.
fn check_vcf_line(id: &str, board: &Board, rule: Rule, attacker: Color, line: &[Point]) {
    let defender = attacker.opposite();
    let mut board = board.clone();
    for (ply, &point) in line.iter().enumerate() {
        let last = ply + 1 == line.len();
        if ply % 2 == 0 {
            assert!(is_legal(&board, rule, attacker, point), "{id}: {point:?} is illegal");
            if fives(&board, rule, attacker).contains(&point) {
                assert!(last, "{id}: the line goes on after five");
                return;
            }
            let threatened = fives(&board, rule, defender);
            assert!(threatened.iter().all(|&p| p == point), "{id}: the defender's five is not stopped");
            board.place(point, attacker);
            let threats = fives(&board, rule, attacker);
            assert!(!threats.is_empty(), "{id}: {point:?} makes no four");
            let answerable = threats.len() == 1 && is_legal(&board, rule, defender, threats[0]);
            assert_eq!(last, !answerable, "{id}: the line ends where there is no answer");
        } else {
            assert_eq!(fives(&board, rule, attacker), [point], "{id}: the only defence");
            board.place(point, defender);
        }
    }
}

#[test]
fn wins_by_continuous_fours_are_found_and_hold_move_by_move() {
    let puzzles: Vec<Puzzle> = records("vcf.json");
    let (mut positives, mut solved) = (0, 0);
    for puzzle in &puzzles {
        let board = board(&puzzle.board);
        let solution = vcf(&board, puzzle.rule(), puzzle.attacker(), 20_000, 1 << 18);
        assert!(solution.nodes <= 20_001, "{}", puzzle.id);
        positives += u32::from(puzzle.has_vcf);
        match solution.answer {
            Answer::Win(line) => {
                assert!(puzzle.has_vcf, "{}: there is no win", puzzle.id);
                check_vcf_line(&puzzle.id, &board, puzzle.rule(), puzzle.attacker(), &line);
                solved += 1;
            }
            Answer::None => assert!(!puzzle.has_vcf, "{}: there is a win", puzzle.id),
            Answer::Unknown => {}
        }
    }
    assert!(solved * 100 >= positives * 97, "{solved} of {positives}");
}
