// SPDX-License-Identifier: GPL-3.0-only
//! Why a connection or a game did not come about.

use core::fmt;

use crate::message::Refusal;

/// Why a connection or a game did not come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The address is none.
    Address,
    /// No machine has this name.
    UnknownHost,
    /// The machine is there; no program listens at the port.
    NobodyListens,
    /// There is no way to the machine.
    Unreachable,
    /// Nothing answers.
    NoAnswer,
    /// What answers is no Wuzi.
    NotWuzi,
    /// The other program has another version of the protocol.
    Version {
        /// The other's.
        theirs: u16,
    },
    /// The address is this program's own.
    Own,
    /// At the address is another player than the one of the list.
    Another,
    /// The other player does not wait for a game.
    NotWaiting,
    /// The other side refused.
    Refused(Refusal),
    /// The connection broke.
    Broken,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => f.write_str("not an address"),
            Self::UnknownHost => f.write_str("no machine has this name"),
            Self::NobodyListens => f.write_str("no program listens there"),
            Self::Unreachable => f.write_str("there is no way to this machine"),
            Self::NoAnswer => f.write_str("nothing answers"),
            Self::NotWuzi => f.write_str("what answers is no Wuzi"),
            Self::Version { theirs } => {
                write!(f, "the other program speaks version {theirs} of the protocol")
            }
            Self::Own => f.write_str("this is the program itself"),
            Self::Another => f.write_str("another player than the expected one is at this address"),
            Self::NotWaiting => f.write_str("the other player does not wait for a game"),
            Self::Refused(why) => write!(f, "the other side refused: {why:?}"),
            Self::Broken => f.write_str("the connection broke"),
        }
    }
}

impl core::error::Error for Fault {}
