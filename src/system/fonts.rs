// SPDX-License-Identifier: GPL-3.0-only
//! What is drawn for a letter that no font can draw.

use std::sync::Arc;

use ab_glyph::{Font, FontRef};
use slint::fontique_011::{fontique, shared_collection};

use fontique::{Blob, Collection, FallbackKey, FamilyId, GenericFamily, Script};

/// A box for every letter; `scripts/last-resort-font.py` makes it.
const LAST_RESORT: &[u8] = include_bytes!("../../ui/fonts/last-resort.ttf");

/// A box for every emoji.
const EMOJI_BOXES: &[u8] = include_bytes!("../../ui/fonts/last-resort-emoji.ttf");

/// Lets every text be seen: a letter that neither our font nor one of the system has is a box, where the
/// renderer would leave a blank. To be called when there is a window.
pub fn add_last_resort() {
    let mut fonts = shared_collection();
    let add = |fonts: &mut Collection, data: &'static [u8]| -> Vec<FamilyId> {
        let added = fonts.register_fonts(Blob::new(Arc::new(data)), None);
        added.into_iter().map(|(family, _)| family).collect()
    };
    // Whatever the script of a text is, the fonts of Chinese are tried last.
    let last = FallbackKey::new(Script::from_bytes(*b"Hani"), None);
    let known: Vec<FamilyId> = fonts.fallback_families(last).collect();
    let boxes = add(&mut fonts, LAST_RESORT);
    fonts.set_fallbacks(last, known.into_iter().chain(boxes));
    // The renderer draws outlines, which most fonts of coloured pictures do not have. The system's own list follows
    // the one that is set.
    let boxes = add(&mut fonts, EMOJI_BOXES);
    for generic in [GenericFamily::SansSerif, GenericFamily::SystemUi, GenericFamily::Emoji] {
        let known: Vec<FamilyId> = fonts.generic_families(generic).collect();
        let drawn: Vec<FamilyId> =
            known.iter().copied().filter(|&family| is_drawn(&mut fonts, family)).collect();
        if drawn.len() < known.len() {
            fonts.set_generic_families(generic, drawn.into_iter().chain(boxes.iter().copied()));
        }
    }
}

/// Whether a family is none of emoji, or has them as outlines. To look into every font would take too long.
fn is_drawn(fonts: &mut Collection, family: FamilyId) -> bool {
    if fonts.family_name(family).is_none_or(|name| !name.to_ascii_lowercase().contains("emoji")) {
        return true;
    }
    let Some(family) = fonts.family(family) else { return false };
    family.fonts().iter().all(|font| {
        let data = font.load(None);
        let face = data
            .as_ref()
            .and_then(|data| FontRef::try_from_slice_and_index(data.as_ref(), font.index()).ok());
        face.is_some_and(|face| {
            face.outline(face.glyph_id('\u{1F600}')).is_some_and(|outline| !outline.curves.is_empty())
        })
    })
}
