// SPDX-License-Identifier: GPL-3.0-only
//! Texts from another program, as they can be shown.

/// The longest name, in characters.
pub const NAME_LENGTH: usize = 24;

/// The text without characters that are no signs or that turn the direction of what follows,
/// trimmed, at most [`NAME_LENGTH`] characters.
#[must_use]
pub fn clean(text: &str) -> String {
    let text: String = text.chars().take(4 * NAME_LENGTH).filter(|&c| is_sign(c)).collect();
    let text: String = text.trim().chars().take(NAME_LENGTH).collect();
    text.trim_end().into()
}

fn is_sign(c: char) -> bool {
    !c.is_control()
        && !matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFD}'
            | '\u{E000}'..='\u{F8FF}' | '\u{E0000}'..='\u{E0FFF}' | '\u{F0000}'..='\u{10FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn control_and_direction_characters_are_taken_out() {
        assert_eq!(clean("  五子\u{202E}棋\n\u{7}\u{2066} "), "五子棋");
        assert_eq!(clean("a\u{200B}b\u{FEFF}c\u{E0041}"), "abc");
        assert_eq!(clean(&"x".repeat(400)).len(), NAME_LENGTH);
        assert_eq!(clean("\u{0}\u{1b}[31m"), "[31m");
    }

    proptest! {
        #[test]
        fn a_clean_name_stays_as_it_is(text in any::<String>()) {
            let name = clean(&text);
            prop_assert!(name.chars().count() <= NAME_LENGTH && !name.contains(char::is_control));
            prop_assert_eq!(clean(&name), name);
        }
    }
}
