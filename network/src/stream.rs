// SPDX-License-Identifier: GPL-3.0-only
//! What bytes go over: TCP, or memory in tests.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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

/// Two ends of a stream in memory.
#[must_use]
pub fn memory() -> (Memory, Memory) {
    let (a, b) = (Arc::new(Pipe::default()), Arc::new(Pipe::default()));
    let end = |from: &Arc<Pipe>, to: &Arc<Pipe>| Memory {
        from: from.clone(),
        to: to.clone(),
        wait: Arc::new(Mutex::new(Duration::from_secs(5))),
        ends: Arc::new(()),
    };
    (end(&a, &b), end(&b, &a))
}

/// One end of a stream in memory.
#[derive(Debug)]
pub struct Memory {
    from: Arc<Pipe>,
    to: Arc<Pipe>,
    wait: Arc<Mutex<Duration>>,
    /// Counts the handles of this end.
    ends: Arc<()>,
}

#[derive(Debug, Default)]
struct Pipe {
    bytes: Mutex<(VecDeque<u8>, bool)>,
    changed: Condvar,
}

impl Pipe {
    fn lock(&self) -> MutexGuard<'_, (VecDeque<u8>, bool)> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.lock().1 = true;
        self.changed.notify_all();
    }
}

impl Read for Memory {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wait = *self.wait.lock().unwrap_or_else(PoisonError::into_inner);
        let guard = self.from.lock();
        let (mut guard, _) = self
            .from
            .changed
            .wait_timeout_while(guard, wait, |(bytes, closed)| bytes.is_empty() && !*closed)
            .unwrap_or_else(PoisonError::into_inner);
        if guard.0.is_empty() && !guard.1 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let count = buffer.len().min(guard.0.len());
        for (to, byte) in buffer.iter_mut().zip(guard.0.drain(..count)) {
            *to = byte;
        }
        Ok(count)
    }
}

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut guard = self.to.lock();
        if guard.1 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        guard.0.extend(bytes);
        drop(guard);
        self.to.changed.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Memory {
    fn second(&self) -> io::Result<Self> {
        Ok(Self {
            from: self.from.clone(),
            to: self.to.clone(),
            wait: self.wait.clone(),
            ends: self.ends.clone(),
        })
    }

    fn set_times(&self, read: Duration, _write: Duration) -> io::Result<()> {
        *self.wait.lock().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(())
    }

    fn end(&self) {
        self.from.close();
        self.to.close();
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if Arc::strong_count(&self.ends) == 1 {
            self.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_sender_is_not_waited_for() {
        let (mut left, mut right) = memory();
        right.write_all(&[0, 9, 1]).unwrap();
        let mut limited = Limited::after_first(&mut left, Duration::from_secs(60), Duration::from_millis(20));
        assert_eq!(crate::frame::read(&mut limited).unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
