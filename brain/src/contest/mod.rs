// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matches between players: openings, referee, records and what the results mean.

pub mod openings;
pub mod opponent;
pub mod record;
pub mod referee;
pub mod runner;
pub mod statistics;
