// SPDX-License-Identifier: GPL-2.0-only
//! The flash memory's interface (RM0090, section 3): wait states and caches. Programming is not modelled.

use super::{Context, Refused, no_register};

/// The registers.
#[derive(Debug, Default)]
pub struct Flash {
    acr: u32,
}

impl Flash {
    /// Wait states.
    #[must_use]
    pub fn latency(&self) -> u32 {
        self.acr & 7
    }

    /// True with the instruction cache and the prefetch on.
    #[must_use]
    pub fn accelerated(&self) -> bool {
        self.acr & 0x300 == 0x300
    }

    /// Warns if the core is faster than the wait states allow (RM0090, table 10, 2.7 to 3.6 V).
    pub fn check(&self, context: &mut Context) {
        let limit = 30_000_000 * (u64::from(self.latency()) + 1);
        if context.clocks.hclk > limit {
            let (hclk, latency) = (context.clocks.hclk, self.latency());
            context.log.warn(context.now, format!("FLASH: {latency} wait states are too few for {hclk} Hz"));
        }
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32) -> Result<u32, Refused> {
        match offset {
            0x00 => Ok(self.acr),
            // SR idle, CR locked, OPTCR as delivered
            0x0C => Ok(0),
            0x10 => Ok(0x8000_0000),
            0x14 => Ok(0x0FFF_AAED),
            _ => Err(no_register(offset)),
        }
    }

    /// Writes a register.
    ///
    /// # Errors
    /// If the write would program or unlock the flash memory, or there is no such register.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), Refused> {
        match offset {
            0x00 => {
                super::only(value, 0x1F07, "ACR")?;
                // The cache reset bits act only while the cache is off, and read as zero afterwards.
                self.acr = value & 0x707;
                Ok(())
            }
            0x04..=0x14 => Err("programming the flash memory is not modelled".into()),
            _ => Err(no_register(offset)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_states_and_caches_are_kept() {
        let mut flash = Flash::default();
        assert_eq!(flash.read(0), Ok(0));
        flash.write(0, 0x705).unwrap();
        assert_eq!((flash.read(0), flash.latency(), flash.accelerated()), (Ok(0x705), 5, true));
        assert!(flash.write(0x04, 0x4567_0123).is_err(), "unlocking is refused");
    }
}
