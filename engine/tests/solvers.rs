// SPDX-License-Identifier: MIT OR Apache-2.0
//! The solvers against puzzles; every line they give is played out.

use serde::Deserialize;
use wuzi_engine::{Answer, Board, Color, Game, Point, Rule, forbidden, vcf, vct};

mod common;
use common::{board, game, point, records};

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

/// Whether a stone on `point` wins at once or leaves the other side without an answer.
fn is_decisive(board: &Board, rule: Rule, attacker: Color) -> bool {
    let threats = fives(board, rule, attacker);
    fives(board, rule, attacker.opposite()).is_empty()
        && match threats[..] {
            [] => false,
            [only] => !is_legal(board, rule, attacker.opposite(), only),
            _ => true,
        }
}

/// Plays a line of continuous threats and checks that every attacker's move threatens a win.
fn check_vct_line(id: &str, board: &Board, rule: Rule, attacker: Color, line: &[Point]) {
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
            let four = !fives(&board, rule, attacker).is_empty();
            let threatens = board.empty_points().any(|p| {
                let mut next = board.clone();
                next.place(p, attacker);
                is_legal(&board, rule, attacker, p) && is_decisive(&next, rule, attacker)
            });
            assert!(four || threatens, "{id}: {point:?} threatens nothing");
            if last {
                // Either nothing answers the last move, or no legal answer stops what it threatens.
                let answers = board.empty_points().filter(|&p| is_legal(&board, rule, defender, p));
                let stopped = |p: Point| {
                    let mut next = board.clone();
                    next.place(p, defender);
                    let wins = fives(&next, rule, attacker);
                    wins.is_empty()
                };
                assert!(four && answers.into_iter().all(|p| !stopped(p)), "{id}: the last move is answered");
            }
        } else {
            assert!(is_legal(&board, rule, defender, point), "{id}: {point:?} is illegal");
            let wins = fives(&board, rule, attacker);
            assert!(wins.is_empty() || wins == [point], "{id}: the four is not answered");
            assert!(fives(&board, rule, defender).is_empty(), "{id}: the defender could win");
            board.place(point, defender);
        }
    }
}

#[test]
fn wins_by_continuous_threats_are_found_and_hold_move_by_move() {
    let puzzles: Vec<Puzzle> = records("vct.json");
    let mut solved = 0;
    for puzzle in &puzzles {
        let board = board(&puzzle.board);
        let solution = vct(&board, puzzle.rule(), puzzle.attacker(), 100_000, 1 << 22);
        if let Answer::Win(line) = solution.answer {
            check_vct_line(&puzzle.id, &board, puzzle.rule(), puzzle.attacker(), &line);
            solved += 1;
        }
    }
    assert!(solved * 100 >= puzzles.len() * 85, "{solved} of {}", puzzles.len());
}

#[derive(Deserialize)]
struct Stones {
    id: String,
    board: Vec<String>,
}

/// On boards of random stones and of shapes that meet, for either side and under every rule.
#[test]
fn wins_on_any_board_hold_move_by_move() {
    let mut boards: Vec<Stones> = records("forbidden_dense.json");
    boards.extend(records("forbidden_random.json"));
    let (mut fours, mut threats) = (0, 0);
    for stones in boards.iter().step_by(7) {
        let board = board(&stones.board);
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            for attacker in [Color::Black, Color::White] {
                if let Answer::Win(line) = vcf(&board, rule, attacker, 500, 1 << 12).answer {
                    check_vcf_line(&stones.id, &board, rule, attacker, &line);
                    fours += 1;
                }
                if let Answer::Win(line) = vct(&board, rule, attacker, 500, 1 << 14).answer {
                    check_vct_line(&stones.id, &board, rule, attacker, &line);
                    threats += 1;
                }
            }
        }
    }
    assert!(fours > 100 && threats > fours, "{fours}, {threats}");
}

/// White may not make a three while black could make a straight four, but here the three at G9 stops
/// that too.
#[test]
fn a_three_that_stops_a_straight_four_is_a_threat() {
    let puzzles: Vec<Puzzle> = records("vct.json");
    let puzzle = puzzles.iter().find(|puzzle| puzzle.id == "vct-dev-024").expect("the puzzle is there");
    let board = board(&puzzle.board);
    let solution = vct(&board, puzzle.rule(), puzzle.attacker(), 20_000, 1 << 20);
    let Answer::Win(line) = solution.answer else { panic!("{:?}", solution.answer) };
    assert_eq!(line[0], point("G9"));
    check_vct_line(&puzzle.id, &board, puzzle.rule(), puzzle.attacker(), &line);
}

#[test]
fn a_game_that_somebody_has_won_has_no_forced_win() {
    let five = game("h8a1i8a2j8a4k8a5l8", Rule::Freestyle);
    for attacker in [Color::Black, Color::White] {
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            for solver in [vcf, vct] {
                let answer = solver(five.board(), rule, attacker, 1000, 1 << 12).answer;
                assert_eq!(answer, Answer::None, "{rule:?} {attacker:?}");
            }
        }
    }
    // Six in a row win where five or more do; elsewhere the game goes on.
    let six =
        Game::from_moves(five.size(), Rule::Standard, &[five.moves(), &["A15", "M8"].map(point)].concat());
    let board = six.unwrap().board().clone();
    assert_eq!(vcf(&board, Rule::Freestyle, Color::White, 1000, 1 << 12).answer, Answer::None);
    for rule in [Rule::Standard, Rule::Renju] {
        assert_eq!(vcf(&board, rule, Color::White, 1000, 1 << 12).answer, Answer::Win(vec![point("A3")]));
    }
}

/// A position in which nobody can win by force: a few stones far apart.
#[test]
fn an_empty_corner_has_no_forced_win() {
    let mut board = Board::new(wuzi_engine::Size::DEFAULT);
    board.place(Point::new(0, 0), Color::Black);
    board.place(Point::new(14, 14), Color::White);
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        assert_eq!(vcf(&board, rule, Color::Black, 1000, 1 << 12).answer, Answer::None);
        assert_eq!(vct(&board, rule, Color::Black, 1000, 1 << 12).answer, Answer::None);
    }
}
