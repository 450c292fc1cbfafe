// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small random source for tests, so that they repeat exactly.

use core::convert::Infallible;

use rand::TryRng;

/// SplitMix64.
#[derive(Debug)]
pub(crate) struct SplitMix(u64);

/// A source that gives the same numbers for the same seed.
pub(crate) fn rng(seed: u64) -> SplitMix {
    SplitMix(seed)
}

impl TryRng for SplitMix {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|n| (n >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(z ^ (z >> 31))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            let n = self.try_next_u64()?.to_le_bytes();
            chunk.copy_from_slice(&n[..chunk.len()]);
        }
        Ok(())
    }
}
