// SPDX-License-Identifier: GPL-3.0-only
//! Lamps and buzzer, stepped by TIM3 every 100 ms; the game only says what they show.

use core::cell::RefCell;

use critical_section::Mutex;
use stm32f4xx_hal::gpio::{Output, PF8, PF9, PF10};
use stm32f4xx_hal::interrupt;
use stm32f4xx_hal::pac::{GPIOF, Interrupt, NVIC, RCC, TIM3};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Rcc;
use stm32f4xx_hal::timer::{CounterHz, Event, Flag};
use wuzi_drivers::buzzer::{Buzzer, Pattern};
use wuzi_drivers::lamp::{Lamps, Show};

/// The pins: DS0, DS1 (low = lit), buzzer (high = on).
#[derive(Debug)]
pub struct SignalPins {
    /// Black's lamp.
    pub ds0: PF9<Output>,
    /// White's lamp.
    pub ds1: PF10<Output>,
    /// The buzzer.
    pub buzzer: PF8<Output>,
}

impl SignalPins {
    /// Sets both lamps.
    pub fn lamps(&mut self, [ds0, ds1]: [bool; 2]) {
        self.ds0.set_state((!ds0).into());
        self.ds1.set_state((!ds1).into());
    }
}

struct Signals {
    pins: SignalPins,
    timer: CounterHz<TIM3>,
    lamps: Lamps,
    buzzer: Buzzer,
}

static SIGNALS: Mutex<RefCell<Option<Signals>>> = Mutex::new(RefCell::new(None));

/// Starts the tick.
pub fn start(timer: TIM3, pins: SignalPins, rcc: &mut Rcc) {
    let mut timer = timer.counter_hz(rcc);
    // 10 Hz is within the timer's range at this clock.
    let _ = timer.start(10.Hz());
    timer.listen(Event::Update);
    let signals = Signals { pins, timer, lamps: Lamps::new(), buzzer: Buzzer::new() };
    critical_section::with(|cs| SIGNALS.borrow(cs).replace(Some(signals)));
    // SAFETY: the handler shares nothing outside of critical sections.
    unsafe { NVIC::unmask(Interrupt::TIM3) };
}

#[interrupt]
fn TIM3() {
    with(|signals| {
        signals.timer.clear_flags(Flag::Update);
        let lit = signals.lamps.step();
        signals.pins.lamps(lit);
        let on = signals.buzzer.step();
        signals.pins.buzzer.set_state(on.into());
    });
}

fn with(change: impl FnOnce(&mut Signals)) {
    critical_section::with(|cs| {
        if let Some(signals) = SIGNALS.borrow(cs).borrow_mut().as_mut() {
            change(signals);
        }
    });
}

/// What the lamps show from now on.
pub fn show(show: Show) {
    with(|signals| signals.lamps.set(show));
}

/// Starts a pattern of the buzzer.
pub fn play(pattern: Pattern) {
    with(|signals| signals.buzzer.play(pattern));
}

/// Both lamps lit or dark, and the buzzer silent, by the registers of the port: for the last message,
/// whoever holds the pins, and even if they were not set up yet.
///
/// # Safety
/// Nothing else may run any more.
pub unsafe fn last_signal(lit: bool) {
    // SAFETY: as the caller promises.
    let (clocks, port) = unsafe { (&*RCC::ptr(), &*GPIOF::ptr()) };
    clocks.ahb1enr().modify(|_, w| w.gpiofen().set_bit());
    // The clock takes two cycles to come.
    let _ = clocks.ahb1enr().read();
    port.bsrr().write(|w| {
        w.br8().set_bit();
        if lit { w.br9().set_bit().br10().set_bit() } else { w.bs9().set_bit().bs10().set_bit() }
    });
    port.moder().modify(|_, w| w.moder8().output().moder9().output().moder10().output());
}
