// SPDX-License-Identifier: GPL-3.0-only
//! From the readings of a resistive panel to pixels, by touching four marks.
//!
//! The map is affine (scale, offset, swapped or slanted axes); its six factors are the least
//! squares solution over the four marks, so the four residuals tell whether the marks were hit.

use crate::touch::{HEIGHT, Position, WIDTH};

/// A reading of the panel: 12 bits each way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Channel X.
    pub x: u16,
    /// Channel Y.
    pub y: u16,
}

/// Where the marks stand, in the order in which they are touched.
pub const MARKS: [Position; 4] = [
    Position { x: 40, y: 40 },
    Position { x: WIDTH - 40, y: 40 },
    Position { x: 40, y: HEIGHT - 40 },
    Position { x: WIDTH - 40, y: HEIGHT - 40 },
];

/// How far, in pixels, a mark may be from where the factors put it.
pub const TOLERANCE: f32 = 8.0;

/// The readings do not fit the marks: touched beside them, or twice the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

/// The factors: `x = a·X + b·Y + c`, and the same for `y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    x: [f32; 3],
    y: [f32; 3],
}

impl Calibration {
    /// The factors that follow from the readings at [`MARKS`].
    ///
    /// # Errors
    /// If they do not fit within [`TOLERANCE`].
    pub fn from_readings(readings: [Reading; 4]) -> Result<Self, Mismatch> {
        // Least squares about the centroid: a 2×2 system for the slopes of each axis.
        let points = readings.map(|reading| (f32::from(reading.x), f32::from(reading.y)));
        let mean = |values: [f32; 4]| values.iter().sum::<f32>() / 4.0;
        let (mean_u, mean_v) = (mean(points.map(|p| p.0)), mean(points.map(|p| p.1)));
        let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
        for (u, v) in points {
            let (u, v) = (u - mean_u, v - mean_v);
            uu += u * u;
            uv += u * v;
            vv += v * v;
        }
        let determinant = uu * vv - uv * uv;
        // A panel spans hundreds of units each way; less than ten is no area.
        if determinant < 1e4 {
            return Err(Mismatch);
        }
        let solve = |targets: [f32; 4]| {
            let mean_t = mean(targets);
            let (mut ut, mut vt) = (0.0, 0.0);
            for ((u, v), target) in points.into_iter().zip(targets) {
                ut += (u - mean_u) * (target - mean_t);
                vt += (v - mean_v) * (target - mean_t);
            }
            let a = (ut * vv - vt * uv) / determinant;
            let b = (vt * uu - ut * uv) / determinant;
            [a, b, mean_t - a * mean_u - b * mean_v]
        };
        let calibration =
            Self { x: solve(MARKS.map(|m| f32::from(m.x))), y: solve(MARKS.map(|m| f32::from(m.y))) };
        let fits = readings.into_iter().zip(MARKS).all(|(reading, mark)| {
            let (x, y) = calibration.map(reading);
            let near = |a: f32, b: u16| (-TOLERANCE..=TOLERANCE).contains(&(a - f32::from(b)));
            near(x, mark.x) && near(y, mark.y)
        });
        if fits { Ok(calibration) } else { Err(Mismatch) }
    }

    /// The pixel under a reading; `None` if that is off the screen.
    #[must_use]
    pub fn position(&self, reading: Reading) -> Option<Position> {
        let (x, y) = self.map(reading);
        let inside = x >= -0.5 && y >= -0.5;
        if inside { Position::on_screen((x + 0.5) as u16, (y + 0.5) as u16) } else { None }
    }

    fn map(&self, Reading { x, y }: Reading) -> (f32, f32) {
        let (u, v) = (f32::from(x), f32::from(y));
        let row = |[a, b, c]: [f32; 3]| a * u + b * v + c;
        (row(self.x), row(self.y))
    }
}

/// The readings of the four marks in 12 bytes, as the EEPROM keeps them; the factors follow from
/// them.
#[must_use]
pub fn pack(readings: [Reading; 4]) -> [u8; 12] {
    let mut bytes = [0; 12];
    for (three, reading) in bytes.chunks_exact_mut(3).zip(readings) {
        let both = u32::from(reading.x & 0xFFF) << 12 | u32::from(reading.y & 0xFFF);
        three.copy_from_slice(&both.to_be_bytes()[1..]);
    }
    bytes
}

/// The reverse of [`pack`].
#[must_use]
pub fn unpack(bytes: [u8; 12]) -> [Reading; 4] {
    core::array::from_fn(|i| {
        let both = u32::from_be_bytes([0, bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2]]);
        Reading { x: (both >> 12) as u16, y: (both & 0xFFF) as u16 }
    })
}
