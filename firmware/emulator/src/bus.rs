// SPDX-License-Identifier: GPL-2.0-only
//! The memory map (RM0090, section 2.3) and what the peripherals' clocks hang on.

use crate::peripheral::rcc::Gate;

/// First address of the flash memory.
pub const FLASH_BASE: u32 = 0x0800_0000;
/// Size of the flash memory.
pub const FLASH_SIZE: u32 = 0x10_0000;
/// First address of the core-coupled memory, which DMA cannot reach.
pub const CCM_BASE: u32 = 0x1000_0000;
/// Size of the core-coupled memory.
pub const CCM_SIZE: u32 = 0x1_0000;
/// First address of the main RAM.
pub const SRAM_BASE: u32 = 0x2000_0000;
/// Size of the main RAM.
pub const SRAM_SIZE: u32 = 0x2_0000;
/// First address of the optional external RAM on the memory controller's sub-bank 3.
pub const EXTERNAL_BASE: u32 = 0x6800_0000;
/// Size of the external RAM.
pub const EXTERNAL_SIZE: u32 = 0x10_0000;
/// First address of the LCD on sub-bank 4.
pub const LCD_BASE: u32 = 0x6C00_0000;
/// First address of the system memory's page with the identification of the chip.
pub const SYSTEM_BASE: u32 = 0x1FFF_7000;
/// The 96-bit unique identification.
pub const UNIQUE_ID: u32 = 0x1FFF_7A10;

/// A register's home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// TIM2 to TIM7, by index from 0.
    Timer(usize),
    /// Independent watchdog.
    Iwdg,
    /// I2C1.
    I2c1,
    /// Power control.
    Pwr,
    /// USART1.
    Usart1,
    /// System configuration.
    Syscfg,
    /// External interrupts.
    Exti,
    /// Ports A to I, by index from 0.
    Gpio(usize),
    /// Reset and clocks.
    Rcc,
    /// Flash interface.
    Flash,
    /// DMA1 and DMA2, by index from 0.
    Dma(usize),
    /// Random numbers.
    Rng,
    /// Static memory controller.
    Fsmc,
}

/// Which bus a peripheral hangs on; this decides how long an access takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusKind {
    /// Core speed.
    Ahb,
    /// The slow peripheral bus.
    Apb1,
    /// The fast peripheral bus.
    Apb2,
}

/// The peripheral at an address: which, the register's offset, its clock gate and its bus.
#[must_use]
pub fn place(address: u32) -> Option<(Place, u32, Option<Gate>, BusKind)> {
    let gate = |offset, bit| Some(Gate { offset, bit });
    let (place, base, gate, bus) = match address & !0x3FF {
        base @ 0x4000_0000..=0x4000_1400 => {
            let index = (base as usize - 0x4000_0000) / 0x400;
            (Place::Timer(index), base, gate(0x40, index as u8), BusKind::Apb1)
        }
        base @ 0x4000_3000 => (Place::Iwdg, base, None, BusKind::Apb1),
        base @ 0x4000_5400 => (Place::I2c1, base, gate(0x40, 21), BusKind::Apb1),
        base @ 0x4000_7000 => (Place::Pwr, base, gate(0x40, 28), BusKind::Apb1),
        base @ 0x4001_1000 => (Place::Usart1, base, gate(0x44, 4), BusKind::Apb2),
        base @ 0x4001_3800 => (Place::Syscfg, base, gate(0x44, 14), BusKind::Apb2),
        base @ 0x4001_3C00 => (Place::Exti, base, None, BusKind::Apb2),
        base @ 0x4002_0000..=0x4002_2000 => {
            let index = (base as usize - 0x4002_0000) / 0x400;
            (Place::Gpio(index), base, gate(0x30, index as u8), BusKind::Ahb)
        }
        base @ 0x4002_3800 => (Place::Rcc, base, None, BusKind::Ahb),
        base @ 0x4002_3C00 => (Place::Flash, base, None, BusKind::Ahb),
        base @ 0x4002_6000 => (Place::Dma(0), base, gate(0x30, 21), BusKind::Ahb),
        base @ 0x4002_6400 => (Place::Dma(1), base, gate(0x30, 22), BusKind::Ahb),
        base @ 0x5006_0800 => (Place::Rng, base, gate(0x34, 6), BusKind::Ahb),
        base @ 0xA000_0000 => (Place::Fsmc, base, gate(0x38, 0), BusKind::Ahb),
        _ => return None,
    };
    Some((place, address - base, gate, bus))
}

/// The name of the peripheral at an address, modelled or not, for reports.
#[must_use]
pub fn name(address: u32) -> &'static str {
    match address & !0x3FF {
        0x4000_0000..=0x4000_23FF => "TIM2-14",
        0x4000_2800 => "RTC",
        0x4000_2C00 => "WWDG",
        0x4000_3000 => "IWDG",
        0x4000_3800 | 0x4000_3C00 | 0x4001_3000 => "SPI",
        0x4000_4400..=0x4000_5000 | 0x4001_1000 | 0x4001_1400 => "USART",
        0x4000_5400..=0x4000_5C00 => "I2C",
        0x4000_6400 | 0x4000_6800 => "CAN",
        0x4000_7000 => "PWR",
        0x4000_7400 => "DAC",
        0x4001_0000..=0x4001_0400 => "TIM1/TIM8",
        0x4001_2000 => "ADC",
        0x4001_2C00 => "SDIO",
        0x4001_3800 => "SYSCFG",
        0x4001_3C00 => "EXTI",
        0x4001_4000..=0x4001_4800 => "TIM9-11",
        0x4002_0000..=0x4002_2000 => "GPIO",
        0x4002_3000 => "CRC",
        0x4002_3800 => "RCC",
        0x4002_3C00 => "FLASH",
        0x4002_6000 | 0x4002_6400 => "DMA",
        0x5006_0800 => "RNG",
        0xA000_0000 => "FSMC",
        0x6000_0000..=0x6FFF_FFFF => "FSMC bank 1",
        0xE000_0000..=0xE00F_FFFF => "core",
        _ => "nothing",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RM0090, table 1 and section 7.3.10 to 7.3.14.
    #[test]
    fn peripherals_are_where_the_manual_puts_them() {
        for (address, expected, offset, gate) in [
            (0x4000_0424, Place::Timer(1), 0x24, Some((0x40, 1))),
            (0x4000_5410, Place::I2c1, 0x10, Some((0x40, 21))),
            (0x4001_1004, Place::Usart1, 0x04, Some((0x44, 4))),
            (0x4002_1414, Place::Gpio(5), 0x14, Some((0x30, 5))),
            (0x4002_6410, Place::Dma(1), 0x10, Some((0x30, 22))),
            (0x5006_0808, Place::Rng, 0x08, Some((0x34, 6))),
            (0xA000_011C, Place::Fsmc, 0x11C, Some((0x38, 0))),
        ] {
            let (found, at, clock, _) = place(address).unwrap();
            assert_eq!((found, at, clock.map(|gate| (gate.offset, gate.bit))), (expected, offset, gate));
        }
        assert_eq!(place(0x4001_3000), None, "SPI1 is not modelled");
        assert_eq!(name(0x4001_3004), "SPI");
    }
}
