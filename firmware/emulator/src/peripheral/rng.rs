// SPDX-License-Identifier: GPL-2.0-only
//! The random number generator (RM0090, section 24).

use super::{Context, Refused, no_register, only};

const RNGEN: u32 = 1 << 2;
const IE: u32 = 1 << 3;

/// Faults of the generator that a test can cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    /// It works.
    #[default]
    None,
    /// The analog source fails (SECS); this many times, then it works again after RNGEN was cleared.
    Seed(u32),
    /// The 48 MHz clock is too slow (CECS).
    Clock,
    /// No number ever comes.
    Silent,
}

/// The registers and the source.
#[derive(Debug)]
pub struct Rng {
    cr: u32,
    seed_interrupt: bool,
    clock_interrupt: bool,
    ready_at: Option<u64>,
    state: u64,
    /// The fault that is injected.
    pub fault: Fault,
}

/// 40 periods of the 48 MHz clock, in nanoseconds.
const PERIOD: u64 = 834;

impl Rng {
    /// The registers after a reset. The source goes on from `before`, or starts from `seed`.
    #[must_use]
    pub fn new(before: Option<&Self>, seed: u64) -> Self {
        Self {
            cr: 0,
            seed_interrupt: false,
            clock_interrupt: false,
            ready_at: None,
            state: before.map_or(seed, |rng| rng.state),
            fault: before.map_or(Fault::None, |rng| rng.fault),
        }
    }

    fn clock_failed(&self, context: &Context) -> bool {
        self.fault == Fault::Clock || context.clocks.pll48 < context.clocks.hclk / 16
    }

    fn seed_failed(&self) -> bool {
        matches!(self.fault, Fault::Seed(left) if left > 0) && self.cr & RNGEN != 0
    }

    fn data_ready(&self, context: &Context) -> bool {
        self.fault != Fault::Silent
            && !self.seed_failed()
            && !self.clock_failed(context)
            && self.ready_at.is_some_and(|at| context.now.ns >= at)
    }

    fn status(&mut self, context: &Context) -> u32 {
        let running = self.cr & RNGEN != 0;
        let (clock, seed) = (running && self.clock_failed(context), self.seed_failed());
        self.clock_interrupt |= clock;
        self.seed_interrupt |= seed;
        u32::from(self.data_ready(context))
            | u32::from(clock) << 1
            | u32::from(seed) << 2
            | u32::from(self.clock_interrupt) << 5
            | u32::from(self.seed_interrupt) << 6
    }

    /// True if the interrupt is asked for.
    pub fn interrupt(&mut self, context: &Context) -> bool {
        self.cr & IE != 0 && self.status(context) & 0x61 != 0
    }

    /// When the next number is ready, in nanoseconds, if someone waits for its interrupt.
    #[must_use]
    pub fn next_event(&self, now: u64) -> Option<u64> {
        self.ready_at.filter(|&at| self.cr & IE != 0 && at > now)
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&mut self, offset: u32, context: &Context) -> Result<u32, Refused> {
        match offset {
            0x00 => Ok(self.cr),
            0x04 => Ok(self.status(context)),
            0x08 => {
                if !self.data_ready(context) {
                    return Ok(0);
                }
                self.ready_at = Some(context.now.ns + PERIOD);
                // splitmix64: any good generator does; the numbers only have to differ.
                self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut word = self.state;
                word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
                Ok((word ^ word >> 31) as u32)
            }
            _ => Err(no_register(offset)),
        }
    }

    /// Writes a register.
    ///
    /// # Errors
    /// If there is no such register or bit.
    pub fn write(&mut self, offset: u32, value: u32, context: &Context) -> Result<(), Refused> {
        match offset {
            0x00 => {
                only(value, RNGEN | IE, "RNG CR")?;
                if value & RNGEN == 0 {
                    // The generator restarts, which is the manual's recovery from a seed error.
                    if let (Fault::Seed(left), true) = (self.fault, self.cr & RNGEN != 0) {
                        self.fault = if left > 1 { Fault::Seed(left - 1) } else { Fault::None };
                    }
                    self.ready_at = None;
                } else if self.cr & RNGEN == 0 {
                    self.ready_at = Some(context.now.ns + PERIOD);
                }
                self.cr = value;
                Ok(())
            }
            0x04 => {
                // The two interrupt flags are cleared by writing zero.
                self.clock_interrupt &= value & 1 << 5 != 0;
                self.seed_interrupt &= value & 1 << 6 != 0;
                Ok(())
            }
            0x08 => Ok(()),
            _ => Err(no_register(offset)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Log, Now};
    use crate::peripheral::rcc::Clocks;

    fn at(ns: u64, pll48: u64, log: &mut Log) -> Context<'_> {
        let clocks = Clocks {
            hclk: 168_000_000,
            pclk1: 42_000_000,
            pclk2: 84_000_000,
            timer1_div: 2,
            timer2_div: 1,
            pll48,
            lsi: false,
        };
        Context { now: Now { ns, cycles: 0 }, clocks, log }
    }

    #[test]
    fn a_number_takes_forty_periods() {
        let (mut rng, mut log) = (Rng::new(None, 1), Log::default());
        rng.write(0, RNGEN, &at(0, 48_000_000, &mut log)).unwrap();
        assert_eq!(rng.read(4, &at(800, 48_000_000, &mut log)), Ok(0));
        assert_eq!(rng.read(4, &at(900, 48_000_000, &mut log)), Ok(1));
        let first = rng.read(8, &at(900, 48_000_000, &mut log)).unwrap();
        assert_eq!(rng.read(4, &at(901, 48_000_000, &mut log)), Ok(0), "reading clears DRDY");
        let second = rng.read(8, &at(2000, 48_000_000, &mut log)).unwrap();
        assert_ne!(first, second);
    }

    #[test]
    fn without_48_mhz_the_clock_error_is_shown() {
        let (mut rng, mut log) = (Rng::new(None, 1), Log::default());
        rng.write(0, RNGEN, &at(0, 0, &mut log)).unwrap();
        assert_eq!(rng.read(4, &at(5000, 0, &mut log)), Ok(1 << 1 | 1 << 5));
        assert_eq!(rng.read(4, &at(5000, 48_000_000, &mut log)), Ok(1 | 1 << 5), "CEIS stays, CECS does not");
        rng.write(4, 0, &at(5000, 48_000_000, &mut log)).unwrap();
        assert_eq!(rng.read(4, &at(5000, 48_000_000, &mut log)), Ok(1));
    }

    #[test]
    fn a_seed_error_ends_with_a_restart() {
        let (mut rng, mut log) = (Rng::new(None, 1), Log::default());
        rng.fault = Fault::Seed(1);
        rng.write(0, RNGEN, &at(0, 48_000_000, &mut log)).unwrap();
        assert_eq!(rng.read(4, &at(5000, 48_000_000, &mut log)), Ok(1 << 2 | 1 << 6));
        rng.write(4, 0, &at(5000, 48_000_000, &mut log)).unwrap();
        rng.write(0, 0, &at(5000, 48_000_000, &mut log)).unwrap();
        rng.write(0, RNGEN, &at(5000, 48_000_000, &mut log)).unwrap();
        assert_eq!(rng.read(4, &at(6000, 48_000_000, &mut log)), Ok(1));
    }
}
