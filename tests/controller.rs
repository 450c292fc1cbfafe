// SPDX-License-Identifier: GPL-3.0-only
//! Every action in every state, without a window.

mod common;

use std::time::Duration;

use common::{Machine, Recorded, machine};
use proptest::prelude::*;
use wuzi::archive::{Results, SavedResult};
use wuzi::controller::{Action, Choose, Controller, Dialog, Notice, Page, ROW_SHOWN, Row};
use wuzi::keyboard::Key;
use wuzi::services::{Mind, Purpose};
use wuzi::session::{Ending, SavedRule, Seat};
use wuzi::settings::{EngineSettings, FirstMover, ForbiddenHelp, Language, Settings, TapMode};
use wuzi_engine::{Color, Level, Point, Size};

fn tap(machine: &mut Machine, name: &str) {
    let size = machine.controller.session().unwrap().game().size();
    let point = Point::parse(name, size).unwrap();
    machine.act(Action::Tap { x: point.x.into(), y: point.y.into() });
}

fn taps(machine: &mut Machine, names: &[&str]) {
    for name in names {
        tap(machine, name);
    }
}

fn pvp() -> Machine {
    let mut machine = machine();
    machine.act(Action::PlayPvp);
    machine
}

fn pve(level: Level) -> Machine {
    let mut machine = machine();
    machine.act(Action::PlayPve);
    machine.act(Action::Start(level));
    machine
}

fn stones(controller: &Controller) -> usize {
    controller.session().map_or(0, |session| session.game().moves().len())
}

const BLACK_WINS: [&str; 9] = ["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"];

#[test]
fn the_menu_leads_to_a_game_between_two_people() {
    let m = pvp();
    assert_eq!(m.controller.page(), Page::Game);
    assert_eq!(m.controller.session().unwrap().setup().seats, [Seat::Human, Seat::Human]);
    assert_eq!(m.controller.lamp(), Some(Color::Black));
}

#[test]
fn the_menu_asks_for_the_level_of_the_computer() {
    let mut m = machine();
    m.act(Action::PlayPve);
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Menu, Some(Dialog::Difficulty)));
    m.act(Action::Back);
    assert_eq!(m.controller.dialog(), None);
    m.act(Action::Start(Level::Hard));
    assert_eq!(m.controller.page(), Page::Menu, "no level can be chosen without the dialog");
    m.act(Action::PlayPve);
    m.act(Action::Start(Level::Hard));
    assert_eq!(m.controller.session().unwrap().setup().seat(Color::White), Seat::Computer(Level::Hard));
    assert_eq!(m.controller.settings().level(), Level::Hard);
    assert_eq!(m.recorded().settings.as_ref().unwrap().level(), Level::Hard, "remembered");
}

#[test]
fn each_stone_beeps_and_changes_the_lamp() {
    let mut m = pvp();
    taps(&mut m, &["H8", "I9"]);
    assert_eq!(m.recorded().heard, ["stone", "stone"]);
    assert_eq!(m.recorded().lamps, [None, Some(Color::Black), Some(Color::White), Some(Color::Black)]);
}

#[test]
fn a_tap_on_a_stone_or_beside_the_board_does_nothing() {
    let mut m = pvp();
    taps(&mut m, &["H8", "H8", "H8"]);
    assert_eq!(stones(&m.controller), 1);
    for (x, y) in
        [(-0.51, 3.0), (3.0, -0.51), (14.51, 3.0), (3.0, 14.51), (f32::NAN, 3.0), (3.0, f32::INFINITY)]
    {
        m.act(Action::Tap { x, y });
    }
    assert_eq!(stones(&m.controller), 1);
}

#[test]
fn a_tap_counts_for_the_nearest_intersection() {
    for (x, y, point) in [
        (2.49, 3.51, Point::new(2, 4)),
        (2.51, 3.49, Point::new(3, 3)),
        (-0.5, -0.5, Point::new(0, 0)),
        (14.5, 14.49, Point::new(14, 14)),
    ] {
        let mut m = pvp();
        m.act(Action::Tap { x, y });
        assert_eq!(m.controller.session().unwrap().game().moves(), [point]);
    }
}

#[test]
fn five_in_a_row_is_heard_and_then_the_dialog_names_the_winner() {
    let mut m = pvp();
    taps(&mut m, &BLACK_WINS);
    assert_eq!(m.recorded().heard.last(), Some(&"five"));
    assert!(matches!(m.controller.session().unwrap().ending(), Some(Ending::Row(Color::Black, _))));
    assert_eq!(m.controller.dialog(), None, "the row is seen first");
    assert_eq!(m.controller.lamp(), None);
    let (ticket, after) = m.controller.alarm().unwrap();
    assert_eq!(after, ROW_SHOWN);
    m.act(Action::Alarm(ticket));
    assert_eq!(m.controller.dialog(), Some(Dialog::GameOver));
    tap(&mut m, "B1");
    assert_eq!(stones(&m.controller), 9);
}

#[test]
fn undo_works_while_the_row_is_shown_and_from_the_dialog() {
    for dialog_open in [false, true] {
        let mut m = pvp();
        taps(&mut m, &BLACK_WINS);
        let (ticket, _) = m.controller.alarm().unwrap();
        if dialog_open {
            m.act(Action::Alarm(ticket));
        }
        m.act(Action::Undo);
        assert_eq!((stones(&m.controller), m.controller.dialog()), (8, None));
        m.act(Action::Alarm(ticket));
        assert_eq!(m.controller.dialog(), None, "an old alarm rings for nothing");
    }
}

#[test]
fn the_game_over_dialog_can_be_closed_to_see_the_board_and_opened_again() {
    let mut m = pvp();
    taps(&mut m, &BLACK_WINS);
    let (ticket, _) = m.controller.alarm().unwrap();
    m.act(Action::Alarm(ticket));
    m.act(Action::Back);
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Game, None));
    m.act(Action::Pause);
    assert_eq!(m.controller.dialog(), Some(Dialog::GameOver));
    m.act(Action::Restart);
    assert_eq!((stones(&m.controller), m.controller.dialog()), (0, None));
}

#[test]
fn no_stone_can_be_placed_while_paused() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Pause);
    assert_eq!(m.controller.dialog(), Some(Dialog::Pause));
    tap(&mut m, "I9");
    m.act(Action::Undo);
    m.act(Action::Help);
    assert_eq!(stones(&m.controller), 1);
    assert_eq!(m.controller.lamp(), None);
    m.act(Action::Back);
    tap(&mut m, "I9");
    assert_eq!(stones(&m.controller), 2);
}

#[test]
fn the_computer_answers_each_move() {
    let mut m = pve(Level::Easy);
    assert!(m.recorded().tasks.is_empty());
    tap(&mut m, "H8");
    assert_eq!(m.controller.thinking(), Some(Purpose::Move));
    tap(&mut m, "A1");
    assert_eq!(stones(&m.controller), 1, "not out of turn");
    m.answer();
    assert_eq!(stones(&m.controller), 2);
    assert_eq!(m.recorded().heard, ["stone", "stone"]);
}

#[test]
fn the_computer_moves_first_if_the_settings_say_so() {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::FirstMover(FirstMover::Computer)));
    m.act(Action::Back);
    m.act(Action::PlayPve);
    m.act(Action::Start(Level::Normal));
    m.answer();
    assert_eq!(m.controller.session().unwrap().game().moves(), [Size::DEFAULT.centre()]);
    assert!(!m.controller.can_undo());
}

#[test]
fn a_move_for_a_position_that_is_gone_is_dropped() {
    type Interruption = (&'static str, fn(&mut Machine), usize);
    let interruptions: [Interruption; 6] = [
        ("undo", |m| m.act(Action::Undo), 0),
        (
            "restart",
            |m| {
                m.act(Action::Pause);
                m.act(Action::Restart);
            },
            0,
        ),
        (
            "leave",
            |m| {
                m.act(Action::Pause);
                m.act(Action::Leave);
            },
            0,
        ),
        ("pause", |m| m.act(Action::Pause), 1),
        (
            "resign",
            |m| {
                m.act(Action::AskResign);
                m.act(Action::Resign);
            },
            1,
        ),
        ("help page", |m| m.act(Action::Open(Page::Help)), 1),
    ];
    for (name, interrupt, left) in interruptions {
        let mut m = pve(Level::Easy);
        tap(&mut m, "H8");
        let thought = m.think();
        interrupt(&mut m);
        assert!(m.recorded().stops > 0, "{name}: the search is told to stop");
        m.act(Action::Thought(thought));
        assert_eq!(stones(&m.controller), left, "{name}");
    }
}

#[test]
fn after_a_pause_the_computer_thinks_again() {
    for back in [Action::Back, Action::Key(Key::Escape)] {
        let mut m = pve(Level::Easy);
        tap(&mut m, "H8");
        m.act(Action::Pause);
        assert_eq!(m.controller.thinking(), None);
        m.act(back);
        m.answer();
        assert_eq!(stones(&m.controller), 2);
    }
}

#[test]
fn undo_takes_two_stones_against_the_computer_and_redo_brings_them_back() {
    let mut m = pve(Level::Easy);
    tap(&mut m, "H8");
    m.answer();
    let moves = m.controller.session().unwrap().game().moves().to_vec();
    m.act(Action::Undo);
    assert_eq!(stones(&m.controller), 0);
    m.act(Action::Redo);
    assert_eq!(m.controller.session().unwrap().game().moves(), moves);
    assert_eq!(m.controller.thinking(), None);
}

#[test]
fn help_plays_at_hard_for_the_side_to_move() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Help);
    assert_eq!(m.recorded().tasks.last().unwrap().mind, Mind::Level(Level::Hard));
    m.answer();
    assert_eq!(stones(&m.controller), 2);
    assert_eq!(m.controller.session().unwrap().helps(), 1);
}

#[test]
fn a_tap_while_help_thinks_is_the_persons_own_move() {
    let mut m = pvp();
    m.act(Action::Help);
    let thought = m.think();
    tap(&mut m, "A1");
    m.act(Action::Thought(thought));
    assert_eq!(m.controller.session().unwrap().game().moves(), [Point::new(0, 14)]);
}

#[test]
fn a_hint_is_shown_and_goes_with_the_position() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Hint);
    m.answer();
    assert_eq!(stones(&m.controller), 1);
    assert!(m.controller.hint().is_some());
    tap(&mut m, "I9");
    assert!(m.controller.hint().is_none());
}

#[test]
fn resigning_is_asked_once() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Resign);
    assert!(m.controller.session().unwrap().is_running());
    m.act(Action::AskResign);
    m.act(Action::Back);
    assert!(m.controller.session().unwrap().is_running());
    m.act(Action::AskResign);
    m.act(Action::Resign);
    assert_eq!(m.controller.session().unwrap().ending(), Some(Ending::Resignation(Color::Black)));
    assert_eq!(m.controller.dialog(), Some(Dialog::GameOver));
}

#[test]
fn between_people_the_other_side_answers_a_draw_offer() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::OfferDraw);
    assert_eq!(m.controller.dialog(), Some(Dialog::DrawOffer));
    m.act(Action::AnswerDraw(false));
    assert!(m.controller.session().unwrap().is_running());
    m.act(Action::OfferDraw);
    tap(&mut m, "I9");
    assert_eq!(m.controller.dialog(), None, "the offer dies with the move");
    m.act(Action::AnswerDraw(true));
    assert!(m.controller.session().unwrap().is_running());
    m.act(Action::OfferDraw);
    m.act(Action::AnswerDraw(true));
    assert_eq!(m.controller.session().unwrap().ending(), Some(Ending::Agreement));
    assert_eq!(m.controller.dialog(), Some(Dialog::GameOver));
}

#[test]
fn the_computer_declines_a_draw_only_when_it_stands_better() {
    let position = |human: &[&str], computer: &[&str]| {
        let mut m = pve(Level::Easy);
        for (mine, theirs) in human.iter().zip(computer) {
            tap(&mut m, mine);
            m.answer_with(theirs);
        }
        m.act(Action::OfferDraw);
        m
    };
    let m = position(&["A1", "C1", "O15"], &["H8", "I8", "J8"]);
    assert_eq!(m.controller.notice(), Some(Notice::DrawDeclined));
    assert!(m.controller.session().unwrap().is_running());
    let m = position(&["H8", "I8", "J8"], &["A1", "C1", "O15"]);
    assert_eq!(m.controller.session().unwrap().ending(), Some(Ending::Agreement));
}

#[test]
fn in_confirm_mode_the_second_tap_places() {
    let mut m = pvp();
    m.act(Action::Pause);
    m.act(Action::Leave);
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::TapMode(TapMode::Confirm)));
    m.act(Action::Back);
    m.act(Action::PlayPvp);
    tap(&mut m, "H8");
    assert_eq!((stones(&m.controller), m.controller.ghost()), (0, Some(Point::new(7, 7))));
    tap(&mut m, "I9");
    assert_eq!((stones(&m.controller), m.controller.ghost()), (0, Some(Point::new(8, 6))));
    tap(&mut m, "I9");
    assert_eq!((stones(&m.controller), m.controller.ghost()), (1, None));
}

#[test]
fn forbidden_points_are_shown_and_refused_where_it_is_wanted() {
    let three_three = ["H7", "A15", "H6", "C15", "G8", "E15", "F8", "G15"];
    for (help, refused) in [(ForbiddenHelp::Always, true), (ForbiddenHelp::AgainstComputer, false)] {
        let mut m = machine();
        m.act(Action::Open(Page::Settings));
        m.act(Action::Set(Choose::Rule(SavedRule::Renju)));
        m.act(Action::Set(Choose::ForbiddenHelp(help)));
        m.act(Action::Back);
        m.act(Action::PlayPvp);
        taps(&mut m, &three_three);
        assert_eq!(!m.controller.forbidden_points().is_empty(), refused);
        tap(&mut m, "H8");
        if refused {
            assert!(matches!(m.controller.notice(), Some(Notice::Forbidden(_))));
            assert_eq!(stones(&m.controller), 8);
        } else {
            assert!(matches!(
                m.controller.session().unwrap().ending(),
                Some(Ending::Forbidden(Color::White, _))
            ));
        }
    }
}

#[test]
fn a_human_black_against_the_computer_is_warned_of_forbidden_points_unless_told_otherwise() {
    for (help, refused) in [(None, true), (Some(ForbiddenHelp::Never), false)] {
        let mut m = machine();
        m.act(Action::Open(Page::Settings));
        m.act(Action::Set(Choose::Rule(SavedRule::Renju)));
        if let Some(help) = help {
            m.act(Action::Set(Choose::ForbiddenHelp(help)));
        }
        m.act(Action::Back);
        m.act(Action::PlayPve);
        m.act(Action::Start(Level::Hard));
        for (mine, theirs) in ["H7", "H6", "G8", "F8"].iter().zip(["A15", "C15", "E15", "G15"]) {
            tap(&mut m, mine);
            m.answer_with(theirs);
        }
        let h8 = Point::new(7, 7);
        assert_eq!(m.controller.forbidden_points().contains(&h8), refused);
        tap(&mut m, "H8");
        assert_eq!(matches!(m.controller.notice(), Some(Notice::Forbidden(_))), refused);
        assert_eq!(m.controller.session().unwrap().is_running(), refused);
        assert_eq!(stones(&m.controller), if refused { 8 } else { 9 });
    }
}

#[test]
fn every_move_of_a_running_game_is_kept_and_offered_again() {
    let mut m = pvp();
    taps(&mut m, &["H8", "I9"]);
    m.act(Action::Undo);
    let kept = m.recorded().session.clone().flatten().unwrap();
    assert_eq!((kept.moves.len(), kept.undone.len()), (1, 1));
    let mut again = common::machine_with(m.recorded().settings.clone().unwrap_or_default(), Some(&kept));
    assert!(again.controller.can_continue());
    again.act(Action::Continue);
    assert_eq!(stones(&again.controller), 1);
    again.act(Action::Redo);
    assert_eq!(stones(&again.controller), 2);
}

#[test]
fn an_ended_game_is_not_offered_for_continuation() {
    let mut m = pvp();
    taps(&mut m, &BLACK_WINS);
    assert_eq!(m.recorded().session, Some(None));
}

#[test]
fn leaving_a_running_game_lets_it_be_continued_from_the_menu() {
    let mut m = pve(Level::Hard);
    tap(&mut m, "H8");
    m.act(Action::Pause);
    m.act(Action::Leave);
    assert_eq!(m.controller.page(), Page::Menu);
    assert!(m.controller.can_continue());
    m.act(Action::Continue);
    m.answer();
    assert_eq!(stones(&m.controller), 2);
}

#[test]
fn a_kept_game_gives_way_to_the_first_stone_of_a_new_one() {
    let mut m = pvp();
    taps(&mut m, &["H8", "I9"]);
    m.act(Action::Pause);
    m.act(Action::Leave);
    m.act(Action::PlayPvp);
    assert_eq!(m.recorded().session.clone().flatten().unwrap().moves.len(), 2, "still kept");
    m.act(Action::Pause);
    m.act(Action::Leave);
    assert!(m.controller.can_continue());
    m.act(Action::PlayPvp);
    tap(&mut m, "A1");
    assert_eq!(m.recorded().session.clone().flatten().unwrap().moves.len(), 1);
    m.act(Action::Pause);
    m.act(Action::Leave);
    m.act(Action::Continue);
    assert_eq!(stones(&m.controller), 1);
}

#[test]
fn no_key_places_a_stone_where_the_board_is_not_free() {
    type Cover = (&'static str, fn(&mut Machine));
    let covers: [Cover; 4] = [
        ("pause", |m| m.act(Action::Pause)),
        ("resign", |m| m.act(Action::AskResign)),
        ("help page", |m| m.act(Action::Key(Key::F1))),
        ("settings", |m| m.act(Action::Open(Page::Settings))),
    ];
    for (name, cover) in covers {
        let mut m = pvp();
        tap(&mut m, "H8");
        m.act(Action::Key(Key::Right));
        m.act(Action::Key(Key::Right));
        cover(&mut m);
        for key in [Key::Enter, Key::Space, Key::Char('c'), Key::Char('3'), Key::Enter] {
            m.act(Action::Key(key));
        }
        assert_eq!(stones(&m.controller), 1, "{name}");
    }
}

#[test]
fn one_question_does_not_take_the_place_of_another() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::AskResign);
    m.act(Action::Key(Key::Char('p')));
    assert_eq!(m.controller.dialog(), Some(Dialog::Resign));
    let mut m = against_engine();
    tap(&mut m, "H8");
    m.fail("crashed");
    m.act(Action::Key(Key::Char('p')));
    assert_eq!(m.controller.dialog(), Some(Dialog::EngineFailed));
}

#[test]
fn a_key_while_the_row_is_shown_does_not_lose_the_game_over_dialog() {
    for key in [Key::Char('h'), Key::Char('z'), Key::Char('8'), Key::Enter] {
        let mut m = pvp();
        taps(&mut m, &BLACK_WINS);
        m.act(Action::Key(key));
        let (ticket, _) = m.controller.alarm().expect("the dialog still waits");
        m.act(Action::Alarm(ticket));
        assert_eq!(m.controller.dialog(), Some(Dialog::GameOver), "{key:?}");
    }
}

#[test]
fn a_hint_is_said_instead_of_an_older_notice() {
    let mut m = against_engine();
    tap(&mut m, "A1");
    m.answer_with("H8");
    tap(&mut m, "C1");
    m.answer_with("I8");
    tap(&mut m, "O15");
    m.answer_with("J8");
    m.act(Action::OfferDraw);
    assert_eq!(m.controller.notice(), Some(Notice::DrawDeclined));
    m.act(Action::Hint);
    m.answer();
    assert!(m.controller.hint().is_some());
    assert_eq!(m.controller.notice(), None);
}

#[test]
fn a_storage_that_fails_is_said_and_the_game_goes_on() {
    let mut m = pvp();
    m.recorded_mut().storage_fails = true;
    taps(&mut m, &["H8", "I9"]);
    assert_eq!((stones(&m.controller), m.controller.notice()), (2, Some(Notice::NotSaved)));
}

#[test]
fn a_game_that_gives_way_to_another_one_is_found_in_the_list() {
    let mut m = pvp();
    taps(&mut m, &BLACK_WINS[..7]);
    m.act(Action::Pause);
    m.act(Action::Leave);
    m.act(Action::PlayPvp);
    assert!(m.recorded().games.is_empty(), "it can still be continued");
    tap(&mut m, "A1");
    let files = |m: &Machine| m.recorded().games.iter().map(|(entry, _)| entry.moves).collect::<Vec<_>>();
    assert_eq!(files(&m), [7]);
    assert_eq!(m.recorded().games[0].0.result, SavedResult::Unknown);
    // A restart too, unless hardly anything was played.
    m.act(Action::Pause);
    m.act(Action::Restart);
    assert_eq!(files(&m), [7]);
    taps(&mut m, &BLACK_WINS[..6]);
    m.act(Action::Pause);
    m.act(Action::Restart);
    assert_eq!(files(&m), [7, 6]);
    assert_eq!(m.recorded().results, Results::default(), "what is not finished does not count");
}

#[test]
fn a_finished_game_that_cannot_be_filed_stays_kept_until_it_is() {
    let mut m = pvp();
    taps(&mut m, &BLACK_WINS[..8]);
    m.recorded_mut().games_fail = true;
    tap(&mut m, BLACK_WINS[8]);
    assert_eq!(m.controller.notice(), Some(Notice::NotSaved));
    let kept = m.recorded().session.clone().flatten().expect("it is kept as the running game was");
    assert_eq!(kept.moves.len(), 9);

    // It is filed when the program goes out of sight,
    m.recorded_mut().games_fail = false;
    m.act(Action::Suspend);
    assert_eq!((m.recorded().games.len(), &m.recorded().session), (1, &Some(None)));

    // or at the next start.
    let m = common::machine_with(Settings::default(), Some(&kept));
    assert!(!m.controller.can_continue(), "it is over");
    assert_eq!((m.recorded().games.len(), &m.recorded().session), (1, &Some(None)));
    assert_eq!(m.recorded().games[0].0.moves, 9);
}

#[test]
fn only_a_game_with_something_in_it_is_offered_again() {
    let m = pvp();
    let untouched = m.controller.session().unwrap().save();
    assert_eq!(m.recorded().session, Some(None));
    assert!(!common::machine_with(Settings::default(), Some(&untouched)).controller.can_continue());
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Undo);
    let taken_back = m.recorded().session.clone().flatten().expect("what was taken back can be placed again");
    assert!(common::machine_with(Settings::default(), Some(&taken_back)).controller.can_continue());
    m.act(Action::Pause);
    m.act(Action::Leave);
    assert!(m.controller.can_continue());
}

#[test]
fn the_program_can_be_left_from_every_place() {
    let places: [(&str, &[Action]); 9] = [
        ("menu", &[]),
        ("difficulty", &[Action::PlayPve]),
        ("settings", &[Action::Open(Page::Settings)]),
        ("game", &[Action::PlayPvp]),
        ("pause", &[Action::PlayPvp, Action::Pause]),
        ("thinking", &[Action::PlayPvp, Action::Help]),
        ("resign", &[Action::PlayPvp, Action::Tap { x: 7.0, y: 7.0 }, Action::AskResign]),
        ("draw", &[Action::PlayPvp, Action::Tap { x: 7.0, y: 7.0 }, Action::OfferDraw]),
        ("over", &[Action::PlayPvp, Action::Tap { x: 7.0, y: 7.0 }, Action::AskResign, Action::Resign]),
    ];
    for (name, actions) in places {
        for quit in [Action::Quit, Action::Key(Key::Control('q'))] {
            let mut m = machine();
            actions.iter().for_each(|action| m.act(action.clone()));
            assert!(!m.controller.wants_to_quit(), "{name}");
            m.act(quit);
            assert!(m.controller.wants_to_quit(), "{name}");
        }
        let mut m = machine();
        actions.iter().for_each(|action| m.act(action.clone()));
        let may_leave = matches!(m.controller.dialog(), Some(Dialog::Pause | Dialog::GameOver));
        m.act(Action::Leave);
        let is_left = may_leave || matches!(name, "menu" | "difficulty");
        assert_eq!(m.controller.page() == Page::Menu, is_left, "{name}");
    }
}

#[test]
fn the_question_whether_to_resign_keeps_its_side() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Help);
    let thought = m.think();
    m.act(Action::AskResign);
    m.act(Action::Thought(thought));
    assert_eq!(stones(&m.controller), 1, "the help is not wanted any more");
    m.act(Action::Resign);
    assert_eq!(m.controller.session().unwrap().ending(), Some(Ending::Resignation(Color::Black)));

    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::OfferDraw);
    m.act(Action::AskResign);
    assert_eq!(m.controller.dialog(), Some(Dialog::Resign));
    assert_eq!(m.controller.session().unwrap().draw_offer(), None, "one question at a time");
}

#[test]
fn an_engine_path_that_no_file_can_have_is_refused() {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    for path in ["a\0b".to_owned(), "x".repeat(5000)] {
        m.act(Action::Set(Choose::EnginePath(path)));
        assert_eq!(m.controller.settings().engine.path, "");
    }
}

#[test]
fn settings_that_are_not_kept_say_why_until_they_are() {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    assert_eq!(m.controller.unsaved_settings(), None);
    m.recorded_mut().storage_fails = true;
    m.act(Action::Set(Choose::Lines(19)));
    assert_eq!(m.controller.unsaved_settings(), Some(&"the disk is full".into()));
    assert_eq!(m.controller.settings().lines, 19, "they count all the same");
    m.recorded_mut().storage_fails = false;
    m.act(Action::Set(Choose::Lines(10)));
    assert_eq!(m.controller.unsaved_settings(), None);
}

#[test]
fn the_keyboard_plays_a_game() {
    let mut m = pvp();
    let keys = |m: &mut Machine, text: &str| text.chars().for_each(|c| m.act(Action::Key(Key::Char(c))));
    for name in BLACK_WINS {
        keys(&mut m, &name.to_lowercase());
        m.act(Action::Key(Key::Enter));
    }
    assert!(matches!(m.controller.session().unwrap().ending(), Some(Ending::Row(Color::Black, _))));
    m.act(Action::Key(Key::Control('z')));
    assert_eq!(stones(&m.controller), 8);
    m.act(Action::Key(Key::Char('r')));
    assert_eq!(stones(&m.controller), 9);
    m.act(Action::Key(Key::Char('u')));
    m.act(Action::Key(Key::Char('p')));
    assert_eq!(m.controller.dialog(), Some(Dialog::Pause));
    m.act(Action::Key(Key::Escape));
    m.act(Action::Key(Key::Right));
    assert_eq!(m.controller.cursor(), Some(Point::new(12, 7)));
    m.act(Action::Key(Key::Space));
    assert_eq!(stones(&m.controller), 9);
}

#[test]
fn the_letter_of_help_waits_for_a_number() {
    let mut m = pvp();
    m.act(Action::Key(Key::Char('h')));
    assert!(m.recorded().tasks.is_empty());
    let (ticket, _) = m.controller.alarm().unwrap();
    m.act(Action::Alarm(ticket));
    assert_eq!(m.recorded().tasks.len(), 1);
    m.answer();
    assert_eq!(stones(&m.controller), 1);
}

#[test]
fn control_n_does_not_throw_a_game_away() {
    let mut m = machine();
    m.act(Action::Key(Key::Control('n')));
    assert_eq!(m.controller.dialog(), Some(Dialog::Difficulty));
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Key(Key::Control('n')));
    assert_eq!((stones(&m.controller), m.controller.dialog()), (1, Some(Dialog::Pause)));
}

#[test]
fn back_leads_out_of_every_place() {
    for page in [Page::Settings, Page::Help, Page::About] {
        let mut m = machine();
        m.act(Action::Open(page));
        assert_eq!(m.controller.page(), page);
        m.act(Action::Back);
        assert_eq!(m.controller.page(), Page::Menu);
    }
    let mut m = pvp();
    m.act(Action::Key(Key::F1));
    assert_eq!(m.controller.page(), Page::Help);
    m.act(Action::Back);
    assert_eq!(m.controller.page(), Page::Game);
    m.act(Action::Back);
    assert_eq!(m.controller.dialog(), Some(Dialog::Pause));
    m.act(Action::Leave);
    m.act(Action::Back);
    assert!(m.controller.wants_to_quit());
}

#[test]
fn a_language_for_this_run_lasts_until_another_is_chosen() {
    let mut m = machine();
    m.controller.override_language(Language::Chinese);
    assert_eq!(m.controller.language(), Language::Chinese);
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::Language(Language::English)));
    assert_eq!(m.controller.language(), Language::English);
    assert_eq!(m.recorded().settings.as_ref().unwrap().language, Language::English);
}

#[test]
fn sound_off_is_silent() {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::Sound(false)));
    m.act(Action::Back);
    m.act(Action::PlayPvp);
    taps(&mut m, &BLACK_WINS);
    assert_eq!(m.recorded().heard, Recorded::default().heard);
}

#[test]
fn master_thinks_as_long_as_the_settings_say() {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::MasterSeconds(200)));
    m.act(Action::Set(Choose::MasterSeconds(12)));
    m.act(Action::Back);
    m.act(Action::PlayPve);
    m.act(Action::Start(Level::Master));
    tap(&mut m, "H8");
    assert_eq!(m.recorded().tasks.last().unwrap().time, Duration::from_secs(12));
}

fn against_engine() -> Machine {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::EnginePath(" /opt/engine ".into())));
    m.act(Action::Set(Choose::EngineSeconds(2)));
    m.act(Action::Back);
    m.act(Action::PlayPve);
    m.act(Action::StartEngine);
    m
}

#[test]
fn another_program_can_be_played_against() {
    let mut m = machine();
    m.act(Action::PlayPve);
    m.act(Action::StartEngine);
    assert_eq!(m.controller.page(), Page::Menu, "none is set");
    let mut m = against_engine();
    tap(&mut m, "H8");
    let wanted = EngineSettings { path: "/opt/engine".into(), seconds: 2 };
    assert_eq!(m.recorded().tasks.last().unwrap().mind, Mind::Engine(wanted));
    m.answer();
    assert_eq!(stones(&m.controller), 2);
}

#[test]
fn a_program_that_fails_is_reported_and_the_game_stays() {
    let mut m = against_engine();
    tap(&mut m, "H8");
    m.fail("the engine made no move within 5.0 s and was stopped");
    assert_eq!(m.controller.dialog(), Some(Dialog::EngineFailed));
    let told = m.controller.engine_error().detail.to_string();
    assert_eq!(told, "the engine made no move within 5.0 s and was stopped");
    assert_eq!(stones(&m.controller), 1);
    m.act(Action::Back);
    assert_eq!(m.controller.thinking(), Some(Purpose::Move), "asked again");
    m.fail("crashed");
    m.act(Action::ReplaceEngine);
    assert_eq!(m.recorded().tasks.last().unwrap().mind, Mind::Level(Level::Hard));
    m.answer();
    assert_eq!((stones(&m.controller), m.controller.dialog()), (2, None));
}

#[test]
fn a_fault_of_a_program_that_is_no_longer_asked_is_dropped() {
    let mut m = against_engine();
    tap(&mut m, "H8");
    m.act(Action::Undo);
    m.fail("crashed");
    assert_eq!(m.controller.dialog(), None);
}

#[test]
fn a_full_board_is_a_draw() {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::Lines(10)));
    m.act(Action::Back);
    m.act(Action::PlayPvp);
    for (x, y) in common::drawn_game(10) {
        m.act(Action::Tap { x: f32::from(x), y: f32::from(y) });
    }
    assert_eq!(m.controller.session().unwrap().ending(), Some(Ending::FullBoard));
    assert_eq!(m.controller.dialog(), Some(Dialog::GameOver));
}

fn any_action() -> impl Strategy<Value = Action> {
    let key = prop_oneof![
        Just(Key::Left),
        Just(Key::Right),
        Just(Key::Up),
        Just(Key::Down),
        Just(Key::Home),
        Just(Key::End),
        Just(Key::Space),
        Just(Key::F2),
        Just(Key::Enter),
        Just(Key::Escape),
        Just(Key::F1),
        prop::char::range('0', '~').prop_map(Key::Char),
        prop::sample::select(&['z', 'y', 'n'][..]).prop_map(Key::Control),
    ];
    let set = prop_oneof![
        (8u8..23).prop_map(Choose::Lines),
        prop::sample::select(&[SavedRule::Freestyle, SavedRule::Standard, SavedRule::Renju][..])
            .prop_map(Choose::Rule),
        prop::sample::select(&[TapMode::Direct, TapMode::Confirm][..]).prop_map(Choose::TapMode),
        prop::sample::select(&[FirstMover::Human, FirstMover::Computer][..]).prop_map(Choose::FirstMover),
        (0usize..3, any::<String>()).prop_map(|(player, name)| Choose::Name(player, name)),
        prop::sample::select(&[ForbiddenHelp::Never, ForbiddenHelp::Always][..])
            .prop_map(Choose::ForbiddenHelp),
        any::<bool>().prop_map(Choose::Sound),
        any::<bool>().prop_map(Choose::Music),
        any::<u8>().prop_map(Choose::MasterSeconds),
        any::<u8>().prop_map(Choose::EngineSeconds),
        any::<String>().prop_map(Choose::EnginePath),
    ];
    prop_oneof![
        12 => (-1.0f32..16.0, -1.0f32..16.0).prop_map(|(x, y)| Action::Tap { x, y }),
        2 => Just(Action::PlayPvp),
        2 => Just(Action::PlayPve),
        3 => prop::sample::select(&Level::ALL[..2]).prop_map(Action::Start),
        1 => Just(Action::Continue),
        1 => prop::sample::select(
            &[Page::Menu, Page::Game, Page::Settings, Page::Help, Page::About, Page::Games, Page::Replay, Page::Leaderboard][..]
        ).prop_map(Action::Open),
        1 => Just(Action::StartEngine),
        1 => Just(Action::ReplaceEngine),
        1 => Just(Action::Suspend),
        1 => prop::sample::select(&[Language::Chinese, Language::English][..]).prop_map(Action::SystemLanguage),
        3 => Just(Action::Back),
        3 => Just(Action::Undo),
        3 => Just(Action::Redo),
        2 => Just(Action::Help),
        1 => Just(Action::Hint),
        1 => Just(Action::Pause),
        1 => Just(Action::AskResign),
        1 => Just(Action::Resign),
        1 => Just(Action::OfferDraw),
        1 => any::<bool>().prop_map(Action::AnswerDraw),
        1 => Just(Action::Restart),
        1 => Just(Action::Leave),
        2 => set.prop_map(Action::Set),
        3 => key.prop_map(Action::Key),
    ]
}

/// What a step of a random run does.
#[derive(Clone, Debug)]
enum Step {
    Act(Action),
    Answer,
    Ring,
}

#[test]
fn the_rows_of_the_settings_go_round_both_ways() {
    let mut m = machine();
    m.act(Action::Open(Page::Settings));
    let rows = [
        (Row::FirstMover, 2),
        (Row::BoardColor, 4),
        (Row::Lines, 11),
        (Row::Rule, 3),
        (Row::Numbers, 2),
        (Row::Coordinates, 2),
        (Row::TapMode, 2),
        (Row::Sound, 2),
        (Row::Music, 2),
        (Row::Language, 3),
        (Row::ForbiddenHelp, 3),
        (Row::Evaluation, 2),
        (Row::EngineSeconds, 8),
        (Row::MasterSeconds, 8),
    ];
    for (row, values) in rows {
        for forward in [true, false] {
            let mut seen = vec![m.controller.settings().clone()];
            for _ in 0..values {
                m.act(Action::Turn(row, forward));
                seen.push(m.controller.settings().clone());
            }
            assert_eq!(seen.pop(), seen.first().cloned(), "{row:?}: it goes round");
            for (index, settings) in seen.iter().enumerate() {
                assert!(!seen[..index].contains(settings), "{row:?}: every value comes once");
            }
        }
        let before = m.controller.settings().clone();
        m.act(Action::Turn(row, true));
        m.act(Action::Turn(row, false));
        assert_eq!(m.controller.settings(), &before, "{row:?}: back again");
    }
    m.act(Action::Set(Choose::MasterSeconds(12)));
    m.act(Action::Turn(Row::MasterSeconds, true));
    assert_eq!(m.controller.settings().master_seconds, 20, "from a value between two of them");
    m.act(Action::Set(Choose::MasterSeconds(12)));
    m.act(Action::Turn(Row::MasterSeconds, false));
    assert_eq!(m.controller.settings().master_seconds, 10);
    m.act(Action::Back);
    let before = m.controller.settings().clone();
    m.act(Action::Turn(Row::Lines, true));
    assert_eq!(m.controller.settings(), &before, "on its page alone");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_sequence_of_actions_breaks_the_program(
        steps in prop::collection::vec(
            prop_oneof![8 => any_action().prop_map(Step::Act), 3 => Just(Step::Answer), 1 => Just(Step::Ring)],
            0..150,
        ),
    ) {
        let mut m = machine();
        for step in steps {
            let before = stones(&m.controller);
            let was_over = m.controller.session().is_some_and(|session| !session.is_running());
            let free = m.controller.page() == Page::Game
                && matches!(m.controller.dialog(), None | Some(Dialog::DrawOffer));
            let is_covered_key = !free && matches!(step, Step::Act(Action::Key(_) | Action::Tap { .. }));
            let may_redo = m.controller.can_redo();
            let places_stones = matches!(step, Step::Act(Action::Tap { .. }) | Step::Answer);
            match step {
                Step::Act(action) => m.act(action),
                Step::Answer => m.answer(),
                Step::Ring => if let Some((ticket, _)) = m.controller.alarm() { m.act(Action::Alarm(ticket)) },
            }
            let controller = &m.controller;
            if controller.page() == Page::Game {
                prop_assert!(controller.session().is_some());
            }
            if is_covered_key && !may_redo {
                prop_assert!(stones(controller) <= before, "no stone where the board is not free");
            }
            if places_stones {
                prop_assert!(stones(controller) <= before + 1, "at most one stone a step");
                prop_assert!(!was_over || stones(controller) == before, "none after the end");
            }
            if let Some(session) = controller.session() {
                let game = session.game();
                prop_assert_eq!(game.board().stones(), game.moves().len());
                if controller.thinking() == Some(Purpose::Move) {
                    prop_assert!(matches!(session.seat_to_move(), Some(Seat::Computer(_) | Seat::Engine)));
                }
                let free = controller.page() == Page::Game && controller.dialog().is_none();
                if free && matches!(session.seat_to_move(), Some(Seat::Computer(_) | Seat::Engine)) {
                    prop_assert_eq!(controller.thinking(), Some(Purpose::Move), "the computer never sleeps on its turn");
                }
                let is_kept = session.is_running() && controller.page() == Page::Game;
                let waits = controller.can_continue();
                if is_kept && !waits {
                    let kept = m.recorded().session.clone().flatten().map(|kept| kept.moves);
                    let played = session.save().moves;
                    let has_something = !played.is_empty() || session.can_redo();
                    prop_assert_eq!(kept, has_something.then_some(played), "what is kept is what is played");
                }
            }
            prop_assert!(controller.settings().is_valid());
        }
    }
}

#[test]
fn what_could_not_be_kept_is_tried_again_out_of_sight() {
    let mut m = pvp();
    m.recorded_mut().storage_fails = true;
    tap(&mut m, "H8");
    m.recorded_mut().storage_fails = false;
    m.act(Action::Suspend);
    assert_eq!(m.recorded().session.clone().unwrap(), m.controller.session().map(|session| session.save()));
    assert_eq!(m.recorded().settings.as_ref(), Some(m.controller.settings()));
}

#[test]
fn a_game_that_was_left_stays_kept_out_of_sight() {
    let mut m = pvp();
    tap(&mut m, "H8");
    m.act(Action::Pause);
    m.act(Action::Leave);
    m.act(Action::Suspend);
    assert!(m.recorded().session.clone().unwrap().is_some());
}

#[test]
fn the_language_follows_the_machine_unless_one_was_chosen() {
    let mut m = machine();
    m.act(Action::SystemLanguage(Language::Chinese));
    assert_eq!(m.controller.language(), Language::Chinese);
    m.act(Action::SystemLanguage(Language::English));
    assert_eq!(m.controller.language(), Language::English);
    m.act(Action::Open(Page::Settings));
    m.act(Action::Set(Choose::Language(Language::Chinese)));
    m.act(Action::SystemLanguage(Language::English));
    assert_eq!(m.controller.language(), Language::Chinese);
}
