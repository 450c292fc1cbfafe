// SPDX-License-Identifier: GPL-3.0-only
//! The stones that a picture of a game shows.

use wuzi_engine::{Color, Point};

use crate::Picture;

/// Where a point of a board of 15 lines stands in a picture of 480 × 800 pixels, by the original's layout.
#[must_use]
pub fn place(point: Point) -> (usize, usize) {
    (16 + 32 * usize::from(point.x), 136 + 32 * usize::from(point.y))
}

/// The stone whose middle is at a pixel, looked at aside of the lines and of the mark in the middle.
///
/// # Panics
/// If the picture ends before the 8 pixels to the right and below it.
#[must_use]
pub fn stone(picture: &Picture, (x, y): (usize, usize)) -> Option<Color> {
    let spots = [(7, 8), (8, 7), (7, 7)].map(|(dx, dy)| picture.pixel(x + dx, y + dy));
    let dark = |[r, g, b]: [u8; 3]| r < 70 && g < 70 && b < 70;
    let light = |[r, g, b]: [u8; 3]| r > 170 && g > 170 && b > 160 && r.abs_diff(b) < 40;
    if spots.into_iter().all(dark) {
        Some(Color::Black)
    } else if spots.into_iter().all(light) {
        Some(Color::White)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use wuzi_engine::Size;

    use super::*;

    #[test]
    fn the_stones_of_a_picture_are_seen_and_nothing_else() {
        for (name, seen) in [("game-empty-en", [0, 0]), ("game-en", [9, 8]), ("game-numbers-en", [9, 8])] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../pictures/{name}.png"));
            let picture = crate::read(&path).expect("a reference picture");
            let count = |color| {
                Size::DEFAULT.iter().filter(|&point| stone(&picture, place(point)) == Some(color)).count()
            };
            assert_eq!([Color::Black, Color::White].map(count), seen, "{name}");
        }
    }
}
