// SPDX-License-Identifier: GPL-3.0-only
//! Puts the interface's pictures and the glyphs of its font into a form that needs no decoding.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use swash::FontRef;
use swash::scale::{Render, ScaleContext, Source};
use swash::zeno::Format;

/// The interface's size for numbers and letters on the board, in pixels.
const FONT_SIZE: f32 = 12.0;

fn main() -> Result<(), Box<dyn Error>> {
    let ui = Path::new("../../ui");
    println!("cargo::rerun-if-changed=build.rs");
    let mut code = String::new();

    let (width, grain) = picture(&ui.join("art/grain.png"))?;
    let alphas: Vec<u8> = grain.iter().map(|pixel| pixel[3]).collect();
    let darkest = alphas.iter().max().ok_or("an empty grain")?;
    writeln!(code, "pub const GRAIN_WIDTH: usize = {width};")?;
    writeln!(code, "pub const GRAIN_DARKEST: usize = {darkest};")?;
    writeln!(code, "pub static GRAIN: [u8; {}] = {alphas:?};", alphas.len())?;

    for (name, file) in [("BLACK_STONE", "art/black-stone-32.png"), ("WHITE_STONE", "art/white-stone-32.png")]
    {
        let (side, pixels) = picture(&ui.join(file))?;
        if name == "BLACK_STONE" {
            writeln!(code, "pub const STONE_SIDE: usize = {side};")?;
        }
        writeln!(code, "pub static {name}: [StoneRow; {}] = [", pixels.len() / side)?;
        for row in pixels.chunks(side) {
            let colors: Vec<u16> = row.iter().copied().map(multiply).map(to_565).collect();
            let through: Vec<u8> = row.iter().map(|pixel| shows_through(pixel[3])).collect();
            let (inked, solid) = (inked(&through), solid(&through));
            writeln!(
                code,
                "    StoneRow {{ colors: {colors:?}, through: {through:?}, inked: {inked}, solid: {solid} }},",
            )?;
        }
        writeln!(code, "];")?;
    }

    let font = ui.join("fonts/wuzi-board.otf");
    println!("cargo::rerun-if-changed={}", font.display());
    let font = fs::read(font)?;
    let font = FontRef::from_index(&font, 0).ok_or("the font cannot be read")?;
    let metrics = font.metrics(&[]);
    let scale = FONT_SIZE / f32::from(metrics.units_per_em);
    // Cut off to whole pixels, as the renderer does.
    writeln!(code, "pub const ASCENT: i32 = {};", (metrics.ascent * scale) as i32)?;
    writeln!(code, "pub const TEXT_HEIGHT: i32 = {};", ((metrics.ascent + metrics.descent) * scale) as i32)?;
    let digits = glyphs(&mut code, font, "DIGITS", '0'..='9')?;
    let letters = glyphs(&mut code, font, "LETTERS", 'A'..='T')?;
    writeln!(code, "pub const ABOVE: i32 = {};", digits.0.max(letters.0))?;
    writeln!(code, "pub const BELOW: i32 = {};", digits.1.max(letters.1))?;

    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or("no OUT_DIR")?;
    fs::write(out.join("pictures.rs"), code)?;
    Ok(())
}

/// The pixels of a picture, row by row: red, green, blue, alpha.
type Pixels = Vec<[u8; 4]>;

/// Width and pixels of a picture.
fn picture(path: &Path) -> Result<(usize, Pixels), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", path.display());
    let mut reader = png::Decoder::new(std::io::BufReader::new(fs::File::open(path)?)).read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("too large a picture")?];
    let info = reader.next_frame(&mut bytes)?;
    if (info.color_type, info.bit_depth) != (png::ColorType::Rgba, png::BitDepth::Eight) {
        return Err(format!("{}: not RGBA", path.display()).into());
    }
    let (pixels, _) = bytes[..info.buffer_size()].as_chunks::<4>();
    Ok((info.width as usize, pixels.to_vec()))
}

/// Multiplies the colours by alpha, rounded as the interface's compiler does it.
fn multiply([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let channel = |value: u8| (u32::from(value) * u32::from(alpha) / 255) as u8;
    [channel(red), channel(green), channel(blue), alpha]
}

/// A colour in the format RGB565.
fn to_565([red, green, blue, _]: [u8; 4]) -> u16 {
    u16::from(red >> 3) << 11 | u16::from(green >> 2) << 5 | u16::from(blue >> 3)
}

/// How much of what is below shows through, 0 to 32, rounded as the renderer does it.
fn shows_through(alpha: u8) -> u8 {
    ((u16::from(u8::MAX - alpha) + 4) >> 3) as u8
}

/// The columns outside of which everything shows through.
fn inked(through: &[u8]) -> String {
    let is_inked = |&through: &u8| through < 32;
    let from = through.iter().position(is_inked).unwrap_or(0);
    let end = through.iter().rposition(is_inked).map_or(from, |last| last + 1);
    format!("Span {{ from: {from}, end: {end} }}")
}

/// The columns around the middle in which nothing shows through.
fn solid(through: &[u8]) -> String {
    let middle = through.len() / 2;
    let shows = |&through: &u8| through > 0;
    let from = through[..middle].iter().rposition(shows).map_or(0, |last| last + 1);
    let end = through[middle..].iter().position(shows).map_or(through.len(), |next| middle + next);
    format!("Span {{ from: {from}, end: {end} }}")
}

/// Writes an array of the glyphs of these characters, and gives how far they reach above and below
/// the base line.
fn glyphs(
    code: &mut String,
    font: FontRef<'_>,
    name: &str,
    characters: std::ops::RangeInclusive<char>,
) -> Result<(i32, i32), Box<dyn Error>> {
    let (mut above, mut below) = (0, 0);
    let mut context = ScaleContext::new();
    let scale = FONT_SIZE / f32::from(font.metrics(&[]).units_per_em);
    writeln!(code, "pub static {name}: [Glyph; {}] = [", characters.clone().count())?;
    for character in characters {
        let id = font.charmap().map(character);
        let mut scaler = context.builder(font).size(FONT_SIZE).build();
        let image = Render::new(&[Source::Outline])
            .format(Format::Alpha)
            .render(&mut scaler, id)
            .ok_or_else(|| format!("the font has no {character:?}"))?;
        let advance = font.glyph_metrics(&[]).advance_width(id) * scale;
        // Sixty-fourths, rounded to whole pixels as the renderer does.
        let advance = ((advance * 64.0) as i32 + 32) / 64;
        let (place, data) = (image.placement, image.data);
        above = above.max(place.top);
        below = below.max(i32::try_from(place.height)? - place.top);
        writeln!(
            code,
            "    Glyph {{ left: {}, top: {}, width: {}, advance: {advance}, alphas: &{data:?} }},",
            place.left, place.top, place.width
        )?;
    }
    writeln!(code, "];")?;
    Ok((above, below))
}
