// SPDX-License-Identifier: GPL-3.0-only
//! What the pages of kept games show, and what is done there.

use std::mem;
use std::path::PathBuf;

use wuzi_engine::{Level, Size};
use wuzi_record::text::Rows;
use wuzi_record::{Format, NodeId, Record, Verdict, WonBy, text};

use super::{Browser, Class, Entry, Errand, Filter, Finished, GameStore, Replay, Results, Subject};
use crate::files::{self, Part};
use crate::message::Message;
use crate::services::StorageError;
use crate::session::{Ending, SavedRecord, SavedRule, SavedSeat, Session};
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
    /// Replays what another program hands over: its name, which may be empty, and its content, or why
    /// that could not be had.
    OpenGiven {
        /// With the extension that names the format.
        name: String,
        /// The bytes.
        content: Result<Vec<u8>, Message>,
    },
    /// Replays the running game as far as it has come.
    LookBack,
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
    /// Opens the page on which a file is chosen.
    Browse(Errand),
    /// Writes the chosen, replayed or running game to the file that it came from; one is chosen
    /// where there is none, or where the file cannot hold all of it.
    Save,
    /// Nothing: only what is shown changes.
    Look,
    /// Chooses an item of the folder, or one of the files used last.
    Pick(usize),
    /// To the folder that holds the shown one.
    Up,
    /// To the folder where files are looked for at first.
    Home,
    /// Shows the files used last instead of a folder.
    ShowRecent(bool),
    /// The name of the file, as it is typed.
    TypeName(String),
    /// The name of the file gets this extension.
    Extension(&'static str),
    /// Names a player of the game that is written.
    NamePlayer {
        /// White instead of black.
        white: bool,
        /// The name.
        name: String,
    },
    /// Opens or writes the file that is named.
    Confirm,
    /// Copies the shown position as text.
    Copy,
    /// The clipboard has not taken what was copied.
    NotCopied,
    /// Hands the replayed game to another program.
    Share,
    /// That did not come about, with what is wrong.
    NotShared(Message),
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
    /// Whether the file that is there is replaced.
    Replace,
}

/// What became of the last thing that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The file is written.
    Written(PathBuf),
    /// The position is copied.
    Copied,
    /// The clipboard did not take the position.
    NotCopied,
    /// The game was not handed to another program, with what is wrong.
    NotShared(Message),
    /// It could not be read, with what is wrong.
    NotRead(Message),
    /// The file could not be written, with what is wrong.
    NotWritten(Message),
    /// A change of what the program keeps could not be kept, with what is wrong.
    NotKept(Message),
}

/// The record that the running session adds to.
#[derive(Clone, Debug)]
struct Current {
    /// The file of the list, once the game has ended for the first time.
    entry: Option<Entry>,
    record: Record,
    /// Where a program that starts anew finds the record.
    link: Option<SavedRecord>,
    /// Whether it has ended before and counts in the statistics, even if it was deleted since.
    counted: bool,
    /// The file that the record came from or was written to last.
    file: Option<PathBuf>,
    /// The players as they were named when the game was saved.
    players: Option<[String; 2]>,
}

impl Current {
    fn new(record: Record) -> Self {
        Self { entry: None, record, link: None, counted: false, file: None, players: None }
    }

    /// Names the players, in the list too if the game has ended before.
    fn name_players(&mut self, players: [String; 2], store: &mut dyn GameStore) -> Result<(), StorageError> {
        let mut kept = Ok(());
        let mut named = self.entry.clone();
        if let Some(entry) = &mut named
            && entry.name_players(&players)
            && !entry.file.is_empty()
        {
            [self.record.info.black, self.record.info.white] = players.clone();
            kept = store.keep(entry, &self.record);
        }
        // What is not on the disk is tried again when it is named again.
        if kept.is_ok() {
            self.entry = named;
        }
        self.players = Some(players);
        kept
    }

    /// Names the person who played against the computer.
    fn name_person(&mut self, name: &str, store: &mut dyn GameStore) -> Result<(), StorageError> {
        let Some(entry) = &self.entry else { return Ok(()) };
        let mut players = self.players.clone().unwrap_or_else(|| entry.players.clone());
        if let Some(side) = entry.seats.iter().position(|seat| *seat == SavedSeat::Human) {
            name.clone_into(&mut players[side]);
        }
        self.name_players(players, store)
    }
}

/// What the list says of a game now; it may have been named there meanwhile.
fn listed(entry: &Entry, store: &mut dyn GameStore) -> Entry {
    let found = store.list().unwrap_or_default().into_iter().find(|other| other.file == entry.file);
    found.unwrap_or_else(|| entry.clone())
}

/// The record of the game that was left and can be continued.
#[derive(Clone, Debug)]
enum Left {
    /// It was left in this run.
    Here(Box<Current>),
    /// It was left when the program ended: where its record is, and who was named to play.
    Kept(Option<SavedRecord>, Option<[String; 2]>),
}

/// The pages of kept games.
#[derive(Debug)]
pub struct Shelf {
    entries: Vec<Entry>,
    /// Which of the entries the filter takes, the newest first.
    shown: Vec<usize>,
    filter: Filter,
    selected: Option<String>,
    question: Option<Question>,
    report: Option<Report>,
    replay: Option<Replay>,
    /// The file that the replayed game came from or was written to last.
    replay_file: Option<PathBuf>,
    /// The file in the list of the replayed game, if it was chosen there.
    replay_listed: Option<String>,
    browser: Browser,
    copied: Option<String>,
    results: Results,
    class: Class,
    current: Option<Current>,
    left: Option<Left>,
    /// Where the last win of this run entered the leaderboard.
    place: Option<(Class, usize)>,
}

impl Default for Shelf {
    fn default() -> Self {
        let class =
            Class { level: Level::default() as u8, lines: Size::DEFAULT.lines(), rule: SavedRule::Freestyle };
        Self {
            entries: Vec::new(),
            shown: Vec::new(),
            filter: Filter::default(),
            selected: None,
            question: None,
            report: None,
            replay: None,
            replay_file: None,
            replay_listed: None,
            browser: Browser::default(),
            copied: None,
            results: Results::default(),
            class,
            current: None,
            left: None,
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
            Err(error) => self.not_kept(&error),
        }
        self.results = store.results();
        self.sift();
    }

    /// Does what concerns the list or the leaderboard alone.
    pub fn act(&mut self, act: Act, store: &mut dyn GameStore) {
        self.report = None;
        match act {
            Act::Filter(filter) if self.filter != filter => {
                self.filter = filter;
                self.sift();
                // Nothing is done with a game that is not seen.
                let selected = self.selected.take();
                self.selected = selected.filter(|file| self.shown().any(|entry| entry.file == *file));
            }
            Act::Select(file) => {
                self.question = None;
                self.selected = self.entries.iter().any(|e| e.file == file).then_some(file);
            }
            Act::Rename(name) => self.change(store, |entry| entry.name = clean_name(&name)),
            Act::Classic(classic) => self.change(store, |entry| entry.classic = classic),
            Act::AskDelete if self.selected().is_some() => self.question = Some(Question::Delete),
            Act::AskClear => self.question = Some(Question::Clear),
            Act::Answer(yes) => self.answer(yes, store),
            Act::Table(class) => {
                self.question = None;
                self.class = class;
            }
            Act::NameWinner(name) => self.name_winner(&clean_name(&name), store),
            _ => {}
        }
    }

    /// Which entries are shown.
    fn sift(&mut self) {
        let shown = self.entries.iter().enumerate().rev();
        self.shown = shown.filter(|(_, entry)| self.filter.takes(entry)).map(|(index, _)| index).collect();
    }

    fn not_kept(&mut self, error: &StorageError) {
        log::warn!("{error}");
        self.report = Some(Report::NotKept(error.cause.clone()));
    }

    fn not_read(&mut self, why: Message) {
        log::warn!("not read: {why}");
        self.report = Some(Report::NotRead(why));
    }

    fn change(&mut self, store: &mut dyn GameStore, change: impl FnOnce(&mut Entry)) {
        let selected = self.selected.as_deref();
        let Some(entry) = self.entries.iter_mut().find(|e| Some(e.file.as_str()) == selected) else { return };
        change(entry);
        let entry = entry.clone();
        let kept = store.change(&entry);
        self.sift();
        if let Some(current) = self.going_on(&entry.file) {
            current.entry = Some(entry);
        }
        if let Err(error) = kept {
            self.not_kept(&error);
        }
    }

    fn answer(&mut self, yes: bool, store: &mut dyn GameStore) {
        let result = match self.question.take().filter(|_| yes) {
            None | Some(Question::Replace) => Ok(()),
            Some(Question::Delete) => self.selected.take().map_or(Ok(()), |file| {
                let deleted = store.delete(&file);
                if deleted.is_ok() {
                    self.entries.retain(|entry| entry.file != file);
                    self.sift();
                    // What is deleted does not come back under another name, only with other moves.
                    if let Some(entry) = self.going_on(&file).and_then(|current| current.entry.as_mut()) {
                        entry.file.clear();
                    }
                }
                deleted
            }),
            Some(Question::Clear) => {
                let class = self.class;
                let cleared = store.change_results(&mut |results| results.clear(class));
                if cleared.is_ok() {
                    self.place = self.place.filter(|(entered, _)| *entered != class);
                }
                self.results = store.results();
                cleared
            }
        };
        if let Err(error) = result {
            self.not_kept(&error);
        }
    }

    // The replay.

    /// Opens what is asked for. Returns whether a replay begins; if not, the report says why.
    pub(crate) fn open(&mut self, act: Act, store: &mut dyn GameStore) -> bool {
        self.report = None;
        match act {
            Act::Open => {
                let Some(file) = self.selected.clone() else { return false };
                let is_read = self.show(self.open_listed(&file, store).map_err(|error| error.cause));
                if is_read {
                    self.replay_listed = Some(file);
                }
                is_read
            }
            Act::OpenOpening(index) => {
                let Some(opening) = wuzi_record::openings::OPENINGS.get(index) else { return false };
                self.look_at(Replay::at_end(opening.record()), None);
                true
            }
            Act::OpenFile(path) => {
                let path = std::path::absolute(&path).unwrap_or(path);
                let is_read =
                    self.show(files::read(&path, Rows::FromBottom).map_err(|error| (&error).into()));
                if is_read {
                    self.remember(&path, store);
                    self.replay_file = Some(path);
                }
                is_read
            }
            Act::OpenText(text) => {
                let format = Format::of_text(&text);
                match format.read(text.as_bytes()) {
                    Ok(record) if record.is_empty() => {
                        self.not_read(Message::new("there is no move in it", "里面没有着法"));
                        false
                    }
                    // A position is wanted itself, a game from its beginning.
                    Ok(record) if format == Format::Text => {
                        self.look_at(Replay::at_end(record), None);
                        true
                    }
                    record => self.show(record.map_err(|error| (&error).into())),
                }
            }
            Act::OpenGiven { name, content } => self
                .show(content.and_then(|bytes| files::parse(&name, &bytes).map_err(|error| (&error).into()))),
            _ => false,
        }
    }

    /// A game of the list, with what the list says of it.
    fn open_listed(&self, file: &str, store: &mut dyn GameStore) -> Result<Record, StorageError> {
        let mut record = store.open(file)?;
        if let Some(entry) = self.entries.iter().find(|entry| entry.file == file) {
            entry.name_in(&mut record.info);
        }
        Ok(record)
    }

    fn show(&mut self, record: Result<Record, Message>) -> bool {
        match record {
            Ok(record) => {
                self.look_at(Replay::new(record), None);
                true
            }
            Err(why) => {
                self.not_read(why);
                false
            }
        }
    }

    fn look_at(&mut self, replay: Replay, file: Option<PathBuf>) {
        self.replay = Some(replay);
        self.replay_file = file;
        self.replay_listed = None;
    }

    /// Replays the running game.
    pub(crate) fn look_back(&mut self, session: &Session, players: &[String; 2], date: &str) {
        self.report = None;
        let subject = self.subject_of(session, players, date);
        let mut replay = Replay::at_end(subject.record);
        replay.go_to(session.game().moves().len());
        self.look_at(replay, subject.file);
    }

    fn remember(&mut self, path: &std::path::Path, store: &mut dyn GameStore) {
        if let Err(error) = store.remember_file(path) {
            log::warn!("{error}");
        }
    }

    // Files.

    /// The replayed game, or else the one that is chosen in the list.
    pub(crate) fn subject(&mut self, store: &mut dyn GameStore) -> Option<Subject> {
        if let Some(replay) = &self.replay {
            let part = Part { at: replay.at(), end: replay.end() };
            let (file, listed) = (self.replay_file.clone(), self.replay_listed.clone());
            return Some(Subject { record: replay.record().clone(), part, file, listed });
        }
        let file = self.selected.clone()?;
        match self.open_listed(&file, store) {
            Ok(record) => {
                let part = Part::main(&record);
                Some(Subject { record, part, file: None, listed: Some(file) })
            }
            Err(error) => {
                self.not_read(error.cause);
                None
            }
        }
    }

    /// The running game.
    pub(crate) fn subject_of(&self, session: &Session, players: &[String; 2], date: &str) -> Subject {
        let current =
            self.current.clone().unwrap_or_else(|| Current::new(Record::new(session.game().size())));
        let Current { mut record, file, players: named, entry, .. } = current;
        let named = named.or(entry.map(|entry| entry.players));
        write_down(&mut record, session, named.as_ref().unwrap_or(players), date);
        let part = Part::main(&record);
        Subject { record, part, file, listed: None }
    }

    /// Opens the choice of a file.
    pub(crate) fn browse(&mut self, errand: Errand, subject: Option<Subject>, store: &mut dyn GameStore) {
        self.report = None;
        self.question = None;
        let (recent, home, date) = (store.recent_files(), store.home(), store.date());
        if let Err(error) = self.browser.begin(errand, subject, recent, home, &date) {
            let why = Message::from(&error).at(self.browser.folder());
            self.not_read(why);
        }
    }

    /// Does what concerns the choice of a file. Returns the file to open, or the one that was
    /// written.
    pub(crate) fn choose_file(&mut self, act: Act, store: &mut dyn GameStore) -> Option<Chosen> {
        self.report = None;
        let replaces = matches!(act, Act::Answer(true)) && self.question == Some(Question::Replace);
        self.question = None;
        let entered = match act {
            Act::Pick(index) if self.browser.shows_recent() => {
                let path = self.browser.recent().get(index)?.clone();
                return self.pick(path);
            }
            Act::Pick(index) => {
                let item = self.browser.items().get(index)?;
                let path = self.browser.folder().join(&item.name);
                if !item.is_folder {
                    return self.pick(path);
                }
                self.browser.enter(path)
            }
            Act::Up => self.browser.enter(self.browser.parent()?.to_path_buf()),
            Act::Home => self.browser.enter(store.home()),
            Act::ShowRecent(shown) => {
                self.browser.show_recent(shown);
                Ok(())
            }
            Act::TypeName(name) => {
                self.browser.set_name(&name);
                Ok(())
            }
            Act::Extension(extension) => {
                self.browser.set_extension(extension);
                Ok(())
            }
            Act::NamePlayer { white, name } => {
                self.browser.name_player(white, &clean_name(&name));
                Ok(())
            }
            Act::Confirm | Act::Answer(_) if replaces || matches!(act, Act::Confirm) => {
                let path = self.browser.path()?;
                if !path.is_dir() {
                    return self.confirm(path, replaces, store);
                }
                self.browser.set_name("");
                self.browser.enter(path)
            }
            _ => Ok(()),
        };
        if let Err(error) = entered {
            let why = Message::from(&error).at(self.browser.folder());
            self.not_read(why);
        }
        None
    }

    /// A file of the list is opened at once; to write, its name is taken.
    fn pick(&mut self, path: PathBuf) -> Option<Chosen> {
        match self.browser.errand() {
            Errand::Open => Some(Chosen::Open(path)),
            Errand::Save(_) => {
                let name = match path.strip_prefix(self.browser.folder()) {
                    Ok(name) => name,
                    Err(_) => &path,
                };
                self.browser.set_name(&name.to_string_lossy());
                None
            }
        }
    }

    fn confirm(&mut self, path: PathBuf, replaces: bool, store: &mut dyn GameStore) -> Option<Chosen> {
        if self.browser.errand() == Errand::Open {
            return Some(Chosen::Open(path));
        }
        if path.exists() && !replaces {
            self.question = Some(Question::Replace);
            return None;
        }
        let subject = self.browser.subject()?.clone();
        self.write(path, &subject, store).then_some(Chosen::Written)
    }

    /// Writes a file and says so. Returns whether it is written.
    pub(crate) fn write(&mut self, path: PathBuf, subject: &Subject, store: &mut dyn GameStore) -> bool {
        match files::write(&path, &subject.record, subject.part) {
            Ok(()) => {
                self.remember(&path, store);
                self.report = Some(Report::Written(path));
                true
            }
            Err(error) => {
                log::warn!("not written: {error}");
                self.report = Some(Report::NotWritten((&error).into()));
                false
            }
        }
    }

    /// The players of the running game, on a board of this size, are those who are named for the file.
    pub(crate) fn name_players(&mut self, size: Size) {
        let Some(info) = self.browser.subject().map(|subject| &subject.record.info) else { return };
        let players = [info.black.clone(), info.white.clone()];
        self.current.get_or_insert_with(|| Current::new(Record::new(size))).players = Some(players);
    }

    /// The file that was written is where the game is from now on, if that holds all of it, and the
    /// players are those who were named: of the replayed game, of the running one on a board of this
    /// size, which may be the same, and of that in the list.
    ///
    /// # Errors
    /// If the list could not be changed.
    pub(crate) fn is_in(
        &mut self,
        running: Option<Size>,
        store: &mut dyn GameStore,
    ) -> Result<(), StorageError> {
        let Some(Report::Written(path)) = &self.report else { return Ok(()) };
        let file = Some(path.clone()).filter(|path| files::holds_all(path));
        let Some(subject) = self.browser.subject() else { return Ok(()) };
        let info = &subject.record.info;
        let players = [info.black.clone(), info.white.clone()];
        let listed = subject.listed.clone();
        let mut named = Ok(());
        if let Some(size) = running {
            let current = self.current.get_or_insert_with(|| Current::new(Record::new(size)));
            current.file = file.clone().or(current.file.take());
            named = current.name_players(players.clone(), store);
        }
        if let Some(replay) = &mut self.replay {
            self.replay_file = file.or(self.replay_file.take());
            replay.name_players(players.clone());
        }
        if let Some(listed) = listed {
            named = self.name_listed(&listed, &players, store);
        }
        if let Err(error) = &named {
            self.not_kept(error);
        }
        named
    }

    /// Names the players of a game of the list.
    fn name_listed(
        &mut self,
        file: &str,
        players: &[String; 2],
        store: &mut dyn GameStore,
    ) -> Result<(), StorageError> {
        let Some(old) = self.entries.iter_mut().find(|entry| entry.file == file) else { return Ok(()) };
        let mut entry = old.clone();
        if !entry.name_players(players) {
            return Ok(());
        }
        store.change(&entry)?;
        old.clone_from(&entry);
        self.sift();
        if let Some(current) = self.going_on(file) {
            current.entry = Some(entry);
            current.players = Some(players.clone());
        }
        Ok(())
    }

    /// The game of the list that goes on, or may do so, after it had ended.
    fn going_on(&mut self, file: &str) -> Option<&mut Current> {
        let left = match &mut self.left {
            Some(Left::Here(left)) => Some(&mut **left),
            _ => None,
        };
        let is_it = |current: &&mut Current| current.entry.as_ref().is_some_and(|entry| entry.file == file);
        self.current.iter_mut().chain(left).find(is_it)
    }

    pub(crate) fn forget_report(&mut self) {
        self.report = None;
    }

    /// Reads the list anew and goes on saying what was said.
    pub(crate) fn relist(&mut self, store: &mut dyn GameStore) {
        let report = self.report.take();
        self.refresh(store);
        self.report = report.or(self.report.take());
    }

    /// Copies moves as text. Returns whether there are any.
    pub(crate) fn copy(&mut self, record: &Record, at: NodeId) -> bool {
        let is_copied = at != Record::ROOT;
        if is_copied {
            self.copied = Some(position_text(record, at));
            self.report = Some(Report::Copied);
        }
        is_copied
    }

    /// What was copied and is not yet on the clipboard.
    pub(crate) const fn take_copied(&mut self) -> Option<String> {
        self.copied.take()
    }

    /// What is copied is not on the clipboard.
    pub(crate) fn not_copied(&mut self) {
        self.report = Some(Report::NotCopied);
    }

    /// The game was not handed to another program.
    pub(crate) fn not_shared(&mut self, cause: Message) {
        self.report = Some(Report::NotShared(cause));
    }

    fn name_winner(&mut self, name: &str, store: &mut dyn GameStore) {
        let Some((class, place)) = self.place else { return };
        let named = store.change_results(&mut |results| results.rename(class, place, name));
        self.results = store.results();
        // The same player stands in the list, where the game may have been left and go on.
        let current = match (&mut self.current, &mut self.left) {
            (Some(current), _) => Some(current),
            (None, Some(Left::Here(left))) => Some(&mut **left),
            (None, _) => None,
        };
        let named = named.and(current.map_or(Ok(()), |current| current.name_person(name, store)));
        if let Err(error) = named {
            self.not_kept(&error);
        }
    }

    // The running game.

    /// The record of a game that was left when the program ended.
    pub(crate) fn left(&mut self, record: Option<SavedRecord>, players: Option<[String; 2]>) {
        let players = players.map(|players| players.map(|name| clean_name(&name)));
        self.left = Some(Left::Kept(record, players));
    }

    /// Another game begins.
    pub(crate) fn begin(&mut self) {
        self.place = None;
        self.current = None;
    }

    /// A game begins from the replayed position; what the record has else stays with it.
    ///
    /// # Errors
    /// If the record could not be kept; the game begins all the same.
    pub(crate) fn begin_from_replay(&mut self, store: &mut dyn GameStore) -> Result<(), StorageError> {
        self.place = None;
        self.replay_listed = None;
        let Some(replay) = self.replay.take() else { return Ok(()) };
        let mut current = Current::new(replay.into_record());
        current.file = self.replay_file.take();
        let kept = store.keep_origin(&current.record);
        current.link = kept.as_ref().ok().cloned().map(SavedRecord::Origin);
        self.current = Some(current);
        kept.map(|_| ())
    }

    /// The running game is left and can be continued.
    pub(crate) fn leave(&mut self) {
        self.left = self.current.take().map(|current| Left::Here(Box::new(current)));
    }

    /// The game that was left goes on.
    pub(crate) fn resume(&mut self, size: Size, store: &mut dyn GameStore) {
        self.place = None;
        self.current = self.take_left(size, store);
    }

    /// Where the record of the running game is.
    pub(crate) fn link(&self) -> Option<SavedRecord> {
        self.current.as_ref().and_then(|current| current.link.clone())
    }

    /// Who was named to play the running game.
    pub(crate) fn players(&self) -> Option<[String; 2]> {
        self.current.as_ref().and_then(|current| current.players.clone())
    }

    /// The record of the game that was left, on a board of this size.
    fn take_left(&mut self, size: Size, store: &mut dyn GameStore) -> Option<Current> {
        let (link, players) = match self.left.take()? {
            Left::Here(current) => return Some(*current),
            Left::Kept(link, players) => (link, players),
        };
        let Some(link) = link else {
            return players
                .map(|players| Current { players: Some(players), ..Current::new(Record::new(size)) });
        };
        let found = match &link {
            SavedRecord::Origin(file) => store.origin(file).map(|record| (None, record)),
            SavedRecord::Game(file) => store.list().and_then(|entries| {
                let entry = entries.into_iter().find(|entry| entry.file == *file);
                Ok((entry, store.open(file)?))
            }),
        };
        let counted = matches!(link, SavedRecord::Game(_));
        let link = Some(link);
        match found {
            Ok((entry, record)) => {
                // They may have been named in the list after the game was left.
                let listed = entry.as_ref().map(|entry| entry.players.clone());
                let players = players.map(|players| listed.unwrap_or(players));
                Some(Current { entry, link, counted, players, ..Current::new(record) })
            }
            Err(error) => {
                log::warn!("the game goes on without its variations: {error}");
                let link = link.filter(|_| counted);
                Some(Current { link, counted, players, ..Current::new(Record::new(size)) })
            }
        }
    }

    /// The game that was left gives way to another one: keeps what it adds to the list.
    ///
    /// # Errors
    /// If it could not be kept.
    pub(crate) fn file_left(
        &mut self,
        session: &Session,
        players: &[String; 2],
        store: &mut dyn GameStore,
    ) -> Result<(), StorageError> {
        let size = session.game().size();
        let mut current = self.take_left(size, store).unwrap_or_else(|| Current::new(Record::new(size)));
        let before = current.record.len();
        if let Some(mut entry) = current.entry {
            // It has ended before: that end stays, what was tried after it is a variation.
            let added = current.record.add_line(Record::ROOT, session.game().moves());
            if added.is_ok() && current.record.len() > before {
                return store.keep(&mut entry, &current.record);
            }
            return Ok(());
        }
        let players = current.players.as_ref().unwrap_or(players);
        write_down(&mut current.record, session, players, &store.date());
        if current.record.len() == before {
            return Ok(());
        }
        let mut entry = Entry::of_session(session, &current.record, players.clone());
        store.keep(&mut entry, &current.record)
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
        let current = self.current.get_or_insert_with(|| Current::new(Record::new(size)));
        let before = current.entry.as_ref().map(|entry| listed(entry, store));
        let named = before.as_ref().map(|before| before.players.clone());
        let players = current.players.clone().or(named).unwrap_or(players);
        write_down(&mut current.record, session, &players, &date);
        let mut entry = Entry::of_session(session, &current.record, players.clone());
        if let Some(before) = before {
            entry.file = before.file;
            entry.name = before.name;
            entry.classic = before.classic;
        }
        // What counts is that the end is on the disk; the rest is tried whatever became of it.
        let kept = store.keep(&mut entry, &current.record);
        if kept.is_ok() {
            current.link = Some(SavedRecord::Game(entry.file.clone()));
        }
        current.entry = Some(entry);
        let is_first = !mem::replace(&mut current.counted, true);
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
    pub fn shown(&self) -> impl ExactSizeIterator<Item = &Entry> {
        self.shown.iter().map(|&index| &self.entries[index])
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

    /// The file that the replayed game came from or was written to last.
    #[must_use]
    pub fn replay_file(&self) -> Option<&std::path::Path> {
        self.replay_file.as_deref()
    }

    pub(crate) const fn replay_mut(&mut self) -> Option<&mut Replay> {
        self.replay.as_mut()
    }

    pub(crate) fn close_replay(&mut self) {
        self.replay = None;
        self.replay_file = None;
        self.replay_listed = None;
    }

    /// The choice of a file.
    #[must_use]
    pub const fn browser(&self) -> &Browser {
        &self.browser
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

/// What came of the choice of a file.
pub(crate) enum Chosen {
    /// This file is opened.
    Open(PathBuf),
    /// It is written.
    Written,
}

/// Adds a session to a record, as its main line: a longer line that was played before is a variation.
fn write_down(record: &mut Record, session: &Session, players: &[String; 2], date: &str) {
    // A session's moves are possible, and a million of them are not played.
    if let Ok(end) = record.add_line(Record::ROOT, session.game().moves()) {
        record.end_main_line(end);
    }
    record.info.black.clone_from(&players[0]);
    record.info.white.clone_from(&players[1]);
    date.clone_into(&mut record.info.date);
    record.info.rule = Some(session.setup().rule);
    record.info.verdict = verdict(session.ending());
}

fn verdict(ending: Option<Ending>) -> Verdict {
    match ending {
        None => Verdict::Unknown,
        Some(Ending::Agreement | Ending::FullBoard) => Verdict::Draw,
        Some(Ending::Row(winner, _)) => Verdict::Won(winner, WonBy::Stones),
        Some(Ending::Forbidden(winner, _)) => Verdict::Won(winner, WonBy::Forfeit),
        Some(Ending::Resignation(winner)) => Verdict::Won(winner, WonBy::Resignation),
        Some(Ending::Time(winner)) => Verdict::Won(winner, WonBy::Time),
        // The usual formats have no word for staying away.
        Some(Ending::Absence(winner)) => Verdict::Won(winner, WonBy::Forfeit),
    }
}

/// The most bytes of a text that is handed to another program; Android takes a megabyte in all.
const MOST_SHARED: usize = 200_000;

/// A game as text for another program: all of it, or the shown line of one that is too long.
#[must_use]
pub(crate) fn shared_text(record: &Record, end: NodeId) -> String {
    let whole = wuzi_record::sgf::write(record);
    if whole.len() <= MOST_SHARED {
        return whole;
    }
    let line = Record::from_moves(record.size(), &record.path(end));
    line.map_or(whole, |line| wuzi_record::sgf::write(&line))
}

/// The moves up to a position of a record as text for the clipboard.
#[must_use]
pub fn position_text(record: &Record, at: NodeId) -> String {
    Record::from_moves(record.size(), &record.path(at))
        .map_or_else(|_| String::new(), |line| text::write_position(&line))
}
