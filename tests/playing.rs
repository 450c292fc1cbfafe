// SPDX-License-Identifier: GPL-3.0-only
//! The interface with the controller behind it, without a window: controls are found by what a
//! screen reader says of them.

mod common;

use std::cell::RefMut;
use std::rc::Rc;
use std::time::Duration;

use common::{Recorded, Recorder};
use i_slint_backend_testing::{
    AccessibleRole, ElementHandle, ElementQuery, init_no_event_loop, mock_elapsed_time,
};
use slint::platform::{Key, WindowEvent};
use slint::{ComponentHandle, LogicalPosition, LogicalSize};
use wuzi::app::App;
use wuzi::archive::Act;
use wuzi::controller::{Action, ROW_SHOWN};
use wuzi::interface::{FilesAdapter, ReplayAdapter};
use wuzi::settings::{Language, Settings};
use wuzi_engine::{Point, Size};

/// The program with its interface on a machine that records.
struct Test {
    app: Rc<App>,
    recorder: Recorder,
}

thread_local! {
    /// Slint takes one platform a thread; a test may start several programs.
    static PLATFORM: () = init_no_event_loop();
}

fn start(language: Language) -> Test {
    PLATFORM.with(|()| ());
    let recorder = Recorder::default();
    let settings = Settings { language, ..Settings::default() };
    let app = App::new(common::controller(&recorder, settings, None)).expect("a window without a screen");
    app.window().window().set_size(LogicalSize::new(480.0, 800.0));
    app.window().show().expect("a window without a screen");
    Test { app, recorder }
}

impl Test {
    /// Every control with that label that can be pressed now.
    fn find(&self, label: &str) -> Vec<ElementHandle> {
        let label = label.to_owned();
        ElementQuery::from_root(self.app.window())
            .match_accessible_role(AccessibleRole::Button)
            .match_predicate(move |element| {
                element.accessible_label().as_deref() == Some(&label)
                    && element.accessible_enabled() != Some(false)
            })
            .find_all()
    }

    fn has(&self, label: &str) -> bool {
        !self.find(label).is_empty()
    }

    /// Presses the control, as a screen reader does.
    fn press(&self, label: &str) {
        let found = self.find(label);
        assert_eq!(found.len(), 1, "one control {label:?} can be pressed");
        found[0].invoke_accessible_default_action();
    }

    /// Types into the field with that label.
    fn type_into(&self, label: &str, text: &str) {
        let wanted = label.to_owned();
        let fields = ElementQuery::from_root(self.app.window())
            .match_accessible_role(AccessibleRole::TextInput)
            .match_predicate(move |element| element.accessible_label().as_deref() == Some(&wanted))
            .find_all();
        assert_eq!(fields.len(), 1, "one field {label:?}");
        fields[0].set_accessible_value(text);
    }

    /// What a screen reader says of the whole page.
    fn said(&self) -> String {
        let all = ElementQuery::from_root(self.app.window()).find_all();
        let said = all.iter().flat_map(|e| [e.accessible_label(), e.accessible_description()]);
        said.flatten().map(String::from).collect::<Vec<_>>().join("\n")
    }

    /// A finger on a place of the 480 × 800 screen.
    fn touch(&self, x: f32, y: f32) {
        // A dialog rises to its place within this time.
        mock_elapsed_time(Duration::from_millis(300));
        let window = self.app.window().window();
        let position = LogicalPosition::new(x, y);
        let button = slint::platform::PointerEventButton::Left;
        window.dispatch_event(WindowEvent::PointerMoved { position });
        window.dispatch_event(WindowEvent::PointerPressed { position, button });
        window.dispatch_event(WindowEvent::PointerReleased { position, button });
        window.dispatch_event(WindowEvent::PointerExited);
    }

    fn touch_point(&self, name: &str) {
        let point = Point::parse(name, Size::DEFAULT).expect("a point");
        self.touch(16.0 + 32.0 * f32::from(point.x), 136.0 + 32.0 * f32::from(point.y));
    }

    fn key(&self, key: impl Into<slint::SharedString>) {
        let text = key.into();
        let window = self.app.window().window();
        window.dispatch_event(WindowEvent::KeyPressed { text: text.clone() });
        window.dispatch_event(WindowEvent::KeyReleased { text });
    }

    fn stones(&self) -> usize {
        self.app.with_controller(|controller| controller.session().map_or(0, |s| s.game().moves().len()))
    }

    fn recorded(&self) -> RefMut<'_, Recorded> {
        self.recorder.recorded_mut()
    }

    /// The computer's answer to the last task.
    fn answer(&self) {
        let thought = self.recorder.think();
        self.app.act(Action::Thought(thought));
    }
}

const BLACK_WINS: [&str; 9] = ["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"];

#[test]
fn every_control_of_the_menu_and_the_game_has_a_label_in_both_languages() {
    let labels = |language, game: &str| {
        let t = start(language);
        let menu: Vec<_> = buttons(&t);
        t.press(game);
        (menu, buttons(&t))
    };
    let (menu, game) = labels(Language::English, "Two players");
    for label in ["Two players", "Against the computer", "Settings", "Help", "About"] {
        assert!(menu.contains(&label.to_owned()), "{label} in {menu:?}");
    }
    for label in ["Undo", "Redo", "HELP", "Pause", "Hint", "Offer draw", "Resign"] {
        assert!(game.contains(&label.to_owned()), "{label} in {game:?}");
    }
    let (menu_zh, game_zh) = labels(Language::Chinese, "双人对弈");
    assert_eq!((menu.len(), game.len()), (menu_zh.len(), game_zh.len()));
    assert!(menu_zh.iter().chain(&game_zh).all(|label| !label.is_ascii()), "{menu_zh:?} {game_zh:?}");
}

fn buttons(t: &Test) -> Vec<String> {
    let all =
        ElementQuery::from_root(t.app.window()).match_accessible_role(AccessibleRole::Button).find_all();
    all.iter()
        .map(|button| button.accessible_label().expect("a label").to_string())
        .inspect(|l| assert!(!l.is_empty()))
        .collect()
}

#[test]
fn the_originals_touch_areas_are_where_they_were() {
    let corners = |left: f32, top: f32, right: f32, bottom: f32| {
        [
            (left + 2.0, top + 2.0),
            (right - 2.0, top + 2.0),
            (left + 2.0, bottom - 2.0),
            (right - 2.0, bottom - 2.0),
        ]
    };
    for (x, y) in corners(62.0, 518.0, 418.0, 593.0) {
        let t = start(Language::English);
        t.touch(x, y);
        assert!(t.has("Undo") || t.has("Pause"), "PVP at {x}, {y}");
    }
    for (top, level) in
        [(318.0, "Easy"), (418.0, "Normal"), (518.0, "Hard"), (618.0, "Expert"), (718.0, "Master")]
    {
        for (x, y) in corners(62.0, top, 418.0, top + 75.0) {
            let t = start(Language::English);
            t.touch(x.clamp(64.0, 416.0), 655.0);
            t.touch(x, y);
            let seat = t.app.with_controller(|c| format!("{:?}", c.session().map(|s| s.setup().seats)));
            assert!(seat.contains(level), "{level} at {x}, {y}: {seat}");
        }
    }
    let t = start(Language::English);
    t.press("Two players");
    for (x, y) in corners(0.0, 0.0, 50.0, 40.0) {
        t.touch_point("H8");
        t.touch(x, y);
        assert_eq!(t.stones(), 0, "UNDO at {x}, {y}");
    }
    for (x, y) in corners(200.0, 0.0, 280.0, 40.0) {
        let before = t.recorded().tasks.len();
        t.touch(x, y);
        assert_eq!(t.recorded().tasks.len(), before + 1, "HELP at {x}, {y}");
        t.answer();
    }
    for (x, y) in corners(430.0, 0.0, 480.0, 40.0) {
        t.touch(x, y);
        assert!(t.has("Restart"), "PAUSE at {x}, {y}");
        t.touch(419.0, 355.0);
        assert!(!t.has("Restart"), "the cross closes");
    }
    for (x, y) in corners(400.0, 330.0, 438.0, 380.0) {
        t.touch(455.0, 20.0);
        t.touch(x, y);
        assert!(!t.has("Restart"), "the cross at {x}, {y}");
    }
    for (x, y) in corners(46.0, 450.0, 240.0, 514.0) {
        t.touch_point("H8");
        t.touch(455.0, 20.0);
        t.touch(x, y);
        assert_eq!(t.stones(), 0, "Restart at {x}, {y}");
    }
    for (x, y) in corners(240.0, 450.0, 434.0, 514.0) {
        let t = start(Language::English);
        t.press("Two players");
        t.touch(455.0, 20.0);
        t.touch(x, y);
        assert!(t.has("Against the computer"), "Quit at {x}, {y}");
    }
}

#[test]
fn a_touch_places_on_the_nearest_point_of_the_originals_board() {
    let t = start(Language::English);
    t.press("Two players");
    for (x, y) in [(1.0, 121.0), (463.0, 583.0), (255.0, 345.0)] {
        t.touch(x, y);
    }
    let moves = t.app.with_controller(|c| c.session().map(|s| s.game().moves().to_vec())).expect("a game");
    assert_eq!(moves, [Point::new(0, 0), Point::new(14, 14), Point::new(7, 7)]);
}

#[test]
fn a_game_is_won_by_touch_and_ends_in_the_dialog_under_which_undo_works() {
    let t = start(Language::English);
    t.press("Two players");
    for name in BLACK_WINS {
        t.touch_point(name);
    }
    assert!(!t.has("Restart"));
    mock_elapsed_time(ROW_SHOWN + Duration::from_millis(1));
    assert!(t.has("Restart") && t.has("Quit"));
    t.touch_point("O15");
    assert_eq!(t.stones(), 9);
    t.touch(20.0, 20.0);
    assert_eq!(t.stones(), 8);
    assert!(!t.has("Restart"));
}

#[test]
fn a_game_stands_in_the_list_with_the_names_with_which_it_was_saved() {
    let t = start(Language::English);
    let dir = tempfile::tempdir().expect("a directory");
    t.recorded().home = dir.path().into();
    t.press("Two players");
    for name in BLACK_WINS {
        t.touch_point(name);
    }
    mock_elapsed_time(ROW_SHOWN + Duration::from_millis(1));
    t.press("Look back, save, copy");
    t.press("Save as");
    t.type_into("File", "mine");
    t.type_into("Black's name", "阿达");
    t.type_into("White's name", "Bo");
    t.press("Save");
    let saved = std::fs::read_to_string(dir.path().join("mine.sgf")).expect("a file");
    assert!(saved.contains("PB[阿达]PW[Bo]"), "{saved}");
    t.press("Back");
    t.press("Quit");
    t.press("Games");
    assert!(t.said().contains("阿达 – Bo"), "{}", t.said());
    t.press("2026-11-30 18:05");
    t.press("Replay");
    assert_eq!(t.app.window().global::<ReplayAdapter>().get_title(), "阿达 – Bo");
}

#[test]
fn the_menu_says_which_files_could_not_be_used() {
    let t = start(Language::English);
    t.recorded().aside = "game.json.broken-1".into();
    t.press("Help");
    t.press("Back");
    assert!(t.said().contains("what it was is kept: game.json.broken-1"), "{}", t.said());
}

/// To lay out megabytes of text would stop the program.
#[test]
fn of_a_text_that_is_too_long_for_the_page_the_beginning_is_shown() {
    let t = start(Language::English);
    let long = "五 ".repeat(1 << 18);
    let sgf = format!("(;GM[4]GN[{long}]PB[{long}]PW[{long}]C[{long}];B[hh])");
    t.app.act(Action::Archive(Act::OpenText(sgf)));
    let replay = t.app.window().global::<ReplayAdapter>();
    for shown in [replay.get_comment(), replay.get_title()] {
        assert!(long.starts_with(shown.as_str()) && (100..1000).contains(&shown.chars().count()));
    }
    // Lines that are broken elsewhere would run over the board.
    t.app.act(Action::Archive(Act::OpenText("(;GM[4]C[one\ntwo\nthree];B[hh])".into())));
    assert_eq!(replay.get_comment(), "one two three");
    t.press("Back");
    t.press("Back");
    t.app.act(Action::Archive(Act::OpenText(format!("(;GM[4]PB[{long}]PW[{long}];B[hh])"))));
    t.press("Save as");
    let files = t.app.window().global::<FilesAdapter>();
    for shown in [files.get_black_name(), files.get_white_name()] {
        assert!(long.starts_with(shown.as_str()) && shown.chars().count() < 1000);
    }
}

#[test]
fn the_board_is_free_while_a_draw_offer_waits() {
    let t = start(Language::English);
    t.press("Two players");
    t.touch_point("H8");
    t.press("Offer draw");
    assert!(t.has("Accept") && t.has("Decline"));
    t.touch_point("I9");
    assert_eq!(t.stones(), 2);
    assert!(!t.has("Accept"), "the offer dies with the move");
    t.press("Offer draw");
    t.press("Accept");
    assert!(t.has("Accept"), "a double click on the offer is no answer");
    mock_elapsed_time(Duration::from_millis(500));
    t.press("Accept");
    assert!(t.has("Restart"));
}

#[test]
fn a_paused_board_takes_no_touch() {
    let t = start(Language::English);
    t.press("Two players");
    t.press("Pause");
    for (x, y) in [(16.0, 136.0), (20.0, 20.0), (240.0, 20.0), (400.0, 760.0)] {
        t.touch(x, y);
    }
    assert_eq!(t.stones(), 0);
    assert!(t.recorded().tasks.is_empty());
    assert!(t.has("Restart"));
}

#[test]
fn the_whole_game_can_be_played_by_keys() {
    let t = start(Language::English);
    let mut tabs = 0;
    while t.stones() == 0 && tabs < 12 && !t.has("Undo") && !t.has("Pause") {
        t.key(Key::Tab);
        t.key(Key::Return);
        tabs += 1;
        if t.has("Easy") {
            t.key(Key::Escape);
        }
    }
    assert!(t.has("Pause"), "Tab and Enter start a game");
    for name in BLACK_WINS {
        for c in name.to_lowercase().chars() {
            t.key(c);
        }
        t.key(Key::Return);
    }
    assert_eq!(t.stones(), 9);
    t.key("u");
    t.key("u");
    assert_eq!(t.stones(), 7);
    t.key("r");
    assert_eq!(t.stones(), 8);
    t.key(Key::RightArrow);
    t.key(" ");
    assert_eq!(t.stones(), 9);
    t.key("p");
    assert!(t.has("Restart"));
    t.key(Key::Escape);
    assert!(!t.has("Restart"));
    t.key(Key::F1);
    assert!(!t.has("Undo"));
    t.key(Key::Escape);
    assert!(t.has("Undo"));
}

#[test]
fn the_board_tells_a_screen_reader_what_stands_at_the_cursor() {
    let t = start(Language::English);
    t.press("Two players");
    t.touch_point("H8");
    let value = || {
        let board =
            ElementHandle::find_by_accessible_label(t.app.window(), "Board").next().expect("the board");
        board.accessible_value().expect("a value").to_string()
    };
    t.key(Key::RightArrow);
    assert_eq!(value(), "H8, black, move 1");
    t.key(Key::RightArrow);
    assert_eq!(value(), "I8, empty");
    t.key(Key::Return);
    assert_eq!(value(), "I8, white, move 2");
}

#[test]
fn the_language_changes_while_the_program_runs() {
    let t = start(Language::English);
    t.press("Settings");
    t.press("View and sound");
    t.press("Language");
    let chinese = |t: &Test| t.has("语言");
    let mut presses = 1;
    while !chinese(&t) && presses < 3 {
        t.press("Language");
        presses += 1;
    }
    assert!(chinese(&t));
    t.press("返回");
    assert!(t.has("双人对弈"));
}
