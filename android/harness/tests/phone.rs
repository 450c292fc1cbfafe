// SPDX-License-Identifier: GPL-3.0-only
//! What the app promises on a phone.

use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tempfile::TempDir;
use wuzi_android_harness::picture::Picture;
use wuzi_android_harness::{Finger, Motion, ORIGINAL, Phone, Screen, data, key, picture, point};

/// Places of the original's screen.
const PVP: (f32, f32) = (240.0, 555.0);
const PVE: (f32, f32) = (240.0, 655.0);
const EASY: (f32, f32) = (240.0, 355.0);
const UNDO: (f32, f32) = (25.0, 20.0);
const PAUSE: (f32, f32) = (455.0, 20.0);
const CLOSE: (f32, f32) = (419.0, 355.0);
const SETTINGS: (f32, f32) = (54.0, 746.0);
const QUIT: (f32, f32) = (337.0, 482.0);
const RESTART: (f32, f32) = (143.0, 482.0);

/// A few stones between two people.
fn play_pvp(phone: &mut Phone) {
    phone.at(PVP);
    for (column, row) in [(7, 7), (8, 6), (8, 8), (6, 6), (7, 6), (7, 8)] {
        phone.stone(column, row);
    }
}

#[test]
fn every_page_looks_as_it_should_at_several_sizes_and_densities() {
    for (name, screen) in [
        ("original", ORIGINAL),
        ("small", Screen { width: 360, height: 640, density: 160 }),
        ("phone", Screen { width: 1080, height: 2340, density: 420 }),
    ] {
        let (_dir, data) = data();
        let mut phone = Phone::open(&data, screen);
        for (page, play) in [("menu", false), ("game", true)] {
            if play {
                play_pvp(&mut phone);
            }
            let picture = phone.picture();
            assert_eq!(picture.left_out(), 0, "{name}: every pixel of the {page} is drawn");
            phone.compare(&format!("{page}-{name}"));
        }
    }
    let (_dir, data) = data();
    let mut tablet = Phone::open(&data, Screen { width: 1280, height: 800, density: 213 });
    // Its height in logical pixels is not a whole number.
    assert_ne!(tablet.picture().pixels.last(), Some(&[0, 0, 0]), "the last row is drawn");
    tablet.compare("menu-tablet");
}

/// The pictures of the app shops, in both languages: the menu, a game, the levels, the settings.
#[test]
fn the_shops_show_the_app_as_it_is() {
    for (language, place) in [("en", "en-US"), ("zh", "zh-CN")] {
        let (_dir, data) = data();
        let mut phone = Phone::new(&data, Screen { width: 720, height: 1280, density: 320 });
        phone.settings(language, false);
        phone.launch("");
        let shop = picture::shop_directory(place);
        phone.compare_file(&shop.join("1.png"));
        phone.at(PVP);
        for (column, row) in [(7, 7), (8, 6), (8, 8), (6, 6), (7, 6), (7, 8), (9, 7), (6, 7), (9, 9), (9, 6)]
        {
            phone.stone(column, row);
        }
        phone.compare_file(&shop.join("2.png"));
        phone.at(PAUSE);
        phone.at(QUIT);
        phone.at(PVE);
        phone.compare_file(&shop.join("3.png"));
        phone.press(key::BACK);
        phone.at(SETTINGS);
        phone.compare_file(&shop.join("4.png"));
    }
}

#[test]
fn the_language_follows_the_device_while_the_app_runs() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    let english = phone.picture();
    phone.settings("zh", false);
    phone.settle();
    assert!(phone.picture().differs_from(&english));
    phone.compare("menu-chinese");
    for language in ["fr", "fil"] {
        phone.settings(language, false);
        phone.settle();
        assert!(phone.shows(&english), "{language}");
    }
}

/// Writes the settings as an earlier run has left them.
fn keep_settings(data: &Path, mut settings: serde_json::Value) {
    std::fs::create_dir_all(data).unwrap();
    settings["version"] = 1.into();
    std::fs::write(data.join("settings.json"), settings.to_string()).unwrap();
}

#[test]
fn dark_mode_follows_the_device_while_the_app_runs() {
    let (_dir, data) = data();
    // The board whose page is bright by day.
    keep_settings(&data, serde_json::json!({ "board_color": "paper" }));
    let mut phone = Phone::open(&data, ORIGINAL);
    let light = phone.picture();
    phone.settings("en", true);
    phone.settle();
    let dark = phone.picture();
    let brightness = |picture: &Picture| -> u64 {
        picture.pixels.as_flattened().iter().map(|&value| u64::from(value)).sum()
    };
    let (by_night, by_day) = (brightness(&dark), brightness(&light));
    assert!(by_night < by_day / 4 * 3, "{by_night} by night, {by_day} by day");
    phone.settings("en", false);
    phone.settle();
    assert!(phone.shows(&light), "by day");
    drop(phone);
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.settings("en", true);
    phone.launch("");
    assert!(phone.shows(&dark), "one that is started by night");
}

#[test]
fn touches_play_a_game_against_the_computer_to_its_end() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(PVE);
    phone.at(EASY);
    // The person plays anywhere; sooner or later the computer, or chance, makes five.
    let mut rng = StdRng::seed_from_u64(5);
    let mut stones = 0;
    while let Some(game) = { if stones == 0 { Some(None) } else { phone.kept_game().map(Some) } } {
        let occupied = game.map(|game| game.points()).unwrap_or_default();
        let (column, row) = loop {
            let point = (rng.random_range(0..15), rng.random_range(0..15));
            if !occupied.contains(&point) {
                break point;
            }
        };
        phone.stone(column, row);
        stones += 1;
        // The computer answers, or the game is over and not kept any more.
        let mut patience = 600;
        while phone.kept_game().is_some_and(|game| game.points().len() < 2 * stones) {
            phone.wait(100);
            patience -= 1;
            assert!(patience > 0, "the computer answers\n{}", phone.log());
        }
    }
    assert!(stones >= 4, "five in a row takes some moves");
    // The dialog comes after the row was seen.
    phone.wait(2500);
    phone.settle();
    let over = phone.picture();
    assert_eq!(over.left_out(), 0);
    assert_eq!(phone.finished_games(), 1, "the game is in the list\n{}", phone.log());
    phone.at(RESTART);
    assert!(phone.picture().differs_from(&over), "the dialog answers");
}

#[test]
fn a_killed_app_goes_on_where_it_was() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    play_pvp(&mut phone);
    let before = phone.picture();
    let kept = phone.leave();
    drop(phone);
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.launch(&kept);
    assert!(phone.shows(&before), "the system brings the same picture back");
    drop(phone);
    // A user who starts it anew finds the menu, which offers the game.
    let mut phone = Phone::open(&data, ORIGINAL);
    assert!(phone.picture().differs_from(&before));
    assert_eq!(phone.kept_game().unwrap().points().len(), 6);
    phone.at(CONTINUE);
    assert!(phone.shows(&before));
    // Killed without a word, as when the battery is taken out.
    phone.stone(2, 2);
    let before = phone.picture();
    drop(phone);
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(CONTINUE);
    assert!(phone.shows(&before));
}

#[test]
fn the_settings_outlive_the_app() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(PVE);
    phone.at(EASY);
    phone.leave();
    let kept = std::fs::read_to_string(data.join("settings.json")).unwrap();
    let kept: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["level"], 0, "the level played last");
    drop(phone);
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.leave();
    let again = std::fs::read_to_string(data.join("settings.json")).unwrap();
    assert_eq!(kept, serde_json::from_str::<serde_json::Value>(&again).unwrap());
}

/// Gives the phone a font of the system, for these languages as `fonts.xml` tells it.
fn install_font(data: &Path, languages: &str, attributes: &str) {
    let system = data.with_extension("system");
    let (fonts, etc) = (system.join("fonts"), system.join("etc"));
    std::fs::create_dir_all(&fonts).unwrap();
    std::fs::create_dir_all(&etc).unwrap();
    std::fs::copy("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", fonts.join("DejaVuSans.ttf")).unwrap();
    let families = format!(
        r#"<familyset version="23"><family name="sans-serif"><font weight="400" style="normal">None.ttf</font></family>
        <family lang="{languages}"><font weight="400" style="normal" {attributes}>
        DejaVuSans.ttf
        </font></family></familyset>"#
    );
    std::fs::write(etc.join("fonts.xml"), families).unwrap();
}

/// A game of two people with these names.
fn picture_with_names(data: &Path, names: [&str; 2]) -> Picture {
    keep_settings(data, serde_json::json!({ "names": names }));
    let mut phone = Phone::open(data, ORIGINAL);
    phone.at(PVP);
    phone.picture()
}

/// Names of the same length: with a sign for missing letters, or a blank, they would look the same.
fn both_differ(data: &Path, one: [&str; 2], other: [&str; 2]) {
    let [first, second] = [one, other].map(|names| picture_with_names(data, names));
    for (player, columns) in [0..240, 240..480].into_iter().enumerate() {
        let differs = (46..102).any(|row| {
            columns
                .clone()
                .any(|column| first.pixels[row * 480 + column] != second.pixels[row * 480 + column])
        });
        assert!(differs, "{} and {} look the same", one[player], other[player]);
    }
}

/// As Android has told the fonts since version 12, and before.
#[test]
fn letters_that_our_font_lacks_are_taken_from_the_systems_fonts() {
    for attributes in [r#"postScriptName="DejaVuSans""#, r#"index="0""#] {
        let (_dir, data) = data();
        install_font(&data, "und-Arab und-Geor,und-Geok,und-Hebr", attributes);
        // Hebrew and Arabic.
        both_differ(&data, ["\u{5e9}", "\u{639}\u{644}\u{64a}"], ["\u{5d0}", "\u{62d}\u{633}\u{646}"]);
    }
}

#[test]
fn signs_and_rare_letters_are_taken_from_the_systems_fonts() {
    let (_dir, data) = data();
    install_font(&data, "und-Laoo,und-Zsym,und-Geor", "");
    // Lao and signs, Georgian and another sign.
    both_differ(&data, ["\u{e81}\u{e82}", "\u{2602}"], ["\u{e84}\u{e87}", "\u{2620}"]);
    both_differ(&data, ["\u{10d0}\u{10d1}\u{10d2}", "\u{2618}"], ["\u{10d3}\u{10d4}\u{10d5}", "\u{2619}"]);
}

#[test]
fn an_odd_list_of_fonts_does_no_harm() {
    for list in [
        "",
        "no list",
        "<familyset>",
        r#"<familyset><family/><family lang="und-Hebr"/><family lang=",-,und-,und-Hebrew,-Hebr"><font/></family></familyset>"#,
        r#"<familyset><family lang="ja"><font index="-1">DejaVuSans.ttf</font><font index="7">DejaVuSans.ttf</font></family></familyset>"#,
    ] {
        let (_dir, data) = data();
        install_font(&data, "", "");
        std::fs::write(data.with_extension("system").join("etc/fonts.xml"), list).unwrap();
        assert_eq!(picture_with_names(&data, ["\u{5e9}", "\u{2602}"]).left_out(), 0, "{list}");
    }
}

#[test]
fn an_activity_that_was_ended_is_started_again_in_the_same_process() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    play_pvp(&mut phone);
    let before = phone.picture();
    for _ in 0..3 {
        let kept = phone.leave();
        phone.tell("input 0");
        phone.tell("destroy");
        phone.launch(&kept);
        assert!(phone.shows(&before));
    }
}

#[test]
fn rotation_loses_nothing() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    play_pvp(&mut phone);
    let upright = phone.picture();
    phone.resize(800, 480);
    let wide = phone.picture();
    assert_eq!((wide.width, wide.height, wide.left_out()), (800, 480, 0));
    phone.compare("game-rotated");
    // As in a window of its own, or half of the screen.
    for (width, height) in [(333, 777), (777, 333), (1200, 1200), (481, 801)] {
        phone.resize(width, height);
        assert_eq!(phone.picture().left_out(), 0, "{width} × {height}");
    }
    phone.resize(480, 800);
    assert!(phone.shows(&upright));
}

#[test]
fn a_lost_surface_comes_back_with_the_same_picture() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    play_pvp(&mut phone);
    let before = phone.picture();
    phone.leave();
    phone.come_back();
    assert!(phone.shows(&before));
    // Lost between a touch and the frame that would show it, and before the app knows.
    let (x, y) = point(3, 3);
    let finger = [Finger { id: 0, x, y }];
    phone.motion(Motion::Down, 0, &finger);
    phone.tell("abandon");
    phone.motion(Motion::Up, 0, &finger);
    phone.settle();
    phone.tell("lose");
    phone.show();
    phone.settle();
    let after = phone.picture();
    assert_eq!(after.left_out(), 0);
    assert_eq!(phone.kept_game().unwrap().points().len(), 7);
}

/// The surface goes away after any number of the steps of a move, and a new one shows it.
#[test]
fn a_surface_may_be_lost_at_any_moment() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(PVP);
    let finger = |column| {
        let (x, y) = point(column, 2);
        [Finger { id: 0, x, y }]
    };
    for lost in 0..=6 {
        let stone = finger(2 * lost);
        for step in 0..=6 {
            if step == lost {
                phone.tell("lose");
            }
            match step {
                1 => phone.motion(Motion::Down, 0, &stone),
                2 => phone.motion(Motion::Move, 0, &stone),
                3 => phone.motion(Motion::Up, 0, &stone),
                4 | 5 => phone.wait(5),
                _ => {}
            }
        }
        phone.show();
        phone.settle();
        assert_eq!(phone.picture().left_out(), 0, "lost at step {lost}");
        assert_eq!(phone.kept_game().unwrap().points().len() as u32, lost + 1);
    }
}

#[test]
fn beside_another_window_the_game_is_seen_while_it_is_paused() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    play_pvp(&mut phone);
    let before = phone.picture();
    phone.tell("focus 0");
    phone.tell("pause");
    phone.resize(480, 400);
    assert_eq!(phone.picture().left_out(), 0);
    phone.resize(480, 800);
    assert_eq!(phone.picture().left_out(), 0);
    phone.tell("resume");
    phone.tell("focus 1");
    phone.settle();
    assert!(phone.shows(&before));
}

#[test]
fn a_content_rectangle_and_insets_keep_the_content_clear() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    play_pvp(&mut phone);
    let whole = phone.picture();
    phone.tell("content 0 40 480 760");
    phone.settle();
    let inner = phone.picture();
    assert_eq!(inner.left_out(), 0, "the screen does not stay black");
    assert!(inner.is_blank(0..40) && inner.is_blank(760..800), "nothing is under the bars");
    assert!(!whole.is_blank(0..40) && !whole.is_blank(760..800));
    phone.tell("content 0 0 480 800");
    phone.settle();
    assert!(phone.shows(&whole));
    // Android 15 leaves the bars to the app, which asks Java.
    phone.tell("insets 40 40 0 0");
    phone.tell("redraw");
    phone.settle();
    assert!(phone.shows(&inner));
    // A cut-out counts where it is larger.
    phone.tell("cutout 60 0 0 0");
    phone.tell("redraw");
    phone.settle();
    let lower = phone.picture();
    assert_eq!(lower.left_out(), 0);
    assert!(lower.is_blank(0..60) && lower.is_blank(760..800), "nothing is under the cut-out");
    assert!(!inner.is_blank(0..60));
}

#[test]
fn a_stone_repaints_its_surroundings_and_not_the_screen() {
    let (_dir, data) = data();
    let screen = Screen { width: 1080, height: 2340, density: 420 };
    let mut phone = Phone::open(&data, screen);
    play_pvp(&mut phone);
    let before = phone.state();
    phone.stone(2, 12);
    let after = phone.state();
    let (frames, pixels) = (after.frames - before.frames, after.pixels - before.pixels);
    let all = u64::from(screen.width * screen.height);
    assert!(frames > 0);
    assert!(2 * pixels < all * frames, "{frames} frames repaint {pixels} of {all} pixels each");
}

#[test]
fn nothing_is_drawn_while_nothing_moves() {
    let (_dir, data) = data();
    let mut phone = Phone::counting(&data, ORIGINAL);
    let (state, instructions) = (phone.state(), phone.instructions());
    phone.wait(3000);
    assert_eq!(phone.state().frames, state.frames);
    // The phone itself waits in the meantime; the app would need far more for one frame.
    let spent = phone.instructions() - instructions;
    assert!(spent < 1_000_000, "{spent} instructions in 3 s of rest");
}

#[test]
fn lamps_and_timers_sleep_in_the_background() {
    let (_dir, data) = data();
    let mut phone = Phone::counting(&data, ORIGINAL);
    play_pvp(&mut phone);
    let spent = |phone: &mut Phone| {
        let before = phone.instructions();
        phone.wait(3000);
        phone.instructions() - before
    };
    let seen = spent(&mut phone);
    phone.leave();
    // The device of the sound is closed.
    phone.wait(300);
    let unseen = spent(&mut phone);
    assert!(unseen < 1_000_000, "{unseen} instructions in 3 s out of sight");
    assert!(seen > 2 * unseen, "a lamp blinks while it is seen: {seen} instructions");
}

#[test]
fn a_finger_that_moves_places_the_stone_where_it_is_lifted() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(PVP);
    let finger = |(x, y)| [Finger { id: 0, x, y }];
    phone.motion(Motion::Down, 0, &finger(point(4, 4)));
    phone.motion(Motion::Move, 0, &finger(point(6, 5)));
    phone.settle();
    assert!(phone.kept_game().is_none_or(|game| game.points().is_empty()), "it is not lifted yet");
    phone.motion(Motion::Move, 0, &finger(point(9, 9)));
    phone.motion(Motion::Up, 0, &finger(point(9, 9)));
    phone.settle();
    assert_eq!(phone.kept_game().unwrap().points(), [(9, 9)]);
}

#[test]
fn a_second_finger_is_ignored_and_a_cancelled_touch_does_nothing() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(PVP);
    let finger = |id, (x, y)| Finger { id, x, y };
    let (first, second) = (finger(3, point(4, 4)), finger(8, point(10, 10)));
    phone.motion(Motion::Down, 0, &[first]);
    phone.motion(Motion::OtherDown, 1, &[first, second]);
    phone.motion(Motion::OtherUp, 1, &[first, second]);
    phone.settle();
    assert!(phone.kept_game().is_none_or(|game| game.points().is_empty()), "the second finger");
    phone.motion(Motion::Cancel, 0, &[first]);
    phone.settle();
    assert!(phone.kept_game().is_none_or(|game| game.points().is_empty()), "the cancelled touch");
    // The first is lifted while the second stays down.
    phone.motion(Motion::Down, 0, &[first]);
    phone.motion(Motion::OtherDown, 1, &[first, second]);
    phone.motion(Motion::OtherUp, 0, &[first, second]);
    phone.motion(Motion::Up, 0, &[second]);
    phone.settle();
    assert_eq!(phone.kept_game().unwrap().points(), [(4, 4)]);
}

#[test]
fn the_back_key_pauses_closes_and_leaves() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    let menu = phone.picture();
    phone.at(PVE);
    assert!(phone.picture().differs_from(&menu));
    phone.press(key::BACK);
    assert!(phone.shows(&menu), "the dialog is closed");
    phone.at(PVP);
    phone.stone(7, 7);
    let game = phone.picture();
    phone.press(key::BACK);
    let paused = phone.picture();
    assert!(paused.differs_from(&game));
    phone.press(key::BACK);
    assert!(phone.shows(&game), "the game goes on");
    phone.at(PAUSE);
    assert!(phone.shows(&paused), "the button does the same");
    phone.at(CLOSE);
    assert!(phone.shows(&game));
    phone.at(PAUSE);
    phone.at(QUIT);
    assert_eq!(phone.state().finished, 0);
    phone.tell(&format!("key 0 {} 0 0", key::BACK));
    phone.tell(&format!("key 1 {} 0 0", key::BACK));
    phone.wait(500);
    let state = phone.state();
    assert_eq!((state.finished, state.unhandled), (1, 0), "left from the menu");
    // The system ends what has left, and starts it again.
    for command in ["pause", "lose", "stop", "input 0", "destroy"] {
        phone.tell(command);
    }
    phone.launch("");
    assert_eq!(phone.picture().left_out(), 0);
}

#[test]
fn a_keyboard_plays() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(PVP);
    for code in [key::RIGHT, key::ENTER, key::LEFT, key::DOWN, key::ENTER] {
        phone.press(code);
    }
    assert_eq!(phone.kept_game().unwrap().points().len(), 2);
    phone.press(key::U);
    // A letter that is a column, too, waits a moment for a number.
    phone.wait(1000);
    phone.settle();
    assert_eq!(phone.kept_game().unwrap().points().len(), 1);
    let game = phone.picture();
    phone.press(key::ESCAPE);
    assert!(phone.picture().differs_from(&game));
}

#[test]
fn a_stone_is_heard_and_felt_and_nothing_is_heard_in_the_background() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(PVP);
    assert_eq!(phone.state().ticks, 0);
    phone.stone(7, 7);
    phone.wait(500);
    let state = phone.state();
    assert_eq!(state.ticks, 1);
    assert!(state.loud > 0, "the beep\n{}", phone.log());
    phone.stone(8, 7);
    phone.leave();
    phone.wait(300);
    let left = phone.state();
    assert_eq!(left.streams, 0, "the device is closed");
    phone.wait(300);
    assert_eq!(phone.state().samples, left.samples);
    phone.come_back();
    phone.stone(9, 7);
    phone.wait(500);
    assert!(phone.state().loud > left.loud);
}

/// A file of another app, and its address.
fn foreign(dir: &TempDir, name: &str, content: &[u8]) -> String {
    let path = dir.path().join(name);
    std::fs::write(&path, content).unwrap();
    format!("content://here{}", path.display())
}

const SGF: &[u8] = b"(;FF[4]GM[4]SZ[15]PB[Ada]PW[Bo];B[hh];W[ig];B[ii];W[gi])";

/// The replay page: to the last move, and sharing.
const LAST: (f32, f32) = (420.0, 632.0);
const SHARE: (f32, f32) = (240.0, 774.0);
const COPY: (f32, f32) = (395.0, 728.0);
const CONTINUE: (f32, f32) = (240.0, 460.0);
const PASTE: (f32, f32) = (395.0, 694.0);

#[test]
fn a_file_that_another_app_opens_or_shares_is_replayed() {
    let (dir, data) = data();
    let address = foreign(&dir, "a game.sgf", SGF);
    let unnamed = foreign(&dir, "1234", SGF);
    let mut opened = Phone::new(&data, ORIGINAL);
    opened.start_with(&format!("view {address}"));
    let replay = opened.picture();
    opened.compare("replay-opened");
    for (number, with) in [
        format!("stream {address}"),
        format!("view {unnamed}"),
        format!("send {}", String::from_utf8_lossy(SGF)),
    ]
    .iter()
    .enumerate()
    {
        let mut phone = Phone::new(&data.with_file_name(format!("files-{number}")), ORIGINAL);
        phone.start_with(with);
        assert!(phone.shows(&replay), "{with}");
    }
}

#[test]
fn what_cannot_be_opened_is_told() {
    let (dir, data) = data();
    for (number, (with, name)) in [
        ("view content://elsewhere/game.sgf".to_owned(), "not-permitted"),
        (format!("view content://here{}/none.sgf", dir.path().display()), "not-there"),
        (format!("view {}", foreign(&dir, "bad.sgf", b"(;GM[4]\n;B[hh];W[hh])")), "not-a-game"),
        ("send hello".to_owned(), "no-moves"),
    ]
    .iter()
    .enumerate()
    {
        let mut phone = Phone::new(&data.with_file_name(format!("files-{number}")), ORIGINAL);
        phone.start_with(with);
        phone.compare(&format!("refused-{name}"));
    }
}

#[test]
fn an_old_intent_is_not_answered_again() {
    let (dir, data) = data();
    let address = foreign(&dir, "game.sgf", SGF);
    let menu = Phone::open(&data, ORIGINAL).picture();
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.start_with(&format!("again {address}"));
    assert!(phone.shows(&menu), "from the list of recent apps");
    drop(phone);
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.start_with(&format!("view {address}"));
    phone.press(key::BACK);
    phone.press(key::BACK);
    let kept = phone.leave();
    drop(phone);
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.tell(&format!("start-with view {address}"));
    phone.launch(&kept);
    assert!(phone.shows(&menu), "an activity that the system had ended");
}

#[test]
fn a_running_app_opens_a_file_and_keeps_its_game() {
    let (dir, data) = data();
    let address = foreign(&dir, "game.sgf", SGF);
    let mut alone = Phone::new(&data.with_file_name("alone"), ORIGINAL);
    alone.start_with(&format!("view {address}"));
    let replay = alone.picture();
    let mut phone = Phone::open(&data, ORIGINAL);
    play_pvp(&mut phone);
    let game = phone.picture();
    let kept = phone.kept_game().unwrap().points();
    for _ in 0..3 {
        phone.start_again(&format!("view {address}"));
        assert!(phone.shows(&replay));
        assert_eq!(phone.kept_game().unwrap().points(), kept);
    }
    phone.press(key::BACK);
    phone.press(key::BACK);
    phone.at(CONTINUE);
    assert!(phone.shows(&game), "the game goes on");
    phone.stone(3, 3);
    assert_eq!(phone.kept_game().unwrap().points().len(), 7);
}

#[test]
fn a_game_is_shared_with_other_apps() {
    let (dir, data) = data();
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.start_with(&format!("view {}", foreign(&dir, "game.sgf", SGF)));
    phone.at(SHARE);
    let shared = phone.tell("shared");
    assert!(shared.contains("PB[Ada]PW[Bo]") && shared.ends_with(";B[hh];W[ig];B[ii];W[gi])"), "{shared}");
    phone.tell("refuse 1");
    phone.at(SHARE);
    phone.compare("not-shared");
}

#[test]
fn the_clipboard_is_the_systems() {
    let (dir, data) = data();
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.start_with(&format!("view {}", foreign(&dir, "game.sgf", SGF)));
    phone.at(LAST);
    phone.at(COPY);
    assert_eq!(phone.tell("clipped"), "h8i9i7g7");
    phone.compare("copied");
    phone.tell("clip h8 五 i9");
    phone.press(key::BACK);
    phone.at(PASTE);
    phone.compare("refused-paste");
    phone.tell("clip (;GM[4];B[hh];W[ig];B[ii])");
    phone.at(PASTE);
    phone.tell("refuse 1");
    phone.at(LAST);
    phone.at(COPY);
    phone.compare("not-copied");
}

/// Ten thousand events of every kind, in any order that a system keeps to.
#[test]
fn random_events_do_no_harm() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    // WUZI_SEED: other events.
    let seed = std::env::var("WUZI_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut rng = StdRng::seed_from_u64(seed);
    let (mut shown, mut running, mut down, mut left) = (true, true, false, 0);
    let mut events = 0;
    while events < 10_000 {
        let (x, y) = (rng.random_range(-20.0..820.0), rng.random_range(-20.0..820.0));
        let finger = [Finger { id: 0, x, y }];
        let favoured = [PVP, PVE, EASY, UNDO, PAUSE, CLOSE, QUIT, RESTART];
        match rng.random_range(0..100) {
            0..40 => {
                phone.motion(if down { Motion::Up } else { Motion::Down }, 0, &finger);
                down = !down;
            }
            40..50 if down => phone.motion(Motion::Move, 0, &finger),
            50..52 if down => {
                phone.motion(Motion::Cancel, 0, &finger);
                down = false;
            }
            52..70 if !down => {
                let (x, y) = favoured[rng.random_range(0..favoured.len())];
                phone.motion(Motion::Down, 0, &[Finger { id: 1, x, y }]);
                phone.motion(Motion::Up, 0, &[Finger { id: 1, x, y }]);
            }
            70..80 => {
                let codes = [4, 4, 4, 19, 20, 21, 22, 62, 66, 111, 29, 36, 44, 49, 8, 9, 61, 67, 131];
                let code = codes[rng.random_range(0..codes.len())];
                let action = rng.random_range(0..2);
                phone.tell(&format!("key {action} {code} 0 {}", rng.random_range(0..2)));
            }
            80..83 if shown => {
                let (width, height) = (rng.random_range(1..900), rng.random_range(1..900));
                phone.tell(&format!("resize {width} {height}"));
            }
            83..85 => {
                let edges = [(); 4].map(|()| rng.random_range(-50..900));
                phone.tell(&format!("content {} {} {} {}", edges[0], edges[1], edges[2], edges[3]));
            }
            85..87 => {
                let edges = [(); 4].map(|()| rng.random_range(0..300));
                phone.tell(&format!("insets {} {} {} {}", edges[0], edges[1], edges[2], edges[3]));
            }
            87..88 if shown => drop(phone.tell("redraw")),
            88..89 => {
                let language = ["en", "zh", "yue", "ar"][rng.random_range(0..4)];
                phone.settings(language, rng.random_range(0..2) == 0);
            }
            89..90 if shown => drop(phone.tell("abandon")),
            90..91 if shown => {
                phone.tell("lose");
                shown = false;
            }
            91..96 if !running => {
                phone.tell("start");
                phone.tell("resume");
                running = true;
            }
            91..96 if !shown => {
                phone.show();
                shown = true;
            }
            96..97 if running => {
                phone.tell("pause");
                if shown {
                    phone.tell("lose");
                }
                phone.tell("stop");
                phone.tell("save");
                (shown, running) = (false, false);
            }
            97..98 => drop(phone.tell("low-memory")),
            98..99 => drop(phone.tell(&format!("focus {}", rng.random_range(0..2)))),
            // It cannot happen in this state.
            _ => continue,
        }
        events += 1;
        if rng.random_range(0..8) == 0 {
            phone.wait(10);
        }
        // The back key leaves from the menu: the system ends the app, and it is started again.
        if phone.state().finished == 1 {
            if running {
                phone.tell("pause");
            }
            if shown {
                phone.tell("lose");
            }
            if running {
                phone.tell("stop");
            }
            phone.tell("input 0");
            phone.tell("destroy");
            phone.launch("");
            (shown, running, down) = (true, true, false);
            left += 1;
        }
    }
    let state = phone.state();
    println!("{} frames, left {left} times, {} stones felt", state.frames, state.ticks);
    assert!(state.frames > 100, "it took part in it");
    // After all of that it is there as ever.
    if !running {
        phone.tell("start");
        phone.tell("resume");
    }
    if shown {
        phone.tell("lose");
    }
    phone.tell("insets 0 0 0 0");
    phone.settings("en", false);
    phone.show();
    phone.settle();
    let picture = phone.picture();
    assert_eq!((picture.width, picture.height, picture.left_out()), (480, 800, 0));
}

/// What a start and a frame cost, in instructions of the processor. Printed for the reader; the
/// bounds only catch what has gone wrong by a multiple.
#[test]
fn costs() {
    let (_dir, data) = data();
    let screen = Screen { width: 1080, height: 2340, density: 420 };
    let mut phone = Phone::counting(&data, screen);
    let start = phone.instructions();
    let cost = |phone: &mut Phone, act: &mut dyn FnMut(&mut Phone)| {
        let before = phone.instructions();
        act(phone);
        phone.instructions() - before
    };
    phone.at(PVP);
    // A size that it has not had is laid out and drawn as a whole.
    let frame = cost(&mut phone, &mut |phone| phone.resize(screen.width, screen.height - 2));
    phone.resize(screen.width, screen.height);
    phone.stone(7, 7);
    let stone = cost(&mut phone, &mut |phone| phone.stone(8, 8));
    let million = |instructions: u64| instructions as f64 / 1e6;
    println!(
        "start {:.1}, whole frame {:.1}, stone {:.1} million instructions at 1080 × 2340",
        million(start),
        million(frame),
        million(stone)
    );
    assert!(stone < start, "a stone costs less than a start");
}
