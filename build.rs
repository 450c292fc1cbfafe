// SPDX-License-Identifier: GPL-3.0-only
//! Compiles the interface.

use slint_build::{CompilerConfiguration, DefaultTranslationContext, EmbedResourcesKind};

fn main() -> Result<(), slint_build::CompileError> {
    let board = std::env::var_os("CARGO_FEATURE_MCU").is_some();
    let config = CompilerConfiguration::new()
        .with_bundled_translations("lang")
        .with_default_translation_context(DefaultTranslationContext::None);
    if board {
        let config =
            config.with_scale_factor(1.0).embed_resources(EmbedResourcesKind::EmbedForSoftwareRenderer);
        slint_build::compile_with_config("ui/board.slint", config)
    } else {
        slint_build::compile_with_config(
            "ui/app.slint",
            config.embed_resources(EmbedResourcesKind::EmbedFiles),
        )
    }
}
