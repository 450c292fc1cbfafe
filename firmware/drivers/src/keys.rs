// SPDX-License-Identifier: GPL-3.0-only
//! The board's four keys, without the bouncing of their contacts, and what they mean.
//!
//! KEY0, KEY1 and KEY2 are UNDO, HELP and PAUSE. WK_UP by itself confirms; held down it makes arrows
//! of the others, which lie around it: KEY2 left, KEY1 down, KEY0 right (past the edge the cursor
//! comes in again at the other side).

/// The levels of the four keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// KEY0 is down.
    pub key0: bool,
    /// KEY1 is down.
    pub key1: bool,
    /// KEY2 is down.
    pub key2: bool,
    /// WK_UP is down.
    pub wake: bool,
}

impl Levels {
    /// Whether any key is down.
    #[must_use]
    pub const fn any(self) -> bool {
        self.key0 || self.key1 || self.key2 || self.wake
    }
}

/// What the player asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Take back.
    Undo,
    /// Play for me.
    Help,
    /// Pause, or go on.
    Pause,
    /// Place a stone at the cursor, press the chosen button.
    Confirm,
    /// Cursor to the left.
    Left,
    /// Cursor down.
    Down,
    /// Cursor to the right.
    Right,
}

/// Samples in a row after which a level counts (20 ms).
const STEADY: u8 = 2;

/// The keys over time.
#[derive(Debug, Default)]
pub struct Keys {
    seen: Levels,
    samples: u8,
    steady: Levels,
    /// WK_UP was used to move the cursor and confirms nothing when it is let go.
    chord: bool,
}

impl Keys {
    /// No key is down.
    #[must_use]
    pub const fn new() -> Self {
        let up = Levels { key0: false, key1: false, key2: false, wake: false };
        Self { seen: up, samples: 0, steady: up, chord: false }
    }

    /// Takes the levels, every 10 ms, and gives at most one action.
    pub fn update(&mut self, levels: Levels) -> Option<Action> {
        if levels != self.seen {
            (self.seen, self.samples) = (levels, 0);
        }
        self.samples = self.samples.saturating_add(1);
        if self.samples < STEADY || levels == self.steady {
            return None;
        }
        let before = core::mem::replace(&mut self.steady, levels);
        let arrows = levels.wake || before.wake;
        let went_down = |before: bool, now: bool, plain: Action, arrow: Action| {
            (now && !before).then_some(if arrows { arrow } else { plain })
        };
        let action = went_down(before.key0, levels.key0, Action::Undo, Action::Right)
            .or(went_down(before.key1, levels.key1, Action::Help, Action::Down))
            .or(went_down(before.key2, levels.key2, Action::Pause, Action::Left));
        if levels.wake && !before.wake {
            self.chord = false;
        }
        if arrows && action.is_some() {
            self.chord = true;
        }
        let confirmed = before.wake && !levels.wake && !self.chord;
        action.or(confirmed.then_some(Action::Confirm))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Levels = Levels { key0: false, key1: false, key2: false, wake: false };
    const KEY0: Levels = Levels { key0: true, ..UP };
    const KEY1: Levels = Levels { key1: true, ..UP };
    const KEY2: Levels = Levels { key2: true, ..UP };
    const WAKE: Levels = Levels { wake: true, ..UP };

    /// Holds each of the levels for 50 ms and collects the actions.
    fn play<const N: usize>(held: [Levels; N]) -> ([Option<Action>; 4], usize) {
        let mut keys = Keys::new();
        let mut actions = [None; 4];
        let mut count = 0;
        for levels in held {
            for _ in 0..5 {
                if let Some(action) = keys.update(levels) {
                    actions[count] = Some(action);
                    count += 1;
                }
            }
        }
        (actions, count)
    }

    #[test]
    fn each_key_acts_once_when_it_goes_down() {
        let (actions, count) = play([KEY0, UP, KEY1, UP, KEY2, UP]);
        assert_eq!(actions[..3], [Some(Action::Undo), Some(Action::Help), Some(Action::Pause)]);
        assert_eq!(count, 3);
    }

    #[test]
    fn wake_alone_confirms_when_it_is_let_go() {
        assert_eq!(play([WAKE]).1, 0);
        assert_eq!(play([WAKE, UP]).0[0], Some(Action::Confirm));
    }

    #[test]
    fn wake_held_makes_arrows_and_then_confirms_nothing() {
        let both = |key: Levels| Levels { wake: true, ..key };
        let (actions, count) = play([WAKE, both(KEY0), WAKE, both(KEY1), WAKE, both(KEY2), WAKE, UP]);
        assert_eq!(actions[..3], [Some(Action::Right), Some(Action::Down), Some(Action::Left)]);
        assert_eq!(count, 3);
    }

    #[test]
    fn bouncing_contacts_make_one_press() {
        let mut keys = Keys::new();
        let samples = [KEY0, UP, KEY0, UP, KEY0, KEY0, KEY0, UP, KEY0, KEY0, UP, KEY0, UP, UP, UP];
        let pressed = samples.into_iter().filter_map(|levels| keys.update(levels)).count();
        assert_eq!(pressed, 1);
    }
}
