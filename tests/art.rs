// SPDX-License-Identifier: GPL-3.0-only
//! The committed pictures of stones are what the program draws.
//!
//! `WUZI_RENEW_PICTURES=1 cargo test --test art` draws them anew.

use std::path::Path;

use wuzi::art;

/// The sizes that `ui/art.slint` has pictures for.
const SIZES: [u16; 2] = [32, 60];

/// PNG keeps colours that are not multiplied by alpha.
fn straight([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    let whole = |value: u8| {
        let alpha = u32::from(alpha).max(1);
        u8::try_from((u32::from(value) * 255 + alpha / 2) / alpha).unwrap_or(u8::MAX)
    };
    [whole(red), whole(green), whole(blue), alpha]
}

fn write(path: &Path, side: u16, pixels: &[u8]) {
    let file = std::fs::File::create(path).expect("the picture can be written");
    let mut encoder = png::Encoder::new(file, side.into(), side.into());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_compression(png::Compression::High);
    encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(pixels))
        .expect("the picture can be written");
}

fn read(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).expect("the picture is there");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("it is a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("the picture is small")];
    reader.next_frame(&mut pixels).expect("the picture is whole");
    pixels
}

#[test]
fn committed_stones_are_the_drawn_ones() {
    let renew = std::env::var_os("WUZI_RENEW_PICTURES").is_some();
    for side in SIZES {
        for (name, black) in [("black", true), ("white", false)] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("ui/art/{name}-stone-{side}.png"));
            let drawn: Vec<u8> = art::stone(black, side).into_iter().flat_map(straight).collect();
            if renew {
                write(&path, side, &drawn);
            }
            assert_eq!(read(&path), drawn, "{}", path.display());
        }
    }
}
