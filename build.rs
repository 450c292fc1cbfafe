// SPDX-License-Identifier: GPL-3.0-only
//! Compiles the interface.

use slint_build::{CompilerConfiguration, EmbedResourcesKind};

fn main() -> Result<(), slint_build::CompileError> {
    let board = std::env::var_os("CARGO_FEATURE_MCU").is_some();
    let resources =
        if board { EmbedResourcesKind::EmbedForSoftwareRenderer } else { EmbedResourcesKind::EmbedFiles };
    let config = CompilerConfiguration::new().embed_resources(resources);
    slint_build::compile_with_config("ui/app.slint", config)
}
