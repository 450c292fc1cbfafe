// SPDX-License-Identifier: GPL-3.0-only
//! `Navigator`: pages, dialogs and the keyboard.

use slint::ComponentHandle;

use crate::app::Actor;
use crate::controller::{self, Action, Controller};
use crate::interface::{AppWindow, Dialog, Navigator, Page};
use crate::keyboard::Key;

pub(super) fn connect(window: &AppWindow, actor: &Actor) {
    let navigator = window.global::<Navigator>();
    let a = actor.clone();
    navigator.on_open(move |page| {
        a.act(Action::Open(match page {
            Page::Menu => controller::Page::Menu,
            Page::Game => controller::Page::Game,
            Page::Settings => controller::Page::Settings,
            Page::Help => controller::Page::Help,
            Page::About => controller::Page::About,
            Page::Games => controller::Page::Games,
            Page::Replay => controller::Page::Replay,
            Page::Leaderboard => controller::Page::Leaderboard,
            Page::Files => controller::Page::Files,
            Page::Network => controller::Page::Network,
        }));
    });
    let a = actor.clone();
    navigator.on_back(move || a.act(Action::Back));
    let a = actor.clone();
    navigator.on_quit(move || a.act(Action::Quit));
    let a = actor.clone();
    #[cfg(feature = "std")]
    let weak = window.as_weak();
    navigator.on_key(move |text, control, shift| match key(&text, control, shift) {
        #[cfg(feature = "std")]
        Some(Key::Control('v')) => {
            if let Some(window) = weak.upgrade() {
                super::archive::paste(&window, &a);
            }
            true
        }
        Some(key) => {
            a.act(Action::Key(key));
            true
        }
        None => false,
    });
}

pub(super) fn show(window: &AppWindow, controller: &Controller) {
    let navigator = window.global::<Navigator>();
    navigator.set_page(match controller.page() {
        controller::Page::Menu => Page::Menu,
        controller::Page::Game => Page::Game,
        controller::Page::Settings => Page::Settings,
        controller::Page::Help => Page::Help,
        controller::Page::About => Page::About,
        controller::Page::Games => Page::Games,
        controller::Page::Replay => Page::Replay,
        controller::Page::Leaderboard => Page::Leaderboard,
        controller::Page::Files => Page::Files,
        controller::Page::Network => Page::Network,
    });
    navigator.set_dialog(match controller.dialog() {
        None => Dialog::None,
        Some(controller::Dialog::Difficulty) => Dialog::Difficulty,
        Some(controller::Dialog::Pause) => Dialog::Pause,
        Some(controller::Dialog::GameOver) => Dialog::GameOver,
        Some(controller::Dialog::Resign) => Dialog::Resign,
        Some(controller::Dialog::DrawOffer) => Dialog::DrawOffer,
        Some(controller::Dialog::EngineFailed) => Dialog::EngineFailed,
        Some(controller::Dialog::Invitation) => Dialog::Invitation,
    });
}

/// The key of a Slint key event.
fn key(text: &str, control: bool, shift: bool) -> Option<Key> {
    use slint::platform::Key as Special;
    let mut chars = text.chars();
    let (Some(c), None) = (chars.next(), chars.next()) else { return None };
    let special = |key: Special| c == char::from(key);
    Some(match c {
        _ if special(Special::LeftArrow) => Key::Left,
        _ if special(Special::RightArrow) => Key::Right,
        _ if special(Special::UpArrow) => Key::Up,
        _ if special(Special::DownArrow) => Key::Down,
        _ if special(Special::Home) => Key::Home,
        _ if special(Special::End) => Key::End,
        _ if special(Special::Return) => Key::Enter,
        _ if special(Special::Escape) || special(Special::Back) => Key::Escape,
        _ if special(Special::F1) => Key::F1,
        _ if special(Special::F2) => Key::F2,
        ' ' => Key::Space,
        _ if c.is_control() || ('\u{E000}'..='\u{F8FF}').contains(&c) => return None,
        _ if control && shift => Key::ControlShift(c.to_ascii_lowercase()),
        _ if control => Key::Control(c.to_ascii_lowercase()),
        _ => Key::Char(c),
    })
}
