// SPDX-License-Identifier: GPL-2.0-only
//! Reset and clock control (RM0090, section 7).

use super::{Context, Refused, no_register};
use crate::event::ResetCause;

/// The internal high-speed oscillator, in hertz.
const HSI: u64 = 16_000_000;
/// The board's crystal, in hertz.
const HSE: u64 = 8_000_000;

/// Start-up times, in nanoseconds (data sheet DS8626: HSI 2.2 us typical, HSE 2 ms, PLL 200 us, LSI 15 us).
const HSI_START: u64 = 2_200;
const HSE_START: u64 = 2_000_000;
const PLL_START: u64 = 200_000;
const LSI_START: u64 = 15_000;

/// Frequencies in hertz; 0 where nothing runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Core, AHB and FSMC.
    pub hclk: u64,
    /// APB1.
    pub pclk1: u64,
    /// APB2.
    pub pclk2: u64,
    /// HCLK cycles per tick of the timers on APB1.
    pub timer1_div: u64,
    /// HCLK cycles per tick of the timers on APB2.
    pub timer2_div: u64,
    /// The 48 MHz output of the PLL.
    pub pll48: u64,
    /// True while the 32 kHz oscillator runs.
    pub lsi: bool,
}

/// Where an enable bit of a peripheral stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Offset of the ENR register.
    pub offset: u32,
    /// The bit.
    pub bit: u8,
}

const CR: u32 = 0x00;
const PLLCFGR: u32 = 0x04;
const CFGR: u32 = 0x08;
const CIR: u32 = 0x0C;
const BDCR: u32 = 0x70;
const CSR: u32 = 0x74;
const SSCGR: u32 = 0x80;
const PLLI2SCFGR: u32 = 0x84;

const CR_READY: u32 = 1 << 1 | 1 << 17 | 1 << 25 | 1 << 27;

/// The enable registers with the bits that the STM32F407 has.
const ENABLES: [(u32, u32); 5] =
    [(0x30, 0x7E74_11FF), (0x34, 0xF1), (0x38, 0x1), (0x40, 0x36FE_C9FF), (0x44, 0x0007_5F33)];

/// The registers.
#[derive(Debug)]
pub struct Rcc {
    cr: u32,
    pllcfgr: u32,
    cfgr: u32,
    cir: u32,
    bdcr: u32,
    csr: u32,
    sscgr: u32,
    plli2scfgr: u32,
    enr: [u32; 5],
    lpenr: [u32; 5],
    rstr: [u32; 5],
    hsi_since: Option<u64>,
    hse_since: Option<u64>,
    pll_since: Option<u64>,
    i2s_since: Option<u64>,
    lsi_since: Option<u64>,
    /// The crystal does not start (an injected fault).
    pub crystal_broken: bool,
}

impl Rcc {
    /// The registers after a reset for `cause`; `before` keeps what a reset does not clear.
    #[must_use]
    pub fn new(cause: ResetCause, before: Option<&Self>, lsi_forced: bool, ns: u64) -> Self {
        let flags = match cause {
            // PORRSTF, BORRSTF and PINRSTF
            ResetCause::PowerOn => 0x0E00_0000,
            ResetCause::Watchdog => 1 << 29 | 1 << 26,
            ResetCause::Software => 1 << 28 | 1 << 26,
            ResetCause::Pin => 1 << 26,
        };
        let kept = match (cause, before) {
            (ResetCause::PowerOn, _) | (_, None) => 0,
            (_, Some(rcc)) => rcc.csr & 0xFE00_0001,
        };
        let csr = flags | kept | u32::from(lsi_forced);
        Self {
            cr: 0x83,
            pllcfgr: 0x2400_3010,
            cfgr: 0,
            cir: 0,
            bdcr: 0,
            csr,
            sscgr: 0,
            plli2scfgr: 0x2000_3000,
            enr: [0x0010_0000, 0, 0, 0, 0],
            lpenr: [0x7E67_91FF, 0xF1, 0x1, 0x36FE_C9FF, 0x0007_5F33],
            rstr: [0; 5],
            hsi_since: Some(0),
            hse_since: None,
            pll_since: None,
            i2s_since: None,
            lsi_since: (csr & 1 != 0).then_some(ns),
            crystal_broken: before.is_some_and(|rcc| rcc.crystal_broken),
        }
    }

    fn ready(since: Option<u64>, after: u64, now: u64) -> bool {
        since.is_some_and(|since| now >= since.saturating_add(after))
    }

    fn hse_ready(&self, ns: u64) -> bool {
        !self.crystal_broken && Self::ready(self.hse_since, HSE_START, ns)
    }

    fn pll_source_ready(&self, ns: u64) -> bool {
        if self.pllcfgr & 1 << 22 != 0 {
            self.hse_ready(ns)
        } else {
            Self::ready(self.hsi_since, HSI_START, ns)
        }
    }

    fn status(&self, ns: u64) -> u32 {
        let mut cr = self.cr & !CR_READY;
        for (bit, ready) in [
            (1, Self::ready(self.hsi_since, HSI_START, ns) || self.hsi_since == Some(0)),
            (17, self.hse_ready(ns)),
            (25, Self::ready(self.pll_since, PLL_START, ns) && self.pll_source_ready(ns)),
            (27, Self::ready(self.i2s_since, PLL_START, ns) && self.pll_source_ready(ns)),
        ] {
            cr |= u32::from(ready) << bit;
        }
        cr
    }

    /// The frequency that the PLL's voltage-controlled oscillator runs at.
    fn vco(&self) -> u64 {
        let m = u64::from(self.pllcfgr & 0x3F).max(1);
        let n = u64::from(self.pllcfgr >> 6 & 0x1FF);
        let source = if self.pllcfgr & 1 << 22 != 0 { HSE } else { HSI };
        source * n / m
    }

    /// The clocks as they are now.
    #[must_use]
    pub fn clocks(&self, ns: u64) -> Clocks {
        let sysclk = match self.cfgr >> 2 & 3 {
            0 => HSI,
            1 => HSE,
            _ => self.vco() / (2 * (u64::from(self.pllcfgr >> 16 & 3) + 1)),
        };
        let hclk = match self.cfgr >> 4 & 0xF {
            code @ 8..=11 => sysclk >> (code - 7),
            code @ 12..=15 => sysclk >> (code - 6),
            _ => sysclk,
        };
        let apb = |code: u32| if code & 4 != 0 { 2u64 << (code & 3) } else { 1 };
        let (apb1, apb2) = (apb(self.cfgr >> 10 & 7), apb(self.cfgr >> 13 & 7));
        let pll_runs = self.status(ns) & 1 << 25 != 0;
        Clocks {
            hclk: hclk.max(1),
            pclk1: hclk / apb1,
            pclk2: hclk / apb2,
            timer1_div: if apb1 == 1 { 1 } else { apb1 / 2 },
            timer2_div: if apb2 == 1 { 1 } else { apb2 / 2 },
            pll48: if pll_runs { self.vco() / u64::from(self.pllcfgr >> 24 & 0xF).max(1) } else { 0 },
            lsi: Self::ready(self.lsi_since, LSI_START, ns),
        }
    }

    /// True if the peripheral behind `gate` has its clock and is not held in reset.
    #[must_use]
    pub fn enabled(&self, gate: Gate) -> bool {
        let bit = 1 << gate.bit;
        ENABLES
            .iter()
            .position(|&(offset, _)| offset == gate.offset)
            .is_some_and(|index| self.enr[index] & bit != 0 && self.rstr[index] & bit == 0)
    }

    /// Starts the 32 kHz oscillator, as the independent watchdog does.
    pub fn force_lsi(&mut self, ns: u64) {
        self.csr |= 1;
        self.lsi_since.get_or_insert(ns);
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32, context: &Context) -> Result<u32, Refused> {
        let ns = context.now.ns;
        Ok(match offset {
            CR => self.status(ns),
            PLLCFGR => self.pllcfgr,
            CFGR => self.cfgr,
            CIR => self.cir,
            BDCR => self.bdcr,
            CSR => self.csr & !2 | u32::from(Self::ready(self.lsi_since, LSI_START, ns)) << 1,
            SSCGR => self.sscgr,
            PLLI2SCFGR => self.plli2scfgr,
            _ => {
                let (bank, index) = Self::bank(offset).ok_or_else(|| no_register(offset))?;
                match bank {
                    0 => self.rstr[index],
                    1 => self.enr[index],
                    _ => self.lpenr[index],
                }
            }
        })
    }

    fn bank(offset: u32) -> Option<(u8, usize)> {
        let position =
            |base: u32| ENABLES.iter().position(|&(enable, _)| enable - 0x30 == offset.wrapping_sub(base));
        if let Some(index) = position(0x10) {
            Some((0, index))
        } else if let Some(index) = position(0x30) {
            Some((1, index))
        } else {
            position(0x50).map(|index| (2, index))
        }
    }

    /// Writes a register. Returns the gates that the write put into reset.
    ///
    /// # Errors
    /// If there is no such register, or the write asks for something that is not modelled or forbidden.
    pub fn write(&mut self, offset: u32, value: u32, context: &mut Context) -> Result<Vec<Gate>, Refused> {
        let ns = context.now.ns;
        match offset {
            CR => {
                let status = self.status(ns);
                if self.cr & 1 << 24 != 0 && value & 1 << 24 == 0 && self.cfgr >> 2 & 3 == 2 {
                    return Err("CR: the PLL is the system clock and cannot be switched off".into());
                }
                if value & 1 << 24 != 0 && self.cr & 1 << 24 == 0 {
                    let input = if self.pllcfgr & 1 << 22 != 0 { HSE } else { HSI };
                    let m = u64::from(self.pllcfgr & 0x3F);
                    if m < 2 || !(950_000..=2_100_000).contains(&(input / m)) {
                        context.log.warn(context.now, "RCC: the PLL's input must be 1 to 2 MHz");
                    }
                    if !(100_000_000..=432_000_000).contains(&self.vco()) {
                        context.log.warn(context.now, "RCC: the PLL's VCO must be 100 to 432 MHz");
                    }
                }
                for (bit, since) in [
                    (0, &mut self.hsi_since),
                    (16, &mut self.hse_since),
                    (24, &mut self.pll_since),
                    (26, &mut self.i2s_since),
                ] {
                    if value & 1 << bit == 0 {
                        *since = None;
                    } else if since.is_none() {
                        *since = Some(ns);
                    }
                }
                self.cr = value & 0x050D_00F9 | status & CR_READY;
            }
            PLLCFGR => {
                if self.cr & 1 << 24 != 0 && value != self.pllcfgr {
                    return Err("PLLCFGR: the PLL runs; it must be off".into());
                }
                self.pllcfgr = value & 0x0F43_7FFF | 0x2000_0000;
            }
            CFGR => {
                let status = self.status(ns);
                let wanted = value & 3;
                let ready = match wanted {
                    0 => status & 1 << 1 != 0,
                    1 => status & 1 << 17 != 0,
                    2 => status & 1 << 25 != 0,
                    _ => false,
                };
                let switched = if ready { wanted } else { self.cfgr >> 2 & 3 };
                if !ready {
                    context.log.warn(context.now, "RCC: switching to a clock that is not ready");
                }
                self.cfgr = value & !0xF | wanted | switched << 2;
            }
            CIR => {
                if value & 0x3F00 != 0 {
                    return Err("CIR: clock interrupts are not modelled".into());
                }
                self.cir = 0;
            }
            BDCR => {
                if value & !0x0001_0000 != 0 {
                    return Err("BDCR: LSE and RTC are not modelled".into());
                }
                self.bdcr = value;
            }
            CSR => {
                if value & 1 << 24 != 0 {
                    self.csr &= !0xFE00_0000;
                }
                if value & 1 != 0 {
                    self.force_lsi(ns);
                } else {
                    self.csr &= !1;
                    self.lsi_since = None;
                }
            }
            SSCGR => {
                if value & 1 << 31 != 0 {
                    return Err("SSCGR: spread spectrum is not modelled".into());
                }
                self.sscgr = value;
            }
            PLLI2SCFGR => self.plli2scfgr = value & 0x7000_7FC0,
            _ => {
                let (bank, index) = Self::bank(offset).ok_or_else(|| no_register(offset))?;
                let known = ENABLES[index].1;
                super::only(
                    value,
                    if bank == 2 { known | 0x7E67_97FF } else { known },
                    "enable or reset register",
                )?;
                match bank {
                    0 => {
                        let risen = value & !self.rstr[index];
                        self.rstr[index] = value;
                        return Ok((0..32)
                            .filter(|bit| risen >> bit & 1 != 0)
                            .map(|bit| Gate { offset: ENABLES[index].0, bit })
                            .collect());
                    }
                    1 => self.enr[index] = value,
                    _ => self.lpenr[index] = value,
                }
            }
        }
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Log, Now};

    fn at(ns: u64, log: &mut Log) -> Context<'_> {
        let clocks = Rcc::new(ResetCause::PowerOn, None, false, 0).clocks(0);
        Context { now: Now { ns, cycles: 0 }, clocks, log }
    }

    fn fresh() -> Rcc {
        Rcc::new(ResetCause::PowerOn, None, false, 0)
    }

    /// RM0090, 7.3.1 to 7.3.21: the values after a power-on reset.
    #[test]
    fn reset_values_are_those_of_the_manual() {
        let rcc = fresh();
        let mut log = Log::default();
        let context = at(10_000, &mut log);
        for (offset, value) in [
            (CR, 0x83),
            (PLLCFGR, 0x2400_3010),
            (CFGR, 0),
            (0x30, 0x0010_0000),
            (0x40, 0),
            (0x44, 0),
            (0x50, 0x7E67_91FF),
            (0x60, 0x36FE_C9FF),
            (0x64, 0x0007_5F33),
            (CSR, 0x0E00_0000),
            (PLLI2SCFGR, 0x2000_3000),
        ] {
            assert_eq!(rcc.read(offset, &context), Ok(value), "offset {offset:#x}");
        }
        assert!(rcc.read(0x1C, &context).is_err());
    }

    #[test]
    fn the_boards_configuration_gives_168_and_48_mhz() {
        let mut rcc = fresh();
        let mut log = Log::default();
        rcc.write(CR, 1 << 16 | 1, &mut at(0, &mut log)).unwrap();
        assert_eq!(rcc.read(CR, &at(1_000_000, &mut log)).unwrap() & 1 << 17, 0, "the crystal needs time");
        assert_ne!(rcc.read(CR, &at(2_000_000, &mut log)).unwrap() & 1 << 17, 0);
        // M 8, N 336, P 2, Q 7 from the crystal
        rcc.write(PLLCFGR, 8 | 336 << 6 | 1 << 22 | 7 << 24, &mut at(2_000_000, &mut log)).unwrap();
        rcc.write(CR, 1 << 24 | 1 << 16 | 1, &mut at(2_000_000, &mut log)).unwrap();
        // APB1 by 4, APB2 by 2; the PLL is not locked yet, so the switch has to wait
        rcc.write(CFGR, 2 | 5 << 10 | 4 << 13, &mut at(2_100_000, &mut log)).unwrap();
        assert_eq!(rcc.clocks(2_100_000).hclk, HSI);
        rcc.write(CFGR, 2 | 5 << 10 | 4 << 13, &mut at(2_300_000, &mut log)).unwrap();
        assert_eq!(
            rcc.clocks(2_300_000),
            Clocks {
                hclk: 168_000_000,
                pclk1: 42_000_000,
                pclk2: 84_000_000,
                timer1_div: 2,
                timer2_div: 1,
                pll48: 48_000_000,
                lsi: false,
            }
        );
        assert!(rcc.write(CR, 1 << 16 | 1, &mut at(2_400_000, &mut log)).is_err(), "the PLL is in use");
    }

    #[test]
    fn the_reset_cause_is_kept_until_it_is_cleared() {
        let rcc = fresh();
        let mut rcc = Rcc::new(ResetCause::Watchdog, Some(&rcc), true, 0);
        let mut log = Log::default();
        assert_eq!(rcc.read(CSR, &at(0, &mut log)).unwrap() >> 25, 0b001_0111);
        rcc.write(CSR, 1 << 24 | 1, &mut at(0, &mut log)).unwrap();
        assert_eq!(rcc.read(CSR, &at(0, &mut log)).unwrap() >> 25, 0);
    }

    #[test]
    fn a_peripheral_in_reset_is_not_enabled() {
        let mut rcc = fresh();
        let mut log = Log::default();
        let gate = Gate { offset: 0x44, bit: 4 };
        assert!(!rcc.enabled(gate));
        rcc.write(0x44, 1 << 4, &mut at(0, &mut log)).unwrap();
        assert!(rcc.enabled(gate));
        assert_eq!(rcc.write(0x24, 1 << 4, &mut at(0, &mut log)), Ok(vec![gate]));
        assert!(!rcc.enabled(gate));
    }
}
