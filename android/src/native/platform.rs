// SPDX-License-Identifier: GPL-3.0-only
//! The Slint platform: one window, the clipboard, and calls from other threads.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use android_activity::{AndroidApp, AndroidAppWaker};
use slint::platform::{Clipboard, EventLoopProxy, WindowAdapter};
use slint::{EventLoopError, PlatformError};

use super::window::Window;
use crate::clipboard;

/// Hands out the only window.
pub(super) struct Platform {
    android: AndroidApp,
    window: Rc<Window>,
    calls: Calls,
}

impl Platform {
    pub(super) const fn new(android: AndroidApp, window: Rc<Window>, calls: Calls) -> Self {
        Self { android, window, calls }
    }
}

impl slint::platform::Platform for Platform {
    fn create_window_adapter(&self) -> Result<Rc<dyn WindowAdapter>, PlatformError> {
        Ok(Rc::clone(&self.window) as Rc<dyn WindowAdapter>)
    }

    fn new_event_loop_proxy(&self) -> Option<Box<dyn EventLoopProxy>> {
        Some(Box::new(self.calls.clone()))
    }

    fn set_clipboard_text(&self, text: &str, clipboard: Clipboard) {
        if clipboard == Clipboard::DefaultClipboard {
            clipboard::set(&self.android, text);
        }
    }

    fn clipboard_text(&self, clipboard: Clipboard) -> Option<String> {
        (clipboard == Clipboard::DefaultClipboard).then(|| clipboard::get(&self.android)).flatten()
    }
}

type Call = Box<dyn FnOnce() + Send>;

/// What other threads want done on the interface's thread. Each call ends its sleep.
#[derive(Clone)]
pub(super) struct Calls {
    pending: Arc<Mutex<Vec<Call>>>,
    quit: Arc<AtomicBool>,
    waker: AndroidAppWaker,
}

impl Calls {
    pub(super) fn new(waker: AndroidAppWaker) -> Self {
        Self { pending: Arc::default(), quit: Arc::default(), waker }
    }

    /// Takes what is pending.
    pub(super) fn take(&self) -> Vec<Call> {
        std::mem::take(&mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether the program shall end.
    pub(super) fn wants_to_quit(&self) -> bool {
        self.quit.load(Ordering::Relaxed)
    }
}

impl EventLoopProxy for Calls {
    fn quit_event_loop(&self) -> Result<(), EventLoopError> {
        self.quit.store(true, Ordering::Relaxed);
        self.waker.wake();
        Ok(())
    }

    fn invoke_from_event_loop(&self, call: Call) -> Result<(), EventLoopError> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        self.waker.wake();
        Ok(())
    }
}
