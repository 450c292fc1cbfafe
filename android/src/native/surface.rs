// SPDX-License-Identifier: GPL-3.0-only
//! The picture, and the way of its changed part to the activity's surface.

use std::io;
use std::mem::{self, MaybeUninit};

use ndk::hardware_buffer_format::HardwareBufferFormat;
use ndk::native_window::{NativeWindow, Rect};
use slint::PhysicalSize;
use slint::platform::software_renderer::{PremultipliedRgbaColor as Pixel, SoftwareRenderer};

/// The whole picture. Slint draws what has changed into it; the same part is copied to the surface,
/// whose buffers the system hands out in turns.
#[derive(Default)]
pub(super) struct Surface {
    pixels: Vec<Pixel>,
    size: PhysicalSize,
    exposed: bool,
}

impl Surface {
    /// The next frame shows the whole picture.
    pub(super) fn expose(&mut self) {
        self.exposed = true;
    }

    /// Draws and shows a frame of this size.
    ///
    /// # Errors
    /// If the surface is gone.
    pub(super) fn show(
        &mut self,
        native: &NativeWindow,
        size: PhysicalSize,
        renderer: &SoftwareRenderer,
    ) -> io::Result<()> {
        if size != self.size {
            self.size = size;
            self.pixels.clear();
            self.pixels.resize(size.width as usize * size.height as usize, Pixel::default());
            self.exposed = true;
        }
        let drawn = renderer.render(&mut self.pixels, size.width as usize);
        let (origin, extent) = (drawn.bounding_box_origin(), drawn.bounding_box_size());
        let part = if self.exposed {
            Rect { left: 0, top: 0, right: size.width as i32, bottom: size.height as i32 }
        } else if extent.width == 0 || extent.height == 0 {
            return Ok(());
        } else {
            let (right, bottom) = (origin.x + extent.width as i32, origin.y + extent.height as i32);
            Rect { left: origin.x, top: origin.y, right, bottom }
        };
        // If it fails, the next frame has to make up for this one.
        self.exposed = true;
        self.copy(native, part)?;
        self.exposed = false;
        Ok(())
    }

    /// Copies a part of the picture, and whatever else the system's buffer lacks.
    fn copy(&self, native: &NativeWindow, mut part: Rect) -> io::Result<()> {
        native.set_buffers_geometry(0, 0, Some(HardwareBufferFormat::R8G8B8X8_UNORM))?;
        let mut buffer = native.lock(Some(&mut part))?;
        // During a rotation the buffer may still, or already, have another size.
        let width = buffer.width().min(self.size.width as usize);
        let height = buffer.height().min(self.size.height as usize);
        let stride = buffer.stride();
        let clamp = |at: i32, end: usize| (at.max(0) as usize).min(end);
        let (left, right) = (clamp(part.left, width), clamp(part.right, width));
        let (top, bottom) = (clamp(part.top, height), clamp(part.bottom, height));
        let rows = buffer.height();
        // SAFETY: the locked buffer has `stride` pixels of 4 bytes in each of its rows.
        let target = unsafe {
            std::slice::from_raw_parts_mut(buffer.bits().cast::<MaybeUninit<Pixel>>(), stride * rows)
        };
        for row in top..bottom.max(top) {
            let source = &self.pixels[row * self.size.width as usize..][left..right.max(left)];
            for (shown, drawn) in target[row * stride..][left..right.max(left)].iter_mut().zip(source) {
                shown.write(*drawn);
            }
        }
        // The guard would panic where the surface was lost in the meantime.
        mem::forget(buffer);
        // SAFETY: the window is valid, and it is locked.
        match unsafe { ndk_sys::ANativeWindow_unlockAndPost(native.ptr().as_ptr()) } {
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(-error)),
        }
    }
}
