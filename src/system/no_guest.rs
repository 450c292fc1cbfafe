// SPDX-License-Identifier: GPL-3.0-only
//! Android lets no app start a program that did not come with it.

use std::time::Duration;

use wuzi_engine::{Choice, Game};

use crate::services::EngineError;
use crate::settings::EngineSettings;

/// Never there.
#[derive(Default)]
pub(super) struct Guest;

impl Guest {
    /// Whether this machine can start one.
    pub(super) const CAN_PLAY: bool = false;

    /// No move: a game against another program that was brought here from elsewhere says so.
    pub(super) fn choose(
        &mut self,
        _settings: &EngineSettings,
        _game: &Game,
        _time: Duration,
        _stop: &mut dyn FnMut() -> bool,
    ) -> Result<Choice, EngineError> {
        Err(EngineError::default())
    }
}
