// SPDX-License-Identifier: MIT OR Apache-2.0
//! The record of a game: a tree of moves.

use std::fmt;

use wuzi_engine::{Color, Point, Size};

use crate::Info;
use crate::charset::clean;

/// The most moves that a record holds, all variations together.
pub const MAX_NODES: usize = 1_000_000;

/// A position of a record: the empty board, or the one after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Texts {
    comment: String,
    label: String,
}

#[derive(Clone, Debug)]
struct Node {
    /// The move; no meaning at the root.
    point: Point,
    ply: u16,
    marked: bool,
    millis: Option<u32>,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    /// Most nodes have none.
    texts: Option<Box<Texts>>,
}

impl Node {
    const fn new(point: Point, ply: u16, parent: u32) -> Self {
        Self {
            point,
            ply,
            marked: false,
            millis: None,
            parent,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            texts: None,
        }
    }
}

/// Why a move was refused; the record is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddError {
    /// The point is not on the board.
    OffBoard,
    /// A stone stands there.
    Occupied,
    /// The record holds [`MAX_NODES`] moves.
    Full,
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffBoard => f.write_str("the point is not on the board"),
            Self::Occupied => f.write_str("a stone stands on that point"),
            Self::Full => write!(f, "more than {MAX_NODES} moves"),
        }
    }
}

impl std::error::Error for AddError {}

/// A game with comments and variations. Black moves first, the sides alternate; of the moves that
/// follow a position the first one belongs to the main line. Rows and forbidden points are not
/// looked at: a record may go on after a five.
#[derive(Clone, Debug)]
pub struct Record {
    size: Size,
    /// What is said of the game.
    pub info: Info,
    /// The root first; a parent stands before its children.
    nodes: Vec<Node>,
}

impl Record {
    /// The empty board, before the first move and after none.
    pub const ROOT: NodeId = NodeId(0);

    /// A record without moves.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self { size, info: Info::default(), nodes: vec![Node::new(Point::new(0, 0), 0, NONE)] }
    }

    /// A record of one line.
    ///
    /// # Errors
    /// If a move is off the board or on a stone.
    pub fn from_moves(size: Size, moves: &[Point]) -> Result<Self, AddError> {
        let mut record = Self::new(size);
        record.add_line(Self::ROOT, moves)?;
        Ok(record)
    }

    /// The number of lines of the board.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The number of moves, all variations together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    fn texts_mut(&mut self, id: NodeId) -> &mut Texts {
        self.node_mut(id).texts.get_or_insert_default()
    }

    fn id(index: u32) -> Option<NodeId> {
        (index != NONE).then_some(NodeId(index))
    }

    /// The move that led here; `None` at the root.
    #[must_use]
    pub fn point(&self, id: NodeId) -> Option<Point> {
        (id != Self::ROOT).then(|| self.node(id).point)
    }

    /// The number of stones on the board.
    #[must_use]
    pub fn ply(&self, id: NodeId) -> usize {
        self.node(id).ply.into()
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(&self, id: NodeId) -> Color {
        Color::to_move_after(self.ply(id))
    }

    /// The position before the move; `None` at the root.
    #[must_use]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Self::id(self.node(id).parent)
    }

    /// The moves that follow, that of the main line first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        std::iter::successors(Self::id(self.node(id).first_child), |&child| self.next_sibling(child))
    }

    /// The first of the moves that follow.
    #[must_use]
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        Self::id(self.node(id).first_child)
    }

    /// The next variation beside this move.
    #[must_use]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        Self::id(self.node(id).next_sibling)
    }

    /// Every node of the tree, parents before children, the main line first.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let mut later: Vec<NodeId> = Vec::new();
        std::iter::successors(Some(Self::ROOT), move |&id| {
            later.extend(self.next_sibling(id));
            self.first_child(id).or_else(|| later.pop())
        })
    }

    /// The position and those that follow by the first moves, to the end.
    pub fn line_from(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        std::iter::successors(Some(id), |&id| self.first_child(id))
    }

    /// The moves of the main line.
    #[must_use]
    pub fn main_line(&self) -> Vec<Point> {
        self.line_from(Self::ROOT).filter_map(|id| self.point(id)).collect()
    }

    /// The moves from the empty board to this position.
    #[must_use]
    pub fn path(&self, id: NodeId) -> Vec<Point> {
        let upwards = std::iter::successors(Some(id), |&id| self.parent(id));
        let mut path: Vec<Point> = upwards.filter_map(|id| self.point(id)).collect();
        path.reverse();
        path
    }

    /// Adds a move after a position, as the last of its variations, and returns the new position;
    /// a move that is there already is found, the one that goes on if there are two.
    ///
    /// # Errors
    /// If the move is off the board or on a stone, or the record is full.
    pub fn add(&mut self, parent: NodeId, point: Point) -> Result<NodeId, AddError> {
        let known = self.children(parent).filter(|&child| self.node(child).point == point);
        let known = known.reduce(|best, id| {
            if self.first_child(best).is_none() && self.first_child(id).is_some() { id } else { best }
        });
        known.map_or_else(|| self.add_once_more(parent, point), Ok)
    }

    /// Adds a move after a position, as the last of its variations, even if it is there already.
    ///
    /// # Errors
    /// If the move is off the board or on a stone, or the record is full.
    pub fn add_once_more(&mut self, parent: NodeId, point: Point) -> Result<NodeId, AddError> {
        if !self.size.contains(point) {
            return Err(AddError::OffBoard);
        }
        let mut upwards = std::iter::successors(Some(parent), |&id| self.parent(id));
        if upwards.any(|id| self.point(id) == Some(point)) {
            return Err(AddError::Occupied);
        }
        if self.len() >= MAX_NODES {
            return Err(AddError::Full);
        }
        let index = self.nodes.len() as u32;
        let ply = self.node(parent).ply + 1;
        self.nodes.push(Node::new(point, ply, parent.0));
        match Self::id(self.node(parent).last_child) {
            Some(last) => self.node_mut(last).next_sibling = index,
            None => self.node_mut(parent).first_child = index,
        }
        self.node_mut(parent).last_child = index;
        Ok(NodeId(index))
    }

    /// Adds moves one after another and returns the last position.
    ///
    /// # Errors
    /// As [`Record::add`]; the moves before the refused one are added.
    pub fn add_line(&mut self, from: NodeId, moves: &[Point]) -> Result<NodeId, AddError> {
        moves.iter().try_fold(from, |id, &point| self.add(id, point))
    }

    /// Makes the moves that lead to this position the main line.
    pub fn promote(&mut self, id: NodeId) {
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            let before = self.children(parent).find(|&child| self.next_sibling(child) == Some(at));
            if let Some(before) = before {
                self.node_mut(before).next_sibling = self.node(at).next_sibling;
                if self.node(parent).last_child == at.0 {
                    self.node_mut(parent).last_child = before.0;
                }
                self.node_mut(at).next_sibling = self.node(parent).first_child;
                self.node_mut(parent).first_child = at.0;
            }
            at = parent;
        }
    }

    /// Makes the moves that lead to this position the main line and ends it here. What is known to follow
    /// stays: as a variation that begins with the same move once more. What is said of the position goes
    /// with the main line. Returns the end; in a full record it is not the end.
    pub fn end_main_line(&mut self, id: NodeId) -> NodeId {
        let (Some(parent), Some(point)) = (self.parent(id), self.point(id)) else { return id };
        let is_end = |&twin: &NodeId| self.node(twin).point == point && self.first_child(twin).is_none();
        let end = self.children(parent).find(is_end);
        let end = end.or_else(|| self.add_once_more(parent, point).ok()).unwrap_or(id);
        if end != id {
            let (texts, marked, millis) =
                (self.node_mut(id).texts.take(), self.is_marked(id), self.millis(id));
            self.set_marked(id, false);
            let twin = self.node_mut(end);
            twin.texts = texts.or(twin.texts.take());
            twin.marked |= marked;
            twin.millis = millis;
        }
        self.promote(end);
        end
    }

    /// What is said of this position.
    #[must_use]
    pub fn comment(&self, id: NodeId) -> &str {
        self.node(id).texts.as_ref().map_or("", |texts| &texts.comment)
    }

    /// Says something of this position, instead of what was said before.
    pub fn set_comment(&mut self, id: NodeId, comment: &str) {
        if !comment.is_empty() || self.node(id).texts.is_some() {
            self.texts_mut(id).comment = clean(comment);
        }
    }

    /// Says more of this position, on a new line.
    pub fn add_comment(&mut self, id: NodeId, comment: &str) {
        if !comment.is_empty() {
            let texts = self.texts_mut(id);
            if !texts.comment.is_empty() {
                texts.comment.push('\n');
            }
            texts.comment.push_str(&clean(comment));
        }
    }

    /// The short text that stands on the board at this move.
    #[must_use]
    pub fn label(&self, id: NodeId) -> &str {
        self.node(id).texts.as_ref().map_or("", |texts| &texts.label)
    }

    /// Puts a short text on the board at this move.
    pub fn set_label(&mut self, id: NodeId, label: &str) {
        if !label.is_empty() || self.node(id).texts.is_some() {
            self.texts_mut(id).label = crate::charset::clean_line(label);
        }
    }

    /// Whether the move is marked.
    #[must_use]
    pub fn is_marked(&self, id: NodeId) -> bool {
        self.node(id).marked
    }

    /// Marks the move, or takes the mark away.
    pub fn set_marked(&mut self, id: NodeId, marked: bool) {
        self.node_mut(id).marked = marked;
    }

    /// How long the move took, in milliseconds, if it is known.
    #[must_use]
    pub fn millis(&self, id: NodeId) -> Option<u32> {
        self.node(id).millis
    }

    /// Keeps how long the move took, in milliseconds.
    pub fn set_millis(&mut self, id: NodeId, millis: Option<u32>) {
        self.node_mut(id).millis = millis;
    }
}

impl PartialEq for Record {
    /// Whether both say the same, in whatever order they were made.
    fn eq(&self, other: &Self) -> bool {
        let row = |record: &Self, id| {
            (
                record.point(id),
                record.ply(id),
                record.is_marked(id),
                record.millis(id),
                record.comment(id).to_owned(),
                record.label(id).to_owned(),
            )
        };
        self.size == other.size
            && self.info == other.info
            && self.len() == other.len()
            && self.preorder().zip(other.preorder()).all(|(a, b)| row(self, a) == row(other, b))
    }
}

impl Eq for Record {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, record};
    use proptest::prelude::*;

    #[test]
    fn variations_stand_beside_the_main_line() {
        let mut record = Record::from_moves(Size::DEFAULT, &points("h8 i9 j8")).unwrap();
        let i9 = record.line_from(Record::ROOT).nth(2).unwrap();
        let j10 = record.add_line(i9, &points("j10 g7")).unwrap();
        assert_eq!(record.main_line(), points("h8 i9 j8"));
        assert_eq!(record.path(j10), points("h8 i9 j10 g7"));
        record.promote(j10);
        assert_eq!(record.main_line(), points("h8 i9 j10 g7"));
        assert_eq!(record.children(i9).count(), 2, "what was the main line is a variation");
        assert_eq!(record.add(i9, points("j8")[0]).map(|id| record.ply(id)), Ok(3), "found again");
        assert_eq!(record.len(), 5);
    }

    #[test]
    fn a_main_line_ends_where_the_longer_one_is_a_variation() {
        let mut record = Record::from_moves(Size::DEFAULT, &points("h8 i9 j8 j10")).unwrap();
        let i9 = record.line_from(Record::ROOT).nth(2).unwrap();
        record.set_comment(i9, "resigned");
        let end = record.end_main_line(i9);
        assert_eq!(record.main_line(), points("h8 i9"));
        assert_eq!((record.comment(end), record.comment(i9)), ("resigned", ""));
        let h8 = record.parent(end).unwrap();
        let lines: Vec<_> = record.children(h8).map(|id| record.line_from(id).count()).collect();
        assert_eq!(lines, [1, 3], "what was played after it is kept");
        assert_eq!(record.end_main_line(end), end, "once is enough");
        assert_eq!(record.end_main_line(i9), end);
        assert_eq!(record.len(), 5);
        let longer = record.add_line(Record::ROOT, &points("h8 i9 j8 j10 k8")).unwrap();
        assert_eq!(record.len(), 6, "the longer line goes on, it does not begin anew");
        assert_eq!(record.end_main_line(longer), longer);
        assert_eq!(record.main_line(), points("h8 i9 j8 j10 k8"));
        assert_eq!(record.end_main_line(Record::ROOT), Record::ROOT);
        for format in [crate::Format::Sgf, crate::Format::Psq, crate::Format::Text] {
            let mut record = record.clone();
            record.end_main_line(i9);
            let again = format.read(&format.write(&record).unwrap()).unwrap();
            assert_eq!(again.main_line(), points("h8 i9"), "{format:?}");
            assert!(format != crate::Format::Sgf || again == record);
        }
    }

    #[test]
    fn impossible_moves_are_refused() {
        let mut record = Record::from_moves(Size::DEFAULT, &points("h8 i9")).unwrap();
        let end = record.line_from(Record::ROOT).last().unwrap();
        assert_eq!(record.add(end, points("h8")[0]), Err(AddError::Occupied));
        assert_eq!(record.add(end, Point::new(15, 0)), Err(AddError::OffBoard));
        assert_eq!(record.len(), 2);
    }

    proptest! {
        #[test]
        fn promotion_keeps_every_move(mut record in record(), pick in any::<prop::sample::Index>()) {
            let all = |record: &Record| {
                let mut paths: Vec<_> = record.preorder().map(|id| record.path(id)).collect();
                paths.sort();
                paths
            };
            let before = all(&record);
            let ids: Vec<_> = record.preorder().collect();
            prop_assert_eq!(ids.len(), record.len() + 1);
            let id = ids[pick.index(ids.len())];
            record.promote(id);
            prop_assert_eq!(all(&record), before);
            let path = record.path(id);
            prop_assert_eq!(&record.main_line()[..path.len()], &*path);
            for id in ids {
                let last = record.children(id).last();
                prop_assert_eq!(Record::id(record.node(id).last_child), last);
            }
        }
    }
}
