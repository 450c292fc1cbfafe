// SPDX-License-Identifier: GPL-2.0-only
//! Everything on the board but the core's instructions: registers, wires, chips, and the time.

use std::mem;

use crate::bus::{self, BusKind, Place};
use crate::chip::eeprom::Eeprom;
use crate::chip::i2c_wire::I2cWire;
use crate::chip::lcd::{Lcd, LcdKind};
use crate::chip::touch::{Pins, Touch, TouchKind};
use crate::core::nvic::Masks;
use crate::core::scs::Scs;
use crate::cycles::{Block, CycleModel};
use crate::event::{EventKind, Log, Now, ResetCause};
use crate::peripheral::dma::{self, Dma};
use crate::peripheral::exti::Exti;
use crate::peripheral::flash::Flash;
use crate::peripheral::fsmc::Fsmc;
use crate::peripheral::gpio::{Drive, Mode, Port};
use crate::peripheral::i2c::I2c;
use crate::peripheral::iwdg::Iwdg;
use crate::peripheral::pwr::Pwr;
use crate::peripheral::rcc::{Clocks, Rcc};
use crate::peripheral::rng::Rng;
use crate::peripheral::timer::Timer;
use crate::peripheral::usart::Usart;
use crate::peripheral::{Context, Refused};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;
const E: usize = 4;
const F: usize = 5;
const G: usize = 6;

/// The pins of the LCD's bus, all with alternate function 12.
const LCD_PINS: [(usize, u8); 20] = [
    (D, 0),
    (D, 1),
    (D, 4),
    (D, 5),
    (D, 8),
    (D, 9),
    (D, 10),
    (D, 14),
    (D, 15),
    (E, 7),
    (E, 8),
    (E, 9),
    (E, 10),
    (E, 11),
    (E, 12),
    (E, 13),
    (E, 14),
    (E, 15),
    (F, 12),
    (G, 12),
];

/// A key of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// KEY0 on PE4.
    Key0,
    /// KEY1 on PE3.
    Key1,
    /// KEY2 on PE2.
    Key2,
    /// WK_UP on PA0, which is high while pressed.
    WkUp,
}

/// An access that is not modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// When.
    pub at: Now,
    /// The instruction, or the first of its block if the board does not stop at reports.
    pub pc: u32,
    /// The address.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// The value, if it was written.
    pub written: Option<u32>,
    /// Why it is not served.
    pub reason: String,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.written {
            Some(value) => write!(f, "write of {value:#x} to {:#010x}", self.address)?,
            None => write!(f, "read of {:#010x}", self.address)?,
        }
        write!(
            f,
            " ({}, {} bytes) at PC {:#010x}: {}",
            bus::name(self.address),
            self.size,
            self.pc,
            self.reason
        )
    }
}

/// Memory as DMA sees it.
pub trait GuestMemory {
    /// Reads bytes; false if there is no memory.
    fn read(&self, address: u32, bytes: &mut [u8]) -> bool;
    /// Writes bytes; false if there is no memory.
    fn write(&mut self, address: u32, bytes: &[u8]) -> bool;
}

/// The whole board but the core.
#[derive(Debug)]
pub struct Board {
    /// Core cycles since power-on.
    pub cycles: u64,
    /// The core stops before the first block that starts at or after this cycle.
    pub stop_at: u64,
    /// Something needs the run loop.
    pub attention: bool,
    /// An enabled interrupt is pending, but held back by a mask.
    pub irq_waiting: bool,
    /// Cost of a core cycle and of an instruction, in 1/256 cycles.
    pub cost: (u64, u64),
    cost_rest: u64,
    /// Blocks of the flash memory by halfword.
    pub blocks: Vec<Block>,
    /// Contents of the flash memory.
    pub flash_bytes: Vec<u8>,
    /// A block with floating-point instructions was met while the unit was off: offset of the first.
    pub float_fault: Option<u32>,
    /// First address of the block under way.
    pub block_pc: u32,
    /// Instructions executed.
    pub instructions: u64,
    base: Now,
    clocks: Clocks,
    model: CycleModel,
    /// The diary.
    pub log: Log,
    /// System control space.
    pub scs: Scs,
    /// Reset and clocks.
    pub rcc: Rcc,
    flash: Flash,
    pwr: Pwr,
    ports: [Port; 9],
    exti: Exti,
    fsmc: Fsmc,
    dma: [Dma; 2],
    timers: [Timer; 6],
    /// Random numbers.
    pub rng: Rng,
    /// Watchdog.
    pub iwdg: Iwdg,
    /// Serial line.
    pub usart: Usart,
    i2c: I2c,
    /// The display module.
    pub lcd: Lcd,
    /// The touch panel.
    pub touch: Touch,
    /// The settings memory.
    pub eeprom: Eeprom,
    /// The wire to it while the pins are moved by hand.
    pub eeprom_wire: I2cWire,
    lcd_kind: LcdKind,
    touch_kind: TouchKind,
    lcd_wired: bool,
    lamps: [bool; 2],
    buzzer: bool,
    backlight: bool,
    uart: String,
    uart_bytes: Vec<u8>,
    uart_line_start: usize,
    external: Option<Vec<u8>>,
    unique_id: [u8; 12],
    /// The board stops at the first report.
    pub strict: bool,
    /// Accesses that were refused.
    pub reports: Vec<Report>,
    wake_event: bool,
}

impl Board {
    /// The board when power comes.
    #[must_use]
    pub fn new(flash_bytes: Vec<u8>, config: &crate::machine::Config) -> Self {
        let rcc = Rcc::new(ResetCause::PowerOn, None, false, 0);
        let clocks = rcc.clocks(0);
        let mut board = Self {
            cycles: 0,
            stop_at: 0,
            attention: false,
            irq_waiting: false,
            cost: (256, 0),
            cost_rest: 0,
            blocks: vec![Block::default(); flash_bytes.len() / 2],
            flash_bytes,
            float_fault: None,
            block_pc: 0,
            instructions: 0,
            base: Now::default(),
            clocks,
            model: config.cycles,
            log: Log::default(),
            scs: Scs::new(),
            rcc,
            flash: Flash::default(),
            pwr: Pwr::default(),
            ports: std::array::from_fn(|index| Port::new(index, None)),
            exti: Exti::default(),
            fsmc: Fsmc::default(),
            dma: [Dma::new(false), Dma::new(true)],
            timers: std::array::from_fn(|index| Timer::new(index as u8 + 2)),
            rng: Rng::new(None, config.seed),
            iwdg: Iwdg::default(),
            usart: Usart::default(),
            i2c: I2c::default(),
            lcd: Lcd::new(config.lcd),
            touch: Touch::new(&config.touch, 0),
            eeprom: Eeprom::new(config.eeprom.clone()),
            eeprom_wire: I2cWire::default(),
            lcd_kind: config.lcd,
            touch_kind: config.touch.clone(),
            lcd_wired: false,
            lamps: [false; 2],
            buzzer: false,
            backlight: false,
            uart: String::new(),
            uart_bytes: Vec::new(),
            uart_line_start: 0,
            external: config.external_ram.then(|| vec![0; bus::EXTERNAL_SIZE as usize]),
            unique_id: config.unique_id,
            strict: config.strict,
            reports: Vec::new(),
            wake_event: false,
        };
        board.price();
        board.wire_outside();
        board.log.push(Now::default(), EventKind::Reset(ResetCause::PowerOn));
        board
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Now {
        let (passed, hclk) = (self.cycles - self.base.cycles, self.clocks.hclk);
        let ns = passed / hclk * 1_000_000_000 + passed % hclk * 1_000_000_000 / hclk;
        Now { ns: self.base.ns + ns, cycles: self.cycles }
    }

    /// The first core cycle at or after a time.
    #[must_use]
    pub fn cycle_at(&self, ns: u64) -> u64 {
        let (ahead, hclk) = (ns.saturating_sub(self.base.ns), self.clocks.hclk);
        let (seconds, rest) = (ahead / 1_000_000_000, ahead % 1_000_000_000);
        let cycles = seconds.saturating_mul(hclk).saturating_add((rest * hclk).div_ceil(1_000_000_000));
        self.base.cycles.saturating_add(cycles)
    }

    /// The clocks.
    #[must_use]
    pub fn clocks(&self) -> Clocks {
        self.clocks
    }

    /// Works out what instructions cost.
    fn price(&mut self) {
        let stall = if self.flash.accelerated() { self.model.art_stall } else { self.model.flash_stall };
        let wait = f64::from(self.flash.latency()) * stall;
        self.cost = ((self.model.factor * 256.0) as u64, (wait * 256.0) as u64);
    }

    /// Charges a block of instructions.
    pub fn charge(&mut self, block: Block, from_flash: bool) {
        let wait = if from_flash { self.cost.1 } else { 0 };
        self.cost_rest += u64::from(block.cycles) * self.cost.0 + u64::from(block.instructions) * wait;
        self.cycles += self.cost_rest >> 8;
        self.cost_rest &= 255;
        self.instructions += u64::from(block.instructions);
    }

    /// The clocks changed: what follows counts from here.
    fn rebase(&mut self) {
        let now = self.now();
        let clocks = self.rcc.clocks(now.ns);
        if clocks == self.clocks {
            return;
        }
        self.sync_counters();
        self.base = now;
        self.clocks = clocks;
        self.attention = true;
        let mut context = Context { now, clocks, log: &mut self.log };
        self.flash.check(&mut context);
        if clocks.hclk > 144_000_000 && !self.pwr.scale1() {
            self.log.warn(now, "PWR: the regulator's scale is too low for this clock");
        }
        self.sync_counters();
    }

    fn sync_counters(&mut self) {
        for timer in &mut self.timers {
            timer.sync(self.cycles, self.clocks.timer1_div);
        }
        self.scs.tick(self.cycles);
    }

    fn apb1(&self) -> u64 {
        self.clocks.hclk / self.clocks.pclk1.max(1)
    }

    fn apb2(&self) -> u64 {
        self.clocks.hclk / self.clocks.pclk2.max(1)
    }

    // ----- reset and power -----

    /// Starts over. What is outside of the chip keeps its state, unless power came back.
    pub fn reset(&mut self, cause: ResetCause) {
        let now = self.now();
        if cause != ResetCause::PowerOn && self.i2c.receiving() {
            // The memory was about to send a byte, and holds SDA until it has been clocked out.
            self.eeprom_wire.stick(9);
        }
        self.rcc = Rcc::new(cause, Some(&self.rcc), false, now.ns);
        self.scs = Scs::new();
        self.flash = Flash::default();
        self.pwr = Pwr::default();
        let ports = mem::replace(&mut self.ports, std::array::from_fn(|index| Port::new(index, None)));
        self.ports = std::array::from_fn(|index| Port::new(index, Some(&ports[index])));
        self.exti = Exti::default();
        self.fsmc = Fsmc::default();
        self.dma = [Dma::new(false), Dma::new(true)];
        self.timers = std::array::from_fn(|index| Timer::new(index as u8 + 2));
        self.rng = Rng::new(Some(&self.rng), 0);
        self.iwdg = Iwdg::default();
        self.usart = Usart::default();
        self.i2c = I2c::default();
        if cause == ResetCause::PowerOn {
            self.lcd = Lcd::new(self.lcd_kind);
            self.touch = Touch::new(&self.touch_kind, now.ns);
            self.eeprom_wire = I2cWire::default();
        }
        self.base = now;
        self.clocks = self.rcc.clocks(now.ns);
        self.attention = true;
        self.irq_waiting = false;
        self.float_fault = None;
        self.price();
        self.uart_flush();
        self.log.push(now, EventKind::Reset(cause));
        self.wire_outside();
        for port in [B, F] {
            self.outputs_changed(port);
        }
        self.sync_touch();
        self.sync_eeprom();
    }

    /// Power goes away and comes back after `off_ns`.
    pub fn power_cut(&mut self, off_ns: u64) {
        let now = self.now();
        self.log.push(now, EventKind::PowerCut);
        let mut state = now.cycles ^ 0x5DEE_CE66;
        self.eeprom.power_cut(now.ns, || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        });
        self.base = Now { ns: now.ns + off_ns, cycles: now.cycles };
        self.reset(ResetCause::PowerOn);
    }

    /// Plugs another LCD module in; it is there from the next power-on.
    pub fn set_lcd(&mut self, kind: LcdKind) {
        self.lcd_kind = kind;
    }

    /// Plugs another touch panel in; it is there from the next power-on.
    pub fn set_touch(&mut self, kind: TouchKind) {
        self.touch_kind = kind;
    }

    // ----- wires -----

    fn wire_outside(&mut self) {
        // The EEPROM's bus has pull-up resistors on the board.
        for (port, pin, drive) in
            [(B, 8, Drive::PullUp), (B, 9, Drive::PullUp), (A, 9, Drive::Float), (A, 10, Drive::PullUp)]
        {
            self.drive(port, pin, drive);
        }
    }

    fn drive(&mut self, port: usize, pin: u8, drive: Drive) {
        let changed = self.ports[port].drive(pin, drive);
        if changed != 0 {
            self.levels_changed(port, changed);
        }
    }

    fn levels_changed(&mut self, port: usize, changed: u16) {
        if self.exti.pins_changed(port, changed, self.ports[port].levels()) {
            self.wake_event = true;
        }
        for irq in [6, 7, 8, 9, 10, 23, 40] {
            self.scs.nvic.set_line(irq, self.exti.interrupt(irq));
        }
        self.look_for_interrupts();
    }

    /// A port's register was written.
    fn port_written(&mut self, port: usize, changed: u16) {
        if changed != 0 {
            self.levels_changed(port, changed);
        }
        self.outputs_changed(port);
        match port {
            B => {
                self.sync_touch();
                self.sync_eeprom();
            }
            C | F => self.sync_touch(),
            _ => {}
        }
        if matches!(port, D | E | F | G) {
            self.lcd_wired =
                LCD_PINS.iter().all(|&(port, pin)| self.ports[port].mode(pin) == Mode::Alternate(12));
        }
        let conflicts = self.ports[port].take_conflicts();
        if conflicts != 0 {
            let name = char::from(b'A' + port as u8);
            let pins: Vec<String> =
                (0..16).filter(|pin| conflicts >> pin & 1 != 0).map(|pin| format!("P{name}{pin}")).collect();
            let now = self.now();
            self.log.warn(now, format!("{} driven from both sides", pins.join(", ")));
        }
    }

    fn outputs_changed(&mut self, port: usize) {
        let now = self.now();
        if port == F {
            for index in 0..2u8 {
                let on = self.ports[F].output(9 + index) == Some(false);
                if mem::replace(&mut self.lamps[usize::from(index)], on) != on {
                    self.log.push(now, EventKind::Lamp { index, on });
                }
            }
            let on = self.ports[F].output(8) == Some(true);
            if mem::replace(&mut self.buzzer, on) != on {
                self.log.push(now, EventKind::Buzzer(on));
            }
        }
        if port == B {
            let on = self.ports[B].output(15) == Some(true);
            if mem::replace(&mut self.backlight, on) != on {
                self.log.push(now, EventKind::Backlight(on));
            }
        }
    }

    /// Lets the touch panel see the pins, and the pins see the panel, until nothing changes.
    fn sync_touch(&mut self) {
        let ns = self.now().ns;
        for _ in 0..4 {
            let pins = Pins {
                clock: self.ports[B].level(0),
                data: self.ports[F].level(11),
                select: self.ports[C].level(13),
                interrupt: self.ports[B].level(1),
            };
            self.touch.pins(pins, ns);
            let answer = self.touch.answer();
            let before = (self.ports[B].levels(), self.ports[F].levels());
            self.drive(F, 11, answer.data);
            self.drive(B, 2, answer.miso);
            self.drive(B, 1, answer.interrupt);
            if before == (self.ports[B].levels(), self.ports[F].levels()) {
                break;
            }
        }
        if let Some(remark) = self.touch.take_remark() {
            let now = self.now();
            self.log.warn(now, remark);
        }
    }

    /// The same for the EEPROM while its pins are moved by hand.
    fn sync_eeprom(&mut self) {
        let ns = self.now().ns;
        for _ in 0..4 {
            self.eeprom_wire.levels(self.ports[B].level(8), self.ports[B].level(9), ns, &mut self.eeprom);
            let drive = if self.eeprom_wire.pulls_sda() { Drive::Low } else { Drive::PullUp };
            let before = self.ports[B].levels();
            self.drive(B, 9, drive);
            if before == self.ports[B].levels() {
                break;
            }
        }
        self.i2c.line_low = self.eeprom_wire.pulls_sda();
        self.note_eeprom();
    }

    /// Makes the EEPROM hold SDA low until the program has clocked `pulses` times.
    pub fn stick_eeprom_bus(&mut self, pulses: u32) {
        self.eeprom_wire.stick(pulses);
        self.sync_eeprom();
    }

    /// Makes the touch controller hold SDA low until the program has clocked `pulses` times.
    pub fn stick_touch_bus(&mut self, pulses: u32) {
        self.touch.wire.stick(pulses);
        self.sync_touch();
    }

    fn note_eeprom(&mut self) {
        if let Some((address, count)) = self.eeprom.take_started() {
            let now = self.now();
            self.log.push(now, EventKind::EepromWrite { address, count });
        }
    }

    /// Presses or releases a key.
    pub fn key(&mut self, key: Key, pressed: bool) {
        let (port, pin, active) = match key {
            Key::Key0 => (E, 4, Drive::Low),
            Key::Key1 => (E, 3, Drive::Low),
            Key::Key2 => (E, 2, Drive::Low),
            Key::WkUp => (A, 0, Drive::High),
        };
        let now = self.now();
        self.log.push(now, EventKind::Input(format!("{key:?} {}", if pressed { "down" } else { "up" })));
        self.drive(port, pin, if pressed { active } else { Drive::Float });
    }

    /// Puts fingers on the panel.
    pub fn fingers(&mut self, fingers: &[(u16, u16)]) {
        self.touch.touch(fingers);
        self.sync_touch();
    }

    /// DS0 and DS1.
    #[must_use]
    pub fn lamps(&self) -> [bool; 2] {
        self.lamps
    }

    /// True while the buzzer sounds.
    #[must_use]
    pub fn buzzer(&self) -> bool {
        self.buzzer
    }

    /// True while the backlight is on.
    #[must_use]
    pub fn backlight(&self) -> bool {
        self.backlight
    }

    /// Everything that was sent on the serial line.
    #[must_use]
    pub fn uart(&self) -> &str {
        &self.uart
    }

    /// Forgets the text of the serial line and the diary, for long runs.
    pub fn forget(&mut self) {
        self.uart_flush();
        self.uart.clear();
        self.uart_line_start = 0;
        self.log.clear();
    }

    fn uart_sent(&mut self) {
        let sent = self.usart.take_sent();
        if sent.is_empty() {
            return;
        }
        let now = self.now();
        if self.ports[A].mode(9) != Mode::Alternate(7) {
            self.log.warn(now, "USART1: PA9 is not its pin (alternate function 7)");
            return;
        }
        let baud = self.usart.baud(self.clocks.pclk2);
        if !(112_900..=117_500).contains(&baud) {
            self.log.warn(now, format!("USART1: {baud} baud, more than 2 % off 115200"));
        }
        self.uart_bytes.extend(sent);
        // Whole characters only; what can never become one is shown as a replacement.
        let valid = match std::str::from_utf8(&self.uart_bytes) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => self.uart_bytes.len(),
        };
        let text = String::from_utf8_lossy(&self.uart_bytes[..valid]).into_owned();
        self.uart_bytes.drain(..valid);
        for character in text.chars() {
            self.uart.push(character);
            if character == '\n' {
                self.uart_flush();
            }
        }
    }

    fn uart_flush(&mut self) {
        let line = self.uart[self.uart_line_start..].trim_end_matches(['\r', '\n']).to_owned();
        self.uart_line_start = self.uart.len();
        if !line.is_empty() {
            let now = self.now();
            self.log.push(now, EventKind::Uart(line));
        }
    }

    // ----- time -----

    /// Lets all that is due happen. Gives the cause if the chip resets itself.
    pub fn advance(&mut self, memory: &mut dyn GuestMemory) -> Option<ResetCause> {
        let now = self.now();
        if self.iwdg.deadline().is_some_and(|deadline| now.ns >= deadline) {
            return Some(ResetCause::Watchdog);
        }
        if mem::take(&mut self.scs.reset_requested) {
            return Some(ResetCause::Software);
        }
        self.sync_counters();
        self.usart.sync(self.cycles, self.apb2());
        self.uart_sent();
        let apb1 = self.apb1();
        self.i2c.sync(now, apb1, &mut self.eeprom);
        self.note_eeprom();
        if self.touch.next_event().is_some_and(|at| at <= now.ns) {
            self.touch.advance(now.ns);
            self.sync_touch();
        }
        for index in 0..2 {
            if self.dma[index].busy() {
                self.move_items(index, memory);
            }
        }
        self.update_lines();
        None
    }

    fn move_items(&mut self, index: usize, memory: &mut dyn GuestMemory) {
        let mut controller = mem::replace(&mut self.dma[index], Dma::new(false));
        let cycles = self.cycles;
        let mut bus = DmaBus { board: self, memory };
        let errors = controller.advance(cycles, &mut bus);
        self.dma[index] = controller;
        for Refused(reason) in errors {
            self.report(0, 0, None, format!("DMA{}: {reason}", index + 1));
        }
    }

    fn update_lines(&mut self) {
        let clocks = self.clocks;
        let now = self.now();
        let context = Context { now, clocks, log: &mut self.log };
        let nvic = &mut self.scs.nvic;
        for (timer, irq) in self.timers.iter().zip([28, 29, 30, 50, 54, 55]) {
            nvic.set_line(irq, timer.interrupt());
        }
        nvic.set_line(31, self.i2c.event_interrupt());
        nvic.set_line(32, self.i2c.error_interrupt());
        nvic.set_line(37, self.usart.interrupt());
        for irq in [6, 7, 8, 9, 10, 23, 40] {
            nvic.set_line(irq, self.exti.interrupt(irq));
        }
        for (stream, irq) in [11, 12, 13, 14, 15, 16, 17, 47].into_iter().enumerate() {
            nvic.set_line(irq, self.dma[0].interrupt(stream));
        }
        for (stream, irq) in [56, 57, 58, 59, 60, 68, 69, 70].into_iter().enumerate() {
            nvic.set_line(irq, self.dma[1].interrupt(stream));
        }
        nvic.set_line(80, self.rng.interrupt(&context));
    }

    /// Lets the core look at its masks before each block if an enabled exception is pending.
    fn look_for_interrupts(&mut self) {
        self.irq_waiting = self.scs.nvic.next().is_some();
    }

    /// After an access that may have brought an event nearer or asked for an interrupt.
    fn reschedule(&mut self) {
        if let Some(next) = self.next_event() {
            self.stop_at = self.stop_at.min(next.max(self.cycles));
        }
        self.update_lines();
        self.look_for_interrupts();
    }

    /// The core cycle at which something happens next.
    #[must_use]
    pub fn next_event(&self) -> Option<u64> {
        let now = self.now();
        let timed = [self.iwdg.deadline(), self.touch.next_event(), self.rng.next_event(now.ns)];
        timed
            .into_iter()
            .flatten()
            .map(|ns| self.cycle_at(ns))
            .chain(self.timers.iter().filter_map(Timer::next_event))
            .chain(self.scs.systick.next_event())
            .chain(self.usart.next_event())
            .chain(self.i2c.next_event())
            .chain(self.dma.iter().filter_map(Dma::next_event))
            .min()
    }

    /// True if a sleeping core wakes up.
    pub fn wakes(&mut self, masks: Masks, for_event: bool) -> bool {
        self.scs.nvic.wakes(masks) || for_event && mem::take(&mut self.wake_event)
    }

    // ----- registers -----

    /// Notes an access that is not served.
    pub fn report(&mut self, address: u32, size: u32, written: Option<u32>, reason: String) {
        let (at, pc) = (self.now(), self.block_pc);
        self.reports.push(Report { at, pc, address, size, written, reason });
        self.attention = true;
    }

    /// Reads `size` bytes of a peripheral, of the LCD, or of the core's own registers.
    pub fn read(&mut self, address: u32, size: u32) -> u32 {
        self.serve_read(address, size).unwrap_or_else(|Refused(reason)| {
            self.report(address, size, None, reason);
            0
        })
    }

    /// Writes `size` bytes of a peripheral, of the LCD, or of the core's own registers.
    pub fn write(&mut self, address: u32, size: u32, value: u32) {
        if let Err(Refused(reason)) = self.serve_write(address, size, value) {
            self.report(address, size, Some(value), reason);
        }
    }

    fn pay(&mut self, bus: BusKind) {
        // An access to a slow bus waits for its clock twice: to get there, and for the answer.
        self.cycles += match bus {
            BusKind::Ahb => 1,
            BusKind::Apb1 => 2 * self.apb1(),
            BusKind::Apb2 => 2 * self.apb2(),
        };
    }

    fn located(&self, address: u32) -> Result<(Place, u32, BusKind), Refused> {
        let (place, offset, gate, bus) = bus::place(address).ok_or("this peripheral is not modelled")?;
        if let Some(gate) = gate
            && !self.rcc.enabled(gate)
        {
            return Err("the peripheral's clock is off, or it is held in reset".into());
        }
        Ok((place, offset, bus))
    }

    fn serve_read(&mut self, address: u32, size: u32) -> Result<u32, Refused> {
        match address {
            0x6000_0000..=0x6FFF_FFFF => return self.read_external(address, size),
            bus::SYSTEM_BASE..=0x1FFF_7FFF => return self.read_system(address, size),
            0xE000_0000..=0xE00F_FFFF => {
                let word = self.scs.read(address & !3, self.cycles)?;
                return Ok(word >> (8 * (address & 3)) & mask(size));
            }
            _ => {}
        }
        let (place, offset, bus) = self.located(address)?;
        self.pay(bus);
        let now = self.now();
        let (cycles, apb1, apb2) = (self.cycles, self.apb1(), self.apb2());
        let (word, shift) = (offset & !3, 8 * (offset & 3));
        let context = Context { now, clocks: self.clocks, log: &mut self.log };
        let value = match place {
            Place::Timer(index) => {
                self.timers[index].sync(cycles, self.clocks.timer1_div);
                self.timers[index].read(word)
            }
            Place::Iwdg => self.iwdg.read(word, now.ns),
            Place::I2c1 => {
                self.i2c.sync(now, apb1, &mut self.eeprom);
                let value = self.i2c.read(word, cycles, apb1);
                self.note_eeprom();
                value
            }
            Place::Pwr => self.pwr.read(word),
            Place::Usart1 => {
                self.usart.sync(cycles, apb2);
                self.usart.read(word)
            }
            Place::Syscfg => self.exti.read_syscfg(word),
            Place::Exti => self.exti.read(word),
            Place::Gpio(port) => self.ports[port].read(word),
            Place::Rcc => self.rcc.read(word, &context),
            Place::Flash => self.flash.read(word),
            Place::Dma(index) => self.dma[index].read(word, cycles),
            Place::Rng => self.rng.read(word, &context),
            Place::Fsmc => self.fsmc.read(word),
        }?;
        // Reading these takes bytes or starts the next step on the wire: deadlines change.
        if matches!((place, word), (Place::I2c1, 0x10 | 0x18) | (Place::Usart1, 0x04)) {
            self.reschedule();
        }
        Ok(value >> shift & mask(size))
    }

    fn serve_write(&mut self, address: u32, size: u32, value: u32) -> Result<(), Refused> {
        match address {
            0x6000_0000..=0x6FFF_FFFF => return self.write_external(address, size, value),
            bus::SYSTEM_BASE..=0x1FFF_7FFF => return Err("the system memory cannot be written".into()),
            0xE000_0000..=0xE00F_FFFF => {
                let done = self.scs.write(address, size, value, self.cycles);
                self.attention |= self.scs.reset_requested || self.scs.mpu_changed;
                self.reschedule();
                return done;
            }
            _ => {}
        }
        let (place, offset, bus) = self.located(address)?;
        self.pay(bus);
        let value = if size == 4 { value } else { self.widened(place, offset, size, value)? };
        let offset = offset & !3;
        let now = self.now();
        let (cycles, apb1, apb2) = (self.cycles, self.apb1(), self.apb2());
        let mut context = Context { now, clocks: self.clocks, log: &mut self.log };
        match place {
            Place::Timer(index) => {
                self.timers[index].sync(cycles, self.clocks.timer1_div);
                self.timers[index].write(offset, value, cycles)?;
            }
            Place::Iwdg => {
                self.iwdg.write(offset, value, now.ns)?;
                if self.iwdg.running() {
                    self.rcc.force_lsi(now.ns);
                }
                if value == 0xAAAA {
                    // Feeding only puts the reset off.
                    return Ok(());
                }
            }
            Place::I2c1 => {
                if offset == 0 && value & 0x100 != 0 {
                    let ours =
                        |pin| self.ports[B].mode(pin) == Mode::Alternate(4) && self.ports[B].open_drain(pin);
                    if !ours(8) || !ours(9) {
                        return Err(
                            "I2C1: PB8 and PB9 are not open-drain pins of alternate function 4".into()
                        );
                    }
                }
                self.i2c.sync(now, apb1, &mut self.eeprom);
                self.i2c.write(offset, value, cycles, apb1)?;
                self.note_eeprom();
            }
            Place::Pwr => self.pwr.write(offset, value)?,
            Place::Usart1 => {
                self.usart.sync(cycles, apb2);
                self.usart.write(offset, value, cycles, apb2)?;
                self.uart_sent();
            }
            Place::Syscfg => self.exti.write_syscfg(offset, value)?,
            Place::Exti => self.exti.write(offset, value)?,
            Place::Gpio(port) => {
                let changed = self.ports[port].write(offset, value)?;
                self.port_written(port, changed);
                // Pins move often and ask for nothing: spare the rest.
                return Ok(());
            }
            Place::Rcc => {
                let reset = self.rcc.write(offset, value, &mut context)?;
                for gate in reset {
                    self.reset_peripheral(gate.offset, gate.bit);
                }
                self.rebase();
            }
            Place::Flash => {
                self.flash.write(offset, value)?;
                self.flash.check(&mut context);
                self.price();
            }
            Place::Dma(index) => self.dma[index].write(offset, value, cycles)?,
            Place::Rng => self.rng.write(offset, value, &context)?,
            Place::Fsmc => self.fsmc.write(offset, value)?,
        }
        self.reschedule();
        Ok(())
    }

    /// A write of less than a word: the word that it makes.
    fn widened(&mut self, place: Place, offset: u32, size: u32, value: u32) -> Result<u32, Refused> {
        let shift = 8 * (offset & 3);
        match place {
            Place::Gpio(port) => {
                let old = if offset & !3 == 0x18 { 0 } else { self.ports[port].read(offset & !3)? };
                Ok(old & !(mask(size) << shift) | (value & mask(size)) << shift)
            }
            // Registers of sixteen bits may be written as halfwords.
            Place::Timer(_) | Place::Iwdg | Place::I2c1 | Place::Usart1 if size == 2 && shift == 0 => {
                Ok(value & 0xFFFF)
            }
            _ => Err("this register takes words only".into()),
        }
    }

    fn reset_peripheral(&mut self, offset: u32, bit: u8) {
        match (offset, bit) {
            (0x30, port @ 0..=8) => {
                let port = usize::from(port);
                self.ports[port] = Port::new(port, Some(&self.ports[port]));
                self.port_written(port, 0xFFFF);
            }
            (0x30, 21) => self.dma[0] = Dma::new(false),
            (0x30, 22) => self.dma[1] = Dma::new(true),
            (0x34, 6) => self.rng = Rng::new(Some(&self.rng), 0),
            (0x38, 0) => self.fsmc = Fsmc::default(),
            (0x40, index @ 0..=5) => self.timers[usize::from(index)] = Timer::new(index + 2),
            (0x40, 21) => {
                self.i2c = I2c::default();
                self.i2c.line_low = self.eeprom_wire.pulls_sda();
            }
            (0x40, 28) => self.pwr = Pwr::default(),
            (0x44, 4) => self.usart = Usart::default(),
            _ => {}
        }
    }

    fn read_system(&mut self, address: u32, size: u32) -> Result<u32, Refused> {
        let byte = |address: u32| match address {
            bus::UNIQUE_ID..=0x1FFF_7A1B => Ok(self.unique_id[(address - bus::UNIQUE_ID) as usize]),
            // Flash size in KiB.
            0x1FFF_7A22 => Ok(0x00),
            0x1FFF_7A23 => Ok(0x04),
            _ => Err(Refused::from("the system memory is not modelled here")),
        };
        (0..size).try_fold(0, |word, index| Ok(word | u32::from(byte(address + index)?) << (8 * index)))
    }

    fn read_external(&mut self, address: u32, size: u32) -> Result<u32, Refused> {
        let bank = (address >> 26 & 3) as usize;
        let timing = self.fsmc.timing(bank)?;
        let accesses = size.div_ceil(2);
        for _ in 0..accesses {
            self.cycles += self.fsmc.read_stall(timing, self.cycles);
        }
        let now = self.now();
        match (bank, &mut self.external) {
            (3, _) => {
                self.check_lcd(address, size)?;
                let mut word = 0;
                for index in 0..accesses {
                    let half = if (address + 2 * index) & 0x80 == 0 {
                        return Err("LCD: reading with RS low is not modelled".into());
                    } else {
                        self.lcd.read(now, &mut self.log)
                    };
                    word |= u32::from(half) << (16 * index);
                }
                Ok(word)
            }
            (2, Some(ram)) => {
                let at = ((address - bus::EXTERNAL_BASE) % bus::EXTERNAL_SIZE) as usize;
                let bytes = ram.get(at..at + size as usize).ok_or("external RAM: beyond its end")?;
                Ok(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)))
            }
            _ => Err("FSMC: nothing is connected to this sub-bank".into()),
        }
    }

    fn write_external(&mut self, address: u32, size: u32, value: u32) -> Result<(), Refused> {
        let stall = self.store_external(address, size, value, self.cycles)?;
        self.cycles += stall;
        Ok(())
    }

    /// Writes to the static memory controller's bank at core cycle `at`; gives the cycles to wait.
    fn store_external(&mut self, address: u32, size: u32, value: u32, at: u64) -> Result<u64, Refused> {
        let bank = (address >> 26 & 3) as usize;
        let timing = self.fsmc.timing(bank)?;
        if !self.fsmc.writable(bank) {
            return Err("FSMC: writing is not enabled for this sub-bank (WREN)".into());
        }
        let accesses = size.div_ceil(2);
        let mut stall = 0;
        for _ in 0..accesses {
            stall += self.fsmc.write_stall(timing, at + stall);
        }
        if bank == 3 && size == 2 && address & 0x81 == 0x80 && self.lcd_wired && self.lcd.pixel(value as u16)
        {
            return Ok(stall);
        }
        let now = self.now();
        match (bank, &mut self.external) {
            (3, _) => {
                self.check_lcd(address, size)?;
                for index in 0..accesses {
                    let half = (value >> (16 * index)) as u16;
                    if (address + 2 * index) & 0x80 == 0 {
                        self.lcd.command(half, now, &mut self.log);
                    } else {
                        self.lcd.write(half, now, &mut self.log);
                    }
                }
            }
            (2, Some(ram)) => {
                let at = ((address - bus::EXTERNAL_BASE) % bus::EXTERNAL_SIZE) as usize;
                let bytes = ram.get_mut(at..at + size as usize).ok_or("external RAM: beyond its end")?;
                bytes.copy_from_slice(&value.to_le_bytes()[..size as usize]);
            }
            _ => return Err("FSMC: nothing is connected to this sub-bank".into()),
        }
        Ok(stall)
    }

    fn check_lcd(&self, address: u32, size: u32) -> Result<(), Refused> {
        if !self.lcd_wired {
            return Err("LCD: not all pins of its bus have alternate function 12".into());
        }
        if size == 1 || address & 1 != 0 {
            return Err("LCD: bytes cannot be transferred on its bus".into());
        }
        Ok(())
    }
}

/// The bits of `size` bytes.
fn mask(size: u32) -> u32 {
    u32::MAX >> (32 - 8 * size.clamp(1, 4))
}

struct DmaBus<'a> {
    board: &'a mut Board,
    memory: &'a mut dyn GuestMemory,
}

fn dma_memory(address: u32) -> bool {
    matches!(address, bus::FLASH_BASE..=0x080F_FFFF | bus::SRAM_BASE..=0x2001_FFFF)
}

impl dma::Bus for DmaBus<'_> {
    fn load(&mut self, address: u32, size: u32) -> Result<u32, Refused> {
        let mut bytes = [0; 4];
        if dma_memory(address) && self.memory.read(address, &mut bytes[..size as usize]) {
            return Ok(u32::from_le_bytes(bytes));
        }
        Err(Refused(format!("the source {address:#010x} is not within its reach")))
    }

    fn store(&mut self, address: u32, size: u32, value: u32, at: u64) -> Result<u64, Refused> {
        match address {
            0x6000_0000..=0x6FFF_FFFF => self.board.store_external(address, size, value, at),
            0x4001_1004 => {
                let div = self.board.apb2();
                self.board.usart.sync(at, div);
                self.board.usart.write(4, value & 0xFF, at, div)?;
                Ok(0)
            }
            _ if dma_memory(address) && address >= bus::SRAM_BASE => {
                self.memory.write(address, &value.to_le_bytes()[..size as usize]);
                Ok(0)
            }
            _ => Err(Refused(format!("the destination {address:#010x} is not within its reach"))),
        }
    }

    fn requested(&self, stream: usize, channel: u32) -> bool {
        // DMA2, stream 7, channel 4: USART1 sends.
        stream == 7 && channel == 4 && self.board.usart.wants_dma()
    }
}
