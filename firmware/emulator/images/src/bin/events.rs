// SPDX-License-Identifier: GPL-2.0-only
//! Waits for events with WFE while SysTick interrupts every millisecond, runs on the process stack, calls
//! the supervisor, masks interrupts by BASEPRI, and says on USART1 what came of it.
#![no_std]
#![no_main]

use core::fmt::Write;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::peripheral::scb::SystemHandler;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::register::{basepri, control, psp};
use cortex_m_rt::{entry, exception};
use stm32f4xx_hal::{pac, prelude::*};
use wuzi_board_images::{clocks, stop, uart};

static TICKS: AtomicU32 = AtomicU32::new(0);
static CALLS: AtomicU32 = AtomicU32::new(0);
static mut STACK: [u64; 512] = [0; 512];

#[exception]
fn SysTick() {
    TICKS.fetch_add(1, Relaxed);
}

#[exception]
fn SVCall() {
    CALLS.fetch_add(1, Relaxed);
}

fn run() -> ! {
    let (Some(dp), Some(mut cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else { stop() };
    let mut rcc = clocks(dp.RCC);
    let gpioa = dp.GPIOA.split(&mut rcc);
    let mut uart = uart(dp.USART1, gpioa.pa9, gpioa.pa10, &mut rcc);
    cp.SYST.set_clock_source(SystClkSource::Core);
    cp.SYST.set_reload(168_000 - 1);
    cp.SYST.clear_current();
    // SAFETY: no critical section relies on priorities.
    unsafe { cp.SCB.set_priority(SystemHandler::SysTick, 0x80) };
    cp.SYST.enable_interrupt();
    cp.SYST.enable_counter();
    let mut waits = 0;
    while TICKS.load(Relaxed) < 50 {
        cortex_m::asm::wfe();
        waits += 1;
    }
    writeln!(uart, "waits {waits}").ok();
    for _ in 0..5 {
        // SAFETY: the handler counts only.
        unsafe { core::arch::asm!("svc 0") };
    }
    let calls = CALLS.load(Relaxed);
    writeln!(uart, "calls {calls} process stack {}", control::read().spsel() == control::Spsel::Psp).ok();
    // SAFETY: see above.
    unsafe { basepri::write(0x80) };
    let before = TICKS.load(Relaxed);
    cortex_m::asm::delay(168 * 5000);
    // SAFETY: a hint.
    unsafe { core::arch::asm!("yield") };
    let masked = TICKS.load(Relaxed) - before;
    // SAFETY: see above.
    unsafe { basepri::write(0) };
    cortex_m::asm::isb();
    let after = TICKS.load(Relaxed) - before;
    writeln!(uart, "masked {masked} after {after}").ok();
    stop()
}

#[entry]
fn main() -> ! {
    // SAFETY: the process stack is used by nothing else, and `run` never returns to the main stack.
    unsafe {
        psp::write((&raw mut STACK) as u32 + 4096);
        let mut control = control::read();
        control.set_spsel(control::Spsel::Psp);
        control::write(control);
    }
    run()
}
