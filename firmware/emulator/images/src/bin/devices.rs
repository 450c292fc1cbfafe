// SPDX-License-Identifier: GPL-2.0-only
//! Uses the EEPROM through I2C1, the random numbers, the unique identification, and the touch controller on
//! its bit-banged bus; says on USART1 what it found, and then reports touches.
#![no_std]
#![no_main]

use core::fmt::Write;
use cortex_m::asm::delay;
use cortex_m_rt::entry;
use stm32f4xx_hal::gpio::{OpenDrain, Output, PB0, PF11, Pull};
use stm32f4xx_hal::hal_02::blocking::rng::Read as _;
use stm32f4xx_hal::i2c::I2c;
use stm32f4xx_hal::signature::Uid;
use stm32f4xx_hal::{pac, prelude::*};
use wuzi_board_images::{clocks, stop, uart};

const EEPROM: u8 = 0x50;
const TOUCH: u8 = 0x14;

/// A bit-banged bus of open-drain pins.
struct Bus {
    scl: PB0<Output<OpenDrain>>,
    sda: PF11<Output<OpenDrain>>,
}

impl Bus {
    fn wait() {
        delay(168 * 3);
    }

    fn start(&mut self) {
        self.sda.set_high();
        self.scl.set_high();
        Self::wait();
        self.sda.set_low();
        Self::wait();
        self.scl.set_low();
        Self::wait();
    }

    fn stop(&mut self) {
        self.sda.set_low();
        Self::wait();
        self.scl.set_high();
        Self::wait();
        self.sda.set_high();
        Self::wait();
    }

    fn bit(&mut self, bit: bool) -> bool {
        if bit { self.sda.set_high() } else { self.sda.set_low() }
        Self::wait();
        self.scl.set_high();
        Self::wait();
        let level = self.sda.is_high();
        self.scl.set_low();
        Self::wait();
        level
    }

    fn send(&mut self, byte: u8) -> bool {
        for at in (0..8).rev() {
            self.bit(byte >> at & 1 != 0);
        }
        !self.bit(true)
    }

    fn receive(&mut self, more: bool) -> u8 {
        let mut byte = 0;
        for _ in 0..8 {
            byte = byte << 1 | u8::from(self.bit(true));
        }
        self.bit(!more);
        byte
    }

    fn read(&mut self, register: u16, bytes: &mut [u8]) -> bool {
        self.start();
        let answered = self.send(TOUCH << 1) && register.to_be_bytes().into_iter().all(|byte| self.send(byte)) && {
            self.start();
            self.send(TOUCH << 1 | 1)
        };
        if answered {
            let last = bytes.len() - 1;
            for (index, byte) in bytes.iter_mut().enumerate() {
                *byte = self.receive(index < last);
            }
        }
        self.stop();
        answered
    }

    fn write(&mut self, register: u16, value: u8) {
        self.start();
        let _ = self.send(TOUCH << 1) && register.to_be_bytes().into_iter().all(|byte| self.send(byte)) && self.send(value);
        self.stop();
    }
}

#[entry]
fn main() -> ! {
    let (Some(dp), Some(cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else { stop() };
    let mut rcc = clocks(dp.RCC);
    let gpioa = dp.GPIOA.split(&mut rcc);
    let gpiob = dp.GPIOB.split(&mut rcc);
    let gpioc = dp.GPIOC.split(&mut rcc);
    let gpiof = dp.GPIOF.split(&mut rcc);
    let mut uart = uart(dp.USART1, gpioa.pa9, gpioa.pa10, &mut rcc);
    let mut delay = cp.SYST.delay(&rcc.clocks);

    let uid = Uid::get();
    writeln!(uart, "uid {} {}", uid.lot_num(), uid.waf_num()).ok();

    let mut i2c = I2c::new(dp.I2C1, (gpiob.pb8, gpiob.pb9), 100.kHz(), &mut rcc);
    let mut before = [0; 2];
    let read = i2c.write_read(EEPROM, &[0x20], &mut before);
    writeln!(uart, "eeprom held {before:02x?} {}", read.is_ok()).ok();
    let written = i2c.write(EEPROM, &[0x20, before[0].wrapping_add(1), 0xA5]);
    let busy = i2c.write(EEPROM, &[0x20]);
    writeln!(uart, "eeprom written {} busy {}", written.is_ok(), busy.is_err()).ok();
    delay.delay_ms(6u32);
    let mut after = [0; 3];
    let read = i2c.write_read(EEPROM, &[0x20], &mut after);
    writeln!(uart, "eeprom holds {after:02x?} {}", read.is_ok()).ok();

    let mut rng = dp.RNG.constrain(&mut rcc);
    let mut numbers = [0; 8];
    match rng.read(&mut numbers) {
        Ok(()) => writeln!(uart, "random {numbers:02x?}").ok(),
        Err(error) => writeln!(uart, "random failed {error:?}").ok(),
    };

    let mut reset = gpioc.pc13.into_push_pull_output();
    let interrupt = gpiob.pb1.into_pull_up_input();
    let scl = gpiob.pb0.into_open_drain_output().internal_resistor(Pull::Up);
    let sda = gpiof.pf11.into_open_drain_output().internal_resistor(Pull::Up);
    let mut bus = Bus { scl, sda };
    reset.set_low();
    delay.delay_ms(10u32);
    reset.set_high();
    delay.delay_ms(10u32);
    let _interrupt = interrupt.into_floating_input();
    delay.delay_ms(100u32);
    let mut id = [0; 4];
    let found = bus.read(0x8140, &mut id);
    writeln!(uart, "touch {found} {}", core::str::from_utf8(&id).unwrap_or("?")).ok();
    loop {
        delay.delay_ms(5u32);
        let mut report = [0; 6];
        if bus.read(0x814E, &mut report) && report[0] & 0x80 != 0 {
            bus.write(0x814E, 0);
            let x = u16::from_le_bytes([report[2], report[3]]);
            let y = u16::from_le_bytes([report[4], report[5]]);
            writeln!(uart, "fingers {} at {x} {y}", report[0] & 15).ok();
        }
    }
}
