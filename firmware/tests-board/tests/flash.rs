// SPDX-License-Identifier: GPL-2.0-only
//! `./dev flash` without a board says what is missing and what to do.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with the few programs that the script needs, and nothing else.
fn programs(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for program in ["dirname", "cat", "grep"] {
        let found = ["/usr/bin", "/bin"].map(|path| Path::new(path).join(program));
        let found = found.iter().find(|path| path.exists()).expect("a usual program");
        symlink(found, folder.join(program)).expect("a link");
    }
    folder
}

/// What the script says on its way out.
fn refusal(programs: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../flash.sh");
    let output = Command::new("/bin/sh").arg(script).env("PATH", programs).output().expect("a shell");
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn without_the_tool_the_message_names_it_and_another_way() {
    let message = refusal(&programs("flash-no-tool"));
    for text in ["probe-rs was not found", "https://probe.rs", "dist/wuzi-firmware.hex"] {
        assert!(message.contains(text), "{message}");
    }
}

#[test]
fn without_a_probe_the_message_tells_what_to_connect() {
    let programs = programs("flash-no-probe");
    let tool = programs.join("probe-rs");
    fs::write(&tool, "#!/bin/sh\necho 'No debug probes were found.'\n").expect("a script");
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).expect("its rights");
    let message = refusal(&programs);
    for text in ["no debug probe was found", "SWD"] {
        assert!(message.contains(text), "{message}");
    }
}
