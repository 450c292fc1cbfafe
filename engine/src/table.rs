// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a search remembers of positions.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::memory::zeroed;
use crate::position::Square;

/// What a remembered score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// The score is not less.
    Lower = 1,
    /// The score is not more.
    Upper = 2,
    /// The score itself.
    Exact = 3,
}

/// What is remembered of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub best: Option<Square>,
    /// From the position's own view: a win's distance counts from here.
    pub score: i16,
    pub depth: u8,
    pub bound: Bound,
}

/// A memory of positions that several threads may share without locks.
///
/// An entry is eight bytes in two halves. The upper half is stored mixed with the lower, so that
/// halves written by two threads at once do not look like an entry of either.
#[derive(Debug)]
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
}

type Bucket = [[AtomicU32; 2]; BUCKET];

/// The entries that a position may stand in.
const BUCKET: usize = 4;
const NO_MOVE: u64 = 511;
const GENERATIONS: u8 = 16;

impl Table {
    /// A memory of at most `bytes` bytes (but at least one bucket).
    pub(crate) fn new(bytes: usize) -> Self {
        Self { buckets: zeroed(bytes / size_of::<Bucket>()), generation: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for half in self.buckets.iter().flatten().flatten() {
            half.store(0, Ordering::Relaxed);
        }
    }

    /// Marks all entries as older than those to come.
    pub(crate) fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn bucket(&self, hash: u64) -> &Bucket {
        let index = ((hash & u64::from(u32::MAX)) * self.buckets.len() as u64) >> 32;
        &self.buckets[index as usize]
    }

    pub(crate) fn get(&self, hash: u64) -> Option<Entry> {
        self.bucket(hash).iter().map(load).find(|&word| check(word) == check(hash)).and_then(unpack)
    }

    pub(crate) fn put(&self, hash: u64, entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(hash);
        let worth = |word: u64| {
            let age = (generation + GENERATIONS - (word >> 33 & 15) as u8) % GENERATIONS;
            if word == 0 { i32::MIN } else { depth(word) - 8 * i32::from(age) }
        };
        let mut entry = entry;
        let same = bucket.iter().find(|slot| {
            let word = load(slot);
            word != 0 && check(word) == check(hash)
        });
        if let Some(slot) = same {
            let word = load(slot);
            if entry.best.is_none() {
                entry.best = unpack(word).and_then(|old| old.best);
            }
            // A deeper entry of this search stays unless the new score is exact or nearly as deep.
            if entry.bound != Bound::Exact
                && i32::from(entry.depth) + 2 < depth(word)
                && (word >> 33 & 15) as u8 == generation
            {
                return;
            }
        }
        let slot = same.or_else(|| bucket.iter().min_by_key(|slot| worth(load(slot))));
        if let Some(slot) = slot {
            store(slot, pack(hash, entry, generation));
        }
    }
}

fn load(slot: &[AtomicU32; 2]) -> u64 {
    let low = slot[0].load(Ordering::Relaxed);
    let high = slot[1].load(Ordering::Relaxed) ^ low;
    u64::from(high) << 32 | u64::from(low)
}

fn store(slot: &[AtomicU32; 2], word: u64) {
    let (low, high) = (word as u32, (word >> 32) as u32);
    slot[0].store(low, Ordering::Relaxed);
    slot[1].store(high ^ low, Ordering::Relaxed);
}

/// 27 bits that tell positions of one bucket apart.
const fn check(word: u64) -> u64 {
    word >> 37
}

fn depth(word: u64) -> i32 {
    (word >> 25 & 63) as i32
}

fn pack(hash: u64, entry: Entry, generation: u8) -> u64 {
    check(hash) << 37
        | u64::from(generation) << 33
        | (entry.bound as u64) << 31
        | u64::from(entry.depth.min(63)) << 25
        | entry.best.map_or(NO_MOVE, u64::from) << 16
        | u64::from(entry.score as u16)
}

fn unpack(word: u64) -> Option<Entry> {
    let bound = match word >> 31 & 3 {
        1 => Bound::Lower,
        2 => Bound::Upper,
        3 => Bound::Exact,
        _ => return None,
    };
    let best = word >> 16 & 511;
    Some(Entry {
        best: (best != NO_MOVE).then_some(best as Square),
        score: word as u16 as i16,
        depth: depth(word) as u8,
        bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::splitmix;

    #[test]
    fn an_entry_reads_back_and_a_strange_position_does_not() {
        let table = Table::new(1 << 16);
        assert_eq!(size_of_val(&*table.buckets), 1 << 16);
        for n in 0..400u16 {
            let bound = [Bound::Lower, Bound::Upper, Bound::Exact][usize::from(n) % 3];
            let best = (n % 5 != 0).then_some(n);
            let entry = Entry { best, score: 16_000 - 80 * n as i16, depth: (n % 64) as u8, bound };
            let hash = splitmix(n.into());
            assert_eq!(table.get(hash), None);
            table.put(hash, entry);
            assert_eq!(table.get(hash), Some(entry));
            assert_eq!(table.get(!hash), None);
        }
        table.clear();
        assert!((0..400).all(|n| table.get(splitmix(n)).is_none()));
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_and_oldest_entry() {
        let table = Table::new(1);
        let entry = |depth| Entry { best: Some(1), score: 0, depth, bound: Bound::Exact };
        let hash = |n: u64| n << 40;
        for n in 1..=4 {
            table.put(hash(n), entry(10 + n as u8));
        }
        table.put(hash(5), entry(5));
        assert_eq!(table.get(hash(1)), None);
        assert!((2..=5).all(|n| table.get(hash(n)).is_some()));
        table.age();
        table.age();
        table.put(hash(6), entry(1));
        table.put(hash(7), entry(1));
        assert!(table.get(hash(4)).is_some() && table.get(hash(6)).is_some() && table.get(hash(7)).is_some());
        assert_eq!((table.get(hash(5)), table.get(hash(2))), (None, None));
    }
}
