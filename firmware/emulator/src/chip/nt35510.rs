// SPDX-License-Identifier: GPL-2.0-only
//! The NT35510 on a 16-bit bus: every parameter has a register address of its own.

use std::collections::HashMap;

use super::lcd::Panel;
use crate::event::{Log, Now};

/// The controller.
#[derive(Debug, Default)]
pub struct Nt35510 {
    /// Picture memory and glass.
    pub panel: Panel,
    address: u16,
    /// How much of the unlock sequence F000 to F003 (55 AA 52 08) was right.
    unlocked: [bool; 4],
    page: u8,
    registers: HashMap<(u8, u16), u8>,
}

/// 55 AA 52 08: enables the manufacturer's command set, of which F004 then selects the page.
const UNLOCK: [u8; 4] = [0x55, 0xAA, 0x52, 0x08];

impl Nt35510 {
    fn page_open(&self) -> bool {
        self.unlocked == [true; 4]
    }

    /// RS low: a register's address.
    pub fn command(&mut self, address: u16, now: Now, log: &mut Log) {
        self.panel.check_ready(now, log);
        self.panel.end();
        self.address = address;
        match address {
            // The upper byte is the command, and 00 does nothing: so end probes for eight-bit controllers.
            0x0000..=0x00FF | 0x1200 | 0x1300 | 0x3400 | 0x3800 | 0x3900 => {}
            0x0100 => {
                let panel = std::mem::take(&mut self.panel);
                *self = Self { panel, ..Self::default() };
                self.panel.reset(now);
            }
            0x1000 => self.panel.sleep(true, now, log),
            0x1100 => self.panel.sleep(false, now, log),
            0x2000 => self.panel.invert(false),
            0x2100 => self.panel.invert(true),
            0x2800 => self.panel.display(false, now, log),
            0x2900 => self.panel.display(true, now, log),
            0x2C00 => self.panel.start_write(now, log),
            0x2E00 => self.panel.start_read(),
            // Registers with a parameter, and those that can be read.
            0x0400..=0x0402
            | 0x0A00
            | 0x0B00
            | 0x0C00
            | 0x0D00
            | 0x0E00
            | 0x0F00
            | 0x2600
            | 0x2A00..=0x2A03
            | 0x2B00..=0x2B03
            | 0x3500
            | 0x3600
            | 0x3A00
            | 0x4400
            | 0x4401
            | 0x5100
            | 0x5200
            | 0x5300
            | 0x5400
            | 0x5500
            | 0x5600
            | 0x5E00
            | 0x6F00
            | 0xDA00
            | 0xDB00
            | 0xDC00
            | 0xF000..=0xF004
            | 0xFF00..=0xFF03 => {}
            0xB000..=0xEFFF if address & 0xFF <= 0x40 => {
                if !self.page_open() {
                    log.warn(now, format!("NT35510: register {address:04X} while the page is locked"));
                } else if !matches!(self.page, 0 | 1) {
                    log.warn(now, format!("NT35510: page {} is not modelled", self.page));
                }
            }
            _ => log.warn(now, format!("NT35510: register {address:04X} is not modelled")),
        }
    }

    /// RS high: a parameter or a pixel.
    pub fn write(&mut self, value: u16, now: Now, log: &mut Log) {
        if self.panel.writing() {
            self.panel.write(value);
            return;
        }
        let byte = value as u8;
        match self.address {
            0x2A00..=0x2B03 => {
                let part = usize::from(self.address & 3);
                let half = &mut self.panel.window[usize::from(self.address >> 8 == 0x2B) * 2 + part / 2];
                *half = if part % 2 == 0 {
                    *half & 0xFF | u16::from(byte) << 8
                } else {
                    *half & 0xFF00 | u16::from(byte)
                };
            }
            0x3600 => self.panel.access = byte,
            0x3A00 => self.panel.format = byte,
            0xF000..=0xF003 => {
                let part = usize::from(self.address & 3);
                self.unlocked[part] = UNLOCK[part] == byte;
            }
            0xF004 => self.page = byte,
            0xB000..=0xEFFF => {
                if self.page_open() {
                    self.registers.insert((self.page, self.address), byte);
                }
            }
            0x2600
            | 0x3500
            | 0x4400
            | 0x4401
            | 0x5100
            | 0x5300
            | 0x5500
            | 0x5E00
            | 0x6F00
            | 0xFF00..=0xFF03 => {
                self.registers.insert((0xFF, self.address), byte);
            }
            0x0000..=0x00FF => {}
            address => log.warn(now, format!("NT35510: register {address:04X} takes no parameter")),
        }
    }

    /// RS high: reads a register or the memory.
    pub fn read(&mut self, now: Now, log: &mut Log) -> u16 {
        let visible = self.panel.visible();
        u16::from(match self.address {
            0x2E00 => return self.panel.read(),
            0x0000..=0x00FF => 0,
            0x0400 | 0xDA00 => 0x00,
            0x0401 | 0xDB00 => 0x80,
            0x0402 | 0xDC00 => 0x00,
            0x0A00 => 0x88 | u8::from(visible) << 2 | u8::from(visible) << 4,
            0x0B00 => self.panel.access,
            0x0C00 => self.panel.format,
            0x0D00 | 0x0E00 | 0x0F00 => 0,
            0x5200 => self.registers.get(&(0xFF, 0x5100)).copied().unwrap_or(0),
            0x5400 => self.registers.get(&(0xFF, 0x5300)).copied().unwrap_or(0),
            // The identification in page 1.
            0xC500 if self.page_open() && self.page == 1 => 0x55,
            0xC501 if self.page_open() && self.page == 1 => 0x10,
            address @ 0xB000..=0xEFFF if self.page_open() => {
                self.registers.get(&(self.page, address)).copied().unwrap_or(0)
            }
            address => {
                log.warn(now, format!("NT35510: register {address:04X} cannot be read"));
                0
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bus(Nt35510, Log);

    impl Bus {
        fn set(&mut self, address: u16, value: u16) {
            self.0.command(address, Now::default(), &mut self.1);
            self.0.write(value, Now::default(), &mut self.1);
        }

        fn get(&mut self, address: u16) -> u16 {
            self.0.command(address, Now::default(), &mut self.1);
            self.0.read(Now::default(), &mut self.1)
        }
    }

    fn bus() -> Bus {
        Bus(Nt35510::default(), Log::default())
    }

    #[test]
    fn the_identification_is_read_both_ways() {
        let mut bus = bus();
        assert_eq!([bus.get(0xDA00), bus.get(0xDB00), bus.get(0xDC00)], [0x00, 0x80, 0x00]);
        assert_eq!(bus.get(0xC500), 0, "locked");
        for (address, value) in [(0xF000, 0x55), (0xF001, 0xAA), (0xF002, 0x52), (0xF003, 0x08), (0xF004, 1)]
        {
            bus.set(address, value);
        }
        assert_eq!([bus.get(0xC500), bus.get(0xC501)], [0x55, 0x10]);
    }

    #[test]
    fn a_window_is_set_byte_by_byte() {
        let mut bus = bus();
        for (address, value) in [
            (0x3A00, 0x55),
            (0x2A00, 1),
            (0x2A01, 0x10),
            (0x2A02, 1),
            (0x2A03, 0x11),
            (0x2B00, 3),
            (0x2B01, 0x1F),
            (0x2B02, 3),
            (0x2B03, 0x1F),
        ] {
            bus.set(address, value);
        }
        bus.set(0x2C00, 0xABCD);
        assert_eq!(bus.0.panel.frame().pixel(0x110, 799), Some(0xABCD));
        assert!(bus.1.events().is_empty(), "{:?}", bus.1.events());
    }

    #[test]
    fn what_is_not_modelled_is_warned_of() {
        let mut bus = bus();
        bus.set(0x7700, 1);
        assert!(!bus.1.events().is_empty());
    }

    #[test]
    fn locked_pages_ignore_writes() {
        let mut bus = bus();
        bus.set(0xB600, 5);
        assert!(bus.0.registers.is_empty());
        assert_eq!(bus.1.events().len(), 1);
    }
}
