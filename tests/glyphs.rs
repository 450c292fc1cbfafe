// SPDX-License-Identifier: GPL-3.0-only
//! Every text that can reach the screen has all its glyphs in the bundled fonts, and every text of
//! the interface is translated.
//!
//! `scripts/subset-font.py` makes the fonts anew when a text gained a character.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use skrifa::MetadataProvider;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("the directory can be read").path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

fn slint_sources() -> Vec<String> {
    let mut paths = Vec::new();
    files(&root().join("ui"), "slint", &mut paths);
    assert!(paths.len() > 10, "the interface is there");
    paths.iter().map(|path| std::fs::read_to_string(path).expect("the source can be read")).collect()
}

/// The string literals of a line of Slint or of a PO file, escapes resolved.
fn literals(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = line.chars();
    while chars.by_ref().any(|c| c == '"') {
        let mut literal = String::new();
        while let Some(c) = chars.next() {
            match c {
                '"' => break,
                '\\' => match chars.next() {
                    Some('n') => literal.push('\n'),
                    Some(escaped) => literal.push(escaped),
                    None => {}
                },
                _ => literal.push(c),
            }
        }
        found.push(literal);
    }
    found
}

/// A line without its comment. No literal of the interface holds two slashes.
fn code(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code)
}

/// The texts within `@tr(…)`.
fn translatable() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for source in slint_sources() {
        for line in source.lines().map(code) {
            for call in line.split("@tr(").skip(1) {
                assert!(call.starts_with('"'), "a text to translate begins on the line of its @tr: {line}");
                found.extend(literals(call).into_iter().next());
            }
        }
    }
    found
}

/// A catalogue: message and translation.
fn catalogue(language: &str) -> BTreeMap<String, String> {
    let path = root().join(format!("lang/{language}/LC_MESSAGES/wuzi.po"));
    let text = std::fs::read_to_string(path).expect("the catalogue is there");
    let mut entries = BTreeMap::new();
    let (mut message, mut in_translation) = (String::new(), false);
    for line in text.lines() {
        let piece = literals(line).concat();
        if line.starts_with("msgid ") {
            (message, in_translation) = (piece, false);
        } else if line.starts_with("msgstr ") {
            in_translation = true;
            entries.insert(message.clone(), piece);
        } else if line.starts_with('"') {
            if in_translation {
                entries.get_mut(&message).expect("a translation has begun").push_str(&piece);
            } else {
                message.push_str(&piece);
            }
        }
    }
    entries.remove("");
    entries
}

/// The characters that a font of `ui/fonts/` has.
fn coverage(name: &str) -> BTreeSet<char> {
    let bytes = std::fs::read(root().join("ui/fonts").join(name)).expect("the font is there");
    let font = skrifa::FontRef::new(&bytes).expect("it is a font");
    font.charmap().mappings().filter_map(|(code, _)| char::from_u32(code)).collect()
}

/// What is shown besides the texts of the interface: names of points, numbers, versions, the
/// keyboard's letters.
fn made_at_run_time() -> impl Iterator<Item = char> {
    ' '..='~'
}

/// Everything that the interface itself can show.
fn shown() -> BTreeSet<char> {
    let mut characters: BTreeSet<char> = made_at_run_time().collect();
    for source in slint_sources() {
        characters.extend(
            source
                .lines()
                .map(code)
                .flat_map(literals)
                .flat_map(|literal| literal.chars().collect::<Vec<_>>()),
        );
    }
    for (message, translation) in catalogue("zh") {
        characters.extend(message.chars().chain(translation.chars()));
    }
    // The compiler embeds these two for hidden and cut texts.
    characters.extend(['●', '…']);
    characters.remove(&'\n');
    characters
}

#[test]
fn both_fonts_have_every_glyph_that_the_interface_shows() {
    let shown = shown();
    assert!(shown.len() > 250, "the texts were found");
    for font in ["wuzi-board.otf", "wuzi-full.otf"] {
        let lacking: String = shown.difference(&coverage(font)).collect();
        assert!(lacking.is_empty(), "{font} lacks {lacking:?}: run scripts/subset-font.py");
    }
}

#[test]
fn what_is_said_of_errors_has_its_glyphs() {
    let full = coverage("wuzi-full.otf");
    let mut chinese = 0;
    for source in [
        "src/message.rs",
        "src/files.rs",
        "src/system/storage.rs",
        "src/system/guest.rs",
        "src/archive/shelf.rs",
    ] {
        let text = std::fs::read_to_string(root().join(source)).unwrap();
        let said = text.split("#[cfg(test)]").next().unwrap_or_default();
        for c in said.chars().filter(|c| !c.is_ascii()) {
            assert!(full.contains(&c), "{source}: {c}");
            chinese += 1;
        }
    }
    assert!(chinese > 300, "the texts were found");
}

#[test]
fn the_names_of_the_openings_have_their_glyphs() {
    let full = coverage("wuzi-full.otf");
    for opening in wuzi_record::openings::OPENINGS {
        let name = format!("{}{}", opening.chinese, opening.latin);
        assert!(name.chars().all(|c| full.contains(&c)), "{name}");
    }
}

#[test]
fn names_can_be_written_in_common_chinese_and_with_accents() {
    let full = coverage("wuzi-full.otf");
    assert!("五子棋小明李华张伟éÉüßñçøåÅ（）《》".chars().all(|c| full.contains(&c)));
    // The first and the last characters of both levels of GB 2312, and some of the second that names have.
    assert!("啊座亍齄婷鑫昊琪雯晗煜".chars().all(|c| full.contains(&c)));
    let han = full.iter().filter(|c| ('\u{4E00}'..='\u{9FFF}').contains(*c)).count();
    assert!(han >= 6763, "{han} Chinese characters");
}

#[test]
fn every_text_is_translated_and_none_is_left_over() {
    let texts = translatable();
    let catalogue = catalogue("zh");
    let translated: BTreeSet<String> = catalogue.keys().cloned().collect();
    assert_eq!(texts.difference(&translated).collect::<Vec<_>>(), Vec::<&String>::new(), "not translated");
    assert_eq!(translated.difference(&texts).collect::<Vec<_>>(), Vec::<&String>::new(), "not used");
    for (message, translation) in &catalogue {
        assert!(!translation.is_empty(), "{message:?} has no translation");
        let places = |text: &str| (0..4).filter(|n| text.contains(&format!("{{{n}}}"))).collect::<Vec<_>>();
        assert_eq!(places(message), places(translation), "{message:?} is translated with its places");
    }
}
