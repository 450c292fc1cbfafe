// SPDX-License-Identifier: GPL-2.0-only
//! A person at the emulated board: taps where the original's controls are, and reads log and lamps.

use std::path::PathBuf;
use std::time::Duration;

use wuzi_board::{Config, EventKind, Key, Machine};
use wuzi_engine::{Game, Point, Rule, Size};

/// Where the original's controls are, in the middle of their areas.
pub mod place {
    /// Menu: two players.
    pub const PVP: (u16, u16) = (240, 555);
    /// Menu: against the computer.
    pub const PVE: (u16, u16) = (240, 655);
    /// Difficulty dialog, Easy to Master.
    pub const LEVELS: [(u16, u16); 5] = [(240, 355), (240, 455), (240, 555), (240, 655), (240, 755)];
    /// Game: take back.
    pub const UNDO: (u16, u16) = (25, 20);
    /// Game: a stone by the computer.
    pub const HELP: (u16, u16) = (240, 20);
    /// Game: the pause dialog.
    pub const PAUSE: (u16, u16) = (455, 20);
    /// Menu: the game that was kept.
    pub const CONTINUE: (u16, u16) = (240, 460);
    /// Pause dialog: back to the game.
    pub const CLOSE: (u16, u16) = (419, 355);
    /// Pause and game-over dialog: the same game anew.
    pub const RESTART: (u16, u16) = (143, 482);
    /// Pause and game-over dialog: to the menu.
    pub const QUIT: (u16, u16) = (337, 482);

    /// A point of the board, by column and row from the top left.
    #[must_use]
    pub const fn point(column: u8, row: u8) -> (u16, u16) {
        (16 + 32 * column as u16, 136 + 32 * row as u16)
    }
}

/// The firmware's image, as `firmware/build.sh` makes it.
///
/// # Panics
/// If it was not built.
#[must_use]
pub fn image() -> Vec<u8> {
    let built = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dist/wuzi-firmware.elf");
    std::fs::read(&built)
        .unwrap_or_else(|error| panic!("{}: {error}; run ./dev firmware first", built.display()))
}

/// The board, and a person at it.
#[derive(Debug)]
pub struct Player {
    /// The board.
    pub board: Machine,
}

impl Player {
    /// The usual board, with its menu shown.
    #[must_use]
    pub fn at_menu() -> Self {
        Self::with(|_| {})
    }

    /// A board that differs from the usual one, with its menu shown.
    ///
    /// # Panics
    /// If the menu does not come.
    #[must_use]
    pub fn with(change: impl FnOnce(&mut Config)) -> Self {
        let mut player = Self::switched_on(change);
        player.wait_for("menu after");
        player.pass(100);
        player
    }

    /// A board whose power just came.
    ///
    /// # Panics
    /// If the image is none.
    #[must_use]
    pub fn switched_on(change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::new(image());
        change(&mut config);
        Self { board: Machine::new(config).unwrap_or_else(|error| panic!("{error}")) }
    }

    /// Lets milliseconds pass.
    ///
    /// # Panics
    /// If the program does something that is not modelled.
    pub fn pass(&mut self, ms: u64) {
        let result = self.board.run_for(Duration::from_millis(ms));
        result.unwrap_or_else(|error| panic!("{error}\n{}", self.board.uart()));
    }

    /// Waits, at most 90 s, for a text in the log, after what was there when the waiting began.
    ///
    /// # Panics
    /// If it does not come.
    pub fn wait_for(&mut self, text: &str) -> String {
        let from = self.board.uart().len();
        self.wait_from(from, text)
    }

    /// Waits for a text in the log behind byte `from`, and gives its line.
    ///
    /// # Panics
    /// If it does not come within 90 s.
    pub fn wait_from(&mut self, from: usize, text: &str) -> String {
        let line = |board: &Machine| {
            let log = board.uart().get(from..).unwrap_or("");
            log.lines().find(|line| line.contains(text)).filter(|_| log.ends_with('\n')).map(String::from)
        };
        let limit = Duration::from_secs(90);
        let found = self.board.run_until(limit, |board| line(board).is_some());
        match found {
            Ok(true) => line(&self.board).unwrap_or_default(),
            Ok(false) => panic!("no {text:?} in the log:\n{}", self.board.uart()),
            Err(error) => panic!("{error}\n{}", self.board.uart()),
        }
    }

    /// Taps and waits for the picture.
    ///
    /// # Panics
    /// As [`Player::pass`].
    pub fn tap(&mut self, (x, y): (u16, u16)) {
        self.board.touch(x, y);
        self.pass(80);
        self.board.release();
        self.pass(320);
    }

    /// Presses a key and waits for the picture.
    ///
    /// # Panics
    /// As [`Player::pass`].
    pub fn press(&mut self, key: Key) {
        self.board.key(key, true);
        self.pass(60);
        self.board.key(key, false);
        self.pass(140);
    }

    /// The milliseconds of the last thought that is logged behind byte `from`.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn thought_ms(&self, from: usize) -> u64 {
        let log = self.board.uart().get(from..).unwrap_or("");
        let thought = log.lines().rev().find_map(|line| line.split_once(" thought ")?.1.split(' ').next());
        thought.and_then(|ms| ms.parse().ok()).unwrap_or_else(|| panic!("no thought in\n{log}"))
    }

    /// Begins a game of two people.
    pub fn begin_pvp(&mut self) {
        self.tap(place::PVP);
    }

    /// Begins a game against a level, 0 Easy to 4 Master.
    pub fn begin_pve(&mut self, level: usize) {
        self.tap(place::PVE);
        self.tap(place::LEVELS[level]);
    }

    /// Taps a point, such as `H8`, and waits for its stone.
    ///
    /// # Panics
    /// If the name is none of the board's.
    pub fn play(&mut self, name: &str) {
        let point = Point::parse(name, Size::DEFAULT).unwrap_or_else(|error| panic!("{name}: {error}"));
        self.tap(place::point(point.x, point.y));
    }

    /// The moves in the log since its byte `from`: number and point of each.
    #[must_use]
    pub fn moves_since(&self, from: usize) -> Vec<(usize, Point)> {
        let log = self.board.uart().get(from..).unwrap_or("");
        log.lines().filter_map(logged_move).collect()
    }

    /// The length of the log.
    #[must_use]
    pub fn log_length(&self) -> usize {
        self.board.uart().len()
    }

    /// Waits for the move of this number in the log behind byte `from`, and gives its point.
    ///
    /// # Panics
    /// If it does not come.
    pub fn wait_for_move(&mut self, from: usize, number: usize) -> Point {
        let line = self.wait_from(from, &format!("move {number}:"));
        logged_move(&line).unwrap_or_else(|| panic!("no move: {line}")).1
    }

    /// How long each beep lasted, in milliseconds, since event `from`.
    #[must_use]
    pub fn beeps_since(&self, from: usize) -> Vec<u64> {
        let mut beeps = Vec::new();
        let mut begun = None;
        for event in &self.board.events()[from..] {
            match event.kind {
                EventKind::Buzzer(true) => begun = Some(event.at.ns),
                EventKind::Buzzer(false) => {
                    beeps.extend(begun.take().map(|begun| (event.at.ns - begun + 500_000) / 1_000_000));
                }
                _ => {}
            }
        }
        beeps
    }

    /// When a lamp (0 black's, 1 white's) went on or off, in milliseconds, since event `from`.
    #[must_use]
    pub fn lamp_since(&self, lamp: u8, from: usize) -> Vec<(u64, bool)> {
        let changes = self.board.events()[from..].iter().filter_map(|event| match event.kind {
            EventKind::Lamp { index, on } if index == lamp => Some((event.at.ns / 1_000_000, on)),
            _ => None,
        });
        changes.collect()
    }
}

/// Number and point of a line such as `9.871 DEBUG move 1: Black H8, attack 40, defence 40`.
fn logged_move(line: &str) -> Option<(usize, Point)> {
    let (_, rest) = line.split_once("move ")?;
    let (number, rest) = rest.split_once(": ")?;
    let name = rest.split([' ', ',']).nth(1)?;
    Some((number.parse().ok()?, Point::parse(name, Size::DEFAULT).ok()?))
}

/// A game of these moves.
///
/// # Panics
/// If one of them is not possible.
#[must_use]
pub fn game_of(moves: &[Point]) -> Game {
    let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
    for &point in moves {
        game.play(point).unwrap_or_else(|error| panic!("{}: {error}", point.name(Size::DEFAULT)));
    }
    game
}
