// SPDX-License-Identifier: GPL-3.0-only
//! Walking through a record.

use std::time::Duration;

use wuzi_engine::{Game, Point, Rule};
use wuzi_record::{NodeId, Record};

/// How long a position is seen while the replay plays by itself, from the slowest.
pub const PACES: [Duration; 4] = [
    Duration::from_millis(2400),
    Duration::from_millis(1200),
    Duration::from_millis(600),
    Duration::from_millis(300),
];

/// A record and the position that is looked at.
#[derive(Clone, Debug)]
pub struct Replay {
    record: Record,
    /// The line that is walked, from the empty board to its end.
    line: Vec<NodeId>,
    /// Where in the line.
    ply: usize,
    playing: bool,
    pace: usize,
}

impl Replay {
    /// The record before its first move.
    #[must_use]
    pub fn new(record: Record) -> Self {
        let line = record.line_from(Record::ROOT).collect();
        Self { record, line, ply: 0, playing: false, pace: 1 }
    }

    /// The record after the last move of its main line.
    #[must_use]
    pub fn at_end(record: Record) -> Self {
        let mut replay = Self::new(record);
        replay.go_to(usize::MAX);
        replay
    }

    /// Names black's and white's player.
    pub fn name_players(&mut self, [black, white]: [String; 2]) {
        self.record.info.black = black;
        self.record.info.white = white;
    }

    /// The record alone.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record
    }

    /// The record.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// The position.
    #[must_use]
    pub fn at(&self) -> NodeId {
        self.line[self.ply]
    }

    /// The end of the line that is walked.
    #[must_use]
    pub fn end(&self) -> NodeId {
        self.line[self.len()]
    }

    /// The number of moves before the position.
    #[must_use]
    pub const fn ply(&self) -> usize {
        self.ply
    }

    /// The number of moves of the line that is walked.
    #[must_use]
    pub fn len(&self) -> usize {
        self.line.len() - 1
    }

    /// Whether the line has no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The moves of the line that is walked, also those after the position.
    #[must_use]
    pub fn moves(&self) -> Vec<Point> {
        self.line.iter().filter_map(|&id| self.record.point(id)).collect()
    }

    /// The rule; freestyle if it is not known.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.record.info.rule.unwrap_or_default()
    }

    /// The position as a game.
    #[must_use]
    pub fn game(&self) -> Game {
        let moves = self.record.path(self.at());
        // A record has distinct points of its board only.
        Game::from_moves(self.record.size(), self.rule(), &moves)
            .unwrap_or_else(|_| Game::new(self.record.size(), self.rule()))
    }

    /// To the position after `ply` moves of the line, or to its end. Returns whether that is
    /// another position.
    pub fn go_to(&mut self, ply: usize) -> bool {
        let before = self.ply;
        self.ply = ply.min(self.len());
        self.ply != before
    }

    /// One move on. Returns whether there was one.
    pub fn forward(&mut self) -> bool {
        self.go_to(self.ply + 1)
    }

    /// One move back. Returns whether there was one.
    pub fn back(&mut self) -> bool {
        self.ply > 0 && self.go_to(self.ply - 1)
    }

    /// The moves that the record knows here instead of the one that was made, that one included.
    pub fn variations(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.record.parent(self.at()).into_iter().flat_map(|parent| self.record.children(parent))
    }

    /// To the next of the variations, after the last one to the first. Returns whether there is
    /// another one.
    pub fn next_variation(&mut self) -> bool {
        let Some(parent) = self.record.parent(self.at()) else { return false };
        let next = self.record.next_sibling(self.at()).or_else(|| self.record.first_child(parent));
        let Some(next) = next.filter(|&next| next != self.at()) else { return false };
        self.line.truncate(self.ply);
        self.line.extend(self.record.line_from(next));
        true
    }

    /// Whether the replay plays by itself.
    #[must_use]
    pub const fn is_playing(&self) -> bool {
        self.playing
    }

    /// Begins or ends to play by itself; from the end it begins anew.
    pub fn set_playing(&mut self, playing: bool) {
        self.playing = playing && !self.is_empty();
        if self.playing && self.ply == self.len() {
            self.ply = 0;
        }
    }

    /// The time of a position has passed while it plays by itself; at the end it stops. Returns
    /// whether the position is another one.
    pub fn tick(&mut self) -> bool {
        let moved = self.playing && self.forward();
        self.playing = moved && self.ply < self.len();
        moved
    }

    /// Which of [`PACES`] is used.
    #[must_use]
    pub const fn pace(&self) -> usize {
        self.pace
    }

    /// Uses this one of [`PACES`].
    pub fn set_pace(&mut self, pace: usize) {
        self.pace = pace.min(PACES.len() - 1);
    }

    /// How long a position is seen.
    #[must_use]
    pub fn interval(&self) -> Duration {
        PACES[self.pace]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use wuzi_engine::{Color, Size};
    use wuzi_record::Format;

    fn replay(sgf: &str) -> Replay {
        Replay::new(Format::Sgf.read(sgf.as_bytes()).unwrap())
    }

    fn names(replay: &Replay) -> String {
        let moves: Vec<_> = replay.game().moves().iter().map(|p| p.name(Size::DEFAULT).to_string()).collect();
        moves.join(" ")
    }

    #[test]
    fn it_walks_the_main_line_both_ways() {
        let mut r = replay("(;GM[4];B[hh];W[ig];B[jh])");
        assert_eq!((r.ply(), r.len(), r.back()), (0, 3, false));
        assert!(r.forward() && r.forward());
        assert_eq!(names(&r), "H8 I9");
        assert!(r.go_to(99) && !r.forward());
        assert_eq!((r.ply(), names(&r)), (3, "H8 I9 J8".into()));
        assert!(r.go_to(1) && r.back() && !r.go_to(0));
        assert_eq!(r.game().to_move(), Color::Black);
    }

    #[test]
    fn variations_are_walked_in_a_circle() {
        let mut r = replay("(;GM[4];B[hh](;W[ig];B[aa])(;W[ih];B[bb];W[cc])(;W[ii]))");
        assert!(!r.next_variation(), "the empty board has none");
        r.go_to(1);
        assert!(!r.next_variation(), "the first move has no other");
        r.go_to(2);
        assert_eq!(r.variations().count(), 3);
        assert!(r.next_variation());
        assert_eq!((names(&r), r.len()), ("H8 I8".into(), 4));
        r.go_to(4);
        r.go_to(2);
        r.forward();
        assert_eq!(names(&r), "H8 I8 B14", "back and forth it stays in the variation");
        r.back();
        assert!(r.next_variation() && r.next_variation());
        assert_eq!((names(&r), r.len()), ("H8 I9".into(), 3));
    }

    #[test]
    fn it_plays_by_itself_to_the_end_and_then_anew() {
        let mut r = replay("(;GM[4];B[hh];W[ig])");
        assert!(!r.tick());
        r.set_playing(true);
        assert!(r.tick() && r.is_playing());
        assert!(r.tick() && !r.is_playing());
        assert!(!r.tick());
        r.set_playing(true);
        assert_eq!((r.ply(), r.is_playing()), (0, true));
        r.set_pace(99);
        assert_eq!(r.interval(), PACES[PACES.len() - 1]);
        let mut empty = replay("(;GM[4])");
        empty.set_playing(true);
        assert!(!empty.is_playing());
    }

    #[test]
    fn a_record_that_goes_on_after_a_five_can_be_walked() {
        let mut r = Replay::new(Format::Text.read(b"h8a1i8a2j8a3k8a4l8a5m8").unwrap());
        r.go_to(11);
        assert_eq!(r.game().moves().len(), 11);
        assert_eq!(r.game().outcome().winner(), Some(Color::Black));
    }

    proptest! {
        #[test]
        fn any_walk_shows_a_position_of_the_record(
            points in prop::collection::vec((0..15u8, 0..15u8, any::<prop::sample::Index>()), 1..40),
            steps in prop::collection::vec(0..6u8, 0..60),
        ) {
            let mut record = Record::new(Size::DEFAULT);
            let mut ids = vec![Record::ROOT];
            for (x, y, from) in points {
                ids.extend(record.add(ids[from.index(ids.len())], Point::new(x, y)));
            }
            let mut r = Replay::new(record);
            for step in steps {
                match step {
                    0 => { r.back(); }
                    1 => { r.next_variation(); }
                    2 => { r.go_to(usize::MAX); }
                    3 => { r.go_to(0); }
                    _ => { r.forward(); }
                }
                let game = r.game();
                prop_assert_eq!(game.moves().len(), r.ply());
                prop_assert_eq!(&r.moves()[..r.ply()], game.moves());
                prop_assert!(r.record().first_child(r.line[r.len()]).is_none());
            }
        }
    }
}
