// SPDX-License-Identifier: GPL-3.0-only
//! What the device is set to: language, dark mode.

use android_activity::ConfigurationRef;
use ndk::configuration::UiModeNight;
use wuzi_app::settings::Language;

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
