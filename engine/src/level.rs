// SPDX-License-Identifier: MIT OR Apache-2.0
//! The strengths of the computer player.

/// How strongly the computer plays, weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Overlooks things, as beginners do.
    Easy,
    /// The original's Normal.
    #[default]
    Normal,
    /// Looks a few plies ahead.
    Hard,
    /// Searches for about a second.
    Expert,
    /// Searches for about five seconds.
    Master,
}

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Self; 5] = [Self::Easy, Self::Normal, Self::Hard, Self::Expert, Self::Master];
}
