// SPDX-License-Identifier: GPL-3.0-only
//! What the device is set to: language, dark mode, density.

use android_activity::ConfigurationRef;
use ndk::configuration::UiModeNight;
use wuzi_app::settings::Language;

/// The density in dots per inch at which a logical pixel is a physical one.
const BASE_DENSITY: f32 = 160.0;

/// Values outside of what any screen has (`DENSITY_ANY`, `DENSITY_NONE`).
const NO_DENSITY: u32 = 0xFFF0;

/// Chinese on a Chinese device, else English.
pub(crate) fn language(configuration: &ConfigurationRef) -> Language {
    // Of three letters Android packs a language into two bytes that are no text, of which `ndk` makes
    // a panic.
    let mut code = [0_u8; 2];
    // SAFETY: the copy is valid, and the system writes two bytes.
    unsafe {
        ndk_sys::AConfiguration_getLanguage(configuration.copy().ptr().as_ptr(), code.as_mut_ptr().cast());
    }
    if code == *b"zh" { Language::Chinese } else { Language::English }
}

/// Whether the device wants dark colours.
pub(crate) fn is_dark(configuration: &ConfigurationRef) -> bool {
    configuration.ui_mode_night() == UiModeNight::Yes
}

/// Physical pixels per logical pixel.
pub(crate) fn scale_factor(configuration: &ConfigurationRef) -> f32 {
    match configuration.density() {
        Some(density) if (1..NO_DENSITY).contains(&density) => density as f32 / BASE_DENSITY,
        _ => 1.0,
    }
}
