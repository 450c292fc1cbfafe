// SPDX-License-Identifier: GPL-2.0-only
//! From the reset to the menu, with every panel, and with parts that fail.

use wuzi_board::{Config, EventKind, Key, LcdKind, Noise, RngFault, TouchKind};
use wuzi_board_tests::{Memory, Player, game_of, place};
use wuzi_engine::Point;

/// The menu can be seen this long after the reset.
const MENU_MS: u64 = 1000;

fn menu_shown_at(player: &Player) -> u64 {
    let backlight = player.board.events().iter().find(|event| event.kind == EventKind::Backlight(true));
    backlight.unwrap_or_else(|| panic!("no backlight\n{}", player.board.uart())).at.ns / 1_000_000
}

fn can_play(player: &mut Player) -> bool {
    player.begin_pvp();
    let log = player.log_length();
    player.play("H8");
    player.moves_since(log).len() == 1
}

#[test]
fn the_menu_comes_within_a_second_and_the_log_tells_what_was_found() {
    let player = Player::at_menu();
    assert!(player.board.visible());
    let shown = menu_shown_at(&player);
    assert!(shown < MENU_MS, "{shown} ms\n{}", player.board.uart());
    let manifest = include_str!("../../Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    let version = version.expect("the firmware has a version");
    for text in [
        &format!("Wuzi {version} for the STM32F407\r\n"),
        "reset: power on\r\n",
        "LCD: NT35510\r\n",
        "touch: GT9147\r\n",
        "random numbers: hardware\r\n",
        "EEPROM: new\r\n",
    ] {
        assert!(player.board.uart().contains(text), "{text:?} is missing in\n{}", player.board.uart());
    }
    let memory = player.board.uart().lines().find_map(Memory::parse).expect("the memory is told");
    let symbol = |name: &str| player.board.image().symbol(name).expect("the symbol is in the image");
    let heap = symbol("_sram_end") - symbol("__sheap") + symbol("_ccm_heap_end") - symbol("_ccm_heap_start");
    assert!(memory.heap_free > 0 && memory.heap <= memory.heap_peak, "{memory:?}");
    // A block is a little larger than what is asked for.
    assert!((heap / 2..=heap).contains(&(memory.heap + memory.heap_free)), "{memory:?} of {heap}");
    assert_eq!(memory.stack, symbol("_stack_size"));
    assert!((1..memory.stack).contains(&memory.stack_peak), "{memory:?}");
    assert!(player.board.warnings().is_empty(), "{:?}", player.board.warnings());
}

#[test]
fn the_reset_button_is_told_and_the_menu_comes_as_quickly() {
    let mut player = Player::at_menu();
    player.pass(500);
    let (log, begun) = (player.log_length(), player.board.now().ns);
    player.board.reset().expect("the board restarts");
    player.wait_from(log, "menu after");
    assert!(player.board.now().ns - begun < MENU_MS * 1_000_000, "{}", player.board.uart());
    assert!(player.board.uart()[log..].contains("reset: reset button\r\n"), "{}", player.board.uart());
}

#[test]
fn the_newer_lcd_shows_the_same_picture() {
    let usual = Player::at_menu();
    let newer = Player::with(|config| config.lcd = LcdKind::Ili9806);
    assert!(newer.board.uart().contains("LCD: ILI9806"));
    assert!(newer.board.visible());
    let (a, b) = (usual.board.frame().expect("a picture"), newer.board.frame().expect("a picture"));
    assert!(a.pixels == b.pixels, "the pictures differ");
    assert!(a.pixels.iter().any(|&pixel| pixel != a.pixels[0]), "the picture is empty");
}

#[test]
fn each_capacitive_controller_is_found_and_plays() {
    let gt = |id: &str, version| TouchKind::Gt { id: id.into(), version };
    let kinds = [
        (gt("9147", 0x60), "GT9147"),
        (gt("9147", 0x41), "GT9147"),
        (gt("911", 0x41), "GT911"),
        (gt("1158", 0x41), "GT1158"),
        (gt("9271", 0x41), "GT9271"),
        (TouchKind::Ott2001a, "OTT2001A"),
        (TouchKind::Ft5206, "FT5206"),
    ];
    for (kind, name) in kinds {
        let mut player = Player::with(|config| config.touch = kind.clone());
        assert!(player.board.uart().contains(&format!("touch: {name}")), "{kind:?}\n{}", player.board.uart());
        assert!(menu_shown_at(&player) < MENU_MS, "{kind:?}");
        assert!(can_play(&mut player), "{kind:?}\n{}", player.board.uart());
    }
}

/// Touches the four marks.
fn calibrate(player: &mut Player) {
    for (x, y) in [(40, 40), (440, 40), (40, 760), (440, 760)] {
        player.board.touch(x, y);
        player.pass(400);
        player.board.release();
        player.pass(400);
    }
}

#[test]
fn a_resistive_panel_is_calibrated_when_it_is_first_touched_and_stays_so() {
    let resistive = |config: &mut Config| config.touch = TouchKind::Resistive(Noise::default());
    let mut player = Player::with(resistive);
    assert!(menu_shown_at(&player) < MENU_MS);
    player.tap(place::PVP);
    player.pass(300);
    calibrate(&mut player);
    assert!(can_play(&mut player), "{}", player.board.uart());
    // The factors survive.
    let cells = player.board.eeprom().cells().to_vec();
    let mut again = Player::with(|config| {
        resistive(config);
        config.eeprom = cells;
    });
    again.tap(place::CONTINUE);
    let log = again.log_length();
    again.play("A1");
    assert_eq!(again.moves_since(log).len(), 1, "{}", again.board.uart());
}

#[test]
fn a_key_held_at_the_reset_asks_for_the_calibration_again() {
    let resistive = |config: &mut Config| config.touch = TouchKind::Resistive(Noise::default());
    let mut player = Player::switched_on(resistive);
    player.board.key(Key::Key0, true);
    player.pass(800);
    player.board.key(Key::Key0, false);
    player.pass(200);
    let log = player.log_length();
    calibrate(&mut player);
    player.wait_from(log, "menu after");
    player.pass(100);
    assert!(can_play(&mut player), "{}", player.board.uart());
}

/// Holds WK_UP and presses a key: an arrow, KEY0 to the right, KEY1 down, KEY2 to the left.
fn arrow(player: &mut Player, key: Key) {
    player.board.key(Key::WkUp, true);
    player.pass(50);
    player.press(key);
    player.board.key(Key::WkUp, false);
    player.pass(50);
}

#[test]
fn without_any_panel_the_keys_play_a_whole_game() {
    let mut player = Player::with(|config| config.touch = TouchKind::Absent);
    assert!(menu_shown_at(&player) < MENU_MS);
    // The first button of the menu: two players.
    arrow(&mut player, Key::Key0);
    player.press(Key::WkUp);
    let log = player.log_length();
    arrow(&mut player, Key::Key0);
    player.press(Key::WkUp);
    // White beside black, and black one further down, until it has five.
    for _ in 1..5 {
        arrow(&mut player, Key::Key0);
        player.press(Key::WkUp);
        arrow(&mut player, Key::Key1);
        arrow(&mut player, Key::Key2);
        player.press(Key::WkUp);
    }
    player.pass(300);
    let moves: Vec<Point> = player.moves_since(log).into_iter().map(|(_, point)| point).collect();
    assert_eq!(moves.len(), 9, "{}", player.board.uart());
    assert!(game_of(&moves).outcome().is_over(), "{moves:?}");
    // The dialog's first button: the same game anew.
    player.pass(3000);
    arrow(&mut player, Key::Key0);
    player.press(Key::WkUp);
    let log = player.log_length();
    arrow(&mut player, Key::Key0);
    player.press(Key::WkUp);
    player.pass(300);
    assert_eq!(player.moves_since(log).len(), 1, "{}", player.board.uart());
    assert_eq!(player.board.resets(), 0);
}

#[test]
fn an_unknown_lcd_is_logged_and_both_lamps_blink_fast_until_it_is_replaced() {
    let mut player = Player::switched_on(|config| config.lcd = LcdKind::Unknown(0x9341));
    player.pass(5000);
    assert!(player.board.uart().contains("LCD: unknown controller"), "{}", player.board.uart());
    assert!(player.board.uart().contains("9341"));
    let (black, white) = (player.lamp_since(0, 0), player.lamp_since(1, 0));
    let last = black.len().min(white.len()) - 2;
    assert!(last > 20, "{} changes in 5 s", black.len());
    assert_eq!(black[last - 10..last], white[last - 10..last], "together");
    assert!(black[last].0 - black[last - 10].0 <= 1100, "five times a second");
    assert_eq!(player.board.resets(), 0, "the program is alive");
    player.board.board_mut().set_lcd(LcdKind::Nt35510);
    player.board.power_cut().expect("the board restarts");
    player.wait_for("menu after");
    player.pass(100);
    assert!(player.board.visible());
}

#[test]
fn a_touch_bus_that_is_stuck_at_the_start_or_later_is_freed() {
    for pulses in [1, 5, 9] {
        let mut player = Player::switched_on(|_| {});
        player.board.board_mut().stick_touch_bus(pulses);
        player.wait_for("menu after");
        assert!(player.board.uart().contains("touch: GT9147"), "{pulses} pulses\n{}", player.board.uart());
        player.pass(100);
        player.begin_pvp();
        player.board.board_mut().stick_touch_bus(pulses);
        let log = player.log_length();
        player.play("H8");
        assert_eq!(player.moves_since(log).len(), 1, "{pulses} pulses");
    }
}

#[test]
fn a_touch_bus_that_stays_stuck_freezes_nothing() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    player.board.board_mut().stick_touch_bus(u32::MAX);
    player.pass(10_000);
    assert_eq!(player.board.resets(), 0);
    let events = player.board.events().len();
    player.pass(3000);
    assert_eq!(player.lamp_since(0, events).len(), 6, "black's lamp blinks on");
    // The keys still play.
    let log = player.log_length();
    player.press(Key::Key1);
    player.wait_for_move(log, 1);
}

#[test]
fn an_eeprom_bus_that_is_stuck_is_freed() {
    let mut player = Player::switched_on(|_| {});
    player.board.board_mut().stick_eeprom_bus(7);
    player.wait_for("menu after");
    assert!(!player.board.uart().contains("ERROR"), "{}", player.board.uart());
}

#[test]
fn failing_random_numbers_are_logged_and_the_computer_plays_on() {
    for fault in [RngFault::Seed(u32::MAX), RngFault::Clock, RngFault::Silent] {
        let mut player = Player::switched_on(|_| {});
        player.board.fail_rng(fault);
        player.wait_for("menu after");
        assert!(player.board.uart().contains("random numbers: the hardware failed"), "{fault:?}");
        player.pass(100);
        player.begin_pve(0);
        let log = player.log_length();
        player.play("H8");
        player.wait_for_move(log, 2);
    }
    let mut player = Player::switched_on(|_| {});
    player.board.fail_rng(RngFault::Seed(2));
    player.wait_for("menu after");
    assert!(player.board.uart().contains("random numbers: hardware"), "{}", player.board.uart());
}
