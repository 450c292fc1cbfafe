// SPDX-License-Identifier: GPL-3.0-only
//! The bus itself, against a slave that remembers what it was told.

use embedded_hal::i2c::{I2c, NoAcknowledgeSource, Operation};
use proptest::prelude::*;
use wuzi_drivers::i2c::{Error, SoftI2c};

use crate::clock::Clock;
use crate::wire::{Bus, Scl, Sda, Shared, Slave};

const ADDRESS: u8 = 0x42;

#[derive(Debug, Default)]
struct Diary {
    heard: Vec<u8>,
    told: u8,
    starts: Vec<bool>,
    stops: u32,
}

impl Slave for Diary {
    fn selected(&mut self, address: u8, read: bool) -> bool {
        if address == ADDRESS {
            self.starts.push(read);
        }
        address == ADDRESS
    }
    fn write(&mut self, byte: u8) -> bool {
        self.heard.push(byte);
        true
    }
    fn read(&mut self) -> u8 {
        self.told = self.told.wrapping_add(0x35);
        self.told
    }
    fn stop(&mut self) {
        self.stops += 1;
    }
}

type Master = SoftI2c<Scl<Diary>, Sda<Diary>, Clock>;

fn bus() -> (Shared<Diary>, Master) {
    let bus = Bus::new(Diary::default());
    let master = SoftI2c::new(Scl(bus.clone()), Sda(bus.clone()), Clock::default(), 5000);
    (bus, master)
}

proptest! {
    #[test]
    fn bytes_arrive_as_sent_and_are_read_as_told(
        written in prop::collection::vec(any::<u8>(), 0..20),
        count in 1_usize..20,
    ) {
        let (bus, mut master) = bus();
        let mut read = vec![0; count];
        master.write_read(ADDRESS, &written, &mut read).unwrap();
        let bus = bus.borrow();
        prop_assert_eq!(&bus.slave.heard, &written);
        let told: Vec<u8> = (1..=count).map(|n| (n as u8).wrapping_mul(0x35)).collect();
        prop_assert_eq!(read, told);
        prop_assert_eq!(&bus.slave.starts, &[false, true]);
        prop_assert_eq!(bus.slave.stops, 1);
    }
}

#[test]
fn operations_of_one_direction_join_and_a_turn_starts_again() {
    let (bus, mut master) = bus();
    let (mut a, mut b) = ([0; 2], [0; 1]);
    let mut operations =
        [Operation::Write(&[1]), Operation::Write(&[2, 3]), Operation::Read(&mut a), Operation::Read(&mut b)];
    master.transaction(ADDRESS, &mut operations).unwrap();
    assert_eq!((a, b), ([0x35, 0x6A], [0x9F]));
    let bus = bus.borrow();
    assert_eq!(bus.slave.heard, [1, 2, 3]);
    assert_eq!(bus.slave.starts, [false, true]);
    assert_eq!(bus.slave.stops, 1);
}

#[test]
fn the_clock_keeps_to_its_rate() {
    let bus = Bus::new(Diary::default());
    let clock = Clock::default();
    let mut master = SoftI2c::new(Scl(bus.clone()), Sda(bus.clone()), clock.clone(), 5000);
    master.write(ADDRESS, &[0; 100]).unwrap();
    let clocks = bus.borrow().clocks;
    assert!(clocks >= 101 * 9);
    assert!(clock.now() >= clocks * 10_000);
}

#[test]
fn nobody_at_the_address_is_an_error_and_leaves_the_bus_free() {
    let (bus, mut master) = bus();
    let absent = Error::NoAcknowledge(NoAcknowledgeSource::Address);
    assert_eq!(master.write(ADDRESS + 1, &[1]), Err(absent));
    assert_eq!(master.write(ADDRESS, &[1]), Ok(()));
    assert_eq!(bus.borrow().slave.heard, [1]);
}

#[test]
fn a_lost_acknowledge_is_an_error_and_the_next_transfer_works() {
    let (bus, mut master) = bus();
    bus.borrow_mut().lose_acknowledges = 1;
    assert_eq!(master.write(ADDRESS, &[1]), Err(Error::NoAcknowledge(NoAcknowledgeSource::Address)));
    assert_eq!(master.write(ADDRESS, &[1, 2]), Ok(()));
    assert_eq!(bus.borrow().slave.heard, [1, 2]);
}

#[test]
fn a_lost_acknowledge_of_a_byte_is_told_apart() {
    #[derive(Debug)]
    struct Deaf;
    impl Slave for Deaf {
        fn selected(&mut self, _: u8, _: bool) -> bool {
            true
        }
        fn write(&mut self, _: u8) -> bool {
            false
        }
        fn read(&mut self) -> u8 {
            0
        }
    }
    let bus = Bus::new(Deaf);
    let mut master = SoftI2c::new(Scl(bus.clone()), Sda(bus), Clock::default(), 5000);
    assert_eq!(master.write(ADDRESS, &[1]), Err(Error::NoAcknowledge(NoAcknowledgeSource::Data)));
}

#[test]
fn a_slave_that_holds_the_data_line_is_clocked_free() {
    // A slave in the middle of a zero byte needs at most nine clocks.
    for clocks in 1..=9 {
        let (bus, mut master) = bus();
        bus.borrow_mut().hold_data = clocks;
        assert_eq!(master.write(ADDRESS, &[7]), Ok(()), "{clocks} clocks");
        assert_eq!(bus.borrow().slave.heard, [7]);
    }
}

#[test]
fn a_line_that_stays_low_is_an_error_and_not_a_hang() {
    let (bus, mut master) = bus();
    bus.borrow_mut().hold_data = u32::MAX;
    assert_eq!(master.write(ADDRESS, &[7]), Err(Error::DataStuck));
    bus.borrow_mut().hold_data = 0;
    bus.borrow_mut().hold_clock = true;
    assert_eq!(master.write(ADDRESS, &[7]), Err(Error::ClockStuck));
    bus.borrow_mut().hold_clock = false;
    assert_eq!(master.write(ADDRESS, &[7]), Ok(()));
    assert_eq!(bus.borrow().slave.heard, [7]);
}

#[test]
fn a_reset_in_the_middle_of_a_read_does_not_block_the_bus() {
    struct Zeros;
    impl Slave for Zeros {
        fn selected(&mut self, address: u8, _: bool) -> bool {
            address == ADDRESS
        }
        fn write(&mut self, _: u8) -> bool {
            true
        }
        fn read(&mut self) -> u8 {
            0
        }
    }
    use embedded_hal::digital::OutputPin;
    // After any number of clocks of a read the master forgets everything, the slave does not.
    for clocks in 0..30 {
        let bus = Bus::new(Zeros);
        let (mut scl, mut sda) = (Scl(bus.clone()), Sda(bus.clone()));
        sda.set_low().unwrap();
        scl.set_low().unwrap();
        for bit in 0..clocks {
            let high = bit < 8 && (ADDRESS << 1 | 1) << bit & 0x80 != 0;
            if high || bit == 8 {
                sda.set_high().unwrap()
            } else {
                sda.set_low().unwrap()
            }
            scl.set_high().unwrap();
            scl.set_low().unwrap();
        }
        sda.set_high().unwrap();
        let mut master = SoftI2c::new(scl, sda, Clock::default(), 5000);
        assert_eq!(master.write(ADDRESS, &[1]), Ok(()), "{clocks} clocks");
    }
}
