// SPDX-License-Identifier: GPL-3.0-only
//! The screens worth a picture.

use slint::{Global, Image, ModelRc, Rgba8Pixel, SharedPixelBuffer, VecModel};
use wuzi::interface::*;

type Scene = fn(&AppWindow);

/// Whether a scene is kept in every language or, where words play no part, in one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    EveryLanguage,
    English,
}

use Kept::{English, EveryLanguage};

/// A window that speaks that language.
pub fn open(language: &str) -> AppWindow {
    let window = AppWindow::new().expect("the window can be made");
    slint::select_bundled_translation(language).expect("the language is bundled");
    Machine::get(&window).set_animated(false);
    Art::get(&window).on_stone(|black, pixels| {
        let side = u16::try_from(pixels).expect("a stone of sensible size");
        let mut buffer = SharedPixelBuffer::<Rgba8Pixel>::new(side.into(), side.into());
        buffer.make_mut_bytes().copy_from_slice(wuzi::art::stone(black, side).as_flattened());
        Image::from_rgba8_premultiplied(buffer)
    });
    AboutAdapter::get(&window).set_version("0.1.0".into());
    Navigator::get(&window).set_can_quit(true);
    window
}

pub const ALL: &[(&str, Kept, Scene)] = &[
    ("menu", EveryLanguage, |_| {}),
    ("menu-continue", EveryLanguage, |window| MenuAdapter::get(window).set_can_continue(true)),
    ("difficulty", EveryLanguage, |window| Navigator::get(window).set_dialog(Dialog::Difficulty)),
    ("game-empty", English, |window| game(window, &[])),
    ("game", EveryLanguage, |window| game(window, &MIDDLE)),
    ("game-numbers", English, |window| {
        game(window, &MIDDLE);
        GameAdapter::get(window).set_numbers(true);
    }),
    ("game-marks", English, marks),
    ("game-green", English, |window| {
        game(window, &MIDDLE);
        SettingsAdapter::get(window).set_board_color(1);
    }),
    ("game-paper", English, |window| {
        game(window, &MIDDLE);
        SettingsAdapter::get(window).set_board_color(2);
    }),
    ("game-contrast", English, |window| {
        game(window, &MIDDLE);
        SettingsAdapter::get(window).set_board_color(3);
    }),
    ("game-19", English, |window| {
        game(window, &MIDDLE);
        GameAdapter::get(window).set_lines(19);
    }),
    ("game-10", English, |window| {
        game(window, &[]);
        GameAdapter::get(window).set_lines(10);
    }),
    ("game-over", EveryLanguage, over),
    ("pause", EveryLanguage, |window| {
        game(window, &MIDDLE);
        Navigator::get(window).set_dialog(Dialog::Pause);
    }),
    ("resign", EveryLanguage, |window| {
        game(window, &MIDDLE);
        Navigator::get(window).set_dialog(Dialog::Resign);
    }),
    ("draw-offer", EveryLanguage, |window| {
        game(window, &MIDDLE);
        Navigator::get(window).set_dialog(Dialog::DrawOffer);
    }),
    ("settings", EveryLanguage, |window| {
        let settings = SettingsAdapter::get(window);
        settings.set_black_name("Ada".into());
        settings.set_white_name("小明".into());
        Navigator::get(window).set_page(Page::Settings);
    }),
    ("settings-view", EveryLanguage, |window| {
        SettingsAdapter::get(window).set_view_shown(true);
        Navigator::get(window).set_page(Page::Settings);
    }),
    ("engine-failed", EveryLanguage, |window| {
        game(window, &MIDDLE);
        let failed = EngineFailedAdapter::get(window);
        failed.set_fault(EngineFault::Hung);
        failed.set_detail("/usr/games/gomoku-brain".into());
        Navigator::get(window).set_dialog(Dialog::EngineFailed);
    }),
    ("help", EveryLanguage, |window| Navigator::get(window).set_page(Page::Help)),
    ("about", EveryLanguage, |window| Navigator::get(window).set_page(Page::About)),
];

/// Columns and rows, black first.
const MIDDLE: [(i32, i32); 17] = [
    (7, 7),
    (8, 6),
    (6, 6),
    (8, 8),
    (8, 7),
    (9, 7),
    (6, 7),
    (5, 7),
    (7, 5),
    (10, 8),
    (7, 9),
    (11, 9),
    (12, 10),
    (7, 6),
    (9, 5),
    (0, 14),
    (14, 0),
];

fn stones(points: &[(i32, i32)], winning: impl Fn(usize) -> bool) -> ModelRc<Stone> {
    let stones: Vec<Stone> = points
        .iter()
        .enumerate()
        .map(|(index, &(column, row))| Stone {
            column,
            row,
            black: index % 2 == 0,
            number: index as i32 + 1,
            last: index + 1 == points.len(),
            winning: winning(index),
        })
        .collect();
    ModelRc::new(VecModel::from(stones))
}

fn game(window: &AppWindow, points: &[(i32, i32)]) {
    Navigator::get(window).set_page(Page::Game);
    let game = GameAdapter::get(window);
    game.set_stones(stones(points, |_| false));
    let black = points.len().is_multiple_of(2);
    game.set_black_to_move(black);
    game.set_lamp(if black { Lamp::Black } else { Lamp::White });
    game.set_black_name("Ada".into());
    game.set_white_level(2);
    game.set_thinking(!black);
    game.set_can_undo(!points.is_empty());
    game.set_can_help(true);
    game.set_can_resign(true);
    game.set_can_offer_draw(true);
}

fn marks(window: &AppWindow) {
    game(window, &MIDDLE[..16]);
    let game = GameAdapter::get(window);
    let marks = [
        Mark { column: 6, row: 8, kind: MarkKind::Forbidden },
        Mark { column: 10, row: 4, kind: MarkKind::Hint },
    ];
    game.set_marks(ModelRc::new(VecModel::from(marks.to_vec())));
    game.set_cursor(Spot { shown: true, column: 4, row: 4 });
    game.set_ghost(Spot { shown: true, column: 3, row: 10 });
    game.set_evaluation_shown(true);
    game.set_evaluation(0.3);
    game.set_hint_line("K11 L12 G6 F5".into());
}

fn over(window: &AppWindow) {
    game(window, &[(7, 7), (8, 6), (6, 6), (8, 8), (5, 5), (9, 7), (4, 4), (10, 8), (8, 7), (11, 9), (3, 3)]);
    let game = GameAdapter::get(window);
    game.set_over(true);
    game.set_thinking(false);
    game.set_lamp(Lamp::Dark);
    game.set_stones(stones(
        &[(7, 7), (8, 6), (6, 6), (8, 8), (5, 5), (9, 7), (4, 4), (10, 8), (8, 7), (11, 9), (3, 3)],
        |index| [0, 2, 4, 6, 10].contains(&index),
    ));
    let over = GameOverAdapter::get(window);
    over.set_ending(Ending::BlackWins);
    over.set_reason(EndingReason::Row);
    over.set_winner_name("Ada".into());
    over.set_plies(11);
    Navigator::get(window).set_dialog(Dialog::GameOver);
}
