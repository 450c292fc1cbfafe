// SPDX-License-Identifier: GPL-3.0-only
//! The capacitive controllers that the board's modules carry, found by asking.

use core::fmt;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::i2c::I2c;

use crate::ft5206::Ft5206;
use crate::gt9147::{Gt9147, InterruptLine};
use crate::ott2001a::Ott2001a;
use crate::touch::{Contact, TouchPanel};

/// One of the controllers.
#[derive(Debug)]
pub enum Capacitive<I2C> {
    /// GT9147 family.
    Gt(Gt9147<I2C>),
    /// OTT2001A.
    Ott(Ott2001a<I2C>),
    /// FT5206.
    Ft(Ft5206<I2C>),
}

impl<I2C: I2c> Capacitive<I2C> {
    /// Asks for the GT9147 family first, then the OTT2001A, then the FT5206.
    ///
    /// # Errors
    /// If none answers: the module is resistive, or has no panel. The bus comes back.
    pub fn detect(
        i2c: I2C,
        reset: &mut impl OutputPin,
        interrupt: &mut impl InterruptLine,
        delay: &mut impl DelayNs,
    ) -> Result<Self, I2C> {
        let i2c = match Gt9147::detect(i2c, reset, interrupt, delay) {
            Ok(panel) => return Ok(Self::Gt(panel)),
            Err((_, i2c)) => i2c,
        };
        let i2c = match Ott2001a::detect(i2c, reset, delay) {
            Ok(panel) => return Ok(Self::Ott(panel)),
            Err((_, i2c)) => i2c,
        };
        match Ft5206::detect(i2c, reset, delay) {
            Ok(panel) => Ok(Self::Ft(panel)),
            Err((_, i2c)) => Err(i2c),
        }
    }
}

impl<I2C: I2c> fmt::Display for Capacitive<I2C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gt(panel) => f.write_str(panel.model().name()),
            Self::Ott(_) => f.write_str("OTT2001A"),
            Self::Ft(panel) => write!(f, "FT5206 version {:04X}", panel.version()),
        }
    }
}

impl<I2C: I2c> TouchPanel for Capacitive<I2C> {
    type Error = I2C::Error;

    fn read(&mut self) -> Result<Contact, Self::Error> {
        match self {
            Self::Gt(panel) => panel.read(),
            Self::Ott(panel) => panel.read(),
            Self::Ft(panel) => panel.read(),
        }
    }
}
