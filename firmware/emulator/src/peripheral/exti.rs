// SPDX-License-Identifier: GPL-2.0-only
//! External interrupts and the system configuration that routes pins to them (RM0090, sections 9 and 12).

use super::{Refused, no_register, only};

/// Both peripherals' registers.
#[derive(Debug, Default)]
pub struct Exti {
    imr: u32,
    emr: u32,
    rtsr: u32,
    ftsr: u32,
    swier: u32,
    pr: u32,
    exticr: [u32; 4],
    cmpcr: u32,
}

/// The lines of the STM32F407.
const LINES: u32 = 0x007F_FFFF;

impl Exti {
    /// The port that line `line` (0 to 15) listens to.
    fn port(&self, line: u8) -> usize {
        (self.exticr[usize::from(line / 4)] >> (4 * (line % 4)) & 0xF) as usize
    }

    /// Pins of a port changed their level. Returns true if an event wakes the core.
    pub fn pins_changed(&mut self, port: usize, changed: u16, levels: u16) -> bool {
        let mut event = false;
        for line in 0..16u8 {
            if changed >> line & 1 == 0 || self.port(line) != port {
                continue;
            }
            let trigger = if levels >> line & 1 != 0 { self.rtsr } else { self.ftsr };
            if trigger >> line & 1 != 0 {
                self.pr |= (self.imr | self.emr) & 1 << line;
                event |= self.emr >> line & 1 != 0;
            }
        }
        event
    }

    /// True if NVIC line `irq` is asked for.
    #[must_use]
    pub fn interrupt(&self, irq: u8) -> bool {
        let lines = match irq {
            6..=10 => 1 << (irq - 6),
            23 => 0x3E0,
            40 => 0xFC00,
            _ => 0,
        };
        self.pr & self.imr & lines != 0
    }

    /// Reads an EXTI register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32) -> Result<u32, Refused> {
        Ok(match offset {
            0x00 => self.imr,
            0x04 => self.emr,
            0x08 => self.rtsr,
            0x0C => self.ftsr,
            0x10 => self.swier,
            0x14 => self.pr,
            _ => return Err(no_register(offset)),
        })
    }

    /// Writes an EXTI register.
    ///
    /// # Errors
    /// If there is no such register or line.
    pub fn write(&mut self, offset: u32, value: u32) -> Result<(), Refused> {
        only(value, LINES, "EXTI")?;
        match offset {
            0x00 => self.imr = value,
            0x04 => self.emr = value,
            0x08 => self.rtsr = value,
            0x0C => self.ftsr = value,
            0x10 => {
                self.pr |= value & !self.swier & self.imr;
                self.swier = value;
            }
            0x14 => {
                self.pr &= !value;
                self.swier &= !value;
            }
            _ => return Err(no_register(offset)),
        }
        Ok(())
    }

    /// Reads a SYSCFG register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read_syscfg(&self, offset: u32) -> Result<u32, Refused> {
        Ok(match offset {
            0x00 | 0x04 => 0,
            0x08..=0x14 => self.exticr[(offset as usize - 8) / 4],
            0x20 => self.cmpcr | (self.cmpcr & 1) << 8,
            _ => return Err(no_register(offset)),
        })
    }

    /// Writes a SYSCFG register.
    ///
    /// # Errors
    /// If the memory is to be remapped, or there is no such register.
    pub fn write_syscfg(&mut self, offset: u32, value: u32) -> Result<(), Refused> {
        match offset {
            0x00 | 0x04 => only(value, 0, "SYSCFG remapping"),
            0x08..=0x14 => {
                self.exticr[(offset as usize - 8) / 4] = value & 0xFFFF;
                Ok(())
            }
            0x20 => {
                self.cmpcr = value & 1;
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
    fn a_routed_edge_pends_its_interrupt() {
        let mut exti = Exti::default();
        // line 4 to port E, falling edge
        exti.write_syscfg(0x0C, 4).unwrap();
        exti.write(0x0C, 1 << 4).unwrap();
        exti.write(0x00, 1 << 4).unwrap();
        exti.pins_changed(3, 1 << 4, 0);
        assert!(!exti.interrupt(10), "another port");
        exti.pins_changed(4, 1 << 4, 1 << 4);
        assert!(!exti.interrupt(10), "the wrong edge");
        exti.pins_changed(4, 1 << 4, 0);
        assert!(exti.interrupt(10));
        exti.write(0x14, 1 << 4).unwrap();
        assert!(!exti.interrupt(10), "cleared by writing one");
    }

    #[test]
    fn software_can_pend_a_line() {
        let mut exti = Exti::default();
        exti.write(0x00, 1 << 12).unwrap();
        exti.write(0x10, 1 << 12).unwrap();
        assert!(exti.interrupt(40));
    }
}
