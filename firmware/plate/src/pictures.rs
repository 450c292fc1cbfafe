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

include!(concat!(env!("OUT_DIR"), "/pictures.rs"));
