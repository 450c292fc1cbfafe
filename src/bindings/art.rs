// SPDX-License-Identifier: GPL-3.0-only
//! `Art`: stones drawn for the size that the board has just now. The microcontroller has none to
//! spare for this; it shows the pictures that were drawn beforehand.

use std::cell::RefCell;
use std::collections::HashMap;

use slint::{ComponentHandle, Image, Rgba8Pixel, SharedPixelBuffer};

use crate::art;
use crate::interface::{AppWindow, Art};

/// Larger than a cell of the smallest board on the largest screen.
const MOST_PIXELS: i32 = 1024;
/// Sizes that are remembered; resizing a window goes through many.
const REMEMBERED: usize = 16;

pub(super) fn connect(window: &AppWindow) {
    let drawn: RefCell<HashMap<(bool, u16), Image>> = RefCell::default();
    window.global::<Art>().on_stone(move |black, pixels| {
        let pixels = pixels.clamp(1, MOST_PIXELS) as u16;
        let mut drawn = drawn.borrow_mut();
        if drawn.len() >= REMEMBERED && !drawn.contains_key(&(black, pixels)) {
            drawn.clear();
        }
        drawn.entry((black, pixels)).or_insert_with(|| draw(black, pixels)).clone()
    });
}

fn draw(black: bool, pixels: u16) -> Image {
    let side = u32::from(pixels);
    let mut buffer = SharedPixelBuffer::<Rgba8Pixel>::new(side, side);
    for (to, [r, g, b, a]) in buffer.make_mut_slice().iter_mut().zip(art::stone(black, pixels)) {
        *to = Rgba8Pixel::new(r, g, b, a);
    }
    Image::from_rgba8_premultiplied(buffer)
}
