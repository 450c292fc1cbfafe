// SPDX-License-Identifier: GPL-3.0-only
//! From the reset to the menu.

use alloc::boxed::Box;

use embedded_hal::delay::DelayNs;
use slint::platform::software_renderer::{MinimalSoftwareWindow, RepaintBufferType, Rgb565Pixel};
use stm32f4xx_hal::fsmc_lcd::{DataPins16, LcdPins};
use stm32f4xx_hal::gpio::PinState;
use stm32f4xx_hal::gpio::alt::fmc;
use stm32f4xx_hal::pac;
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Config;
use stm32f4xx_hal::signature::Uid;
use stm32f4xx_hal::watchdog::IndependentWatchdog;
use wuzi::app::App;
use wuzi::controller::{Action, Controller};
use wuzi::services::Services;
use wuzi::settings::Language;
use wuzi_drivers::alive::Alive;
use wuzi_drivers::keys::Keys;
use wuzi_drivers::lamp::Show;
use wuzi_drivers::touch::{Gesture, HEIGHT, WIDTH};
use wuzi_engine::Player;
use wuzi_plate::PlatePixel;
use wuzi_screen::{Line, Screen};

use crate::chance::Chance;
use crate::clock::{self, Delay};
use crate::game::{Host, Program};
use crate::key_pins::KeyPins;
use crate::plate::PlateView;
use crate::reset::{self, Cause};
use crate::services::{BoardPlatform, Lights, Speaker};
use crate::signals::{self, SignalPins};
use crate::storage::Keeper;
use crate::thinking::{Desk, TABLE_BYTES};
use crate::touchscreen::{TouchPins, TouchScreen};
use crate::{calibrate, fault, serial_log};

/// The watchdog's patience.
const WATCHDOG_MS: u32 = 4000;

/// Brings everything up.
///
/// # Panics
/// If a part of the microcontroller itself is not there; the fault screen tells.
pub fn start() -> Program {
    let (Some(dp), Some(mut cp)) = (pac::Peripherals::take(), cortex_m::Peripherals::take()) else {
        panic!("the peripherals are taken once")
    };
    let cause = reset::cause(&dp.RCC);
    let clocks = Config::hse(8.MHz()).sysclk(168.MHz()).pclk1(42.MHz()).pclk2(84.MHz()).require_pll48clk();
    let mut rcc = dp.RCC.freeze(clocks);
    clock::start(&mut cp.SYST);
    clock::start_counting(&mut cp.DCB, &mut cp.DWT);

    let (gpioa, gpiob, gpioc) =
        (dp.GPIOA.split(&mut rcc), dp.GPIOB.split(&mut rcc), dp.GPIOC.split(&mut rcc));
    let (gpiod, gpioe, gpiof) =
        (dp.GPIOD.split(&mut rcc), dp.GPIOE.split(&mut rcc), dp.GPIOF.split(&mut rcc));
    let gpiog = dp.GPIOG.split(&mut rcc);

    if serial_log::start(dp.USART1, gpioa.pa9, &mut rcc).is_err() {
        panic!("115200 baud do not go with the clock");
    }
    log::info!("Wuzi {} for the STM32F407", env!("CARGO_PKG_VERSION"));
    log::info!("reset: {cause}");

    let mut watchdog = IndependentWatchdog::new(dp.IWDG);
    watchdog.start(WATCHDOG_MS.millis());

    let pins = SignalPins {
        ds0: gpiof.pf9.into_push_pull_output_in_state(PinState::High),
        ds1: gpiof.pf10.into_push_pull_output_in_state(PinState::High),
        buzzer: gpiof.pf8.into_push_pull_output_in_state(PinState::Low),
    };
    signals::start(dp.TIM3, pins, &mut rcc);

    let key_pins = KeyPins {
        key0: gpioe.pe4.into_pull_up_input(),
        key1: gpioe.pe3.into_pull_up_input(),
        key2: gpioe.pe2.into_pull_up_input(),
        wake: gpioa.pa0.into_pull_down_input(),
    };

    let mut backlight = gpiob.pb15.into_push_pull_output_in_state(PinState::Low);
    let data = DataPins16::new(
        gpiod.pd14, gpiod.pd15, gpiod.pd0, gpiod.pd1, gpioe.pe7, gpioe.pe8, gpioe.pe9, gpioe.pe10,
        gpioe.pe11, gpioe.pe12, gpioe.pe13, gpioe.pe14, gpioe.pe15, gpiod.pd8, gpiod.pd9, gpiod.pd10,
    );
    let select = fmc::ChipSelect4::from(gpiog.pg12);
    let lcd_pins = LcdPins::new(data, fmc::Address::from(gpiof.pf12), gpiod.pd4, gpiod.pd5, select);
    let bus = wuzi_screen::connect(dp.FSMC, lcd_pins, &mut rcc);
    const BLANK: Line = [PlatePixel(Rgb565Pixel(0)); WIDTH as usize];
    let Some(buffers) = cortex_m::singleton!(LINES: [Line; 2] = [BLANK; 2]) else {
        panic!("the line buffers are taken once")
    };
    let [front, back] = buffers;
    let mut attempt = Screen::start(bus, dp.DMA2, [front, back], &mut rcc, &mut Delay);
    let screen = loop {
        match attempt {
            Ok(screen) => break screen,
            // A loose connector may come back; until then the lamps tell.
            Err((unknown, bus, dma, buffers)) => {
                log::error!("LCD: unknown controller, {unknown}");
                signals::show(Show::Fault);
                Delay.delay_ms(1000);
                watchdog.feed();
                attempt = Screen::start(bus, dma, buffers, &mut rcc, &mut Delay);
            }
        }
    };
    signals::show(Show::Dark);
    fault::screen_is(screen.controller());
    log::info!("LCD: {}", screen.controller());

    let mut touch = TouchScreen::detect(TouchPins {
        clock: gpiob.pb0,
        data: gpiof.pf11,
        reset: gpioc.pc13,
        interrupt: gpiob.pb1,
        miso: gpiob.pb2,
    });
    log::info!("touch: {touch}");

    let chance = Chance::start(dp.RNG, seed(), &mut rcc);
    let (mut keeper, kept) = Keeper::open(gpiob.pb8, gpiob.pb9);
    if let Some(calibration) = keeper.calibration() {
        touch.set_calibration(calibration);
    }
    if key_pins.levels().any()
        && let Some(panel) = touch.resistive()
    {
        backlight.set_high();
        // The key that asked for it is let go first.
        while key_pins.levels().any() {
            watchdog.feed();
            Delay.delay_ms(10);
        }
        let attend = || {
            watchdog.feed();
            !key_pins.levels().any()
        };
        if let Some(readings) = calibrate::run(&mut screen.canvas(), panel, attend) {
            keeper.save_calibration(readings);
        }
    }

    let window = MinimalSoftwareWindow::new(RepaintBufferType::ReusedBuffer);
    window.set_size(slint::PhysicalSize::new(u32::from(WIDTH), u32::from(HEIGHT)));
    if slint::platform::set_platform(Box::new(BoardPlatform(window.clone()))).is_err() {
        panic!("the platform is set once");
    }
    let desk = Desk::default();
    let services = Services {
        sound: Box::new(Speaker),
        lamps: Box::new(Lights),
        storage: Box::new(keeper.storage()),
        thinker: Box::new(desk.clone()),
    };
    // The modules are sold with Chinese manuals; the settings offer both languages.
    let controller = Controller::new(services, kept.settings, Language::Chinese, kept.session.as_ref());
    let app = match App::new(controller) {
        Ok(app) => app,
        Err(error) => panic!("the interface cannot start: {error}"),
    };
    let plate = PlateView::connect(app.window());
    let can_continue = app.with_controller(Controller::can_continue);
    if cause == Cause::Watchdog && can_continue {
        log::info!("the game goes on where it was");
        app.act(Action::Continue);
    }
    let host = Host {
        app,
        plate,
        window,
        screen,
        touch,
        gesture: Gesture::new(),
        key_pins,
        keys: Keys::new(),
        keeper,
        desk,
        alive: Alive::new(),
        watchdog,
        next: clock::now(),
        report: 0,
    };
    let mut program = Program { player: Player::new(TABLE_BYTES), chance, host };
    program.host.show();
    backlight.set_high();
    log::info!("menu after {} ms", clock::now());
    program
}

/// Differs from board to board and from start to start.
fn seed() -> u32 {
    let uid = Uid::get();
    let number = u32::from(uid.x()) << 16 ^ u32::from(uid.y()) ^ u32::from(uid.waf_num()) << 8;
    let lot = uid.lot_num().bytes().fold(0_u32, |sum, byte| sum.rotate_left(5) ^ u32::from(byte));
    number ^ lot ^ cortex_m::peripheral::SYST::get_current()
}
