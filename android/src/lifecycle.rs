// SPDX-License-Identifier: GPL-3.0-only
//! What the system does with the activity, as far as the game is concerned: it begins, goes out of
//! sight, is remembered, comes back and ends.

use std::rc::Rc;

use android_activity::{AndroidApp, MainEvent};
use slint::ComponentHandle;
use wuzi_app::app::App;
use wuzi_app::controller::{Action, Page};
use wuzi_app::interface::Machine;
use wuzi_app::system::Loudspeaker;

use crate::{configuration, intent};

/// What the system keeps for an activity that it ends while a game is on the screen, one over the network,
/// and while there is none.
const AT_THE_BOARD: &[u8] = b"game";
const OVER_THE_NETWORK: &[u8] = b"network";
const ELSEWHERE: &[u8] = b"page";

/// Where the activity stands.
pub(crate) struct Lifecycle {
    app: Rc<App>,
    loudspeaker: Loudspeaker,
    was_resumed: bool,
    destroyed: bool,
}

impl Lifecycle {
    pub(crate) const fn new(app: Rc<App>, loudspeaker: Loudspeaker) -> Self {
        Self { app, loudspeaker, was_resumed: false, destroyed: false }
    }

    /// Whether the activity is gone; Slint's own backend sees to that itself.
    #[cfg(not(feature = "skia"))]
    pub(crate) const fn is_destroyed(&self) -> bool {
        self.destroyed
    }

    pub(crate) fn handle(&mut self, event: &MainEvent, android: &AndroidApp) {
        match event {
            MainEvent::Start => {
                self.configure(android);
                self.app.act(Action::Seen(true));
            }
            MainEvent::ConfigChanged { .. } => self.configure(android),
            MainEvent::Resume { loader, .. } => {
                self.loudspeaker.suspend(false);
                if !std::mem::replace(&mut self.was_resumed, true) {
                    match loader.load().as_deref() {
                        None => intent::open(android),
                        // The game that the system ended goes on where it was.
                        Some(AT_THE_BOARD) => self.app.act(Action::Continue),
                        Some(OVER_THE_NETWORK) => self.app.act(Action::Open(Page::Network)),
                        Some(_) => {}
                    }
                }
            }
            MainEvent::Pause => {
                self.loudspeaker.suspend(true);
                self.app.act(Action::Suspend);
            }
            MainEvent::Stop => self.app.act(Action::Seen(false)),
            MainEvent::SaveState { saver, .. } => {
                self.app.act(Action::Suspend);
                saver.store(self.app.with_controller(|controller| match controller.page() {
                    Page::Game if controller.is_remote() => OVER_THE_NETWORK,
                    Page::Game => AT_THE_BOARD,
                    _ => ELSEWHERE,
                }));
            }
            MainEvent::Destroy => self.destroyed = true,
            _ => {}
        }
    }

    fn configure(&self, android: &AndroidApp) {
        let configuration = android.config();
        self.app.window().global::<Machine>().set_dark(configuration::is_dark(&configuration));
        self.app.act(Action::SystemLanguage(configuration::language(&configuration)));
    }
}
