// SPDX-License-Identifier: GPL-2.0-only
//! Says the reset cause on USART1, and then does what a received letter asks for:
//! `u` undefined instruction, `b` access where nothing is, `w` write to flash, `g` touch a guarded region,
//! `o` overflow the stack into it, `f` floating point with the unit off, `r` software reset,
//! `h` hang with the watchdog on, `x` access to a peripheral that is not modelled, `c` one without clock.
//! The handler of the fault says its status registers, and waits for the watchdog.
#![no_std]
#![no_main]

use core::fmt::Write;
use cortex_m_rt::{ExceptionFrame, entry, exception};
use stm32f4xx_hal::serial::Tx;
use stm32f4xx_hal::watchdog::IndependentWatchdog;
use stm32f4xx_hal::{pac, prelude::*};
use wuzi_board_images::{clocks, stop, uart};

/// A guarded region at the bottom of the core-coupled memory.
const GUARD: u32 = 0x1000_8000;

static mut TX: Option<Tx<pac::USART1>> = None;

fn say(arguments: core::fmt::Arguments) {
    // SAFETY: one thread, and handlers that never return to it.
    if let Some(tx) = unsafe { (*(&raw mut TX)).as_mut() } {
        tx.write_fmt(arguments).ok();
        nb::block!(tx.flush()).ok();
    }
}

fn status() -> (u32, u32, u32, u32) {
    // SAFETY: reads of the fault status registers.
    unsafe {
        let scb = &*cortex_m::peripheral::SCB::PTR;
        (scb.cfsr.read(), scb.hfsr.read(), scb.mmfar.read(), scb.bfar.read())
    }
}

#[exception]
unsafe fn HardFault(frame: &ExceptionFrame) -> ! {
    let (cfsr, hfsr, mmfar, bfar) = status();
    say(format_args!("hard fault pc {:08x} cfsr {cfsr:08x} hfsr {hfsr:08x} {mmfar:08x} {bfar:08x}\n", frame.pc()));
    loop {}
}

#[exception]
fn MemoryManagement() {
    let (cfsr, _, mmfar, _) = status();
    say(format_args!("memory management cfsr {cfsr:08x} at {mmfar:08x}\n"));
    loop {}
}

#[inline(never)]
fn recurse(depth: u32) -> u32 {
    let mut frame = [depth; 32];
    core::hint::black_box(&mut frame);
    if depth == u32::MAX { 0 } else { recurse(depth + 1) + frame[3] }
}

extern "C" fn overflow() -> ! {
    say(format_args!("{}\n", recurse(0)));
    stop()
}

#[entry]
fn main() -> ! {
    let (Some(dp), Some(mut cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else { stop() };
    let cause = dp.RCC.csr().read();
    let cause = match () {
        () if cause.wdgrstf().bit() => "watchdog",
        () if cause.sftrstf().bit() => "software",
        () if cause.porrstf().bit() => "power",
        () => "pin",
    };
    dp.RCC.csr().modify(|_, w| w.rmvf().set_bit());
    let mut rcc = clocks(dp.RCC);
    let gpioa = dp.GPIOA.split(&mut rcc);
    let (tx, mut rx) = uart(dp.USART1, gpioa.pa9, gpioa.pa10, &mut rcc).split();
    // SAFETY: before anything else can use it.
    unsafe { *(&raw mut TX) = Some(tx) };
    let mut watchdog = IndependentWatchdog::new(dp.IWDG);
    watchdog.start(200.millis());
    // SAFETY: a region of 32 bytes without access, the default map elsewhere.
    unsafe {
        cp.MPU.rbar.write(GUARD | 0x10);
        cp.MPU.rasr.write(1 << 28 | 4 << 1 | 1);
        cp.MPU.ctrl.write(5);
    }
    cp.SCB.enable(cortex_m::peripheral::scb::Exception::MemoryManagement);
    cortex_m::asm::dsb();
    cortex_m::asm::isb();
    say(format_args!("reset by {cause}\n"));
    loop {
        watchdog.feed();
        let Ok(letter) = rx.read() else { continue };
        // SAFETY: what these do is the purpose of the program.
        unsafe {
            match letter {
                b'u' => cortex_m::asm::udf(),
                b'b' => say(format_args!("{}\n", (0x3000_0000 as *const u32).read_volatile())),
                b'w' => (0x0800_0000 as *mut u32).write_volatile(0),
                b'g' => ((GUARD + 8) as *mut u32).write_volatile(0),
                b'o' => {
                    // A stack just above the guarded region; there is no way back.
                    core::arch::asm!(
                        "msr msp, {stack}",
                        "b {overflow}",
                        stack = in(reg) GUARD + 0x800,
                        overflow = sym overflow,
                        options(noreturn),
                    )
                }
                b'f' => {
                    cp.SCB.disable_fpu();
                    cortex_m::asm::dsb();
                    cortex_m::asm::isb();
                    core::arch::asm!("vmov.f32 s0, #1.0");
                }
                b'r' => cortex_m::peripheral::SCB::sys_reset(),
                b'h' => loop {},
                b'x' => say(format_args!("{}\n", (0x4001_3000 as *const u32).read_volatile())),
                b'c' => (0x4000_0000 as *mut u32).write_volatile(1),
                _ => say(format_args!("unknown {letter}\n")),
            }
        }
    }
}
