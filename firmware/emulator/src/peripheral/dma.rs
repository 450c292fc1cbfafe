// SPDX-License-Identifier: GPL-2.0-only
//! DMA controllers (RM0090, section 10): memory to memory, and memory to USART1. Double buffers, different
//! sizes on both sides and other requests are not modelled.

use super::{Refused, no_register};

const EN: u32 = 1;
const FLAGS_AT: [u32; 4] = [0, 6, 16, 22];
/// Flags within a stream's six bits.
const TRANSFER_ERROR: u8 = 1 << 3;
const HALF: u8 = 1 << 4;
const COMPLETE: u8 = 1 << 5;

/// Core cycles that an item takes at least: a read, a write and the arbitration on the AHB.
const ITEM: u64 = 4;
/// Items that are moved at once; the registers count on between them.
const CHUNK: u64 = 128;

/// What a controller sees of the bus.
pub trait Bus {
    /// Reads an item of 1, 2 or 4 bytes.
    ///
    /// # Errors
    /// If nothing that DMA can reach is at the address.
    fn load(&mut self, address: u32, size: u32) -> Result<u32, Refused>;

    /// Writes an item at core cycle `at`; gives the cycles that it has to wait.
    ///
    /// # Errors
    /// If nothing that DMA can reach is at the address.
    fn store(&mut self, address: u32, size: u32, value: u32, at: u64) -> Result<u64, Refused>;

    /// True if the peripheral behind this channel asks for an item.
    fn requested(&self, stream: usize, channel: u32) -> bool;
}

#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    cr: u32,
    ndtr: u32,
    par: u32,
    m0ar: u32,
    m1ar: u32,
    fcr: u32,
    flags: u8,
    /// Number of items at the start, and items moved.
    total: u32,
    moved: u32,
    /// When the next item starts, and what the last one took, in core cycles.
    next_at: u64,
    cost: u64,
    /// The peripheral has not asked for the next item yet.
    waiting: bool,
}

impl Stream {
    fn enabled(&self) -> bool {
        self.cr & EN != 0
    }

    fn direction(&self) -> u32 {
        self.cr >> 6 & 3
    }

    fn interrupt(&self) -> bool {
        // TEIE, HTIE and TCIE are bits 2 to 4 of CR; the flags are bits 3 to 5.
        u32::from(self.flags) >> 1 & self.cr & 0x1C != 0
    }

    fn check(&self, second: bool) -> Result<(), Refused> {
        if self.cr & (1 << 18 | 1 << 5) != 0 {
            return Err("DMA: double buffers and peripheral flow control are not modelled".into());
        }
        if self.cr >> 11 & 3 != self.cr >> 13 & 3 {
            return Err("DMA: different sizes of source and destination are not modelled".into());
        }
        match self.direction() {
            2 if !second => Err("DMA: only DMA2 can transfer from memory to memory".into()),
            2 if self.fcr & 1 << 2 == 0 => Err("DMA: memory to memory needs the FIFO (DMDIS)".into()),
            2 if self.cr & 1 << 8 != 0 => Err("DMA: memory to memory cannot be circular".into()),
            1 | 2 => Ok(()),
            _ => Err("DMA: this direction is not modelled".into()),
        }
    }

    fn step(&mut self, bus: &mut dyn Bus) -> Result<(), Refused> {
        let size = 1 << (self.cr >> 11 & 3);
        let increment = |bit: u32| if self.cr >> bit & 1 != 0 { self.moved * size } else { 0 };
        let (peripheral, memory) =
            (self.par.wrapping_add(increment(9)), self.m0ar.wrapping_add(increment(10)));
        let (from, to) = if self.direction() == 2 { (peripheral, memory) } else { (memory, peripheral) };
        let value = bus.load(from, size)?;
        self.cost = ITEM + bus.store(to, size, value, self.next_at + ITEM)?;
        Ok(())
    }

    fn advance(&mut self, index: usize, now: u64, bus: &mut dyn Bus) -> Result<(), Refused> {
        while self.enabled() && self.next_at <= now {
            self.waiting = self.direction() != 2 && !bus.requested(index, self.cr >> 25 & 7);
            if self.waiting {
                self.next_at = now;
                return Ok(());
            }
            if let Err(refused) = self.step(bus) {
                self.flags |= TRANSFER_ERROR;
                self.cr &= !EN;
                return Err(refused);
            }
            self.moved += 1;
            self.ndtr -= 1;
            self.next_at += self.cost;
            if self.moved == self.total / 2 {
                self.flags |= HALF;
            }
            if self.ndtr == 0 {
                self.flags |= COMPLETE;
                if self.cr & 1 << 8 != 0 {
                    self.ndtr = self.total;
                    self.moved = 0;
                } else {
                    self.cr &= !EN;
                }
            }
        }
        Ok(())
    }
}

/// One controller of eight streams.
#[derive(Debug)]
pub struct Dma {
    /// True for DMA2.
    second: bool,
    streams: [Stream; 8],
}

impl Dma {
    /// DMA1 or DMA2 after a reset.
    #[must_use]
    pub fn new(second: bool) -> Self {
        Self { second, streams: [Stream { fcr: 0x21, ..Stream::default() }; 8] }
    }

    /// The core cycle at which items are to be moved.
    #[must_use]
    pub fn next_event(&self) -> Option<u64> {
        self.streams
            .iter()
            .filter(|stream| stream.enabled() && !stream.waiting)
            .map(|stream| {
                let items = u64::from(stream.ndtr).min(CHUNK).saturating_sub(1);
                stream.next_at + if stream.direction() == 2 { items * stream.cost.max(ITEM) } else { 0 }
            })
            .min()
    }

    /// Moves what is due at core cycle `now`. Gives the reasons of streams that stopped with an error.
    pub fn advance(&mut self, now: u64, bus: &mut dyn Bus) -> Vec<Refused> {
        let mut errors = Vec::new();
        for (index, stream) in self.streams.iter_mut().enumerate() {
            if stream.enabled() {
                errors.extend(stream.advance(index, now, bus).err());
            }
        }
        errors
    }

    /// True if a stream is at work.
    #[must_use]
    pub fn busy(&self) -> bool {
        self.streams.iter().any(Stream::enabled)
    }

    /// True if the interrupt of a stream is asked for.
    #[must_use]
    pub fn interrupt(&self, stream: usize) -> bool {
        self.streams[stream].interrupt()
    }

    /// Reads a register.
    ///
    /// # Errors
    /// If there is no such register.
    pub fn read(&self, offset: u32, now: u64) -> Result<u32, Refused> {
        let flags = |first: usize| {
            (0..4).map(|index| u32::from(self.streams[first + index].flags) << FLAGS_AT[index]).sum()
        };
        match offset {
            0x00 => return Ok(flags(0)),
            0x04 => return Ok(flags(4)),
            0x08 | 0x0C => return Ok(0),
            0x10..=0xCC => {}
            _ => return Err(no_register(offset)),
        }
        let stream = &self.streams[(offset as usize - 0x10) / 0x18];
        Ok(match (offset - 0x10) % 0x18 {
            0x00 => stream.cr,
            0x04 if stream.enabled() => {
                let ahead = now.saturating_sub(stream.next_at) / stream.cost.max(ITEM);
                u32::try_from(u64::from(stream.ndtr).saturating_sub(ahead).max(1)).unwrap_or(0)
            }
            0x04 => stream.ndtr,
            0x08 => stream.par,
            0x0C => stream.m0ar,
            0x10 => stream.m1ar,
            _ => stream.fcr,
        })
    }

    /// Writes a register.
    ///
    /// # Errors
    /// If there is no such register, it is locked by a running transfer, or the mode is not modelled.
    pub fn write(&mut self, offset: u32, value: u32, now: u64) -> Result<(), Refused> {
        match offset {
            0x08 | 0x0C => {
                let first = (offset as usize - 8) / 4 * 4;
                for (stream, shift) in self.streams[first..].iter_mut().zip(FLAGS_AT) {
                    stream.flags &= !((value >> shift) as u8 & 0x3D);
                }
                return Ok(());
            }
            0x10..=0xCC => {}
            _ => return Err(no_register(offset)),
        }
        let second = self.second;
        let stream = &mut self.streams[(offset as usize - 0x10) / 0x18];
        let register = (offset - 0x10) % 0x18;
        if stream.enabled() && register != 0 {
            return Err("DMA: the stream's registers are locked while it is enabled".into());
        }
        match register {
            0x00 => {
                let starts = value & EN != 0 && !stream.enabled();
                if stream.enabled() && value & EN == 0 {
                    // An aborted transfer says that it is complete.
                    stream.flags |= COMPLETE;
                }
                stream.cr = value & 0x0FEF_FFFF;
                if starts {
                    if let Err(refused) = stream.check(second) {
                        stream.cr &= !EN;
                        return Err(refused);
                    }
                    if stream.flags != 0 {
                        stream.cr &= !EN;
                        return Err("DMA: the stream's flags must be cleared before it is enabled".into());
                    }
                    stream.total = stream.ndtr;
                    stream.moved = 0;
                    stream.next_at = now + ITEM;
                    stream.cost = ITEM;
                    stream.waiting = false;
                    if stream.ndtr == 0 {
                        stream.cr &= !EN;
                    }
                }
            }
            0x04 => stream.ndtr = value & 0xFFFF,
            0x08 => stream.par = value,
            0x0C => stream.m0ar = value,
            0x10 => stream.m1ar = value,
            _ => stream.fcr = value & 0x87 | 0x20,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A memory that holds at each address the address itself, and a sink.
    #[derive(Default)]
    struct Ramp(Vec<u32>);

    impl Bus for Ramp {
        fn load(&mut self, address: u32, _: u32) -> Result<u32, Refused> {
            if address >= 0x2000_0000 { Ok(address & 0xFFFF) } else { Err("core-coupled".into()) }
        }

        fn store(&mut self, _: u32, _: u32, value: u32, _: u64) -> Result<u64, Refused> {
            self.0.push(value);
            Ok(2)
        }

        fn requested(&self, _: usize, _: u32) -> bool {
            true
        }
    }

    /// 16-bit items, source counting, memory to memory, interrupt at the end.
    const CR: u32 = 1 << 13 | 1 << 11 | 1 << 9 | 2 << 6 | 1 << 4;

    fn started(source: u32) -> Dma {
        let mut dma = Dma::new(true);
        for (register, value) in
            [(0x14, 300), (0x18, source), (0x1C, 0x6C00_0080), (0x24, 7), (0x10, CR | EN)]
        {
            dma.write(register, value, 0).unwrap();
        }
        dma
    }

    #[test]
    fn items_are_moved_as_time_passes() {
        let (mut dma, mut bus) = (started(0x2000_0000), Ramp::default());
        assert!(dma.write(0x18, 0, 0).is_err(), "locked");
        assert!(dma.advance(4 + 6 * 99, &mut bus).is_empty());
        assert_eq!(bus.0.len(), 100);
        assert_eq!(dma.read(0x14, 4 + 6 * 99), Ok(200));
        dma.advance(10_000, &mut bus);
        assert_eq!(bus.0, (0..300).map(|item| 2 * item).collect::<Vec<_>>());
        assert!(dma.interrupt(0));
        assert_eq!(dma.read(0x00, 10_000), Ok(0x30));
        assert!(dma.write(0x10, CR | EN, 0).is_err(), "flags first");
        dma.write(0x08, 0x3D, 0).unwrap();
        assert!(!dma.interrupt(0));
    }

    #[test]
    fn memory_out_of_reach_is_a_transfer_error() {
        let (mut dma, mut bus) = (started(0x1000_0000), Ramp::default());
        assert_eq!(dma.advance(1000, &mut bus).len(), 1);
        assert_eq!(dma.read(0x00, 1000), Ok(u32::from(TRANSFER_ERROR)));
    }

    #[test]
    fn dma1_cannot_copy_memory() {
        let mut dma = Dma::new(false);
        dma.write(0x24, 7, 0).unwrap();
        assert!(dma.write(0x10, CR | EN, 0).is_err());
    }
}
