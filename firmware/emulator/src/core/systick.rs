// SPDX-License-Identifier: GPL-2.0-only
//! The system timer (ARMv7-M, B3.3). Its second clock source is HCLK / 8.

/// The registers.
#[derive(Debug, Default)]
pub struct SysTick {
    ctrl: u32,
    load: u32,
    value: u32,
    since: u64,
    wrapped: bool,
}

const ENABLE: u32 = 1;
const TICKINT: u32 = 1 << 1;
const CLKSOURCE: u32 = 1 << 2;

impl SysTick {
    fn tick(&self) -> u64 {
        if self.ctrl & CLKSOURCE != 0 { 1 } else { 8 }
    }

    /// Brings the counter up to core cycle `now`. Returns true if it asks for its exception.
    pub fn sync(&mut self, now: u64) -> bool {
        if self.ctrl & ENABLE == 0 {
            self.since = now;
            return false;
        }
        let ticks = now.saturating_sub(self.since) / self.tick();
        self.since += ticks * self.tick();
        let value = u64::from(self.value);
        let period = u64::from(self.load) + 1;
        let mut wraps = 0;
        if value > 0 && ticks < value {
            self.value -= ticks as u32;
        } else if self.load > 0 {
            // From the value down to zero, then from the reload value again and again.
            let after_zero = ticks - value;
            wraps = u64::from(value > 0) + after_zero / period;
            let phase = after_zero % period;
            self.value = if phase == 0 { 0 } else { (period - phase) as u32 };
        } else {
            wraps = u64::from(value > 0);
            self.value = 0;
        }
        self.wrapped |= wraps > 0;
        wraps > 0 && self.ctrl & TICKINT != 0
    }

    /// The core cycle of the next exception.
    #[must_use]
    pub fn next_event(&self) -> Option<u64> {
        if self.ctrl & (ENABLE | TICKINT) != ENABLE | TICKINT {
            return None;
        }
        let ticks = match (self.value, self.load) {
            (0, 0) => return None,
            (0, load) => u64::from(load) + 1,
            (value, _) => u64::from(value),
        };
        Some(self.since + ticks * self.tick())
    }

    /// Reads a register by its offset from E000E010; `sync` first.
    pub fn read(&mut self, offset: u32) -> u32 {
        match offset {
            0x0 => self.ctrl | u32::from(std::mem::take(&mut self.wrapped)) << 16,
            0x4 => self.load,
            0x8 => self.value,
            // No reference clock; the calibration value is that of 10 ms at 8.4 kHz … 10500 at HCLK / 8.
            _ => 0x4000_0000 | 10_500,
        }
    }

    /// Writes a register; `sync` first.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) {
        match offset {
            0x0 => {
                if value & ENABLE != 0 && self.ctrl & ENABLE == 0 {
                    self.since = now;
                }
                self.ctrl = value & 7;
            }
            0x4 => self.load = value & 0x00FF_FFFF,
            0x8 => {
                self.value = 0;
                self.wrapped = false;
                self.since = now;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(load: u32) -> SysTick {
        let mut timer = SysTick::default();
        timer.write(4, load, 0);
        timer.write(8, 0, 0);
        timer.write(0, 7, 0);
        timer
    }

    #[test]
    fn the_exception_comes_every_period() {
        let mut timer = running(999);
        assert_eq!(timer.next_event(), Some(1000));
        assert!(!timer.sync(1));
        assert_eq!(timer.read(8), 999);
        assert!(timer.sync(1000), "the counter was loaded with the first tick, and is at zero again");
        assert_eq!(timer.next_event(), Some(2000));
    }

    #[test]
    fn the_flag_is_cleared_by_reading() {
        let mut timer = running(9);
        timer.sync(95);
        assert_eq!(timer.read(0), 0x1_0007);
        assert_eq!(timer.read(0), 7);
        timer.sync(100);
        assert_eq!(timer.read(8), 0);
        timer.sync(101);
        assert_eq!(timer.read(8), 9);
    }
}
