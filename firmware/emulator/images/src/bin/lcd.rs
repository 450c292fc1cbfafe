// SPDX-License-Identifier: GPL-2.0-only
//! Identifies the LCD, switches it on, fills it with one colour by the processor, and draws a line of
//! counting pixels with DMA2 (memory to memory). Says on USART1 how many cycles each took.
#![no_std]
#![no_main]

use core::fmt::Write;
use cortex_m::peripheral::DWT;
use cortex_m_rt::entry;
use stm32f4xx_hal::fsmc_lcd::{DataPins16, FsmcLcd, LcdPins, Timing};
use stm32f4xx_hal::gpio::alt::fmc as alt;
use stm32f4xx_hal::{pac, prelude::*};
use wuzi_board_images::{clocks, stop, uart};

const COMMAND: *mut u16 = 0x6C00_007E as *mut u16;
const DATA: *mut u16 = 0x6C00_0080 as *mut u16;

fn set(register: u16, value: u16) {
    // SAFETY: the addresses are those of the LCD's bus.
    unsafe {
        COMMAND.write_volatile(register);
        DATA.write_volatile(value);
    }
}

fn get(register: u16) -> u16 {
    // SAFETY: as above.
    unsafe {
        COMMAND.write_volatile(register);
        DATA.read_volatile()
    }
}

fn window(left: u16, top: u16, right: u16, bottom: u16) {
    for (register, value) in [(0x2A00, left), (0x2A02, right), (0x2B00, top), (0x2B02, bottom)] {
        set(register, value >> 8);
        set(register + 1, value & 0xFF);
    }
    // SAFETY: as above.
    unsafe { COMMAND.write_volatile(0x2C00) };
}

#[entry]
fn main() -> ! {
    let (Some(dp), Some(mut cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else { stop() };
    let mut rcc = clocks(dp.RCC);
    cp.DCB.enable_trace();
    cp.DWT.enable_cycle_counter();
    let gpioa = dp.GPIOA.split(&mut rcc);
    let gpiob = dp.GPIOB.split(&mut rcc);
    let gpiod = dp.GPIOD.split(&mut rcc);
    let gpioe = dp.GPIOE.split(&mut rcc);
    let gpiof = dp.GPIOF.split(&mut rcc);
    let gpiog = dp.GPIOG.split(&mut rcc);
    let mut uart = uart(dp.USART1, gpioa.pa9, gpioa.pa10, &mut rcc);
    let mut backlight = gpiob.pb15.into_push_pull_output();
    let pins = LcdPins::new(
        DataPins16::new(
            gpiod.pd14, gpiod.pd15, gpiod.pd0, gpiod.pd1, gpioe.pe7, gpioe.pe8, gpioe.pe9, gpioe.pe10, gpioe.pe11,
            gpioe.pe12, gpioe.pe13, gpioe.pe14, gpioe.pe15, gpiod.pd8, gpiod.pd9, gpiod.pd10,
        ),
        alt::Address::from(gpiof.pf12),
        gpiod.pd4,
        gpiod.pd5,
        alt::ChipSelect4::from(gpiog.pg12),
    );
    let read = Timing::default().address_setup(15).data(60).bus_turnaround(0);
    let write = Timing::default().address_setup(3).data(2).bus_turnaround(0);
    let (_fsmc, _lcd) = FsmcLcd::new(dp.FSMC, pins, &read, &write, &mut rcc);

    let (first, second) = (get(0xDB00), get(0xDC00));
    writeln!(uart, "id {first:02x} {second:02x}").ok();
    set(0x3A00, 0x55);
    let mut delay = cp.SYST.delay(&rcc.clocks);
    // SAFETY: the LCD's bus.
    unsafe { COMMAND.write_volatile(0x1100) };
    delay.delay_ms(120u32);
    // SAFETY: the LCD's bus.
    unsafe { COMMAND.write_volatile(0x2900) };
    backlight.set_high();

    window(0, 0, 479, 799);
    let start = DWT::cycle_count();
    for _ in 0..480 * 800 {
        // SAFETY: the LCD's bus.
        unsafe { DATA.write_volatile(0x07E0) };
    }
    let cycles = DWT::cycle_count().wrapping_sub(start);
    writeln!(uart, "filled in {cycles} cycles").ok();

    static mut LINE: [u16; 480] = [0; 480];
    // SAFETY: nothing else uses the line, and it is not changed while DMA reads it.
    let line = unsafe { &mut *(&raw mut LINE) };
    for (index, pixel) in line.iter_mut().enumerate() {
        *pixel = index as u16;
    }
    window(0, 100, 479, 100);
    let start = DWT::cycle_count();
    // SAFETY: DMA2 is used by nobody else; its registers are set up by RM0090, 10.3.17.
    unsafe {
        (*pac::RCC::ptr()).ahb1enr().modify(|_, w| w.dma2en().set_bit());
        let dma = &*pac::DMA2::ptr();
        let stream = dma.st(0);
        stream.ndtr().write(|w| w.bits(480));
        stream.par().write(|w| w.bits(line.as_ptr() as u32));
        stream.m0ar().write(|w| w.bits(DATA as u32));
        stream.fcr().write(|w| w.bits(1 << 2 | 3));
        // memory to memory, both sides 16 bit, the source counts
        stream.cr().write(|w| w.bits(1 << 13 | 1 << 11 | 1 << 9 | 2 << 6));
        stream.cr().modify(|_, w| w.en().set_bit());
        while dma.lisr().read().tcif0().bit_is_clear() {}
    }
    let cycles = DWT::cycle_count().wrapping_sub(start);
    writeln!(uart, "line in {cycles} cycles").ok();
    stop()
}
