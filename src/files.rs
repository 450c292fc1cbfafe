// SPDX-License-Identifier: GPL-3.0-only
//! Games in files: the extension names the format.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use wuzi_record::text::{self, Rows};
use wuzi_record::{Format, MAX_BYTES, ReadError, Record, WriteError};

/// How the names of files begin that are still being written.
const UNFINISHED: &str = ".wuzi-";

/// Why a file was not read or written.
#[derive(Debug)]
pub enum FileError {
    /// The system says so.
    Io(PathBuf, io::Error),
    /// The content is bad.
    Read(PathBuf, ReadError),
    /// The format cannot hold the game.
    Write(PathBuf, WriteError),
    /// No format has this extension.
    Extension(PathBuf),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Write(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Extension(path) => {
                write!(f, "{}: no format has this extension; known are", path.display())?;
                Format::ALL.iter().try_for_each(|format| write!(f, " .{}", format.extension()))
            }
        }
    }
}

impl std::error::Error for FileError {}

fn format(path: &Path) -> Result<Format, FileError> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Format::of_extension).ok_or_else(|| FileError::Extension(path.to_owned()))
}

/// Reads a game. `rows` counts for a .txt that does not say where row 1 is.
///
/// # Errors
/// If the extension or the content is not understood, or the system cannot read the file.
pub fn read(path: &Path, rows: Rows) -> Result<Record, FileError> {
    let format = format(path)?;
    let mut bytes = Vec::new();
    // One byte more than is taken, so that a file that is too long is refused as such.
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| FileError::Io(path.to_owned(), error))?;
    let record = match format {
        Format::Text if bytes.len() <= MAX_BYTES => text::read(&bytes, rows),
        format => format.read(&bytes),
    };
    record.map_err(|error| FileError::Read(path.to_owned(), error))
}

/// Writes a game, so that an older file of this name stays whole until the new one is.
///
/// # Errors
/// If the extension is not known, the format cannot hold the game, or the system cannot write.
pub fn write(path: &Path, record: &Record) -> Result<(), FileError> {
    let bytes = format(path)?.write(record).map_err(|error| FileError::Write(path.to_owned(), error))?;
    replace(path, &bytes).map_err(|error| FileError::Io(path.to_owned(), error))
}

/// Writes a new file beside the old one, brings it to the disk and puts it in its place.
///
/// # Errors
/// What the system says; the old file is then as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    // The new name is on the disk once the directory is.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    Ok(())
}

/// Removes the files that a program which was killed has not finished.
///
/// # Errors
/// What the system says.
pub fn remove_unfinished(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
