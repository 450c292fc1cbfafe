// SPDX-License-Identifier: GPL-3.0-only
//! The desktop program.

use std::process::ExitCode;

use clap::Parser;
use wuzi::desktop::{Args, run};

fn main() -> ExitCode {
    run(&Args::parse())
}
