// SPDX-License-Identifier: GPL-3.0-only
//! The 24C02 on its bus.

use wuzi_drivers::eeprom::Eeprom;
use wuzi_drivers::i2c::SoftI2c;
use wuzi_drivers::journal::Memory;

use crate::clock::Clock;
use crate::wire::{Bus, Scl, Sda, Shared, Slave};

/// The chip: after a stop it writes the page it was given and is deaf meanwhile.
struct Chip {
    clock: Clock,
    cells: [u8; 256],
    pointer: Option<u8>,
    latched: Vec<(u8, u8)>,
    busy_until: u64,
    write_ms: u64,
}

impl Slave for Chip {
    fn selected(&mut self, address: u8, read: bool) -> bool {
        let answers = address == 0x50 && self.clock.now() >= self.busy_until;
        if answers && !read {
            self.pointer = None;
        }
        answers
    }
    fn write(&mut self, byte: u8) -> bool {
        match self.pointer {
            None => self.pointer = Some(byte),
            Some(at) => {
                self.latched.push((at, byte));
                // The address rolls over inside of the page.
                self.pointer = Some(at & !7 | at.wrapping_add(1) & 7);
            }
        }
        true
    }
    fn read(&mut self) -> u8 {
        let at = self.pointer.unwrap_or(0);
        self.pointer = Some(at.wrapping_add(1));
        self.cells[usize::from(at)]
    }
    fn stop(&mut self) {
        if !self.latched.is_empty() {
            self.busy_until = self.clock.now() + self.write_ms * 1_000_000;
        }
        for (at, byte) in self.latched.drain(..) {
            self.cells[usize::from(at)] = byte;
        }
    }
}

type Driver = Eeprom<SoftI2c<Scl<Chip>, Sda<Chip>, Clock>, Clock>;

fn chip(write_ms: u64) -> (Shared<Chip>, Driver, Clock) {
    let clock = Clock::default();
    let bus = Bus::new(Chip {
        clock: clock.clone(),
        cells: [0xFF; 256],
        pointer: None,
        latched: Vec::new(),
        busy_until: 0,
        write_ms,
    });
    let i2c = SoftI2c::new(Scl(bus.clone()), Sda(bus.clone()), clock.clone(), 2500);
    (bus, Eeprom::new(i2c, clock.clone()), clock)
}

#[test]
fn pages_are_kept_and_read_back() {
    for write_ms in [0, 5, 9] {
        let (bus, mut driver, _) = chip(write_ms);
        for page in 0..32 {
            let bytes: Vec<u8> = (0..8).map(|i| page * 8 + i).collect();
            driver.write(page * 8, &bytes).unwrap();
        }
        let mut image = [0; 256];
        driver.read(0, &mut image).unwrap();
        assert!(image.iter().enumerate().all(|(i, &byte)| i == usize::from(byte)));
        assert_eq!(bus.borrow().slave.cells, image);
    }
}

#[test]
fn a_single_byte_leaves_its_neighbours() {
    let (bus, mut driver, _) = chip(5);
    driver.write(77, &[1]).unwrap();
    let changed = bus.borrow().slave.cells.iter().filter(|&&byte| byte != 0xFF).count();
    assert_eq!((changed, bus.borrow().slave.cells[77]), (1, 1));
}

#[test]
fn a_write_waits_as_long_as_the_chip_needs_and_not_much_longer() {
    let (_, mut driver, clock) = chip(5);
    driver.write(0, &[1; 8]).unwrap();
    assert!((5..7).contains(&clock.ms()), "{} ms", clock.ms());
}

#[test]
fn a_chip_that_never_finishes_is_an_error_and_not_a_hang() {
    let (_, mut driver, clock) = chip(1_000_000);
    assert!(driver.write(0, &[1]).is_err());
    assert!(clock.ms() < 100);
    assert!(driver.read(0, &mut [0]).is_err());
}

#[test]
fn an_acknowledge_lost_anywhere_in_a_write_is_overcome() {
    // Address, place, eight bytes; after each the chip begins to write what it has got so far.
    for place in 0..10 {
        let (bus, mut driver, _) = chip(5);
        bus.borrow_mut().acknowledges_before_loss = place;
        bus.borrow_mut().lose_acknowledges = 1;
        driver.write(8, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        assert_eq!(bus.borrow().slave.cells[8..16], [1, 2, 3, 4, 5, 6, 7, 8], "{place}");
        assert_eq!(bus.borrow().lose_acknowledges, 0);
    }
}

#[test]
fn lost_acknowledges_and_a_held_line_are_overcome() {
    let (bus, mut driver, _) = chip(5);
    bus.borrow_mut().lose_acknowledges = 1;
    driver.write(8, &[1, 2]).unwrap();
    bus.borrow_mut().lose_acknowledges = 2;
    bus.borrow_mut().hold_data = 5;
    let mut bytes = [0; 2];
    driver.read(8, &mut bytes).unwrap();
    assert_eq!(bytes, [1, 2]);
    bus.borrow_mut().hold_data = u32::MAX;
    assert!(driver.read(8, &mut bytes).is_err());
}
