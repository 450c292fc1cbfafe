// SPDX-License-Identifier: GPL-3.0-only
//! A whole hostile peer, with the right key: whatever it says in whatever order, the program goes on,
//! its game is one by the rules, and what it keeps can be read again.
//!
//! The input is a list of lines: a message, or a number of milliseconds that pass, or one of the
//! letters below. `H` and `I` begin a connection and a game as an honest program does, because no
//! input finds what fits to a commitment.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use wuzi_engine::{Game, Point, Size};
use wuzi_network::key::Key;
use wuzi_network::message::{Message, Offer, Request, Wish};
use wuzi_network::peer::{Command, Input, Output, Peer, SavedGame};
use wuzi_network::secure::Nonce;

fuzz_target!(|bytes: &[u8]| {
    let mut now = Duration::ZERO;
    let mut peer = Peer::new(Key([1; 32]), "Wuzi", Vec::new(), None, Duration::ZERO);
    let nonce = |byte| Nonce::of(&[byte; 32]).expect("a hash function");
    let theirs = nonce(3);
    let offer = Offer { lines: 10, seconds: Some(5), ..Offer::default() };
    peer.handle(now, Input::Command(Command::Profile { name: "Host".into(), offer }));
    peer.handle(now, Input::Command(Command::Wait(true)));
    let mut kept: Option<SavedGame> = None;
    let mut link = 1;
    for line in bytes.split(|&byte| byte == b'\n').take(400) {
        let input = match line {
            b"L" => {
                link += 2;
                let (code, lot) = (nonce(1), nonce(2));
                let (key, hash) = (Key([2; 32]), [link as u8; 32]);
                Input::Linked { link, key, hash, code, lot, host: "::1".into() }
            }
            b"H" => {
                let (code, lot) = (theirs.commitment().to_owned(), theirs.commitment().to_owned());
                let (name, program) = (String::new(), String::new());
                let message = Message::Hello { name, program, port: 1, offer: None, code, lot };
                peer.handle(now, Input::Message { link, message });
                let code = theirs.secret().to_owned();
                Input::Message { link, message: Message::Reveal { code } }
            }
            b"I" => {
                let lot = theirs.secret().to_owned();
                Input::Message { link, message: Message::Invite { wish: Wish::Either, offer, lot } }
            }
            b"B" => Input::Broken { link },
            b"Y" => Input::Command(Command::Admit { link, yes: true, never: false }),
            b"y" | b"n" => {
                let Some(game) = peer.view().game else { continue };
                let Some(what) = game.question else { continue };
                Input::Command(Command::Answer { what, version: game.version, yes: line == b"y" })
            }
            b"u" => Input::Command(Command::Ask(Request::Undo)),
            b"r" => Input::Command(Command::Ask(Request::Restart)),
            b"g" => Input::Command(Command::GoOn),
            b"c" => Input::Command(Command::Claim),
            b"x" => Input::Command(Command::Leave),
            [b'p', x, y] => Input::Command(Command::Play(Point::new(*x % 10, *y % 10))),
            line => match Message::decode(line) {
                Ok(message) => Input::Message { link, message },
                Err(_) => {
                    let millis: String = line.iter().take(6).map(|&byte| char::from(byte)).collect();
                    now += Duration::from_millis(millis.parse().unwrap_or(0));
                    peer.tick(now);
                    continue;
                }
            },
        };
        peer.handle(now, input);
        let outputs = peer.take_outputs();
        assert!(outputs.len() < 600, "what is said does not grow out of bounds");
        for output in outputs {
            match output {
                Output::KeepGame(game) => kept = game.map(|game| *game),
                Output::Call { link, .. } => {
                    peer.handle(now, Input::Failed { link, fault: wuzi_network::fault::Fault::NoAnswer });
                }
                Output::Send { message, .. } => assert_eq!(Message::decode(&message.encode()), Ok(message)),
                Output::Close { .. } | Output::KeepKnown(_) => {}
            }
        }
        if let Some(game) = peer.view().game {
            let mut replayed = Game::new(Size::new(10).expect("a size"), game.offer.rule.into());
            for point in game.moves {
                replayed.play(point).expect("the game is one by the rules");
            }
        }
    }
    assert!(kept.is_none_or(|game| game.is_valid()), "what is kept can be read again");
});
