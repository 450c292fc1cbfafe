// SPDX-License-Identifier: GPL-2.0-only
//! The static memory controller's bank 1 (RM0090, section 36): configuration and bus timing.

use super::{Refused, no_register};

const RESET_BTR: u32 = 0x0FFF_FFFF;

/// How long an access keeps the bus, in HCLK cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// A read.
    pub read: u64,
    /// A write.
    pub write: u64,
}

/// The registers.
#[derive(Debug)]
pub struct Fsmc {
    bcr: [u32; 4],
    btr: [u32; 4],
    bwtr: [u32; 4],
    /// When the bus is free again, in core cycles.
    free_at: u64,
}

impl Default for Fsmc {
    fn default() -> Self {
        Self { bcr: [0x30DB, 0x30D2, 0x30D2, 0x30D2], btr: [RESET_BTR; 4], bwtr: [RESET_BTR; 4], free_at: 0 }
    }
}

impl Fsmc {
    /// Checks that sub-bank `bank` (0 to 3) is set up as an asynchronous 16-bit memory, and gives its timing.
    ///
    /// # Errors
    /// If the sub-bank is off or set up in a way that is not modelled.
    pub fn timing(&self, bank: usize) -> Result<Timing, Refused> {
        let bcr = self.bcr[bank];
        if bcr & 1 == 0 {
            return Err(Refused(format!("FSMC sub-bank {} is not enabled", bank + 1)));
        }
        if bcr & 0x30 != 0x10 {
            return Err(Refused(format!("FSMC sub-bank {}: only a 16-bit bus is modelled", bank + 1)));
        }
        if bcr & 1 << 1 != 0 {
            return Err(Refused(format!("FSMC sub-bank {}: a multiplexed bus is not modelled", bank + 1)));
        }
        let btr = self.btr[bank];
        let bwtr = if bcr & 1 << 14 != 0 { self.bwtr[bank] } else { btr };
        let part = |register: u32| (u64::from(register & 0xF), u64::from(register >> 8 & 0xFF).max(1));
        let turn = u64::from(btr >> 16 & 0xF);
        let ((read_set, read_data), (write_set, write_data)) = (part(btr), part(bwtr));
        // Mode A, figures 440 and 441: a read lasts ADDSET + DATAST, a write ADDSET + DATAST + 1;
        // two cycles more latch the data of a read.
        Ok(Timing { read: read_set + read_data + 2 + turn, write: write_set + write_data + 1 })
    }

    /// True if writes to sub-bank `bank` are enabled.
    #[must_use]
    pub fn writable(&self, bank: usize) -> bool {
        self.bcr[bank] >> 12 & 1 != 0
    }

    /// One write at core cycle `now`: the cycles that the core has to wait. The write buffer takes
    /// two accesses, so only the third in a row waits for the bus.
    pub fn write_stall(&mut self, timing: Timing, now: u64) -> u64 {
        let stall = self.free_at.saturating_sub(now + 2 * timing.write);
        self.free_at = self.free_at.max(now + stall) + timing.write;
        stall
    }

    /// One read at core cycle `now`: the cycles that the core has to wait.
    pub fn read_stall(&mut self, timing: Timing, now: u64) -> u64 {
        self.free_at = self.free_at.max(now) + timing.read;
        self.free_at - now
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32) -> Result<u32, Refused> {
        let bank = (offset as usize % 0x20) / 8;
        match offset {
            0x00..=0x1C if offset.is_multiple_of(8) => Ok(self.bcr[bank]),
            0x00..=0x1C => Ok(self.btr[bank]),
            0x104 | 0x10C | 0x114 | 0x11C => Ok(self.bwtr[bank]),
            _ => Err(no_register(offset)),
        }
    }

    /// Writes a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), Refused> {
        let bank = (offset as usize % 0x20) / 8;
        match offset {
            0x00..=0x1C if offset.is_multiple_of(8) => self.bcr[bank] = value,
            0x00..=0x1C => self.btr[bank] = value,
            0x104 | 0x10C | 0x114 | 0x11C => self.bwtr[bank] = value,
            _ => return Err(no_register(offset)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lcd_timing_of_the_board_makes_a_pixel_in_36_ns() {
        let mut fsmc = Fsmc::default();
        assert!(fsmc.timing(3).is_err(), "off after a reset");
        // extended mode, writes enabled, 16 bit, SRAM, on; writes 3 / 2
        fsmc.write(0x18, 1 << 14 | 1 << 12 | 0x10 | 1).unwrap();
        fsmc.write(0x1C, 15 | 60 << 8).unwrap();
        fsmc.write(0x11C, 3 | 2 << 8).unwrap();
        let timing = fsmc.timing(3).unwrap();
        assert_eq!(timing, Timing { read: 77, write: 6 });
        let start = 1000;
        let mut now = start;
        for _ in 0..1000 {
            now += fsmc.write_stall(timing, now);
        }
        // All but the one on the bus and the two in the buffer are out: 6 cycles each, 35.7 ns at 168 MHz.
        assert_eq!(now - start, 6 * 997);
    }
}
