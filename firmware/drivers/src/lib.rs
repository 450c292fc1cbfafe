// SPDX-License-Identifier: GPL-3.0-only
//! Drivers for the chips around the board's microcontroller.
//!
//! `no_std`, without a heap. Pins, buses and delays come in by type (embedded-hal 1.0), so every
//! driver is tested on the host against a simulated chip.
#![no_std]

pub mod alive;
pub mod buzzer;
pub mod calibration;
pub mod capacitive;
pub mod eeprom;
pub mod ft5206;
pub mod gt9147;
pub mod i2c;
pub mod ili9806;
pub mod journal;
pub mod keys;
pub mod lamp;
pub mod lcd;
pub mod nt35510;
pub mod ott2001a;
pub mod random;
pub mod touch;
pub mod xpt2046;
