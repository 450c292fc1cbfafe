// SPDX-License-Identifier: GPL-2.0-only
//! Every screen, reached by touch, is the one of the desktop's program.
//!
//! `tests/board_pictures.rs` at the top makes the pictures by the same moves. Both are drawn by the same
//! renderer; what differs is named in [`Screen`]. With `WUZI_KEEP_FRAMES=1` the board's pictures are
//! written and all differences are counted, whatever they are.

use std::ops::Range;
use std::path::{Path, PathBuf};

use wuzi_board::Frame;
use wuzi_board_tests::{Player, place};

/// The moves of `tests/board_pictures.rs`.
const OPENING: [(u8, u8); 9] = [(7, 7), (8, 6), (6, 6), (8, 8), (8, 7), (9, 7), (6, 7), (5, 7), (7, 5)];
const ENDING: [(u8, u8); 10] =
    [(0, 0), (3, 13), (2, 0), (4, 13), (4, 0), (5, 13), (6, 0), (6, 13), (8, 0), (7, 13)];

/// A screen, and where it may differ.
struct Screen {
    name: &'static str,
    /// What the desktop has and the board has not: columns and rows.
    missing: &'static [(Range<u16>, Range<u16>)],
    /// How many of the other pixels may differ: those of
    /// - large texts, of 22 pixels, for which the board takes its glyphs of 16 pixels;
    /// - other texts, whose glyphs the desktop sets at fractions of a pixel, the board at whole pixels;
    /// - rims of icons, stones and star points, which the board has as pictures made at build time.
    ///
    /// In Chinese and in English.
    most: [usize; 2],
}

const fn screen(name: &'static str, most: [usize; 2]) -> Screen {
    Screen { name, missing: &[], most }
}

/// The menu's Help and About.
const HELP_AND_ABOUT: &[(Range<u16>, Range<u16>)] = &[(180..420, 720..772)];
/// The dialogs' way to the kept games, and the lower edge of the box that is higher for it.
const KEPT_GAMES: &[(Range<u16>, Range<u16>)] = &[(40..440, 516..580)];

const MENU: Screen = Screen { name: "menu", missing: HELP_AND_ABOUT, most: [2600, 4300] };
const DIFFICULTY: Screen = Screen { name: "difficulty", missing: HELP_AND_ABOUT, most: [3300, 3700] };
const MENU_CONTINUE: Screen = Screen { name: "menu-continue", missing: HELP_AND_ABOUT, most: [2600, 4600] };

fn compare(player: &mut Player, screen: &Screen, language: &str) {
    let file = format!("{}-{language}.png", screen.name);
    let wanted = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/pictures/board").join(&file);
    let wanted = Frame::load(&wanted).unwrap_or_else(|error| panic!("{file}: {error}"));
    // The lamp on the page blinks once a second; the picture has it lit.
    let mut best: Option<(Vec<(u16, u16)>, Frame)> = None;
    for _ in 0..4 {
        let frame = player.board.frame().expect("a picture");
        let different: Vec<(u16, u16)> = frame
            .differences(&wanted)
            .expect("the same size")
            .into_iter()
            .filter(|&(x, y)| !screen.missing.iter().any(|(xs, ys)| xs.contains(&x) && ys.contains(&y)))
            .collect();
        if best.as_ref().is_none_or(|(least, _)| different.len() < least.len()) {
            best = Some((different, frame));
        }
        player.pass(250);
    }
    let (different, frame) = best.expect("at least one picture");
    println!("{file}: {} pixels differ", different.len());
    let most = screen.most[usize::from(language == "en")];
    if different.len() > most || std::env::var_os("WUZI_KEEP_FRAMES").is_some() {
        let seen = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&file);
        frame.save(&seen).expect("the picture can be written");
        assert!(
            different.len() <= most || std::env::var_os("WUZI_KEEP_FRAMES").is_some(),
            "{} of {} pixels differ, first {:?}; the board shows {}",
            different.len(),
            most,
            &different[..different.len().min(5)],
            seen.display()
        );
    }
}

fn tour(player: &mut Player, language: &str) {
    compare(player, &MENU, language);
    player.tap(place::PVE);
    compare(player, &DIFFICULTY, language);
    player.press(wuzi_board::Key::Key2);
    player.tap(place::PVP);
    compare(player, &screen("empty", [2700, 4400]), language);
    for (column, row) in OPENING {
        player.tap(place::point(column, row));
    }
    compare(player, &screen("game", [2700, 4500]), language);
    player.tap(place::PAUSE);
    compare(player, &Screen { name: "pause", missing: KEPT_GAMES, most: [3200, 6200] }, language);
    player.tap(place::CLOSE);
    player.tap(place::RESIGN);
    compare(player, &screen("resign", [3900, 6900]), language);
    player.tap(place::PLAY_ON);
    player.tap(place::OFFER_DRAW);
    compare(player, &screen("draw-offer", [2400, 4600]), language);
    player.tap(place::DECLINE);
    player.tap(place::PAUSE);
    player.tap(place::QUIT);
    compare(player, &MENU_CONTINUE, language);
    player.tap(place::SETTINGS);
    compare(player, &screen("settings", [1100, 6100]), language);
    player.tap(place::VIEW);
    player.tap(place::NUMBERS);
    compare(player, &screen("settings-view", [800, 6100]), language);
    player.tap(place::BACK);
    player.tap(place::CONTINUE);
    compare(player, &screen("numbers", [3100, 4900]), language);
    for (column, row) in ENDING {
        player.tap(place::point(column, row));
    }
    player.pass(2000);
    compare(player, &Screen { name: "game-over", missing: KEPT_GAMES, most: [4900, 7500] }, language);
    assert_eq!(player.board.resets(), 0, "{}", player.board.uart());
}

#[test]
fn every_screen_is_the_desktops_in_chinese() {
    tour(&mut Player::at_menu(), "zh");
}

#[test]
fn every_screen_is_the_desktops_in_english() {
    let mut player = Player::at_menu();
    player.tap(place::SETTINGS);
    player.tap(place::VIEW);
    // As the system, Chinese, English.
    player.tap(place::LANGUAGE);
    player.tap(place::LANGUAGE);
    player.tap(place::GAME);
    player.tap(place::BACK);
    tour(&mut player, "en");
}
