// SPDX-License-Identifier: GPL-3.0-only
//! A full disk, a directory that cannot be written, two programs in one directory: the game goes
//! on, the player is told, and nothing that was kept is spoilt.
#![cfg(all(unix, feature = "desktop"))]

mod common;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::Recorder;
use wuzi::archive::GameStore;
use wuzi::controller::{Action, Controller, Notice};
use wuzi::services::{Services, Thought};
use wuzi::settings::{Language, Settings};
use wuzi::system::{DataDir, Games};
use wuzi_engine::{Choice, Level, Point, Size};

/// Tells the program of a test where to keep its game.
const DIRECTORY: &str = "WUZI_TEST_DIRECTORY";

/// The exit code of a shell that may not make a disk.
const NOT_PERMITTED: i32 = 77;

/// So many games each of two programs plays.
const GAMES: usize = 20;

/// The program with its files, and a machine that records everything else.
struct Program {
    controller: Controller,
    recorder: Recorder,
}

impl Program {
    fn new(data: &DataDir) -> Self {
        let recorder = Recorder::default();
        let services = Services {
            sound: Box::new(recorder.clone()),
            lamps: Box::new(recorder.clone()),
            storage: Box::new(data.clone()),
            thinker: Box::new(recorder.clone()),
            games: Box::new(Games::new(data)),
            network: Box::new(recorder.clone()),
            sharing: None,
        };
        let kept = data.load_session();
        let controller = Controller::new(services, data.load_settings(), Language::English, kept.as_ref());
        Self { controller, recorder }
    }

    fn begin(&mut self) {
        self.controller.act(Action::PlayPve);
        self.controller.act(Action::Start(Level::Easy));
    }

    /// A person's move, or the computer's answer.
    fn play(&mut self, name: &str) {
        let point = Point::parse(name, Size::DEFAULT).expect("a point of the board");
        if self.controller.thinking().is_some() {
            let ticket = self.recorder.recorded().tasks.last().expect("a task was given").ticket;
            let choice =
                Choice { point, attack: 0, defence: 0, score: None, line: Vec::new(), depth: 0, nodes: 0 };
            self.controller.act(Action::Thought(Thought { ticket, choice: Ok(Some(choice)) }));
        } else {
            self.controller.act(Action::Tap { x: point.x.into(), y: point.y.into() });
        }
    }

    fn stones(&self) -> usize {
        self.controller.session().expect("a game runs").game().moves().len()
    }

    fn leave(&mut self) {
        self.controller.act(Action::Pause);
        self.controller.act(Action::Leave);
    }
}

const BLACK_WINS: [&str; 9] = ["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"];

fn directory() -> PathBuf {
    std::env::var_os(DIRECTORY).expect("the parent names a directory").into()
}

/// Runs one of the ignored tests below in a shell that has prepared the machine for it.
fn run(script: &str, test: &str, directory: &Path) -> Output {
    Command::new("unshare")
        .args(["--mount", "--map-root-user", "sh", "-c", script, "sh"])
        .arg(directory)
        .arg(std::env::current_exe().expect("a test program"))
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env(DIRECTORY, directory)
        .output()
        .or_else(|_| Command::new("sh").args(["-c", &format!("exit {NOT_PERMITTED}")]).output())
        .expect("a shell")
}

/// Fails if the program did; says so if the machine did not permit the test.
fn check(output: &Output) {
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let refused = output.status.code() == Some(NOT_PERMITTED) || said.contains("unshare failed");
    if refused {
        println!("not permitted to mount a disk here: {said}");
        return;
    }
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn a_full_disk_is_said_and_the_game_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let script =
        format!("mount -t tmpfs -o size=256k tmpfs \"$1\" || exit {NOT_PERMITTED}; shift; exec \"$@\"");
    check(&run(&script, "plays_on_a_disk_that_fills", dir.path()));
}

#[test]
#[ignore = "run by the test above on a small disk"]
fn plays_on_a_disk_that_fills() {
    let dir = directory();
    let data = DataDir::new(&dir);
    let mut program = Program::new(&data);
    program.begin();
    BLACK_WINS[..4].iter().for_each(|name| program.play(name));
    assert_eq!(program.controller.notice(), None);
    let kept = fs::read(dir.join("game.json")).unwrap();

    let mut ballast = File::create(dir.join("ballast")).unwrap();
    while ballast.write_all(&[0; 512]).is_ok() {}
    let free = ballast.write(&[0]);
    assert!(free.is_err(), "the disk is full: {free:?}");
    for (index, name) in BLACK_WINS[4..].iter().enumerate() {
        program.play(name);
        assert_eq!(program.stones(), 5 + index, "the game goes on");
        assert_eq!(program.controller.notice(), Some(Notice::NotSaved), "and the player is told");
    }
    assert!(!program.controller.session().unwrap().is_running(), "to its end");
    assert_eq!(Games::new(&data).list().unwrap_or_default(), [], "there was no room for it");
    let now = fs::read(dir.join("game.json"));
    assert!(now.is_err() || now.is_ok_and(|now| now == kept), "what was kept is whole or gone, never half");
    let names: Vec<String> =
        fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|name| name.starts_with(".wuzi-")), "nothing unfinished stays: {names:?}");

    drop(ballast);
    fs::remove_file(dir.join("ballast")).unwrap();
    program.controller.act(Action::Undo);
    assert_eq!(program.controller.notice(), None, "there is room again");
    program.play("G8");
    assert_eq!(program.controller.notice(), None);
    let list = Games::new(&data).list().unwrap();
    assert_eq!(list.iter().map(|entry| entry.moves).collect::<Vec<_>>(), [9]);
}

#[test]
fn a_directory_that_cannot_be_written_is_said_and_the_game_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let settings = Settings { lines: 15, sound: false, ..Settings::default() };
    wuzi::services::Storage::save_settings(&mut DataDir::new(dir.path()), &settings).unwrap();
    let script = format!(
        "mount --bind \"$1\" \"$1\" && mount -o remount,bind,ro \"$1\" || exit {NOT_PERMITTED}; shift; exec \"$@\""
    );
    check(&run(&script, "plays_where_nothing_can_be_written", dir.path()));
}

#[test]
#[ignore = "run by the test above on a disk that cannot be written"]
fn plays_where_nothing_can_be_written() {
    let dir = directory();
    let written = fs::write(dir.join("x"), "x");
    assert!(written.is_err(), "it cannot be written");
    let mut program = Program::new(&DataDir::new(&dir));
    assert!(!program.controller.settings().sound, "what is there is read");
    program.begin();
    for (index, name) in BLACK_WINS.iter().enumerate() {
        program.play(name);
        assert_eq!(program.stones(), index + 1);
        assert_eq!(program.controller.notice(), Some(Notice::NotSaved));
    }
    program.leave();
    program.controller.act(Action::Open(wuzi::controller::Page::Games));
    assert_eq!(program.controller.page(), wuzi::controller::Page::Games);
}

/// Where no disk can be mounted: a limit to the size of files, which every system has.
#[test]
fn files_that_may_not_grow_are_said_and_the_game_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().expect("a test program"))
        .args(["--exact", "plays_where_files_may_not_grow", "--ignored", "--nocapture"])
        .env(DIRECTORY, dir.path())
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "run by the test above with a limit"]
fn plays_where_files_may_not_grow() {
    let mut program = Program::new(&DataDir::new(directory()));
    program.begin();
    for (index, name) in BLACK_WINS.iter().enumerate() {
        program.play(name);
        assert_eq!(program.stones(), index + 1);
        assert_eq!(program.controller.notice(), Some(Notice::NotSaved));
    }
}

#[test]
fn two_programs_at_once_lose_none_of_their_games() {
    let dir = tempfile::tempdir().unwrap();
    let start = || {
        Command::new(std::env::current_exe().expect("a test program"))
            .args(["--exact", "plays_beside_another_program", "--ignored", "--nocapture"])
            .env(DIRECTORY, dir.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the test program runs")
    };
    let mut programs = [start(), start()];
    for program in &mut programs {
        assert!(program.wait().expect("it ends").success());
    }
    let mut games = Games::new(&DataDir::new(dir.path()));
    let list = games.list().unwrap();
    assert_eq!(list.len(), 2 * GAMES);
    for entry in &list {
        assert_eq!(games.open(&entry.file).unwrap().main_line().len(), 9, "{}", entry.file);
    }
    let results = games.results();
    assert_eq!(results.statistics[Level::Easy as usize].won as usize, 2 * GAMES);
    assert_eq!(results.leaderboard.len(), 1);
    let broken = |dir: PathBuf| {
        fs::read_dir(dir).unwrap().any(|e| e.unwrap().file_name().to_string_lossy().contains("broken"))
    };
    assert!(!broken(dir.path().into()) && !broken(dir.path().join("games")));
}

#[test]
#[ignore = "run twice at once by the test above"]
fn plays_beside_another_program() {
    let data = DataDir::new(directory());
    let mut program = Program::new(&data);
    for _ in 0..GAMES {
        program.begin();
        BLACK_WINS.iter().for_each(|name| program.play(name));
        let notice = data.is_shared().then_some(Notice::NotSaved);
        assert_eq!(program.controller.notice(), notice, "the one that keeps no running game says so");
        program.leave();
    }
}
