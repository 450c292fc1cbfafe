// SPDX-License-Identifier: GPL-2.0-only
//! The OTT2001A: 16-bit register addresses, coordinates big-endian with the axes swapped, 2700 steps for
//! the picture's rows and 1500 for its columns.

use super::I2cDevice;
use super::touch::{Capacitive, Finger};
use crate::peripheral::gpio::Drive;

const ADDRESS: u8 = 0x59;
const CONTROL: u16 = 0x0D00;
const POINTS: [u16; 5] = [0x0100, 0x0500, 0x1000, 0x1400, 0x1800];
const BOOT: u64 = 80_000_000;

/// The chip.
#[derive(Debug)]
pub struct Ott2001a {
    control: u8,
    fingers: Vec<Finger>,
    pointer: u16,
    pointer_bytes: u8,
    selected: bool,
    in_reset: bool,
    ready_at: u64,
    remark: Option<String>,
}

impl Ott2001a {
    /// The chip when power comes at `ns`.
    #[must_use]
    pub fn new(ns: u64) -> Self {
        Self {
            control: 0,
            fingers: Vec::new(),
            pointer: 0,
            pointer_bytes: 0,
            selected: false,
            in_reset: false,
            ready_at: ns + BOOT,
            remark: None,
        }
    }
}

impl I2cDevice for Ott2001a {
    fn start(&mut self) {
        self.selected = false;
    }

    fn address(&mut self, address: u8, read: bool, ns: u64) -> bool {
        self.selected = address == ADDRESS && !self.in_reset && ns >= self.ready_at;
        if self.selected && !read {
            self.pointer_bytes = 0;
        }
        self.selected
    }

    fn write(&mut self, byte: u8, _: u64) -> bool {
        if !self.selected {
            return false;
        }
        if self.pointer_bytes < 2 {
            self.pointer = self.pointer << 8 | u16::from(byte);
            self.pointer_bytes += 1;
        } else if self.pointer == CONTROL {
            self.control = byte;
            self.pointer += 1;
        } else {
            self.remark = Some(format!("OTT2001A: register {:04X} cannot be written", self.pointer));
            self.pointer = self.pointer.wrapping_add(1);
        }
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        let pointer = self.pointer;
        self.pointer = pointer.wrapping_add(1);
        match pointer {
            // One bit for each finger.
            0x0000 => ((1u16 << self.fingers.len()) - 1) as u8,
            CONTROL => self.control,
            _ => {
                let found = POINTS.iter().enumerate().find(|&(_, &base)| (base..base + 4).contains(&pointer));
                let Some((index, base)) = found else {
                    self.remark = Some(format!("OTT2001A: register {pointer:04X} is not modelled"));
                    return 0;
                };
                let (x, y) = self.fingers.get(index).copied().unwrap_or((0, 0));
                // Rounded up, so that scaling back to pixels gives the same pixel.
                let long = (u32::from(y) * 2700).div_ceil(800) as u16;
                let short = (u32::from(x) * 1500).div_ceil(480) as u16;
                let bytes = [long.to_be_bytes(), short.to_be_bytes()].concat();
                bytes[usize::from(pointer - base)]
            }
        }
    }

    fn stop(&mut self, _: u64) {
        self.selected = false;
    }
}

impl Capacitive for Ott2001a {
    fn lines(&mut self, reset: bool, _: bool, ns: u64) {
        if !reset {
            self.in_reset = true;
        } else if self.in_reset {
            *self = Self::new(ns);
        }
    }

    fn scan(&mut self, fingers: &[Finger], ns: u64) {
        let running = self.control & 0x80 != 0 && ns >= self.ready_at && !self.in_reset;
        self.fingers = if running { fingers.iter().take(5).copied().collect() } else { Vec::new() };
    }

    fn interrupt(&self) -> Drive {
        if self.fingers.is_empty() { Drive::PullUp } else { Drive::Low }
    }

    fn take_remark(&mut self) -> Option<String> {
        self.remark.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chip: &mut Ott2001a, register: u16, count: usize) -> Vec<u8> {
        assert!(chip.address(ADDRESS, false, BOOT));
        assert!(register.to_be_bytes().into_iter().all(|byte| chip.write(byte, BOOT)));
        assert!(chip.address(ADDRESS, true, BOOT));
        (0..count).map(|_| chip.read(BOOT)).collect()
    }

    #[test]
    fn it_reports_only_when_switched_on() {
        let mut chip = Ott2001a::new(0);
        assert!(!chip.address(ADDRESS, false, BOOT - 1));
        chip.scan(&[(240, 400)], BOOT);
        assert_eq!(read(&mut chip, 0, 1), [0]);
        assert!(chip.address(ADDRESS, false, BOOT));
        assert!([0x0D, 0x00, 0x80].into_iter().all(|byte| chip.write(byte, BOOT)));
        chip.scan(&[(240, 400), (479, 799)], BOOT);
        assert_eq!(read(&mut chip, 0, 1), [0b11]);
        // 400 of 800 is 1350 of 2700, 240 of 480 is 750 of 1500
        assert_eq!(read(&mut chip, 0x0100, 4), [0x05, 0x46, 0x02, 0xEE]);
        assert_eq!(read(&mut chip, 0x0500, 2), 2697u16.to_be_bytes());
        chip.scan(&[], BOOT);
        assert_eq!(read(&mut chip, 0, 1), [0]);
    }
}
