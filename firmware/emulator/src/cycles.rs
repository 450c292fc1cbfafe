// SPDX-License-Identifier: GPL-2.0-only
//! What a run of Thumb instructions costs in core cycles.
//!
//! Each instruction gets the cycles that the Cortex-M4 Technical Reference Manual (r0p1, section 3.3)
//! lists for it, with the pipeline refill of a branch (P) taken as 2 and early termination of
//! divisions as half of the longest. To this come stalls for the flash memory's wait states:
//! with the ART accelerator on, a small share of all instructions waits (`art_stall`), without it
//! every 128-bit line does (`flash_stall`). Both are settings, since they depend on the program.

/// The settings of the cycle count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CycleModel {
    /// Multiplies the cycles of every instruction; 1.0 is the core's manual.
    pub factor: f64,
    /// Cycles added per instruction and flash wait state while the ART accelerator's instruction
    /// cache and prefetch are on. 0.02 makes 10 % at the five wait states of 168 MHz.
    pub art_stall: f64,
    /// Cycles added per instruction and wait state while they are off: a 128-bit line holds five
    /// instructions of mixed length, so 0.2.
    pub flash_stall: f64,
}

impl Default for CycleModel {
    fn default() -> Self {
        Self { factor: 1.0, art_stall: 0.02, flash_stall: 0.2 }
    }
}

/// A straight run of instructions, as far as its cost matters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Length in bytes.
    pub size: u16,
    /// Number of instructions.
    pub instructions: u16,
    /// Core cycles by the manual, memory without wait states.
    pub cycles: u16,
    /// Offset of the first floating-point instruction plus one, or 0 if there is none.
    pub float: u16,
}

impl Block {
    /// Measures the instructions in `code` (little-endian halfwords, whole instructions).
    #[must_use]
    pub fn measure(code: &[u8]) -> Self {
        let half = |at: usize| match code.get(at..at + 2) {
            Some(&[low, high]) => u16::from_le_bytes([low, high]),
            _ => 0,
        };
        let mut block = Self { size: u16::try_from(code.len()).unwrap_or(u16::MAX), ..Self::default() };
        let mut at = 0;
        while at < code.len() {
            let first = half(at);
            let wide = is_wide(first);
            let cost = if wide {
                let second = half(at + 2);
                if is_float(first, second) && block.float == 0 {
                    block.float = u16::try_from(at + 1).unwrap_or(u16::MAX);
                }
                wide_cycles(first, second)
            } else {
                narrow_cycles(first)
            };
            block.instructions = block.instructions.saturating_add(1);
            block.cycles = block.cycles.saturating_add(cost);
            at += if wide { 4 } else { 2 };
        }
        block
    }
}

/// True if the halfword is the first of a 32-bit instruction (ARMv7-M, A5.1).
#[must_use]
pub const fn is_wide(first: u16) -> bool {
    first >> 11 >= 0b11101
}

/// True for instructions of coprocessors 10 and 11, the floating-point unit (ARMv7-M, A6.4).
const fn is_float(first: u16, second: u16) -> bool {
    first & 0xEC00 == 0xEC00 && first & 0xEF00 != 0xEF00 && matches!((second >> 8) & 0xF, 10 | 11)
}

/// A taken branch: itself and the refill of the pipeline.
const BRANCH: u16 = 3;

const fn narrow_cycles(code: u16) -> u16 {
    match code >> 12 {
        // PUSH and POP, with the refill if PC is popped.
        0b1011 if code & 0x0600 == 0x0400 => {
            let registers = (code & 0xFF).count_ones() as u16 + (code >> 8 & 1);
            1 + registers + if code & 0x0900 == 0x0900 { BRANCH - 1 } else { 0 }
        }
        // CBZ and CBNZ
        0b1011 if code & 0x0500 == 0x0100 => BRANCH - 1,
        // LDM and STM
        0b1100 => 1 + (code & 0xFF).count_ones() as u16,
        // conditional branch: taken half of the time
        0b1101 if code & 0x0F00 < 0x0E00 => 2,
        0b1101 | 0b1110 => BRANCH,
        // BX, BLX, or ADD and MOV to PC
        0b0100 if code & 0xFF00 == 0x4700 => BRANCH,
        0b0100 if code & 0xFD87 == 0x4487 => BRANCH,
        // loads: literal, register, immediate, byte, half, SP-relative
        0b0100 if code & 0xF800 == 0x4800 => 2,
        0b0101 if code & 0x0E00 >= 0x0600 => 2,
        0b0110..=0b1001 if code & 0x0800 != 0 => 2,
        _ => 1,
    }
}

const fn wide_cycles(first: u16, second: u16) -> u16 {
    match (first >> 9) & 0x3F {
        // load/store multiple and dual, exclusive, table branch
        0b110100 => {
            if first & 0x0040 == 0 {
                let load_pc = first & 0x0010 != 0 && second & 0x8000 != 0;
                1 + second.count_ones() as u16 + if load_pc { BRANCH - 1 } else { 0 }
            } else if first & 0xFFF0 == 0xE8D0 && second & 0x00E0 == 0 {
                4
            } else {
                3
            }
        }
        // floating point
        0b110110 | 0b110111 => float_cycles(first, second),
        // single loads and stores
        0b111100 => {
            if first & 0x0010 == 0 {
                1
            } else if second >> 12 == 15 && first & 0x0060 == 0x0040 {
                2 + BRANCH - 1
            } else {
                2
            }
        }
        // multiply and divide
        0b111101
            if first & 0x0180 == 0x0180
                && second & 0x00F0 == 0x00F0
                && matches!(first & 0x0070, 0x0010 | 0x0030) =>
        {
            7
        }
        // branches and system instructions
        0b111000..=0b111011 if second & 0x8000 != 0 => {
            if second & 0x5000 == 0 && first & 0x0380 != 0x0380 {
                2
            } else if second & 0x5000 == 0 {
                1
            } else {
                BRANCH
            }
        }
        _ => 1,
    }
}

const fn float_cycles(first: u16, second: u16) -> u16 {
    if first & 0xFF00 == 0xEE00 && second & 0x0010 == 0 {
        // data processing: VDIV 14, VSQRT 14, multiply-accumulate 3
        match (first >> 4) & 0xB {
            0x8 if first & 0x00B0 == 0x0080 => 14,
            0xB if first & 0x00BF == 0x00B1 && second & 0x00C0 == 0x00C0 => 14,
            0x0 | 0x1 | 0x9 | 0xA => 3,
            _ => 1,
        }
    } else if first & 0xFE00 == 0xEC00 && first & 0x01A0 != 0x0100 && first & 0x0120 != 0x0100 {
        // VLDM, VSTM, VPUSH, VPOP: one per register
        1 + (second & 0xFF)
    } else if first & 0xFF00 == 0xED00 {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(code: &[u16]) -> (u16, u16) {
        let bytes: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
        let block = Block::measure(&bytes);
        (block.instructions, block.cycles)
    }

    /// Encodings by ARMv7-M, cycles by the Cortex-M4 manual, table 3-1 with P = 2.
    #[test]
    fn costs_follow_the_manual() {
        assert_eq!(cycles(&[0x2001]), (1, 1), "MOVS r0, #1");
        assert_eq!(cycles(&[0x6800]), (1, 2), "LDR r0, [r0]");
        assert_eq!(cycles(&[0x6000]), (1, 1), "STR r0, [r0]");
        assert_eq!(cycles(&[0xB5F0]), (1, 6), "PUSH {{r4-r7, lr}}");
        assert_eq!(cycles(&[0xBDF0]), (1, 8), "POP {{r4-r7, pc}}");
        assert_eq!(cycles(&[0xE7FE]), (1, 3), "B .");
        assert_eq!(cycles(&[0xF000, 0xF800]), (1, 3), "BL");
        assert_eq!(cycles(&[0xFBB0, 0xF0F1]), (1, 7), "UDIV r0, r0, r1");
        assert_eq!(cycles(&[0xFB00, 0xF001]), (1, 1), "MUL r0, r0, r1");
        assert_eq!(cycles(&[0xE92D, 0x47F0]), (1, 9), "PUSH {{r4-r10, lr}}");
        assert_eq!(cycles(&[0xEE80, 0x0A20]), (1, 14), "VDIV.F32 s0, s0, s1");
        assert_eq!(cycles(&[0xEEB1, 0x0AC0]), (1, 14), "VSQRT.F32 s0, s0");
        assert_eq!(cycles(&[0xEE30, 0x0A20]), (1, 1), "VADD.F32 s0, s0, s1");
        assert_eq!(cycles(&[0xED90, 0x0A00]), (1, 2), "VLDR s0, [r0]");
        assert_eq!(cycles(&[0xED2D, 0x8A02]), (1, 3), "VPUSH {{s16, s17}}");
        assert_eq!(cycles(&[0xF8D0, 0x1000]), (1, 2), "LDR.W r1, [r0]");
    }

    #[test]
    fn a_block_is_the_sum_of_its_instructions() {
        assert_eq!(cycles(&[0x2001, 0xF8D0, 0x1000, 0xE7FE]), (3, 6));
    }

    #[test]
    fn the_first_floating_point_instruction_is_found() {
        let bytes: Vec<u8> = [0x2001u16, 0xED90, 0x0A00].iter().flat_map(|half| half.to_le_bytes()).collect();
        assert_eq!(Block::measure(&bytes).float, 3);
    }
}
