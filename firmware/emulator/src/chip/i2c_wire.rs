// SPDX-License-Identifier: GPL-2.0-only
//! The slave's end of an I2C wire: levels of SCL and SDA in, bytes to and from a device out.

use super::I2cDevice;

/// Where in a transfer the wire is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    /// Nobody has addressed the device.
    #[default]
    Idle,
    /// The address is shifted in.
    Address,
    /// A byte from the master is shifted in.
    Write,
    /// A byte to the master is shifted out.
    Read,
}

/// The slave's shift register and what it does to SDA.
#[derive(Debug, Default)]
pub struct I2cWire {
    scl: bool,
    sda: bool,
    phase: Phase,
    /// Clock pulses of the current byte: 0 to 8 bits, then the acknowledge.
    count: u8,
    shift: u8,
    acknowledge: bool,
    /// True while the device pulls SDA low.
    pulls: bool,
    /// SDA is held low until so many clock pulses have passed (a stuck bus).
    stuck: u32,
    /// Forgets to acknowledge this many bytes.
    pub lost_acknowledges: u32,
}

impl I2cWire {
    /// True while the device pulls SDA low.
    #[must_use]
    pub fn pulls_sda(&self) -> bool {
        self.pulls || self.stuck > 0
    }

    /// Makes the device hold SDA low until the master has clocked `pulses` times.
    pub fn stick(&mut self, pulses: u32) {
        self.stuck = pulses;
    }

    /// True while the device holds SDA low out of turn.
    #[must_use]
    pub fn stuck(&self) -> bool {
        self.stuck > 0
    }

    /// Forgets the transfer, as at a reset of the device.
    pub fn reset(&mut self) {
        self.phase = Phase::Idle;
        self.pulls = false;
    }

    /// Takes the wire's levels as they are now.
    pub fn levels(&mut self, scl: bool, sda: bool, ns: u64, device: &mut dyn I2cDevice) {
        let (was_scl, was_sda) = (self.scl, self.sda);
        (self.scl, self.sda) = (scl, sda);
        if self.stuck > 0 {
            if was_scl && !scl {
                self.stuck -= 1;
            }
            return;
        }
        if was_scl && scl {
            // A change of SDA while SCL is high is a condition, unless the device made it itself.
            if was_sda && !sda && !self.pulls {
                device.start();
                self.phase = Phase::Address;
                self.count = 0;
                self.shift = 0;
            } else if !was_sda && sda && self.phase != Phase::Idle {
                device.stop(ns);
                self.phase = Phase::Idle;
                self.pulls = false;
            } else if !was_sda && sda {
                device.stop(ns);
            }
        } else if !was_scl && scl {
            self.rise(sda, device);
        } else if was_scl && !scl {
            self.fall(ns, device);
        }
    }

    fn rise(&mut self, sda: bool, device: &mut dyn I2cDevice) {
        match self.phase {
            Phase::Address | Phase::Write if self.count < 8 => self.shift = self.shift << 1 | u8::from(sda),
            Phase::Read if self.count == 8 => {
                self.acknowledge = !sda;
                device.acknowledge(self.acknowledge);
            }
            _ => {}
        }
        if self.phase != Phase::Idle {
            self.count += 1;
        }
    }

    fn fall(&mut self, ns: u64, device: &mut dyn I2cDevice) {
        match (self.phase, self.count) {
            (Phase::Idle, _) | (_, 0) => {}
            (Phase::Address, 8) => {
                let answers = device.address(self.shift >> 1, self.shift & 1 != 0, ns);
                self.answer(answers);
                if !answers {
                    self.phase = Phase::Idle;
                }
            }
            (Phase::Write, 8) => {
                let answers = device.write(self.shift, ns);
                self.answer(answers);
            }
            (Phase::Read, 8) => self.pulls = false,
            (Phase::Read, count) if count < 8 => self.pulls = self.shift >> (7 - count) & 1 == 0,
            (_, 9) => {
                self.count = 0;
                self.pulls = false;
                let reads = match self.phase {
                    Phase::Address => self.shift & 1 != 0,
                    Phase::Read => {
                        if !self.acknowledge {
                            self.phase = Phase::Idle;
                            return;
                        }
                        true
                    }
                    _ => false,
                };
                if reads {
                    self.phase = Phase::Read;
                    self.shift = device.read(ns);
                    self.pulls = self.shift & 0x80 == 0;
                } else {
                    self.phase = Phase::Write;
                    self.shift = 0;
                }
            }
            _ => {}
        }
    }

    fn answer(&mut self, answers: bool) {
        if answers && self.lost_acknowledges > 0 {
            self.lost_acknowledges -= 1;
        } else {
            self.pulls = answers;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::eeprom::{Eeprom, WRITE_CYCLE};

    /// A master that moves the wires by hand.
    struct Master {
        wire: I2cWire,
        device: Eeprom,
        scl: bool,
        sda: bool,
        ns: u64,
    }

    impl Master {
        fn new() -> Self {
            let mut master = Self {
                wire: I2cWire::default(),
                device: Eeprom::new(Vec::new()),
                scl: true,
                sda: true,
                ns: 0,
            };
            master.set(true, true);
            master
        }

        fn level(&self) -> bool {
            self.sda && !self.wire.pulls_sda()
        }

        fn set(&mut self, scl: bool, sda: bool) {
            (self.scl, self.sda) = (scl, sda);
            self.ns += 5000;
            self.wire.levels(scl, self.level(), self.ns, &mut self.device);
        }

        fn start(&mut self) {
            self.set(self.scl, true);
            self.set(true, true);
            self.set(true, false);
            self.set(false, false);
        }

        fn stop(&mut self) {
            self.set(false, false);
            self.set(true, false);
            self.set(true, true);
        }

        fn bit(&mut self, bit: bool) -> bool {
            self.set(false, bit);
            self.set(true, bit);
            let level = self.level();
            self.set(false, bit);
            level
        }

        fn send(&mut self, byte: u8) -> bool {
            for at in (0..8).rev() {
                self.bit(byte >> at & 1 != 0);
            }
            !self.bit(true)
        }

        fn receive(&mut self, acknowledge: bool) -> u8 {
            let byte = (0..8).fold(0, |byte, _| byte << 1 | u8::from(self.bit(true)));
            self.bit(!acknowledge);
            byte
        }
    }

    #[test]
    fn bytes_pass_both_ways() {
        let mut master = Master::new();
        master.start();
        assert!(master.send(0xA0) && master.send(0x10) && master.send(0xC3) && master.send(0x5A));
        master.stop();
        master.ns += WRITE_CYCLE;
        master.start();
        assert!(master.send(0xA0) && master.send(0x10));
        master.start();
        assert!(master.send(0xA1));
        assert_eq!([master.receive(true), master.receive(false)], [0xC3, 0x5A]);
        master.stop();
    }

    #[test]
    fn a_foreign_address_leaves_sda_alone() {
        let mut master = Master::new();
        master.start();
        assert!(!master.send(0x28));
    }

    #[test]
    fn a_stuck_bus_is_freed_by_clocking() {
        let mut master = Master::new();
        master.wire.stick(5);
        master.start();
        assert!(!master.level());
        for _ in 0..9 {
            master.bit(true);
        }
        assert!(master.level());
        master.stop();
        master.start();
        assert!(master.send(0xA0));
    }

    #[test]
    fn an_acknowledge_can_get_lost() {
        let mut master = Master::new();
        master.wire.lost_acknowledges = 1;
        master.start();
        assert!(!master.send(0xA0));
        master.stop();
        master.start();
        assert!(master.send(0xA0));
    }
}
