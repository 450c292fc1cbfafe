// SPDX-License-Identifier: GPL-2.0-only
//! The firmware's image under a script: each fault that scripts know, and what the program makes of it.

use std::path::Path;

use wuzi_board::script::{self, Runner};
use wuzi_board_tests::Player;

/// Runs a script on a board whose power just came.
fn run(script: &str) {
    let mut player = Player::switched_on(|_| {});
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let commands = script::parse(script).unwrap_or_else(|error| panic!("{error}"));
    let outcome = Runner::new(&mut player.board, folder, folder).run(&commands);
    outcome.unwrap_or_else(|error| panic!("{error}\n{}", player.board.uart()));
}

#[test]
fn power_cuts_buses_and_worn_cells() {
    run("until 2s 'menu after'
         expect visible
         tap 240 555
         wait 400ms
         stuck touch 5
         tap 240 360
         until 1s 'move 1: Black H8'
         worn 1
         tap 272 360
         until 1s 'not kept: the EEPROM is worn at address 1'
         power-cut 400000000
         until 5s 'reset: power on'
         stuck eeprom 7
         until 2s 'a game of 1 moves is kept: H8'
         until 2s 'menu after'
         nack eeprom 1000000
         tap 240 460
         wait 400ms
         tap 16 136
         until 1s 'not kept: the EEPROM failed: no chip answers'
         nack eeprom 0
         slow 1ms
         tap 48 136
         wait 1s
         expect resets 1
         expect no-warnings
         expect no-faults");
}

#[test]
fn other_displays_panels_and_random_numbers_that_fail() {
    run("lcd 0x9341
         power-cut
         until 2s 'LCD: unknown controller'
         mark
         wait 3s
         expect lamp DS0 5
         expect lamp DS1 5
         expect dark
         lcd ili9806
         panel ft5206
         rng clock
         power-cut
         mark
         until 2s 'LCD: ILI9806'
         until 2s 'touch: FT5206'
         until 2s 'random numbers: the hardware failed'
         until 2s 'menu after'
         expect visible
         rng ok
         lcd nt35510
         panel resistive
         power-cut
         until 2s 'touch: no capacitive controller, XPT2046 assumed'
         until 2s 'random numbers: hardware'
         until 2s 'menu after'
         expect no-warnings");
}

#[test]
fn a_hang_a_wild_jump_a_full_stack_and_nonsense() {
    run("until 2s 'menu after'
         tap 240 555
         wait 400ms
         tap 240 360
         until 1s 'move 1: Black H8'
         wait 200ms
         hang
         until 6s 'reset: watchdog'
         until 2s 'the game goes on where it was'
         until 2s 'menu after'
         poke 0x2001FFFE 0x00 0xDE
         jump 0x2001FFFE
         until 1s 'FAULT hard fault at 2001FFFE'
         until 6s 'reset: watchdog'
         until 2s 'menu after'
         stack _stack_end 64
         tap 455 20
         until 1s 'FAULT stack overflow'
         wait 500ms
         expect pixel 5 795 a40000
         until 6s 'reset: watchdog'
         until 2s 'the game goes on where it was'
         until 2s 'menu after'
         wait 200ms
         tap 16 136
         until 1s 'move 2: White A15'
         expect resets 3");
}
