// SPDX-License-Identifier: GPL-3.0-only
//! Settings and the running game as files that a person can read.

use std::cell::RefCell;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wuzi_record::Record;
use wuzi_record::text::Rows;

use crate::files::{self, FileError};
use crate::message::Message;
use crate::services::{Storage, StorageError};
use crate::session::{SavedRecord, SavedSession, Session};
use crate::settings::Settings;

const SETTINGS: &str = "settings.json";
const SESSION: &str = "game.json";
/// Records from which a running game began: `origin-1.sgf` and so on.
const ORIGIN: &str = "origin-";
/// Held by the program to which the settings and the running game belong, for as long as it runs.
const LOCK: &str = "lock";

/// The version of both files; a file of another version is set aside.
const VERSION: u32 = 1;

/// A file's content and the version of its form.
#[derive(Serialize)]
struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    content: T,
}

/// The longest file that is read, in bytes; what the program writes is far shorter.
const LONGEST: u64 = 1 << 20;

/// What a file of any version has.
#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

/// The directory in which the program keeps what belongs to the user. Of several programs that use
/// it at once, the first keeps the settings and the running game; the others say that they do not.
#[derive(Clone, Debug)]
pub struct DataDir {
    path: PathBuf,
    claim: Rc<Claim>,
    /// The files that were set aside since the program began, under their new names.
    aside: Rc<RefCell<Vec<String>>>,
}

/// Whose the settings and the running game are.
#[derive(Debug)]
enum Claim {
    /// This program's, for as long as the file is open.
    Ours { _lock: File },
    /// Another program's.
    Theirs,
    /// The system cannot tell; what is kept still never replaces a file half.
    Unknown,
}

impl Claim {
    fn make(path: &Path) -> Self {
        let lock = || -> io::Result<File> {
            fs::create_dir_all(path)?;
            File::options().create(true).truncate(false).write(true).open(path.join(LOCK))
        };
        let Ok(file) = lock() else { return Self::Unknown };
        match file.try_lock() {
            Ok(()) => {
                if let Err(error) = files::remove_unfinished(path) {
                    log::warn!("{}: {error}", path.display());
                }
                Self::Ours { _lock: file }
            }
            Err(TryLockError::WouldBlock) => Self::Theirs,
            Err(TryLockError::Error(_)) => Self::Unknown,
        }
    }
}

impl DataDir {
    /// This directory. It is made if it is not there.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let claim = Claim::make(&path);
        if matches!(claim, Claim::Theirs) {
            log::warn!(
                "another Wuzi uses {}: settings and the running game are kept there, not here",
                path.display()
            );
        }
        Self { path, claim: Rc::new(claim), aside: Rc::default() }
    }

    /// Whether another program keeps the settings and the running game.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(*self.claim, Claim::Theirs)
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The settings, or the defaults where there are none that can be used. Of a file of this version in
    /// which something is wrong, everything else counts; what it was is kept under another name.
    #[must_use]
    pub fn load_settings(&self) -> Settings {
        let path = self.path.join(SETTINGS);
        let fields = match read(&path) {
            Ok(bytes) => fields(&bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Settings::default(),
            Err(error) => Err(error.to_string()),
        };
        match fields.map(|fields| mended(&fields, Settings::is_valid)) {
            Ok((settings, bad)) if bad.is_empty() => settings,
            Ok((settings, bad)) => {
                self.set_aside(&path, &format!("wrong are: {}", bad.join(", ")));
                if let Err(error) = self.save(SETTINGS, &settings) {
                    log::warn!("{error}");
                }
                settings
            }
            Err(cause) => {
                self.set_aside(&path, &cause);
                Settings::default()
            }
        }
    }

    /// The game that was running when the program ended; none while it may run in another program.
    #[must_use]
    pub fn load_session(&self) -> Option<SavedSession> {
        if self.is_shared() {
            return None;
        }
        let was_there = self.path.join(SESSION).exists();
        let session = self.load(SESSION, |saved| Session::restore(saved).is_some());
        // What a broken session needs is not known, so everything is left to it.
        if session.is_some() || !was_there {
            let needed = match session.as_ref().and_then(|session| session.record.as_ref()) {
                Some(SavedRecord::Origin(file)) => Some(file.as_str()),
                _ => None,
            };
            self.remove_origins(needed);
        }
        session
    }

    /// Removes the origins of games that no longer run.
    fn remove_origins(&self, needed: Option<&str>) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_origin(name) && Some(*name) != needed) else {
                continue;
            };
            if let Err(error) = fs::remove_file(entry.path()) {
                log::warn!("{name}: {error}");
            }
        }
    }

    /// Keeps the record from which the running game begins; its file's name.
    pub(super) fn keep_origin(&self, sgf: &str) -> Result<String, StorageError> {
        self.may_save()?;
        let name = |number: u64| format!("{ORIGIN}{number}.sgf");
        let name = (1..).map(name).find(|name| !self.path.join(name).exists()).unwrap_or_default();
        let write = || -> io::Result<()> {
            fs::create_dir_all(&self.path)?;
            files::replace(&self.path.join(&name), sgf.as_bytes())
        };
        write().map_err(|error| not_saved(&self.path, &error))?;
        Ok(name)
    }

    /// The record from which the running game began. One that is broken is kept under another name.
    pub(super) fn origin(&self, name: &str) -> Result<Record, StorageError> {
        let path = self.path.join(name);
        if !is_origin(name) {
            return Err(StorageError { cause: format!("{name:?} is no record of a running game").into() });
        }
        files::read(&path, Rows::FromBottom).map_err(|error| {
            if matches!(error, FileError::Read(..)) {
                self.set_aside(&path, &error.to_string());
            }
            StorageError { cause: (&error).into() }
        })
    }

    /// What a file holds. A file that is broken or of another version is kept under another name.
    pub(super) fn load<T: DeserializeOwned>(&self, name: &str, is_valid: impl Fn(&T) -> bool) -> Option<T> {
        let path = self.path.join(name);
        load_from(&path, is_valid).unwrap_or_else(|cause| {
            self.set_aside(&path, &cause);
            None
        })
    }

    /// As [`DataDir::load`], of a file that may well be broken, which the user need not know.
    pub(super) fn load_placed<T: DeserializeOwned>(
        &self,
        name: &str,
        is_valid: impl Fn(&T) -> bool,
    ) -> Option<T> {
        let path = self.path.join(name);
        load_from(&path, is_valid).unwrap_or_else(|cause| {
            rename_broken(&path, &cause);
            None
        })
    }

    /// Renames a file that cannot be used, and tells the user.
    pub(super) fn set_aside(&self, path: &Path, cause: &str) {
        if let Some(aside) = rename_broken(path, cause) {
            self.tell_aside(&aside);
        }
    }

    /// The user is told that a file cannot be used and is kept under this name.
    pub(super) fn tell_aside(&self, aside: &Path) {
        let name = aside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.aside.borrow_mut().push(name);
    }

    fn save<T: Serialize>(&self, name: &str, content: T) -> Result<(), StorageError> {
        self.may_save()?;
        self.write(name, content)
    }

    /// Writes a file, whoever keeps the running game.
    pub(super) fn write<T: Serialize>(&self, name: &str, content: T) -> Result<(), StorageError> {
        write_to(&self.path, name, content)
    }

    /// Writes a file that nobody but the user may read.
    pub(super) fn write_private<T: Serialize>(&self, name: &str, content: T) -> Result<(), StorageError> {
        write_with(&self.path, name, content, files::replace_private)
    }

    fn may_save(&self) -> Result<(), StorageError> {
        if self.is_shared() {
            let cause = Message::new(
                "in use by another Wuzi; close it and start this one anew",
                "另一个五子棋程序正在使用；请关掉它，再重新打开这一个",
            );
            return Err(StorageError { cause: cause.at(&self.path) });
        }
        Ok(())
    }
}

/// Writes a file of a data directory, from any thread.
pub(super) fn write_to<T: Serialize>(directory: &Path, name: &str, content: T) -> Result<(), StorageError> {
    write_with(directory, name, content, files::replace)
}

/// As [`write_to`], without waiting for the disk.
pub(super) fn place_in<T: Serialize>(directory: &Path, name: &str, content: T) -> Result<(), StorageError> {
    write_with(directory, name, content, files::place)
}

/// Brings a file that was placed in a data directory to the disk, and then to its name.
pub(super) fn settle_in(directory: &Path, placed: &str, name: &str) -> Result<(), StorageError> {
    files::settle(&directory.join(placed), &directory.join(name))
        .map_err(|error| not_saved(directory, &error))
}

fn write_with<T: Serialize>(
    directory: &Path,
    name: &str,
    content: T,
    replace: fn(&Path, &[u8]) -> io::Result<()>,
) -> Result<(), StorageError> {
    let write = || -> io::Result<()> {
        let mut bytes = serde_json::to_vec_pretty(&Versioned { version: VERSION, content })?;
        bytes.push(b'\n');
        fs::create_dir_all(directory)?;
        replace(&directory.join(name), &bytes)
    };
    write().map_err(|error| not_saved(directory, &error))
}

/// Removes a file of a data directory, if it is there.
pub(super) fn remove_from(directory: &Path, name: &str) -> Result<(), StorageError> {
    match fs::remove_file(directory.join(name)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(not_saved(directory, &error)),
        _ => Ok(()),
    }
}

/// Renames a file that cannot be used; its new name.
fn rename_broken(path: &Path, cause: &str) -> Option<PathBuf> {
    let aside = files::free_name(path, "broken");
    match fs::rename(path, &aside) {
        Ok(()) => {
            log::warn!("{} cannot be used ({cause}); kept as {}", path.display(), aside.display());
            Some(aside)
        }
        Err(error) => {
            log::warn!("{} cannot be used ({cause}) nor set aside: {error}", path.display());
            None
        }
    }
}

fn not_saved(directory: &Path, error: &io::Error) -> StorageError {
    StorageError { cause: Message::from(error).at(directory) }
}

/// What a file holds, if there is one; why it cannot be used.
fn load_from<T: DeserializeOwned>(path: &Path, is_valid: impl Fn(&T) -> bool) -> Result<Option<T>, String> {
    match read(path) {
        Ok(bytes) => parse(&bytes, is_valid).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe would be waited for when it is opened.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("it is longer than {LONGEST} bytes")));
    }
    Ok(bytes)
}

/// Whether this is the name of an origin's file, and no path to elsewhere.
fn is_origin(name: &str) -> bool {
    let number = name.strip_prefix(ORIGIN).and_then(|rest| rest.strip_suffix(".sgf"));
    number.is_some_and(|number| number.parse::<u64>().is_ok())
}

/// The fields of a file of this version, without that.
fn fields(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let VersionOnly { version } =
        serde_json::from_slice(bytes).map_err(|_| "it is no file of this program".to_owned())?;
    if version != VERSION {
        return Err(format!("version {version}, this program knows {VERSION}"));
    }
    let mut fields: Map<String, Value> = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    fields.remove("version");
    Ok(fields)
}

fn parse<T: DeserializeOwned>(bytes: &[u8], is_valid: impl Fn(&T) -> bool) -> Result<T, String> {
    let content: T = serde_json::from_value(fields(bytes)?.into()).map_err(|error| error.to_string())?;
    if is_valid(&content) { Ok(content) } else { Err("a value is out of its bounds".into()) }
}

/// What the fields say as far as each of them, and each one within them, can be used beside the others;
/// and the names of those that cannot.
fn mended<T: DeserializeOwned + Default>(
    fields: &Map<String, Value>,
    is_valid: impl Fn(&T) -> bool,
) -> (T, Vec<String>) {
    let read = |fields: &Map<String, Value>| {
        let content: T = serde_json::from_value(fields.clone().into()).ok()?;
        is_valid(&content).then_some(content)
    };
    let (mut good, mut bad) = (Map::new(), Vec::new());
    for (name, value) in fields {
        good.insert(name.clone(), value.clone());
        if read(&good).is_some() {
            continue;
        }
        good.remove(name);
        let Value::Object(parts) = value else {
            bad.push(name.clone());
            continue;
        };
        let mut good_parts = Map::new();
        for (part, value) in parts {
            good_parts.insert(part.clone(), value.clone());
            good.insert(name.clone(), good_parts.clone().into());
            if read(&good).is_none() {
                good_parts.remove(part);
                good.insert(name.clone(), good_parts.clone().into());
                bad.push(format!("{name}.{part}"));
            }
        }
        if read(&good).is_none() {
            good.remove(name);
        }
    }
    (read(&good).unwrap_or_default(), bad)
}

impl Storage for DataDir {
    fn save_settings(&mut self, settings: &Settings) -> Result<(), StorageError> {
        self.save(SETTINGS, settings)
    }

    fn save_session(&mut self, session: Option<&SavedSession>) -> Result<(), StorageError> {
        self.may_save()?;
        match session {
            Some(session) => self.save(SESSION, session),
            None => remove_from(&self.path, SESSION),
        }
    }

    fn is_shared(&self) -> bool {
        Self::is_shared(self)
    }

    fn set_aside(&self) -> String {
        self.aside.borrow().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{BoardColor, EngineSettings, Language};
    use tempfile::TempDir;

    fn data_dir() -> (TempDir, DataDir) {
        let dir = tempfile::tempdir().unwrap();
        let data = DataDir::new(dir.path().join("new/wuzi"));
        (dir, data)
    }

    fn names(data: &DataDir) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(&data.path)
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != LOCK)
            .collect();
        names.sort();
        names
    }

    #[test]
    fn settings_read_back_equal() {
        let (_dir, mut data) = data_dir();
        assert_eq!(data.load_settings(), Settings::default());
        let settings = Settings {
            board_color: BoardColor::HighContrast,
            lines: 19,
            language: Language::Chinese,
            names: ["五子 \"棋\"".into(), "🀄".into()],
            ..Settings::default()
        };
        data.save_settings(&settings).unwrap();
        assert_eq!(data.load_settings(), settings);
        assert_eq!(names(&data), [SETTINGS], "no temporary file is left");
    }

    #[test]
    fn older_settings_keep_what_they_say() {
        let (_dir, data) = data_dir();
        fs::create_dir_all(&data.path).unwrap();
        fs::write(data.path.join(SETTINGS), r#"{"version":1,"lines":11}"#).unwrap();
        assert_eq!(data.load_settings(), Settings { lines: 11, ..Settings::default() });
    }

    #[test]
    fn a_broken_or_foreign_file_is_set_aside_and_kept() {
        for (index, content) in
            [&b""[..], b"{", b"null", b"[1,2]", b"\xFF\xFE\x00", br#"{"version":2}"#, br#"{"lines":15}"#]
                .into_iter()
                .enumerate()
        {
            let (_dir, mut data) = data_dir();
            fs::create_dir_all(&data.path).unwrap();
            fs::write(data.path.join(SETTINGS), content).unwrap();
            assert_eq!(data.load_settings(), Settings::default(), "case {index}");
            assert_eq!(names(&data), ["settings.json.broken-1"], "case {index}");
            assert_eq!(fs::read(data.path.join("settings.json.broken-1")).unwrap(), content);
            data.save_settings(&Settings::default()).unwrap();
            fs::write(data.path.join(SETTINGS), b"again").unwrap();
            let _ = data.load_settings();
            assert_eq!(names(&data), ["settings.json.broken-1", "settings.json.broken-2"]);
        }
    }

    #[test]
    fn of_settings_with_a_bad_value_the_others_count() {
        let good = Settings {
            board_color: BoardColor::HighContrast,
            language: Language::Chinese,
            names: ["Ada".into(), "Bo".into()],
            engine: EngineSettings { path: "/opt/engine".into(), seconds: 9 },
            ..Settings::default()
        };
        let change = |name: &str, value: Value| {
            let mut fields = serde_json::to_value(Versioned { version: VERSION, content: &good }).unwrap();
            *fields.pointer_mut(name).unwrap() = value;
            fields
        };
        let default = Settings::default();
        let mut unknown = change("/lines", 15.into());
        unknown["no_such"] = 1.into();
        for (content, expected) in [
            (change("/lines", 9.into()), good.clone()),
            (change("/lines", "many".into()), good.clone()),
            (change("/level", 5.into()), good.clone()),
            (change("/sound", 1.into()), good.clone()),
            (unknown, good.clone()),
            (change("/names", 5.into()), Settings { names: default.names.clone(), ..good.clone() }),
            (
                change("/names/0", "\u{202e}".into()),
                Settings { names: default.names.clone(), ..good.clone() },
            ),
            (change("/engine", 5.into()), Settings { engine: default.engine.clone(), ..good.clone() }),
            (
                change("/engine/seconds", 0.into()),
                Settings { engine: EngineSettings { seconds: 5, ..good.engine.clone() }, ..good.clone() },
            ),
        ] {
            let (_dir, data) = data_dir();
            let content = content.to_string();
            fs::write(data.path.join(SETTINGS), &content).unwrap();
            assert_eq!(data.load_settings(), expected, "{content}");
            assert_eq!(names(&data), ["settings.json", "settings.json.broken-1"]);
            assert_eq!(fs::read_to_string(data.path.join("settings.json.broken-1")).unwrap(), content);
            assert_eq!(data.load_settings(), expected, "mended");
            assert_eq!(names(&data), ["settings.json", "settings.json.broken-1"], "said once");
        }
    }

    #[test]
    fn what_is_no_readable_file_is_set_aside_too() {
        let (_dir, mut data) = data_dir();
        fs::create_dir_all(data.path.join(SETTINGS)).unwrap();
        assert_eq!(data.load_settings(), Settings::default());
        assert_eq!(names(&data), ["settings.json.broken-1"]);
        data.save_settings(&Settings::default()).unwrap();
        let sparse = File::create(data.path.join(SETTINGS)).unwrap();
        sparse.set_len(1 << 36).unwrap();
        assert_eq!(data.load_settings(), Settings::default());
        assert_eq!(names(&data), ["settings.json.broken-1", "settings.json.broken-2"]);
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_an_error_and_no_crash() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let mut data = DataDir::new(file.join("below"));
        assert!(data.save_settings(&Settings::default()).is_err());
        assert_eq!(data.load_settings(), Settings::default());
        assert!(data.save_session(None).is_err());
    }

    #[test]
    fn the_origin_of_the_running_game_is_kept_as_long_as_it_is_needed() {
        let (_dir, mut data) = data_dir();
        let first = data.keep_origin("(;GM[4];B[hh](;W[ii])(;W[ih]))").unwrap();
        let second = data.keep_origin("(;GM[4];B[aa])").unwrap();
        assert_ne!(first, second, "the record of the game that can be continued is not replaced");
        assert_eq!(data.origin(&first).unwrap().len(), 3);
        let setup = Settings::default().pvp();
        let record = Some(SavedRecord::Origin(first.clone()));
        let saved = SavedSession { record, ..Session::new(setup).save() };
        data.save_session(Some(&saved)).unwrap();
        assert_eq!(data.load_session(), Some(saved));
        assert_eq!(names(&data), ["game.json", &first]);
        data.save_session(None).unwrap();
        assert_eq!(data.load_session(), None);
        assert_eq!(names(&data), Vec::<String>::new());
    }

    #[test]
    fn a_broken_origin_is_set_aside_and_no_other_file_is_read() {
        let (_dir, data) = data_dir();
        let name = data.keep_origin("no game").unwrap();
        assert!(data.origin(&name).is_err());
        assert_eq!(names(&data), ["origin-1.sgf.broken-1"]);
        fs::write(data.path.join("mine.sgf"), "(;GM[4])").unwrap();
        for name in ["mine.sgf", "../mine.sgf", "origin-.sgf", "origin-1.sgf/../mine.sgf"] {
            assert!(data.origin(name).is_err(), "{name}");
        }
        fs::write(data.path.join(SESSION), "broken").unwrap();
        let name = data.keep_origin("(;GM[4])").unwrap();
        assert_eq!(data.load_session(), None);
        assert!(data.path.join(name).exists(), "a broken session may need it");
    }

    #[test]
    fn a_second_program_keeps_nothing_and_says_so() {
        let (_dir, mut first) = data_dir();
        let mut second = DataDir::new(&first.path);
        assert!(second.is_shared() && !first.is_shared());
        first.save_settings(&Settings { lines: 19, ..Settings::default() }).unwrap();
        let error = second.save_settings(&Settings::default()).unwrap_err();
        assert!(error.to_string().contains("another Wuzi"), "{error}");
        assert!(second.save_session(None).is_err());
        assert_eq!(first.load_settings().lines, 19);
        assert_eq!(second.load_settings().lines, 19, "it uses what is kept");
        drop(first);
        assert!(second.is_shared(), "it has not seen the running game, so it must not replace it");
        let third = DataDir::new(&second.path);
        assert!(!third.is_shared());
    }
}
