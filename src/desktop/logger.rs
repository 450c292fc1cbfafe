// SPDX-License-Identifier: GPL-3.0-only
//! Log lines on stderr.

use env_logger::{Builder, Env};

/// Begins to log; `WUZI_LOG` sets the level (error, warn, info, debug, trace).
pub fn start() {
    let env = Env::new().filter_or("WUZI_LOG", "wuzi=info,warn");
    // A second logger in the same process (tests) is no fault.
    let _ = Builder::from_env(env).format_target(false).try_init();
}
