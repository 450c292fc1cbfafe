// SPDX-License-Identifier: GPL-3.0-only
//! A tick that is felt. The view gives it, so no permission is needed and the user's system setting
//! is kept to.

use android_activity::AndroidApp;
use jni::{jni_sig, jni_str};

use crate::java;

/// `HapticFeedbackConstants.KEYBOARD_TAP`: short, and known to every version.
const KEYBOARD_TAP: i32 = 3;

/// Lets the device tick once. Returns at once.
pub(crate) fn tick(android: &AndroidApp) {
    java::on_main_thread(android, |env, activity| {
        let view = java::decor_view(env, activity)?;
        let name = jni_str!("performHapticFeedback");
        env.call_method(&view, name, jni_sig!((jint) -> jboolean), &[KEYBOARD_TAP.into()])?;
        Ok(())
    });
}
