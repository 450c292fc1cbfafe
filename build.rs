// SPDX-License-Identifier: GPL-3.0-only
//! Compiles the interface.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use slint_build::{CompilerConfiguration, DefaultTranslationContext, EmbedResourcesKind};

fn main() -> Result<(), slint_build::CompileError> {
    let set = |name: &str| env::var_os(name).is_some();
    let config =
        CompilerConfiguration::new().with_default_translation_context(DefaultTranslationContext::None);
    if set("CARGO_FEATURE_MCU") {
        let sources = board_sources().unwrap_or_else(|error| panic!("the board's interface: {error}"));
        let config = config
            .with_bundled_translations(sources.join("lang"))
            .with_scale_factor(1.0)
            .embed_resources(EmbedResourcesKind::EmbedForSoftwareRenderer);
        return slint_build::compile_with_config(sources.join("ui/board.slint"), config);
    }
    // The interface's tests look elements up.
    let searchable = set("SLINT_EMIT_DEBUG_INFO") || env::var("PROFILE").is_ok_and(|p| p == "debug");
    slint_build::compile_with_config(
        "ui/app.slint",
        config
            .with_bundled_translations("lang")
            .with_debug_info(searchable)
            .embed_resources(EmbedResourcesKind::EmbedFiles),
    )
}

/// What stands between these lines of the interface is not on the board.
const BEGIN: &str = "// [not on the board";
const END: &str = "// not on the board]";

/// Copies the interface without what a microcontroller has no room or no use for, and the
/// translations without texts that are then nowhere used (a character of the Chinese font takes
/// about 700 bytes of flash).
fn board_sources() -> io::Result<PathBuf> {
    println!("cargo::rerun-if-changed=ui");
    println!("cargo::rerun-if-changed=lang");
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| io::Error::other("no OUT_DIR"))?;
    let out = out.join("board");
    let mut texts = String::new();
    copy(Path::new("ui"), &out.join("ui"), &mut texts)?;
    // Its own files, among them some in the place of others.
    copy(Path::new("ui/mcu"), &out.join("ui"), &mut texts)?;
    for language in fs::read_dir("lang")? {
        let messages = language?.path().join("LC_MESSAGES/wuzi.po");
        let used = fs::read_to_string(&messages)?
            .split("\n\n")
            .filter(|entry| message(entry).is_empty() || texts.contains(&format!("\"{}\"", message(entry))))
            .collect::<Vec<_>>()
            .join("\n\n");
        let target = out.join(messages);
        fs::create_dir_all(target.parent().unwrap_or(&out))?;
        fs::write(target, used)?;
    }
    Ok(out)
}

fn copy(from: &Path, to: &Path, texts: &mut String) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (source, target) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if source.is_dir() {
            copy(&source, &target, texts)?;
        } else if source.extension().is_some_and(|extension| extension == "slint") {
            let mut kept = true;
            for line in fs::read_to_string(&source)?.lines() {
                kept &= line.trim() != BEGIN;
                if kept {
                    texts.push_str(line);
                    texts.push('\n');
                }
                kept |= line.trim() == END;
            }
            let start = texts.rfind(FILE).map_or(0, |at| at + FILE.len());
            fs::write(target, &texts[start..])?;
            texts.push_str(FILE);
        } else {
            fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

/// Stands between the files in the collected texts.
const FILE: &str = "\u{0}";

/// The message of an entry of a translation, its lines joined.
fn message(entry: &str) -> String {
    let after = entry.split_once("msgid ").map_or("", |(_, after)| after);
    let until = after.split_once("\nmsg").map_or(after, |(until, _)| until);
    until.lines().map(|line| line.trim().trim_matches('"')).collect()
}
