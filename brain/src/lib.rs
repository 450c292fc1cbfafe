// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wuzi among other Gomoku programs: the Gomocup (Piskvork) brain protocol spoken from both ends.
//!
//! - [`protocol`]: what a manager may say to a brain, read from text;
//! - [`brain`]: Wuzi's own brain, which answers;
//! - [`client`]: any Gomocup brain as a child process, to play against.
//!
//! The programs `wuzi-brain` and `wuzi-match` stand on these.
#![forbid(unsafe_code)]

#[cfg(feature = "tools")]
pub mod batch;
#[cfg(feature = "tools")]
pub mod bench;
pub mod brain;
pub mod client;
pub mod clock;
#[cfg(feature = "tools")]
pub mod contest;
pub mod lines;
pub mod position;
pub mod protocol;
pub mod stop;
pub mod thinker;
pub mod worker;
