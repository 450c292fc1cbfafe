// SPDX-License-Identifier: GPL-2.0-only
//! Memory and time are enough for the largest game.

use wuzi_board_tests::{Figure, Player, drawn_game, place};

/// This much must stay free at the peak, in bytes.
const RESERVE: u32 = 8 * 1024;
/// Cycles that drawing the whole screen may take: 100 ms.
const FRAME: u32 = 16_800_000;
/// Cycles from the end of a tap to its stone, and from a touch to its button drawn as pressed: 50 ms.
const ANSWER: u64 = 8_400_000;

#[test]
fn a_full_board_with_numbers_and_every_dialog_fit_and_are_drawn_within_100_ms() {
    let mut player = Player::at_menu();
    player.tap(place::SETTINGS);
    player.tap(place::VIEW);
    player.tap(place::NUMBERS);
    player.tap(place::BACK);
    let (x, y) = place::PVP;
    player.board.touch(x, y);
    let pressed = player.until_drawn(place::PVP);
    player.board.release();
    player.pass(400);
    let page = player.figure(Figure::Draw);
    let moves = drawn_game();
    let log = player.log_length();
    let stone = |player: &mut Player, index: usize| {
        let cycles = player.stone_drawn(place::point(moves[index].x, moves[index].y));
        assert!(cycles <= ANSWER, "stone {index}: {cycles} cycles");
    };
    assert!(pressed <= ANSWER, "button: {pressed} cycles");
    stone(&mut player, 0);
    // Only what changed is drawn.
    let drawn = player.figure(Figure::Draw);
    assert!(4 * drawn < page, "{drawn} cycles for a stone, {page} for a page");
    for point in &moves[1..223] {
        player.tap(place::point(point.x, point.y));
    }
    stone(&mut player, 223);
    assert_eq!(player.moves_since(log).len(), 224, "{}", player.board.uart());
    let draw = |player: &mut Player, at| {
        let cycles = player.longest_draw(at);
        println!("{at:?}: {cycles} cycles");
        assert!(cycles <= FRAME, "{cycles} cycles after {at:?}");
    };
    draw(&mut player, place::PAUSE);
    draw(&mut player, place::CLOSE);
    draw(&mut player, place::RESIGN);
    draw(&mut player, place::PLAY_ON);
    draw(&mut player, place::OFFER_DRAW);
    // It takes no answer at once.
    player.pass(400);
    player.tap(place::DECLINE);
    player.tap(place::PAUSE);
    player.tap(place::QUIT);
    player.tap(place::SETTINGS);
    player.tap(place::VIEW);
    player.tap(place::BACK);
    draw(&mut player, place::CONTINUE);
    player.tap(place::HELP);
    player.wait_for_move(log, 225);
    player.pass(3000);
    let memory = player.memory();
    println!("{memory:?}");
    assert!(memory.heap + memory.heap_free >= memory.heap_peak + RESERVE, "{memory:?}");
    assert!(memory.stack >= memory.stack_peak + 2048, "{memory:?}");
    assert_eq!(player.board.resets(), 0);
    // The board is full, and the dialog says so: the same game anew.
    player.tap(place::RESTART);
    let log = player.log_length();
    player.play("H8");
    assert_eq!(player.moves_since(log).len(), 1);
}
