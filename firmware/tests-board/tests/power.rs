// SPDX-License-Identifier: GPL-2.0-only
//! Loss of power, resets and faults: the game goes on where it was.

use std::time::Duration;

use wuzi_board::{EventKind, Machine, ResetCause};
use wuzi_board_tests::{Dice, Player, game_of, place};
use wuzi_engine::Point;

/// Power cuts of each of the four tests, which run side by side.
const CUTS: u32 = 50;

#[test]
fn power_cuts_while_moves_are_written_lose_at_most_the_last_one() {
    cut_power_while_moves_are_written(0x5EED);
}

#[test]
fn fifty_more_power_cuts_lose_at_most_the_last_move() {
    cut_power_while_moves_are_written(0x0DD5);
}

#[test]
fn a_third_fifty_of_power_cuts_loses_at_most_the_last_move() {
    cut_power_while_moves_are_written(0xFEED);
}

#[test]
fn a_fourth_fifty_of_power_cuts_loses_at_most_the_last_move() {
    cut_power_while_moves_are_written(0xD1CE);
}

fn cut_power_while_moves_are_written(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut player = Player::at_menu();
    player.begin_pvp();
    let mut moves: Vec<Point> = Vec::new();
    let (mut lost, mut during_writes) = (0, 0);
    for cut in 0..CUTS {
        let game = game_of(&moves);
        let ends = |&point: &Point| game.clone().play(point).is_ok_and(|outcome| outcome.is_over());
        let free: Vec<Point> = game.board().empty_points().filter(|point| !ends(point)).collect();
        let point = free[dice.below(free.len() as u64) as usize];
        let writes = player.board.events().len();
        let (x, y) = place::point(point.x, point.y);
        player.board.touch(x, y);
        player.pass(60);
        player.board.release();
        let begun = |board: &Machine| {
            board.events()[writes..].iter().any(|event| matches!(event.kind, EventKind::EepromWrite { .. }))
        };
        player.board.run_until(Duration::from_millis(500), begun).expect("the board runs");
        // The two writes of a move last about 20 ms.
        player.board.run_cycles(dice.below(18 * 168_000)).expect("the board runs");
        during_writes += u32::from(player.board.eeprom().busy(player.board.now().ns));
        let log = player.log_length();
        player.board.power_cut().expect("the board restarts");
        player.wait_from(log, "menu after");
        let with_last = [&moves[..], &[point]].concat();
        let found = player.kept();
        assert!(found == moves || found == with_last, "cut {cut}: {found:?} instead of {with_last:?}");
        lost += u32::from(found == moves);
        moves = found;
        player.pass(150);
        if moves.is_empty() { player.begin_pvp() } else { player.tap(place::CONTINUE) }
    }
    println!("{CUTS} cuts, {during_writes} within a write, {lost} times the last move was lost");
    assert!(during_writes * 6 > CUTS, "only {during_writes} of {CUTS} cuts fell into a write");
}

/// Waits for the watchdog after the program began to hang, and for the game of three moves.
fn watchdog_ends_it(player: &mut Player, events: usize, log: usize) {
    let begun = player.board.now().ns;
    let reset = |board: &Machine| {
        board.events()[events..].iter().any(|event| event.kind == EventKind::Reset(ResetCause::Watchdog))
    };
    assert!(player.board.run_until(Duration::from_secs(6), reset).expect("the board runs"));
    let took = (player.board.now().ns - begun) / 1_000_000;
    assert!((3000..=5000).contains(&took), "{took} ms");
    player.wait_from(log, "menu after");
    assert!(player.board.uart()[log..].contains("reset: watchdog"));
    player.pass(200);
}

/// A game of two people with three stones.
fn three_stones() -> Player {
    let mut player = Player::at_menu();
    player.begin_pvp();
    for name in ["H8", "A1", "I9"] {
        player.play(name);
    }
    player.pass(100);
    player
}

#[test]
fn the_watchdog_ends_a_hang_and_the_game_goes_on() {
    let mut player = three_stones();
    let (events, log) = (player.board.events().len(), player.log_length());
    player.board.hang();
    watchdog_ends_it(&mut player, events, log);
    // No tap on the menu: the game is there.
    let log = player.log_length();
    player.play("O15");
    assert_eq!(player.wait_for_move(log, 4), Point::new(14, 0));
}

#[test]
fn the_watchdog_ends_a_hang_in_an_interrupt() {
    let mut player = three_stones();
    player.run_to_tick();
    let (events, log) = (player.board.events().len(), player.log_length());
    // WFI and a branch back to it, at the heap's end.
    assert!(player.board.set_memory(0x2001_FFF8, &[0x30, 0xBF, 0xFD, 0xE7]));
    player.board.jump(0x2001_FFF8).expect("the core jumps");
    watchdog_ends_it(&mut player, events, log);
    let log = player.log_length();
    player.play("O15");
    assert_eq!(player.wait_for_move(log, 4), Point::new(14, 0));
}

#[test]
fn the_watchdog_ends_a_hang_while_the_computer_thinks_and_it_thinks_anew() {
    let mut player = Player::at_menu();
    player.begin_pve(3);
    let log = player.log_length();
    player.play("H8");
    assert_eq!(player.moves_since(log).len(), 1, "Expert thinks");
    let (events, log) = (player.board.events().len(), player.log_length());
    player.board.hang();
    watchdog_ends_it(&mut player, events, log);
    player.wait_for_move(log, 2);
}

#[test]
fn a_chosen_language_survives_the_loss_of_power() {
    let mut player = Player::at_menu();
    let chinese = player.board.frame();
    player.tap(place::SETTINGS);
    player.tap(place::VIEW);
    // As the system, Chinese, English.
    player.tap(place::LANGUAGE);
    player.tap(place::LANGUAGE);
    player.tap(place::BACK);
    let english = player.board.frame();
    assert!(english.is_some() && english != chinese);
    player.cut_power();
    assert!(player.board.frame() == english, "the menu is not the one that was left");
}

#[test]
fn settings_and_game_are_offered_again_after_the_power_was_off() {
    let mut player = Player::at_menu();
    player.begin_pve(0);
    let log = player.log_length();
    player.play("H8");
    player.wait_for_move(log, 2);
    player.pass(200);
    let log = player.log_length();
    player.board.power_cut().expect("the board restarts");
    player.wait_from(log, "menu after");
    assert!(player.board.uart()[log..].contains("EEPROM: settings are kept"));
    assert_eq!(player.kept().len(), 2);
    player.pass(100);
    player.tap(place::CONTINUE);
    let log = player.log_length();
    player.play("A1");
    player.wait_for_move(log, 3);
    // It is still the game against the computer.
    player.wait_for_move(log, 4);
}
