// SPDX-License-Identifier: GPL-3.0-only
//! Compiles the interface.

use slint_build::{CompilerConfiguration, DefaultTranslationContext, EmbedResourcesKind};

fn main() -> Result<(), slint_build::CompileError> {
    let set = |name: &str| std::env::var_os(name).is_some();
    let config = CompilerConfiguration::new()
        .with_bundled_translations("lang")
        .with_default_translation_context(DefaultTranslationContext::None);
    if set("CARGO_FEATURE_MCU") {
        let config =
            config.with_scale_factor(1.0).embed_resources(EmbedResourcesKind::EmbedForSoftwareRenderer);
        return slint_build::compile_with_config("ui/board.slint", config);
    }
    // The interface's tests look elements up.
    let searchable = set("SLINT_EMIT_DEBUG_INFO") || std::env::var("PROFILE").is_ok_and(|p| p == "debug");
    slint_build::compile_with_config(
        "ui/app.slint",
        config.with_debug_info(searchable).embed_resources(EmbedResourcesKind::EmbedFiles),
    )
}
