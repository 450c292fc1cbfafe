// SPDX-License-Identifier: GPL-3.0-only
//! Our Slint platform: the software renderer on the activity's own surface.
//!
//! [`event_loop`] sleeps until the activity, a timer or the worker thread has something to say.

mod event_loop;
mod input;
mod insets;
mod keys;
mod platform;
mod surface;
mod window;

use std::rc::Rc;

use android_activity::AndroidApp;
use slint::platform::set_platform;
use wuzi_app::system::Loudspeaker;

use event_loop::EventLoop;
use insets::Insets;
use platform::{Calls, Platform};
use window::Window;

/// Runs the app for as long as there is its activity.
///
/// # Errors
/// If it cannot begin.
pub(crate) fn run(android: &AndroidApp) -> Result<(), Box<dyn std::error::Error>> {
    let calls = Calls::new(android.create_waker());
    let window = Window::new(android.clone(), Insets::new(android.clone()));
    set_platform(Box::new(Platform::new(android.clone(), Rc::clone(&window), calls.clone())))?;
    let loudspeaker = Loudspeaker::default();
    let app = crate::open(android, loudspeaker.clone())?;
    EventLoop { android: android.clone(), app, window, calls, loudspeaker }.run();
    Ok(())
}
