// SPDX-License-Identifier: GPL-2.0-only
//! Lamps and buzzer over time, read from the diary.

use std::time::Duration;

use crate::event::{Event, EventKind};

/// A time during which something was on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pulse {
    /// When it began, in nanoseconds.
    pub start: u64,
    /// How long it lasted.
    pub length: Duration,
}

fn pulses(events: &[Event], from: u64, mut switched: impl FnMut(&EventKind) -> Option<bool>) -> Vec<Pulse> {
    let mut pulses = Vec::new();
    let mut start = None;
    for event in events.iter().filter(|event| event.at.ns >= from) {
        match (switched(&event.kind), start) {
            (Some(true), None) => start = Some(event.at.ns),
            (Some(false), Some(begun)) => {
                pulses.push(Pulse { start: begun, length: Duration::from_nanos(event.at.ns - begun) });
                start = None;
            }
            _ => {}
        }
    }
    pulses
}

/// The finished sounds of the buzzer since `from` (nanoseconds).
#[must_use]
pub fn buzzer(events: &[Event], from: u64) -> Vec<Pulse> {
    pulses(events, from, |kind| match kind {
        EventKind::Buzzer(on) => Some(*on),
        _ => None,
    })
}

/// The finished flashes of lamp DS`index` since `from` (nanoseconds).
#[must_use]
pub fn lamp(events: &[Event], index: u8, from: u64) -> Vec<Pulse> {
    pulses(events, from, |kind| match kind {
        EventKind::Lamp { index: which, on } if *which == index => Some(*on),
        _ => None,
    })
}

/// How often the pulses come, in hertz: from the first beginning to the last. `None` for fewer than two.
#[must_use]
pub fn frequency(pulses: &[Pulse]) -> Option<f64> {
    let (first, last) = (pulses.first()?, pulses.last()?);
    let span = last.start - first.start;
    (span > 0).then(|| (pulses.len() - 1) as f64 * 1e9 / span as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Now;

    #[test]
    fn a_blinking_lamp_has_a_frequency() {
        let events: Vec<Event> = (0..10)
            .map(|at| Event {
                at: Now { ns: at * 500_000_000, cycles: 0 },
                kind: EventKind::Lamp { index: 0, on: at % 2 == 0 },
            })
            .collect();
        let flashes = lamp(&events, 0, 0);
        assert_eq!(flashes.len(), 5);
        assert!(flashes.iter().all(|flash| flash.length == Duration::from_millis(500)));
        assert_eq!(frequency(&flashes), Some(1.0));
        assert!(lamp(&events, 1, 0).is_empty());
        assert_eq!(lamp(&events, 0, 1_000_000_001).len(), 3);
    }
}
