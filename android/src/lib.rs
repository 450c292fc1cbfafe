// SPDX-License-Identifier: GPL-3.0-only
//! Wuzi for Android: a thin Slint platform on a `NativeActivity`, and the services that stand behind
//! the controller.
//!
//! ```text
//! activity → lifecycle, input → controller → game → view → window → surface
//! ```
//!
//! [`native`] is the platform; with the feature `skia` Slint's own stands in its place.
#![cfg(target_os = "android")]

#[cfg(not(feature = "skia"))]
mod clipboard;
mod configuration;
mod fonts;
mod haptics;
mod intent;
mod java;
mod lifecycle;
mod logger;
mod multicast;
#[cfg(not(feature = "skia"))]
mod native;
mod share;
#[cfg(feature = "skia")]
mod skia;
mod sound;

use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use android_activity::AndroidApp;
#[cfg(not(feature = "skia"))]
use native::run;
#[cfg(feature = "skia")]
use skia::run;
use wuzi_app::app::App;
use wuzi_app::controller::Controller;
use wuzi_app::system::{self, DataDir, Loudspeaker};

use crate::share::Chooser;
use crate::sound::Felt;

/// Held by the activity that runs.
static RUNNING: Mutex<()> = Mutex::new(());

/// Called by `android-activity` on a thread of its own, once for each activity.
#[unsafe(no_mangle)]
fn android_main(android: AndroidApp) {
    logger::start();
    let _turn = take_turn();
    multicast::follow(&android);
    if let Err(error) = run(&android) {
        log::error!("the app cannot start: {error}");
    }
    multicast::forget();
}

/// There is one game. An app that opens a file or shares something starts another activity in this
/// process; the older one, which has kept everything when it was paused, ends first.
fn take_turn() -> MutexGuard<'static, ()> {
    loop {
        match RUNNING.try_lock() {
            Ok(turn) => return turn,
            Err(TryLockError::Poisoned(turn)) => return turn.into_inner(),
            // It has no event loop before it has begun.
            Err(TryLockError::WouldBlock) => {
                let _ = slint::quit_event_loop();
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// The app with what was kept in the directory that belongs to it alone.
fn open(android: &AndroidApp, loudspeaker: Loudspeaker) -> Result<Rc<App>, Box<dyn std::error::Error>> {
    fonts::use_the_systems();
    let data = DataDir::new(android.internal_data_path().ok_or("there is no directory for its data")?);
    let (settings, kept) = (data.load_settings(), data.load_session());
    let mut services = system::services(&data, Box::new(Felt::new(loudspeaker, android.clone())), None);
    services.sharing = Some(Box::new(Chooser::new(android.clone())));
    let language = configuration::language(&android.config());
    Ok(system::open(Controller::new(services, settings, language, kept.as_ref()))?)
}
