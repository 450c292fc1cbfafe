// SPDX-License-Identifier: GPL-3.0-only
//! The painted plate is that of the desktop's interface, pixel by pixel.

use std::path::Path;

use slint::Color;
use slint::platform::software_renderer::{PremultipliedRgbaColor, Rgb565Pixel, TargetPixel};
use wuzi_plate::{Look, MAX_LINES, PlatePixel, Stone, begin_line, change};

/// The plate's place on the game page.
const TOP: usize = 112;
const HEIGHT: usize = 508;
const WIDTH: usize = 480;

/// The stones of the reference pictures (`tests/pictures/scenes.rs`), column and row, black first.
const MIDDLE: [(usize, usize); 17] = [
    (7, 7),
    (8, 6),
    (6, 6),
    (8, 8),
    (8, 7),
    (9, 7),
    (6, 7),
    (5, 7),
    (7, 5),
    (10, 8),
    (7, 9),
    (11, 9),
    (12, 10),
    (7, 6),
    (9, 5),
    (0, 14),
    (14, 0),
];

/// By how much a channel of a pixel at the rim of a star point or a stone may differ: these are rounded
/// in another way.
const RIM: i32 = 8;

fn color(rgb: u32) -> Color {
    Color::from_argb_encoded(0xFF00_0000 | rgb)
}

fn wood() -> Look {
    Look {
        board: color(0xE2_B267),
        grain: Some(color(0x6B_3A08)),
        light: color(0xF0_C988),
        edge: color(0x9A_6526),
        line: color(0x4A_2F12),
        label: color(0x5A_3A18),
        coordinates: true,
        numbers: false,
    }
}

/// Red, green and blue of a reference picture's pixels, in the LCD's 5, 6 and 5 bits.
fn reference(name: &str) -> Vec<[i32; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/pictures/{name}-en-565.png"));
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.width as usize, WIDTH);
    let (pixels, _) = bytes[..info.buffer_size()].as_chunks::<3>();
    pixels.iter().map(|&[r, g, b]| [i32::from(r) >> 3, i32::from(g) >> 2, i32::from(b) >> 3]).collect()
}

fn channels(PlatePixel(Rgb565Pixel(value)): PlatePixel) -> [i32; 3] {
    [i32::from(value >> 11), i32::from(value >> 5 & 63), i32::from(value & 31)]
}

/// Paints the plate as the renderer does, in parts of lines that a dirty region may have.
fn paint(lines: usize, look: Look, stones: &[(usize, usize)]) -> Vec<[i32; 3]> {
    let mut rows = [[None; MAX_LINES]; MAX_LINES];
    for (ply, &(column, row)) in stones.iter().enumerate() {
        let number = ply as u16 + 1;
        rows[row][column] =
            Some(Stone { black: ply % 2 == 0, number, last: look.numbers && ply + 1 == stones.len() });
    }
    let key = PlatePixel::strip(false);
    let key = PremultipliedRgbaColor { red: key.red(), green: key.green(), blue: key.blue(), alpha: 255 };
    let mut picture = Vec::new();
    // The tests share the plate.
    static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|poison| poison.into_inner());
    change(|plate| {
        plate.set_look(lines, look);
        for (row, stones) in rows.iter().enumerate() {
            plate.set_row(row, stones);
        }
    });
    for line in TOP..TOP + HEIGHT {
        let mut pixels = [PlatePixel(Rgb565Pixel(0)); WIDTH];
        let middle = line * 7 % WIDTH;
        let (left, right) = pixels.split_at_mut(middle);
        begin_line(line, 0, left);
        PlatePixel::blend_slice(left, key);
        begin_line(line, middle, right);
        PlatePixel::blend_slice(right, key);
        picture.extend(pixels.map(channels));
    }
    picture
}

/// The places of the pixels that differ, and by how much at most in one channel.
fn difference(name: &str, painted: &[[i32; 3]]) -> Vec<(usize, usize, i32)> {
    let wanted = reference(name);
    let mut different = Vec::new();
    for (at, (a, b)) in painted.iter().zip(&wanted[TOP * WIDTH..]).enumerate() {
        let most = (0..3).map(|channel| (a[channel] - b[channel]).abs()).max().unwrap_or(0);
        if most > 0 {
            different.push((at % WIDTH, TOP + at / WIDTH, most));
        }
    }
    different
}

/// Letters and numbers beside the lines, whose glyphs the desktop places by fractions of a pixel.
fn in_label(x: usize, y: usize) -> bool {
    x < 18 || y >= 600
}

#[test]
fn wood_lines_and_star_points_are_the_desktops() {
    let green = Look {
        board: color(0x3F_7F5F),
        grain: Some(color(0x0D_3020)),
        light: color(0x5F_A07E),
        edge: color(0x23_4B37),
        line: color(0xD7_E8DD),
        label: color(0xD7_E8DD),
        ..wood()
    };
    let contrast = Look {
        board: color(0x7A_7A7A),
        grain: None,
        light: color(0xFF_FFFF),
        edge: color(0xFF_FFFF),
        line: color(0),
        label: color(0),
        ..wood()
    };
    for (name, lines, look, stones) in [
        ("game-empty", 15, wood(), &[][..]),
        ("game-10", 10, wood(), &[]),
        ("game", 15, wood(), &MIDDLE),
        ("game-green", 15, green, &MIDDLE),
        ("game-contrast", 15, contrast, &MIDDLE),
    ] {
        let different = difference(name, &paint(lines, look, stones));
        println!("{name}: {} pixels differ", different.len());
        for &(x, y, most) in &different {
            // The mark of the last stone is the interface's.
            let last = !stones.is_empty() && (460..=468).contains(&x) && (132..=140).contains(&y);
            let (column, row) = (x.saturating_sub(16) % 32, y.saturating_sub(136) % 32);
            assert!(last || most <= RIM || in_label(x, y), "{name}: {most} at {x}, {y} ({column}, {row})");
        }
    }
}

#[test]
fn numbers_stand_where_the_desktop_has_them() {
    let look = Look { numbers: true, ..wood() };
    // Glyphs that stand a part of a pixel beside differ too, but much less than missing ones.
    let weight = |look| -> i32 {
        let different = difference("game-numbers", &paint(15, look, &MIDDLE));
        different.iter().filter(|&&(x, y, _)| !in_label(x, y)).map(|&(.., most)| most).sum()
    };
    let (with, without) = (weight(look), weight(wood()));
    println!("numbers: {with}, without: {without}");
    assert!(with * 2 < without);
}
