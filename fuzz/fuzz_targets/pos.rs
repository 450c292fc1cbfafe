// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes as a game: refused with a short reason, or a record that reads back as it was written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wuzi_fuzz::reads_back;
use wuzi_record::Format;

fuzz_target!(|bytes: &[u8]| reads_back(Format::Pos, bytes));
