// SPDX-License-Identifier: GPL-3.0-only
//! The calibration of a resistive panel: four marks to touch.

use embedded_graphics::pixelcolor::Rgb565;
use embedded_graphics::prelude::{Point, RgbColor};
use embedded_hal::delay::DelayNs;
use wuzi_drivers::calibration::{Calibration, MARKS, Reading};
use wuzi_drivers::touch::Position;
use wuzi_screen::Canvas;

use crate::clock::Delay;
use crate::touchscreen::Resistive;

/// Steady readings, 10 ms apart, that make a touch.
const READINGS: u32 = 8;

/// Shows the marks until they are touched well. `attend` is called every 10 ms with the screen drawn
/// and the panel read; once it returns false (a key) the calibration is left as it was.
pub fn run(
    canvas: &mut Canvas,
    panel: &mut Resistive,
    mut attend: impl FnMut() -> bool,
) -> Option<[Reading; 4]> {
    let mut message = "Touch the middle of the cross.\nA key leaves everything as it was.";
    loop {
        let mut readings = [Reading::default(); 4];
        for (mark, reading) in MARKS.into_iter().zip(&mut readings) {
            canvas.ground(Rgb565::BLACK);
            canvas.text(message, Point::new(70, 380), Rgb565::WHITE);
            cross(canvas, mark);
            *reading = touched(panel, &mut attend)?;
        }
        if let Ok(calibration) = Calibration::from_readings(readings) {
            panel.calibration = Some(calibration);
            return Some(readings);
        }
        message = "The crosses were not hit.\nOnce again, in the middle.";
    }
}

fn cross(canvas: &mut Canvas, Position { x, y }: Position) {
    canvas.rectangle(x - 20..x + 21, y..y + 1, Rgb565::WHITE);
    canvas.rectangle(x..x + 1, y - 20..y + 21, Rgb565::WHITE);
    canvas.rectangle(x - 3..x + 4, y - 3..y + 4, Rgb565::RED);
}

/// The mean of a touch from press to release; `None` if a key was pressed instead.
fn touched(panel: &mut Resistive, attend: &mut impl FnMut() -> bool) -> Option<Reading> {
    let (mut count, mut x, mut y) = (0, 0, 0);
    loop {
        if !attend() {
            return None;
        }
        Delay.delay_ms(10);
        match panel.reading() {
            Some(reading) if count < READINGS => {
                (count, x, y) = (count + 1, x + u32::from(reading.x), y + u32::from(reading.y));
            }
            Some(_) => {}
            None if !panel.is_pressed() => {
                if count == READINGS {
                    return Some(Reading { x: (x / READINGS) as u16, y: (y / READINGS) as u16 });
                }
                (count, x, y) = (0, 0, 0);
            }
            None => {}
        }
    }
}
