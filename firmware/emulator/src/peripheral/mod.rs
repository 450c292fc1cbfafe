// SPDX-License-Identifier: GPL-2.0-only
//! The peripherals of the STM32F407, after its reference manual (RM0090).
//!
//! Each file holds one peripheral as plain data with `read` and `write` of its registers by offset.
//! A register, bit or mode that is not modelled is refused, and the bus reports it.

pub mod dma;
pub mod exti;
pub mod flash;
pub mod fsmc;
pub mod gpio;
pub mod i2c;
pub mod iwdg;
pub mod pwr;
pub mod rcc;
pub mod rng;
pub mod timer;
pub mod usart;

use crate::event::{Log, Now};

/// Why an access is not served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl From<&str> for Refused {
    fn from(reason: &str) -> Self {
        Self(reason.to_owned())
    }
}

/// The refusal of an offset that holds no modelled register.
#[must_use]
pub fn no_register(offset: u32) -> Refused {
    Refused(format!("no register is modelled at offset {offset:#x}"))
}

/// Refuses a value with bits outside of those modelled.
///
/// # Errors
/// If `value` has bits that `known` lacks.
pub fn only(value: u32, known: u32, register: &str) -> Result<(), Refused> {
    if value & !known == 0 {
        Ok(())
    } else {
        Err(Refused(format!("{register}: bits {:#x} are not modelled", value & !known)))
    }
}

/// What a peripheral sees of the rest of the chip while a register of it is accessed.
#[derive(Debug)]
pub struct Context<'a> {
    /// The time.
    pub now: Now,
    /// The clocks.
    pub clocks: rcc::Clocks,
    /// The diary.
    pub log: &'a mut Log,
}
