// SPDX-License-Identifier: MIT OR Apache-2.0
//! The strengths of the computer player.

/// How strongly the computer plays, weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The original game's Easy, but one move in four is a slip: it overlooks things, as beginners do.
    Easy,
    /// The original game's Normal.
    #[default]
    Normal,
    /// Looks at the best points of the original's table four plies ahead, and for wins by fours.
    Hard,
    /// Searches, within a second.
    Expert,
    /// Searches as long as it may, usually five seconds.
    Master,
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Self; 5] = [Self::Easy, Self::Normal, Self::Hard, Self::Expert, Self::Master];
}
