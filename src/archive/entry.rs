// SPDX-License-Identifier: GPL-3.0-only
//! What the list of kept games knows of each.

use serde::{Deserialize, Serialize};
use wuzi_engine::Color;
use wuzi_record::{Info, Record, Verdict};

use crate::session::{SavedRule, SavedSeat, Session};

/// The most characters of a text from a file that the list keeps; the file has all of it.
const MOST_LISTED: usize = 100;

/// As much of a text as the list keeps.
fn listed(text: &str) -> String {
    text.chars().take(MOST_LISTED).collect()
}

/// A game in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name of its file; empty until it is kept.
    pub file: String,
    /// The day and time of its end, such as `2026-11-30 18:05`.
    pub date: String,
    /// The name that the user gave it.
    pub name: String,
    /// Black's and white's name; empty for the words of the interface.
    pub players: [String; 2],
    /// Who moved for black and for white.
    pub seats: [SavedSeat; 2],
    /// The rule, if it is known.
    pub rule: Option<SavedRule>,
    /// The number of lines of the board.
    pub lines: u8,
    /// The number of moves of the main line.
    pub moves: u16,
    /// How it ended.
    pub result: SavedResult,
    /// Whether the user keeps it among the classics.
    pub classic: bool,
    /// How often a person took back.
    pub undos: u16,
    /// How often the computer moved for a person.
    pub helps: u16,
    /// How long people thought, in milliseconds.
    pub millis: u64,
}

/// A result on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum SavedResult {
    Black,
    White,
    Draw,
    #[default]
    Unknown,
}

impl From<Verdict> for SavedResult {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Won(Color::Black, _) => Self::Black,
            Verdict::Won(Color::White, _) => Self::White,
            Verdict::Draw => Self::Draw,
            Verdict::Unknown => Self::Unknown,
        }
    }
}

impl Entry {
    /// The entry of a record that came from a file.
    #[must_use]
    pub fn of_record(record: &Record, file: &str) -> Self {
        let info = &record.info;
        Self {
            file: file.into(),
            date: listed(&info.date),
            name: listed(&info.name),
            players: [listed(&info.black), listed(&info.white)],
            seats: [SavedSeat::Human; 2],
            rule: info.rule.map(SavedRule::from),
            lines: record.size().lines(),
            moves: u16::try_from(record.main_line().len()).unwrap_or(u16::MAX),
            result: info.verdict.into(),
            classic: false,
            undos: 0,
            helps: 0,
            millis: 0,
        }
    }

    /// The entry of a game that was played here.
    #[must_use]
    pub fn of_session(session: &Session, record: &Record, players: [String; 2]) -> Self {
        let saved = session.save();
        Self {
            players,
            seats: saved.seats,
            undos: saved.undos,
            helps: saved.helps,
            millis: saved.millis,
            ..Self::of_record(record, "")
        }
    }

    /// Says in a record what the user has said in the list: the game's name and the players.
    pub fn name_in(&self, info: &mut Info) {
        let [black, white] = &self.players;
        for (said, own) in [(&self.name, &mut info.name), (black, &mut info.black), (white, &mut info.white)]
        {
            if *said != listed(own) {
                own.clone_from(said);
            }
        }
    }

    /// Names black's and white's player. Returns whether they are others than before.
    pub fn name_players(&mut self, players: &[String; 2]) -> bool {
        let players = players.each_ref().map(|name| listed(name));
        let are_new = self.players != players;
        self.players = players;
        are_new
    }
}

/// Which games of the list are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Part of the name, of a player or of the date, in capital or small letters.
    pub text: String,
    /// Only classics.
    pub classic: bool,
    /// Only this rule.
    pub rule: Option<SavedRule>,
    /// Only this result.
    pub result: Option<SavedResult>,
    /// Only games between these.
    pub kind: Option<Kind>,
}

/// Who played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two people.
    People,
    /// A person and the computer at a level, 0 Easy to 4 Master.
    Computer(u8),
    /// A person and another program.
    Engine,
}

impl Kind {
    fn takes(self, seats: [SavedSeat; 2]) -> bool {
        match self {
            Self::People => seats == [SavedSeat::Human; 2],
            Self::Computer(level) => seats.contains(&SavedSeat::Computer(level)),
            Self::Engine => seats.contains(&SavedSeat::Engine),
        }
    }
}

impl Filter {
    /// Whether the game is shown.
    #[must_use]
    pub fn takes(&self, entry: &Entry) -> bool {
        let wanted = self.text.trim().to_lowercase();
        let has_text = |text: &String| text.to_lowercase().contains(&wanted);
        (wanted.is_empty() || [&entry.name, &entry.date].into_iter().chain(&entry.players).any(has_text))
            && (!self.classic || entry.classic)
            && self.rule.is_none_or(|rule| entry.rule == Some(rule))
            && self.result.is_none_or(|result| entry.result == result)
            && self.kind.is_none_or(|kind| kind.takes(entry.seats))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_says_at_length_stays_in_it() {
        let long = "name ".repeat(100);
        let text = format!("(;GM[4]GN[{long}]PB[{long}]PW[Bo])");
        let record = wuzi_record::Format::Sgf.read(text.as_bytes()).unwrap();
        let mut entry = Entry::of_record(&record, "a.sgf");
        assert_eq!((entry.name.len(), entry.players[0].len()), (MOST_LISTED, MOST_LISTED));
        let mut info = record.info.clone();
        entry.name_in(&mut info);
        assert_eq!(info, record.info, "the list says nothing else");
        assert!(!entry.name_players(&[long.clone(), "Bo".into()]));
        assert!(entry.name_players(&[long.clone(), "Cy".into()]));
        entry.name.clear();
        entry.name_in(&mut info);
        assert_eq!((info.name, info.black, info.white), (String::new(), long, "Cy".into()));
    }

    #[test]
    fn a_filter_takes_what_fits_in_every_respect() {
        let record = wuzi_record::Format::Sgf
            .read(b"(;GM[4]PB[Ada]PW[\xE4\xBA\x94\xE5\xAD\x90]DT[2026-11-30]RU[Renju]RE[B+R];B[hh])")
            .unwrap();
        let seats = [SavedSeat::Human, SavedSeat::Computer(3)];
        let entry = Entry { classic: true, seats, ..Entry::of_record(&record, "a.sgf") };
        assert_eq!((entry.moves, entry.lines, entry.result), (1, 15, SavedResult::Black));
        let any = Filter::default();
        for (filter, takes) in [
            (any.clone(), true),
            (Filter { text: " aDA ".into(), ..any.clone() }, true),
            (Filter { text: "五".into(), ..any.clone() }, true),
            (Filter { text: "11-30".into(), ..any.clone() }, true),
            (Filter { text: "Bob".into(), ..any.clone() }, false),
            (Filter { classic: true, ..any.clone() }, true),
            (Filter { rule: Some(SavedRule::Renju), ..any.clone() }, true),
            (Filter { rule: Some(SavedRule::Standard), ..any.clone() }, false),
            (Filter { result: Some(SavedResult::White), text: "Ada".into(), ..any.clone() }, false),
            (Filter { kind: Some(Kind::Computer(3)), ..any.clone() }, true),
            (Filter { kind: Some(Kind::Computer(2)), ..any.clone() }, false),
            (Filter { kind: Some(Kind::People), ..any.clone() }, false),
            (Filter { kind: Some(Kind::Engine), ..any.clone() }, false),
        ] {
            assert_eq!(filter.takes(&entry), takes, "{filter:?}");
        }
        assert!(!Filter { classic: true, ..any }.takes(&Entry { classic: false, ..entry }));
    }
}
