// SPDX-License-Identifier: GPL-3.0-only
//! The end: a message on the LCD and the UART, both lamps blinking together until the watchdog
//! resets the board.

use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::fmt::Write;
use core::panic::PanicInfo;
use core::sync::atomic::{AtomicU8, Ordering};

use cortex_m_rt::ExceptionFrame;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::{Point, RgbColor};
use heapless::String;
use stm32f4xx_hal::pac::{DMA2, IWDG, SCB};
use wuzi_drivers::lcd::Controller;
use wuzi_screen::{Canvas, FsmcBus};

use crate::serial_log::LastWords;
use crate::{clock, signals};

/// How long the lamps are lit and dark, as with [`wuzi_drivers::lamp::Show::Fault`].
const LAMPS_MS: u32 = 100;

/// The controller of the LCD once it runs: 0 none, 1 NT35510, 2 ILI9806.
static LCD: AtomicU8 = AtomicU8::new(0);

/// Tells the fault screen that this LCD runs.
pub fn screen_is(controller: Controller) {
    let number = match controller {
        Controller::Nt35510 => 1,
        Controller::Ili9806 => 2,
    };
    LCD.store(number, Ordering::Relaxed);
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    cortex_m::interrupt::disable();
    let mut text = String::<512>::new();
    // What does not fit is cut.
    let _ = match info.location() {
        Some(place) => write!(text, "panic at {}:{}\n{}", place.file(), place.line(), info.message()),
        None => write!(text, "panic\n{}", info.message()),
    };
    end(&text)
}

/// A stack of its own for the fault handler: the other one may be what is exhausted.
#[repr(C, align(8))]
struct FaultStack(UnsafeCell<[u8; FAULT_STACK_SIZE]>);

const FAULT_STACK_SIZE: usize = 4096;

// SAFETY: only the fault handler uses it, which never returns.
unsafe impl Sync for FaultStack {}

static FAULT_STACK: FaultStack = FaultStack(UnsafeCell::new([0; FAULT_STACK_SIZE]));

/// Entered on every fault: moves to the fault stack, with the old stack pointer as the argument.
///
/// # Safety
/// Only the processor may call it.
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn HardFault() -> ! {
    naked_asm!(
        "mrs r0, msp",
        "ldr r1, ={stack}",
        "add r1, r1, #{size}",
        "msr msp, r1",
        "b {handler}",
        stack = sym FAULT_STACK,
        size = const FAULT_STACK_SIZE,
        handler = sym hard_fault,
    )
}

unsafe extern "C" {
    static _stack_end: u32;
    static _stack_start: u32;
}

extern "C" fn hard_fault(stack_pointer: *const ExceptionFrame) -> ! {
    cortex_m::interrupt::disable();
    // SAFETY: reading the status of the fault has no effect.
    let scb = unsafe { &*SCB::PTR };
    let (cause, hard, address) = (scb.cfsr.read(), scb.hfsr.read(), scb.bfar.read());
    let mut text = String::<512>::new();
    let bottom = (&raw const _stack_end) as usize;
    let top = (&raw const _stack_start) as usize;
    let at = stack_pointer as usize;
    let _ = if at < bottom {
        write!(text, "stack overflow\nSP {at:08X}, bottom {bottom:08X}\nCFSR {cause:08X} HFSR {hard:08X}")
    } else if at + size_of::<ExceptionFrame>() <= top {
        // SAFETY: the frame lies in the stack.
        let frame = unsafe { &*stack_pointer };
        let (pc, lr) = (frame.pc(), frame.lr());
        write!(
            text,
            "hard fault at {pc:08X}\nLR {lr:08X}\nCFSR {cause:08X} HFSR {hard:08X} BFAR {address:08X}"
        )
    } else {
        write!(text, "hard fault\nSP {at:08X}\nCFSR {cause:08X} HFSR {hard:08X} BFAR {address:08X}")
    };
    end(&text)
}

/// Says it everywhere and waits for the watchdog, which is started if it does not run yet.
fn end(text: &str) -> ! {
    let mut uart = LastWords::new();
    // The UART's writer does not fail.
    let _ = write!(uart, "\r\nFAULT {text}\r\n");
    // SAFETY: nothing else runs any more. The keys set a period of 4 s (prescaler 64, 2000 ticks of
    // 500 Hz) and start the watchdog.
    unsafe {
        let watchdog = &*IWDG::ptr();
        watchdog.kr().write(|w| w.bits(0x5555));
        watchdog.pr().write(|w| w.bits(4));
        watchdog.rlr().write(|w| w.bits(2000));
        watchdog.kr().write(|w| w.bits(0xAAAA));
        watchdog.kr().write(|w| w.bits(0xCCCC));
    }
    let controller = match LCD.load(Ordering::Relaxed) {
        1 => Some(Controller::Nt35510),
        2 => Some(Controller::Ili9806),
        _ => None,
    };
    if let Some(controller) = controller {
        // SAFETY: the LCD runs, and nobody else uses it or the DMA any more.
        let bus = unsafe {
            (&*DMA2::ptr()).st(0).cr().modify(|_, w| w.en().disabled());
            FsmcBus::steal()
        };
        let mut canvas = Canvas::new(bus, controller);
        canvas.ground(Rgb565::new(20, 0, 0));
        canvas.text("Wuzi has stopped and restarts at once.", Point::new(20, 60), Rgb565::WHITE);
        canvas.text(text, Point::new(20, 120), Rgb565::WHITE);
    }
    let mut pins = signals::take_pins();
    if let Some(pins) = &mut pins {
        pins.buzzer.set_low();
    }
    // SAFETY: as above. The tick does not run yet if the start itself has failed.
    let mut systick = unsafe { cortex_m::Peripherals::steal() }.SYST;
    clock::start(&mut systick);
    let mut lit = false;
    loop {
        lit = !lit;
        if let Some(pins) = &mut pins {
            pins.lamps([lit; 2]);
        }
        clock::wait_polling(&mut systick, LAMPS_MS);
    }
}
