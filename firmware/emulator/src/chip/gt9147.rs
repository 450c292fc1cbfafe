// SPDX-License-Identifier: GPL-2.0-only
//! The Goodix touch controllers GT911, GT9147, GT1158 and GT9271, as far as they are alike.
//!
//! RST low for 100 us starts the chip over. The level of INT at the rise of RST selects the address:
//! high 0x14, low 0x5D. 50 ms later the chip answers. Registers have 16-bit addresses:
//! 8040 command, 8047 configuration (checksum at 80FF, take-over at 8100), 8140 product ID,
//! 814E status (bit 7 data ready, low bits the number of fingers), 814F points of eight bytes.
//! A finished scan is shown only after the program has written 0 to the status.

use super::I2cDevice;
use super::touch::{Capacitive, Finger};
use crate::peripheral::gpio::Drive;

const RESET_PULSE: u64 = 100_000;
const BOOT: u64 = 50_000_000;
/// How long INT signals a report, in nanoseconds.
const SIGNAL: u64 = 1_000_000;

const COMMAND: u16 = 0x8040;
const CONFIG: u16 = 0x8047;
const CHECKSUM: u16 = 0x80FF;
const FRESH: u16 = 0x8100;
const PRODUCT: u16 = 0x8140;
const STATUS: u16 = 0x814E;
const POINTS: u16 = 0x814F;

/// The chip.
#[derive(Debug)]
pub struct Gt9147 {
    /// Registers from 8000 to 81FF.
    registers: Vec<u8>,
    accepted: Vec<u8>,
    product: String,
    address: u8,
    pointer: u16,
    pointer_bytes: u8,
    selected: bool,
    reset_low_since: Option<u64>,
    ready_at: Option<u64>,
    interrupt_until: u64,
    now: u64,
    touched: bool,
    remark: Option<String>,
}

impl Gt9147 {
    /// A chip with this product ID text and configuration version, when power comes at `ns`.
    #[must_use]
    pub fn new(product: &str, version: u8, ns: u64) -> Self {
        let mut registers = vec![0; 0x200];
        let mut put = |address: u16, bytes: &[u8]| {
            registers[usize::from(address - 0x8000)..][..bytes.len()].copy_from_slice(bytes);
        };
        // Version, 480 columns, 800 rows, 5 points, INT rising.
        put(CONFIG, &[version, 0xE0, 0x01, 0x20, 0x03, 5, 0x3C]);
        put(0x8144, &[0x60, 0x10]);
        put(0x8146, &[0xE0, 0x01, 0x20, 0x03]);
        let mut id = [0; 4];
        id.iter_mut().zip(product.bytes()).for_each(|(to, from)| *to = from);
        put(PRODUCT, &id);
        let accepted = registers[0x47..0x100].to_vec();
        Self {
            registers,
            accepted,
            product: product.to_owned(),
            address: 0x5D,
            pointer: 0,
            pointer_bytes: 0,
            selected: false,
            reset_low_since: None,
            ready_at: Some(ns + BOOT),
            interrupt_until: 0,
            now: ns,
            touched: false,
            remark: None,
        }
    }

    fn register(&mut self, address: u16) -> Option<&mut u8> {
        self.registers.get_mut(usize::from(address.checked_sub(0x8000)?))
    }

    fn ready(&self, ns: u64) -> bool {
        self.reset_low_since.is_none() && self.ready_at.is_some_and(|at| ns >= at)
    }

    /// Takes over a configuration whose checksum is right (GT911 programming guide: the two's complement
    /// of the sum), if its version is not lower than that of the chip.
    fn accept_config(&mut self) {
        let config = &self.registers[usize::from(CONFIG - 0x8000)..usize::from(CHECKSUM - 0x8000)];
        let sum = config.iter().fold(0u8, |sum, &byte| sum.wrapping_add(byte));
        let stored = self.registers[usize::from(CHECKSUM - 0x8000)];
        if sum.wrapping_add(stored) != 0 {
            self.remark = Some("GT: a configuration with a wrong checksum".into());
        } else if config[0] < self.accepted[0] {
            self.remark = Some("GT: a configuration with an older version".into());
        } else {
            self.accepted = self.registers[0x47..0x100].to_vec();
        }
    }
}

impl I2cDevice for Gt9147 {
    fn start(&mut self) {
        self.selected = false;
    }

    fn address(&mut self, address: u8, read: bool, ns: u64) -> bool {
        self.selected = self.ready(ns) && address == self.address;
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
            return true;
        }
        let pointer = self.pointer;
        match pointer {
            COMMAND..=0x8046 | CONFIG..=CHECKSUM | STATUS => {
                if let Some(register) = self.register(pointer) {
                    *register = byte;
                }
            }
            FRESH if byte == 1 => self.accept_config(),
            FRESH => {}
            _ => self.remark = Some(format!("GT: register {pointer:04X} cannot be written")),
        }
        self.pointer = pointer.wrapping_add(1);
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        let pointer = self.pointer;
        self.pointer = pointer.wrapping_add(1);
        match self.register(pointer) {
            Some(register) => *register,
            None => {
                self.remark = Some(format!("GT: register {pointer:04X} does not exist"));
                0
            }
        }
    }

    fn stop(&mut self, _: u64) {
        self.selected = false;
    }
}

impl Capacitive for Gt9147 {
    fn lines(&mut self, reset: bool, interrupt: bool, ns: u64) {
        self.now = ns;
        match (self.reset_low_since, reset) {
            (None, false) => self.reset_low_since = Some(ns),
            (Some(since), true) => {
                self.reset_low_since = None;
                if ns >= since + RESET_PULSE {
                    let version = self.accepted[0];
                    let accepted = self.accepted.clone();
                    *self = Self::new(&self.product.clone(), version, ns);
                    self.registers[0x47..0x100].copy_from_slice(&accepted);
                    self.accepted = accepted;
                    self.address = if interrupt { 0x14 } else { 0x5D };
                }
            }
            _ => {}
        }
    }

    fn scan(&mut self, fingers: &[Finger], ns: u64) {
        self.now = ns;
        let running = self.registers[usize::from(COMMAND - 0x8000)] == 0;
        let status = usize::from(STATUS - 0x8000);
        if !self.ready(ns) || !running || self.registers[status] & 0x80 != 0 {
            return;
        }
        if fingers.is_empty() && !self.touched {
            return;
        }
        let limit = usize::from(self.accepted[5] & 0xF).clamp(1, 5);
        let count = fingers.len().min(limit);
        let columns = u32::from(u16::from_le_bytes([self.accepted[1], self.accepted[2]]));
        let rows = u32::from(u16::from_le_bytes([self.accepted[3], self.accepted[4]]));
        for (index, &(x, y)) in fingers.iter().take(count).enumerate() {
            let x = (u32::from(x) * columns / 480) as u16;
            let y = (u32::from(y) * rows / 800) as u16;
            let point = &mut self.registers[usize::from(POINTS - 0x8000) + 8 * index..][..8];
            point[0] = index as u8;
            point[1..3].copy_from_slice(&x.to_le_bytes());
            point[3..5].copy_from_slice(&y.to_le_bytes());
            point[5..7].copy_from_slice(&24u16.to_le_bytes());
        }
        self.registers[status] = 0x80 | count as u8;
        self.touched = count > 0;
        self.interrupt_until = ns + SIGNAL;
    }

    fn interrupt(&self) -> Drive {
        if !self.ready(self.now) {
            return Drive::Float;
        }
        // Bits 1 and 0 of 804D: rising, falling, low, high.
        let active = self.now < self.interrupt_until;
        let idle_high = matches!(self.accepted[6] & 3, 1 | 2);
        if active != idle_high { Drive::High } else { Drive::Low }
    }

    fn take_remark(&mut self) -> Option<String> {
        self.remark.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: u64 = 100_000_000;

    fn started(interrupt: bool) -> Gt9147 {
        let mut chip = Gt9147::new("9147", 0x41, 0);
        chip.lines(false, interrupt, 0);
        chip.lines(true, interrupt, 10_000_000);
        chip
    }

    fn read(chip: &mut Gt9147, register: u16, count: usize) -> Option<Vec<u8>> {
        chip.start();
        if !chip.address(0x14, false, LATER) {
            return None;
        }
        assert!(register.to_be_bytes().into_iter().all(|byte| chip.write(byte, LATER)));
        chip.start();
        assert!(chip.address(0x14, true, LATER));
        Some((0..count).map(|_| chip.read(LATER)).collect())
    }

    fn write(chip: &mut Gt9147, register: u16, bytes: &[u8]) {
        chip.start();
        assert!(chip.address(0x14, false, LATER));
        assert!(register.to_be_bytes().into_iter().all(|byte| chip.write(byte, LATER)));
        for &byte in bytes {
            chip.write(byte, LATER);
        }
        chip.stop(LATER);
    }

    #[test]
    fn the_level_of_int_at_reset_selects_the_address() {
        let mut chip = started(true);
        assert!(!chip.address(0x14, false, 30_000_000), "it is still starting");
        assert_eq!(read(&mut chip, PRODUCT, 4), Some(b"9147".to_vec()));
        assert_eq!(read(&mut started(false), PRODUCT, 4), None);
        assert!(started(false).address(0x5D, false, LATER));
    }

    #[test]
    fn a_report_waits_until_the_last_one_was_taken() {
        let mut chip = started(true);
        chip.scan(&[(100, 700)], LATER);
        assert_eq!(read(&mut chip, STATUS, 6), Some(vec![0x81, 0, 100, 0, 0xBC, 2]));
        chip.scan(&[(101, 700)], LATER);
        assert_eq!(read(&mut chip, STATUS + 2, 1), Some(vec![100]), "not taken yet");
        write(&mut chip, STATUS, &[0]);
        assert_eq!(read(&mut chip, STATUS, 1), Some(vec![0]), "and no release either");
        chip.scan(&[], LATER);
        assert_eq!(read(&mut chip, STATUS, 1), Some(vec![0x80]), "the release");
        write(&mut chip, STATUS, &[0]);
        chip.scan(&[], LATER);
        assert_eq!(read(&mut chip, STATUS, 1), Some(vec![0]));
    }

    #[test]
    fn a_configuration_needs_its_checksum() {
        let mut chip = started(true);
        let mut config = vec![0; 184];
        config[..6].copy_from_slice(&[0x60, 0xC0, 0x03, 0x20, 0x03, 5]);
        let sum = config.iter().fold(0u8, |sum, &byte| sum.wrapping_add(byte));
        config.extend([sum.wrapping_neg().wrapping_add(1), 1]);
        write(&mut chip, CONFIG, &config);
        assert!(chip.take_remark().is_some());
        config[184] = sum.wrapping_neg();
        write(&mut chip, CONFIG, &config);
        assert!(chip.take_remark().is_none());
        chip.scan(&[(100, 0)], LATER);
        assert_eq!(read(&mut chip, POINTS + 1, 2), Some(vec![200, 0]), "960 columns now");
    }

    #[test]
    fn a_stopped_chip_reports_nothing() {
        let mut chip = started(true);
        write(&mut chip, COMMAND, &[2]);
        chip.scan(&[(1, 1)], LATER);
        assert_eq!(read(&mut chip, STATUS, 1), Some(vec![0]));
        write(&mut chip, COMMAND, &[0]);
        chip.scan(&[(1, 1)], LATER);
        assert_eq!(read(&mut chip, STATUS, 1), Some(vec![0x81]));
    }
}
