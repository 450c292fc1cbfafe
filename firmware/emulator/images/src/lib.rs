// SPDX-License-Identifier: GPL-2.0-only
//! What the test programs share: the board's clocks and its serial line.
#![no_std]

use stm32f4xx_hal::gpio::gpioa;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::{Config, Rcc};
use stm32f4xx_hal::{pac, serial};

/// Sets 168 and 48 MHz from the crystal.
pub fn clocks(rcc: pac::RCC) -> Rcc {
    rcc.freeze(Config::hse(8.MHz()).sysclk(168.MHz()).require_pll48clk())
}

/// USART1 at 115200 baud.
pub fn uart(usart: pac::USART1, tx: gpioa::PA9, rx: gpioa::PA10, rcc: &mut Rcc) -> serial::Serial<pac::USART1> {
    let config = serial::Config::default().baudrate(115_200.bps());
    serial::Serial::new(usart, (tx, rx), config, rcc).unwrap_or_else(|_| stop())
}

/// Does nothing any more.
pub fn stop() -> ! {
    loop {
        cortex_m::asm::wfi();
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    stop()
}
