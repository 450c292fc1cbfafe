// SPDX-License-Identifier: GPL-2.0-only
//! Pictures of the LCD as PNG files, and how far two of them differ.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

use crate::chip::lcd::Frame;

/// Why a picture could not be read or written.
#[derive(Debug)]
pub struct PictureError(String);

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PictureError {}

impl Frame {
    /// The picture as bytes of red, green and blue.
    #[must_use]
    pub fn to_rgb8(&self) -> Vec<u8> {
        self.pixels
            .iter()
            .flat_map(|&pixel| {
                let (red, green, blue) =
                    ((pixel >> 11) as u8, (pixel >> 5 & 0x3F) as u8, (pixel & 0x1F) as u8);
                [red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2]
            })
            .collect()
    }

    /// Writes the picture as a PNG file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), PictureError> {
        let failed =
            |error: &dyn fmt::Display| PictureError(format!("{} cannot be written: {error}", path.display()));
        let file = File::create(path).map_err(|error| failed(&error))?;
        let mut encoder =
            png::Encoder::new(BufWriter::new(file), u32::from(self.width), u32::from(self.height));
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(|error| failed(&error))?;
        writer.write_image_data(&self.to_rgb8()).map_err(|error| failed(&error))?;
        writer.finish().map_err(|error| failed(&error))
    }

    /// Reads a PNG file; colours lose what RGB565 cannot hold.
    ///
    /// # Errors
    /// If the file cannot be read or is no picture.
    pub fn load(path: &Path) -> Result<Self, PictureError> {
        let failed =
            |error: &dyn fmt::Display| PictureError(format!("{} cannot be read: {error}", path.display()));
        let file = File::open(path).map_err(|error| failed(&error))?;
        let mut decoder = png::Decoder::new(BufReader::new(file));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().map_err(|error| failed(&error))?;
        let size = reader.output_buffer_size().ok_or_else(|| failed(&"it is too large"))?;
        let mut bytes = vec![0; size];
        let info = reader.next_frame(&mut bytes).map_err(|error| failed(&error))?;
        let samples = info.color_type.samples();
        let pixels = bytes[..info.buffer_size()]
            .chunks(samples)
            .map(|sample| {
                let [red, green, blue] = match *sample {
                    [red, green, blue, ..] => [red, green, blue],
                    [grey, ..] => [grey; 3],
                    [] => [0; 3],
                };
                u16::from(red) >> 3 << 11 | u16::from(green) >> 2 << 5 | u16::from(blue) >> 3
            })
            .collect();
        let side = |length: u32| u16::try_from(length).map_err(|_| failed(&"it is too large"));
        Ok(Self { width: side(info.width)?, height: side(info.height)?, pixels })
    }

    /// The pixels in which two pictures of the same size differ, or `None` if their sizes differ.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Option<Vec<(u16, u16)>> {
        if (self.width, self.height) != (other.width, other.height) {
            return None;
        }
        let width = usize::from(self.width);
        let differs = self.pixels.iter().zip(&other.pixels).enumerate().filter(|(_, (one, two))| one != two);
        Some(differs.map(|(at, _)| ((at % width) as u16, (at / width) as u16)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back_from_its_file() {
        let pixels = (0..6u16).map(|at| at.wrapping_mul(0x3A5F)).collect();
        let frame = Frame { width: 3, height: 2, pixels };
        let path = std::env::temp_dir().join(format!("wuzi-board-picture-{}.png", std::process::id()));
        frame.save(&path).unwrap();
        let back = Frame::load(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(back, frame);
        let mut other = back.clone();
        other.pixels[4] ^= 1;
        assert_eq!(frame.differences(&other), Some(vec![(1, 1)]));
        assert_eq!(frame.differences(&Frame { width: 2, height: 3, ..other }), None);
    }
}
