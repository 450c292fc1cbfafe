// SPDX-License-Identifier: GPL-2.0-only
//! The board with its core: loading a program, running it for a time, and acting on it from outside.
//!
//! unicorn executes instructions only. Exceptions are entered and left here by hand (ARMv7-M, B1.5):
//! the core is stopped before the block of instructions in which an event falls due.

use std::fmt;
use std::time::Duration;

use unicorn_engine::unicorn_const::{Arch, HookType, MemType, Mode, Prot, uc_error};
use unicorn_engine::{ArmCpuModel, RegisterARM, Unicorn};

use crate::board::{Board, GuestMemory, Key, Report};
use crate::bus;
use crate::chip::eeprom::Eeprom;
use crate::chip::lcd::{Frame, LcdKind};
use crate::chip::touch::TouchKind;
use crate::core::nvic::{self, Masks};
use crate::cycles::{Block, CycleModel};
use crate::event::{Event, EventKind, Now, ResetCause};
use crate::image::{Image, ImageError};
use crate::peripheral::rng;

type Uc = Unicorn<'static, Board>;

/// How the board is put together.
#[derive(Clone, Debug)]
pub struct Config {
    /// The program, an ELF file.
    pub elf: Vec<u8>,
    /// The LCD module.
    pub lcd: LcdKind,
    /// The touch panel.
    pub touch: TouchKind,
    /// Contents of the EEPROM; a new one holds 0xFF.
    pub eeprom: Vec<u8>,
    /// What instructions cost.
    pub cycles: CycleModel,
    /// Stop at the first access that is not modelled.
    pub strict: bool,
    /// Where the random numbers start.
    pub seed: u64,
    /// The 1 MiB RAM on the memory controller is fitted.
    pub external_ram: bool,
    /// The chip's unique identification.
    pub unique_id: [u8; 12],
}

impl Config {
    /// The usual board with this program.
    #[must_use]
    pub fn new(elf: Vec<u8>) -> Self {
        Self {
            elf,
            lcd: LcdKind::default(),
            touch: TouchKind::default(),
            eeprom: Vec::new(),
            cycles: CycleModel::default(),
            strict: true,
            seed: 1,
            external_ram: false,
            unique_id: *b"WUZI\x01\x02\x03\x04\x05\x06\x07\x08",
        }
    }
}

/// Why the board cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The file is no program for the board.
    Image(ImageError),
    /// The program did something that is not modelled.
    NotModelled(Report),
    /// The instruction emulator refused.
    Engine(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Image(error) => error.fmt(f),
            Self::NotModelled(report) => write!(f, "not modelled: {report}"),
            Self::Engine(reason) => write!(f, "the instruction emulator failed: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<ImageError> for Error {
    fn from(error: ImageError) -> Self {
        Self::Image(error)
    }
}

impl From<uc_error> for Error {
    fn from(error: uc_error) -> Self {
        Self::Engine(format!("{error:?}"))
    }
}

/// What the core does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    /// WFI, or WFE if true.
    Sleeping(bool),
    /// A fault within the handler of a fault: only a reset helps.
    Locked,
}

/// A memory access that failed.
#[derive(Clone, Copy, Debug)]
struct BadAccess {
    kind: MemType,
    address: u32,
}

/// What the hooks leave for the run loop.
#[derive(Debug, Default)]
struct Traps {
    /// Unicorn's number of the exception.
    exception: Option<u32>,
    bad: Option<BadAccess>,
}

/// The board at work.
pub struct Machine {
    uc: Uc,
    traps: std::rc::Rc<std::cell::RefCell<Traps>>,
    image: Image,
    strict: bool,
    state: State,
    /// The event register: WFE does not wait while it is set.
    event: bool,
    /// The program runs in a circle outside of interrupts.
    hung: bool,
    guards: Vec<(unicorn_engine::UcHookId, crate::core::mpu::Guard)>,
    power_cuts: Vec<u64>,
    seen_reports: usize,
    resets: u32,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine")
            .field("state", &self.state)
            .field("now", &self.now())
            .finish_non_exhaustive()
    }
}

/// Instructions of a block end here whatever happens.
const NOWHERE: u64 = 0xFFFF_FFFE;
/// Encodings of the hints that stop unicorn.
const YIELD: u16 = 0xBF10;
const WFE: u16 = 0xBF20;
const WFI: u16 = 0xBF30;
/// How long power stays away in a power cut, in nanoseconds.
const POWER_OFF: u64 = 500_000_000;

impl GuestMemory for Uc {
    fn read(&self, address: u32, bytes: &mut [u8]) -> bool {
        self.mem_read(u64::from(address), bytes).is_ok()
    }

    fn write(&mut self, address: u32, bytes: &[u8]) -> bool {
        self.mem_write(u64::from(address), bytes).is_ok()
    }
}

impl Machine {
    /// Puts a board together and applies power.
    ///
    /// # Errors
    /// If the file is no program for the board.
    pub fn new(config: Config) -> Result<Self, Error> {
        let image = Image::from_elf(&config.elf)?;
        let mut flash = vec![0xFF; bus::FLASH_SIZE as usize];
        for (address, data) in &image.parts {
            flash[(address - bus::FLASH_BASE) as usize..][..data.len()].copy_from_slice(data);
        }
        let board = Board::new(flash.clone(), &config);
        let mut uc = Unicorn::new_with_data(Arch::ARM, Mode::THUMB, board)?;
        uc.ctl_set_cpu_model(ArmCpuModel::CORTEX_M4 as i32)?;
        let read_only = Prot::READ | Prot::EXEC;
        for base in [0, bus::FLASH_BASE] {
            uc.mem_map(u64::from(base), u64::from(bus::FLASH_SIZE), read_only)?;
            uc.mem_write(u64::from(base), &flash)?;
        }
        uc.mem_map(u64::from(bus::CCM_BASE), u64::from(bus::CCM_SIZE), Prot::READ | Prot::WRITE)?;
        uc.mem_map(u64::from(bus::SRAM_BASE), u64::from(bus::SRAM_SIZE), Prot::ALL)?;
        for (base, size) in [
            (bus::SYSTEM_BASE, 0x1000),
            (0x4000_0000, 0x0200_0000),
            (0x5000_0000, 0x1000_0000),
            (0x6000_0000, 0x1000_0000),
            (0xA000_0000, 0x1000),
            (0xE000_0000, 0x10_0000),
        ] {
            map_registers(&mut uc, base, size)?;
        }
        map_bit_band(&mut uc, 0x2200_0000, bus::SRAM_BASE, bus::SRAM_SIZE * 32)?;
        map_bit_band(&mut uc, 0x4200_0000, 0x4000_0000, 0x0200_0000)?;

        let traps = std::rc::Rc::new(std::cell::RefCell::new(Traps::default()));
        uc.add_block_hook(1, 0, block_hook)?;
        let seen = traps.clone();
        uc.add_intr_hook(move |uc, number| {
            seen.borrow_mut().exception = Some(number);
            let _ = uc.emu_stop();
        })?;
        let seen = traps.clone();
        uc.add_mem_hook(HookType::MEM_INVALID, 1, 0, move |_, kind, address, _, _| {
            seen.borrow_mut().bad = Some(BadAccess { kind, address: address as u32 });
            false
        })?;

        let mut machine = Self {
            uc,
            traps,
            image,
            strict: config.strict,
            state: State::Running,
            event: false,
            hung: false,
            guards: Vec::new(),
            power_cuts: Vec::new(),
            seen_reports: 0,
            resets: 0,
        };
        machine.fill_ram(config.seed)?;
        machine.reset_core()?;
        Ok(machine)
    }

    /// RAM holds anything after power-on.
    fn fill_ram(&mut self, seed: u64) -> Result<(), Error> {
        for (base, size) in [(bus::SRAM_BASE, bus::SRAM_SIZE), (bus::CCM_BASE, bus::CCM_SIZE)] {
            let mut state = seed ^ u64::from(base);
            let bytes: Vec<u8> = (0..size)
                .map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state >> 56) as u8
                })
                .collect();
            self.uc.mem_write(u64::from(base), &bytes)?;
        }
        Ok(())
    }

    // ----- what tests and programs use -----

    /// Runs for an emulated time.
    ///
    /// # Errors
    /// If the program does something that is not modelled and the board is strict.
    pub fn run_for(&mut self, time: Duration) -> Result<(), Error> {
        let until = self.now().ns.saturating_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        while self.now().ns < until {
            let limit = self.board().cycle_at(until);
            self.run_until_cycle(limit)?;
        }
        Ok(())
    }

    /// Runs for a number of core cycles.
    ///
    /// # Errors
    /// As `run_for`.
    pub fn run_cycles(&mut self, cycles: u64) -> Result<(), Error> {
        let limit = self.now().cycles + cycles;
        while self.now().cycles < limit {
            self.run_until_cycle(limit)?;
        }
        Ok(())
    }

    /// Runs in steps of a millisecond until `condition` holds, at most for `limit`. Returns whether it held.
    ///
    /// # Errors
    /// As `run_for`.
    pub fn run_until(
        &mut self,
        limit: Duration,
        mut condition: impl FnMut(&Self) -> bool,
    ) -> Result<bool, Error> {
        let end = self.now().ns + u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX);
        loop {
            if condition(self) {
                return Ok(true);
            }
            if self.now().ns >= end {
                return Ok(false);
            }
            self.run_for(Duration::from_millis(1))?;
        }
    }

    /// The board without the core.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.uc.get_data()
    }

    /// The board without the core, to act on it.
    pub fn board_mut(&mut self) -> &mut Board {
        self.uc.get_data_mut()
    }

    /// The program.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// The time.
    #[must_use]
    pub fn now(&self) -> Now {
        self.board().now()
    }

    /// Instructions executed so far.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.board().instructions
    }

    /// Puts a finger on the panel, at a pixel of the portrait picture, or moves it there.
    pub fn touch(&mut self, x: u16, y: u16) {
        self.touch_all(&[(x, y)]);
    }

    /// Puts several fingers on the panel.
    pub fn touch_all(&mut self, fingers: &[(u16, u16)]) {
        let now = self.now();
        let board = self.board_mut();
        board.log.push(now, EventKind::Input(format!("touch {fingers:?}")));
        board.fingers(fingers);
    }

    /// Lifts all fingers.
    pub fn release(&mut self) {
        let now = self.now();
        let board = self.board_mut();
        board.log.push(now, EventKind::Input("release".into()));
        board.fingers(&[]);
    }

    /// Touches for 60 ms and lets go for 60 ms.
    ///
    /// # Errors
    /// As `run_for`.
    pub fn tap(&mut self, x: u16, y: u16) -> Result<(), Error> {
        self.touch(x, y);
        self.run_for(Duration::from_millis(60))?;
        self.release();
        self.run_for(Duration::from_millis(60))
    }

    /// Presses or releases a key.
    pub fn key(&mut self, key: Key, pressed: bool) {
        self.board_mut().key(key, pressed);
    }

    /// Presses a key for 60 ms and lets go for 60 ms.
    ///
    /// # Errors
    /// As `run_for`.
    pub fn press(&mut self, key: Key) -> Result<(), Error> {
        self.key(key, true);
        self.run_for(Duration::from_millis(60))?;
        self.key(key, false);
        self.run_for(Duration::from_millis(60))
    }

    /// The picture memory of the LCD, or `None` without a module that shows pictures.
    #[must_use]
    pub fn frame(&self) -> Option<Frame> {
        self.board().lcd.panel().map(crate::chip::lcd::Panel::frame)
    }

    /// True if the picture can be seen: display awake and on, backlight on.
    #[must_use]
    pub fn visible(&self) -> bool {
        self.board().backlight() && self.board().lcd.panel().is_some_and(crate::chip::lcd::Panel::visible)
    }

    /// The text that was sent on USART1.
    #[must_use]
    pub fn uart(&self) -> &str {
        self.board().uart()
    }

    /// Sends bytes to USART1.
    pub fn uart_send(&mut self, bytes: &[u8]) {
        let board = self.board_mut();
        board.usart.feed(bytes);
        board.attention = true;
    }

    /// What happened so far.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.board().log.events()
    }

    /// The warnings so far.
    #[must_use]
    pub fn warnings(&self) -> Vec<&str> {
        self.events()
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Warning(what) => Some(what.as_str()),
                _ => None,
            })
            .collect()
    }

    /// Accesses that are not modelled.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        &self.board().reports
    }

    /// How often the board was reset since power first came.
    #[must_use]
    pub fn resets(&self) -> u32 {
        self.resets
    }

    /// The EEPROM.
    #[must_use]
    pub fn eeprom(&self) -> &Eeprom {
        &self.board().eeprom
    }

    /// The EEPROM, to wear cells or to lose acknowledges.
    pub fn eeprom_mut(&mut self) -> &mut Eeprom {
        &mut self.board_mut().eeprom
    }

    /// Makes the random number generator fail.
    pub fn fail_rng(&mut self, fault: rng::Fault) {
        self.board_mut().rng.fault = fault;
    }

    /// Takes power away at this core cycle, for half a second.
    pub fn power_cut_at(&mut self, cycle: u64) {
        self.power_cuts.push(cycle);
        self.power_cuts.sort_unstable();
    }

    /// Takes power away now, for half a second.
    ///
    /// # Errors
    /// If the instruction emulator refuses.
    pub fn power_cut(&mut self) -> Result<(), Error> {
        let seed = self.now().cycles;
        self.board_mut().power_cut(POWER_OFF);
        self.fill_ram(seed)?;
        self.resets += 1;
        self.reset_core()
    }

    /// Makes the program hang where it is, as if it ran in a circle there; interrupts are still
    /// served. Until the next reset.
    pub fn hang(&mut self) {
        self.note_input("hang");
        self.hung = true;
    }

    /// Makes the program go on at this instruction, wherever it is now: a wild jump. A sleeping core
    /// wakes up.
    ///
    /// # Errors
    /// If the instruction emulator refuses.
    pub fn jump(&mut self, address: u32) -> Result<(), Error> {
        self.note_input(&format!("jump to {address:#010x}"));
        if matches!(self.state, State::Sleeping(_)) {
            self.state = State::Running;
        }
        self.set(RegisterARM::PC, address | 1)
    }

    /// Makes the stack almost full: the program goes on with a copy of the newest kibibyte of its stack
    /// that has `left` bytes between itself and `bottom`, the lowest address of the stack. Returns false if
    /// not that much is left as it is.
    ///
    /// # Errors
    /// If the instruction emulator refuses.
    pub fn exhaust_stack(&mut self, bottom: u32, left: u32) -> Result<bool, Error> {
        self.note_input(&format!("{left} bytes left of the stack from {bottom:#010x}"));
        let pointer = self.get(RegisterARM::SP)?;
        let Some(room) = pointer.checked_sub(bottom).filter(|&room| left < room) else { return Ok(false) };
        // As aligned as before.
        let moved = (room - left) & !7;
        let words = (0..moved.min(1024)).step_by(4);
        let newest: Vec<u8> = words.map_while(|offset| self.memory(pointer + offset, 4)).flatten().collect();
        Ok(self.set_memory(pointer - moved, &newest) && self.set(RegisterARM::SP, pointer - moved).is_ok())
    }

    fn note_input(&mut self, what: &str) {
        let now = self.now();
        self.board_mut().log.push(now, EventKind::Input(what.into()));
    }

    /// Presses the reset key.
    ///
    /// # Errors
    /// If the instruction emulator refuses.
    pub fn reset(&mut self) -> Result<(), Error> {
        self.reset_by(ResetCause::Pin)
    }

    /// Bytes of the board's memory, for example a variable found with `image().symbol()`.
    #[must_use]
    pub fn memory(&self, address: u32, count: usize) -> Option<Vec<u8>> {
        self.uc.mem_read_as_vec(u64::from(address), count).ok()
    }

    /// Changes the board's memory, for example to mark a stack that has not been used yet. Returns false
    /// if there is no RAM.
    pub fn set_memory(&mut self, address: u32, bytes: &[u8]) -> bool {
        is_ram(address, bytes.len()) && self.uc.mem_write(u64::from(address), bytes).is_ok()
    }

    /// The instruction that comes next, and its function if the program has symbols.
    #[must_use]
    pub fn place(&self) -> (u32, Option<&str>) {
        let pc = self.uc.reg_read(RegisterARM::PC).unwrap_or(0) as u32;
        (pc, self.image.function_at(pc))
    }

    // ----- the core -----

    fn reset_by(&mut self, cause: ResetCause) -> Result<(), Error> {
        self.board_mut().reset(cause);
        self.resets += 1;
        self.reset_core()
    }

    fn set(&mut self, register: RegisterARM, value: u32) -> Result<(), Error> {
        Ok(self.uc.reg_write(register, u64::from(value))?)
    }

    fn get(&self, register: RegisterARM) -> Result<u32, Error> {
        Ok(self.uc.reg_read(register)? as u32)
    }

    /// Writes the program status register and lets unicorn notice that the mode may have changed.
    fn set_status(&mut self, status: u32) -> Result<(), Error> {
        self.set(RegisterARM::XPSR_NZCVQG, status)?;
        self.set(RegisterARM::APSR_NZCV, status & 0xF000_0000)
    }

    fn reset_core(&mut self) -> Result<(), Error> {
        for (id, _) in std::mem::take(&mut self.guards) {
            self.uc.remove_hook(id)?;
        }
        self.state = State::Running;
        self.hung = false;
        self.set_status(1 << 24)?;
        for register in
            [RegisterARM::CONTROL, RegisterARM::PRIMASK, RegisterARM::FAULTMASK, RegisterARM::BASEPRI]
        {
            self.set(register, 0)?;
        }
        self.set(RegisterARM::LR, u32::MAX)?;
        let table = self.memory(0, 8).unwrap_or_default();
        let word = |at: usize| {
            table
                .get(at..at + 4)
                .map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
        };
        self.set(RegisterARM::SP, word(0))?;
        self.set(RegisterARM::PC, word(4) | 1)?;
        self.board_mut().attention = true;
        Ok(())
    }

    fn masks(&self) -> Result<Masks, Error> {
        masks(&self.uc).map_err(Error::from)
    }

    /// Runs until the core cycle `limit`, or until clocks change.
    fn run_until_cycle(&mut self, limit: u64) -> Result<(), Error> {
        let base = self.board().clocks();
        while self.board().cycles < limit {
            if self.power_cuts.first().is_some_and(|&cycle| cycle <= self.board().cycles) {
                self.power_cuts.remove(0);
                self.power_cut()?;
                return Ok(());
            }
            if let Some(cause) = self.advance() {
                self.reset_by(cause)?;
                return Ok(());
            }
            self.check_reports()?;
            if self.board().clocks() != base {
                return Ok(());
            }
            if std::mem::take(&mut self.board_mut().scs.mpu_changed) {
                self.place_guards()?;
            }
            let masks = self.masks()?;
            if let State::Sleeping(for_event) = self.state
                && self.board_mut().wakes(masks, for_event)
            {
                self.state = State::Running;
            }
            if self.state == State::Running
                && let Some(exception) = self.board().scs.nvic.deliverable(masks)
            {
                self.enter_exception(exception)?;
            }
            let waiting = self.board().scs.nvic.next().is_some();
            let cut = self.power_cuts.first().copied().unwrap_or(u64::MAX);
            let board = self.board_mut();
            board.irq_waiting = waiting;
            board.attention = false;
            let next = board.next_event().unwrap_or(u64::MAX).min(limit).min(cut);
            board.stop_at = next.max(board.cycles + 1);
            let circles = self.hung && self.get(RegisterARM::XPSR)? & 0x1FF == 0;
            if self.state == State::Running && !circles {
                self.execute()?;
            } else {
                let board = self.board_mut();
                board.cycles = board.stop_at;
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Option<ResetCause> {
        let mut memory = self.uc.clone();
        self.uc.get_data_mut().advance(&mut memory)
    }

    fn check_reports(&mut self) -> Result<(), Error> {
        let count = self.board().reports.len();
        if count == self.seen_reports {
            return Ok(());
        }
        for index in std::mem::replace(&mut self.seen_reports, count)..count {
            let mut report = self.board().reports[index].clone();
            if self.strict {
                report.pc = self.get(RegisterARM::PC)?;
                self.board_mut().reports[index].pc = report.pc;
            }
            let place = self.image.function_at(report.pc).map_or(String::new(), |name| format!(" in {name}"));
            let text = format!("not modelled: {report}{place}");
            self.board_mut().log.warn(report.at, text);
            if self.strict {
                return Err(Error::NotModelled(report));
            }
        }
        Ok(())
    }

    /// Executes instructions until the board asks for the run loop.
    fn execute(&mut self) -> Result<(), Error> {
        let pc = self.get(RegisterARM::PC)?;
        let outcome = self.uc.emu_start(u64::from(pc | 1), NOWHERE, 0, 0);
        let Traps { exception, bad } = std::mem::take(&mut *self.traps.borrow_mut());
        if let Some(offset) = self.board_mut().float_fault.take() {
            let at = self.board().block_pc + offset;
            self.set(RegisterARM::PC, at | 1)?;
            return self.fault(
                nvic::USAGE_FAULT,
                1 << 19,
                None,
                "floating-point instruction while the unit is off",
            );
        }
        if let Some(bad) = bad {
            return self.memory_fault(bad);
        }
        match (outcome, exception) {
            (_, Some(8)) => self.leave_exception(),
            (_, Some(2)) => {
                self.board_mut().scs.nvic.set_pending(nvic::SV_CALL, true);
                Ok(())
            }
            (_, Some(7)) => {
                self.fault(nvic::HARD_FAULT, 0, None, "breakpoint instruction without a debugger")
            }
            (_, Some(22)) => self.fault(nvic::USAGE_FAULT, 1 << 24, None, "unaligned access"),
            (_, Some(18)) => self.fault(nvic::USAGE_FAULT, 1 << 17, None, "invalid state (Thumb bit clear)"),
            (_, Some(3)) => {
                self.fault(nvic::MEM_MANAGE, 1, None, "instruction fetch from a forbidden region")
            }
            (_, Some(4)) => self.fault(nvic::BUS_FAULT, 1 << 9, None, "data access"),
            (_, Some(number)) => Err(Error::Engine(format!("exception {number} is not modelled"))),
            (Ok(()), None) => {
                if self.board().attention || self.board().cycles >= self.board().stop_at {
                    return Ok(());
                }
                self.slept()
            }
            (Err(uc_error::INSN_INVALID | uc_error::EXCEPTION), None) => {
                // unicorn treats these two hints as exceptions.
                match self.last_halfword()? {
                    WFE if !std::mem::take(&mut self.event) => {
                        self.state = State::Sleeping(true);
                        return Ok(());
                    }
                    WFE | YIELD => return Ok(()),
                    _ => {}
                }
                self.fault(nvic::USAGE_FAULT, 1 << 16, None, "undefined instruction")
            }
            (Err(error), None) => Err(error.into()),
        }
    }

    /// The halfword before PC.
    fn last_halfword(&self) -> Result<u16, Error> {
        let bytes = self.memory(self.get(RegisterARM::PC)?.wrapping_sub(2), 2).unwrap_or_default();
        Ok(bytes.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes)))
    }

    /// unicorn returned by itself: the core waits for an interrupt, or a mask was just lifted.
    fn slept(&mut self) -> Result<(), Error> {
        if self.last_halfword()? == WFI {
            self.state = State::Sleeping(false);
        } else if self.board().scs.nvic.next().is_none() {
            let pc = self.get(RegisterARM::PC)?;
            return Err(Error::Engine(format!("stopped at {pc:#010x} for no known reason")));
        }
        Ok(())
    }

    // ----- exceptions -----

    /// True if the memory protection unit forbids a part of these bytes.
    fn guarded(&self, address: u32, size: u32, write: bool) -> bool {
        let last = address.saturating_add(size - 1);
        let mut guards = self.guards.iter().map(|(_, guard)| guard).filter(|guard| write || guard.reads);
        guards.any(|guard| address <= guard.end && guard.start <= last)
    }

    /// Writes the words that can be written, and gives the bits of CFSR of those that cannot: MSTKERR,
    /// STKERR.
    fn stack_words(&mut self, address: u32, words: &[u32]) -> u32 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let size = bytes.len() as u32;
        if !self.guarded(address, size, true) && self.set_memory(address, &bytes) {
            return 0;
        }
        (0..size).step_by(4).fold(0, |bits, offset| {
            let (at, word) = (address.wrapping_add(offset), &bytes[offset as usize..][..4]);
            if self.guarded(at, 4, true) {
                bits | 1 << 4
            } else if self.set_memory(at, word) {
                bits
            } else {
                bits | 1 << 12
            }
        })
    }

    fn read_words(&self, address: u32, count: usize) -> Option<Vec<u32>> {
        let bytes = self.memory(address, 4 * count).filter(|_| is_ram(address, 4 * count))?;
        Some(bytes.chunks(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
    }

    /// Stacks the registers and continues at the exception's handler.
    fn enter_exception(&mut self, exception: u8) -> Result<(), Error> {
        let failed = self.stack_frame(exception)?;
        if failed == 0 {
            self.board_mut().scs.nvic.enter(exception);
            return self.vector(exception);
        }
        // The stack is used up: the fault that this causes, with no whole frame, is entered before the
        // exception if it is more urgent, and after it if not (ARMv7-M, B1.5.11).
        let fault = if failed & 1 << 4 != 0 { nvic::MEM_MANAGE } else { nvic::BUS_FAULT };
        let masks = self.masks()?;
        let scs = &mut self.board_mut().scs;
        scs.cfsr |= failed;
        let derived = if scs.nvic.can_take(fault, masks) {
            fault
        } else {
            scs.hfsr |= 1 << 30;
            if scs.nvic.is_active(nvic::HARD_FAULT) {
                return self.lock_up("stacking failed in the handler of a fault");
            }
            nvic::HARD_FAULT
        };
        let (first, second) =
            if scs.nvic.outranks(derived, exception) { (derived, exception) } else { (exception, derived) };
        scs.nvic.enter(first);
        if first != second {
            scs.nvic.set_pending(second, true);
        }
        self.note_fault(&format!("the stack pointer leaves its memory at exception {exception}"));
        self.vector(first)
    }

    /// Saves the caller's registers. Gives the bits of CFSR that tell why that failed, or 0.
    fn stack_frame(&mut self, exception: u8) -> Result<u32, Error> {
        use RegisterARM as R;
        let status = self.get(R::XPSR)?;
        let control = self.get(R::CONTROL)?;
        let sp = self.get(R::SP)?;
        let thread = status & 0x1FF == 0;
        let float = control & 4 != 0;
        let size = if float { 0x68 } else { 0x20 };
        let align = self.board().scs.stack_align() || float;
        let padded = align && sp & 4 != 0;
        let frame = (sp.wrapping_sub(size)) & if align { !7 } else { !3 };
        let mut words = vec![
            self.get(R::R0)?,
            self.get(R::R1)?,
            self.get(R::R2)?,
            self.get(R::R3)?,
            self.get(R::R12)?,
            self.get(R::LR)?,
            self.get(R::PC)? & !1,
            status & !(1 << 9) | u32::from(padded) << 9 | 1 << 24,
        ];
        if float {
            for number in 0..16 {
                words.push(self.uc.reg_read(R::S0 as i32 + number)? as u32);
            }
            words.extend([self.get(R::FPSCR)?, 0]);
        }
        let failed = self.stack_words(frame, &words);
        let process = thread && control & 2 != 0;
        let link = match (thread, process) {
            (false, _) => 0xFFFF_FFF1,
            (true, false) => 0xFFFF_FFF9,
            (true, true) => 0xFFFF_FFFD,
        } & if float { !0x10 } else { u32::MAX };
        self.set(R::SP, frame)?;
        // Writing the exception number switches to the main stack; the flags of an IT block end here.
        self.set_status(status & 0xF80F_0000 | 1 << 24 | u32::from(exception))?;
        if float {
            self.set(R::CONTROL, control & !4)?;
        }
        self.set(R::LR, link)?;
        self.board_mut().cycles += if float { 29 } else { 12 };
        Ok(failed)
    }

    fn vector(&mut self, exception: u8) -> Result<(), Error> {
        let table = self.board().scs.vector_table();
        let status = self.get(RegisterARM::XPSR)?;
        self.set_status(status & !0x1FF | u32::from(exception))?;
        self.board_mut().scs.current = exception;
        let handler = self
            .memory(table + 4 * u32::from(exception), 4)
            .map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        self.set(RegisterARM::PC, handler | 1)
    }

    /// The program jumped to an EXC_RETURN value: restores the registers.
    fn leave_exception(&mut self) -> Result<(), Error> {
        use RegisterARM as R;
        let link = self.get(R::PC)? | 1;
        let status = self.get(R::XPSR)?;
        let exception = (status & 0x1FF) as u8;
        let float = link & 0x10 == 0;
        let (handler, process) = match link & 0xF {
            0x1 => (true, false),
            0x9 => (false, false),
            0xD => (false, true),
            _ => return self.fault(nvic::USAGE_FAULT, 1 << 18, None, "invalid EXC_RETURN"),
        };
        self.event = true;
        let scs = &mut self.board_mut().scs;
        scs.nvic.leave(exception);
        let last = scs.nvic.depth() == 0;
        if last == handler {
            return self.fault(nvic::USAGE_FAULT, 1 << 18, None, "return to the wrong mode");
        }
        if exception != nvic::NMI {
            self.set(R::FAULTMASK, 0)?;
        }
        let stack = if process { R::PSP } else { R::MSP };
        let frame = self.get(stack)?;
        let size = if float { 0x68 } else { 0x20 };
        if self.guarded(frame, size, false) {
            return self.fault(nvic::MEM_MANAGE, 1 << 3, None, "the stacked registers may not be read");
        }
        let Some(words) = self.read_words(frame, size as usize / 4) else {
            return self.fault(nvic::BUS_FAULT, 1 << 11, None, "the stacked registers are not in memory");
        };
        let new_status = words[7];
        let sp = frame.wrapping_add(size) | (new_status >> 9 & 1) << 2;
        self.set(stack, sp)?;
        self.set_status(new_status & !(1 << 9))?;
        self.board_mut().scs.current = (new_status & 0x1FF) as u8;
        if !handler {
            let control = self.get(R::CONTROL)? & 1;
            self.set(R::CONTROL, control | u32::from(process) << 1 | u32::from(float) << 2)?;
        } else if float {
            let control = self.get(R::CONTROL)?;
            self.set(R::CONTROL, control | 4)?;
        }
        for (register, value) in
            [R::R0, R::R1, R::R2, R::R3, R::R12, R::LR].into_iter().zip(words.iter().copied())
        {
            self.set(register, value)?;
        }
        if float {
            for (number, &value) in (0..16).zip(&words[8..24]) {
                self.uc.reg_write(R::S0 as i32 + number, u64::from(value))?;
            }
            self.set(R::FPSCR, words[24])?;
        }
        self.set(R::PC, words[6] | 1)?;
        // The mode may have changed once more with CONTROL.
        self.set_status(new_status & !(1 << 9))?;
        self.board_mut().cycles += if float { 27 } else { 10 };
        if !handler && self.board().scs.sleep_on_exit() {
            self.state = State::Sleeping(false);
        }
        Ok(())
    }

    fn note_fault(&mut self, what: &str) {
        let (pc, function) = self.place();
        let place = function.map_or(String::new(), |name| format!(" in {name}"));
        let text = format!("{what} at PC {pc:#010x}{place}");
        let now = self.now();
        self.board_mut().log.push(now, EventKind::Fault(text));
    }

    fn lock_up(&mut self, why: &str) -> Result<(), Error> {
        self.note_fault(&format!("lock-up: {why}"));
        self.state = State::Locked;
        Ok(())
    }

    fn memory_fault(&mut self, bad: BadAccess) -> Result<(), Error> {
        let address = bad.address;
        let guarded = self.guarded(address, 1, bad.kind == MemType::WRITE);
        match bad.kind {
            MemType::READ | MemType::WRITE if guarded => self.fault(
                nvic::MEM_MANAGE,
                1 << 7 | 1 << 1,
                Some(address),
                &format!("access to {address:#010x}, which the memory protection unit forbids"),
            ),
            MemType::FETCH_UNMAPPED => {
                self.fault(nvic::BUS_FAULT, 1 << 8, None, &format!("instruction fetch from {address:#010x}"))
            }
            MemType::FETCH_PROT => self.fault(
                nvic::MEM_MANAGE,
                1,
                None,
                &format!("instruction fetch from {address:#010x}, where no code can be executed"),
            ),
            MemType::WRITE_PROT => self.fault(
                nvic::BUS_FAULT,
                1 << 15 | 1 << 9,
                Some(address),
                &format!("write to the flash memory at {address:#010x}"),
            ),
            _ => self.fault(
                nvic::BUS_FAULT,
                1 << 15 | 1 << 9,
                Some(address),
                &format!("access to {address:#010x}, where nothing is"),
            ),
        }
    }

    /// The instruction at PC causes a fault: `bits` of CFSR, and the address for MMFAR or BFAR.
    fn fault(&mut self, exception: u8, bits: u32, address: Option<u32>, what: &str) -> Result<(), Error> {
        self.note_fault(what);
        let masks = self.masks()?;
        let scs = &mut self.board_mut().scs;
        scs.cfsr |= bits;
        match (exception, address) {
            (nvic::MEM_MANAGE, Some(address)) => scs.mmfar = address,
            (nvic::BUS_FAULT, Some(address)) => scs.bfar = address,
            _ => {}
        }
        let taken = if exception != nvic::HARD_FAULT && scs.nvic.can_take(exception, masks) {
            exception
        } else {
            scs.hfsr |= if exception == nvic::HARD_FAULT { 1 << 31 } else { 1 << 30 };
            if scs.nvic.execution_priority(masks) <= -1 {
                return self.lock_up("a fault in the handler of a fault");
            }
            nvic::HARD_FAULT
        };
        self.enter_exception(taken)
    }

    /// Watches the ranges that the memory protection unit forbids.
    fn place_guards(&mut self) -> Result<(), Error> {
        for (id, _) in std::mem::take(&mut self.guards) {
            self.uc.remove_hook(id)?;
        }
        for guard in self.board().scs.mpu.guards() {
            let kinds =
                if guard.reads { HookType::MEM_READ | HookType::MEM_WRITE } else { HookType::MEM_WRITE };
            let seen = self.traps.clone();
            let id = self.uc.add_mem_hook(
                kinds,
                u64::from(guard.start),
                u64::from(guard.end),
                move |uc, kind, address, _, _| {
                    seen.borrow_mut().bad = Some(BadAccess { kind, address: address as u32 });
                    let _ = uc.emu_stop();
                    true
                },
            )?;
            self.guards.push((id, guard));
        }
        self.uc.ctl_flush_tlb()?;
        Ok(())
    }
}

fn is_ram(address: u32, size: usize) -> bool {
    let inside =
        |base: u32, length: u32| address >= base && (address - base) as usize + size <= length as usize;
    inside(bus::SRAM_BASE, bus::SRAM_SIZE) || inside(bus::CCM_BASE, bus::CCM_SIZE)
}

fn masks(uc: &Unicorn<'_, Board>) -> Result<Masks, uc_error> {
    Ok(Masks {
        primask: uc.reg_read(RegisterARM::PRIMASK)? & 1 != 0,
        faultmask: uc.reg_read(RegisterARM::FAULTMASK)? & 1 != 0,
        basepri: uc.reg_read(RegisterARM::BASEPRI)? as u8,
    })
}

/// Called before each block of instructions.
fn block_hook(uc: &mut Unicorn<'_, Board>, address: u64, size: u32) {
    let board = uc.get_data_mut();
    let mut stop = board.attention || board.cycles >= board.stop_at;
    if !stop && board.irq_waiting {
        stop = masks(uc).is_ok_and(|masks| uc.get_data().scs.nvic.deliverable(masks).is_some());
        if stop {
            uc.get_data_mut().attention = true;
        }
    }
    if stop {
        let _ = uc.emu_stop();
        return;
    }
    let board = uc.get_data_mut();
    let address = address as u32;
    board.block_pc = address;
    // Flash is seen at two places.
    let in_flash = address.wrapping_sub(bus::FLASH_BASE).min(address);
    let flash = in_flash < bus::FLASH_SIZE;
    let block = if flash {
        let (index, length) = (in_flash as usize / 2, size as usize);
        let known = board.blocks[index];
        if u32::from(known.size) == size {
            known
        } else {
            let end = (in_flash as usize + length).min(board.flash_bytes.len());
            let block = Block::measure(&board.flash_bytes[in_flash as usize..end]);
            board.blocks[index] = block;
            block
        }
    } else {
        let code = uc.mem_read_as_vec(u64::from(address), size as usize).unwrap_or_default();
        Block::measure(&code)
    };
    let board = uc.get_data_mut();
    if block.float != 0 && !board.scs.float_enabled() {
        board.float_fault = Some(u32::from(block.float) - 1);
        let _ = uc.emu_stop();
        return;
    }
    board.charge(block, flash);
}

fn after_access(uc: &mut Unicorn<'_, Board>, reports: usize) {
    // Stops at the instruction itself, so that a report can name it.
    if uc.get_data().strict && uc.get_data().reports.len() != reports {
        let _ = uc.emu_stop();
    }
}

fn map_registers(uc: &mut Uc, base: u32, size: u32) -> Result<(), Error> {
    uc.mmio_map(
        u64::from(base),
        u64::from(size),
        Some(move |uc: &mut Unicorn<'_, Board>, offset: u64, size: usize| {
            let reports = uc.get_data().reports.len();
            let value = uc.get_data_mut().read(base + offset as u32, size as u32);
            after_access(uc, reports);
            u64::from(value)
        }),
        Some(move |uc: &mut Unicorn<'_, Board>, offset: u64, size: usize, value: u64| {
            let reports = uc.get_data().reports.len();
            uc.get_data_mut().write(base + offset as u32, size as u32, value as u32);
            after_access(uc, reports);
        }),
    )?;
    Ok(())
}

/// Bit-band aliases: each word stands for a bit of the region at `target` (RM0090, 2.3.3).
fn map_bit_band(uc: &mut Uc, base: u32, target: u32, size: u32) -> Result<(), Error> {
    let locate = move |offset: u64| {
        let bit = offset as u32 / 4;
        (target + bit / 32 * 4, bit % 32)
    };
    let load = |uc: &mut Unicorn<'_, Board>, address: u32| {
        let mut bytes = [0; 4];
        if is_ram(address, 4) && uc.mem_read(u64::from(address), &mut bytes).is_ok() {
            u32::from_le_bytes(bytes)
        } else {
            uc.get_data_mut().read(address, 4)
        }
    };
    uc.mmio_map(
        u64::from(base),
        u64::from(size),
        Some(move |uc: &mut Unicorn<'_, Board>, offset: u64, _: usize| {
            let (address, bit) = locate(offset);
            let reports = uc.get_data().reports.len();
            let word = load(uc, address);
            after_access(uc, reports);
            u64::from(word >> bit & 1)
        }),
        Some(move |uc: &mut Unicorn<'_, Board>, offset: u64, _: usize, value: u64| {
            let (address, bit) = locate(offset);
            let reports = uc.get_data().reports.len();
            let word = load(uc, address) & !(1 << bit) | (value as u32 & 1) << bit;
            if is_ram(address, 4) {
                let _ = uc.mem_write(u64::from(address), &word.to_le_bytes());
            } else {
                uc.get_data_mut().write(address, 4, word);
            }
            after_access(uc, reports);
        }),
    )?;
    Ok(())
}
