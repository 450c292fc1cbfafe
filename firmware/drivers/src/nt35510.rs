// SPDX-License-Identifier: GPL-3.0-only
//! NT35510 LCD controller: 480 × 800, each parameter has a 16-bit register address of its own.
//!
//! Timing: 120 ms from sleep out to display on.
//! The voltages, timings and gamma curve are those of the 4.3" module.

use core::ops::Range;

use embedded_hal::delay::DelayNs;

use crate::lcd::{LcdBus, bounds};

/// What [`short_id`] gives.
pub const SHORT_ID: [u16; 2] = [0x80, 0x00];
/// What [`long_id`] gives.
pub const LONG_ID: [u16; 2] = [0x55, 0x10];

const SLEEP_OUT: u16 = 0x1100;
const DISPLAY_ON: u16 = 0x2900;
const COLUMNS: u16 = 0x2A00;
const ROWS: u16 = 0x2B00;
const WRITE: u16 = 0x2C00;
const TEARING_ON: u16 = 0x3500;
const ORIENTATION: u16 = 0x3600;
const PIXEL_FORMAT: u16 = 0x3A00;
const PAGE: u16 = 0xF000;

/// Selects the manufacturer's page of registers, the last byte is its number.
const fn page(number: u16) -> (u16, [u16; 5]) {
    (PAGE, [0x55, 0xAA, 0x52, 0x08, number])
}

/// Page 1, power: register of the first parameter, parameters.
const POWER: [(u16, &[u16]); 15] = [
    (0xB000, &[0x0D, 0x0D, 0x0D]), // AVDD 5.2 V
    (0xB600, &[0x34, 0x34, 0x34]), // AVDD from 2.5 × the supply
    (0xB100, &[0x0D, 0x0D, 0x0D]), // AVEE -5.2 V
    (0xB700, &[0x34, 0x34, 0x34]), // AVEE from -2.5 ×
    (0xB200, &[0x00, 0x00, 0x00]), // VCL -2.5 V
    (0xB800, &[0x24, 0x24, 0x24]), // VCL from -2 ×
    (0xBF00, &[0x01]),             // VGH from the free pump
    (0xB300, &[0x0F, 0x0F, 0x0F]), // VGH 15 V
    (0xB900, &[0x34, 0x34, 0x34]), // VGH ratio
    (0xB500, &[0x08, 0x08, 0x08]), // VGL -10 V
    (0xC200, &[0x03]),             // VGL regulator
    (0xBA00, &[0x24, 0x24, 0x24]), // VGLX ratio
    (0xBC00, &[0x00, 0x78, 0x00]), // VGMP 4.5 V, VGSP 0 V
    (0xBD00, &[0x00, 0x78, 0x00]), // VGMN -4.5 V, VGSN 0 V
    (0xBE00, &[0x00, 0x64]),       // VCOM
];

/// Page 1, gamma: the same 26 steps of 10 bits for both polarities of all three colours.
const GAMMA_REGISTERS: [u16; 6] = [0xD100, 0xD200, 0xD300, 0xD400, 0xD500, 0xD600];
const GAMMA: [u16; 26] = [
    0x033, 0x034, 0x03A, 0x04A, 0x05C, 0x081, 0x0A6, 0x0E5, 0x113, 0x154, 0x182, 0x1CA, 0x200, 0x201, 0x234,
    0x267, 0x284, 0x2A4, 0x2B7, 0x2CF, 0x2DE, 0x2F2, 0x2FE, 0x310, 0x333, 0x36D,
];

/// Page 0, timing.
const TIMING: [(u16, &[u16]); 6] = [
    (0xB100, &[0xCC, 0x00]),                   // display control
    (0xB600, &[0x05]),                         // source hold time
    (0xB700, &[0x70, 0x70]),                   // gate equalising
    (0xB800, &[0x01, 0x03, 0x03, 0x03]),       // source equalising
    (0xBC00, &[0x02, 0x00, 0x00]),             // inversion of two dots
    (0xC900, &[0xD0, 0x02, 0x50, 0x50, 0x50]), // four lines, four delayed
];

fn write(bus: &mut impl LcdBus, register: u16, parameters: &[u16]) {
    for (register, &parameter) in (register..).zip(parameters) {
        bus.command(register);
        bus.data(parameter);
    }
}

fn read(bus: &mut impl LcdBus, register: u16) -> u16 {
    bus.command(register);
    bus.read()
}

/// Reads the version registers DB00 and DC00 (DA00 must be read first).
pub fn short_id(bus: &mut impl LcdBus) -> [u16; 2] {
    read(bus, 0xDA00);
    [read(bus, 0xDB00), read(bus, 0xDC00)]
}

/// Unlocks page 1 and reads the ID there, for chips whose version registers were programmed
/// otherwise.
pub fn long_id(bus: &mut impl LcdBus) -> [u16; 2] {
    let (register, unlock) = page(1);
    write(bus, register, &unlock);
    [read(bus, 0xC500), read(bus, 0xC501)]
}

/// Starts the panel.
pub fn start(bus: &mut impl LcdBus, delay: &mut impl DelayNs) {
    let (register, unlock) = page(1);
    write(bus, register, &unlock);
    for (register, parameters) in POWER {
        write(bus, register, parameters);
    }
    for register in GAMMA_REGISTERS {
        for (step, value) in (0..).zip(GAMMA) {
            write(bus, register + 2 * step, &[value >> 8, value & 0xFF]);
        }
    }
    let (register, unlock) = page(0);
    write(bus, register, &unlock);
    for (register, parameters) in TIMING {
        write(bus, register, parameters);
    }
    write(bus, TEARING_ON, &[0x00]);
    write(bus, ORIENTATION, &[0x00]);
    write(bus, PIXEL_FORMAT, &[0x55]);
    bus.command(SLEEP_OUT);
    delay.delay_ms(120);
    bus.command(DISPLAY_ON);
}

/// Opens a window.
pub fn window(bus: &mut impl LcdBus, columns: Range<u16>, rows: Range<u16>) {
    write(bus, COLUMNS, &bounds(&columns));
    write(bus, ROWS, &bounds(&rows));
    bus.command(WRITE);
}
