// SPDX-License-Identifier: GPL-3.0-only
//! Fingers and keys.

use std::rc::Rc;

use android_activity::input::{
    Axis, InputEvent, KeyAction, KeyEvent, Keycode, MotionAction, MotionEvent, Pointer,
};
use android_activity::{AndroidApp, InputStatus};
use slint::platform::{PointerEventButton, WindowAdapter, WindowEvent, WindowEventDispatchResult};
use slint::{LogicalPosition, PhysicalPosition};
use wuzi_app::app::App;
use wuzi_app::controller::Action;

use super::keys;
use super::window::Window;

/// Logical pixels that one notch of a mouse wheel scrolls.
const NOTCH: f32 = 60.0;

/// Turns the activity's events into Slint's.
pub(super) struct Input {
    android: AndroidApp,
    app: Rc<App>,
    window: Rc<Window>,
    /// The finger that is followed; all others are ignored until it is lifted.
    finger: Option<i32>,
}

impl Input {
    pub(super) const fn new(android: AndroidApp, app: Rc<App>, window: Rc<Window>) -> Self {
        Self { android, app, window, finger: None }
    }

    /// Handles everything that waits.
    pub(super) fn drain(&mut self) {
        let android = self.android.clone();
        match android.input_events_iter() {
            Ok(mut events) => while events.next(|event| self.handle(event)) {},
            Err(error) => log::error!("input cannot be read: {error}"),
        }
    }

    fn handle(&mut self, event: &InputEvent) -> InputStatus {
        let handled = match event {
            InputEvent::MotionEvent(motion) => self.motion(motion),
            InputEvent::KeyEvent(key) => self.key(key),
            _ => false,
        };
        if handled { InputStatus::Handled } else { InputStatus::Unhandled }
    }

    fn motion(&mut self, motion: &MotionEvent) -> bool {
        if !motion.source().is_pointer_class() {
            return false;
        }
        let acting = || motion.pointers().nth(motion.pointer_index());
        match motion.action() {
            MotionAction::Down => {
                self.lift();
                if let Some(pointer) = acting() {
                    self.finger = Some(pointer.pointer_id());
                    let position = self.position(&pointer);
                    self.dispatch(WindowEvent::PointerPressed { position, button: PointerEventButton::Left });
                }
            }
            MotionAction::Move => {
                if let Some(pointer) = motion.pointers().find(|p| Some(p.pointer_id()) == self.finger) {
                    let position = self.position(&pointer);
                    self.dispatch(WindowEvent::PointerMoved { position });
                }
            }
            MotionAction::Up | MotionAction::PointerUp => {
                if let Some(pointer) = acting().filter(|p| Some(p.pointer_id()) == self.finger) {
                    let position = self.position(&pointer);
                    self.finger = None;
                    self.dispatch(WindowEvent::PointerReleased {
                        position,
                        button: PointerEventButton::Left,
                    });
                    self.dispatch(WindowEvent::PointerExited);
                }
            }
            MotionAction::Cancel => self.lift(),
            MotionAction::HoverMove => {
                if let Some(pointer) = acting() {
                    let position = self.position(&pointer);
                    self.dispatch(WindowEvent::PointerMoved { position });
                }
            }
            MotionAction::HoverExit => {
                self.dispatch(WindowEvent::PointerExited);
            }
            MotionAction::Scroll => {
                if let Some(pointer) = acting() {
                    let position = self.position(&pointer);
                    let delta_x = NOTCH * pointer.axis_value(Axis::Hscroll);
                    let delta_y = NOTCH * pointer.axis_value(Axis::Vscroll);
                    self.dispatch(WindowEvent::PointerScrolled { position, delta_x, delta_y });
                }
            }
            _ => return false,
        }
        true
    }

    /// What was pressed is not clicked.
    fn lift(&mut self) {
        if self.finger.take().is_some() {
            self.dispatch(WindowEvent::PointerExited);
        }
    }

    fn position(&self, pointer: &Pointer) -> LogicalPosition {
        let position = PhysicalPosition::new(pointer.x() as i32, pointer.y() as i32);
        position.to_logical(self.window.window().scale_factor())
    }

    fn key(&self, key: &KeyEvent) -> bool {
        if key.key_code() == Keycode::Back {
            if key.action() == KeyAction::Up {
                self.app.act(Action::Back);
            }
            return true;
        }
        let Some(text) = keys::text(&self.android, key) else { return false };
        match key.action() {
            KeyAction::Down if key.repeat_count() > 0 => {
                self.dispatch(WindowEvent::KeyPressRepeated { text })
            }
            KeyAction::Down => self.dispatch(WindowEvent::KeyPressed { text }),
            KeyAction::Up => self.dispatch(WindowEvent::KeyReleased { text }),
            // Text of an input method, which a NativeActivity is not given.
            _ => false,
        }
    }

    fn dispatch(&self, event: WindowEvent) -> bool {
        match self.window.window().dispatch_event_with_result(event) {
            Ok(result) => result == WindowEventDispatchResult::Accepted,
            Err(error) => {
                log::warn!("an event was lost: {error}");
                false
            }
        }
    }
}
