// SPDX-License-Identifier: GPL-3.0-only
//! Finished games as files: an SGF each, and an index of them all.
//!
//! `games/index.jsonl` has a line for each change: an entry, which replaces an older one of the same
//! file, or the removal of one. Adding, naming and deleting a game thus append one line, however many
//! games there are, and a program that is killed meanwhile can spoil no other line. The list reads
//! the index alone, two megabytes for 10,000 games; each SGF can be read by other programs. SGF files
//! that the index does not know are listed too, so a lost index costs names and marks, no game.
//! `results.json` has the leaderboard and the statistics. A lock is held during each change, so
//! that several programs can share the directory.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use wuzi_record::Record;
use wuzi_record::text::Rows;

use super::storage::DataDir;
use crate::archive::{Entry, GameStore, Results};
use crate::files;
use crate::message::Message;
use crate::services::StorageError;

const INDEX: &str = "index.jsonl";
const LOCK: &str = "lock";
const RESULTS: &str = "results.json";
const RECENT: &str = "recent.json";

/// So many files are remembered.
const MOST_RECENT: usize = 12;

/// So many lines that no longer count are borne before the index is written anew.
const STALE: usize = 1000;

/// The longest index that is read, in bytes: that of a million games.
const LONGEST: u64 = 1 << 28;

/// The version of the index.
const VERSION: u32 = 1;

/// The files that were used last, the newest first.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recent {
    files: Vec<PathBuf>,
}

/// A line of the index.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Version { version: u32 },
    Removed { removed: String },
    Entry(Box<Entry>),
}

/// The finished games of a data directory.
#[derive(Debug)]
pub struct Games {
    data: DataDir,
    directory: PathBuf,
    start: Instant,
}

impl Games {
    /// Those of this directory.
    #[must_use]
    pub fn new(data: &DataDir) -> Self {
        Self { data: data.clone(), directory: data.path().join("games"), start: Instant::now() }
    }

    fn error(&self, error: &io::Error) -> StorageError {
        StorageError { cause: Message::from(error).at(&self.directory) }
    }

    /// Held while the directory is changed; other programs wait.
    fn lock(&self) -> io::Result<File> {
        fs::create_dir_all(&self.directory)?;
        let path = self.directory.join(LOCK);
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        match file.lock() {
            // On Android, where no other program can reach the directory.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
            locked => locked.map(|()| file),
        }
    }

    fn index(&self) -> PathBuf {
        self.directory.join(INDEX)
    }

    /// Adds a line to the index and brings it to the disk.
    fn append(&self, line: &Line) -> io::Result<()> {
        let mut file = File::options().create(true).read(true).append(true).open(self.index())?;
        let mut text = Vec::new();
        let length = file.seek(SeekFrom::End(0))?;
        if length == 0 {
            serde_json::to_writer(&mut text, &Line::Version { version: VERSION })?;
            text.push(b'\n');
        } else {
            // What a killed program has left of its line must not spoil this one.
            file.seek(SeekFrom::End(-1))?;
            let mut last = [0];
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                text.push(b'\n');
            }
        }
        serde_json::to_writer(&mut text, line)?;
        text.push(b'\n');
        file.write_all(&text)?;
        file.sync_all()
    }

    fn read(&self) -> io::Result<Vec<Entry>> {
        let text = match fs::metadata(self.index()) {
            Ok(found) if found.is_file() && found.len() <= LONGEST => fs::read(self.index())?,
            Ok(_) => {
                self.data.set_aside(&self.index(), &format!("it is no file of at most {LONGEST} bytes"));
                Vec::new()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        let mut index = Index::default();
        for line in text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            index.take(serde_json::from_slice(line).ok());
        }
        if index.broken > 0 {
            let aside = files::free_name(&self.index(), "broken");
            fs::write(&aside, &text)?;
            self.data.tell_aside(&aside);
            log::warn!(
                "{}: {} lines cannot be understood; all are kept in {}",
                self.index().display(),
                index.broken,
                aside.display()
            );
        }
        let mut entries: Vec<Entry> = index.entries.into_iter().flatten().collect();
        let files = self.files()?;
        entries.retain(|entry| files.contains(&entry.file));
        let known: HashSet<&str> = entries.iter().map(|entry| entry.file.as_str()).collect();
        let mut found: Vec<Entry> = Vec::new();
        for file in files.iter().filter(|file| !known.contains(file.as_str())) {
            match files::read(&self.directory.join(file), Rows::FromBottom) {
                Ok(record) => found.push(Entry::of_record(&record, file)),
                Err(error) => log::warn!("not in the list: {error}"),
            }
        }
        found.sort_by(|a, b| a.file.cmp(&b.file));
        let is_new = !found.is_empty();
        entries.extend(found);
        if is_new || index.broken > 0 || index.stale > STALE.max(entries.len()) {
            self.rewrite(&entries)?;
        }
        Ok(entries)
    }

    /// The names of the games' files.
    fn files(&self) -> io::Result<HashSet<String>> {
        let mut files = HashSet::new();
        for entry in fs::read_dir(&self.directory)? {
            let name = entry?.file_name();
            if let Some(name) = name.to_str().filter(|name| is_game(name)) {
                files.insert(name.to_owned());
            }
        }
        Ok(files)
    }

    fn rewrite(&self, entries: &[Entry]) -> io::Result<()> {
        let mut text = Vec::new();
        let mut put = |line: &Line| -> io::Result<()> {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
            Ok(())
        };
        put(&Line::Version { version: VERSION })?;
        for entry in entries {
            put(&Line::Entry(Box::new(entry.clone())))?;
        }
        files::replace(&self.index(), &text)
    }

    fn keep_file(&self, entry: &mut Entry, record: &Record) -> io::Result<()> {
        if entry.file.is_empty() {
            let stem: String = entry.date.chars().map(|c| if c == ':' { '.' } else { c }).collect();
            let stem = if is_plain(&stem) { stem } else { "game".to_owned() };
            let names =
                std::iter::once(format!("{stem}.sgf")).chain((2..).map(|n| format!("{stem} ({n}).sgf")));
            entry.file =
                names.into_iter().find(|name| !self.directory.join(name).exists()).unwrap_or_default();
        }
        files::replace(&self.path(&entry.file)?, wuzi_record::sgf::write(record).as_bytes())
    }

    /// The path of a game, which is never outside of the directory.
    fn path(&self, file: &str) -> io::Result<PathBuf> {
        if is_game(file) {
            Ok(self.directory.join(file))
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{file:?} is no game of the list")))
        }
    }
}

/// Whether this is the name of a game's file, and no path to elsewhere.
fn is_game(name: &str) -> bool {
    name.strip_suffix(".sgf").is_some_and(is_plain)
}

fn is_plain(stem: &str) -> bool {
    !stem.is_empty()
        && !stem.starts_with('.')
        && !stem.contains(|c: char| matches!(c, '/' | '\\' | ':') || c.is_control())
}

/// What the lines of an index say together.
#[derive(Default)]
struct Index {
    /// Entries in order; `None` where one was removed.
    entries: Vec<Option<Entry>>,
    places: HashMap<String, usize>,
    stale: usize,
    broken: usize,
}

impl Index {
    fn take(&mut self, line: Option<Line>) {
        match line {
            Some(Line::Version { version: VERSION }) => {}
            Some(Line::Entry(entry)) => match self.places.get(&entry.file) {
                Some(&place) => {
                    self.stale += 1;
                    self.entries[place] = Some(*entry);
                }
                None => {
                    self.places.insert(entry.file.clone(), self.entries.len());
                    self.entries.push(Some(*entry));
                }
            },
            Some(Line::Removed { removed }) => {
                self.stale += 2;
                if let Some(place) = self.places.remove(&removed) {
                    self.entries[place] = None;
                }
            }
            Some(Line::Version { .. }) | None => self.broken += 1,
        }
    }
}

impl GameStore for Games {
    fn list(&mut self) -> Result<Vec<Entry>, StorageError> {
        if !self.directory.exists() {
            return Ok(Vec::new());
        }
        let _lock = self.lock().map_err(|error| self.error(&error))?;
        self.read().map_err(|error| self.error(&error))
    }

    fn keep(&mut self, entry: &mut Entry, record: &Record) -> Result<(), StorageError> {
        let _lock = self.lock().map_err(|error| self.error(&error))?;
        self.keep_file(entry, record).map_err(|error| self.error(&error))?;
        self.append(&Line::Entry(Box::new(entry.clone()))).map_err(|error| self.error(&error))
    }

    fn change(&mut self, entry: &Entry) -> Result<(), StorageError> {
        let _lock = self.lock().map_err(|error| self.error(&error))?;
        self.append(&Line::Entry(Box::new(entry.clone()))).map_err(|error| self.error(&error))
    }

    fn delete(&mut self, file: &str) -> Result<(), StorageError> {
        let _lock = self.lock().map_err(|error| self.error(&error))?;
        match self.path(file).and_then(fs::remove_file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(self.error(&error)),
            _ => {}
        }
        self.append(&Line::Removed { removed: file.to_owned() }).map_err(|error| self.error(&error))
    }

    fn open(&mut self, file: &str) -> Result<Record, StorageError> {
        let path = self.path(file).map_err(|error| self.error(&error))?;
        files::read(&path, Rows::FromBottom).map_err(|error| StorageError { cause: (&error).into() })
    }

    fn results(&mut self) -> Results {
        self.data.load(RESULTS, Results::is_valid).unwrap_or_default()
    }

    fn change_results(&mut self, change: &mut dyn FnMut(&mut Results)) -> Result<(), StorageError> {
        let _lock = self.lock().map_err(|error| self.error(&error))?;
        let mut results = self.results();
        change(&mut results);
        self.data.write(RESULTS, results)
    }

    fn keep_origin(&mut self, record: &Record) -> Result<String, StorageError> {
        self.data.keep_origin(&wuzi_record::sgf::write(record))
    }

    fn origin(&mut self, file: &str) -> Result<Record, StorageError> {
        self.data.origin(file)
    }

    fn recent_files(&mut self) -> Vec<PathBuf> {
        self.data.load(RECENT, |_: &Recent| true).unwrap_or_default().files
    }

    fn remember_file(&mut self, path: &Path) -> Result<(), StorageError> {
        // What is no Unicode can neither be kept as text nor shown.
        if path.to_str().is_none() {
            return Ok(());
        }
        let _lock = self.lock().map_err(|error| self.error(&error))?;
        let mut files = self.recent_files();
        files.retain(|file| file != path);
        files.insert(0, path.to_path_buf());
        files.truncate(MOST_RECENT);
        self.data.write(RECENT, Recent { files })
    }

    fn home(&self) -> PathBuf {
        // An app on a phone has its own directory and no other.
        let home = std::env::home_dir().filter(|home| !cfg!(target_os = "android") && home.is_dir());
        home.unwrap_or_else(|| self.data.path().to_path_buf())
    }

    fn date(&self) -> String {
        chrono::Local::now().format("%Y-%m-%d %H:%M").to_string()
    }

    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Class, Win};
    use crate::session::SavedRule;
    use tempfile::TempDir;

    fn games() -> (TempDir, Games) {
        let dir = tempfile::tempdir().unwrap();
        let games = Games::new(&DataDir::new(dir.path()));
        (dir, games)
    }

    fn record(text: &str) -> Record {
        wuzi_record::Format::Text.read(text.as_bytes()).unwrap()
    }

    fn kept(games: &mut Games, moves: &str) -> Entry {
        let record = record(moves);
        let mut entry = Entry { date: "2026-11-30 18:05".into(), ..Entry::of_record(&record, "") };
        games.keep(&mut entry, &record).unwrap();
        entry
    }

    #[test]
    fn games_are_listed_in_the_order_in_which_they_were_kept() {
        let (_dir, mut games) = games();
        assert_eq!(games.list(), Ok(vec![]));
        let entries = vec![kept(&mut games, "h8"), kept(&mut games, "h8i9"), kept(&mut games, "h8i9j10")];
        let names: Vec<_> = entries.iter().map(|entry| entry.file.as_str()).collect();
        assert_eq!(names, ["2026-11-30 18.05.sgf", "2026-11-30 18.05 (2).sgf", "2026-11-30 18.05 (3).sgf"]);
        assert_eq!(games.list(), Ok(entries));
        assert_eq!(games.open("2026-11-30 18.05 (2).sgf").unwrap().main_line(), record("h8i9").main_line());
    }

    #[test]
    fn names_marks_and_removals_are_kept() {
        let (dir, mut games) = games();
        let (mut first, second) = (kept(&mut games, "h8"), kept(&mut games, "a1"));
        first.name = "五子 \"one\"".into();
        first.classic = true;
        games.change(&first).unwrap();
        games.delete(&second.file).unwrap();
        assert_eq!(games.list(), Ok(vec![first.clone()]));
        let third = kept(&mut games, "b2");
        assert_eq!(third.file, second.file, "the name is free again");
        assert_eq!(Games::new(&DataDir::new(dir.path())).list(), Ok(vec![first.clone(), third]));
        let longer = record("h8i9");
        games.keep(&mut first, &longer).unwrap();
        assert_eq!(games.open(&first.file).unwrap().main_line(), longer.main_line());
        assert_eq!(games.list().unwrap().len(), 2, "a new version is no new game");
    }

    #[test]
    fn a_broken_index_is_set_aside_and_no_game_is_lost() {
        let (dir, mut games) = games();
        let (first, second) = (kept(&mut games, "h8"), kept(&mut games, "h8i9"));
        let index = dir.path().join("games/index.jsonl");
        // As a program leaves it that is killed while it writes.
        let text = fs::read_to_string(&index).unwrap();
        let cut = &text[..text.len() - 9];
        fs::write(&index, cut).unwrap();
        let third = kept(&mut games, "h8i9j10");
        let listed = games.list().unwrap();
        assert_eq!(
            listed,
            [first, third, second].map(|entry| Entry {
                date: if entry.moves == 2 { String::new() } else { entry.date },
                ..entry
            })
        );
        assert_eq!(games.list().unwrap(), listed);
        assert!(fs::read_to_string(dir.path().join("games/index.jsonl.broken-1")).unwrap().starts_with(cut));
        fs::write(&index, "{\"version\":2}\n").unwrap();
        assert_eq!(games.list().unwrap().len(), 3, "a newer index is set aside too");
        assert!(dir.path().join("games/index.jsonl.broken-2").exists());
    }

    #[test]
    fn what_is_no_index_is_set_aside_and_no_game_is_lost() {
        let (dir, mut games) = games();
        let entry = kept(&mut games, "h8");
        let index = dir.path().join("games/index.jsonl");
        for number in 1..=2 {
            fs::remove_file(&index).unwrap();
            if number == 1 {
                fs::create_dir(&index).unwrap();
            } else {
                File::create(&index).unwrap().set_len(1 << 36).unwrap();
            }
            let list = games.list().unwrap();
            assert_eq!(list.iter().map(|e| (&e.file, e.moves)).collect::<Vec<_>>(), [(&entry.file, 1)]);
            assert!(dir.path().join(format!("games/index.jsonl.broken-{number}")).exists());
            assert_eq!(games.list().unwrap(), list, "there is an index again");
        }
    }

    #[test]
    fn files_that_the_user_puts_there_or_takes_away_are_seen() {
        let (dir, mut games) = games();
        let entry = kept(&mut games, "h8");
        fs::write(dir.path().join("games/mine.sgf"), "(;GM[4]PB[Ada];B[hh];W[ii])").unwrap();
        fs::write(dir.path().join("games/bad.sgf"), "no game").unwrap();
        fs::remove_file(dir.path().join("games").join(&entry.file)).unwrap();
        let list = games.list().unwrap();
        assert_eq!(list.iter().map(|e| (e.file.as_str(), e.moves)).collect::<Vec<_>>(), [("mine.sgf", 2)]);
        assert!(dir.path().join("games/bad.sgf").exists());
    }

    #[test]
    fn no_file_outside_of_the_directory_is_touched() {
        let (dir, mut games) = games();
        kept(&mut games, "h8");
        fs::write(dir.path().join("precious.sgf"), "(;GM[4])").unwrap();
        for file in ["../precious.sgf", "..\\precious.sgf", "/precious.sgf", "", ".sgf", "index.jsonl"] {
            assert!(games.open(file).is_err() && games.delete(file).is_err(), "{file}");
        }
        assert!(dir.path().join("precious.sgf").exists() && dir.path().join("games/index.jsonl").exists());
    }

    #[test]
    fn two_programs_add_to_the_same_games_and_results() {
        let (dir, mut first) = games();
        let mut second = Games::new(&DataDir::new(dir.path()));
        let class = Class { level: 1, lines: 15, rule: SavedRule::Freestyle };
        for moves in 1..=6_u16 {
            let games = if moves % 2 == 0 { &mut first } else { &mut second };
            kept(games, &"h8i9j10k11l12m13"[..usize::from(moves) * 2 + usize::from(moves.saturating_sub(2))]);
            let win = Win { name: String::new(), date: String::new(), moves, millis: 0, undos: 0 };
            games
                .change_results(&mut |results| {
                    results.enter(class, win.clone());
                })
                .unwrap();
        }
        assert_eq!(first.list().unwrap().len(), 6);
        assert_eq!(first.list(), second.list());
        assert_eq!(first.results().places(class).len(), 6);
    }

    #[test]
    fn many_games_are_listed_and_the_index_does_not_grow_for_ever() {
        let (dir, mut games) = games();
        let mut entry = kept(&mut games, "h8");
        let entries: Vec<Entry> =
            (0..10_000).map(|n| Entry { file: format!("{n}.sgf"), ..entry.clone() }).collect();
        for entry in &entries {
            fs::write(dir.path().join("games").join(&entry.file), "(;GM[4];B[hh])").unwrap();
        }
        games.rewrite(&entries).unwrap();
        let length = || fs::metadata(dir.path().join("games/index.jsonl")).unwrap().len();
        let before = length();
        entry.file = "7.sgf".into();
        let line = serde_json::to_string(&Line::Entry(Box::new(entry.clone()))).unwrap() + "\n";
        let mut index = File::options().append(true).open(games.index()).unwrap();
        index.write_all(line.repeat(10_002).as_bytes()).unwrap();
        // The first game's file is there but no longer in the index, so it is found and put last.
        let listed = games.list().unwrap();
        assert_eq!(listed.len(), 10_001);
        assert_eq!(&listed[..6], &entries[..6]);
        assert!(length() < before + 1000, "the lines that no longer count are gone");
    }
}
