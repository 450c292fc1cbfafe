// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a file was refused.

use std::fmt;

use crate::{AddError, MAX_BYTES};

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
    /// Why.
    pub reason: Reason,
}

impl ReadError {
    pub(crate) fn new(place: Place, reason: impl Into<Reason>) -> Self {
        Self { place, reason: reason.into() }
    }
}

/// What is wrong with a file. [`fmt::Display`] says it as part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It has more than [`MAX_BYTES`].
    TooLong,
    /// It has no byte.
    Empty,
    /// A move that is impossible.
    Move(AddError),
    /// A move without a point.
    Passed,
    /// The board of a file is 10×10 to 20×20.
    BoardSize,
    /// No SGF begins.
    NotSgf,
    /// After `(` there is no `;`.
    VariationStart,
    /// A game of nothing but brackets.
    NoNode,
    /// None of `;`, `(` and `)`.
    NoSign,
    /// The file ends before the game does.
    EndsEarly,
    /// A property's name alone.
    NoValue,
    /// A value that is not closed.
    OpenValue,
    /// `GM` names another game.
    OtherGame,
    /// A node with several moves.
    TwoMoves,
    /// Black after black, or white after white.
    SideTwice,
    /// A move that is not two letters.
    NoPoint,
    /// Stones are set up in the middle of the game.
    LateSetup,
    /// Stones are set up that cannot have been placed in turn.
    UnevenSetup,
    /// The heading of a Piskvork game is missing.
    NotPiskvork,
    /// That heading names no size.
    NoHeadingSize,
    /// A text has more moves than any board has points.
    TooManyMoves,
    /// This stands where a move is expected.
    NoMove(String),
    /// A position announces so many moves, and so many bytes follow.
    Count {
        /// The first byte.
        announced: usize,
        /// What comes after it.
        follow: usize,
    },
    /// Neither the header of a library nor a first move at h8.
    NotRenLib,
    /// An extension of a library that is not known.
    Extension([u8; 2]),
    /// A library goes on after its tree.
    AfterTree,
    /// A text of a library has no end.
    OpenText,
}

impl From<AddError> for Reason {
    fn from(error: AddError) -> Self {
        Self::Move(error)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLong => return write!(f, "the file is longer than {} MiB", MAX_BYTES >> 20),
            Self::Empty => "the file is empty",
            Self::Move(error) => return error.fmt(f),
            Self::Passed => "a passed move, which no game here has",
            Self::BoardSize => "boards are square and have 10 to 20 lines",
            Self::NotSgf => "not an SGF file: no \"(\"",
            Self::VariationStart => "a variation begins with \";\"",
            Self::NoNode => "a game without a node",
            Self::NoSign => "expected \";\", \"(\" or \")\"",
            Self::EndsEarly => "the file ends in the middle of the game",
            Self::NoValue => "a property without a value",
            Self::OpenValue => "a value without \"]\"",
            Self::OtherGame => "another game: five in a row is GM[4]",
            Self::TwoMoves => "two moves in one node",
            Self::SideTwice => "the same side moves twice",
            Self::NoPoint => "expected a point such as [hh]",
            Self::LateSetup => "stones are set up after the first move",
            Self::UnevenSetup => {
                "the sides cannot have moved in turn: black has as many stones as white, or one more"
            }
            Self::NotPiskvork => "not a Piskvork game: the heading \"Piskvorky 15x15, 11:11, 0\" is missing",
            Self::NoHeadingSize => "the heading names no board size such as 15x15",
            Self::TooManyMoves => "more moves than any board has points",
            Self::NoMove(found) => return write!(f, "expected a move such as h8, found \"{found}\""),
            Self::Count { announced, follow } => {
                return write!(f, "{announced} moves are announced and {follow} bytes follow");
            }
            Self::NotRenLib => "not a RenLib library: neither its header nor a first move at h8",
            Self::Extension([first, second]) => {
                return write!(f, "extension {first:02X} {second:02X} is not known");
            }
            Self::AfterTree => "the file goes on after the end of the tree",
            Self::OpenText => "a text without an end",
        })
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
