// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a file was refused.

use std::borrow::Cow;
use std::fmt;

/// Where in a file something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A line and a character in it, both from 1.
    Line(usize, usize),
    /// A byte, from 0.
    Byte(usize),
}

impl Place {
    /// The line and column of a byte of `text`.
    #[must_use]
    pub fn in_text(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self::Line(before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line, column) => write!(f, "line {line}, column {column}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// The file is not in the format, or holds what no game can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Where.
    pub place: Place,
    /// Why, as part of a sentence.
    pub reason: Cow<'static, str>,
}

impl ReadError {
    pub(crate) fn new(place: Place, reason: impl Into<Cow<'static, str>>) -> Self {
        Self { place, reason: reason.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for ReadError {}

/// The format cannot hold the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteError {
    /// The format knows 15×15 boards only.
    Not15Lines,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Not15Lines => "this format holds games on 15×15 boards only; SGF holds every size",
        })
    }
}

impl std::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_from_one() {
        let text = "ab\n五c\n";
        assert_eq!(Place::in_text(text, 0), Place::Line(1, 1));
        assert_eq!(Place::in_text(text, text.find('c').unwrap()), Place::Line(2, 2));
        assert_eq!(Place::in_text(text, text.len()), Place::Line(3, 1));
    }
}
