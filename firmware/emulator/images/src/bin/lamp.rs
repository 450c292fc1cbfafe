// SPDX-License-Identifier: GPL-2.0-only
//! 168 MHz, a greeting on USART1, then DS0 blinks with a period of 200 ms (delays by SysTick).
#![no_std]
#![no_main]

use core::fmt::Write;
use cortex_m_rt::entry;
use stm32f4xx_hal::{pac, prelude::*};
use wuzi_board_images::{clocks, stop, uart};

#[entry]
fn main() -> ! {
    let (Some(dp), Some(cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else { stop() };
    let mut rcc = clocks(dp.RCC);
    let gpioa = dp.GPIOA.split(&mut rcc);
    let gpiof = dp.GPIOF.split(&mut rcc);
    let mut lamp = gpiof.pf9.into_push_pull_output_in_state(stm32f4xx_hal::gpio::PinState::High);
    let mut uart = uart(dp.USART1, gpioa.pa9, gpioa.pa10, &mut rcc);
    let frequency = rcc.clocks.sysclk().raw();
    writeln!(uart, "hello at {frequency} Hz").ok();
    let mut delay = cp.SYST.delay(&rcc.clocks);
    loop {
        lamp.toggle();
        delay.delay_ms(100u32);
    }
}
