// SPDX-License-Identifier: GPL-3.0-only
//! The resistive controller and its calibration.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use proptest::prelude::*;
use wuzi_drivers::calibration::{Calibration, MARKS, Mismatch, Reading, pack, unpack};
use wuzi_drivers::touch::{Contact, Position, TouchPanel};
use wuzi_drivers::xpt2046::{Pins, Xpt2046};

use crate::clock::Clock;

/// The chip: takes a command on rising edges, shows the answer from the ninth falling edge on.
#[derive(Debug, Default)]
struct Chip {
    selected: bool,
    sck: bool,
    mosi: bool,
    command: u8,
    clocks: u32,
    answer: u16,
    pressed: bool,
    x: u16,
    y: u16,
    /// Added to the samples in turn.
    noise: Vec<i32>,
    samples: usize,
    /// Samples after which the finger leaves.
    leaves_after: Option<usize>,
}

impl Chip {
    fn convert(&mut self) -> u16 {
        self.samples += 1;
        if self.leaves_after == Some(self.samples) {
            self.pressed = false;
        }
        let value = match self.command {
            0xD0 => self.x,
            0x90 => self.y,
            other => panic!("command {other:02X}"),
        };
        let noise = if self.noise.is_empty() { 0 } else { self.noise[self.samples % self.noise.len()] };
        if self.pressed { (i32::from(value) + noise).clamp(0, 4095) as u16 } else { 4095 }
    }

    fn miso(&self) -> bool {
        // The highest of twelve bits appears after nine falling edges.
        (9..21).contains(&self.clocks) && self.answer >> (20 - self.clocks) & 1 == 1
    }
}

#[derive(Clone, Copy)]
enum Line {
    Sck,
    Mosi,
    Cs,
    Miso,
    Pen,
}

struct Pin(Rc<RefCell<Chip>>, Line);

impl ErrorType for Pin {
    type Error = Infallible;
}

impl Pin {
    fn set(&self, high: bool) {
        let mut chip = self.0.borrow_mut();
        match self.1 {
            Line::Cs => {
                chip.selected = !high;
                (chip.clocks, chip.command) = (0, 0);
            }
            Line::Mosi => chip.mosi = high,
            Line::Sck if chip.selected && high != chip.sck => {
                chip.sck = high;
                if high && chip.clocks < 8 {
                    chip.command = chip.command << 1 | u8::from(chip.mosi);
                } else if !high {
                    chip.clocks += 1;
                    if chip.clocks == 8 {
                        chip.answer = chip.convert();
                    }
                }
            }
            Line::Sck => chip.sck = high,
            Line::Miso | Line::Pen => panic!("an input is driven"),
        }
    }
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.set(false);
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), Infallible> {
        self.set(true);
        Ok(())
    }
}

impl InputPin for Pin {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        let chip = self.0.borrow();
        Ok(match self.1 {
            Line::Miso => chip.miso(),
            Line::Pen => !chip.pressed,
            _ => panic!("an output is read"),
        })
    }
    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}

type Panel = Xpt2046<Pin, Pin, Pin, Pin, Pin, Clock>;

fn panel(calibration: Option<Calibration>) -> (Rc<RefCell<Chip>>, Panel) {
    let chip = Rc::new(RefCell::new(Chip::default()));
    let pin = |line| Pin(chip.clone(), line);
    let pins = Pins {
        sck: pin(Line::Sck),
        mosi: pin(Line::Mosi),
        miso: pin(Line::Miso),
        cs: pin(Line::Cs),
        pen: pin(Line::Pen),
    };
    let panel = Xpt2046::new(pins, Clock::default(), calibration);
    (chip, panel)
}

fn press(chip: &Rc<RefCell<Chip>>, x: u16, y: u16) {
    let mut chip = chip.borrow_mut();
    (chip.pressed, chip.x, chip.y) = (true, x, y);
}

proptest! {
    #[test]
    fn every_reading_comes_through_bit_by_bit(x in 0_u16..4096, y in 0_u16..4096) {
        let (chip, mut panel) = panel(None);
        press(&chip, x, y);
        prop_assert_eq!(panel.reading(), Some(Reading { x, y }));
    }

    #[test]
    fn one_wild_sample_of_five_either_way_does_no_harm(x in 100_u16..4000, y in 100_u16..4000, wild in 0_usize..5) {
        let (chip, mut panel) = panel(None);
        press(&chip, x, y);
        let mut noise = vec![0; 5];
        noise[wild] = 4000;
        noise[(wild + 2) % 5] = -4000;
        chip.borrow_mut().noise = noise;
        prop_assert_eq!(panel.reading(), Some(Reading { x, y }));
    }
}

#[test]
fn nobody_presses() {
    let (chip, mut panel) = panel(None);
    assert_eq!(panel.read().unwrap(), Contact::Up);
    assert_eq!(chip.borrow().samples, 0);
}

#[test]
fn jumping_values_are_no_reading_and_no_release() {
    let (chip, mut panel) = panel(Some(usual()));
    press(&chip, 2000, 2000);
    chip.borrow_mut().noise = (0..20).map(|i| if i < 10 { 0 } else { 200 }).collect();
    assert_eq!(panel.read().unwrap(), Contact::Unchanged);
}

#[test]
fn a_finger_that_leaves_during_the_reading_leaves_no_trace() {
    for samples in 1..=20 {
        let (chip, mut panel) = panel(Some(usual()));
        press(&chip, 2000, 2000);
        chip.borrow_mut().leaves_after = Some(samples);
        assert_eq!(panel.read().unwrap(), Contact::Unchanged);
        assert_eq!(panel.read().unwrap(), Contact::Up);
    }
}

/// A panel as they come: X and Y run backwards, with margins.
fn reading_of(Position { x, y }: Position) -> Reading {
    Reading { x: (3900.0 - f32::from(x) * 7.6) as u16, y: (3850.0 - f32::from(y) * 4.6) as u16 }
}

fn usual() -> Calibration {
    Calibration::from_readings(MARKS.map(reading_of)).unwrap()
}

fn near(a: Position, b: Position) -> bool {
    a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1
}

#[test]
fn a_calibrated_panel_finds_the_pixel() {
    let (chip, mut panel) = panel(Some(usual()));
    for wanted in [(0, 0), (479, 0), (240, 400), (20, 780), (479, 799)] {
        let wanted = Position { x: wanted.0, y: wanted.1 };
        let reading = reading_of(wanted);
        press(&chip, reading.x, reading.y);
        let Contact::Down(found) = panel.read().unwrap() else { panic!("no contact") };
        assert!(near(found, wanted), "{found:?} for {wanted:?}");
    }
}

#[test]
fn a_panel_that_is_not_calibrated_places_nothing() {
    let (chip, mut panel) = panel(None);
    press(&chip, 2000, 2000);
    assert_eq!(panel.read().unwrap(), Contact::Unchanged);
}

proptest! {
    #[test]
    fn any_affine_panel_can_be_calibrated(
        a in 3.0_f32..7.0, b in -0.4_f32..0.4, c in -0.4_f32..0.4, d in 2.0_f32..4.5,
        flip_x in any::<bool>(), flip_y in any::<bool>(), swap in any::<bool>(),
        x in 0_u16..480, y in 0_u16..800,
    ) {
        let device = |p: Position| {
            let (x, y) = (f32::from(p.x), f32::from(p.y));
            let x = if flip_x { 479.0 - x } else { x };
            let y = if flip_y { 799.0 - y } else { y };
            let (u, v) = (400.0 + a * x + b * y, 250.0 + c * x + d * y);
            let (u, v) = (u.clamp(0.0, 4095.0) as u16, v.clamp(0.0, 4095.0) as u16);
            if swap { Reading { x: v, y: u } } else { Reading { x: u, y: v } }
        };
        let map = Calibration::from_readings(MARKS.map(device)).unwrap();
        let wanted = Position { x, y };
        if let Some(found) = map.position(device(wanted)) {
            prop_assert!(near(found, wanted), "{:?} for {:?}", found, wanted);
        } else {
            prop_assert!(x == 0 || y == 0 || x == 479 || y == 799);
        }
    }

    #[test]
    fn kept_readings_read_back(values in prop::array::uniform8(0_u16..4096)) {
        let readings: [Reading; 4] =
            std::array::from_fn(|i| Reading { x: values[2 * i], y: values[2 * i + 1] });
        prop_assert_eq!(unpack(pack(readings)), readings);
    }
}

#[test]
fn marks_that_were_missed_are_refused() {
    let good = MARKS.map(reading_of);
    let mut one_off = good;
    one_off[2].x -= 400;
    assert_eq!(Calibration::from_readings(one_off), Err(Mismatch));
    assert_eq!(Calibration::from_readings([good[0]; 4]), Err(Mismatch));
    let on_a_line = [good[0], good[1], good[0], good[1]];
    assert_eq!(Calibration::from_readings(on_a_line), Err(Mismatch));
    let in_wrong_order = [good[0], good[3], good[2], good[1]];
    assert_eq!(Calibration::from_readings(in_wrong_order), Err(Mismatch));
}
