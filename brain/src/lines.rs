// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of text from a byte stream, whatever ends them, never longer than a limit.

/// The longest line kept, in bytes; what goes beyond is dropped.
pub const MAX_LINE: usize = 4096;

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Its text; bytes that are not UTF-8 are replaced.
    Text(String),
    /// It was longer than [`MAX_LINE`] and is lost.
    TooLong,
}

/// Cuts bytes into lines that end with CR, LF or CRLF. Empty lines are skipped.
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
    too_long: bool,
}

impl LineBuffer {
    /// Takes the next bytes of the stream and hands out every line that they complete.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Line)) {
        for &byte in bytes {
            match byte {
                b'\r' | b'\n' => {
                    if let Some(line) = self.finish() {
                        each(line);
                    }
                }
                _ if self.too_long => {}
                _ if self.bytes.len() == MAX_LINE => {
                    self.bytes.clear();
                    self.too_long = true;
                }
                _ => self.bytes.push(byte),
            }
        }
    }

    /// The line begun but not ended, at the end of the stream.
    pub fn finish(&mut self) -> Option<Line> {
        if std::mem::take(&mut self.too_long) {
            return Some(Line::TooLong);
        }
        if self.bytes.is_empty() {
            return None;
        }
        let text = String::from_utf8_lossy(&self.bytes).into_owned();
        self.bytes.clear();
        Some(Line::Text(text))
    }

    /// What has come since the last line end.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(chunks: &[&[u8]]) -> Vec<Line> {
        let mut buffer = LineBuffer::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            buffer.push(chunk, |line| lines.push(line));
        }
        lines.extend(buffer.finish());
        lines
    }

    #[test]
    fn every_line_end_is_taken() {
        let texts = ["a", "b", "c", "d"].map(|text| Line::Text(text.to_owned()));
        assert_eq!(lines(&[b"a\r\nb\nc\rd"]), texts);
        assert_eq!(lines(&[b"a\r", b"\nb", b"\n\n\r\rc\r\nd\r\n"]), texts);
    }

    #[test]
    fn a_line_at_the_limit_is_kept_and_one_beyond_is_reported_once() {
        let limit = vec![b'x'; MAX_LINE];
        assert_eq!(lines(&[&limit]), [Line::Text("x".repeat(MAX_LINE))]);
        assert_eq!(lines(&[&limit, &limit, b"x\nEND\n"]), [Line::TooLong, Line::Text("END".to_owned())]);
    }

    #[test]
    fn bytes_that_are_no_text_make_no_trouble() {
        assert_eq!(lines(&[b"\xff\xfe\0\n"]), [Line::Text("\u{fffd}\u{fffd}\0".to_owned())]);
    }

    proptest! {
        #[test]
        fn cuts_between_chunks_do_not_matter(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..200) {
            let at = at.min(bytes.len());
            prop_assert_eq!(lines(&[&bytes]), lines(&[&bytes[..at], &bytes[at..]]));
        }
    }
}
