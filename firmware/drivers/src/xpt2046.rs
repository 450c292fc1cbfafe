// SPDX-License-Identifier: GPL-3.0-only
//! XPT2046 controller of a resistive panel.
//!
//! Pins: SCK, MOSI, CS (outputs), MISO, PEN (inputs; PEN is low while the glass is pressed).
//! Timing: at most 2 MHz; the half clock used here is 1 µs, and 6 µs pass for the conversion.
//! Steps of a reading: five samples of each channel, the smallest and the largest dropped; a second
//! time; both within 50 units of each other, and the pen still down.

use core::convert::Infallible;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};

use crate::calibration::{Calibration, Reading};
use crate::touch::{Contact, TouchPanel};

const CHANNEL_X: u8 = 0xD0;
const CHANNEL_Y: u8 = 0x90;
const SAMPLES: usize = 5;
/// How far two readings of one touch may lie apart.
const SPREAD: u16 = 50;

/// The controller's pins.
#[derive(Debug)]
pub struct Pins<Sck, Mosi, Miso, Cs, Pen> {
    /// Clock.
    pub sck: Sck,
    /// To the chip.
    pub mosi: Mosi,
    /// From the chip.
    pub miso: Miso,
    /// Chip select, low = selected.
    pub cs: Cs,
    /// Low while the glass is pressed.
    pub pen: Pen,
}

/// The controller.
#[derive(Debug)]
pub struct Xpt2046<Sck, Mosi, Miso, Cs, Pen, Delay> {
    pins: Pins<Sck, Mosi, Miso, Cs, Pen>,
    delay: Delay,
    /// How readings become pixels; `None` before the panel was calibrated.
    pub calibration: Option<Calibration>,
}

// The microcontroller's own pins cannot fail; a pin that could is treated as unchanged.
impl<Sck, Mosi, Miso, Cs, Pen, Delay> Xpt2046<Sck, Mosi, Miso, Cs, Pen, Delay>
where
    Sck: OutputPin,
    Mosi: OutputPin,
    Miso: InputPin,
    Cs: OutputPin,
    Pen: InputPin,
    Delay: DelayNs,
{
    /// A controller at rest.
    pub fn new(
        mut pins: Pins<Sck, Mosi, Miso, Cs, Pen>,
        delay: Delay,
        calibration: Option<Calibration>,
    ) -> Self {
        let _ = pins.cs.set_high();
        let _ = pins.sck.set_low();
        Self { pins, delay, calibration }
    }

    /// Whether the glass is pressed.
    pub fn is_pressed(&mut self) -> bool {
        self.pins.pen.is_low().unwrap_or(false)
    }

    /// A steady reading; `None` if the glass is not pressed, or the values jump.
    pub fn reading(&mut self) -> Option<Reading> {
        if !self.is_pressed() {
            return None;
        }
        let first = self.filtered();
        let second = self.filtered();
        let near = first.x.abs_diff(second.x) < SPREAD && first.y.abs_diff(second.y) < SPREAD;
        // A finger that left meanwhile makes values of nothing.
        (near && self.is_pressed())
            .then(|| Reading { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 })
    }

    fn filtered(&mut self) -> Reading {
        Reading { x: self.channel(CHANNEL_X), y: self.channel(CHANNEL_Y) }
    }

    fn channel(&mut self, command: u8) -> u16 {
        let mut samples = [0; SAMPLES];
        for sample in &mut samples {
            *sample = self.sample(command);
        }
        samples.sort_unstable();
        let middle = &samples[1..SAMPLES - 1];
        middle.iter().sum::<u16>() / middle.len() as u16
    }

    fn sample(&mut self, command: u8) -> u16 {
        let _ = self.pins.cs.set_low();
        for bit in (0..8).rev() {
            let _ =
                if command >> bit & 1 == 1 { self.pins.mosi.set_high() } else { self.pins.mosi.set_low() };
            self.clock();
        }
        self.delay.delay_us(6);
        // One clock while the chip is busy, then twelve bits, the highest first; each appears after
        // the falling edge.
        self.clock();
        let mut value = 0;
        for _ in 0..12 {
            value = value << 1 | u16::from(self.pins.miso.is_high().unwrap_or(false));
            self.clock();
        }
        let _ = self.pins.cs.set_high();
        value
    }

    /// A pulse of the clock, from low to low.
    fn clock(&mut self) {
        self.delay.delay_us(1);
        let _ = self.pins.sck.set_high();
        self.delay.delay_us(1);
        let _ = self.pins.sck.set_low();
    }
}

impl<Sck, Mosi, Miso, Cs, Pen, Delay> TouchPanel for Xpt2046<Sck, Mosi, Miso, Cs, Pen, Delay>
where
    Sck: OutputPin,
    Mosi: OutputPin,
    Miso: InputPin,
    Cs: OutputPin,
    Pen: InputPin,
    Delay: DelayNs,
{
    type Error = Infallible;

    fn read(&mut self) -> Result<Contact, Infallible> {
        if !self.is_pressed() {
            return Ok(Contact::Up);
        }
        let position = self.reading().zip(self.calibration).and_then(|(reading, map)| map.position(reading));
        Ok(position.map_or(Contact::Unchanged, Contact::Down))
    }
}
