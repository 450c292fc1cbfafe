// SPDX-License-Identifier: GPL-3.0-only
//! What goes wrong on real networks, and what a dishonest program might try: nobody loses by it, and
//! both programs believe the same.

mod world;

use std::time::Duration;

use world::{OFFER, World};
use wuzi_engine::{Color, Point};
use wuzi_network::message::{Loss, Message, Offer, Request, Side, Wish};
use wuzi_network::peer::{Command, Found, Input, PATIENCE};
use wuzi_network::table::End;

const CLOCK: Offer = Offer { seconds: Some(10), ..OFFER };

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

/// What a side says that claims the win because the other was away.
fn absent(side: Side) -> Message {
    Message::Lost { version: 2, side, why: Loss::Absent }
}

// Absence.

#[test]
fn who_stays_away_for_three_minutes_has_lost_if_the_other_says_so() {
    let mut world = World::begun_with(OFFER);
    world.cut();
    world.wait(seconds(9));
    world.command(0, Command::Claim);
    assert_eq!(world.game(0).end, None, "not yet");
    world.wait(PATIENCE);
    assert!(world.game(0).may_claim);
    world.command(0, Command::Claim);
    world.come_together();
    world.assert_agreed();
    assert_eq!(world.game(1).end, Some(End::Lost(Color::White, Loss::Absent)));
}

#[test]
fn an_absence_that_was_none_is_no_win() {
    let mut world = World::begun_with(OFFER);
    world.hear(1, absent(Side::Guest));
    assert_eq!((world.game(1).end, world.game(1).connected), (None, false));
    // Absences that were too short do not add up.
    for _ in 0..4 {
        world.cut();
        world.wait(seconds(100));
        world.reconnect();
        world.wait(seconds(3));
        world.settle();
        world.hear(1, absent(Side::Guest));
        assert_eq!(world.game(1).end, None);
    }
    world.come_together();
    world.assert_agreed();
    assert_eq!(world.game(0).end, None);
}

#[test]
fn who_slept_for_three_minutes_was_away_and_may_not_claim_it_of_the_other() {
    for is_killed in [false, true] {
        let mut world = World::begun_with(OFFER);
        world.wait_at(&[0], PATIENCE + seconds(12));
        if is_killed {
            world.kill(1);
        }
        assert!(world.game(0).may_claim);
        world.is_up = false;
        world.wait(seconds(10));
        assert!(!world.game(1).may_claim, "the other was there");
        world.command(0, Command::Claim);
        world.come_together();
        world.assert_agreed();
        assert_eq!(world.game(1).end, Some(End::Lost(Color::White, Loss::Absent)));
    }
}

#[test]
fn without_a_stone_of_both_nobody_can_win_by_absence() {
    let mut world = World::playing();
    world.play(0, 4, 4);
    world.hear(1, Message::Lost { version: 1, side: Side::Guest, why: Loss::Absent });
    assert_eq!(world.game(1).end, None);
    world.cut();
    world.wait(PATIENCE + seconds(20));
    assert!(!world.game(0).may_claim);
    world.command(0, Command::Claim);
    assert_eq!(world.game(0).end, None);
    // It stands in nobody's way for good.
    world.leave(0);
    assert_eq!(world.machines[0].kept, None);
}

// Ends.

#[test]
fn who_has_left_an_ended_game_still_tells_how_it_ended() {
    let resign = |world: &mut World| world.command(0, Command::Resign);
    let claim = |world: &mut World| {
        world.wait(PATIENCE + seconds(20));
        world.command(0, Command::Claim);
    };
    for (end, loser, why) in
        [(&resign as &dyn Fn(&mut World), Color::Black, Loss::Resigned), (&claim, Color::White, Loss::Absent)]
    {
        let mut world = World::begun_with(OFFER);
        world.cut();
        world.wait(seconds(10));
        end(&mut world);
        world.leave(0);
        assert_eq!(world.machines[0].peer.view().game, None);
        assert!(world.machines[0].kept.as_ref().is_some_and(|kept| kept.is_valid() && !kept.is_open()));
        world.come_together();
        assert_eq!(world.game(1).end, Some(End::Lost(loser, why)));
        assert!(!world.game(1).gone);
        assert_eq!(world.machines[0].kept, None, "once the other has heard it, it is forgotten");
        // And it was in nobody's way.
        world.command(1, Command::Leave);
        world.command(0, Command::Wait(true));
        world.invite(1);
        world.settle();
        world.admit(0, true, false);
        world.settle();
        world.assert_agreed();
    }
}

#[test]
fn a_winning_stone_that_was_lost_on_the_way_is_told_later() {
    let mut world = World::playing();
    for i in 0..4 {
        world.play(0, i, 0);
        world.play(1, i, 1);
    }
    world.is_up = false;
    world.wires.iter_mut().for_each(|wire| wire.closed = true);
    world.command(0, Command::Play(Point::new(4, 0)));
    assert!(world.game(0).end.is_some());
    world.leave(0);
    world.wires.clear();
    world.wait(seconds(20));
    world.come_together();
    assert!(matches!(world.game(1).end, Some(End::Stones(_))));
    world.assert_no_two_winners();
}

#[test]
fn a_game_that_the_other_program_no_longer_has_has_no_winner() {
    let mut world = World::begun_with(OFFER);
    world.machines[0].kept = None;
    world.kill(0);
    world.come_together();
    assert!(world.game(1).gone);
    world.wait(PATIENCE * 2);
    world.settle();
    assert!(!world.game(1).may_claim);
    world.command(1, Command::Claim);
    assert_eq!(world.game(1).end, None);
    world.leave(1);
    assert_eq!(world.machines[1].kept, None);
}

#[test]
fn a_call_that_is_ended_while_it_is_accepted_gives_no_win() {
    let mut world = World::new();
    world.command(0, Command::Wait(true));
    world.invite(1);
    world.settle();
    world.admit(0, true, false);
    world.command(1, Command::Cancel);
    world.come_together();
    assert_eq!(world.machines[1].peer.view().game, None);
    assert!(world.game(0).gone && !world.game(0).may_claim);
}

// Invitations.

#[test]
fn invitations_that_cross_give_one_game() {
    for first in 0..2 {
        let mut world = World::with(Offer { wish: Wish::Either, ..OFFER });
        for side in 0..2 {
            world.command(side, Command::Wait(true));
        }
        world.invite(0);
        world.invite(1);
        world.settle();
        world.admit(first, true, false);
        world.admit(1 - first, true, false);
        world.come_together();
        world.assert_agreed();
        assert_eq!(world.game(0).moves.len(), 0);
    }
}

#[test]
fn an_answer_is_for_the_invitation_and_the_question_that_was_seen() {
    let mut world = World::new();
    world.command(0, Command::Wait(true));
    world.invite(1);
    world.settle();
    let shown = world.machines[0].peer.view().invitation.expect("an invitation");
    world.command(1, Command::Cancel);
    world.invite(1);
    world.settle();
    world.command(0, Command::Admit { link: shown.link, yes: true, never: false });
    assert_eq!(world.machines[0].peer.view().game, None);

    let mut world = World::begun_with(OFFER);
    world.command(1, Command::Ask(Request::Draw));
    world.settle();
    let version = world.game(0).version;
    // Another question does not take the place of an open one.
    world.hear(0, Message::Ask { version, what: Request::Undo });
    assert_eq!(world.game(0).question, Some(Request::Draw));
    world.command(0, Command::Answer { what: Request::Undo, version, yes: true });
    assert_eq!(world.game(0).moves.len(), 2);
    world.play(0, 6, 6);
    world.command(1, Command::Ask(Request::Draw));
    world.settle();
    world.command(0, Command::Answer { what: Request::Draw, version, yes: true });
    assert_eq!(world.game(0).end, None, "that was another position");
}

// The clock.

#[test]
fn an_outage_is_not_charged() {
    let mut world = World::begun_with(CLOCK);
    world.play(0, 6, 6);
    world.wait(seconds(4));
    world.settle();
    // His stone is placed in time and does not arrive.
    world.is_up = false;
    world.command(1, Command::Play(Point::new(7, 7)));
    world.cut();
    world.wait(seconds(20));
    assert_eq!(world.game(0).end, None);
    world.reconnect();
    world.assert_agreed();
    assert_eq!((world.game(0).end, world.game(0).moves.len()), (None, 4));
}

#[test]
fn what_was_left_before_an_outage_or_a_short_sleep_is_left_after_it() {
    for sleeps in [false, true] {
        let mut world = World::begun_with(CLOCK);
        if !sleeps {
            // The guest is to move.
            world.play(0, 6, 6);
        }
        for _ in 0..4 {
            world.wait(seconds(1));
            world.settle();
        }
        let left = world.game(0).seconds_left.expect("a clock");
        if sleeps {
            world.wait_at(&[1], Duration::from_millis(3500));
        } else {
            world.cut();
            world.wait(seconds(30));
        }
        world.reconnect();
        world.wait(Duration::from_millis(500));
        world.settle();
        world.assert_agreed();
        assert!(world.game(0).seconds_left.expect("a clock") + 1 >= left);
    }
}

#[test]
fn who_sleeps_does_not_count_that_as_waiting() {
    let mut world = World::begun_with(OFFER);
    world.cut();
    world.wait(seconds(20));
    world.wait_at(&[1], PATIENCE);
    world.wait(seconds(1));
    assert!(!world.game(0).may_claim && world.game(1).may_claim);
}

#[test]
fn the_sleep_of_the_host_is_not_charged() {
    let mut world = World::begun_with(CLOCK);
    world.play(0, 6, 6);
    world.wait(seconds(7));
    world.settle();
    world.command(1, Command::Play(Point::new(7, 7)));
    world.wait_at(&[1], seconds(6));
    // The clock is looked at before the stone.
    world.wait_at(&[0], Duration::from_millis(10));
    world.settle();
    assert_eq!((world.game(0).end, world.game(0).moves.len()), (None, 4));
    // And his own time does not run out while he sleeps.
    world.wait_at(&[1], seconds(60));
    world.reconnect();
    world.assert_agreed();
    assert_eq!(world.game(0).end, None);
}

#[test]
fn leaving_or_a_crash_does_not_give_the_time_back() {
    for leaves in [true, false] {
        let mut world = World::begun_with(Offer { seconds: Some(40), ..OFFER });
        for _ in 0..25 {
            world.wait(seconds(1));
            world.settle();
        }
        let left = world.game(0).seconds_left.expect("a clock");
        assert!(left <= 16);
        if leaves {
            world.leave(0);
        } else {
            world.kill(0);
        }
        for _ in 0..3 {
            world.wait(seconds(1));
            world.settle();
        }
        world.assert_agreed();
        // A crash gives what was not kept yet.
        assert!(world.game(0).seconds_left.expect("a clock") <= left + if leaves { 2 } else { 6 });
    }
}

#[test]
fn without_trouble_the_time_runs_out() {
    let mut world = World::begun_with(CLOCK);
    for _ in 0..12 {
        world.wait(seconds(1));
        world.settle();
    }
    world.assert_agreed();
    assert_eq!(world.game(1).end, Some(End::Lost(Color::Black, Loss::Time)));
}

// Positions.

#[test]
fn who_has_lost_his_own_last_stone_is_told_that_the_positions_differ() {
    let mut world = World::begun_with(OFFER);
    let older = world.machines[0].kept.clone();
    world.play(0, 6, 6);
    world.machines[0].kept = older;
    world.kill(0);
    world.come_together();
    for side in 0..2 {
        assert!(world.game(side).diverged);
        world.command(side, Command::GoOn);
        world.settle();
    }
    world.assert_agreed();
    assert_eq!(world.game(0).moves.len(), 2);
}

#[test]
fn a_number_out_of_all_bounds_does_not_spoil_the_game() {
    let mut world = World::begun_with(OFFER);
    world.hear(0, Message::Diverged { version: 1 << 20, number: 0, moves: Vec::new() });
    world.command(0, Command::GoOn);
    world.come_together();
    world.assert_agreed();
    world.play(0, 6, 6);
    world.assert_agreed();
    assert_eq!(world.game(1).moves.len(), 3);
}

#[test]
fn forged_announcements_do_not_hide_the_way_back() {
    let mut world = World::begun_with(OFFER);
    let id = world.machines[1].key.short();
    let forged = |n: u8| Found {
        id: id.clone(),
        name: "x".into(),
        program: String::new(),
        protocol: 1,
        offer: None,
        addresses: (0..6).map(|i| format!("10.{n}.0.{i}:5858")).collect(),
    };
    world.input(0, Input::Found(vec![forged(0), forged(1)]));
    world.cut();
    world.wait(seconds(10));
    // Only this side calls.
    world.is_up = true;
    for _ in 0..10 {
        world.wait_at(&[0], seconds(1));
        world.settle();
    }
    world.assert_agreed();
}
