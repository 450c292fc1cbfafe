// SPDX-License-Identifier: GPL-2.0-only
//! The Cortex-M4's own peripherals, after the ARMv7-M Architecture Reference Manual (part B).

pub mod mpu;
pub mod nvic;
pub mod scs;
pub mod systick;
