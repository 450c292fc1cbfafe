// SPDX-License-Identifier: GPL-3.0-only
//! Pixels that paint the plate where a rectangle in one of its colours is filled.

use core::cell::RefCell;
use core::sync::atomic::{AtomicUsize, Ordering};

use critical_section::Mutex;
use slint::platform::software_renderer::{PremultipliedRgbaColor, Rgb565Pixel, TargetPixel};

use crate::plate::Plate;

/// Red of all colours that stand for the plate.
const KEY: u8 = 0x01;
/// Green: wood alone; blue is the line of its upper edge.
const WOOD: u8 = 0x02;
/// Green: the board; blue may be anything.
const BOARD: u8 = 0x03;

static PLATE: Mutex<RefCell<Plate>> = Mutex::new(RefCell::new(Plate::new()));
/// The line that is drawn, its first column, and the address of that pixel.
static LINE: AtomicUsize = AtomicUsize::new(0);
static COLUMN: AtomicUsize = AtomicUsize::new(0);
static ADDRESS: AtomicUsize = AtomicUsize::new(0);

fn read<R>(look: impl FnOnce(&Plate) -> R) -> R {
    critical_section::with(|section| look(&PLATE.borrow_ref(section)))
}

/// Changes the plate.
pub fn change<R>(work: impl FnOnce(&mut Plate) -> R) -> R {
    critical_section::with(|section| work(&mut PLATE.borrow_ref_mut(section)))
}

/// Says where the pixels are that are drawn next.
pub fn begin_line(line: usize, column: usize, pixels: &[PlatePixel]) {
    LINE.store(line, Ordering::Relaxed);
    COLUMN.store(column, Ordering::Relaxed);
    ADDRESS.store(pixels.as_ptr() as usize, Ordering::Relaxed);
}

/// A pixel of the display in the format RGB565.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct PlatePixel(pub Rgb565Pixel);

impl PlatePixel {
    /// A colour that stands for the board, one of two: an element is drawn anew when it changes.
    #[must_use]
    pub const fn strip(odd: bool) -> slint::Color {
        slint::Color::from_rgb_u8(KEY, BOARD, odd as u8)
    }

    /// Lays a colour multiplied by its alpha over the pixel, of which so much shows `through`, 0 to 32:
    /// the sum of `Rgb565Pixel::blend`.
    pub(crate) fn lay(&mut self, color: u16, through: u8) {
        let sum = spread(self.0.0) * u32::from(through) + (spread(color) << 5);
        self.0.0 = (sum >> 21) as u16 & GREEN | (sum >> 5) as u16 & !GREEN;
    }
}

const GREEN: u16 = 0b0000_0111_1110_0000;

/// The channels so far apart that they can be multiplied at once.
const fn spread(pixel: u16) -> u32 {
    (pixel & !GREEN) as u32 | ((pixel & GREEN) as u32) << 16
}

impl TargetPixel for PlatePixel {
    fn blend(&mut self, color: PremultipliedRgbaColor) {
        self.0.blend(color);
    }

    fn blend_slice(slice: &mut [Self], color: PremultipliedRgbaColor) {
        if color.alpha < u8::MAX {
            if (color.red, color.green, color.blue) == (0, 0, 0) {
                return darken(slice, color.alpha);
            }
            for pixel in slice {
                pixel.0.blend(color);
            }
            return;
        }
        let (KEY, green @ (WOOD | BOARD)) = (color.red, color.green) else {
            return fill(slice, Self::from_rgb(color.red, color.green, color.blue));
        };
        let skipped =
            (slice.as_ptr() as usize).wrapping_sub(ADDRESS.load(Ordering::Relaxed)) / size_of::<Self>();
        let (line, column) = (LINE.load(Ordering::Relaxed), COLUMN.load(Ordering::Relaxed) + skipped);
        read(|plate| match green {
            WOOD => plate.paint_wood(line.wrapping_sub(usize::from(color.blue)), column, slice),
            _ => plate.paint(line, column, slice),
        });
    }

    fn from_rgb(red: u8, green: u8, blue: u8) -> Self {
        Self(Rgb565Pixel::from_rgb(red, green, blue))
    }
}

/// Fills several pixels in each round.
fn fill(slice: &mut [PlatePixel], pixel: PlatePixel) {
    let (eights, rest) = slice.as_chunks_mut::<8>();
    for eight in eights {
        *eight = [pixel; 8];
    }
    rest.fill(pixel);
}

/// Lays a black veil over the pixels, two at a time: the channels of each other one are far enough
/// apart to be multiplied at once. The result is that of `Rgb565Pixel::blend`.
fn darken(slice: &mut [PlatePixel], alpha: u8) {
    /// Green of the second pixel, red and blue of the first.
    const SOME: u32 = 0x07E0_F81F;
    const OTHERS: u32 = !SOME;
    let through = (u32::from(u8::MAX - alpha) + 4) >> 3;
    let darken = |first: &mut PlatePixel, second: &mut PlatePixel| {
        let both = u32::from(first.0.0) | u32::from(second.0.0) << 16;
        let some = ((both & SOME) * through >> 5) & SOME;
        let others = ((both & OTHERS) >> 5) * through & OTHERS;
        first.0.0 = (some | others) as u16;
        second.0.0 = ((some | others) >> 16) as u16;
    };
    let (fours, rest) = slice.as_chunks_mut::<4>();
    for [a, b, c, d] in fours {
        darken(a, b);
        darken(c, d);
    }
    for pixel in rest {
        pixel.0.blend(PremultipliedRgbaColor { red: 0, green: 0, blue: 0, alpha });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_veil_is_the_renderers() {
        for alpha in 0..u8::MAX {
            let veil = PremultipliedRgbaColor { red: 0, green: 0, blue: 0, alpha };
            let mut pixels: Vec<PlatePixel> =
                (0..u16::MAX).step_by(7).map(|value| PlatePixel(Rgb565Pixel(value))).collect();
            let mut wanted = pixels.clone();
            wanted.iter_mut().for_each(|pixel| pixel.0.blend(veil));
            PlatePixel::blend_slice(&mut pixels, veil);
            assert_eq!(pixels, wanted, "{alpha}");
        }
    }
}
