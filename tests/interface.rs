// SPDX-License-Identifier: GPL-3.0-only
//! The interface without a program behind it: where its controls stand, what they are called, and
//! what they ask for.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use i_slint_backend_testing::{AccessibleRole, ElementHandle, ElementQuery, mock_elapsed_time};
use slint::platform::{Key, PointerEventButton, WindowEvent};
use slint::{ComponentHandle, LogicalPosition, LogicalSize, Model, ModelRc, SharedString, VecModel};
use wuzi::interface::*;

/// What the interface asked for, in order.
#[derive(Clone, Default)]
struct Asked(Rc<RefCell<Vec<String>>>);

impl Asked {
    fn note(&self, what: impl Into<String>) {
        self.0.borrow_mut().push(what.into());
    }

    fn take(&self) -> Vec<String> {
        self.0.take()
    }
}

/// A window of 480 × 800 whose every callback is noted.
fn open() -> (AppWindow, Asked) {
    i_slint_backend_testing::init_no_event_loop();
    let window = AppWindow::new().expect("the window can be made");
    let asked = Asked::default();
    macro_rules! note {
        ($global:ident, $($on:ident => $what:literal),*) => {
            $( let a = asked.clone(); window.global::<$global>().$on(move || a.note($what)); )*
        };
    }
    note!(MenuAdapter, on_play_pvp => "pvp", on_play_pve => "pve", on_continue_game => "continue");
    note!(PauseAdapter, on_restart => "restart", on_quit => "leave");
    note!(ResignAdapter, on_confirm => "resigned");
    note!(Navigator, on_back => "back", on_quit => "quit");
    note!(GameAdapter, on_undo => "undo", on_redo => "redo", on_help => "help", on_hint => "hint",
        on_pause => "pause", on_resign => "resign", on_offer_draw => "offer");
    let a = asked.clone();
    window.global::<Navigator>().on_open(move |page| a.note(format!("open {page:?}")));
    let a = asked.clone();
    window.global::<Navigator>().on_key(move |text, control, _| {
        a.note(format!("key {text:?}{}", if control { " control" } else { "" }));
        true
    });
    let a = asked.clone();
    window.global::<DifficultyAdapter>().on_choose(move |level| a.note(format!("level {level}")));
    let a = asked.clone();
    window.global::<DrawOfferAdapter>().on_answer(move |accepted| a.note(format!("answer {accepted}")));
    let a = asked.clone();
    window
        .global::<SettingsAdapter>()
        .on_turn(move |setting, forward| a.note(format!("{setting:?} {forward}")));
    let a = asked.clone();
    window.global::<GameAdapter>().on_tap(move |x, y| a.note(format!("tap {x:.2} {y:.2}")));
    window.global::<Machine>().set_animated(false);
    resize(&window, 480.0, 800.0);
    window.show().expect("a window in memory opens");
    (window, asked)
}

fn resize(window: &AppWindow, width: f32, height: f32) {
    window.window().set_size(LogicalSize::new(width, height));
}

/// Lists that fill their pages.
fn fill_lists(window: &AppWindow) {
    fn rows<T: Clone + 'static>(row: T, count: usize) -> ModelRc<T> {
        ModelRc::from(Rc::new(VecModel::from(vec![row; count])))
    }
    let games = window.global::<GamesAdapter>();
    games.set_rows(rows(GameRow { title: "a game".into(), lines: 15, ..GameRow::default() }, 7));
    games.set_leaf(1);
    games.set_leaves(3);
    games.set_has_chosen(true);
    let replay = window.global::<ReplayAdapter>();
    replay.set_moves(rows("H8".into(), 12));
    replay.set_ply(6);
    replay.set_variations(2);
    replay.set_can_play_on(true);
    let files = window.global::<FilesAdapter>();
    files.set_rows(rows(FileRow { name: "a file".into(), is_folder: true }, 8));
    files.set_extensions(rows("sgf".into(), 7));
    files.set_saves(true);
    files.set_name("a.sgf".into());
    files.set_leaves(2);
    files.set_has_parent(true);
    let leaderboard = window.global::<LeaderboardAdapter>();
    leaderboard.set_rows(rows(WinRow { name: "Ada".into(), ..WinRow::default() }, 10));
    leaderboard.set_can_name(true);
    leaderboard.set_question(Question::Clear);
    window.global::<GameOverAdapter>().set_place(1);
}

/// A game in which everything can be done.
fn game(window: &AppWindow) {
    let game = window.global::<GameAdapter>();
    game.set_can_undo(true);
    game.set_can_redo(true);
    game.set_can_help(true);
    game.set_can_resign(true);
    game.set_can_offer_draw(true);
    go(window, Page::Game, Dialog::None);
}

fn go(window: &AppWindow, page: Page, dialog: Dialog) {
    window.global::<Navigator>().set_page(page);
    window.global::<Navigator>().set_dialog(dialog);
    // Lets the window see the change.
    mock_elapsed_time(Duration::from_millis(1));
}

fn tap(window: &AppWindow, x: f32, y: f32) {
    let position = LogicalPosition::new(x, y);
    let button = PointerEventButton::Left;
    window.window().dispatch_event(WindowEvent::PointerMoved { position });
    window.window().dispatch_event(WindowEvent::PointerPressed { position, button });
    mock_elapsed_time(Duration::from_millis(50));
    window.window().dispatch_event(WindowEvent::PointerReleased { position, button });
    window.window().dispatch_event(WindowEvent::PointerExited);
}

fn press(window: &AppWindow, key: impl Into<SharedString>) {
    let text = key.into();
    window.window().dispatch_event(WindowEvent::KeyPressed { text: text.clone() });
    window.window().dispatch_event(WindowEvent::KeyReleased { text });
}

/// Everything that a screen reader can find, each once: the query lists some elements twice.
fn elements(window: &AppWindow) -> Vec<ElementHandle> {
    let mut seen = BTreeSet::new();
    let key = |element: &ElementHandle| {
        format!(
            "{:?} {:?} {:?} {:?}",
            element.accessible_role(),
            element.accessible_label(),
            element.absolute_position(),
            element.size()
        )
    };
    let all = ElementQuery::from_root(window)
        .match_descendants()
        .match_predicate(|element| element.accessible_role().is_some_and(|role| role != AccessibleRole::None))
        .find_all();
    all.into_iter().filter(|element| seen.insert(key(element))).collect()
}

fn controls(window: &AppWindow) -> Vec<ElementHandle> {
    let control =
        [AccessibleRole::Button, AccessibleRole::Switch, AccessibleRole::TextInput, AccessibleRole::Spinbox];
    elements(window)
        .into_iter()
        .filter(|element| element.accessible_role().is_some_and(|role| control.contains(&role)))
        .collect()
}

fn control(window: &AppWindow, label: &str) -> ElementHandle {
    controls(window)
        .into_iter()
        .find(|element| element.accessible_label().is_some_and(|found| found == label))
        .unwrap_or_else(|| panic!("a control is called {label:?}"))
}

/// Every page with every dialog that can stand over it.
const SCREENS: [(Page, Dialog); 16] = [
    (Page::Menu, Dialog::None),
    (Page::Menu, Dialog::Difficulty),
    (Page::Game, Dialog::None),
    (Page::Game, Dialog::Pause),
    (Page::Game, Dialog::GameOver),
    (Page::Game, Dialog::Resign),
    (Page::Game, Dialog::DrawOffer),
    (Page::Game, Dialog::EngineFailed),
    (Page::Settings, Dialog::None),
    (Page::Help, Dialog::None),
    (Page::About, Dialog::None),
    (Page::Games, Dialog::None),
    (Page::Replay, Dialog::None),
    (Page::Files, Dialog::None),
    (Page::Leaderboard, Dialog::None),
    (Page::Menu, Dialog::None),
];

#[test]
fn the_originals_touch_areas_work_where_they_were() {
    let (window, asked) = open();
    game(&window);
    // Page, dialog, left, right, top, bottom, what it asks for.
    let areas: [(Page, Dialog, [f32; 4], &str); 15] = [
        (Page::Menu, Dialog::None, [62.0, 418.0, 518.0, 593.0], "pvp"),
        (Page::Menu, Dialog::None, [62.0, 418.0, 618.0, 693.0], "pve"),
        (Page::Menu, Dialog::Difficulty, [62.0, 418.0, 318.0, 393.0], "level 0"),
        (Page::Menu, Dialog::Difficulty, [62.0, 418.0, 418.0, 493.0], "level 1"),
        (Page::Menu, Dialog::Difficulty, [62.0, 418.0, 518.0, 593.0], "level 2"),
        (Page::Menu, Dialog::Difficulty, [62.0, 418.0, 618.0, 693.0], "level 3"),
        (Page::Menu, Dialog::Difficulty, [62.0, 418.0, 718.0, 793.0], "level 4"),
        (Page::Game, Dialog::None, [0.0, 50.0, 0.0, 40.0], "undo"),
        (Page::Game, Dialog::None, [200.0, 280.0, 0.0, 40.0], "help"),
        (Page::Game, Dialog::None, [430.0, 480.0, 0.0, 40.0], "pause"),
        (Page::Game, Dialog::Pause, [400.0, 438.0, 330.0, 380.0], "back"),
        (Page::Game, Dialog::Pause, [46.0, 240.0, 450.0, 514.0], "restart"),
        (Page::Game, Dialog::Pause, [240.0, 434.0, 450.0, 514.0], "leave"),
        (Page::Game, Dialog::GameOver, [46.0, 240.0, 450.0, 514.0], "restart"),
        (Page::Game, Dialog::GameOver, [240.0, 434.0, 450.0, 514.0], "leave"),
    ];
    for (page, dialog, [left, right, top, bottom], wanted) in areas {
        go(&window, page, dialog);
        let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
        for (x, y) in corners
            .map(|(x, y)| (x + (middle.0 - x).signum(), y + (middle.1 - y).signum()))
            .into_iter()
            .chain([middle])
        {
            tap(&window, x, y);
            assert_eq!(asked.take(), [wanted], "{page:?} {dialog:?} at {x}, {y}");
        }
    }
}

#[test]
fn a_tap_on_the_board_is_told_in_cells() {
    let (window, asked) = open();
    game(&window);
    for (column, row) in [(0, 0), (14, 0), (0, 14), (14, 14), (7, 7), (3, 11)] {
        let line = |first: f32, index: i32| first + 32.0 * index as f32;
        tap(&window, line(16.0, column), line(136.0, row));
        assert_eq!(asked.take(), [format!("tap {column}.00 {row}.00")]);
    }
    tap(&window, 16.0 + 8.0, 136.0 - 8.0);
    assert_eq!(asked.take(), ["tap 0.25 -0.25"]);
}

#[test]
fn a_dialog_lets_no_touch_through() {
    let (window, asked) = open();
    game(&window);
    for dialog in [Dialog::Pause, Dialog::Resign, Dialog::EngineFailed] {
        go(&window, Page::Game, dialog);
        for (x, y) in
            [(25.0, 20.0), (240.0, 20.0), (455.0, 20.0), (16.0, 136.0), (464.0, 584.0), (84.0, 762.0)]
        {
            tap(&window, x, y);
            assert_eq!(asked.take(), Vec::<String>::new(), "{dialog:?} at {x}, {y}");
        }
        for label in ["Undo", "Pause", "HELP"] {
            let behind = controls(&window)
                .into_iter()
                .find(|element| element.accessible_label().is_some_and(|found| found == label))
                .expect("the page is still there");
            assert_eq!(behind.accessible_enabled(), Some(false), "{label} under {dialog:?}");
            behind.invoke_accessible_default_action();
            assert_eq!(asked.take(), Vec::<String>::new());
        }
    }
}

#[test]
fn under_the_result_only_undo_works_and_under_a_draw_offer_only_the_board() {
    let (window, asked) = open();
    game(&window);
    for (dialog, wanted) in
        [(Dialog::GameOver, vec!["undo"]), (Dialog::DrawOffer, vec!["tap 0.00 0.00", "tap 14.00 14.00"])]
    {
        go(&window, Page::Game, dialog);
        for (x, y) in [(25.0, 20.0), (240.0, 20.0), (455.0, 20.0), (16.0, 136.0), (464.0, 584.0)] {
            tap(&window, x, y);
        }
        assert_eq!(asked.take(), wanted, "{dialog:?}");
    }
}

#[test]
fn the_questions_stand_where_no_other_question_stands() {
    let (window, _) = open();
    game(&window);
    for (width, height) in [(480.0, 800.0), (1280.0, 800.0), (640.0, 360.0)] {
        resize(&window, width, height);
        let mut answers: Vec<(Dialog, String, [f32; 4])> = Vec::new();
        for (dialog, labels) in [
            (Dialog::Pause, ["Restart", "Quit"]),
            (Dialog::Resign, ["Play on", "Resign"]),
            (Dialog::DrawOffer, ["Decline", "Accept"]),
        ] {
            go(&window, Page::Game, dialog);
            for label in labels {
                let found = controls(&window)
                    .into_iter()
                    .find(|element| {
                        element.accessible_enabled() == Some(true)
                            && element.accessible_label().is_some_and(|found| found == label)
                    })
                    .expect("the answer is there");
                let (at, size) = (found.absolute_position(), found.size());
                answers.push((dialog, label.into(), [at.x, at.x + size.width, at.y, at.y + size.height]));
            }
        }
        for (dialog, label, a) in &answers {
            for (other, other_label, b) in &answers {
                let apart = a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2];
                assert!(
                    dialog == other || apart,
                    "{label} of {dialog:?} stands on {other_label} of {other:?}"
                );
            }
        }
    }
}

#[test]
fn every_control_has_a_name_and_a_place_in_the_window() {
    let (window, _) = open();
    game(&window);
    fill_lists(&window);
    window.global::<MenuAdapter>().set_can_continue(true);
    window.global::<Navigator>().set_can_quit(true);
    for language in ["", "zh"] {
        slint::select_bundled_translation(language).expect("the language is bundled");
        for (width, height) in [
            (480.0, 800.0),
            (360.0, 640.0),
            (640.0, 360.0),
            (360.0, 800.0),
            (1280.0, 800.0),
            (1920.0, 1080.0),
            (3840.0, 2160.0),
            (800.0, 801.0),
        ] {
            resize(&window, width, height);
            for (page, dialog) in SCREENS {
                go(&window, page, dialog);
                let place = format!("{page:?} {dialog:?} {width} × {height} {language}");
                for element in elements(&window) {
                    let label = element.accessible_label().unwrap_or_default();
                    let role = element.accessible_role().expect("only elements with a role were looked for");
                    // A line that has nothing to say is silent.
                    assert!(
                        !label.is_empty() || role == AccessibleRole::Text,
                        "{role:?} without a name: {place}"
                    );
                }
                let found = controls(&window);
                assert!(!found.is_empty());
                for element in &found {
                    let (at, size) = (element.absolute_position(), element.size());
                    let label = element.accessible_label().unwrap_or_default();
                    let inside = at.x >= -0.5
                        && at.y >= -0.5
                        && at.x + size.width <= width + 0.5
                        && at.y + size.height <= height + 0.5;
                    assert!(inside, "{label:?} at {at:?} of {size:?} leaves the window: {place}");
                    assert!(
                        size.width >= 28.0 && size.height >= 28.0,
                        "{label:?} of {size:?} is too small to hit: {place}"
                    );
                }
                for (index, one) in found.iter().enumerate() {
                    for other in &found[index + 1..] {
                        let enabled = |element: &ElementHandle| element.accessible_enabled() != Some(false);
                        let (a, b, c, d) =
                            (one.absolute_position(), one.size(), other.absolute_position(), other.size());
                        let apart = a.x + b.width <= c.x + 0.5
                            || c.x + d.width <= a.x + 0.5
                            || a.y + b.height <= c.y + 0.5
                            || c.y + d.height <= a.y + 0.5;
                        assert!(
                            apart || !enabled(one) || !enabled(other),
                            "{:?} overlaps {:?}: {place}",
                            one.accessible_label(),
                            other.accessible_label()
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn every_control_can_be_reached_and_pressed_by_keys() {
    let (window, asked) = open();
    go(&window, Page::Menu, Dialog::None);
    let mut pressed = BTreeSet::new();
    for round in 0..10 {
        press(&window, Key::Tab);
        press(&window, if round % 2 == 0 { SharedString::from(" ") } else { Key::Return.into() });
        pressed.extend(asked.take());
    }
    let wanted = ["pvp", "pve", "open Settings", "open Help", "open About"].map(String::from);
    assert_eq!(pressed, BTreeSet::from(wanted));

    game(&window);
    let mut pressed = BTreeSet::new();
    for _ in 0..20 {
        press(&window, Key::Tab);
        press(&window, Key::Return);
        pressed.extend(asked.take());
    }
    let wanted =
        ["undo", "redo", "help", "hint", "pause", "resign", "offer", "key \"\\n\""].map(String::from);
    assert_eq!(pressed, BTreeSet::from(wanted), "Return on the board itself is the program's");

    go(&window, Page::Game, Dialog::Pause);
    press(&window, Key::Tab);
    press(&window, Key::Return);
    assert_eq!(asked.take(), ["restart"], "the answers come before the cross");
    let mut pressed = BTreeSet::new();
    for _ in 0..8 {
        press(&window, Key::Tab);
        press(&window, Key::Return);
        pressed.extend(asked.take());
    }
    assert_eq!(
        pressed,
        BTreeSet::from(["back", "restart", "leave"].map(String::from)),
        "only the dialog has the focus"
    );
}

#[test]
fn keys_that_no_control_needs_are_the_programs() {
    let (window, asked) = open();
    for (page, dialog) in SCREENS {
        go(&window, page, dialog);
        for key in [Key::LeftArrow, Key::Escape, Key::F1] {
            press(&window, key);
            assert_eq!(asked.take().len(), 1, "{page:?} {dialog:?}");
        }
        press(&window, "h");
        press(&window, " ");
        assert_eq!(asked.take(), ["key \"h\"", "key \" \""], "{page:?} {dialog:?}");
    }
    // Also after a control had the focus.
    game(&window);
    press(&window, Key::Tab);
    press(&window, "u");
    assert_eq!(asked.take(), ["key \"u\""]);
    go(&window, Page::Menu, Dialog::None);
    press(&window, "u");
    assert_eq!(asked.take(), ["key \"u\""]);
}

#[test]
fn the_board_says_what_stands_at_the_cursor() {
    let (window, _) = open();
    game(&window);
    let board = || {
        ElementQuery::from_root(&window)
            .match_descendants()
            .match_predicate(|element| {
                element.accessible_label().is_some_and(|label| label == "Board" || label == "棋盘")
            })
            .find_first()
            .expect("the board is there")
    };
    let adapter = window.global::<GameAdapter>();
    adapter.set_cursor_name("H8".into());
    assert_eq!(board().accessible_value().as_deref(), Some("H8, empty"));
    adapter.set_cursor_empty(false);
    adapter.set_cursor_black(true);
    adapter.set_cursor_number(1);
    assert_eq!(board().accessible_value().as_deref(), Some("H8, black, move 1"));
    adapter.set_last_name("H8".into());
    adapter.set_last_number(1);
    adapter.set_black_to_move(false);
    let spoken: Vec<_> = elements(&window).iter().filter_map(ElementHandle::accessible_label).collect();
    assert!(spoken.iter().any(|label| label == "Black H8. White to move"), "{spoken:?}");
    slint::select_bundled_translation("zh").expect("the language is bundled");
    assert_eq!(board().accessible_value().as_deref(), Some("H8，黑子，第 1 手"));
}

#[test]
fn stones_and_lines_cost_elements_and_points_do_not() {
    let (window, _) = open();
    game(&window);
    // The query lists an element up to five times.
    let count =
        || ElementQuery::from_root(&window).match_descendants().match_predicate(|_| true).find_all().len();
    let adapter = window.global::<GameAdapter>();
    adapter.set_lines(10);
    let small = count();
    adapter.set_lines(20);
    let large = count();
    assert!(large > small && large - small < 300, "300 more points, {} more elements", large - small);

    let stones = Rc::new(VecModel::<Stone>::default());
    adapter.set_stones(ModelRc::from(stones.clone()));
    stones.push(Stone::default());
    let one = count();
    for index in 1..=100 {
        stones.push(Stone { column: index % 15, row: index / 15, number: index + 1, ..Stone::default() });
    }
    assert_eq!(stones.row_count(), 101);
    let many = count();
    assert!(many - one <= 100 * 5, "{} elements for 100 stones", many - one);
}

#[test]
fn the_lamp_blinks_once_a_second_and_rests_when_dark() {
    let (window, _) = open();
    game(&window);
    let adapter = window.global::<GameAdapter>();
    adapter.set_lamp(Lamp::Dark);
    mock_elapsed_time(Duration::from_millis(600));
    assert_eq!(
        slint::platform::duration_until_next_timer_update(),
        None,
        "nothing runs while nothing blinks"
    );
    adapter.set_lamp(Lamp::White);
    mock_elapsed_time(Duration::from_millis(1));
    let (mut passed, mut changes) = (Duration::ZERO, 0);
    while passed < Duration::from_secs(10) {
        let next = slint::platform::duration_until_next_timer_update().expect("the lamp blinks");
        mock_elapsed_time(next);
        passed += next;
        changes += 1;
    }
    assert!((19..=21).contains(&changes), "on and off once a second: {changes} changes in {passed:?}");
    adapter.set_lamp(Lamp::Dark);
    mock_elapsed_time(Duration::from_millis(600));
    assert_eq!(slint::platform::duration_until_next_timer_update(), None);
}

#[test]
fn keys_work_on_after_a_text_field_is_gone() {
    let (window, asked) = open();
    go(&window, Page::Settings, Dialog::None);
    let name = elements(&window)
        .into_iter()
        .find(|element| element.accessible_role() == Some(AccessibleRole::TextInput))
        .expect("a name can be typed");
    let at = name.absolute_position();
    tap(&window, at.x + 20.0, at.y + name.size().height / 2.0);
    press(&window, "A");
    assert!(asked.take().iter().all(|what| !what.starts_with("key")), "the field has the keys");
    let tab = control(&window, "View and sound");
    let at = tab.absolute_position();
    tap(&window, at.x + 20.0, at.y + 20.0);
    asked.take();
    press(&window, Key::Escape);
    assert_eq!(asked.take().len(), 1, "the page has the keys again");
}

#[test]
fn what_is_not_kept_is_said_where_it_was_changed() {
    let (window, _) = open();
    let texts =
        || elements(&window).iter().filter_map(ElementHandle::accessible_label).collect::<Vec<_>>().join("|");
    let (settings, menu) = (window.global::<SettingsAdapter>(), window.global::<MenuAdapter>());
    go(&window, Page::Settings, Dialog::None);
    assert!(!texts().contains("Not saved"));
    settings.set_unsaved("No space left on device".into());
    assert!(texts().contains("Not saved") && texts().contains("No space left on device"), "{}", texts());
    menu.set_shared(true);
    assert!(texts().contains("Another Wuzi is open"), "{}", texts());
    go(&window, Page::Menu, Dialog::None);
    assert!(texts().contains("Another Wuzi is open"), "{}", texts());
    game(&window);
    window.global::<GameAdapter>().set_notice(Notice::NotSaved);
    assert!(texts().contains("Another Wuzi is open"), "{}", texts());
    menu.set_shared(false);
    assert!(texts().contains("Not saved"), "{}", texts());
}

#[test]
fn a_swipe_over_the_board_steps_through_the_replay() {
    let (window, asked) = open();
    fill_lists(&window);
    let a = asked.clone();
    window.global::<ReplayAdapter>().on_step(move |ahead| a.note(format!("step {ahead}")));
    let swipe = |from: (f32, f32), to: (f32, f32)| {
        let at = |(x, y)| LogicalPosition::new(x, y);
        let button = PointerEventButton::Left;
        window.window().dispatch_event(WindowEvent::PointerMoved { position: at(from) });
        window.window().dispatch_event(WindowEvent::PointerPressed { position: at(from), button });
        for part in 1..=8 {
            let share = part as f32 / 8.0;
            let between = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            mock_elapsed_time(Duration::from_millis(16));
            window.window().dispatch_event(WindowEvent::PointerMoved { position: at(between) });
        }
        window.window().dispatch_event(WindowEvent::PointerReleased { position: at(to), button });
        window.window().dispatch_event(WindowEvent::PointerExited);
    };
    for (width, height, x, y) in [(480.0, 800.0, 240.0, 300.0), (1280.0, 800.0, 400.0, 400.0)] {
        resize(&window, width, height);
        go(&window, Page::Replay, Dialog::None);
        swipe((x + 80.0, y), (x - 80.0, y + 5.0));
        assert_eq!(asked.take(), ["step true"], "to the left is on");
        swipe((x - 80.0, y), (x + 80.0, y - 5.0));
        assert_eq!(asked.take(), ["step false"]);
        swipe((x, y - 80.0), (x, y + 80.0));
        assert!(!asked.take().iter().any(|asked| asked.starts_with("step")), "down is no step");
    }
}

#[test]
fn the_replay_goes_to_a_move_that_is_chosen_or_typed() {
    let (window, asked) = open();
    fill_lists(&window);
    let a = asked.clone();
    window.global::<ReplayAdapter>().on_go_to(move |ply| a.note(format!("go to {ply}")));
    go(&window, Page::Replay, Dialog::None);
    control(&window, "Move").set_accessible_value("11");
    let typed = asked.take();
    assert_eq!(typed.last().map(String::as_str), Some("go to 11"), "{typed:?}");
    assert!(controls(&window).iter().all(|c| c.accessible_label().is_none_or(|l| l != "9 H8")));
    resize(&window, 1280.0, 800.0);
    go(&window, Page::Replay, Dialog::None);
    control(&window, "9 H8").invoke_accessible_default_action();
    assert_eq!(asked.take(), ["go to 9"]);
}

#[test]
fn settings_go_round_by_touch_and_both_ways_by_keys() {
    let (window, asked) = open();
    resize(&window, 1280.0, 800.0);
    go(&window, Page::Settings, Dialog::None);
    for row in ["Board size", "Sound"] {
        control(&window, row).invoke_accessible_default_action();
    }
    assert_eq!(asked.take(), ["Lines true", "Sound true"]);
    // The first stop after the way back is the first mover, then the board's size.
    for _ in 0..3 {
        press(&window, Key::Tab);
    }
    press(&window, Key::LeftArrow);
    press(&window, Key::RightArrow);
    assert_eq!(asked.take(), ["Lines false", "Lines true"]);
}
