// SPDX-License-Identifier: GPL-2.0-only
//! A person at the emulated board: taps where the original's controls are, and reads log and lamps.

mod plain_text;

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
    /// Menu: the settings.
    pub const SETTINGS: (u16, u16) = (118, 746);
    /// Settings: back to the menu.
    pub const BACK: (u16, u16) = (28, 28);
    /// Settings: the game's group.
    pub const GAME: (u16, u16) = (123, 93);
    /// Settings: the group of view and sound.
    pub const VIEW: (u16, u16) = (357, 93);
    /// Settings, view and sound: move numbers, language.
    pub const NUMBERS: (u16, u16) = setting(1);
    /// Settings, view and sound: as the system, Chinese, English.
    pub const LANGUAGE: (u16, u16) = setting(5);
    /// Game: offers a draw.
    pub const OFFER_DRAW: (u16, u16) = (240, 762);
    /// Game: asks whether to give up.
    pub const RESIGN: (u16, u16) = (396, 762);
    /// Resign dialog: goes on.
    pub const PLAY_ON: (u16, u16) = (143, 412);
    /// Draw-offer dialog: declines.
    pub const DECLINE: (u16, u16) = (143, 750);

    /// A row of the settings, from above.
    const fn setting(row: u16) -> (u16, u16) {
        (240, 167 + 72 * row)
    }

    /// A point of the board, by column and row from the top left.
    #[must_use]
    pub const fn point(column: u8, row: u8) -> (u16, u16) {
        (16 + 32 * column as u16, 136 + 32 * row as u16)
    }
}

/// The firmware's image: the one that `WUZI_FIRMWARE` names, or what `firmware/build.sh` has made.
///
/// # Panics
/// If it was not built.
#[must_use]
pub fn image() -> Vec<u8> {
    let built = std::env::var_os("WUZI_FIRMWARE").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dist/wuzi-firmware.elf"),
        PathBuf::from,
    );
    std::fs::read(&built)
        .unwrap_or_else(|error| panic!("{}: {error}; run ./dev firmware first", built.display()))
}

/// Numbers that look random and are the same each time: xorshift.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice of this seed, which must not be 0.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 to below `limit`.
    pub const fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// The counters that the program keeps (`firmware/src/figures.rs`), each of the last time.
#[derive(Clone, Copy, Debug)]
pub enum Figure {
    /// Cycles of drawing what changed.
    Draw,
    /// Cycles of handing an event of the touch panel on.
    Touch,
    /// Cycles of a thought of the computer player.
    Thought,
    /// The positions that it entered.
    Positions,
}

/// What the program says of its memory, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Allocated.
    pub heap: u32,
    /// The most that was ever allocated.
    pub heap_peak: u32,
    /// Not allocated.
    pub heap_free: u32,
    /// The deepest that the stack ever was.
    pub stack_peak: u32,
    /// The size of the stack.
    pub stack: u32,
}

impl Memory {
    /// Reads a line of the log such as `60.0 INFO  memory: heap 1, peak 2, free 3; stack peak 4 of 5`.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (_, values) = line.split_once("memory: ")?;
        let numbers: Vec<u32> =
            values.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
        let [heap, heap_peak, heap_free, stack_peak, stack] = numbers[..] else { return None };
        Some(Self { heap, heap_peak, heap_free, stack_peak, stack })
    }
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

    /// Taps, waits for the picture, and gives the cycles of the longest drawing that follows.
    ///
    /// # Panics
    /// As [`Player::pass`].
    pub fn longest_draw(&mut self, (x, y): (u16, u16)) -> u32 {
        self.board.touch(x, y);
        self.pass(80);
        self.board.release();
        let mut longest = 0;
        for _ in 0..200 {
            self.pass(2);
            longest = longest.max(self.figure(Figure::Draw));
        }
        longest
    }

    /// The cycles from now until a pixel differs, at most for 200 ms.
    ///
    /// # Panics
    /// If nothing is drawn there.
    pub fn until_drawn(&mut self, (x, y): (u16, u16)) -> u64 {
        let pixel = |player: &Self| player.board.frame().and_then(|frame| frame.pixel(x, y));
        let (before, begun) = (pixel(self), self.board.now().cycles);
        for _ in 0..2000 {
            if pixel(self) != before {
                return self.board.now().cycles - begun;
            }
            let run = self.board.run_for(Duration::from_micros(100));
            run.unwrap_or_else(|error| panic!("{error}"));
        }
        panic!("nothing is drawn at {x}, {y}");
    }

    /// Taps a point of the board, and gives the cycles from the end of the tap until its stone is drawn.
    ///
    /// # Panics
    /// If no stone is drawn.
    pub fn stone_drawn(&mut self, at: (u16, u16)) -> u64 {
        self.board.touch(at.0, at.1);
        self.pass(80);
        self.board.release();
        let cycles = self.until_drawn((at.0 + 6, at.1 + 6));
        self.pass(320);
        cycles
    }

    /// Reads a counter of the program.
    ///
    /// # Panics
    /// If the image has none.
    #[must_use]
    pub fn figure(&self, figure: Figure) -> u32 {
        let symbol = self.board.image().symbol("WUZI_FIGURES");
        let bytes = symbol.and_then(|base| self.board.memory(base + 4 * figure as u32, 4));
        let word = bytes.and_then(|bytes| Some(u32::from_le_bytes(*bytes.first_chunk()?)));
        word.unwrap_or_else(|| panic!("no figures in the image"))
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

    /// The moves that the log said were kept, after the last reset.
    ///
    /// # Panics
    /// If a name in the log is no point.
    #[must_use]
    pub fn kept(&self) -> Vec<Point> {
        let line = self.board.uart().lines().rev().find(|line| line.contains("is kept")).unwrap_or_default();
        let names = line.split_once(" is kept:").map_or("", |(_, names)| names);
        let point =
            |name| Point::parse(name, Size::DEFAULT).unwrap_or_else(|error| panic!("{name}: {error}"));
        names.split_whitespace().map(point).collect()
    }

    /// Takes the power away, and waits for the menu after it is back.
    ///
    /// # Panics
    /// If the menu does not come.
    pub fn cut_power(&mut self) {
        let log = self.log_length();
        self.board.power_cut().unwrap_or_else(|error| panic!("{error}"));
        self.wait_from(log, "menu after");
        self.pass(100);
    }

    /// Whether the core is in the handler of the tick: TIM3 is interrupt 29 (RM0090, table 62), exception 45.
    #[must_use]
    pub fn in_tick(&self) -> bool {
        self.board.board().scs.current == 16 + 29
    }

    /// Runs on into the handler of the next tick but one, to its first instruction.
    ///
    /// # Panics
    /// If there is no tick of 100 ms.
    pub fn run_to_tick(&mut self) {
        const PERIOD: u64 = 16_800_000;
        let run = |player: &mut Self, step: u64, steps: u64, inside: bool| {
            let arrived = (0..steps).any(|_| {
                player.board.run_cycles(step).unwrap_or_else(|error| panic!("{error}"));
                player.in_tick() == inside
            });
            assert!(arrived, "no tick");
        };
        run(self, 40, PERIOD / 20, true);
        run(self, 1, PERIOD, false);
        self.board.run_cycles(PERIOD - 5000).unwrap_or_else(|error| panic!("{error}"));
        run(self, 1, 10_000, true);
    }

    /// The lines of plain text on the LCD, as the fault screen has them.
    ///
    /// # Panics
    /// Without an LCD.
    #[must_use]
    pub fn plain_text(&self) -> Vec<String> {
        plain_text::read(&self.board.frame().expect("an LCD"))
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

    /// How the log's last line about memory ends: `heap 1, peak 2, free 3; stack peak 4 of 5`.
    ///
    /// # Panics
    /// If none comes within 90 s.
    #[must_use]
    pub fn memory(&mut self) -> Memory {
        let from = self.log_length();
        let line = self.wait_from(from, "memory: ");
        Memory::parse(&line).unwrap_or_else(|| panic!("{line}"))
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

/// All points of the board in an order in which nobody gets five: columns in pairs of two colours,
/// shifted every second row.
#[must_use]
pub fn drawn_game() -> Vec<Point> {
    let points = || (0..15_u8).flat_map(|y| (0..15_u8).map(move |x| Point::new(x, y)));
    let is_black = |point: &Point| (point.x / 2 + point.y).is_multiple_of(2);
    let mut white = points().filter(|point| !is_black(point));
    let pairs = points().filter(is_black).flat_map(|black| [Some(black), white.next()]);
    pairs.flatten().collect()
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
