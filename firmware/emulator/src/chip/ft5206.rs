// SPDX-License-Identifier: GPL-2.0-only
//! The FT5206: eight-bit register addresses, four bytes a point, the upper two bits of the first being the
//! event (2: contact). On the board's module its columns run from right to left: public drivers for the
//! portrait picture compute 480 - x.

use super::I2cDevice;
use super::touch::{Capacitive, Finger};
use crate::peripheral::gpio::Drive;

const ADDRESS: u8 = 0x38;
const POINTS: [u8; 5] = [0x03, 0x09, 0x0F, 0x15, 0x1B];
const BOOT: u64 = 40_000_000;

/// The chip.
#[derive(Debug)]
pub struct Ft5206 {
    registers: [u8; 256],
    fingers: usize,
    pointer: u8,
    expects_pointer: bool,
    selected: bool,
    in_reset: bool,
    ready_at: u64,
    remark: Option<String>,
}

impl Ft5206 {
    /// The chip when power comes at `ns`.
    #[must_use]
    pub fn new(ns: u64) -> Self {
        let mut registers = [0; 256];
        registers[0x80] = 0x46;
        registers[0x88] = 0x08;
        // Library version 3003, chip 54, factory mode 0, firmware 1, vendor 79.
        registers[0xA1..0xA4].copy_from_slice(&[0x30, 0x03, 0x54]);
        registers[0xA6] = 1;
        registers[0xA8] = 0x79;
        for point in POINTS {
            registers[usize::from(point)..][..4].fill(0xFF);
        }
        Self {
            registers,
            fingers: 0,
            pointer: 0,
            expects_pointer: false,
            selected: false,
            in_reset: false,
            ready_at: ns + BOOT,
            remark: None,
        }
    }
}

impl I2cDevice for Ft5206 {
    fn start(&mut self) {
        self.selected = false;
    }

    fn address(&mut self, address: u8, read: bool, ns: u64) -> bool {
        self.selected = address == ADDRESS && !self.in_reset && ns >= self.ready_at;
        self.expects_pointer = !read;
        self.selected
    }

    fn write(&mut self, byte: u8, _: u64) -> bool {
        if !self.selected {
            return false;
        }
        if std::mem::take(&mut self.expects_pointer) {
            self.pointer = byte;
        } else {
            match self.pointer {
                0x00 | 0x80..=0x89 | 0xA4 | 0xA5 => self.registers[usize::from(self.pointer)] = byte,
                pointer => self.remark = Some(format!("FT5206: register {pointer:02X} cannot be written")),
            }
            self.pointer = self.pointer.wrapping_add(1);
        }
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        let byte = self.registers[usize::from(self.pointer)];
        self.pointer = self.pointer.wrapping_add(1);
        byte
    }

    fn stop(&mut self, _: u64) {
        self.selected = false;
    }
}

impl Capacitive for Ft5206 {
    fn lines(&mut self, reset: bool, _: bool, ns: u64) {
        if !reset {
            self.in_reset = true;
        } else if self.in_reset {
            *self = Self::new(ns);
        }
    }

    fn scan(&mut self, fingers: &[Finger], ns: u64) {
        if ns < self.ready_at || self.in_reset {
            return;
        }
        for (index, point) in POINTS.into_iter().enumerate() {
            let bytes = match fingers.get(index) {
                Some(&(x, y)) => {
                    let [high_x, low_x] = (480 - x).to_be_bytes();
                    let [high_y, low_y] = y.to_be_bytes();
                    [0x80 | high_x, low_x, (index as u8) << 4 | high_y, low_y]
                }
                // The last place of a lifted finger stays, with the event "up".
                None if index < self.fingers => {
                    let old = &self.registers[usize::from(point)..];
                    [0x40 | old[0] & 0xF, old[1], old[2], old[3]]
                }
                None => continue,
            };
            self.registers[usize::from(point)..][..4].copy_from_slice(&bytes);
        }
        self.fingers = fingers.len().min(5);
        self.registers[0x02] = self.fingers as u8;
    }

    fn interrupt(&self) -> Drive {
        if self.fingers == 0 { Drive::PullUp } else { Drive::Low }
    }

    fn take_remark(&mut self) -> Option<String> {
        self.remark.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chip: &mut Ft5206, register: u8, count: usize) -> Vec<u8> {
        assert!(chip.address(ADDRESS, false, BOOT) && chip.write(register, BOOT));
        assert!(chip.address(ADDRESS, true, BOOT));
        (0..count).map(|_| chip.read(BOOT)).collect()
    }

    #[test]
    fn points_carry_event_and_place() {
        let mut chip = Ft5206::new(0);
        assert_eq!(read(&mut chip, 0xA1, 2), [0x30, 0x03]);
        chip.scan(&[(80, 700)], BOOT);
        assert_eq!(read(&mut chip, 0x02, 5), [1, 0x81, 0x90, 0x02, 0xBC]);
        chip.scan(&[], BOOT);
        assert_eq!(read(&mut chip, 0x02, 2), [0, 0x41]);
    }

    #[test]
    fn a_reset_takes_time() {
        let mut chip = Ft5206::new(0);
        chip.lines(false, true, BOOT);
        assert!(!chip.address(ADDRESS, false, 2 * BOOT));
        chip.lines(true, true, 2 * BOOT);
        assert!(!chip.address(ADDRESS, false, 3 * BOOT - 1));
        assert!(chip.address(ADDRESS, false, 3 * BOOT));
    }
}
