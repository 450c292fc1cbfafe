// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the targets of the file formats state.

use wuzi_record::Format;

/// Reads a game; one that is good is written and read again.
///
/// # Panics
/// If a refusal is long or has control characters, a record is larger than its file, or what was
/// written is refused or another record.
pub fn reads_back(format: Format, bytes: &[u8]) {
    let record = match format.read(bytes) {
        Ok(record) => record,
        Err(error) => {
            let message = error.to_string();
            assert!(message.chars().count() < 200 && !message.contains(char::is_control), "{message:?}");
            return;
        }
    };
    assert!(record.len() <= bytes.len());
    let written = format.write(&record).expect("a format holds what it has read");
    let again = format.read(&written).expect("what was written is good");
    assert!(again == record, "{written:?}");
    for other in Format::ALL {
        if let Ok(bytes) = other.write(&record) {
            let read = other.read(&bytes).expect("what was written is good");
            assert_eq!(read.main_line(), record.main_line());
        }
    }
}
