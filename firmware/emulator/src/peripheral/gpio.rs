// SPDX-License-Identifier: GPL-2.0-only
//! General-purpose I/O ports (RM0090, section 8) and the level of each pin.

use super::{Refused, no_register};

/// What the outside world does to a pin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drive {
    /// Nothing is connected, or it is in high impedance.
    #[default]
    Float,
    /// A resistor to the supply.
    PullUp,
    /// A resistor to ground.
    PullDown,
    /// Driven low.
    Low,
    /// Driven high.
    High,
}

/// What the port makes of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Digital input.
    Input,
    /// Output by ODR.
    Output,
    /// Alternate function of this number.
    Alternate(u8),
    /// Analog: the digital input reads 0.
    Analog,
}

const MODER: u32 = 0x00;
const OTYPER: u32 = 0x04;
const OSPEEDR: u32 = 0x08;
const PUPDR: u32 = 0x0C;
const IDR: u32 = 0x10;
const ODR: u32 = 0x14;
const BSRR: u32 = 0x18;
const LCKR: u32 = 0x1C;
const AFRL: u32 = 0x20;
const AFRH: u32 = 0x24;

/// One port.
#[derive(Debug)]
pub struct Port {
    moder: u32,
    otyper: u32,
    ospeedr: u32,
    pupdr: u32,
    odr: u32,
    afr: [u32; 2],
    drive: [Drive; 16],
    levels: u16,
    /// Pins on which the port and the outside drove against each other since this was last taken.
    conflicts: u16,
}

impl Port {
    /// Port A, B, … (0, 1, …) after a reset, with the outside world as in `before`.
    #[must_use]
    pub fn new(index: usize, before: Option<&Self>) -> Self {
        let (moder, ospeedr, pupdr) = match index {
            0 => (0xA800_0000, 0, 0x6400_0000),
            1 => (0x280, 0xC0, 0x100),
            _ => (0, 0, 0),
        };
        let drive = before.map_or([Drive::Float; 16], |port| port.drive);
        let mut port =
            Self { moder, otyper: 0, ospeedr, pupdr, odr: 0, afr: [0; 2], drive, levels: 0, conflicts: 0 };
        port.settle();
        port
    }

    /// The mode of a pin.
    #[must_use]
    pub fn mode(&self, pin: u8) -> Mode {
        match self.moder >> (2 * pin) & 3 {
            0 => Mode::Input,
            1 => Mode::Output,
            2 => Mode::Alternate((self.afr[usize::from(pin / 8)] >> (4 * (pin % 8)) & 0xF) as u8),
            _ => Mode::Analog,
        }
    }

    /// True if the pin is of the open-drain type.
    #[must_use]
    pub fn open_drain(&self, pin: u8) -> bool {
        self.otyper >> pin & 1 != 0
    }

    /// The levels of all pins.
    #[must_use]
    pub fn levels(&self) -> u16 {
        self.levels
    }

    /// The level of one pin.
    #[must_use]
    pub fn level(&self, pin: u8) -> bool {
        self.levels >> pin & 1 != 0
    }

    /// What the chip itself does to a pin: `Some(level)` if it drives, `None` if it lets go.
    #[must_use]
    pub fn output(&self, pin: u8) -> Option<bool> {
        if self.mode(pin) != Mode::Output {
            return None;
        }
        let high = self.odr >> pin & 1 != 0;
        (!high || !self.open_drain(pin)).then_some(high)
    }

    /// Changes what the outside world does to a pin. Returns the pins whose level changed.
    pub fn drive(&mut self, pin: u8, drive: Drive) -> u16 {
        self.drive[usize::from(pin)] = drive;
        self.settle()
    }

    /// Takes the pins that were driven from both sides against each other.
    pub fn take_conflicts(&mut self) -> u16 {
        std::mem::take(&mut self.conflicts)
    }

    /// Works out all levels. Returns the pins that changed.
    fn settle(&mut self) -> u16 {
        let mut levels = 0;
        for pin in 0..16u8 {
            let outside = self.drive[usize::from(pin)];
            let inside = self.output(pin);
            let level = match (inside, outside) {
                (Some(true), Drive::Low) => {
                    self.conflicts |= 1 << pin;
                    false
                }
                (Some(false), Drive::High) => {
                    self.conflicts |= 1 << pin;
                    false
                }
                (Some(level), _) => level,
                (None, Drive::Low) => false,
                (None, Drive::High | Drive::PullUp) => true,
                (None, Drive::PullDown) => self.pupdr >> (2 * pin) & 3 == 1,
                (None, Drive::Float) => self.pupdr >> (2 * pin) & 3 == 1,
            };
            levels |= u16::from(level) << pin;
        }
        let changed = levels ^ self.levels;
        self.levels = levels;
        changed
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32) -> Result<u32, Refused> {
        Ok(match offset {
            MODER => self.moder,
            OTYPER => self.otyper,
            OSPEEDR => self.ospeedr,
            PUPDR => self.pupdr,
            IDR => (0..16u8)
                .filter(|&pin| self.mode(pin) != Mode::Analog && self.level(pin))
                .map(|pin| 1 << pin)
                .sum(),
            ODR => self.odr,
            BSRR => 0,
            LCKR => 0,
            AFRL => self.afr[0],
            AFRH => self.afr[1],
            _ => return Err(no_register(offset)),
        })
    }

    /// Writes a register. Returns the pins whose level changed.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<u16, Refused> {
        match offset {
            MODER => self.moder = value,
            OTYPER => self.otyper = value & 0xFFFF,
            OSPEEDR => self.ospeedr = value,
            PUPDR => self.pupdr = value,
            IDR => {}
            ODR => self.odr = value & 0xFFFF,
            // Setting wins over resetting.
            BSRR => self.odr = self.odr & !(value >> 16) | value & 0xFFFF,
            LCKR => return Err("LCKR: locking is not modelled".into()),
            AFRL => self.afr[0] = value,
            AFRH => self.afr[1] = value,
            _ => return Err(no_register(offset)),
        }
        Ok(self.settle())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RM0090, 8.4.
    #[test]
    fn reset_values_are_those_of_the_manual() {
        let (a, b, c) = (Port::new(0, None), Port::new(1, None), Port::new(2, None));
        assert_eq!([a.read(MODER), b.read(MODER), c.read(MODER)], [Ok(0xA800_0000), Ok(0x280), Ok(0)]);
        assert_eq!([a.read(PUPDR), b.read(PUPDR), c.read(PUPDR)], [Ok(0x6400_0000), Ok(0x100), Ok(0)]);
        assert_eq!(b.read(OSPEEDR), Ok(0xC0));
    }

    #[test]
    fn set_wins_over_reset_in_bsrr() {
        let mut port = Port::new(5, None);
        port.write(MODER, 1 << 18).unwrap();
        assert_eq!(port.write(BSRR, 1 << 9), Ok(1 << 9));
        assert_eq!(port.write(BSRR, 1 << 9 | 1 << 25), Ok(0));
        assert_eq!(port.write(BSRR, 1 << 25), Ok(1 << 9));
    }

    #[test]
    fn pulls_and_drives_make_the_level() {
        let mut port = Port::new(4, None);
        assert_eq!(port.read(IDR), Ok(0));
        port.write(PUPDR, 1).unwrap();
        assert_eq!(port.read(IDR), Ok(1), "pull-up");
        assert_eq!(port.drive(0, Drive::Low), 1);
        assert_eq!(port.read(IDR), Ok(0), "the outside is stronger");
        port.write(MODER, 3).unwrap();
        port.drive(0, Drive::High);
        assert_eq!(port.read(IDR), Ok(0), "analog reads zero");
    }

    #[test]
    fn open_drain_lets_go_and_push_pull_fights() {
        let mut port = Port::new(1, None);
        port.write(ODR, 1).unwrap();
        port.write(OTYPER, 1).unwrap();
        port.write(MODER, 1).unwrap();
        port.drive(0, Drive::PullUp);
        assert!(port.level(0));
        port.drive(0, Drive::Low);
        assert!(!port.level(0));
        assert_eq!(port.take_conflicts(), 0);
        port.write(OTYPER, 0).unwrap();
        assert_eq!(port.take_conflicts(), 1);
    }
}
