// SPDX-License-Identifier: MIT OR Apache-2.0
//! RenLib's `.lib`: a tree of moves on a 15×15 board, depth first.
//!
//! A header of 20 bytes (`FF "RenLib" FF`, version, padding), which very old files lack; then two
//! bytes a node: `16 × (y − 1) + x`, both from 1 at the **top** left, and flags. Texts end with a
//! zero byte, have an even length with it, and are in the character set of their writer's machine:
//! written as UTF-8 here, guessed when read. The rule, players and result are not held.

use wuzi_engine::{Point, Size};

use crate::charset::decode;
use crate::{AddError, NodeId, Place, ReadError, Reason, Record, WriteError};

pub(crate) const MAGIC: &[u8] = b"\xFFRenLib\xFF";
const HEADER: [u8; 20] = *b"\xFFRenLib\xFF\x03\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";

/// A sibling comes after this node's descendants.
const SIBLING: u8 = 0x80;
/// No child follows.
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
/// No stone: the empty board as the root of a tree.
const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags.
const EXTENSION: u8 = 0x01;
/// In the second byte of the extension: a text on the board.
const BOARD_TEXT: u8 = 0x01;

/// Reads a library.
///
/// # Errors
/// If it ends in the middle of the tree or goes on after it, uses an extension that is not known,
/// passes a move, or a move is off the board or on a stone.
pub fn read(bytes: &[u8]) -> Result<Record, ReadError> {
    let start = if bytes.starts_with(MAGIC) { HEADER.len() } else { 0 };
    if start == 0 && bytes.first() != Some(&0x78) {
        return Err(ReadError::new(Place::Byte(0), Reason::NotRenLib));
    }
    let mut bytes = Bytes { bytes, at: start };
    let mut record = Record::new(Size::DEFAULT);
    let mut parent = Record::ROOT;
    // Whose further children come later.
    let mut later: Vec<NodeId> = Vec::new();
    loop {
        let place = bytes.at;
        let [code, flags] = bytes.pair()?;
        let is_first = place == start;
        let id = if flags & NO_MOVE != 0 || (is_first && code == 0) {
            if !is_first {
                return Err(ReadError::new(Place::Byte(place), Reason::Passed));
            }
            Record::ROOT
        } else {
            add(&mut record, parent, code).map_err(|reason| ReadError::new(Place::Byte(place), reason))?
        };
        let extension = if flags & EXTENSION != 0 { bytes.pair()? } else { [0, 0] };
        if extension[0] != 0 || extension[1] & !BOARD_TEXT != 0 {
            return Err(ReadError::new(Place::Byte(place + 2), Reason::Extension(extension)));
        }
        if flags & (COMMENT | OLD_COMMENT) != 0 {
            // A backspace separates the heading of a comment from the rest.
            let comment = bytes.text()?.replace('\u{8}', "\n");
            record.add_comment(id, &comment);
        }
        if extension[1] & BOARD_TEXT != 0 {
            let label = bytes.text()?;
            record.set_label(id, &label);
        }
        if flags & MARK != 0 {
            record.set_marked(id, true);
        }
        if flags & SIBLING != 0 {
            later.push(parent);
        }
        if flags & LEAF == 0 {
            parent = id;
        } else if let Some(next) = later.pop() {
            parent = next;
        } else {
            break;
        }
    }
    if bytes.at < bytes.bytes.len() {
        return Err(ReadError::new(Place::Byte(bytes.at), Reason::AfterTree));
    }
    Ok(record)
}

fn add(record: &mut Record, parent: NodeId, code: u8) -> Result<NodeId, AddError> {
    let (x, y) = (code % 16, code / 16);
    if x == 0 {
        return Err(AddError::OffBoard);
    }
    record.add_once_more(parent, Point::new(x - 1, y))
}

struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn pair(&mut self) -> Result<[u8; 2], ReadError> {
        let &[first, second, ..] = &self.bytes[self.at.min(self.bytes.len())..] else {
            return Err(ReadError::new(Place::Byte(self.bytes.len()), Reason::EndsEarly));
        };
        self.at += 2;
        Ok([first, second])
    }

    fn text(&mut self) -> Result<String, ReadError> {
        // The last text of a file may lack the byte that makes its length even.
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&byte| byte == 0) else {
            return Err(ReadError::new(Place::Byte(self.at), Reason::OpenText));
        };
        let text = decode(&rest[..length], None).into_owned();
        self.at += (length + 1).next_multiple_of(2);
        Ok(text)
    }
}

/// Writes the tree.
///
/// # Errors
/// If the board is not 15×15.
pub fn write(record: &Record) -> Result<Vec<u8>, WriteError> {
    if record.size() != Size::DEFAULT {
        return Err(WriteError::Not15Lines);
    }
    let mut bytes = HEADER.to_vec();
    let has_one_child = record.children(Record::ROOT).count() == 1;
    let is_root_plain = record.comment(Record::ROOT).is_empty()
        && record.label(Record::ROOT).is_empty()
        && !record.is_marked(Record::ROOT);
    for id in record.preorder() {
        if id != Record::ROOT || !(has_one_child && is_root_plain) {
            write_node(record, id, &mut bytes);
        }
    }
    Ok(bytes)
}

fn write_node(record: &Record, id: NodeId, bytes: &mut Vec<u8>) {
    let (comment, label) = (record.comment(id), record.label(id));
    let code = record.point(id).map_or(0, |point| point.y * 16 + point.x + 1);
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    bytes.push(code);
    bytes.push(
        flag(record.next_sibling(id).is_some(), SIBLING)
            | flag(record.first_child(id).is_none(), LEAF)
            | flag(record.is_marked(id), MARK)
            | flag(!comment.is_empty(), COMMENT)
            | flag(record.point(id).is_none(), NO_MOVE)
            | flag(!label.is_empty(), EXTENSION),
    );
    if !label.is_empty() {
        bytes.extend([0, BOARD_TEXT]);
    }
    for text in [comment, label] {
        if !text.is_empty() {
            let text = text.replace('\n', "\r\n");
            bytes.extend(text.as_bytes());
            bytes.push(0);
            if text.len().is_multiple_of(2) {
                bytes.push(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, record_of};
    use proptest::prelude::*;

    fn library(nodes: &[u8]) -> Vec<u8> {
        [&HEADER[..], nodes].concat()
    }

    /// Rows count from the top; counted from the bottom, this would be h8 i7.
    #[test]
    fn rows_count_from_the_top() {
        let record = read(&library(&[0x78, 0, 0x69, LEAF])).unwrap();
        assert_eq!(record.main_line(), points("h8 i9"));
    }

    #[test]
    fn variations_texts_and_marks_are_read() {
        let nodes = b"\x78\x08one\x08two\0\x69\xC1\0\x01a\0\x79\x59\0\x01c\xE9\0\0b\0";
        let record = read(&library(nodes)).unwrap();
        let h8 = record.first_child(Record::ROOT).unwrap();
        assert_eq!(record.comment(h8), "one\ntwo");
        let replies: Vec<_> = record.children(h8).collect();
        assert_eq!(replies.iter().map(|&id| record.path(id)[1]).collect::<Vec<_>>(), points("i9 i8"));
        assert_eq!((record.label(replies[0]), record.comment(replies[0])), ("a", ""));
        assert_eq!((record.label(replies[1]), record.comment(replies[1])), ("b", "cé"));
        assert!(record.is_marked(replies[1]) && !record.is_marked(replies[0]));
    }

    #[test]
    fn very_old_files_have_no_header() {
        assert_eq!(read(&[0x78, 0, 0x69, LEAF]).unwrap().main_line(), points("h8 i9"));
    }

    #[test]
    fn bad_files_are_refused_with_the_place() {
        for (bytes, message) in [
            (b"".to_vec(), "byte 0: not a RenLib library: neither its header nor a first move at h8"),
            (b"RIFF".to_vec(), "byte 0: not a RenLib library: neither its header nor a first move at h8"),
            (MAGIC.to_vec(), "byte 8: the file ends in the middle of the game"),
            (library(&[]), "byte 20: the file ends in the middle of the game"),
            (library(&[0x78, 0]), "byte 22: the file ends in the middle of the game"),
            (library(&[0x78, LEAF, 1, LEAF]), "byte 22: the file goes on after the end of the tree"),
            (library(&[0x78, 0, 0x78, LEAF]), "byte 22: a stone stands on that point"),
            (library(&[0x70, LEAF]), "byte 20: the point is not on the board"),
            (library(&[0xF1, LEAF]), "byte 20: the point is not on the board"),
            (library(&[0x78, 0, 0, LEAF | NO_MOVE]), "byte 22: a passed move, which no game here has"),
            (library(&[0x78, LEAF | EXTENSION, 1, 0]), "byte 22: extension 01 00 is not known"),
            (library(b"\x78\x48ab"), "byte 22: a text without an end"),
            (library(b"\x78\x49\0\x01ab\0"), "byte 28: a text without an end"),
        ] {
            assert_eq!(read(&bytes).unwrap_err().to_string(), message);
        }
    }

    /// A game that ended, was taken back and ended earlier has its last move twice.
    #[test]
    fn a_line_that_ends_where_another_goes_on_stays_the_main_line() {
        let mut record = Record::from_moves(Size::DEFAULT, &points("h8 i9 g7 a15")).unwrap();
        let i9 = record.line_from(Record::ROOT).nth(2).unwrap();
        record.end_main_line(i9);
        assert_eq!(record.main_line(), points("h8 i9"));
        let read = read(&write(&record).unwrap()).unwrap();
        assert_eq!((read.main_line(), read.len()), (points("h8 i9"), 5));
        assert_eq!(read, record);
    }

    proptest! {
        #[test]
        fn trees_read_back(mut record in record_of(Just(15))) {
            let read = read(&write(&record).unwrap()).unwrap();
            record.info = crate::Info::default();
            for id in record.preorder().collect::<Vec<_>>() {
                record.set_millis(id, None);
            }
            prop_assert_eq!(read, record);
        }
    }
}
