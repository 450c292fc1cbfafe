// SPDX-License-Identifier: GPL-3.0-only
//! Time: milliseconds since the reset from SysTick, short delays by the cycle counter.

use core::cell::Cell;

use cortex_m::asm;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{DCB, DWT, SYST};
use cortex_m_rt::exception;
use critical_section::Mutex;
use embedded_hal::delay::DelayNs;

/// The processor's clock.
pub const HZ: u32 = 168_000_000;

static MILLIS: Mutex<Cell<u64>> = Mutex::new(Cell::new(0));

/// Starts the tick of a millisecond.
pub fn start(systick: &mut SYST) {
    systick.set_clock_source(SystClkSource::Core);
    systick.set_reload(HZ / 1000 - 1);
    systick.clear_current();
    systick.enable_interrupt();
    systick.enable_counter();
}

#[exception]
fn SysTick() {
    critical_section::with(|cs| {
        let millis = MILLIS.borrow(cs);
        millis.set(millis.get() + 1);
    });
}

/// Milliseconds since the start.
pub fn now() -> u64 {
    critical_section::with(|cs| MILLIS.borrow(cs).get())
}

/// Starts the cycle counter.
pub fn start_counting(dcb: &mut DCB, dwt: &mut DWT) {
    dcb.enable_trace();
    dwt.enable_cycle_counter();
}

/// Waits by the tick alone, whatever state the interrupts are in: for the last message.
pub fn wait_polling(systick: &mut SYST, ms: u32) {
    for _ in 0..ms {
        while !systick.has_wrapped() {}
    }
}

/// Waits: short times in a loop, long ones asleep.
#[derive(Clone, Copy, Debug)]
pub struct Delay;

impl DelayNs for Delay {
    fn delay_ns(&mut self, ns: u32) {
        // 168 cycles a microsecond, rounded up.
        let cycles = (u64::from(ns) * u64::from(HZ / 1_000_000)).div_ceil(1000) as u32;
        let begun = DWT::cycle_count();
        while DWT::cycle_count().wrapping_sub(begun) < cycles {}
    }

    fn delay_ms(&mut self, ms: u32) {
        // The first tick may come at once.
        let end = now() + u64::from(ms) + 1;
        while now() < end {
            asm::wfi();
        }
    }
}
