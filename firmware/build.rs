// SPDX-License-Identifier: GPL-3.0-only
//! Puts the memory layout where the linker finds it.

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| io::Error::other("no OUT_DIR"))?;
    fs::copy("memory.x", out.join("memory.x"))?;
    println!("cargo::rerun-if-changed=memory.x");
    println!("cargo::rustc-link-search={}", out.display());
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bins=--nmagic");
    Ok(())
}
