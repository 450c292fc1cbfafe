// SPDX-License-Identifier: GPL-3.0-only
//! Draws the stones for the very size of the board's cells, since a scaled picture is a blurred or
//! a ragged one. Whole numbers only, so that every machine draws the same picture.

use alloc::vec::Vec;

/// One in the fixed-point numbers used here.
const ONE: i32 = 1024;

/// The radius of a stone in parts of a cell.
const RADIUS: i32 = ONE * 448 / 1000;

/// Rows and columns of the grid by which a pixel's coverage is counted.
const SAMPLES: i32 = 4;

/// Where the light comes from: left, above, in front; a vector of length [`ONE`].
const LIGHT: [i32; 3] = [-450, -560, 731];

/// Half of the way from the light to the eye: where a mirror would show the light.
const MIRROR: [i32; 3] = [-242, -301, 949];

/// Draws a stone with its shadow.
///
/// The result has `pixels` rows of `pixels` pixels, red, green, blue and alpha each, the colours
/// multiplied by alpha. The stone's centre is the centre of the pixel right and below of the
/// picture's middle, where lines of odd width cross.
#[must_use]
pub fn stone(black: bool, pixels: u16) -> Vec<[u8; 4]> {
    let side = i32::from(pixels);
    let mut picture = Vec::with_capacity(usize::from(pixels) * usize::from(pixels));
    for row in 0..side {
        for column in 0..side {
            picture.push(pixel(black, side, column, row));
        }
    }
    picture
}

/// The place of a sample, in parts of the stone's radius from its centre.
fn from_centre(side: i32, at: i32, sample: i32) -> i32 {
    // In halves of a sample's width: the sample's middle less the centre of the stone's middle pixel.
    let halves = (2 * (at * SAMPLES + sample) + 1) - (2 * (side / 2) * SAMPLES + SAMPLES);
    halves * ONE / (2 * SAMPLES) * ONE / (side * RADIUS)
}

fn pixel(black: bool, side: i32, column: i32, row: i32) -> [u8; 4] {
    let mut covered = 0;
    let mut shadow = 0;
    let (mut x, mut y) = (0, 0);
    for down in 0..SAMPLES {
        for right in 0..SAMPLES {
            let (sample_x, sample_y) = (from_centre(side, column, right), from_centre(side, row, down));
            covered += i32::from(square(sample_x) + square(sample_y) <= square(ONE));
            shadow += shade(sample_x, sample_y);
            x += sample_x;
            y += sample_y;
        }
    }
    let count = SAMPLES * SAMPLES;
    let alpha = 255 * covered / count;
    let shadow = shadow / count * (255 - alpha) / 255;
    let color = surface(black, x / count, y / count);
    let channel = |value: i32| u8::try_from(value * alpha / 255).unwrap_or(u8::MAX);
    [channel(color[0]), channel(color[1]), channel(color[2]), u8::try_from(alpha + shadow).unwrap_or(u8::MAX)]
}

/// The shadow's alpha: a disc a little to the right and below, dark inside and soft at its edge.
fn shade(x: i32, y: i32) -> i32 {
    const DARKEST: i32 = 130;
    const INNER: i32 = ONE * 80 / 100;
    const OUTER: i32 = ONE * 105 / 100;
    let distance = (square(x - ONE * 4 / 100) + square(y - ONE * 8 / 100)).isqrt();
    DARKEST * (OUTER - distance).clamp(0, OUTER - INNER) / (OUTER - INNER)
}

/// The colour of the stone's surface: a flattened ball under a lamp.
fn surface(black: bool, x: i32, y: i32) -> [i32; 3] {
    let z = (square(ONE) - (square(x) + square(y))).max(0).isqrt();
    // A stone is flatter than a ball.
    let flat_x = x * 8 / 10;
    let flat_y = y * 8 / 10;
    let flat_z = (square(ONE) - square(flat_x) - square(flat_y)).max(0).isqrt();
    let towards = |[a, b, c]: [i32; 3]| ((flat_x * a + flat_y * b + flat_z * c) / ONE).max(0);
    let diffuse = towards(LIGHT);
    let mut shine = towards(MIRROR);
    // The sixteenth power: a highlight of moderate size.
    for _ in 0..4 {
        shine = shine * shine / ONE;
    }
    let glint = (0..2).fold(shine, |power, _| power * power / ONE);
    // Towards its edge the surface turns away.
    let edge = (ONE * 45 / 100 - z).max(0);
    if black {
        let grey = 14 + 44 * diffuse / ONE + 62 * shine / ONE + 96 * glint / ONE;
        [grey, grey, grey + 4 + 4 * shine / ONE]
    } else {
        let grey = 178 + 70 * diffuse / ONE + 16 * shine / ONE - 80 * edge / ONE;
        [grey.min(255), (grey - 2).min(255), (grey - 10 + 8 * shine / ONE).min(255)]
    }
}

const fn square(value: i32) -> i32 {
    value * value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_size_asked_for() {
        for pixels in [1, 7, 24, 32, 131] {
            assert_eq!(stone(true, pixels).len(), usize::from(pixels) * usize::from(pixels));
        }
        assert!(stone(false, 0).is_empty());
    }

    #[test]
    fn colours_are_multiplied_by_alpha() {
        for black in [true, false] {
            for [red, green, blue, alpha] in stone(black, 48) {
                assert!(red <= alpha && green <= alpha && blue <= alpha);
            }
        }
    }

    #[test]
    fn stones_are_opaque_in_the_middle_and_clear_in_the_corners() {
        for pixels in 12..160_u16 {
            let side = usize::from(pixels);
            for black in [true, false] {
                let picture = stone(black, pixels);
                assert_eq!(picture[side / 2 * side + side / 2][3], 255);
                assert_eq!(picture[0][3], 0);
                // The centre of the disc is the middle pixel's.
                let middle: Vec<bool> =
                    (0..side).map(|column| picture[side / 2 * side + column][0] > 0).collect();
                let first = middle.iter().position(|&inside| inside).unwrap();
                let last = middle.iter().rposition(|&inside| inside).unwrap();
                assert_eq!(first + last, side / 2 * 2, "{pixels} pixels");
            }
        }
    }

    #[test]
    fn black_is_darker_than_white_everywhere() {
        let (black, white) = (stone(true, 64), stone(false, 64));
        for (dark, light) in black.iter().zip(&white) {
            assert_eq!(dark[3], light[3], "both have one outline");
            assert!(dark[0] <= light[0]);
        }
    }
}
