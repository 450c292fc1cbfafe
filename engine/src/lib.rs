// SPDX-License-Identifier: MIT OR Apache-2.0
//! Gomoku and Renju: rules, records, solvers and computer players.
//!
//! ```
//! use rand::{SeedableRng, rngs::StdRng};
//! use wuzi_engine::{Game, Level, Limits, Player, Point, Rule, Size};
//!
//! let mut game = Game::new(Size::DEFAULT, Rule::Renju);
//! for name in ["H8", "H9", "J7"] {
//!     game.play(Point::parse(name, game.size()).unwrap()).unwrap();
//! }
//! let mut player = Player::new(1 << 20); // a megabyte remembers positions
//! let limits = Some(Limits { nodes: Some(5_000), ..Limits::default() });
//! let rng = &mut StdRng::seed_from_u64(1);
//! let choice = player.choose(&game, Level::Master, limits, rng, &mut || false).unwrap();
//! game.play(choice.point).unwrap();
//! assert_eq!(game.moves().len(), 4);
//! ```
//!
//! - [`Game`]: boards from 10×10 to 20×20, freestyle, standard and Renju; the outcome with its row;
//!   [`forbidden`] and [`forbidden_points`] with the full recursive definition.
//! - [`Player`]: the levels from Easy to Master; always a legal move, whenever it is stopped.
//! - [`vcf`] and [`vct`]: wins by continuous fours and by continuous threats, with complete lines.
//! - [`evaluate`]: who stands better, at once.
//! - [`classic`]: the player of the original board game, as it was.
//! - [`pattern`](mod@pattern): what a stone makes of a line.
//!
//! `no_std` with `alloc`: no clock, no window, no file; time is the business of a callback. A player
//! with 64 KiB for positions needs less than 110 KiB in all.
//!
//! # Features
//! - `std` (default): threads for Expert and Master, `Player::set_threads`.
//! - `fit`: the module `features`, what the weights of the evaluation are fitted to.
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
mod memory;
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
