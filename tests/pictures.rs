// SPDX-License-Identifier: GPL-3.0-only
//! Every screen as the software renderer draws it, compared with reference pictures.
//!
//! Review and renew them: `./dev pictures`, then look at `tests/pictures/`.
//!
//! `cargo test --test pictures -- --ignored` draws every screen in many sizes, to be looked at;
//! `WUZI_GALLERY` says where, `WUZI_SCENES=menu,game` which, `WUZI_SIZES=2` how many sizes.

#[path = "pictures/scenes.rs"]
mod scenes;

use std::path::{Path, PathBuf};

use wuzi_camera::Camera;

/// The languages as `select_bundled_translation` knows them, and as the files are called.
const LANGUAGES: [(&str, &str); 2] = [("", "en"), ("zh", "zh")];

/// Width and height in physical pixels, and the scale factor.
const SIZES: [(u32, u32, f32); 7] = [
    (480, 800, 1.0),
    (360, 640, 1.0),
    (1280, 800, 1.0),
    (640, 360, 1.0),
    (720, 1600, 2.0),
    (1920, 1080, 1.25),
    (3840, 2160, 1.0),
];

/// The screen that is also kept at the scale factors 2 and 3, and in a wide window.
const SHARP: &str = "game";

#[test]
fn every_screen_looks_as_it_did() {
    let camera = Camera::new();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures");
    let renew = std::env::var_os("WUZI_RENEW_PICTURES").is_some();
    let mut different = Vec::new();
    for (language, suffix) in LANGUAGES {
        for (name, kept, scene) in scenes::ALL {
            if *kept == scenes::Kept::English && !language.is_empty() {
                continue;
            }
            let window = scenes::open(language);
            scene(&window);
            let (width, height) = if *kept == scenes::Kept::Wide { (900, 600) } else { (480, 800) };
            let mut pictures =
                vec![(format!("{name}-{suffix}.png"), camera.take(&window, width, height, 1.0))];
            if matches!(kept, scenes::Kept::EveryLanguage | scenes::Kept::English) {
                pictures.push((format!("{name}-{suffix}-565.png"), camera.take_565(&window, 480, 800)));
            }
            if *name == SHARP {
                pictures.push((format!("{name}-{suffix}-2x.png"), camera.take(&window, 960, 1600, 2.0)));
                pictures.push((format!("{name}-{suffix}-3x.png"), camera.take(&window, 1440, 2400, 3.0)));
                pictures.push((format!("{name}-{suffix}-wide.png"), camera.take(&window, 1280, 800, 1.0)));
            }
            for (file, picture) in pictures {
                let path = directory.join(&file);
                if renew {
                    wuzi_camera::write(&path, &picture);
                } else if wuzi_camera::read(&path).as_ref() != Some(&picture) {
                    let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&file);
                    wuzi_camera::write(&seen, &picture);
                    different.push(format!("{file} differs; now it is {}", seen.display()));
                }
            }
        }
    }
    assert!(different.is_empty(), "{}\n./dev pictures renews them", different.join("\n"));
}

#[test]
fn names_that_the_bundled_font_lacks_are_shown_by_a_font_of_the_system() {
    let camera = Camera::new();
    let mut draw = |name: &str| {
        let window = scenes::open("");
        let (_, _, scene) = scenes::ALL.iter().find(|(name, ..)| *name == "game-over").expect("a scene");
        scene(&window);
        scenes::name_winner(&window, name);
        camera.take(&window, 480, 800, 1.0)
    };
    let nobody = draw("");
    // A font without the letter would draw nothing, or the same box for each.
    let letters = ["Ж", "Ш", "Ω", "Ψ"].map(&mut draw);
    for (index, letter) in letters.iter().enumerate() {
        assert!(*letter != nobody, "a blank; the tests need a font with Greek and Cyrillic letters");
        assert!(letters[..index].iter().all(|other| other != letter), "a box");
    }
}

#[test]
fn a_letter_that_no_font_has_is_a_box() {
    let camera = Camera::new();
    let draw = |name: &str| {
        let window = scenes::open("");
        wuzi::system::add_last_resort();
        let (_, _, scene) = scenes::ALL.iter().find(|(name, ..)| *name == "game-over").expect("a scene");
        scene(&window);
        scenes::name_winner(&window, name);
        camera.take(&window, 480, 800, 1.0)
    };
    let blank = draw("\u{3000}");
    // A hieroglyph, an emoji and its colour, a flag, a letter of no language yet.
    let seen = ["\u{13000}", "\u{1F44D}\u{1F3FD}", "\u{1F1E8}\u{1F1F3}", "\u{1FAFF}", "\u{10FFFD}"];
    for name in seen {
        assert!(draw(name) != blank, "{name:?} is a blank");
    }
    assert!(draw("\u{200D}\u{AD}") == draw("\u{200D}"), "what cannot be seen is not");
}

/// A font of coloured pictures has the letters and no outlines.
#[test]
fn emoji_that_the_renderer_cannot_draw_are_boxes() {
    use slint::fontique_011::{fontique, shared_collection};
    let camera = Camera::new();
    let coloured: &'static [u8] = include_bytes!("data/blank-emoji.ttf");
    let draw = |name: &str, adds: bool| {
        let window = scenes::open("");
        let mut fonts = shared_collection();
        let blob = fontique::Blob::new(std::sync::Arc::new(coloured));
        let added: Vec<_> = fonts.register_fonts(blob, None).into_iter().map(|(family, _)| family).collect();
        for generic in [fontique::GenericFamily::Emoji, fontique::GenericFamily::SansSerif] {
            let known: Vec<_> = fonts.generic_families(generic).filter(|id| !added.contains(id)).collect();
            fonts.set_generic_families(generic, added.iter().copied().chain(known));
        }
        if adds {
            wuzi::system::add_last_resort();
        }
        let (_, _, scene) = scenes::ALL.iter().find(|(name, ..)| *name == "game-over").expect("a scene");
        scene(&window);
        scenes::name_winner(&window, name);
        camera.take(&window, 480, 800, 1.0)
    };
    let (face, blank) = ("\u{1F600}", "\u{3000}");
    assert!(draw(face, false) == draw(blank, false), "the font has it and draws nothing");
    assert!(draw(face, true) != draw(blank, true));
}

#[test]
fn any_name_is_drawn_without_a_crash() {
    let camera = Camera::new();
    let names = [
        "👨‍👩‍👧‍👦🇨🇳🏴‍☠️",
        "مرحبا بالعالم",
        "नमस्ते",
        "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}",
        "𠀀𠀁𪛖",
        "\u{FFFF}\u{E000}\u{10FFFD}",
        "﷽﷽﷽",
        "\u{200D}\u{FEFF}\u{AD}",
        "ｗｉｄｅ ＮＡＭＥ ｏｆ ２４ ｃｈａｒｓ.",
    ];
    for name in names {
        let name = wuzi::settings::clean_name(name);
        let window = scenes::open("zh");
        let (_, _, scene) = scenes::ALL.iter().find(|(name, ..)| *name == "leaderboard").expect("a scene");
        scene(&window);
        scenes::name_winner(&window, &name);
        camera.take(&window, 480, 800, 1.0);
    }
}

#[test]
#[ignore = "draws pictures to look at, compares nothing"]
fn gallery() {
    let camera = Camera::new();
    let directory = std::env::var_os("WUZI_GALLERY")
        .map_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery"), PathBuf::from);
    let wanted = std::env::var("WUZI_SCENES").unwrap_or_default();
    let sizes = std::env::var("WUZI_SIZES").map_or(SIZES.len(), |count| count.parse().expect("a number"));
    for (language, suffix) in LANGUAGES {
        for (name, _, scene) in scenes::ALL {
            if !wanted.is_empty() && wanted.split(',').all(|wanted| wanted != *name) {
                continue;
            }
            for (width, height, scale) in SIZES.into_iter().take(sizes) {
                let window = scenes::open(language);
                scene(&window);
                let picture = camera.take(&window, width, height, scale);
                wuzi_camera::write(
                    &directory.join(format!("{name}-{suffix}-{width}x{height}.png")),
                    &picture,
                );
            }
        }
    }
}
