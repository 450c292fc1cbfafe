// SPDX-License-Identifier: GPL-3.0-only
//! The LCD on the FSMC: bus, start, and the drawing of what changed line by line.
//!
//! While a line is rendered into one buffer, DMA sends the line before from the other.

#![no_std]

mod canvas;

use core::fmt;
use core::ops::Range;

use embedded_hal::delay::DelayNs;
use slint::platform::software_renderer::{LineBufferProvider, SoftwareRenderer};
use stm32f4xx_hal::fsmc_lcd::{AccessMode, FsmcLcd, Pins, Timing};
use stm32f4xx_hal::pac::{DMA2, FSMC};
use stm32f4xx_hal::rcc::{Enable, Rcc};
use wuzi_drivers::lcd::{Controller, LcdBus, UnknownController, identify};
use wuzi_drivers::touch::{HEIGHT, WIDTH};
use wuzi_plate::PlatePixel;

pub use crate::canvas::Canvas;

/// Any address of sub-bank 4 with A6 (bit 7 of the 16-bit bus's address) low, and one with it high.
const COMMAND: *mut u16 = 0x6C00_007E as *mut u16;
const DATA: *mut u16 = 0x6C00_0080 as *mut u16;

/// The bus, once [`connect`] has set it up. Without a value, so that the fault screen has it too.
#[derive(Clone, Copy, Debug)]
pub struct FsmcBus(());

impl FsmcBus {
    /// The bus for the last message.
    ///
    /// # Safety
    /// Nobody else may use it any more, and [`connect`] must have been called.
    pub const unsafe fn steal() -> Self {
        Self(())
    }
}

impl LcdBus for FsmcBus {
    fn command(&mut self, command: u16) {
        // SAFETY: the FSMC maps the address to the LCD.
        unsafe { COMMAND.write_volatile(command) };
    }

    fn data(&mut self, data: u16) {
        // SAFETY: as above.
        unsafe { DATA.write_volatile(data) };
    }

    fn read(&mut self) -> u16 {
        // SAFETY: as above.
        unsafe { DATA.read_volatile() }
    }
}

/// Sets the bus up, slow enough for every controller.
pub fn connect<P: Pins<u16>>(fsmc: FSMC, pins: P, rcc: &mut Rcc) -> FsmcBus {
    let timing = Timing::default().access_mode(AccessMode::ModeA).bus_turnaround(0);
    let read = timing.clone().address_setup(15).data(60);
    let write = timing.address_setup(9).data(8);
    FsmcLcd::new(fsmc, pins, &read, &write, rcc);
    FsmcBus(())
}

/// Speeds writes up once the controller is known to stand it.
fn quicken(controller: Controller) {
    if controller == Controller::Nt35510 {
        // SAFETY: a single register of the FSMC, which nobody else owns after `connect`.
        let fsmc = unsafe { &*FSMC::ptr() };
        // SAFETY: both values are within their fields.
        fsmc.bwtr4().modify(|_, w| unsafe { w.addset().bits(3).datast().bits(2) });
    }
}

/// A line of pixels; in SRAM, the CCM is out of the reach of DMA.
pub type Line = [PlatePixel; WIDTH as usize];

/// The screen.
pub struct Screen {
    bus: FsmcBus,
    controller: Controller,
    dma: Dma,
    buffers: [&'static mut Line; 2],
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Screen").field("controller", &self.controller).finish_non_exhaustive()
    }
}

impl Screen {
    /// Identifies and starts the panel; it is dark until something is drawn and the backlight is on.
    ///
    /// # Errors
    /// If the controller is not known.
    pub fn start(
        mut bus: FsmcBus,
        dma: DMA2,
        buffers: [&'static mut Line; 2],
        rcc: &mut Rcc,
        delay: &mut impl DelayNs,
    ) -> Result<Self, (UnknownController, FsmcBus, DMA2, [&'static mut Line; 2])> {
        let controller = match identify(&mut bus) {
            Ok(controller) => controller,
            Err(unknown) => return Err((unknown, bus, dma, buffers)),
        };
        controller.start(&mut bus, delay);
        quicken(controller);
        DMA2::enable(rcc);
        Ok(Self { bus, controller, dma: Dma(dma), buffers })
    }

    /// Which controller it has.
    pub const fn controller(&self) -> Controller {
        self.controller
    }

    /// Draws what changed.
    pub fn draw(&mut self, renderer: &SoftwareRenderer) {
        let [front, back] = &mut self.buffers;
        renderer.render_by_line(Lines {
            bus: self.bus,
            controller: self.controller,
            dma: &mut self.dma,
            front,
            back,
            next: None,
        });
        self.dma.wait();
    }

    /// For drawing without the renderer.
    pub const fn canvas(&self) -> Canvas {
        Canvas::new(self.bus, self.controller)
    }
}

struct Lines<'a> {
    bus: FsmcBus,
    controller: Controller,
    dma: &'a mut Dma,
    front: &'a mut Line,
    back: &'a mut Line,
    /// The line and the columns that the open window takes next.
    next: Option<(usize, Range<usize>)>,
}

impl LineBufferProvider for Lines<'_> {
    type TargetPixel = PlatePixel;

    fn process_line(&mut self, line: usize, range: Range<usize>, render: impl FnOnce(&mut [PlatePixel])) {
        let Some(pixels) = self.front.get_mut(range.clone()) else { return };
        wuzi_plate::begin_line(line, range.start, pixels);
        render(pixels);
        self.dma.wait();
        if self.next != Some((line, range.clone())) {
            let columns = range.start as u16..range.end as u16;
            self.controller.window(&mut self.bus, columns, line as u16..HEIGHT);
        }
        self.next = Some((line + 1, range));
        self.dma.send(pixels);
        core::mem::swap(&mut self.front, &mut self.back);
    }
}

/// Stream 0 of DMA2, from memory to the LCD's data address.
struct Dma(DMA2);

impl Dma {
    /// Begins to send; the pixels must stay as they are until [`Dma::wait`] returns.
    fn send(&mut self, pixels: &[PlatePixel]) {
        let stream = self.0.st(0);
        self.0.lifcr().write(|w| {
            w.ctcif0().set_bit().chtif0().set_bit().cteif0().set_bit().cdmeif0().set_bit().cfeif0().set_bit()
        });
        // From memory to memory the "peripheral" is the source.
        // SAFETY: the source is a line in SRAM, which the caller leaves alone meanwhile; the
        // destination is the LCD, which any value suits.
        unsafe {
            stream.par().write(|w| w.bits(pixels.as_ptr() as u32));
            stream.m0ar().write(|w| w.bits(DATA as u32));
            stream.ndtr().write(|w| w.bits(pixels.len() as u32));
            stream.fcr().write(|w| w.dmdis().disabled().fth().full());
        }
        // The pixels must have reached the memory.
        cortex_m::asm::dmb();
        stream.cr().write(|w| {
            w.dir().memory_to_memory().pinc().incremented().minc().fixed();
            w.psize().bits16().msize().bits16().pl().high().en().enabled()
        });
    }

    /// Waits until everything was sent. A stream that does not end is the watchdog's business.
    fn wait(&mut self) {
        while self.0.st(0).cr().read().en().is_enabled() {}
        cortex_m::asm::dmb();
    }
}
