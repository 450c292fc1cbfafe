// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two sides.

/// A side; black moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Moves on odd plies (1, 3, 5, …).
    Black,
    /// Moves on even plies.
    White,
}

impl Color {
    /// The enemy.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The side that makes the ply after `stones` stones stand on the board.
    #[must_use]
    pub const fn to_move_after(stones: usize) -> Self {
        if stones.is_multiple_of(2) { Self::Black } else { Self::White }
    }

    /// 0 for black, 1 for white.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_moves_first_and_sides_alternate() {
        assert_eq!(Color::to_move_after(0), Color::Black);
        assert_eq!(Color::to_move_after(1), Color::White);
        assert_eq!(Color::Black.opposite(), Color::White);
        assert_eq!(Color::White.opposite(), Color::Black);
    }
}
