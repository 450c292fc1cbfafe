// SPDX-License-Identifier: GPL-3.0-only
//! The services of machines with an operating system: files, threads and a loudspeaker.

mod beep;
mod fonts;
mod games;
#[cfg(not(target_os = "android"))]
mod guest;
#[cfg(target_os = "android")]
#[path = "no_guest.rs"]
mod guest;
mod music;
mod network;
mod sound;
mod storage;
mod thinker;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use slint::PlatformError;
use wuzi_engine::Color;

pub use fonts::add_last_resort;
pub use games::Games;
pub use network::{LocalNetwork, on_multicast};
pub use sound::{Loudspeaker, Silence};
pub use storage::DataDir;
pub use thinker::{TABLE_BYTES, Worker};

use crate::app::App;
use crate::controller::{Action, Controller};
use crate::network::Act;
use crate::services::{Lamps, Services, Sound};

/// Services that keep their files in `data`. `seed` makes the computer's choices repeat.
#[must_use]
pub fn services(data: &DataDir, sound: Box<dyn Sound>, seed: Option<u64>) -> Services {
    Services {
        sound,
        lamps: Box::new(DrawnLamps),
        storage: Box::new(data.clone()),
        thinker: Box::new(Worker::new(seed, |thought| send(Action::Thought(thought)))),
        games: Box::new(Games::new(data)),
        network: Box::new(LocalNetwork::new(data.clone(), show_network)),
        sharing: None,
    }
}

/// Makes the app to which other threads [`send`] what is to be done.
///
/// # Errors
/// If the platform cannot make a window.
pub fn open(controller: Controller) -> Result<Rc<App>, PlatformError> {
    let app = App::new(controller)?;
    add_last_resort();
    APP.with_borrow_mut(|slot| *slot = Rc::downgrade(&app));
    Ok(app)
}

thread_local! {
    static APP: RefCell<Weak<App>> = const { RefCell::new(Weak::new()) };
}

/// Does something on the interface's thread, whatever thread asks for it. After the end nothing is done.
pub fn send(action: Action) {
    let sent = slint::invoke_from_event_loop(move || {
        if let Some(app) = APP.with_borrow(Weak::upgrade) {
            app.act(action);
        }
    });
    if let Err(error) = sent {
        log::debug!("nothing was done after the end: {error}");
    }
}

/// Brings what the network shows to the app on the interface's thread.
fn show_network(view: wuzi_network::peer::View) {
    network::deliver(view, || {
        let delivered = slint::invoke_from_event_loop(|| {
            if let (Some(app), Some(view)) = (APP.with_borrow(Weak::upgrade), network::newest()) {
                app.act(Action::Network(Act::Shown(Box::new(view))));
            }
        });
        if let Err(error) = &delivered {
            log::debug!("the network has news after the end: {error}");
        }
        delivered.is_ok()
    });
}

/// The lamps are drawn on the game page.
struct DrawnLamps;

impl Lamps for DrawnLamps {
    fn show(&mut self, _side: Option<Color>) {}
}
