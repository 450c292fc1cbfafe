// SPDX-License-Identifier: GPL-2.0-only
//! An EEPROM that is worn, silent or slow: the player and the log are told, nothing hangs, the game
//! goes on, and what comes back is never a wrong board.

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

/// Contents of which checksums say that they are valid: any kind of game, any settings, and moves that
/// may be off a smaller board, or go on after a win.
fn forged(dice: &mut Dice) -> Vec<u8> {
    let mut cells: Vec<u8> = (0..256).map(|_| dice.below(256) as u8).collect();
    let count = match dice.below(4) {
        0 => dice.below(226),
        1 => 0,
        _ => dice.below(30),
    } as usize;
    let mut points: Vec<u8> = (0..225).collect();
    // In order they make rows of both colours; shuffled they make a game.
    if dice.below(2) == 0 {
        (1..225).rev().for_each(|last| points.swap(last, dice.below(last as u64 + 1) as usize));
    }
    let moves = &points[..count.min(224)];
    cells[..moves.len()].copy_from_slice(moves);
    let first = if count < 224 { count / 8 + 1 } else { 28 };
    let page = first + dice.below(30 - first as u64) as usize;
    let lap = dice.below(16) as u8;
    let header = [cells[8 * page], count as u8, dice.below(256) as u8, dice.below(256) as u8];
    let high = if dice.below(2) == 0 { dice.below(256) as u8 } else { 0 };
    let covered = [&header[..], &[high, lap], moves].concat();
    let [_, a, b, c] = checksum(&covered).to_be_bytes();
    cells[8 * page..8 * page + 8].copy_from_slice(&[&header[..], &[high, a << 4 | lap, b, c]].concat());
    cells
}

/// Starts a board with these contents, goes on with the game that it offers, if any, and plays.
fn starts_and_plays(cells: &[u8], dice: &mut Dice) -> bool {
    let mut player = Player::with(|config| config.eeprom = cells.to_vec());
    player.tap(place::CONTINUE);
    player.tap(place::PVP);
    for _ in 0..4 {
        player.tap(place::point(dice.below(15) as u8, dice.below(15) as u8));
    }
    player.cut_power();
    let log = player.board.uart();
    assert!(!log.contains("FAULT") && !log.contains("ERROR"), "{cells:?}\n{log}");
    assert_eq!(player.board.resets(), 1, "{cells:?}\n{log}");
    assert!(player.board.warnings().is_empty(), "{cells:?}");
    log.contains("is kept:")
}

#[test]
fn whatever_the_chip_holds_the_program_starts_and_plays() {
    let mut dice = Dice::new(0xEEE);
    // WUZI_CASES tries more of them.
    let cases: u32 = std::env::var("WUZI_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(6);
    let (mut random, mut continued) = (0, 0);
    for case in 0..cases {
        let forged = forged(&mut dice);
        let cells =
            if case.is_multiple_of(4) { (0..256).map(|_| dice.below(256) as u8).collect() } else { forged };
        random += u32::from(case.is_multiple_of(4));
        continued += u32::from(starts_and_plays(&cells, &mut dice));
    }
    println!("{cases} contents, {random} of them random, {continued} with a game to go on with");
    assert!(continued * 4 > cases, "the forged contents are not taken for valid");
}
