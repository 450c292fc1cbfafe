// SPDX-License-Identifier: GPL-2.0-only
//! What all LCD controllers of the board's modules share: picture memory, window, orientation, and power.

use super::ili9806::Ili9806;
use super::nt35510::Nt35510;
use crate::event::{EventKind, Log, Now};

/// Width in portrait.
pub const WIDTH: u16 = 480;
/// Height in portrait.
pub const HEIGHT: u16 = 800;

/// Sleep out needs this long before the display may be switched on, in nanoseconds.
const SLEEP_OUT: u64 = 120_000_000;
/// A software reset needs this long before the next command, in nanoseconds.
const RESET: u64 = 5_000_000;

/// A picture in RGB565, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Pixels per row.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Red in the upper five bits, green in the middle six, blue in the lower five.
    pub pixels: Vec<u16>,
}

impl Frame {
    /// The pixel at column `x` of row `y`, or `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u16, y: u16) -> Option<u16> {
        (x < self.width)
            .then(|| self.pixels.get(usize::from(y) * usize::from(self.width) + usize::from(x)).copied())?
    }
}

/// How the panel takes the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transfer {
    /// No memory access is under way.
    None,
    /// Pixels are written.
    Write,
    /// Pixels are read: reads so far.
    Read(u32),
}

/// Picture memory and state of the glass.
#[derive(Debug)]
pub struct Panel {
    pixels: Vec<u16>,
    /// First and last column, first and last row, as last written.
    pub window: [u16; 4],
    cursor: (u16, u16),
    transfer: Transfer,
    /// The memory access control register: bits 7 MY, 6 MX, 5 MV, 3 BGR, 1 and 0 flips.
    pub access: u8,
    /// The pixel format register.
    pub format: u8,
    inverted: bool,
    on: bool,
    awake_since: Option<u64>,
    reset_at: Option<u64>,
}

impl Default for Panel {
    fn default() -> Self {
        Self {
            // The memory is undefined at power-on: neither black nor white.
            pixels: (0..usize::from(WIDTH) * usize::from(HEIGHT))
                .map(|at| ((at * 40_503) >> 4) as u16)
                .collect(),
            window: [0, WIDTH - 1, 0, HEIGHT - 1],
            cursor: (0, 0),
            transfer: Transfer::None,
            access: 0,
            format: 0x77,
            inverted: false,
            on: false,
            awake_since: None,
            reset_at: None,
        }
    }
}

impl Panel {
    /// True if the picture can be seen (with the backlight on).
    #[must_use]
    pub fn visible(&self) -> bool {
        self.on && self.awake_since.is_some()
    }

    /// The picture memory as the glass shows it.
    #[must_use]
    pub fn frame(&self) -> Frame {
        let (width, height) = (usize::from(WIDTH), usize::from(HEIGHT));
        let mut pixels = self.pixels.clone();
        if self.access & 2 != 0 {
            pixels.chunks_mut(width).for_each(<[u16]>::reverse);
        }
        if self.access & 1 != 0 {
            pixels = (0..height).rev().flat_map(|row| pixels[row * width..][..width].to_vec()).collect();
        }
        if self.access & 8 != 0 {
            for pixel in &mut pixels {
                *pixel = *pixel << 11 | *pixel & 0x07E0 | *pixel >> 11;
            }
        }
        if self.inverted {
            pixels.iter_mut().for_each(|pixel| *pixel = !*pixel);
        }
        Frame { width: WIDTH, height: HEIGHT, pixels }
    }

    /// Warns of a command that comes too soon after a software reset.
    pub fn check_ready(&self, now: Now, log: &mut Log) {
        if self.reset_at.is_some_and(|at| now.ns < at + RESET) {
            log.warn(now, "LCD: a command within 5 ms of the software reset");
        }
    }

    /// Software reset.
    pub fn reset(&mut self, now: Now) {
        let pixels = std::mem::take(&mut self.pixels);
        *self = Self { pixels, reset_at: Some(now.ns), ..Self::default() };
    }

    /// Sleep in or out.
    pub fn sleep(&mut self, asleep: bool, now: Now, log: &mut Log) {
        if asleep == self.awake_since.is_none() {
            return;
        }
        self.awake_since = (!asleep).then_some(now.ns);
        log.push(now, EventKind::Lcd(if asleep { "sleep".into() } else { "awake".into() }));
    }

    /// Display on or off.
    pub fn display(&mut self, on: bool, now: Now, log: &mut Log) {
        if on {
            match self.awake_since {
                None => log.warn(now, "LCD: display on while asleep"),
                Some(at) if now.ns < at + SLEEP_OUT => log.warn(
                    now,
                    format!(
                        "LCD: display on {} us after sleep out, which needs 120 ms",
                        (now.ns - at) / 1000
                    ),
                ),
                Some(_) => {}
            }
        }
        if on != self.on {
            log.push(now, EventKind::Lcd(if on { "display on".into() } else { "display off".into() }));
        }
        self.on = on;
    }

    /// Inverts the picture or not.
    pub fn invert(&mut self, inverted: bool) {
        self.inverted = inverted;
    }

    /// Ends a memory access.
    pub fn end(&mut self) {
        self.transfer = Transfer::None;
    }

    /// Starts writing at the window's first pixel.
    pub fn start_write(&mut self, now: Now, log: &mut Log) {
        let (columns, rows) = if self.access & 0x20 != 0 { (HEIGHT, WIDTH) } else { (WIDTH, HEIGHT) };
        let [left, right, top, bottom] = self.window;
        if left > right || right >= columns || top > bottom || bottom >= rows {
            log.warn(now, format!("LCD: the window {left}-{right}, {top}-{bottom} is not on the panel"));
        }
        if self.format & 7 != 5 {
            log.warn(now, format!("LCD: pixel format {:#04x} is not modelled, only 16 bit", self.format));
        }
        self.cursor = (left, top);
        self.transfer = Transfer::Write;
    }

    /// Starts reading at the window's first pixel.
    pub fn start_read(&mut self) {
        self.cursor = (self.window[0], self.window[2]);
        self.transfer = Transfer::Read(0);
    }

    /// True if data are pixels now.
    #[must_use]
    pub fn writing(&self) -> bool {
        self.transfer == Transfer::Write
    }

    /// Where in the memory the cursor's pixel lies.
    fn index(&self, (column, row): (u16, u16)) -> Option<usize> {
        let (mut x, mut y) = if self.access & 0x20 != 0 { (row, column) } else { (column, row) };
        if x >= WIDTH || y >= HEIGHT {
            return None;
        }
        if self.access & 0x40 != 0 {
            x = WIDTH - 1 - x;
        }
        if self.access & 0x80 != 0 {
            y = HEIGHT - 1 - y;
        }
        Some(usize::from(y) * usize::from(WIDTH) + usize::from(x))
    }

    fn advance(&mut self) {
        let [left, right, top, bottom] = self.window;
        let (column, row) = self.cursor;
        self.cursor = if column < right {
            (column + 1, row)
        } else if row < bottom {
            (left, row + 1)
        } else {
            (left, top)
        };
    }

    /// Writes a pixel.
    pub fn write(&mut self, pixel: u16) {
        if let Some(index) = self.index(self.cursor) {
            self.pixels[index] = pixel;
        }
        self.advance();
    }

    /// One bus read of a memory read: a dummy, then red and green, blue and red, green and blue.
    pub fn read(&mut self) -> u16 {
        let Transfer::Read(count) = self.transfer else { return 0 };
        self.transfer = Transfer::Read(count + 1);
        let pixel = |panel: &Self, at| panel.index(at).map_or(0, |index| panel.pixels[index]);
        let parts = |pixel: u16| (pixel >> 8 & 0xF8, pixel >> 3 & 0xFC, pixel << 3 & 0xF8);
        let (red, green, blue) = parts(pixel(self, self.cursor));
        match count {
            0 => 0,
            count if count % 3 == 1 => red << 8 | green,
            count if count % 3 == 2 => {
                self.advance();
                blue << 8 | parts(pixel(self, self.cursor)).0
            }
            _ => {
                self.advance();
                green << 8 | blue
            }
        }
    }
}

/// Which LCD module is plugged in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LcdKind {
    /// The board's usual one.
    #[default]
    Nt35510,
    /// Of newer modules.
    Ili9806,
    /// A controller that answers with this identification to command D3 and understands nothing else.
    Unknown(u16),
    /// No module: the bus floats.
    Absent,
}

/// The module on the bus.
#[derive(Debug)]
pub enum Lcd {
    /// NT35510.
    Nt35510(Box<Nt35510>),
    /// ILI9806.
    Ili9806(Box<Ili9806>),
    /// Something else.
    Unknown {
        /// Identification.
        id: u16,
        /// The last command.
        command: u16,
        /// Reads since then.
        reads: u32,
    },
    /// Nothing.
    Absent,
}

impl Lcd {
    /// A module as it is when power comes.
    #[must_use]
    pub fn new(kind: LcdKind) -> Self {
        match kind {
            LcdKind::Nt35510 => Self::Nt35510(Box::default()),
            LcdKind::Ili9806 => Self::Ili9806(Box::default()),
            LcdKind::Unknown(id) => Self::Unknown { id, command: 0, reads: 0 },
            LcdKind::Absent => Self::Absent,
        }
    }

    /// The glass, if it can show a picture.
    #[must_use]
    pub fn panel(&self) -> Option<&Panel> {
        match self {
            Self::Nt35510(lcd) => Some(&lcd.panel),
            Self::Ili9806(lcd) => Some(&lcd.panel),
            Self::Unknown { .. } | Self::Absent => None,
        }
    }

    /// A bus write with RS high, if it is a pixel: by far the most frequent access. False if it is something else.
    pub fn pixel(&mut self, value: u16) -> bool {
        let panel = match self {
            Self::Nt35510(lcd) => &mut lcd.panel,
            Self::Ili9806(lcd) => &mut lcd.panel,
            Self::Unknown { .. } | Self::Absent => return false,
        };
        let writing = panel.writing();
        if writing {
            panel.write(value);
        }
        writing
    }

    /// A bus write with RS low.
    pub fn command(&mut self, value: u16, now: Now, log: &mut Log) {
        match self {
            Self::Nt35510(lcd) => lcd.command(value, now, log),
            Self::Ili9806(lcd) => lcd.command(value, now, log),
            Self::Unknown { command, reads, .. } => (*command, *reads) = (value, 0),
            Self::Absent => {}
        }
    }

    /// A bus write with RS high.
    pub fn write(&mut self, value: u16, now: Now, log: &mut Log) {
        match self {
            Self::Nt35510(lcd) => lcd.write(value, now, log),
            Self::Ili9806(lcd) => lcd.write(value, now, log),
            Self::Unknown { .. } | Self::Absent => {}
        }
    }

    /// A bus read with RS high.
    pub fn read(&mut self, now: Now, log: &mut Log) -> u16 {
        match self {
            Self::Nt35510(lcd) => lcd.read(now, log),
            Self::Ili9806(lcd) => lcd.read(now, log),
            Self::Unknown { id, command: 0xD3, reads } => {
                *reads += 1;
                match *reads {
                    3 => *id >> 8,
                    4 => *id & 0xFF,
                    _ => 0,
                }
            }
            Self::Unknown { .. } => 0,
            Self::Absent => 0xFFFF,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(access: u8, window: [u16; 4], count: u16) -> Panel {
        let mut panel = Panel { access, window, format: 0x55, ..Panel::default() };
        panel.pixels.fill(0);
        panel.start_write(Now::default(), &mut Log::default());
        (1..=count).for_each(|pixel| panel.write(pixel));
        panel
    }

    #[test]
    fn pixels_fill_the_window_row_by_row_and_start_over() {
        let frame = filled(0, [10, 11, 20, 21], 5).frame();
        let at = |x, y| frame.pixel(x, y);
        assert_eq!([at(10, 20), at(11, 20), at(10, 21), at(11, 21)], [Some(5), Some(2), Some(3), Some(4)]);
        assert_eq!([at(9, 20), at(12, 20), at(480, 0)], [Some(0), Some(0), None]);
    }

    #[test]
    fn orientation_turns_and_mirrors() {
        assert_eq!(filled(0x40, [0, 1, 0, 0], 2).frame().pixel(479, 0), Some(1));
        assert_eq!(filled(0x80, [0, 1, 0, 0], 2).frame().pixel(0, 799), Some(1));
        let turned = filled(0x20, [0, 799, 0, 0], 800).frame();
        assert_eq!((turned.pixel(0, 0), turned.pixel(0, 799)), (Some(1), Some(800)));
        assert_eq!(filled(0x08, [0, 0, 0, 0], 1).frame().pixel(0, 0), Some(1 << 11), "blue first");
        assert_eq!(filled(0x03, [0, 0, 0, 0], 1).frame().pixel(479, 799), Some(1));
    }

    #[test]
    fn a_window_off_the_panel_is_warned_of() {
        let mut log = Log::default();
        let mut panel = Panel { window: [0, 480, 0, 0], format: 0x55, ..Panel::default() };
        panel.start_write(Now::default(), &mut log);
        assert_eq!(log.events().len(), 1);
    }

    #[test]
    fn memory_is_read_in_bytes_of_colour() {
        let mut panel = filled(0, [0, 1, 0, 0], 0);
        panel.write(0xF81F);
        panel.write(0x07E0);
        panel.start_read();
        assert_eq!([panel.read(), panel.read(), panel.read(), panel.read()], [0, 0xF800, 0xF800, 0xFC00]);
    }

    #[test]
    fn display_on_needs_120_ms_of_sleep_out() {
        for (wait, warnings) in [(120_000, 1), (120_000_000, 0)] {
            let (mut panel, mut log) = (Panel::default(), Log::default());
            panel.sleep(false, Now::default(), &mut log);
            panel.display(true, Now { ns: wait, cycles: 0 }, &mut log);
            let warned =
                log.events().iter().filter(|event| matches!(event.kind, EventKind::Warning(_))).count();
            assert_eq!((warned, panel.visible()), (warnings, true));
        }
    }
}
