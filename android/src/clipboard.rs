// SPDX-License-Identifier: GPL-3.0-only
//! The system's clipboard.

use android_activity::AndroidApp;
use jni::errors::Result;
use jni::objects::{JObject, JValue};
use jni::{Env, jni_sig, jni_str};

use crate::java;

/// Puts a text on the clipboard. What goes wrong is logged; who reads it sees that it is not there.
pub(crate) fn set(android: &AndroidApp, text: &str) {
    let put = java::ask(android, |env, activity| {
        let (label, text) = (env.new_string("")?, env.new_string(text)?);
        let clip = env
            .call_static_method(
                jni_str!("android/content/ClipData"),
                jni_str!("newPlainText"),
                jni_sig!((java.lang.CharSequence, java.lang.CharSequence) -> android.content.ClipData),
                &[JValue::Object(&label), JValue::Object(&text)],
            )?
            .l()?;
        let clipboard = manager(env, activity)?;
        let name = jni_str!("setPrimaryClip");
        env.call_method(&clipboard, name, jni_sig!((android.content.ClipData)), &[JValue::Object(&clip)])?;
        Ok(())
    });
    if let Err(error) = put {
        log::warn!("the clipboard cannot be written: {}", java::reason(&error));
    }
}

/// The text on the clipboard, if there is one.
pub(crate) fn get(android: &AndroidApp) -> Option<String> {
    let text = java::ask(android, |env, activity| {
        let clipboard = manager(env, activity)?;
        let name = jni_str!("getPrimaryClip");
        let clip = env.call_method(&clipboard, name, jni_sig!(() -> android.content.ClipData), &[])?.l()?;
        if clip.is_null() {
            return Ok(None);
        }
        let sig = jni_sig!((jint) -> android.content.ClipData::Item);
        let item = env.call_method(&clip, jni_str!("getItemAt"), sig, &[0.into()])?.l()?;
        let sig = jni_sig!((android.content.Context) -> java.lang.CharSequence);
        let text = env.call_method(&item, jni_str!("coerceToText"), sig, &[JValue::Object(activity)])?.l()?;
        java::text(env, &text)
    });
    text.unwrap_or_else(|error| {
        log::warn!("the clipboard cannot be read: {}", java::reason(&error));
        None
    })
}

fn manager<'a>(env: &mut Env<'a>, activity: &JObject) -> Result<JObject<'a>> {
    let service = env.new_string("clipboard")?;
    let sig = jni_sig!((java.lang.String) -> java.lang.Object);
    env.call_method(activity, jni_str!("getSystemService"), sig, &[JValue::Object(&service)])?.l()
}
