// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thread that searches, watched by one that keeps the time.
//!
//! A thread that computes may be held up for tens of milliseconds on a loaded machine just when it
//! should stop. One that has been asleep is served at once. So the answer is given by the sleeper: at
//! the deadline it takes the best found so far, and does not wait for the search to notice. How late
//! even the sleeper is woken tells how loaded the machine is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::thinker::Thinker;

/// How often a wait looks whether it should end, and how late it is woken.
const POLL: Duration = Duration::from_millis(5);

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

    /// The last thing that a job tells until it ends or its deadline comes, and how late this thread
    /// was woken at most meanwhile.
    ///
    /// `deadline` gets that lateness so far. Once `stopped` is true there is a little time left for
    /// the job to end by itself; a job that is not waited for finds the flag it is given set.
    pub fn best<T: Send + 'static>(
        &self,
        deadline: &dyn Fn(Duration) -> Instant,
        stopped: &dyn Fn() -> bool,
        job: impl FnOnce(&mut Thinker, &AtomicBool, &mut dyn FnMut(T)) + Send + 'static,
    ) -> (Option<T>, Duration) {
        let (sender, told) = channel();
        let over = Arc::new(AtomicBool::new(false));
        let job_over = Arc::clone(&over);
        self.set(move |thinker| {
            job(thinker, &job_over, &mut |better| {
                // Nobody listens after the deadline.
                let _ = sender.send(better);
            });
        });
        let mut best = None;
        let mut late = Duration::ZERO;
        let mut stop_at = None;
        loop {
            let now = Instant::now();
            if stop_at.is_none() && stopped() {
                stop_at = Some(now + 2 * POLL);
            }
            let deadline = stop_at.map_or(deadline(late), |at| at.min(deadline(late)));
            let wait = deadline.saturating_duration_since(now);
            let nap = wait.min(POLL);
            match told.recv_timeout(nap) {
                Ok(better) => best = Some(better),
                Err(RecvTimeoutError::Timeout) => {
                    late = late.max(now.elapsed().saturating_sub(nap));
                    if wait <= POLL {
                        break;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        over.store(true, Ordering::Relaxed);
        (best, late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than a test takes.
    fn late(_: Duration) -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    fn worker() -> Worker {
        Worker::new(Thinker::new(1)).unwrap()
    }

    #[test]
    fn a_job_that_ends_gives_the_last_it_told() {
        let (best, _) = worker().best(&late, &|| false, |_, _, tell| (1..=9).for_each(tell));
        assert_eq!(best, Some(9));
        assert_eq!(worker().best::<u8>(&late, &|| false, |_, _, _| {}).0, None);
    }

    #[test]
    fn a_job_that_does_not_end_is_not_waited_for() {
        let worker = worker();
        let (hold, held) = channel::<()>();
        let (told, tell_now) = channel();
        let (end, ended) = channel();
        let job = move |_: &mut Thinker, over: &AtomicBool, tell: &mut dyn FnMut(u8)| {
            tell(1);
            let _ = told.send(());
            let _ = held.recv();
            tell(2);
            let _ = end.send(over.load(Ordering::Relaxed));
        };
        assert_eq!(worker.best(&late, &|| tell_now.try_recv().is_ok(), job).0, Some(1));
        // It is still at it, so the next job gets no turn before its deadline.
        let soon = Instant::now() + Duration::from_millis(20);
        assert_eq!(worker.best(&|_| soon, &|| false, |_, _, tell: &mut dyn FnMut(u8)| tell(3)).0, None);
        drop(hold);
        worker.finish();
        assert_eq!(ended.recv(), Ok(true), "it is told that nobody waits");
        assert_eq!(worker.best(&late, &|| false, |_, _, tell: &mut dyn FnMut(u8)| tell(4)).0, Some(4));
    }

    #[test]
    fn a_deadline_may_follow_the_lateness() {
        let soon = Instant::now() + Duration::from_millis(20);
        let deadline = |lateness: Duration| if lateness.is_zero() { late(lateness) } else { soon };
        let (hold, held) = channel::<()>();
        let job = move |_: &mut Thinker, _: &AtomicBool, tell: &mut dyn FnMut(u8)| {
            tell(1);
            let _ = held.recv();
        };
        let (best, lateness) = worker().best(&deadline, &|| false, job);
        assert_eq!(best, Some(1));
        assert!(!lateness.is_zero());
        drop(hold);
    }
}
