// SPDX-License-Identifier: GPL-3.0-only
//! I2C master on two open-drain pins.
//!
//! Pins: SCL and SDA, both open drain with a pull-up, both readable.
//! Timing: each half of a clock lasts at least the given time; a slave may stretch the low half.
//! Steps of every transfer: free the bus if a slave holds it, start, address, bytes, stop.
//! Every wait is bounded: a broken bus gives an error, never a hang.

use core::fmt;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};
use embedded_hal::i2c::{ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};

/// How many halves of a clock a slave may hold SCL low.
const STRETCH_LIMIT: u32 = 400;
/// Clocks after which every slave has finished the byte it was sending, and its acknowledge.
const RECOVERY_CLOCKS: u32 = 9;

/// Why a transfer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Nobody acknowledged the address or a byte.
    NoAcknowledge(NoAcknowledgeSource),
    /// SDA stays low although the clock was run to free it.
    DataStuck,
    /// SCL stays low.
    ClockStuck,
    /// A pin could not be read or set.
    Pin,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoAcknowledge(NoAcknowledgeSource::Address) => "no chip answers at this address",
            Self::NoAcknowledge(_) => "the chip did not acknowledge a byte",
            Self::DataStuck => "the data line is held low",
            Self::ClockStuck => "the clock line is held low",
            Self::Pin => "a pin of the bus failed",
        })
    }
}

impl core::error::Error for Error {}

impl embedded_hal::i2c::Error for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NoAcknowledge(source) => ErrorKind::NoAcknowledge(*source),
            Self::DataStuck | Self::ClockStuck => ErrorKind::Bus,
            Self::Pin => ErrorKind::Other,
        }
    }
}

/// Repeats a transfer that failed, up to three attempts.
pub(crate) fn retry<T, E>(mut transfer: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    transfer().or_else(|_| transfer()).or_else(|_| transfer())
}

/// The bus.
#[derive(Debug)]
pub struct SoftI2c<Scl, Sda, Delay> {
    scl: Scl,
    sda: Sda,
    delay: Delay,
    half_ns: u32,
}

impl<Scl, Sda, Delay> SoftI2c<Scl, Sda, Delay>
where
    Scl: InputPin + OutputPin,
    Sda: InputPin + OutputPin,
    Delay: DelayNs,
{
    /// A bus whose half clock lasts `half_ns` nanoseconds (5000 for 100 kHz).
    pub const fn new(scl: Scl, sda: Sda, delay: Delay, half_ns: u32) -> Self {
        Self { scl, sda, delay, half_ns }
    }

    /// Gives the pins and the delay back.
    pub fn release(self) -> (Scl, Sda, Delay) {
        (self.scl, self.sda, self.delay)
    }

    /// Frees a bus whose data line a slave holds low, as after a reset in the middle of a read:
    /// clocks until the line is free, then a stop.
    ///
    /// # Errors
    /// If a line stays low.
    pub fn recover(&mut self) -> Result<(), Error> {
        self.sda_high()?;
        self.scl_high()?;
        for _ in 0..RECOVERY_CLOCKS {
            if self.sda_is_high()? {
                break;
            }
            self.scl_low()?;
            self.scl_high()?;
        }
        if !self.sda_is_high()? {
            return Err(Error::DataStuck);
        }
        self.scl_low()?;
        self.stop()
    }

    fn half(&mut self) {
        self.delay.delay_ns(self.half_ns);
    }

    fn sda_high(&mut self) -> Result<(), Error> {
        self.sda.set_high().map_err(|_| Error::Pin)
    }

    fn sda_low(&mut self) -> Result<(), Error> {
        self.sda.set_low().map_err(|_| Error::Pin)
    }

    fn sda_is_high(&mut self) -> Result<bool, Error> {
        self.sda.is_high().map_err(|_| Error::Pin)
    }

    fn scl_low(&mut self) -> Result<(), Error> {
        self.scl.set_low().map_err(|_| Error::Pin)?;
        self.half();
        Ok(())
    }

    /// Lets SCL rise and waits until it is high (slow edge, stretching slave).
    fn scl_high(&mut self) -> Result<(), Error> {
        self.scl.set_high().map_err(|_| Error::Pin)?;
        for _ in 0..STRETCH_LIMIT {
            self.half();
            if self.scl.is_high().map_err(|_| Error::Pin)? {
                return Ok(());
            }
        }
        Err(Error::ClockStuck)
    }

    /// Start or repeated start; leaves SCL low.
    fn start(&mut self) -> Result<(), Error> {
        self.sda_high()?;
        self.scl_high()?;
        if !self.sda_is_high()? {
            self.recover()?;
        }
        self.sda_low()?;
        self.half();
        self.scl_low()
    }

    /// From SCL low; leaves both lines high.
    fn stop(&mut self) -> Result<(), Error> {
        self.sda_low()?;
        self.half();
        self.scl_high()?;
        self.sda_high()?;
        self.half();
        Ok(())
    }

    /// Sends a byte and tells whether it was acknowledged.
    fn send(&mut self, byte: u8) -> Result<bool, Error> {
        for bit in (0..8).rev() {
            if byte >> bit & 1 == 1 {
                self.sda_high()?
            } else {
                self.sda_low()?
            }
            self.scl_high()?;
            self.scl_low()?;
        }
        self.sda_high()?;
        self.scl_high()?;
        let acknowledged = !self.sda_is_high()?;
        self.scl_low()?;
        Ok(acknowledged)
    }

    fn receive(&mut self, acknowledge: bool) -> Result<u8, Error> {
        self.sda_high()?;
        let mut byte = 0;
        for _ in 0..8 {
            self.scl_high()?;
            byte = byte << 1 | u8::from(self.sda_is_high()?);
            self.scl_low()?;
        }
        if acknowledge {
            self.sda_low()?;
        }
        self.scl_high()?;
        self.scl_low()?;
        self.sda_high()?;
        Ok(byte)
    }

    fn address(&mut self, address: u8, read: bool) -> Result<(), Error> {
        self.start()?;
        if self.send(address << 1 | u8::from(read))? {
            Ok(())
        } else {
            Err(Error::NoAcknowledge(NoAcknowledgeSource::Address))
        }
    }

    fn transfer(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), Error> {
        let mut direction = None;
        for index in 0..operations.len() {
            let read = matches!(operations[index], Operation::Read(_));
            if direction != Some(read) {
                self.address(address, read)?;
                direction = Some(read);
            }
            // The last byte before a stop or a change of direction is not acknowledged.
            let more = matches!(operations.get(index + 1), Some(Operation::Read(_)));
            match &mut operations[index] {
                Operation::Write(bytes) => {
                    for &byte in bytes.iter() {
                        if !self.send(byte)? {
                            return Err(Error::NoAcknowledge(NoAcknowledgeSource::Data));
                        }
                    }
                }
                Operation::Read(buffer) => {
                    let count = buffer.len();
                    for (i, byte) in buffer.iter_mut().enumerate() {
                        *byte = self.receive(more || i + 1 < count)?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl<Scl, Sda, Delay> ErrorType for SoftI2c<Scl, Sda, Delay> {
    type Error = Error;
}

impl<Scl, Sda, Delay> I2c for SoftI2c<Scl, Sda, Delay>
where
    Scl: InputPin + OutputPin,
    Sda: InputPin + OutputPin,
    Delay: DelayNs,
{
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), Error> {
        let transferred = self.transfer(address, operations);
        // A stop also after an error, so that the next transfer finds a free bus.
        let stopped = self.stop();
        transferred.and(stopped)
    }
}
