// SPDX-License-Identifier: GPL-3.0-only
//! The app on a phone and a player at another machine play with each other, over real sockets.

use std::sync::{Mutex, MutexGuard, PoisonError};

use wuzi_android_harness::picture::Picture;
use wuzi_android_harness::player::Player;
use wuzi_android_harness::{ORIGINAL, Phone, data, key, point};
use wuzi_engine::{Color, Point};
use wuzi_network::message::{Loss, Offer, Request, Wish};
use wuzi_network::peer::{Command, View};
use wuzi_network::table::End;

/// Places of the original's screen.
const NETWORK: (f32, f32) = (426.0, 746.0);
const NAME: (f32, f32) = (350.0, 82.0);
const WAIT: (f32, f32) = (240.0, 326.0);
const FIRST_PLAYER: (f32, f32) = (240.0, 405.0);
const ADDRESS: (f32, f32) = (350.0, 660.0);
const TEST: (f32, f32) = (123.0, 710.0);
const INVITE: (f32, f32) = (356.0, 710.0);
const ACCEPT: (f32, f32) = (143.0, 477.0);
const UNDO: (f32, f32) = (25.0, 20.0);
const CONSENT: (f32, f32) = (124.0, 169.0);
const RESIGN: (f32, f32) = (396.0, 762.0);
const RESIGN_INDEED: (f32, f32) = (337.0, 412.0);

/// Held by the test that shows a player to others: one that looks for players meets no other test's.
fn alone() -> MutexGuard<'static, ()> {
    static SHOWN: Mutex<()> = Mutex::new(());
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn white() -> Offer {
    Offer { wish: Wish::White, ..Offer::default() }
}

/// Black or white, where a stone is seen on this point.
fn stone_seen(picture: &Picture, column: u32, row: u32) -> Option<Color> {
    // Beside the lines, and beside the mark of the last stone.
    let (x, y) = point(column, row);
    let [red, _, blue] = picture.pixels[(y as usize + 7) * picture.width as usize + x as usize + 7];
    match (red, blue) {
        (..=100, _) => Some(Color::Black),
        (_, 150..) => Some(Color::White),
        _ => None,
    }
}

/// Waits until the phone shows the empty board: the wood beside its middle.
fn begin(phone: &mut Phone) {
    phone.until("the board", |phone| {
        let picture = phone.picture();
        let (x, y) = point(7, 7);
        let [red, _, blue] = picture.pixels[(y as usize + 7) * picture.width as usize + x as usize + 7];
        red > 150 && blue < 150
    });
    phone.settle();
}

/// The phone waits, the player calls it and a finger accepts: the phone has black.
fn pair(phone: &mut Phone) -> Player {
    let mut player = Player::new("Desk", white(), false);
    let menu = phone.picture();
    phone.at(NETWORK);
    phone.until("the page", |phone| phone.picture().differs_from(&menu));
    phone.until("it listens", |phone| phone.port().is_some());
    phone.at(WAIT);
    let page = phone.picture();
    let address = format!("127.0.0.1:{}", phone.port().unwrap());
    player.act(Command::Invite { address, offer: None, id: None });
    phone.until("the invitation", |phone| phone.picture().differs_from(&page));
    phone.settle();
    phone.at(ACCEPT);
    player.stones(0);
    begin(phone);
    assert_eq!(player.view.game.as_ref().map(|game| game.color), Some(Color::White));
    player
}

/// Both have the same position with so many stones, and the phone shows the last of them.
fn agree(phone: &mut Phone, player: &mut Player, count: usize) {
    player.stones(count);
    phone.until("the same position", |phone| {
        phone.network_hash().is_some_and(|hash| player.hash() == Some(hash))
    });
    for (ply, stone) in player.view.game.as_ref().unwrap().moves.iter().enumerate() {
        let color = if ply % 2 == 0 { Color::Black } else { Color::White };
        let (column, row) = (stone.x.into(), stone.y.into());
        phone.until("the stone", |phone| stone_seen(&phone.picture(), column, row) == Some(color));
    }
}

/// Stones from both sides in turn, from this number on.
fn play(phone: &mut Phone, player: &mut Player, plies: std::ops::Range<u8>) {
    for ply in plies {
        let (column, row) = (2 + ply / 2 * 2, 3 + ply % 2 * 4);
        if ply % 2 == 0 {
            phone.stone(column.into(), row.into());
        } else {
            player.act(Command::Play(Point::new(column, row)));
        }
        agree(phone, player, usize::from(ply) + 1);
    }
}

#[test]
fn a_phone_and_a_desk_play_with_each_other() {
    let _alone = alone();
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    let mut player = pair(&mut phone);
    play(&mut phone, &mut player, 0..6);

    // The phone asks for its last stone and the answer to it.
    phone.at(UNDO);
    player.until("the question", |view| view.game.as_ref().is_some_and(|game| game.question.is_some()));
    let game = player.view.game.as_ref().unwrap();
    assert_eq!(game.question, Some(Request::Undo));
    player.act(Command::Answer { what: Request::Undo, version: game.version, yes: true });
    agree(&mut phone, &mut player, 4);
    assert_eq!(stone_seen(&phone.picture(), 6, 3), None, "it is taken back");
    play(&mut phone, &mut player, 4..6);

    // The other player asks, and a finger consents.
    let before = phone.picture();
    player.act(Command::Ask(Request::Undo));
    phone.until("the question", |phone| phone.picture().differs_from(&before));
    phone.at(CONSENT);
    player.stones(5);
    player.act(Command::Play(Point::new(6, 12)));
    agree(&mut phone, &mut player, 6);

    phone.at(RESIGN);
    phone.at(RESIGN_INDEED);
    player.until("the end", |view| view.game.as_ref().is_some_and(|game| game.end.is_some()));
    let end = player.view.game.as_ref().and_then(|game| game.end);
    assert_eq!(end, Some(End::Lost(Color::Black, Loss::Resigned)));
    assert_eq!(phone.finished_games(), 1, "the phone has kept the game\n{}", phone.log());
}

#[test]
fn a_killed_phone_comes_back_to_the_game() {
    let _alone = alone();
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    let mut player = pair(&mut phone);
    play(&mut phone, &mut player, 0..3);

    // Killed at once; the user starts the app anew and opens the page.
    drop(phone);
    player.until("that it has gone", |view| view.game.as_ref().is_some_and(|game| !game.connected));
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(NETWORK);
    agree(&mut phone, &mut player, 3);
    play(&mut phone, &mut player, 3..5);

    // Ended by the system in the background, which brings it back where it was.
    let kept = phone.leave();
    drop(phone);
    player.until("that it has gone", |view| view.game.as_ref().is_some_and(|game| !game.connected));
    let mut phone = Phone::new(&data, ORIGINAL);
    phone.launch(&kept);
    agree(&mut phone, &mut player, 5);
    play(&mut phone, &mut player, 5..8);
}

#[test]
fn a_phone_calls_an_address_that_is_typed_by_hand() {
    let _alone = alone();
    let (_dir, data) = data();
    let mut player = Player::new("Desk", white(), false);
    player.act(Command::Wait(true));
    player.until("that it waits", |view| view.waiting);
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(NETWORK);
    phone.at(NAME);
    phone.type_text("ada");
    phone.at(ADDRESS);
    phone.type_text(&player.address());
    assert!(phone.state().keyboard > 0, "the on-screen keyboard is asked for");
    // It comes without an event.
    phone.tell("insets 0 350 0 0");
    phone.until("the keyboard covers nothing", |phone| phone.picture().is_blank(450..800));
    phone.tell("insets 0 0 0 0");
    phone.until("the page is whole again", |phone| !phone.picture().is_blank(450..800));
    // Only who was looked for can be invited.
    phone.at(INVITE);
    assert_eq!(player.look().invitation, None);
    phone.at(TEST);
    phone.until("the invitation", |phone| {
        phone.at(INVITE);
        player.look().invitation.is_some()
    });
    let link = player.view.invitation.as_ref().unwrap().link;
    player.act(Command::Admit { link, yes: true, never: false });
    player.stones(0);
    begin(&mut phone);
    play(&mut phone, &mut player, 0..2);
    assert_eq!(player.view.game.as_ref().map(|game| game.partner.as_str()), Some("ada"));
}

/// Over multicast, if the machine is on a network.
#[test]
fn a_phone_and_a_desk_find_each_other() {
    let _alone = alone();
    let mut player = Player::new("Desk", white(), true);
    player.act(Command::Wait(true));
    player.until("that it waits", |view| view.waiting);
    if player.view.addresses.is_empty() {
        println!("left out: this machine is on no network");
        return;
    }
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    phone.at(NETWORK);
    phone.until("it listens", |phone| phone.port().is_some());
    phone.at(NAME);
    phone.type_text("ada");
    let is_seen = |view: &View| view.players.iter().any(|found| found.name == "ada" && found.offer.is_some());
    assert!(!is_seen(player.look()), "it does not wait yet");
    phone.at(WAIT);
    player.until("the phone is seen", is_seen);
    phone.at(WAIT);
    player.until("the phone is gone", |view| !is_seen(view));
    // Others on the network stand above it.
    let row = player.view.players.iter().filter(|found| found.id < player.id).count();
    let place = (FIRST_PLAYER.0, FIRST_PLAYER.1 + 54.0 * row as f32);
    phone.until("the invitation", |phone| {
        phone.at(place);
        player.look().invitation.as_ref().is_some_and(|invitation| invitation.name == "ada")
    });
    let link = player.view.invitation.as_ref().unwrap().link;
    player.act(Command::Admit { link, yes: true, never: false });
    player.stones(0);
    begin(&mut phone);
    play(&mut phone, &mut player, 0..2);
}

#[test]
fn the_lock_of_multicast_is_held_while_players_are_looked_for() {
    let (_dir, data) = data();
    let mut phone = Phone::open(&data, ORIGINAL);
    assert_eq!(phone.state().multicast, 0);
    phone.at(NETWORK);
    assert_eq!(phone.state().multicast, 1);
    // The goodbye takes a moment.
    let is_free = |phone: &mut Phone| {
        (0..50).any(|_| {
            phone.wait(100);
            phone.state().multicast == 0
        })
    };
    phone.leave();
    assert!(is_free(&mut phone), "nobody is looked for out of sight");
    phone.come_back();
    assert_eq!(phone.state().multicast, 1);
    phone.press(key::BACK);
    assert!(is_free(&mut phone));
}
