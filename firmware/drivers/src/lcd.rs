// SPDX-License-Identifier: GPL-3.0-only
//! The LCD controller behind a 16-bit bus: which one it is, its start, and its windows.

use core::fmt;
use core::ops::Range;

use embedded_hal::delay::DelayNs;

use crate::{ili9806, nt35510};

/// The bus to the controller: a command or register number, then data.
pub trait LcdBus {
    /// Selects a command or register.
    fn command(&mut self, command: u16);
    /// Writes data to it.
    fn data(&mut self, data: u16);
    /// Reads data from it.
    fn read(&mut self) -> u16;
}

/// A controller this program can drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// NT35510: 16-bit registers, one for each parameter.
    Nt35510,
    /// ILI9806: 8-bit commands with lists of parameters.
    Ili9806,
}

impl fmt::Display for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nt35510 => "NT35510",
            Self::Ili9806 => "ILI9806",
        })
    }
}

/// No controller that is known here; what the three ways of asking gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownController {
    /// NT35510's DB00 and DC00.
    pub short_id: [u16; 2],
    /// NT35510's C500 and C501.
    pub long_id: [u16; 2],
    /// ILI9806's D3.
    pub ili_id: u16,
}

impl fmt::Display for UnknownController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([a, b], [c, d], ili) = (self.short_id, self.long_id, self.ili_id);
        write!(f, "DB00/DC00 = {a:04X} {b:04X}, C500/C501 = {c:04X} {d:04X}, D3 = {ili:04X}")
    }
}

/// Finds out which controller answers.
///
/// # Errors
/// If it is none of those known here.
pub fn identify(bus: &mut impl LcdBus) -> Result<Controller, UnknownController> {
    // The order keeps each question harmless for the other chip: D3 reads on both.
    let ili_id = ili9806::id(bus);
    if ili_id == ili9806::ID {
        return Ok(Controller::Ili9806);
    }
    let short_id = nt35510::short_id(bus);
    if short_id == nt35510::SHORT_ID {
        return Ok(Controller::Nt35510);
    }
    let long_id = nt35510::long_id(bus);
    if long_id == nt35510::LONG_ID {
        return Ok(Controller::Nt35510);
    }
    Err(UnknownController { short_id, long_id, ili_id })
}

impl Controller {
    /// Starts the panel: power, gamma, 480 × 800 portrait, RGB565, display on. Takes 140 ms.
    pub fn start(self, bus: &mut impl LcdBus, delay: &mut impl DelayNs) {
        match self {
            Self::Nt35510 => nt35510::start(bus, delay),
            Self::Ili9806 => ili9806::start(bus, delay),
        }
    }

    /// Opens a window; the pixels that follow as data fill it row by row.
    pub fn window(self, bus: &mut impl LcdBus, columns: Range<u16>, rows: Range<u16>) {
        match self {
            Self::Nt35510 => nt35510::window(bus, columns, rows),
            Self::Ili9806 => ili9806::window(bus, columns, rows),
        }
    }
}

/// The first and the last of a range, each as high and low byte.
pub(crate) fn bounds(range: &Range<u16>) -> [u16; 4] {
    let last = range.end.saturating_sub(1);
    [range.start >> 8, range.start & 0xFF, last >> 8, last & 0xFF]
}
