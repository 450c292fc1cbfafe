// SPDX-License-Identifier: GPL-3.0-only
//! 24C02 EEPROM: 256 bytes.
//!
//! Bus: I2C, 7-bit address 0x50, one byte of address inside the chip.
//! Timing: a write of up to one page of 8 bytes takes the chip 5 to 10 ms, during which it does not
//! acknowledge.
//! Steps of a write: address and bytes of one page, then ask until the chip acknowledges again.

use embedded_hal::delay::DelayNs;
use embedded_hal::i2c::I2c;

use crate::journal::Memory;

/// The 7-bit address.
pub const ADDRESS: u8 = 0x50;
/// Bytes that one write can reach.
pub const PAGE: usize = 8;
/// How long a write may take, in steps of half a millisecond.
const WRITE_POLLS: u32 = 40;

/// The chip.
#[derive(Debug)]
pub struct Eeprom<I2C, Delay> {
    i2c: I2C,
    delay: Delay,
}

impl<I2C: I2c, Delay: DelayNs> Eeprom<I2C, Delay> {
    /// The chip on this bus.
    pub const fn new(i2c: I2C, delay: Delay) -> Self {
        Self { i2c, delay }
    }

    /// Repeats a transfer while the chip is busy with a write, which an earlier failure may have
    /// begun.
    fn when_ready(
        &mut self,
        mut transfer: impl FnMut(&mut I2C) -> Result<(), I2C::Error>,
    ) -> Result<(), I2C::Error> {
        let mut result = transfer(&mut self.i2c);
        for _ in 0..WRITE_POLLS {
            if result.is_ok() {
                break;
            }
            self.delay.delay_us(500);
            result = transfer(&mut self.i2c);
        }
        result
    }
}

impl<I2C: I2c, Delay: DelayNs> Memory for Eeprom<I2C, Delay> {
    type Error = I2C::Error;

    fn read(&mut self, address: u8, buffer: &mut [u8]) -> Result<(), Self::Error> {
        self.when_ready(|i2c| i2c.write_read(ADDRESS, &[address], buffer))
    }

    fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), Self::Error> {
        let mut message = [0; 1 + PAGE];
        let message = &mut message[..1 + bytes.len()];
        message[0] = address;
        message[1..].copy_from_slice(bytes);
        self.when_ready(|i2c| i2c.write(ADDRESS, message))?;
        // The address alone: acknowledged when the bytes are kept.
        self.when_ready(|i2c| i2c.write(ADDRESS, &[]))
    }
}
