// SPDX-License-Identifier: GPL-3.0-only
//! Kept games, replay and leaderboard through the controller, without a window.

mod common;

use std::time::Duration;

use common::{Machine, machine};
use wuzi::archive::{Act, Errand, Filter, Question, Report, SavedResult};
use wuzi::controller::{Action, Dialog, Notice, Page};
use wuzi::keyboard::Key;
use wuzi::message::Message;
use wuzi::session::{SavedSeat, Seat};
use wuzi_engine::{Color, Level, Point, Size};
use wuzi_record::{Record, Verdict, WonBy};

const BLACK_WINS: [&str; 9] = ["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"];

fn tap(machine: &mut Machine, name: &str) {
    let size = machine.controller.session().unwrap().game().size();
    let point = Point::parse(name, size).unwrap();
    machine.act(Action::Tap { x: point.x.into(), y: point.y.into() });
}

/// The person plays the even-numbered names, the computer the others.
fn beat(machine: &mut Machine, names: &[&str]) {
    for (ply, name) in names.iter().enumerate() {
        if ply % 2 == 0 { tap(machine, name) } else { machine.answer_with(name) }
    }
}

fn leave(machine: &mut Machine) {
    machine.act(Action::Pause);
    machine.act(Action::Leave);
    assert_eq!(machine.controller.page(), Page::Menu);
}

fn pve(level: Level) -> Machine {
    let mut machine = machine();
    machine.act(Action::PlayPve);
    machine.act(Action::Start(level));
    machine
}

fn won() -> Machine {
    let mut machine = pve(Level::Hard);
    beat(&mut machine, &BLACK_WINS);
    machine
}

fn games() -> Machine {
    let mut machine = won();
    leave(&mut machine);
    machine.act(Action::Open(Page::Games));
    assert_eq!(machine.controller.page(), Page::Games);
    machine
}

fn archive(machine: &mut Machine, act: Act) {
    machine.act(Action::Archive(act));
}

fn replay() -> Machine {
    let mut machine = games();
    archive(&mut machine, Act::Select("1.sgf".into()));
    archive(&mut machine, Act::Open);
    assert_eq!(machine.controller.page(), Page::Replay);
    machine
}

fn ply(machine: &Machine) -> usize {
    machine.controller.shelf().replay().unwrap().ply()
}

#[test]
fn a_finished_game_is_kept_and_the_running_one_forgotten() {
    let m = won();
    let recorded = m.recorded();
    let [(entry, record)] = &*recorded.games else { panic!("one game") };
    assert_eq!((entry.moves, entry.result, entry.lines), (9, SavedResult::Black, 15));
    assert_eq!(entry.seats, [SavedSeat::Human, SavedSeat::Computer(2)]);
    assert_eq!(record.info.verdict, Verdict::Won(Color::Black, WonBy::Stones));
    assert_eq!(record.info.date, "2026-11-30 18:05");
    assert_eq!(recorded.session, Some(None), "there is no game to continue");
}

#[test]
fn a_game_that_could_not_be_kept_is_said() {
    let mut m = pve(Level::Hard);
    beat(&mut m, &BLACK_WINS[..8]);
    m.recorded_mut().storage_fails = true;
    tap(&mut m, "L8");
    assert_eq!(m.controller.notice(), Some(Notice::NotSaved));
    assert!(m.controller.session().unwrap().ending().is_some(), "the game has gone on");
}

#[test]
fn another_end_after_undo_is_a_new_version_of_the_same_game() {
    let mut m = won();
    m.act(Action::Undo);
    assert_eq!(m.recorded().games.len(), 1);
    tap(&mut m, "G8");
    let recorded = m.recorded();
    let [(entry, record)] = &*recorded.games else { panic!("one game") };
    assert_eq!((entry.undos, entry.moves), (1, 9));
    assert_eq!(record.main_line().last(), Some(&Point::parse("G8", Size::DEFAULT).unwrap()));
    let before = record.line_from(Record::ROOT).nth(8).unwrap();
    assert_eq!(record.children(before).count(), 2, "the first end is a variation");
    assert_eq!(recorded.results.statistics[2].won, 1, "and counts once");
    assert_eq!(recorded.results.leaderboard[0].places.len(), 1);
}

#[test]
fn a_game_that_ends_earlier_than_before_is_kept_with_what_was_played_last() {
    let mut m = won();
    for _ in 0..2 {
        m.act(Action::Undo);
    }
    m.act(Action::AskResign);
    m.act(Action::Resign);
    {
        let recorded = m.recorded();
        let [(entry, record)] = &*recorded.games else { panic!("one game") };
        assert_eq!((entry.moves, entry.result), (6, SavedResult::White));
        assert_eq!(record.main_line().len(), 6);
        assert!(record.preorder().any(|id| record.ply(id) == 9), "the first end is a variation");
    }
    let written = wuzi_record::sgf::write(&m.recorded().games[0].1);
    let read = wuzi_record::sgf::read(written.as_bytes()).unwrap();
    assert_eq!((read.main_line().len(), read.len()), (6, 10), "in its file too");
}

#[test]
fn the_place_of_a_win_is_shown_and_its_player_named() {
    let mut m = won();
    assert_eq!(m.controller.shelf().place(), Some(1));
    leave(&mut m);
    m.act(Action::Open(Page::Leaderboard));
    assert_eq!(m.controller.shelf().place_in_table(), Some(1));
    archive(&mut m, Act::NameWinner(" 阿达 ".into()));
    assert_eq!(m.controller.shelf().results().leaderboard[0].places[0].name, "阿达");
    assert_eq!(m.controller.settings().names[0], "阿达", "asked once");
    let win = m.recorded().results.leaderboard[0].places[0].clone();
    assert_eq!((win.moves, &*win.date), (5, "2026-11-30"));
    m.act(Action::Back);
    m.act(Action::PlayPvp);
    assert_eq!(m.controller.shelf().place(), None, "it was the other game's");
}

#[test]
fn help_keeps_a_win_out_and_counts_it() {
    let mut m = pve(Level::Easy);
    beat(&mut m, &BLACK_WINS[..8]);
    m.act(Action::Help);
    m.answer_with("L8");
    assert_eq!(m.controller.shelf().place(), None);
    assert_eq!(m.recorded().games[0].0.helps, 1);
    assert!(m.recorded().results.leaderboard.is_empty());
    assert_eq!(m.recorded().results.statistics[0].won, 1);
}

#[test]
fn a_persons_time_counts_while_the_board_is_free() {
    let mut m = pve(Level::Hard);
    let wait = |m: &mut Machine, seconds| m.recorded_mut().clock += Duration::from_secs(seconds);
    wait(&mut m, 3);
    tap(&mut m, "H8");
    wait(&mut m, 100);
    m.answer_with("A1");
    wait(&mut m, 4);
    m.act(Action::Pause);
    wait(&mut m, 1000);
    m.act(Action::Back);
    wait(&mut m, 5);
    tap(&mut m, "I8");
    assert_eq!(m.controller.session().unwrap().millis(), 12_000);
}

#[test]
fn clearing_and_deleting_are_asked_first() {
    let mut m = games();
    archive(&mut m, Act::AskDelete);
    assert_eq!(m.controller.shelf().question(), None, "nothing is chosen");
    archive(&mut m, Act::Select("1.sgf".into()));
    archive(&mut m, Act::AskDelete);
    assert_eq!(m.controller.shelf().question(), Some(Question::Delete));
    archive(&mut m, Act::Answer(false));
    assert_eq!(m.recorded().games.len(), 1);
    archive(&mut m, Act::AskDelete);
    archive(&mut m, Act::Answer(true));
    assert!(m.recorded().games.is_empty() && m.controller.shelf().shown().next().is_none());
    m.act(Action::Back);
    m.act(Action::Open(Page::Leaderboard));
    archive(&mut m, Act::AskClear);
    assert_eq!(m.recorded().results.leaderboard.len(), 1);
    archive(&mut m, Act::Answer(true));
    assert!(m.recorded().results.leaderboard.is_empty());
    assert_eq!(m.recorded().results.statistics[2].won, 1, "the statistics stay");
}

#[test]
fn games_are_named_marked_and_filtered() {
    let mut m = games();
    archive(&mut m, Act::Select("1.sgf".into()));
    archive(&mut m, Act::Rename("final".into()));
    archive(&mut m, Act::Classic(true));
    let entry = m.recorded().games[0].0.clone();
    assert!(entry.name == "final" && entry.classic);
    let shown = |m: &mut Machine, filter| {
        archive(m, Act::Filter(filter));
        m.controller.shelf().shown().count()
    };
    assert_eq!(shown(&mut m, Filter { classic: true, ..Filter::default() }), 1);
    assert!(m.controller.shelf().selected().is_some());
    assert_eq!(shown(&mut m, Filter { text: "semi".into(), ..Filter::default() }), 0);
    assert!(m.controller.shelf().selected().is_none(), "nothing is done with a game that is not seen");
    archive(&mut m, Act::AskDelete);
    assert_eq!(m.controller.shelf().question(), None);
}

#[test]
fn a_replay_is_walked_by_keys() {
    let mut m = replay();
    m.recorded_mut().heard.clear();
    for (key, expected) in [
        (Key::Left, 0),
        (Key::Right, 1),
        (Key::Right, 2),
        (Key::End, 9),
        (Key::Right, 9),
        (Key::Left, 8),
        (Key::Home, 0),
    ] {
        m.act(Action::Key(key));
        assert_eq!(ply(&m), expected, "{key:?}");
    }
    assert_eq!(m.recorded().heard, ["stone"; 5], "each step is heard");
    m.act(Action::Key(Key::Escape));
    assert_eq!(m.controller.page(), Page::Games);
    m.act(Action::Key(Key::Escape));
    assert_eq!(m.controller.page(), Page::Menu);
}

#[test]
fn a_replay_plays_by_itself() {
    let mut m = replay();
    archive(&mut m, Act::Pace(3));
    m.act(Action::Key(Key::Space));
    let mut seen = 0;
    while let Some((ticket, interval)) = m.controller.alarm() {
        assert_eq!(interval, wuzi::archive::PACES[3]);
        m.act(Action::Alarm(ticket));
        seen += 1;
        assert_eq!(ply(&m), seen);
    }
    assert_eq!(seen, 9);
    m.act(Action::Key(Key::Space));
    let (ticket, _) = m.controller.alarm().expect("it plays again from the start");
    m.act(Action::Key(Key::Left));
    assert!(m.controller.alarm().is_none(), "a step by hand stops it");
    m.act(Action::Alarm(ticket));
    assert_eq!(ply(&m), 0);
}

#[test]
fn a_game_goes_on_from_a_replayed_position() {
    let mut m = replay();
    archive(&mut m, Act::GoTo(3));
    archive(&mut m, Act::PlayOn { computer: true });
    let session = m.controller.session().unwrap();
    assert_eq!(m.controller.page(), Page::Game);
    assert_eq!(session.game().moves().len(), 3);
    assert_eq!(session.setup().seats, [Seat::Computer(Level::Hard), Seat::Human], "white is to move");
    m.act(Action::AskResign);
    m.act(Action::Resign);
    let recorded = m.recorded();
    let (entry, record) = recorded.games.last().unwrap();
    assert_eq!((recorded.games.len(), entry.moves), (2, 3), "another game of the list");
    assert!(record.preorder().any(|id| record.ply(id) == 9), "the rest is kept");
    drop(recorded);
    let mut m = replay();
    archive(&mut m, Act::GoTo(3));
    archive(&mut m, Act::PlayOn { computer: false });
    for name in ["O1", "K8", "O2", "L8", "O3", "J8"] {
        tap(&mut m, name);
    }
    let recorded = m.recorded();
    let (entry, record) = recorded.games.last().unwrap();
    assert_eq!((recorded.games.len(), entry.moves, entry.result), (2, 9, SavedResult::Black));
    let third = record.line_from(Record::ROOT).nth(3).unwrap();
    assert_eq!(record.children(third).count(), 2, "what was played first is a variation");
    assert_eq!(record.path(third), recorded.games[0].1.main_line()[..3]);
}

#[test]
fn a_game_does_not_go_on_after_its_end() {
    let mut m = replay();
    archive(&mut m, Act::GoTo(9));
    archive(&mut m, Act::PlayOn { computer: true });
    assert_eq!(m.controller.page(), Page::Replay);
}

#[test]
fn openings_and_files_are_replayed() {
    let mut m = games();
    archive(&mut m, Act::OpenOpening(3));
    assert_eq!(m.controller.shelf().replay().unwrap().record().info.name, "D4 花月 Kagetsu");
    archive(&mut m, Act::PlayOn { computer: false });
    assert_eq!(m.controller.session().unwrap().game().moves().len(), 3);

    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.txt");
    std::fs::write(&file, "h8i9").unwrap();
    archive(&mut m, Act::OpenFile(file.clone()));
    assert_eq!(m.controller.page(), Page::Replay, "from a game too, which can be continued");
    assert!(m.controller.can_continue());
    assert_eq!(m.recorded().recent, std::slice::from_ref(&file));
    archive(&mut m, Act::OpenText("h8 i9 j10".into()));
    let replay = m.controller.shelf().replay().unwrap();
    assert_eq!((replay.len(), replay.ply()), (3, 3), "a position is shown itself");
    std::fs::write(&file, "h8h8").unwrap();
    let message =
        Message::new("line 1, column 3: a stone stands on that point", "第 1 行第 3 列：这一点已有棋子")
            .at(&file);
    archive(&mut m, Act::OpenFile(file.clone()));
    assert_eq!(m.controller.shelf().report(), Some(&Report::NotRead(message.clone())));
    assert_eq!(m.controller.page(), Page::Replay);
    assert_eq!(m.controller.shelf().replay().unwrap().len(), 3, "what is bad replaces nothing");
    m.act(Action::Back);
    m.act(Action::Back);
    archive(&mut m, Act::OpenFile(file));
    assert_eq!(m.controller.page(), Page::Games, "the page that says what is wrong");
    assert_eq!(m.controller.shelf().report(), Some(&Report::NotRead(message)));
    for text in ["", "  ", "nonsense", "(;GM[1])"] {
        archive(&mut m, Act::OpenText(text.into()));
        assert!(matches!(m.controller.shelf().report(), Some(Report::NotRead(_))), "{text:?}");
    }
}

#[test]
fn what_is_dropped_or_pasted_opens_over_a_game_that_can_be_continued() {
    let mut m = pve(Level::Easy);
    tap(&mut m, "H8");
    m.act(Action::Pause);
    archive(&mut m, Act::Open);
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Game, Some(Dialog::Pause)));
    archive(&mut m, Act::OpenText("h8".into()));
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Replay, None));
    m.act(Action::Back);
    m.act(Action::Back);
    m.act(Action::Continue);
    assert_eq!(m.controller.session().unwrap().game().moves().len(), 1);
}

#[test]
fn variations_outlive_leaving_and_killing_the_program() {
    let mut m = replay();
    archive(&mut m, Act::GoTo(3));
    archive(&mut m, Act::PlayOn { computer: false });
    tap(&mut m, "O1");
    leave(&mut m);
    m.act(Action::Continue);
    tap(&mut m, "K8");
    let mut m = m.restart();
    m.act(Action::Continue);
    for name in ["O2", "L8", "O3", "J8"] {
        tap(&mut m, name);
    }
    let third = |record: &Record| record.line_from(Record::ROOT).nth(3).unwrap();
    let children = |m: &Machine| {
        let recorded = m.recorded();
        let record = &recorded.games.last().unwrap().1;
        (recorded.games.len(), record.children(third(record)).count())
    };
    assert_eq!(children(&m), (2, 2), "what was played first is a variation");
    // It goes on after its end, is killed, and ends in another way: still the same game.
    m.act(Action::Undo);
    m.act(Action::Undo);
    let mut m = m.restart();
    m.act(Action::Continue);
    m.act(Action::AskResign);
    m.act(Action::Resign);
    assert_eq!(children(&m), (2, 2));
    let recorded = m.recorded();
    let (entry, record) = recorded.games.last().unwrap();
    assert_eq!((entry.moves, entry.undos), (7, 2), "what was played last");
    assert_eq!(record.info.verdict, Verdict::Won(Color::Black, WonBy::Resignation));
}

#[test]
fn a_game_that_gives_way_to_another_is_kept_in_the_list() {
    let mut m = machine();
    m.act(Action::PlayPvp);
    tap(&mut m, "H8");
    tap(&mut m, "I9");
    leave(&mut m);
    m.act(Action::PlayPvp);
    assert!(m.recorded().games.is_empty(), "it can still be continued");
    tap(&mut m, "A1");
    {
        let recorded = m.recorded();
        let [(entry, record)] = &*recorded.games else { panic!("one game") };
        assert_eq!((entry.moves, entry.result), (2, SavedResult::Unknown));
        assert_eq!(record.main_line().len(), 2);
    }
    // A game that only was looked at adds nothing.
    leave(&mut m);
    archive(&mut m, Act::OpenText("h8i9j10".into()));
    archive(&mut m, Act::PlayOn { computer: false });
    assert_eq!(m.recorded().games.len(), 2, "that of one stone");
    leave(&mut m);
    m.act(Action::PlayPvp);
    tap(&mut m, "A1");
    assert_eq!(m.recorded().games.len(), 2);
}

#[test]
fn a_game_that_was_won_and_taken_back_stays_won_in_the_list() {
    let mut m = won();
    m.act(Action::Undo);
    tap(&mut m, "O15");
    leave(&mut m);
    m.act(Action::PlayPvp);
    tap(&mut m, "A1");
    let recorded = m.recorded();
    let [(entry, record)] = &*recorded.games else { panic!("one game") };
    assert_eq!((entry.result, entry.moves), (SavedResult::Black, 9));
    assert_eq!(record.len(), 10, "what was tried instead is a variation");
}

#[test]
fn the_running_game_is_looked_at_and_goes_on() {
    let mut m = pve(Level::Hard);
    archive(&mut m, Act::LookBack);
    assert_eq!(m.controller.page(), Page::Game, "there is nothing to look at");
    tap(&mut m, "H8");
    m.act(Action::Pause);
    archive(&mut m, Act::LookBack);
    assert_eq!((m.controller.page(), ply(&m)), (Page::Replay, 1));
    let stops = m.recorded().stops;
    m.act(Action::Key(Key::Home));
    m.act(Action::Back);
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Game, None));
    assert!(m.controller.thinking().is_some(), "the computer is to move");
    assert_eq!(m.recorded().stops, stops);
    m.answer_with("I9");
    assert_eq!(m.controller.session().unwrap().game().moves().len(), 2);
    m.act(Action::AskResign);
    m.act(Action::Resign);
    archive(&mut m, Act::LookBack);
    assert_eq!(ply(&m), 2);
    m.act(Action::Back);
    assert_eq!(m.controller.dialog(), Some(Dialog::GameOver), "the result is still there");
}

#[test]
fn a_game_is_saved_under_a_name_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let mut m = pve(Level::Hard);
    m.recorded_mut().home = dir.path().into();
    m.act(Action::Key(Key::Control('s')));
    assert_eq!(m.controller.page(), Page::Game, "there is nothing to save");
    tap(&mut m, "H8");
    m.act(Action::Key(Key::Control('s')));
    assert_eq!(m.controller.page(), Page::Files);
    assert!(m.controller.thinking().is_none());
    assert_eq!(m.controller.shelf().browser().name(), "2026-11-30 18.05.sgf");
    archive(&mut m, Act::TypeName("mine".into()));
    archive(&mut m, Act::NamePlayer { white: false, name: " 阿达 ".into() });
    let killed = m.recorded().session.clone().flatten();
    assert_eq!(killed.and_then(|session| session.players), Some(["阿达".into(), String::new()]));
    archive(&mut m, Act::Confirm);
    assert_eq!(m.controller.page(), Page::Game);
    assert_eq!(m.controller.notice(), Some(Notice::Written));
    assert!(m.controller.thinking().is_some(), "the game goes on");
    assert_eq!(m.controller.name(Color::Black), "阿达", "under the names with which it is saved");
    let file = dir.path().join("mine.sgf");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("PB[阿达]") && text.contains(";B[hh]"), "{text}");
    // From now on it has its file.
    m.answer_with("I9");
    m.act(Action::Key(Key::Control('s')));
    assert_eq!((m.controller.page(), m.controller.notice()), (Page::Game, Some(Notice::Written)));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("PB[阿达]") && text.contains(";B[hh];W[ig]"), "{text}");
    m.act(Action::AskResign);
    m.act(Action::Resign);
    assert_eq!(m.recorded().games[0].0.players[0], "阿达", "the list knows the name too");
}

/// The players and the name that the list says, and that its game has when it is replayed.
fn names_in_list(m: &mut Machine) -> [[String; 3]; 2] {
    m.act(Action::Open(Page::Games));
    archive(m, Act::Select("1.sgf".into()));
    let entry = m.controller.shelf().selected().unwrap().clone();
    archive(m, Act::Open);
    let info = m.controller.shelf().replay().unwrap().record().info.clone();
    m.act(Action::Back);
    m.act(Action::Back);
    let [black, white] = entry.players;
    [[black, white, entry.name], [info.black, info.white, info.name]]
}

fn with_names() -> wuzi::settings::Settings {
    wuzi::settings::Settings { names: ["Ada".into(), "Bo".into()], ..Default::default() }
}

/// Saves the game that the page shows, with these players.
fn save_with(m: &mut Machine, black: &str, white: &str) {
    m.act(Action::Key(Key::ControlShift('s')));
    assert_eq!(m.controller.page(), Page::Files);
    for (is_white, name) in [(false, black), (true, white)] {
        archive(m, Act::NamePlayer { white: is_white, name: name.into() });
    }
    archive(m, Act::TypeName("saved".into()));
    archive(m, Act::Confirm);
    archive(m, Act::Answer(true));
    assert_ne!(m.controller.page(), Page::Files, "it is written");
}

#[test]
fn the_list_names_the_players_with_whom_a_game_is_saved() {
    let dir = tempfile::tempdir().unwrap();
    for place in ["dialog", "list", "replay"] {
        let mut m = common::machine_with(with_names(), None);
        m.recorded_mut().home = dir.path().into();
        m.act(Action::PlayPvp);
        BLACK_WINS.iter().for_each(|name| tap(&mut m, name));
        assert_eq!(m.recorded().games[0].0.players, ["Ada", "Bo"], "as the settings say");
        match place {
            "dialog" => {
                m.act(Action::Back);
                archive(&mut m, Act::LookBack);
            }
            _ => {
                leave(&mut m);
                m.act(Action::Open(Page::Games));
                archive(&mut m, Act::Select("1.sgf".into()));
                if place == "replay" {
                    archive(&mut m, Act::Open);
                }
            }
        }
        save_with(&mut m, "阿达", "");
        let saved = wuzi::files::read(&dir.path().join("saved.sgf"), Default::default()).unwrap();
        assert_eq!([saved.info.black, saved.info.white], ["阿达", ""], "{place}");
        while m.controller.page() != Page::Menu {
            m.act(Action::Back);
            if m.controller.dialog().is_some() {
                m.act(Action::Leave);
            }
        }
        let expected = ["阿达", "", ""].map(String::from);
        assert_eq!(names_in_list(&mut m), [expected.clone(), expected.clone()], "{place}");
        // A game that is named and not written is what it was.
        archive(&mut m, Act::Select("1.sgf".into()));
        m.act(Action::Open(Page::Games));
        m.act(Action::Key(Key::ControlShift('s')));
        archive(&mut m, Act::NamePlayer { white: false, name: "Cy".into() });
        m.act(Action::Back);
        m.act(Action::Back);
        assert_eq!(names_in_list(&mut m), [expected.clone(), expected], "{place}");
    }
}

#[test]
fn a_game_that_goes_on_keeps_the_names_that_the_list_has() {
    let dir = tempfile::tempdir().unwrap();
    for (restarts, named) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut m = common::machine_with(with_names(), None);
        m.recorded_mut().home = dir.path().into();
        m.act(Action::PlayPvp);
        tap(&mut m, BLACK_WINS[0]);
        if named {
            archive(&mut m, Act::Browse(Errand::Save("sgf")));
            assert_eq!(m.controller.page(), Page::Files);
            archive(&mut m, Act::NamePlayer { white: false, name: "Ada".into() });
            archive(&mut m, Act::NamePlayer { white: true, name: "Bo".into() });
            m.act(Action::Back);
        }
        BLACK_WINS[1..].iter().for_each(|name| tap(&mut m, name));
        m.act(Action::Undo);
        leave(&mut m);
        m.act(Action::Open(Page::Games));
        archive(&mut m, Act::Select("1.sgf".into()));
        if named {
            assert_eq!(m.recorded().games[0].0.players, ["Ada", "Bo"]);
        }
        save_with(&mut m, "Cy", "Di");
        m.act(Action::Back);
        if restarts {
            m = m.restart();
        }
        m.act(Action::Continue);
        tap(&mut m, "G8");
        assert_eq!(m.recorded().games[0].0.players, ["Cy", "Di"], "{restarts} {named}");
        assert_eq!(m.recorded().games[0].1.info.black, "Cy", "{restarts} {named}");
        let _ = std::fs::remove_file(dir.path().join("saved.sgf"));
    }
}

#[test]
fn the_list_names_the_winner_as_the_leaderboard_does() {
    for leaves in [false, true] {
        let mut m = won();
        if leaves {
            m.act(Action::Undo);
            leave(&mut m);
        }
        archive(&mut m, Act::NameWinner("阿达".into()));
        if !leaves {
            leave(&mut m);
        }
        let expected = ["阿达", "", ""].map(String::from);
        assert_eq!(names_in_list(&mut m), [expected.clone(), expected], "{leaves}");
        assert_eq!(m.recorded().games[0].1.info.black, "阿达", "in its file too");
        assert_eq!(m.recorded().games[0].0.seats[1], SavedSeat::Computer(2));
    }
}

#[test]
fn a_game_that_is_deleted_comes_back_by_another_end_and_not_by_a_name() {
    for restarts in [false, true] {
        let mut m = won();
        m.act(Action::Undo);
        leave(&mut m);
        m.act(Action::Open(Page::Games));
        archive(&mut m, Act::Select("1.sgf".into()));
        archive(&mut m, Act::AskDelete);
        archive(&mut m, Act::Answer(true));
        m.act(Action::Back);
        archive(&mut m, Act::NameWinner("Ada".into()));
        assert!(m.recorded().games.is_empty());
        if restarts {
            m = m.restart().restart();
        }
        m.act(Action::Continue);
        tap(&mut m, "G8");
        assert_eq!(m.recorded().games.len(), 1);
        if !restarts {
            assert_eq!(m.recorded().games[0].0.players[0], "Ada");
        }
        assert_eq!(m.recorded().results.statistics[2].won, 1, "it counts once");
    }
}

#[test]
fn the_name_of_a_game_goes_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut m = games();
    m.recorded_mut().home = dir.path().into();
    archive(&mut m, Act::Select("1.sgf".into()));
    archive(&mut m, Act::Rename("final".into()));
    save_with(&mut m, "Ada", "");
    m.act(Action::Back);
    let expected = ["Ada", "", "final"].map(String::from);
    assert_eq!(names_in_list(&mut m), [expected.clone(), expected]);
    let saved = wuzi::files::read(&dir.path().join("saved.sgf"), Default::default()).unwrap();
    assert_eq!(saved.info.name, "final");
}

#[test]
fn names_that_the_list_cannot_keep_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let mut m = games();
    m.recorded_mut().home = dir.path().into();
    archive(&mut m, Act::Select("1.sgf".into()));
    m.act(Action::Key(Key::ControlShift('s')));
    archive(&mut m, Act::NamePlayer { white: false, name: "Ada".into() });
    archive(&mut m, Act::TypeName("saved".into()));
    m.recorded_mut().games_fail = true;
    archive(&mut m, Act::Confirm);
    assert!(dir.path().join("saved.sgf").exists());
    assert!(matches!(m.controller.shelf().report(), Some(Report::NotKept(_))));
    // Once there is room, the same names are kept.
    m.recorded_mut().games_fail = false;
    std::fs::remove_file(dir.path().join("saved.sgf")).unwrap();
    save_with(&mut m, "Ada", "");
    assert_eq!(m.recorded().games[0].0.players[0], "Ada");
}

#[test]
fn players_who_were_named_outlive_a_killed_program() {
    for from_replay in [false, true] {
        let mut m = machine();
        m.act(Action::PlayPvp);
        tap(&mut m, "H8");
        if from_replay {
            m.act(Action::Pause);
            archive(&mut m, Act::LookBack);
        }
        archive(&mut m, Act::Browse(Errand::Save("sgf")));
        archive(&mut m, Act::NamePlayer { white: true, name: "Bo".into() });
        let kept = m.recorded().session.clone().flatten().unwrap();
        let mut again = common::machine_with(wuzi::settings::Settings::default(), Some(&kept));
        again.act(Action::Continue);
        tap(&mut again, "I9");
        assert_eq!(again.recorded().session.clone().flatten().unwrap().players, kept.players);
        again.act(Action::AskResign);
        again.act(Action::Resign);
        assert_eq!(again.recorded().games[0].0.players, [String::new(), "Bo".into()], "{from_replay}");
    }
}

#[test]
fn a_file_that_is_there_is_not_replaced_unasked() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("old.sgf"), "precious").unwrap();
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    let mut m = replay();
    m.recorded_mut().home = dir.path().into();
    m.act(Action::Key(Key::ControlShift('s')));
    let items = |m: &Machine| m.controller.shelf().browser().items().len();
    assert_eq!(items(&m), 2);
    archive(&mut m, Act::Pick(1));
    assert_eq!(m.controller.shelf().browser().name(), "old.sgf");
    archive(&mut m, Act::Confirm);
    assert_eq!(m.controller.shelf().question(), Some(Question::Replace));
    archive(&mut m, Act::Answer(false));
    assert_eq!(std::fs::read(dir.path().join("old.sgf")).unwrap(), b"precious");
    archive(&mut m, Act::Confirm);
    archive(&mut m, Act::TypeName("other.sgf".into()));
    archive(&mut m, Act::Answer(true));
    assert!(!dir.path().join("other.sgf").exists(), "the answer was to another name");
    archive(&mut m, Act::TypeName("old.sgf".into()));
    archive(&mut m, Act::Confirm);
    archive(&mut m, Act::Answer(true));
    assert_eq!(m.controller.page(), Page::Replay);
    assert!(std::fs::read_to_string(dir.path().join("old.sgf")).unwrap().starts_with("(;"));
    m.act(Action::Key(Key::ControlShift('s')));
    archive(&mut m, Act::TypeName("sub".into()));
    archive(&mut m, Act::Confirm);
    assert_eq!(m.controller.shelf().browser().folder(), dir.path().join("sub"), "a folder is entered");
    archive(&mut m, Act::TypeName("nowhere/x.sgf".into()));
    archive(&mut m, Act::Confirm);
    assert_eq!(m.controller.page(), Page::Files, "another name can be tried");
    assert!(matches!(m.controller.shelf().report(), Some(Report::NotWritten(_))));
    archive(&mut m, Act::TypeName("x.doc".into()));
    archive(&mut m, Act::Confirm);
    let Some(Report::NotWritten(reason)) = m.controller.shelf().report() else { panic!("a reason") };
    assert!(reason.to_string().contains("no format has this extension"), "{reason}");
}

#[test]
fn every_extension_can_be_saved_from_the_replay() {
    let dir = tempfile::tempdir().unwrap();
    let mut m = replay();
    m.recorded_mut().home = dir.path().into();
    archive(&mut m, Act::GoTo(4));
    for extension in wuzi::files::extensions() {
        archive(&mut m, Act::Browse(Errand::Save(extension)));
        archive(&mut m, Act::TypeName("game".into()));
        archive(&mut m, Act::Extension(extension));
        archive(&mut m, Act::Confirm);
        let file = dir.path().join(format!("game.{extension}"));
        assert_eq!(m.controller.shelf().report(), Some(&Report::Written(file.clone())));
        if !matches!(extension, "png" | "gif") {
            archive(&mut m, Act::OpenFile(file));
            assert_eq!(m.controller.shelf().replay().unwrap().len(), 9, "{extension}");
        }
        archive(&mut m, Act::GoTo(4));
    }
    // The picture is of the position that was looked at, not of the last one.
    let record = m.controller.shelf().replay().unwrap().record().clone();
    let at = record.line_from(Record::ROOT).nth(4).unwrap();
    let wanted = wuzi::picture::png(&record, at, wuzi::picture::Look::default()).unwrap();
    assert_eq!(std::fs::read(dir.path().join("game.png")).unwrap(), wanted);
}

#[test]
fn a_walked_variation_is_what_a_format_of_one_line_gets() {
    let dir = tempfile::tempdir().unwrap();
    let mut m = machine();
    m.recorded_mut().home = dir.path().into();
    archive(&mut m, Act::OpenText("(;GM[4];B[hh](;W[ig];B[aa])(;W[ih]))".into()));
    archive(&mut m, Act::GoTo(2));
    archive(&mut m, Act::NextVariation);
    for (name, moves, main) in [("one.txt", 2, 2), ("all.sgf", 4, 3)] {
        archive(&mut m, Act::Browse(Errand::Save("sgf")));
        archive(&mut m, Act::TypeName(name.into()));
        archive(&mut m, Act::Confirm);
        let record = wuzi::files::read(&dir.path().join(name), wuzi_record::text::Rows::FromBottom).unwrap();
        assert_eq!((record.len(), record.main_line().len()), (moves, main));
    }
}

#[test]
fn a_file_is_chosen_from_a_folder_or_from_those_used_last() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.txt"), "h8i9").unwrap();
    std::fs::write(dir.path().join("b.txt"), "broken").unwrap();
    std::fs::create_dir(dir.path().join("sub")).unwrap();
    let mut m = machine();
    m.recorded_mut().home = dir.path().join("sub");
    m.act(Action::Key(Key::Control('o')));
    assert_eq!(m.controller.page(), Page::Files);
    archive(&mut m, Act::Up);
    assert_eq!(m.controller.shelf().browser().folder(), dir.path());
    archive(&mut m, Act::Pick(2));
    assert_eq!(m.controller.page(), Page::Files, "a bad file is said here");
    assert!(matches!(m.controller.shelf().report(), Some(Report::NotRead(_))));
    archive(&mut m, Act::Pick(1));
    assert_eq!((m.controller.page(), ply(&m)), (Page::Replay, 0));
    m.act(Action::Key(Key::Control('o')));
    archive(&mut m, Act::ShowRecent(true));
    assert_eq!(m.controller.shelf().browser().recent(), [dir.path().join("a.txt")]);
    archive(&mut m, Act::Pick(0));
    assert_eq!(m.controller.page(), Page::Replay);
    m.act(Action::Key(Key::Control('o')));
    archive(&mut m, Act::Home);
    archive(&mut m, Act::Pick(9));
    archive(&mut m, Act::TypeName("../a.txt".into()));
    archive(&mut m, Act::Confirm);
    assert_eq!(m.controller.page(), Page::Replay);
    m.act(Action::Key(Key::Control('o')));
    m.act(Action::Back);
    assert_eq!(m.controller.page(), Page::Replay, "back to where it was asked for");
}

#[test]
fn positions_are_copied_as_text_and_read_back() {
    let mut m = replay();
    archive(&mut m, Act::GoTo(3));
    m.act(Action::Key(Key::Control('c')));
    assert_eq!(m.controller.take_copied().as_deref(), Some("h8a1i8"));
    assert_eq!(m.controller.take_copied(), None);
    m.act(Action::Back);
    m.act(Action::Key(Key::Control('c')));
    let text = m.controller.take_copied().unwrap();
    assert_eq!(text, "h8a1i8a2j8a3k8a4l8", "the chosen game of the list");
    m.act(Action::Back);
    m.act(Action::PlayPvp);
    tap(&mut m, "C4");
    m.act(Action::Key(Key::Control('c')));
    assert_eq!(m.controller.take_copied().as_deref(), Some("c4"));
    assert_eq!(m.controller.notice(), Some(Notice::Copied));
    archive(&mut m, Act::OpenText(text));
    assert_eq!(ply(&m), 9);
}

#[test]
fn a_clipboard_that_takes_nothing_is_told_of() {
    let mut m = replay();
    archive(&mut m, Act::GoTo(3));
    archive(&mut m, Act::Copy);
    archive(&mut m, Act::NotCopied);
    assert_eq!(m.controller.shelf().report(), Some(&Report::NotCopied));
    m.act(Action::Back);
    m.act(Action::Back);
    m.act(Action::PlayPvp);
    tap(&mut m, "C4");
    m.act(Action::Key(Key::Control('c')));
    archive(&mut m, Act::NotCopied);
    assert_eq!(m.controller.notice(), Some(Notice::NotCopied));
}

#[test]
fn the_replayed_game_is_handed_to_other_programs_whole() {
    let mut m = replay();
    let sgf = "(;GM[4]SZ[15]PB[Ada]C[a game];B[hh](;W[ig]C[one])(;W[jh]))";
    archive(&mut m, Act::OpenText(sgf.into()));
    archive(&mut m, Act::Share);
    let shared = m.recorded().shared.join("|");
    let record = |text: &str| wuzi_record::sgf::read(text.as_bytes()).unwrap();
    assert_eq!(record(&shared), record(sgf));
    archive(&mut m, Act::NotShared("no program takes it".into()));
    assert_eq!(m.controller.shelf().report(), Some(&Report::NotShared("no program takes it".into())));
}

#[test]
fn of_a_game_that_is_too_long_for_other_programs_they_get_the_line_that_is_walked() {
    let mut m = replay();
    let sgf = format!("(;GM[4]SZ[15]C[{}];B[hh](;W[ig])(;W[jh]))", "long ".repeat(50_000));
    archive(&mut m, Act::OpenText(sgf));
    archive(&mut m, Act::GoTo(2));
    archive(&mut m, Act::NextVariation);
    archive(&mut m, Act::Share);
    let shared = m.recorded().shared.join("|");
    let record = wuzi_record::sgf::read(shared.as_bytes()).unwrap();
    assert_eq!(record, Record::from_moves(Size::DEFAULT, &[Point::new(7, 7), Point::new(9, 7)]).unwrap());
}

#[test]
fn what_another_program_hands_over_is_replayed_in_place_of_whatever_is_shown() {
    for (name, content) in
        [("game.psq", &b"Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n"[..]), ("1234", b"(;GM[4];B[hh];W[ii])")]
    {
        let mut m = pve(Level::Hard);
        tap(&mut m, "H8");
        m.act(Action::Pause);
        archive(&mut m, Act::OpenGiven { name: name.into(), content: Ok(content.into()) });
        assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Replay, None));
        assert_eq!(m.controller.shelf().replay().unwrap().len(), 2);
        assert!(m.controller.can_continue(), "the running game is not lost");
    }
    for (name, content, report) in [
        ("game.lib", Ok(b"nothing".to_vec()), "byte 0: not a RenLib library"),
        ("", Ok(b"(;GM[1])".to_vec()), "line 1"),
        ("game.sgf", Err("no permission".into()), "no permission"),
    ] {
        let mut m = machine();
        archive(&mut m, Act::OpenGiven { name: name.into(), content });
        assert_eq!(m.controller.page(), Page::Games);
        let Some(Report::NotRead(said)) = m.controller.shelf().report() else { panic!("{name} is refused") };
        assert!(said.to_string().starts_with(report), "{said}");
    }
}

#[test]
fn digits_go_to_a_move() {
    let mut m = replay();
    for (key, expected) in [('4', 4), ('1', 1), ('0', 0), ('7', 7)] {
        m.act(Action::Key(Key::Char(key)));
        assert_eq!(ply(&m), expected, "there is no move of two digits");
    }
    archive(&mut m, Act::OpenText("h8a1i8a2j8a3k8a4m8a6b1b2b3".into()));
    for (key, expected) in [(Key::Char('1'), 1), (Key::Char('2'), 12), (Key::Char('3'), 3)] {
        m.act(Action::Key(key));
        assert_eq!(ply(&m), expected);
    }
    m.act(Action::Key(Key::Char('1')));
    m.act(Action::Key(Key::Right));
    m.act(Action::Key(Key::Char('2')));
    assert_eq!(ply(&m), 2, "another key ends the number");
}

#[test]
fn a_new_end_keeps_the_name_that_the_list_gave() {
    let mut m = won();
    m.act(Action::Undo);
    leave(&mut m);
    m.act(Action::Open(Page::Games));
    archive(&mut m, Act::Select("1.sgf".into()));
    archive(&mut m, Act::Rename("final".into()));
    archive(&mut m, Act::Classic(true));
    m.act(Action::Back);
    m.act(Action::Continue);
    tap(&mut m, "G8");
    let recorded = m.recorded();
    let [(entry, _)] = &*recorded.games else { panic!("one game") };
    assert_eq!((entry.name.as_str(), entry.classic), ("final", true));
}
