// SPDX-License-Identifier: GPL-3.0-only
//! What `build.rs` makes of the interface's pictures and font.

/// A character as alpha values, row by row.
#[derive(Debug)]
pub struct Glyph {
    /// From the pen to the first column.
    pub left: i32,
    /// From the first row down to the base line.
    pub top: i32,
    pub width: usize,
    /// From pen to pen.
    pub advance: i32,
    pub alphas: &'static [u8],
}

/// A row of a stone's picture.
#[derive(Debug)]
pub struct StoneRow {
    /// Multiplied by alpha, in the format RGB565.
    pub colors: [u16; STONE_SIDE],
    /// How much of what is below shows through, 0 to 32.
    pub through: [u8; STONE_SIDE],
    /// The columns outside of which everything shows through.
    pub inked: Span,
    /// The columns in which nothing shows through, within the inked ones or none.
    pub solid: Span,
}

/// Columns of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub from: u8,
    pub end: u8,
}

impl Span {
    /// Where it begins and ends.
    pub fn bounds(self) -> [usize; 2] {
        [self.from.into(), self.end.into()]
    }
}

include!(concat!(env!("OUT_DIR"), "/pictures.rs"));
