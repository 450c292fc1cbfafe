// SPDX-License-Identifier: GPL-3.0-only
//! GT9147 capacitive touch controller and its relatives 911, 1158 and 9271.
//!
//! Pins: SCL, SDA (I2C, 16-bit registers), RST, INT (its level at the end of the reset selects the
//! address: high for 0x14).
//! Timing: RST low 10 ms, high 10 ms, then INT is let go and the chip is ready after 100 ms.
//! Steps of a reading: status; if it is ready, the first point; the status is written back to 0.

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::OutputPin;
use embedded_hal::i2c::I2c;

use crate::i2c::retry;
use crate::touch::{Contact, HEIGHT, Position, TouchPanel, WIDTH};

/// The 7-bit address.
pub const ADDRESS: u8 = 0x14;

const CONTROL: u16 = 0x8040;
const CONFIG: u16 = 0x8047;
const CONFIG_SIZE: usize = 184;
const CHECKSUM: u16 = 0x80FF;
const PRODUCT_ID: u16 = 0x8140;
const STATUS: u16 = 0x814E;
const FIRST_POINT: u16 = 0x8150;

const READY: u8 = 0x80;
const COUNT: u8 = 0x0F;
const MAX_POINTS: u8 = 5;

/// The version given to a configuration that was adapted here; a chip that carries it, or a
/// newer one, keeps its own.
const CONFIG_VERSION: u8 = 0x60;

/// The INT line while the chip is being reset.
pub trait InterruptLine {
    /// Pulls the line up.
    fn pull_up(&mut self);
    /// Lets the line float.
    fn float(&mut self);
}

/// Which chip of the family answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// GT911.
    Gt911,
    /// GT9147.
    Gt9147,
    /// GT1158.
    Gt1158,
    /// GT9271.
    Gt9271,
}

impl Model {
    /// The chip with this product ID (ASCII, filled with zeros).
    #[must_use]
    pub const fn from_id(id: [u8; 4]) -> Option<Self> {
        match &id {
            b"911\0" => Some(Self::Gt911),
            b"9147" => Some(Self::Gt9147),
            b"1158" => Some(Self::Gt1158),
            b"9271" => Some(Self::Gt9271),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gt911 => "GT911",
            Self::Gt9147 => "GT9147",
            Self::Gt1158 => "GT1158",
            Self::Gt9271 => "GT9271",
        }
    }
}

/// Why the chip could not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DetectError<E> {
    /// The bus failed, or nobody answered.
    Bus(E),
    /// Something answered with this product ID.
    UnknownId([u8; 4]),
}

/// The controller, ready to be asked.
#[derive(Debug)]
pub struct Gt9147<I2C> {
    i2c: I2C,
    model: Model,
}

impl<I2C: I2c> Gt9147<I2C> {
    /// Resets the chip, identifies and starts it.
    ///
    /// # Errors
    /// If no chip of the family answers; the bus comes back.
    pub fn detect(
        mut i2c: I2C,
        reset: &mut impl OutputPin,
        interrupt: &mut impl InterruptLine,
        delay: &mut impl DelayNs,
    ) -> Result<Self, (DetectError<I2C::Error>, I2C)> {
        interrupt.pull_up();
        // A reset line that cannot be set leaves the chip as it is: the ID decides.
        let _ = reset.set_low();
        delay.delay_ms(10);
        let _ = reset.set_high();
        delay.delay_ms(10);
        interrupt.float();
        delay.delay_ms(100);
        match identify(&mut i2c).and_then(|model| {
            start(&mut i2c, model, delay).map_err(DetectError::Bus)?;
            Ok(model)
        }) {
            Ok(model) => Ok(Self { i2c, model }),
            Err(error) => Err((error, i2c)),
        }
    }

    /// Which chip it is.
    #[must_use]
    pub const fn model(&self) -> Model {
        self.model
    }
}

fn identify<I2C: I2c>(i2c: &mut I2C) -> Result<Model, DetectError<I2C::Error>> {
    let mut id = [0; 4];
    retry(|| read(i2c, PRODUCT_ID, &mut id)).map_err(DetectError::Bus)?;
    Model::from_id(id).ok_or(DetectError::UnknownId(id))
}

fn start<I2C: I2c>(i2c: &mut I2C, model: Model, delay: &mut impl DelayNs) -> Result<(), I2C::Error> {
    if model == Model::Gt9147 {
        configure(i2c)?;
    }
    retry(|| write(i2c, CONTROL, 2))?;
    delay.delay_ms(10);
    retry(|| write(i2c, CONTROL, 0))
}

/// Sets resolution and number of fingers in the configuration that the chip carries, and leaves
/// what was tuned to the glass as it is.
fn configure<I2C: I2c>(i2c: &mut I2C) -> Result<(), I2C::Error> {
    let mut message = [0; 2 + CONFIG_SIZE];
    message[..2].copy_from_slice(&CONFIG.to_be_bytes());
    retry(|| read(i2c, CONFIG, &mut message[2..]))?;
    let config = &mut message[2..];
    if config[0] >= CONFIG_VERSION {
        return Ok(());
    }
    config[0] = CONFIG_VERSION;
    config[1..3].copy_from_slice(&WIDTH.to_le_bytes());
    config[3..5].copy_from_slice(&HEIGHT.to_le_bytes());
    config[5] = MAX_POINTS;
    let sum = config.iter().fold(0_u8, |sum, &byte| sum.wrapping_add(byte));
    let [high, low] = CHECKSUM.to_be_bytes();
    retry(|| i2c.write(ADDRESS, &message))?;
    // Checksum, then "take the configuration over".
    retry(|| i2c.write(ADDRESS, &[high, low, sum.wrapping_neg(), 1]))
}

fn read<I2C: I2c>(i2c: &mut I2C, register: u16, buffer: &mut [u8]) -> Result<(), I2C::Error> {
    i2c.write_read(ADDRESS, &register.to_be_bytes(), buffer)
}

fn write<I2C: I2c>(i2c: &mut I2C, register: u16, value: u8) -> Result<(), I2C::Error> {
    let [high, low] = register.to_be_bytes();
    i2c.write(ADDRESS, &[high, low, value])
}

impl<I2C: I2c> TouchPanel for Gt9147<I2C> {
    type Error = I2C::Error;

    fn read(&mut self) -> Result<Contact, Self::Error> {
        let mut status = [0];
        read(&mut self.i2c, STATUS, &mut status)?;
        if status[0] & READY == 0 {
            // Not a release: the chip has nothing new.
            return Ok(Contact::Unchanged);
        }
        let contact = match status[0] & COUNT {
            0 => Contact::Up,
            1..=MAX_POINTS => {
                let mut point = [0; 4];
                read(&mut self.i2c, FIRST_POINT, &mut point)?;
                let x = u16::from_le_bytes([point[0], point[1]]);
                let y = u16::from_le_bytes([point[2], point[3]]);
                Position::on_screen(x, y).map_or(Contact::Unchanged, Contact::Down)
            }
            _ => Contact::Unchanged,
        };
        write(&mut self.i2c, STATUS, 0)?;
        Ok(contact)
    }
}
