// SPDX-License-Identifier: GPL-3.0-only
//! Slint's own Android backend in place of ours: drawn by Skia, with input methods, but with Java code
//! and a library that its build downloads.

use std::cell::RefCell;
use std::rc::Rc;

use android_activity::{AndroidApp, PollEvent};
use slint::ComponentHandle;
use wuzi_app::system::Loudspeaker;

use crate::lifecycle::Lifecycle;

pub(crate) fn run(android: &AndroidApp) -> Result<(), Box<dyn std::error::Error>> {
    let lifecycle = Rc::new(RefCell::new(None::<Lifecycle>));
    let (listening, listener) = (Rc::clone(&lifecycle), android.clone());
    slint::android::init_with_event_listener(android.clone(), move |event| {
        if let (PollEvent::Main(event), Some(lifecycle)) = (event, &mut *listening.borrow_mut()) {
            lifecycle.handle(event, &listener);
        }
    })?;
    let loudspeaker = Loudspeaker::default();
    let app = crate::open(android, loudspeaker.clone())?;
    lifecycle.replace(Some(Lifecycle::new(Rc::clone(&app), loudspeaker)));
    Ok(app.window().run()?)
}
