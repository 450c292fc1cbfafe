// SPDX-License-Identifier: GPL-2.0-only
//! The ILI9806 on a 16-bit bus: eight-bit commands, each followed by its parameters.

use super::lcd::Panel;
use crate::event::{Log, Now};

/// The controller.
#[derive(Debug, Default)]
pub struct Ili9806 {
    /// Picture memory and glass.
    pub panel: Panel,
    command: u8,
    /// Parameters written, or reads done, since the command.
    count: u32,
    unlock: Vec<u8>,
}

/// FF FF 98 06: enables the extended commands.
const UNLOCK: [u8; 3] = [0xFF, 0x98, 0x06];

impl Ili9806 {
    fn extended(&self) -> bool {
        self.unlock.starts_with(&UNLOCK)
    }

    /// RS low: a command, of which the bus's upper half is not connected to the decoder.
    pub fn command(&mut self, value: u16, now: Now, log: &mut Log) {
        self.panel.check_ready(now, log);
        self.panel.end();
        self.command = value as u8;
        self.count = 0;
        match self.command {
            0x01 => {
                self.panel.reset(now);
                self.unlock.clear();
            }
            0x10 => self.panel.sleep(true, now, log),
            0x11 => self.panel.sleep(false, now, log),
            0x20 => self.panel.invert(false),
            0x21 => self.panel.invert(true),
            0x28 => self.panel.display(false, now, log),
            0x29 => self.panel.display(true, now, log),
            0x2C | 0x3C => self.panel.start_write(now, log),
            0x2E | 0x3E => self.panel.start_read(),
            0xFF => self.unlock.clear(),
            0x00
            | 0x04
            | 0x09..=0x0F
            | 0x12
            | 0x13
            | 0x26
            | 0x2A
            | 0x2B
            | 0x34
            | 0x35
            | 0x36
            | 0x38
            | 0x39
            | 0x3A
            | 0x44
            | 0x51..=0x56
            | 0xD3
            | 0xDA..=0xDC => {}
            0xB0..=0xFE => {
                if !self.extended() {
                    log.warn(
                        now,
                        format!("ILI9806: command {:02X} while the extended commands are off", self.command),
                    );
                }
            }
            command => log.warn(now, format!("ILI9806: command {command:02X} is not modelled")),
        }
    }

    /// RS high: a parameter or a pixel.
    pub fn write(&mut self, value: u16, now: Now, log: &mut Log) {
        if self.panel.writing() {
            self.panel.write(value);
            return;
        }
        let (byte, count) = (value as u8, self.count);
        self.count += 1;
        match (self.command, count) {
            (0x2A | 0x2B, 0..=3) => {
                let half =
                    &mut self.panel.window[usize::from(self.command == 0x2B) * 2 + (count / 2) as usize];
                *half = if count % 2 == 0 {
                    *half & 0xFF | u16::from(byte) << 8
                } else {
                    *half & 0xFF00 | u16::from(byte)
                };
            }
            (0x36, 0) => self.panel.access = byte,
            (0x3A, 0) => self.panel.format = byte,
            (0xFF, _) => self.unlock.push(byte),
            (0x00 | 0x26 | 0x35 | 0x44 | 0x51..=0x56 | 0xB0..=0xFE, _) => {}
            (command, _) => log.warn(now, format!("ILI9806: command {command:02X} takes no such parameter")),
        }
    }

    /// RS high: reads the answer to the command; the first read is a dummy.
    pub fn read(&mut self, _now: Now, _log: &mut Log) -> u16 {
        if matches!(self.command, 0x2E | 0x3E) {
            return self.panel.read();
        }
        self.count += 1;
        u16::from(match (self.command, self.count) {
            (0xD3, 3) => 0x98,
            (0xD3, 4) => 0x06,
            (0x0A, 2) => 0x88 | (u8::from(self.panel.visible()) * 0x14),
            (0x0B, 2) => self.panel.access,
            (0x0C, 2) => self.panel.format,
            _ => 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identification_is_the_answer_to_d3() {
        let (mut lcd, mut log) = (Ili9806::default(), Log::default());
        lcd.command(0xD3, Now::default(), &mut log);
        let answer: Vec<u16> = (0..4).map(|_| lcd.read(Now::default(), &mut log)).collect();
        assert_eq!(answer, [0, 0, 0x98, 0x06]);
    }

    #[test]
    fn parameters_follow_their_command() {
        let (mut lcd, mut log) = (Ili9806::default(), Log::default());
        for (command, parameters) in
            [(0x3A, &[0x55][..]), (0x2A, &[0, 5, 0, 6]), (0x2B, &[1, 0, 1, 0]), (0x2C, &[0x1234, 0x5678])]
        {
            lcd.command(command, Now::default(), &mut log);
            for &parameter in parameters {
                lcd.write(parameter, Now::default(), &mut log);
            }
        }
        let frame = lcd.panel.frame();
        assert_eq!([frame.pixel(5, 256), frame.pixel(6, 256)], [Some(0x1234), Some(0x5678)]);
        assert!(log.events().is_empty());
    }

    #[test]
    fn extended_commands_need_the_unlock() {
        let (mut lcd, mut log) = (Ili9806::default(), Log::default());
        lcd.command(0xE0, Now::default(), &mut log);
        assert_eq!(log.events().len(), 1);
        lcd.command(0xFF, Now::default(), &mut log);
        [0xFF, 0x98, 0x06].into_iter().for_each(|byte| lcd.write(byte, Now::default(), &mut log));
        lcd.command(0xE1, Now::default(), &mut log);
        assert_eq!(log.events().len(), 1);
    }
}
