// SPDX-License-Identifier: GPL-3.0-only
//! A whole hostile peer, with the right key: whatever it says in whatever order, the program goes on,
//! its game is one by the rules, and what it keeps can be read again.
//!
//! The input is a list of lines: a message, or a number of milliseconds that pass, or one of the
//! letters below.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use wuzi_engine::{Game, Point, Size};
use wuzi_network::key::Key;
use wuzi_network::message::{Message, Offer, Request};
use wuzi_network::peer::{Command, Input, Output, Peer, SavedGame};

fuzz_target!(|bytes: &[u8]| {
    let mut now = Duration::ZERO;
    let mut peer = Peer::new(Key([1; 32]), "Wuzi", Vec::new(), None);
    let offer = Offer { lines: 10, seconds: Some(5), ..Offer::default() };
    peer.handle(now, Input::Command(Command::Profile { name: "Host".into(), offer }));
    peer.handle(now, Input::Command(Command::Wait(true)));
    let mut kept: Option<SavedGame> = None;
    let mut link = 1;
    for line in bytes.split(|&byte| byte == b'\n').take(400) {
        let input = match line {
            b"L" => {
                link += 2;
                Input::Linked { link, key: Key([2; 32]), hash: [link as u8; 32], host: "::1".into() }
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
