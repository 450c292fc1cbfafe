// SPDX-License-Identifier: GPL-3.0-only
//! Cycle counts of what the player waits for, for a debugger or the emulator to read.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::DWT;

/// Processor cycles, each of the last time something was done.
#[derive(Debug)]
#[repr(C)]
pub struct Figures {
    /// Drawing what changed.
    pub draw: AtomicU32,
    /// Handing an event of the touch panel to the interface.
    pub touch: AtomicU32,
    /// A thought of the computer player.
    pub thought: AtomicU32,
    /// The positions that it entered.
    pub positions: AtomicU32,
}

/// Found by its name in the image.
#[unsafe(no_mangle)]
pub static WUZI_FIGURES: Figures = Figures {
    draw: AtomicU32::new(0),
    touch: AtomicU32::new(0),
    thought: AtomicU32::new(0),
    positions: AtomicU32::new(0),
};

/// Does something and notes its cycles.
pub fn measure<R>(figure: &AtomicU32, work: impl FnOnce() -> R) -> R {
    let begun = DWT::cycle_count();
    let result = work();
    figure.store(DWT::cycle_count().wrapping_sub(begun), Ordering::Relaxed);
    result
}
