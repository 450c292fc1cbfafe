// SPDX-License-Identifier: GPL-3.0-only
//! Windows without a screen, drawn by the renderer that the board uses.
//!
//! A crate of its own, so that the renderer's inner loops are optimised in the tests too: they are
//! generic over the pixel and compiled where they are used.

pub mod board;

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use slint::platform::software_renderer::{MinimalSoftwareWindow, RepaintBufferType, Rgb565Pixel};
use slint::platform::{Platform, WindowAdapter, WindowEvent};
use slint::{ComponentHandle, PhysicalSize, Rgb8Pixel};

struct Darkroom(Rc<MinimalSoftwareWindow>);

impl Platform for Darkroom {
    fn create_window_adapter(&self) -> Result<Rc<dyn WindowAdapter>, slint::PlatformError> {
        Ok(self.0.clone())
    }

    /// Time stands still: nothing blinks or moves between two pictures.
    fn duration_since_start(&self) -> Duration {
        Duration::ZERO
    }
}

/// Takes pictures of windows, one at a time.
#[allow(missing_debug_implementations, reason = "the window has none")]
pub struct Camera(Rc<MinimalSoftwareWindow>);

/// The pixels, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// `width` × `height` of red, green, blue.
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Red, green and blue of a pixel.
    ///
    /// # Panics
    /// If it is none of the picture's.
    #[must_use]
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        self.pixels[y * self.width as usize + x]
    }
}

impl Camera {
    /// Becomes the thread's Slint platform; one for each thread.
    ///
    /// # Panics
    /// If the thread has a platform already.
    #[must_use]
    pub fn new() -> Self {
        let window = MinimalSoftwareWindow::new(RepaintBufferType::NewBuffer);
        slint::platform::set_platform(Box::new(Darkroom(window.clone()))).expect("one camera a thread");
        Self(window)
    }

    /// A picture of so many physical pixels in 24-bit colours.
    pub fn take(&self, window: &impl ComponentHandle, width: u32, height: u32, scale: f32) -> Picture {
        self.prepare(window, width, height, scale);
        let mut pixels = vec![Rgb8Pixel::default(); (width * height) as usize];
        self.0.draw_if_needed(|renderer| {
            renderer.render(&mut pixels, width as usize);
        });
        Picture {
            width,
            height,
            pixels: pixels.into_iter().map(|pixel| [pixel.r, pixel.g, pixel.b]).collect(),
        }
    }

    /// A picture in 16-bit colours, drawn line by line as on the board.
    pub fn take_565(&self, window: &impl ComponentHandle, width: u32, height: u32) -> Picture {
        self.prepare(window, width, height, 1.0);
        let mut pixels = vec![Rgb565Pixel::default(); (width * height) as usize];
        self.0.draw_if_needed(|renderer| {
            renderer.render_by_line(Lines { pixels: &mut pixels, width: width as usize });
        });
        Picture { width, height, pixels: pixels.into_iter().map(widen).collect() }
    }

    fn prepare(&self, window: &impl ComponentHandle, width: u32, height: u32, scale: f32) {
        self.0.dispatch_event(WindowEvent::ScaleFactorChanged { scale_factor: scale });
        self.0.set_size(PhysicalSize::new(width, height));
        window.show().expect("a window in memory opens");
        slint::platform::update_timers_and_animations();
        self.0.request_redraw();
    }
}

impl Default for Camera {
    fn default() -> Self {
        Self::new()
    }
}

struct Lines<'a> {
    pixels: &'a mut [Rgb565Pixel],
    width: usize,
}

impl slint::platform::software_renderer::LineBufferProvider for Lines<'_> {
    type TargetPixel = Rgb565Pixel;

    fn process_line(
        &mut self,
        line: usize,
        range: core::ops::Range<usize>,
        draw: impl FnOnce(&mut [Rgb565Pixel]),
    ) {
        let start = line * self.width;
        draw(&mut self.pixels[start + range.start..start + range.end]);
    }
}

/// The 24-bit colour of a 16-bit one, as an LCD shows it.
fn widen(Rgb565Pixel(value): Rgb565Pixel) -> [u8; 3] {
    let channel = |shift: u16, bits: u16| {
        let value = (value >> shift) & ((1 << bits) - 1);
        u8::try_from((u32::from(value) * 255 + (1 << (bits - 1))) / ((1 << bits) - 1)).unwrap_or(u8::MAX)
    };
    [channel(11, 5), channel(5, 6), channel(0, 5)]
}

/// Writes a PNG and the directories above it.
///
/// # Panics
/// If the file cannot be written.
pub fn write(path: &Path, picture: &Picture) {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).expect("the directory can be made");
    }
    let file = std::fs::File::create(path).expect("the picture can be written");
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(picture.pixels.as_flattened()))
        .expect("the picture can be written");
}

/// Reads a PNG that [`write()`] wrote; nothing if there is none.
#[must_use]
pub fn read(path: &Path) -> Option<Picture> {
    let file = std::fs::File::open(path).ok()?;
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let (pixels, _) = bytes[..info.buffer_size()].as_chunks::<3>();
    Some(Picture { width: info.width, height: info.height, pixels: pixels.to_vec() })
}
