// SPDX-License-Identifier: GPL-3.0-only
//! Games that are kept: their list, their replay, the leaderboard and the statistics.

mod browser;
mod entry;
mod replay;
mod results;
mod shelf;

use std::path::{Path, PathBuf};
use std::time::Duration;

use wuzi_record::Record;

pub use browser::{Browser, Errand, Subject};
pub use entry::{Entry, Filter, Kind, SavedResult};
pub use replay::{PACES, Replay};
pub use results::{Class, Finished, PLACES, Results, Table, Tally, Win};
pub use shelf::{Act, Question, Report, Shelf, position_text};
pub(crate) use shelf::{Chosen, shared_text};

use crate::services::StorageError;

/// Where finished games are kept, one implementation for machines with files and one for tests.
pub trait GameStore {
    /// Every game, the oldest first.
    ///
    /// # Errors
    /// If the list cannot be read.
    fn list(&mut self) -> Result<Vec<Entry>, StorageError>;

    /// Keeps a game: a new one, whose file is named then, or a new version of an older one.
    ///
    /// # Errors
    /// If it could not be kept.
    fn keep(&mut self, entry: &mut Entry, record: &Record) -> Result<(), StorageError>;

    /// Keeps what the list says of a game.
    ///
    /// # Errors
    /// If it could not be kept.
    fn change(&mut self, entry: &Entry) -> Result<(), StorageError>;

    /// Deletes a game.
    ///
    /// # Errors
    /// If it could not be deleted.
    fn delete(&mut self, file: &str) -> Result<(), StorageError>;

    /// Reads a game.
    ///
    /// # Errors
    /// If its file cannot be read or is no game.
    fn open(&mut self, file: &str) -> Result<Record, StorageError>;

    /// The leaderboard and the statistics.
    fn results(&mut self) -> Results;

    /// Changes the leaderboard and the statistics, on the basis of what is kept at this moment.
    ///
    /// # Errors
    /// If the change could not be kept.
    fn change_results(&mut self, change: &mut dyn FnMut(&mut Results)) -> Result<(), StorageError>;

    /// Keeps the record from which the running game begins, for as long as that runs. Returns the
    /// name of its file.
    ///
    /// # Errors
    /// If it could not be kept.
    fn keep_origin(&mut self, record: &Record) -> Result<String, StorageError>;

    /// The record from which the running game began.
    ///
    /// # Errors
    /// If it cannot be read.
    fn origin(&mut self, file: &str) -> Result<Record, StorageError>;

    /// The files that were opened or written last, the newest first.
    fn recent_files(&mut self) -> Vec<PathBuf>;

    /// A file was opened or written.
    ///
    /// # Errors
    /// If that could not be kept.
    fn remember_file(&mut self, path: &Path) -> Result<(), StorageError>;

    /// The folder where the user looks for files at first.
    fn home(&self) -> PathBuf;

    /// The day and time, such as `2026-11-30 18:05`.
    fn date(&self) -> String;

    /// The time since some moment that stays the same while the program runs.
    fn elapsed(&self) -> Duration;
}
