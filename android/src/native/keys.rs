// SPDX-License-Identifier: GPL-3.0-only
//! The keys of a keyboard, real or on the screen, as Slint names them.

use android_activity::AndroidApp;
use android_activity::input::{KeyEvent, KeyMapChar, Keycode};
use slint::SharedString;
use slint::platform::Key;

/// The text that stands for the key; `None` for those that mean nothing here, which are the
/// system's.
pub(super) fn text(android: &AndroidApp, key: &KeyEvent) -> Option<SharedString> {
    if let Some(key) = named(key.key_code()) {
        return Some(key.into());
    }
    let map = android.device_key_character_map(key.device_id()).ok()?;
    match map.get(key.key_code(), key.meta_state()).ok()? {
        KeyMapChar::Unicode(c) => Some(c.into()),
        KeyMapChar::CombiningAccent(_) | KeyMapChar::None => None,
    }
}

fn named(code: Keycode) -> Option<Key> {
    Some(match code {
        Keycode::DpadLeft => Key::LeftArrow,
        Keycode::DpadRight => Key::RightArrow,
        Keycode::DpadUp => Key::UpArrow,
        Keycode::DpadDown => Key::DownArrow,
        Keycode::DpadCenter | Keycode::Enter | Keycode::NumpadEnter => Key::Return,
        Keycode::Escape => Key::Escape,
        Keycode::Tab => Key::Tab,
        Keycode::Del => Key::Backspace,
        Keycode::ForwardDel => Key::Delete,
        Keycode::MoveHome => Key::Home,
        Keycode::MoveEnd => Key::End,
        Keycode::PageUp => Key::PageUp,
        Keycode::PageDown => Key::PageDown,
        Keycode::ShiftLeft => Key::Shift,
        Keycode::ShiftRight => Key::ShiftR,
        Keycode::CtrlLeft => Key::Control,
        Keycode::CtrlRight => Key::ControlR,
        Keycode::AltLeft => Key::Alt,
        Keycode::AltRight => Key::AltGr,
        Keycode::F1 => Key::F1,
        Keycode::F2 => Key::F2,
        _ => return None,
    })
}
