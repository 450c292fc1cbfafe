// SPDX-License-Identifier: GPL-2.0-only
//! TIM3 toggles DS1 every 100 ms at a high priority, SysTick counts milliseconds, PendSV computes with the
//! floating-point unit at a low priority, KEY0 interrupts through EXTI 4. The main loop sleeps, computes as
//! well, and says on USART1 when a sum was not what it was without interrupts.
#![no_std]
#![no_main]

use core::cell::RefCell;
use core::fmt::Write;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use cortex_m::interrupt::Mutex;
use cortex_m::peripheral::scb::SystemHandler;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{NVIC, SCB};
use cortex_m_rt::{entry, exception};
use stm32f4xx_hal::gpio::{Edge, Input, Output, PF10, gpioe};
use stm32f4xx_hal::pac::interrupt;
use stm32f4xx_hal::timer::{CounterHz, Event};
use stm32f4xx_hal::{pac, prelude::*};
use wuzi_board_images::{clocks, stop, uart};

struct Shared {
    timer: CounterHz<pac::TIM3>,
    lamp: PF10<Output>,
    key: gpioe::PE4<Input>,
}

static SHARED: Mutex<RefCell<Option<Shared>>> = Mutex::new(RefCell::new(None));
static TICKS: AtomicU32 = AtomicU32::new(0);
static MILLISECONDS: AtomicU32 = AtomicU32::new(0);
static SUMS: AtomicU32 = AtomicU32::new(0);
static WRONG: AtomicU32 = AtomicU32::new(0);
static KEYS: AtomicU32 = AtomicU32::new(0);

/// A sum that keeps many floating-point registers in use for a while.
#[inline(never)]
fn sum(start: f32) -> f32 {
    let mut parts = [start; 12];
    for round in 0..200 {
        for (index, part) in parts.iter_mut().enumerate() {
            *part = *part * 0.875 + (index + round) as f32 / 3.0;
        }
    }
    parts.iter().sum()
}

#[interrupt]
fn TIM3() {
    cortex_m::interrupt::free(|cs| {
        if let Some(shared) = SHARED.borrow(cs).borrow_mut().as_mut() {
            shared.timer.wait().ok();
            shared.lamp.toggle();
        }
    });
    let _ = core::hint::black_box(sum(TICKS.fetch_add(1, Relaxed) as f32));
}

#[interrupt]
fn EXTI4() {
    cortex_m::interrupt::free(|cs| {
        if let Some(shared) = SHARED.borrow(cs).borrow_mut().as_mut() {
            shared.key.clear_interrupt_pending_bit();
        }
    });
    KEYS.fetch_add(1, Relaxed);
}

#[exception]
fn SysTick() {
    MILLISECONDS.fetch_add(1, Relaxed);
    let _ = core::hint::black_box(sum(1.5));
    SCB::set_pendsv();
}

#[exception]
fn PendSV() {
    static mut EXPECTED: f32 = 0.0;
    let result = sum(7.25);
    if *EXPECTED == 0.0 {
        *EXPECTED = result;
    }
    if result != *EXPECTED {
        WRONG.fetch_add(1, Relaxed);
    }
    SUMS.fetch_add(1, Relaxed);
}

#[entry]
fn main() -> ! {
    let (Some(dp), Some(mut cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else { stop() };
    let mut rcc = clocks(dp.RCC);
    let mut syscfg = dp.SYSCFG.constrain(&mut rcc);
    let mut exti = dp.EXTI;
    let gpioa = dp.GPIOA.split(&mut rcc);
    let gpioe = dp.GPIOE.split(&mut rcc);
    let gpiof = dp.GPIOF.split(&mut rcc);
    let lamp = gpiof.pf10.into_push_pull_output_in_state(stm32f4xx_hal::gpio::PinState::High);
    let mut key = gpioe.pe4.into_pull_up_input();
    key.make_interrupt_source(&mut syscfg);
    key.trigger_on_edge(&mut exti, Edge::Falling);
    key.enable_interrupt(&mut exti);
    let mut uart = uart(dp.USART1, gpioa.pa9, gpioa.pa10, &mut rcc);
    let mut timer = dp.TIM3.counter_hz(&mut rcc);
    timer.start(10.Hz()).ok();
    timer.listen(Event::Update);
    cortex_m::interrupt::free(|cs| SHARED.borrow(cs).replace(Some(Shared { timer, lamp, key })));

    let expected = sum(3.0);
    cp.SYST.set_clock_source(SystClkSource::Core);
    cp.SYST.set_reload(168_000 - 1);
    cp.SYST.clear_current();
    // SAFETY: no critical section relies on priorities.
    unsafe {
        cp.NVIC.set_priority(pac::Interrupt::TIM3, 0x10);
        cp.NVIC.set_priority(pac::Interrupt::EXTI4, 0x20);
        cp.SCB.set_priority(SystemHandler::SysTick, 0x40);
        cp.SCB.set_priority(SystemHandler::PendSV, 0xF0);
        NVIC::unmask(pac::Interrupt::TIM3);
        NVIC::unmask(pac::Interrupt::EXTI4);
    }
    cp.SYST.enable_interrupt();
    cp.SYST.enable_counter();

    let mut said = 0;
    loop {
        cortex_m::asm::wfi();
        if sum(3.0) != expected {
            WRONG.fetch_add(1, Relaxed);
        }
        let ticks = TICKS.load(Relaxed);
        if ticks != said {
            said = ticks;
            let (milliseconds, sums) = (MILLISECONDS.load(Relaxed), SUMS.load(Relaxed));
            let (wrong, keys) = (WRONG.load(Relaxed), KEYS.load(Relaxed));
            writeln!(uart, "ticks {ticks} ms {milliseconds} sums {sums} wrong {wrong} keys {keys}").ok();
        }
    }
}
