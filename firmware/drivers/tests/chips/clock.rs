// SPDX-License-Identifier: GPL-3.0-only
//! The simulated time, which passes only in delays.

use std::cell::Cell;
use std::rc::Rc;

use embedded_hal::delay::DelayNs;

/// A clock that everybody shares.
#[derive(Clone, Debug, Default)]
pub struct Clock(Rc<Cell<u64>>);

impl Clock {
    /// Nanoseconds since the start.
    pub fn now(&self) -> u64 {
        self.0.get()
    }

    /// Milliseconds since the start.
    pub fn ms(&self) -> u64 {
        self.now() / 1_000_000
    }
}

impl DelayNs for Clock {
    fn delay_ns(&mut self, ns: u32) {
        self.0.set(self.0.get() + u64::from(ns));
    }
}
