// SPDX-License-Identifier: GPL-3.0-only
//! Nodes on the loopback interface, with real sockets, keys and threads.

use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use wuzi_engine::Point;
use wuzi_network::fault::Fault;
use wuzi_network::message::{Offer, Refusal, Wish};
use wuzi_network::node::{Node, Start, Store};
use wuzi_network::peer::{Command, Known, Report, SavedGame, View};
use wuzi_network::secure;

/// Longer than anything takes here; a test that waits so long has failed.
const LONG: Duration = Duration::from_secs(30);

struct Nowhere;

impl Store for Nowhere {
    fn keep_game(&mut self, _game: Option<&SavedGame>) -> bool {
        true
    }
    fn settle(&mut self) -> bool {
        true
    }
    fn keep_known(&mut self, _known: &[Known]) {}
}

struct Player {
    node: Node,
    views: Receiver<View>,
    view: View,
}

impl Player {
    fn new(name: &str) -> Self {
        let (show, views) = channel();
        let node = Node::start(Start {
            key: secure::generate().unwrap(),
            program: "Wuzi test".into(),
            known: Vec::new(),
            game: None,
            port: 0,
            discovery: false,
            store: Box::new(Nowhere),
            show: Box::new(move |view| {
                let _ = show.send(view);
            }),
        })
        .unwrap();
        let offer = Offer { wish: Wish::Black, ..Offer::default() };
        node.send(Command::Profile { name: name.into(), offer });
        let mut player = Self { node, views, view: View::default() };
        player.until(|view| view.port.is_some());
        player
    }

    fn until(&mut self, is_reached: impl Fn(&View) -> bool) {
        let end = Instant::now() + LONG;
        while !is_reached(&self.view) {
            let left = end.saturating_duration_since(Instant::now());
            self.view = self.views.recv_timeout(left).unwrap_or_else(|_| panic!("still {:?}", self.view));
        }
    }

    fn address(&self) -> String {
        format!("127.0.0.1:{}", self.view.port.unwrap())
    }

    fn stones(&mut self, count: usize) {
        self.until(|view| view.game.as_ref().is_some_and(|game| game.connected && game.moves.len() == count));
    }
}

fn pair() -> [Player; 2] {
    let (mut host, mut guest) = (Player::new("Host"), Player::new("Guest"));
    host.node.send(Command::Wait(true));
    host.until(|view| view.waiting);
    guest.node.send(Command::Invite { address: host.address(), offer: None, id: None });
    host.until(|view| view.invitation.is_some());
    guest.until(|view| view.asked.as_ref().is_some_and(|asked| !asked.code.is_empty()));
    assert_eq!(
        host.view.invitation.as_ref().map(|i| i.code.clone()),
        guest.view.asked.as_ref().map(|asked| asked.code.clone())
    );
    let link = host.view.invitation.as_ref().unwrap().link;
    host.node.send(Command::Admit { link, yes: true, never: false });
    host.stones(0);
    guest.stones(0);
    [host, guest]
}

#[test]
fn two_nodes_play_and_one_leaves() {
    let [mut host, mut guest] = pair();
    for ply in 0..9u8 {
        let mover = if ply % 2 == 0 { &host } else { &guest };
        mover.node.send(Command::Play(Point::new(ply / 2, ply % 2)));
        host.stones(usize::from(ply) + 1);
        guest.stones(usize::from(ply) + 1);
    }
    for player in [&host, &guest] {
        assert!(player.view.game.as_ref().unwrap().end.is_some(), "five in a row");
    }
    drop(host);
    guest.until(|view| view.game.as_ref().is_some_and(|game| game.left));
}

#[test]
fn who_asks_a_player_who_closes_the_page_is_told() {
    let (mut host, mut guest) = (Player::new("Host"), Player::new("Guest"));
    host.node.send(Command::Wait(true));
    host.until(|view| view.waiting);
    guest.node.send(Command::Invite { address: host.address(), offer: None, id: None });
    host.until(|view| view.invitation.is_some());
    drop(host);
    guest.until(|view| view.report == Some(Report::Failed(Fault::Refused(Refusal::Busy))));
}

#[test]
fn two_hundred_garbage_connections_do_not_disturb_a_game() {
    let [mut host, mut guest] = pair();
    let address = host.address();
    let garbage = thread::spawn(move || {
        for number in 0..200u32 {
            // What is not taken is refused, and that is right too.
            let Ok(mut stream) = TcpStream::connect(&address) else { continue };
            let bytes: Vec<u8> = match number % 5 {
                0 => b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec(),
                1 => b"WUZI\x00\x01\x00\x00\xFF\xFF".to_vec(),
                2 => b"WUZI\x00\x01\x00\x00\x00\x20aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".to_vec(),
                3 => (0..20_000u32).map(|i| (i.wrapping_mul(number) >> 3) as u8).collect(),
                _ => Vec::new(),
            };
            let _ = stream.write_all(&bytes);
        }
    });
    for ply in 0..30u8 {
        let mover = if ply % 2 == 0 { &host } else { &guest };
        mover.node.send(Command::Play(Point::new(ply / 15 * 2 + ply % 2, ply % 15)));
        host.stones(usize::from(ply) + 1);
        guest.stones(usize::from(ply) + 1);
    }
    garbage.join().unwrap();
    let ([a, b], answers) = ([&host, &guest].map(|player| player.view.game.clone().unwrap()), 30);
    assert_eq!((a.moves.len(), &a.moves), (answers, &b.moves));
    assert!(a.connected && b.connected);
}

#[test]
fn a_busy_program_still_says_that_it_is_there() {
    let [host, mut guest] = pair();
    // Longer than the silence after which a connection counts as lost.
    for _ in 0..100 {
        host.node.send(Command::Profile { name: "Host".into(), offer: Offer::default() });
        thread::sleep(Duration::from_millis(100));
    }
    host.node.send(Command::Play(Point::new(0, 0)));
    guest.until(|view| {
        let game = view.game.as_ref().expect("a game");
        assert!(game.connected);
        game.moves.len() == 1
    });
}

#[test]
fn silent_connections_are_ended_and_places_become_free() {
    let mut host = Player::new("Host");
    host.node.send(Command::Wait(true));
    host.until(|view| view.waiting);
    let silent: Vec<TcpStream> = (0..40).filter_map(|_| TcpStream::connect(host.address()).ok()).collect();
    assert!(!silent.is_empty());
    let mut guest = Player::new("Guest");
    let end = Instant::now() + LONG;
    loop {
        guest.node.send(Command::Test(host.address()));
        guest.until(|view| view.calling.is_some());
        guest.until(|view| view.calling.is_none());
        if matches!(guest.view.report, Some(Report::Reached { .. })) {
            break;
        }
        assert!(Instant::now() < end, "{:?}", guest.view.report);
        thread::sleep(Duration::from_millis(500));
    }
}

#[test]
fn who_sends_a_byte_now_and_then_is_dropped() {
    let host = Player::new("Host");
    let mut stream = TcpStream::connect(host.address()).unwrap();
    let opening = b"WUZI\x00\x01\x00\x00\x00\x20".iter().chain(std::iter::repeat(&7));
    let end = Instant::now() + LONG;
    for byte in opening {
        if stream.write_all(&[*byte]).is_err() {
            break;
        }
        assert!(Instant::now() < end, "each byte has bought more time");
        thread::sleep(Duration::from_millis(300));
    }
}

#[test]
fn a_test_says_what_is_wrong() {
    let mut guest = Player::new("Guest");
    let web = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = web.local_addr().unwrap().to_string();
    let server = thread::spawn(move || {
        let (mut stream, _) = web.accept().unwrap();
        stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").unwrap();
    });
    let own = guest.address();
    for (address, fault) in
        [(address.as_str(), Fault::NotWuzi), ("not an address", Fault::Address), (own.as_str(), Fault::Own)]
    {
        guest.node.send(Command::Test(address.into()));
        guest.until(|view| view.calling.is_some());
        guest.until(|view| view.calling.is_none());
        assert_eq!(guest.view.report, Some(Report::Failed(fault)), "{address}");
    }
    server.join().unwrap();
}
