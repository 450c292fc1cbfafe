// SPDX-License-Identifier: GPL-3.0-only
//! ILI9806 LCD controller: 480 × 800, 8-bit commands, each followed by its parameters.
//!
//! Timing: 120 ms from sleep out to display on.
//! The voltages, timings and gamma curves are those of the newer 4.3" module.

use core::ops::Range;

use embedded_hal::delay::DelayNs;

use crate::lcd::{LcdBus, bounds};

/// What [`id`] gives.
pub const ID: u16 = 0x9806;

const SLEEP_OUT: u16 = 0x11;
const DISPLAY_ON: u16 = 0x29;
const COLUMNS: u16 = 0x2A;
const ROWS: u16 = 0x2B;
const WRITE: u16 = 0x2C;
const READ_ID: u16 = 0xD3;

const SETUP: [(u16, &[u16]); 19] = [
    (0xFF, &[0xFF, 0x98, 0x06]), // unlocks what follows
    (
        0xBC, // gate in panel, 1
        &[
            0x01, 0x0F, 0x61, 0xFF, 0x01, 0x01, 0x0B, 0x10, 0x37, 0x63, 0xFF, 0xFF, 0x01, 0x01, 0x00, 0x00,
            0xFF, 0x52, 0x01, 0x00, 0x40,
        ],
    ),
    (0xBD, &[0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67]), // 2
    (0xBE, &[0x00, 0x01, 0xAB, 0x60, 0x22, 0x22, 0x22, 0x22, 0x22]), // 3
    (0xC7, &[0x36]),                                           // VCOM
    (0xED, &[0x7F, 0x0F]),                                     // reference voltages out
    (0xC0, &[0x0F, 0x0B, 0x0A]),                               // VGH 15 V, VGL -10 V
    (0xFC, &[0x08]),                                           // internal pumps
    (0xDF, &[0x00, 0x00, 0x00, 0x00, 0x00, 0x20]),
    (0xF3, &[0x74]),                   // logic voltage
    (0xB4, &[0x00, 0x00, 0x00]),       // inversion by column
    (0xF7, &[0x82]),                   // 480 × 800
    (0xB1, &[0x00, 0x13, 0x13]),       // frame rate
    (0xF2, &[0x80, 0x04, 0x40, 0x28]), // source timing
    (0xC1, &[0x17, 0x88, 0x88, 0x20]), // gamma voltages
    (
        0xE0, // gamma, positive
        &[0x00, 0x0A, 0x12, 0x10, 0x0E, 0x20, 0xCC, 0x07, 0x06, 0x0B, 0x0E, 0x0F, 0x0D, 0x15, 0x10, 0x00],
    ),
    (
        0xE1, // gamma, negative
        &[0x00, 0x0B, 0x13, 0x0D, 0x0E, 0x1B, 0x71, 0x06, 0x06, 0x0A, 0x0F, 0x0E, 0x0F, 0x15, 0x0C, 0x00],
    ),
    (0x3A, &[0x55]), // 16 bits a pixel
    (0x36, &[0x00]), // portrait
];

fn write(bus: &mut impl LcdBus, command: u16, parameters: &[u16]) {
    bus.command(command);
    for &parameter in parameters {
        bus.data(parameter);
    }
}

/// Reads the ID (after a dummy byte and a zero).
pub fn id(bus: &mut impl LcdBus) -> u16 {
    bus.command(READ_ID);
    bus.read();
    bus.read();
    (bus.read() & 0xFF) << 8 | bus.read() & 0xFF
}

/// Starts the panel.
pub fn start(bus: &mut impl LcdBus, delay: &mut impl DelayNs) {
    for (command, parameters) in SETUP {
        write(bus, command, parameters);
    }
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
