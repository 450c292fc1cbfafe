// SPDX-License-Identifier: GPL-3.0-only
//! A stream in memory.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::stream::Stream;

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
