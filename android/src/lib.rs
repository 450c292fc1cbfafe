// SPDX-License-Identifier: GPL-3.0-only
//! Wuzi for Android.
#[cfg(target_os = "android")]
#[unsafe(no_mangle)]
fn android_main(app: android_activity::AndroidApp) {
    let _ = app;
    let _ = wuzi_app::system::DataDir::new("/");
}
