// SPDX-License-Identifier: GPL-3.0-only
//! An I2C bus as two wires with pull-ups, the slave that hangs on it, and what can go wrong.
//!
//! Follows the bus specification edge by edge: a start or stop is SDA changing while SCL is high, a
//! bit is read while SCL is high and set while it is low.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use embedded_hal::digital::{ErrorType, InputPin, OutputPin};

/// What a slave does with bytes.
pub trait Slave {
    /// Whether it answers this address now.
    fn selected(&mut self, address: u8, read: bool) -> bool;
    /// Takes a byte and tells whether it acknowledges.
    fn write(&mut self, byte: u8) -> bool;
    /// The next byte to send.
    fn read(&mut self) -> u8;
    /// A stop was seen.
    fn stop(&mut self) {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Idle,
    /// Address or data from the master; bits so far.
    Receive {
        address: bool,
        bits: u8,
        byte: u8,
    },
    /// The slave holds SDA low for one clock; then it reads or writes.
    Acknowledge {
        then_send: bool,
    },
    Send {
        bits: u8,
        byte: u8,
    },
    /// The master acknowledges, or not.
    Answer {
        acknowledged: bool,
    },
}

/// The wires and the slave.
pub struct Bus<S> {
    pub slave: S,
    master_scl: bool,
    master_sda: bool,
    slave_sda: bool,
    scl: bool,
    sda: bool,
    phase: Phase,
    /// Acknowledges that still come through before some are swallowed.
    pub acknowledges_before_loss: u32,
    /// Acknowledges to swallow then.
    pub lose_acknowledges: u32,
    /// Clocks until a slave that holds SDA low lets go; `u32::MAX` for never.
    pub hold_data: u32,
    /// Whether SCL is held low for good.
    pub hold_clock: bool,
    /// Rising edges of SCL so far.
    pub clocks: u64,
}

/// A bus that the pins of the master and the test share.
pub type Shared<S> = Rc<RefCell<Bus<S>>>;

impl<S: Slave> Bus<S> {
    pub fn new(slave: S) -> Shared<S> {
        Rc::new(RefCell::new(Self {
            slave,
            master_scl: true,
            master_sda: true,
            slave_sda: true,
            scl: true,
            sda: true,
            phase: Phase::Idle,
            acknowledges_before_loss: 0,
            lose_acknowledges: 0,
            hold_data: 0,
            hold_clock: false,
            clocks: 0,
        }))
    }

    fn settle(&mut self) {
        let scl = self.master_scl && !self.hold_clock;
        let sda = self.master_sda && self.slave_sda && self.hold_data == 0;
        if scl != self.scl {
            self.scl = scl;
            if scl {
                self.clocks += 1;
                self.rising(sda);
            } else {
                self.falling();
            }
        } else if sda != self.sda && scl {
            if sda {
                self.phase = Phase::Idle;
                self.slave.stop();
            } else {
                self.phase = Phase::Receive { address: true, bits: 0, byte: 0 };
            }
            self.slave_sda = true;
        }
        self.sda = self.master_sda && self.slave_sda && self.hold_data == 0;
    }

    fn rising(&mut self, sda: bool) {
        if self.hold_data > 0 && self.hold_data < u32::MAX {
            self.hold_data -= 1;
        }
        match &mut self.phase {
            Phase::Receive { bits, byte, .. } => {
                *byte = *byte << 1 | u8::from(sda);
                *bits += 1;
            }
            Phase::Answer { acknowledged } => *acknowledged = !sda,
            _ => {}
        }
    }

    fn falling(&mut self) {
        match self.phase {
            Phase::Receive { address, bits: 8, byte } => {
                let answer = if address {
                    self.slave.selected(byte >> 1, byte & 1 == 1)
                } else {
                    self.slave.write(byte)
                };
                let due = answer && self.lose_acknowledges > 0;
                let lost = due && self.acknowledges_before_loss == 0;
                self.acknowledges_before_loss -= u32::from(due && !lost);
                self.lose_acknowledges -= u32::from(lost);
                if answer && !lost {
                    self.slave_sda = false;
                    self.phase = Phase::Acknowledge { then_send: address && byte & 1 == 1 };
                } else {
                    self.phase = Phase::Idle;
                }
            }
            Phase::Acknowledge { then_send: false } => {
                self.slave_sda = true;
                self.phase = Phase::Receive { address: false, bits: 0, byte: 0 };
            }
            Phase::Acknowledge { then_send: true } | Phase::Answer { acknowledged: true } => {
                let byte = self.slave.read();
                self.slave_sda = byte & 0x80 != 0;
                self.phase = Phase::Send { bits: 1, byte: byte << 1 };
            }
            Phase::Answer { acknowledged: false } => self.phase = Phase::Idle,
            Phase::Send { bits: 8, .. } => {
                self.slave_sda = true;
                self.phase = Phase::Answer { acknowledged: false };
            }
            Phase::Send { bits, byte } => {
                self.slave_sda = byte & 0x80 != 0;
                self.phase = Phase::Send { bits: bits + 1, byte: byte << 1 };
            }
            Phase::Idle | Phase::Receive { .. } => {}
        }
    }
}

/// The master's clock pin.
pub struct Scl<S>(pub Shared<S>);
/// The master's data pin.
pub struct Sda<S>(pub Shared<S>);

impl<S> ErrorType for Scl<S> {
    type Error = Infallible;
}
impl<S> ErrorType for Sda<S> {
    type Error = Infallible;
}

impl<S: Slave> OutputPin for Scl<S> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().master_scl = false;
        self.0.borrow_mut().settle();
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().master_scl = true;
        self.0.borrow_mut().settle();
        Ok(())
    }
}

impl<S: Slave> InputPin for Scl<S> {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.0.borrow().scl)
    }
    fn is_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.0.borrow().scl)
    }
}

impl<S: Slave> OutputPin for Sda<S> {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().master_sda = false;
        self.0.borrow_mut().settle();
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.borrow_mut().master_sda = true;
        self.0.borrow_mut().settle();
        Ok(())
    }
}

impl<S: Slave> InputPin for Sda<S> {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        self.0.borrow_mut().settle();
        Ok(self.0.borrow().sda)
    }
    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}
