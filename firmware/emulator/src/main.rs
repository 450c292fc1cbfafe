// SPDX-License-Identifier: GPL-2.0-only
//! The board as a program: `run` works off a script, `window` shows the board.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use wuzi_board::chip::eeprom;
use wuzi_board::cycles::CycleModel;
use wuzi_board::script::{self, Runner};
use wuzi_board::{Config, LcdKind, Machine, TouchKind};

/// Runs a program for the ALIENTEK Explorer STM32F407 board.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Works off a script without a window and checks what it says.
    Run {
        #[command(flatten)]
        board: BoardArguments,
        /// The script; without one the board just runs.
        #[arg(long)]
        script: Option<PathBuf>,
        /// How long the board runs after the script.
        #[arg(long, value_parser = humantime::parse_duration, default_value = "0s")]
        time: Duration,
        /// Where pictures, the event log (events.log) and the serial text (uart.txt) go.
        #[arg(long, default_value = "board-run")]
        out: PathBuf,
    },
    /// Shows the board in a window, in real time.
    #[cfg(feature = "window")]
    Window {
        #[command(flatten)]
        board: BoardArguments,
    },
}

#[derive(Debug, Args)]
struct BoardArguments {
    /// The program, an ELF file.
    #[arg(long)]
    elf: PathBuf,
    /// Keeps the contents of the EEPROM in this file.
    #[arg(long)]
    eeprom: Option<PathBuf>,
    /// The LCD: nt35510, ili9806, absent, or the number that an unknown one answers.
    #[arg(long, value_parser = script::lcd_kind, default_value = "nt35510")]
    lcd: LcdKind,
    /// The touch panel: 9147, 911, 1158, 9271, ott2001a, ft5206, resistive or absent.
    #[arg(long, value_parser = script::touch_kind, default_value = "9147")]
    panel: TouchKind,
    /// Multiplies the cycles of every instruction.
    #[arg(long, value_parser = factor, default_value_t = CycleModel::default().factor)]
    cycle_factor: f64,
    /// Goes on after accesses that are not modelled (they are logged).
    #[arg(long)]
    lenient: bool,
    /// Where the random numbers start.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn factor(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor| (0.01..=100.0).contains(factor));
    factor.ok_or_else(|| "a number from 0.01 to 100".into())
}

impl BoardArguments {
    fn machine(&self) -> Result<Machine, String> {
        let mut config = Config::new(read(&self.elf)?);
        config.lcd = self.lcd;
        config.touch = self.panel.clone();
        config.cycles.factor = self.cycle_factor;
        config.strict = !self.lenient;
        config.seed = self.seed;
        if let Some(file) = self.eeprom.as_ref().filter(|file| file.exists()) {
            config.eeprom = read(file)?;
            if config.eeprom.len() != eeprom::SIZE {
                return Err(format!("{}: an EEPROM holds {} bytes", file.display(), eeprom::SIZE));
            }
        }
        Machine::new(config).map_err(|error| format!("{}: {error}", self.elf.display()))
    }

    fn keep_eeprom(&self, machine: &Machine) -> Result<(), String> {
        let Some(file) = &self.eeprom else { return Ok(()) };
        write(file, machine.eeprom().cells())
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|error| format!("{} cannot be written: {error}", file.display()))
}

fn run(board: &BoardArguments, script: Option<&Path>, time: Duration, out: &Path) -> Result<(), String> {
    let commands = match script {
        Some(file) => {
            let text = String::from_utf8_lossy(&read(file)?).into_owned();
            script::parse(&text).map_err(|error| format!("{}: {error}", file.display()))?
        }
        None => Vec::new(),
    };
    fs::create_dir_all(out).map_err(|error| format!("{} cannot be made: {error}", out.display()))?;
    let mut machine = board.machine()?;
    let base = script.and_then(Path::parent).unwrap_or(Path::new("."));
    let begun = Instant::now();
    let outcome = Runner::new(&mut machine, base, out)
        .run(&commands)
        .map_err(|error| format!("{}: {error}", script.unwrap_or(Path::new("script")).display()))
        .and_then(|()| machine.run_for(time).map_err(|error| error.to_string()));
    let took = begun.elapsed();

    let mut log = Vec::new();
    for event in machine.events() {
        let _ = writeln!(log, "{event}");
    }
    write(&out.join("events.log"), &log)?;
    write(&out.join("uart.txt"), machine.uart().as_bytes())?;
    board.keep_eeprom(&machine)?;
    let now = machine.now();
    println!(
        "{:.3} s emulated, {} cycles, {} instructions, {} resets, {} warnings ({:.1} s, {:.0} million instructions a second)",
        now.ns as f64 / 1e9,
        now.cycles,
        machine.instructions(),
        machine.resets(),
        machine.warnings().len(),
        took.as_secs_f64(),
        machine.instructions() as f64 / took.as_secs_f64() / 1e6,
    );
    outcome
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Run { board, script, time, out } => run(&board, script.as_deref(), time, &out),
        #[cfg(feature = "window")]
        Command::Window { board } => board.machine().and_then(|mut machine| {
            wuzi_board::window::show(&mut machine, |machine| board.keep_eeprom(machine))
        }),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wuzi-board: {error}");
            ExitCode::FAILURE
        }
    }
}
