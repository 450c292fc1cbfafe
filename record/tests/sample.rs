// SPDX-License-Identifier: MIT OR Apache-2.0
//! `data/sample.lib` was written by an independent program; `data/sample.txt` lists its positions.

use std::collections::BTreeSet;

use wuzi_engine::{Color, Point, Size};
use wuzi_record::{Format, Record};

const LIBRARY: &[u8] = include_bytes!("data/sample.lib");
const LIST: &str = include_str!("data/sample.txt");

type Position = BTreeSet<(Point, Color)>;

/// The first, in order, of the position's eight mirror and turned images.
fn canonical(position: &Position) -> Position {
    let last = Size::DEFAULT.lines() - 1;
    let image = |turn: u8| -> Position {
        let turned = |point: Point| {
            let point = if turn & 1 != 0 { Point::new(last - point.x, point.y) } else { point };
            let point = if turn & 2 != 0 { Point::new(point.x, last - point.y) } else { point };
            if turn & 4 != 0 { Point::new(point.y, point.x) } else { point }
        };
        position.iter().map(|&(point, color)| (turned(point), color)).collect()
    };
    (0..8).map(image).min().expect("eight images")
}

fn position(moves: &[Point]) -> Position {
    moves.iter().enumerate().map(|(ply, &point)| (point, Color::to_move_after(ply))).collect()
}

/// The stones of a key such as `r-15-15-g7h8-f6g9-b`: black's, white's, the side to move.
fn listed(line: &str) -> Position {
    let key = line.split(',').nth(1).expect("a key in each line");
    let [_, _, _, black, white, _] = key.split('-').collect::<Vec<_>>()[..] else { panic!("{key}") };
    let stones = |text: &str| Format::Text.read(text.as_bytes()).expect("points").main_line();
    let side = |text, color| stones(text).into_iter().map(move |point| (point, color));
    side(black, Color::Black).chain(side(white, Color::White)).collect()
}

/// The program that wrote the list names one of the eight images of each position, and the list holds
/// the same positions when it is mirrored; so it cannot tell whether rows count from the top. That
/// they do is stated by `lib_file`'s own tests.
#[test]
fn the_library_holds_exactly_the_listed_positions() {
    let record = Format::Lib.read(LIBRARY).expect("a good library");
    let held: BTreeSet<Position> = record
        .preorder()
        .map(|id| record.path(id))
        .filter(|moves| moves.len() >= 2)
        .map(|moves| canonical(&position(&moves)))
        .collect();
    let listed: BTreeSet<Position> = LIST.lines().skip(1).map(|line| canonical(&listed(line))).collect();
    assert_eq!(listed.len(), 13);
    assert_eq!(held, listed);
}

#[test]
fn labels_and_their_moves_are_read() {
    let record = Format::Lib.read(LIBRARY).expect("a good library");
    let h8 = record.first_child(Record::ROOT).expect("a first move");
    assert_eq!(record.children(h8).count(), 4, "the four images of the second move");
    let third = record.line_from(Record::ROOT).nth(3).expect("a third move");
    assert_eq!(record.label(third), "63%");
    assert_eq!(record.children(third).count(), 11);
}

#[test]
fn written_again_the_library_has_the_same_bytes() {
    let record = Format::Lib.read(LIBRARY).expect("a good library");
    assert_eq!(Format::Lib.write(&record).expect("15 lines"), LIBRARY);
}
