// SPDX-License-Identifier: GPL-3.0-only
//! Pictures of the screen, and the reference pictures that they are compared with.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};

/// What the phone fills a buffer with that the app has to draw.
const MAGENTA: [u8; 3] = [255, 0, 255];

/// RGB pixels in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<[u8; 3]>,
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

    /// The number of pixels in which two pictures of the same size differ.
    #[must_use]
    pub fn difference(&self, other: &Self) -> usize {
        assert_eq!((self.width, self.height), (other.width, other.height));
        self.pixels.iter().zip(&other.pixels).filter(|(a, b)| a != b).count()
    }

    /// The colour at a place.
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[(y * self.width + x) as usize]
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

    /// Compares with the reference picture of this name, or makes it anew where
    /// `WUZI_RENEW_PICTURES` is set.
    ///
    /// # Panics
    /// If they differ. What was seen is then beside the reference, as `NAME.seen.png`.
    pub fn compare(&self, name: &str) {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures");
        let path = |kind: &str| -> PathBuf { directory.join(format!("{name}{kind}.png")) };
        if std::env::var_os("WUZI_RENEW_PICTURES").is_some() {
            std::fs::create_dir_all(&directory).unwrap();
            return self.write(&path(""));
        }
        let reference = Self::read(&path("")).unwrap_or_else(|| panic!("there is no picture {name}"));
        if *self != reference {
            self.write(&path(".seen"));
            let difference = if (self.width, self.height) == (reference.width, reference.height) {
                format!("in {} pixels", self.difference(&reference))
            } else {
                "in size".into()
            };
            panic!("{name} differs from its reference picture {difference}; see {}", path(".seen").display());
        }
    }
}
