// SPDX-License-Identifier: GPL-2.0-only
//! USART1 as a UART, 8N1 (RM0090, section 30).

use std::collections::VecDeque;

use super::{Refused, no_register, only};

const TXE: u32 = 1 << 7;
const TC: u32 = 1 << 6;
const RXNE: u32 = 1 << 5;
const ORE: u32 = 1 << 3;
const UE: u32 = 1 << 13;
const TE: u32 = 1 << 3;
const RE: u32 = 1 << 2;

/// The registers and the line.
#[derive(Debug)]
pub struct Usart {
    brr: u32,
    cr1: u32,
    cr2: u32,
    cr3: u32,
    gtpr: u32,
    /// TC and ORE; TXE and RXNE follow from the buffers.
    sr: u32,
    data: Option<u8>,
    /// The byte on the line and the core cycle at which it is out.
    shifting: Option<(u8, u64)>,
    received: Option<u8>,
    incoming: VecDeque<u8>,
    /// When the first of them has arrived.
    incoming_at: Option<u64>,
    sent: Vec<u8>,
    status_read: bool,
}

impl Default for Usart {
    fn default() -> Self {
        Self {
            brr: 0,
            cr1: 0,
            cr2: 0,
            cr3: 0,
            gtpr: 0,
            sr: TC,
            data: None,
            shifting: None,
            received: None,
            incoming: VecDeque::new(),
            incoming_at: None,
            sent: Vec::new(),
            status_read: false,
        }
    }
}

impl Usart {
    /// Core cycles that a character of ten bits takes. `div` is core cycles per APB2 cycle.
    fn character(&self, div: u64) -> u64 {
        let per_bit = if self.cr1 & 1 << 15 != 0 {
            u64::from(self.brr >> 4) * 8 + u64::from(self.brr & 7)
        } else {
            u64::from(self.brr)
        };
        10 * per_bit.max(1) * div
    }

    /// Bits per second with APB2 at `pclk2` hertz.
    #[must_use]
    pub fn baud(&self, pclk2: u64) -> u64 {
        pclk2 * 10 / self.character(1)
    }

    /// Puts bytes on the line towards the board.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.incoming.extend(bytes);
    }

    /// Takes the bytes that have left the board.
    pub fn take_sent(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.sent)
    }

    /// Brings the line up to core cycle `now`.
    pub fn sync(&mut self, now: u64, div: u64) {
        while let Some((byte, done)) = self.shifting.filter(|&(_, done)| done <= now) {
            self.sent.push(byte);
            self.shifting = self.data.take().map(|next| (next, done + self.character(div)));
            if self.shifting.is_none() {
                self.sr |= TC;
            }
        }
        let listening = self.cr1 & (UE | RE) == UE | RE;
        while listening && !self.incoming.is_empty() {
            let at = *self.incoming_at.get_or_insert(now + self.character(div));
            if now < at {
                break;
            }
            let Some(byte) = self.incoming.pop_front() else { break };
            self.incoming_at = (!self.incoming.is_empty()).then(|| at + self.character(div));
            if self.received.is_some() {
                self.sr |= ORE;
            } else {
                self.received = Some(byte);
            }
        }
    }

    fn status(&self) -> u32 {
        let empty = self.data.is_none();
        self.sr | if empty { TXE } else { 0 } | if self.received.is_some() { RXNE } else { 0 }
    }

    /// The core cycle at which something happens on the line.
    #[must_use]
    pub fn next_event(&self) -> Option<u64> {
        let receiving = self.incoming_at.filter(|_| self.cr1 & (UE | RE) == UE | RE);
        let sending = self.shifting.map(|(_, done)| done);
        sending.into_iter().chain(receiving).min()
    }

    /// True if the interrupt is asked for.
    #[must_use]
    pub fn interrupt(&self) -> bool {
        let status = self.status();
        status & self.cr1 & (TXE | TC | RXNE) != 0 || self.cr1 & RXNE != 0 && status & ORE != 0
    }

    /// True if DMA is asked to bring the next byte.
    #[must_use]
    pub fn wants_dma(&self) -> bool {
        self.cr3 & 1 << 7 != 0 && self.cr1 & (UE | TE) == UE | TE && self.data.is_none()
    }

    /// Reads a register; `sync` first.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&mut self, offset: u32) -> Result<u32, Refused> {
        Ok(match offset {
            0x00 => {
                self.status_read = true;
                self.status()
            }
            0x04 => {
                if std::mem::take(&mut self.status_read) {
                    self.sr &= !ORE;
                }
                u32::from(self.received.take().unwrap_or(0))
            }
            0x08 => self.brr,
            0x0C => self.cr1,
            0x10 => self.cr2,
            0x14 => self.cr3,
            0x18 => self.gtpr,
            _ => return Err(no_register(offset)),
        })
    }

    /// Writes a register; `sync` first. `now` is the core cycle, `div` core cycles per APB2 cycle.
    ///
    /// # Errors
    /// If there is no such register or mode.
    pub fn write(&mut self, offset: u32, value: u32, now: u64, div: u64) -> Result<(), Refused> {
        match offset {
            // TC and RXNE are cleared by writing zero.
            0x00 => {
                if value & TC == 0 {
                    self.sr &= !TC;
                }
                if value & RXNE == 0 {
                    self.received = None;
                }
            }
            0x04 => {
                if self.cr1 & (UE | TE) != UE | TE {
                    return Err("USART: writing DR while the transmitter is off".into());
                }
                let byte = value as u8;
                if self.status_read {
                    self.sr &= !TC;
                }
                if self.shifting.is_none() {
                    self.sr &= !TC;
                    self.shifting = Some((byte, now + self.character(div)));
                } else if self.data.replace(byte).is_some() {
                    return Err("USART: DR was overwritten before it was sent (TXE is 0)".into());
                }
            }
            0x08 => self.brr = value & 0xFFFF,
            0x0C => {
                // Parity, nine bits, wake-up and break are not modelled.
                only(value, UE | TE | RE | TXE | TC | RXNE | 1 << 4 | 1 << 15 | 1 << 8, "USART CR1")?;
                self.cr1 = value;
            }
            0x10 => {
                only(value, 0, "USART CR2")?;
                self.cr2 = value;
            }
            0x14 => {
                only(value, 1 << 7 | 1 << 6 | 1, "USART CR3")?;
                self.cr3 = value;
            }
            0x18 => self.gtpr = value,
            _ => return Err(no_register(offset)),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ready() -> Usart {
        let mut usart = Usart::default();
        usart.write(0x08, 729, 0, 2).unwrap();
        usart.write(0x0C, UE | TE | RE, 0, 2).unwrap();
        usart
    }

    #[test]
    fn a_character_takes_ten_bits() {
        let mut usart = ready();
        assert_eq!(usart.baud(84_000_000), 115_226);
        assert_eq!(usart.read(0x00), Ok(TXE | TC));
        usart.write(0x04, 0x41, 0, 2).unwrap();
        assert_eq!(usart.read(0x00), Ok(TXE), "moved to the shift register at once");
        usart.write(0x04, 0x42, 0, 2).unwrap();
        assert_eq!(usart.read(0x00), Ok(0));
        usart.sync(14_580, 2);
        assert_eq!((usart.read(0x00), usart.take_sent()), (Ok(TXE), vec![0x41]));
        usart.sync(2 * 14_580, 2);
        assert_eq!((usart.read(0x00), usart.take_sent()), (Ok(TXE | TC), vec![0x42]));
    }

    #[test]
    fn losing_a_byte_is_refused() {
        let mut usart = ready();
        for byte in [1, 2] {
            usart.write(0x04, byte, 0, 2).unwrap();
        }
        assert!(usart.write(0x04, 3, 0, 2).is_err());
    }

    #[test]
    fn an_unread_byte_causes_an_overrun() {
        let mut usart = ready();
        usart.feed(b"xy");
        usart.sync(0, 2);
        usart.sync(14_580, 2);
        assert_eq!(usart.read(0x00), Ok(TXE | TC | RXNE));
        usart.sync(3 * 14_580, 2);
        assert_eq!(usart.read(0x00), Ok(TXE | TC | RXNE | ORE));
        assert_eq!(usart.read(0x04), Ok(u32::from(b'x')));
        assert_eq!(usart.read(0x00), Ok(TXE | TC));
    }
}
