// SPDX-License-Identifier: GPL-2.0-only
//! Timers TIM2 to TIM7 as counters with an update event (RM0090, sections 18 and 20), plus the compare
//! flags of TIM2 to TIM5. Inputs, outputs and slave modes are not modelled.

use super::{Refused, no_register, only};

const CEN: u32 = 1;
const UDIS: u32 = 1 << 1;
const URS: u32 = 1 << 2;
const OPM: u32 = 1 << 3;

/// One timer.
#[derive(Debug)]
pub struct Timer {
    /// 16 or 32 bits.
    max: u32,
    /// TIM6 and TIM7 have no compare registers.
    basic: bool,
    cr1: u32,
    cr2: u32,
    dier: u32,
    sr: u32,
    psc: u32,
    psc_shadow: u32,
    arr: u32,
    arr_shadow: u32,
    ccmr: [u32; 2],
    ccer: u32,
    ccr: [u32; 4],
    cnt: u32,
    /// The core cycle at which `cnt` held, with the prescaler's count at zero.
    since: u64,
    /// Core cycles per input clock of the timer.
    div: u64,
}

impl Timer {
    /// TIM`number` after a reset (2 to 7).
    #[must_use]
    pub fn new(number: u8) -> Self {
        let max = if matches!(number, 2 | 5) { u32::MAX } else { 0xFFFF };
        Self {
            max,
            basic: number >= 6,
            cr1: 0,
            cr2: 0,
            dier: 0,
            sr: 0,
            psc: 0,
            psc_shadow: 0,
            arr: max,
            arr_shadow: max,
            ccmr: [0; 2],
            ccer: 0,
            ccr: [0; 4],
            cnt: 0,
            since: 0,
            div: 1,
        }
    }

    fn tick(&self) -> u64 {
        (u64::from(self.psc_shadow) + 1) * self.div
    }

    /// Brings the counter up to core cycle `now`.
    pub fn sync(&mut self, now: u64, div: u64) {
        if self.cr1 & CEN == 0 {
            self.since = now;
            self.div = div;
            return;
        }
        while self.cr1 & CEN != 0 {
            let ticks = now.saturating_sub(self.since) / self.tick();
            let cnt = u64::from(self.cnt);
            let top = u64::from(if self.cnt > self.arr_shadow { self.max } else { self.arr_shadow });
            let to_wrap = top + 1 - cnt;
            let passed = ticks.min(to_wrap);
            if !self.basic {
                for channel in 0..4 {
                    let value = u64::from(self.ccr[channel]);
                    if value > cnt && value <= cnt + passed.min(to_wrap - 1) {
                        self.sr |= 2 << channel;
                    }
                }
            }
            self.since += passed * self.tick();
            if ticks < to_wrap {
                self.cnt += passed as u32;
                break;
            }
            self.cnt = 0;
            // Counting past a shrunken ARR wraps at the register's end without an update event.
            if top == u64::from(self.arr_shadow) {
                self.update(true);
            }
            if self.arr_shadow == 0 {
                self.since = now;
                break;
            }
        }
        self.div = div;
    }

    fn update(&mut self, overflow: bool) {
        if self.cr1 & UDIS != 0 {
            return;
        }
        self.psc_shadow = self.psc;
        self.arr_shadow = self.arr;
        if overflow || self.cr1 & URS == 0 {
            self.sr |= 1;
        }
        if overflow && self.cr1 & OPM != 0 {
            self.cr1 &= !CEN;
        }
    }

    /// The core cycle at which the next enabled interrupt comes.
    #[must_use]
    pub fn next_event(&self) -> Option<u64> {
        // With ARR at zero the counter is blocked.
        if self.cr1 & CEN == 0 || self.dier == 0 || self.arr_shadow == 0 {
            return None;
        }
        let cnt = u64::from(self.cnt);
        let top = u64::from(if self.cnt > self.arr_shadow { self.max } else { self.arr_shadow });
        let mut ticks = top + 1 - cnt;
        for channel in 0..4 {
            let value = u64::from(self.ccr[channel]);
            if self.dier & 2 << channel != 0 && value > cnt {
                ticks = ticks.min(value - cnt);
            }
        }
        Some(self.since + ticks * self.tick())
    }

    /// True if the interrupt is asked for.
    #[must_use]
    pub fn interrupt(&self) -> bool {
        self.sr & self.dier & 0x1F != 0
    }

    /// Reads a register; `sync` first.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32) -> Result<u32, Refused> {
        Ok(match offset {
            0x00 => self.cr1,
            0x04 => self.cr2,
            0x08 if !self.basic => 0,
            0x0C => self.dier,
            0x10 => self.sr,
            0x18 if !self.basic => self.ccmr[0],
            0x1C if !self.basic => self.ccmr[1],
            0x20 if !self.basic => self.ccer,
            0x24 => self.cnt,
            0x28 => self.psc,
            0x2C => self.arr,
            0x34 | 0x38 | 0x3C | 0x40 if !self.basic => self.ccr[(offset as usize - 0x34) / 4],
            _ => return Err(no_register(offset)),
        })
    }

    /// Writes a register; `sync` first.
    ///
    /// # Errors
    /// If there is no such register, or the write asks for a mode that is not modelled.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) -> Result<(), Refused> {
        match offset {
            0x00 => {
                only(value, CEN | UDIS | URS | OPM | 1 << 7, "TIM CR1")?;
                if value & CEN != 0 && self.cr1 & CEN == 0 {
                    self.since = now;
                }
                self.cr1 = value;
            }
            0x04 => {
                only(value, 0x70, "TIM CR2")?;
                self.cr2 = value;
            }
            0x08 if !self.basic => only(value, 0, "TIM SMCR")?,
            0x0C => {
                only(value, if self.basic { 1 } else { 0x1F }, "TIM DIER")?;
                self.dier = value;
            }
            // Flags are cleared by writing zero.
            0x10 => self.sr &= value,
            0x14 => {
                only(value, 1, "TIM EGR")?;
                if value & 1 != 0 {
                    self.cnt = 0;
                    self.since = now;
                    self.update(false);
                }
            }
            0x18 | 0x1C if !self.basic => {
                if value & 0x0303 != 0 {
                    return Err("TIM CCMR: input capture is not modelled".into());
                }
                self.ccmr[(offset as usize - 0x18) / 4] = value;
            }
            0x20 if !self.basic => {
                only(value, 0, "TIM CCER: outputs")?;
                self.ccer = value;
            }
            0x24 => {
                self.cnt = value & self.max;
                self.since = now;
            }
            0x28 => self.psc = value & 0xFFFF,
            0x2C => {
                self.arr = value & self.max;
                if self.cr1 & 1 << 7 == 0 {
                    self.arr_shadow = self.arr;
                }
            }
            0x34 | 0x38 | 0x3C | 0x40 if !self.basic => {
                self.ccr[(offset as usize - 0x34) / 4] = value & self.max
            }
            _ => return Err(no_register(offset)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 84 MHz, prescaler 8400, reload 1000: the board's 100 ms tick.
    fn tick100ms() -> Timer {
        let mut timer = Timer::new(3);
        timer.sync(0, 2);
        timer.write(0x28, 8399, 0).unwrap();
        timer.write(0x2C, 999, 0).unwrap();
        timer.write(0x14, 1, 0).unwrap();
        timer.write(0x10, 0, 0).unwrap();
        timer.write(0x0C, 1, 0).unwrap();
        timer.write(0x00, CEN, 0).unwrap();
        timer
    }

    #[test]
    fn the_update_comes_every_period() {
        let mut timer = tick100ms();
        let period = 16_800_000;
        assert_eq!(timer.next_event(), Some(period));
        timer.sync(period - 1, 2);
        assert!(!timer.interrupt());
        assert_eq!(timer.read(0x24), Ok(999));
        timer.sync(period, 2);
        assert!(timer.interrupt());
        assert_eq!(timer.read(0x24), Ok(0));
        timer.write(0x10, !1, period).unwrap();
        assert_eq!(timer.next_event(), Some(2 * period));
        timer.sync(5 * period + 8400 * 2 * 7, 2);
        assert_eq!(timer.read(0x24), Ok(7));
    }

    #[test]
    fn the_prescaler_is_taken_over_at_the_update() {
        let mut timer = Timer::new(2);
        timer.write(0x28, 9, 0).unwrap();
        timer.write(0x00, CEN, 0).unwrap();
        timer.sync(100, 1);
        assert_eq!(timer.read(0x24), Ok(100), "still undivided");
        timer.write(0x14, 1, 100).unwrap();
        timer.sync(200, 1);
        assert_eq!(timer.read(0x24), Ok(10));
    }

    #[test]
    fn one_pulse_stops_after_the_update() {
        let mut timer = Timer::new(6);
        timer.write(0x2C, 9, 0).unwrap();
        timer.write(0x00, CEN | OPM, 0).unwrap();
        timer.sync(1000, 1);
        assert_eq!((timer.read(0x00), timer.read(0x10)), (Ok(OPM), Ok(1)));
    }

    #[test]
    fn unmodelled_modes_are_refused() {
        let mut timer = Timer::new(3);
        assert!(timer.write(0x08, 7, 0).is_err());
        assert!(timer.write(0x00, 1 << 4, 0).is_err(), "counting down");
        assert!(timer.read(0x48).is_err());
    }
}
