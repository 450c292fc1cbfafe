// SPDX-License-Identifier: GPL-3.0-only
//! Another program that plays, in a process of its own.

use std::time::Duration;

use wuzi_brain::client::{Client, ClientError, Setup};
use wuzi_engine::{Choice, Game, PlayError, classic};

use crate::message::Message;
use crate::services::{EngineError, EngineFault};
use crate::settings::{EngineSettings, Language};

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
                    EngineError { fault: EngineFault::NoEngine, detail: detail(&error) }
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
        Self { fault, detail: detail(&error) }
    }
}

/// What the user is told; the program's own words stay as they are.
fn detail(error: &ClientError) -> Message {
    let seconds = |waited: &Duration| format!("{:.1}", waited.as_secs_f32());
    let chinese = match error {
        ClientError::Spawn { program, error } => {
            let why = Message::from(error).in_language(Language::Chinese).to_owned();
            format!("引擎 {} 无法启动：{why}", program.display())
        }
        ClientError::NoStart { waited } => {
            format!("引擎在 {} 秒内没有回答 START；它是 Gomocup 引擎吗？", seconds(waited))
        }
        ClientError::Refused { answer } => format!("引擎拒绝对局：{answer}"),
        ClientError::Hung { waited, answer } => {
            let said = answer.as_ref().map(|answer| format!("；它说：{answer}")).unwrap_or_default();
            format!("引擎在 {} 秒内没有落子，已停止{said}", seconds(waited))
        }
        ClientError::Crashed { status, last_words } => {
            let status = status.map(|status| format!("（{status}）")).unwrap_or_default();
            let words = if last_words.is_empty() {
                String::new()
            } else {
                format!("；最后的输出：{last_words}")
            };
            format!("引擎自行结束{status}{words}")
        }
        ClientError::Illegal { answer, error } => {
            let why = match error {
                PlayError::OffBoard => "不在棋盘上",
                PlayError::Occupied => "已有棋子",
                PlayError::GameOver => "对局已经结束",
            };
            format!("引擎下在 {answer}：{why}")
        }
        ClientError::Stopped => "引擎已停止".to_owned(),
    };
    Message::new(error.to_string(), chinese)
}
