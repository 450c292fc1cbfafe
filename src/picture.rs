// SPDX-License-Identifier: GPL-3.0-only
//! A board as a PNG picture, a game as an animated GIF.

use std::io;
use std::time::Duration;

use ab_glyph::{Font, FontRef, InvalidFont, PxScale, ScaleFont, point};
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use wuzi_engine::{Color, Game, Outcome, Point, Rule, Size, WinReason};
use wuzi_record::{NodeId, Record};

use crate::art;

/// What a picture shows beside the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The side of a cell, in pixels.
    pub cell: u16,
    /// Whether stones show their number.
    pub numbers: bool,
    /// How long each position of a game is seen.
    pub pace: Duration,
}

impl Default for Look {
    fn default() -> Self {
        Self { cell: 32, numbers: true, pace: Duration::from_millis(600) }
    }
}

/// How much longer the last position of a game is seen.
const END_FACTOR: u32 = 5;

type Rgb = [u8; 3];

const WOOD: Rgb = [0xdc, 0xa9, 0x5f];
const LINE: Rgb = [0x4a, 0x2f, 0x12];
const LABEL: Rgb = [0x5a, 0x3a, 0x18];
const LAST: Rgb = [0xe0, 0x32, 0x2c];
const WINNING: Rgb = [0x2f, 0xb8, 0x4a];

const FONT: &[u8] = include_bytes!("../ui/fonts/wuzi-board.otf");

/// The position of a record as a PNG.
///
/// # Errors
/// If the encoder fails, which it has no reason to.
pub fn png(record: &Record, at: NodeId, look: Look) -> io::Result<Vec<u8>> {
    let painter = Painter::new(record.size(), look)?;
    let picture = painter.board(&record.path(at), rule(record));
    let mut bytes = Vec::new();
    let side = picture.side as u32;
    let mut encoder = png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(picture.pixels.as_flattened())?;
    writer.finish()?;
    Ok(bytes)
}

/// The main line of a record as an animated GIF that repeats for ever: the empty board, then each
/// move.
///
/// # Errors
/// If the encoder fails, which it has no reason to.
pub fn gif(record: &Record, look: Look) -> io::Result<Vec<u8>> {
    let moves = record.main_line();
    let painter = Painter::new(record.size(), look)?;
    let rule = rule(record);
    let palette = palette(&painter, &moves, rule);
    let mut before = painter.board(&[], rule);
    let side = u16::try_from(before.side).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    let mut encoder =
        Encoder::new(&mut bytes, side, side, &palette.color_map_rgb()).map_err(io::Error::other)?;
    encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
    let whole = Area { left: 0, top: 0, right: before.side, bottom: before.side };
    for ply in 0..=moves.len() {
        let picture = painter.board(&moves[..ply], rule);
        let area = if ply == 0 { whole } else { picture.difference(&before) };
        let pace = if ply == moves.len() { look.pace * END_FACTOR } else { look.pace };
        let frame = picture.frame(area, &palette, pace);
        encoder.write_frame(&frame).map_err(io::Error::other)?;
        before = picture;
    }
    drop(encoder);
    Ok(bytes)
}

fn rule(record: &Record) -> Rule {
    record.info.rule.unwrap_or_default()
}

/// The 256 colours of a whole game, so that nothing but the stones changes from frame to frame.
fn palette(painter: &Painter, moves: &[Point], rule: Rule) -> NeuQuant {
    // Early positions show the lines, the last one every kind of pixel of stones and numbers.
    let pixels: Vec<u8> = [&moves[..0], &moves[..moves.len() / 2], moves]
        .into_iter()
        .flat_map(|moves| painter.board(moves, rule).pixels)
        .flat_map(|[red, green, blue]| [red, green, blue, 255])
        .collect();
    NeuQuant::new(10, 256, &pixels)
}

/// A rectangle of pixels; right and bottom are the first ones outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

/// A square of pixels, row by row.
struct Picture {
    side: usize,
    pixels: Vec<Rgb>,
}

impl Picture {
    fn blend(&mut self, x: i32, y: i32, color: Rgb, cover: u8) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x < self.side && y < self.side {
            let pixel = &mut self.pixels[y * self.side + x];
            for (under, over) in pixel.iter_mut().zip(color) {
                let mixed = u16::from(*under) * u16::from(255 - cover) + u16::from(over) * u16::from(cover);
                *under = (mixed / 255) as u8;
            }
        }
    }

    fn fill(&mut self, left: i32, top: i32, width: i32, height: i32, color: Rgb) {
        for y in top..top + height {
            for x in left..left + width {
                self.blend(x, y, color, 255);
            }
        }
    }

    /// A ring around the middle of a pixel, from the inner to the outer radius.
    fn ring(&mut self, (x, y): (i32, i32), inner: f32, outer: f32, color: Rgb) {
        let reach = outer.ceil() as i32 + 1;
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                let distance = ((dx * dx + dy * dy) as f32).sqrt();
                let cover =
                    (outer - distance + 0.5).clamp(0.0, 1.0) * (distance - inner + 0.5).clamp(0.0, 1.0);
                self.blend(x + dx, y + dy, color, (cover * 255.0) as u8);
            }
        }
    }

    fn disc(&mut self, centre: (i32, i32), radius: f32, color: Rgb) {
        self.ring(centre, -1.0, radius, color);
    }

    /// The smallest area outside of which both are the same; one pixel if they are the same.
    fn difference(&self, other: &Self) -> Area {
        let differ = |index: usize| self.pixels[index] != other.pixels[index];
        let changed = (0..self.pixels.len()).filter(|&index| differ(index));
        let places = changed.map(|index| (index % self.side, index / self.side));
        places
            .map(|(x, y)| Area { left: x, top: y, right: x + 1, bottom: y + 1 })
            .reduce(|a, b| Area {
                left: a.left.min(b.left),
                top: a.top.min(b.top),
                right: a.right.max(b.right),
                bottom: a.bottom.max(b.bottom),
            })
            .unwrap_or(Area { left: 0, top: 0, right: 1, bottom: 1 })
    }

    fn frame(&self, area: Area, palette: &NeuQuant, pace: Duration) -> Frame<'static> {
        let rows = (area.top..area.bottom).map(|y| &self.pixels[y * self.side..][area.left..area.right]);
        let buffer: Vec<u8> =
            rows.flatten().map(|&[r, g, b]| palette.index_of(&[r, g, b, 255]) as u8).collect();
        Frame {
            // In hundredths of a second.
            delay: u16::try_from(pace.as_millis() / 10).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            left: area.left as u16,
            top: area.top as u16,
            width: (area.right - area.left) as u16,
            height: (area.bottom - area.top) as u16,
            buffer: buffer.into(),
            ..Frame::default()
        }
    }
}

/// Draws positions of one size and look.
struct Painter {
    size: Size,
    look: Look,
    font: FontRef<'static>,
    empty: Picture,
    stones: [Vec<[u8; 4]>; 2],
}

impl Painter {
    fn new(size: Size, look: Look) -> io::Result<Self> {
        let font = FontRef::try_from_slice(FONT).map_err(|error: InvalidFont| io::Error::other(error))?;
        let side = usize::from(look.cell) * (usize::from(size.lines()) + 1);
        let empty = Picture { side, pixels: vec![WOOD; side * side] };
        let stones = [true, false].map(|black| art::stone(black, look.cell));
        let mut painter = Self { size, look, font, empty, stones };
        painter.draw_lines();
        Ok(painter)
    }

    fn cell(&self) -> i32 {
        self.look.cell.into()
    }

    /// The pixel of an intersection.
    fn place(&self, point: Point) -> (i32, i32) {
        let at = |line: u8| self.cell() * (i32::from(line) + 1);
        (at(point.x), at(point.y))
    }

    fn draw_lines(&mut self) {
        let mut picture = Picture { side: self.empty.side, pixels: std::mem::take(&mut self.empty.pixels) };
        let (size, cell, lines) = (self.size, self.cell(), self.size.lines());
        let thick = (cell / 24).max(1);
        let span = cell * i32::from(lines - 1) + thick;
        for line in 0..lines {
            let at = cell * (i32::from(line) + 1) - thick / 2;
            let start = cell - thick / 2;
            picture.fill(start, at, span, thick, LINE);
            picture.fill(at, start, thick, span, LINE);
            // Half a cell is between the outer stones and the edge.
            let middle = cell * (i32::from(line) + 1);
            let letter = char::from(b'A' + line).to_string();
            self.write(&mut picture, &letter, (middle, cell * i32::from(lines) + cell * 3 / 4), LABEL);
            self.write(&mut picture, &(lines - line).to_string(), (cell / 4, middle), LABEL);
        }
        for star in stars(size) {
            let centre = self.place(star);
            picture.disc(centre, cell as f32 / 8.0, LINE);
        }
        self.empty = picture;
    }

    /// Text with its middle at a pixel.
    fn write(&self, picture: &mut Picture, text: &str, (x, y): (i32, i32), color: Rgb) {
        let font = self.font.as_scaled(PxScale::from(self.cell() as f32 * 0.46));
        let advance = |c| font.h_advance(font.glyph_id(c));
        let width: f32 = text.chars().map(advance).sum();
        // Digits and capitals are as high as an H.
        let height =
            font.outline_glyph(font.scaled_glyph('H')).map_or(0.0, |glyph| glyph.px_bounds().height());
        let mut right = x as f32 + 0.5 - width / 2.0;
        for c in text.chars() {
            let mut glyph = font.scaled_glyph(c);
            glyph.position = point(right, y as f32 + 0.5 + height / 2.0);
            right += advance(c);
            if let Some(outline) = font.outline_glyph(glyph) {
                let corner = outline.px_bounds().min;
                outline.draw(|dx, dy, cover| {
                    let (x, y) = (corner.x as i32 + dx as i32, corner.y as i32 + dy as i32);
                    picture.blend(x, y, color, (cover.clamp(0.0, 1.0) * 255.0) as u8);
                });
            }
        }
    }

    fn board(&self, moves: &[Point], rule: Rule) -> Picture {
        let mut picture = Picture { side: self.empty.side, pixels: self.empty.pixels.clone() };
        for (ply, &point) in moves.iter().enumerate() {
            let color = Color::to_move_after(ply);
            let is_last = ply + 1 == moves.len();
            self.stone(&mut picture, point, color);
            if self.look.numbers {
                let ink = match (is_last, color) {
                    (true, Color::Black) => [0xff, 0xb8, 0x4d],
                    (true, Color::White) => [0xc0, 0x15, 0x10],
                    (false, Color::Black) => [255; 3],
                    (false, Color::White) => [0; 3],
                };
                self.write(&mut picture, &(ply + 1).to_string(), self.place(point), ink);
            } else if is_last {
                picture.disc(self.place(point), self.cell() as f32 / 7.0, LAST);
            }
        }
        // Rows on the way do not matter to a position, so every line of distinct points is one.
        let outcome =
            Game::from_moves(self.size, rule, moves).map_or(Outcome::Running, |game| game.outcome());
        if let Outcome::Win(_, WinReason::Row(row)) = outcome {
            let radius = self.cell() as f32 * 0.45;
            for point in row.points() {
                picture.ring(self.place(point), radius - (self.cell() as f32 / 12.0), radius, WINNING);
            }
        }
        picture
    }

    fn stone(&self, picture: &mut Picture, point: Point, color: Color) {
        let (x, y) = self.place(point);
        let side = usize::from(self.look.cell);
        for (index, &[red, green, blue, alpha]) in self.stones[color.index()].iter().enumerate() {
            if alpha == 0 {
                continue;
            }
            // The picture's colours are multiplied by alpha, those that are mixed here are not.
            let plain = |value: u8| (u16::from(value) * 255 / u16::from(alpha)).min(255) as u8;
            let (dx, dy) = ((index % side) as i32, (index / side) as i32);
            let corner = (x - self.cell() / 2, y - self.cell() / 2);
            picture.blend(corner.0 + dx, corner.1 + dy, [plain(red), plain(green), plain(blue)], alpha);
        }
    }
}

/// The star points: four, and tengen where there is a middle line.
fn stars(size: Size) -> Vec<Point> {
    let near = if size.lines() < 13 { 2 } else { 3 };
    let far = size.lines() - 1 - near;
    let mut stars =
        vec![Point::new(near, near), Point::new(far, near), Point::new(near, far), Point::new(far, far)];
    if size.lines() % 2 == 1 {
        stars.push(size.centre());
    }
    stars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        wuzi_record::Format::Text.read(text.as_bytes()).unwrap()
    }

    fn end(record: &Record) -> NodeId {
        record.line_from(Record::ROOT).last().unwrap()
    }

    fn decode(bytes: &[u8]) -> (u32, Vec<u8>) {
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.color_type, info.width), (png::ColorType::Rgb, info.height));
        (info.width, pixels)
    }

    #[test]
    fn a_picture_shows_the_stones_where_they_stand() {
        let record = record("h8 i9");
        let look = Look { numbers: false, ..Look::default() };
        let (side, pixels) = decode(&png(&record, end(&record), look).unwrap());
        assert_eq!(side, 16 * 32);
        let at = |x: u32, y: u32| {
            let start = ((y * side + x) * 3) as usize;
            [pixels[start], pixels[start + 1], pixels[start + 2]]
        };
        // H8 is the eighth line from the left and from the top, I9 one to the right and one up.
        // Beside the middle, where the last stone has its mark.
        let [black, ..] = at(8 * 32 + 9, 8 * 32);
        let [white, ..] = at(9 * 32 + 9, 7 * 32);
        assert!(black < 100 && white > 150, "{black} {white}");
        assert_eq!(at(9 * 32, 7 * 32), LAST);
        assert_eq!(at(5 * 32 + 16, 5 * 32 + 16), WOOD);
        assert_eq!(at(5 * 32 + 16, 5 * 32), LINE);
    }

    #[test]
    fn a_winning_row_is_ringed() {
        let record = record("h8 a1 i8 a2 j8 a3 k8 a4 l8");
        let (_, pixels) = decode(&png(&record, end(&record), Look::default()).unwrap());
        let ringed =
            |pixels: &[u8]| pixels.as_chunks::<3>().0.iter().filter(|&&pixel| pixel == WINNING).count();
        let parent = record.parent(end(&record)).unwrap();
        let (_, before) = decode(&png(&record, parent, Look::default()).unwrap());
        assert!(ringed(&pixels) > 100 && ringed(&before) == 0);
    }

    #[test]
    fn an_animation_has_a_frame_for_each_position_and_ends_as_the_picture() {
        let record = record("# board 10\ne5 f6 e6 f5 j10");
        let look = Look { numbers: false, pace: Duration::from_millis(400), ..Look::default() };
        let bytes = gif(&record, look).unwrap();
        let mut decoder = gif::DecodeOptions::new();
        decoder.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = decoder.read_info(&*bytes).unwrap();
        let side = usize::from(decoder.width());
        let mut screen = vec![[0_u8; 4]; side * side];
        let mut delays = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            delays.push(frame.delay);
            let pixels = frame.buffer.as_chunks::<4>().0;
            for (row, line) in pixels.chunks(frame.width.into()).enumerate() {
                let start = (usize::from(frame.top) + row) * side + usize::from(frame.left);
                screen[start..start + line.len()].copy_from_slice(line);
            }
        }
        assert_eq!(delays, [40, 40, 40, 40, 40, 200]);
        let (_, picture) = decode(&png(&record, end(&record), look).unwrap());
        let wrong = screen
            .iter()
            .zip(picture.as_chunks::<3>().0)
            .filter(|([r, g, b, _], [x, y, z])| {
                // 256 colours stand for all of them.
                [r.abs_diff(*x), g.abs_diff(*y), b.abs_diff(*z)].into_iter().max() > Some(40)
            })
            .count();
        assert!(wrong * 100 < screen.len(), "{wrong} of {} pixels differ visibly", screen.len());
    }

    #[test]
    fn every_size_and_the_longest_game_can_be_drawn() {
        for size in (10..=20).filter_map(Size::new) {
            let record = Record::from_moves(size, &size.iter().collect::<Vec<_>>()).unwrap();
            let look = Look { cell: 12, ..Look::default() };
            assert_eq!(
                decode(&png(&record, end(&record), look).unwrap()).0,
                12 * (u32::from(size.lines()) + 1)
            );
        }
    }
}
