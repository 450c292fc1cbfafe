// SPDX-License-Identifier: GPL-3.0-only
//! What every touch panel reports, and how reports become the events of a gesture.

/// The screen's width in pixels.
pub const WIDTH: u16 = 480;
/// The screen's height in pixels.
pub const HEIGHT: u16 = 800;

/// A pixel of the screen, from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 0 to 479.
    pub x: u16,
    /// 0 to 799.
    pub y: u16,
}

impl Position {
    /// The position, if it lies on the screen; a chip's noise may not.
    #[must_use]
    pub const fn on_screen(x: u16, y: u16) -> Option<Self> {
        if x < WIDTH && y < HEIGHT { Some(Self { x, y }) } else { None }
    }
}

/// What a panel says when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Nothing new since the last time.
    Unchanged,
    /// No finger.
    Up,
    /// A finger; of several the first.
    Down(Position),
}

/// A touch panel that is asked about every 10 ms.
pub trait TouchPanel {
    /// Why it could not answer.
    type Error;

    /// The newest report.
    ///
    /// # Errors
    /// If the chip did not answer; the next call starts afresh.
    fn read(&mut self) -> Result<Contact, Self::Error>;
}

/// A step of a gesture: press, any number of moves, release, exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TouchEvent {
    /// The finger came down here.
    Pressed(Position),
    /// The finger is here now.
    Moved(Position),
    /// The finger left from here.
    Released(Position),
    /// No finger hovers; also ends a gesture that was given up, without a release.
    Exited,
}

/// Makes gestures from reports.
#[derive(Debug, Default)]
pub struct Gesture {
    finger: Option<Position>,
    failures: u8,
}

impl Gesture {
    /// Failures in a row after which a gesture is given up (0.3 s), so that a panel that went
    /// silent under a finger leaves no button pressed.
    pub const PATIENCE: u8 = 30;

    /// No finger yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { finger: None, failures: 0 }
    }

    /// Takes a report and gives the events that follow from it, in order.
    pub fn update<E>(&mut self, report: Result<Contact, E>) -> impl Iterator<Item = TouchEvent> + use<E> {
        let events = match report {
            Ok(contact) => {
                self.failures = 0;
                self.contact(contact)
            }
            Err(_) => self.failure(),
        };
        events.into_iter().flatten()
    }

    fn contact(&mut self, contact: Contact) -> [Option<TouchEvent>; 2] {
        match (contact, self.finger) {
            (Contact::Unchanged, _) | (Contact::Up, None) => [None, None],
            (Contact::Up, Some(last)) => {
                self.finger = None;
                [Some(TouchEvent::Released(last)), Some(TouchEvent::Exited)]
            }
            (Contact::Down(position), None) => {
                self.finger = Some(position);
                // The move first tells what lies under the finger, as a mouse would.
                [Some(TouchEvent::Pressed(position)), Some(TouchEvent::Moved(position))]
            }
            (Contact::Down(position), Some(last)) => {
                self.finger = Some(position);
                [(position != last).then_some(TouchEvent::Moved(position)), None]
            }
        }
    }

    fn failure(&mut self) -> [Option<TouchEvent>; 2] {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= Self::PATIENCE && self.finger.take().is_some() {
            [Some(TouchEvent::Exited), None]
        } else {
            [None, None]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(gesture: &mut Gesture, report: Result<Contact, ()>) -> [Option<TouchEvent>; 2] {
        let mut events = gesture.update(report);
        [events.next(), events.next()]
    }

    const A: Position = Position { x: 10, y: 20 };
    const B: Position = Position { x: 11, y: 20 };

    #[test]
    fn a_tap_is_press_move_release_exit() {
        let mut gesture = Gesture::new();
        assert_eq!(
            events(&mut gesture, Ok(Contact::Down(A))),
            [Some(TouchEvent::Pressed(A)), Some(TouchEvent::Moved(A))]
        );
        assert_eq!(events(&mut gesture, Ok(Contact::Down(A))), [None, None]);
        assert_eq!(events(&mut gesture, Ok(Contact::Unchanged)), [None, None]);
        assert_eq!(events(&mut gesture, Ok(Contact::Down(B))), [Some(TouchEvent::Moved(B)), None]);
        assert_eq!(
            events(&mut gesture, Ok(Contact::Up)),
            [Some(TouchEvent::Released(B)), Some(TouchEvent::Exited)]
        );
        assert_eq!(events(&mut gesture, Ok(Contact::Up)), [None, None]);
    }

    #[test]
    fn a_few_failures_do_not_end_a_gesture() {
        let mut gesture = Gesture::new();
        events(&mut gesture, Ok(Contact::Down(A)));
        for _ in 1..Gesture::PATIENCE {
            assert_eq!(events(&mut gesture, Err(())), [None, None]);
        }
        assert_eq!(events(&mut gesture, Ok(Contact::Down(B))), [Some(TouchEvent::Moved(B)), None]);
    }

    #[test]
    fn a_panel_gone_silent_gives_the_gesture_up_once_and_without_a_release() {
        let mut gesture = Gesture::new();
        events(&mut gesture, Ok(Contact::Down(A)));
        let mut seen = 0;
        for _ in 0..1000 {
            for event in events(&mut gesture, Err(())).into_iter().flatten() {
                assert_eq!(event, TouchEvent::Exited);
                seen += 1;
            }
        }
        assert_eq!(seen, 1);
        assert_eq!(events(&mut gesture, Ok(Contact::Up)), [None, None]);
        assert_eq!(
            events(&mut gesture, Ok(Contact::Down(B))),
            [Some(TouchEvent::Pressed(B)), Some(TouchEvent::Moved(B))]
        );
    }

    #[test]
    fn positions_off_the_screen_are_none() {
        assert!(Position::on_screen(479, 799).is_some());
        assert!(Position::on_screen(480, 0).is_none());
        assert!(Position::on_screen(0, 800).is_none());
        assert!(Position::on_screen(0xFFFF, 0xFFFF).is_none());
    }
}
