// SPDX-License-Identifier: GPL-3.0-only
//! Another program that plays, in a process of its own.

use std::time::Duration;

use wuzi_brain::client::{Client, ClientError, Setup};
use wuzi_engine::{Choice, Game, classic};

use crate::services::{EngineError, EngineFault};
use crate::settings::EngineSettings;

/// The other program, while it runs.
#[derive(Default)]
pub(super) struct Guest {
    running: Option<(EngineSettings, Client)>,
}

impl Guest {
    /// Whether this machine can start one.
    pub(super) const CAN_PLAY: bool = true;

    /// Its move, from the process that runs already if it plays the same kind of game.
    pub(super) fn choose(
        &mut self,
        settings: &EngineSettings,
        game: &Game,
        time: Duration,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Choice, EngineError> {
        let fits = |(known, client): &(EngineSettings, Client)| {
            known == settings && client.setup().size == game.size() && client.setup().rule == game.rule()
        };
        if !self.running.as_ref().is_some_and(fits) {
            self.running = None;
            let setup = Setup::new(&settings.path, game.size(), game.rule(), time);
            let client = Client::start(setup, stop).map_err(|error| match error {
                // What ends before it has answered once knows nothing of games.
                ClientError::Crashed { .. } => {
                    EngineError { fault: EngineFault::NoEngine, detail: error.to_string() }
                }
                error => error.into(),
            })?;
            self.running = Some((settings.clone(), client));
        }
        let (_, client) = self.running.as_mut().ok_or_else(EngineError::default)?;
        let point = client.choose(game, None, stop)?.point;
        let scored = classic::Scored::new(game, point, classic::Table::Original);
        Ok(Choice {
            point,
            attack: scored.attack,
            defence: scored.defence,
            score: None,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
        })
    }
}

impl From<ClientError> for EngineError {
    fn from(error: ClientError) -> Self {
        let fault = match &error {
            ClientError::Spawn { .. } => EngineFault::NotStarted,
            ClientError::NoStart { .. } => EngineFault::NoEngine,
            ClientError::Refused { .. } => EngineFault::Refused,
            ClientError::Hung { .. } | ClientError::Stopped => EngineFault::Hung,
            ClientError::Crashed { .. } => EngineFault::Crashed,
            ClientError::Illegal { .. } => EngineFault::Illegal,
        };
        Self { fault, detail: error.to_string() }
    }
}
