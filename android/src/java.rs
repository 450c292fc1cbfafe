// SPDX-License-Identifier: GPL-3.0-only
//! What only Java can tell or do, asked without any Java code of our own.

use android_activity::AndroidApp;
use jni::errors::Result;
use jni::objects::JObject;
use jni::{Env, JavaVM, jni_sig, jni_str};

/// Runs `ask` on the thread that views belong to, and returns at once. An exception is logged.
pub(crate) fn on_main_thread(
    android: &AndroidApp,
    ask: impl FnOnce(&mut Env, &JObject) -> Result<()> + Send + 'static,
) {
    let kept = android.clone();
    android.run_on_java_main_thread(Box::new(move || {
        let asked = JavaVM::singleton().and_then(|vm| {
            vm.attach_current_thread(|env| {
                let activity = kept.activity_as_ptr().cast();
                // SAFETY: the reference to the activity is valid for as long as `kept` is.
                let activity = unsafe { env.as_cast_raw::<JObject>(&activity)? };
                ask(env, &activity)
            })
        });
        if let Err(error) = asked {
            log::warn!("Java cannot be asked: {error}");
        }
    }));
}

/// The view that fills the activity's window.
pub(crate) fn decor_view<'a>(env: &mut Env<'a>, activity: &JObject) -> Result<JObject<'a>> {
    let window =
        env.call_method(activity, jni_str!("getWindow"), jni_sig!(() -> android.view.Window), &[])?.l()?;
    env.call_method(&window, jni_str!("getDecorView"), jni_sig!(() -> android.view.View), &[])?.l()
}
