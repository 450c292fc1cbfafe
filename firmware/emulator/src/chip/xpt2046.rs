// SPDX-License-Identifier: GPL-2.0-only
//! The XPT2046 with a resistive panel: eight control bits in, then a busy clock, then twelve bits out,
//! the most significant first, each changing at the fall of the clock.

use super::touch::Finger;
use crate::peripheral::gpio::Drive;

/// How a resistive panel measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// Readings at the left and right edge of the picture.
    pub x: (u16, u16),
    /// Readings at its upper and lower edge.
    pub y: (u16, u16),
    /// Readings differ by up to this much.
    pub jitter: u16,
    /// One reading in this many is far off (0: none).
    pub spike_every: u32,
}

impl Default for Noise {
    fn default() -> Self {
        Self { x: (200, 3900), y: (250, 3850), jitter: 6, spike_every: 40 }
    }
}

/// The chip and the panel.
#[derive(Debug)]
pub struct Xpt2046 {
    noise: Noise,
    finger: Option<Finger>,
    clock: bool,
    selected: bool,
    control: u8,
    /// Clock pulses since the start bit.
    count: u8,
    value: u16,
    out: bool,
    random: u64,
    readings: u32,
}

impl Xpt2046 {
    /// The chip when power comes.
    #[must_use]
    pub fn new(noise: Noise) -> Self {
        Self {
            noise,
            finger: None,
            clock: false,
            selected: false,
            control: 0,
            count: 0,
            value: 0,
            out: false,
            random: 0x9E37_79B9_7F4A_7C15,
            readings: 0,
        }
    }

    /// Presses the panel or lets it go.
    pub fn touch(&mut self, finger: Option<Finger>) {
        self.finger = finger;
    }

    /// True while PEN is pulled low: a touch, unless the last conversion has disabled the signal (PD0).
    #[must_use]
    pub fn pen_down(&self) -> bool {
        self.finger.is_some() && self.control & 1 == 0
    }

    /// What the chip does to MISO.
    #[must_use]
    pub fn miso(&self) -> Drive {
        match (self.selected, self.out) {
            (false, _) => Drive::Float,
            (true, false) => Drive::Low,
            (true, true) => Drive::High,
        }
    }

    fn random(&mut self) -> u64 {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.random >> 33
    }

    fn convert(&mut self) -> u16 {
        let along = |(low, high): (u16, u16), at: u16, size: i32| {
            i32::from(low) + (i32::from(high) - i32::from(low)) * i32::from(at) / (size - 1)
        };
        let exact = match (self.finger, self.control >> 4 & 7) {
            (Some((x, _)), 0b101) => along(self.noise.x, x, 480),
            (Some((_, y)), 0b001) => along(self.noise.y, y, 800),
            // An open panel floats to one end; other inputs are not connected.
            (None, 0b101) => 0,
            (None, 0b001) => 4095,
            _ => 0,
        };
        if self.finger.is_none() {
            return exact as u16;
        }
        self.readings += 1;
        let spread = i32::from(self.noise.jitter);
        let mut value = exact + self.random() as i32 % (2 * spread + 1) - spread;
        if self.noise.spike_every > 0 && self.readings.is_multiple_of(self.noise.spike_every) {
            value = self.random() as i32 & 0xFFF;
        }
        value.clamp(0, 4095) as u16
    }

    /// The program moved a pin: levels of CS, SCK and MOSI.
    pub fn pins(&mut self, select: bool, clock: bool, data: bool) {
        let was = std::mem::replace(&mut self.clock, clock);
        if select {
            self.selected = false;
            self.count = 0;
            return;
        }
        self.selected = true;
        if !was && clock {
            // The start bit is the first high bit.
            if self.count == 0 && !data {
                return;
            }
            if self.count < 8 {
                self.control = self.control << 1 | u8::from(data);
            }
            self.count += 1;
            if self.count == 8 {
                self.value = self.convert();
            }
        } else if was && !clock {
            self.out = match self.count {
                9..=20 => {
                    let bits = if self.control & 8 != 0 { self.value >> 4 << 4 } else { self.value };
                    bits >> (20 - self.count) & 1 != 0
                }
                _ => false,
            };
            if self.count >= 24 {
                self.count = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chip() -> Xpt2046 {
        Xpt2046::new(Noise { x: (0, 4790), y: (0, 799), jitter: 0, spike_every: 0 })
    }

    fn clock(chip: &mut Xpt2046, bit: bool) -> bool {
        chip.pins(false, false, bit);
        chip.pins(false, true, bit);
        let sampled = chip.miso() == Drive::High;
        chip.pins(false, false, bit);
        sampled
    }

    fn read(chip: &mut Xpt2046, control: u8) -> u16 {
        chip.pins(true, false, false);
        for at in (0..8).rev() {
            clock(chip, control >> at & 1 != 0);
        }
        let word = (0..16).fold(0, |word, _| word << 1 | u16::from(clock(chip, false)));
        chip.pins(true, false, false);
        word >> 3 & 0xFFF
    }

    #[test]
    fn a_conversion_is_read_after_the_busy_clock() {
        let mut chip = chip();
        assert!(!chip.pen_down());
        chip.touch(Some((123, 456)));
        assert!(chip.pen_down());
        assert_eq!(read(&mut chip, 0xD0), 1230);
        assert_eq!(read(&mut chip, 0x90), 456);
        assert_eq!(read(&mut chip, 0x98), 456 & 0xFF0, "eight bits");
    }

    #[test]
    fn the_pen_signal_can_be_disabled() {
        let mut chip = chip();
        chip.touch(Some((1, 1)));
        read(&mut chip, 0xD1);
        assert!(!chip.pen_down());
        read(&mut chip, 0xD0);
        assert!(chip.pen_down());
    }

    #[test]
    fn noise_stays_within_its_bounds() {
        let mut chip = Xpt2046::new(Noise { jitter: 5, spike_every: 0, ..Noise::default() });
        chip.touch(Some((0, 0)));
        let readings: Vec<u16> = (0..100).map(|_| read(&mut chip, 0xD0)).collect();
        assert!(readings.iter().all(|reading| (195..=205).contains(reading)));
        assert!(readings.iter().any(|reading| *reading != readings[0]));
    }
}
