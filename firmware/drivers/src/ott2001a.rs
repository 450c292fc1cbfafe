// SPDX-License-Identifier: GPL-3.0-only
//! OTT2001A capacitive touch controller.
//!
//! Pins: SCL, SDA (I2C, 16-bit registers), RST.
//! Timing: RST low 100 ms, high 100 ms.
//! Steps of a reading: status, one bit a finger; the point of the lowest finger. The chip counts
//! along the long side of the glass first, in 2700 × 1500 units.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::i2c::I2c;

use crate::i2c::retry;
use crate::touch::{Contact, HEIGHT, Position, TouchPanel, WIDTH};

/// The 7-bit address.
pub const ADDRESS: u8 = 0x59;

const STATUS: u16 = 0x0000;
const POINTS: [u16; 5] = [0x0100, 0x0500, 0x1000, 0x1400, 0x1800];
const CONTROL: u16 = 0x0D00;
const ON: u8 = 0x80;
const LONG_UNITS: u32 = 2700;
const SHORT_UNITS: u32 = 1500;

/// The controller, ready to be asked.
#[derive(Debug)]
pub struct Ott2001a<I2C> {
    i2c: I2C,
}

impl<I2C: I2c> Ott2001a<I2C> {
    /// Resets the chip and switches it on.
    ///
    /// # Errors
    /// If it does not answer; the bus comes back.
    pub fn detect(
        mut i2c: I2C,
        reset: &mut impl OutputPin,
        delay: &mut impl DelayNs,
    ) -> Result<Self, (I2C::Error, I2C)> {
        let _ = reset.set_low();
        delay.delay_ms(100);
        let _ = reset.set_high();
        delay.delay_ms(100);
        let [high, low] = CONTROL.to_be_bytes();
        match retry(|| i2c.write(ADDRESS, &[high, low, ON])) {
            Ok(()) => Ok(Self { i2c }),
            Err(error) => Err((error, i2c)),
        }
    }

    fn register(&mut self, register: u16, buffer: &mut [u8]) -> Result<(), I2C::Error> {
        self.i2c.write_read(ADDRESS, &register.to_be_bytes(), buffer)
    }
}

impl<I2C: I2c> TouchPanel for Ott2001a<I2C> {
    type Error = I2C::Error;

    fn read(&mut self) -> Result<Contact, Self::Error> {
        let mut status = [0];
        self.register(STATUS, &mut status)?;
        let Some(&point) = POINTS.get((status[0] & 0x1F).trailing_zeros() as usize) else {
            return Ok(Contact::Up);
        };
        let mut bytes = [0; 4];
        self.register(point, &mut bytes)?;
        let along = u32::from(u16::from_be_bytes([bytes[0], bytes[1]]));
        let across = u32::from(u16::from_be_bytes([bytes[2], bytes[3]]));
        let x = across * u32::from(WIDTH) / SHORT_UNITS;
        let y = along * u32::from(HEIGHT) / LONG_UNITS;
        Ok(Position::on_screen(x as u16, y as u16).map_or(Contact::Unchanged, Contact::Down))
    }
}
