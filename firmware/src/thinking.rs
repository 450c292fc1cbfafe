// SPDX-License-Identifier: GPL-3.0-only
//! The computer player in the main loop: what it is to think about, and whether it still is.

use alloc::rc::Rc;
use core::cell::{Cell, RefCell};
use core::time::Duration;

use wuzi::services::{Task, Thinker, Ticket};
use wuzi_engine::{Level, Limits};

/// Memory of the search for positions, in bytes.
pub const TABLE_BYTES: usize = 16 * 1024;

/// Positions that the search enters in a second, measured (`docs/board.md`), rounded down.
const POSITIONS_A_SECOND: u64 = 8_000;

/// How far a level may look, in positions: Expert for about a second, Master for about as long as the
/// settings say. The levels below look a few moves ahead and need no limit.
pub const fn limits(level: Level, master: Duration) -> Limits {
    Limits {
        nodes: match level {
            Level::Easy | Level::Normal | Level::Hard => None,
            Level::Expert => Some(POSITIONS_A_SECOND),
            Level::Master => Some(POSITIONS_A_SECOND * master.as_secs()),
        },
        depth: None,
    }
}

/// The task, between the controller and the main loop.
#[derive(Clone, Debug, Default)]
pub struct Desk {
    waiting: Rc<RefCell<Option<Task>>>,
    wanted: Rc<Cell<Option<Ticket>>>,
}

impl Desk {
    /// The task to begin with, if there is one.
    pub fn take(&self) -> Option<Task> {
        self.waiting.borrow_mut().take()
    }

    /// Whether a task waits to be begun.
    pub fn is_waiting(&self) -> bool {
        self.waiting.borrow().is_some()
    }

    /// Whether a task's answer is still waited for.
    pub fn wants(&self, ticket: Ticket) -> bool {
        self.wanted.get() == Some(ticket)
    }
}

impl Thinker for Desk {
    fn start(&mut self, task: Task) {
        self.wanted.set(Some(task.ticket));
        self.waiting.replace(Some(task));
    }

    fn stop(&mut self) {
        self.wanted.set(None);
        self.waiting.replace(None);
    }
}
