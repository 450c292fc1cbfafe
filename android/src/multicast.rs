// SPDX-License-Identifier: GPL-3.0-only
//! Multicast, by which players on the local network find each other: the system holds it back to save
//! power, unless an app takes this lock.

use std::sync::{Mutex, PoisonError};

use android_activity::AndroidApp;
use jni::errors::Result;
use jni::objects::{Global, JObject, JValue};
use jni::{Env, jni_sig, jni_str};
use wuzi_app::system;

use crate::java;

/// The running activity, and the lock while it is held.
static HELD: Mutex<(Option<AndroidApp>, Option<Global<JObject<'static>>>)> = Mutex::new((None, None));

/// From now on the lock is held while the network is open.
pub(crate) fn follow(android: &AndroidApp) {
    HELD.lock().unwrap_or_else(PoisonError::into_inner).0 = Some(android.clone());
    system::on_multicast(hold);
}

/// The activity ends.
pub(crate) fn forget() {
    hold(false);
    HELD.lock().unwrap_or_else(PoisonError::into_inner).0 = None;
}

/// Takes the lock or gives it back. Without it the network still works by addresses.
fn hold(on: bool) {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let (Some(android), lock) = &mut *held else { return };
    if on == lock.is_some() {
        return;
    }
    let done = java::ask(android, |env, activity| match lock.take() {
        Some(lock) => {
            env.call_method(&lock, jni_str!("release"), jni_sig!(()), &[])?;
            Ok(None)
        }
        None => take(env, activity).map(Some),
    });
    match done {
        Ok(now) => *lock = now,
        Err(error) => log::warn!("the lock of multicast: {}", java::reason(&error)),
    }
}

fn take(env: &mut Env, activity: &JObject) -> Result<Global<JObject<'static>>> {
    let sig = jni_sig!(() -> android.content.Context);
    let context = env.call_method(activity, jni_str!("getApplicationContext"), sig, &[])?.l()?;
    let service = env.new_string("wifi")?;
    let sig = jni_sig!((java.lang.String) -> java.lang.Object);
    let name = jni_str!("getSystemService");
    let wifi = env.call_method(&context, name, sig, &[JValue::Object(&service)])?.l()?;
    let tag = env.new_string("wuzi")?;
    let sig = jni_sig!((java.lang.String) -> android.net.wifi.WifiManager::MulticastLock);
    let name = jni_str!("createMulticastLock");
    let lock = env.call_method(&wifi, name, sig, &[JValue::Object(&tag)])?.l()?;
    let sig = jni_sig!((jboolean));
    env.call_method(&lock, jni_str!("setReferenceCounted"), sig, &[false.into()])?;
    env.call_method(&lock, jni_str!("acquire"), jni_sig!(()), &[])?;
    env.new_global_ref(lock)
}
