// SPDX-License-Identifier: MIT OR Apache-2.0
//! How the thread that reads commands stops the search for an earlier one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Tells which searches must stop. Requests are numbered from 1 in the order they were read, so a
/// stop reaches only the searches that were asked for before it.
#[derive(Debug)]
pub struct Stop {
    epoch: Instant,
    /// Searches for requests below this number stop at once.
    before: AtomicU64,
    /// Milliseconds after `epoch` when every search stops.
    end: AtomicU64,
}

impl Default for Stop {
    fn default() -> Self {
        Self { epoch: Instant::now(), before: AtomicU64::new(0), end: AtomicU64::new(u64::MAX) }
    }
}

impl Stop {
    /// Stops the searches for all requests before number `request`.
    pub fn stop_before(&self, request: u64) {
        self.before.fetch_max(request, Ordering::Relaxed);
    }

    /// Lets every search stop within `grace`.
    pub fn end_within(&self, grace: Duration) {
        let end = u64::try_from((self.epoch.elapsed() + grace).as_millis()).unwrap_or(u64::MAX);
        self.end.fetch_min(end, Ordering::Relaxed);
    }

    /// Whether the search for request number `request` must stop.
    #[must_use]
    pub fn is_set_for(&self, request: u64) -> bool {
        request < self.before.load(Ordering::Relaxed)
            || self.epoch.elapsed().as_millis() >= u128::from(self.end.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_reaches_earlier_requests_only() {
        let stop = Stop::default();
        assert!(!stop.is_set_for(1));
        stop.stop_before(3);
        stop.stop_before(2);
        assert!(stop.is_set_for(1) && stop.is_set_for(2));
        assert!(!stop.is_set_for(3) && !stop.is_set_for(4));
    }

    #[test]
    fn the_end_stops_everything() {
        let stop = Stop::default();
        stop.end_within(Duration::from_secs(3600));
        assert!(!stop.is_set_for(1));
        stop.end_within(Duration::ZERO);
        stop.end_within(Duration::from_secs(3600));
        assert!(stop.is_set_for(u64::MAX));
    }
}
