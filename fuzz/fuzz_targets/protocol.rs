// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes from a manager: each line gives at most two events, and refusals stay short and on one
//! line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wuzi_brain::lines::{Line, LineBuffer};
use wuzi_brain::protocol::{Event, Parser};

fuzz_target!(|bytes: &[u8]| {
    let mut parser = Parser::new();
    let mut buffer = LineBuffer::default();
    let mut events = Vec::new();
    let mut take = |line: Line| {
        let before = events.len();
        let each = |event: Event| events.push(event);
        match line {
            Line::Text(text) => parser.line(&text, each),
            Line::TooLong => parser.lost_line(each),
        }
        assert!(events.len() <= before + 2);
    };
    buffer.push(bytes, &mut take);
    if let Some(line) = buffer.finish() {
        take(line);
    }
    parser.finish(|event| events.push(event));
    for refusal in events.into_iter().filter_map(Result::err) {
        let answer = refusal.to_string();
        assert!(answer.chars().count() < 200 && !answer.contains(char::is_control), "{answer:?}");
    }
});
