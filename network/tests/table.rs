// SPDX-License-Identifier: GPL-3.0-only
//! Two honest tables, whatever happens in whatever order, on connections that break at any moment
//! and programs that are killed: they always agree in the end.

use std::collections::VecDeque;
use std::time::Duration;

use proptest::prelude::*;
use wuzi_engine::{Color, Point};
use wuzi_network::message::{Message, Offer, Request, RuleName, Side};
use wuzi_network::table::Table;

const REQUESTS: [Request; 3] = [Request::Undo, Request::Draw, Request::Restart];

/// Two tables and what is on the way between them.
struct Pair {
    tables: [Table; 2],
    /// To each table; none while it has no connection.
    to: [Option<VecDeque<Message>>; 2],
    /// Whether each has heard on this connection where the other stands.
    attached: [bool; 2],
    now: Duration,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Play(usize, u8, u8),
    Ask(usize, usize),
    Answer(usize, bool),
    Resign(usize),
    Deliver(usize),
    Cut,
    Connect,
    /// The program is killed and started again with what it has kept.
    Kill(usize),
    Claim(usize),
    Wait(u16),
}

impl Pair {
    fn new(rule: RuleName, seconds: Option<u16>) -> Self {
        let offer = Offer { lines: 10, rule, seconds, ..Offer::default() };
        let table = |side| Table::new(side, "game".into(), offer, Color::Black);
        let mut pair = Self {
            tables: [table(Side::Host), table(Side::Guest)],
            to: [Some(VecDeque::new()), Some(VecDeque::new())],
            attached: [true; 2],
            now: Duration::ZERO,
        };
        pair.tables.iter_mut().for_each(|table| table.run_clock(true));
        pair
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Play(side, x, y) => {
                self.tables[side].play(Point::new(x, y));
            }
            Step::Ask(side, what) => {
                self.tables[side].ask(REQUESTS[what]);
            }
            Step::Answer(side, yes) => {
                let table = &mut self.tables[side];
                if let Some(what) = table.question() {
                    table.answer(what, table.version(), yes);
                }
            }
            Step::Resign(side) => self.tables[side].resign(),
            Step::Deliver(side) => self.deliver(side),
            Step::Cut => {
                self.to = [None, None];
                self.attached = [false; 2];
                self.tables.iter_mut().for_each(|table| table.run_clock(false));
            }
            Step::Connect if self.to[0].is_none() => {
                self.to = [
                    Some(VecDeque::from([self.tables[1].resume()])),
                    Some(VecDeque::from([self.tables[0].resume()])),
                ];
            }
            Step::Connect => {}
            Step::Kill(side) => {
                self.step(Step::Cut);
                let kept = self.tables[side].save();
                self.tables[side] = Table::restore(&kept).expect("what was kept is whole");
                assert_eq!(self.tables[side].save(), kept);
            }
            Step::Claim(side) if self.to[side].is_none() => self.tables[side].claim_absence(),
            Step::Claim(_) => {}
            Step::Wait(millis) => {
                self.now += Duration::from_millis(millis.into());
                for table in &mut self.tables {
                    table.at(self.now);
                    table.flag(Duration::from_millis(100));
                }
            }
        }
        self.collect();
    }

    /// What a table says without a connection that it has taken up again is lost.
    fn collect(&mut self) {
        for side in 0..2 {
            let messages = self.tables[side].take_messages();
            if let Some(queue) = &mut self.to[1 - side]
                && self.attached[side]
            {
                queue.extend(messages);
            }
        }
    }

    fn deliver(&mut self, side: usize) {
        let Some(message) = self.to[side].as_mut().and_then(VecDeque::pop_front) else { return };
        match message {
            Message::Resume { version, hash, .. } => {
                self.attached[side] = true;
                self.tables[side].take_messages();
                self.tables[side].resumed(version, &hash);
                self.tables[side].run_clock(true);
            }
            other => self.tables[side].receive(other).expect("the other is honest"),
        }
    }

    fn settle(&mut self) {
        self.step(Step::Connect);
        while self.to.iter().flatten().any(|queue| !queue.is_empty()) {
            self.step(Step::Deliver(0));
            self.step(Step::Deliver(1));
        }
    }

    fn assert_agreed(&self) {
        let [a, b] = &self.tables;
        assert!(!a.is_diverged() && !b.is_diverged(), "two honest tables have one position");
        assert_eq!(a.game().moves(), b.game().moves());
        assert_eq!((a.number(), a.version(), a.end()), (b.number(), b.version(), b.end()));
        assert_eq!((a.asked(), b.asked()), (b.question(), a.question()));
        assert_eq!(a.hash(), b.hash());
        for table in [a, b] {
            assert_eq!(table.is_heard(), table.end().is_some(), "each knows that the other knows the end");
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let side = 0usize..2;
    let step = prop_oneof![
        // A small corner, so that rows come about.
        8 => (side.clone(), 0u8..7, 0u8..3).prop_map(|(s, x, y)| Step::Play(s, x, y)),
        2 => (side.clone(), 0usize..3).prop_map(|(s, what)| Step::Ask(s, what)),
        3 => (side.clone(), prop::bool::weighted(0.8)).prop_map(|(s, yes)| Step::Answer(s, yes)),
        1 => side.clone().prop_map(Step::Resign),
        12 => side.clone().prop_map(Step::Deliver),
        1 => Just(Step::Cut),
        2 => Just(Step::Connect),
        1 => side.clone().prop_map(Step::Kill),
        1 => side.prop_map(Step::Claim),
        1 => (0u16..700).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn honest_tables_agree(
        rule in prop::sample::select(&[RuleName::Freestyle, RuleName::Standard, RuleName::Renju][..]),
        seconds in prop::option::of(1u16..3),
        steps in steps(),
    ) {
        let mut pair = Pair::new(rule, seconds);
        for step in steps {
            pair.step(step);
        }
        pair.settle();
        pair.assert_agreed();
    }
}

#[test]
fn every_change_reaches_the_other_side() {
    let mut pair = Pair::new(RuleName::Freestyle, None);
    let play = |pair: &mut Pair, side, x, y| {
        pair.step(Step::Play(side, x, y));
        pair.settle();
        pair.assert_agreed();
    };
    play(&mut pair, 0, 0, 0);
    play(&mut pair, 0, 1, 0);
    assert_eq!(pair.tables[1].game().moves().len(), 1, "strictly in turn");
    play(&mut pair, 1, 0, 1);
    pair.step(Step::Ask(1, 0));
    pair.settle();
    assert_eq!(pair.tables[0].question(), Some(Request::Undo));
    pair.step(Step::Answer(0, true));
    pair.settle();
    assert_eq!(pair.tables[1].game().moves().len(), 1);
    pair.step(Step::Ask(1, 1));
    pair.settle();
    play(&mut pair, 1, 3, 3);
    assert_eq!(pair.tables[0].question(), None, "a question dies with the next move");
    pair.step(Step::Answer(0, true));
    pair.settle();
    assert!(pair.tables[0].is_running() && pair.tables[1].is_running());
    pair.step(Step::Ask(0, 1));
    pair.settle();
    pair.step(Step::Answer(1, true));
    pair.settle();
    pair.assert_agreed();
    assert!(!pair.tables[0].is_running());
    pair.step(Step::Ask(0, 2));
    pair.settle();
    pair.step(Step::Answer(1, true));
    pair.settle();
    pair.assert_agreed();
    assert_eq!(pair.tables[0].color(Side::Host), Color::White, "colours are swapped");
    assert!(pair.tables[1].is_running() && pair.tables[1].game().moves().is_empty());
}

#[test]
fn a_refused_question_is_not_asked_again_before_the_next_move() {
    let mut pair = Pair::new(RuleName::Freestyle, None);
    pair.step(Step::Play(0, 0, 0));
    pair.step(Step::Ask(0, 1));
    pair.settle();
    pair.step(Step::Answer(1, false));
    pair.settle();
    assert!(!pair.tables[0].ask(Request::Draw));
    assert!(pair.tables[0].ask(Request::Undo), "another one may be");
    pair.settle();
    pair.step(Step::Play(1, 5, 5));
    pair.settle();
    assert!(pair.tables[0].ask(Request::Draw));
}

#[test]
fn what_is_against_the_rules_stops_both_and_they_can_go_on_together() {
    let mut pair = Pair::new(RuleName::Freestyle, None);
    for (side, x) in [(0, 0), (1, 1), (0, 2)] {
        pair.step(Step::Play(side, x, 0));
        pair.settle();
    }
    // A stone where one stands.
    let hash = pair.tables[1].hash();
    pair.tables[0].receive(Message::Move { version: 4, x: 0, y: 0, hash }).unwrap();
    pair.settle();
    assert!(pair.tables.iter().all(Table::is_diverged));
    assert!(!pair.tables[1].play(Point::new(9, 9)));
    assert_eq!(pair.tables[0].their_moves().as_deref(), Some(pair.tables[1].game().moves()));
    pair.tables[0].go_on();
    pair.collect();
    pair.settle();
    assert!(pair.tables[1].is_diverged(), "both must want it");
    pair.tables[1].go_on();
    pair.collect();
    pair.settle();
    pair.assert_agreed();
    assert!(pair.tables[1].play(Point::new(9, 9)));
}

#[test]
fn the_guest_does_not_pay_for_the_way() {
    let round_trip = Duration::from_millis(300);
    let mut table =
        Table::new(Side::Host, "game".into(), Offer { seconds: Some(10), ..Offer::default() }, Color::White);
    table.run_clock(true);
    table.at(Duration::from_millis(10_250));
    table.flag(round_trip);
    assert!(table.is_running(), "a stone placed in time may still be on its way");
    table.at(table.deadline(round_trip).unwrap());
    table.flag(round_trip);
    assert!(!table.is_running());
}
