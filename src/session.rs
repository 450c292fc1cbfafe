// SPDX-License-Identifier: GPL-3.0-only
//! A game between two seats: whose turn it is, what may be taken back, how it ended.
//!
//! Plain data: no clock, no thread, no source of chance, no interface.

use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use serde::{Deserialize, Serialize};
use wuzi_engine::{Color, Forbidden, Game, Level, Outcome, PlayError, Point, Row, Rule, Size, WinReason};

/// Who moves for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// A person at this machine.
    Human,
    /// The computer player.
    Computer(Level),
    /// Another program that speaks the Gomocup protocol.
    Engine,
    /// A person at another machine.
    Remote,
}

impl Seat {
    /// Whether a person moves.
    #[must_use]
    pub const fn is_human(self) -> bool {
        matches!(self, Self::Human)
    }
}

/// What is agreed before the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
    /// Black's seat, then white's.
    pub seats: [Seat; 2],
}

impl Setup {
    /// The seat of a side.
    #[must_use]
    pub const fn seat(&self, color: Color) -> Seat {
        self.seats[color.index()]
    }

    /// Whether a person plays against the computer.
    #[must_use]
    pub fn is_against_computer(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Computer(_) | Seat::Engine))
    }

    /// Whether a person plays against one at another machine.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.seats.contains(&Seat::Remote)
    }
}

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A winning row.
    Row(Color, Row),
    /// The side won because black played a forbidden point.
    Forbidden(Color, Forbidden),
    /// The side won because the other gave up.
    Resignation(Color),
    /// Both agreed on a draw.
    Agreement,
    /// No empty point is left.
    FullBoard,
    /// The side won because the other's time ran out.
    Time(Color),
    /// The side won because the other stayed away.
    Absence(Color),
}

impl Ending {
    /// Who won; `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Row(winner, _)
            | Self::Forbidden(winner, _)
            | Self::Resignation(winner)
            | Self::Time(winner)
            | Self::Absence(winner) => Some(winner),
            Self::Agreement | Self::FullBoard => None,
        }
    }
}

/// An end that the stones do not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The side gave up.
    Resigned(Color),
    /// Both agreed on a draw.
    Agreed,
    /// The side's time ran out.
    TimedOut(Color),
    /// The side stayed away.
    Absent(Color),
}

/// A game between two seats.
#[derive(Clone, Debug)]
pub struct Session {
    setup: Setup,
    game: Game,
    /// Stones taken back; the last one is redone first.
    undone: Vec<Point>,
    verdict: Option<Verdict>,
    draw_offer: Option<Color>,
    undos: u16,
    helps: u16,
    millis: u64,
}

impl Session {
    /// A session before its first move.
    #[must_use]
    pub const fn new(setup: Setup) -> Self {
        Self {
            setup,
            game: Game::new(setup.size, setup.rule),
            undone: Vec::new(),
            verdict: None,
            draw_offer: None,
            undos: 0,
            helps: 0,
            millis: 0,
        }
    }

    /// What was agreed before the first move.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The stones and the moves.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// How it ended; `None` while it runs.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        match self.game.outcome() {
            Outcome::Win(winner, WinReason::Row(row)) => Some(Ending::Row(winner, row)),
            Outcome::Win(winner, WinReason::Forbidden(kind)) => Some(Ending::Forbidden(winner, kind)),
            Outcome::Draw => Some(Ending::FullBoard),
            Outcome::Running => self.verdict.map(|verdict| match verdict {
                Verdict::Resigned(color) => Ending::Resignation(color.opposite()),
                Verdict::Agreed => Ending::Agreement,
                Verdict::TimedOut(color) => Ending::Time(color.opposite()),
                Verdict::Absent(color) => Ending::Absence(color.opposite()),
            }),
        }
    }

    /// Whether moves can still be made.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.ending().is_none()
    }

    /// The seat whose turn it is; `None` after the end.
    #[must_use]
    pub fn seat_to_move(&self) -> Option<Seat> {
        self.is_running().then(|| self.setup.seat(self.game.to_move()))
    }

    /// Whether a person is to move.
    #[must_use]
    pub fn is_human_to_move(&self) -> bool {
        self.seat_to_move() == Some(Seat::Human)
    }

    /// Lets the computer player move where another program did.
    pub fn replace_engine(&mut self, level: Level) {
        for seat in &mut self.setup.seats {
            if *seat == Seat::Engine {
                *seat = Seat::Computer(level);
            }
        }
    }

    /// How often a person took back.
    #[must_use]
    pub const fn undos(&self) -> u16 {
        self.undos
    }

    /// How often the computer moved for a person.
    #[must_use]
    pub const fn helps(&self) -> u16 {
        self.helps
    }

    /// How long people thought, in milliseconds, as far as it was told.
    #[must_use]
    pub const fn millis(&self) -> u64 {
        self.millis
    }

    /// Time has passed: it counts while a person is to move.
    pub fn pass(&mut self, time: Duration) {
        if self.is_human_to_move() {
            self.millis = self.millis.saturating_add(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        }
    }

    /// Makes the next move. What was taken back can no longer be redone, and a draw offer dies.
    ///
    /// # Errors
    /// If the point is off the board or occupied, or the session has ended; it is then unchanged.
    pub fn play(&mut self, point: Point) -> Result<(), PlayError> {
        if !self.is_running() {
            return Err(PlayError::GameOver);
        }
        self.game.play(point)?;
        self.undone.clear();
        self.draw_offer = None;
        Ok(())
    }

    /// Takes over the moves of a game that is decided elsewhere. What was taken back can no longer be
    /// redone.
    ///
    /// # Errors
    /// If they are not moves of this game; the session is then unchanged.
    pub fn follow(&mut self, moves: &[Point]) -> Result<(), PlayError> {
        let mut game = Game::new(self.setup.size, self.setup.rule);
        for &point in moves {
            game.play(point)?;
        }
        self.game = game;
        self.undone.clear();
        self.verdict = None;
        self.draw_offer = None;
        Ok(())
    }

    /// Takes over an end that was decided elsewhere. Returns whether it is news.
    pub fn follow_verdict(&mut self, verdict: Option<Verdict>) -> bool {
        core::mem::replace(&mut self.verdict, verdict) != verdict
    }

    /// Makes the next move for a person by the computer's choice.
    ///
    /// # Errors
    /// As [`Session::play`].
    pub fn play_help(&mut self, point: Point) -> Result<(), PlayError> {
        self.play(point)?;
        self.helps = self.helps.saturating_add(1);
        Ok(())
    }

    /// Whether [`Session::undo`] would take a stone back: a person has one on the board.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        (0..self.game.moves().len()).any(|ply| self.setup.seat(Color::to_move_after(ply)).is_human())
    }

    /// Takes back a person's last stone and the computer's answer to it, if there is one; the
    /// session runs again. Returns how many stones were taken back.
    pub fn undo(&mut self) -> usize {
        if !self.can_undo() {
            return 0;
        }
        self.verdict = None;
        self.draw_offer = None;
        self.undos = self.undos.saturating_add(1);
        let before = self.game.moves().len();
        while let Some(point) = self.game.undo() {
            self.undone.push(point);
            if self.setup.seat(self.game.to_move()).is_human() {
                break;
            }
        }
        before - self.game.moves().len()
    }

    /// Whether there is something to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.is_running() && !self.undone.is_empty()
    }

    /// Places again what the last undo took back, until a person is to move. Returns how many
    /// stones were placed.
    pub fn redo(&mut self) -> usize {
        let mut placed = 0;
        while self.can_redo() {
            let Some(point) = self.undone.pop() else { break };
            if self.game.play(point).is_err() {
                self.undone.clear();
                break;
            }
            self.draw_offer = None;
            placed += 1;
            if self.is_human_to_move() {
                break;
            }
        }
        placed
    }

    /// The side that gives up when a person resigns now: the person to move, or the person whom
    /// the computer keeps waiting. `None` if nobody can.
    #[must_use]
    pub fn resigning_side(&self) -> Option<Color> {
        let mover = self.game.to_move();
        let sides = [mover, mover.opposite()];
        self.is_running().then(|| sides.into_iter().find(|&side| self.setup.seat(side).is_human()))?
    }

    /// A person gives up. Returns whether that was possible.
    pub fn resign(&mut self) -> bool {
        let Some(side) = self.resigning_side() else { return false };
        self.verdict = Some(Verdict::Resigned(side));
        self.draw_offer = None;
        true
    }

    /// The side whose draw offer waits for an answer.
    #[must_use]
    pub const fn draw_offer(&self) -> Option<Color> {
        self.draw_offer
    }

    /// Whether the side to move may offer a draw: a person, no offer waiting, a stone placed.
    #[must_use]
    pub fn can_offer_draw(&self) -> bool {
        self.is_human_to_move() && self.draw_offer.is_none() && !self.game.moves().is_empty()
    }

    /// The side to move offers a draw. Returns whether that was possible.
    pub fn offer_draw(&mut self) -> bool {
        let possible = self.can_offer_draw();
        if possible {
            self.draw_offer = Some(self.game.to_move());
        }
        possible
    }

    /// The other side answers the offer. Returns whether there was one.
    pub fn answer_draw(&mut self, accepted: bool) -> bool {
        let offered = self.draw_offer.take().is_some();
        if offered && accepted {
            self.verdict = Some(Verdict::Agreed);
        }
        offered
    }

    /// The session in the form in which it is kept.
    #[must_use]
    pub fn save(&self) -> SavedSession {
        let pair = |&point: &Point| (point.x, point.y);
        SavedSession {
            lines: self.setup.size.lines(),
            rule: self.setup.rule.into(),
            seats: self.setup.seats.map(|seat| match seat {
                Seat::Human => SavedSeat::Human,
                Seat::Computer(level) => SavedSeat::Computer(level as u8),
                Seat::Engine => SavedSeat::Engine,
                Seat::Remote => SavedSeat::Remote,
            }),
            moves: self.game.moves().iter().map(pair).collect(),
            undone: self.undone.iter().map(pair).collect(),
            verdict: self.verdict.map(|verdict| match verdict {
                Verdict::Resigned(Color::Black) => SavedVerdict::BlackResigned,
                Verdict::Resigned(Color::White) => SavedVerdict::WhiteResigned,
                Verdict::Agreed => SavedVerdict::Agreed,
                Verdict::TimedOut(Color::Black) => SavedVerdict::BlackTimedOut,
                Verdict::TimedOut(Color::White) => SavedVerdict::WhiteTimedOut,
                Verdict::Absent(Color::Black) => SavedVerdict::BlackAbsent,
                Verdict::Absent(Color::White) => SavedVerdict::WhiteAbsent,
            }),
            undos: self.undos,
            helps: self.helps,
            millis: self.millis,
            record: None,
            players: None,
        }
    }

    /// The session that was kept; `None` if what was kept is no possible session.
    #[must_use]
    pub fn restore(saved: &SavedSession) -> Option<Self> {
        let [black, white] = saved.seats.map(|seat| match seat {
            SavedSeat::Human => Some(Seat::Human),
            SavedSeat::Computer(level) => Level::ALL.get(usize::from(level)).copied().map(Seat::Computer),
            SavedSeat::Engine => Some(Seat::Engine),
            SavedSeat::Remote => Some(Seat::Remote),
        });
        let setup = Setup { size: Size::new(saved.lines)?, rule: saved.rule.into(), seats: [black?, white?] };
        let mut session = Self::new(setup);
        for &(x, y) in &saved.moves {
            session.game.play(Point::new(x, y)).ok()?;
        }
        let mut ahead = session.game.clone();
        for &(x, y) in saved.undone.iter().rev() {
            ahead.play(Point::new(x, y)).ok()?;
        }
        session.undone = saved.undone.iter().map(|&(x, y)| Point::new(x, y)).collect();
        session.verdict = saved.verdict.map(|verdict| match verdict {
            SavedVerdict::BlackResigned => Verdict::Resigned(Color::Black),
            SavedVerdict::WhiteResigned => Verdict::Resigned(Color::White),
            SavedVerdict::Agreed => Verdict::Agreed,
            SavedVerdict::BlackTimedOut => Verdict::TimedOut(Color::Black),
            SavedVerdict::WhiteTimedOut => Verdict::TimedOut(Color::White),
            SavedVerdict::BlackAbsent => Verdict::Absent(Color::Black),
            SavedVerdict::WhiteAbsent => Verdict::Absent(Color::White),
        });
        session.undos = saved.undos;
        session.helps = saved.helps;
        session.millis = saved.millis;
        Some(session)
    }
}

/// A session in the form in which it is kept on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedSession {
    /// The size of the board, 10 to 20.
    pub lines: u8,
    /// The rule.
    pub rule: SavedRule,
    /// Black's seat, then white's.
    pub seats: [SavedSeat; 2],
    /// Column and row of each move, counted from the top left from 0.
    pub moves: Vec<(u8, u8)>,
    /// What was taken back; the last one is redone first.
    pub undone: Vec<(u8, u8)>,
    /// An end that the stones do not show.
    pub verdict: Option<SavedVerdict>,
    /// How often a person took back.
    pub undos: u16,
    /// How often the computer moved for a person.
    pub helps: u16,
    /// How long people thought, in milliseconds.
    #[serde(default)]
    pub millis: u64,
    /// The record that its moves are added to, if there is one already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<SavedRecord>,
    /// Black's and white's name, if they were named for this game alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<[String; 2]>,
}

/// Where the record is that a session's moves are added to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SavedRecord {
    /// In the list of games: the session goes on after its end. The name of its file.
    Game(String),
    /// Beside the running game: the session began from a position of it. The name of its file.
    Origin(String),
}

/// A rule's name on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names of the rules")]
pub enum SavedRule {
    Freestyle,
    Standard,
    Renju,
}

impl From<Rule> for SavedRule {
    fn from(rule: Rule) -> Self {
        match rule {
            Rule::Freestyle => Self::Freestyle,
            Rule::Standard => Self::Standard,
            Rule::Renju => Self::Renju,
        }
    }
}

impl From<SavedRule> for Rule {
    fn from(rule: SavedRule) -> Self {
        match rule {
            SavedRule::Freestyle => Self::Freestyle,
            SavedRule::Standard => Self::Standard,
            SavedRule::Renju => Self::Renju,
        }
    }
}

/// A seat on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SavedSeat {
    /// A person.
    Human,
    /// The computer; 0 Easy to 4 Master.
    Computer(u8),
    /// Another program.
    Engine,
    /// A person at another machine.
    Remote,
}

/// A verdict on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum SavedVerdict {
    BlackResigned,
    WhiteResigned,
    Agreed,
    BlackTimedOut,
    WhiteTimedOut,
    BlackAbsent,
    WhiteAbsent,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PVP: [Seat; 2] = [Seat::Human, Seat::Human];
    const HUMAN_BLACK: [Seat; 2] = [Seat::Human, Seat::Computer(Level::Normal)];
    const HUMAN_WHITE: [Seat; 2] = [Seat::Computer(Level::Normal), Seat::Human];

    fn session(seats: [Seat; 2]) -> Session {
        Session::new(Setup { size: Size::DEFAULT, rule: Rule::Freestyle, seats })
    }

    fn play(session: &mut Session, names: &[&str]) {
        for name in names {
            let point = Point::parse(name, session.game.size()).unwrap();
            session.play(point).unwrap();
        }
    }

    #[test]
    fn undo_takes_one_stone_between_people() {
        let mut s = session(PVP);
        play(&mut s, &["H8", "I9", "J10"]);
        assert_eq!((s.undo(), s.game.moves().len()), (1, 2));
        assert_eq!((s.undo(), s.undo(), s.undo()), (1, 1, 0));
        assert!(s.game.moves().is_empty());
    }

    #[test]
    fn undo_takes_two_stones_against_the_computer_and_one_before_it_answered() {
        let mut s = session(HUMAN_BLACK);
        play(&mut s, &["H8", "I9", "J10"]);
        assert_eq!(s.undo(), 1);
        assert_eq!(s.undo(), 2);
        assert_eq!(s.undo(), 0);
    }

    #[test]
    fn undo_leaves_the_computers_first_stone() {
        let mut s = session(HUMAN_WHITE);
        play(&mut s, &["H8"]);
        assert!(!s.can_undo());
        play(&mut s, &["I9", "J10"]);
        assert_eq!(s.undo(), 2);
        assert_eq!(s.game.moves().len(), 1);
        assert_eq!(s.undo(), 0);
    }

    #[test]
    fn redo_places_again_what_undo_took() {
        for seats in [PVP, HUMAN_BLACK, HUMAN_WHITE] {
            let mut s = session(seats);
            play(&mut s, &["H8", "I9", "J10", "A1"]);
            let moves = s.game.moves().to_vec();
            while s.undo() > 0 {}
            while s.redo() > 0 {}
            assert_eq!(s.game.moves(), moves);
        }
    }

    #[test]
    fn a_new_move_ends_what_can_be_redone() {
        let mut s = session(PVP);
        play(&mut s, &["H8", "I9"]);
        s.undo();
        assert!(s.can_redo());
        play(&mut s, &["A1"]);
        assert!(!s.can_redo());
    }

    #[test]
    fn undo_reopens_every_kind_of_end() {
        let mut s = session(PVP);
        play(&mut s, &["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"]);
        assert!(matches!(s.ending(), Some(Ending::Row(Color::Black, _))));
        assert_eq!(s.play(Point::new(0, 0)), Err(PlayError::GameOver));
        s.undo();
        assert!(s.is_running());
        assert!(s.resign());
        assert_eq!(s.ending(), Some(Ending::Resignation(Color::White)));
        assert!(!s.can_redo());
        assert_eq!(s.play(Point::new(0, 0)), Err(PlayError::GameOver));
        s.undo();
        assert!(s.offer_draw());
        assert!(s.answer_draw(true));
        assert_eq!(s.ending(), Some(Ending::Agreement));
        s.undo();
        assert!(s.is_running());
    }

    #[test]
    fn a_person_resigns_for_the_persons_side() {
        let mut s = session(HUMAN_WHITE);
        assert_eq!(s.resigning_side(), Some(Color::White));
        play(&mut s, &["H8"]);
        assert!(s.resign());
        assert_eq!(s.ending().and_then(Ending::winner), Some(Color::Black));
        assert!(!s.resign());
    }

    #[test]
    fn a_draw_offer_dies_with_the_next_move() {
        let mut s = session(PVP);
        assert!(!s.offer_draw(), "not on an empty board");
        play(&mut s, &["H8"]);
        assert!(s.offer_draw());
        assert!(!s.offer_draw(), "one at a time");
        play(&mut s, &["I9"]);
        assert_eq!(s.draw_offer(), None);
        assert!(!s.answer_draw(true));
        assert!(s.is_running());
        assert!(s.offer_draw());
        assert!(s.answer_draw(false));
        assert!(s.is_running());
    }

    #[test]
    fn what_is_no_session_is_not_restored() {
        let mut s = session(PVP);
        play(&mut s, &["H8", "I9"]);
        let good = s.save();
        assert!(Session::restore(&good).is_some());
        for spoil in [
            |s: &mut SavedSession| s.lines = 9,
            |s: &mut SavedSession| s.lines = 21,
            |s: &mut SavedSession| s.moves.push((7, 7)),
            |s: &mut SavedSession| s.moves.push((15, 0)),
            |s: &mut SavedSession| s.undone.push((7, 7)),
            |s: &mut SavedSession| s.seats[0] = SavedSeat::Computer(5),
        ] {
            let mut bad = good.clone();
            spoil(&mut bad);
            assert!(Session::restore(&bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn time_counts_while_a_person_is_to_move() {
        let mut s = session(HUMAN_BLACK);
        s.pass(Duration::from_millis(700));
        play(&mut s, &["H8"]);
        s.pass(Duration::from_secs(9));
        play(&mut s, &["I9"]);
        s.pass(Duration::from_millis(50));
        assert_eq!(s.millis(), 750);
        assert_eq!(Session::restore(&s.save()).unwrap().millis(), 750);
        s.resign();
        s.pass(Duration::from_secs(9));
        assert_eq!(s.millis(), 750);
    }

    proptest! {
        #[test]
        fn a_session_reads_back_equal(
            seats in prop::sample::select(&[PVP, HUMAN_BLACK, HUMAN_WHITE][..]),
            lines in 10u8..=20,
            steps in prop::collection::vec((0u8..22, 0u8..22, 0u8..8), 0..120),
        ) {
            let setup = Setup { size: Size::new(lines).unwrap(), rule: Rule::Standard, seats };
            let mut s = Session::new(setup);
            for (x, y, step) in steps {
                match step {
                    0 => { s.undo(); }
                    1 => { s.redo(); }
                    2 if x == 0 => { s.resign(); }
                    3 if x == 0 => { s.offer_draw(); s.answer_draw(y % 2 == 0); }
                    4 => { let _ = s.play_help(Point::new(x, y)); }
                    _ => { let _ = s.play(Point::new(x, y)); }
                }
                let restored = Session::restore(&s.save()).expect("a session can be restored");
                prop_assert_eq!(restored.save(), s.save());
                prop_assert_eq!(restored.ending(), s.ending());
                prop_assert_eq!(restored.game(), s.game());
                let mut replayed = Game::new(setup.size, setup.rule);
                for &point in s.game().moves() {
                    replayed.play(point).unwrap();
                }
                prop_assert_eq!(&replayed, s.game());
            }
        }
    }
}
