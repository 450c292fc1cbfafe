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

mod configuration;
mod haptics;
mod java;
mod lifecycle;
mod logger;
#[cfg(not(feature = "skia"))]
mod native;
#[cfg(feature = "skia")]
mod skia;
mod sound;

use std::rc::Rc;

use android_activity::AndroidApp;
#[cfg(not(feature = "skia"))]
use native::run;
#[cfg(feature = "skia")]
use skia::run;
use wuzi_app::app::App;
use wuzi_app::controller::Controller;
use wuzi_app::system::{self, DataDir, Loudspeaker};

use crate::sound::Felt;

/// Called by `android-activity` on a thread of its own, once for each activity.
#[unsafe(no_mangle)]
fn android_main(android: AndroidApp) {
    logger::start();
    if let Err(error) = run(&android) {
        log::error!("the app cannot start: {error}");
    }
}

/// The app with what was kept in the directory that belongs to it alone.
fn open(android: &AndroidApp, loudspeaker: Loudspeaker) -> Result<Rc<App>, Box<dyn std::error::Error>> {
    let data = DataDir::new(android.internal_data_path().ok_or("there is no directory for its data")?);
    let (settings, kept) = (data.load_settings(), data.load_session());
    let services = system::services(&data, Box::new(Felt::new(loudspeaker, android.clone())), None);
    let language = configuration::language(&android.config());
    Ok(system::open(Controller::new(services, settings, language, kept.as_ref()))?)
}
