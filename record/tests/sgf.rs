// SPDX-License-Identifier: MIT OR Apache-2.0
//! What we write is read the same by an independent SGF library.

use proptest::prelude::*;
use sgf_parse::unknown_game::Prop;
use sgf_parse::{GameTree, SgfNode, SgfProp};
use wuzi_engine::{Color, Point, Size};
use wuzi_record::{NodeId, Record, sgf};

fn coordinates(point: Point) -> String {
    [point.x, point.y].map(|n| char::from(b'a' + n)).iter().collect()
}

fn agrees(record: &Record, id: NodeId, node: &SgfNode<Prop>) {
    let find = |name: &str| node.properties().find(|property| property.identifier() == name);
    if let Some(point) = record.point(id) {
        let expected = match record.to_move(id) {
            Color::White => Prop::B(coordinates(point)),
            Color::Black => Prop::W(coordinates(point)),
        };
        assert!(node.properties().any(|property| *property == expected), "{expected:?} in {node:?}");
    }
    let comment = match find("C") {
        Some(Prop::C(text)) => text.text.as_str(),
        _ => "",
    };
    assert_eq!(comment, record.comment(id));
    assert_eq!(node.children().count(), record.children(id).count());
    for (child, id) in node.children().zip(record.children(id)) {
        agrees(record, id, child);
    }
}

proptest! {
    #[test]
    fn an_independent_reader_sees_the_same_game(
        lines in 10..=20u8,
        steps in prop::collection::vec((any::<prop::sample::Index>(), 0..20u8, 0..20u8, "[a-z\\]\\\\:;()]{0,4}"), 0..50),
        name in "[a-z\\]\\\\:;()\u{4E00}-\u{4EFF}]{0,8}",
    ) {
        let mut record = Record::new(Size::new(lines).unwrap());
        record.info.black = name.clone();
        let mut ids = vec![Record::ROOT];
        for (from, x, y, comment) in steps {
            let Ok(id) = record.add(ids[from.index(ids.len())], Point::new(x, y)) else { continue };
            record.set_comment(id, &comment);
            ids.push(id);
        }
        let trees = sgf_parse::parse(&sgf::write(&record)).unwrap();
        let [GameTree::Unknown(root)] = &*trees else { panic!("one game that is not Go") };
        let black = root.properties().find_map(|property| match property {
            Prop::PB(text) => Some(text.text.as_str()),
            _ => None,
        });
        prop_assert_eq!(black.unwrap_or_default(), name);
        agrees(&record, Record::ROOT, root);
    }
}
