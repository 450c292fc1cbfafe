// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of a game beside its moves.

use std::fmt;

use wuzi_engine::{Color, Rule};

/// What is said of a game. Texts are single lines; empty ones are not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The name of the game.
    pub name: String,
    /// The player of the black stones.
    pub black: String,
    /// The player of the white stones.
    pub white: String,
    /// When it was played, such as `2026-11-30`.
    pub date: String,
    /// The rule, if it is known.
    pub rule: Option<Rule>,
    /// How it ended.
    pub verdict: Verdict,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Not known, or still running.
    #[default]
    Unknown,
    /// Nobody won.
    Draw,
    /// A side won.
    Won(Color, WonBy),
}

/// What a side won by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WonBy {
    /// By the stones, or it is not said.
    Stones,
    /// The other side gave up.
    Resignation,
    /// The other side had no time left.
    Time,
    /// The other side broke a rule.
    Forfeit,
}

impl Verdict {
    /// The verdict of SGF's `RE`; what is not understood is unknown.
    #[must_use]
    pub fn from_sgf(text: &str) -> Self {
        let text = text.trim();
        if text == "0" || text.eq_ignore_ascii_case("draw") {
            return Self::Draw;
        }
        let Some((side, by)) = text.split_once('+') else { return Self::Unknown };
        let color = match side {
            "B" | "b" => Color::Black,
            "W" | "w" => Color::White,
            _ => return Self::Unknown,
        };
        Self::Won(
            color,
            match by.to_ascii_lowercase().as_str() {
                "r" | "resign" => WonBy::Resignation,
                "t" | "time" => WonBy::Time,
                "f" | "forfeit" => WonBy::Forfeit,
                _ => WonBy::Stones,
            },
        )
    }
}

impl fmt::Display for Verdict {
    /// As SGF's `RE` writes it; nothing if it is not known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Won(color, by) = self else {
            return f.write_str(if *self == Self::Draw { "0" } else { "" });
        };
        let by = match by {
            WonBy::Stones => "",
            WonBy::Resignation => "R",
            WonBy::Time => "T",
            WonBy::Forfeit => "F",
        };
        write!(f, "{}+{by}", if *color == Color::Black { "B" } else { "W" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_read_back() {
        let by = [WonBy::Stones, WonBy::Resignation, WonBy::Time, WonBy::Forfeit];
        let won = [Color::Black, Color::White].into_iter().flat_map(|c| by.map(|by| Verdict::Won(c, by)));
        for verdict in won.chain([Verdict::Draw, Verdict::Unknown]) {
            assert_eq!(Verdict::from_sgf(&verdict.to_string()), verdict);
        }
    }

    #[test]
    fn what_other_programs_write_is_understood() {
        for (text, verdict) in [
            ("Draw", Verdict::Draw),
            ("W+Resign", Verdict::Won(Color::White, WonBy::Resignation)),
            ("B+5", Verdict::Won(Color::Black, WonBy::Stones)),
            ("Void", Verdict::Unknown),
            ("?", Verdict::Unknown),
            ("B", Verdict::Unknown),
        ] {
            assert_eq!(Verdict::from_sgf(text), verdict, "{text}");
        }
    }
}
