// SPDX-License-Identifier: GPL-3.0-only
//! Wuzi (五子棋): the controller of the game and the bindings of its interface.
//!
//! Input → [`controller`] → [`session`] → view. The machine stands behind the traits of
//! [`services`]; see `docs/ARCHITECTURE.md`.
#![cfg_attr(not(feature = "std"), no_std)]
extern crate alloc;

pub mod app;
#[cfg(feature = "std")]
pub mod archive;
pub mod art;
mod bindings;
pub mod compact;
pub mod controller;
mod cursor;
#[cfg(feature = "desktop")]
pub mod desktop;
#[cfg(feature = "std")]
pub mod files;
pub mod keyboard;
pub mod message;
#[cfg(feature = "std")]
pub mod network;
#[cfg(feature = "std")]
pub mod picture;
pub mod services;
pub mod session;
pub mod settings;
#[cfg(feature = "std")]
pub mod system;

/// What the Slint compiler makes of `ui/`.
#[allow(missing_docs, missing_debug_implementations, unsafe_code, unused_qualifications, clippy::all)]
pub mod interface {
    slint::include_modules!();
}
