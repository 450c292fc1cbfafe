// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much memory a microcontroller's player takes.

use rand::{SeedableRng, rngs::StdRng};
use wuzi_engine::{Level, Limits, Player, Rule};

mod common;
#[path = "common/counting.rs"]
mod counting;
use counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The goal is 110 KB for everything the player needs; the stack of at most 32 plies is not on the heap
/// and gets the rest.
const MOST: usize = 90_000;

/// One test, alone in its program: others at the same time would be counted too.
#[test]
fn a_player_of_64_kilobytes_fits_a_microcontroller() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        for mut game in common::openings(rule).into_iter().take(10) {
            let before = counting::begin();
            let mut player = Player::new(64 << 10);
            for level in [Level::Hard, Level::Master].into_iter().cycle().take(30) {
                let limits = Some(Limits { nodes: Some(2_000), depth: None });
                let rng = &mut StdRng::seed_from_u64(1);
                let Some(choice) = player.choose(&game, level, limits, rng, &mut || false) else { break };
                let _ = game.play(choice.point);
            }
            let peak = counting::peak_since(before);
            println!("{rule:?}: {peak}");
            assert!(peak <= MOST, "{rule:?}: {peak} bytes");
        }
    }
}
