// SPDX-License-Identifier: GPL-3.0-only
//! What is on the plate, and how a line of it looks.

use core::ops::Range;

use slint::Color;
use slint::platform::software_renderer::{PremultipliedRgbaColor, Rgb565Pixel, TargetPixel};

use crate::pictures::{
    ABOVE, ASCENT, BELOW, BLACK_STONE, DIGITS, GRAIN, GRAIN_DARKEST, GRAIN_WIDTH, Glyph, LETTERS, STONE_SIDE,
    StoneRow, TEXT_HEIGHT, WHITE_STONE,
};
use crate::pixel::PlatePixel;

/// The most lines that a board has.
pub const MAX_LINES: usize = 20;

/// Where the page has the plate, in pixels: its upper edge on the screen, its size, and the free
/// wood above and below the square of the lines.
const TOP: i32 = 112;
const WIDTH: i32 = 480;
const HEIGHT: i32 = 508;
const TOP_STRIP: i32 = 8;
const BOTTOM_STRIP: i32 = 20;
/// The heights of the bright upper and of the dark lower edge.
const LIGHT: i32 = 2;
const SHADE: i32 = 4;

/// How many alpha values the grain may have: a power of two, for a quick look-up.
const SHADES: usize = (GRAIN_DARKEST + 1).next_power_of_two();

/// The largest star point, on the widest board.
const STAR_SIDE: usize = 16;

/// The colours that depend on the settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The wood between its grain.
    pub board: Color,
    /// The grain; without one the wood is plain.
    pub grain: Option<Color>,
    /// The upper edge.
    pub light: Color,
    /// The lower edge.
    pub edge: Color,
    /// Lines and star points.
    pub line: Color,
    /// Letters and numbers beside the lines.
    pub label: Color,
    /// Letters and numbers beside the lines are shown.
    pub coordinates: bool,
    /// The stones show their numbers.
    pub numbers: bool,
}

/// A stone on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// Its colour.
    pub black: bool,
    /// The ply, from 1.
    pub number: u16,
    /// It was placed last.
    pub last: bool,
}

/// Where the lines are: the numbers of `ui/components/board-geometry.slint`, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// How many.
    lines: usize,
    /// From one to the next.
    cell: i32,
    /// The first column.
    left: i32,
    /// The first row, from the plate's upper edge.
    top: i32,
    /// How wide they are.
    thick: i32,
}

impl Layout {
    /// The layout of a board of this many lines.
    const fn new(lines: usize) -> Self {
        let square = HEIGHT - TOP_STRIP - BOTTOM_STRIP;
        let cell = (if square < WIDTH { square } else { WIDTH }) / lines as i32;
        let span = cell * (lines as i32 - 1);
        let thick = (cell + 16) / 32;
        Self {
            lines,
            cell,
            left: (WIDTH - span) / 2,
            top: TOP_STRIP + (square - span) / 2,
            thick: if thick < 1 { 1 } else { thick },
        }
    }

    const fn half(&self) -> i32 {
        self.cell / 2
    }

    const fn span(&self) -> i32 {
        self.cell * (self.lines as i32 - 1)
    }
}

/// The plate.
#[derive(Debug)]
pub struct Plate {
    layout: Layout,
    look: Look,
    /// The wood by the alpha of its grain.
    shades: [Rgb565Pixel; SHADES],
    star: [[u8; STAR_SIDE]; STAR_SIDE],
    rows: [[Option<Stone>; MAX_LINES]; MAX_LINES],
}

impl Default for Plate {
    fn default() -> Self {
        Self::new()
    }
}

impl Plate {
    /// An empty, black board.
    #[must_use]
    pub const fn new() -> Self {
        const DARK: Color = Color::from_rgb_u8(0, 0, 0);
        Self {
            layout: Layout::new(15),
            look: Look {
                board: DARK,
                grain: None,
                light: DARK,
                edge: DARK,
                line: DARK,
                label: DARK,
                coordinates: false,
                numbers: false,
            },
            shades: [Rgb565Pixel(0); SHADES],
            star: [[0; STAR_SIDE]; STAR_SIDE],
            rows: [[None; MAX_LINES]; MAX_LINES],
        }
    }

    /// Changes the number of lines and the looks; false if both are as they were.
    pub fn set_look(&mut self, lines: usize, look: Look) -> bool {
        let layout = Layout::new(lines.clamp(2, MAX_LINES));
        if (layout, look) == (self.layout, self.look) {
            return false;
        }
        self.layout = layout;
        self.look = look;
        for (alpha, shade) in self.shades.iter_mut().enumerate() {
            *shade = opaque(look.board);
            if let Some(grain) = look.grain {
                shade.blend(thinned(grain, alpha as u8));
            }
        }
        let width = 2 * (layout.half() / 4) + layout.thick;
        for (y, row) in self.star.iter_mut().enumerate() {
            for (x, alpha) in row.iter_mut().enumerate() {
                *alpha = disc(width, x as i32, y as i32);
            }
        }
        true
    }

    /// Changes a row of stones; false if it is as it was.
    pub fn set_row(&mut self, row: usize, stones: &[Option<Stone>; MAX_LINES]) -> bool {
        match self.rows.get_mut(row) {
            Some(old) if old != stones => {
                *old = *stones;
                true
            }
            _ => false,
        }
    }

    /// Paints the part of screen line `line` that begins at `column` with wood, of which the line is
    /// `line` below its edge.
    pub fn paint_wood(&self, line: usize, column: usize, pixels: &mut [PlatePixel]) {
        let row = line * GRAIN_WIDTH % GRAIN.len();
        let grain = &GRAIN[row..row + GRAIN_WIDTH];
        let mut skipped = column % GRAIN_WIDTH;
        let mut rest = pixels;
        while !rest.is_empty() {
            let (tile, others) = rest.split_at_mut((GRAIN_WIDTH - skipped).min(rest.len()));
            let shade = |alpha: u8| PlatePixel(self.shades[usize::from(alpha) % SHADES]);
            let (fours, last) = tile.as_chunks_mut::<4>();
            let (alphas, last_alphas) =
                grain[skipped..skipped + 4 * fours.len() + last.len()].as_chunks::<4>();
            for (four, &alphas) in fours.iter_mut().zip(alphas) {
                *four = alphas.map(shade);
            }
            for (pixel, &alpha) in last.iter_mut().zip(last_alphas) {
                *pixel = shade(alpha);
            }
            (rest, skipped) = (others, 0);
        }
    }

    /// Paints the part of screen line `line` that begins at `column`.
    pub fn paint(&self, line: usize, column: usize, pixels: &mut [PlatePixel]) {
        let y = line as i32 - TOP;
        let (layout, look) = (&self.layout, &self.look);
        if y < LIGHT {
            return pixels.fill(PlatePixel(opaque(look.light)));
        }
        if y >= HEIGHT - SHADE {
            return pixels.fill(PlatePixel(opaque(look.edge)));
        }
        self.paint_wood(y as usize, column, pixels);
        let mut line = Line { from: column as i32, pixels };
        self.paint_lines(y, &mut line);
        self.paint_stars(y, &mut line);
        if look.coordinates {
            self.paint_labels(y, &mut line);
        }
        let below = y - layout.top + layout.half();
        let (row, y) = (below.div_euclid(layout.cell), below.rem_euclid(layout.cell));
        if let Ok(row) = usize::try_from(row)
            && row < layout.lines
        {
            self.paint_stones(&self.rows[row], y, &mut line);
        }
    }

    fn paint_lines(&self, y: i32, line: &mut Line<'_>) {
        let Layout { cell, left, top, thick, .. } = self.layout;
        let from = left - thick / 2;
        let below = y - (top - thick / 2);
        let length = self.layout.span() + thick;
        if !(0..length).contains(&below) {
            return;
        }
        let ink = opaque(self.look.line);
        if below % cell < thick {
            line.fill(from..from + length, ink);
        } else {
            for column in 0..self.layout.lines as i32 {
                let x = from + column * cell;
                line.fill(x..x + thick, ink);
            }
        }
    }

    /// Tengen and four stars where the number of lines is odd, four stars where it is even.
    fn paint_stars(&self, y: i32, line: &mut Line<'_>) {
        let Layout { lines, cell, left, top, thick } = self.layout;
        let lines = lines as i32;
        let near = if lines < 13 { 2 } else { 3 };
        let far = lines - 1 - near;
        let middle = (lines - 1) / 2;
        // A quarter of a cell's half may be a fraction; the renderer rounds it.
        let before = (self.layout.half() + 1) / 4;
        let width = 2 * (self.layout.half() / 4) + thick;
        let mut paint = |column: i32, row: i32| {
            let inside = y - (top + row * cell - before);
            if (0..width).contains(&inside)
                && let Some(alphas) = self.star.get(inside as usize)
            {
                line.blend(left + column * cell - before, &alphas[..width as usize], self.look.line);
            }
        };
        for (column, row) in [(near, near), (far, near), (near, far), (far, far)] {
            paint(column, row);
        }
        if lines % 2 == 1 {
            paint(middle, middle);
        }
    }

    fn paint_labels(&self, y: i32, line: &mut Line<'_>) {
        let Layout { lines, cell, left, top, .. } = self.layout;
        let half = self.layout.half();
        let letters = top + self.layout.span() + half;
        if y >= letters {
            for (column, letter) in LETTERS.iter().enumerate().take(lines) {
                let x = left + column as i32 * cell - half;
                let place = Text { x, y: letters, width: cell, height: HEIGHT - letters - 4 };
                place.paint(core::iter::once(letter), y, line, self.look.label);
            }
        }
        let below = y - (top - half);
        let row = below.div_euclid(cell);
        if (0..lines as i32).contains(&row) {
            let place = Text { x: 0, y: top - half + row * cell, width: (left - half).max(16), height: cell };
            place.paint(digits((lines as i32 - row) as u16), y, line, self.look.label);
        }
    }

    /// Paints line `y` of a row of stones.
    fn paint_stones(&self, row: &[Option<Stone>; MAX_LINES], y: i32, line: &mut Line<'_>) {
        let Layout { cell, left, .. } = self.layout;
        let side = STONE_SIDE as i32;
        let picture_row = (y * side / cell) as usize;
        let (black_stone, white_stone) = (&BLACK_STONE[picture_row], &WHITE_STONE[picture_row]);
        let digits = (self.look.numbers && Text::has_ink(y, cell)).then(|| Digits::new(y, cell));
        for (x, stone) in (left - self.layout.half()..).step_by(cell as usize).zip(row) {
            let Some(Stone { black, number, last }) = *stone else { continue };
            if x >= line.end() || x + cell <= line.from {
                continue;
            }
            let picture = if black { black_stone } else { white_stone };
            if cell == side {
                line.stone(x, picture);
            } else {
                line.scaled_stone(x, cell, picture);
            }
            if let Some(digits) = &digits {
                let ink = match (last, black) {
                    (true, true) => Color::from_rgb_u8(0xFF, 0xB8, 0x4D),
                    (true, false) => Color::from_rgb_u8(0xC0, 0x15, 0x10),
                    (false, true) => Color::from_rgb_u8(0xFF, 0xFF, 0xFF),
                    (false, false) => Color::from_rgb_u8(0, 0, 0),
                };
                digits.paint(number, x, cell, line, ink);
            }
        }
    }
}

/// A part of a line of the screen.
struct Line<'a> {
    /// The column of the first pixel.
    from: i32,
    pixels: &'a mut [PlatePixel],
}

impl Line<'_> {
    const fn end(&self) -> i32 {
        self.from + self.pixels.len() as i32
    }

    /// The pixels of these columns that there are, and how many are missing before them.
    fn part(&mut self, columns: Range<i32>) -> (&mut [PlatePixel], usize) {
        let (from, end) = (columns.start.max(self.from), columns.end.min(self.end()));
        if from >= end {
            return (&mut [], 0);
        }
        let range = (from - self.from) as usize..(end - self.from) as usize;
        (&mut self.pixels[range], (from - columns.start) as usize)
    }

    fn fill(&mut self, columns: Range<i32>, ink: Rgb565Pixel) {
        self.part(columns).0.fill(PlatePixel(ink));
    }

    /// Blends alpha values in one colour.
    fn blend(&mut self, x: i32, alphas: &[u8], ink: Color) {
        let solid = PlatePixel(opaque(ink));
        let (pixels, skipped) = self.part(x..x + alphas.len() as i32);
        for (pixel, &alpha) in pixels.iter_mut().zip(&alphas[skipped..]) {
            match alpha {
                0 => {}
                u8::MAX => *pixel = solid,
                _ => pixel.0.blend(thinned(ink, alpha)),
            }
        }
    }

    /// Draws a row of a stone in the picture's own size.
    fn stone(&mut self, x: i32, row: &StoneRow) {
        let (pixels, skipped) = self.part(x..x + STONE_SIDE as i32);
        let ([from, end], [solid, rim]) = (row.inked.bounds(), row.solid.bounds());
        if pixels.len() == STONE_SIDE && solid < rim {
            lay_all(&mut pixels[from..solid], row, from);
            for (pixel, &color) in pixels[solid..rim].iter_mut().zip(&row.colors[solid..rim]) {
                pixel.0.0 = color;
            }
            lay_all(&mut pixels[rim..end], row, rim);
        } else {
            lay_all(pixels, row, skipped);
        }
    }

    /// Draws a row of a stone in another size.
    fn scaled_stone(&mut self, x: i32, side: i32, row: &StoneRow) {
        let (pixels, skipped) = self.part(x..x + side);
        for (column, pixel) in (skipped..).zip(pixels) {
            let column = column * STONE_SIDE / side as usize;
            pixel.lay(row.colors[column], row.through[column]);
        }
    }
}

/// Lays the columns of a stone's row over the pixels, beginning with column `from`.
fn lay_all(pixels: &mut [PlatePixel], row: &StoneRow, from: usize) {
    let columns = row.colors[from..].iter().zip(&row.through[from..]);
    for (pixel, (&color, &through)) in pixels.iter_mut().zip(columns) {
        pixel.lay(color, through);
    }
}

/// A rectangle in whose middle a text stands.
struct Text {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

impl Text {
    /// The base line of a text in a rectangle of this height.
    const fn base(height: i32) -> i32 {
        height / 2 - TEXT_HEIGHT / 2 + ASCENT
    }

    /// Whether line `y` of a rectangle of this height may touch a text in it.
    fn has_ink(y: i32, height: i32) -> bool {
        let base = Self::base(height);
        (base - ABOVE..base + BELOW).contains(&y)
    }

    /// Paints line `y` of the text.
    fn paint(
        &self,
        glyphs: impl Iterator<Item = &'static Glyph> + Clone,
        y: i32,
        line: &mut Line<'_>,
        ink: Color,
    ) {
        if !Self::has_ink(y - self.y, self.height) {
            return;
        }
        let y = y - self.y;
        let width: i32 = glyphs.clone().map(|glyph| glyph.advance).sum();
        let mut pen = self.x + self.width / 2 - width.min(self.width) / 2;
        for glyph in glyphs {
            line.blend(pen + glyph.left, Self::row(glyph, y, self.height), ink);
            pen += glyph.advance;
        }
    }

    /// Line `y` of a glyph in a rectangle of this height; empty above and below it.
    fn row(glyph: &'static Glyph, y: i32, height: i32) -> &'static [u8] {
        let row = usize::try_from(y - (Self::base(height) - glyph.top)).unwrap_or(usize::MAX);
        let from = row.saturating_mul(glyph.width);
        glyph.alphas.get(from..from.saturating_add(glyph.width)).unwrap_or(&[])
    }
}

/// A line of each digit.
struct Digits([(&'static Glyph, &'static [u8]); 10]);

impl Digits {
    /// Line `y` of cells of this size.
    fn new(y: i32, cell: i32) -> Self {
        Self(core::array::from_fn(|digit| (&DIGITS[digit], Text::row(&DIGITS[digit], y, cell))))
    }

    /// Paints the line of a number below 1000 in the middle of the cell that begins at `x`.
    fn paint(&self, number: u16, x: i32, cell: i32, line: &mut Line<'_>, ink: Color) {
        let digits =
            [number / 100 % 10, number / 10 % 10, number % 10].map(|digit| &self.0[usize::from(digit)]);
        let shown = if number >= 100 {
            &digits[..]
        } else if number >= 10 {
            &digits[1..]
        } else {
            &digits[2..]
        };
        let width: i32 = shown.iter().map(|(glyph, _)| glyph.advance).sum();
        let mut pen = x + cell / 2 - width.min(cell) / 2;
        for (glyph, alphas) in shown {
            line.blend(pen + glyph.left, alphas, ink);
            pen += glyph.advance;
        }
    }
}

/// The digits of a number below 1000.
fn digits(number: u16) -> impl Iterator<Item = &'static Glyph> + Clone {
    let (hundreds, tens, ones) = (number / 100 % 10, number / 10 % 10, number % 10);
    let shown = [(hundreds, number >= 100), (tens, number >= 10), (ones, true)];
    shown.into_iter().filter(|&(_, shown)| shown).filter_map(|(digit, _)| DIGITS.get(usize::from(digit)))
}

fn opaque(color: Color) -> Rgb565Pixel {
    Rgb565Pixel::from_rgb(color.red(), color.green(), color.blue())
}

fn thinned(color: Color, alpha: u8) -> PremultipliedRgbaColor {
    Color::from_argb_u8(alpha, color.red(), color.green(), color.blue()).into()
}

/// How much of a pixel a disc of this width covers, counted in sixteen places of the pixel.
const fn disc(width: i32, x: i32, y: i32) -> u8 {
    let mut covered = 0;
    let mut place = 0;
    while place < 16 {
        // In eighths of a pixel, from the centre.
        let (right, down) =
            (8 * x + 2 * (place % 4) + 1 - 4 * width, 8 * y + 2 * (place / 4) + 1 - 4 * width);
        if right * right + down * down <= 16 * width * width {
            covered += 1;
        }
        place += 1;
    }
    (covered * 255 / 16) as u8
}
