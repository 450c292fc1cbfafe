// SPDX-License-Identifier: GPL-3.0-only
//! Runs the app's library on a phone that only exists here: `phone/` plays the system, under
//! qemu-aarch64. A [`Phone`] is one process of the app; a killed one is dropped.
//!
//! `WUZI_PHONE` names the directory that `build.sh` has filled, `WUZI_LIBRARY` the app's library.

pub mod game;
pub mod picture;
pub mod player;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tempfile::TempDir;

use crate::picture::Picture;

/// Milliseconds in which nothing is due when the app counts as at rest: longer than a frame, shorter
/// than the lamps' second.
const CALM: u32 = 100;
/// Milliseconds after which an app that does not come to rest is taken for broken. The processor
/// is an emulated one.
const PATIENCE: u32 = 60_000;

/// The keys' numbers in `android.view.KeyEvent`.
#[allow(missing_docs)]
pub mod key {
    pub const BACK: u32 = 4;
    pub const UP: u32 = 19;
    pub const DOWN: u32 = 20;
    pub const LEFT: u32 = 21;
    pub const RIGHT: u32 = 22;
    pub const P: u32 = 44;
    pub const U: u32 = 49;
    pub const ENTER: u32 = 66;
    pub const ESCAPE: u32 = 111;
}

/// What a finger does, as `AMOTION_EVENT_ACTION_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Motion {
    Down = 0,
    Up = 1,
    Move = 2,
    Cancel = 3,
    OtherDown = 5,
    OtherUp = 6,
}

/// A finger at a place, in physical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Finger {
    pub id: u32,
    pub x: f32,
    pub y: f32,
}

/// Size and density of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    /// Dots per inch.
    pub density: u32,
}

/// The original's screen of 480 × 800, one pixel for each unit.
pub const ORIGINAL: Screen = Screen { width: 480, height: 800, density: 160 };

/// The app's directory in one that is removed at the end.
///
/// # Panics
/// If no directory can be made.
#[must_use]
pub fn data() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("files");
    (dir, data)
}

/// Where a point of the board with 15 lines is on the original's screen.
#[must_use]
pub fn point(column: u32, row: u32) -> (f32, f32) {
    (16.0 + 32.0 * column as f32, 136.0 + 32.0 * row as f32)
}

/// Numbers that the phone keeps of what the app did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct State {
    pub frames: u64,
    /// Pixels of all frames that the app had to draw.
    pub pixels: u64,
    pub handled: u64,
    pub unhandled: u64,
    pub ticks: u64,
    pub keyboard: u64,
    pub finished: u64,
    /// Streams of sound that run.
    pub streams: u64,
    pub samples: u64,
    /// Samples that can be heard.
    pub loud: u64,
    /// Locks of multicast that are held.
    pub multicast: u64,
}

/// A running phone.
#[derive(Debug)]
pub struct Phone {
    process: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    data: PathBuf,
    log: PathBuf,
    counter: PathBuf,
    screen: Screen,
}

impl Phone {
    /// Switches it on. `data` is the app's directory.
    ///
    /// # Panics
    /// If the phone cannot be run; as all of the methods do when the app breaks.
    pub fn new(data: &Path, screen: Screen) -> Self {
        Self::switch_on(data, screen, false)
    }

    /// Switches it on, with its instructions counted, which makes it slow.
    pub fn counting(data: &Path, screen: Screen) -> Self {
        let mut phone = Self::switch_on(data, screen, true);
        phone.launch("");
        phone
    }

    fn switch_on(data: &Path, screen: Screen, counted: bool) -> Self {
        let parts = PathBuf::from(std::env::var_os("WUZI_PHONE").expect("run android/test.sh"));
        let library = std::env::var_os("WUZI_LIBRARY").expect("run android/test.sh");
        let (log, counter) = (data.with_extension("log"), data.with_extension("instructions"));
        let mut plugin = parts.join("libcount.so").into_os_string();
        plugin.push(",count=");
        plugin.push(&counter);
        let file = fs::OpenOptions::new().create(true).append(true).open(&log).unwrap();
        let mut emulator = Command::new("qemu-aarch64");
        emulator.args(["-L", "/usr/aarch64-linux-gnu"]);
        if counted {
            emulator.arg("-plugin").arg(plugin);
        }
        let mut process = emulator
            .arg(parts.join("phone"))
            .arg(library)
            // The system's fonts are those beside the app's directory, if a test has put some there.
            .env("ANDROID_ROOT", data.with_extension("system"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(file)
            .spawn()
            .expect("qemu-aarch64 (Debian: qemu-user)");
        let commands = process.stdin.take().unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        let mut phone = Self { process, commands, answers, data: data.into(), log, counter, screen };
        phone.settings("en", false);
        phone
    }

    /// Switches it on and brings the app to the screen.
    pub fn open(data: &Path, screen: Screen) -> Self {
        let mut phone = Self::new(data, screen);
        phone.launch("");
        phone
    }

    /// Starts the app, with what the system kept of it, and brings it to the screen.
    pub fn launch(&mut self, kept: &str) {
        let create = format!("create {} {kept}", self.data.display());
        for command in [&create, "start", "input 1", "resume"] {
            self.tell(command);
        }
        self.show();
        self.tell("focus 1");
        self.settle();
    }

    /// Gives the app a surface.
    pub fn show(&mut self) {
        let Screen { width, height, .. } = self.screen;
        self.tell(&format!("surface {width} {height}"));
        self.tell(&format!("content 0 0 {width} {height}"));
    }

    /// Sends the app to the background; what it wants to be remembered.
    pub fn leave(&mut self) -> String {
        self.tell("focus 0");
        self.tell("pause");
        self.tell("lose");
        self.tell("stop");
        self.tell("save")
    }

    /// Another app starts this one, which is running, anew: `with` is `view ADDRESS` and so on. The system
    /// then has two activities in the same process.
    pub fn start_again(&mut self, with: &str) {
        for command in ["focus 0", "pause", "lose", "input 0"] {
            self.tell(command);
        }
        self.start_with(with);
        self.tell("destroy-older");
        self.settle();
    }

    /// Starts the app from another one: `with` is `view ADDRESS`, `stream ADDRESS`, `send TEXT`, or from
    /// the list of recent apps `again ADDRESS`.
    pub fn start_with(&mut self, with: &str) {
        self.tell(&format!("start-with {with}"));
        self.launch("");
    }

    /// Brings it back from there.
    pub fn come_back(&mut self) {
        self.tell("start");
        self.tell("resume");
        self.show();
        self.tell("focus 1");
        self.settle();
    }

    /// Another size of the screen, as after a rotation.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.screen = Screen { width, height, ..self.screen };
        self.tell(&format!("resize {width} {height}"));
        self.tell(&format!("content 0 0 {width} {height}"));
        self.settle();
    }

    /// Language and dark mode.
    pub fn settings(&mut self, language: &str, dark: bool) {
        let density = self.screen.density;
        self.tell(&format!("settings {language} {density} {} 34", if dark { 2 } else { 1 }));
    }

    /// Gives a command to the phone; its answer.
    pub fn tell(&mut self, command: &str) -> String {
        match self.try_to_tell(command) {
            Ok(answer) => answer,
            Err(error) => panic!("{command}: {error}\n{}", self.log()),
        }
    }

    /// Gives a command to the phone; its answer, or why it was refused.
    pub fn try_to_tell(&mut self, command: &str) -> Result<String, String> {
        let mut answer = String::new();
        let told = writeln!(self.commands, "{command}")
            .and_then(|()| self.commands.flush())
            .and_then(|()| self.answers.read_line(&mut answer));
        match answer.trim_end().split_at_checked(2) {
            Some(("ok", answer)) => Ok(answer.trim_start().into()),
            Some(_) => Err(answer.trim_end().into()),
            None => {
                panic!("{command}: the app has crashed ({told:?}, {:?})\n{}", self.process.wait(), self.log())
            }
        }
    }

    /// Waits until the app has nothing to do.
    pub fn settle(&mut self) {
        self.tell(&format!("settle {CALM} {PATIENCE}"));
    }

    /// Lets time pass.
    pub fn wait(&mut self, milliseconds: u32) {
        self.tell(&format!("serve {milliseconds}"));
    }

    /// Moves fingers; `index` is the one that acts.
    pub fn motion(&mut self, motion: Motion, index: usize, fingers: &[Finger]) {
        let fingers: String = fingers.iter().map(|f| format!(" {} {} {}", f.id, f.x, f.y)).collect();
        self.tell(&format!("touch {} {index}{fingers}", motion as u32));
    }

    /// Touches a place and lifts the finger again.
    pub fn tap(&mut self, x: f32, y: f32) {
        let finger = [Finger { id: 0, x, y }];
        self.motion(Motion::Down, 0, &finger);
        self.motion(Motion::Up, 0, &finger);
        self.settle();
    }

    /// Touches a place of the original's screen, on one of this size.
    pub fn at(&mut self, (x, y): (f32, f32)) {
        let (left, top, unit) = self.original();
        self.tap(left + x * unit, top + y * unit);
    }

    /// Touches a point of the board with 15 lines.
    pub fn stone(&mut self, column: u32, row: u32) {
        self.at(point(column, row));
    }

    /// Where the original's screen begins, and its unit.
    fn original(&self) -> (f32, f32, f32) {
        let (width, height) = (self.screen.width as f32, self.screen.height as f32);
        let unit = (width / 480.0).min(height / 800.0);
        ((width - 480.0 * unit) / 2.0, (height - 800.0 * unit) / 2.0, unit)
    }

    /// Presses a key and lets it go.
    pub fn press(&mut self, code: u32) {
        self.tell(&format!("key 0 {code} 0 0"));
        self.tell(&format!("key 1 {code} 0 0"));
        self.settle();
    }

    /// Types a text of small letters, digits, full stops and colons.
    ///
    /// # Panics
    /// If there is anything else in it.
    pub fn type_text(&mut self, text: &str) {
        const SHIFT: u32 = 1;
        for c in text.bytes() {
            let (code, meta) = match c {
                b'0'..=b'9' => (u32::from(c - b'0') + 7, 0),
                b'a'..=b'z' => (u32::from(c - b'a') + 29, 0),
                b'.' => (56, 0),
                b':' => (74, SHIFT),
                _ => panic!("no key for {:?}", char::from(c)),
            };
            self.tell(&format!("key 0 {code} {meta} 0"));
            self.tell(&format!("key 1 {code} {meta} 0"));
        }
        self.settle();
    }

    /// Waits until something is so.
    ///
    /// # Panics
    /// If it never is.
    pub fn until(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> bool) {
        for _ in 0..300 {
            if is_so(self) {
                return;
            }
            self.wait(100);
        }
        let seen = picture::directory().join("never.seen.png");
        self.picture().write(&seen);
        panic!("never: {what}; {} is seen\n{}", seen.display(), self.log());
    }

    /// The port at which the app listens, if it does.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        let process = PathBuf::from(format!("/proc/{}", self.process.id()));
        let sockets: Vec<String> = fs::read_dir(process.join("fd"))
            .ok()?
            .flatten()
            .filter_map(|file| fs::read_link(file.path()).ok()?.into_os_string().into_string().ok())
            .filter_map(|link| Some(link.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
            .collect();
        // The kernel's table: number, own address and port, the other's, state (0A: listens), …, inode.
        ["net/tcp", "net/tcp6"].iter().find_map(|table| {
            let table = fs::read_to_string(process.join(table)).ok()?;
            table.lines().find_map(|line| {
                let fields: Vec<&str> = line.split_whitespace().collect();
                let is_own = fields.get(9).is_some_and(|inode| sockets.iter().any(|own| own == inode));
                let (_, port) = fields.get(1)?.rsplit_once(':')?;
                (is_own && fields[3] == "0A").then(|| u16::from_str_radix(port, 16).ok()).flatten()
            })
        })
    }

    /// What is on the screen.
    pub fn picture(&mut self) -> Picture {
        let path = self.data.with_extension("rgba");
        let answer = self.tell(&format!("frame {}", path.display()));
        let (width, height) = answer.split_once(' ').unwrap();
        let pixels = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        Picture::new(width.parse().unwrap(), height.parse().unwrap(), pixels)
    }

    /// Whether the screen shows this picture, or does within two seconds: a lamp blinks once a second.
    pub fn shows(&mut self, expected: &Picture) -> bool {
        (0..20).any(|_| {
            self.wait(100);
            self.picture() == *expected
        })
    }

    /// Compares the screen with the reference picture of this name: [`Self::compare_file`].
    pub fn compare(&mut self, name: &str) {
        self.compare_file(&picture::directory().join(format!("{name}.png")));
    }

    /// Compares the screen with a reference picture, or makes it anew where `WUZI_RENEW_PICTURES` is
    /// set.
    ///
    /// # Panics
    /// If they differ. What was seen is then beside the reference, as `NAME.seen.png`.
    pub fn compare_file(&mut self, path: &Path) {
        if std::env::var_os("WUZI_RENEW_PICTURES").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            return self.picture().write(path);
        }
        let reference =
            Picture::read(path).unwrap_or_else(|| panic!("there is no picture {}", path.display()));
        if !self.shows(&reference) {
            let seen = path.with_extension("seen.png");
            self.picture().write(&seen);
            panic!("{} differs from what is seen, {}", path.display(), seen.display());
        }
    }

    /// What the app has done.
    pub fn state(&mut self) -> State {
        let mut state = State::default();
        for (name, value) in self.tell("state").split(' ').filter_map(|pair| pair.split_once('=')) {
            let value = value.parse().unwrap();
            match name {
                "frames" => state.frames = value,
                "pixels" => state.pixels = value,
                "handled" => state.handled = value,
                "unhandled" => state.unhandled = value,
                "ticks" => state.ticks = value,
                "keyboard" => state.keyboard = value,
                "finished" => state.finished = value,
                "streams" => state.streams = value,
                "samples" => state.samples = value,
                "loud" => state.loud = value,
                "multicast" => state.multicast = value,
                _ => panic!("the phone tells of {name}"),
            }
        }
        state
    }

    /// Instructions that its processor has carried out.
    pub fn instructions(&self) -> u64 {
        let bytes = fs::read(&self.counter).unwrap();
        u64::from_le_bytes(bytes.try_into().unwrap())
    }

    /// The log of all of its processes.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// The game that the app keeps.
    pub fn kept_game(&self) -> Option<game::Kept> {
        game::Kept::read(&self.data)
    }

    /// What tells the position of the game over the network that the app keeps: [`player::hash`].
    #[must_use]
    pub fn network_hash(&self) -> Option<String> {
        let bytes = fs::read(self.data.join("network-game.json")).ok()?;
        let file: serde_json::Value = serde_json::from_slice(&bytes).expect("a whole file");
        player::hash(&file["game"])
    }

    /// How many finished games the app has kept.
    pub fn finished_games(&self) -> usize {
        let games = std::fs::read_dir(self.data.join("games"));
        let is_game = |path: &std::path::Path| path.extension().is_some_and(|extension| extension == "sgf");
        games.map_or(0, |entries| entries.flatten().filter(|entry| is_game(&entry.path())).count())
    }
}

impl Drop for Phone {
    /// Kills it, as the system does with an app that is out of sight.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
