// SPDX-License-Identifier: GPL-3.0-only
//! A player at another machine is one more source of moves: what the controller asks of the network
//! and makes of what it shows.

mod common;

use common::{Machine, machine, machine_with};
use wuzi::controller::{Action, Dialog, Notice, Page};
use wuzi::network::{Act, Choice, Claim, Status};
use wuzi::session::{Ending, Seat};
use wuzi::settings::{NetworkSettings, Settings};
use wuzi_engine::{Color, Point};
use wuzi_network::fault::Fault;
use wuzi_network::message::{Greeting, Loss, Offer, Request, RuleName, Wish};
use wuzi_network::peer::{Command, GameView, Invitation, Report, View};
use wuzi_network::table::End;

fn game(moves: &[(u8, u8)]) -> GameView {
    GameView {
        color: Color::White,
        partner: "Grandfather".into(),
        known: None,
        code: "123 456".into(),
        offer: Offer::default(),
        number: 0,
        version: 0,
        moves: moves.iter().map(|&(x, y)| Point::new(x, y)).collect(),
        end: None,
        asked: None,
        refused: Vec::new(),
        may_ask: [true; 3],
        question: None,
        connected: true,
        patience: 180,
        left: false,
        gone: false,
        may_claim: false,
        seconds_left: None,
        diverged: false,
        their_moves: None,
        willing: false,
        greeting: None,
    }
}

fn show(m: &mut Machine, game: GameView) {
    let view = View { game: Some(game), ..View::default() };
    m.act(Action::Network(Act::Shown(Box::new(view))));
}

fn opened() -> Machine {
    let mut m = machine();
    m.act(Action::Open(Page::Network));
    m
}

fn sent(m: &Machine) -> Vec<Command> {
    m.recorded().network.clone().expect("the network is open")
}

fn tap(m: &mut Machine, x: u8, y: u8) {
    m.act(Action::Tap { x: x.into(), y: y.into() });
}

#[test]
fn nothing_listens_unless_the_page_is_open() {
    let mut m = machine();
    assert_eq!(m.recorded().network, None);
    m.act(Action::Open(Page::Network));
    assert!(matches!(sent(&m)[..], [Command::Profile { .. }]));
    m.act(Action::Back);
    assert_eq!(m.controller.page(), Page::Menu);
    assert_eq!(m.recorded().network, None);
    show(&mut m, game(&[]));
    assert_eq!(m.controller.page(), Page::Menu, "what comes late is not looked at");
}

#[test]
fn a_game_that_is_not_kept_is_said_and_goes_on() {
    let mut m = opened();
    let shown = |moves: &[(u8, u8)], unkept| {
        let view = View { game: Some(game(moves)), unkept, ..View::default() };
        Action::Network(Act::Shown(Box::new(view)))
    };
    m.act(shown(&[(7, 7)], false));
    assert_eq!(m.controller.notice(), None);
    for moves in [&[(7, 7)][..], &[(7, 7), (8, 8)]] {
        m.act(shown(moves, true));
        assert_eq!(m.controller.notice(), Some(Notice::NotSaved));
    }
    m.act(shown(&[(7, 7), (8, 8), (9, 9)], false));
    assert_eq!(m.controller.session().unwrap().game().moves().len(), 3);
    assert_eq!(m.controller.notice(), None);
}

#[test]
fn nothing_listens_while_the_page_is_out_of_sight() {
    let mut m = opened();
    m.act(Action::Network(Act::Wait(true)));
    m.act(Action::Network(Act::Shown(Box::new(View { waiting: true, ..View::default() }))));
    m.act(Action::Seen(false));
    assert_eq!((m.controller.page(), m.recorded().network.clone()), (Page::Network, None));
    m.act(Action::Seen(true));
    assert!(matches!(sent(&m)[..], [Command::Profile { .. }, Command::Wait(true)]), "waiting goes on");
    m.act(Action::Seen(true));
    assert_eq!(sent(&m).len(), 2, "what is open is not opened again");
    m.act(Action::Seen(false));
    m.act(Action::Seen(true));
    assert!(matches!(sent(&m)[..], [_, Command::Wait(true)]), "also if nothing was shown in between");

    m.act(invited(1, "Ada"));
    assert_eq!(m.controller.dialog(), Some(Dialog::Invitation));
    m.act(Action::Seen(false));
    assert_eq!(m.controller.dialog(), None, "whoever asked has gone");
    m.act(Action::Seen(true));
    assert!(matches!(sent(&m)[..], [Command::Profile { .. }, Command::Wait(true)]), "others may ask");

    m.act(Action::Network(Act::Wait(false)));
    m.act(Action::Seen(false));
    m.act(Action::Seen(true));
    assert!(matches!(sent(&m)[..], [Command::Profile { .. }]), "nobody waits");
    m.act(Action::Network(Act::Wait(true)));
    m.act(Action::Back);
    m.act(Action::Open(Page::Network));
    assert!(matches!(sent(&m)[..], [Command::Profile { .. }]), "the page was left");

    m.act(Action::Back);
    m.act(Action::Seen(false));
    m.act(Action::Seen(true));
    assert_eq!(m.recorded().network, None, "the page is not open");
}

#[test]
fn a_call_that_ends_out_of_sight_is_told_afterwards() {
    let mut m = opened();
    let shown = |view| Action::Network(Act::Shown(Box::new(view)));
    let failed = |fault| Some(Report::Failed(fault));
    let calling = View { calling: Some("10.0.0.7".into()), ..View::default() };
    m.act(Action::Network(Act::Address("10.0.0.7".into())));
    m.act(Action::Network(Act::Test));
    m.act(shown(calling.clone()));
    m.act(Action::Seen(false));
    m.act(Action::Seen(true));
    for _ in 0..2 {
        m.act(shown(View::default()));
        assert_eq!(m.controller.remote().view().report, failed(Fault::Broken));
    }
    m.act(Action::Network(Act::Test));
    m.act(shown(calling));
    assert_eq!(m.controller.remote().view().report, None, "this is another call");

    // What was there to read or to do is still there.
    let offer = Some(Offer::default());
    let reached = Report::Reached { name: "Ada".into(), program: "Wuzi".into(), offer, millis: 1 };
    for report in [Some(reached), failed(Fault::NoAnswer)] {
        m.act(shown(View { report: report.clone(), ..View::default() }));
        m.act(Action::Seen(false));
        m.act(Action::Seen(true));
        m.act(shown(View::default()));
        assert_eq!(m.controller.remote().view().report, report);
        m.act(Action::Network(Act::InviteTyped));
        let is_invited = matches!(sent(&m).last(), Some(Command::Invite { .. }));
        assert_eq!(is_invited, matches!(report, Some(Report::Reached { .. })));
    }
}

#[test]
fn a_game_goes_on_out_of_sight() {
    let mut m = opened();
    show(&mut m, game(&[]));
    m.act(Action::Seen(false));
    show(&mut m, game(&[(7, 7)]));
    assert_eq!(m.controller.session().unwrap().game().moves(), [Point::new(7, 7)]);
}

#[test]
fn without_a_network_the_page_says_so() {
    let mut m = machine();
    m.recorded_mut().network_fails = true;
    m.act(Action::Open(Page::Network));
    assert_eq!(m.controller.remote().fault(), Some("no port is free"));
}

#[test]
fn what_is_chosen_is_kept_and_told() {
    let mut m = opened();
    m.act(Action::Network(Act::Name("  Ada\u{202E} ".into())));
    // White, Renju, 16 lines, 20 seconds; from the last value the first follows.
    for (choice, forward, times) in [
        (Choice::Color, false, 4),
        (Choice::Rule, true, 5),
        (Choice::Lines, true, 12),
        (Choice::Seconds, true, 9),
    ] {
        for _ in 0..times {
            m.act(Action::Network(Act::Turn(choice, forward)));
        }
    }
    let Some(Command::Profile { name, offer }) = sent(&m).pop() else { panic!("a profile") };
    let chosen = Offer { wish: Wish::White, rule: RuleName::Renju, lines: 16, seconds: Some(20) };
    assert_eq!((name.as_str(), offer), ("Ada", chosen));
    let kept = m.recorded().settings.clone().expect("the settings are kept");
    assert_eq!((kept.names[0].as_str(), kept.network.seconds, kept.lines), ("Ada", 20, 16));
}

#[test]
fn the_neighbours_of_a_time_that_is_none_of_the_steps_follow_it() {
    for (seconds, forward, next) in [
        (45, true, 60),
        (45, false, 30),
        (300, true, 0),
        (0, false, 300),
        (3600, true, 0),
        (3600, false, 300),
    ] {
        let network = NetworkSettings { seconds, ..NetworkSettings::default() };
        let mut m = machine_with(Settings { network, ..Settings::default() }, None);
        m.act(Action::Open(Page::Network));
        m.act(Action::Network(Act::Turn(Choice::Seconds, forward)));
        assert_eq!(m.controller.settings().network.seconds, next, "{seconds}");
    }
}

#[test]
fn what_matters_most_is_said_of_a_game() {
    let mut m = opened();
    let mut shown = GameView { greeting: Some((Greeting::Hello, 1)), ..game(&[(7, 7)]) };
    let mut check = |shown: &GameView, status| {
        show(&mut m, shown.clone());
        assert_eq!(m.controller.remote().status(), status);
    };
    check(&game(&[(7, 7)]), None);
    check(&shown, Some(Status::Said(Greeting::Hello)));
    shown.refused = vec![Request::Undo];
    check(&shown, Some(Status::Refused));
    shown.asked = Some(Request::Draw);
    check(&shown, Some(Status::Asked(Request::Draw)));
    shown.connected = false;
    check(&shown, Some(Status::Unreachable));
    shown.left = true;
    check(&shown, Some(Status::HasLeftForNow));
    check(&GameView { end: Some(End::Agreed), ..shown.clone() }, Some(Status::HasLeft));
    shown.gone = true;
    check(&shown, Some(Status::Gone));
}

#[test]
fn the_other_board_is_shown_only_while_the_two_differ() {
    let mut m = opened();
    let differing = GameView { diverged: true, their_moves: Some(vec![Point::new(1, 1)]), ..game(&[(7, 7)]) };
    show(&mut m, differing);
    assert_eq!(m.controller.remote().status(), None);
    m.act(Action::Network(Act::ShowTheirs(true)));
    assert_eq!(m.controller.remote().status(), Some(Status::TheirBoard));
    show(&mut m, game(&[(7, 7)]));
    assert!(m.controller.remote().status().is_none() && !m.controller.remote().shows_theirs());
}

#[test]
fn a_win_by_absence_can_wait() {
    let mut m = opened();
    let absent = GameView { connected: false, may_claim: true, ..game(&[(7, 7), (8, 8)]) };
    show(&mut m, game(&[(7, 7), (8, 8)]));
    assert_eq!(m.controller.remote().claim(), Claim::None);
    show(&mut m, absent.clone());
    assert_eq!(m.controller.remote().claim(), Claim::Asked);
    m.act(Action::Network(Act::PutOff(true)));
    show(&mut m, GameView { patience: 0, ..absent.clone() });
    assert_eq!(m.controller.remote().claim(), Claim::PutOff);
    m.act(Action::Network(Act::PutOff(false)));
    assert_eq!(m.controller.remote().claim(), Claim::Asked);
    m.act(Action::Network(Act::PutOff(true)));
    // The other comes back and is lost again.
    show(&mut m, game(&[(7, 7), (8, 8)]));
    show(&mut m, absent.clone());
    assert_eq!(m.controller.remote().claim(), Claim::Asked);
    show(&mut m, GameView { diverged: true, ..absent });
    assert_eq!(m.controller.remote().claim(), Claim::None);
    m.act(Action::Network(Act::Claim));
    assert_eq!(sent(&m).pop(), Some(Command::Claim));
}

fn invited(link: u64, name: &str) -> Action {
    let invitation = Invitation {
        link,
        name: name.into(),
        known: None,
        color: Some(Color::Black),
        offer: Offer::default(),
        code: "000 001".into(),
    };
    let view = View { waiting: true, invitation: Some(invitation), ..View::default() };
    Action::Network(Act::Shown(Box::new(view)))
}

#[test]
fn an_answer_does_not_go_to_somebody_else_who_has_come_meanwhile() {
    let mut m = opened();
    let before = sent(&m).len();
    m.act(invited(1, "Ada"));
    m.act(invited(3, "Mallory"));
    m.act(Action::Network(Act::Admit { yes: true, never: false }));
    assert_eq!(sent(&m).len(), before, "it was meant for Ada");
    assert_eq!(m.controller.dialog(), Some(Dialog::Invitation), "now Mallory is asked about");
    m.act(Action::Network(Act::Admit { yes: false, never: true }));
    assert_eq!(sent(&m).pop(), Some(Command::Admit { link: 3, yes: false, never: true }));
}

#[test]
fn a_typed_address_is_invited_to_the_game_that_its_test_has_shown() {
    let mut m = opened();
    let type_address = |m: &mut Machine, address: &str| {
        m.act(Action::Network(Act::Address(address.into())));
    };
    type_address(&mut m, "10.0.0.7");
    m.act(Action::Network(Act::InviteTyped));
    assert!(
        !sent(&m).iter().any(|command| matches!(command, Command::Invite { .. })),
        "nobody knows to what"
    );
    m.act(Action::Network(Act::Test));
    let offer = Offer { lines: 19, ..Offer::default() };
    let report =
        Report::Reached { name: "Ada".into(), program: "Wuzi".into(), offer: Some(offer), millis: 1 };
    let view = View { report: Some(report), ..View::default() };
    m.act(Action::Network(Act::Shown(Box::new(view))));
    type_address(&mut m, "10.0.0.8");
    m.act(Action::Network(Act::InviteTyped));
    assert!(!sent(&m).iter().any(|command| matches!(command, Command::Invite { .. })), "this is another one");
    type_address(&mut m, "10.0.0.7");
    m.act(Action::Network(Act::InviteTyped));
    let invite = Command::Invite { address: "10.0.0.7".into(), offer: Some(offer), id: None };
    assert_eq!(sent(&m).pop(), Some(invite));
}

#[test]
fn an_end_waits_until_the_user_is_back_at_the_game() {
    let mut m = opened();
    show(&mut m, game(&[(7, 7)]));
    m.act(Action::Open(Page::Settings));
    let end = Some(End::Lost(Color::Black, Loss::Resigned));
    show(&mut m, GameView { end, ..game(&[(7, 7)]) });
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Settings, None));
    m.act(Action::Back);
    assert_eq!((m.controller.page(), m.controller.dialog()), (Page::Game, Some(Dialog::GameOver)));
}

#[test]
fn an_invitation_is_a_question_and_escape_declines() {
    let mut m = opened();
    m.act(invited(1, "Ada"));
    assert_eq!(m.controller.dialog(), Some(Dialog::Invitation));
    m.act(Action::Back);
    assert_eq!(sent(&m).pop(), Some(Command::Admit { link: 1, yes: false, never: false }));
    assert_eq!((m.controller.dialog(), m.controller.page()), (None, Page::Network));
}

#[test]
fn stones_come_from_the_network_alone() {
    let mut m = opened();
    show(&mut m, game(&[]));
    assert_eq!(m.controller.page(), Page::Game);
    assert_eq!(m.controller.session().unwrap().setup().seats, [Seat::Remote, Seat::Human]);
    tap(&mut m, 7, 7);
    assert!(!sent(&m).iter().any(|command| matches!(command, Command::Play(_))), "black is to move");
    show(&mut m, game(&[(7, 7)]));
    assert_eq!(m.recorded().heard, ["stone"]);
    assert_eq!(m.controller.lamp(), Some(Color::White));
    tap(&mut m, 8, 8);
    assert_eq!(sent(&m).pop(), Some(Command::Play(Point::new(8, 8))));
    assert_eq!(m.controller.session().unwrap().game().moves().len(), 1, "the network has not taken it yet");
    show(&mut m, game(&[(7, 7), (8, 8)]));
    assert_eq!(m.controller.session().unwrap().game().moves().len(), 2);
    assert_eq!(m.controller.name(Color::Black), "Grandfather");
    assert_eq!(m.recorded().session, None, "the game on this machine is another one");
}

#[test]
fn help_hint_and_redo_are_off_and_the_rest_is_asked() {
    let mut m = opened();
    show(&mut m, game(&[(7, 7)]));
    for action in [Action::Help, Action::Hint, Action::Redo] {
        m.act(action);
    }
    assert!(m.recorded().tasks.is_empty() && !m.controller.can_help() && !m.controller.can_redo());
    for (action, what) in [(Action::Undo, Request::Undo), (Action::OfferDraw, Request::Draw)] {
        m.act(action);
        assert_eq!(sent(&m).pop(), Some(Command::Ask(what)));
    }
    m.act(Action::Pause);
    m.act(Action::Restart);
    assert_eq!(sent(&m).pop(), Some(Command::Ask(Request::Restart)));
    assert_eq!(m.controller.session().unwrap().game().moves().len(), 1);
    m.act(Action::AskResign);
    m.act(Action::Resign);
    assert_eq!(sent(&m).pop(), Some(Command::Resign));
}

#[test]
fn what_was_taken_back_and_a_new_game_are_followed() {
    let mut m = opened();
    show(&mut m, game(&[(7, 7), (8, 8), (9, 9)]));
    show(&mut m, game(&[(7, 7)]));
    assert_eq!(m.controller.session().unwrap().game().moves(), [Point::new(7, 7)]);
    show(&mut m, GameView { number: 1, color: Color::Black, ..game(&[]) });
    let session = m.controller.session().unwrap();
    assert_eq!(session.setup().seats, [Seat::Human, Seat::Remote]);
    assert!(session.game().moves().is_empty());
}

#[test]
fn ends_are_shown_and_filed_once() {
    for (end, ending) in [
        (End::Agreed, Ending::Agreement),
        (End::Lost(Color::Black, Loss::Resigned), Ending::Resignation(Color::White)),
        (End::Lost(Color::Black, Loss::Time), Ending::Time(Color::White)),
        (End::Lost(Color::White, Loss::Absent), Ending::Absence(Color::Black)),
    ] {
        let mut m = opened();
        show(&mut m, game(&[(7, 7)]));
        show(&mut m, GameView { end: Some(end), ..game(&[(7, 7)]) });
        show(&mut m, GameView { end: Some(end), patience: 1, ..game(&[(7, 7)]) });
        assert_eq!(m.controller.session().unwrap().ending(), Some(ending));
        assert_eq!(m.controller.dialog(), Some(Dialog::GameOver));
        assert_eq!(m.recorded().games.len(), 1);
        let mut m = opened();
        show(&mut m, GameView { end: Some(end), ..game(&[(7, 7)]) });
        assert_eq!(m.recorded().games.len(), 0, "it was filed when it ended");
    }
}

#[test]
fn leaving_says_goodbye_and_keeps_the_game_of_this_machine() {
    let mut m = machine();
    m.act(Action::PlayPvp);
    tap(&mut m, 3, 3);
    m.act(Action::Pause);
    m.act(Action::Leave);
    m.act(Action::Open(Page::Network));
    show(&mut m, game(&[(7, 7)]));
    m.act(Action::Pause);
    m.act(Action::Leave);
    assert_eq!((m.controller.page(), m.recorded().network.clone()), (Page::Menu, None));
    assert!(m.controller.can_continue());
    m.act(Action::Continue);
    assert_eq!(m.controller.session().unwrap().game().moves(), [Point::new(3, 3)]);
}
