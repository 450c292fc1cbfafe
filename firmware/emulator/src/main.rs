// SPDX-License-Identifier: GPL-2.0-only
//! Runs a program for an emulated time and prints what happened.

use std::process::ExitCode;
use std::time::Duration;

use wuzi_board::{Config, Machine};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(file), Some(ms)) =
        (arguments.first(), arguments.get(1).map_or(Some(1000), |text| text.parse().ok()))
    else {
        eprintln!("usage: wuzi-board ELF [MILLISECONDS]");
        return ExitCode::FAILURE;
    };
    let outcome = std::fs::read(file).map_err(|error| format!("{file}: {error}")).and_then(|elf| {
        let mut board = Machine::new(Config::new(elf)).map_err(|error| error.to_string())?;
        let outcome = board.run_for(Duration::from_millis(ms));
        for event in board.events() {
            println!("{event}");
        }
        outcome.map_err(|error| error.to_string())
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wuzi-board: {error}");
            ExitCode::FAILURE
        }
    }
}
