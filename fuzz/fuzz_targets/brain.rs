// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes to the whole brain: it ends by itself, and every line it says is one of the protocol's.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // The time limit would make it slow; END stops every search at once.
    let mut input = b"START 15\nINFO timeout_turn 0\n".to_vec();
    input.extend(bytes.split(|&byte| byte == b'\n' || byte == b'\r').filter(|line| !is_slow(line)).fold(
        Vec::new(),
        |mut all, line| {
            all.extend_from_slice(line);
            all.push(b'\n');
            all
        },
    ));
    let mut output = Vec::new();
    wuzi_brain::brain::run(Cursor::new(input), &mut output, 1).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("answers are text");
    for line in output.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        let is_move = |text: &str| {
            text.split_once(',').is_some_and(|(x, y)| x.parse::<u8>().is_ok() && y.parse::<u8>().is_ok())
        };
        let known = ["OK", "ERROR", "UNKNOWN", "MESSAGE", "FORBID", "SWAP"].contains(&word)
            || line.starts_with("name=\"Wuzi\"")
            || line.split(' ').all(is_move);
        assert!(known, "{line:?}");
    }
});

/// Whether the line would give searches more time.
fn is_slow(line: &[u8]) -> bool {
    line.to_ascii_lowercase().windows(4).any(|part| part == b"time")
}
