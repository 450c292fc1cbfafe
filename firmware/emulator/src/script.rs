// SPDX-License-Identifier: GPL-2.0-only
//! Scripts: one command a line, words as in a shell, `#` starts a comment. See the README for all commands.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::board::Key;
use crate::chip::lcd::{Frame, LcdKind};
use crate::chip::touch::TouchKind;
use crate::chip::xpt2046::Noise;
use crate::event::EventKind;
use crate::machine::Machine;
use crate::peripheral::rng;
use crate::signal;

/// What went wrong in a script, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The line, from 1.
    pub line: usize,
    /// What.
    pub what: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ScriptError {}

/// One command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `wait TIME`
    Wait(Duration),
    /// `until TIME TEXT`: waits until the serial line has shown the text since the last `until` or `mark`.
    Until(Duration, String),
    /// `tap X Y`
    Tap(u16, u16),
    /// `touch X Y`, also to move
    Touch(u16, u16),
    /// `release`
    Release,
    /// `press KEY`
    Press(Key),
    /// `key KEY down|up`
    Key(Key, bool),
    /// `send TEXT`
    Send(String),
    /// `mark`: lamps, buzzer and serial text count from here.
    Mark,
    /// `shot NAME`: writes NAME.png.
    Shot(String),
    /// `reset`
    Reset,
    /// `power-cut` or `power-cut CYCLE`
    PowerCut(Option<u64>),
    /// `lcd KIND`, from the next power-on
    Lcd(LcdKind),
    /// `panel KIND`, from the next power-on
    Panel(TouchKind),
    /// `stuck eeprom|touch PULSES`
    Stuck(Bus, u32),
    /// `nack eeprom|touch COUNT`
    Nack(Bus, u32),
    /// `rng ok|clock|silent|seed COUNT`
    Rng(rng::Fault),
    /// `worn ADDRESS...`
    Worn(Vec<u8>),
    /// `slow TIME`: how long the EEPROM takes for a write.
    Slow(Duration),
    /// `hang`
    Hang,
    /// `jump PLACE`
    Jump(Place),
    /// `stack PLACE BYTES`: so much is left of the stack, whose lowest address is the place.
    Stack(Place, u32),
    /// `poke PLACE BYTE...`
    Poke(Place, Vec<u8>),
    /// `expect …`
    Expect(Check),
}

/// A place in the chip's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Its address.
    Address(u32),
    /// The symbol there, as the linker names it.
    Symbol(String),
}

impl Place {
    fn address(&self, machine: &Machine) -> Result<u32, String> {
        match self {
            Self::Address(address) => Ok(*address),
            Self::Symbol(name) => {
                machine.image().symbol(name).ok_or_else(|| format!("the program has no symbol {name}"))
            }
        }
    }
}

/// An I2C bus of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bus {
    /// To the EEPROM.
    Eeprom,
    /// To the touch panel.
    Touch,
}

/// What a script checks.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// `expect picture FILE [PIXELS]`: the LCD shows the picture, with at most so many pixels different.
    Picture(PathBuf, usize),
    /// `expect pixel X Y RRGGBB|0xRGB565`
    Pixel(u16, u16, u16),
    /// `expect visible` or `expect dark`
    Visible(bool),
    /// `expect uart TEXT`: since the mark.
    Uart(String),
    /// `expect no-uart TEXT`: not since the mark.
    NoUart(String),
    /// `expect lamp DS0|DS1 on|off`
    Lamp(u8, bool),
    /// `expect lamp DS0|DS1 HERTZ`: since the mark, within 5 %.
    Blinks(u8, f64),
    /// `expect buzzer MS...`: the sounds since the mark, each within 20 ms; none for silence.
    Buzzer(Vec<u64>),
    /// `expect resets COUNT`: since power first came.
    Resets(u32),
    /// `expect no-warnings`
    NoWarnings,
    /// `expect no-faults`
    NoFaults,
}

/// Reads an LCD's name: `nt35510`, `ili9806`, `absent`, or a number for an unknown one.
///
/// # Errors
/// If it is none of these.
pub fn lcd_kind(text: &str) -> Result<LcdKind, String> {
    match text {
        "nt35510" => Ok(LcdKind::Nt35510),
        "ili9806" => Ok(LcdKind::Ili9806),
        "absent" => Ok(LcdKind::Absent),
        _ => small(text).map(LcdKind::Unknown).map_err(|_| format!("no such LCD: {text}")),
    }
}

/// Reads a touch controller's name: `911`, `9147`, `1158`, `9271`, `ott2001a`, `ft5206`, `resistive`, `absent`.
///
/// # Errors
/// If it is none of these.
pub fn touch_kind(text: &str) -> Result<TouchKind, String> {
    match text {
        "911" | "9147" | "1158" | "9271" => Ok(TouchKind::Gt { id: text.into(), version: 0x60 }),
        "ott2001a" => Ok(TouchKind::Ott2001a),
        "ft5206" => Ok(TouchKind::Ft5206),
        "resistive" => Ok(TouchKind::Resistive(Noise::default())),
        "absent" => Ok(TouchKind::Absent),
        _ => Err(format!("no such touch controller: {text}")),
    }
}

fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.replace('_', "").parse(),
    };
    parsed.map_err(|_| format!("{text} is no number"))
}

fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("{text} is no time; write for example 500ms or 2s"))
}

fn key(text: &str) -> Result<Key, String> {
    match text.to_ascii_uppercase().as_str() {
        "KEY0" => Ok(Key::Key0),
        "KEY1" => Ok(Key::Key1),
        "KEY2" => Ok(Key::Key2),
        "WK_UP" => Ok(Key::WkUp),
        _ => Err(format!("no such key: {text} (KEY0, KEY1, KEY2, WK_UP)")),
    }
}

fn lamp(text: &str) -> Result<u8, String> {
    match text {
        "DS0" => Ok(0),
        "DS1" => Ok(1),
        _ => Err(format!("no such lamp: {text} (DS0, DS1)")),
    }
}

fn bus(text: &str) -> Result<Bus, String> {
    match text {
        "eeprom" => Ok(Bus::Eeprom),
        "touch" => Ok(Bus::Touch),
        _ => Err(format!("no such bus: {text} (eeprom, touch)")),
    }
}

fn colour(text: &str) -> Result<u16, String> {
    if text.starts_with("0x") {
        return small(text);
    }
    match (text.len(), u32::from_str_radix(text, 16)) {
        (6, Ok(rgb)) => Ok((rgb >> 8 & 0xF800 | rgb >> 5 & 0x07E0 | rgb >> 3 & 0x1F) as u16),
        _ => Err(format!("{text} is no colour; write RRGGBB or a 16-bit number as 0xF800")),
    }
}

fn place(text: &str) -> Result<Place, String> {
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        small(text).map(Place::Address)
    } else {
        Ok(Place::Symbol(text.into()))
    }
}

fn bytes(words: &[&str]) -> Result<Vec<u8>, String> {
    words.iter().map(|word| small(word)).collect()
}

fn small<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    T::try_from(number(text)?).map_err(|_| format!("{text} is too large"))
}

fn command(words: &[&str]) -> Result<Command, String> {
    Ok(match *words {
        ["wait", duration] => Command::Wait(time(duration)?),
        ["until", duration, text] => Command::Until(time(duration)?, text.into()),
        ["tap", x, y] => Command::Tap(small(x)?, small(y)?),
        ["touch", x, y] => Command::Touch(small(x)?, small(y)?),
        ["release"] => Command::Release,
        ["press", name] => Command::Press(key(name)?),
        ["key", name, "down"] => Command::Key(key(name)?, true),
        ["key", name, "up"] => Command::Key(key(name)?, false),
        ["send", text] => Command::Send(text.into()),
        ["mark"] => Command::Mark,
        ["shot", name] => Command::Shot(name.into()),
        ["reset"] => Command::Reset,
        ["power-cut"] => Command::PowerCut(None),
        ["power-cut", cycle] => Command::PowerCut(Some(number(cycle)?)),
        ["lcd", kind] => Command::Lcd(lcd_kind(kind)?),
        ["panel", kind] => Command::Panel(touch_kind(kind)?),
        ["stuck", which, pulses] => Command::Stuck(bus(which)?, small(pulses)?),
        ["nack", which, count] => Command::Nack(bus(which)?, small(count)?),
        ["rng", "ok"] => Command::Rng(rng::Fault::None),
        ["rng", "clock"] => Command::Rng(rng::Fault::Clock),
        ["rng", "silent"] => Command::Rng(rng::Fault::Silent),
        ["rng", "seed", count] => Command::Rng(rng::Fault::Seed(small(count)?)),
        ["worn", ref cells @ ..] if !cells.is_empty() => Command::Worn(bytes(cells)?),
        ["slow", duration] => Command::Slow(time(duration)?),
        ["hang"] => Command::Hang,
        ["jump", to] => Command::Jump(place(to)?),
        ["stack", bottom, left] => Command::Stack(place(bottom)?, small(left)?),
        ["poke", at, ref values @ ..] if !values.is_empty() => Command::Poke(place(at)?, bytes(values)?),
        ["expect", ref rest @ ..] => Command::Expect(check(rest)?),
        _ => return Err(format!("not understood: {}", words.join(" "))),
    })
}

fn check(words: &[&str]) -> Result<Check, String> {
    Ok(match *words {
        ["picture", file] => Check::Picture(file.into(), 0),
        ["picture", file, pixels] => Check::Picture(file.into(), small(pixels)?),
        ["pixel", x, y, value] => Check::Pixel(small(x)?, small(y)?, colour(value)?),
        ["visible"] => Check::Visible(true),
        ["dark"] => Check::Visible(false),
        ["uart", text] => Check::Uart(text.into()),
        ["no-uart", text] => Check::NoUart(text.into()),
        ["lamp", name, "on"] => Check::Lamp(lamp(name)?, true),
        ["lamp", name, "off"] => Check::Lamp(lamp(name)?, false),
        ["lamp", name, hertz] => {
            let parsed = hertz.parse().ok().filter(|hertz: &f64| hertz.is_finite() && *hertz >= 0.0);
            Check::Blinks(lamp(name)?, parsed.ok_or_else(|| format!("{hertz} is no frequency"))?)
        }
        ["buzzer", ref lengths @ ..] => {
            Check::Buzzer(lengths.iter().map(|length| number(length)).collect::<Result<_, _>>()?)
        }
        ["resets", count] => Check::Resets(small(count)?),
        ["no-warnings"] => Check::NoWarnings,
        ["no-faults"] => Check::NoFaults,
        _ => return Err(format!("not understood: expect {}", words.join(" "))),
    })
}

/// Reads a whole script.
///
/// # Errors
/// At the first line that is not understood.
pub fn parse(text: &str) -> Result<Vec<(usize, Command)>, ScriptError> {
    let mut commands = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let failed = |what: String| ScriptError { line: index + 1, what };
        let words = shlex::split(line).ok_or_else(|| failed("a quotation mark is missing".into()))?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if !words.is_empty() {
            commands.push((index + 1, command(&words).map_err(failed)?));
        }
    }
    Ok(commands)
}

/// A script at work.
#[derive(Debug)]
pub struct Runner<'a> {
    machine: &'a mut Machine,
    /// Where pictures to compare with are.
    base: PathBuf,
    /// Where pictures are written.
    out: PathBuf,
    mark_ns: u64,
    mark_uart: usize,
    found_uart: usize,
}

impl<'a> Runner<'a> {
    /// Prepares to act on a board: names of pictures are relative to `base`, and shots go to `out`.
    pub fn new(machine: &'a mut Machine, base: &Path, out: &Path) -> Self {
        let mark_ns = machine.now().ns;
        let mark_uart = machine.uart().len();
        Self { machine, base: base.into(), out: out.into(), mark_ns, mark_uart, found_uart: mark_uart }
    }

    /// Works off a script.
    ///
    /// # Errors
    /// At the first command that fails or check that does not hold.
    pub fn run(&mut self, commands: &[(usize, Command)]) -> Result<(), ScriptError> {
        commands.iter().try_for_each(|(line, command)| {
            self.execute(command).map_err(|what| ScriptError { line: *line, what })
        })
    }

    fn execute(&mut self, command: &Command) -> Result<(), String> {
        let machine = &mut *self.machine;
        let done = match command {
            Command::Wait(time) => machine.run_for(*time),
            Command::Until(time, text) => {
                let from = self.found_uart;
                let found = machine.run_until(*time, |machine| machine.uart()[from..].contains(text));
                match found {
                    Ok(true) => {
                        let at = machine.uart()[from..].find(text).unwrap_or(0);
                        self.found_uart = from + at + text.len();
                        Ok(())
                    }
                    Ok(false) => return Err(format!("within {time:?} the serial line did not show: {text}")),
                    Err(error) => Err(error),
                }
            }
            Command::Tap(x, y) => machine.tap(*x, *y),
            Command::Touch(x, y) => {
                machine.touch(*x, *y);
                Ok(())
            }
            Command::Release => {
                machine.release();
                Ok(())
            }
            Command::Press(key) => machine.press(*key),
            Command::Key(key, pressed) => {
                machine.key(*key, *pressed);
                Ok(())
            }
            Command::Send(text) => {
                machine.uart_send(text.as_bytes());
                Ok(())
            }
            Command::Mark => {
                self.mark_ns = machine.now().ns;
                self.mark_uart = machine.uart().len();
                self.found_uart = self.mark_uart;
                Ok(())
            }
            Command::Shot(name) => {
                let frame = machine.frame().ok_or("there is no LCD that shows pictures")?;
                return frame.save(&self.out.join(format!("{name}.png"))).map_err(|error| error.to_string());
            }
            Command::Reset => machine.reset(),
            Command::PowerCut(None) => machine.power_cut(),
            Command::PowerCut(Some(cycle)) => {
                machine.power_cut_at(*cycle);
                Ok(())
            }
            Command::Lcd(kind) => {
                machine.board_mut().set_lcd(*kind);
                Ok(())
            }
            Command::Panel(kind) => {
                machine.board_mut().set_touch(kind.clone());
                Ok(())
            }
            Command::Stuck(Bus::Eeprom, pulses) => {
                machine.board_mut().stick_eeprom_bus(*pulses);
                Ok(())
            }
            Command::Stuck(Bus::Touch, pulses) => {
                machine.board_mut().stick_touch_bus(*pulses);
                Ok(())
            }
            Command::Nack(Bus::Eeprom, count) => {
                machine.eeprom_mut().lost_acknowledges = *count;
                Ok(())
            }
            Command::Nack(Bus::Touch, count) => {
                machine.board_mut().touch.wire.lost_acknowledges = *count;
                Ok(())
            }
            Command::Rng(fault) => {
                machine.fail_rng(*fault);
                Ok(())
            }
            Command::Worn(cells) => {
                machine.eeprom_mut().wear(cells);
                Ok(())
            }
            Command::Slow(time) => {
                machine.eeprom_mut().write_cycle = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                Ok(())
            }
            Command::Hang => {
                machine.hang();
                Ok(())
            }
            Command::Jump(to) => machine.jump(to.address(machine)?),
            Command::Stack(bottom, left) => match machine.exhaust_stack(bottom.address(machine)?, *left) {
                Ok(false) => return Err(format!("the stack has no {left} bytes left above that place")),
                done => done.map(|_| ()),
            },
            Command::Poke(at, values) => {
                if !machine.set_memory(at.address(machine)?, values) {
                    return Err("there is no RAM at that place".into());
                }
                Ok(())
            }
            Command::Expect(check) => return self.check(check),
        };
        done.map_err(|error| error.to_string())
    }

    fn check(&self, check: &Check) -> Result<(), String> {
        let machine = &*self.machine;
        let frame = || machine.frame().ok_or("there is no LCD that shows pictures".to_owned());
        let uart = &machine.uart()[self.mark_uart..];
        let fail = |what: String| Err(what);
        match check {
            Check::Picture(file, allowed) => {
                let expected = Frame::load(&self.base.join(file)).map_err(|error| error.to_string())?;
                let shown = frame()?;
                let Some(different) = shown.differences(&expected) else {
                    return fail(format!("{} is not of the LCD's size", file.display()));
                };
                if different.len() > *allowed {
                    let name =
                        format!("differs-{}.png", file.file_stem().unwrap_or_default().to_string_lossy());
                    shown.save(&self.out.join(&name)).map_err(|error| error.to_string())?;
                    let (count, first) = (different.len(), different[0]);
                    return fail(format!(
                        "{count} pixels differ from {} (the first at {first:?}); see {name}",
                        file.display()
                    ));
                }
            }
            Check::Pixel(x, y, expected) => match frame()?.pixel(*x, *y) {
                Some(value) if value == *expected => {}
                value => return fail(format!("pixel {x}, {y} is {value:#06x?}, not {expected:#06x}")),
            },
            Check::Visible(expected) if machine.visible() != *expected => {
                return fail(format!("the picture is {}", if *expected { "dark" } else { "visible" }));
            }
            Check::Uart(text) if !uart.contains(text) => {
                return fail(format!("the serial line did not show: {text}"));
            }
            Check::NoUart(text) if uart.contains(text) => {
                return fail(format!("the serial line showed: {text}"));
            }
            Check::Lamp(index, on) if machine.board().lamps()[usize::from(*index)] != *on => {
                return fail(format!("DS{index} is {}", if *on { "dark" } else { "alight" }));
            }
            Check::Blinks(index, expected) => {
                let found = signal::frequency(&signal::lamp(machine.events(), *index, self.mark_ns));
                if !found.is_some_and(|found| (found - expected).abs() <= 0.05 * expected) {
                    return fail(format!("DS{index} blinks at {found:?} Hz, not {expected}"));
                }
            }
            Check::Buzzer(expected) => {
                let found: Vec<u64> = signal::buzzer(machine.events(), self.mark_ns)
                    .iter()
                    .map(|pulse| pulse.length.as_millis() as u64)
                    .collect();
                let near = |(found, expected): (&u64, &u64)| found.abs_diff(*expected) <= 20;
                if found.len() != expected.len() || !found.iter().zip(expected).all(near) {
                    return fail(format!("the buzzer sounded for {found:?} ms, not {expected:?}"));
                }
            }
            Check::Resets(expected) if machine.resets() != *expected => {
                return fail(format!("{} resets, not {expected}", machine.resets()));
            }
            Check::NoWarnings => {
                if let Some(first) = machine.warnings().first() {
                    return fail(format!("warning: {first}"));
                }
            }
            Check::NoFaults => {
                if let Some(event) =
                    machine.events().iter().find(|event| matches!(event.kind, EventKind::Fault(_)))
                {
                    return fail(event.to_string());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_line_by_line() {
        let script =
            "# a comment\nwait 1s 500ms\n\nuntil 2s 'LCD: NT35510'\ntap 240 555 # PVP\nexpect lamp DS0 1.0\n";
        // shlex keeps `1s 500ms` apart, so that line is an error.
        assert_eq!(parse(script).unwrap_err().line, 2);
        let script = script.replace("1s 500ms", "'1s 500ms'");
        assert_eq!(
            parse(&script).unwrap(),
            [
                (2, Command::Wait(Duration::from_millis(1500))),
                (4, Command::Until(Duration::from_secs(2), "LCD: NT35510".into())),
                (5, Command::Tap(240, 555)),
                (6, Command::Expect(Check::Blinks(0, 1.0))),
            ]
        );
    }

    #[test]
    fn every_word_is_checked() {
        for wrong in [
            "jump",
            "tap 1",
            "tap 1 99999999",
            "wait soon",
            "press KEY9",
            "expect lamp DS2 on",
            "lcd none",
            "lcd 0x12345",
            "slow soon",
            "hang 1",
            "jump",
            "jump 0x100000000",
            "stack _stack_end",
            "poke 0x20000000",
            "poke 0x20000000 256",
            "expect lamp DS0 nan",
            "expect pixel 1 1 0x12345",
            "panel 1",
            "expect pixel 1 1 red",
            "say \"",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn colours_are_read_in_both_notations() {
        assert_eq!((colour("ff0000"), colour("0x07E0")), (Ok(0xF800), Ok(0x07E0)));
    }
}
