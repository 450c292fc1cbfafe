// SPDX-License-Identifier: GPL-3.0-only
//! What the pages of kept games show, and what is done there.

use std::path::PathBuf;

use wuzi_record::text::Rows;
use wuzi_record::{Format, NodeId, Record, Verdict, WonBy, text};

use wuzi_engine::{Level, Size};

use super::{Class, Entry, Filter, Finished, GameStore, Replay, Results};
use crate::files;
use crate::services::StorageError;
use crate::session::{Ending, SavedRule, Session};
use crate::settings::clean_name;

/// What can be done on the pages of kept games.
#[derive(Clone, Debug)]
pub enum Act {
    /// Shows only these games.
    Filter(Filter),
    /// Chooses a game of the list by its file.
    Select(String),
    /// Replays the chosen game.
    Open,
    /// Replays a named opening, by its index.
    OpenOpening(usize),
    /// Replays the game of a file.
    OpenFile(PathBuf),
    /// Replays the position of a text, such as one from the clipboard.
    OpenText(String),
    /// Names the chosen game.
    Rename(String),
    /// Puts the chosen game among the classics, or takes it out.
    Classic(bool),
    /// Asks whether to delete the chosen game.
    AskDelete,
    /// Asks whether to empty the table of the leaderboard.
    AskClear,
    /// Yes or no to what was asked.
    Answer(bool),
    /// Writes the chosen or replayed game to a file, by its extension.
    Export(PathBuf),
    /// The replay goes to the position after so many moves.
    GoTo(usize),
    /// The replay goes on or back by one.
    Step(bool),
    /// The replay goes to the next variation.
    NextVariation,
    /// The replay plays by itself, or stops.
    Play(bool),
    /// How fast it plays.
    Pace(usize),
    /// A game from the replayed position: against the computer, or between two people.
    PlayOn {
        /// Whether the computer plays the side that is not to move.
        computer: bool,
    },
    /// Shows this table of the leaderboard.
    Table(Class),
    /// Names the player of the last win that entered.
    NameWinner(String),
}

/// What has to be answered first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether the chosen game is deleted.
    Delete,
    /// Whether the shown table is emptied.
    Clear,
}

/// What became of the last thing that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The file is written.
    Exported(PathBuf),
    /// It did not work, with what is wrong.
    Failed(String),
}

/// The record that the running session adds to.
#[derive(Clone, Debug)]
struct Current {
    /// The file of the list, once the game has ended for the first time.
    entry: Option<Entry>,
    record: Record,
}

/// The pages of kept games.
#[derive(Debug)]
pub struct Shelf {
    entries: Vec<Entry>,
    filter: Filter,
    selected: Option<String>,
    question: Option<Question>,
    report: Option<Report>,
    replay: Option<Replay>,
    results: Results,
    class: Class,
    current: Option<Current>,
    /// Where the last win of this run entered the leaderboard.
    place: Option<(Class, usize)>,
}

impl Default for Shelf {
    fn default() -> Self {
        let class =
            Class { level: Level::default() as u8, lines: Size::DEFAULT.lines(), rule: SavedRule::Freestyle };
        Self {
            entries: Vec::new(),
            filter: Filter::default(),
            selected: None,
            question: None,
            report: None,
            replay: None,
            results: Results::default(),
            class,
            current: None,
            place: None,
        }
    }
}

impl Shelf {
    /// Reads the list and the results anew: a page that shows them opens.
    pub fn refresh(&mut self, store: &mut dyn GameStore) {
        self.question = None;
        self.report = None;
        match store.list() {
            Ok(entries) => self.entries = entries,
            Err(error) => self.fail(&error),
        }
        self.results = store.results();
    }

    /// Does what concerns the list, the replay or the leaderboard alone.
    pub fn act(&mut self, act: Act, store: &mut dyn GameStore) {
        self.report = None;
        match act {
            Act::Filter(filter) => self.filter = filter,
            Act::Select(file) => self.selected = self.entries.iter().any(|e| e.file == file).then_some(file),
            Act::Open => self.open(store),
            Act::OpenOpening(index) => {
                let opening = wuzi_record::openings::OPENINGS.get(index);
                self.replay = opening.map(|opening| {
                    let mut replay = Replay::new(opening.record());
                    replay.go_to(usize::MAX);
                    replay
                });
            }
            Act::OpenFile(path) => self.open_record(files::read(&path, Rows::FromBottom)),
            Act::OpenText(text) => self.open_record(Format::of_text(&text).read(text.as_bytes())),
            Act::Rename(name) => self.change(store, |entry| entry.name = clean_name(&name)),
            Act::Classic(classic) => self.change(store, |entry| entry.classic = classic),
            Act::AskDelete if self.selected().is_some() => self.question = Some(Question::Delete),
            Act::AskClear => self.question = Some(Question::Clear),
            Act::Answer(yes) => self.answer(yes, store),
            Act::Export(path) => self.export(path, store),
            Act::Table(class) => self.class = class,
            Act::NameWinner(name) => self.name_winner(&clean_name(&name), store),
            Act::GoTo(_)
            | Act::Step(_)
            | Act::NextVariation
            | Act::Play(_)
            | Act::Pace(_)
            | Act::PlayOn { .. }
            | Act::AskDelete => {}
        }
    }

    fn fail(&mut self, error: &dyn std::fmt::Display) {
        log::warn!("{error}");
        self.report = Some(Report::Failed(error.to_string()));
    }

    fn open(&mut self, store: &mut dyn GameStore) {
        let Some(file) = self.selected.clone() else { return };
        self.open_record(store.open(&file));
    }

    fn open_record<E: std::fmt::Display>(&mut self, record: Result<Record, E>) {
        self.replay = None;
        match record {
            Ok(record) => self.replay = Some(Replay::new(record)),
            Err(error) => self.fail(&error),
        }
    }

    fn change(&mut self, store: &mut dyn GameStore, change: impl FnOnce(&mut Entry)) {
        let selected = self.selected.as_deref();
        let Some(entry) = self.entries.iter_mut().find(|e| Some(e.file.as_str()) == selected) else { return };
        change(entry);
        if let Err(error) = store.change(entry) {
            self.fail(&error);
        }
    }

    fn answer(&mut self, yes: bool, store: &mut dyn GameStore) {
        let result = match self.question.take().filter(|_| yes) {
            None => Ok(()),
            Some(Question::Delete) => self.selected.take().map_or(Ok(()), |file| {
                self.entries.retain(|entry| entry.file != file);
                store.delete(&file)
            }),
            Some(Question::Clear) => {
                let class = self.class;
                self.place = self.place.filter(|(entered, _)| *entered != class);
                let cleared = store.change_results(&mut |results| results.clear(class));
                self.results = store.results();
                cleared
            }
        };
        if let Err(error) = result {
            self.fail(&error);
        }
    }

    fn export(&mut self, path: PathBuf, store: &mut dyn GameStore) {
        let record = match (&self.replay, self.selected.clone()) {
            (Some(replay), _) => Ok(replay.record().clone()),
            (None, Some(file)) => store.open(&file),
            (None, None) => return,
        };
        let written = record
            .map_err(|error| error.to_string())
            .and_then(|record| files::write(&path, &record).map_err(|error| error.to_string()));
        match written {
            Ok(()) => self.report = Some(Report::Exported(path)),
            Err(error) => self.fail(&error),
        }
    }

    fn name_winner(&mut self, name: &str, store: &mut dyn GameStore) {
        let Some((class, place)) = self.place else { return };
        let named = store.change_results(&mut |results| results.rename(class, place, name));
        self.results = store.results();
        if let Err(error) = named {
            self.fail(&error);
        }
    }

    // The running game.

    /// Another game begins, from the replayed position if `from` is one.
    pub(crate) fn begin(&mut self, from: Option<Record>) {
        self.place = None;
        self.current = from.map(|record| Current { entry: None, record });
    }

    /// The session has ended: keeps its game, and counts it if it ended for the first time.
    ///
    /// # Errors
    /// If something could not be kept.
    pub(crate) fn file(
        &mut self,
        session: &Session,
        players: [String; 2],
        store: &mut dyn GameStore,
    ) -> Result<(), StorageError> {
        let date = store.date();
        let size = session.game().size();
        let current = self.current.get_or_insert_with(|| Current { entry: None, record: Record::new(size) });
        let record = &mut current.record;
        // A session's moves are possible, and a million of them are not played.
        if let Ok(end) = record.add_line(Record::ROOT, session.game().moves()) {
            record.promote(end);
        }
        record.info.black.clone_from(&players[0]);
        record.info.white.clone_from(&players[1]);
        record.info.date = date.clone();
        record.info.rule = Some(session.setup().rule);
        record.info.verdict = verdict(session.ending());
        let mut entry = Entry::of_session(session, record, players.clone());
        let is_first = current.entry.is_none();
        if let Some(before) = &current.entry {
            entry.file.clone_from(&before.file);
        }
        // What counts is that the end is on the disk; the rest is tried whatever became of it.
        let kept = store.keep(&mut entry, record);
        current.entry = Some(entry);
        let counted = match Finished::of(session).filter(|_| is_first) {
            Some(game) => self.count(&game, &players, &date, store),
            None => Ok(()),
        };
        kept.and(counted)
    }

    fn count(
        &mut self,
        game: &Finished,
        players: &[String; 2],
        date: &str,
        store: &mut dyn GameStore,
    ) -> Result<(), StorageError> {
        let day = date.split(' ').next().unwrap_or_default();
        let win = game.win(&players[game.person().index()], day);
        let mut place = None;
        let counted = store.change_results(&mut |results| {
            results.count(game);
            place = win.clone().and_then(|win| results.enter(game.class, win));
        });
        if counted.is_ok() {
            self.class = game.class;
            self.place = place.map(|place| (game.class, place));
        }
        counted
    }

    // What is shown.

    /// The games that the filter takes, the newest first.
    pub fn shown(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().rev().filter(|entry| self.filter.takes(entry))
    }

    /// Which games are shown.
    #[must_use]
    pub const fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The chosen game.
    #[must_use]
    pub fn selected(&self) -> Option<&Entry> {
        let file = self.selected.as_deref()?;
        self.entries.iter().find(|entry| entry.file == file)
    }

    /// What has to be answered.
    #[must_use]
    pub const fn question(&self) -> Option<Question> {
        self.question
    }

    /// What became of the last thing that was done.
    #[must_use]
    pub const fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    /// The replay.
    #[must_use]
    pub const fn replay(&self) -> Option<&Replay> {
        self.replay.as_ref()
    }

    pub(crate) const fn replay_mut(&mut self) -> Option<&mut Replay> {
        self.replay.as_mut()
    }

    pub(crate) fn close_replay(&mut self) {
        self.replay = None;
    }

    /// The leaderboard and the statistics.
    #[must_use]
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// The table of the leaderboard that is shown.
    #[must_use]
    pub const fn class(&self) -> Class {
        self.class
    }

    /// The place, from 1, of the last game's win in the leaderboard.
    #[must_use]
    pub fn place(&self) -> Option<usize> {
        self.place.map(|(_, place)| place)
    }

    /// The row of the shown table that the last game's win has.
    #[must_use]
    pub fn place_in_table(&self) -> Option<usize> {
        self.place.filter(|(class, _)| *class == self.class).map(|(_, place)| place)
    }
}

fn verdict(ending: Option<Ending>) -> Verdict {
    match ending {
        None => Verdict::Unknown,
        Some(Ending::Agreement | Ending::FullBoard) => Verdict::Draw,
        Some(Ending::Row(winner, _)) => Verdict::Won(winner, WonBy::Stones),
        Some(Ending::Forbidden(winner, _)) => Verdict::Won(winner, WonBy::Forfeit),
        Some(Ending::Resignation(winner)) => Verdict::Won(winner, WonBy::Resignation),
    }
}

/// The moves up to a position of a record as text for the clipboard.
#[must_use]
pub fn position_text(record: &Record, at: NodeId) -> String {
    Record::from_moves(record.size(), &record.path(at))
        .map_or_else(|_| String::new(), |line| text::write_position(&line))
}
