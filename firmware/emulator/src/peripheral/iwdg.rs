// SPDX-License-Identifier: GPL-2.0-only
//! The independent watchdog (RM0090, section 21), which counts periods of the 32 kHz oscillator.

use super::{Refused, no_register};

/// A period of the oscillator, in nanoseconds.
const LSI_PERIOD: u64 = 31_250;
/// Cycles of the oscillator that an update of PR or RLR takes.
const UPDATE: u64 = 5 * LSI_PERIOD;

/// The registers.
#[derive(Debug)]
pub struct Iwdg {
    prescaler: u32,
    reload: u32,
    unlocked: bool,
    prescaler_until: u64,
    reload_until: u64,
    /// When it was started or last fed, in nanoseconds.
    fed_at: Option<u64>,
}

impl Default for Iwdg {
    fn default() -> Self {
        Self {
            prescaler: 0,
            reload: 0xFFF,
            unlocked: false,
            prescaler_until: 0,
            reload_until: 0,
            fed_at: None,
        }
    }
}

impl Iwdg {
    /// When it resets the chip, in nanoseconds; `None` while it is not started.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        let divider = 4u64 << self.prescaler.min(6);
        self.fed_at.map(|fed| fed + u64::from(self.reload + 1) * divider * LSI_PERIOD)
    }

    /// True once it was started; only a reset stops it.
    #[must_use]
    pub fn running(&self) -> bool {
        self.fed_at.is_some()
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32, ns: u64) -> Result<u32, Refused> {
        match offset {
            0x00 => Ok(0),
            0x04 => Ok(self.prescaler),
            0x08 => Ok(self.reload),
            0x0C => Ok(u32::from(ns < self.prescaler_until) | u32::from(ns < self.reload_until) << 1),
            _ => Err(no_register(offset)),
        }
    }

    /// Writes a register.
    ///
    /// # Errors
    /// If the write is not unlocked or comes while the last one is still being taken over.
    pub fn write(&mut self, offset: u32, value: u32, ns: u64) -> Result<(), Refused> {
        let busy_until = match offset {
            0x04 => self.prescaler_until,
            0x08 => self.reload_until,
            _ => 0,
        };
        if offset != 0 && !self.unlocked {
            return Err("IWDG: the register is write protected (KR = 0x5555 first)".into());
        }
        if ns < busy_until {
            return Err("IWDG: the last update is not finished (see SR)".into());
        }
        match offset {
            0x00 => {
                self.unlocked = value & 0xFFFF == 0x5555;
                match value & 0xFFFF {
                    0x5555 | 0x0000 => {}
                    0xAAAA => {
                        if let Some(fed) = &mut self.fed_at {
                            *fed = ns;
                        }
                    }
                    0xCCCC => {
                        self.fed_at.get_or_insert(ns);
                    }
                    _ => return Err("IWDG KR: unknown key".into()),
                }
            }
            0x04 => {
                self.prescaler = value & 7;
                self.prescaler_until = ns + UPDATE;
            }
            0x08 => {
                self.reload = value & 0xFFF;
                self.reload_until = ns + UPDATE;
            }
            _ => return Err(no_register(offset)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prescaler_4_and_reload_2000_make_four_seconds() {
        let mut iwdg = Iwdg::default();
        assert!(iwdg.write(0x04, 4, 0).is_err(), "protected");
        iwdg.write(0x00, 0x5555, 0).unwrap();
        iwdg.write(0x04, 4, 0).unwrap();
        iwdg.write(0x08, 1999, 0).unwrap();
        assert_eq!(iwdg.read(0x0C, 1000), Ok(3));
        assert!(iwdg.write(0x08, 5, 1000).is_err(), "busy");
        assert_eq!(iwdg.read(0x0C, 200_000), Ok(0));
        assert_eq!(iwdg.deadline(), None);
        iwdg.write(0x00, 0xCCCC, 0).unwrap();
        assert_eq!(iwdg.deadline(), Some(4_000_000_000));
        iwdg.write(0x00, 0xAAAA, 1_000_000_000).unwrap();
        assert_eq!(iwdg.deadline(), Some(5_000_000_000));
    }
}
