// SPDX-License-Identifier: GPL-3.0-only
//! Log lines in Android's log, under the tag `wuzi`.

use android_logger::Config;
use log::LevelFilter;

/// Begins to log, panics too: their message would be lost with the process.
pub(crate) fn start() {
    android_logger::init_once(Config::default().with_tag("wuzi").with_max_level(LevelFilter::Info));
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}
