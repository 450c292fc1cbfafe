// SPDX-License-Identifier: GPL-3.0-only
//! Wuzi (五子棋) on the ALIENTEK Explorer STM32F407 with its 4.3" TFTLCD module.
//!
//! - Purpose: the game of the desktop, on a board without an operating system.
//! - Hardware: see `firmware/README.md`.
//! - Build: `./dev firmware`. Program: `./dev flash`. On the desktop: `./dev board`.
//! - Expected: the menu within a second of the reset; a log on USART1 at 115200 baud.
#![no_std]
#![no_main]

extern crate alloc;

mod calibrate;
mod chance;
mod clock;
mod fault;
mod figures;
mod game;
mod key_pins;
mod memory;
mod plate;
mod reset;
mod serial_log;
mod services;
mod signals;
mod start;
mod storage;
mod thinking;
mod touchscreen;

use cortex_m_rt::entry;

#[entry]
fn main() -> ! {
    memory::start();
    let mut program = start::start();
    loop {
        program.host.show();
        program.think();
        program.host.listen();
        program.host.prove_alive();
        program.host.sleep();
    }
}
