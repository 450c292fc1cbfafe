// SPDX-License-Identifier: GPL-3.0-only
//! `GamesAdapter`, `ReplayAdapter` and `LeaderboardAdapter`: the pages of kept games.

use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;

use slint::{ComponentHandle, ModelRc, SharedString, VecModel};
use wuzi_record::openings::OPENINGS;

use super::game::sync;
use crate::app::Actor;
use crate::archive::{Act, Class, Entry, Filter, PACES, Question, Report, SavedResult, Shelf, Win};
use crate::controller::{Action, Controller, Page};
use crate::interface::{self, AppWindow, GameRow, GamesAdapter, LeaderboardAdapter, ReplayAdapter, WinRow};
use crate::session::SavedRule;

/// How many games stand on a leaf of the list.
const LEAF: usize = 8;

/// The models of the pages, and where in the list the user looks.
#[derive(Default)]
pub(super) struct Models {
    games: Rc<VecModel<GameRow>>,
    moves: Rc<VecModel<SharedString>>,
    wins: Rc<VecModel<WinRow>>,
    leaf: Rc<Cell<usize>>,
    openings: Rc<Cell<bool>>,
    opening: Rc<Cell<Option<usize>>>,
    /// The files of the games on the leaf.
    files: Rc<std::cell::RefCell<Vec<String>>>,
    filter: Rc<std::cell::RefCell<Filter>>,
}

fn connect_games(window: &AppWindow, models: &Models, actor: &Actor) {
    let games = window.global::<GamesAdapter>();
    games.set_rows(ModelRc::from(models.games.clone()));
    let act = |actor: &Actor| {
        let actor = actor.clone();
        move |act: Act| actor.act(Action::Archive(act))
    };
    // Looks again at what is there: no game answers to this choice.
    let (a, leaf) = (act(actor), models.leaf.clone());
    let filter = models.filter.clone();
    games.on_turn(move |to| {
        leaf.set(usize::try_from(to).unwrap_or(0));
        a(Act::Filter(filter.borrow().clone()));
    });
    let (a, b, leaf, openings, filter) =
        (act(actor), actor.clone(), models.leaf.clone(), models.openings.clone(), models.filter.clone());
    games.on_show_openings(move |on| {
        openings.set(on);
        leaf.set(0);
        b.act(Action::Open(Page::Games));
        a(Act::Filter(filter.borrow().clone()));
    });
    let (a, leaf, filter) = (act(actor), models.leaf.clone(), models.filter.clone());
    games.on_show_classics(move |only| {
        leaf.set(0);
        filter.borrow_mut().classic = only;
        a(Act::Filter(filter.borrow().clone()));
    });
    let (a, leaf, filter) = (act(actor), models.leaf.clone(), models.filter.clone());
    games.on_look_for(move |text| {
        leaf.set(0);
        filter.borrow_mut().text = text.into();
        a(Act::Filter(filter.borrow().clone()));
    });
    let a = act(actor);
    let (leaf, openings, opening) = (models.leaf.clone(), models.openings.clone(), models.opening.clone());
    let (files, filter) = (models.files.clone(), models.filter.clone());
    games.on_choose(move |row| {
        let row = usize::try_from(row).unwrap_or(0);
        if openings.get() {
            opening.set(Some(leaf.get() * LEAF + row));
            a(Act::Filter(filter.borrow().clone()));
        } else {
            let file = files.borrow().get(row).cloned();
            file.into_iter().for_each(|file| a(Act::Select(file)));
        }
    });
    let (a, openings, opening) = (act(actor), models.openings.clone(), models.opening.clone());
    games.on_open(move || match opening.get().filter(|_| openings.get()) {
        Some(index) => a(Act::OpenOpening(index)),
        None => a(Act::Open),
    });
    let a = act(actor);
    games.on_rename(move |name| a(Act::Rename(name.into())));
    let a = act(actor);
    games.on_mark(move |classic| a(Act::Classic(classic)));
    let a = act(actor);
    games.on_delete(move || a(Act::AskDelete));
    let a = act(actor);
    games.on_answer(move |yes| a(Act::Answer(yes)));
    let a = act(actor);
    games.on_open_file(move |path| a(Act::OpenFile(file(&path))));
    let a = act(actor);
    games.on_save_file(move |path| a(Act::Export(file(&path))));
}

/// The path that was typed; `~/` begins one in the home directory.
fn file(typed: &str) -> PathBuf {
    let typed = typed.trim();
    match (typed.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => typed.into(),
    }
}

pub(super) fn connect(window: &AppWindow, models: &Models, actor: &Actor) {
    connect_games(window, models, actor);
    let act = |actor: &Actor| {
        let actor = actor.clone();
        move |act: Act| actor.act(Action::Archive(act))
    };
    let replay = window.global::<ReplayAdapter>();
    replay.set_moves(ModelRc::from(models.moves.clone()));
    let a = act(actor);
    replay.on_go_to(move |ply| a(Act::GoTo(usize::try_from(ply).unwrap_or(0))));
    let a = act(actor);
    replay.on_step(move |ahead| a(Act::Step(ahead)));
    let a = act(actor);
    replay.on_next_variation(move || a(Act::NextVariation));
    let a = act(actor);
    replay.on_play(move |on| a(Act::Play(on)));
    let a = act(actor);
    replay.on_choose_pace(move |pace| a(Act::Pace(usize::try_from(pace).unwrap_or(0))));
    let a = act(actor);
    replay.on_play_on(move |computer| a(Act::PlayOn { computer }));
    let a = act(actor);
    replay.on_save_file(move |path| a(Act::Export(file(&path))));

    let leaderboard = window.global::<LeaderboardAdapter>();
    leaderboard.set_rows(ModelRc::from(models.wins.clone()));
    let a = act(actor);
    leaderboard.on_choose(move |level, lines, rule| {
        let (Ok(level), Ok(lines)) = (u8::try_from(level), u8::try_from(lines)) else { return };
        let rule = match rule {
            0 => SavedRule::Freestyle,
            1 => SavedRule::Standard,
            _ => SavedRule::Renju,
        };
        a(Act::Table(Class { level, lines, rule }));
    });
    let a = act(actor);
    leaderboard.on_rename(move |name| a(Act::NameWinner(name.into())));
    let a = act(actor);
    leaderboard.on_clear(move || a(Act::AskClear));
    let a = act(actor);
    leaderboard.on_answer(move |yes| a(Act::Answer(yes)));
}

pub(super) fn show(window: &AppWindow, models: &Models, controller: &Controller) {
    let shelf = controller.shelf();
    match controller.page() {
        Page::Games => show_games(window, models, shelf),
        Page::Replay => show_replay(window, models, shelf),
        Page::Leaderboard => show_leaderboard(window, models, controller),
        _ => {}
    }
}

fn question(shelf: &Shelf) -> interface::Question {
    match shelf.question() {
        None => interface::Question::None,
        Some(Question::Delete) => interface::Question::Delete,
        Some(Question::Clear) => interface::Question::Clear,
    }
}

/// What was done last, and whether it failed.
fn report(shelf: &Shelf) -> (SharedString, bool) {
    match shelf.report() {
        None => (SharedString::new(), false),
        Some(Report::Exported(path)) => (path.display().to_string().into(), false),
        Some(Report::Failed(error)) => (error.as_str().into(), true),
    }
}

fn show_games(window: &AppWindow, models: &Models, shelf: &Shelf) {
    let games = window.global::<GamesAdapter>();
    let openings = models.openings.get();
    let count = if openings { OPENINGS.len() } else { shelf.shown().count() };
    let leaves = count.div_ceil(LEAF).max(1);
    let leaf = models.leaf.get().min(leaves - 1);
    models.leaf.set(leaf);
    let rows: Vec<GameRow> = if openings {
        let chosen = models.opening.get();
        let leaf = OPENINGS.iter().enumerate().skip(leaf * LEAF).take(LEAF);
        leaf.map(|(index, opening)| GameRow {
            title: format!("{} {} {}", opening.code, opening.chinese, opening.latin).into(),
            detail: opening
                .record()
                .main_line()
                .iter()
                .map(|point| format!("{} ", point.name(wuzi_engine::Size::DEFAULT)))
                .collect::<String>()
                .into(),
            chosen: chosen == Some(index),
            ..GameRow::default()
        })
        .collect()
    } else {
        let chosen = shelf.selected().map(|entry| entry.file.as_str());
        let leaf: Vec<&Entry> = shelf.shown().skip(leaf * LEAF).take(LEAF).collect();
        *models.files.borrow_mut() = leaf.iter().map(|entry| entry.file.clone()).collect();
        leaf.into_iter().map(|entry| game_row(entry, chosen == Some(entry.file.as_str()))).collect()
    };
    sync(&models.games, rows);
    games.set_leaf(number(leaf));
    games.set_leaves(number(leaves));
    games.set_openings(openings);
    games.set_only_classics(shelf.filter().classic);
    games.set_search(shelf.filter().text.as_str().into());
    games.set_has_chosen(if openings { models.opening.get().is_some() } else { shelf.selected().is_some() });
    games.set_chosen_classic(shelf.selected().is_some_and(|entry| entry.classic));
    games.set_chosen_name(shelf.selected().map(|entry| entry.name.as_str()).unwrap_or_default().into());
    games.set_question(question(shelf));
    let (text, failed) = report(shelf);
    games.set_report(text);
    games.set_report_failed(failed);
}

fn game_row(entry: &Entry, chosen: bool) -> GameRow {
    let players = entry.players.join(" - ");
    let players = if players == " - " { "" } else { &players };
    let title = if entry.name.is_empty() { entry.date.clone() } else { entry.name.clone() };
    GameRow {
        title: title.into(),
        detail: format!("{}  {players}  {}×{}  {}", entry.date, entry.lines, entry.lines, entry.moves).into(),
        result: match entry.result {
            SavedResult::Unknown => 0,
            SavedResult::Black => 1,
            SavedResult::White => 2,
            SavedResult::Draw => 3,
        },
        classic: entry.classic,
        chosen,
    }
}

fn show_replay(window: &AppWindow, models: &Models, shelf: &Shelf) {
    let Some(replay) = shelf.replay() else { return };
    let adapter = window.global::<ReplayAdapter>();
    let record = replay.record();
    let size = record.size();
    let moves = replay.moves().into_iter().map(|point| format!("{}", point.name(size)).into()).collect();
    sync(&models.moves, moves);
    let info = &record.info;
    let title = match (info.name.as_str(), info.black.as_str(), info.white.as_str()) {
        ("", "", "") => info.date.clone(),
        ("", black, white) => format!("{black} - {white}"),
        (name, ..) => name.to_owned(),
    };
    adapter.set_title(title.into());
    adapter.set_comment(record.comment(replay.at()).into());
    adapter.set_ply(number(replay.ply()));
    adapter.set_variations(number(replay.variations().count()));
    adapter.set_playing(replay.is_playing());
    adapter.set_pace(number(replay.pace().min(PACES.len() - 1)));
    adapter.set_can_play_on(!replay.game().outcome().is_over());
    let (text, failed) = report(shelf);
    adapter.set_report(text);
    adapter.set_report_failed(failed);
}

fn show_leaderboard(window: &AppWindow, models: &Models, controller: &Controller) {
    let shelf = controller.shelf();
    let adapter = window.global::<LeaderboardAdapter>();
    let class = shelf.class();
    let fresh = shelf.place_in_table();
    let wins = shelf.results().places(class).iter().enumerate();
    sync(&models.wins, wins.map(|(index, win)| win_row(win, fresh == Some(index + 1))).collect());
    adapter.set_level(class.level.into());
    adapter.set_lines(class.lines.into());
    adapter.set_rule(class.rule as i32);
    let tally = shelf.results().statistics.get(usize::from(class.level)).copied().unwrap_or_default();
    let count = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    adapter.set_won(count(tally.won));
    adapter.set_lost(count(tally.lost));
    adapter.set_drawn(count(tally.drawn));
    adapter.set_run(tally.run);
    adapter.set_can_name(fresh.is_some());
    adapter.set_name(controller.settings().names[0].as_str().into());
    adapter.set_question(question(shelf));
    adapter.set_report(report(shelf).0);
}

fn win_row(win: &Win, fresh: bool) -> WinRow {
    let seconds = win.millis / 1000;
    WinRow {
        name: win.name.as_str().into(),
        moves: win.moves.into(),
        time: format!("{}:{:02}", seconds / 60, seconds % 60).into(),
        undos: win.undos.into(),
        date: win.date.as_str().into(),
        fresh,
    }
}

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
