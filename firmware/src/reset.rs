// SPDX-License-Identifier: GPL-3.0-only
//! Why the board was reset.

use core::fmt;

use stm32f4xx_hal::pac::RCC;

/// The cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The power came on, or sank and came back.
    Power,
    /// The watchdog: the program hung or had failed.
    Watchdog,
    /// The program asked for it.
    Software,
    /// The reset button.
    Button,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Power => "power on",
            Self::Watchdog => "watchdog",
            Self::Software => "software",
            Self::Button => "reset button",
        })
    }
}

/// Reads the cause and clears it for the next time.
pub fn cause(rcc: &RCC) -> Cause {
    let flags = rcc.csr().read();
    // The pin flag is set with every cause; the most specific one counts.
    let cause = if flags.porrstf().bit_is_set() || flags.borrstf().bit_is_set() {
        Cause::Power
    } else if flags.wdgrstf().bit_is_set() || flags.wwdgrstf().bit_is_set() {
        Cause::Watchdog
    } else if flags.sftrstf().bit_is_set() {
        Cause::Software
    } else {
        Cause::Button
    };
    rcc.csr().modify(|_, w| w.rmvf().set_bit());
    cause
}
