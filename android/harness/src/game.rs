// SPDX-License-Identifier: GPL-3.0-only
//! The game that the app keeps in its directory.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The kept game.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept(Value);

impl Kept {
    /// Reads `game.json`; `None` if no game is kept.
    #[must_use]
    pub fn read(data: &Path) -> Option<Self> {
        let bytes = fs::read(data.join("game.json")).ok()?;
        Some(Self(serde_json::from_slice(&bytes).expect("a whole file")))
    }

    /// Column and row of its stones, in the order in which they were placed.
    #[must_use]
    pub fn points(&self) -> Vec<(u32, u32)> {
        serde_json::from_value(self.0["moves"].clone()).expect("pairs of numbers")
    }
}
