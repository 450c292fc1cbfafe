// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading the test data.
#![allow(dead_code, reason = "every test program uses a part")]

use serde::de::DeserializeOwned;
use wuzi_engine::{Board, Color, Game, Point, Rule, Size};

/// The records of a JSON Lines file of `tests/data`.
pub fn records<T: DeserializeOwned>(name: &str) -> Vec<T> {
    text(name)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record of the expected form"))
        .collect()
}

fn text(name: &str) -> String {
    let path = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the test data is in the repository")
}

/// The board drawn by 15 rows, the top row first.
pub fn board(rows: &[String]) -> Board {
    let mut board = Board::new(Size::new(rows.len() as u8).unwrap());
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

/// A point of the 15×15 board by its name.
pub fn point(name: &str) -> Point {
    Point::parse(name, Size::DEFAULT).unwrap()
}

/// The balanced openings of a rule as games.
pub fn openings(rule: Rule) -> Vec<Game> {
    let name = match rule {
        Rule::Freestyle => "openings_freestyle.txt",
        Rule::Standard => "openings_standard.txt",
        Rule::Renju => "openings_renju.txt",
    };
    text(name).lines().map(|line| game(line, rule)).collect()
}

/// A 15×15 game from moves run together, such as `h8i9`.
pub fn game(moves: &str, rule: Rule) -> Game {
    let mut game = Game::new(Size::DEFAULT, rule);
    let starts: Vec<usize> =
        moves.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    for (n, &start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(moves.len());
        game.play(point(&moves[start..end])).unwrap();
    }
    game
}
