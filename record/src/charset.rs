// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text in whatever character set its writer had.

use std::borrow::Cow;

use encoding_rs::{Encoding, GB18030, UTF_8, WINDOWS_1252};

/// The text of `bytes` in the character set `named`; if none is known, UTF-8 if it is that, else
/// the Chinese GB 18030 if it is that, else Western European.
pub(crate) fn decode<'a>(bytes: &'a [u8], named: Option<&'static Encoding>) -> Cow<'a, str> {
    if let Some(encoding) = named {
        return encoding.decode(bytes).0;
    }
    let fits = |encoding: &'static Encoding| {
        encoding.decode_without_bom_handling_and_without_replacement(
            bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes),
        )
    };
    fits(UTF_8).or_else(|| fits(GB18030)).unwrap_or_else(|| WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

/// Text of several lines: line ends become `\n`, other control characters go.
pub(crate) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|&c| c == '\n' || !c.is_control()).collect()
}

/// Text of one line: line ends become spaces.
pub(crate) fn clean_line(text: &str) -> String {
    clean(text).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn unnamed_character_sets_are_guessed() {
        assert_eq!(decode("五子棋".as_bytes(), None), "五子棋");
        assert_eq!(decode(b"\xEF\xBB\xBFa", None), "a");
        assert_eq!(decode(b"\xCE\xE5\xD7\xD3\xC6\xE5", None), "五子棋");
        assert_eq!(decode(b"caf\xE9", None), "café");
        assert_eq!(decode(b"caf\xE9", Some(encoding_rs::ISO_8859_2)), "café");
    }

    proptest! {
        #[test]
        fn clean_text_stays_as_it_is(text in any::<String>()) {
            let cleaned = clean(&text);
            prop_assert_eq!(clean(&cleaned), cleaned);
            let line = clean_line(&text);
            prop_assert!(!line.contains(char::is_control));
        }

        #[test]
        fn all_bytes_are_some_text(bytes in any::<Vec<u8>>()) {
            let text = decode(&bytes, None);
            prop_assert!(text.len() <= 3 * bytes.len());
        }
    }
}
