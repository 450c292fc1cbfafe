// SPDX-License-Identifier: GPL-3.0-only
//! Lamps and buzzer, stepped by TIM3 every 100 ms; the game only says what they show.

use core::cell::RefCell;

use critical_section::Mutex;
use stm32f4xx_hal::gpio::{Output, PF8, PF9, PF10};
use stm32f4xx_hal::interrupt;
use stm32f4xx_hal::pac::{Interrupt, NVIC, TIM3};
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

/// Takes the pins for the last message; the tick does nothing any more.
pub fn take_pins() -> Option<SignalPins> {
    critical_section::with(|cs| SIGNALS.borrow(cs).try_borrow_mut().ok()?.take()).map(|signals| signals.pins)
}
