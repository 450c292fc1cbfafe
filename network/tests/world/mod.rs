// SPDX-License-Identifier: GPL-3.0-only
//! Two programs and a network that loses connections, with a clock that the tests turn.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::collections::VecDeque;
use std::time::Duration;

use wuzi_engine::Point;
use wuzi_network::fault::Fault;
use wuzi_network::key::Key;
use wuzi_network::message::{Message, Offer, Wish};
use wuzi_network::peer::{Command, GameView, Input, Known, LinkId, Output, Peer, SavedGame};
use wuzi_network::secure::Nonce;
use wuzi_network::table::End;

/// One connection: its number at each end and what is on the way to each end.
#[derive(Default)]
pub struct Wire {
    pub ends: [LinkId; 2],
    pub to: [VecDeque<Message>; 2],
    /// The end has closed it; what is on the way still arrives.
    pub closed: bool,
}

pub struct Machine {
    pub peer: Peer,
    pub key: Key,
    pub kept: Option<SavedGame>,
    pub known: Vec<Known>,
    pub accepted: LinkId,
    /// When the program was started.
    pub began: Duration,
}

/// Two machines, at the addresses "0" and "1".
pub struct World {
    pub machines: [Machine; 2],
    pub wires: Vec<Wire>,
    pub is_up: bool,
    pub now: Duration,
    pub made: u8,
    /// What both would like.
    pub offer: Offer,
    /// Who was kept as the winner, on the winner's machine: the game, its number, the machine.
    pub wins: Vec<(String, u32, usize)>,
}

/// When the tests begin, since 1970.
pub const START: Duration = Duration::from_secs(1_700_000_000);

pub const OFFER: Offer =
    Offer { wish: Wish::Black, rule: wuzi_network::message::RuleName::Freestyle, lines: 10, seconds: None };

impl World {
    pub fn new() -> Self {
        Self::with(OFFER)
    }

    /// Two machines at which this game is wanted.
    pub fn with(offer: Offer) -> Self {
        let machine = |n: u8| {
            let key = Key([n; 32]);
            Machine {
                peer: Peer::new(key, "Wuzi", Vec::new(), None, START),
                key,
                kept: None,
                known: Vec::new(),
                accepted: 1,
                began: Duration::ZERO,
            }
        };
        let mut world = Self {
            machines: [machine(1), machine(2)],
            wires: Vec::new(),
            is_up: true,
            now: Duration::ZERO,
            made: 0,
            offer,
            wins: Vec::new(),
        };
        for side in 0..2 {
            world.introduce(side);
        }
        world
    }

    pub fn introduce(&mut self, side: usize) {
        self.input(side, Input::Listening(side as u16));
        let name = ["Grandfather", "孙女"][side].to_owned();
        self.command(side, Command::Profile { name, offer: self.offer });
    }

    /// A game of the host 0 with the guest 1.
    pub fn playing() -> Self {
        Self::playing_with(OFFER)
    }

    /// Such a game.
    pub fn playing_with(offer: Offer) -> Self {
        let mut world = Self::with(offer);
        world.command(0, Command::Wait(true));
        world.invite(1);
        world.settle();
        world.admit(0, true, false);
        world.settle();
        world
    }

    /// A game in which each has placed a stone.
    pub fn begun_with(offer: Offer) -> Self {
        let mut world = Self::playing_with(offer);
        world.play(0, 4, 4);
        world.play(1, 5, 5);
        world.assert_agreed();
        world
    }

    /// Places a stone, which arrives if it can.
    pub fn play(&mut self, side: usize, x: u8, y: u8) {
        self.command(side, Command::Play(Point::new(x, y)));
        self.settle();
    }

    pub fn invite(&mut self, side: usize) {
        let address = (1 - side).to_string();
        self.command(side, Command::Invite { address, offer: Some(self.offer), id: None });
    }

    /// Leaves the game as the program does: it says goodbye, ends and is opened again.
    pub fn leave(&mut self, side: usize) {
        self.command(side, Command::Leave);
        self.kill(side);
    }

    /// The machine hears this on the connection of its game, whatever the other has said.
    pub fn hear(&mut self, side: usize, message: Message) {
        let wire = self.wires.iter().find(|wire| !wire.closed && !wire.ends.contains(&0));
        let link = wire.expect("a connection").ends[side];
        self.input(side, Input::Message { link, message });
    }

    pub fn command(&mut self, side: usize, command: Command) {
        self.input(side, Input::Command(command));
    }

    /// Answers the invitation that is shown.
    pub fn admit(&mut self, side: usize, yes: bool, never: bool) {
        if let Some(invitation) = self.machines[side].peer.view().invitation {
            self.command(side, Command::Admit { link: invitation.link, yes, never });
        }
    }

    /// Answers the question that is shown.
    pub fn answer(&mut self, side: usize, yes: bool) {
        let game = self.machines[side].peer.view().game;
        if let Some((version, what)) = game.and_then(|game| Some((game.version, game.question?))) {
            self.command(side, Command::Answer { what, version, yes });
        }
    }

    pub fn input(&mut self, side: usize, input: Input) {
        let machine = &mut self.machines[side];
        machine.peer.handle(self.now - machine.began, input);
        self.follow(side);
    }

    pub fn follow(&mut self, side: usize) {
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
                Output::KeepGame(game) => {
                    self.machines[side].kept = game.map(|game| *game);
                    self.note_winner(side);
                }
                Output::KeepKnown(known) => self.machines[side].known = known,
            }
        }
    }

    /// Remembers who was kept as the winner.
    pub fn note_winner(&mut self, side: usize) {
        let Some(game) = self.machines[side].peer.view().game else { return };
        let winner = match game.end {
            Some(End::Stones(outcome)) => outcome.winner(),
            Some(End::Lost(loser, _)) => Some(loser.opposite()),
            Some(End::Agreed) | None => None,
        };
        let (Some(winner), Some(kept)) = (winner, &self.machines[side].kept) else { return };
        let kept = serde_json::to_value(kept).expect("what is kept can be written");
        let id = kept["game"]["table"]["id"].as_str().expect("a name").to_owned();
        if winner == game.color {
            self.wins.push((id, game.number, side));
        }
    }

    /// Nobody has ever kept that he has won a game that the other has won.
    pub fn assert_no_two_winners(&self) {
        for (id, number, side) in &self.wins {
            let is_same = |(i, n, s): &&(String, u32, usize)| i == id && n == number && s != side;
            assert_eq!(self.wins.iter().find(is_same), None, "both have won");
        }
    }

    pub fn connect(&mut self, caller: usize, link: LinkId) {
        let answerer = &mut self.machines[1 - caller];
        let accepted = answerer.accepted;
        answerer.accepted += 2;
        self.made = self.made.wrapping_add(1);
        let mut wire = Wire::default();
        (wire.ends[caller], wire.ends[1 - caller]) = (link, accepted);
        self.wires.push(wire);
        let hash = [self.made; 32];
        let nonce = |side: usize, what: u8| {
            let mut bytes = [self.made; 32];
            (bytes[0], bytes[1]) = (side as u8, what);
            Nonce::of(&bytes).expect("a hash function")
        };
        let nonces = [0, 1].map(|side| (nonce(side, 0), nonce(side, 1)));
        for (side, link) in [(caller, link), (1 - caller, accepted)] {
            let key = self.machines[1 - side].key;
            let (code, lot) = nonces[side].clone();
            self.input(side, Input::Linked { link, key, hash, code, lot, host: (1 - side).to_string() });
        }
    }

    /// Delivers a message to this side; a closed connection ends when all has arrived.
    pub fn deliver(&mut self, side: usize, which: usize) -> bool {
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

    pub fn settle(&mut self) {
        while self.deliver(0, 0) || self.deliver(1, 0) {}
    }

    /// Time passes at both machines.
    pub fn wait(&mut self, time: Duration) {
        self.wait_at(&[0, 1], time);
    }

    /// Time passes; the programs that are not named here sleep.
    pub fn wait_at(&mut self, awake: &[usize], time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now = end.min(self.now + Duration::from_millis(500));
            for &side in awake {
                let machine = &mut self.machines[side];
                machine.peer.tick(self.now - machine.began);
                self.follow(side);
            }
        }
    }

    /// The network is gone: nothing arrives, and nobody is told.
    pub fn cut(&mut self) {
        self.is_up = false;
        self.wires.clear();
    }

    /// The program is killed; the system closes its connections. It is started again.
    pub fn kill(&mut self, side: usize) {
        for wire in &mut self.wires {
            wire.ends[side] = 0;
            wire.closed = true;
        }
        let machine = &mut self.machines[side];
        // It counts from 0 again, as its connections do.
        let known = machine.known.clone();
        machine.peer = Peer::new(machine.key, "Wuzi", known, machine.kept.as_ref(), START + self.now);
        machine.began = self.now;
        machine.accepted += 1000;
        machine.peer.tick(Duration::ZERO);
        self.follow(side);
        self.introduce(side);
    }

    /// The network works until both are connected again.
    pub fn reconnect(&mut self) {
        self.is_up = true;
        for _ in 0..60 {
            if self.game(0).connected && self.game(1).connected {
                return;
            }
            self.wait(Duration::from_millis(500));
            self.settle();
        }
    }

    pub fn come_together(&mut self) {
        self.is_up = true;
        for _ in 0..60 {
            self.wait(Duration::from_millis(500));
            self.settle();
        }
    }

    pub fn game(&self, side: usize) -> GameView {
        self.machines[side].peer.view().game.expect("a game")
    }

    pub fn assert_agreed(&self) {
        let [a, b] = [self.game(0), self.game(1)];
        assert!(a.connected && b.connected);
        assert!(!a.diverged && !b.diverged);
        assert_eq!((&a.moves, a.number, a.version, a.end), (&b.moves, b.number, b.version, b.end));
        assert_eq!((a.color, a.code), (b.color.opposite(), b.code));
        assert_eq!(a.asked, b.question);
        assert_eq!(b.asked, a.question);
    }
}

pub fn nonce(byte: u8) -> Nonce {
    Nonce::of(&[byte; 32]).expect("a hash function")
}

/// A connection to who has the key of so many equal bytes.
pub fn linked(link: LinkId, key: u8) -> Input {
    let (code, lot) = (nonce(1), nonce(2));
    Input::Linked { link, key: Key([key; 32]), hash: [9; 32], code, lot, host: "x".into() }
}

pub fn hello(byte: u8) -> Message {
    let commitment = nonce(byte).commitment().to_owned();
    let (code, lot) = (commitment.clone(), commitment);
    Message::Hello { name: "x".into(), program: String::new(), port: 1, offer: None, code, lot }
}

pub fn reveal(byte: u8) -> Message {
    Message::Reveal { code: nonce(byte).secret().into() }
}
