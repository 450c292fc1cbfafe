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

    let (width, _, grain) = picture(&ui.join("art/grain.png"))?;
    let alphas: Vec<u8> = grain.iter().map(|pixel| pixel[3]).collect();
    let darkest = alphas.iter().max().ok_or("an empty grain")?;
    writeln!(code, "pub const GRAIN_WIDTH: usize = {width};")?;
    writeln!(code, "pub const GRAIN_DARKEST: usize = {darkest};")?;
    writeln!(code, "pub static GRAIN: [u8; {}] = {alphas:?};", alphas.len())?;

    for (name, file) in [("BLACK_STONE", "art/black-stone-32.png"), ("WHITE_STONE", "art/white-stone-32.png")]
    {
        let (side, _, pixels) = picture(&ui.join(file))?;
        let multiplied: Vec<[u8; 4]> = pixels.into_iter().map(multiply).collect();
        if name == "BLACK_STONE" {
            writeln!(code, "pub const STONE_SIDE: usize = {side};")?;
        }
        writeln!(code, "pub static {name}: [[u8; 4]; {}] = {multiplied:?};", multiplied.len())?;
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
    glyphs(&mut code, font, "DIGITS", '0'..='9')?;
    glyphs(&mut code, font, "LETTERS", 'A'..='T')?;

    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or("no OUT_DIR")?;
    fs::write(out.join("pictures.rs"), code)?;
    Ok(())
}

/// Width, height and pixels (red, green, blue, alpha) of a picture.
fn picture(path: &Path) -> Result<(usize, usize, Vec<[u8; 4]>), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", path.display());
    let mut reader = png::Decoder::new(std::io::BufReader::new(fs::File::open(path)?)).read_info()?;
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("too large a picture")?];
    let info = reader.next_frame(&mut bytes)?;
    if (info.color_type, info.bit_depth) != (png::ColorType::Rgba, png::BitDepth::Eight) {
        return Err(format!("{}: not RGBA", path.display()).into());
    }
    let (pixels, _) = bytes[..info.buffer_size()].as_chunks::<4>();
    Ok((info.width as usize, info.height as usize, pixels.to_vec()))
}

/// Multiplies the colours by alpha, rounded as the interface's compiler does it.
fn multiply([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let channel = |value: u8| (u32::from(value) * u32::from(alpha) / 255) as u8;
    [channel(red), channel(green), channel(blue), alpha]
}

/// Writes an array of the glyphs of these characters.
fn glyphs(
    code: &mut String,
    font: FontRef<'_>,
    name: &str,
    characters: std::ops::RangeInclusive<char>,
) -> Result<(), Box<dyn Error>> {
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
        writeln!(
            code,
            "    Glyph {{ left: {}, top: {}, width: {}, advance: {advance}, alphas: &{data:?} }},",
            place.left, place.top, place.width
        )?;
    }
    writeln!(code, "];")?;
    Ok(())
}
