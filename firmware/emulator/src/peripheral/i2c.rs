// SPDX-License-Identifier: GPL-2.0-only
//! I2C1 as a master (RM0090, section 27). Slave mode, SMBus, DMA and 10-bit addresses are not modelled.
//!
//! The wire is not simulated bit by bit here: each step (start, a byte, stop) takes the time that CCR
//! asks for, and the device on the bus is then asked for its answer.

use super::{Refused, no_register, only};
use crate::chip::I2cDevice;
use crate::event::Now;

const PE: u32 = 1;
const START: u32 = 1 << 8;
const STOP: u32 = 1 << 9;
const ACK: u32 = 1 << 10;
const POS: u32 = 1 << 11;
const SWRST: u32 = 1 << 15;

const SB: u32 = 1;
const ADDR: u32 = 1 << 1;
const BTF: u32 = 1 << 2;
const RXNE: u32 = 1 << 6;
const TXE: u32 = 1 << 7;
const BERR: u32 = 1 << 8;
const ARLO: u32 = 1 << 9;
const AF: u32 = 1 << 10;
const OVR: u32 = 1 << 11;
const ERRORS: u32 = BERR | ARLO | AF | OVR;

const MSL: u32 = 1;
const BUSY: u32 = 1 << 1;
const TRA: u32 = 1 << 2;

/// What is on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Start,
    Address(u8),
    Send(u8),
    Receive,
    Stop,
}

/// The registers.
#[derive(Debug, Default)]
pub struct I2c {
    cr1: u32,
    cr2: u32,
    oar1: u32,
    ccr: u32,
    trise: u32,
    fltr: u32,
    sr1: u32,
    master: bool,
    transmitter: bool,
    on_bus: bool,
    step: Option<(Step, u64)>,
    data: Option<u8>,
    shifted_in: Option<u8>,
    acknowledged: bool,
    /// Flags of SR1 that the program has read since they were set.
    seen: u32,
    /// SDA or SCL is held low by someone else.
    pub line_low: bool,
}

impl I2c {
    /// Core cycles of one bit. `div` is core cycles per APB1 cycle.
    fn bit(&self, div: u64) -> u64 {
        let ccr = u64::from(self.ccr & 0xFFF).max(1);
        let periods = match (self.ccr >> 15 & 1, self.ccr >> 14 & 1) {
            (0, _) => 2 * ccr,
            (_, 0) => 3 * ccr,
            _ => 25 * ccr,
        };
        periods * div
    }

    fn begin(&mut self, step: Step, at: u64, div: u64) {
        let bits = match step {
            Step::Start | Step::Stop => 1,
            _ => 9,
        };
        self.step = Some((step, at + bits * self.bit(div)));
    }

    /// True while a byte comes in.
    #[must_use]
    pub fn receiving(&self) -> bool {
        matches!(self.step, Some((Step::Receive, _)))
    }

    /// The core cycle at which the step on the wire ends.
    #[must_use]
    pub fn next_event(&self) -> Option<u64> {
        self.step.map(|(_, done)| done)
    }

    /// Works off what has ended by `now`.
    pub fn sync(&mut self, now: Now, div: u64, device: &mut dyn I2cDevice) {
        while let Some((step, done)) = self.step.filter(|&(_, done)| done <= now.cycles) {
            self.step = None;
            match step {
                Step::Start => {
                    if self.line_low {
                        // The bus is not free: the start is tried again.
                        self.begin(Step::Start, done, div);
                        return;
                    }
                    device.start();
                    self.cr1 &= !START;
                    self.master = true;
                    self.on_bus = true;
                    self.sr1 = self.sr1 & ERRORS | SB;
                    self.data = None;
                    self.shifted_in = None;
                }
                Step::Address(byte) => {
                    self.transmitter = byte & 1 == 0;
                    if device.address(byte >> 1, byte & 1 != 0, now.ns) {
                        self.sr1 |= ADDR;
                    } else {
                        self.sr1 |= AF;
                        self.after_byte(done, div);
                    }
                }
                Step::Send(byte) => {
                    if device.write(byte, now.ns) {
                        if let Some(next) = self.data.take() {
                            self.begin(Step::Send(next), done, div);
                            self.sr1 |= TXE;
                        } else {
                            self.sr1 |= TXE | BTF;
                            self.after_byte(done, div);
                        }
                    } else {
                        self.sr1 |= AF;
                        self.sr1 &= !TXE;
                        self.after_byte(done, div);
                    }
                }
                Step::Receive => {
                    let byte = device.read(now.ns);
                    self.acknowledged = self.cr1 & ACK != 0;
                    device.acknowledge(self.acknowledged);
                    if self.sr1 & RXNE == 0 {
                        self.data = Some(byte);
                        self.sr1 |= RXNE;
                        if self.acknowledged && self.cr1 & (START | STOP) == 0 {
                            self.begin(Step::Receive, done, div);
                        }
                        self.after_byte(done, div);
                    } else {
                        self.shifted_in = Some(byte);
                        self.sr1 |= BTF;
                        self.after_byte(done, div);
                    }
                }
                Step::Stop => {
                    device.stop(now.ns);
                    self.cr1 &= !STOP;
                    self.master = false;
                    self.transmitter = false;
                    self.on_bus = false;
                    self.sr1 &= !(TXE | BTF | SB | ADDR);
                    if self.cr1 & START != 0 {
                        self.begin(Step::Start, done, div);
                    }
                }
            }
        }
    }

    /// A stop or repeated start that was asked for while a byte was on the wire.
    fn after_byte(&mut self, at: u64, div: u64) {
        if self.step.is_some() || !self.on_bus {
            return;
        }
        if self.cr1 & STOP != 0 {
            self.begin(Step::Stop, at, div);
        } else if self.cr1 & START != 0 {
            self.begin(Step::Start, at, div);
        }
    }

    fn status2(&self) -> u32 {
        let busy = self.on_bus || self.line_low && self.cr1 & PE != 0;
        (if self.master { MSL } else { 0 })
            | (if busy { BUSY } else { 0 })
            | (if self.transmitter { TRA } else { 0 })
    }

    /// True if the event interrupt is asked for.
    #[must_use]
    pub fn event_interrupt(&self) -> bool {
        let buffers = if self.cr2 & 1 << 10 != 0 { TXE | RXNE } else { 0 };
        self.cr2 & 1 << 9 != 0 && self.sr1 & (SB | ADDR | BTF | buffers) != 0
    }

    /// True if the error interrupt is asked for.
    #[must_use]
    pub fn error_interrupt(&self) -> bool {
        self.cr2 & 1 << 8 != 0 && self.sr1 & ERRORS != 0
    }

    /// Reads a register; `sync` first.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&mut self, offset: u32, now: u64, div: u64) -> Result<u32, Refused> {
        Ok(match offset {
            0x00 => self.cr1,
            0x04 => self.cr2,
            0x08 => self.oar1,
            0x0C => 0,
            0x10 => {
                self.sr1 &= !BTF;
                if self.transmitter {
                    0
                } else {
                    let byte = self.data.take().unwrap_or(0);
                    self.sr1 &= !RXNE;
                    if let Some(next) = self.shifted_in.take() {
                        self.data = Some(next);
                        self.sr1 |= RXNE;
                        if self.acknowledged && self.on_bus && self.step.is_none() {
                            if self.cr1 & (START | STOP) == 0 {
                                self.begin(Step::Receive, now, div);
                            } else {
                                self.after_byte(now, div);
                            }
                        }
                    }
                    u32::from(byte)
                }
            }
            0x14 => {
                self.seen = self.sr1;
                self.sr1
            }
            0x18 => {
                let status = self.status2();
                if self.sr1 & self.seen & ADDR != 0 {
                    self.sr1 &= !ADDR;
                    if self.transmitter {
                        self.sr1 |= TXE;
                        if let Some(byte) = self.data.take() {
                            self.begin(Step::Send(byte), now, div);
                        } else {
                            self.after_byte(now, div);
                        }
                    } else {
                        self.begin(Step::Receive, now, div);
                    }
                }
                status
            }
            0x1C => self.ccr,
            0x20 => self.trise,
            0x24 => self.fltr,
            _ => return Err(no_register(offset)),
        })
    }

    /// Writes a register; `sync` first.
    ///
    /// # Errors
    /// If there is no such register or mode.
    pub fn write(&mut self, offset: u32, value: u32, now: u64, div: u64) -> Result<(), Refused> {
        match offset {
            0x00 => {
                if value & SWRST != 0 {
                    let line_low = self.line_low;
                    *self = Self { cr1: SWRST, line_low, ..Self::default() };
                    return Ok(());
                }
                only(value, PE | START | STOP | ACK | POS | 1 << 7, "I2C CR1")?;
                let before = self.cr1;
                // Writing zero does not take back a start or stop under way.
                self.cr1 = value | before & (START | STOP);
                if value & PE == 0 {
                    let kept = (self.cr2, self.oar1, self.ccr, self.trise, self.fltr, self.line_low);
                    *self = Self { cr1: value & !(START | STOP), ..Self::default() };
                    (self.cr2, self.oar1, self.ccr, self.trise, self.fltr, self.line_low) = kept;
                    return Ok(());
                }
                let asked = value & !before;
                if self.step.is_none() {
                    if asked & STOP != 0 && self.on_bus && self.sr1 & ADDR == 0 {
                        self.begin(Step::Stop, now, div);
                    } else if asked & START != 0 {
                        self.begin(Step::Start, now, div);
                    }
                }
            }
            0x04 => {
                only(value, 0x73F, "I2C CR2")?;
                self.cr2 = value;
            }
            0x08 => self.oar1 = value,
            0x0C => only(value, 0, "I2C OAR2")?,
            0x10 => {
                let byte = value as u8;
                if self.sr1 & SB != 0 {
                    if self.seen & SB == 0 {
                        return Err("I2C: SB is cleared by reading SR1 before writing DR".into());
                    }
                    self.sr1 &= !SB;
                    self.begin(Step::Address(byte), now, div);
                } else if !self.on_bus || !self.master {
                    return Err("I2C: writing DR without a start".into());
                } else {
                    self.sr1 &= !BTF;
                    if self.step.is_none() && self.sr1 & ADDR == 0 {
                        self.begin(Step::Send(byte), now, div);
                    } else {
                        if self.data.replace(byte).is_some() {
                            return Err("I2C: DR was overwritten before it was sent (TXE is 0)".into());
                        }
                        self.sr1 &= !TXE;
                    }
                }
            }
            // Error flags are cleared by writing zero.
            0x14 => self.sr1 &= value | !ERRORS,
            0x18 => {}
            0x1C => {
                if self.cr1 & PE != 0 {
                    return Err("I2C CCR: must be written while the peripheral is off".into());
                }
                self.ccr = value;
            }
            0x20 => self.trise = value,
            0x24 => self.fltr = value,
            _ => return Err(no_register(offset)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::eeprom::Eeprom;

    /// 42 MHz APB1 and 100 kHz: CCR 210, four core cycles per APB1 cycle.
    const DIV: u64 = 4;
    const BIT: u64 = 1680;

    struct Bus {
        i2c: I2c,
        device: Eeprom,
        now: u64,
    }

    impl Bus {
        fn new() -> Self {
            let mut i2c = I2c::default();
            i2c.write(0x04, 42, 0, DIV).unwrap();
            i2c.write(0x1C, 210, 0, DIV).unwrap();
            i2c.write(0x20, 43, 0, DIV).unwrap();
            i2c.write(0x00, PE, 0, DIV).unwrap();
            Self { i2c, device: Eeprom::new(vec![0xFF; 256]), now: 0 }
        }

        fn wait(&mut self, bits: u64) {
            self.now += bits * BIT;
            let now = Now { cycles: self.now, ns: self.now * 6 };
            self.i2c.sync(now, DIV, &mut self.device);
        }

        fn read(&mut self, offset: u32) -> u32 {
            self.i2c.read(offset, self.now, DIV).unwrap()
        }

        fn write(&mut self, offset: u32, value: u32) {
            self.i2c.write(offset, value, self.now, DIV).unwrap();
        }

        fn start(&mut self, address: u32) {
            self.write(0x00, PE | ACK | START);
            self.wait(1);
            assert_ne!(self.read(0x14) & SB, 0);
            self.write(0x10, address);
            self.wait(9);
        }
    }

    #[test]
    fn a_byte_is_written_and_read_back() {
        let mut bus = Bus::new();
        bus.start(0xA0);
        assert_eq!(bus.read(0x14), ADDR);
        assert_eq!(bus.read(0x18), MSL | BUSY | TRA);
        assert_eq!(bus.read(0x14), TXE);
        bus.write(0x10, 0x12);
        bus.write(0x10, 0x77);
        assert_eq!(bus.read(0x14) & (TXE | BTF), 0);
        bus.wait(9);
        assert_eq!(bus.read(0x14), TXE);
        bus.wait(9);
        assert_eq!(bus.read(0x14), TXE | BTF);
        bus.write(0x00, PE | STOP);
        bus.wait(1);
        assert_eq!(bus.read(0x18), 0);
        // within the write cycle the memory does not answer
        bus.start(0xA0);
        assert_eq!(bus.read(0x14), AF);
        bus.write(0x14, 0);
        bus.write(0x00, PE | STOP);
        bus.wait(1000);

        bus.start(0xA0);
        bus.read(0x14);
        bus.read(0x18);
        bus.write(0x10, 0x12);
        bus.wait(9);
        bus.start(0xA1);
        assert_eq!(bus.read(0x14) & ADDR, ADDR);
        bus.write(0x00, PE);
        bus.read(0x14);
        bus.read(0x18);
        bus.write(0x00, PE | STOP);
        bus.wait(9);
        assert_eq!(bus.read(0x14), RXNE);
        assert_eq!(bus.read(0x10), 0x77);
        bus.wait(1);
        assert_eq!(bus.read(0x18), 0);
    }

    #[test]
    fn a_foreign_address_is_not_acknowledged() {
        let mut bus = Bus::new();
        bus.start(0x40);
        assert_eq!(bus.read(0x14), AF);
    }

    #[test]
    fn a_stuck_line_keeps_the_bus_busy() {
        let mut bus = Bus::new();
        bus.i2c.line_low = true;
        assert_eq!(bus.read(0x18), BUSY);
        bus.write(0x00, PE | START);
        bus.wait(100);
        assert_eq!(bus.read(0x14), 0, "no start condition");
    }
}
