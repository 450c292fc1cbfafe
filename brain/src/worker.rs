// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thread that searches, watched by one that keeps the time.
//!
//! A thread that computes may be held up for tens of milliseconds on a loaded machine just when it
//! should stop. One that has been asleep is served at once. So the answer is given by the sleeper: at
//! the deadline it takes the best found so far, and does not wait for the search to notice.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::thinker::Thinker;

/// How often a wait looks whether it should end.
const POLL: Duration = Duration::from_millis(10);

type Job = Box<dyn FnOnce(&mut Thinker) + Send>;

/// A thread with a thinker, which does one job after another.
#[derive(Debug)]
pub struct Worker {
    jobs: Sender<Job>,
}

impl Worker {
    /// Gives a thinker a thread of its own.
    ///
    /// # Errors
    /// If the system has no thread left.
    pub fn new(mut thinker: Thinker) -> std::io::Result<Self> {
        let (jobs, queue) = channel::<Job>();
        let work = move || queue.iter().for_each(|job| job(&mut thinker));
        thread::Builder::new().name("search".to_owned()).spawn(work)?;
        Ok(Self { jobs })
    }

    /// Has a job done after those before it, without waiting.
    pub fn set(&self, job: impl FnOnce(&mut Thinker) + Send + 'static) {
        // The thread ends only when this end of its queue does.
        let _ = self.jobs.send(Box::new(job));
    }

    /// Waits until every job is done.
    pub fn finish(&self) {
        let (sender, done) = channel();
        self.set(move |_| {
            let _ = sender.send(());
        });
        let _ = done.recv();
    }

    /// The last thing that a job tells until it ends or `deadline` comes; `None` if it tells nothing.
    /// Once `stopped` is true there is a little time left for the job to end by itself.
    pub fn best<T: Send + 'static>(
        &self,
        deadline: Instant,
        stopped: &dyn Fn() -> bool,
        job: impl FnOnce(&mut Thinker, &mut dyn FnMut(T)) + Send + 'static,
    ) -> Option<T> {
        let (sender, told) = channel();
        self.set(move |thinker| {
            job(thinker, &mut |better| {
                // Nobody listens after the deadline.
                let _ = sender.send(better);
            });
        });
        let mut best = None;
        let mut deadline = deadline;
        loop {
            let now = Instant::now();
            if stopped() {
                deadline = deadline.min(now + POLL);
            }
            let wait = deadline.saturating_duration_since(now);
            match told.recv_timeout(wait.min(POLL)) {
                Ok(better) => best = Some(better),
                Err(RecvTimeoutError::Timeout) if wait > POLL => {}
                Err(_) => return best,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than a test takes.
    fn late() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    fn worker() -> Worker {
        Worker::new(Thinker::new(1)).unwrap()
    }

    #[test]
    fn a_job_that_ends_gives_the_last_it_told() {
        let best = worker().best(late(), &|| false, |_, tell| (1..=9).for_each(tell));
        assert_eq!(best, Some(9));
        assert_eq!(worker().best::<u8>(late(), &|| false, |_, _| {}), None);
    }

    #[test]
    fn a_job_that_does_not_end_is_not_waited_for() {
        let worker = worker();
        let (hold, held) = channel::<()>();
        let (told, tell_now) = channel();
        let job = move |_: &mut Thinker, tell: &mut dyn FnMut(u8)| {
            tell(1);
            let _ = told.send(());
            let _ = held.recv();
            tell(2);
        };
        assert_eq!(worker.best(late(), &|| tell_now.try_recv().is_ok(), job), Some(1));
        // It is still at it, so the next job gets no turn before its deadline.
        let soon = Instant::now() + Duration::from_millis(20);
        assert_eq!(worker.best(soon, &|| false, |_, tell: &mut dyn FnMut(u8)| tell(3)), None);
        drop(hold);
        worker.finish();
        assert_eq!(worker.best(late(), &|| false, |_, tell: &mut dyn FnMut(u8)| tell(4)), Some(4));
    }
}
