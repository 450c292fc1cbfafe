// SPDX-License-Identifier: GPL-3.0-only
//! The hardware's random numbers for the computer player.

use core::convert::Infallible;

use rand_core::TryRng;
use stm32f4xx_hal::pac::RNG;
use stm32f4xx_hal::rcc::{Enable, Rcc, Reset};
use wuzi_drivers::random::{Generator, Random, Status};

/// The generator's registers.
#[derive(Debug)]
pub struct Hardware(RNG);

impl Generator for Hardware {
    fn status(&mut self) -> Status {
        let status = self.0.sr().read();
        Status {
            ready: status.drdy().bit_is_set(),
            clock_error: status.cecs().bit_is_set() || status.ceis().bit_is_set(),
            seed_error: status.secs().bit_is_set() || status.seis().bit_is_set(),
        }
    }

    fn number(&mut self) -> u32 {
        self.0.dr().read().rndata().bits()
    }

    fn restart(&mut self) {
        self.0.sr().modify(|_, w| w.seis().clear_bit().ceis().clear_bit());
        self.0.cr().modify(|_, w| w.rngen().clear_bit());
        self.0.cr().modify(|_, w| w.rngen().set_bit());
    }
}

/// Random numbers, as the engine wants them.
#[derive(Debug)]
pub struct Chance {
    random: Random<Hardware>,
    told: bool,
}

impl Chance {
    /// Starts and checks the generator.
    pub fn start(rng: RNG, seed: u32, rcc: &mut Rcc) -> Self {
        RNG::enable(rcc);
        RNG::reset(rcc);
        rng.cr().modify(|_, w| w.rngen().set_bit());
        let mut chance = Self { random: Random::new(Hardware(rng), seed), told: false };
        if !chance.tell_failure() {
            log::info!("random numbers: hardware");
        }
        chance
    }

    /// Logs once that the hardware was given up.
    fn tell_failure(&mut self) -> bool {
        if let (Some(failure), false) = (self.random.failure(), self.told) {
            self.told = true;
            log::error!("random numbers: the hardware failed ({failure}), a seeded generator goes on");
        }
        self.told
    }
}

impl TryRng for Chance {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let number = self.random.number();
        self.tell_failure();
        Ok(number)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from(self.try_next_u32()?) << 32 | u64::from(self.try_next_u32()?))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(4) {
            let word = self.try_next_u32()?.to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
        Ok(())
    }
}
