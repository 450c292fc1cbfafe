// SPDX-License-Identifier: GPL-2.0-only
//! The ALIENTEK Explorer STM32F407 board as a program.
//!
//! It runs the unmodified firmware image: [`Machine::new`] puts a board together around an ELF file,
//! [`Machine::run_for`] lets emulated time pass, and everything that a person or a cable does to a
//! board has a method. Registers behave as the reference manual says; whatever is not modelled is
//! reported with its address and the instruction, never silently accepted.
//!
//! ```no_run
//! use std::time::Duration;
//! use wuzi_board::{Config, Machine};
//!
//! let elf = std::fs::read("dist/wuzi-firmware.elf")?;
//! let mut board = Machine::new(Config::new(elf))?;
//! board.run_for(Duration::from_secs(1))?;
//! board.tap(240, 555)?;
//! println!("{}", board.uart());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod bus;
pub mod chip;
pub mod core;
pub mod cycles;
pub mod event;
pub mod image;
pub mod machine;
pub mod peripheral;
pub mod picture;
pub mod script;
pub mod signal;
#[cfg(feature = "window")]
pub mod window;

pub use board::{Key, Report};
pub use chip::lcd::{Frame, LcdKind};
pub use chip::touch::TouchKind;
pub use chip::xpt2046::Noise;
pub use event::{Event, EventKind, Now, ResetCause};
pub use machine::{Config, Error, Machine};
pub use peripheral::rng::Fault as RngFault;
