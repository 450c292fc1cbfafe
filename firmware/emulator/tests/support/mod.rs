// SPDX-License-Identifier: GPL-2.0-only
//! Builds the test programs once, and puts them on a board.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use wuzi_board::{Config, Machine};

/// Where the test programs are.
pub fn images() -> &'static Path {
    static IMAGES: OnceLock<PathBuf> = OnceLock::new();
    IMAGES.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("images");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("images/build.sh");
        // The toolchain for the board is another one than that of this test.
        let status = Command::new("sh")
            .arg(&script)
            .arg(&target)
            .env_remove("CARGO")
            .env_remove("RUSTC")
            .env_remove("RUSTDOC")
            .env_remove("RUSTUP_TOOLCHAIN")
            .status()
            .expect("the shell runs");
        assert!(status.success(), "the test programs were not built (see above)");
        target.join("thumbv7em-none-eabihf/release")
    })
}

/// The usual board with a test program.
pub fn config(image: &str) -> Config {
    Config::new(std::fs::read(images().join(image)).expect("the test program was built"))
}

/// A board at work.
pub fn board(image: &str) -> Machine {
    Machine::new(config(image)).expect("the test program can be loaded")
}
