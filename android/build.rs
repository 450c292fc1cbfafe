// SPDX-License-Identifier: GPL-3.0-only
//! How the library is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // What is missing shall be an error here, not on the phone.
    println!("cargo:rustc-cdylib-link-arg=-Wl,--no-undefined");
    // The largest page that devices have.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,max-page-size=16384");
    println!("cargo:rustc-cdylib-link-arg=-Wl,--icf=safe,--strip-all");
}
