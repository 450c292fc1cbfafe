// SPDX-License-Identifier: GPL-3.0-only
//! Games for other apps: the system asks the user for which.

use android_activity::AndroidApp;
use jni::objects::{JObject, JValue};
use jni::{Env, jni_sig, jni_str};
use wuzi_app::archive::Act;
use wuzi_app::controller::Action;
use wuzi_app::services::Sharing;
use wuzi_app::system;

use crate::java;

/// The system's chooser of apps.
pub(crate) struct Chooser(AndroidApp);

impl Chooser {
    pub(crate) const fn new(android: AndroidApp) -> Self {
        Self(android)
    }
}

impl Sharing for Chooser {
    fn share(&mut self, text: String) {
        let start = move |env: &mut Env, activity: &JObject| {
            let class = jni_str!("android/content/Intent");
            let action = env.new_string("android.intent.action.SEND")?;
            let intent = env.new_object(class, jni_sig!((java.lang.String)), &[JValue::Object(&action)])?;
            let kind = env.new_string("text/plain")?;
            let sig = jni_sig!((java.lang.String) -> android.content.Intent);
            env.call_method(&intent, jni_str!("setType"), sig, &[JValue::Object(&kind)])?;
            let (key, text) = (env.new_string("android.intent.extra.TEXT")?, env.new_string(text)?);
            let sig = jni_sig!((java.lang.String, java.lang.String) -> android.content.Intent);
            let extra = [JValue::Object(&key), JValue::Object(&text)];
            env.call_method(&intent, jni_str!("putExtra"), sig, &extra)?;
            let sig = jni_sig!((android.content.Intent, java.lang.CharSequence) -> android.content.Intent);
            let arguments = [JValue::Object(&intent), JValue::Object(&JObject::null())];
            let chooser = env.call_static_method(class, jni_str!("createChooser"), sig, &arguments)?.l()?;
            let sig = jni_sig!((android.content.Intent));
            env.call_method(activity, jni_str!("startActivity"), sig, &[JValue::Object(&chooser)])?;
            Ok(())
        };
        java::on_main_thread_or(&self.0, start, |why| system::send(Action::Archive(Act::NotShared(why))));
    }
}
