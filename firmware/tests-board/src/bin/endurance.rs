// SPDX-License-Identifier: GPL-2.0-only
//! Hours of random touches on the emulated board: no fault, no reset, no leak
//! (`firmware/endurance.sh [HOURS]`).
//!
//! A touch every two seconds, as a person plays. Prints a line for each emulated hour. At its end the
//! board is led to the menu that keeps a game of two stones, where a leak would show in the heap.

use std::process::ExitCode;

use wuzi_board::Key;
use wuzi_board_tests::{Dice, Memory, Player, place};

const HOUR_NS: u64 = 3_600_000_000_000;
/// The heap at rest after a later hour may be larger than after the first by this many bytes:
/// settings that touches have changed.
const TOLERANCE: u32 = 1024;
/// Attempts to lead the board to rest; each begins with a random touch, on whatever page that is.
const ATTEMPTS: u32 = 300;

/// Every control that a touch may hit.
const CONTROLS: [(u16, u16); 16] = [
    place::PVP,
    place::PVE,
    place::CONTINUE,
    place::SETTINGS,
    place::BACK,
    place::VIEW,
    place::UNDO,
    place::HELP,
    place::PAUSE,
    place::CLOSE,
    place::RESTART,
    place::QUIT,
    place::OFFER_DRAW,
    place::RESIGN,
    place::PLAY_ON,
    place::DECLINE,
];

/// One touch, or now and then a key: half of the touches on the board, the others on a control or
/// anywhere.
fn step(player: &mut Player, dice: &mut Dice) {
    match dice.below(16) {
        0 => {
            let key = [Key::Key0, Key::Key1, Key::Key2, Key::WkUp][dice.below(4) as usize];
            player.press(key);
        }
        1 | 2 => touch(player, dice, |dice| (dice.below(480) as u16, dice.below(800) as u16)),
        3 => touch(player, dice, |dice| place::LEVELS[dice.below(5) as usize]),
        4..=7 => touch(player, dice, |dice| CONTROLS[dice.below(CONTROLS.len() as u64) as usize]),
        _ => touch(player, dice, |dice| place::point(dice.below(15) as u8, dice.below(15) as u8)),
    }
}

fn touch(player: &mut Player, dice: &mut Dice, at: impl Fn(&mut Dice) -> (u16, u16)) {
    let (x, y) = at(dice);
    player.board.touch(x, y);
    player.pass(20 + dice.below(80));
    // Some fingers slide.
    if dice.below(8) == 0 {
        let (x, y) = at(dice);
        player.board.touch(x, y);
        player.pass(40);
    }
    player.board.release();
    player.pass(50 + dice.below(4000));
}

/// Taps twice: if the settings want a tap to be confirmed, the first one only shows the stone, and
/// otherwise the second one finds it there.
fn place_stone(player: &mut Player, at: (u16, u16)) {
    player.tap(at);
    player.tap(at);
}

/// Leads the board to the menu with a game of two stones to continue, the same after every hour, and
/// gives the memory used there.
fn at_rest(player: &mut Player, dice: &mut Dice) -> Option<Memory> {
    for _ in 0..ATTEMPTS {
        step(player, dice);
        player.tap(place::PAUSE);
        player.tap(place::QUIT);
        let log = player.log_length();
        player.begin_pvp();
        place_stone(player, place::point(7, 7));
        player.tap(place::PAUSE);
        player.tap(place::QUIT);
        player.tap(place::CONTINUE);
        place_stone(player, place::point(9, 9));
        let moves = player.moves_since(log);
        player.tap(place::PAUSE);
        player.tap(place::QUIT);
        // A stone more where QUIT or CONTINUE was the board.
        if moves.iter().map(|&(number, _)| number).eq([1, 2]) {
            return Some(player.memory());
        }
    }
    None
}

fn main() -> ExitCode {
    let hours: u64 = std::env::args().nth(1).and_then(|hours| hours.parse().ok()).unwrap_or(8);
    let mut dice = Dice::new(0xB0A2D);
    let mut player = Player::at_menu();
    let mut read = 0;
    let mut first = None;
    println!("| hour | touches and keys | moves | heap at rest | heap peak | stack peak | resets |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for hour in 1..=hours {
        let end = hour * HOUR_NS;
        let mut steps = 0;
        while player.board.now().ns < end {
            step(&mut player, &mut dice);
            steps += 1;
        }
        let rest = at_rest(&mut player, &mut dice);
        let log = &player.board.uart()[read..];
        let moves = log.lines().filter(|line| line.contains(" move ")).count();
        let errors: Vec<&str> =
            log.lines().filter(|line| line.contains("ERROR") || line.contains("FAULT")).collect();
        let Some(Memory { heap, heap_peak, stack_peak, .. }) = rest else {
            println!("failed; the board does not come to rest in hour {hour}, errors: {errors:?}");
            return ExitCode::FAILURE;
        };
        let resets = player.board.resets();
        println!("| {hour} | {steps} | {moves} | {heap} | {heap_peak} | {stack_peak} | {resets} |");
        let leaks = heap > *first.get_or_insert(heap) + TOLERANCE;
        if resets > 0 || leaks || !errors.is_empty() || !player.board.warnings().is_empty() {
            println!("failed; leak: {leaks}, errors: {errors:?}, warnings: {:?}", player.board.warnings());
            return ExitCode::FAILURE;
        }
        read += log.len();
    }
    println!("no fault, no reset, no leak in {hours} emulated hours");
    ExitCode::SUCCESS
}
