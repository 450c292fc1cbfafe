// SPDX-License-Identifier: GPL-3.0-only
//! A machine that records what is asked of it.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::cell::{Ref, RefCell, RefMut};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi::archive::{Entry, GameStore, Results};
use wuzi::controller::{Action, Controller};
use wuzi::network::Network;
use wuzi::services::{
    EngineError, EngineFault, Lamps, Mind, Services, Sharing, Sound, Storage, StorageError, Task, Thinker,
    Thought,
};
use wuzi::session::SavedSession;
use wuzi::settings::{Language, Settings};
use wuzi_engine::{Choice, Color, Level, Limits, Player, Point};
use wuzi_network::peer::Command;
use wuzi_record::Record;

/// What was asked of the machine.
#[derive(Debug, Default)]
pub struct Recorded {
    pub heard: Vec<&'static str>,
    pub music: bool,
    pub lamps: Vec<Option<Color>>,
    pub settings: Option<Settings>,
    /// `Some(None)`: there is no game to continue.
    pub session: Option<Option<SavedSession>>,
    pub storage_fails: bool,
    /// Only the finished games cannot be kept.
    pub games_fail: bool,
    /// Another program keeps everything.
    pub is_shared: bool,
    /// The files that could not be used.
    pub aside: String,
    pub games: Vec<(Entry, Record)>,
    pub results: Results,
    /// The records from which running games began, by the number in their file's name.
    pub origins: Vec<Record>,
    pub recent: Vec<PathBuf>,
    pub home: PathBuf,
    pub clock: Duration,
    pub tasks: Vec<Task>,
    pub stops: usize,
    /// What was sent to the network since it was opened; none while it is closed.
    pub network: Option<Vec<Command>>,
    pub network_fails: bool,
    /// What was handed to other programs.
    pub shared: Vec<String>,
}

/// A machine that does nothing but record; clones share the record.
#[derive(Clone, Default)]
pub struct Recorder(Rc<RefCell<Recorded>>);

impl Sound for Recorder {
    fn stone(&mut self) {
        self.0.borrow_mut().heard.push("stone");
    }
    fn five(&mut self) {
        self.0.borrow_mut().heard.push("five");
    }
    fn set_music(&mut self, on: bool) {
        self.0.borrow_mut().music = on;
    }
    fn has_music(&self) -> bool {
        true
    }
}

impl Lamps for Recorder {
    fn show(&mut self, side: Option<Color>) {
        let mut recorded = self.0.borrow_mut();
        if recorded.lamps.last() != Some(&side) {
            recorded.lamps.push(side);
        }
    }
}

impl Storage for Recorder {
    fn save_settings(&mut self, settings: &Settings) -> Result<(), StorageError> {
        let mut recorded = self.0.borrow_mut();
        if recorded.storage_fails {
            return Err(StorageError { cause: "the disk is full".into() });
        }
        recorded.settings = Some(settings.clone());
        Ok(())
    }

    fn save_session(&mut self, session: Option<&SavedSession>) -> Result<(), StorageError> {
        let mut recorded = self.0.borrow_mut();
        if recorded.storage_fails {
            return Err(StorageError { cause: "the disk is full".into() });
        }
        recorded.session = Some(session.cloned());
        Ok(())
    }

    fn is_shared(&self) -> bool {
        self.0.borrow().is_shared
    }

    fn set_aside(&self) -> String {
        self.0.borrow().aside.clone()
    }
}

impl Thinker for Recorder {
    fn start(&mut self, task: Task) {
        self.0.borrow_mut().tasks.push(task);
    }
    fn stop(&mut self) {
        self.0.borrow_mut().stops += 1;
    }
    fn has_engines(&self) -> bool {
        true
    }
}

impl Recorded {
    fn fail(&self) -> Result<(), StorageError> {
        if self.storage_fails || self.games_fail {
            Err(StorageError { cause: "the disk is full".into() })
        } else {
            Ok(())
        }
    }
}

impl Network for Recorder {
    fn start(&mut self) -> Result<(), String> {
        if self.0.borrow().network_fails {
            return Err("no port is free".into());
        }
        self.0.borrow_mut().network = Some(Vec::new());
        Ok(())
    }
    fn stop(&mut self) {
        self.0.borrow_mut().network = None;
    }
    fn send(&mut self, command: Command) {
        if let Some(sent) = &mut self.0.borrow_mut().network {
            sent.push(command);
        }
    }
    fn has_game(&self) -> bool {
        false
    }
}

impl Sharing for Recorder {
    fn share(&mut self, text: String) {
        self.0.borrow_mut().shared.push(text);
    }
}

impl GameStore for Recorder {
    fn list(&mut self) -> Result<Vec<Entry>, StorageError> {
        Ok(self.0.borrow().games.iter().map(|(entry, _)| entry.clone()).collect())
    }

    fn keep(&mut self, entry: &mut Entry, record: &Record) -> Result<(), StorageError> {
        let mut recorded = self.0.borrow_mut();
        recorded.fail()?;
        if entry.file.is_empty() {
            entry.file = format!("{}.sgf", recorded.games.len() + 1);
        }
        recorded.games.retain(|(other, _)| other.file != entry.file);
        recorded.games.push((entry.clone(), record.clone()));
        Ok(())
    }

    fn change(&mut self, entry: &Entry) -> Result<(), StorageError> {
        let mut recorded = self.0.borrow_mut();
        recorded.fail()?;
        let known = recorded.games.iter_mut().find(|(other, _)| other.file == entry.file);
        known.expect("a game of the list").0 = entry.clone();
        Ok(())
    }

    fn delete(&mut self, file: &str) -> Result<(), StorageError> {
        self.0.borrow_mut().games.retain(|(entry, _)| entry.file != file);
        Ok(())
    }

    fn open(&mut self, file: &str) -> Result<Record, StorageError> {
        let recorded = self.0.borrow();
        let game = recorded.games.iter().find(|(entry, _)| entry.file == file);
        game.map(|(_, record)| record.clone()).ok_or_else(|| StorageError { cause: "no such game".into() })
    }

    fn results(&mut self) -> Results {
        self.0.borrow().results.clone()
    }

    fn change_results(&mut self, change: &mut dyn FnMut(&mut Results)) -> Result<(), StorageError> {
        let mut recorded = self.0.borrow_mut();
        recorded.fail()?;
        change(&mut recorded.results);
        Ok(())
    }

    fn keep_origin(&mut self, record: &Record) -> Result<String, StorageError> {
        let mut recorded = self.0.borrow_mut();
        recorded.fail()?;
        recorded.origins.push(record.clone());
        Ok((recorded.origins.len() - 1).to_string())
    }

    fn origin(&mut self, file: &str) -> Result<Record, StorageError> {
        let recorded = self.0.borrow();
        let record = file.parse().ok().and_then(|number: usize| recorded.origins.get(number)).cloned();
        record.ok_or_else(|| StorageError { cause: "no such record".into() })
    }

    fn recent_files(&mut self) -> Vec<PathBuf> {
        self.0.borrow().recent.clone()
    }

    fn remember_file(&mut self, path: &Path) -> Result<(), StorageError> {
        let mut recorded = self.0.borrow_mut();
        recorded.fail()?;
        recorded.recent.insert(0, path.to_path_buf());
        Ok(())
    }

    fn home(&self) -> PathBuf {
        self.0.borrow().home.clone()
    }

    fn date(&self) -> String {
        "2026-11-30 18:05".into()
    }

    fn elapsed(&self) -> Duration {
        self.0.borrow().clock
    }
}

/// A controller on a machine that records.
pub struct Machine {
    pub controller: Controller,
    recorder: Recorder,
}

/// The program at its first start.
pub fn machine() -> Machine {
    machine_with(Settings::default(), None)
}

/// The program with what an earlier run has kept.
pub fn machine_with(settings: Settings, kept: Option<&SavedSession>) -> Machine {
    let recorder = Recorder::default();
    Machine { controller: controller(&recorder, settings, kept), recorder }
}

/// A controller whose machine is the recorder.
pub fn controller(recorder: &Recorder, settings: Settings, kept: Option<&SavedSession>) -> Controller {
    let services = Services {
        sound: Box::new(recorder.clone()),
        lamps: Box::new(recorder.clone()),
        storage: Box::new(recorder.clone()),
        thinker: Box::new(recorder.clone()),
        games: Box::new(recorder.clone()),
        network: Box::new(recorder.clone()),
        sharing: Some(Box::new(recorder.clone())),
    };
    Controller::new(services, settings, Language::English, kept)
}

impl Recorder {
    pub fn recorded(&self) -> Ref<'_, Recorded> {
        self.0.borrow()
    }

    pub fn recorded_mut(&self) -> RefMut<'_, Recorded> {
        self.0.borrow_mut()
    }

    /// What the computer player finds for the last task; the same each time.
    pub fn think(&self) -> Thought {
        let task = self.recorded().tasks.last().cloned().expect("a task was given");
        let limits = Some(Limits { nodes: Some(200), depth: None });
        let level = match task.mind {
            Mind::Level(level) => level,
            Mind::Engine(_) => Level::Normal,
        };
        let mut rng = SmallRng::seed_from_u64(task.ticket.0.into());
        let choice = Player::new(1 << 16).choose(&task.game, level, limits, &mut rng, &mut || false);
        Thought { ticket: task.ticket, choice: Ok(choice) }
    }
}

impl Machine {
    pub fn act(&mut self, action: Action) {
        self.controller.act(action);
    }

    pub fn recorded(&self) -> Ref<'_, Recorded> {
        self.recorder.recorded()
    }

    pub fn recorded_mut(&self) -> RefMut<'_, Recorded> {
        self.recorder.recorded_mut()
    }

    /// The program is killed and started again.
    pub fn restart(self) -> Self {
        let kept = self.recorded().session.clone().flatten();
        let settings = self.recorded().settings.clone().unwrap_or_default();
        Self { controller: controller(&self.recorder, settings, kept.as_ref()), recorder: self.recorder }
    }

    /// What the computer player finds for the last task.
    pub fn think(&self) -> Thought {
        self.recorder.think()
    }

    /// The computer finishes to think, if it thinks.
    pub fn answer(&mut self) {
        if self.controller.thinking().is_some() {
            let thought = self.think();
            self.act(Action::Thought(thought));
        }
    }

    /// The other program fails.
    pub fn fail(&mut self, cause: &str) {
        let ticket = self.recorded().tasks.last().expect("a task was given").ticket;
        let error = EngineError { fault: EngineFault::Crashed, detail: cause.into() };
        self.act(Action::Thought(Thought { ticket, choice: Err(error) }));
    }

    /// The computer plays this point.
    pub fn answer_with(&mut self, name: &str) {
        let task = self.recorded().tasks.last().cloned().expect("a task was given");
        let point = Point::parse(name, task.game.size()).expect("a point of the board");
        let choice =
            Choice { point, attack: 0, defence: 0, score: None, line: Vec::new(), depth: 0, nodes: 0 };
        self.act(Action::Thought(Thought { ticket: task.ticket, choice: Ok(Some(choice)) }));
    }
}

/// Moves that fill a board of `lines` lines (even) without five in a row: columns in pairs of
/// two colours, shifted every second row.
pub fn drawn_game(lines: u8) -> Vec<(u8, u8)> {
    let is_black = |x: u8, y: u8| (x / 2 + y).is_multiple_of(2);
    let points = || (0..lines).flat_map(move |y| (0..lines).map(move |x| (x, y)));
    let black: Vec<_> = points().filter(|&(x, y)| is_black(x, y)).collect();
    let white: Vec<_> = points().filter(|&(x, y)| !is_black(x, y)).collect();
    assert_eq!(black.len(), white.len(), "both sides place as many stones");
    black.into_iter().zip(white).flat_map(|(b, w)| [b, w]).collect()
}
