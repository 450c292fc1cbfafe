// SPDX-License-Identifier: GPL-2.0-only
//! Measures the firmware's image on the emulated board and prints the figures as a table
//! (`./dev bench board`).

use std::path::PathBuf;

use wuzi_board_tests::{Figure, Player, drawn_game, place};

const HZ: f64 = 168e6;
const FLASH: u32 = 1024 * 1024;
const SRAM: u32 = 128 * 1024;

fn line(what: &str, cycles: f64, limit: &str) {
    println!("| {what} | {:.2} million cycles, {:.1} ms | {limit} |", cycles / 1e6, cycles / HZ * 1e3);
}

/// The cycles from the touch of a button until it is drawn as pressed.
fn button(player: &mut Player, at: (u16, u16)) -> f64 {
    player.board.touch(at.0, at.1);
    let cycles = player.until_drawn(at);
    player.board.release();
    player.pass(400);
    cycles as f64
}

fn leave(player: &mut Player) {
    player.tap(place::PAUSE);
    player.tap(place::QUIT);
}

fn sizes(player: &Player) {
    let symbol = |name: &str| {
        player.board.image().symbol(name).unwrap_or_else(|| panic!("no symbol {name} in the image"))
    };
    let binary = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dist/wuzi-firmware.bin");
    let flash = std::fs::metadata(&binary).map(|data| data.len());
    let flash = flash.unwrap_or_else(|error| panic!("{}: {error}; run ./dev firmware", binary.display()));
    println!("| flash | {flash} bytes | {FLASH} |");
    let sram_heap = symbol("_sram_end") - symbol("__sheap");
    let ccm_heap = symbol("_ccm_heap_end") - symbol("_ccm_heap_start");
    println!("| SRAM: variables | {} bytes | {SRAM} |", SRAM - sram_heap);
    println!("| SRAM: heap | {sram_heap} bytes | {SRAM} |");
    println!("| CCM: stack and heap | {} + {ccm_heap} bytes | {} |", symbol("_stack_size"), 64 * 1024);
}

fn drawing(player: &mut Player) {
    line("the whole screen: the menu", f64::from(player.figure(Figure::Draw)), "100 ms");
    let pressed = button(player, place::PVP);
    line("from a touch to the button drawn as pressed", pressed, "50 ms");
    leave(player);
    player.tap(place::SETTINGS);
    player.tap(place::VIEW);
    player.tap(place::NUMBERS);
    player.tap(place::BACK);
    let page = f64::from(player.longest_draw(place::PVP));
    line("the whole screen: the game page without stones", page, "100 ms");
    let moves = drawn_game();
    let places: Vec<(u16, u16)> = moves.iter().map(|point| place::point(point.x, point.y)).collect();
    let first = player.stone_drawn(places[0]) as f64;
    line("from the end of a tap to its stone", first, "50 ms");
    line("a stone drawn", f64::from(player.figure(Figure::Draw)), "50 ms");
    line("an event of the touch panel", f64::from(player.figure(Figure::Touch)), "");
    for &at in &places[1..223] {
        player.tap(at);
    }
    let last = player.stone_drawn(places[223]) as f64;
    line("from the end of a tap to its stone, the 224th with its number", last, "50 ms");
    let dialog = f64::from(player.longest_draw(place::PAUSE));
    line("the whole screen: 224 numbered stones under a dialog", dialog, "100 ms");
    player.tap(place::QUIT);
}

fn thinking(player: &mut Player) {
    for (level, name, limit) in [
        (0, "Easy", "100 ms"),
        (1, "Normal", "100 ms"),
        (2, "Hard", "1000 ms"),
        (3, "Expert", "about 1 s"),
        (4, "Master", "about 5 s, a setting"),
    ] {
        player.begin_pve(level);
        let (mut most, mut cycles, mut positions) = (0, 0.0, 0.0);
        // Moves that leave the computer something to think about.
        for (number, name) in [(1, "H8"), (3, "C3"), (5, "M12"), (7, "C12")] {
            let log = player.log_length();
            player.play(name);
            player.wait_for_move(log, number + 1);
            player.pass(50);
            let thought = player.figure(Figure::Thought);
            most = most.max(thought);
            cycles += f64::from(thought);
            positions += f64::from(player.figure(Figure::Positions));
        }
        line(&format!("{name}: the longest of four moves"), f64::from(most), limit);
        if positions > 0.0 {
            println!("| {name}: positions a second | {:.0} | |", positions / cycles * HZ);
        }
        leave(player);
    }
}

fn main() {
    let mut player = Player::at_menu();
    println!("| what | figure | limit |");
    println!("| --- | --- | --- |");
    sizes(&player);
    let menu = player.board.uart().lines().find_map(|line| line.split_once("menu after ")).map(|(_, ms)| ms);
    println!("| menu after a reset | {} | 1000 ms |", menu.unwrap_or("never"));
    drawing(&mut player);
    thinking(&mut player);
    let memory = player.memory();
    let heap = memory.heap + memory.heap_free;
    println!("| heap: the menu, with the computer player | {} bytes | {heap} |", memory.heap);
    println!("| heap: peak of all this | {} bytes | {heap} |", memory.heap_peak);
    println!("| stack: deepest use | {} bytes | {} |", memory.stack_peak, memory.stack);
}
