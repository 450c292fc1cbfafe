// SPDX-License-Identifier: GPL-3.0-only
//! The capacitive controllers, register by register.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::rc::Rc;

use embedded_hal::digital::{ErrorType, OutputPin};
use proptest::prelude::*;
use wuzi_drivers::capacitive::Capacitive;
use wuzi_drivers::gt9147::{InterruptLine, Model};
use wuzi_drivers::i2c::SoftI2c;
use wuzi_drivers::touch::{Contact, Position, TouchPanel};

use crate::clock::Clock;
use crate::wire::{Bus, Scl, Sda, Shared, Slave};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Gt,
    Ott,
    Ft,
    None,
}

/// RST and INT, and when RST changed.
#[derive(Clone, Default)]
struct Lines {
    clock: Clock,
    reset: Rc<Cell<bool>>,
    fell: Rc<Cell<u64>>,
    rose: Rc<Cell<u64>>,
    interrupt_high: Rc<Cell<bool>>,
    /// INT as it was when RST rose.
    strapped: Rc<Cell<bool>>,
}

struct ResetPin(Lines);
struct InterruptPin(Lines);

impl ErrorType for ResetPin {
    type Error = Infallible;
}
impl OutputPin for ResetPin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.0.reset.set(false);
        self.0.fell.set(self.0.clock.ms());
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.0.reset.set(true);
        self.0.rose.set(self.0.clock.ms());
        self.0.strapped.set(self.0.interrupt_high.get());
        Ok(())
    }
}
impl InterruptLine for InterruptPin {
    fn pull_up(&mut self) {
        self.0.interrupt_high.set(true);
    }
    fn float(&mut self) {
        self.0.interrupt_high.set(false);
    }
}

/// Any of the chips: registers behind a pointer of one or two bytes.
struct Chip {
    kind: Kind,
    lines: Lines,
    registers: BTreeMap<u16, u8>,
    pointer: u16,
    pointer_bytes: usize,
    /// Writes of data: register, value.
    written: Vec<(u16, u8)>,
}

impl Chip {
    fn ready(&self) -> bool {
        let (low, after) = match self.kind {
            Kind::Gt => (10, 55),
            Kind::Ott => (50, 50),
            Kind::Ft => (5, 40),
            Kind::None => return false,
        };
        self.lines.reset.get()
            && self.lines.rose.get() - self.lines.fell.get() >= low
            && self.lines.clock.ms() - self.lines.rose.get() >= after
    }

    fn address(&self) -> u8 {
        match self.kind {
            Kind::Gt if self.lines.strapped.get() => 0x14,
            Kind::Gt => 0x5D,
            Kind::Ott => 0x59,
            Kind::Ft | Kind::None => 0x38,
        }
    }

    fn width(&self) -> usize {
        if self.kind == Kind::Ft { 1 } else { 2 }
    }

    fn set(&mut self, register: u16, bytes: &[u8]) {
        for (i, &byte) in bytes.iter().enumerate() {
            self.registers.insert(register + i as u16, byte);
        }
    }

    fn get(&self, register: u16) -> u8 {
        self.registers.get(&register).copied().unwrap_or(0)
    }
}

impl Slave for Chip {
    fn selected(&mut self, address: u8, read: bool) -> bool {
        let mine = self.ready() && address == self.address();
        if mine && !read {
            self.pointer_bytes = 0;
        }
        mine
    }
    fn write(&mut self, byte: u8) -> bool {
        if self.pointer_bytes < self.width() {
            let kept = if self.pointer_bytes == 0 { 0 } else { self.pointer << 8 };
            self.pointer = kept | u16::from(byte);
            self.pointer_bytes += 1;
        } else {
            self.written.push((self.pointer, byte));
            self.registers.insert(self.pointer, byte);
            self.pointer = self.pointer.wrapping_add(1);
        }
        true
    }
    fn read(&mut self) -> u8 {
        let byte = self.get(self.pointer);
        self.pointer = self.pointer.wrapping_add(1);
        byte
    }
}

type I2c = SoftI2c<Scl<Chip>, Sda<Chip>, Clock>;

struct Bench {
    bus: Shared<Chip>,
    clock: Clock,
    lines: Lines,
}

impl Bench {
    fn new(kind: Kind) -> Self {
        let clock = Clock::default();
        let lines = Lines { clock: clock.clone(), ..Lines::default() };
        let chip = Chip {
            kind,
            lines: lines.clone(),
            registers: BTreeMap::new(),
            pointer: 0,
            pointer_bytes: 0,
            written: Vec::new(),
        };
        Self { bus: Bus::new(chip), clock, lines }
    }

    fn gt(id: &[u8; 4]) -> Self {
        let bench = Self::new(Kind::Gt);
        bench.bus.borrow_mut().slave.set(0x8140, id);
        bench
    }

    fn detect(&self) -> Option<Capacitive<I2c>> {
        let i2c = SoftI2c::new(Scl(self.bus.clone()), Sda(self.bus.clone()), self.clock.clone(), 2000);
        let (mut reset, mut interrupt) = (ResetPin(self.lines.clone()), InterruptPin(self.lines.clone()));
        Capacitive::detect(i2c, &mut reset, &mut interrupt, &mut self.clock.clone()).ok()
    }

    fn set(&self, register: u16, bytes: &[u8]) {
        self.bus.borrow_mut().slave.set(register, bytes);
    }
}

fn at(x: u16, y: u16) -> Contact {
    Contact::Down(Position { x, y })
}

#[test]
fn each_controller_is_found_and_named() {
    for (id, name) in [(b"911\0", "GT911"), (b"9147", "GT9147"), (b"1158", "GT1158"), (b"9271", "GT9271")] {
        assert_eq!(Bench::gt(id).detect().unwrap().to_string(), name);
    }
    assert_eq!(Bench::new(Kind::Ott).detect().unwrap().to_string(), "OTT2001A");
    let ft = Bench::new(Kind::Ft);
    ft.set(0xA1, &[0x30, 0x03]);
    assert_eq!(ft.detect().unwrap().to_string(), "FT5206 version 3003");
}

#[test]
fn a_board_without_a_capacitive_panel_is_told_within_half_a_second() {
    let bench = Bench::new(Kind::None);
    assert!(bench.detect().is_none());
    assert!(bench.clock.ms() < 500, "{} ms", bench.clock.ms());
}

#[test]
fn another_id_at_the_address_is_not_taken_for_a_gt() {
    assert!(Bench::gt(b"5688").detect().is_none());
    assert_eq!(Model::from_id([0xFF; 4]), None);
}

#[test]
fn the_gt_is_reset_in_software_and_started() {
    let bench = Bench::gt(b"911\0");
    bench.detect().unwrap();
    assert_eq!(bench.bus.borrow().slave.written, [(0x8040, 2), (0x8040, 0)]);
}

#[test]
fn an_old_gt9147_gets_the_screens_size_with_a_right_checksum() {
    let bench = Bench::gt(b"9147");
    let old: Vec<u8> = (0..184).map(|i| if i == 0 { 0x41 } else { (i * 7) as u8 }).collect();
    bench.set(0x8047, &old);
    bench.detect().unwrap();
    let bus = bench.bus.borrow();
    let config: Vec<u8> = (0..184).map(|i| bus.slave.get(0x8047 + i)).collect();
    assert_eq!(config[..6], [0x60, 0xE0, 0x01, 0x20, 0x03, 5]);
    assert_eq!(config[6..], old[6..], "what is tuned to the glass stays");
    let sum = config.iter().fold(bus.slave.get(0x80FF), |sum, &byte| sum.wrapping_add(byte));
    assert_eq!(sum, 0);
    let last = bus.slave.written.iter().position(|&write| write == (0x8100, 1)).unwrap();
    assert!(last > bus.slave.written.iter().position(|write| write.0 == 0x80FF).unwrap());
}

#[test]
fn a_gt_with_a_new_configuration_and_its_relatives_keep_theirs() {
    for (id, version) in [(b"9147", 0x60), (b"9147", 0x6A), (b"911\0", 0x41), (b"1158", 0x41)] {
        let bench = Bench::gt(id);
        bench.set(0x8047, &[version]);
        bench.detect().unwrap();
        assert!(bench.bus.borrow().slave.written.iter().all(|write| write.0 == 0x8040));
    }
}

#[test]
fn the_gt_releases_only_on_ready_with_no_finger() {
    let bench = Bench::gt(b"9147");
    bench.set(0x8047, &[0x60]);
    let mut panel = bench.detect().unwrap();
    bench.set(0x8150, &[0x2C, 0x01, 0xF4, 0x01]);
    bench.set(0x814E, &[0x81]);
    assert_eq!(panel.read().unwrap(), at(300, 500));
    assert_eq!(bench.bus.borrow().slave.get(0x814E), 0, "the status is written back");
    assert_eq!(panel.read().unwrap(), Contact::Unchanged, "status 0 is not a release");
    bench.set(0x814E, &[0x01]);
    assert_eq!(panel.read().unwrap(), Contact::Unchanged, "nor is a status that is not ready");
    bench.set(0x814E, &[0x80]);
    assert_eq!(panel.read().unwrap(), Contact::Up);
}

#[test]
fn the_ott_counts_along_the_long_side() {
    let bench = Bench::new(Kind::Ott);
    let mut panel = bench.detect().unwrap();
    assert_eq!(bench.bus.borrow().slave.written, [(0x0D00, 0x80)]);
    assert_eq!(panel.read().unwrap(), Contact::Up);
    // Half of 2700 is half of the height, a third of 1500 is a third of the width.
    bench.set(0x0000, &[0x01]);
    bench.set(0x0100, &[0x05, 0x46, 0x01, 0xF4]);
    assert_eq!(panel.read().unwrap(), at(160, 400));
    // The third finger alone.
    bench.set(0x0000, &[0x04]);
    bench.set(0x1000, &[0x00, 0x00, 0x00, 0x00]);
    assert_eq!(panel.read().unwrap(), at(0, 0));
    bench.set(0x0000, &[0x00]);
    assert_eq!(panel.read().unwrap(), Contact::Up);
}

#[test]
fn the_ft_reports_fingers_in_contact_only() {
    let bench = Bench::new(Kind::Ft);
    let mut panel = bench.detect().unwrap();
    assert_eq!(bench.bus.borrow().slave.written, [(0x00, 0), (0x80, 22), (0x88, 12)]);
    bench.set(0x02, &[1]);
    bench.set(0x03, &[0x81, 0x2C, 0x01, 0xF4]);
    assert_eq!(panel.read().unwrap(), at(180, 500));
    // The first finger lifts, the second stays.
    bench.set(0x02, &[2]);
    bench.set(0x03, &[0x41, 0x2C, 0x01, 0xF4]);
    bench.set(0x09, &[0x80, 0x0A, 0x10, 0x14]);
    assert_eq!(panel.read().unwrap(), at(470, 20));
    bench.set(0x02, &[0]);
    assert_eq!(panel.read().unwrap(), Contact::Up);
}

#[test]
fn lost_acknowledges_during_the_start_are_repeated() {
    for lost in 0..=2 {
        let bench = Bench::gt(b"9147");
        bench.bus.borrow_mut().lose_acknowledges = lost;
        assert_eq!(bench.detect().unwrap().to_string(), "GT9147", "{lost} lost");
    }
}

#[test]
fn lost_acknowledges_while_reading_are_errors_that_pass() {
    for kind in [Kind::Gt, Kind::Ott, Kind::Ft] {
        let bench = if kind == Kind::Gt { Bench::gt(b"911\0") } else { Bench::new(kind) };
        let mut panel = bench.detect().unwrap();
        bench.bus.borrow_mut().lose_acknowledges = 1;
        assert!(panel.read().is_err());
        assert!(panel.read().is_ok());
    }
}

#[test]
fn a_stuck_bus_is_an_error_and_is_clocked_free_when_the_chip_lets_go() {
    for kind in [Kind::Gt, Kind::Ott, Kind::Ft] {
        let bench = if kind == Kind::Gt { Bench::gt(b"911\0") } else { Bench::new(kind) };
        let mut panel = bench.detect().unwrap();
        bench.bus.borrow_mut().hold_data = u32::MAX;
        assert!(panel.read().is_err());
        bench.bus.borrow_mut().hold_data = 9;
        assert!(panel.read().is_ok());
    }
}

#[test]
fn a_bus_that_is_stuck_at_the_start_ends_the_search_in_time() {
    let bench = Bench::gt(b"911\0");
    bench.bus.borrow_mut().hold_data = u32::MAX;
    assert!(bench.detect().is_none());
    assert!(bench.clock.ms() < 500);
}

proptest! {
    #[test]
    fn noise_never_puts_a_finger_off_the_screen(
        kind in prop::sample::select(vec![Kind::Gt, Kind::Ott, Kind::Ft]),
        noise in prop::collection::vec(any::<u8>(), 64),
    ) {
        let bench = if kind == Kind::Gt { Bench::gt(b"911\0") } else { Bench::new(kind) };
        let mut panel = bench.detect().unwrap();
        for register in [0x0000, 0x0100, 0x0500, 0x1000, 0x1400, 0x1800, 0x814E] {
            bench.set(register, &noise);
        }
        if let Contact::Down(position) = panel.read().unwrap() {
            prop_assert!(position.x < 480 && position.y < 800);
        }
    }
}

#[test]
fn the_status_of_the_gt_is_cleared_after_noise_too() {
    let bench = Bench::gt(b"911\0");
    let mut panel = bench.detect().unwrap();
    for status in [0x86, 0x8F, 0xFF] {
        bench.set(0x814E, &[status]);
        assert_eq!(panel.read().unwrap(), Contact::Unchanged);
        assert_eq!(bench.bus.borrow().slave.get(0x814E), 0);
    }
    bench.set(0x8150, &[0xFF; 4]);
    bench.set(0x814E, &[0x81]);
    assert_eq!(panel.read().unwrap(), Contact::Unchanged);
    assert_eq!(bench.bus.borrow().slave.get(0x814E), 0);
}
