// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Smart Game Format, FF\[4\], of Gomoku and Renju games, GM\[4\]: the native format.
//!
//! Points are two letters, column and row, `aa` at the **top** left. Of a file with several games
//! the first is read. Stones set up before the first move (`AB`, `AW`) become moves if the sides
//! can have alternated. Properties that are not named here are passed over.
//!
//! | property | meaning |
//! | --- | --- |
//! | `SZ` | number of lines, 15 if it is missing |
//! | `RU` | `Freestyle`, `Standard` or `Renju` |
//! | `GN`, `PB`, `PW`, `DT`, `RE` | name, players, date, result |
//! | `B`, `W` | the move |
//! | `C`, `N`, `MA` | comment, label, mark on the move itself |
//!
//! The parser is our own: it tells the place of an error, holds no more than [`crate::MAX_NODES`]
//! moves, and its stack does not grow with the depth of the tree.

use std::fmt::Write as _;

use encoding_rs::Encoding;
use wuzi_engine::{Color, Point, Rule, Size};

use crate::charset::{clean_line, decode};
use crate::{NodeId, Place, ReadError, Reason, Record, Verdict};

/// Reads the first game of a file.
///
/// # Errors
/// If the text is no SGF, the game is another one or its board has another form or size, a side
/// moves twice, or a move is off the board or on a stone.
pub fn read(bytes: &[u8]) -> Result<Record, ReadError> {
    let text = decode(bytes, charset(bytes));
    Reader { text: &text, at: 0 }.game()
}

/// The character set that `CA` names.
fn charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes.windows(3).position(|part| part == b"CA[")? + 3;
    let length = bytes[start..].iter().take(40).position(|&byte| byte == b']')?;
    Encoding::for_label(&bytes[start..start + length])
}

/// The properties that mean something here; a file may have any number of others.
const KNOWN: [&str; 15] =
    ["GM", "SZ", "RU", "GN", "PB", "PW", "DT", "RE", "AB", "AW", "B", "W", "C", "N", "MA"];

/// So many values of a property in a node count: no board has more points.
const MOST_VALUES: usize = Size::MAX.points();

/// A property of a node: its name, its raw values wherever they stand in the node, and where it begins.
struct Property<'a> {
    name: &'static str,
    values: Vec<&'a str>,
    at: usize,
}

impl Property<'_> {
    fn first(&self) -> &str {
        self.values.first().copied().unwrap_or_default()
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, at: usize, reason: impl Into<Reason>) -> ReadError {
        ReadError::new(Place::in_text(self.text, at), reason)
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text.as_bytes().get(self.at).copied()
    }

    fn game(mut self) -> Result<Record, ReadError> {
        self.at = self.text.find('(').ok_or_else(|| self.error(0, Reason::NotSgf))?;
        // Where each open variation goes on.
        let mut open: Vec<NodeId> = Vec::new();
        let mut current = Record::ROOT;
        let mut record: Option<Record> = None;
        loop {
            match self.peek() {
                Some(b'(') => {
                    self.at += 1;
                    open.push(current);
                    if self.peek() != Some(b';') {
                        return Err(self.error(self.at, Reason::VariationStart));
                    }
                }
                Some(b')') => {
                    self.at += 1;
                    current = open.pop().unwrap_or(Record::ROOT);
                    if open.is_empty() {
                        return record.ok_or_else(|| self.error(self.at, Reason::NoNode));
                    }
                }
                Some(b';') => {
                    self.at += 1;
                    let node = self.node()?;
                    let record = match &mut record {
                        Some(record) => record,
                        None => record.insert(self.root(&node)?),
                    };
                    current = self.apply(record, current, &node)?;
                }
                Some(_) => return Err(self.error(self.at, Reason::NoSign)),
                None => return Err(self.error(self.at, Reason::EndsEarly)),
            }
        }
    }

    fn node(&mut self) -> Result<Vec<Property<'a>>, ReadError> {
        let mut properties: Vec<Property<'a>> = Vec::new();
        while self.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
            let at = self.at;
            let length = self.text[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
            self.at += length;
            // Before FF[4] names could have small letters between, without a meaning.
            let capitals = || self.text[at..at + length].bytes().filter(u8::is_ascii_uppercase);
            let known = KNOWN.into_iter().find(|name| capitals().eq(name.bytes()));
            let index = known.map(|name| {
                properties.iter().position(|property| property.name == name).unwrap_or_else(|| {
                    properties.push(Property { name, values: Vec::new(), at });
                    properties.len() - 1
                })
            });
            let mut is_empty = true;
            while self.peek() == Some(b'[') {
                let value = self.value()?;
                is_empty = false;
                if let Some(property) = index.map(|index| &mut properties[index])
                    && property.values.len() < MOST_VALUES
                {
                    property.values.push(value);
                }
            }
            if is_empty {
                return Err(self.error(at, Reason::NoValue));
            }
        }
        Ok(properties)
    }

    /// What stands between brackets, still with its backslashes.
    fn value(&mut self) -> Result<&'a str, ReadError> {
        let start = self.at + 1;
        let mut escaped = false;
        for (offset, byte) in self.text.as_bytes()[start..].iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => {
                    self.at = start + offset + 1;
                    return Ok(&self.text[start..start + offset]);
                }
                _ => {}
            }
        }
        Err(self.error(self.at, Reason::OpenValue))
    }

    /// The record that the first node begins.
    fn root(&self, node: &[Property<'_>]) -> Result<Record, ReadError> {
        let mut size = Size::DEFAULT;
        for property in node {
            let value = property.first().trim();
            match property.name {
                "GM" if value != "4" => {
                    return Err(self.error(property.at, Reason::OtherGame));
                }
                "SZ" => {
                    let lines = match value.split_once(':') {
                        Some((width, height)) if width == height => width,
                        _ => value,
                    };
                    size = lines
                        .parse()
                        .ok()
                        .and_then(Size::new)
                        .ok_or_else(|| self.error(property.at, Reason::BoardSize))?;
                }
                _ => {}
            }
        }
        Ok(Record::new(size))
    }

    /// Adds what a node says after the position `parent` and returns the position then.
    fn apply(&self, record: &mut Record, parent: NodeId, node: &[Property<'_>]) -> Result<NodeId, ReadError> {
        let mut current = self.set_up(record, parent, node)?;
        let mut moved = false;
        for property in node {
            let color = match property.name {
                "B" => Color::Black,
                "W" => Color::White,
                _ => continue,
            };
            if moved || property.values.len() > 1 {
                return Err(self.error(property.at, Reason::TwoMoves));
            }
            if color != record.to_move(current) {
                return Err(self.error(property.at, Reason::SideTwice));
            }
            current = self.add(record, current, property.first(), property.at)?;
            moved = true;
        }
        for property in node {
            let text = || clean_line(&unescape(property.first()));
            match property.name {
                "C" => property.values.iter().for_each(|text| record.add_comment(current, &unescape(text))),
                "N" => record.set_label(current, &text()),
                "MA" => {
                    let own = record.point(current);
                    if own.is_some() && property.values.iter().any(|value| point(value) == own) {
                        record.set_marked(current, true);
                    }
                }
                "RU" => record.info.rule = rule(&text()),
                "GN" => record.info.name = text(),
                "PB" => record.info.black = text(),
                "PW" => record.info.white = text(),
                "DT" => record.info.date = text(),
                "RE" => record.info.verdict = Verdict::from_sgf(&text()),
                _ => {}
            }
        }
        Ok(current)
    }

    fn add(&self, record: &mut Record, to: NodeId, value: &str, at: usize) -> Result<NodeId, ReadError> {
        let point = match point(value) {
            Some(point) => point,
            None if value.trim().is_empty() => {
                return Err(self.error(at, Reason::Passed));
            }
            None => return Err(self.error(at, Reason::NoPoint)),
        };
        record.add_once_more(to, point).map_err(|error| self.error(at, error))
    }

    /// Stones that are set up: black's and white's in turn, in the order in which they are named.
    fn set_up(
        &self,
        record: &mut Record,
        parent: NodeId,
        node: &[Property<'_>],
    ) -> Result<NodeId, ReadError> {
        let mut stones: [Vec<&str>; 2] = [Vec::new(), Vec::new()];
        let mut at = 0;
        for property in node {
            match property.name {
                "AB" => stones[0].extend(&property.values),
                "AW" => stones[1].extend(&property.values),
                _ => continue,
            }
            at = property.at;
        }
        let [black, white] = stones;
        if black.is_empty() && white.is_empty() {
            return Ok(parent);
        }
        if parent != Record::ROOT {
            return Err(self.error(at, Reason::LateSetup));
        }
        if black.len() != white.len() && black.len() != white.len() + 1 {
            return Err(self.error(at, Reason::UnevenSetup));
        }
        let mut current = parent;
        for ply in 0..black.len() + white.len() {
            let side = if ply % 2 == 0 { &black } else { &white };
            current = self.add(record, current, side[ply / 2], at)?;
        }
        Ok(current)
    }
}

fn point(value: &str) -> Option<Point> {
    let &[x, y] = value.trim().as_bytes() else { return None };
    (x.is_ascii_lowercase() && y.is_ascii_lowercase()).then(|| Point::new(x - b'a', y - b'a'))
}

fn rule(text: &str) -> Option<Rule> {
    match text.trim().to_ascii_lowercase().as_str() {
        "freestyle" => Some(Rule::Freestyle),
        "standard" => Some(Rule::Standard),
        "renju" => Some(Rule::Renju),
        _ => None,
    }
}

const fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => "Freestyle",
        Rule::Standard => "Standard",
        Rule::Renju => "Renju",
    }
}

/// Text without its backslashes; a line end after one joins two lines.
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some(end @ ('\n' | '\r')) => {
                let _ = chars.next_if(|&next| matches!(next, '\n' | '\r') && next != end);
            }
            Some(c) => text.push(c),
            None => {}
        }
    }
    text
}

/// Writes the game with all its variations.
#[must_use]
pub fn write(record: &Record) -> String {
    let info = &record.info;
    let mut text =
        format!("(;FF[4]GM[4]CA[UTF-8]AP[Wuzi:{}]SZ[{}]", env!("CARGO_PKG_VERSION"), record.size().lines());
    if let Some(rule) = info.rule {
        let _ = write!(text, "RU[{}]", rule_name(rule));
    }
    let verdict = info.verdict.to_string();
    for (name, value) in
        [("GN", &info.name), ("PB", &info.black), ("PW", &info.white), ("DT", &info.date), ("RE", &verdict)]
    {
        put(&mut text, name, &clean_line(value));
    }
    write_node(record, Record::ROOT, &mut text);
    // The number of brackets that are open before a node.
    let mut later: Vec<(NodeId, usize)> = Vec::new();
    let mut depth = 1;
    let mut next = record.first_child(Record::ROOT);
    let mut is_only = next.is_some_and(|id| record.next_sibling(id).is_none());
    while let Some(id) = next {
        if !is_only {
            later.extend(record.next_sibling(id).map(|sibling| (sibling, depth)));
            text.push_str("\n(");
            depth += 1;
        }
        text.push(';');
        write_node(record, id, &mut text);
        next = record.first_child(id);
        is_only = next.is_some_and(|child| record.next_sibling(child).is_none());
        if next.is_none()
            && let Some((sibling, at)) = later.pop()
        {
            text.push_str(&")".repeat(depth - at));
            depth = at;
            next = Some(sibling);
            is_only = false;
        }
    }
    text.push_str(&")".repeat(depth));
    text.push('\n');
    text
}

fn write_node(record: &Record, id: NodeId, text: &mut String) {
    if let Some(point) = record.point(id) {
        let color = if record.to_move(id) == Color::White { 'B' } else { 'W' };
        const { assert!(Size::MAX.lines() <= 26) };
        let [x, y] = [point.x, point.y].map(|n| char::from(b'a' + n));
        let _ = write!(text, "{color}[{x}{y}]");
        if record.is_marked(id) {
            let _ = write!(text, "MA[{x}{y}]");
        }
    }
    put(text, "N", record.label(id));
    put(text, "C", record.comment(id));
}

fn put(text: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let value = value.replace('\\', "\\\\").replace(']', "\\]");
        let _ = write!(text, "{name}[{value}]");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WonBy;
    use crate::testing::{points, record};
    use proptest::prelude::*;

    fn read_text(text: &str) -> Record {
        read(text.as_bytes()).unwrap()
    }

    #[test]
    fn names_comments_and_variations_are_read() {
        let record = read_text(
            "preface (;FF[4]GM[4]SZ[15]RU[renju]PB[Ada\\]]PW[Bo\nb]DT[2026-11-30]RE[W+R]GN[final]C[start]\n\
             ;B[hh]C[a\\\nb:\\\\c\td](;W[ig]N[x];B[jf])(;W[ih]MA[aa][ih]))(;GM[1]SZ[19])",
        );
        let info = &record.info;
        assert_eq!(
            (&*info.black, &*info.white, &*info.date, &*info.name),
            ("Ada]", "Bo b", "2026-11-30", "final")
        );
        assert_eq!(
            (info.rule, info.verdict),
            (Some(Rule::Renju), Verdict::Won(Color::White, WonBy::Resignation))
        );
        assert_eq!(record.main_line(), points("h8 i9 j10"));
        let h8 = record.first_child(Record::ROOT).unwrap();
        assert_eq!((record.comment(Record::ROOT), record.comment(h8)), ("start", "ab:\\c d"));
        let [i9, i8] = record.children(h8).collect::<Vec<_>>()[..] else { panic!("two replies") };
        assert_eq!((record.label(i9), record.is_marked(i9)), ("x", false));
        assert_eq!((record.path(i8), record.is_marked(i8)), (points("h8 i8"), true));
    }

    #[test]
    fn old_and_foreign_files_are_read() {
        let record = read_text("(;GaMe[4]SiZe[20:20];Black[aa];White[tt];KO[])");
        assert_eq!(record.size(), Size::MAX);
        assert_eq!(record.main_line(), [Point::new(0, 0), Point::new(19, 19)]);
        let record = read(b"(;CA[GB2312]PB[\xCE\xE5\xD7\xD3]GM[4];B[hh];C[after])").unwrap();
        assert_eq!(record.info.black, "五子");
        let h8 = record.first_child(Record::ROOT).unwrap();
        assert_eq!(record.comment(h8), "after", "a node without a move belongs to the one before");
    }

    /// A file of nothing but properties took fifty times its own length of memory.
    #[test]
    fn a_node_holds_no_more_than_what_it_means() {
        let many = |text: &str| text.repeat(100_000);
        let text = format!("(;GM[4]{}ZZ{}{}B[hh]C[y])", many("A[]"), many("[]"), many("C[x]"));
        let mut reader = Reader { text: &text, at: 2 };
        let node = reader.node().unwrap();
        assert_eq!(reader.at, text.len() - 1, "all of it is read");
        assert_eq!(node.iter().map(|property| property.name).collect::<Vec<_>>(), ["GM", "C", "B"]);
        assert!(node.iter().all(|property| property.values.capacity() <= 2 * MOST_VALUES));
        let record = read_text("(;C[one]GM[4]C[two];C[three][four]B[hh])");
        assert_eq!(record.comment(Record::ROOT), "one\ntwo");
        assert_eq!(record.comment(record.first_child(Record::ROOT).unwrap()), "three\nfour");
    }

    #[test]
    fn stones_that_are_set_up_become_moves() {
        let record = read_text("(;GM[4]AB[hh][jf]AW[ig];W[aa])");
        assert_eq!(record.main_line(), points("h8 i9 j10 a15"));
    }

    #[test]
    fn bad_files_are_refused_with_the_place() {
        for (text, message) in [
            ("", "line 1, column 1: not an SGF file: no \"(\""),
            ("()", "line 1, column 2: a variation begins with \";\""),
            ("(;GM[1])", "line 1, column 3: another game: five in a row is GM[4]"),
            ("(;\nSZ[9])", "line 2, column 1: boards are square and have 10 to 20 lines"),
            ("(;SZ[15:16])", "line 1, column 3: boards are square and have 10 to 20 lines"),
            ("(;B[hh];B[ii])", "line 1, column 9: the same side moves twice"),
            ("(;W[hh])", "line 1, column 3: the same side moves twice"),
            ("(;B[hh]W[ii])", "line 1, column 8: two moves in one node"),
            ("(;B[hh]B[ii])", "line 1, column 3: two moves in one node"),
            ("(;B[hh][ii])", "line 1, column 3: two moves in one node"),
            ("(;B[hh];W[hh])", "line 1, column 9: a stone stands on that point"),
            ("(;B[pa])", "line 1, column 3: the point is not on the board"),
            ("(;B[])", "line 1, column 3: a passed move, which no game here has"),
            ("(;B[h8])", "line 1, column 3: expected a point such as [hh]"),
            ("(;B)", "line 1, column 3: a property without a value"),
            ("(;B[hh", "line 1, column 4: a value without \"]\""),
            ("(;C[\\]", "line 1, column 4: a value without \"]\""),
            ("(;B[hh] 5", "line 1, column 9: expected \";\", \"(\" or \")\""),
            ("(;B[hh](;W[ii])", "line 1, column 16: the file ends in the middle of the game"),
            (
                "(;AB[hh]AW[ii][jj])",
                "line 1, column 9: the sides cannot have moved in turn: black has as many stones as white, or one more",
            ),
            ("(;B[hh];AW[ii])", "line 1, column 9: stones are set up after the first move"),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn deep_brackets_do_not_grow_the_stack() {
        let deep = format!("{}{}", "(;".repeat(1 << 17), ")".repeat(1 << 17));
        assert!(read(deep.as_bytes()).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn records_read_back(mut record in record()) {
            let read = read(write(&record).as_bytes()).unwrap();
            for id in record.preorder().collect::<Vec<_>>() {
                record.set_millis(id, None);
            }
            prop_assert_eq!(read, record);
        }
    }
}
