// SPDX-License-Identifier: GPL-3.0-only
//! Random numbers from the hardware generator, and what to do when it fails.
//!
//! The generator flags a clock error (its clock is too slow or missing) and a seed error (the
//! analog noise repeats itself); the reference manual asks for a restart after the second, for not
//! using the first number after a start, and for comparing each number with the one before.
//! After some restarts in vain, a xorshift generator takes over for good.

/// The flags of the generator's status register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// A number is ready.
    pub ready: bool,
    /// Clock error, now or since the last restart.
    pub clock_error: bool,
    /// Seed error, now or since the last restart.
    pub seed_error: bool,
}

/// The hardware generator.
pub trait Generator {
    /// Its status.
    fn status(&mut self) -> Status;
    /// The number that is ready.
    fn number(&mut self) -> u32;
    /// Clears the error flags, switches it off and on.
    fn restart(&mut self);
}

/// Why the hardware generator was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Its clock is wrong.
    Clock,
    /// Its noise repeats itself.
    Seed,
    /// It gave no number in time.
    Silent,
    /// It gave the same number again and again.
    Repeated,
}

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Clock => "clock error",
            Self::Seed => "seed error",
            Self::Silent => "no number in time",
            Self::Repeated => "the same number again",
        })
    }
}

/// Restarts before the generator is given up.
const RESTARTS: u32 = 3;
/// How often the status is asked for one number: the generator needs 40 of its own clocks, about 140
/// of the processor's.
const POLLS: u32 = 1000;

/// Random numbers that never fail.
#[derive(Debug)]
pub struct Random<G> {
    generator: G,
    last: Option<u32>,
    failure: Option<Failure>,
    fallback: u32,
}

impl<G: Generator> Random<G> {
    /// Checks the generator. `seed` starts the fallback: anything that differs from one start to the
    /// next.
    pub fn new(generator: G, seed: u32) -> Self {
        // Xorshift needs a state other than 0.
        let mut random = Self { generator, last: None, failure: None, fallback: seed | 1 };
        random.number();
        random
    }

    /// Why the hardware was given up, if it was.
    pub const fn failure(&self) -> Option<Failure> {
        self.failure
    }

    /// 32 random bits.
    pub fn number(&mut self) -> u32 {
        if self.failure.is_none() {
            let mut result = self.hardware();
            for _ in 0..RESTARTS {
                if result.is_ok() {
                    break;
                }
                self.generator.restart();
                self.last = None;
                result = self.hardware();
            }
            match result {
                // The fallback is stirred, so that it starts from real noise if there was any.
                Ok(number) => {
                    self.fallback = (self.fallback ^ number) | 1;
                    return number;
                }
                Err(failure) => self.failure = Some(failure),
            }
        }
        self.xorshift()
    }

    fn hardware(&mut self) -> Result<u32, Failure> {
        let before = match self.last {
            Some(number) => number,
            None => self.word()?,
        };
        let number = self.word()?;
        self.last = Some(number);
        if number == before { Err(Failure::Repeated) } else { Ok(number) }
    }

    fn word(&mut self) -> Result<u32, Failure> {
        for _ in 0..POLLS {
            let status = self.generator.status();
            if status.seed_error {
                return Err(Failure::Seed);
            }
            if status.clock_error {
                return Err(Failure::Clock);
            }
            if status.ready {
                return Ok(self.generator.number());
            }
        }
        Err(Failure::Silent)
    }

    /// Marsaglia's xorshift, 13 17 5.
    fn xorshift(&mut self) -> u32 {
        let mut x = self.fallback;
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        self.fallback = x;
        x
    }
}
