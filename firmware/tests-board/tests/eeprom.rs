// SPDX-License-Identifier: GPL-2.0-only
//! An EEPROM that is worn, silent or slow: the player and the log are told, nothing hangs, the game
//! goes on, and what comes back is never a wrong board.

use wuzi_board::{Noise, TouchKind};
use wuzi_board_tests::{Dice, Player, place};
use wuzi_engine::{Point, Size};

/// The colour of news on the game page, as `ui/theme.slint` has it for the wooden board: #ffc766.
const ACCENT: u16 = 0xFE2C;

fn points(names: &[&str]) -> Vec<Point> {
    let point = |name: &&str| Point::parse(name, Size::DEFAULT).expect("a point");
    names.iter().map(point).collect()
}

/// Whether the game page says something below the side to move.
fn has_notice(player: &Player) -> bool {
    let frame = player.board.frame().expect("a picture");
    (676..732).any(|y| (80..400).any(|x| frame.pixel(x, y) == Some(ACCENT)))
}

/// Plays a point, and checks that its stone comes.
fn play(player: &mut Player, name: &str) {
    let log = player.log_length();
    player.play(name);
    assert_eq!(player.moves_since(log).len(), 1, "{name}: {}", player.board.uart());
}

fn since<'a>(player: &'a Player, log: usize, text: &str) -> Vec<&'a str> {
    player.board.uart()[log..].lines().filter(|line| line.contains(text)).collect()
}

#[test]
fn a_worn_cell_is_told_and_the_moves_before_it_stay_kept() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    // The third move's byte.
    player.board.eeprom_mut().wear(&[2]);
    play(&mut player, "H8");
    play(&mut player, "I8");
    assert!(!has_notice(&player));
    let log = player.log_length();
    play(&mut player, "J8");
    assert_eq!(since(&player, log, "not kept: the EEPROM is worn at address 2").len(), 3, "tried anew");
    assert!(has_notice(&player));
    play(&mut player, "A1");
    play(&mut player, "H9");
    assert!(has_notice(&player));
    player.cut_power();
    assert_eq!(player.kept(), points(&["H8", "I8"]));
    player.tap(place::CONTINUE);
    play(&mut player, "C3");
    assert_eq!(player.board.resets(), 1, "only the power's");
}

#[test]
fn without_a_page_for_a_header_the_last_kept_game_stays() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    play(&mut player, "H8");
    play(&mut player, "I8");
    player.board.eeprom_mut().wear(&(8..240).collect::<Vec<u8>>());
    play(&mut player, "J8");
    // Each page takes its time once.
    player.pass(300);
    assert!(has_notice(&player));
    // Nothing of another game either.
    player.tap(place::PAUSE);
    player.tap(place::RESTART);
    for name in ["A1", "A2", "A3"] {
        play(&mut player, name);
        assert!(has_notice(&player));
    }
    player.cut_power();
    assert_eq!(player.kept(), points(&["H8", "I8"]));
    assert_eq!(player.board.resets(), 1, "only the power's");
}

#[test]
fn a_chip_that_never_acknowledges_is_told_and_once_it_does_everything_is_kept() {
    let mut player = Player::switched_on(|_| {});
    player.board.eeprom_mut().lost_acknowledges = u32::MAX;
    player.wait_for("menu after");
    player.pass(100);
    assert!(
        !since(&player, 0, "EEPROM: no chip answers at this address; nothing can be continued").is_empty()
    );
    player.begin_pvp();
    for name in ["H8", "I8", "J8"] {
        let log = player.log_length();
        play(&mut player, name);
        assert!(
            !since(&player, log, "not kept: the EEPROM failed: no chip answers at this address").is_empty()
        );
        assert!(has_notice(&player));
    }
    player.pass(6000);
    player.board.eeprom_mut().lost_acknowledges = 0;
    play(&mut player, "K8");
    play(&mut player, "L8");
    assert!(!has_notice(&player));
    assert_eq!(player.board.resets(), 0);
    player.cut_power();
    assert_eq!(player.kept(), points(&["H8", "I8", "J8", "K8", "L8"]));
}

#[test]
fn a_write_that_takes_too_long_is_told_and_what_it_did_late_does_no_harm() {
    const MS: u64 = 1_000_000;
    let mut player = Player::at_menu();
    player.begin_pvp();
    player.board.eeprom_mut().write_cycle = 15 * MS;
    play(&mut player, "H8");
    assert!(since(&player, 0, "not kept").is_empty(), "{}", player.board.uart());
    player.board.eeprom_mut().write_cycle = 300 * MS;
    play(&mut player, "I8");
    play(&mut player, "J8");
    assert!(!since(&player, 0, "not kept: the EEPROM failed").is_empty());
    assert!(has_notice(&player));
    // The move is taken back while the chip may have kept it.
    player.tap(place::UNDO);
    player.board.eeprom_mut().write_cycle = 5 * MS;
    player.pass(400);
    play(&mut player, "C3");
    play(&mut player, "C4");
    assert!(!has_notice(&player));
    assert_eq!(player.board.resets(), 0);
    player.cut_power();
    assert_eq!(player.kept(), points(&["H8", "I8", "C3", "C4"]));
}

/// CRC-24 of RFC 4880, which guards what is kept (`firmware/drivers/src/journal.rs`).
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x00B7_04CE, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte) << 16, |crc, _| {
            let shifted = crc << 1;
            if shifted & 0x0100_0000 == 0 { shifted } else { shifted ^ 0x0186_4CFB }
        })
    })
}

/// What somebody may have written who knows the format: bytes of which the checksums say that they are
/// valid.
struct Forger {
    dice: Dice,
    case: u64,
}

impl Forger {
    fn byte(&mut self) -> u8 {
        self.dice.below(256) as u8
    }

    /// Moves for a kind of game: any number of them, on the board of its size or off it, in a disorder that is
    /// a game or in rows, with a win as the last move or in the midst.
    fn moves(&mut self, kind: u8) -> Vec<u8> {
        // `src/compact.rs` at the top: the last choice that a kind is made of is one of six sizes.
        let lines = 10 + kind.wrapping_sub(1) % 6;
        let points = if self.dice.below(5) == 0 { 225 } else { lines * lines };
        let mut moves: Vec<u8> = (0..points).collect();
        // In order they make rows of both colours; shuffled they make a game.
        if self.dice.below(4) != 0 {
            (1..moves.len())
                .rev()
                .for_each(|last| moves.swap(last, self.dice.below(last as u64 + 1) as usize));
        }
        match self.dice.below(8) {
            0 => moves.truncate(self.dice.below(226) as usize),
            1 => moves.clear(),
            // Black has five in the first row, or one stone less.
            2 | 3 => {
                let won = (0..5).flat_map(|x| [x, 2 * lines + 2 * x]);
                let count = 8 + self.dice.below(2) as usize;
                let won: Vec<u8> = won.take(count).collect();
                moves.retain(|point| !won.contains(point));
                moves.truncate(if self.dice.below(4) == 0 { 6 } else { 0 });
                moves.splice(0..0, won);
            }
            _ => moves.truncate(self.dice.below(40) as usize),
        }
        moves
    }

    /// Writes a header for the moves that stand in the cells.
    fn header(&mut self, cells: &mut [u8], kind: u8, count: usize, lap: u16) {
        let first = if count < 224 { count / 8 + 1 } else { 28 };
        let page = 8 * (first + self.dice.below(30 - first as u64) as usize);
        // `src/compact.rs`: so many settings there are.
        let numbers = if self.dice.below(4) == 0 { 65_536 } else { 34_560 };
        let settings = self.dice.below(numbers) as u16;
        let ([low, high], [lap, lap_high]) = (settings.to_le_bytes(), lap.to_le_bytes());
        let fields = [lap, count as u8, kind, low, high];
        let covered = [&fields[..], &[lap_high], &cells[..count.min(224)]].concat();
        let [_, a, b, c] = checksum(&covered).to_be_bytes();
        cells[page..page + 8].copy_from_slice(&[&fields[..], &[a << 4 | lap_high, b, c]].concat());
    }

    /// The next contents: each kind of game in turn, among them those that are none; now and then two
    /// headers, or bytes at random; the calibration of a resistive panel of any readings.
    fn next(&mut self) -> Vec<u8> {
        let mut cells: Vec<u8> = (0..256).map(|_| self.byte()).collect();
        let kind = (self.case * 37 % 256) as u8;
        self.case += 1;
        if self.case.is_multiple_of(8) {
            return cells;
        }
        let moves = self.moves(kind);
        cells[..moves.len().min(224)].copy_from_slice(&moves[..moves.len().min(224)]);
        let lap = self.dice.below(4096) as u16;
        self.header(&mut cells, kind, moves.len(), lap);
        if self.dice.below(4) == 0 {
            let (other, fewer) = (self.byte(), self.dice.below(moves.len() as u64 + 1) as usize);
            self.header(&mut cells, other, fewer, (lap + 1) % 4096);
        }
        let readings: Vec<u8> = match self.dice.below(4) {
            0 => vec![0; 12],
            1 => vec![0xFF; 12],
            _ => (0..12).map(|_| self.byte()).collect(),
        };
        cells[240..252].copy_from_slice(&readings);
        cells[252..255].copy_from_slice(&checksum(&readings).to_be_bytes()[1..]);
        cells
    }
}

/// Gives the chip these contents, starts the board with this panel, goes on with the game that is offered, if
/// any, and plays. Tells whether a game was kept, and whether it went on.
fn starts_and_plays(player: &mut Player, cells: &[u8], panel: TouchKind, dice: &mut Dice) -> (bool, bool) {
    player.board.board_mut().forget();
    player.board.eeprom_mut().program(cells);
    player.board.board_mut().set_touch(panel);
    let resets = player.board.resets();
    player.cut_power();
    let kept = player.kept().len();
    player.tap(place::CONTINUE);
    player.tap(place::PVP);
    for _ in 0..3 {
        let at = place::point(dice.below(15) as u8, dice.below(15) as u8);
        // Settings may want a tap to be confirmed.
        player.tap(at);
        player.tap(at);
    }
    let went_on = kept > 0 && player.moves_since(0).iter().any(|&(number, _)| number == kept + 1);
    // What the program has written now is valid too.
    player.cut_power();
    let log = player.board.uart();
    assert!(!log.contains("FAULT") && !log.contains("ERROR"), "{cells:?}\n{log}");
    assert_eq!(player.board.resets(), resets + 2, "{cells:?}\n{log}");
    assert!(player.board.warnings().is_empty(), "{cells:?}\n{:?}", player.board.warnings());
    (kept > 0, went_on)
}

#[test]
fn whatever_the_chip_holds_the_program_starts_and_plays() {
    let mut forger = Forger { dice: Dice::new(0xEEE), case: 0 };
    let mut dice = Dice::new(0xD1CE);
    // WUZI_CASES tries more of them; 256 are all kinds of games.
    let cases: u32 = std::env::var("WUZI_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(32);
    let (mut kept, mut went_on) = (0, 0);
    let mut player = Player::at_menu();
    for case in 0..cases {
        let resistive = case.is_multiple_of(5);
        let panel = if resistive { TouchKind::Resistive(Noise::default()) } else { TouchKind::default() };
        let (game, goes) = starts_and_plays(&mut player, &forger.next(), panel, &mut dice);
        kept += u32::from(game);
        went_on += u32::from(goes);
    }
    println!("{cases} contents, {kept} with a game, {went_on} games went on");
    assert!(kept * 3 > cases && went_on * 8 > cases, "the forged contents are not taken for valid");
}
