// SPDX-License-Identifier: GPL-3.0-only
//! FT5206 capacitive touch controller.
//!
//! Pins: SCL, SDA (I2C, 8-bit registers), RST.
//! Timing: RST low 20 ms, high 50 ms.
//! Steps of a reading: number of fingers; of each point its event and position, until one is in
//! contact.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::i2c::I2c;

use crate::i2c::retry;
use crate::touch::{Contact, Position, TouchPanel, WIDTH};

/// The 7-bit address.
pub const ADDRESS: u8 = 0x38;

const MODE: u8 = 0x00;
const FINGERS: u8 = 0x02;
const POINTS: [u8; 5] = [0x03, 0x09, 0x0F, 0x15, 0x1B];
const THRESHOLD: u8 = 0x80;
const PERIOD: u8 = 0x88;
const VERSION: u8 = 0xA1;
/// The event nibble of a finger that touches the glass.
const CONTACT: u8 = 8;

/// The controller, ready to be asked.
#[derive(Debug)]
pub struct Ft5206<I2C> {
    i2c: I2C,
    version: u16,
}

impl<I2C: I2c> Ft5206<I2C> {
    /// Resets the chip and sets it up.
    ///
    /// # Errors
    /// If it does not answer; the bus comes back.
    pub fn detect(
        mut i2c: I2C,
        reset: &mut impl OutputPin,
        delay: &mut impl DelayNs,
    ) -> Result<Self, (I2C::Error, I2C)> {
        let _ = reset.set_low();
        delay.delay_ms(20);
        let _ = reset.set_high();
        delay.delay_ms(50);
        match retry(|| start(&mut i2c)) {
            Ok(version) => Ok(Self { i2c, version }),
            Err(error) => Err((error, i2c)),
        }
    }

    /// The version of the chip's own program.
    #[must_use]
    pub const fn version(&self) -> u16 {
        self.version
    }
}

fn start<I2C: I2c>(i2c: &mut I2C) -> Result<u16, I2C::Error> {
    i2c.write(ADDRESS, &[MODE, 0])?;
    i2c.write(ADDRESS, &[THRESHOLD, 22])?;
    i2c.write(ADDRESS, &[PERIOD, 12])?;
    let mut version = [0; 2];
    i2c.write_read(ADDRESS, &[VERSION], &mut version)?;
    Ok(u16::from_be_bytes(version))
}

impl<I2C: I2c> TouchPanel for Ft5206<I2C> {
    type Error = I2C::Error;

    fn read(&mut self) -> Result<Contact, Self::Error> {
        let mut fingers = [0];
        self.i2c.write_read(ADDRESS, &[FINGERS], &mut fingers)?;
        let count = usize::from(fingers[0] & 0x0F);
        let Some(points) = POINTS.get(..count) else {
            return Ok(Contact::Unchanged);
        };
        for &point in points {
            let mut bytes = [0; 4];
            self.i2c.write_read(ADDRESS, &[point], &mut bytes)?;
            if bytes[0] >> 4 == CONTACT {
                // On this module the chip counts the columns from the right, from 1.
                let right = u16::from_be_bytes([bytes[0] & 0x0F, bytes[1]]);
                let x = WIDTH.wrapping_sub(right.max(1));
                let y = u16::from_be_bytes([bytes[2] & 0x0F, bytes[3]]);
                return Ok(Position::on_screen(x, y).map_or(Contact::Unchanged, Contact::Down));
            }
        }
        Ok(Contact::Up)
    }
}
