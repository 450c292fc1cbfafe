// SPDX-License-Identifier: GPL-2.0-only
//! Passes the linker script and the memory map.

fn main() {
    println!("cargo::rustc-link-search={}", env!("CARGO_MANIFEST_DIR"));
    println!("cargo::rustc-link-arg=-Tlink.x");
    println!("cargo::rustc-link-arg=--nmagic");
    println!("cargo::rerun-if-changed=memory.x");
}
