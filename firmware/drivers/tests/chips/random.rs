// SPDX-License-Identifier: GPL-3.0-only
//! The random numbers with a generator that fails in each of its ways.

use std::collections::HashSet;

use wuzi_drivers::random::{Failure, Generator, Random, Status};

#[derive(Debug, Default)]
struct Hardware {
    status: Status,
    /// Restarts after which it works again.
    heals_after: Option<u32>,
    restarts: u32,
    counter: u32,
    constant: bool,
}

impl Hardware {
    fn working() -> Self {
        Self { status: Status { ready: true, ..Status::default() }, ..Self::default() }
    }
}

impl Generator for Hardware {
    fn status(&mut self) -> Status {
        self.status
    }
    fn number(&mut self) -> u32 {
        assert!(self.status.ready, "read before it is ready");
        if !self.constant {
            self.counter = self.counter.wrapping_add(0x9E37_79B9);
        }
        self.counter
    }
    fn restart(&mut self) {
        self.restarts += 1;
        if self.heals_after == Some(self.restarts) {
            *self = Self { restarts: self.restarts, ..Self::working() };
        }
    }
}

#[test]
fn a_working_generator_is_used() {
    let mut random = Random::new(Hardware::working(), 1);
    // The first number after a start is dropped, the second was the check.
    assert_eq!(random.number(), 0x9E37_79B9_u32.wrapping_mul(3));
    assert_eq!(random.failure(), None);
}

#[test]
fn each_failure_is_retried_then_told_and_the_numbers_go_on() {
    let failing = [
        (Status { ready: true, seed_error: true, ..Status::default() }, false, Failure::Seed),
        (Status { ready: true, clock_error: true, ..Status::default() }, false, Failure::Clock),
        (Status::default(), false, Failure::Silent),
        (Status { ready: true, ..Status::default() }, true, Failure::Repeated),
    ];
    for (status, constant, failure) in failing {
        let hardware = Hardware { status, constant, ..Hardware::default() };
        let mut random = Random::new(hardware, 12345);
        assert_eq!(random.failure(), Some(failure));
        let numbers: HashSet<u32> = (0..1000).map(|_| random.number()).collect();
        assert!(numbers.len() > 990, "{failure}: {} different numbers", numbers.len());
    }
}

#[test]
fn a_failure_that_a_restart_heals_is_not_one() {
    let status = Status { seed_error: true, ..Status::default() };
    for restarts in 1..=3 {
        let hardware = Hardware { status, heals_after: Some(restarts), ..Hardware::default() };
        assert_eq!(Random::new(hardware, 1).failure(), None, "{restarts}");
    }
}

#[test]
fn the_fallback_depends_on_the_seed() {
    let first = |seed| Random::new(Hardware::default(), seed).number();
    assert_ne!(first(2), first(4));
    assert_eq!(first(2), first(2));
}
