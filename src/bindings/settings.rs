// SPDX-License-Identifier: GPL-3.0-only
//! `SettingsAdapter` and `AboutAdapter`, and the language.

use slint::ComponentHandle;

use crate::app::Actor;
use crate::controller::{Action, Choose, Controller};
use crate::interface::{AboutAdapter, AppWindow, Setting, SettingsAdapter};
use crate::session::SavedRule;
use crate::settings::{BoardColor, FirstMover, ForbiddenHelp, Language, TapMode, shortened};

pub(super) fn connect(window: &AppWindow, actor: &Actor) {
    let adapter = window.global::<SettingsAdapter>();
    let a = actor.clone();
    adapter.on_choose(move |setting, value| {
        if let Some(choice) = choice(setting, value) {
            a.act(Action::Set(choice));
        }
    });
    let a = actor.clone();
    adapter.on_name(move |first, name| {
        a.act(Action::Set(Choose::Name(usize::from(!first), name.as_str().into())));
    });
    adapter.on_shortened(|text| shortened(&text).into());
    let a = actor.clone();
    adapter.on_engine(move |path| a.act(Action::Set(Choose::EnginePath(path.as_str().into()))));
    window.global::<AboutAdapter>().set_version(env!("CARGO_PKG_VERSION").into());
}

fn choice(setting: Setting, value: i32) -> Option<Choose> {
    let value = u8::try_from(value).ok()?;
    let on = value != 0;
    Some(match (setting, value) {
        (Setting::FirstMover, 0) => Choose::FirstMover(FirstMover::Human),
        (Setting::FirstMover, 1) => Choose::FirstMover(FirstMover::Computer),
        (Setting::BoardColor, 0) => Choose::BoardColor(BoardColor::Wood),
        (Setting::BoardColor, 1) => Choose::BoardColor(BoardColor::Green),
        (Setting::BoardColor, 2) => Choose::BoardColor(BoardColor::Paper),
        (Setting::BoardColor, 3) => Choose::BoardColor(BoardColor::HighContrast),
        (Setting::Lines, lines) => Choose::Lines(lines),
        (Setting::Rule, 0) => Choose::Rule(SavedRule::Freestyle),
        (Setting::Rule, 1) => Choose::Rule(SavedRule::Standard),
        (Setting::Rule, 2) => Choose::Rule(SavedRule::Renju),
        (Setting::Numbers, _) => Choose::Numbers(on),
        (Setting::Coordinates, _) => Choose::Coordinates(on),
        (Setting::TapMode, 0) => Choose::TapMode(TapMode::Direct),
        (Setting::TapMode, 1) => Choose::TapMode(TapMode::Confirm),
        (Setting::Sound, _) => Choose::Sound(on),
        (Setting::Music, _) => Choose::Music(on),
        (Setting::Language, 0) => Choose::Language(Language::System),
        (Setting::Language, 1) => Choose::Language(Language::Chinese),
        (Setting::Language, 2) => Choose::Language(Language::English),
        (Setting::ForbiddenHelp, 0) => Choose::ForbiddenHelp(ForbiddenHelp::Never),
        (Setting::ForbiddenHelp, 1) => Choose::ForbiddenHelp(ForbiddenHelp::AgainstComputer),
        (Setting::ForbiddenHelp, 2) => Choose::ForbiddenHelp(ForbiddenHelp::Always),
        (Setting::MasterSeconds, seconds) => Choose::MasterSeconds(seconds),
        (Setting::EngineSeconds, seconds) => Choose::EngineSeconds(seconds),
        (Setting::EvaluationShown, _) => Choose::Evaluation(on),
        _ => return None,
    })
}

pub(super) fn show(window: &AppWindow, controller: &Controller) {
    let settings = controller.settings();
    let adapter = window.global::<SettingsAdapter>();
    adapter.set_first_mover(settings.first_mover as i32);
    adapter.set_board_color(settings.board_color as i32);
    adapter.set_lines(i32::from(settings.lines));
    adapter.set_rule(settings.rule as i32);
    adapter.set_numbers(settings.numbers);
    adapter.set_coordinates(settings.coordinates);
    adapter.set_tap_mode(settings.tap_mode as i32);
    adapter.set_sound(settings.sound);
    adapter.set_music(settings.music);
    adapter.set_language(settings.language as i32);
    adapter.set_forbidden_help(settings.forbidden_help as i32);
    adapter.set_evaluation_shown(settings.evaluation);
    adapter.set_master_seconds(settings.master_seconds.into());
    adapter.set_has_engines(controller.has_engines());
    adapter.set_engine_path(settings.engine.path.as_str().into());
    adapter.set_engine_seconds(settings.engine.seconds.into());
    let [first, second] = &settings.names;
    adapter.set_black_name(first.into());
    adapter.set_white_name(second.into());
    adapter.set_has_music(controller.has_music());
    let unsaved = controller.unsaved_settings().map(|why| why.in_language(controller.language()));
    adapter.set_unsaved(unsaved.unwrap_or_default().into());
    select_language(controller.language());
}

/// Shows the interface in the language; the source language is English.
fn select_language(language: Language) {
    let name = match language {
        Language::Chinese => "zh",
        Language::English | Language::System => "",
    };
    if let Err(error) = slint::select_bundled_translation(name) {
        log::debug!("language {name:?}: {error}");
    }
}
