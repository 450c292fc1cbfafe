// SPDX-License-Identifier: GPL-2.0-only
//! The 24C02: 256 bytes in pages of eight, at I2C address 0x50.
//!
//! A stop condition after written bytes starts the write cycle, during which the chip does not answer.
//! If power goes away within it, each byte of the page may be old, new, or anything.

use super::I2cDevice;

/// Size in bytes.
pub const SIZE: usize = 256;
const PAGE: u8 = 8;
const ADDRESS: u8 = 0x50;
/// The write cycle's length, in nanoseconds (5 ms at most by the data sheet).
pub const WRITE_CYCLE: u64 = 5_000_000;

/// The chip.
#[derive(Debug)]
pub struct Eeprom {
    cells: Vec<u8>,
    pointer: u8,
    addressed: bool,
    expects_pointer: bool,
    /// Bytes that wait for the stop condition, by address.
    page: Vec<(u8, u8)>,
    /// The write cycle under way: until when, and what the cells held before.
    writing: Option<(u64, Vec<(u8, u8)>)>,
    finished: Option<(u8, u8)>,
    worn: Vec<u8>,
    writes: [u32; SIZE],
    /// Length of the write cycle, in nanoseconds.
    pub write_cycle: u64,
    /// Does not acknowledge the next so many bytes (a lost acknowledge).
    pub lost_acknowledges: u32,
}

impl Eeprom {
    /// The chip with these contents; short contents are filled with 0xFF.
    #[must_use]
    pub fn new(mut cells: Vec<u8>) -> Self {
        cells.resize(SIZE, 0xFF);
        Self {
            cells,
            pointer: 0,
            addressed: false,
            expects_pointer: false,
            page: Vec::new(),
            writing: None,
            finished: None,
            worn: Vec::new(),
            writes: [0; SIZE],
            write_cycle: WRITE_CYCLE,
            lost_acknowledges: 0,
        }
    }

    /// What the cells hold.
    #[must_use]
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// Gives the cells other contents, as a programmer does that is clipped to the chip.
    ///
    /// # Panics
    /// If these are not 256 bytes.
    pub fn program(&mut self, cells: &[u8]) {
        self.cells.copy_from_slice(cells);
    }

    /// How often each cell was written.
    #[must_use]
    pub fn writes(&self) -> &[u32; SIZE] {
        &self.writes
    }

    /// Makes cells keep what they hold whatever is written to them.
    pub fn wear(&mut self, addresses: &[u8]) {
        self.worn.extend(addresses);
    }

    /// True while a write cycle is under way.
    #[must_use]
    pub fn busy(&self, ns: u64) -> bool {
        self.writing.as_ref().is_some_and(|&(until, _)| ns < until)
    }

    /// Takes the address and length of a write cycle that has started since this was last asked.
    pub fn take_started(&mut self) -> Option<(u8, u8)> {
        self.finished.take()
    }

    /// Power goes away: the bus state is lost, and a page within its write cycle is left half written.
    /// `random` decides what becomes of each byte.
    pub fn power_cut(&mut self, ns: u64, mut random: impl FnMut() -> u64) {
        if let Some((until, before)) = self.writing.take()
            && ns < until
        {
            for (address, old) in before {
                let cell = &mut self.cells[usize::from(address)];
                let dice = random();
                *cell = match dice & 3 {
                    0 => old,
                    1 => *cell,
                    // The page is erased to 0xFF before it is written.
                    2 => 0xFF,
                    _ => (dice >> 8) as u8,
                };
            }
        }
        self.page.clear();
        self.addressed = false;
    }

    fn acknowledge_or_lose(&mut self) -> bool {
        let lost = self.lost_acknowledges > 0;
        self.lost_acknowledges = self.lost_acknowledges.saturating_sub(1);
        !lost
    }
}

impl I2cDevice for Eeprom {
    fn start(&mut self) {
        self.addressed = false;
        // A repeated start drops bytes that no stop condition has sealed.
        self.page.clear();
    }

    fn address(&mut self, address: u8, read: bool, ns: u64) -> bool {
        if address != ADDRESS || self.busy(ns) {
            return false;
        }
        self.writing = None;
        if !self.acknowledge_or_lose() {
            return false;
        }
        self.addressed = true;
        self.expects_pointer = !read;
        true
    }

    fn write(&mut self, byte: u8, _: u64) -> bool {
        if !self.addressed || !self.acknowledge_or_lose() {
            return false;
        }
        if self.expects_pointer {
            self.pointer = byte;
            self.expects_pointer = false;
        } else {
            self.page.retain(|&(address, _)| address != self.pointer);
            self.page.push((self.pointer, byte));
            // The low three bits of the pointer roll over within the page.
            self.pointer = self.pointer & !(PAGE - 1) | (self.pointer + 1) & (PAGE - 1);
        }
        true
    }

    fn read(&mut self, _: u64) -> u8 {
        if !self.addressed {
            return 0xFF;
        }
        let byte = self.cells[usize::from(self.pointer)];
        self.pointer = self.pointer.wrapping_add(1);
        byte
    }

    fn stop(&mut self, ns: u64) {
        self.addressed = false;
        let page = std::mem::take(&mut self.page);
        let Some(&(first, _)) = page.first() else { return };
        self.finished = Some((first, page.len() as u8));
        let mut before = Vec::new();
        for (address, byte) in page {
            let index = usize::from(address);
            self.writes[index] += 1;
            if !self.worn.contains(&address) {
                before.push((address, self.cells[index]));
                self.cells[index] = byte;
            }
        }
        self.writing = Some((ns.saturating_add(self.write_cycle), before));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(chip: &mut Eeprom, address: u8, bytes: &[u8], ns: u64) -> bool {
        chip.start();
        let acknowledged = chip.address(ADDRESS, false, ns)
            && chip.write(address, ns)
            && bytes.iter().all(|&byte| chip.write(byte, ns));
        chip.stop(ns);
        acknowledged
    }

    #[test]
    fn a_page_rolls_over_and_keeps_the_chip_busy() {
        let mut chip = Eeprom::new(Vec::new());
        assert!(write(&mut chip, 0x0E, &[1, 2, 3], 0));
        assert_eq!(chip.cells()[0x08..0x10], [3, 255, 255, 255, 255, 255, 1, 2]);
        assert_eq!(chip.take_started(), Some((0x0E, 3)));
        assert!(!write(&mut chip, 0, &[9], WRITE_CYCLE - 1), "busy");
        assert_eq!(chip.cells()[0], 0xFF);
        assert!(write(&mut chip, 0, &[9], WRITE_CYCLE));
    }

    #[test]
    fn reading_counts_through_all_cells() {
        let mut chip = Eeprom::new((0..=255).collect());
        chip.start();
        assert!(chip.address(ADDRESS, false, 0) && chip.write(0xFE, 0));
        chip.start();
        assert!(chip.address(ADDRESS, true, 0));
        assert_eq!([chip.read(0), chip.read(0), chip.read(0)], [0xFE, 0xFF, 0x00]);
    }

    #[test]
    fn without_a_stop_nothing_is_written() {
        let mut chip = Eeprom::new(vec![0; SIZE]);
        chip.start();
        assert!(chip.address(ADDRESS, false, 0) && chip.write(0, 0) && chip.write(5, 0));
        chip.power_cut(0, || 3);
        assert!(chip.cells().iter().all(|&cell| cell == 0));
    }

    #[test]
    fn a_power_cut_harms_only_the_page_being_written() {
        for dice in 0..64u64 {
            let mut chip = Eeprom::new(vec![0x55; SIZE]);
            assert!(write(&mut chip, 8, &[1; 8], 0));
            let mut state = dice;
            chip.power_cut(1000, || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                state >> 33
            });
            assert!(chip.cells().iter().enumerate().all(|(at, &cell)| (8..16).contains(&at) || cell == 0x55));
            assert!(!chip.busy(1001));
        }
        let mut chip = Eeprom::new(vec![0x55; SIZE]);
        assert!(write(&mut chip, 8, &[1; 8], 0));
        chip.power_cut(WRITE_CYCLE, || 0);
        assert_eq!(chip.cells()[8..16], [1; 8], "the cycle was over");
    }

    #[test]
    fn worn_cells_keep_their_value() {
        let mut chip = Eeprom::new(vec![0; SIZE]);
        chip.wear(&[1]);
        assert!(write(&mut chip, 0, &[7, 7, 7], 0));
        assert_eq!(chip.cells()[..3], [7, 0, 7]);
        assert_eq!(chip.writes()[..4], [1, 1, 1, 0]);
    }

    #[test]
    fn other_addresses_are_not_its_own() {
        let mut chip = Eeprom::new(Vec::new());
        chip.start();
        assert!(!chip.address(0x51, false, 0));
    }
}
