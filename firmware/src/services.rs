// SPDX-License-Identifier: GPL-3.0-only
//! What the interface and the controller ask of this machine.

use alloc::rc::Rc;
use core::fmt;
use core::time::Duration;

use slint::PlatformError;
use slint::platform::software_renderer::MinimalSoftwareWindow;
use slint::platform::{Platform, WindowAdapter};
use wuzi::services::{Lamps, Sound};
use wuzi_drivers::buzzer::Pattern;
use wuzi_drivers::lamp::Show;
use wuzi_engine::Color;

use crate::{clock, signals};

/// The one window, and the time.
pub struct BoardPlatform(pub Rc<MinimalSoftwareWindow>);

impl Platform for BoardPlatform {
    fn create_window_adapter(&self) -> Result<Rc<dyn WindowAdapter>, PlatformError> {
        Ok(self.0.clone())
    }

    fn duration_since_start(&self) -> Duration {
        Duration::from_millis(clock::now())
    }

    fn debug_log(&self, arguments: fmt::Arguments<'_>) {
        log::info!("{arguments}");
    }
}

/// The buzzer.
#[derive(Debug)]
pub struct Speaker;

impl Sound for Speaker {
    fn stone(&mut self) {
        signals::play(Pattern::Stone);
    }

    fn five(&mut self) {
        signals::play(Pattern::Five);
    }

    fn set_music(&mut self, _on: bool) {}

    fn has_music(&self) -> bool {
        false
    }
}

/// DS0 and DS1.
#[derive(Debug)]
pub struct Lights;

impl Lamps for Lights {
    fn show(&mut self, side: Option<Color>) {
        signals::show(match side {
            None => Show::Dark,
            Some(Color::Black) => Show::Black,
            Some(Color::White) => Show::White,
        });
    }
}
