// SPDX-License-Identifier: GPL-2.0-only
//! The system control space (ARMv7-M, B3.2) and the debug registers that programs use: DWT's cycle
//! counter and the identification of the chip.

use super::mpu::Mpu;
use super::nvic::{self, IRQ0, IRQS, Masks, Nvic};
use super::systick::SysTick;
use crate::peripheral::{Refused, no_register, only};

/// The registers.
#[derive(Debug, Default)]
pub struct Scs {
    /// Exceptions.
    pub nvic: Nvic,
    /// System timer.
    pub systick: SysTick,
    /// Memory protection.
    pub mpu: Mpu,
    vtor: u32,
    scr: u32,
    ccr_extra: u32,
    /// Configurable fault status: MMFSR, BFSR, UFSR.
    pub cfsr: u32,
    /// HardFault status.
    pub hfsr: u32,
    /// Address of the last MemManage fault.
    pub mmfar: u32,
    /// Address of the last BusFault.
    pub bfar: u32,
    cpacr: u32,
    fpccr: u32,
    fpcar: u32,
    fpdscr: u32,
    actlr: u32,
    demcr: u32,
    dwt_ctrl: u32,
    cyccnt_base: u64,
    dbg_cr: u32,
    dbg_freeze: [u32; 2],
    /// AIRCR.SYSRESETREQ was written.
    pub reset_requested: bool,
    /// The MPU's registers were written.
    pub mpu_changed: bool,
    /// Exception under way, for ICSR (from IPSR).
    pub current: u8,
}

/// STM32F405/407 revision, as DBGMCU_IDCODE shows it (RM0090, 38.6.1): device 413, revision Y.
const IDCODE: u32 = 0x1007_6413;

impl Scs {
    /// The state after a reset.
    #[must_use]
    pub fn new() -> Self {
        Self { fpccr: 0xC000_0000, dwt_ctrl: 0x4000_0000, ..Self::default() }
    }

    /// Where the vector table is.
    #[must_use]
    pub fn vector_table(&self) -> u32 {
        self.vtor
    }

    /// True if the floating-point unit may be used.
    #[must_use]
    pub fn float_enabled(&self) -> bool {
        self.cpacr >> 20 & 0xF == 0xF || self.cpacr >> 20 & 0xF == 5
    }

    /// True if the core sleeps when it leaves the last exception.
    #[must_use]
    pub fn sleep_on_exit(&self) -> bool {
        self.scr & 2 != 0
    }

    /// True if exceptions align the stack to eight bytes.
    #[must_use]
    pub fn stack_align(&self) -> bool {
        self.ccr_extra & 0x200 == 0
    }

    fn shcsr(&self) -> u32 {
        use nvic::{BUS_FAULT, MEM_MANAGE, PEND_SV, SV_CALL, SYS_TICK, USAGE_FAULT};
        let active =
            [(MEM_MANAGE, 0), (BUS_FAULT, 1), (USAGE_FAULT, 3), (SV_CALL, 7), (PEND_SV, 10), (SYS_TICK, 11)];
        let pending = [(USAGE_FAULT, 12), (MEM_MANAGE, 13), (BUS_FAULT, 14), (SV_CALL, 15)];
        let enabled = [(MEM_MANAGE, 16), (BUS_FAULT, 17), (USAGE_FAULT, 18)];
        let bits = |list: &[(u8, u32)], test: &dyn Fn(u8) -> bool| -> u32 {
            list.iter().map(|&(exception, bit)| u32::from(test(exception)) << bit).sum()
        };
        bits(&active, &|exception| self.nvic.is_active(exception))
            | bits(&pending, &|exception| self.nvic.is_pending(exception))
            | bits(&enabled, &|exception| self.nvic.is_enabled(exception))
    }

    fn icsr(&self, masks: Masks) -> u32 {
        let pending = self.nvic.next().unwrap_or(0);
        u32::from(self.current)
            | u32::from(self.nvic.depth() <= 1) << 11
            | u32::from(pending) << 12
            | u32::from(self.nvic.deliverable(masks).is_some_and(|exception| exception >= IRQ0)) << 22
            | u32::from(self.nvic.is_pending(nvic::SYS_TICK)) << 26
            | u32::from(self.nvic.is_pending(nvic::PEND_SV)) << 28
            | u32::from(self.nvic.is_pending(nvic::NMI)) << 31
    }

    /// Reads a word of the private peripheral bus (E0000000 to E00FFFFF) by its address.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&mut self, address: u32, cycles: u64) -> Result<u32, Refused> {
        Ok(match address {
            0xE000_1000 => self.dwt_ctrl,
            0xE000_1004 => self.cyccnt(cycles),
            0xE000_E004 => 2,
            0xE000_E008 => self.actlr,
            0xE000_E010..=0xE000_E01C => {
                self.tick(cycles);
                self.systick.read(address & 0xF)
            }
            0xE000_E100..=0xE000_E108 => self.nvic.word(0, (address - 0xE000_E100) / 4),
            0xE000_E180..=0xE000_E188 => self.nvic.word(0, (address - 0xE000_E180) / 4),
            0xE000_E200..=0xE000_E208 => self.nvic.word(1, (address - 0xE000_E200) / 4),
            0xE000_E280..=0xE000_E288 => self.nvic.word(1, (address - 0xE000_E280) / 4),
            0xE000_E300..=0xE000_E308 => self.nvic.word(2, (address - 0xE000_E300) / 4),
            0xE000_E400..=0xE000_E450 => self.priorities(IRQ0 + (address - 0xE000_E400) as u8),
            0xE000_ED00 => 0x410F_C241,
            0xE000_ED04 => self.icsr(Masks::default()),
            0xE000_ED08 => self.vtor,
            0xE000_ED0C => 0xFA05_0000 | u32::from(self.nvic.grouping()) << 8,
            0xE000_ED10 => self.scr,
            0xE000_ED14 => self.ccr_extra ^ 0x200,
            0xE000_ED18..=0xE000_ED20 => self.priorities(4 + (address - 0xE000_ED18) as u8),
            0xE000_ED24 => self.shcsr(),
            0xE000_ED28 => self.cfsr,
            0xE000_ED2C => self.hfsr,
            0xE000_ED30 => 0,
            0xE000_ED34 => self.mmfar,
            0xE000_ED38 => self.bfar,
            0xE000_ED3C => 0,
            // Identification of the core's features.
            0xE000_ED40 => 0x30,
            0xE000_ED44 => 0x200,
            0xE000_ED48 => 0x0010_0000,
            0xE000_ED50 => 0x0010_0030,
            0xE000_ED60 => 0x0110_1110,
            0xE000_ED64 => 0x0211_2000,
            0xE000_ED68 => 0x2123_2231,
            0xE000_ED6C => 0x0111_1131,
            0xE000_ED70 => 0x0131_0132,
            0xE000_ED88 => self.cpacr,
            0xE000_ED90..=0xE000_EDB8 => {
                self.mpu.read(address - 0xE000_ED90).ok_or_else(|| no_register(address))?
            }
            0xE000_EDF0 => 0,
            0xE000_EDFC => self.demcr,
            0xE000_EF34 => self.fpccr,
            0xE000_EF38 => self.fpcar,
            0xE000_EF3C => self.fpdscr,
            0xE000_EF40 => 0x1011_0021,
            0xE000_EF44 => 0x1100_0011,
            0xE004_2000 => IDCODE,
            0xE004_2004 => self.dbg_cr,
            0xE004_2008 | 0xE004_200C => self.dbg_freeze[(address as usize - 0xE004_2008) / 4],
            _ => return Err(no_register(address)),
        })
    }

    fn priorities(&self, first: u8) -> u32 {
        u32::from_le_bytes([0, 1, 2, 3].map(|index| self.nvic.priority(first + index)))
    }

    fn cyccnt(&self, cycles: u64) -> u32 {
        if self.dwt_ctrl & 1 != 0 {
            cycles.wrapping_sub(self.cyccnt_base) as u32
        } else {
            self.cyccnt_base as u32
        }
    }

    /// Brings the system timer up to core cycle `cycles`.
    pub fn tick(&mut self, cycles: u64) {
        if self.systick.sync(cycles) {
            self.nvic.set_pending(nvic::SYS_TICK, true);
        }
    }

    /// Writes `size` bytes of the private peripheral bus.
    ///
    /// # Errors
    /// If there is no such register, or the write asks for something that is not modelled.
    pub fn write(&mut self, address: u32, size: u32, value: u32, cycles: u64) -> Result<(), Refused> {
        // Priorities are byte registers; all others take words.
        match address {
            0xE000_E400..=0xE000_E451 => {
                for index in 0..size {
                    let exception = IRQ0 + (address - 0xE000_E400 + index) as u8;
                    self.nvic.set_priority(exception, (value >> (8 * index)) as u8);
                }
                return Ok(());
            }
            0xE000_ED18..=0xE000_ED23 => {
                for index in 0..size {
                    self.nvic.set_priority(
                        4 + (address - 0xE000_ED18 + index) as u8,
                        (value >> (8 * index)) as u8,
                    );
                }
                return Ok(());
            }
            0xE000_0000..=0xE000_0FFF => {
                return Err("ITM: trace output is not modelled".into());
            }
            _ if size != 4 => return Err("system control space: only words can be written here".into()),
            _ => {}
        }
        match address {
            0xE000_1000 => {
                only(value, 1 | 0x4000_0000, "DWT CTRL")?;
                let count = u64::from(self.cyccnt(cycles));
                self.cyccnt_base = if value & 1 != 0 { cycles.wrapping_sub(count) } else { count };
                self.dwt_ctrl = 0x4000_0000 | value & 1;
                if self.demcr & 1 << 24 == 0 && value & 1 != 0 {
                    return Err("DWT: TRCENA in DEMCR must be set first".into());
                }
            }
            0xE000_1004 => {
                let value = u64::from(value);
                self.cyccnt_base = if self.dwt_ctrl & 1 != 0 { cycles.wrapping_sub(value) } else { value };
            }
            // The lock access registers have no effect on this core.
            0xE000_1FB0 => {}
            0xE000_E008 => self.actlr = value,
            0xE000_E010..=0xE000_E01C => {
                self.tick(cycles);
                self.systick.write(address & 0xF, value, cycles);
            }
            0xE000_E100..=0xE000_E108 => {
                self.each(address - 0xE000_E100, value, |nvic, it| nvic.set_enabled(it, true))?
            }
            0xE000_E180..=0xE000_E188 => {
                self.each(address - 0xE000_E180, value, |nvic, it| nvic.set_enabled(it, false))?
            }
            0xE000_E200..=0xE000_E208 => {
                self.each(address - 0xE000_E200, value, |nvic, it| nvic.set_pending(it, true))?
            }
            0xE000_E280..=0xE000_E288 => {
                self.each(address - 0xE000_E280, value, |nvic, it| nvic.set_pending(it, false))?
            }
            0xE000_ED04 => {
                for (bit, exception, pending) in [
                    (31, nvic::NMI, true),
                    (28, nvic::PEND_SV, true),
                    (27, nvic::PEND_SV, false),
                    (26, nvic::SYS_TICK, true),
                    (25, nvic::SYS_TICK, false),
                ] {
                    if value >> bit & 1 != 0 {
                        self.nvic.set_pending(exception, pending);
                    }
                }
            }
            0xE000_ED08 => self.vtor = value & 0x3FFF_FE00,
            0xE000_ED0C => {
                if value >> 16 != 0x05FA {
                    return Err("AIRCR: written without its key".into());
                }
                self.nvic.set_grouping((value >> 8) as u8);
                self.reset_requested |= value & 4 != 0;
            }
            0xE000_ED10 => {
                if value & 4 != 0 {
                    return Err("SCR: deep sleep is not modelled".into());
                }
                self.scr = value & 0x12;
            }
            0xE000_ED14 => {
                only(value, 0x31B, "CCR")?;
                self.ccr_extra = value ^ 0x200;
            }
            0xE000_ED24 => {
                for (bit, exception) in
                    [(16, nvic::MEM_MANAGE), (17, nvic::BUS_FAULT), (18, nvic::USAGE_FAULT)]
                {
                    self.nvic.set_enabled(exception, value >> bit & 1 != 0);
                }
            }
            // Status bits are cleared by writing one.
            0xE000_ED28 => self.cfsr &= !value,
            0xE000_ED2C => self.hfsr &= !value,
            0xE000_ED30 => {}
            0xE000_ED34 => self.mmfar = value,
            0xE000_ED38 => self.bfar = value,
            0xE000_ED88 => self.cpacr = value & 0x00F0_0000,
            0xE000_ED90..=0xE000_EDB8 => {
                if !self.mpu.write(address - 0xE000_ED90, value) {
                    return Err(no_register(address));
                }
                self.mpu_changed = true;
            }
            0xE000_EDFC => self.demcr = value & 0x0100_0000,
            0xE000_EF00 => self.nvic.set_pending(IRQ0 + (value & 0x7F) as u8, value & 0xFF < u32::from(IRQS)),
            0xE000_EF34 => self.fpccr = value & 0xC000_0000,
            0xE000_EF38 => self.fpcar = value,
            0xE000_EF3C => self.fpdscr = value,
            0xE004_2004 => self.dbg_cr = value,
            0xE004_2008 | 0xE004_200C => self.dbg_freeze[(address as usize - 0xE004_2008) / 4] = value,
            _ => return Err(no_register(address)),
        }
        Ok(())
    }

    fn each(&mut self, offset: u32, value: u32, act: impl Fn(&mut Nvic, u8)) -> Result<(), Refused> {
        let index = offset / 4;
        if value & !Nvic::existing(index) != 0 && value != u32::MAX {
            return Err(Refused(format!("NVIC: the chip has only {IRQS} interrupts")));
        }
        for bit in 0..32 {
            if value & Nvic::existing(index) & 1 << bit != 0 {
                act(&mut self.nvic, IRQ0 + (32 * index + bit) as u8);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupts_are_enabled_by_ones() {
        let mut scs = Scs::new();
        // TIM3 is interrupt 29, USART1 37
        scs.write(0xE000_E100, 4, 1 << 29, 0).unwrap();
        scs.write(0xE000_E104, 4, 1 << 5, 0).unwrap();
        assert_eq!([scs.read(0xE000_E100, 0), scs.read(0xE000_E184, 0)], [Ok(1 << 29), Ok(1 << 5)]);
        scs.write(0xE000_E180, 4, 1 << 29, 0).unwrap();
        assert_eq!(scs.read(0xE000_E100, 0), Ok(0));
        assert!(scs.write(0xE000_E108, 4, 1 << 18, 0).is_err(), "there is no interrupt 82");
    }

    #[test]
    fn priorities_are_bytes_of_four_bits() {
        let mut scs = Scs::new();
        scs.write(0xE000_E41D, 1, 0xFF, 0).unwrap();
        assert_eq!(scs.read(0xE000_E41C, 0), Ok(0xF000));
        scs.write(0xE000_ED23, 1, 0x40, 0).unwrap();
        assert_eq!(scs.nvic.priority(nvic::SYS_TICK), 0x40);
    }

    #[test]
    fn a_reset_needs_the_key() {
        let mut scs = Scs::new();
        assert!(scs.write(0xE000_ED0C, 4, 4, 0).is_err());
        assert!(!scs.reset_requested);
        scs.write(0xE000_ED0C, 4, 0x05FA_0004, 0).unwrap();
        assert!(scs.reset_requested);
    }

    #[test]
    fn the_cycle_counter_counts_when_enabled() {
        let mut scs = Scs::new();
        scs.write(0xE000_EDFC, 4, 1 << 24, 0).unwrap();
        scs.write(0xE000_1004, 4, 0, 100).unwrap();
        assert_eq!(scs.read(0xE000_1004, 150), Ok(0));
        scs.write(0xE000_1000, 4, 1, 200).unwrap();
        assert_eq!(scs.read(0xE000_1004, 250), Ok(50));
        scs.write(0xE000_1004, 4, 7, 300).unwrap();
        assert_eq!(scs.read(0xE000_1004, 310), Ok(17));
    }
}
