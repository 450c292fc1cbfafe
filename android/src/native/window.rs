// SPDX-License-Identifier: GPL-3.0-only
//! Slint's window: as large as the activity's, drawn by the processor.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::time::Duration;

use android_activity::{AndroidApp, ConfigurationRef, MainEvent};
use i_slint_core::InternalToken;
use i_slint_core::lengths::PhysicalEdges;
use i_slint_core::window::{InputMethodRequest, WindowAdapterInternal, WindowInner};
use slint::platform::software_renderer::{RepaintBufferType, SoftwareRenderer};
use slint::platform::{Renderer, WindowAdapter, WindowEvent};
use slint::{LogicalSize, PhysicalSize, Timer, TimerMode, WindowSize};

use super::insets::Insets;
use super::surface::Surface;

/// The density in dots per inch at which a logical pixel is a physical one.
const BASE_DENSITY: f32 = 160.0;

/// Values outside of what any screen has (`DENSITY_ANY`, `DENSITY_NONE`).
const NO_DENSITY: u32 = 0xFFF0;

/// How often the on-screen keyboard is looked for: it comes, goes and grows without an event.
const KEYBOARD: Duration = Duration::from_millis(400);

/// The window and the surface that shows it.
pub(super) struct Window {
    android: AndroidApp,
    insets: Insets,
    window: slint::Window,
    renderer: SoftwareRenderer,
    size: Cell<PhysicalSize>,
    needs_redraw: Cell<bool>,
    surface: RefCell<Surface>,
    /// Asks what the on-screen keyboard covers.
    keyboard: Timer,
    started: Cell<bool>,
    has_surface: Cell<bool>,
}

impl Window {
    pub(super) fn new(android: AndroidApp, insets: Insets) -> Rc<Self> {
        Rc::new_cyclic(|this: &Weak<Self>| Self {
            android,
            insets,
            window: slint::Window::new(this.clone()),
            renderer: SoftwareRenderer::new_with_repaint_buffer_type(RepaintBufferType::ReusedBuffer),
            size: Cell::default(),
            needs_redraw: Cell::new(false),
            surface: RefCell::default(),
            keyboard: Timer::default(),
            started: Cell::new(false),
            has_surface: Cell::new(false),
        })
    }

    /// Whether anything can be seen of it. It may be paused all the same, beside another window.
    pub(super) fn is_shown(&self) -> bool {
        self.started.get() && self.has_surface.get()
    }

    pub(super) fn handle(&self, event: &MainEvent) {
        match event {
            MainEvent::Start => self.started.set(true),
            MainEvent::Stop => self.started.set(false),
            MainEvent::InitWindow { .. } => {
                self.has_surface.set(true);
                self.show_anew();
            }
            MainEvent::TerminateWindow { .. } => self.has_surface.set(false),
            MainEvent::WindowResized { .. }
            | MainEvent::RedrawNeeded { .. }
            | MainEvent::ContentRectChanged { .. }
            | MainEvent::ConfigChanged { .. } => self.show_anew(),
            _ => {}
        }
    }

    fn show_anew(&self) {
        self.insets.ask();
        self.fit();
        self.surface.borrow_mut().expose();
        self.needs_redraw.set(true);
    }

    /// Takes the insets that have come in the meantime.
    pub(super) fn take_insets(&self) {
        if self.insets.has_changed() {
            self.fit();
        }
    }

    /// Takes the activity's size, density and safe area. Where nothing has changed, nothing happens.
    fn fit(&self) {
        let scale_factor = scale_factor(&self.android.config());
        if self.window.scale_factor() != scale_factor {
            self.window.dispatch_event(WindowEvent::ScaleFactorChanged { scale_factor });
            self.resize(self.size.get());
        }
        if let Some(native) = self.android.native_window() {
            let size = PhysicalSize::new(native.width().max(0) as u32, native.height().max(0) as u32);
            if size != self.size.get() && size.width > 0 && size.height > 0 {
                self.resize(size);
            }
        }
        let inset = self.safe_area_inset().to_logical(scale_factor);
        WindowInner::from_pub(&self.window).set_window_item_safe_area(inset);
    }

    fn look_for_keyboard(&self, mode: TimerMode) {
        let insets = self.insets.clone();
        self.keyboard.start(mode, KEYBOARD, move || insets.ask());
    }

    fn resize(&self, size: PhysicalSize) {
        self.size.set(size);
        let logical = |length| logical(length, self.window.scale_factor());
        let size = LogicalSize::new(logical(size.width), logical(size.height));
        self.window.dispatch_event(WindowEvent::Resized { size });
    }

    /// Draws what has changed and shows it.
    pub(super) fn draw(&self) {
        let Some(native) = self.android.native_window() else { return };
        if !self.needs_redraw.replace(false) {
            return;
        }
        if let Err(error) = self.surface.borrow_mut().show(&native, self.size.get(), &self.renderer) {
            // The system is about to take the surface away; the next one shows everything.
            log::warn!("a frame was not shown: {error}");
        }
    }
}

/// Physical pixels per logical pixel.
fn scale_factor(configuration: &ConfigurationRef) -> f32 {
    match configuration.density() {
        Some(density) if (1..NO_DENSITY).contains(&density) => density as f32 / BASE_DENSITY,
        _ => 1.0,
    }
}

/// The length in logical pixels that is not a hair less than the physical one when it is scaled again:
/// the renderer rounds down and would leave the last row out.
fn logical(length: u32, scale_factor: f32) -> f32 {
    let mut logical = length as f32 / scale_factor;
    while logical * scale_factor < length as f32 {
        logical = logical.next_up();
    }
    logical
}

impl WindowAdapter for Window {
    fn window(&self) -> &slint::Window {
        &self.window
    }

    fn size(&self) -> PhysicalSize {
        self.size.get()
    }

    /// The system alone decides on the size.
    fn set_size(&self, _size: WindowSize) {}

    fn request_redraw(&self) {
        self.needs_redraw.set(true);
    }

    fn renderer(&self) -> &dyn Renderer {
        &self.renderer
    }

    fn internal(&self, _: InternalToken) -> Option<&dyn WindowAdapterInternal> {
        Some(self)
    }
}

impl WindowAdapterInternal for Window {
    fn input_method_request(&self, request: InputMethodRequest) {
        match request {
            InputMethodRequest::Enable(_) => {
                self.android.show_soft_input(true);
                self.look_for_keyboard(TimerMode::Repeated);
            }
            InputMethodRequest::Disable => {
                self.android.hide_soft_input(false);
                self.look_for_keyboard(TimerMode::SingleShot);
            }
            _ => {}
        }
    }

    fn safe_area_inset(&self) -> PhysicalEdges {
        self.insets.edges(self.size.get())
    }
}
