// SPDX-License-Identifier: GPL-3.0-only
//! The pins of the four keys.

use stm32f4xx_hal::gpio::{Input, PA0, PE2, PE3, PE4};
use wuzi_drivers::keys::Levels;

/// KEY0, KEY1 and KEY2 are low while they are pressed, WK_UP is high.
#[derive(Debug)]
pub struct KeyPins {
    /// KEY0.
    pub key0: PE4<Input>,
    /// KEY1.
    pub key1: PE3<Input>,
    /// KEY2.
    pub key2: PE2<Input>,
    /// WK_UP.
    pub wake: PA0<Input>,
}

impl KeyPins {
    /// Which keys are down.
    pub fn levels(&self) -> Levels {
        Levels {
            key0: self.key0.is_low(),
            key1: self.key1.is_low(),
            key2: self.key2.is_low(),
            wake: self.wake.is_high(),
        }
    }
}
