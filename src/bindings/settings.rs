// SPDX-License-Identifier: GPL-3.0-only
//! `SettingsAdapter` and `AboutAdapter`, and the language.

use slint::ComponentHandle;

use crate::app::Actor;
use crate::controller::{Action, Choose, Controller, Row};
use crate::interface::{AboutAdapter, AppWindow, Setting, SettingsAdapter};
use crate::settings::{Language, shortened};

pub(super) fn connect(window: &AppWindow, actor: &Actor) {
    let adapter = window.global::<SettingsAdapter>();
    let a = actor.clone();
    adapter.on_turn(move |setting, forward| a.act(Action::Turn(row(setting), forward)));
    let a = actor.clone();
    adapter.on_name(move |first, name| {
        a.act(Action::Set(Choose::Name(usize::from(!first), name.as_str().into())));
    });
    adapter.on_shortened(|text| shortened(&text).into());
    let a = actor.clone();
    adapter.on_engine(move |path| a.act(Action::Set(Choose::EnginePath(path.as_str().into()))));
    window.global::<AboutAdapter>().set_version(env!("CARGO_PKG_VERSION").into());
}

const fn row(setting: Setting) -> Row {
    match setting {
        Setting::FirstMover => Row::FirstMover,
        Setting::BoardColor => Row::BoardColor,
        Setting::Lines => Row::Lines,
        Setting::Rule => Row::Rule,
        Setting::Numbers => Row::Numbers,
        Setting::Coordinates => Row::Coordinates,
        Setting::TapMode => Row::TapMode,
        Setting::Sound => Row::Sound,
        Setting::Music => Row::Music,
        Setting::Language => Row::Language,
        Setting::ForbiddenHelp => Row::ForbiddenHelp,
        Setting::EvaluationShown => Row::Evaluation,
        Setting::EngineSeconds => Row::EngineSeconds,
        Setting::MasterSeconds => Row::MasterSeconds,
    }
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
