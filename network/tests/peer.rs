// SPDX-License-Identifier: GPL-3.0-only
//! Two programs on a network that loses connections, and programs that are killed: they find back to
//! each other, agree on the position or stop, and never do what the other has not agreed to.

mod world;

use std::time::Duration;

use proptest::prelude::*;
use world::{OFFER, World, hello, linked, nonce, reveal};
use wuzi_engine::{Color, Point};
use wuzi_network::fault::Fault;
use wuzi_network::key::Key;
use wuzi_network::message::{ColorName, Greeting, Loss, Message, Offer, Refusal, Request, Side, Wish};
use wuzi_network::peer::{Command, Input, Output, Peer, Report};
use wuzi_network::table::End;

#[test]
fn nobody_plays_who_was_not_asked() {
    let mut world = World::new();
    world.command(1, Command::Invite { address: "0".into(), offer: None, id: None });
    world.settle();
    assert_eq!(world.machines[1].peer.view().report, Some(Report::Failed(Fault::NotWaiting)));
    world.command(0, Command::Wait(true));
    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    let invitation = world.machines[0].peer.view().invitation.expect("an invitation");
    assert_eq!(
        (invitation.name.as_str(), invitation.known, invitation.color),
        ("孙女", None, Some(Color::Black))
    );
    assert_eq!(
        world.machines[1].peer.view().asked.map(|asked| asked.code),
        Some(invitation.code),
        "both see the same code"
    );
    assert!(world.machines.iter().all(|machine| machine.peer.view().game.is_none()));
    world.admit(0, false, false);
    world.settle();
    let declined = Some(Report::Failed(Fault::Refused(Refusal::Declined)));
    assert_eq!(world.machines[1].peer.view().report, declined);

    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    world.admit(0, false, true);
    world.settle();
    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    assert_eq!(world.machines[0].peer.view().invitation, None, "not from this player again");
    assert_eq!(world.machines[1].peer.view().report, declined);
}

#[test]
fn an_invitation_that_nobody_answers_ends() {
    let mut world = World::new();
    world.command(0, Command::Wait(true));
    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    world.wait(Duration::from_secs(59));
    world.settle();
    assert!(world.machines[0].peer.view().invitation.is_some());
    world.wait(Duration::from_secs(2));
    world.settle();
    assert_eq!(world.machines[0].peer.view().invitation, None);
    assert_eq!(world.machines[1].peer.view().report, Some(Report::Failed(Fault::NoAnswer)));
    // Who was asked is free for the next one.
    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    assert!(world.machines[0].peer.view().invitation.is_some());
}

#[test]
fn a_player_met_before_is_known_by_the_key_whatever_the_name() {
    let mut world = World::playing();
    for side in 0..2 {
        world.command(side, Command::Leave);
        world.settle();
    }
    world.command(1, Command::Profile { name: "Another".into(), offer: OFFER });
    world.command(0, Command::Wait(true));
    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    let invitation = world.machines[0].peer.view().invitation.expect("an invitation");
    assert_eq!((invitation.name.as_str(), invitation.known.as_deref()), ("Another", Some("孙女")));
    // The same name with another key is a stranger.
    world.admit(0, false, false);
    world.settle();
    world.machines[1].key = Key([3; 32]);
    world.machines[1].peer = Peer::new(Key([3; 32]), "Wuzi", Vec::new(), None, Duration::ZERO);
    world.introduce(1);
    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    let invitation = world.machines[0].peer.view().invitation.expect("an invitation");
    assert_eq!((invitation.name.as_str(), invitation.known), ("孙女", None));
}

#[test]
fn a_test_tells_who_is_there_and_begins_nothing() {
    let mut world = World::new();
    world.command(0, Command::Wait(true));
    world.command(1, Command::Test("0".into()));
    world.settle();
    let Some(Report::Reached { name, offer, .. }) = world.machines[1].peer.view().report else { panic!() };
    assert_eq!((name.as_str(), offer), ("Grandfather", Some(OFFER)));
    assert_eq!(world.machines[0].peer.view().invitation, None);
    world.command(1, Command::Test("7".into()));
    assert_eq!(world.machines[1].peer.view().report, Some(Report::Failed(Fault::NoAnswer)));
}

#[test]
fn a_changed_offer_is_not_accepted_unseen() {
    let mut world = World::new();
    world.command(0, Command::Wait(true));
    let other = Offer { lines: 15, ..OFFER };
    world.command(1, Command::Invite { address: "0".into(), offer: Some(other), id: None });
    world.settle();
    assert_eq!(world.machines[1].peer.view().report, Some(Report::Failed(Fault::Refused(Refusal::Changed))));
    world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
    world.settle();
    world.command(0, Command::Profile { name: String::new(), offer: other });
    world.settle();
    assert_eq!(world.machines[0].peer.view().invitation, None);
}

#[test]
fn a_lost_connection_is_seen_within_ten_seconds_and_found_again() {
    let mut world = World::playing();
    world.command(0, Command::Play(Point::new(4, 4)));
    world.settle();
    world.assert_agreed();
    world.cut();
    for _ in 0..10 {
        world.wait(Duration::from_secs(1));
    }
    assert!(!world.game(0).connected && !world.game(1).connected);
    world.command(1, Command::Play(Point::new(5, 5)));
    assert_eq!(world.game(1).moves.len(), 1, "the game waits");
    world.come_together();
    world.assert_agreed();
    world.command(1, Command::Play(Point::new(5, 5)));
    world.settle();
    world.assert_agreed();
    assert_eq!(world.game(0).moves.len(), 2);
}

#[test]
fn who_leaves_says_so_and_can_come_back() {
    let mut world = World::playing();
    world.command(0, Command::Play(Point::new(4, 4)));
    world.settle();
    world.command(1, Command::Leave);
    world.settle();
    assert!(world.game(0).left);
    // The program that has left may still be there for a moment.
    world.wait(Duration::from_secs(4));
    world.settle();
    assert!(world.game(0).left && !world.game(0).gone);
    world.kill(1);
    world.come_together();
    world.assert_agreed();
}

#[test]
fn a_greeting_arrives_and_a_stranger_does_not_get_in() {
    let mut world = World::playing();
    world.command(1, Command::Greet(Greeting::GoodLuck));
    world.settle();
    assert_eq!(world.game(0).greeting, Some((Greeting::GoodLuck, 1)));
    // Another key with the right name of the game.
    let machine = &mut world.machines[0];
    let link = 99;
    machine.peer.handle(world.now, linked(link, 7));
    let saved = serde_json::to_value(machine.kept.as_ref()).unwrap();
    let game = saved["game"]["table"]["id"].as_str().unwrap().to_owned();
    let resume = Message::Resume { game, version: 0, hash: "0".repeat(16) };
    for message in [hello(8), reveal(8), resume] {
        machine.peer.handle(world.now, Input::Message { link, message });
    }
    let outputs = machine.peer.take_outputs();
    assert!(
        outputs.contains(&Output::Send { link, message: Message::Decline { why: Refusal::UnknownGame } })
    );
    assert!(outputs.contains(&Output::Close { link }));
    assert!(
        !outputs.iter().any(|output| matches!(output, Output::Send { message: Message::Resume { .. }, .. }))
    );
}

#[test]
fn what_was_said_in_a_game_is_not_shown_in_the_next() {
    for asker in 0..2 {
        let mut world = World::playing();
        world.command(0, Command::Play(Point::new(4, 4)));
        world.settle();
        for side in 0..2 {
            world.command(side, Command::Greet(Greeting::GoodLuck));
        }
        world.settle();
        world.command(asker, Command::Ask(Request::Restart));
        world.settle();
        assert!((0..2).all(|side| world.game(side).greeting.is_some()));
        world.answer(1 - asker, true);
        world.settle();
        assert!((0..2).all(|side| world.game(side).number == 1 && world.game(side).greeting.is_none()));
        world.command(0, Command::Greet(Greeting::Thanks));
        world.settle();
        assert_eq!(world.game(1).greeting.map(|(what, _)| what), Some(Greeting::Thanks));
    }
}

#[derive(Clone, Debug)]
enum Step {
    Command(usize, Command),
    Answer(usize, bool),
    Admit(usize, bool),
    Invite(usize),
    Deliver(usize, usize),
    Wait(u16),
    /// One of the programs gets no time, for so many milliseconds.
    Sleep(usize, u16),
    Cut,
    Up,
    Kill(usize),
    Leave(usize),
}

impl World {
    fn step(&mut self, step: Step) {
        match step {
            Step::Command(side, command) => self.command(side, command),
            Step::Answer(side, yes) => self.answer(side, yes),
            Step::Admit(side, yes) => self.admit(side, yes, false),
            Step::Invite(side) => self.invite(side),
            Step::Deliver(side, which) => {
                self.deliver(side, which);
            }
            Step::Wait(millis) => self.wait(Duration::from_millis(millis.into())),
            Step::Sleep(side, millis) => self.wait_at(&[1 - side], Duration::from_millis(millis.into())),
            Step::Cut => self.cut(),
            Step::Up => self.is_up = true,
            Step::Kill(side) => self.kill(side),
            Step::Leave(side) => self.leave(side),
        }
    }
}

fn side() -> std::ops::Range<usize> {
    0..2
}

fn play() -> impl Strategy<Value = Step> {
    let command = prop_oneof![
        8 => (0u8..6, 0u8..3).prop_map(|(x, y)| Command::Play(Point::new(x, y))),
        2 => prop::sample::select(vec![Request::Undo, Request::Draw, Request::Restart]).prop_map(Command::Ask),
        1 => Just(Command::Greet(Greeting::Thanks)),
        1 => prop::sample::select(vec![Command::Resign, Command::GoOn]),
    ];
    prop_oneof![
        5 => (side(), command).prop_map(|(side, command)| Step::Command(side, command)),
        1 => (side(), prop::bool::weighted(0.8)).prop_map(|(side, yes)| Step::Answer(side, yes)),
    ]
}

fn trouble() -> impl Strategy<Value = Step> {
    prop_oneof![
        14 => (side(), 0usize..4).prop_map(|(side, which)| Step::Deliver(side, which)),
        3 => (0u16..5000).prop_map(Step::Wait),
        1 => (side(), 0u16..12_000).prop_map(|(side, millis)| Step::Sleep(side, millis)),
        1 => Just(Step::Cut),
        2 => Just(Step::Up),
        1 => side().prop_map(Step::Kill),
    ]
}

fn meeting() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => side().prop_map(Step::Invite),
        6 => (side(), prop::bool::weighted(0.8)).prop_map(|(side, yes)| Step::Admit(side, yes)),
        2 => side().prop_map(|side| Step::Command(side, Command::Wait(true))),
        1 => side().prop_map(|side| Step::Command(side, Command::Cancel)),
        1 => side().prop_map(Step::Leave),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn two_programs_come_together_and_agree(
        seconds in prop::option::of(2u16..20),
        steps in prop::collection::vec(prop_oneof![
            5 => play(),
            8 => trouble(),
            1 => side().prop_map(|side| Step::Command(side, Command::Claim)),
        ], 0..150),
    ) {
        let mut world = World::playing_with(Offer { seconds, ..OFFER });
        for step in steps {
            world.step(step);
        }
        world.come_together();
        world.assert_agreed();
        prop_assert!(world.wires.len() <= 2, "connections do not pile up");
    }

    /// Invitations that cross each other, what answers them, and games that are left: there is one
    /// game or none, and never two winners.
    #[test]
    fn two_programs_that_invite_each_other_have_one_game(
        steps in prop::collection::vec(prop_oneof![4 => play(), 8 => trouble(), 5 => meeting()], 0..150),
    ) {
        let mut world = World::with(Offer { wish: Wish::Either, ..OFFER });
        for side in 0..2 {
            world.command(side, Command::Wait(true));
        }
        for step in steps {
            world.step(step);
        }
        world.come_together();
        world.assert_no_two_winners();
        match [0, 1].map(|side| world.machines[side].peer.view().game) {
            [Some(a), Some(b)] if !a.gone && !b.gone => world.assert_agreed(),
            games => {
                for game in games.into_iter().flatten() {
                    prop_assert!(game.gone || game.end.is_some(), "nobody waits for nobody: {game:?}");
                    prop_assert!(!game.may_claim);
                }
            }
        }
    }

    /// Whatever the other player's program says: nobody has lost who has not given up, the game is one
    /// by the rules, and what is kept can be read again.
    #[test]
    fn a_dishonest_partner_wins_nothing(
        steps in prop::collection::vec(prop_oneof![
            12 => partners().prop_map(Some),
            1 => Just(None),
        ], 0..60),
    ) {
        let mut world = World::begun_with(OFFER);
        let saved = serde_json::to_value(world.machines[1].kept.as_ref()).expect("a game");
        let game = saved["game"]["table"]["id"].as_str().expect("a name").to_owned();
        let (version, hash) = (world.game(1).version, saved["game"]["table"]["log"][1]["hash"].clone());
        let hash = hash.as_str().expect("a hash").to_owned();
        world.cut();
        world.wait(Duration::from_secs(10));
        let (mut link, mut connected) = (1001, false);
        for step in std::iter::once(None).chain(steps) {
            let machine = &mut world.machines[1];
            let messages = match step {
                Some(message) => vec![message],
                None => {
                    link += 2;
                    machine.peer.handle(world.now, linked(link, 1));
                    let resume = Message::Resume { game: game.clone(), version, hash: hash.clone() };
                    vec![hello(8), reveal(8), resume]
                }
            };
            for message in messages {
                machine.peer.handle(world.now, Input::Message { link, message });
                for output in machine.peer.take_outputs() {
                    if let Output::KeepGame(game) = output {
                        prop_assert!(game.as_ref().is_none_or(|game| game.is_valid()));
                    }
                }
            }
            let game = world.game(1);
            connected |= game.connected;
            let is_lost = matches!(game.end, Some(End::Lost(color, _)) if color == game.color);
            prop_assert!(!is_lost && game.end != Some(End::Agreed), "{:?}", game.end);
        }
        prop_assert!(connected, "what is said is heard");
    }

    /// Whatever messages come in whatever order, from somebody with another key.
    #[test]
    fn nonsense_ends_a_connection_and_nothing_else(
        messages in prop::collection::vec((0usize..3, message()), 0..40),
    ) {
        let mut world = World::playing();
        let before = world.game(0);
        let peer = &mut world.machines[0].peer;
        for (index, (which, message)) in messages.into_iter().enumerate() {
            let link = 1001 + 2 * which as u64;
            if index % 7 == 0 {
                peer.handle(world.now, linked(link, 7));
            }
            peer.handle(world.now, Input::Message { link, message });
            prop_assert!(peer.take_outputs().len() < 20);
        }
        prop_assert_eq!(world.game(0), before);
    }
}

/// What a partner could say in the game.
fn partners() -> impl Strategy<Value = Message> {
    let request = || prop::sample::select(vec![Request::Undo, Request::Draw, Request::Restart]);
    let side = || prop::sample::select(vec![Side::Host, Side::Guest]);
    let why = || prop::sample::select(vec![Loss::Resigned, Loss::Time, Loss::Absent]);
    let version = || prop_oneof![5 => 0u32..5, 1 => any::<u32>()];
    let hash = || Just("0123456789abcdef".to_owned());
    prop_oneof![
        (version(), side(), why()).prop_map(|(version, side, why)| Message::Lost { version, side, why }),
        (version(), side(), why()).prop_map(|(version, side, why)| Message::Over {
            version,
            side: Some(side),
            why: Some(why)
        }),
        (version(), request(), side(), hash()).prop_map(|(version, what, asker, hash)| Message::Change {
            version,
            what,
            asker,
            hash
        }),
        (version(), 0u32..3, prop::collection::vec((0u8..10, 0u8..10), 0..4))
            .prop_map(|(version, number, moves)| Message::Diverged { version, number, moves }),
        (version(), 0u16..4).prop_map(|(version, stones)| Message::Common { version, stones }),
        message(),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let request = || prop::sample::select(vec![Request::Undo, Request::Draw, Request::Restart]);
    let hash = || Just("0123456789abcdef".to_owned());
    prop_oneof![
        4 => Just(hello(8)),
        4 => Just(reveal(8)),
        1 => Just(Message::Invite { wish: Wish::Either, offer: OFFER, lot: nonce(8).secret().into() }),
        1 => Just(Message::Accept { host: ColorName::Black, lot: nonce(8).secret().into() }),
        1 => Just(Message::Decline { why: Refusal::UnknownGame }),
        1 => (any::<u32>(), hash()).prop_map(|(version, hash)| Message::Resume { game: "x".into(), version, hash }),
        1 => (0u32..3, any::<u8>(), hash()).prop_map(|(version, x, hash)| Message::Move { version, x, y: x, hash }),
        1 => (0u32..3, request()).prop_map(|(version, what)| Message::Ask { version, what }),
        1 => (0u32..3, request()).prop_map(|(version, what)| Message::Answer { version, what, yes: true }),
        1 => any::<u32>().prop_map(|at| Message::Ping { at, version: at, left: Some(at) }),
        1 => any::<u32>().prop_map(|at| Message::Pong { at }),
        1 => Just(Message::Leave {}),
    ]
}
