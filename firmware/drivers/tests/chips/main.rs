// SPDX-License-Identifier: GPL-3.0-only
//! The drivers against simulated chips, which see nothing but the levels of their pins and the time.

mod capacitive;
mod clock;
mod eeprom;
mod i2c;
mod journal;
mod lcd;
mod random;
mod resistive;
mod wire;
