// SPDX-License-Identifier: GPL-3.0-only
//! Settings and the running game in the EEPROM.
//!
//! What the controller wants kept waits here until the main loop has drawn: a write takes the chip
//! some 20 ms.

use alloc::rc::Rc;
use alloc::string::{String, ToString};
use core::cell::RefCell;
use core::fmt;

use stm32f4xx_hal::gpio::{OpenDrain, Output, PB8, PB9, Pull};
use wuzi::compact::{pack_session, pack_settings, unpack_session, unpack_settings};
use wuzi::services::{Storage, StorageError};
use wuzi::session::SavedSession;
use wuzi::settings::Settings;
use wuzi_drivers::calibration::{Calibration, Reading, pack, unpack};
use wuzi_drivers::eeprom::Eeprom;
use wuzi_drivers::i2c::SoftI2c;
use wuzi_drivers::journal::{Header, Journal, Moves};
use wuzi_engine::{Point, Size};

use crate::clock::Delay;

/// 100 kHz, which the chip stands at any supply.
const HALF_CLOCK_NS: u32 = 5000;

type Chip = Eeprom<SoftI2c<PB8<Output<OpenDrain>>, PB9<Output<OpenDrain>>, Delay>, Delay>;

/// What is to be kept.
#[derive(Debug)]
struct Wanted {
    header: Header,
    moves: Moves,
    /// It differs from what was written.
    fresh: bool,
    /// Why the last write failed, until the controller knows.
    failure: Option<String>,
}

/// The EEPROM, in the hands of the main loop.
#[derive(Debug)]
pub struct Keeper {
    journal: Journal<Chip>,
    wanted: Rc<RefCell<Wanted>>,
    /// Writes that failed one after the other.
    failures: u32,
}

/// The controller's side.
#[derive(Debug)]
pub struct BoardStorage(Rc<RefCell<Wanted>>);

/// What was kept.
#[derive(Debug)]
pub struct Kept {
    /// The settings.
    pub settings: Settings,
    /// The game that was running.
    pub session: Option<SavedSession>,
}

/// The names of a session's moves.
struct Names<'a>(&'a SavedSession);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = Size::new(self.0.lines).unwrap_or_default();
        let points = self.0.moves.iter().map(|&(x, y)| Point::new(x, y));
        points.filter(|&point| size.contains(point)).try_for_each(|point| write!(f, " {}", point.name(size)))
    }
}

impl Keeper {
    /// Reads the chip. If that fails the game begins with the usual settings.
    pub fn open(scl: PB8, sda: PB9) -> (Self, Kept) {
        let scl = scl.into_open_drain_output().internal_resistor(Pull::Up);
        let sda = sda.into_open_drain_output().internal_resistor(Pull::Up);
        let i2c = SoftI2c::new(scl, sda, Delay, HALF_CLOCK_NS);
        let (journal, found) = Journal::open(Eeprom::new(i2c, Delay));
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                log::error!("EEPROM: {error}; nothing can be continued");
                false
            }
        };
        let header = journal.header();
        let settings = found.then(|| unpack_settings(header.settings)).flatten().unwrap_or_default();
        let session = unpack_session(header.game, journal.moves().as_slice());
        log::info!("EEPROM: {}", if found { "settings are kept" } else { "new" });
        match &session {
            Some(session) => {
                log::info!("EEPROM: a game of {} moves is kept:{}", session.moves.len(), Names(session))
            }
            None => log::info!("EEPROM: no game is kept"),
        }
        // Settings that were not kept yet are their defaults from now on.
        let header = Header { settings: pack_settings(&settings), ..header };
        let wanted = Wanted { header, moves: *journal.moves(), fresh: false, failure: None };
        let wanted = Rc::new(RefCell::new(wanted));
        (Self { journal, wanted, failures: 0 }, Kept { settings, session })
    }

    /// The controller's side of this.
    pub fn storage(&self) -> BoardStorage {
        BoardStorage(Rc::clone(&self.wanted))
    }

    /// Writes what waits. A write that failed is tried once more the next time; true if that failed
    /// too, and the player should hear of it.
    pub fn flush(&mut self) -> bool {
        let mut wanted = self.wanted.borrow_mut();
        if !core::mem::take(&mut wanted.fresh) {
            return false;
        }
        let Err(error) = self.journal.save(wanted.header, &wanted.moves) else {
            self.failures = 0;
            return false;
        };
        log::error!("not kept: {error}");
        self.failures = self.failures.saturating_add(1);
        if self.failures == 1 {
            wanted.fresh = true;
        } else {
            wanted.failure = Some(error.to_string());
        }
        self.failures == 2
    }

    /// The calibration of a resistive panel, if one was kept.
    pub fn calibration(&mut self) -> Option<Calibration> {
        match self.journal.calibration() {
            Ok(readings) => readings.and_then(|bytes| Calibration::from_readings(unpack(bytes)).ok()),
            Err(error) => {
                log::error!("calibration: {error}");
                None
            }
        }
    }

    /// Keeps the readings of the marks.
    pub fn save_calibration(&mut self, readings: [Reading; 4]) {
        if let Err(error) = self.journal.save_calibration(pack(readings)) {
            log::error!("calibration not kept: {error}");
        }
    }
}

impl BoardStorage {
    fn want(&self, change: impl FnOnce(&mut Wanted)) -> Result<(), StorageError> {
        let mut wanted = self.0.borrow_mut();
        change(&mut wanted);
        wanted.fresh = true;
        wanted.failure.take().map_or(Ok(()), |cause| Err(StorageError { cause: cause.into() }))
    }
}

impl Storage for BoardStorage {
    fn save_settings(&mut self, settings: &Settings) -> Result<(), StorageError> {
        self.want(|wanted| wanted.header.settings = pack_settings(settings))
    }

    fn save_session(&mut self, session: Option<&SavedSession>) -> Result<(), StorageError> {
        let packed = session.map(pack_session);
        let kept = match &packed {
            None => Some((0, Moves::EMPTY)),
            Some(packed) => {
                packed.as_ref().and_then(|(kind, moves)| Some((*kind, Moves::new(moves.iter().copied())?)))
            }
        };
        let Some((game, moves)) = kept else {
            return Err(StorageError { cause: "only boards of up to 15 lines can be kept".into() });
        };
        self.want(|wanted| (wanted.header.game, wanted.moves) = (game, moves))
    }
}
