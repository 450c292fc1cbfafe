// SPDX-License-Identifier: GPL-2.0-only
//! Which exceptions are pending, enabled and active, and which comes next.

/// Exception numbers (ARMv7-M, table B1-4).
pub const NMI: u8 = 2;
/// HardFault.
pub const HARD_FAULT: u8 = 3;
/// MemManage.
pub const MEM_MANAGE: u8 = 4;
/// BusFault.
pub const BUS_FAULT: u8 = 5;
/// UsageFault.
pub const USAGE_FAULT: u8 = 6;
/// SVCall.
pub const SV_CALL: u8 = 11;
/// PendSV.
pub const PEND_SV: u8 = 14;
/// SysTick.
pub const SYS_TICK: u8 = 15;
/// The first interrupt of the chip.
pub const IRQ0: u8 = 16;
/// Interrupts of the STM32F407.
pub const IRQS: u8 = 82;

/// Priority of code that nothing has interrupted.
const THREAD: i32 = 256;

/// The special registers that hold exceptions back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Masks {
    /// PRIMASK.
    pub primask: bool,
    /// FAULTMASK.
    pub faultmask: bool,
    /// BASEPRI; 0 masks nothing.
    pub basepri: u8,
}

/// State of all exceptions; bit `n` of a set is exception number `n`.
#[derive(Debug)]
pub struct Nvic {
    pending: u128,
    active: u128,
    enabled: u128,
    lines: u128,
    priority: [u8; 128],
    prigroup: u8,
}

impl Default for Nvic {
    fn default() -> Self {
        Self {
            pending: 0,
            active: 0,
            // All but the three configurable faults; interrupts start disabled.
            enabled: 0xFF8F,
            lines: 0,
            priority: [0; 128],
            prigroup: 0,
        }
    }
}

impl Nvic {
    /// The priority that a number has when exceptions are compared for preemption.
    fn group(&self, priority: u8) -> i32 {
        let subpriority_bits = self.prigroup + 1;
        i32::from(priority) >> subpriority_bits << subpriority_bits
    }

    fn priority_of(&self, exception: u8) -> i32 {
        match exception {
            NMI => -2,
            HARD_FAULT => -1,
            _ => self.group(self.priority[usize::from(exception)]),
        }
    }

    /// Sets the priority field of AIRCR.
    pub fn set_grouping(&mut self, prigroup: u8) {
        self.prigroup = prigroup & 7;
    }

    /// The priority field of AIRCR.
    #[must_use]
    pub fn grouping(&self) -> u8 {
        self.prigroup
    }

    /// The level of an interrupt's line changed.
    pub fn set_line(&mut self, irq: u8, high: bool) {
        let bit = 1u128 << (IRQ0 + irq);
        if high {
            if self.lines & bit == 0 {
                self.pending |= bit;
            }
            self.lines |= bit;
        } else {
            self.lines &= !bit;
        }
    }

    /// Makes an exception pending or takes that back.
    pub fn set_pending(&mut self, exception: u8, pending: bool) {
        let bit = 1u128 << exception;
        if pending {
            self.pending |= bit
        } else {
            self.pending &= !bit
        };
    }

    /// True if the exception is pending.
    #[must_use]
    pub fn is_pending(&self, exception: u8) -> bool {
        self.pending >> exception & 1 != 0
    }

    /// True if the exception is active.
    #[must_use]
    pub fn is_active(&self, exception: u8) -> bool {
        self.active >> exception & 1 != 0
    }

    /// Enables an exception or not.
    pub fn set_enabled(&mut self, exception: u8, enabled: bool) {
        let bit = 1u128 << exception;
        if enabled {
            self.enabled |= bit
        } else {
            self.enabled &= !bit
        };
    }

    /// True if the exception is enabled.
    #[must_use]
    pub fn is_enabled(&self, exception: u8) -> bool {
        self.enabled >> exception & 1 != 0
    }

    /// The priority as written. The STM32F407 implements the upper four bits.
    #[must_use]
    pub fn priority(&self, exception: u8) -> u8 {
        self.priority[usize::from(exception)]
    }

    /// Sets a priority.
    pub fn set_priority(&mut self, exception: u8, priority: u8) {
        self.priority[usize::from(exception)] = priority & 0xF0;
    }

    /// A word of 32 interrupts from a set: 0 enabled, 1 pending, 2 active.
    #[must_use]
    pub fn word(&self, set: u8, index: u32) -> u32 {
        let set = match set {
            0 => self.enabled,
            1 => self.pending,
            _ => self.active,
        };
        (set >> (16 + 32 * index)) as u32
    }

    /// The interrupts of word `index` that exist.
    #[must_use]
    pub const fn existing(index: u32) -> u32 {
        match index {
            0 | 1 => u32::MAX,
            2 => (1 << (IRQS - 64)) - 1,
            _ => 0,
        }
    }

    /// The exception that comes next, whatever holds it back.
    #[must_use]
    pub fn next(&self) -> Option<u8> {
        let mut set = self.pending & self.enabled;
        let mut best = None;
        while set != 0 {
            let exception = set.trailing_zeros() as u8;
            set &= set - 1;
            // Of equal priorities the lowest number wins; the subpriority counts here.
            let full = match exception {
                NMI => -2,
                HARD_FAULT => -1,
                _ => i32::from(self.priority[usize::from(exception)]),
            };
            if best.is_none_or(|(priority, _)| full < priority) {
                best = Some((full, exception));
            }
        }
        best.map(|(_, exception)| exception)
    }

    /// The priority at which the core executes (ARMv7-M, B1.5.4).
    #[must_use]
    pub fn execution_priority(&self, masks: Masks) -> i32 {
        let mut priority = THREAD;
        let mut set = self.active;
        while set != 0 {
            priority = priority.min(self.priority_of(set.trailing_zeros() as u8));
            set &= set - 1;
        }
        if masks.basepri != 0 {
            priority = priority.min(self.group(masks.basepri));
        }
        if masks.primask {
            priority = priority.min(0);
        }
        if masks.faultmask {
            priority = priority.min(-1);
        }
        priority
    }

    /// The exception to enter now.
    #[must_use]
    pub fn deliverable(&self, masks: Masks) -> Option<u8> {
        self.next().filter(|&next| self.priority_of(next) < self.execution_priority(masks))
    }

    /// True if a sleeping core wakes: as `deliverable`, but PRIMASK does not count (B1.5.19).
    #[must_use]
    pub fn wakes(&self, masks: Masks) -> bool {
        self.deliverable(Masks { primask: false, ..masks }).is_some()
    }

    /// True if a synchronous fault of this number can be taken, and need not become a HardFault.
    #[must_use]
    pub fn can_take(&self, exception: u8, masks: Masks) -> bool {
        self.is_enabled(exception) && self.priority_of(exception) < self.execution_priority(masks)
    }

    /// True if exception `a` would preempt exception `b`.
    #[must_use]
    pub fn outranks(&self, a: u8, b: u8) -> bool {
        self.priority_of(a) < self.priority_of(b)
    }

    /// An exception is entered.
    pub fn enter(&mut self, exception: u8) {
        self.set_pending(exception, false);
        self.active |= 1 << exception;
    }

    /// An exception is left. A line that is still high makes it pending again.
    pub fn leave(&mut self, exception: u8) {
        self.active &= !(1 << exception);
        self.pending |= self.lines & 1 << exception;
    }

    /// Number of active exceptions.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.active.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enabled(priorities: &[(u8, u8)]) -> Nvic {
        let mut nvic = Nvic::default();
        for &(irq, priority) in priorities {
            nvic.set_enabled(IRQ0 + irq, true);
            nvic.set_priority(IRQ0 + irq, priority);
        }
        nvic
    }

    #[test]
    fn the_most_urgent_comes_first_and_may_preempt() {
        let mut nvic = enabled(&[(5, 0x40), (6, 0x20), (7, 0x20)]);
        for irq in [5, 6, 7] {
            nvic.set_line(irq, true);
        }
        assert_eq!(nvic.deliverable(Masks::default()), Some(IRQ0 + 6));
        nvic.enter(IRQ0 + 6);
        assert_eq!(nvic.deliverable(Masks::default()), None, "equal priority waits");
        nvic.set_line(6, false);
        nvic.leave(IRQ0 + 6);
        assert_eq!(nvic.deliverable(Masks::default()), Some(IRQ0 + 7));
        nvic.enter(IRQ0 + 7);
        nvic.set_pending(NMI, true);
        assert_eq!(nvic.deliverable(Masks::default()), Some(NMI));
    }

    #[test]
    fn grouping_turns_low_bits_into_subpriority() {
        let mut nvic = enabled(&[(1, 0x30), (2, 0x20)]);
        nvic.set_line(1, true);
        nvic.enter(IRQ0 + 1);
        nvic.set_line(2, true);
        assert_eq!(nvic.deliverable(Masks::default()), Some(IRQ0 + 2));
        nvic.set_grouping(5);
        assert_eq!(nvic.deliverable(Masks::default()), None, "0x20 and 0x30 are one group");
    }

    #[test]
    fn masks_hold_back() {
        let mut nvic = enabled(&[(1, 0x40)]);
        nvic.set_line(1, true);
        let deliverable = |masks| nvic.deliverable(masks).is_some();
        assert!(!deliverable(Masks { primask: true, ..Masks::default() }));
        assert!(!deliverable(Masks { basepri: 0x40, ..Masks::default() }));
        assert!(deliverable(Masks { basepri: 0x50, ..Masks::default() }));
        assert!(nvic.wakes(Masks { primask: true, ..Masks::default() }));
        assert!(!nvic.wakes(Masks { basepri: 0x40, ..Masks::default() }));
    }

    #[test]
    fn a_line_that_stays_high_pends_again() {
        let mut nvic = enabled(&[(3, 0)]);
        nvic.set_line(3, true);
        nvic.enter(IRQ0 + 3);
        assert!(!nvic.is_pending(IRQ0 + 3));
        nvic.leave(IRQ0 + 3);
        assert!(nvic.is_pending(IRQ0 + 3));
        nvic.enter(IRQ0 + 3);
        nvic.set_line(3, false);
        nvic.leave(IRQ0 + 3);
        assert!(!nvic.is_pending(IRQ0 + 3));
    }

    #[test]
    fn a_pulse_is_latched() {
        let mut nvic = enabled(&[(3, 0)]);
        nvic.set_line(3, true);
        nvic.set_line(3, false);
        assert!(nvic.is_pending(IRQ0 + 3));
    }
}
