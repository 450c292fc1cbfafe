// SPDX-License-Identifier: GPL-3.0-only
//! Kept games, replay and leaderboard through the controller, without a window.

mod common;

use std::time::Duration;

use common::{Machine, machine};
use wuzi::archive::{Act, Filter, Question, Report, SavedResult};
use wuzi::controller::{Action, Dialog, Notice, Page};
use wuzi::keyboard::Key;
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
    assert_eq!(shown(&mut m, Filter { text: "semi".into(), ..Filter::default() }), 0);
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
    assert_eq!((recorded.games.len(), entry.moves), (2, 9), "another game of the list");
    assert_eq!(record.len(), 9, "the rest is kept");
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
    archive(&mut m, Act::Export(dir.path().join("b.sgf")));
    assert_eq!(m.controller.shelf().report(), Some(&Report::Exported(dir.path().join("b.sgf"))));
    assert!(dir.path().join("b.sgf").exists());
    std::fs::write(&file, "h8h8").unwrap();
    archive(&mut m, Act::OpenFile(file.clone()));
    assert_eq!(m.controller.page(), Page::Games);
    let message = format!("{}: line 1, column 3: a stone stands on that point", file.display());
    assert_eq!(m.controller.shelf().report(), Some(&Report::Failed(message)));
    archive(&mut m, Act::OpenText("h8 i9 j10".into()));
    assert_eq!(m.controller.shelf().replay().unwrap().len(), 3);
}

#[test]
fn the_dialog_of_a_running_game_is_not_passed_by() {
    let mut m = pve(Level::Easy);
    m.act(Action::Pause);
    archive(&mut m, Act::OpenText("h8".into()));
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Game, Some(Dialog::Pause)));
}
