// SPDX-License-Identifier: GPL-3.0-only
//! The steps of the main loop: show, think, listen, prove alive, sleep.

use alloc::rc::Rc;
use core::sync::atomic::Ordering;
use core::time::Duration;

use cortex_m::asm;
use slint::platform::software_renderer::{MinimalSoftwareWindow, RepaintBufferType};
use slint::platform::{Key, PointerEventButton, WindowAdapter, WindowEvent};
use slint::{LogicalPosition, SharedString};
use stm32f4xx_hal::watchdog::IndependentWatchdog;
use wuzi::app::App;
use wuzi::controller::{Action, Dialog, Page};
use wuzi::services::{Mind, Task, Thought};
use wuzi_drivers::alive::Alive;
use wuzi_drivers::keys::{self, Keys};
use wuzi_drivers::touch::{Gesture, Position, TouchEvent, TouchPanel};
use wuzi_engine::Player;
use wuzi_screen::Screen;

use crate::chance::Chance;
use crate::figures::{WUZI_FIGURES, measure};
use crate::key_pins::KeyPins;
use crate::plate::PlateView;
use crate::storage::Keeper;
use crate::thinking::{Desk, limits};
use crate::touchscreen::TouchScreen;
use crate::{calibrate, clock, memory};

/// How often touch panel and keys are read, in milliseconds.
const PERIOD_MS: u64 = 10;
/// How often the use of memory is logged, in milliseconds.
const REPORT_MS: u64 = 60_000;

/// The computer player and the board that it plays on.
pub struct Program {
    /// The computer player.
    pub player: Player,
    /// Its random numbers.
    pub chance: Chance,
    /// Everything that the person deals with.
    pub host: Host,
}

impl Program {
    /// Lets the computer player think if it is its turn, outside of every callback of the interface.
    /// Meanwhile its stop callback serves the host.
    pub fn think(&mut self) {
        let Self { player, chance, host } = self;
        let Some(Task { ticket, game, mind, time, .. }) = host.desk.take() else { return };
        // Other programs cannot be run here, and nothing offers them.
        let Mind::Level(level) = mind else { return };
        let begun = clock::now();
        let mut stop = || {
            host.serve();
            !host.desk.wants(ticket)
        };
        let think = || player.choose(&game, level, Some(limits(level, time)), chance, &mut stop);
        let choice = measure(&WUZI_FIGURES.thought, think);
        if let Some(choice) = &choice {
            let (took, nodes, depth) = (clock::now() - begun, choice.nodes, choice.depth);
            WUZI_FIGURES.positions.store(nodes as u32, Ordering::Relaxed);
            log::info!("{level:?} thought {took} ms: {nodes} positions, depth {depth}");
        }
        if host.desk.wants(ticket) {
            host.app.act(Action::Thought(Thought { ticket, choice: Ok(choice) }));
        }
    }
}

/// The interface and all the parts of the board that belong to it.
pub struct Host {
    /// The interface and the controller behind it.
    pub app: Rc<App>,
    /// The board in it.
    pub plate: PlateView,
    /// What the interface is drawn with.
    pub window: Rc<MinimalSoftwareWindow>,
    /// The LCD.
    pub screen: Screen,
    /// The touch panel.
    pub touch: TouchScreen,
    /// The finger on it.
    pub gesture: Gesture,
    /// The four keys.
    pub key_pins: KeyPins,
    /// What they are pressed for.
    pub keys: Keys,
    /// The EEPROM.
    pub keeper: Keeper,
    /// What the computer player is to think about.
    pub desk: Desk,
    /// The proof for the watchdog.
    pub alive: Alive,
    /// The watchdog.
    pub watchdog: IndependentWatchdog,
    /// When touch panel and keys are read next.
    pub next: u64,
    /// When the use of memory is logged next.
    pub report: u64,
}

impl Host {
    /// Runs timers, draws what changed, then keeps what was played.
    pub fn show(&mut self) {
        slint::platform::update_timers_and_animations();
        self.plate.show(&self.app);
        self.window.draw_if_needed(|renderer| measure(&WUZI_FIGURES.draw, || self.screen.draw(renderer)));
        self.alive.screen_served();
        if self.keeper.flush() {
            // Asks to keep everything once more, and hears that it failed.
            self.app.act(Action::Suspend);
        }
        if clock::now() >= self.report {
            self.report += REPORT_MS;
            log::info!("{}", memory::usage());
        }
    }

    /// Reads touch panel and keys when it is time, and hands on what they say.
    pub fn listen(&mut self) {
        if clock::now() < self.next {
            return;
        }
        self.next = clock::now() + PERIOD_MS;
        let report = self.touch.read();
        for event in self.gesture.update(report) {
            measure(&WUZI_FIGURES.touch, || self.touched(event));
        }
        self.alive.touch_read();
        if let Some(action) = self.keys.update(self.key_pins.levels()) {
            self.pressed(action);
        }
        self.calibrate_if_touched();
    }

    /// Feeds the watchdog if the screen was served and the panel was read since the last time.
    pub fn prove_alive(&mut self) {
        if self.alive.proven() {
            self.watchdog.feed();
        }
    }

    /// Sleeps until panel and keys, or a timer of the interface, are due.
    pub fn sleep(&self) {
        if self.desk.is_waiting() {
            return;
        }
        let timer = slint::platform::duration_until_next_timer_update().unwrap_or(Duration::MAX);
        let now = clock::now();
        let wake = self.next.min(now.saturating_add(u64::try_from(timer.as_millis()).unwrap_or(u64::MAX)));
        while clock::now() < wake {
            asm::wfi();
        }
    }

    /// A round of the main loop while the computer player thinks.
    fn serve(&mut self) {
        if clock::now() >= self.next {
            self.show();
            self.listen();
            self.prove_alive();
        }
    }

    fn dispatch(&self, event: WindowEvent) {
        if let Err(error) = self.window.window().dispatch_event_with_result(event) {
            log::error!("interface: {error}");
        }
    }

    fn touched(&self, event: TouchEvent) {
        let place = |Position { x, y }: Position| LogicalPosition::new(f32::from(x), f32::from(y));
        let button = PointerEventButton::Left;
        self.dispatch(match event {
            TouchEvent::Pressed(at) => WindowEvent::PointerPressed { position: place(at), button },
            TouchEvent::Moved(at) => WindowEvent::PointerMoved { position: place(at) },
            TouchEvent::Released(at) => WindowEvent::PointerReleased { position: place(at), button },
            TouchEvent::Exited => WindowEvent::PointerExited,
        });
    }

    fn pressed(&self, action: keys::Action) {
        let (page, dialog) = self.app.with_controller(|controller| (controller.page(), controller.dialog()));
        // On the board arrows move the cursor, elsewhere they go from button to button.
        let on_board = page == Page::Game && dialog.is_none();
        match action {
            keys::Action::Undo => self.app.act(Action::Undo),
            keys::Action::Help => self.app.act(Action::Help),
            keys::Action::Pause if page == Page::Game && dialog.is_none() => self.app.act(Action::Pause),
            keys::Action::Pause if page == Page::Menu && dialog.is_none() => {}
            keys::Action::Pause if dialog == Some(Dialog::GameOver) => {}
            keys::Action::Pause => self.app.act(Action::Back),
            keys::Action::Confirm => self.typed(Key::Return),
            keys::Action::Left => self.typed(if on_board { Key::LeftArrow } else { Key::Backtab }),
            keys::Action::Right => self.typed(if on_board { Key::RightArrow } else { Key::Tab }),
            keys::Action::Down => self.typed(if on_board { Key::DownArrow } else { Key::Tab }),
        }
    }

    fn typed(&self, key: Key) {
        let text = SharedString::from(char::from(key));
        self.dispatch(WindowEvent::KeyPressed { text: text.clone() });
        self.dispatch(WindowEvent::KeyReleased { text });
    }

    /// A resistive panel that was never calibrated asks for it when it is touched.
    fn calibrate_if_touched(&mut self) {
        let Some(panel) = self.touch.resistive() else { return };
        if panel.calibration.is_some() || !panel.is_pressed() {
            return;
        }
        let attend = || {
            self.watchdog.feed();
            !self.key_pins.levels().any()
        };
        match calibrate::run(&mut self.screen.canvas(), panel, attend) {
            Some(readings) => self.keeper.save_calibration(readings),
            None => log::info!("calibration: left by a key"),
        }
        self.redraw_all();
    }

    /// Draws everything anew, after something else was drawn.
    fn redraw_all(&self) {
        self.window.draw_if_needed(|renderer| {
            // A change of the type makes the renderer forget what it has drawn.
            renderer.set_repaint_buffer_type(RepaintBufferType::NewBuffer);
            renderer.set_repaint_buffer_type(RepaintBufferType::ReusedBuffer);
        });
        self.window.request_redraw();
    }
}
