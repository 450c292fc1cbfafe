// SPDX-License-Identifier: GPL-3.0-only
//! The log on USART1: 115200 baud, 8N1, a line `seconds level message` each.
//!
//! Lines wait in a buffer that the transmit interrupt empties, so that logging costs the game no
//! time; only a full buffer makes the writer wait.

use core::cell::RefCell;
use core::fmt::{self, Write};

use critical_section::Mutex;
use heapless::Deque;
use log::{Level, LevelFilter, Log, Metadata, Record};
use stm32f4xx_hal::gpio::PA9;
use stm32f4xx_hal::interrupt;
use stm32f4xx_hal::pac::{self, Interrupt, NVIC, USART1};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;
use stm32f4xx_hal::serial::Tx;
use stm32f4xx_hal::serial::config::{Config, InvalidConfig};

use crate::clock;

/// A few lines: a quarter of a second at this rate.
const BUFFER: usize = 2048;

struct Port {
    tx: Tx<USART1>,
    waiting: Deque<u8, BUFFER>,
}

static PORT: Mutex<RefCell<Option<Port>>> = Mutex::new(RefCell::new(None));

struct SerialLog;

static LOG: SerialLog = SerialLog;

/// Starts the log.
///
/// # Errors
/// If the baud rate does not go with the clock.
pub fn start(usart: USART1, pin: PA9, rcc: &mut Rcc) -> Result<(), InvalidConfig> {
    let tx = usart.tx(pin, Config::default().baudrate(115_200.bps()), rcc)?;
    critical_section::with(|cs| PORT.borrow(cs).replace(Some(Port { tx, waiting: Deque::new() })));
    // SAFETY: the handler shares nothing outside of critical sections.
    unsafe { NVIC::unmask(Interrupt::USART1) };
    // Only this place sets a logger, so it cannot be set already.
    let _ = log::set_logger(&LOG);
    log::set_max_level(LevelFilter::Debug);
    Ok(())
}

#[interrupt]
fn USART1() {
    critical_section::with(|cs| {
        if let Some(port) = PORT.borrow(cs).borrow_mut().as_mut() {
            match port.waiting.pop_front() {
                // The interrupt says that there is room.
                Some(byte) => drop(port.tx.write(byte)),
                None => port.tx.unlisten(),
            }
        }
    });
}

struct Buffered;

impl Write for Buffered {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(push);
        Ok(())
    }
}

/// Puts a byte behind those that wait. A full buffer is emptied by the interrupt meanwhile.
fn push(byte: u8) {
    loop {
        let pushed = critical_section::with(|cs| {
            let mut port = PORT.borrow(cs).borrow_mut();
            port.as_mut().is_none_or(|port| {
                let pushed = port.waiting.push_back(byte).is_ok();
                port.tx.listen();
                pushed
            })
        });
        if pushed {
            break;
        }
    }
}

impl Log for SerialLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        // The controller tells each move as a detail; the details of libraries are left out.
        metadata.level() <= Level::Info || metadata.target().starts_with("wuzi")
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let now = clock::now();
            let (seconds, millis) = (now / 1000, now % 1000);
            // Writing to memory does not fail.
            let _ = write!(Buffered, "{seconds:5}.{millis:03} {:5} {}\r\n", record.level(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Writes at once, by polling, with whatever state the interrupts are in: for the last message.
pub struct LastWords;

impl LastWords {
    /// Sends what waits in the buffer first.
    pub fn new() -> Self {
        critical_section::with(|cs| {
            if let Ok(mut port) = PORT.borrow(cs).try_borrow_mut() {
                while let Some(byte) = port.as_mut().and_then(|port| port.waiting.pop_front()) {
                    send(byte);
                }
            }
        });
        Self
    }
}

impl Write for LastWords {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(send);
        Ok(())
    }
}

fn send(byte: u8) {
    // SAFETY: nothing else runs any more; before the port is set up its registers read as zero and
    // the wait ends by its bound.
    let usart = unsafe { &*pac::USART1::ptr() };
    for _ in 0..clock::HZ / 1000 {
        if usart.sr().read().txe().bit_is_set() {
            break;
        }
    }
    usart.dr().write(|w| w.dr().set(u16::from(byte)));
}
