// SPDX-License-Identifier: GPL-2.0-only
//! The parts around the microcontroller, after their data sheets.

pub mod eeprom;
pub mod ft5206;
pub mod gt9147;
pub mod i2c_wire;
pub mod ili9806;
pub mod lcd;
pub mod nt35510;
pub mod ott2001a;
pub mod touch;
pub mod xpt2046;

/// A device on an I2C bus, byte by byte. Times are in nanoseconds.
pub trait I2cDevice {
    /// A start condition.
    fn start(&mut self);
    /// An address (7 bits) and direction; true if the device acknowledges.
    fn address(&mut self, address: u8, read: bool, ns: u64) -> bool;
    /// A byte from the master; true if the device acknowledges.
    fn write(&mut self, byte: u8, ns: u64) -> bool;
    /// A byte to the master.
    fn read(&mut self, ns: u64) -> u8;
    /// Whether the master acknowledged the last byte it read.
    fn acknowledge(&mut self, _acknowledged: bool) {}
    /// A stop condition.
    fn stop(&mut self, ns: u64);
}
