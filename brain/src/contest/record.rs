// SPDX-License-Identifier: MIT OR Apache-2.0
//! Games of a match as files for other programs.

use std::fmt::Write as _;

use sgf_parse::unknown_game::Prop;
use sgf_parse::{SgfNode, SimpleText, Text};
use wuzi_engine::{Color, Point, Size};

use super::referee::{End, Played, Terms};
use crate::batch::rule_name;

/// Piskvork's .psq: sizes, `x,y,ms` from 1, the names, and the result code "unknown", since what
/// other codes mean differs between programs.
#[must_use]
pub fn psq(terms: &Terms, black: &str, white: &str, played: &Played) -> String {
    let lines = terms.size.lines();
    let mut text = format!("Piskvorky {lines}x{lines}, 11:11, 0\r\n");
    for (point, time) in played.moves.iter().zip(&played.times) {
        let _ = write!(text, "{},{},{}\r\n", point.x + 1, point.y + 1, time.as_millis());
    }
    let _ = write!(text, "{}\r\n{}\r\n-1\r\n", one_line(black), one_line(white));
    text
}

/// SGF, FF\[4\] GM\[4\]: `aa` is the top left point.
#[must_use]
pub fn sgf(terms: &Terms, black: &str, white: &str, played: &Played) -> String {
    let simple = |text: &str| SimpleText { text: one_line(text) };
    let result = match (played.winner, &played.end) {
        (None, _) => "0",
        (Some(Color::Black), End::Time(_) | End::GameTime(_)) => "B+T",
        (Some(Color::White), End::Time(_) | End::GameTime(_)) => "W+T",
        (Some(Color::Black), end) if end.is_fault() => "B+F",
        (Some(Color::White), end) if end.is_fault() => "W+F",
        (Some(Color::Black), _) => "B+",
        (Some(Color::White), _) => "W+",
    };
    let root = vec![
        Prop::FF(4),
        Prop::GM(4),
        Prop::CA(simple("UTF-8")),
        Prop::AP((simple("wuzi-match"), simple(env!("CARGO_PKG_VERSION")))),
        // A square board's size is a single number, which `Prop::SZ` does not write.
        Prop::Unknown("SZ".to_owned(), vec![terms.size.lines().to_string()]),
        Prop::RU(simple(rule_name(terms.rule))),
        Prop::PB(simple(black)),
        Prop::PW(simple(white)),
        Prop::RE(simple(result)),
    ];
    let mut properties: Vec<Vec<Prop>> = vec![root];
    for (ply, &point) in played.moves.iter().enumerate() {
        let at = coordinates(point);
        properties.push(vec![match Color::to_move_after(ply) {
            Color::Black => Prop::B(at),
            Color::White => Prop::W(at),
        }]);
    }
    if let Some(last) = properties.last_mut() {
        last.push(Prop::C(Text { text: played.end.to_string() }));
    }
    let tree = properties.into_iter().enumerate().rev().fold(None, |next, (number, properties)| {
        Some(SgfNode::new(properties, next.into_iter().collect(), number == 0))
    });
    let mut text = tree.map(|tree| tree.serialize()).unwrap_or_default();
    text.push('\n');
    text
}

fn coordinates(point: Point) -> String {
    const { assert!(Size::MAX.lines() <= 26) };
    [point.x, point.y].map(|n| char::from(b'a' + n)).iter().collect()
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sgf_parse::{GameTree, SgfProp};
    use wuzi_engine::Rule;

    use super::*;

    fn terms() -> Terms {
        Terms {
            size: Size::DEFAULT,
            rule: Rule::Freestyle,
            turn: Duration::from_secs(1),
            game: None,
            tolerance: Duration::ZERO,
            draw_after: 0,
            proof_nodes: 0,
        }
    }

    fn played() -> Played {
        Played {
            moves: vec![Point::new(7, 7), Point::new(0, 14)],
            times: vec![Duration::from_millis(12), Duration::ZERO],
            winner: Some(Color::Black),
            end: End::Illegal("a [bracket] and a \\".to_owned()),
        }
    }

    #[test]
    fn a_psq_counts_from_one_and_ends_lines_with_crlf() {
        let text = psq(&terms(), "one\r\ntwo", "white", &played());
        let expected = "Piskvorky 15x15, 11:11, 0\r\n8,8,12\r\n1,15,0\r\none  two\r\nwhite\r\n-1\r\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_sgf_reads_back() {
        let text = sgf(&terms(), "a]b", "white", &played());
        let trees = sgf_parse::parse(&text).unwrap();
        let [GameTree::Unknown(root)] = &*trees else { panic!("one game that is not Go: {text}") };
        let find = |node: &SgfNode<Prop>, name: &str| {
            node.properties().find(|property| property.identifier() == name).cloned()
        };
        assert_eq!(find(root, "GM"), Some(Prop::GM(4)));
        assert_eq!(find(root, "FF"), Some(Prop::FF(4)));
        assert_eq!(find(root, "SZ"), Some(Prop::SZ((15, 15))));
        assert_eq!(find(root, "PB"), Some(Prop::PB(SimpleText { text: "a]b".to_owned() })));
        assert_eq!(find(root, "RE"), Some(Prop::RE(SimpleText { text: "B+F".to_owned() })));
        let nodes: Vec<_> = root.main_variation().collect();
        assert_eq!(find(nodes[1], "B"), Some(Prop::B("hh".to_owned())));
        assert_eq!(find(nodes[2], "W"), Some(Prop::W("ao".to_owned())));
        let comment = Text { text: "illegal move: a [bracket] and a \\".to_owned() };
        assert_eq!(find(nodes[2], "C"), Some(Prop::C(comment)));
    }

    #[test]
    fn the_longest_game_is_written() {
        let moves: Vec<_> = Size::MAX.iter().collect();
        let times = vec![Duration::ZERO; moves.len()];
        let played = Played { moves, times, winner: None, end: End::FullBoard };
        let text = sgf(&Terms { size: Size::MAX, ..terms() }, "b", "w", &played);
        assert!(
            sgf_parse::parse(&text).is_ok() && text.contains("SZ[20]") && text.contains("W[tt]C[full board]")
        );
    }
}
