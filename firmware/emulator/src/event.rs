// SPDX-License-Identifier: GPL-2.0-only
//! What happened on the board, in order, with the emulated time.

use std::fmt;

/// A moment of the emulated board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Now {
    /// Nanoseconds since power was first applied.
    pub ns: u64,
    /// Core clock cycles since then (time asleep included).
    pub cycles: u64,
}

/// Why the board started over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetCause {
    /// Power was applied.
    PowerOn,
    /// The independent watchdog ran out.
    Watchdog,
    /// The program asked for it (AIRCR.SYSRESETREQ).
    Software,
    /// The reset key.
    Pin,
}

impl fmt::Display for ResetCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PowerOn => "power-on",
            Self::Watchdog => "watchdog",
            Self::Software => "software",
            Self::Pin => "reset key",
        })
    }
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The board starts over.
    Reset(ResetCause),
    /// DS0 (index 0) or DS1 (index 1) changed.
    Lamp {
        /// Which lamp.
        index: u8,
        /// Alight or dark.
        on: bool,
    },
    /// The buzzer changed.
    Buzzer(bool),
    /// The LCD's backlight changed.
    Backlight(bool),
    /// A line was sent on USART1 (without its line end).
    Uart(String),
    /// The display was switched on or off, or to sleep.
    Lcd(String),
    /// The EEPROM started a write cycle of this many bytes at this address.
    EepromWrite {
        /// First byte's address.
        address: u8,
        /// Number of bytes.
        count: u8,
    },
    /// Power was cut.
    PowerCut,
    /// A key or the panel was touched from outside.
    Input(String),
    /// The core took a fault exception.
    Fault(String),
    /// Something that real hardware would not forgive, or that is not modelled.
    Warning(String),
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let switched = |on: bool| if on { "on" } else { "off" };
        match self {
            Self::Reset(cause) => write!(f, "reset {cause}"),
            Self::Lamp { index, on } => write!(f, "lamp DS{index} {}", switched(*on)),
            Self::Buzzer(on) => write!(f, "buzzer {}", switched(*on)),
            Self::Backlight(on) => write!(f, "backlight {}", switched(*on)),
            Self::Uart(line) => write!(f, "uart {line}"),
            Self::Lcd(what) => write!(f, "lcd {what}"),
            Self::EepromWrite { address, count } => write!(f, "eeprom write {count} at {address:#04x}"),
            Self::PowerCut => write!(f, "power cut"),
            Self::Input(what) => write!(f, "input {what}"),
            Self::Fault(what) => write!(f, "fault {what}"),
            Self::Warning(what) => write!(f, "warning {what}"),
        }
    }
}

/// Something that happened, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub at: Now,
    /// What.
    pub kind: EventKind,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = self.at.ns / 1000;
        write!(
            f,
            "{:>6}.{:06} s {:>14} cycles  {}",
            us / 1_000_000,
            us % 1_000_000,
            self.at.cycles,
            self.kind
        )
    }
}

/// The board's diary.
#[derive(Debug, Default)]
pub struct Log {
    events: Vec<Event>,
    warned: std::collections::HashSet<String>,
}

impl Log {
    /// Notes that something happened.
    pub fn push(&mut self, at: Now, kind: EventKind) {
        self.events.push(Event { at, kind });
    }

    /// Notes a warning; the same words are noted once only.
    pub fn warn(&mut self, at: Now, what: impl Into<String>) {
        let what = what.into();
        if self.warned.insert(what.clone()) {
            self.push(at, EventKind::Warning(what));
        }
    }

    /// Everything so far, oldest first.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Forgets what was noted so far, for long runs.
    pub fn clear(&mut self) {
        self.events.clear();
    }
}
