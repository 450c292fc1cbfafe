// SPDX-License-Identifier: GPL-3.0-only
//! `GamesAdapter`, `ReplayAdapter`, `FilesAdapter` and `LeaderboardAdapter`: the pages of kept games.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use slint::{ComponentHandle, ModelRc, SharedString, VecModel};
use wuzi_record::openings::OPENINGS;

use super::game::sync;
use crate::app::Actor;
use crate::archive::{
    Act, Class, Entry, Errand, Filter, Kind, PACES, Question, Report, SavedResult, Shelf, Tally, Win,
};
use crate::controller::{Action, Controller, Page};
use crate::files::{self, Item};
use crate::interface::{
    self, AppWindow, FileRow, FilesAdapter, FilterKind, GameRow, GamesAdapter, LeaderboardAdapter,
    PauseAdapter, ReplayAdapter, ReportKind, TallyRow, WinRow,
};
use crate::message::Message;
use crate::session::{SavedRule, SavedSeat};

/// How many games, openings and files stand on a leaf of their list.
const GAMES: usize = 7;
const OPENINGS_SHOWN: usize = 8;
const FILES: usize = 8;

const RULES: [SavedRule; 3] = [SavedRule::Freestyle, SavedRule::Standard, SavedRule::Renju];
const RESULTS: [SavedResult; 4] =
    [SavedResult::Unknown, SavedResult::Black, SavedResult::White, SavedResult::Draw];
const KINDS: [Kind; 7] = [
    Kind::Computer(0),
    Kind::Computer(1),
    Kind::Computer(2),
    Kind::Computer(3),
    Kind::Computer(4),
    Kind::Engine,
    Kind::People,
];

/// The models of the pages, and where in the lists the user looks.
#[derive(Default)]
pub(super) struct Models {
    games: Rc<VecModel<GameRow>>,
    moves: Rc<VecModel<SharedString>>,
    wins: Rc<VecModel<WinRow>>,
    tallies: Rc<VecModel<TallyRow>>,
    items: Rc<VecModel<FileRow>>,
    leaf: Rc<Cell<usize>>,
    openings: Rc<Cell<bool>>,
    opening: Rc<Cell<Option<usize>>>,
    file_leaf: Rc<Cell<usize>>,
    /// The files of the games on the leaf.
    files: Rc<RefCell<Vec<String>>>,
    filter: Rc<RefCell<Filter>>,
}

/// The most characters of a text from a file that are shown; there is room for fewer.
const MOST_SHOWN: usize = 600;

/// As much of a text as is shown: a comment may have megabytes, and to lay out all of it would take minutes.
fn excerpt(text: &str) -> SharedString {
    text.char_indices().nth(MOST_SHOWN).map_or(text, |(end, _)| &text[..end]).into()
}

fn act(actor: &Actor) -> impl Fn(Act) + Clone + 'static {
    let actor = actor.clone();
    move |act: Act| actor.act(Action::Archive(act))
}

/// The choice with that number; none for -1.
fn chosen<T: Copy>(choices: &[T], number: i32) -> Option<T> {
    usize::try_from(number).ok().and_then(|index| choices.get(index)).copied()
}

/// The number of a choice; -1 for none.
fn number_of<T: PartialEq>(choices: &[T], choice: Option<T>) -> i32 {
    choice.and_then(|choice| choices.iter().position(|other| *other == choice)).map_or(-1, number)
}

fn connect_games(window: &AppWindow, models: &Models, actor: &Actor) {
    let games = window.global::<GamesAdapter>();
    games.set_rows(ModelRc::from(models.games.clone()));
    // Looks again at what is there: no game answers to this choice.
    let (a, leaf, filter) = (act(actor), models.leaf.clone(), models.filter.clone());
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
    games.on_choose_filter(move |kind, value| {
        leaf.set(0);
        match kind {
            FilterKind::Rule => filter.borrow_mut().rule = chosen(&RULES, value),
            FilterKind::Result => filter.borrow_mut().result = chosen(&RESULTS, value),
            FilterKind::Opponent => filter.borrow_mut().kind = chosen(&KINDS, value),
        }
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
            opening.set(Some(leaf.get() * OPENINGS_SHOWN + row));
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
    let (a, leaf) = (act(actor), models.file_leaf.clone());
    games.on_browse(move |save| {
        leaf.set(0);
        a(Act::Browse(if save { native() } else { Errand::Open }));
    });
    let (a, weak) = (actor.clone(), window.as_weak());
    games.on_paste(move || {
        if let Some(window) = weak.upgrade() {
            paste(&window, &a);
        }
    });
}

/// To save in the native format.
fn native() -> Errand {
    Errand::Save(files::extensions().next().unwrap_or_default())
}

/// Opens what is on the clipboard.
pub(super) fn paste(window: &AppWindow, actor: &Actor) {
    actor.act(Action::Archive(Act::OpenText(window.invoke_paste().into())));
}

fn connect_files(window: &AppWindow, models: &Models, actor: &Actor) {
    let adapter = window.global::<FilesAdapter>();
    adapter.set_rows(ModelRc::from(models.items.clone()));
    let extensions: Vec<SharedString> = files::extensions().map(SharedString::from).collect();
    adapter.set_extensions(ModelRc::from(Rc::new(VecModel::from(extensions))));
    let (a, leaf) = (act(actor), models.file_leaf.clone());
    adapter.on_turn(move |to| {
        leaf.set(usize::try_from(to).unwrap_or(0));
        a(Act::Look);
    });
    let (a, leaf) = (act(actor), models.file_leaf.clone());
    adapter.on_show_recent(move |recent| {
        leaf.set(0);
        a(Act::ShowRecent(recent));
    });
    let (a, leaf) = (act(actor), models.file_leaf.clone());
    adapter.on_up(move || {
        leaf.set(0);
        a(Act::Up);
    });
    let (a, leaf) = (act(actor), models.file_leaf.clone());
    adapter.on_home(move || {
        leaf.set(0);
        a(Act::Home);
    });
    let (a, leaf) = (act(actor), models.file_leaf.clone());
    adapter.on_pick(move |row| {
        let index = leaf.get() * FILES + usize::try_from(row).unwrap_or(0);
        a(Act::Pick(index));
    });
    let a = act(actor);
    adapter.on_type_name(move |name| a(Act::TypeName(name.into())));
    let a = act(actor);
    adapter.on_type_player(move |white, name| a(Act::NamePlayer { white, name: name.into() }));
    let a = act(actor);
    adapter.on_choose_extension(move |index| {
        let extension = usize::try_from(index).ok().and_then(|index| files::extensions().nth(index));
        extension.into_iter().for_each(|extension| a(Act::Extension(extension)));
    });
    let a = act(actor);
    adapter.on_confirm(move || a(Act::Confirm));
    let a = act(actor);
    adapter.on_answer(move |yes| a(Act::Answer(yes)));
}

pub(super) fn connect(window: &AppWindow, models: &Models, actor: &Actor) {
    connect_games(window, models, actor);
    connect_files(window, models, actor);
    let a = act(actor);
    window.global::<PauseAdapter>().on_look_back(move || a(Act::LookBack));
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
    let (a, leaf) = (act(actor), models.file_leaf.clone());
    replay.on_save(move |extension| {
        leaf.set(0);
        let extension = files::extensions().find(|known| *known == extension.as_str());
        extension.into_iter().for_each(|extension| a(Act::Browse(Errand::Save(extension))));
    });
    let a = act(actor);
    replay.on_copy(move || a(Act::Copy));
    let a = act(actor);
    replay.on_share(move || a(Act::Share));

    let leaderboard = window.global::<LeaderboardAdapter>();
    leaderboard.set_rows(ModelRc::from(models.wins.clone()));
    leaderboard.set_tallies(ModelRc::from(models.tallies.clone()));
    let a = act(actor);
    leaderboard.on_choose(move |level, lines, rule| {
        let (Ok(level), Ok(lines)) = (u8::try_from(level), u8::try_from(lines)) else { return };
        let rule = chosen(&RULES, rule).unwrap_or(SavedRule::Freestyle);
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
    match controller.page() {
        Page::Games => show_games(window, models, controller),
        Page::Replay => show_replay(window, models, controller),
        Page::Files => show_files(window, models, controller),
        Page::Leaderboard => show_leaderboard(window, models, controller),
        // The game-over dialog asks for the name.
        Page::Game => {
            window.global::<LeaderboardAdapter>().set_name(controller.settings().names[0].as_str().into())
        }
        _ => {}
    }
}

fn question(shelf: &Shelf) -> interface::Question {
    match shelf.question() {
        None => interface::Question::None,
        Some(Question::Delete) => interface::Question::Delete,
        Some(Question::Clear) => interface::Question::Clear,
        Some(Question::Replace) => interface::Question::Replace,
    }
}

/// What became of the last thing that was done.
fn report(controller: &Controller) -> interface::Report {
    let said = |why: &Message| why.in_language(controller.language()).into();
    let (kind, text) = match controller.shelf().report() {
        None => (ReportKind::None, SharedString::new()),
        Some(Report::Written(path)) => (ReportKind::Written, path.display().to_string().into()),
        Some(Report::Copied) => (ReportKind::Copied, SharedString::new()),
        Some(Report::NotCopied) => (ReportKind::NotCopied, SharedString::new()),
        Some(Report::NotShared(why)) => (ReportKind::NotShared, said(why)),
        Some(Report::NotRead(why)) => (ReportKind::NotRead, said(why)),
        Some(Report::NotWritten(why)) => (ReportKind::NotWritten, said(why)),
        Some(Report::NotKept(why)) => (ReportKind::NotKept, said(why)),
    };
    interface::Report { kind, text }
}

/// The leaf that is looked at, within the list, and how many there are.
fn leaf(wanted: &Cell<usize>, count: usize, each: usize) -> (usize, usize) {
    let leaves = count.div_ceil(each).max(1);
    wanted.set(wanted.get().min(leaves - 1));
    (wanted.get(), leaves)
}

fn show_games(window: &AppWindow, models: &Models, controller: &Controller) {
    let shelf = controller.shelf();
    let games = window.global::<GamesAdapter>();
    let openings = models.openings.get();
    let (count, each) =
        if openings { (OPENINGS.len(), OPENINGS_SHOWN) } else { (shelf.shown().len(), GAMES) };
    let (leaf, leaves) = leaf(&models.leaf, count, each);
    let rows: Vec<GameRow> = if openings {
        let chosen = models.opening.get();
        let leaf = OPENINGS.iter().enumerate().skip(leaf * each).take(each);
        leaf.map(|(index, opening)| GameRow {
            title: opening.title().into(),
            detail: opening.moves_text().into(),
            chosen: chosen == Some(index),
            ..GameRow::default()
        })
        .collect()
    } else {
        let chosen = shelf.selected().map(|entry| entry.file.as_str());
        let leaf: Vec<&Entry> = shelf.shown().skip(leaf * each).take(each).collect();
        *models.files.borrow_mut() = leaf.iter().map(|entry| entry.file.clone()).collect();
        leaf.into_iter().map(|entry| game_row(entry, chosen == Some(entry.file.as_str()))).collect()
    };
    sync(&models.games, rows);
    games.set_leaf(number(leaf));
    games.set_leaves(number(leaves));
    games.set_count(number(count));
    games.set_openings(openings);
    let filter = shelf.filter();
    games.set_only_classics(filter.classic);
    games.set_search(filter.text.as_str().into());
    games.set_rule(number_of(&RULES, filter.rule));
    games.set_result(number_of(&RESULTS, filter.result));
    games.set_opponent(number_of(&KINDS, filter.kind));
    games.set_has_chosen(if openings { models.opening.get().is_some() } else { shelf.selected().is_some() });
    games.set_chosen_classic(shelf.selected().is_some_and(|entry| entry.classic));
    games.set_chosen_name(shelf.selected().map(|entry| entry.name.as_str()).unwrap_or_default().into());
    games.set_question(question(shelf));
    games.set_report(report(controller));
}

fn game_row(entry: &Entry, chosen: bool) -> GameRow {
    let (title, detail) = match entry.name.as_str() {
        "" if entry.date.is_empty() => (entry.file.as_str(), ""),
        "" => (entry.date.as_str(), ""),
        name => (name, entry.date.as_str()),
    };
    let level = |seat: SavedSeat| match seat {
        SavedSeat::Human | SavedSeat::Remote => -1,
        SavedSeat::Computer(level) => level.into(),
        SavedSeat::Engine => 5,
    };
    GameRow {
        title: title.into(),
        detail: detail.into(),
        black: entry.players[0].as_str().into(),
        white: entry.players[1].as_str().into(),
        black_level: level(entry.seats[0]),
        white_level: level(entry.seats[1]),
        lines: entry.lines.into(),
        rule: number_of(&RULES, entry.rule),
        moves: entry.moves.into(),
        result: number_of(&RESULTS, Some(entry.result)),
        undos: entry.undos.into(),
        helps: entry.helps.into(),
        classic: entry.classic,
        chosen,
    }
}

fn show_files(window: &AppWindow, models: &Models, controller: &Controller) {
    let shelf = controller.shelf();
    let adapter = window.global::<FilesAdapter>();
    let browser = shelf.browser();
    let recent = browser.shows_recent();
    let count = if recent { browser.recent().len() } else { browser.items().len() };
    let (leaf, leaves) = leaf(&models.file_leaf, count, FILES);
    let row = |item: &Item| FileRow { name: item.name.as_str().into(), is_folder: item.is_folder };
    let rows = if recent {
        let files = browser.recent().iter().skip(leaf * FILES).take(FILES);
        files.map(|file| FileRow { name: file.display().to_string().into(), is_folder: false }).collect()
    } else {
        browser.items().iter().skip(leaf * FILES).take(FILES).map(row).collect()
    };
    sync(&models.items, rows);
    adapter.set_leaf(number(leaf));
    adapter.set_leaves(number(leaves));
    adapter.set_recent(recent);
    adapter.set_saves(matches!(browser.errand(), Errand::Save(_)));
    adapter.set_folder(browser.folder().display().to_string().into());
    adapter.set_has_parent(browser.parent().is_some());
    adapter.set_name(browser.name().into());
    let info = browser.subject().map(|subject| &subject.record.info);
    adapter.set_black_name(excerpt(info.map(|info| info.black.as_str()).unwrap_or_default()));
    adapter.set_white_name(excerpt(info.map(|info| info.white.as_str()).unwrap_or_default()));
    let extension = browser.path();
    let extension = extension.as_deref().and_then(|path| path.extension()).unwrap_or_default();
    let known = files::extensions().position(|known| extension.eq_ignore_ascii_case(known));
    adapter.set_extension(known.map_or(-1, number));
    adapter.set_question(question(shelf));
    adapter.set_report(report(controller));
}

fn show_replay(window: &AppWindow, models: &Models, controller: &Controller) {
    let shelf = controller.shelf();
    let Some(replay) = shelf.replay() else { return };
    let adapter = window.global::<ReplayAdapter>();
    let record = replay.record();
    let size = record.size();
    let moves = replay.moves().into_iter().map(|point| format!("{}", point.name(size)).into()).collect();
    sync(&models.moves, moves);
    let info = &record.info;
    let title = match (info.name.as_str(), info.black.as_str(), info.white.as_str()) {
        ("", "", "") => match shelf.replay_file().and_then(|file| file.file_name()) {
            Some(file) => file.to_string_lossy().into_owned(),
            None => info.date.clone(),
        },
        ("", black, "") => black.to_owned(),
        ("", "", white) => white.to_owned(),
        ("", black, white) => format!("{black} – {white}"),
        (name, ..) => name.to_owned(),
    };
    adapter.set_title(excerpt(&title));
    // There is room for two lines, which are broken where the room ends.
    adapter.set_comment(excerpt(record.comment(replay.at())).replace('\n', " ").into());
    adapter.set_ply(number(replay.ply()));
    adapter.set_variations(number(replay.variations().count()));
    adapter.set_playing(replay.is_playing());
    adapter.set_pace(number(replay.pace().min(PACES.len() - 1)));
    adapter.set_can_share(controller.can_share());
    adapter.set_can_play_on(!replay.game().outcome().is_over());
    adapter.set_report(report(controller));
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
    sync(&models.tallies, shelf.results().statistics.iter().map(tally_row).collect());
    adapter.set_can_name(fresh.is_some());
    adapter.set_name(controller.settings().names[0].as_str().into());
    adapter.set_question(question(shelf));
    adapter.set_report(report(controller));
}

fn tally_row(tally: &Tally) -> TallyRow {
    let count = |count: u32| i32::try_from(count).unwrap_or(i32::MAX);
    TallyRow { won: count(tally.won), lost: count(tally.lost), drawn: count(tally.drawn), run: tally.run }
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
