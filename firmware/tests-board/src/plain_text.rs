// SPDX-License-Identifier: GPL-2.0-only
//! Reads what `firmware/screen/src/canvas.rs` writes, letter by letter.

use std::collections::HashMap;
use std::convert::Infallible;

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_10X20;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::*;
use embedded_graphics::text::Text;
use wuzi_board::Frame;

const WIDTH: u16 = 10;
const HEIGHT: u16 = 20;
/// Where the first letter of each line is, and how many there are.
const LEFT: u16 = 20;
const COLUMNS: u16 = 44;
/// The baselines of the title and of the first line of the message, and the distance of lines.
const TITLE: u16 = 60;
const MESSAGE: u16 = 120;
const LINE: u16 = 26;
const WHITE: u16 = 0xFFFF;

/// The pixels of a letter.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Glyph([bool; (WIDTH * HEIGHT) as usize]);

impl OriginDimensions for Glyph {
    fn size(&self) -> Size {
        Size::new(u32::from(WIDTH), u32::from(HEIGHT))
    }
}

impl DrawTarget for Glyph {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(at, color) in pixels {
            if self.bounding_box().contains(at) {
                self.0[at.y as usize * usize::from(WIDTH) + at.x as usize] = color.is_on();
            }
        }
        Ok(())
    }
}

fn glyph(letter: char) -> Glyph {
    let mut glyph = Glyph([false; (WIDTH * HEIGHT) as usize]);
    let style = MonoTextStyle::new(&FONT_10X20, BinaryColor::On);
    let baseline = Point::new(0, FONT_10X20.baseline as i32);
    let Ok(_) = Text::new(&letter.to_string(), baseline, style).draw(&mut glyph);
    glyph
}

/// The lines of white text, without the empty ones at the end; what is no letter is `\u{FFFD}`.
pub fn read(frame: &Frame) -> Vec<String> {
    let letters: HashMap<Glyph, char> = (' '..='~').map(|letter| (glyph(letter), letter)).collect();
    let seen = |left: u16, top: u16| {
        let at = |index: u16| (left + index % WIDTH, top + index / WIDTH);
        let glyph = Glyph(std::array::from_fn(|index| {
            let (x, y) = at(index as u16);
            frame.pixel(x, y) == Some(WHITE)
        }));
        letters.get(&glyph).copied().unwrap_or('\u{FFFD}')
    };
    let line = |baseline: u16| {
        let top = baseline - FONT_10X20.baseline as u16;
        let text: String = (0..COLUMNS).map(|column| seen(LEFT + WIDTH * column, top)).collect();
        text.trim_end().to_owned()
    };
    let baselines = (MESSAGE..800 - HEIGHT).step_by(usize::from(LINE));
    let mut lines: Vec<String> = std::iter::once(TITLE).chain(baselines).map(line).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}
