// SPDX-License-Identifier: GPL-3.0-only
//! Letters that our font lacks come from the system's fonts. Slint knows them by name; `fonts.xml` tells by
//! the names of their files which of them is for which script.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::{env, fs};

use roxmltree::{Document, Node};
use slint::fontique_011::fontique::{Collection, FallbackKey, FamilyId, Script, SourceKind};

/// The families of fonts by file and number in it.
type Families = HashMap<(OsString, u32), FamilyId>;

/// Names the system's fonts for each script to Slint, in the system's order.
pub(crate) fn use_the_systems() {
    let root = env::var_os("ANDROID_ROOT").map_or_else(|| PathBuf::from("/system"), PathBuf::from);
    let path = root.join("etc/fonts.xml");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return log::warn!("{}: {error}", path.display()),
    };
    let document = match Document::parse(&text) {
        Ok(document) => document,
        Err(error) => return log::warn!("{}: {error}", path.display()),
    };
    let mut collection = slint::fontique_011::shared_collection();
    let families = families(&mut collection);
    let mut known = HashMap::<Script, Vec<FamilyId>>::new();
    for node in document.root_element().children().filter(|node| node.has_tag_name("family")) {
        let Some(family) = family(node, &families) else { continue };
        let tags = node.attribute("lang").unwrap_or_default();
        for script in tags.split([',', ' ']).flat_map(scripts) {
            let known = known.entry(script).or_default();
            if !known.contains(&family) {
                known.push(family);
            }
        }
    }
    for (script, families) in known {
        collection.set_fallbacks(FallbackKey::new(script, None), families.into_iter());
    }
}

fn families(collection: &mut Collection) -> Families {
    let names: Vec<String> = collection.family_names().map(str::to_owned).collect();
    let mut families = Families::new();
    for family in names.iter().filter_map(|name| collection.family_by_name(name)) {
        for font in family.fonts() {
            if let SourceKind::Path(path) = font.source().kind()
                && let Some(file) = path.file_name()
            {
                families.insert((file.to_owned(), font.index()), family.id());
            }
        }
    }
    families
}

/// The family of an element `family`: that of its first font that takes no other family's place.
fn family(node: Node, families: &Families) -> Option<FamilyId> {
    let mut fonts =
        node.children().filter(|node| node.has_tag_name("font") && !node.has_attribute("fallbackFor"));
    fonts.find_map(|font| {
        let file = OsStr::new(font.text()?.trim()).to_owned();
        let index = font.attribute("index").and_then(|index| index.parse().ok()).unwrap_or_default();
        families.get(&(file, index)).copied()
    })
}

/// The scripts that a tag of a language stands for, such as `und-Arab` or `ja`. Signs belong to no script:
/// Slint takes them for letters of their neighbours, and looks among Chinese characters for all that it misses.
fn scripts(tag: &str) -> Vec<Script> {
    let (language, script) = tag.split_once('-').unwrap_or((tag, ""));
    let names: &[&str] = match (language, script) {
        ("ja", _) => &["Hira", "Kana", "Hani"],
        ("ko", _) => &["Hang", "Hani"],
        (_, "Hans" | "Hant") => &["Hani"],
        (_, "Zsym") => &["Zsym", "Hani"],
        _ => &[script],
    };
    names.iter().filter_map(|name| name.parse().ok()).collect()
}
