// SPDX-License-Identifier: GPL-3.0-only
//! The program on every machine: the window, the controller, and the way between them.

use alloc::rc::{Rc, Weak};
use core::cell::{Cell, RefCell};

use slint::{PlatformError, Timer, TimerMode};

use crate::bindings::{self, Models};
use crate::controller::{Action, Controller};
use crate::interface::AppWindow;
use crate::services::Ticket;

/// The window and the controller behind it.
#[expect(missing_debug_implementations, reason = "the window has none")]
pub struct App {
    window: AppWindow,
    controller: RefCell<Controller>,
    models: Models,
    alarm: Timer,
    alarm_set: Cell<Option<Ticket>>,
}

impl App {
    /// Makes the window and connects it to the controller.
    ///
    /// # Errors
    /// If the platform cannot make a window.
    pub fn new(controller: Controller) -> Result<Rc<Self>, PlatformError> {
        let app = Rc::new(Self {
            window: AppWindow::new()?,
            controller: RefCell::new(controller),
            models: Models::default(),
            alarm: Timer::default(),
            alarm_set: Cell::new(None),
        });
        bindings::connect(&app.window, &app.models, &Actor(Rc::downgrade(&app)));
        app.show();
        Ok(app)
    }

    /// The window.
    #[must_use]
    pub const fn window(&self) -> &AppWindow {
        &self.window
    }

    /// Looks at the controller.
    pub fn with_controller<R>(&self, look: impl FnOnce(&Controller) -> R) -> R {
        look(&self.controller.borrow())
    }

    /// Does what was asked for and shows the result.
    pub fn act(self: &Rc<Self>, action: Action) {
        self.controller.borrow_mut().act(action);
        self.show();
        self.set_alarm();
        if self.controller.borrow().wants_to_quit() {
            // On the board there is no event loop to leave, and nothing that asks for it.
            let _ = slint::quit_event_loop();
        }
    }

    fn show(&self) {
        #[cfg(feature = "std")]
        self.copy();
        bindings::show(&self.window, &self.models, &self.controller.borrow());
    }

    /// Brings what was copied to the clipboard. Whether that has taken it is seen only when it is read.
    #[cfg(feature = "std")]
    fn copy(&self) {
        let Some(text) = self.controller.borrow_mut().take_copied() else { return };
        self.window.invoke_copy(text.as_str().into());
        if self.window.invoke_paste() != text {
            self.controller.borrow_mut().act(Action::Archive(crate::archive::Act::NotCopied));
        }
    }

    fn set_alarm(self: &Rc<Self>) {
        let alarm = self.controller.borrow().alarm();
        let ticket = alarm.map(|(ticket, _)| ticket);
        if self.alarm_set.replace(ticket) == ticket {
            return;
        }
        match alarm {
            None => self.alarm.stop(),
            Some((ticket, after)) => {
                let actor = Actor(Rc::downgrade(self));
                self.alarm.start(TimerMode::SingleShot, after, move || actor.act(Action::Alarm(ticket)));
            }
        }
    }
}

/// Sends actions to the app for as long as it lives.
#[derive(Clone)]
pub(crate) struct Actor(Weak<App>);

impl Actor {
    pub(crate) fn act(&self, action: Action) {
        if let Some(app) = self.0.upgrade() {
            app.act(action);
        }
    }
}
