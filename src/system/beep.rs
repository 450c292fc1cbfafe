// SPDX-License-Identifier: GPL-3.0-only
//! The two beeps, as samples.

use std::f32::consts::TAU;

/// Samples a second.
pub const RATE: u32 = 44_100;

/// A tone and how long it sounds, or a rest.
struct Note {
    /// In Hz; 0 for a rest.
    frequency: f32,
    /// In milliseconds.
    millis: u32,
}

/// A stone is placed: one short beep.
#[must_use]
pub fn stone() -> Vec<f32> {
    samples(&[Note { frequency: 1_320.0, millis: 70 }])
}

/// Five in a row: three long beeps in rhythm.
#[must_use]
pub fn five() -> Vec<f32> {
    let long = || Note { frequency: 880.0, millis: 380 };
    let rest = || Note { frequency: 0.0, millis: 160 };
    samples(&[long(), rest(), long(), rest(), long()])
}

fn samples(notes: &[Note]) -> Vec<f32> {
    notes.iter().flat_map(tone).collect()
}

/// A sine that swells and fades within 6 ms, so that it does not click.
fn tone(note: &Note) -> Vec<f32> {
    let count = (RATE * note.millis / 1000) as usize;
    let edge = RATE as f32 * 0.006;
    (0..count)
        .map(|i| {
            let envelope = (i as f32 / edge).min((count - 1 - i) as f32 / edge).min(1.0);
            let phase = note.frequency * i as f32 / RATE as f32;
            0.25 * envelope * (TAU * phase.fract()).sin()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths in milliseconds of the stretches that sound, and the rests between them.
    fn stretches(samples: &[f32]) -> (Vec<usize>, Vec<usize>) {
        let window = RATE as usize / 100;
        let loud: Vec<bool> = samples.chunks(window).map(|w| w.iter().any(|s| s.abs() > 0.01)).collect();
        let (mut tones, mut rests) = (Vec::new(), Vec::new());
        for run in loud.chunk_by(|a, b| a == b) {
            if run[0] { tones.push(run.len() * 10) } else { rests.push(run.len() * 10) }
        }
        (tones, rests)
    }

    #[test]
    fn a_stone_is_one_short_beep() {
        let (tones, rests) = stretches(&stone());
        assert_eq!(tones.len(), 1);
        assert!(tones[0] <= 100);
        assert!(rests.is_empty());
    }

    #[test]
    fn five_is_long_beeps_in_rhythm() {
        let (tones, rests) = stretches(&five());
        assert!(tones.len() >= 3);
        assert!(tones.iter().all(|&ms| ms >= 3 * 70));
        assert!(rests.iter().all(|&ms| ms.abs_diff(rests[0]) <= 10));
    }

    #[test]
    fn beeps_neither_clip_nor_click() {
        for samples in [stone(), five()] {
            assert!(samples.iter().all(|s| s.abs() <= 0.3));
            assert_eq!((samples[0], samples[samples.len() - 1]), (0.0, 0.0));
            let crossings = samples.windows(2).filter(|w| (w[0] < 0.0) != (w[1] < 0.0)).count();
            assert!(crossings > 100, "a tone is heard");
        }
    }
}
