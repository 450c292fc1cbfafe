// SPDX-License-Identifier: GPL-3.0-only
//! A program that is killed at any moment has kept its game and its settings: at most the step being made is
//! missing.
#![cfg(all(unix, feature = "desktop"))]

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use wuzi::archive::GameStore;
use wuzi::controller::{Action, Controller, Page, Row};
use wuzi::network::Network;
use wuzi::services::{Lamps, Services, Sound, Storage, StorageError, Task, Thinker, Thought};
use wuzi::session::{SavedSession, Session};
use wuzi::settings::{Language, Settings};
use wuzi::system::{DataDir, Games};
use wuzi_engine::{Choice, Color, Level};

/// How often the program is killed.
const MOMENTS: u64 = 1000;

/// Steps after which a program that is still alive waits for its end.
const STEPS: usize = 300;

/// Tell the killed program where to keep its game and which steps to play.
const DIRECTORY: &str = "WUZI_TEST_DIRECTORY";
const SEED: &str = "WUZI_TEST_SEED";

/// Silent, dark, and it forgets; of the computer's tasks it remembers the last.
#[derive(Clone, Default)]
struct Machine {
    task: Rc<RefCell<Option<Task>>>,
}

impl Sound for Machine {
    fn stone(&mut self) {}
    fn five(&mut self) {}
    fn set_music(&mut self, _on: bool) {}
    fn has_music(&self) -> bool {
        false
    }
}

impl Lamps for Machine {
    fn show(&mut self, _side: Option<Color>) {}
}

impl Network for Machine {
    fn start(&mut self) -> Result<(), String> {
        Err("there is none".into())
    }
    fn stop(&mut self) {}
    fn send(&mut self, _command: wuzi_network::peer::Command) {}
    fn has_game(&self) -> bool {
        false
    }
}

impl Thinker for Machine {
    fn start(&mut self, task: Task) {
        *self.task.borrow_mut() = Some(task);
    }
    fn stop(&mut self) {
        *self.task.borrow_mut() = None;
    }
}

impl Storage for Machine {
    fn save_settings(&mut self, _settings: &Settings) -> Result<(), StorageError> {
        Ok(())
    }
    fn save_session(&mut self, _session: Option<&SavedSession>) -> Result<(), StorageError> {
        Ok(())
    }
}

/// A program that plays by chance; the same seed plays the same steps.
struct Program {
    controller: Controller,
    machine: Machine,
    rng: SmallRng,
}

impl Program {
    /// Keeps its running game only if it is told to.
    fn new(data: &DataDir, keeps: bool, settings: Settings, kept: Option<&SavedSession>, seed: u64) -> Self {
        let machine = Machine::default();
        let services = Services {
            sound: Box::new(machine.clone()),
            lamps: Box::new(machine.clone()),
            storage: if keeps { Box::new(data.clone()) } else { Box::new(machine.clone()) },
            thinker: Box::new(machine.clone()),
            games: Box::new(Games::new(data)),
            network: Box::new(machine.clone()),
            sharing: None,
        };
        let mut controller = Controller::new(services, settings, Language::English, kept);
        controller.act(Action::Continue);
        Self { controller, machine, rng: SmallRng::seed_from_u64(seed) }
    }

    /// A move, undo or redo of the game, another setting; or its end and the beginning of the next.
    fn step(&mut self) {
        let Some(session) = self.controller.session().filter(|session| session.is_running()) else {
            // Some games go on after their end.
            if self.rng.random_range(0..4) == 0 {
                self.controller.act(Action::Undo)
            } else {
                self.begin()
            }
            return;
        };
        let empty: Vec<_> = session.game().board().empty_points().collect();
        let point = empty[self.rng.random_range(0..empty.len())];
        let task = self.machine.task.borrow_mut().take();
        if let Some(task) = task {
            let choice =
                Choice { point, attack: 0, defence: 0, score: None, line: Vec::new(), depth: 0, nodes: 0 };
            self.controller.act(Action::Thought(Thought { ticket: task.ticket, choice: Ok(Some(choice)) }));
            return;
        }
        match self.rng.random_range(0..100) {
            0..20 => self.controller.act(Action::Undo),
            20..35 => self.controller.act(Action::Redo),
            35..37 => {
                self.controller.act(Action::AskResign);
                self.controller.act(Action::Resign);
            }
            37..42 => {
                let rows = [Row::FirstMover, Row::Lines, Row::Rule, Row::Numbers];
                let row = rows[self.rng.random_range(0..rows.len())];
                self.controller.act(Action::Open(Page::Settings));
                self.controller.act(Action::Turn(row, true));
                self.controller.act(Action::Back);
            }
            _ => self.controller.act(Action::Tap { x: point.x.into(), y: point.y.into() }),
        }
    }

    fn begin(&mut self) {
        self.controller.act(Action::Pause);
        self.controller.act(Action::Leave);
        if self.rng.random() {
            self.controller.act(Action::PlayPvp);
        } else {
            let level = Level::ALL[self.rng.random_range(0..Level::ALL.len())];
            self.controller.act(Action::PlayPve);
            self.controller.act(Action::Start(level));
        }
    }

    /// What the next start has to offer.
    fn running(&self) -> Option<SavedSession> {
        let running = self.controller.session().filter(|session| session.is_running()).map(Session::save);
        // Nothing is kept of a game before its first stone.
        running.filter(|saved| !saved.moves.is_empty() || !saved.undone.is_empty())
    }
}

#[test]
#[ignore = "the program that the test below kills"]
fn plays_until_it_is_killed() {
    let directory = std::env::var(DIRECTORY).expect("the parent names a directory");
    let seed = std::env::var(SEED).expect("the parent names a seed").parse().expect("a number");
    let data = DataDir::new(directory);
    let kept = data.load_session();
    let mut program = Program::new(&data, true, data.load_settings(), kept.as_ref(), seed);
    let mut out = std::io::stdout();
    for step in 0..STEPS {
        program.step();
        // A line of its own, whatever the test harness has written.
        out.write_all(format!("\nstep {step}\n").as_bytes()).expect("the parent listens");
        out.flush().expect("the parent listens");
    }
    std::thread::sleep(Duration::from_secs(600));
}

/// Plays in `directory`, kills the program at a moment that `chance` chooses, and returns how many
/// steps it has said to be done.
fn play_and_kill(directory: &Path, seed: u64, chance: &mut SmallRng) -> usize {
    let mut child = Command::new(std::env::current_exe().expect("a test program"))
        .args(["--exact", "plays_until_it_is_killed", "--ignored", "--nocapture"])
        .env(DIRECTORY, directory)
        .env(SEED, seed.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the test program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let mut steps = lines.by_ref().filter(|line| line.starts_with("step "));
    let mut done = steps.by_ref().take(chance.random_range(0..12)).count();
    std::thread::sleep(Duration::from_micros(chance.random_range(0..2000)));
    child.kill().expect("it still plays");
    let _ = child.wait();
    done += steps.count();
    done
}

#[test]
fn a_killed_program_has_kept_its_game_but_for_the_step_being_made() {
    let dir = tempfile::tempdir().unwrap();
    let other = tempfile::tempdir().unwrap();
    let elsewhere = DataDir::new(other.path());
    let mut chance = SmallRng::seed_from_u64(6);
    let mut kept: Option<SavedSession> = None;
    let mut settings = Settings::default();
    let (mut moves, mut changes) = (0, 0);
    for seed in 0..MOMENTS {
        let done = play_and_kill(dir.path(), seed, &mut chance);
        let mut foreseen = Program::new(&elsewhere, false, settings.clone(), kept.as_ref(), seed);
        (0..done).for_each(|_| foreseen.step());
        let (before, set_before) = (foreseen.running(), foreseen.controller.settings().clone());
        foreseen.step();
        let (after, set_after) = (foreseen.running(), foreseen.controller.settings().clone());

        let data = DataDir::new(dir.path());
        let found = data.load_session();
        // How long the person thought and how files are called cannot be foreseen.
        let is_found = |foreseen: &Option<SavedSession>| {
            let (millis, record) = found.as_ref().map_or((0, None), |f| (f.millis, f.record.clone()));
            found == foreseen.clone().map(|foreseen| SavedSession { millis, record, ..foreseen })
        };
        assert!(is_found(&before) || is_found(&after), "kill {seed} after step {done}: {found:?}");
        kept = found;
        let set = data.load_settings();
        assert!(set == set_before || set == set_after, "kill {seed} after step {done}: {set:?}");
        changes += usize::from(set != settings);
        settings = set;
        moves += kept.as_ref().map_or(0, |session| session.moves.len());
        drop(data);
        let mut files: Vec<_> =
            std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        files.sort();
        files.retain(|file| {
            !["game.json", "games", "lock", "results.json", "settings.json"].iter().any(|known| file == known)
        });
        assert!(
            files.is_empty(),
            "kill {seed}: nothing is set aside and no half-written file stays: {files:?}"
        );
    }
    assert!(moves > 0 && changes > 0, "games were played, settings changed");
    let mut games = Games::new(&DataDir::new(dir.path()));
    let list = games.list().expect("the list is good");
    assert!(list.len() > 10, "games were finished");
    for entry in list {
        let record = games.open(&entry.file).expect("each game is whole");
        assert_eq!(record.main_line().len(), usize::from(entry.moves));
    }
}
