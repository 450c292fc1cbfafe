// SPDX-License-Identifier: GPL-2.0-only
//! Measures the firmware's image on the emulated board and prints the figures as a table
//! (`./dev bench board`).

use std::time::Duration;

use wuzi_board_tests::{Player, place};

const HZ: f64 = 168e6;

/// The counters that the program keeps for this purpose (`firmware/src/figures.rs`).
#[derive(Clone, Copy)]
enum Figure {
    Draw,
    Touch,
    Thought,
    Positions,
}

fn read(player: &Player, figure: Figure) -> u32 {
    let base =
        player.board.image().symbol("WUZI_FIGURES").unwrap_or_else(|| panic!("no figures in the image"));
    let bytes = player.board.memory(base + 4 * figure as u32, 4).unwrap_or_else(|| panic!("not in memory"));
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

fn line(what: &str, cycles: f64) {
    println!("| {what} | {:.2} million cycles | {:.1} ms |", cycles / 1e6, cycles / HZ * 1e3);
}

/// The cycles from a touch until the pixel there differs.
fn answer(player: &mut Player, (x, y): (u16, u16)) -> u64 {
    let pixel = |player: &Player| player.board.frame().and_then(|frame| frame.pixel(x, y));
    let before = pixel(player);
    let begun = player.board.now().cycles;
    player.board.touch(x, y);
    for _ in 0..2000 {
        player.board.run_for(Duration::from_micros(100)).unwrap_or_else(|error| panic!("{error}"));
        // A stone comes when the finger leaves.
        if player.board.now().cycles - begun > 10_000_000 {
            player.board.release();
        }
        if pixel(player) != before {
            break;
        }
    }
    let cycles = player.board.now().cycles - begun;
    player.board.release();
    player.pass(200);
    cycles
}

fn main() {
    let mut player = Player::at_menu();
    println!("| what | cycles | time at 168 MHz |");
    println!("| --- | --- | --- |");
    line("the whole screen (menu)", f64::from(read(&player, Figure::Draw)));
    let button = answer(&mut player, place::PVP);
    line("from the touch to the button drawn as pressed", button as f64);
    player.tap(place::PAUSE);
    player.tap(place::QUIT);
    player.begin_pvp();
    line("the game page", f64::from(read(&player, Figure::Draw)));
    player.play("H8");
    line("a stone drawn", f64::from(read(&player, Figure::Draw)));
    line("an event of the touch panel", f64::from(read(&player, Figure::Touch)));
    player.tap(place::PAUSE);
    player.tap(place::QUIT);
    for (level, name) in [(0, "Easy"), (1, "Normal"), (2, "Hard"), (3, "Expert"), (4, "Master")] {
        player.begin_pve(level);
        let (mut most, mut cycles, mut positions) = (0, 0.0, 0.0);
        // Moves that leave the computer something to think about.
        for (number, name) in [(1, "H8"), (3, "C3"), (5, "M12"), (7, "C12")] {
            let log = player.log_length();
            player.play(name);
            player.wait_for_move(log, number + 1);
            player.pass(50);
            let thought = read(&player, Figure::Thought);
            most = most.max(thought);
            cycles += f64::from(thought);
            positions += f64::from(read(&player, Figure::Positions));
        }
        line(&format!("{name}'s longest of four moves"), f64::from(most));
        if positions > 0.0 {
            println!("| {name}: positions a second | {:.0} | |", positions / cycles * HZ);
        }
        player.tap(place::PAUSE);
        player.tap(place::QUIT);
    }
    let log = player.log_length();
    println!(
        "| {} | | |",
        player.wait_from(log, "memory:").split_once("memory: ").map_or("", |(_, rest)| rest)
    );
}
