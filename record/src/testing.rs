// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records for tests.

use proptest::prelude::*;
use wuzi_engine::{Color, Point, Rule, Size};

use crate::{Info, Record, Verdict, WonBy};

/// What formats may stumble over.
const TEXTS: [&str; 8] = ["", "]", "\\", "a\\]b:(;)", "line\nline", "五子棋 é", "1,2,3", " #\"' "];

/// Points of a 15×15 board by name.
pub(crate) fn points(names: &str) -> Vec<Point> {
    names.split(' ').map(|name| Point::parse(name, Size::DEFAULT).unwrap()).collect()
}

fn info() -> impl Strategy<Value = Info> {
    let rule = prop::option::of(prop::sample::select(vec![Rule::Freestyle, Rule::Standard, Rule::Renju]));
    let by = prop::sample::select(vec![WonBy::Stones, WonBy::Resignation, WonBy::Time, WonBy::Forfeit]);
    let won = (any::<bool>(), by)
        .prop_map(|(black, by)| Verdict::Won(if black { Color::Black } else { Color::White }, by));
    let verdict = prop_oneof![Just(Verdict::Unknown), Just(Verdict::Draw), won];
    (["\\PC{0,8}"; 4], rule, verdict).prop_map(|([name, black, white, date], rule, verdict)| Info {
        name,
        black,
        white,
        date,
        rule,
        verdict,
    })
}

/// Any record of a board of this many lines.
pub(crate) fn record_of(lines: impl Strategy<Value = u8>) -> impl Strategy<Value = Record> {
    let step =
        (any::<prop::sample::Index>(), 0..20u8, 0..20u8, 0..8u8, prop::sample::select(&TEXTS), any::<u32>());
    (lines, info(), prop::collection::vec(step, 0..60)).prop_map(|(lines, info, steps)| {
        let mut record = Record::new(Size::new(lines).unwrap());
        record.info = info;
        let mut ids = vec![Record::ROOT];
        for (from, x, y, extra, text, millis) in steps {
            // Most moves follow the last one, so that lines grow long.
            let parent = if extra < 6 { ids[ids.len() - 1] } else { ids[from.index(ids.len())] };
            let Ok(id) = record.add(parent, Point::new(x, y)) else { continue };
            match extra {
                0 => record.set_comment(id, text),
                1 => record.set_label(id, text),
                2 => record.set_marked(id, true),
                3 => record.set_millis(id, Some(millis)),
                4 => record.set_comment(Record::ROOT, text),
                _ => {}
            }
            ids.push(id);
        }
        record
    })
}

/// Any record.
pub(crate) fn record() -> impl Strategy<Value = Record> {
    record_of(10..=20u8)
}

/// The record with only its main line, and nothing said of it.
pub(crate) fn bare(record: &Record) -> Record {
    Record::from_moves(record.size(), &record.main_line()).unwrap()
}
