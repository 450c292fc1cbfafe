// SPDX-License-Identifier: GPL-3.0-only
//! The parts of the window that the system covers: bars, the keyboard, the screen's cut-outs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use android_activity::{AndroidApp, AndroidAppWaker};
use i_slint_core::lengths::PhysicalEdges;
use jni::errors::Result;
use jni::objects::JObject;
use jni::strings::JNIStr;
use jni::{Env, jni_sig, jni_str};
use slint::PhysicalSize;

use crate::java;

/// The version of Android that knows cut-outs.
const KNOWS_CUTOUTS: i32 = 28;

/// Asks for the covered edges and remembers the answer.
#[derive(Clone)]
pub(super) struct Insets {
    android: AndroidApp,
    answer: Arc<Mutex<PhysicalEdges>>,
    changed: Arc<AtomicBool>,
    waker: AndroidAppWaker,
}

impl Insets {
    pub(super) fn new(android: AndroidApp) -> Self {
        let waker = android.create_waker();
        Self { android, answer: Arc::default(), changed: Arc::default(), waker }
    }

    /// The covered edges of a window of this size, in physical pixels. A window that leaves no
    /// place at all is taken for one that is not covered.
    pub(super) fn edges(&self, size: PhysicalSize) -> PhysicalEdges {
        let (width, height) = (size.width as i32, size.height as i32);
        // Before Android 15 the system itself keeps the content clear of its bars, and says where.
        let rect = self.android.content_rect();
        let content = if rect.right > rect.left && rect.bottom > rect.top {
            PhysicalEdges::new(rect.top, height - rect.bottom, rect.left, width - rect.right)
        } else {
            PhysicalEdges::default()
        };
        let covered = *self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let edges = larger(&larger(&content, &covered), &PhysicalEdges::default());
        let fits = edges.left + edges.right < width && edges.top + edges.bottom < height;
        if fits { edges } else { PhysicalEdges::default() }
    }

    /// Whether another answer has come since this was last asked.
    pub(super) fn has_changed(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed)
    }

    /// Asks for them anew. The answer comes later and wakes the event loop, if it is another one.
    pub(super) fn ask(&self) {
        let (answer, changed, waker) =
            (Arc::clone(&self.answer), Arc::clone(&self.changed), self.waker.clone());
        let version = self.android.config().sdk_version();
        java::on_main_thread(&self.android, move |env, activity| {
            let edges = covered(env, activity, version)?;
            let mut answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
            if *answer != edges {
                *answer = edges;
                changed.store(true, Ordering::Relaxed);
                waker.wake();
            }
            Ok(())
        });
    }
}

fn larger(a: &PhysicalEdges, b: &PhysicalEdges) -> PhysicalEdges {
    PhysicalEdges::new(a.top.max(b.top), a.bottom.max(b.bottom), a.left.max(b.left), a.right.max(b.right))
}

/// What Java says of the window's edges.
fn covered(env: &mut Env, activity: &JObject, version: i32) -> Result<PhysicalEdges> {
    let view = java::decor_view(env, activity)?;
    let name = jni_str!("getRootWindowInsets");
    let insets = env.call_method(&view, name, jni_sig!(() -> android.view.WindowInsets), &[])?.l()?;
    if insets.is_null() {
        return Ok(PhysicalEdges::default());
    }
    let bars = PhysicalEdges::new(
        length(env, &insets, jni_str!("getSystemWindowInsetTop"))?,
        length(env, &insets, jni_str!("getSystemWindowInsetBottom"))?,
        length(env, &insets, jni_str!("getSystemWindowInsetLeft"))?,
        length(env, &insets, jni_str!("getSystemWindowInsetRight"))?,
    );
    if version < KNOWS_CUTOUTS {
        return Ok(bars);
    }
    let name = jni_str!("getDisplayCutout");
    let cutout = env.call_method(&insets, name, jni_sig!(() -> android.view.DisplayCutout), &[])?.l()?;
    if cutout.is_null() {
        return Ok(bars);
    }
    let cutout = PhysicalEdges::new(
        length(env, &cutout, jni_str!("getSafeInsetTop"))?,
        length(env, &cutout, jni_str!("getSafeInsetBottom"))?,
        length(env, &cutout, jni_str!("getSafeInsetLeft"))?,
        length(env, &cutout, jni_str!("getSafeInsetRight"))?,
    );
    Ok(larger(&bars, &cutout))
}

fn length(env: &mut Env, object: &JObject, name: &JNIStr) -> Result<i32> {
    env.call_method(object, name, jni_sig!(() -> jint), &[])?.i()
}
