// SPDX-License-Identifier: GPL-3.0-only
//! The screens of the STM32F407 board as the desktop's program draws them in the board's colours.
//! `firmware/tests-board` reaches the same screens by touch on the emulated board.
//!
//! Review and renew them: `./dev pictures`, then look at `tests/pictures/board/`.

mod common;

use std::path::Path;
use std::rc::Rc;

use slint::ComponentHandle;
use wuzi::app::App;
use wuzi::controller::{Action, Choose, Controller, Page};
use wuzi::interface::{Machine, MenuAdapter, SettingsAdapter};
use wuzi::services::Services;
use wuzi::settings::{Language, Settings};
use wuzi_camera::{Camera, Picture};

use common::Recorder;

/// Columns and rows, black first; no five.
const OPENING: [(u8, u8); 9] = [(7, 7), (8, 6), (6, 6), (8, 8), (8, 7), (9, 7), (6, 7), (5, 7), (7, 5)];

/// White moves first; black has five in the end.
const ENDING: [(u8, u8); 10] =
    [(0, 0), (3, 13), (2, 0), (4, 13), (4, 0), (5, 13), (6, 0), (6, 13), (8, 0), (7, 13)];

fn tap((x, y): (u8, u8)) -> Action {
    Action::Tap { x: f32::from(x), y: f32::from(y) }
}

/// The program as the board has it: no keyboard, no music, no other programs, no archive.
fn start(language: Language) -> Rc<App> {
    let recorder = Recorder::default();
    let services = Services {
        sound: Box::new(recorder.clone()),
        lamps: Box::new(recorder.clone()),
        storage: Box::new(recorder.clone()),
        thinker: Box::new(recorder.clone()),
        games: Box::new(recorder.clone()),
        network: Box::new(recorder),
        sharing: None,
    };
    let settings = Settings { language, ..Settings::default() };
    App::new(Controller::new(services, settings, Language::Chinese, None)).expect("a window in memory opens")
}

fn picture(camera: &Camera, app: &App) -> Picture {
    let window = app.window();
    window.global::<Machine>().set_animated(false);
    window.global::<MenuAdapter>().set_keeps_games(false);
    let settings = window.global::<SettingsAdapter>();
    settings.set_has_keyboard(false);
    settings.set_has_music(false);
    settings.set_has_engines(false);
    camera.take_565(window, 480, 800)
}

#[test]
fn every_screen_of_the_board_looks_as_it_did() {
    let camera = Camera::new();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pictures/board");
    let renew = std::env::var_os("WUZI_RENEW_PICTURES").is_some();
    let mut different = Vec::new();
    for (language, suffix) in [(Language::System, "zh"), (Language::English, "en")] {
        let app = start(language);
        let mut compare = |app: &Rc<App>, name: &str| {
            let picture = picture(&camera, app);
            let file = format!("{name}-{suffix}.png");
            let path = directory.join(&file);
            if renew {
                wuzi_camera::write(&path, &picture);
            } else if wuzi_camera::read(&path).as_ref() != Some(&picture) {
                let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("board-{file}"));
                wuzi_camera::write(&seen, &picture);
                different.push(format!("{file} differs; now it is {}", seen.display()));
            }
        };
        let act = |actions: &[Action]| actions.iter().for_each(|action| app.act(action.clone()));
        compare(&app, "menu");
        act(&[Action::PlayPve]);
        compare(&app, "difficulty");
        act(&[Action::Back, Action::PlayPvp]);
        compare(&app, "empty");
        act(&OPENING.map(tap));
        compare(&app, "game");
        act(&[Action::Pause]);
        compare(&app, "pause");
        act(&[Action::Back, Action::AskResign]);
        compare(&app, "resign");
        act(&[Action::Back, Action::OfferDraw]);
        compare(&app, "draw-offer");
        act(&[Action::AnswerDraw(false), Action::Pause, Action::Leave]);
        compare(&app, "menu-continue");
        act(&[Action::Open(Page::Settings)]);
        compare(&app, "settings");
        app.window().global::<SettingsAdapter>().set_view_shown(true);
        act(&[Action::Set(Choose::Numbers(true))]);
        compare(&app, "settings-view");
        act(&[Action::Back, Action::Continue]);
        compare(&app, "numbers");
        act(&ENDING.map(tap));
        let (ticket, _) = app.with_controller(Controller::alarm).expect("the dialog waits for the beeps");
        act(&[Action::Alarm(ticket)]);
        compare(&app, "game-over");
    }
    assert!(different.is_empty(), "{}\n./dev pictures renews them", different.join("\n"));
}
