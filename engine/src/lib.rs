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
pub mod classic;
mod color;
mod combo;
#[cfg(feature = "fit")]
pub mod features;
mod forbidden;
mod game;
mod level;
pub mod pattern;
mod player;
mod point;
mod position;
mod rule;
mod score;
mod search;
mod solver;
mod table;
#[cfg(test)]
mod testing;
mod vcf;
mod vct;
mod weights;

pub use board::Board;
pub use color::Color;
pub use forbidden::{forbidden, forbidden_points};
pub use game::{Game, Outcome, PlayError, Row, WinReason};
pub use level::Level;
pub use player::{Choice, Limits, Player, evaluate};
pub use point::{ParsePointError, Point, Size};
pub use rule::{Forbidden, Rule};
pub use score::Score;
pub use solver::{Answer, Solution, vcf, vct};
