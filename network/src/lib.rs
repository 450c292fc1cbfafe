// SPDX-License-Identifier: GPL-3.0-only
//! Two players on two machines: the protocol of Wuzi on a local network (`docs/network.md`).
//!
//! ```text
//! user ──► node ──► peer ──► table        what is decided: no socket, no thread, no clock
//!           │
//!           ├── link ── secure ── frame   what goes over a stream
//!           └── discovery                 who is there
//! ```
//!
//! [`node::Node`] is what a program uses: commands go in, a [`peer::View`] comes out.

pub mod discovery;
pub mod fault;
pub mod frame;
pub mod key;
pub mod link;
#[cfg(test)]
mod memory;
pub mod message;
pub mod name;
pub mod node;
pub mod peer;
pub mod secure;
pub mod stream;
pub mod table;
