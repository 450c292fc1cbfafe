// SPDX-License-Identifier: GPL-3.0-only
//! Any bytes as frames and messages: what is read is written the same, and nothing else is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wuzi_network::frame;
use wuzi_network::link::parse_address;
use wuzi_network::message::Message;

fuzz_target!(|bytes: &[u8]| {
    let mut from = bytes;
    while let Ok(frame) = frame::read(&mut from) {
        assert!(!frame.is_empty() && frame.len() <= frame::LONGEST);
        let mut again = Vec::new();
        frame::write(&mut again, &frame).expect("what was read can be written");
        assert_eq!(again[2..], frame);
    }
    match Message::decode(bytes) {
        Ok(message) => {
            let encoded = message.encode();
            assert_eq!(Message::decode(&encoded), Ok(message));
        }
        Err(error) => assert!(error.to_string().chars().count() < 200),
    }
    if let Some((host, port)) = std::str::from_utf8(bytes).ok().and_then(|text| parse_address(text, 5858)) {
        assert!(!host.is_empty() && port > 0);
    }
});
