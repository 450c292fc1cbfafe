// SPDX-License-Identifier: GPL-3.0-only
//! Every screen as the software renderer draws it, compared with reference pictures.
//!
//! Review and renew them:
//! `WUZI_RENEW_PICTURES=1 cargo test --test pictures`, then look at `tests/pictures/`.
//! `cargo test --test pictures -- --ignored` draws every screen in many sizes and colours
//! under `target/gallery/`, to be looked at.
#[path = "pictures/camera.rs"]
mod camera;
#[path = "pictures/scenes.rs"]
mod scenes;

use camera::Camera;
use std::path::{Path, PathBuf};

slint::include_modules!();

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures")
}

/// The languages as `select_bundled_translation` knows them, and as the files are called.
const LANGUAGES: [(&str, &str); 2] = [("", "en"), ("zh", "zh")];

#[test]
fn every_screen_looks_as_it_did() {
    let camera = Camera::new();
    let renew = std::env::var_os("WUZI_RENEW_PICTURES").is_some();
    let mut different = Vec::new();
    for (language, suffix) in LANGUAGES {
        for (name, scene) in scenes::ALL {
            let window = scenes::open(&camera, language);
            scene(&window);
            let picture = camera.take(&window, 480, 800, 1.0);
            let file = directory().join(format!("{name}-{suffix}.png"));
            if renew {
                camera::write(&file, &picture);
            } else if camera::read(&file).as_ref() != Some(&picture) {
                let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{suffix}.png"));
                camera::write(&seen, &picture);
                different.push(format!("{} differs, seen: {}", file.display(), seen.display()));
            }
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
#[ignore = "draws pictures to look at, compares nothing"]
fn gallery() {
    let camera = Camera::new();
    let directory = std::env::var_os("WUZI_GALLERY").map_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery"), PathBuf::from);
    let wanted = std::env::var("WUZI_SCENES").unwrap_or_default();
    for (language, suffix) in LANGUAGES {
        for (name, scene) in scenes::ALL {
            if !wanted.is_empty() && !wanted.split(',').any(|part| *name == part) {
                continue;
            }
            for (width, height, scale) in [(480, 800, 1.0), (360, 640, 1.0), (1280, 800, 1.0), (720, 1600, 2.0), (640, 360, 1.0), (3840, 2160, 1.5)] {
                let window = scenes::open(&camera, language);
                scene(&window);
                let picture = camera.take(&window, width, height, scale);
                camera::write(&directory.join(format!("{name}-{suffix}-{width}x{height}.png")), &picture);
            }
        }
    }
}
