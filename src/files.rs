// SPDX-License-Identifier: GPL-3.0-only
//! Games in files: the extension names the format.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

pub use wuzi_record::MAX_BYTES;
use wuzi_record::text::{self, Rows};
use wuzi_record::{Format, NodeId, ReadError, Record, WriteError};

use crate::message::Message;
use crate::picture::{self, Look};

/// How the names of files begin that are still being written.
const UNFINISHED: &str = ".wuzi-unfinished-";

const PNG: &str = "png";
const GIF: &str = "gif";

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
    /// Pictures are not read.
    Picture(PathBuf),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Write(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Picture(path) => write!(f, "{}: a picture is written, never read", path.display()),
            Self::Extension(path) => {
                write!(f, "{}: no format has this extension; known are", path.display())?;
                Format::ALL.iter().try_for_each(|format| write!(f, " .{}", format.extension()))?;
                write!(f, " and, for writing, .{PNG} .{GIF}")
            }
        }
    }
}

impl std::error::Error for FileError {}

impl From<&FileError> for Message {
    fn from(error: &FileError) -> Self {
        match error {
            FileError::Io(path, error) => Self::from(error).at(path),
            FileError::Read(path, error) => Self::from(error).at(path),
            FileError::Write(path, error) => Self::from(error).at(path),
            FileError::Picture(path) => {
                Self::new(error.to_string(), format!("{}：图片只写不读", path.display()))
            }
            FileError::Extension(path) => {
                let known: Vec<_> = Format::ALL.iter().map(|format| format.extension()).collect();
                let chinese = format!(
                    "{}：没有格式用这个扩展名；可用 .{}，写出时还可用 .{PNG} .{GIF}",
                    path.display(),
                    known.join(" .")
                );
                Self::new(error.to_string(), chinese)
            }
        }
    }
}

fn format(path: &Path) -> Result<Format, FileError> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Format::of_extension).ok_or_else(|| FileError::Extension(path.to_owned()))
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// Reads a game. `rows` counts for a .txt that does not say where row 1 is.
///
/// # Errors
/// If the extension or the content is not understood, or the system cannot read the file.
pub fn read(path: &Path, rows: Rows) -> Result<Record, FileError> {
    if has_extension(path, PNG) || has_extension(path, GIF) {
        return Err(FileError::Picture(path.to_owned()));
    }
    let format = format(path)?;
    let io = |error| FileError::Io(path.to_owned(), error);
    // What is no file may never end, or never begin.
    if !fs::metadata(path).map_err(io)?.is_file() {
        return Err(io(io::Error::other("it is not a file")));
    }
    let mut bytes = Vec::new();
    // One byte more than is taken, so that a file that is too long is refused as such.
    File::open(path).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)).map_err(io)?;
    let record = match format {
        Format::Text if bytes.len() <= MAX_BYTES => text::read(&bytes, rows),
        format => format.read(&bytes),
    };
    record.map_err(|error| FileError::Read(path.to_owned(), error))
}

/// Reads a game that has no file here: by the extension of its name, or by its content where no format has
/// that.
///
/// # Errors
/// If it is no game of the format.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Record, ReadError> {
    format(Path::new(name)).unwrap_or_else(|_| Format::of_content(bytes)).read(bytes)
}

/// What a file gets of a record that cannot get all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// A picture shows this position.
    pub at: NodeId,
    /// An animation, and a format of one line, shows the line that ends here.
    pub end: NodeId,
}

impl Part {
    /// The main line and its last position.
    #[must_use]
    pub fn main(record: &Record) -> Self {
        let end = record.line_from(Record::ROOT).last().unwrap_or(Record::ROOT);
        Self { at: end, end }
    }
}

/// Whether a file of this name holds all that a record has.
#[must_use]
pub fn holds_all(path: &Path) -> bool {
    format(path).is_ok_and(|format| format == Format::Sgf)
}

/// Writes a game, or with the extensions .png and .gif a position or a line of it as a picture. An
/// older file of this name stays whole until the new one is.
///
/// # Errors
/// If the extension is not known, the format cannot hold the game, or the system cannot write.
pub fn write(path: &Path, record: &Record, part: Part) -> Result<(), FileError> {
    let io = |error| FileError::Io(path.to_owned(), error);
    let line = || {
        let mut line = record.clone();
        line.promote(part.end);
        line
    };
    let bytes = if has_extension(path, PNG) {
        picture::png(record, part.at, Look::default()).map_err(io)?
    } else if has_extension(path, GIF) {
        picture::gif(&line(), Look::default()).map_err(io)?
    } else {
        let written = match format(path)? {
            format @ (Format::Sgf | Format::Lib) => format.write(record),
            format @ (Format::Psq | Format::Pos | Format::Text) => format.write(&line()),
        };
        written.map_err(|error| FileError::Write(path.to_owned(), error))?
    };
    replace(path, &bytes).map_err(io)
}

/// The extensions of the files that are written, the native one first.
pub fn extensions() -> impl Iterator<Item = &'static str> {
    Format::ALL.into_iter().map(Format::extension).chain([PNG, GIF])
}

/// A folder, or a game's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name within the folder that holds it.
    pub name: String,
    /// Whether it is a folder.
    pub is_folder: bool,
}

/// The folders of a folder, and its files that are read by their extension, by name. Hidden ones
/// are left out.
///
/// # Errors
/// What the system says.
pub fn list(folder: &Path) -> io::Result<Vec<Item>> {
    let mut items = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let is_folder = fs::metadata(entry.path()).is_ok_and(|what| what.is_dir());
        if !name.starts_with('.') && (is_folder || format(Path::new(&name)).is_ok()) {
            items.push(Item { name, is_folder });
        }
    }
    items.sort_by_cached_key(|item| (!item.is_folder, item.name.to_lowercase()));
    Ok(items)
}

/// Writes a new file beside the old one, brings it to the disk and puts it in its place.
///
/// # Errors
/// What the system says; the old file is then as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // As readable as any new file, not for the owner alone.
    put(path, bytes, 0o666)
}

/// As [`replace`]; on Unix nobody but the user can read the file at any moment. Elsewhere the user's directory
/// is the user's alone.
///
/// # Errors
/// As for [`replace`].
pub fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    put(path, bytes, 0o600)
}

/// Writes a file without waiting for the disk: it outlasts the end of the program whole, a failure of the power
/// only after [`settle`].
///
/// # Errors
/// What the system says; an older file of this name is then as it was.
pub fn place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    unfinished(path, bytes, 0o666)?.persist(path)?;
    Ok(())
}

/// Brings a file that was placed to the disk, and then to its name, where an older one stays whole until then.
/// Nothing happens if there is none.
///
/// # Errors
/// What the system says; both files are then as they were.
pub fn settle(placed: &Path, path: &Path) -> io::Result<()> {
    // Windows brings a file to the disk only for who may write it.
    let file = match File::options().write(true).open(placed) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    file.sync_all()?;
    drop(file);
    fs::rename(placed, path)?;
    sync_directory_of(path)
}

fn put(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let file = unfinished(path, bytes, mode)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    sync_directory_of(path)
}

/// A new name is on the disk once its directory is.
#[cfg_attr(not(unix), allow(unused_variables, reason = "only Unix brings a directory to the disk"))]
fn sync_directory_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(directory_of(path))?.sync_all()?;
    Ok(())
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A new file beside the one that it is to replace.
#[cfg_attr(not(unix), allow(unused_variables, reason = "only Unix has modes"))]
fn unfinished(path: &Path, bytes: &[u8], mode: u32) -> io::Result<tempfile::NamedTempFile> {
    // Opened and written here, since the temporary file's own errors name it, and no user knows that name.
    let open = |path: &Path| {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        options.open(path)
    };
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).make_in(directory_of(path), open)?;
    file.as_file_mut().write_all(bytes)?;
    Ok(file)
}

/// Removes the files that a program which was killed has not finished.
///
/// # Errors
/// What the system says.
pub fn remove_unfinished(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED));
        if is_ours && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A name that no file has: that of `path` with `.kind-1` or a higher number added.
#[must_use]
pub fn free_name(path: &Path, kind: &str) -> PathBuf {
    let name = |number: u64| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{kind}-{number}"));
        PathBuf::from(name)
    };
    (1..).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(0))
}
