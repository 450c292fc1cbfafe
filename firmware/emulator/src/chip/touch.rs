// SPDX-License-Identifier: GPL-2.0-only
//! The touch panel of the LCD module, on the pins that all kinds share.
//!
//! | pin  | capacitive | resistive |
//! | ---- | ---------- | --------- |
//! | PB0  | SCL        | SCK       |
//! | PF11 | SDA        | MOSI      |
//! | PB2  | -          | MISO      |
//! | PC13 | RST        | CS        |
//! | PB1  | INT        | PEN       |

use super::I2cDevice;
use super::ft5206::Ft5206;
use super::gt9147::Gt9147;
use super::i2c_wire::I2cWire;
use super::ott2001a::Ott2001a;
use super::xpt2046::{Noise, Xpt2046};
use crate::peripheral::gpio::Drive;

/// How often a capacitive controller looks at the panel, in nanoseconds.
pub const SCAN: u64 = 10_000_000;

/// A finger's place in pixels of the portrait picture.
pub type Finger = (u16, u16);

/// Which touch controller the module has.
#[derive(Clone, Debug, PartialEq)]
pub enum TouchKind {
    /// Goodix, by its product ID text ("911", "9147", "1158", "9271") and configuration version.
    Gt {
        /// Product ID.
        id: String,
        /// Configuration version.
        version: u8,
    },
    /// OTT2001A.
    Ott2001a,
    /// FT5206.
    Ft5206,
    /// XPT2046 with a resistive panel.
    Resistive(Noise),
    /// None answers.
    Absent,
}

impl Default for TouchKind {
    fn default() -> Self {
        Self::Gt { id: "9147".into(), version: 0x60 }
    }
}

/// A capacitive controller.
pub trait Capacitive: I2cDevice + std::fmt::Debug {
    /// The levels of RST and INT changed, or `ns` has come to the next event.
    fn lines(&mut self, reset: bool, interrupt: bool, ns: u64);
    /// Looks at the panel.
    fn scan(&mut self, fingers: &[Finger], ns: u64);
    /// What it does to INT.
    fn interrupt(&self) -> Drive;
    /// Takes a remark on what the program did wrong.
    fn take_remark(&mut self) -> Option<String> {
        None
    }
}

/// The levels of the shared pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// PB0.
    pub clock: bool,
    /// PF11.
    pub data: bool,
    /// PC13.
    pub select: bool,
    /// PB1.
    pub interrupt: bool,
}

/// What the panel does to the shared pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// PF11.
    pub data: Drive,
    /// PB2.
    pub miso: Drive,
    /// PB1.
    pub interrupt: Drive,
}

/// The panel with its controller.
#[derive(Debug)]
pub struct Touch {
    controller: Controller,
    /// The wire of the bit-banged I2C bus, where faults can be injected.
    pub wire: I2cWire,
    fingers: Vec<Finger>,
    next_scan: u64,
    pins: Pins,
}

#[derive(Debug)]
enum Controller {
    Capacitive(Box<dyn Capacitive>),
    Resistive(Box<Xpt2046>),
    Absent,
}

impl Touch {
    /// A panel as it is when power comes, at `ns`.
    #[must_use]
    pub fn new(kind: &TouchKind, ns: u64) -> Self {
        let controller = match kind {
            TouchKind::Gt { id, version } => Controller::Capacitive(Box::new(Gt9147::new(id, *version, ns))),
            TouchKind::Ott2001a => Controller::Capacitive(Box::new(Ott2001a::new(ns))),
            TouchKind::Ft5206 => Controller::Capacitive(Box::new(Ft5206::new(ns))),
            TouchKind::Resistive(noise) => Controller::Resistive(Box::new(Xpt2046::new(*noise))),
            TouchKind::Absent => Controller::Absent,
        };
        Self {
            controller,
            wire: I2cWire::default(),
            fingers: Vec::new(),
            next_scan: ns + SCAN,
            pins: Pins::default(),
        }
    }

    /// Puts fingers on the panel; none lifts them.
    pub fn touch(&mut self, fingers: &[Finger]) {
        self.fingers = fingers.to_vec();
        if let Controller::Resistive(chip) = &mut self.controller {
            chip.touch(fingers.first().copied());
        }
    }

    /// When it next looks at the panel, in nanoseconds.
    #[must_use]
    pub fn next_event(&self) -> Option<u64> {
        matches!(self.controller, Controller::Capacitive(_)).then_some(self.next_scan)
    }

    /// Lets time pass up to `ns`.
    pub fn advance(&mut self, ns: u64) {
        if let Controller::Capacitive(chip) = &mut self.controller {
            chip.lines(self.pins.select, self.pins.interrupt, ns);
            while self.next_scan <= ns {
                chip.scan(&self.fingers, self.next_scan);
                self.next_scan += SCAN;
            }
        }
    }

    /// The program moved a pin.
    pub fn pins(&mut self, pins: Pins, ns: u64) {
        let before = std::mem::replace(&mut self.pins, pins);
        match &mut self.controller {
            Controller::Capacitive(chip) => {
                if (before.select, before.interrupt) != (pins.select, pins.interrupt) {
                    chip.lines(pins.select, pins.interrupt, ns);
                    if !pins.select {
                        self.wire.reset();
                    }
                }
                self.wire.levels(pins.clock, pins.data, ns, chip.as_mut());
            }
            Controller::Resistive(chip) => chip.pins(pins.select, pins.clock, pins.data),
            Controller::Absent => {}
        }
    }

    /// What the panel does to the pins now.
    #[must_use]
    pub fn answer(&self) -> Answer {
        match &self.controller {
            // No pull-up resistors are counted on: the program has to switch on those of its pins.
            Controller::Capacitive(chip) => Answer {
                data: if self.wire.pulls_sda() { Drive::Low } else { Drive::Float },
                miso: Drive::Float,
                interrupt: chip.interrupt(),
            },
            Controller::Resistive(chip) => Answer {
                data: Drive::Float,
                miso: chip.miso(),
                interrupt: if chip.pen_down() { Drive::Low } else { Drive::PullUp },
            },
            Controller::Absent => Answer::default(),
        }
    }

    /// Takes a remark on what the program did wrong.
    pub fn take_remark(&mut self) -> Option<String> {
        match &mut self.controller {
            Controller::Capacitive(chip) => chip.take_remark(),
            _ => None,
        }
    }
}
