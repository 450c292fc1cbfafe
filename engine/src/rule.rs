// SPDX-License-Identifier: MIT OR Apache-2.0
//! The three rules of the game.

use crate::Color;

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

impl Rule {
    /// Whether an unbroken row of `stones` stones of `color` wins.
    #[must_use]
    pub const fn wins(self, color: Color, stones: u8) -> bool {
        if self.is_exact(color) { stones == 5 } else { stones >= 5 }
    }

    /// Whether `color` wins only by exactly five.
    #[must_use]
    pub const fn is_exact(self, color: Color) -> bool {
        match self {
            Self::Freestyle => false,
            Self::Standard => true,
            Self::Renju => matches!(color, Color::Black),
        }
    }
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
