// SPDX-License-Identifier: GPL-3.0-only
//! Two programs on a network that loses connections, and programs that are killed: they find back to
//! each other, agree on the position or stop, and never do what the other has not agreed to.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use proptest::prelude::*;
use wuzi_engine::{Color, Point};
use wuzi_network::fault::Fault;
use wuzi_network::key::Key;
use wuzi_network::message::{Greeting, Message, Offer, Refusal, Request, Wish};
use wuzi_network::peer::{
    Command, GameView, Input, Known, LinkId, Output, PATIENCE, Peer, Report, SavedGame,
};

/// One connection: its number at each end and what is on the way to each end.
#[derive(Default)]
struct Wire {
    ends: [LinkId; 2],
    to: [VecDeque<Message>; 2],
    /// The end has closed it; what is on the way still arrives.
    closed: bool,
}

struct Machine {
    peer: Peer,
    key: Key,
    kept: Option<SavedGame>,
    known: Vec<Known>,
    accepted: LinkId,
}

/// Two machines, at the addresses "0" and "1".
struct World {
    machines: [Machine; 2],
    wires: Vec<Wire>,
    is_up: bool,
    now: Duration,
    made: u8,
}

const OFFER: Offer =
    Offer { wish: Wish::Black, rule: wuzi_network::message::RuleName::Freestyle, lines: 10, seconds: None };

impl World {
    fn new() -> Self {
        let machine = |n: u8| {
            let key = Key([n; 32]);
            Machine {
                peer: Peer::new(key, "Wuzi", Vec::new(), None),
                key,
                kept: None,
                known: Vec::new(),
                accepted: 1,
            }
        };
        let mut world = Self {
            machines: [machine(1), machine(2)],
            wires: Vec::new(),
            is_up: true,
            now: Duration::ZERO,
            made: 0,
        };
        for side in 0..2 {
            world.introduce(side);
        }
        world
    }

    fn introduce(&mut self, side: usize) {
        self.input(side, Input::Listening(side as u16));
        let name = ["Grandfather", "孙女"][side].to_owned();
        self.command(side, Command::Profile { name, offer: OFFER });
    }

    /// A game of the host 0 with the guest 1.
    fn playing() -> Self {
        let mut world = Self::new();
        world.command(0, Command::Wait(true));
        world.command(1, Command::Invite { address: "0".into(), offer: Some(OFFER), id: None });
        world.settle();
        world.admit(0, true, false);
        world.settle();
        world
    }

    fn command(&mut self, side: usize, command: Command) {
        self.input(side, Input::Command(command));
    }

    /// Answers the invitation that is shown.
    fn admit(&mut self, side: usize, yes: bool, never: bool) {
        if let Some(invitation) = self.machines[side].peer.view().invitation {
            self.command(side, Command::Admit { link: invitation.link, yes, never });
        }
    }

    /// Answers the question that is shown.
    fn answer(&mut self, side: usize, yes: bool) {
        let game = self.machines[side].peer.view().game;
        if let Some((version, what)) = game.and_then(|game| Some((game.version, game.question?))) {
            self.command(side, Command::Answer { what, version, yes });
        }
    }

    fn input(&mut self, side: usize, input: Input) {
        self.machines[side].peer.handle(self.now, input);
        self.follow(side);
    }

    fn follow(&mut self, side: usize) {
        for output in self.machines[side].peer.take_outputs() {
            match output {
                Output::Call { link, address } => {
                    let other: usize =
                        address.split(':').next_back().and_then(|a| a.parse().ok()).unwrap_or(9);
                    if self.is_up && other == 1 - side {
                        self.connect(side, link);
                    } else {
                        self.input(side, Input::Failed { link, fault: Fault::NoAnswer });
                    }
                }
                Output::Send { link, message } => {
                    if let Some(wire) = self.wires.iter_mut().find(|w| w.ends[side] == link && !w.closed) {
                        wire.to[1 - side].push_back(message);
                    }
                }
                Output::Close { link } => {
                    if let Some(wire) = self.wires.iter_mut().find(|w| w.ends[side] == link) {
                        wire.closed = true;
                        wire.ends[side] = 0;
                    }
                }
                Output::KeepGame(game) => self.machines[side].kept = game.map(|game| *game),
                Output::KeepKnown(known) => self.machines[side].known = known,
            }
        }
    }

    fn connect(&mut self, caller: usize, link: LinkId) {
        let answerer = &mut self.machines[1 - caller];
        let accepted = answerer.accepted;
        answerer.accepted += 2;
        self.made = self.made.wrapping_add(1);
        let mut wire = Wire::default();
        (wire.ends[caller], wire.ends[1 - caller]) = (link, accepted);
        self.wires.push(wire);
        let hash = [self.made; 32];
        for (side, link) in [(caller, link), (1 - caller, accepted)] {
            let key = self.machines[1 - side].key;
            self.input(side, Input::Linked { link, key, hash, host: (1 - side).to_string() });
        }
    }

    /// Delivers a message to this side; a closed connection ends when all has arrived.
    fn deliver(&mut self, side: usize, which: usize) -> bool {
        let count = self.wires.len();
        let Some(index) = (0..count).map(|i| (i + which) % count).find(|&i| {
            let wire = &self.wires[i];
            wire.ends[side] != 0 && (!wire.to[side].is_empty() || wire.closed)
        }) else {
            return false;
        };
        let link = self.wires[index].ends[side];
        match self.wires[index].to[side].pop_front() {
            Some(message) => {
                // As on a real wire.
                let message = Message::decode(&message.encode()).unwrap();
                self.input(side, Input::Message { link, message });
            }
            None => {
                self.wires[index].ends[side] = 0;
                self.input(side, Input::Broken { link });
            }
        }
        self.wires.retain(|wire| wire.ends != [0, 0]);
        true
    }

    fn settle(&mut self) {
        while self.deliver(0, 0) || self.deliver(1, 0) {}
    }

    fn wait(&mut self, time: Duration) {
        self.now += time;
        for side in 0..2 {
            self.machines[side].peer.tick(self.now);
            self.follow(side);
        }
    }

    /// The network is gone: nothing arrives, and nobody is told.
    fn cut(&mut self) {
        self.is_up = false;
        self.wires.clear();
    }

    /// The program is killed; the system closes its connections. It is started again.
    fn kill(&mut self, side: usize) {
        for wire in &mut self.wires {
            wire.ends[side] = 0;
            wire.closed = true;
        }
        let machine = &mut self.machines[side];
        // It counts from 0 again, as its connections do.
        machine.peer = Peer::new(machine.key, "Wuzi", machine.known.clone(), machine.kept.as_ref());
        machine.accepted += 1000;
        machine.peer.tick(self.now);
        self.follow(side);
        self.introduce(side);
    }

    fn come_together(&mut self) {
        self.is_up = true;
        for _ in 0..60 {
            self.wait(Duration::from_millis(500));
            self.settle();
        }
    }

    fn game(&self, side: usize) -> GameView {
        self.machines[side].peer.view().game.expect("a game")
    }

    fn assert_agreed(&self) {
        let [a, b] = [self.game(0), self.game(1)];
        assert!(a.connected && b.connected);
        assert!(!a.diverged && !b.diverged);
        assert_eq!((&a.moves, a.number, a.version, a.end), (&b.moves, b.number, b.version, b.end));
        assert_eq!((a.color, a.code), (b.color.opposite(), b.code));
        assert_eq!(a.asked, b.question);
        assert_eq!(b.asked, a.question);
    }
}

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
    world.machines[1].peer = Peer::new(Key([3; 32]), "Wuzi", Vec::new(), None);
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
fn who_stays_away_for_three_minutes_has_lost_if_the_other_says_so() {
    let mut world = World::playing();
    world.cut();
    world.wait(Duration::from_secs(9));
    world.command(0, Command::Claim);
    assert_eq!(world.game(0).end, None, "not yet");
    world.wait(PATIENCE);
    assert!(world.game(0).may_claim);
    world.command(0, Command::Claim);
    world.come_together();
    world.assert_agreed();
    assert!(world.game(1).end.is_some());
}

#[test]
fn who_leaves_says_so_and_can_come_back() {
    let mut world = World::playing();
    world.command(0, Command::Play(Point::new(4, 4)));
    world.settle();
    world.command(1, Command::Leave);
    world.settle();
    assert!(world.game(0).left);
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
    machine
        .peer
        .handle(world.now, Input::Linked { link, key: Key([7; 32]), hash: [0; 32], host: "x".into() });
    let saved = serde_json::to_value(machine.kept.as_ref()).unwrap();
    let game = saved["table"]["id"].as_str().unwrap().to_owned();
    let hello = Message::Hello { name: String::new(), program: String::new(), port: 0, offer: None };
    for message in [hello, Message::Resume { game, version: 0, hash: "0".repeat(16) }] {
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

#[derive(Clone, Debug)]
enum Step {
    Command(usize, Command),
    Answer(usize, bool),
    Deliver(usize, usize),
    Wait(u16),
    Cut,
    Up,
    Kill(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let command = prop_oneof![
        8 => (0u8..6, 0u8..3).prop_map(|(x, y)| Command::Play(Point::new(x, y))),
        2 => prop::sample::select(vec![Request::Undo, Request::Draw, Request::Restart]).prop_map(Command::Ask),
        1 => Just(Command::Greet(Greeting::Thanks)),
        1 => prop::sample::select(vec![Command::Resign, Command::Claim, Command::GoOn]),
    ];
    let step = prop_oneof![
        10 => (0usize..2, command).prop_map(|(side, command)| Step::Command(side, command)),
        2 => (0usize..2, prop::bool::weighted(0.8)).prop_map(|(side, yes)| Step::Answer(side, yes)),
        14 => (0usize..2, 0usize..4).prop_map(|(side, which)| Step::Deliver(side, which)),
        3 => (0u16..5000).prop_map(Step::Wait),
        1 => Just(Step::Cut),
        2 => Just(Step::Up),
        1 => (0usize..2).prop_map(Step::Kill),
    ];
    prop::collection::vec(step, 0..150)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn two_programs_come_together_and_agree(steps in steps()) {
        let mut world = World::playing();
        for step in steps {
            match step {
                Step::Command(side, command) => world.command(side, command),
                Step::Answer(side, yes) => world.answer(side, yes),
                Step::Deliver(side, which) => { world.deliver(side, which); }
                Step::Wait(millis) => world.wait(Duration::from_millis(millis.into())),
                Step::Cut => world.cut(),
                Step::Up => world.is_up = true,
                Step::Kill(side) => world.kill(side),
            }
        }
        world.come_together();
        world.assert_agreed();
        prop_assert!(world.wires.len() <= 2, "connections do not pile up");
    }

    /// Whatever messages come in whatever order, from who has the right key or another.
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
                peer.handle(world.now, Input::Linked { link, key: Key([7; 32]), hash: [9; 32], host: "x".into() });
            }
            peer.handle(world.now, Input::Message { link, message });
            prop_assert!(peer.take_outputs().len() < 20);
        }
        prop_assert_eq!(world.game(0), before);
    }
}

fn message() -> impl Strategy<Value = Message> {
    let request = || prop::sample::select(vec![Request::Undo, Request::Draw, Request::Restart]);
    let hash = || Just("0123456789abcdef".to_owned());
    prop_oneof![
        4 => Just(Message::Hello { name: "x".into(), program: String::new(), port: 1, offer: None }),
        1 => Just(Message::Invite { wish: Wish::Either, offer: OFFER }),
        1 => Just(Message::Accept { host: wuzi_network::message::ColorName::Black }),
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

#[test]
fn connections_of_the_world_are_told_apart() {
    // The helper above is right only if every number is used once.
    let world = World::playing();
    let numbers: BTreeMap<LinkId, usize> = world.wires.iter().map(|wire| (wire.ends[0], 1)).collect();
    assert_eq!(numbers.len(), world.wires.len());
}
