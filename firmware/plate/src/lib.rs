// SPDX-License-Identifier: GPL-3.0-only
//! The board's plate (wood, lines, letters, stones, numbers) without an element for anything on it.
//!
//! The interface has plain rectangles in certain colours where the plate is. The renderer's lines
//! are made of [`PlatePixel`]s, and where a rectangle in such a colour is filled, these paint the
//! plate instead. So the plate stands at its place among all other elements, is drawn only where
//! something changed, and needs no memory for each stone. The pixels are the same as those of the
//! desktop's interface (`ui/components/board-plate.slint`).
#![cfg_attr(not(test), no_std)]

mod pictures;
mod pixel;
mod plate;

pub use crate::pixel::{PlatePixel, begin_line, change};
pub use crate::plate::{Look, MAX_LINES, Plate, Stone};
