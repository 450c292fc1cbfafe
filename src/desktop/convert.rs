// SPDX-License-Identifier: GPL-3.0-only
//! `wuzi convert IN OUT`: a game from one file format to another, without a window.

use std::process::ExitCode;

use super::args::Convert;
use super::system_language;
use crate::files::{self, FileError, Part};
use crate::message::Message;

/// The exit code for bad input, as for a bad command line.
const BAD_INPUT: u8 = 2;

/// Converts, and says on stderr what went wrong.
pub(super) fn run(args: &Convert) -> ExitCode {
    match convert(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wuzi: {}", Message::from(&error).in_language(system_language()));
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn convert(args: &Convert) -> Result<(), FileError> {
    let record = files::read(&args.input, args.row_one)?;
    files::write(&args.output, &record, Part::main(&record))
}
