// SPDX-License-Identifier: MIT OR Apache-2.0
//! A Gomocup brain on stdin and stdout, and tools that answer questions about many positions.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use wuzi_brain::batch::{self, BatchError, Solver};
use wuzi_brain::{bench, brain};
use wuzi_engine::Rule;

/// Wuzi as a Gomocup brain. Without a command it speaks the protocol on stdin and stdout.
#[derive(Parser)]
#[command(version)]
struct Options {
    /// Where random choices come from; the same seed makes the same choices
    #[arg(long)]
    seed: Option<u64>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Name the points that are forbidden to black under Renju
    Forbid(Input),
    /// Tell how games end
    Outcome {
        #[command(flatten)]
        input: Input,
        /// The rule, whatever the records say: freestyle, standard or renju
        #[arg(long, value_parser = batch::rule_by_name)]
        rule: Option<Rule>,
    },
    /// Look for forced wins of the side to move
    Solve {
        /// What to look for
        #[arg(value_enum)]
        solver: Solver,
        #[command(flatten)]
        input: Input,
        /// The most positions entered for a record
        #[arg(long, default_value_t = 100_000)]
        nodes: u64,
        /// The memory of the solver, KiB
        #[arg(long, default_value_t = 1024, value_name = "KIB", value_parser = clap::value_parser!(u32).range(1..=1 << 21))]
        memory: u32,
        /// The rule, whatever the records say: freestyle, standard or renju
        #[arg(long, value_parser = batch::rule_by_name)]
        rule: Option<Rule>,
    },
    /// Measure the search on this machine
    Bench {
        /// Time for each of the positions, ms
        #[arg(long, default_value_t = 1000, value_name = "MS")]
        time: u64,
    },
}

#[derive(Args)]
struct Input {
    /// JSON lines; - for stdin
    file: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let seed = options.seed.unwrap_or_else(|| RandomState::new().hash_one(0));
    match options.command {
        // A manager that is gone is no fault.
        None => match brain::run(io::stdin(), io::stdout().lock(), seed) {
            Ok(()) | Err(_) => ExitCode::SUCCESS,
        },
        Some(command) => run_batch(&command),
    }
}

fn run_batch(command: &Command) -> ExitCode {
    let output = io::stdout().lock();
    let (file, result) = match command {
        Command::Forbid(input) => {
            let answer = batch::forbidden;
            (&*input.file, answer_file(&input.file, output, answer))
        }
        Command::Outcome { input, rule } => {
            let answer = |record: &_| batch::outcome(record, *rule);
            (&*input.file, answer_file(&input.file, output, answer))
        }
        Command::Solve { solver, input, nodes, memory, rule } => {
            let memory = *memory as usize * 1024;
            let answer = |record: &_| batch::solve(record, *solver, *rule, *nodes, memory);
            (&*input.file, answer_file(&input.file, output, answer))
        }
        Command::Bench { time } => {
            let result = bench::run(output, Duration::from_millis(*time));
            (Path::new("bench"), result.map_err(BatchError::Write))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(BatchError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{}: {error}", file.display());
            ExitCode::from(2)
        }
    }
}

fn answer_file(
    file: &Path,
    output: impl Write,
    answer: impl FnMut(&batch::Record) -> Result<serde_json::Map<String, serde_json::Value>, String>,
) -> Result<(), BatchError> {
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(BatchError::Read)?))
    };
    batch::run(input, output, answer)
}
