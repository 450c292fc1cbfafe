// SPDX-License-Identifier: GPL-3.0-only
//! A window without a screen, drawn by the renderer that the board uses.

use slint::platform::software_renderer::{MinimalSoftwareWindow, RepaintBufferType};
use slint::platform::{Platform, WindowAdapter, WindowEvent};
use slint::{ComponentHandle, PhysicalSize, Rgb8Pixel};
use std::path::Path;
use std::rc::Rc;

struct Darkroom(Rc<MinimalSoftwareWindow>);

impl Platform for Darkroom {
    fn create_window_adapter(&self) -> Result<Rc<dyn WindowAdapter>, slint::PlatformError> {
        Ok(self.0.clone())
    }
}

/// Takes pictures of windows, one at a time.
pub struct Camera(Rc<MinimalSoftwareWindow>);

/// Width, height and the pixels, row by row.
#[derive(PartialEq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub pixels: Vec<Rgb8Pixel>,
}

impl Camera {
    /// One for each thread.
    pub fn new() -> Self {
        let window = MinimalSoftwareWindow::new(RepaintBufferType::NewBuffer);
        slint::platform::set_platform(Box::new(Darkroom(window.clone()))).expect("one camera a thread");
        Self(window)
    }

    /// A picture of so many physical pixels.
    pub fn take(&self, window: &impl ComponentHandle, width: u32, height: u32, scale: f32) -> Picture {
        self.0.dispatch_event(WindowEvent::ScaleFactorChanged { scale_factor: scale });
        self.0.set_size(PhysicalSize::new(width, height));
        window.show().expect("a window in memory opens");
        slint::platform::update_timers_and_animations();
        let mut pixels = vec![Rgb8Pixel::default(); (width * height) as usize];
        self.0.request_redraw();
        self.0.draw_if_needed(|renderer| {
            renderer.render(&mut pixels, width as usize);
        });
        window.hide().expect("a window in memory closes");
        Picture { width, height, pixels }
    }
}

/// Writes a PNG.
pub fn write(path: &Path, picture: &Picture) {
    std::fs::create_dir_all(path.parent().expect("a file stands in a directory")).expect("the directory can be made");
    let file = std::fs::File::create(path).expect("the picture can be written");
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    let bytes: Vec<u8> = picture.pixels.iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
    encoder.write_header().and_then(|mut writer| writer.write_image_data(&bytes)).expect("the picture can be written");
}

/// Reads a PNG that [`write`] wrote; nothing if there is none.
pub fn read(path: &Path) -> Option<Picture> {
    let file = std::fs::File::open(path).ok()?;
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().ok()?;
    let mut bytes = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut bytes).ok()?;
    let pixels = bytes[..info.buffer_size()].chunks_exact(3).map(|rgb| Rgb8Pixel::new(rgb[0], rgb[1], rgb[2])).collect();
    Some(Picture { width: info.width, height: info.height, pixels })
}
