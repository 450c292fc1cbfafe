// SPDX-License-Identifier: GPL-3.0-only
//! The loop: what happened is told, what is due is done, what changed is drawn; then it sleeps.

use std::rc::Rc;
use std::time::Duration;

use android_activity::{AndroidApp, MainEvent, PollEvent};
use slint::ComponentHandle;
use slint::platform::{WindowAdapter, duration_until_next_timer_update, update_timers_and_animations};
use wuzi_app::app::App;
use wuzi_app::system::Loudspeaker;

use super::input::Input;
use super::platform::Calls;
use super::window::Window;
use crate::lifecycle::Lifecycle;

/// The time of a frame while something moves.
const FRAME: Duration = Duration::from_millis(16);

/// What one activity consists of.
pub(super) struct EventLoop {
    pub(super) android: AndroidApp,
    pub(super) app: Rc<App>,
    pub(super) window: Rc<Window>,
    pub(super) calls: Calls,
    pub(super) loudspeaker: Loudspeaker,
}

impl EventLoop {
    /// Runs until the user leaves or the system destroys the activity.
    pub(super) fn run(self) {
        let mut lifecycle = Lifecycle::new(Rc::clone(&self.app), self.loudspeaker.clone());
        let mut input = Input::new(self.android.clone(), Rc::clone(&self.app), Rc::clone(&self.window));
        if let Err(error) = self.app.window().show() {
            log::error!("there is no window: {error}");
            return;
        }
        while !self.calls.wants_to_quit() && !lifecycle.is_destroyed() {
            self.android.poll_events(self.next_wake_up(), |event| match event {
                PollEvent::Main(MainEvent::InputAvailable) => input.drain(),
                PollEvent::Main(event) => {
                    self.window.handle(&event);
                    lifecycle.handle(&event, &self.android);
                }
                _ => {}
            });
            for call in self.calls.take() {
                call();
            }
            self.window.take_insets();
            if self.window.is_shown() {
                update_timers_and_animations();
                self.window.draw();
            }
        }
    }

    /// How long to sleep; `None` until something happens. Out of sight nothing is due.
    fn next_wake_up(&self) -> Option<Duration> {
        if !self.window.is_shown() {
            return None;
        }
        let timer = duration_until_next_timer_update();
        let animation = self.window.window().has_active_animations().then_some(FRAME);
        let next = [timer, animation].into_iter().flatten().min()?;
        // The system counts in whole milliseconds; rounded down, the loop would spin.
        Some(Duration::from_millis(next.as_micros().div_ceil(1000) as u64))
    }
}
