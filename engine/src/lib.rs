// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gomoku and Renju: rules, records and computer players.
//!
//! `no_std` with `alloc`; no clock, thread, file or window of its own.
//!
//! ```
//! use wuzi_engine::{Color, Game, Point, Rule, Size};
//!
//! let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
//! for name in ["H8", "A1", "I8", "A2", "J8", "A3", "K8", "A4", "L8"] {
//!     game.play(Point::parse(name, game.size()).unwrap()).unwrap();
//! }
//! assert_eq!(game.outcome().winner(), Some(Color::Black));
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
extern crate alloc;

mod board;
mod color;
mod game;
mod level;
mod point;
mod rule;

pub use board::Board;
pub use color::Color;
pub use game::{Game, Outcome, PlayError, Row, WinReason};
pub use level::Level;
pub use point::{ParsePointError, Point, Size};
pub use rule::{Forbidden, Rule};
