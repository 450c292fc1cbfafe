// SPDX-License-Identifier: MIT OR Apache-2.0
//! The 26 named openings of Renju: three moves from which games have names.

use wuzi_engine::{Point, Size};

use crate::Record;

/// A named opening on the 15×15 board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its usual code: `D` where white answers beside the middle, `I` where diagonally.
    pub code: &'static str,
    /// Its Chinese name.
    pub chinese: &'static str,
    /// Its Japanese name in Latin letters.
    pub latin: &'static str,
    third: (u8, u8),
}

impl Opening {
    const fn new(code: &'static str, third: (u8, u8), chinese: &'static str, latin: &'static str) -> Self {
        Self { code, chinese, latin, third }
    }

    /// Its three moves: black in the middle, white above or to the upper right, black.
    #[must_use]
    pub fn moves(&self) -> [Point; 3] {
        let second = if self.code.starts_with('D') { (b'H', 9) } else { (b'I', 9) };
        [(b'H', 8), second, self.third]
            .map(|(column, row)| Point::new(column - b'A', Size::DEFAULT.lines() - row))
    }

    /// Its code and its names.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{} {} {}", self.code, self.chinese, self.latin)
    }

    /// Its moves as text: `h8 h9 h10`.
    #[must_use]
    pub fn moves_text(&self) -> String {
        self.moves().map(|point| point.name(Size::DEFAULT).to_string()).join(" ")
    }

    /// A record that begins with it.
    #[must_use]
    pub fn record(&self) -> Record {
        let mut record = Record::new(Size::DEFAULT);
        // Distinct points of the board, as a test states.
        let _ = record.add_line(Record::ROOT, &self.moves());
        record.info.name = self.title();
        record
    }
}

/// The direct openings, then the indirect ones.
pub const OPENINGS: [Opening; 26] = [
    Opening::new("D1", (b'H', 10), "寒星", "Kansei"),
    Opening::new("D2", (b'I', 10), "溪月", "Keigetsu"),
    Opening::new("D3", (b'J', 10), "疏星", "Sosei"),
    Opening::new("D4", (b'I', 9), "花月", "Kagetsu"),
    Opening::new("D5", (b'J', 9), "残月", "Zangetsu"),
    Opening::new("D6", (b'I', 8), "雨月", "Ugetsu"),
    Opening::new("D7", (b'J', 8), "金星", "Kinsei"),
    Opening::new("D8", (b'H', 7), "松月", "Shogetsu"),
    Opening::new("D9", (b'I', 7), "丘月", "Kyugetsu"),
    Opening::new("D10", (b'J', 7), "新月", "Shingetsu"),
    Opening::new("D11", (b'H', 6), "瑞星", "Zuisei"),
    Opening::new("D12", (b'I', 6), "山月", "Sangetsu"),
    Opening::new("D13", (b'J', 6), "游星", "Yusei"),
    Opening::new("I1", (b'J', 10), "长星", "Chosei"),
    Opening::new("I2", (b'J', 9), "峡月", "Kyogetsu"),
    Opening::new("I3", (b'J', 8), "恒星", "Kosei"),
    Opening::new("I4", (b'J', 7), "水月", "Suigetsu"),
    Opening::new("I5", (b'J', 6), "流星", "Ryusei"),
    Opening::new("I6", (b'I', 8), "云月", "Ungetsu"),
    Opening::new("I7", (b'I', 7), "浦月", "Hogetsu"),
    Opening::new("I8", (b'I', 6), "岚月", "Rangetsu"),
    Opening::new("I9", (b'H', 7), "银月", "Gingetsu"),
    Opening::new("I10", (b'H', 6), "明星", "Myojo"),
    Opening::new("I11", (b'G', 7), "斜月", "Shagetsu"),
    Opening::new("I12", (b'G', 6), "名月", "Meigetsu"),
    Opening::new("I13", (b'F', 6), "彗星", "Suisei"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::points;

    #[test]
    fn each_opening_is_three_moves() {
        for opening in OPENINGS {
            assert_eq!(opening.record().main_line(), opening.moves(), "{}", opening.code);
        }
        let find = |code| OPENINGS.into_iter().find(|opening| opening.code == code).unwrap();
        assert_eq!(find("D4").moves(), *points("h8 h9 i9"));
        assert_eq!(find("I13").moves(), *points("h8 i9 f6"));
    }

    /// The third moves are all points of the five by five square around the middle up to the
    /// symmetry that the first two leave: a mirror for each kind.
    #[test]
    fn the_openings_are_all_third_moves_near_the_middle() {
        for (kind, second) in [('D', "h9"), ('I', "i9")] {
            let images = |point: Point| -> BTreeSet<Point> {
                let (x, y) = (i32::from(point.x) - 7, i32::from(point.y) - 7);
                // Left and right, or across the diagonal through the second move.
                let (u, v) = if kind == 'D' { (-x, y) } else { (-y, -x) };
                [(x, y), (u, v)].map(|(x, y)| Point::new((x + 7) as u8, (y + 7) as u8)).into_iter().collect()
            };
            let square = (5..=9).flat_map(|x| (5..=9).map(move |y| Point::new(x, y)));
            let taken = points(&format!("h8 {second}"));
            let expected: BTreeSet<_> = square.filter(|p| !taken.contains(p)).map(images).collect();
            let named: BTreeSet<_> =
                OPENINGS.iter().filter(|o| o.code.starts_with(kind)).map(|o| images(o.moves()[2])).collect();
            assert_eq!(named.len(), 13);
            assert_eq!(named, expected, "{kind}");
        }
    }
}
