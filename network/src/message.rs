// SPDX-License-Identifier: GPL-3.0-only
//! What two programs say to each other: one JSON object a frame. `docs/network.md` tells when each
//! is allowed.

use core::fmt;

use serde::{Deserialize, Serialize};
use wuzi_engine::{Color, Rule, Size};

/// The version of the protocol. Programs of different versions do not play with each other.
pub const PROTOCOL: u16 = 1;

/// The longest time for a move, in seconds.
pub const MOST_SECONDS: u16 = 3600;

/// Who waited for the game and who came to it. The roles stay when a connection is made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The player who waited; the clock of this side counts.
    Host,
    /// The player who came.
    Guest,
}

impl Side {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Host => Self::Guest,
            Self::Guest => Self::Host,
        }
    }
}

/// The colour that a player would like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Wish {
    Black,
    White,
    #[default]
    Either,
}

/// A rule's name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names of the rules")]
pub enum RuleName {
    #[default]
    Freestyle,
    Standard,
    Renju,
}

impl From<RuleName> for Rule {
    fn from(name: RuleName) -> Self {
        match name {
            RuleName::Freestyle => Self::Freestyle,
            RuleName::Standard => Self::Standard,
            RuleName::Renju => Self::Renju,
        }
    }
}

/// A side's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names of the sides")]
pub enum ColorName {
    Black,
    White,
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Black => Self::Black,
            ColorName::White => Self::White,
        }
    }
}

impl From<Color> for ColorName {
    fn from(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }
}

/// The game for which a player waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The colour that the waiting player would like.
    pub wish: Wish,
    /// The rule.
    pub rule: RuleName,
    /// The size of the board, 10 to 20.
    pub lines: u8,
    /// The time for each move in seconds, 1 to [`MOST_SECONDS`]; none for no limit.
    pub seconds: Option<u16>,
}

impl Default for Offer {
    fn default() -> Self {
        Self { wish: Wish::Either, rule: RuleName::Freestyle, lines: Size::DEFAULT.lines(), seconds: None }
    }
}

impl Offer {
    /// Whether every value is within its bounds.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        Size::new(self.lines).is_some() && self.seconds.is_none_or(|s| (1..=MOST_SECONDS).contains(&s))
    }
}

/// What changes the position beside a move and needs the consent of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
    /// The asking player takes back to the last own move.
    Undo,
    /// The game ends in a draw.
    Draw,
    /// A new game with colours swapped.
    Restart,
}

/// How a game ended where the stones do not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// The side gave up.
    Resigned,
    /// The side's time for a move ran out. Only the host says so.
    Time,
    /// The side stayed away too long.
    Absent,
}

/// Something to say without words of one's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Greeting {
    Hello,
    GoodLuck,
    WellPlayed,
    Thanks,
    OneMoment,
    Goodbye,
}

impl Greeting {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Hello, Self::GoodLuck, Self::WellPlayed, Self::Thanks, Self::OneMoment, Self::Goodbye];
}

/// Why no game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The other player does not want to.
    Declined,
    /// The other player does not wait for a game, or is asked by somebody else.
    Busy,
    /// The offer has changed meanwhile.
    Changed,
    /// There is no game to go on with.
    UnknownGame,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Message {
    /// The first on every connection, from both.
    Hello {
        /// The player's name; cleaned by who shows it.
        name: String,
        /// The program and its version.
        program: String,
        /// The port at which the sender can be called.
        port: u16,
        /// The game for which the sender waits.
        offer: Option<Offer>,
        /// The commitment to what [`Message::Reveal`] says.
        code: String,
        /// The commitment to the sender's part of the lot.
        lot: String,
    },
    /// The second on every connection, from both, when the other's hello has come.
    Reveal {
        /// The sender's part of the code.
        code: String,
    },
    /// The caller would like to play the offered game.
    Invite {
        /// The colour that the caller would like.
        wish: Wish,
        /// The offer as the caller knows it.
        offer: Offer,
        /// The caller's part of the lot.
        lot: String,
    },
    /// The game begins.
    Accept {
        /// The host's colour.
        host: ColorName,
        /// The host's part of the lot.
        lot: String,
    },
    /// No game begins.
    Decline {
        /// Why.
        why: Refusal,
    },
    /// After a new connection: where the sender stands.
    Resume {
        /// The game.
        game: String,
        /// How many changes the sender knows.
        version: u32,
        /// The position after them.
        hash: String,
    },
    /// A stone.
    Move {
        /// The number of this change.
        version: u32,
        /// The column from the left, from 0.
        x: u8,
        /// The row from the top, from 0.
        y: u8,
        /// The position after it.
        hash: String,
    },
    /// Asks for consent.
    Ask {
        /// The number of changes before.
        version: u32,
        /// What is asked.
        what: Request,
    },
    /// The answer.
    Answer {
        /// As in the question.
        version: u32,
        /// As in the question.
        what: Request,
        /// Whether the sender consents.
        yes: bool,
    },
    /// What both have agreed on is done. Only the side to move says so.
    Change {
        /// The number of this change.
        version: u32,
        /// What is done.
        what: Request,
        /// Who has asked for it.
        asker: Side,
        /// The position after it.
        hash: String,
    },
    /// A side has lost.
    Lost {
        /// The number of changes before.
        version: u32,
        /// The side that has lost.
        side: Side,
        /// Why.
        why: Loss,
    },
    /// The sender knows that the game has ended, and how.
    Over {
        /// How many changes the sender knows.
        version: u32,
        /// The side that has lost, if the end was said.
        side: Option<Side>,
        /// Why.
        why: Option<Loss>,
    },
    /// A greeting.
    Greet {
        /// Which.
        what: Greeting,
    },
    /// Sent every two seconds.
    Ping {
        /// Any number; comes back.
        at: u32,
        /// How many changes the sender knows.
        version: u32,
        /// What the host's clock leaves to the side to move, in milliseconds.
        left: Option<u32>,
    },
    /// The answer to a ping.
    Pong {
        /// As in the ping.
        at: u32,
    },
    /// The sender's position is not the one that it was told.
    Diverged {
        /// How many changes the sender knows.
        version: u32,
        /// The number of the game, from 0.
        number: u32,
        /// The sender's moves, as columns and rows.
        moves: Vec<(u8, u8)>,
    },
    /// The sender would go on from the last common position.
    Common {
        /// The number that this change would have.
        version: u32,
        /// How many stones stand then.
        stones: u16,
    },
    /// The sender leaves the game.
    Leave {},
}

/// Bytes that are no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMessage(String);

impl fmt::Display for NoMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no message: {}", self.0)
    }
}

impl core::error::Error for NoMessage {}

impl Message {
    /// The message in bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // Every key is a string and nothing here can fail to be written.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a message.
    ///
    /// # Errors
    /// If the bytes are no message, or have more fields than it has.
    pub fn decode(bytes: &[u8]) -> Result<Self, NoMessage> {
        serde_json::from_slice(bytes).map_err(|error| {
            NoMessage(error.to_string().chars().filter(|c| !c.is_control()).take(100).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_look_as_the_documentation_says() {
        let text = |message: &Message| String::from_utf8(message.encode()).unwrap();
        let hash = "00000000000000ff".to_owned();
        assert_eq!(
            text(&Message::Move { version: 3, x: 7, y: 8, hash }),
            r#"{"type":"move","version":3,"x":7,"y":8,"hash":"00000000000000ff"}"#
        );
        assert_eq!(
            text(&Message::Ask { version: 3, what: Request::Undo }),
            r#"{"type":"ask","version":3,"what":"undo"}"#
        );
        assert_eq!(text(&Message::Leave {}), r#"{"type":"leave"}"#);
        assert_eq!(
            text(&Message::Invite { wish: Wish::Either, offer: Offer::default(), lot: "00".into() }),
            r#"{"type":"invite","wish":"either","offer":{"wish":"either","rule":"freestyle","lines":15,"seconds":null},"lot":"00"}"#
        );
    }

    #[test]
    fn only_whole_known_messages_are_read() {
        for bad in [
            "",
            "{",
            "null",
            "[]",
            r#"{"type":"leave","more":1}"#,
            r#"{"type":"shout"}"#,
            r#"{"type":"move","version":1,"x":7,"y":8}"#,
            r#"{"type":"move","version":-1,"x":7,"y":8,"hash":""}"#,
            r#"{"type":"move","version":1,"x":256,"y":8,"hash":""}"#,
            r#"{"type":"ping","at":4294967296,"version":0,"left":null}"#,
            r#"{"type":"leave"}{"type":"leave"}"#,
        ] {
            let error = Message::decode(bad.as_bytes()).unwrap_err().to_string();
            assert!(error.len() < 500, "{bad}");
        }
        assert!(Message::decode(&[b'['; 16_000]).is_err());
    }
}
