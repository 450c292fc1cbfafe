// SPDX-License-Identifier: GPL-3.0-only
//! The LCD controllers: identification, start and windows.

use embedded_hal::delay::DelayNs;
use wuzi_drivers::lcd::{Controller, LcdBus, UnknownController, identify};

use crate::clock::Clock;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nt35510,
    /// Its version registers were programmed otherwise; the ID on page 1 is right.
    Nt35510Unversioned,
    Ili9806,
    Other,
}

/// A panel with the registers that matter.
struct Panel {
    kind: Kind,
    clock: Clock,
    command: u16,
    parameter: u16,
    unlocked: [u16; 5],
    columns: [u16; 4],
    rows: [u16; 4],
    format: u16,
    slept_out_at: Option<u64>,
    on_at: Option<u64>,
    memory: Vec<u16>,
    cursor: usize,
}

impl Panel {
    fn new(kind: Kind, clock: &Clock) -> Self {
        Self {
            kind,
            clock: clock.clone(),
            command: 0,
            parameter: 0,
            unlocked: [0; 5],
            columns: [0; 4],
            rows: [0; 4],
            format: 0,
            slept_out_at: None,
            on_at: None,
            memory: vec![0; 480 * 800],
            cursor: 0,
        }
    }

    fn is_ili(&self) -> bool {
        self.kind == Kind::Ili9806
    }

    fn span(bytes: [u16; 4]) -> (usize, usize) {
        (usize::from(bytes[0] << 8 | bytes[1]), usize::from(bytes[2] << 8 | bytes[3]))
    }

    fn pixel(&mut self, value: u16) {
        let ((x0, x1), (y0, y1)) = (Self::span(self.columns), Self::span(self.rows));
        let width = x1 - x0 + 1;
        let (x, y) = (x0 + self.cursor % width, y0 + self.cursor / width);
        assert!(y <= y1, "more pixels than the window holds");
        self.memory[y * 480 + x] = value;
        self.cursor += 1;
    }
}

impl LcdBus for Panel {
    fn command(&mut self, command: u16) {
        (self.command, self.parameter) = (command, 0);
        let (sleep_out, on, write) =
            if self.is_ili() { (0x11, 0x29, 0x2C) } else { (0x1100, 0x2900, 0x2C00) };
        if command == sleep_out {
            self.slept_out_at = Some(self.clock.ms());
        } else if command == on {
            self.on_at = Some(self.clock.ms());
        } else if command == write {
            self.cursor = 0;
        }
    }

    fn data(&mut self, data: u16) {
        let (register, index) = if self.is_ili() {
            (self.command << 8, usize::from(self.parameter))
        } else {
            (self.command & 0xFF00, usize::from(self.command & 0xFF))
        };
        self.parameter += 1;
        match register {
            0x2A00 => self.columns[index] = data,
            0x2B00 => self.rows[index] = data,
            0x2C00 => self.pixel(data),
            0x3A00 => self.format = data,
            0xF000 if !self.is_ili() => self.unlocked[index] = data,
            _ => {}
        }
    }

    fn read(&mut self) -> u16 {
        let page_1 = self.unlocked == [0x55, 0xAA, 0x52, 0x08, 0x01];
        let index = self.parameter;
        self.parameter += 1;
        match (self.kind, self.command) {
            (Kind::Nt35510, 0xDB00) => 0x80,
            (Kind::Nt35510, 0xDC00) => 0x00,
            (Kind::Nt35510Unversioned, 0xDB00) => 0xC0,
            (Kind::Nt35510 | Kind::Nt35510Unversioned, 0xC500) if page_1 => 0x55,
            (Kind::Nt35510 | Kind::Nt35510Unversioned, 0xC501) if page_1 => 0x10,
            (Kind::Ili9806, 0xD3) => [0xD3, 0x00, 0x98, 0x06][usize::from(index)],
            (Kind::Other, 0xD3) => [0xD3, 0x00, 0x93, 0x41][usize::from(index)],
            (Kind::Other, _) => 0x1234,
            _ => 0x00,
        }
    }
}

const KNOWN: [(Kind, Controller); 3] = [
    (Kind::Nt35510, Controller::Nt35510),
    (Kind::Nt35510Unversioned, Controller::Nt35510),
    (Kind::Ili9806, Controller::Ili9806),
];

#[test]
fn each_controller_is_identified() {
    for (kind, controller) in KNOWN {
        assert_eq!(identify(&mut Panel::new(kind, &Clock::default())), Ok(controller), "{kind:?}");
    }
}

#[test]
fn an_unknown_controller_is_told_with_all_it_said() {
    let unknown = identify(&mut Panel::new(Kind::Other, &Clock::default())).unwrap_err();
    let said = UnknownController { short_id: [0x1234; 2], long_id: [0x1234; 2], ili_id: 0x9341 };
    assert_eq!(unknown, said);
    assert!(unknown.to_string().contains("9341"));
}

#[test]
fn the_display_goes_on_120_ms_after_sleep_out_in_16_bit_colour() {
    for (kind, controller) in KNOWN {
        let mut clock = Clock::default();
        let mut panel = Panel::new(kind, &clock);
        clock.delay_ms(3);
        controller.start(&mut panel, &mut clock);
        assert!(panel.on_at.unwrap() >= panel.slept_out_at.unwrap() + 120, "{kind:?}");
        assert_eq!(panel.format, 0x55);
    }
}

#[test]
fn a_window_takes_its_pixels_and_nothing_around_it() {
    for (kind, controller) in KNOWN {
        let mut panel = Panel::new(kind, &Clock::default());
        controller.window(&mut panel, 300..310, 700..705);
        for value in 1..=50 {
            panel.data(value);
        }
        for (i, &value) in panel.memory.iter().enumerate() {
            let (x, y) = (i % 480, i / 480);
            let inside = (300..310).contains(&x) && (700..705).contains(&y);
            let wanted = if inside { 1 + (y - 700) * 10 + (x - 300) } else { 0 };
            assert_eq!(usize::from(value), wanted, "{kind:?} at {x}, {y}");
        }
        // The whole screen, and its last pixel.
        controller.window(&mut panel, 0..480, 0..800);
        assert_eq!((Panel::span(panel.columns), Panel::span(panel.rows)), ((0, 479), (0, 799)));
    }
}
