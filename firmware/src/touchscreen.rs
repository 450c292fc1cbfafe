// SPDX-License-Identifier: GPL-3.0-only
//! The touch panel of this board: finds out which one it is and reads it.

use core::fmt;

use stm32f4xx_hal::gpio::{Input, OpenDrain, Output, PB0, PB1, PB2, PC13, PF11, Pull};
use wuzi_drivers::calibration::Calibration;
use wuzi_drivers::capacitive::Capacitive;
use wuzi_drivers::gt9147::InterruptLine;
use wuzi_drivers::i2c::SoftI2c;
use wuzi_drivers::touch::{Contact, TouchPanel};
use wuzi_drivers::xpt2046::{Pins, Xpt2046};

use crate::clock::Delay;

/// 200 kHz, within what every one of the chips stands.
const HALF_CLOCK_NS: u32 = 2500;

type Bus = SoftI2c<PB0<Output<OpenDrain>>, PF11<Output<OpenDrain>>, Delay>;
/// The resistive controller on this board's pins.
pub type Resistive = Xpt2046<PB0<Output>, PF11<Output>, PB2, PC13<Output>, PB1, Delay>;

/// The pins of the panel's connector.
#[derive(Debug)]
pub struct TouchPins {
    /// SCL, or the clock of the resistive controller.
    pub clock: PB0,
    /// SDA, or MOSI.
    pub data: PF11,
    /// RST, or CS.
    pub reset: PC13,
    /// INT, or PEN.
    pub interrupt: PB1,
    /// MISO.
    pub miso: PB2,
}

/// The panel.
#[derive(Debug)]
pub enum TouchScreen {
    /// With an I2C controller.
    Capacitive(Capacitive<Bus>),
    /// Without: resistive, or none at all, which never reports a touch.
    Resistive(Resistive),
}

struct Interrupt<'a>(&'a mut PB1<Input>);

impl InterruptLine for Interrupt<'_> {
    fn pull_up(&mut self) {
        self.0.set_internal_resistor(Pull::Up);
    }

    fn float(&mut self) {
        self.0.set_internal_resistor(Pull::None);
    }
}

impl TouchScreen {
    /// Finds the controller: GT9147 family, OTT2001A, FT5206, or else resistive.
    pub fn detect(pins: TouchPins) -> Self {
        let scl = pins.clock.into_open_drain_output().internal_resistor(Pull::Up);
        let sda = pins.data.into_open_drain_output().internal_resistor(Pull::Up);
        let mut reset = pins.reset.into_push_pull_output();
        let mut interrupt = pins.interrupt.into_input();
        let mut bus = SoftI2c::new(scl, sda, Delay, HALF_CLOCK_NS);
        if let Err(error) = bus.recover() {
            log::warn!("touch bus: {error}");
        }
        match Capacitive::detect(bus, &mut reset, &mut Interrupt(&mut interrupt), &mut Delay) {
            Ok(panel) => Self::Capacitive(panel),
            Err(bus) => {
                let (scl, sda, delay) = bus.release();
                let pins = Pins {
                    sck: scl.into_push_pull_output(),
                    mosi: sda.into_push_pull_output(),
                    miso: pins.miso.into_pull_up_input(),
                    cs: reset,
                    pen: interrupt.into_pull_up_input(),
                };
                Self::Resistive(Xpt2046::new(pins, delay, None))
            }
        }
    }

    /// The resistive controller, which has to be calibrated.
    pub const fn resistive(&mut self) -> Option<&mut Resistive> {
        match self {
            Self::Resistive(panel) => Some(panel),
            Self::Capacitive(_) => None,
        }
    }

    /// Takes a calibration over; a capacitive panel needs none.
    pub const fn set_calibration(&mut self, calibration: Calibration) {
        if let Self::Resistive(panel) = self {
            panel.calibration = Some(calibration);
        }
    }
}

impl fmt::Display for TouchScreen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capacitive(panel) => panel.fmt(f),
            Self::Resistive(_) => f.write_str("no capacitive controller, XPT2046 assumed"),
        }
    }
}

impl TouchPanel for TouchScreen {
    type Error = wuzi_drivers::i2c::Error;

    fn read(&mut self) -> Result<Contact, Self::Error> {
        match self {
            Self::Capacitive(panel) => panel.read(),
            Self::Resistive(panel) => panel.read().map_err(|never| match never {}),
        }
    }
}
