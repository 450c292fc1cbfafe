// SPDX-License-Identifier: GPL-3.0-only
//! Choosing a file: a folder's games, or the files that were used last.

use std::io;
use std::path::{Path, PathBuf};

use wuzi_record::Record;

use crate::files::{self, Item, Part};

/// What the file is chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errand {
    /// To read a game from it.
    #[default]
    Open,
    /// To write a game to it, with this extension to begin with.
    Save(&'static str),
}

/// What is written.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The game.
    pub record: Record,
    /// What a picture or a format of one line shows of it.
    pub part: Part,
    /// The file that it came from or was written to last.
    pub file: Option<PathBuf>,
    /// Its file in the list, if it was chosen there.
    pub listed: Option<String>,
}

/// The page on which a file is chosen.
#[derive(Debug, Default)]
pub struct Browser {
    errand: Errand,
    folder: PathBuf,
    items: Vec<Item>,
    recent: Vec<PathBuf>,
    shows_recent: bool,
    name: String,
    subject: Option<Subject>,
}

impl Browser {
    /// A choice that begins in the folder of the file used last, or else at home.
    pub(super) fn begin(
        &mut self,
        errand: Errand,
        subject: Option<Subject>,
        recent: Vec<PathBuf>,
        home: PathBuf,
        date: &str,
    ) -> io::Result<()> {
        let file = subject.as_ref().and_then(|subject| subject.file.clone());
        let last = file.as_deref().or_else(|| recent.first().map(PathBuf::as_path)).and_then(Path::parent);
        let folder = last.filter(|folder| folder.is_dir()).map_or(home, Path::to_path_buf);
        let stem = file.as_deref().and_then(Path::file_stem).and_then(|stem| stem.to_str());
        let name = match errand {
            Errand::Open => String::new(),
            Errand::Save(extension) => {
                let date = date.replace(':', ".");
                format!("{}.{extension}", stem.unwrap_or(&date))
            }
        };
        *self = Self {
            errand,
            folder: PathBuf::new(),
            items: Vec::new(),
            recent,
            shows_recent: false,
            name,
            subject,
        };
        self.enter(folder)
    }

    /// Another folder. One that cannot be read is entered all the same, so that the way back is open.
    pub(super) fn enter(&mut self, folder: PathBuf) -> io::Result<()> {
        self.folder = folder;
        self.shows_recent = false;
        self.items.clear();
        self.items = files::list(&self.folder)?;
        Ok(())
    }

    pub(super) fn show_recent(&mut self, shown: bool) {
        self.shows_recent = shown;
    }

    pub(super) fn set_name(&mut self, name: &str) {
        self.name = name.to_owned();
    }

    /// The same name with another extension.
    pub(super) fn set_extension(&mut self, extension: &str) {
        let stem = match self.name.rsplit_once('.') {
            Some((stem, old)) if files::extensions().any(|known| known.eq_ignore_ascii_case(old)) => stem,
            _ => &self.name,
        };
        self.name = format!("{stem}.{extension}");
    }

    /// The player of a side; what is typed is taken as it is.
    pub(super) fn name_player(&mut self, white: bool, name: &str) {
        if let Some(subject) = &mut self.subject {
            let info = &mut subject.record.info;
            *(if white { &mut info.white } else { &mut info.black }) = name.to_owned();
        }
    }

    /// What the file is chosen for.
    #[must_use]
    pub const fn errand(&self) -> Errand {
        self.errand
    }

    /// The folder that is looked at.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder that holds it.
    #[must_use]
    pub fn parent(&self) -> Option<&Path> {
        self.folder.parent()
    }

    /// What is in the folder.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The files that were used last.
    #[must_use]
    pub fn recent(&self) -> &[PathBuf] {
        &self.recent
    }

    /// Whether these are shown instead of a folder.
    #[must_use]
    pub const fn shows_recent(&self) -> bool {
        self.shows_recent
    }

    /// The name or path that is typed.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is written.
    #[must_use]
    pub const fn subject(&self) -> Option<&Subject> {
        self.subject.as_ref()
    }

    /// The path of what is typed, in the folder that is looked at; `~/` begins one at home. A file
    /// that is written gets an extension if it has none. `None` if nothing is typed.
    #[must_use]
    pub fn path(&self) -> Option<PathBuf> {
        let name = self.name.trim();
        if name.is_empty() {
            return None;
        }
        let path = match (name.strip_prefix("~/"), std::env::home_dir()) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.folder.join(name),
        };
        match self.errand {
            Errand::Save(extension) if path.extension().is_none() && !path.is_dir() => {
                Some(path.with_extension(extension))
            }
            _ => Some(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser(errand: Errand) -> (tempfile::TempDir, Browser) {
        let dir = tempfile::tempdir().unwrap();
        for file in ["b.sgf", "A.LIB", "notes.md", ".hidden.sgf", "picture.png"] {
            std::fs::write(dir.path().join(file), "").unwrap();
        }
        std::fs::create_dir(dir.path().join("old")).unwrap();
        let mut browser = Browser::default();
        browser.begin(errand, None, Vec::new(), dir.path().into(), "2026-11-30 18:05").unwrap();
        (dir, browser)
    }

    #[test]
    fn folders_and_games_are_listed() {
        let (dir, mut browser) = browser(Errand::Open);
        let names: Vec<_> = browser.items().iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["old", "A.LIB", "b.sgf"]);
        assert!(browser.enter(dir.path().join("nowhere")).is_err());
        assert!(browser.items().is_empty());
        assert_eq!(browser.parent(), Some(dir.path()), "the way back is open");
    }

    #[test]
    fn a_name_is_a_path_in_the_folder_or_anywhere() {
        let (dir, mut browser) = browser(Errand::Open);
        assert_eq!(browser.path(), None);
        browser.set_name(" b.sgf ");
        assert_eq!(browser.path(), Some(dir.path().join("b.sgf")));
        browser.set_name("/elsewhere/x.sgf");
        assert_eq!(browser.path(), Some("/elsewhere/x.sgf".into()));
        browser.set_name("../x");
        assert_eq!(browser.path(), Some(dir.path().join("../x")));
    }

    #[test]
    fn a_file_that_is_written_has_a_name_and_an_extension() {
        let (dir, mut browser) = browser(Errand::Save("png"));
        assert_eq!(browser.name(), "2026-11-30 18.05.png");
        browser.set_extension("gif");
        assert_eq!(browser.name(), "2026-11-30 18.05.gif");
        browser.set_name("a.b");
        browser.set_extension("sgf");
        assert_eq!(browser.name(), "a.b.sgf", "what is no format's extension belongs to the name");
        browser.set_name("mine");
        assert_eq!(browser.path(), Some(dir.path().join("mine.png")));
        browser.set_name("old");
        assert_eq!(browser.path(), Some(dir.path().join("old")), "a folder is entered");
    }

    #[test]
    fn the_folder_used_last_is_where_one_begins() {
        let (dir, mut browser) = browser(Errand::Open);
        let recent = vec![dir.path().join("old/x.sgf")];
        browser.begin(Errand::Open, None, recent, "/".into(), "").unwrap();
        assert_eq!(browser.folder(), dir.path().join("old"));
        let gone = vec![dir.path().join("gone/x.sgf")];
        browser.begin(Errand::Open, None, gone, dir.path().into(), "").unwrap();
        assert_eq!(browser.folder(), dir.path());
    }
}
