// SPDX-License-Identifier: GPL-3.0-only
//! The game with which another app starts this one: a file to open, or what it shares.

use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;

use android_activity::AndroidApp;
use jni::errors::{Error, Result};
use jni::objects::{JObject, JValue};
use jni::{Env, jni_sig, jni_str};
use wuzi_app::archive::Act;
use wuzi_app::controller::Action;
use wuzi_app::files::MAX_BYTES;
use wuzi_app::message::Message;
use wuzi_app::system;

use crate::java;

/// `Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY`: an old intent, which was answered in its time.
const FROM_HISTORY: i32 = 0x0010_0000;

/// What another app gives.
enum Given {
    Text(String),
    /// The address of a file, such as `content://…`.
    File(String),
}

/// Opens what the activity was started with, if that is a game. A file comes later: it may have to be
/// fetched from far away.
pub(crate) fn open(android: &AndroidApp) {
    match java::ask(android, given) {
        Ok(None) => {}
        Ok(Some(Given::Text(text))) => system::send(Action::Archive(Act::OpenText(text))),
        Ok(Some(Given::File(address))) => {
            let android = android.clone();
            std::thread::spawn(move || {
                let name = java::ask(&android, |env, activity| name(env, activity, &address));
                let name = name.unwrap_or_else(|error| {
                    log::info!("the file tells no name: {}", java::reason(&error));
                    None
                });
                let content = read(&android, &address);
                let name = name.unwrap_or_default();
                system::send(Action::Archive(Act::OpenGiven { name, content }));
            });
        }
        Err(error) => log::warn!("why the app was started cannot be seen: {}", java::reason(&error)),
    }
}

fn given(env: &mut Env, activity: &JObject) -> Result<Option<Given>> {
    let intent =
        env.call_method(activity, jni_str!("getIntent"), jni_sig!(() -> android.content.Intent), &[])?.l()?;
    if intent.is_null()
        || env.call_method(&intent, jni_str!("getFlags"), jni_sig!(() -> jint), &[])?.i()? & FROM_HISTORY != 0
    {
        return Ok(None);
    }
    let action =
        env.call_method(&intent, jni_str!("getAction"), jni_sig!(() -> java.lang.String), &[])?.l()?;
    match java::text(env, &action)?.as_deref() {
        Some("android.intent.action.VIEW") => {
            let name = jni_str!("getDataString");
            let address = env.call_method(&intent, name, jni_sig!(() -> java.lang.String), &[])?.l()?;
            Ok(java::text(env, &address)?.map(Given::File))
        }
        Some("android.intent.action.SEND") => {
            let key = env.new_string("android.intent.extra.STREAM")?;
            let sig = jni_sig!((java.lang.String) -> android.os.Parcelable);
            let name = jni_str!("getParcelableExtra");
            let address = env.call_method(&intent, name, sig, &[JValue::Object(&key)])?.l()?;
            if let Some(address) = java::text(env, &address)? {
                return Ok(Some(Given::File(address)));
            }
            let key = env.new_string("android.intent.extra.TEXT")?;
            let sig = jni_sig!((java.lang.String) -> java.lang.CharSequence);
            let name = jni_str!("getCharSequenceExtra");
            let shared = env.call_method(&intent, name, sig, &[JValue::Object(&key)])?.l()?;
            Ok(Some(Given::Text(java::text(env, &shared)?.unwrap_or_default())))
        }
        _ => Ok(None),
    }
}

/// What the file is called (`OpenableColumns.DISPLAY_NAME`), if its keeper tells.
fn name(env: &mut Env, activity: &JObject, address: &str) -> Result<Option<String>> {
    let (resolver, address) = (resolver(env, activity)?, parse(env, address)?);
    let nothing = JObject::null();
    let nothing = JValue::Object(&nothing);
    let sig = jni_sig!(
        (android.net.Uri, [java.lang.String], android.os.Bundle, android.os.CancellationSignal)
            -> android.database.Cursor
    );
    let query = [JValue::Object(&address), nothing, nothing, nothing];
    let cursor = env.call_method(&resolver, jni_str!("query"), sig, &query)?.l()?;
    if cursor.is_null() {
        return Ok(None);
    }
    let column = env.new_string("_display_name")?;
    let sig = jni_sig!((java.lang.String) -> jint);
    let column =
        env.call_method(&cursor, jni_str!("getColumnIndex"), sig, &[JValue::Object(&column)])?.i()?;
    let has_row = env.call_method(&cursor, jni_str!("moveToFirst"), jni_sig!(() -> jboolean), &[])?.z()?;
    let name = if has_row && column >= 0 {
        let sig = jni_sig!((jint) -> java.lang.String);
        let name = env.call_method(&cursor, jni_str!("getString"), sig, &[column.into()])?.l()?;
        java::text(env, &name)?
    } else {
        None
    };
    env.call_method(&cursor, jni_str!("close"), jni_sig!(()), &[])?;
    Ok(name)
}

/// The content of a file, or why it cannot be had.
fn read(android: &AndroidApp, address: &str) -> std::result::Result<Vec<u8>, Message> {
    let file = java::ask(android, |env, activity| {
        let (resolver, address) = (resolver(env, activity)?, parse(env, address)?);
        let mode = env.new_string("r")?;
        let sig = jni_sig!((android.net.Uri, java.lang.String) -> android.os.ParcelFileDescriptor);
        let arguments = [JValue::Object(&address), JValue::Object(&mode)];
        let descriptor = env.call_method(&resolver, jni_str!("openFileDescriptor"), sig, &arguments)?.l()?;
        if descriptor.is_null() {
            return Err(Error::NullPtr("openFileDescriptor"));
        }
        let descriptor =
            env.call_method(&descriptor, jni_str!("detachFd"), jni_sig!(() -> jint), &[])?.i()?;
        if descriptor < 0 {
            return Err(Error::NullPtr("detachFd"));
        }
        // SAFETY: nobody else closes a descriptor that was detached.
        Ok(unsafe { File::from_raw_fd(descriptor) })
    });
    let file = file.map_err(|error| java::message(&error))?;
    let mut bytes = Vec::new();
    // One byte more than is taken, so that a file that is too long is refused as such.
    file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| Message::from(&error))?;
    Ok(bytes)
}

fn resolver<'a>(env: &mut Env<'a>, activity: &JObject) -> Result<JObject<'a>> {
    let sig = jni_sig!(() -> android.content.ContentResolver);
    env.call_method(activity, jni_str!("getContentResolver"), sig, &[])?.l()
}

fn parse<'a>(env: &mut Env<'a>, address: &str) -> Result<JObject<'a>> {
    let address = env.new_string(address)?;
    let sig = jni_sig!((java.lang.String) -> android.net.Uri);
    let class = jni_str!("android/net/Uri");
    env.call_static_method(class, jni_str!("parse"), sig, &[JValue::Object(&address)])?.l()
}
