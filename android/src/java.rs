// SPDX-License-Identifier: GPL-3.0-only
//! What only Java can tell or do, asked without any Java code of our own.

use android_activity::AndroidApp;
use jni::errors::{Error, Result};
use jni::objects::{JObject, JString};
use jni::{Env, JavaVM, jni_sig, jni_str};
use wuzi_app::message::Message;

/// Asks on this thread and waits for the answer. What Java throws is the error.
pub(crate) fn ask<T>(android: &AndroidApp, ask: impl FnOnce(&mut Env, &JObject) -> Result<T>) -> Result<T> {
    JavaVM::singleton()?.attach_current_thread(|env| {
        let activity = android.activity_as_ptr().cast();
        // SAFETY: the reference to the activity is valid for as long as `android` is.
        let activity = unsafe { env.as_cast_raw::<JObject>(&activity)? };
        ask(env, &activity)
    })
}

/// Asks on the thread that views belong to, and returns at once. What goes wrong is logged.
pub(crate) fn on_main_thread(
    android: &AndroidApp,
    ask: impl FnOnce(&mut Env, &JObject) -> Result<()> + Send + 'static,
) {
    on_main_thread_or(android, ask, |_| {});
}

/// As [`on_main_thread`]; `failed` is told why, there.
pub(crate) fn on_main_thread_or(
    android: &AndroidApp,
    ask: impl FnOnce(&mut Env, &JObject) -> Result<()> + Send + 'static,
    failed: impl FnOnce(Message) + Send + 'static,
) {
    let kept = android.clone();
    android.run_on_java_main_thread(Box::new(move || {
        if let Err(error) = self::ask(&kept, ask) {
            log::warn!("Java cannot be asked: {}", reason(&error));
            failed(message(&error));
        }
    }));
}

/// What went wrong, in the system's words, without the trace.
pub(crate) fn reason(error: &Error) -> String {
    match error {
        Error::CaughtJavaException { name, msg, .. } if msg.is_empty() => name.clone(),
        Error::CaughtJavaException { msg, .. } => msg.clone(),
        error => error.to_string(),
    }
}

/// The same for the user.
pub(crate) fn message(error: &Error) -> Message {
    let chinese = match error {
        Error::CaughtJavaException { name, .. } if name.ends_with("SecurityException") => "没有权限",
        Error::CaughtJavaException { name, .. } if name.ends_with("FileNotFoundException") => {
            "打不开这个文件"
        }
        Error::CaughtJavaException { name, .. } if name.ends_with("ActivityNotFoundException") => {
            "没有能接收的应用"
        }
        error => return reason(error).into(),
    };
    Message::new(reason(error), chinese)
}

/// What the object says of itself, `toString`: of a text the text; `None` if there is no object.
pub(crate) fn text(env: &mut Env, object: &JObject) -> Result<Option<String>> {
    if object.is_null() {
        return Ok(None);
    }
    let name = jni_str!("toString");
    let text = env.call_method(object, name, jni_sig!(() -> java.lang.String), &[])?.l()?;
    Ok(Some(env.cast_local::<JString>(text)?.try_to_string(env)?))
}

/// The view that fills the activity's window.
pub(crate) fn decor_view<'a>(env: &mut Env<'a>, activity: &JObject) -> Result<JObject<'a>> {
    let window =
        env.call_method(activity, jni_str!("getWindow"), jni_sig!(() -> android.view.Window), &[])?.l()?;
    env.call_method(&window, jni_str!("getDecorView"), jni_sig!(() -> android.view.View), &[])?.l()
}
