// SPDX-License-Identifier: GPL-2.0-only
//! Power control (RM0090, section 5.4): the regulator's voltage scale. Stop and standby are not modelled.

use super::{Refused, no_register, only};

/// The registers.
#[derive(Debug)]
pub struct Pwr {
    cr: u32,
}

impl Default for Pwr {
    fn default() -> Self {
        Self { cr: 0x4000 }
    }
}

impl Pwr {
    /// True with the regulator at the scale that 168 MHz need.
    #[must_use]
    pub fn scale1(&self) -> bool {
        self.cr & 0x4000 != 0
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32) -> Result<u32, Refused> {
        match offset {
            0x00 => Ok(self.cr),
            0x04 => Ok(0x4000),
            _ => Err(no_register(offset)),
        }
    }

    /// Writes a register.
    ///
    /// # Errors
    /// If a low-power mode is asked for, or there is no such register.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), Refused> {
        match offset {
            0x00 => {
                only(value, 0x4100, "CR")?;
                self.cr = value;
                Ok(())
            }
            _ => Err(no_register(offset)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regulator_starts_at_scale_1() {
        let mut pwr = Pwr::default();
        assert!(pwr.scale1());
        assert_eq!(pwr.read(0x04), Ok(0x4000), "and says that it is ready");
        assert!(pwr.write(0, 1 << 1).is_err(), "standby is not modelled");
    }
}
