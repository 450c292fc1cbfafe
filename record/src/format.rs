// SPDX-License-Identifier: MIT OR Apache-2.0
//! The formats by name.

use crate::{Place, ReadError, Reason, Record, WriteError, lib_file, pos, psq, sgf, text};

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Smart Game Format, the native one.
    Sgf,
    /// Piskvork's.
    Psq,
    /// RenLib's library.
    Lib,
    /// RenLib's position.
    Pos,
    /// Moves as text.
    Text,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 5] = [Self::Sgf, Self::Psq, Self::Lib, Self::Pos, Self::Text];

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Sgf => "sgf",
            Self::Psq => "psq",
            Self::Lib => "lib",
            Self::Pos => "pos",
            Self::Text => "txt",
        }
    }

    /// The format of files with this extension, in capital or small letters.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.extension().eq_ignore_ascii_case(extension))
    }

    /// The format of a text by its beginning, as it comes from the clipboard.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        if text.starts_with('(') {
            Self::Sgf
        } else if text.starts_with(psq::HEADING) {
            Self::Psq
        } else {
            Self::Text
        }
    }

    /// The format of a file without a name: the one that can read it, or that it begins like.
    #[must_use]
    pub fn of_content(bytes: &[u8]) -> Self {
        if bytes.starts_with(lib_file::MAGIC) {
            return Self::Lib;
        }
        let text = Self::of_text(&crate::charset::decode(bytes, None));
        [text, Self::Pos, Self::Lib].into_iter().find(|format| format.read(bytes).is_ok()).unwrap_or(text)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is longer than [`MAX_BYTES`], not in this format, or holds what no game can be.
    pub fn read(self, bytes: &[u8]) -> Result<Record, ReadError> {
        if bytes.len() > MAX_BYTES {
            return Err(ReadError::new(Place::Byte(MAX_BYTES), Reason::TooLong));
        }
        match self {
            Self::Sgf => sgf::read(bytes),
            Self::Psq => psq::read(bytes),
            Self::Lib => lib_file::read(bytes),
            Self::Pos => pos::read(bytes),
            Self::Text => text::read(bytes, text::Rows::FromBottom),
        }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// If the format cannot hold boards of this size.
    pub fn write(self, record: &Record) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Sgf => Ok(sgf::write(record).into_bytes()),
            Self::Psq => Ok(psq::write(record).into_bytes()),
            Self::Lib => lib_file::write(record),
            Self::Pos => pos::write(record),
            Self::Text => Ok(text::write(record, text::Rows::FromBottom).into_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bare, record};
    use proptest::prelude::*;

    #[test]
    fn formats_are_known_by_extension_and_by_their_beginning() {
        for format in Format::ALL {
            assert_eq!(Format::of_extension(format.extension()), Some(format));
            assert_eq!(Format::of_extension(&format.extension().to_uppercase()), Some(format));
        }
        assert_eq!(Format::of_extension("png"), None);
        assert_eq!(Format::of_text("\u{FEFF} (;GM[4])"), Format::Sgf);
        assert_eq!(Format::of_text("Piskvorky 15x15, 11:11, 0"), Format::Psq);
        assert_eq!(Format::of_text("h8i9"), Format::Text);
    }

    #[test]
    fn the_format_of_a_file_without_a_name_is_that_which_reads_it() {
        let moves = crate::testing::points("h8 i9 g7 a15");
        let record = Record::from_moves(wuzi_engine::Size::DEFAULT, &moves).unwrap();
        for format in Format::ALL {
            assert_eq!(Format::of_content(&format.write(&record).unwrap()), format);
        }
        assert_eq!(Format::of_content(b"\x78\x40"), Format::Lib, "a very old one");
        assert_eq!(Format::of_content(b"\xFFRenLib\xFF"), Format::Lib, "broken, but told by its beginning");
        assert_eq!(Format::of_content(b"(;GM[4];B[zz])"), Format::Sgf);
        assert_eq!(Format::of_content(b"what is this"), Format::Text);
    }

    #[test]
    fn files_that_are_too_long_are_refused() {
        for format in Format::ALL {
            let error = format.read(&vec![b' '; MAX_BYTES + 1]).unwrap_err();
            assert_eq!(error.to_string(), "byte 16777216: the file is longer than 16 MiB");
        }
    }

    proptest! {
        #[test]
        fn every_format_keeps_the_moves(record in record()) {
            for format in Format::ALL {
                let Ok(bytes) = format.write(&record) else {
                    prop_assert!(record.size().lines() != 15 && matches!(format, Format::Lib | Format::Pos));
                    continue;
                };
                let read = format.read(&bytes).unwrap();
                prop_assert_eq!(bare(&read), bare(&record), "{:?}", format);
                // What was read once is kept whole by the same format.
                let again = format.read(&format.write(&read).unwrap()).unwrap();
                prop_assert_eq!(again, read, "{:?}", format);
            }
        }

        #[test]
        fn no_bytes_are_a_crash(bytes in any::<Vec<u8>>()) {
            for format in Format::ALL {
                if let Ok(record) = format.read(&bytes) {
                    prop_assert!(record.len() <= bytes.len());
                }
            }
        }

        #[test]
        fn damage_is_an_error_or_another_game(record in record(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            for format in Format::ALL {
                let Ok(mut bytes) = format.write(&record) else { continue };
                if !bytes.is_empty() {
                    let at = at.index(bytes.len());
                    bytes[at] = byte;
                }
                if let Err(error) = format.read(&bytes) {
                    let text = error.to_string();
                    prop_assert!(text.len() < 200 && !text.contains(char::is_control), "{text}");
                }
            }
        }
    }
}
