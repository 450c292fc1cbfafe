// SPDX-License-Identifier: GPL-3.0-only
//! Games that are kept: their list, their replay, the leaderboard and the statistics.

mod entry;
mod replay;
mod results;
mod shelf;

use std::time::Duration;

use wuzi_record::Record;

pub use entry::{Entry, Filter, SavedResult};
pub use replay::{PACES, Replay};
pub use results::{Class, Finished, PLACES, Results, Table, Tally, Win};
pub use shelf::{Act, Question, Report, Shelf, position_text};

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

    /// The day and time, such as `2026-11-30 18:05`.
    fn date(&self) -> String;

    /// The time since some moment that stays the same while the program runs.
    fn elapsed(&self) -> Duration;
}
