// SPDX-License-Identifier: GPL-3.0-only
//! What bytes go over: TCP, or memory in the tests of this crate.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Bytes in both directions.
pub trait Stream: Read + Write + Send + Sized + 'static {
    /// The same stream for another thread.
    ///
    /// # Errors
    /// If the system has no more handles.
    fn second(&self) -> io::Result<Self>;

    /// How long a read and a write may take.
    ///
    /// # Errors
    /// If a time is zero or the stream is closed.
    fn set_times(&self, read: Duration, write: Duration) -> io::Result<()>;

    /// Ends both directions; reads and writes under way return.
    fn end(&self);
}

impl Stream for TcpStream {
    fn second(&self) -> io::Result<Self> {
        self.try_clone()
    }

    fn set_times(&self, read: Duration, write: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(read))?;
        self.set_write_timeout(Some(write))
    }

    fn end(&self) {
        // It may have ended by itself.
        let _ = self.shutdown(Shutdown::Both);
    }
}

/// A reader with a time by which everything must have come.
#[derive(Debug)]
pub struct Limited<'a, S> {
    stream: &'a mut S,
    /// Until when; from the first byte on if it is not set yet.
    deadline: Option<Instant>,
    first: Duration,
    rest: Duration,
}

impl<'a, S: Stream> Limited<'a, S> {
    /// Everything must come within `time`.
    pub fn within(stream: &'a mut S, time: Duration) -> Self {
        Self { stream, deadline: Some(Instant::now() + time), first: time, rest: time }
    }

    /// The first byte may take `first`, what follows `rest`.
    pub const fn after_first(stream: &'a mut S, first: Duration, rest: Duration) -> Self {
        Self { stream, deadline: None, first, rest }
    }
}

impl<S: Stream> Read for Limited<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let time = self.deadline.map_or(self.first, |at| at.saturating_duration_since(Instant::now()));
        if time.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_times(time, self.rest)?;
        let read = self.stream.read(buffer)?;
        if self.deadline.is_none() {
            self.deadline = Some(Instant::now() + self.rest);
        }
        Ok(read)
    }
}

impl<S: Stream> Write for Limited<'_, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::memory;

    #[test]
    fn a_slow_sender_is_not_waited_for() {
        let (mut left, mut right) = memory();
        right.write_all(&[0, 9, 1]).unwrap();
        let mut limited = Limited::after_first(&mut left, Duration::from_secs(60), Duration::from_millis(20));
        assert_eq!(crate::frame::read(&mut limited).unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
