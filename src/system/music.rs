// SPDX-License-Identifier: GPL-3.0-only
//! Quiet background music, made up note by note on a pentatonic scale.

use std::f32::consts::TAU;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::beep::RATE;

/// Steps of the scale above its lowest note, in semitones.
const SCALE: [i32; 8] = [0, 2, 4, 7, 9, 12, 14, 16];
const LOWEST: f32 = 196.0;
const LOUDEST: f32 = 0.08;
/// Samples of one beat.
const BEAT: u32 = RATE * 3 / 5;
/// How long a plucked note rings, in samples.
const RING: u32 = 4 * BEAT;

/// An endless melody, one sample at a time.
#[derive(Clone, Debug)]
pub struct Melody {
    rng: SmallRng,
    step: usize,
    until_next: u32,
    ringing: Vec<Pluck>,
}

/// A note that was struck and fades.
#[derive(Clone, Copy, Debug)]
struct Pluck {
    frequency: f32,
    age: u32,
}

impl Melody {
    /// The melody of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: SmallRng::seed_from_u64(seed), step: 2, until_next: 0, ringing: Vec::new() }
    }

    /// Walks a step or two on the scale and strikes the note; now and then it rests.
    fn strike(&mut self) {
        let walk = self.rng.random_range(-2_i32..=2);
        let top = SCALE.len() as i32 - 1;
        self.step = (self.step as i32 + walk).clamp(0, top) as usize;
        if self.rng.random_range(0..4) > 0 {
            let frequency = LOWEST * 2f32.powf(SCALE[self.step] as f32 / 12.0);
            self.ringing.push(Pluck { frequency, age: 0 });
        }
        self.until_next = BEAT * self.rng.random_range(1..=2);
    }
}

impl Iterator for Melody {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.until_next == 0 {
            self.strike();
        }
        self.until_next -= 1;
        let sample: f32 = self.ringing.iter().map(Pluck::sample).sum();
        self.ringing.retain_mut(|pluck| {
            pluck.age += 1;
            pluck.age < RING
        });
        Some(sample)
    }
}

impl Pluck {
    fn sample(&self) -> f32 {
        let seconds = self.age as f32 / RATE as f32;
        let swell = (seconds / 0.02).min(1.0);
        let fade = 1.0 - self.age as f32 / RING as f32;
        let wave = (TAU * (self.frequency * seconds).fract()).sin();
        LOUDEST / 4.0 * swell * fade * fade * wave
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_melody_is_quiet_and_never_ends() {
        let samples: Vec<f32> = Melody::new(1).take(RATE as usize * 60).collect();
        assert_eq!(samples.len(), RATE as usize * 60);
        assert!(samples.iter().all(|s| s.abs() <= LOUDEST));
        for second in samples.chunks(RATE as usize * 10) {
            assert!(second.iter().any(|s| s.abs() > 0.002), "it is heard");
        }
    }

    #[test]
    fn the_melody_does_not_repeat_at_once_and_does_with_the_same_seed() {
        let take = |seed| Melody::new(seed).take(RATE as usize * 8).collect::<Vec<_>>();
        assert_eq!(take(1), take(1));
        assert_ne!(take(1), take(2));
    }
}
