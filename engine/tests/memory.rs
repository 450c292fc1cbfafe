// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much memory a microcontroller's player takes.
#![allow(unsafe_code, reason = "an allocator that counts is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::{SeedableRng, rngs::StdRng};
use wuzi_engine::{Level, Limits, Player, Rule};

mod common;

/// Counts the bytes in use and their peak.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promises are the system allocator's demands.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The goal is 110 KB for everything the player needs; the stack of at most 32 plies is not on the heap
/// and gets the rest.
const MOST: usize = 96_000;

/// One test, alone in its program: others at the same time would be counted too.
#[test]
fn a_player_of_64_kilobytes_fits_a_microcontroller() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        for mut game in common::openings(rule).into_iter().take(10) {
            let before = IN_USE.load(Ordering::Relaxed);
            PEAK.store(before, Ordering::Relaxed);
            let mut player = Player::new(64 << 10);
            for level in [Level::Hard, Level::Master].into_iter().cycle().take(30) {
                let limits = Some(Limits { nodes: Some(2_000), depth: None });
                let rng = &mut StdRng::seed_from_u64(1);
                let Some(choice) = player.choose(&game, level, limits, rng, &mut || false) else { break };
                let _ = game.play(choice.point);
            }
            let peak = PEAK.load(Ordering::Relaxed) - before;
            println!("{rule:?}: {peak}");
            assert!(peak <= MOST, "{rule:?}: {peak} bytes");
        }
    }
}
