// SPDX-License-Identifier: GPL-2.0-only
//! The memory protection unit (ARMv7-M, B3.5), for privileged code: eight regions.

/// The registers.
#[derive(Debug, Default)]
pub struct Mpu {
    ctrl: u32,
    rnr: u32,
    regions: [(u32, u32); 8],
}

/// Memory that an enabled region forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// First address.
    pub start: u32,
    /// Last address.
    pub end: u32,
    /// True if reading is forbidden as well as writing.
    pub reads: bool,
}

impl Mpu {
    /// The ranges that privileged code may not write (or read), where no region of a higher number allows it.
    #[must_use]
    pub fn guards(&self) -> Vec<Guard> {
        if self.ctrl & 1 == 0 {
            return Vec::new();
        }
        let mut guards = Vec::new();
        for (index, &(base, attributes)) in self.regions.iter().enumerate() {
            let reads = match attributes >> 24 & 7 {
                0 => true,
                5..=7 => false,
                _ => continue,
            };
            let size_bits = (attributes >> 1 & 0x1F) + 1;
            if attributes & 1 == 0 || size_bits < 5 {
                continue;
            }
            let base = (u64::from(base) >> size_bits) << size_bits;
            let eighth = size_bits.saturating_sub(3);
            // Regions of 256 bytes and more have eight parts that can be switched off.
            let parts = if size_bits >= 8 { 8 } else { 1 };
            let length = if parts == 8 { 1u64 << eighth } else { 1u64 << size_bits };
            for part in 0..parts {
                if parts == 8 && attributes >> (8 + part) & 1 != 0 {
                    continue;
                }
                let start = base + part * length;
                let end = start + length - 1;
                let allowed = self.regions[index + 1..].iter().any(|&(other, attributes)| {
                    let bits = (attributes >> 1 & 0x1F) + 1;
                    let other = (u64::from(other) >> bits) << bits;
                    attributes & 1 != 0 && other <= start && end < other + (1u64 << bits)
                });
                if !allowed {
                    guards.push(Guard { start: start as u32, end: end as u32, reads });
                }
            }
        }
        guards
    }

    /// Reads a register by its offset from E000ED90.
    #[must_use]
    pub fn read(&self, offset: u32) -> Option<u32> {
        let (base, attributes) = self.regions[self.rnr as usize & 7];
        Some(match offset {
            0x00 => 8 << 8,
            0x04 => self.ctrl,
            0x08 => self.rnr,
            0x0C | 0x14 | 0x1C | 0x24 => base | self.rnr & 7,
            0x10 | 0x18 | 0x20 | 0x28 => attributes,
            _ => return None,
        })
    }

    /// Writes a register. Returns false if there is no such register.
    pub fn write(&mut self, offset: u32, value: u32) -> bool {
        match offset {
            0x04 => self.ctrl = value & 7,
            0x08 => self.rnr = value & 7,
            0x0C | 0x14 | 0x1C | 0x24 => {
                // VALID selects the region in the same write.
                if value & 0x10 != 0 {
                    self.rnr = value & 7;
                }
                self.regions[self.rnr as usize & 7].0 = value & !0x1F;
            }
            0x10 | 0x18 | 0x20 | 0x28 => self.regions[self.rnr as usize & 7].1 = value & 0x173F_FF3F,
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_region_without_access_is_a_guard() {
        let mut mpu = Mpu::default();
        mpu.write(0x0C, 0x2000_0100 | 0x10 | 3);
        mpu.write(0x10, 4 << 1 | 1);
        assert!(mpu.guards().is_empty(), "the unit is off");
        mpu.write(0x04, 5);
        assert_eq!(mpu.guards(), [Guard { start: 0x2000_0100, end: 0x2000_011F, reads: true }]);
    }

    #[test]
    fn eighths_can_be_switched_off() {
        let mut mpu = Mpu::default();
        mpu.write(0x08, 0);
        mpu.write(0x0C, 0x2000_0000);
        mpu.write(0x10, 6 << 24 | 0xFE << 8 | 9 << 1 | 1);
        mpu.write(0x04, 1);
        assert_eq!(mpu.guards(), [Guard { start: 0x2000_0000, end: 0x2000_007F, reads: false }]);
    }
}
