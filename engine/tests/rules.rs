// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rules against positions and games whose labels several programs agree on.

use std::collections::BTreeMap;

use serde::Deserialize;
use wuzi_engine::{
    Board, Color, Forbidden, Game, Outcome, Point, Rule, Size, WinReason, forbidden, forbidden_points,
};

mod common;
use common::{board, point, records};

#[derive(Deserialize)]
struct ForbiddenRecord {
    id: String,
    board: Vec<String>,
    kinds: BTreeMap<String, Vec<String>>,
}

fn kind_name(kind: Forbidden) -> &'static str {
    match kind {
        Forbidden::ThreeThree => "three-three",
        Forbidden::FourFour => "four-four",
        Forbidden::Overline => "overline",
    }
}

fn check_forbidden_sets(name: &str, expected_records: usize) {
    let records: Vec<ForbiddenRecord> = records(name);
    assert_eq!(records.len(), expected_records);
    for record in records {
        let board = board(&record.board);
        let expected: Vec<Point> = {
            let mut points: Vec<Point> = record.kinds.keys().map(|name| point(name)).collect();
            points.sort_by_key(|p| (p.y, p.x));
            points
        };
        let found = forbidden_points(&board);
        assert_eq!(found.iter().map(|&(p, _)| p).collect::<Vec<_>>(), expected, "{}", record.id);
        for (at, kind) in found {
            let name = at.name(Size::DEFAULT).to_string();
            assert!(
                record.kinds[&name].iter().any(|k| k == kind_name(kind)),
                "{} {name}: {kind:?}",
                record.id
            );
        }
    }
}

#[test]
fn forbidden_points_of_random_boards() {
    check_forbidden_sets("forbidden_random.json", 1500);
}

#[test]
fn forbidden_points_of_boards_made_to_be_nasty() {
    check_forbidden_sets("forbidden_dense.json", 300);
}

#[derive(Deserialize)]
struct TutorialRecord {
    id: String,
    board: Vec<String>,
    probe: String,
    expect: Option<String>,
}

#[test]
fn forbidden_points_of_the_textbook() {
    for record in records::<TutorialRecord>("forbidden_tutorial.json") {
        let expected = match record.expect.as_deref() {
            Some("double_three") => Some(Forbidden::ThreeThree),
            Some("double_four") => Some(Forbidden::FourFour),
            Some("overline") => Some(Forbidden::Overline),
            _ => None,
        };
        assert_eq!(forbidden(&board(&record.board), point(&record.probe)), expected, "{}", record.id);
    }
}

#[derive(Deserialize)]
struct OutcomeRecord {
    id: String,
    moves: Vec<String>,
    freestyle: Expected,
    standard: Expected,
    renju: Expected,
}

#[derive(Deserialize)]
struct Expected {
    result: String,
    ends_at: Option<usize>,
    reason: String,
    cells: Vec<Vec<String>>,
    kind: Option<String>,
}

fn check_outcome(id: &str, moves: &[String], rule: Rule, expected: &Expected) {
    let mut game = Game::new(Size::DEFAULT, rule);
    for name in moves {
        if game.outcome().is_over() {
            break;
        }
        game.play(point(name)).expect("the moves are legal until the game is over");
    }
    let result = match game.outcome() {
        Outcome::Running => "none",
        Outcome::Draw => "draw",
        Outcome::Win(Color::Black, _) => "black",
        Outcome::Win(Color::White, _) => "white",
    };
    assert_eq!(result, expected.result, "{id} {rule:?}");
    if game.outcome().is_over() {
        assert_eq!(Some(game.moves().len()), expected.ends_at, "{id} {rule:?}");
    }
    match game.outcome() {
        Outcome::Win(_, WinReason::Row(row)) => {
            let mut cells: Vec<Point> = row.points().collect();
            cells.sort();
            let rows = expected.cells.iter().map(|cells| {
                let mut cells: Vec<Point> = cells.iter().map(|name| point(name)).collect();
                cells.sort();
                cells
            });
            assert!(rows.into_iter().any(|r| r == cells), "{id} {rule:?}: {row:?}");
        }
        Outcome::Win(_, WinReason::Forbidden(kind)) => {
            assert_eq!(expected.reason, "forbidden", "{id} {rule:?}");
            if let Some(label) = &expected.kind {
                assert_eq!(kind_name(kind), label, "{id}");
            }
        }
        Outcome::Running | Outcome::Draw => {}
    }
}

#[test]
fn outcomes_of_whole_games_under_each_rule() {
    for record in records::<OutcomeRecord>("outcomes.json") {
        check_outcome(&record.id, &record.moves, Rule::Freestyle, &record.freestyle);
        check_outcome(&record.id, &record.moves, Rule::Standard, &record.standard);
        check_outcome(&record.id, &record.moves, Rule::Renju, &record.renju);
    }
}

/// Rows are read by walking each line as text, with no table and no incremental state.
mod slow {
    use super::*;

    const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

    fn run_through(board: &Board, at: Point, color: Color, (dx, dy): (i32, i32)) -> usize {
        let count = |sign: i32| {
            (1..)
                .map_while(|n| at.offset(sign * n * dx, sign * n * dy, board.size()))
                .take_while(|&p| board.get(p) == Some(color))
                .count()
        };
        count(1) + count(-1) + 1
    }

    /// The four unbroken rows of `color` through a stone on `at`, their points in order.
    pub fn rows(board: &Board, at: Point, color: Color) -> [Vec<Point>; 4] {
        DIRECTIONS.map(|(dx, dy)| {
            let side = |sign: i32| {
                (1..)
                    .map_while(move |n| at.offset(sign * n * dx, sign * n * dy, board.size()))
                    .take_while(|&p| board.get(p) == Some(color))
            };
            let mut row: Vec<Point> = side(-1).chain([at]).chain(side(1)).collect();
            row.sort();
            row
        })
    }

    fn with(board: &Board, at: Point) -> Board {
        let mut next = board.clone();
        next.place(at, Color::Black);
        next
    }

    fn line(board: &Board, at: Point, (dx, dy): (i32, i32)) -> Vec<Point> {
        let mut points: Vec<Point> =
            (-20..=20).filter_map(|n| at.offset(n * dx, n * dy, board.size())).collect();
        points.sort();
        points
    }

    /// The empty points of a line where a black stone makes exactly five through `stone`.
    fn fives(board: &Board, stone: Point, direction: (i32, i32)) -> Vec<Point> {
        let through = |end: &Point| {
            let next = with(board, *end);
            run_through(&next, stone, Color::Black, direction) == 5
                && run_through(&next, *end, Color::Black, direction) == 5
                && row_contains(&next, *end, stone, direction)
        };
        line(board, stone, direction).into_iter().filter(|&p| board.is_empty_at(p)).filter(through).collect()
    }

    fn row_contains(board: &Board, from: Point, to: Point, (dx, dy): (i32, i32)) -> bool {
        from == to
            || [-1, 1].iter().any(|sign| {
                (1..)
                    .map_while(|n| from.offset(sign * n * dx, sign * n * dy, board.size()))
                    .take_while(|&p| board.get(p) == Some(Color::Black))
                    .any(|p| p == to)
            })
    }

    /// The number of different fours on a line through a black stone. Two places for a fifth stone
    /// are one four if both complete the same four stones.
    fn fours(board: &Board, stone: Point, direction: (i32, i32)) -> usize {
        let mut sets: Vec<Vec<Point>> = fives(board, stone, direction)
            .into_iter()
            .map(|end| {
                let next = with(board, end);
                let row = line(board, stone, direction)
                    .into_iter()
                    .filter(|&p| next.get(p) == Some(Color::Black) && p != end)
                    .filter(|&p| row_contains(&next, end, p, direction));
                row.collect()
            })
            .collect();
        sets.sort();
        sets.dedup();
        sets.len()
    }

    fn straight_four(board: &Board, stone: Point, direction: (i32, i32)) -> bool {
        fours(board, stone, direction) == 1 && fives(board, stone, direction).len() == 2
    }

    fn three(board: &Board, stone: Point, direction: (i32, i32)) -> bool {
        if fours(board, stone, direction) > 0 {
            return false;
        }
        line(board, stone, direction).into_iter().filter(|&p| board.is_empty_at(p)).any(|next| {
            let filled = with(board, next);
            straight_four(&filled, stone, direction)
                && row_contains(&filled, next, stone, direction)
                && !DIRECTIONS.iter().any(|&d| run_through(&filled, next, Color::Black, d) == 5)
                && !is_forbidden(board, next)
        })
    }

    pub fn is_forbidden(board: &Board, at: Point) -> bool {
        let placed = with(board, at);
        let runs = DIRECTIONS.map(|d| run_through(&placed, at, Color::Black, d));
        if runs.contains(&5) {
            return false;
        }
        runs.iter().any(|&run| run > 5)
            || DIRECTIONS.iter().map(|&d| fours(&placed, at, d)).sum::<usize>() >= 2
            || DIRECTIONS.iter().filter(|&&d| three(&placed, at, d)).count() >= 2
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 150, ..Default::default() })]

    /// Stones crowded into a box, three black for two white, so that shapes meet.
    #[test]
    fn forbidden_points_follow_the_slow_definition(
        lines in 10u8..=20,
        left in 0u8..13, top in 0u8..13,
        stones in proptest::collection::vec((0u8..8, 0u8..8, 0u8..5), 6..40),
    ) {
        let size = Size::new(lines).unwrap();
        let mut board = Board::new(size);
        for (x, y, color) in stones {
            let at = Point::new(left.min(lines - 8) + x, top.min(lines - 8) + y);
            if board.is_empty_at(at) {
                board.place(at, if color < 3 { Color::Black } else { Color::White });
            }
        }
        let fast: Vec<Point> = forbidden_points(&board).into_iter().map(|(p, _)| p).collect();
        let slow: Vec<Point> = board.empty_points().filter(|&p| slow::is_forbidden(&board, p)).collect();
        proptest::prop_assert_eq!(fast, slow);
    }

    /// Whole games: black fills some rows of the board and white others in any order, so that rows of
    /// every length come about, now and then crossed by a move of the other side.
    #[test]
    fn outcomes_follow_the_slow_definition(
        lines in 10u8..=20,
        rule in proptest::sample::select(vec![Rule::Freestyle, Rule::Standard, Rule::Renju]),
        across: bool,
        moves in proptest::collection::vec((0u8..9, 0u8..2, 0u8..12), 5..90),
    ) {
        let size = Size::new(lines).unwrap();
        let mut game = Game::new(size, rule);
        for (along, row, crossing) in moves {
            let parity = u8::from((game.to_move() == Color::White) != (crossing == 0));
            let (x, y) = (along, 2 * row + parity);
            let at = if across { Point::new(y, x) } else { Point::new(x, y) };
            let before = game.clone();
            if game.play(at).is_err() {
                proptest::prop_assert!(before.outcome().is_over() || !before.board().is_empty_at(at));
                proptest::prop_assert_eq!(&game, &before);
                continue;
            }
            let mover = before.to_move();
            let wins = |stones| match (rule, mover) {
                (Rule::Freestyle, _) | (Rule::Renju, Color::White) => stones >= 5,
                (Rule::Standard, _) | (Rule::Renju, Color::Black) => stones == 5,
            };
            let rows = slow::rows(game.board(), at, mover);
            let five = rows.iter().any(|row| wins(row.len()));
            let broken = rule == Rule::Renju
                && mover == Color::Black
                && slow::is_forbidden(before.board(), at);
            match game.outcome() {
                Outcome::Win(winner, WinReason::Row(row)) => {
                    proptest::prop_assert!(five && winner == mover);
                    let mut points: Vec<Point> = row.points().collect();
                    points.sort();
                    proptest::prop_assert!(rows.iter().any(|row| wins(row.len()) && *row == points));
                }
                Outcome::Win(winner, WinReason::Forbidden(_)) => {
                    proptest::prop_assert!(!five && broken && winner == Color::White);
                }
                Outcome::Draw => proptest::prop_assert!(false, "the board is not full"),
                Outcome::Running => proptest::prop_assert!(!five && !broken),
            }
        }
    }
}
