// SPDX-License-Identifier: GPL-3.0-only
//! What the controller asks of the machine: one implementation on each, and one for tests.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::time::Duration;

use wuzi_engine::{Choice, Color, Game, Level};

use crate::message::Message;
use crate::session::SavedSession;
use crate::settings::{EngineSettings, Settings};

/// Loudspeaker or buzzer. Calls return at once.
pub trait Sound {
    /// One short beep: a stone was placed.
    fn stone(&mut self);
    /// Rhythmic long beeps: five in a row.
    fn five(&mut self);
    /// Quiet background music.
    fn set_music(&mut self, on: bool);
    /// Whether the machine can play music.
    fn has_music(&self) -> bool;
}

/// The two lamps outside the screen.
pub trait Lamps {
    /// The lamp of this side blinks at 1 Hz; both are dark for `None`.
    fn show(&mut self, side: Option<Color>);
}

/// What survives the end of the program.
pub trait Storage {
    /// Keeps the settings.
    ///
    /// # Errors
    /// If they could not be kept; the program goes on with them all the same.
    fn save_settings(&mut self, settings: &Settings) -> Result<(), StorageError>;

    /// Keeps the running game before the next move can be made; `None` when there is no game to
    /// continue.
    ///
    /// # Errors
    /// If it could not be kept; the game goes on all the same.
    fn save_session(&mut self, session: Option<&SavedSession>) -> Result<(), StorageError>;

    /// Whether another running program keeps the settings and the running game, and this one does
    /// not.
    fn is_shared(&self) -> bool {
        false
    }

    /// The files that could not be used since the program began, by the names under which they are
    /// kept; empty for none.
    fn set_aside(&self) -> String {
        String::new()
    }
}

/// Something was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorageError {
    /// What is wrong.
    pub cause: Message,
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not saved: {}", self.cause)
    }
}

impl core::error::Error for StorageError {}

/// What a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The computer's own move.
    Move,
    /// A move that the computer makes for a person.
    Help,
    /// A move that is only shown.
    Hint,
}

/// Numbers the thoughts, so that one for a position that is gone can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub u32);

/// Who thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mind {
    /// The computer player.
    Level(Level),
    /// Another program.
    Engine(EngineSettings),
}

/// A position to think about.
#[derive(Clone, Debug)]
pub struct Task {
    /// Comes back with the thought.
    pub ticket: Ticket,
    /// What it is for.
    pub purpose: Purpose,
    /// The position.
    pub game: Game,
    /// Who thinks.
    pub mind: Mind,
    /// How long a level that could think for ever may think, where time is what limits it.
    pub time: Duration,
}

/// How another program failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineFault {
    /// It cannot be started.
    #[default]
    NotStarted,
    /// It does not answer as a Gomocup engine does.
    NoEngine,
    /// It will not play this size or rule.
    Refused,
    /// It made no move in time and was stopped.
    Hung,
    /// It ended by itself.
    Crashed,
    /// Its move is against the rules.
    Illegal,
}

/// A move that did not come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineError {
    /// What happened.
    pub fault: EngineFault,
    /// More of it, in the program's or the system's own words.
    pub detail: Message,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the engine failed: {}", self.detail)
    }
}

impl core::error::Error for EngineError {}

/// A finished task: becomes [`crate::controller::Action::Thought`].
#[derive(Clone, Debug)]
pub struct Thought {
    /// That of the task.
    pub ticket: Ticket,
    /// The move; `None` if there was no empty point.
    ///
    /// # Errors
    /// If the other program made no legal move.
    pub choice: Result<Option<Choice>, EngineError>,
}

/// The computer player beside the interface: a worker thread, or the board's main loop.
pub trait Thinker {
    /// Begins to think and returns at once. Ends the thought before, if one is under way.
    fn start(&mut self, task: Task);
    /// Ends the thought under way as soon as it can; its result may still arrive.
    fn stop(&mut self);
    /// Whether this machine can load another program.
    fn has_engines(&self) -> bool {
        false
    }
}

/// Hands games to other programs that the user chooses.
#[cfg(feature = "std")]
pub trait Sharing {
    /// Asks the user for a program and gives it the text. Returns at once; what goes wrong comes back as
    /// [`Act::NotShared`](crate::archive::Act::NotShared).
    fn share(&mut self, text: String);
}

/// The machine.
#[expect(missing_debug_implementations, reason = "the services are traits")]
pub struct Services {
    /// Loudspeaker or buzzer.
    pub sound: Box<dyn Sound>,
    /// Lamps outside the screen.
    pub lamps: Box<dyn Lamps>,
    /// What survives.
    pub storage: Box<dyn Storage>,
    /// The computer player.
    pub thinker: Box<dyn Thinker>,
    /// Where finished games go.
    #[cfg(feature = "std")]
    pub games: Box<dyn crate::archive::GameStore>,
    /// The players at other machines.
    #[cfg(feature = "std")]
    pub network: Box<dyn crate::network::Network>,
    /// The way to other programs; none where files are the only one.
    #[cfg(feature = "std")]
    pub sharing: Option<Box<dyn Sharing>>,
}
