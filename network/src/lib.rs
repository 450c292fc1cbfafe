// SPDX-License-Identifier: GPL-3.0-only
//! Two players on two machines: the protocol of Wuzi on a local network (`docs/network.md`).

pub mod frame;
pub mod message;
pub mod name;
pub mod table;
