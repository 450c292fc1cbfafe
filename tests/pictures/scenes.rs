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
    /// Not on the board: only as a desktop shows it.
    Desktop,
    /// The same in a wide window.
    Wide,
}

use Kept::{Desktop, English, EveryLanguage, Wide};

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
    ("game-over-place", Desktop, |window| {
        over(window);
        GameOverAdapter::get(window).set_place(2);
        LeaderboardAdapter::get(window).set_name("阿达".into());
    }),
    ("games", Desktop, games),
    ("games-wide", Wide, games),
    ("openings", Desktop, |window| {
        let rows = wuzi_record::openings::OPENINGS.iter().take(8).map(|opening| GameRow {
            title: opening.title().into(),
            detail: opening.moves_text().into(),
            chosen: opening.code == "D4",
            ..GameRow::default()
        });
        let adapter = GamesAdapter::get(window);
        adapter.set_rows(model(rows));
        adapter.set_openings(true);
        adapter.set_leaves(4);
        adapter.set_has_chosen(true);
        Navigator::get(window).set_page(Page::Games);
    }),
    ("replay", Desktop, replay),
    ("replay-wide", Wide, replay),
    ("files-open", Desktop, |window| {
        files(window);
        FilesAdapter::get(window).set_report(Report {
            kind: ReportKind::NotRead,
            text: "/home/ada/games/old.sgf: line 1, column 3: a stone stands on that point".into(),
        });
    }),
    ("files-save", Desktop, saving),
    ("files-save-wide", Wide, saving),
    ("leaderboard", Desktop, leaderboard),
    ("leaderboard-wide", Wide, leaderboard),
    ("statistics", Desktop, |window| {
        leaderboard(window);
        LeaderboardAdapter::get(window).set_statistics(true);
    }),
    ("help", EveryLanguage, |window| Navigator::get(window).set_page(Page::Help)),
    ("about", EveryLanguage, |window| Navigator::get(window).set_page(Page::About)),
    ("menu-desktop", Desktop, |window| MenuAdapter::get(window).set_keeps_games(true)),
    ("menu-desktop-wide", Wide, |window| {
        MenuAdapter::get(window).set_keeps_games(true);
        MenuAdapter::get(window).set_can_continue(true);
    }),
    ("network", Desktop, network),
    ("network-wide", Wide, network),
    ("network-waiting", Desktop, |window| {
        let adapter = NetworkAdapter::get(window);
        adapter.set_name("祖父".into());
        adapter.set_port(5858);
        adapter.set_waiting(true);
        adapter.set_own_address("192.168.1.7".into());
        adapter.set_address("grandpa.local".into());
        adapter.set_report(NetworkReport::NobodyListens);
        Navigator::get(window).set_page(Page::Network);
    }),
    ("invitation", Desktop, |window| {
        network(window);
        let adapter = NetworkAdapter::get(window);
        adapter.set_inviter("孙女".into());
        adapter.set_is_known(true);
        adapter.set_known_as("Mimi".into());
        adapter.set_my_color(OfferColor::Black);
        adapter.set_code("042 917".into());
        adapter.set_invited_offer(offer(OfferColor::Either, OfferRule::Renju, 15, 60));
        Navigator::get(window).set_dialog(Dialog::Invitation);
    }),
    ("network-game", Desktop, remote),
    ("network-game-wide", Wide, remote),
    ("network-undo", Desktop, |window| question(window, NetworkQuestion::Undo)),
    ("network-draw", Desktop, |window| question(window, NetworkQuestion::Draw)),
    ("network-restart-wide", Wide, |window| question(window, NetworkQuestion::Restart)),
    ("network-over", Desktop, |window| {
        over(window);
        let black = GameAdapter::get(window).get_stones();
        question(window, NetworkQuestion::Restart);
        let game = GameAdapter::get(window);
        game.set_stones(black);
        game.set_over(true);
    }),
    ("network-calling", Desktop, |window| {
        network(window);
        let adapter = NetworkAdapter::get(window);
        adapter.set_calling(true);
        adapter.set_callee("孙女".into());
        adapter.set_is_known(true);
        adapter.set_known_as("Mimi".into());
        adapter.set_code("042 917".into());
    }),
    ("network-away", Desktop, |window| {
        remote(window);
        let adapter = NetworkAdapter::get(window);
        let game = adapter.get_game();
        adapter.set_game(NetworkGame {
            connected: false,
            patience: "0:00".into(),
            status: NetworkStatus::Unreachable,
            claim: NetworkClaim::Asked,
            ..game
        });
    }),
    ("network-differ-wide", Wide, |window| {
        remote(window);
        let adapter = NetworkAdapter::get(window);
        let game = adapter.get_game();
        adapter.set_game(NetworkGame {
            diverged: true,
            has_theirs: true,
            shows_theirs: true,
            status: NetworkStatus::TheirBoard,
            ..game
        });
    }),
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

fn model<T: Clone + 'static>(rows: impl IntoIterator<Item = T>) -> ModelRc<T> {
    ModelRc::new(VecModel::from(rows.into_iter().collect::<Vec<_>>()))
}

fn games(window: &AppWindow) {
    let row = GameRow {
        title: "2026-11-30 18:05".into(),
        black_level: -1,
        white_level: 2,
        lines: 15,
        moves: 31,
        result: 1,
        ..GameRow::default()
    };
    let rows = [
        GameRow { black: "Ada".into(), undos: 1, ..row.clone() },
        GameRow { rule: 2, result: 2, moves: 58, helps: 2, black_level: 4, white_level: -1, ..row.clone() },
        GameRow {
            title: "名局：第一次胜大师".into(),
            detail: "2026-11-29 21:40".into(),
            classic: true,
            chosen: true,
            black: "小明".into(),
            white_level: 4,
            moves: 77,
            ..row.clone()
        },
        GameRow {
            black: "Ada".into(),
            white: "Bo".into(),
            white_level: -1,
            result: 0,
            moves: 12,
            ..row.clone()
        },
        GameRow { rule: 1, lines: 19, result: 3, moves: 361, white_level: 5, ..row },
    ];
    let adapter = GamesAdapter::get(window);
    adapter.set_rows(model(rows));
    adapter.set_leaves(3);
    adapter.set_count(19);
    adapter.set_rule(-1);
    adapter.set_has_chosen(true);
    adapter.set_chosen_classic(true);
    adapter.set_chosen_name("名局：第一次胜大师".into());
    Navigator::get(window).set_page(Page::Games);
}

fn replay(window: &AppWindow) {
    game(window, &MIDDLE[..12]);
    GameAdapter::get(window).set_lamp(Lamp::Dark);
    let adapter = ReplayAdapter::get(window);
    let name = |&(column, row): &(i32, i32)| {
        slint::SharedString::from(format!("{}{}", char::from(b'A' + column as u8), 15 - row))
    };
    adapter.set_title("Ada – 小明".into());
    adapter.set_comment("White has to answer the open three.".into());
    adapter.set_moves(model(MIDDLE.iter().map(name)));
    adapter.set_ply(12);
    adapter.set_variations(2);
    adapter.set_pace(1);
    adapter.set_can_play_on(true);
    Navigator::get(window).set_page(Page::Replay);
}

fn files(window: &AppWindow) {
    let adapter = FilesAdapter::get(window);
    let row = |name: &str, is_folder| FileRow { name: name.into(), is_folder };
    adapter.set_rows(model([
        row("五子棋 2025", true),
        row("opening books", true),
        row("Ada 1.sgf", false),
        row("bo.psq", false),
        row("library.lib", false),
        row("名局.sgf", false),
    ]));
    adapter.set_folder("/home/ada/games".into());
    adapter.set_has_parent(true);
    adapter.set_extensions(model(wuzi::files::extensions().map(slint::SharedString::from)));
    Navigator::get(window).set_page(Page::Files);
}

fn saving(window: &AppWindow) {
    files(window);
    let adapter = FilesAdapter::get(window);
    adapter.set_saves(true);
    adapter.set_name("名局.sgf".into());
    adapter.set_extension(0);
    adapter.set_black_name("Ada".into());
    adapter.set_white_name("小明".into());
    adapter.set_question(Question::Replace);
}

fn leaderboard(window: &AppWindow) {
    let row = |name: &str, moves, time: &str, undos, fresh| WinRow {
        name: name.into(),
        moves,
        time: time.into(),
        undos,
        date: "2026-11-30".into(),
        fresh,
    };
    let adapter = LeaderboardAdapter::get(window);
    adapter.set_rows(model([
        row("Ada", 14, "2:31", 0, false),
        row("小明", 16, "1:05", 1, true),
        row("Zoë", 16, "4:40", 0, false),
        row("", 31, "12:00", 3, false),
    ]));
    adapter.set_tallies(model([
        TallyRow { won: 12, lost: 1, drawn: 0, run: 7 },
        TallyRow { won: 9, lost: 4, drawn: 1, run: -2 },
        TallyRow { won: 3, lost: 11, drawn: 0, run: 1 },
        TallyRow::default(),
        TallyRow { won: 0, lost: 2, drawn: 0, run: -2 },
    ]));
    adapter.set_can_name(true);
    adapter.set_name("小明".into());
    Navigator::get(window).set_page(Page::Leaderboard);
}

fn offer(color: OfferColor, rule: OfferRule, lines: i32, seconds: i32) -> OfferRow {
    OfferRow { offered: true, color, rule, lines, seconds }
}

/// Players who wait, play, and have other versions.
fn network(window: &AppWindow) {
    use OfferColor::{Black, Either, White};
    use OfferRule::{Freestyle, Renju, Standard};
    use PlayerState::{Newer, Older, Plays, Waits};
    let row = |name: &str, state: PlayerState, offer: OfferRow| PlayerRow {
        name: name.into(),
        program: if state == Newer { "Wuzi 2.0.0" } else { "Wuzi 0.1.0" }.into(),
        state,
        offer,
    };
    let adapter = NetworkAdapter::get(window);
    adapter.set_players(model([
        row("孙女", Waits, offer(Black, Freestyle, 15, 0)),
        row("Grandfather of Wilhelmina", Waits, offer(Either, Renju, 19, 120)),
        row("Ada", Newer, offer(White, Standard, 15, 30)),
        row("", Plays, OfferRow::default()),
        row("Bob", Older, offer(Either, Freestyle, 10, 10)),
        row("Cleo", Waits, offer(White, Standard, 13, 300)),
        row("Dora", Waits, offer(Black, Standard, 15, 20)),
    ]));
    adapter.set_name("祖父".into());
    adapter.set_port(5858);
    adapter.set_seconds(60);
    adapter.set_address("192.168.1.7".into());
    adapter.set_report(NetworkReport::Reached);
    adapter.set_reached_name("Ada".into());
    adapter.set_reached_program("Wuzi 0.1.0".into());
    adapter.set_reached_offer(offer(Black, Freestyle, 15, 0));
    adapter.set_reached_millis(12);
    adapter.set_may_invite(true);
    Navigator::get(window).set_page(Page::Network);
}

/// A game over the network, with clocks.
fn remote(window: &AppWindow) {
    game(window, &MIDDLE);
    let adapter = GameAdapter::get(window);
    adapter.set_thinking(false);
    adapter.set_can_help(false);
    adapter.set_black_level(-1);
    adapter.set_white_level(-2);
    adapter.set_white_name("孙女".into());
    let adapter = NetworkAdapter::get(window);
    adapter.set_playing(true);
    adapter.set_game(NetworkGame {
        partner: "孙女".into(),
        code: "042 917".into(),
        connected: true,
        time: "0:48".into(),
        status: NetworkStatus::Said,
        greeting: NetworkGreeting::GoodLuck,
        ..NetworkGame::default()
    });
}

/// The other player asks something.
fn question(window: &AppWindow, question: NetworkQuestion) {
    remote(window);
    let adapter = NetworkAdapter::get(window);
    let game = adapter.get_game();
    adapter.set_game(NetworkGame { question, status: NetworkStatus::None, ..game });
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

/// The same name on the leaderboard and in the game-over dialog.
pub fn name_winner(window: &AppWindow, name: &str) {
    GameOverAdapter::get(window).set_winner_name(name.into());
    let row = WinRow { name: name.into(), ..WinRow::default() };
    LeaderboardAdapter::get(window).set_rows(model([row]));
    LeaderboardAdapter::get(window).set_name(name.into());
}
