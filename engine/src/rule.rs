// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three rules of the game.

/// Which rows win and which points are forbidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    #[default]
    Freestyle,
    /// Exactly five in a row win; a longer row does not.
    Standard,
    /// White wins with five or more, black with exactly five; three-three, four-four and overline
    /// are forbidden to black unless the move also makes a five.
    Renju,
}

/// Why a point is forbidden to black under [`Rule::Renju`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbidden {
    /// Two open threes at once.
    ThreeThree,
    /// Two fours at once.
    FourFour,
    /// Six or more in a row.
    Overline,
}
