// SPDX-License-Identifier: GPL-3.0-only
//! Frames: two bytes of length, the higher first, then so many bytes.

use std::io::{self, Read, Write};

/// The longest frame, in bytes, without its length.
pub const LONGEST: usize = 16 * 1024;

/// Writes a frame in one piece.
///
/// # Errors
/// If the frame is empty or too long, or the writer fails.
pub fn write(to: &mut impl Write, frame: &[u8]) -> io::Result<()> {
    let length = u16::try_from(frame.len()).ok().filter(|&n| n > 0 && usize::from(n) <= LONGEST);
    let length = length.ok_or(io::ErrorKind::InvalidInput)?;
    let mut bytes = Vec::with_capacity(frame.len() + 2);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(frame);
    to.write_all(&bytes)?;
    to.flush()
}

/// Reads a frame.
///
/// # Errors
/// If the length is 0 or more than [`LONGEST`], or the reader fails or ends.
pub fn read(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 2];
    from.read_exact(&mut length)?;
    let length = usize::from(u16::from_be_bytes(length));
    if length == 0 || length > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame of {length} bytes")));
    }
    let mut frame = vec![0; length];
    from.read_exact(&mut frame)?;
    Ok(frame)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_out_of_bounds_are_refused() {
        assert!(write(&mut Vec::new(), &[]).is_err());
        assert!(write(&mut Vec::new(), &[0; LONGEST + 1]).is_err());
        assert!(read(&mut &[0, 0][..]).is_err());
        assert!(read(&mut &[0x40, 1][..]).is_err());
        assert!(read(&mut &[0, 2, 1][..]).is_err());
        assert!(read(&mut &[][..]).is_err());
    }

    proptest! {
        #[test]
        fn a_frame_reads_back(frames in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..300), 0..5)) {
            let mut bytes = Vec::new();
            for frame in &frames {
                write(&mut bytes, frame).unwrap();
            }
            let mut from = &bytes[..];
            for frame in &frames {
                prop_assert_eq!(&read(&mut from).unwrap(), frame);
            }
            prop_assert!(from.is_empty());
        }
    }
}
