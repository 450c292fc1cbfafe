// SPDX-License-Identifier: GPL-3.0-only
//! Pictures of the screen, and the reference pictures that they are compared with.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What the phone fills a buffer with that the app has to draw.
const MAGENTA: [u8; 3] = [255, 0, 255];

/// More pixels than a lamp has.
const LAMP: usize = 1000;

/// Where the reference pictures are.
#[must_use]
pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures")
}

/// Where the app shops' pictures in a language are.
#[must_use]
pub fn shop_directory(language: &str) -> PathBuf {
    let metadata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fastlane/metadata/android");
    metadata.join(language).join("images/phoneScreenshots")
}

/// RGB pixels in rows.
#[derive(Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 3]>,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a picture of {} × {}", self.width, self.height)
    }
}

impl Picture {
    /// Of RGBA bytes; alpha does not count.
    #[must_use]
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        let pixels = rgba.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect::<Vec<_>>();
        assert_eq!(pixels.len(), (width * height) as usize);
        Self { width, height, pixels }
    }

    /// The number of pixels that the app has left out.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.pixels.iter().filter(|&&pixel| pixel == MAGENTA).count()
    }

    /// Whether these rows have one colour only.
    #[must_use]
    pub fn is_blank(&self, rows: Range<usize>) -> bool {
        let width = self.width as usize;
        let pixels = &self.pixels[rows.start * width..rows.end * width];
        pixels.iter().all(|pixel| *pixel == pixels[0])
    }

    /// Whether two pictures of the same size differ by more than a lamp that is lit or dark.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> bool {
        assert_eq!((self.width, self.height), (other.width, other.height));
        self.pixels.iter().zip(&other.pixels).filter(|(a, b)| a != b).count() > LAMP
    }

    /// Writes a PNG.
    pub fn write(&self, path: &Path) {
        let file = BufWriter::new(File::create(path).unwrap());
        let mut encoder = png::Encoder::new(file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.write_header().unwrap().write_image_data(self.pixels.as_flattened()).unwrap();
    }

    /// Reads a PNG that [`Self::write`] has written.
    #[must_use]
    pub fn read(path: &Path) -> Option<Self> {
        let mut reader = png::Decoder::new(BufReader::new(File::open(path).ok()?)).read_info().unwrap();
        let (width, height) = (reader.info().width, reader.info().height);
        let mut pixels = vec![[0; 3]; (width * height) as usize];
        reader.next_frame(pixels.as_flattened_mut()).unwrap();
        Some(Self { width, height, pixels })
    }
}
