// SPDX-License-Identifier: GPL-3.0-only
//! The proof that the main loop is alive, without which the watchdog is not fed.

/// What has been done since the watchdog was fed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alive {
    screen: bool,
    touch: bool,
}

impl Alive {
    /// Nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { screen: false, touch: false }
    }

    /// The screen was served: timers run, changes drawn.
    pub fn screen_served(&mut self) {
        self.screen = true;
    }

    /// The touch panel was asked, whatever it said.
    pub fn touch_read(&mut self) {
        self.touch = true;
    }

    /// Whether both happened since this was last true.
    pub fn proven(&mut self) -> bool {
        let proven = self.screen && self.touch;
        if proven {
            *self = Self::new();
        }
        proven
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_watchdog_is_fed_only_if_screen_and_touch_were_both_served_again() {
        let mut alive = Alive::new();
        assert!(!alive.proven());
        alive.screen_served();
        alive.screen_served();
        assert!(!alive.proven());
        alive.touch_read();
        assert!(alive.proven());
        assert!(!alive.proven());
        alive.touch_read();
        assert!(!alive.proven());
        alive.screen_served();
        assert!(alive.proven());
    }
}
