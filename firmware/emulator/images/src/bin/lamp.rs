// SPDX-License-Identifier: GPL-2.0-only
//! 168 MHz, a greeting on USART1, then DS0 blinks with a period of 200 ms (SysTick delay).
#![no_std]
#![no_main]

use core::fmt::Write;
use cortex_m_rt::entry;
use stm32f4xx_hal::{pac, prelude::*, rcc::Config, serial};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[entry]
fn main() -> ! {
    let (Some(dp), Some(cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else { panic!() };
    let mut rcc = dp.RCC.freeze(Config::hse(8.MHz()).sysclk(168.MHz()).require_pll48clk());
    let gpioa = dp.GPIOA.split(&mut rcc);
    let gpiof = dp.GPIOF.split(&mut rcc);
    let mut lamp = gpiof.pf9.into_push_pull_output();
    let mut uart = serial::Serial::tx(
        dp.USART1,
        gpioa.pa9,
        serial::Config::default().baudrate(115_200.bps()),
        &mut rcc,
    )
    .ok()
    .unwrap();
    let clocks = rcc.clocks.sysclk().raw();
    writeln!(uart, "hello at {clocks} Hz").ok();
    let mut delay = cp.SYST.delay(&rcc.clocks);
    loop {
        lamp.toggle();
        delay.delay_ms(100u32);
    }
}
