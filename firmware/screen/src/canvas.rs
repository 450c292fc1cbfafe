// SPDX-License-Identifier: GPL-3.0-only
//! Plain drawing on the LCD, without the interface's renderer: for the calibration and the fault
//! screen.

use core::convert::Infallible;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_10X20;
use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::pixelcolor::raw::RawU16;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::Text;
use wuzi_drivers::lcd::{Controller, LcdBus};
use wuzi_drivers::touch::{HEIGHT, WIDTH};

use crate::FsmcBus;

/// The whole screen.
#[derive(Debug)]
pub struct Canvas {
    bus: FsmcBus,
    controller: Controller,
}

const FONT_WIDTH: usize = 10;
const LINE_HEIGHT: i32 = 26;

impl Canvas {
    /// The screen of a panel that runs.
    pub const fn new(bus: FsmcBus, controller: Controller) -> Self {
        Self { bus, controller }
    }

    /// Fills everything.
    pub fn ground(&mut self, color: Rgb565) {
        self.rectangle(0..WIDTH, 0..HEIGHT, color);
    }

    /// Fills a rectangle.
    pub fn rectangle(&mut self, columns: core::ops::Range<u16>, rows: core::ops::Range<u16>, color: Rgb565) {
        let pixels = columns.len() * rows.len();
        self.controller.window(&mut self.bus, columns, rows);
        for _ in 0..pixels {
            self.bus.data(RawU16::from(color).into_inner());
        }
    }

    /// Writes lines of ASCII from a position on; long ones are broken at the right edge.
    pub fn text(&mut self, text: &str, at: Point, color: Rgb565) {
        let style = MonoTextStyle::new(&FONT_10X20, color);
        let columns = (i32::from(WIDTH) - 2 * at.x).max(0) as usize / FONT_WIDTH;
        let pieces = text.lines().flat_map(|line| {
            let count = line.len().div_ceil(columns).max(1);
            (0..count).map(move |i| line.get(i * columns..((i + 1) * columns).min(line.len())).unwrap_or("?"))
        });
        for (row, piece) in (0..).zip(pieces) {
            let place = at + Point::new(0, LINE_HEIGHT * row);
            match Text::new(piece, place, style).draw(self) {
                Ok(_) => {}
                Err(never) => match never {},
            }
        }
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(u32::from(WIDTH), u32::from(HEIGHT))
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb565;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Rgb565>>,
    {
        for Pixel(point, color) in pixels {
            if self.bounding_box().contains(point) {
                let (x, y) = (point.x as u16, point.y as u16);
                self.rectangle(x..x + 1, y..y + 1, color);
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, color: Rgb565) -> Result<(), Infallible> {
        let area = area.intersection(&self.bounding_box());
        if let Some(last) = area.bottom_right() {
            let (x, y) = (area.top_left.x as u16, area.top_left.y as u16);
            self.rectangle(x..last.x as u16 + 1, y..last.y as u16 + 1, color);
        }
        Ok(())
    }
}
