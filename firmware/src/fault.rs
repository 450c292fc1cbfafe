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

/// A message; a piece that does not fit is left out.
type Message = String<512>;

/// How many calls that led to the fault are told.
const CALLS: usize = 8;

/// A stack that is full may be left by as much at once: the largest local variables.
const BELOW_STACK: usize = 64 * 1024;

/// CFSR: BFAR holds the address of the access.
const BFAR_VALID: u32 = 1 << 15;

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
    let mut text = Message::new();
    let _ = match info.location() {
        Some(place) => write!(text, "panic at {}:{}\n{}", place.file(), place.line(), info.message()),
        None => write!(text, "panic\n{}", info.message()),
    };
    // The place of a failed allocation, for one, is in the library. What tells of the panic lies in the
    // frame of who called this.
    add_calls(&mut text, &raw const *info as usize);
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
    static __stext: u16;
    static __etext: u16;
}

extern "C" fn hard_fault(stack_pointer: *const ExceptionFrame) -> ! {
    cortex_m::interrupt::disable();
    // SAFETY: reading the status of the fault has no effect.
    let scb = unsafe { &*SCB::PTR };
    let (cause, hard, address) = (scb.cfsr.read(), scb.hfsr.read(), scb.bfar.read());
    let (bottom, top) = (&raw const _stack_end as usize, &raw const _stack_start as usize);
    let at = stack_pointer as usize;
    let below = (bottom - BELOW_STACK..bottom).contains(&(address as usize));
    let overflow = at < bottom || cause & BFAR_VALID != 0 && below;
    let mut text = Message::new();
    let _ = text.push_str(if overflow { "stack overflow" } else { "hard fault" });
    if (bottom..=top - size_of::<ExceptionFrame>()).contains(&at) {
        // SAFETY: the frame lies in the stack.
        let frame = unsafe { &*stack_pointer };
        let _ = write!(text, " at {:08X}\nLR {:08X}", frame.pc(), frame.lr());
    }
    let _ = write!(text, "\nSP {at:08X} of {bottom:08X} to {top:08X}");
    let _ = write!(text, "\nCFSR {cause:08X} HFSR {hard:08X} BFAR {address:08X}");
    add_calls(&mut text, at);
    end(&text)
}

/// Adds where the functions were called whose return addresses stand in the stack from `from` on, the
/// innermost first. Among them may be calls that have ended: nothing clears a stack.
fn add_calls(text: &mut Message, from: usize) {
    let (bottom, top) = (&raw const _stack_end as usize, &raw const _stack_start as usize);
    let words = (from.clamp(bottom, top).next_multiple_of(4)..top).step_by(4);
    // SAFETY: the words lie in the stack.
    let words = words.map(|at| unsafe { (at as *const u32).read_volatile() } as usize);
    let _ = text.push_str("\ncalls");
    for place in words.filter_map(call_before).take(CALLS) {
        let _ = write!(text, " {place:08X}");
    }
}

/// The call that this word is the return address of, if it is one: it is odd and stands behind a BL, or
/// a BLX of a register (ARMv7-M, A7.7.18 and A7.7.19).
fn call_before(word: usize) -> Option<usize> {
    let code = &raw const __stext as usize + 4..=&raw const __etext as usize;
    let next = word.checked_sub(1).filter(|next| next.is_multiple_of(2) && code.contains(next))?;
    // SAFETY: both halfwords lie in the program's code.
    let [first, second] = [4, 2].map(|back| unsafe { ((next - back) as *const u16).read() });
    if first & 0xF800 == 0xF000 && second & 0xD000 == 0xD000 {
        Some(next - 4)
    } else {
        (second & 0xFF87 == 0x4780).then_some(next - 2)
    }
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
    // SAFETY: as above. The tick does not run yet if the start itself has failed.
    let mut systick = unsafe { cortex_m::Peripherals::steal() }.SYST;
    clock::start(&mut systick);
    let mut lit = false;
    loop {
        lit = !lit;
        // SAFETY: nothing else runs any more.
        unsafe { signals::last_signal(lit) };
        clock::wait_polling(&mut systick, LAMPS_MS);
    }
}
