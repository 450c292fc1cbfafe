// SPDX-License-Identifier: GPL-2.0-only
//! The board in a window: the LCD, and beside it lamps, buzzer and keys. The mouse is the finger; the
//! serial line is printed in the terminal.

use std::io::Write;
use std::time::{Duration, Instant};

use font8x8::UnicodeFonts;
use minifb::{Key as Keyboard, MouseButton, MouseMode, ScaleMode, Window, WindowOptions};

use crate::board::Key;
use crate::chip::lcd::{HEIGHT, WIDTH};
use crate::machine::Machine;

const LCD_WIDTH: usize = WIDTH as usize;
const SIDE: usize = 120;
const TOTAL_WIDTH: usize = LCD_WIDTH + SIDE;
const TOTAL_HEIGHT: usize = HEIGHT as usize;

/// At most this much emulated time passes between two pictures.
const LONGEST_STEP: Duration = Duration::from_millis(50);

const BOARD_COLOUR: u32 = 0x1B4D3E;
const TEXT_COLOUR: u32 = 0xF0F0E8;
const DARK_LAMP: u32 = 0x303030;
const KEY_UP: u32 = 0x404448;
const KEY_DOWN: u32 = 0x8A9098;

/// A rectangle of the window: left, top, width, height.
type Area = (usize, usize, usize, usize);

/// The keys with their places, and the keyboard keys that press them as well.
const KEYS: [(Key, &str, Area, Keyboard); 4] = [
    (Key::WkUp, "WK_UP", (LCD_WIDTH + 15, 300, 90, 60), Keyboard::Up),
    (Key::Key2, "KEY2", (LCD_WIDTH + 15, 380, 90, 60), Keyboard::Key2),
    (Key::Key1, "KEY1", (LCD_WIDTH + 15, 460, 90, 60), Keyboard::Key1),
    (Key::Key0, "KEY0", (LCD_WIDTH + 15, 540, 90, 60), Keyboard::Key0),
];
const RESET: Area = (LCD_WIDTH + 15, 640, 90, 40);
const POWER: Area = (LCD_WIDTH + 15, 700, 90, 40);

fn inside((left, top, width, height): Area, (x, y): (usize, usize)) -> bool {
    (left..left + width).contains(&x) && (top..top + height).contains(&y)
}

struct Canvas(Vec<u32>);

impl Canvas {
    fn fill(&mut self, (left, top, width, height): Area, colour: u32) {
        for row in top..top + height {
            self.0[row * TOTAL_WIDTH + left..][..width].fill(colour);
        }
    }

    fn text(&mut self, left: usize, top: usize, text: &str) {
        for (index, character) in text.chars().enumerate() {
            let glyph = font8x8::BASIC_FONTS.get(character).unwrap_or([0xFF; 8]);
            for (row, bits) in glyph.into_iter().enumerate() {
                for column in (0..8).filter(|column| bits >> column & 1 != 0) {
                    self.0[(top + row) * TOTAL_WIDTH + left + 8 * index + column] = TEXT_COLOUR;
                }
            }
        }
    }

    fn label(&mut self, area: Area, colour: u32, text: &str) {
        self.fill(area, colour);
        let (left, top, width, height) = area;
        self.text(left + (width - 8 * text.len()) / 2, top + (height - 8) / 2, text);
    }

    fn draw(&mut self, machine: &Machine, pressed: &[bool; 4]) {
        self.0.fill(BOARD_COLOUR);
        if let Some(frame) = machine.frame().filter(|_| machine.visible()) {
            for (row, rgb) in frame.to_rgb8().chunks(3 * LCD_WIDTH).enumerate() {
                for (column, pixel) in rgb.chunks(3).enumerate() {
                    self.0[row * TOTAL_WIDTH + column] =
                        u32::from(pixel[0]) << 16 | u32::from(pixel[1]) << 8 | u32::from(pixel[2]);
                }
            }
        } else {
            self.fill((0, 0, LCD_WIDTH, TOTAL_HEIGHT), 0);
        }
        let [ds0, ds1] = machine.board().lamps();
        for (top, on, colour, name) in [
            (40, ds0, 0xFF3020, "DS0"),
            (90, ds1, 0x30E040, "DS1"),
            (140, machine.board().buzzer(), 0xFFD030, "BEEP"),
        ] {
            self.fill((LCD_WIDTH + 20, top, 24, 24), if on { colour } else { DARK_LAMP });
            self.text(LCD_WIDTH + 56, top + 8, name);
        }
        for ((_, name, area, _), &down) in KEYS.iter().zip(pressed) {
            self.label(*area, if down { KEY_DOWN } else { KEY_UP }, name);
        }
        self.label(RESET, KEY_UP, "RESET");
        self.label(POWER, KEY_UP, "POWER");
    }
}

/// Where the mouse points to in the picture, which is scaled to the window with its proportions kept.
fn mouse(window: &Window) -> Option<(usize, usize)> {
    let (x, y) = window.get_unscaled_mouse_pos(MouseMode::Discard)?;
    let (width, height) = window.get_size();
    let scale = (width as f32 / TOTAL_WIDTH as f32).min(height as f32 / TOTAL_HEIGHT as f32);
    let left = (width as f32 - scale * TOTAL_WIDTH as f32) / 2.0;
    let top = (height as f32 - scale * TOTAL_HEIGHT as f32) / 2.0;
    let (x, y) = ((x - left) / scale, (y - top) / scale);
    (x >= 0.0 && y >= 0.0 && x < TOTAL_WIDTH as f32 && y < TOTAL_HEIGHT as f32)
        .then_some((x as usize, y as usize))
}

/// Shows the board until the window is closed. `keep` is called when the EEPROM has changed, so that
/// nothing is lost however the program ends.
///
/// # Errors
/// If no window can be opened, the program does something that is not modelled, or `keep` fails.
pub fn show(
    machine: &mut Machine,
    mut keep: impl FnMut(&Machine) -> Result<(), String>,
) -> Result<(), String> {
    let options =
        WindowOptions { resize: true, scale_mode: ScaleMode::AspectRatioStretch, ..WindowOptions::default() };
    let mut window = Window::new("Wuzi board", TOTAL_WIDTH, TOTAL_HEIGHT, options)
        .map_err(|error| format!("no window can be opened ({error}); `run` works without one"))?;
    window.set_target_fps(60);
    #[cfg(feature = "sound")]
    let sound = sound::Buzzer::open();

    let mut canvas = Canvas(vec![0; TOTAL_WIDTH * TOTAL_HEIGHT]);
    let (mut pressed, mut finger, mut shown) = ([false; 4], None, 0);
    let mut was_down = false;
    let mut kept = machine.eeprom().cells().to_vec();
    let mut before = Instant::now();
    while window.is_open() && !window.is_key_down(Keyboard::Escape) {
        let down = window.get_mouse_down(MouseButton::Left);
        let at = mouse(&window).filter(|_| down);
        for (index, &(key, _, area, keyboard)) in KEYS.iter().enumerate() {
            let now = window.is_key_down(keyboard) || at.is_some_and(|at| inside(area, at));
            if now != std::mem::replace(&mut pressed[index], now) {
                machine.key(key, now);
            }
        }
        if down && !was_down {
            let clicked = |area| at.is_some_and(|at| inside(area, at));
            if clicked(RESET) {
                machine.reset().map_err(|error| error.to_string())?;
            } else if clicked(POWER) {
                machine.power_cut().map_err(|error| error.to_string())?;
            }
        }
        was_down = down;
        let touched = at.filter(|&(x, _)| x < LCD_WIDTH);
        if touched != finger {
            match touched {
                Some((x, y)) => machine.touch(x as u16, y as u16),
                None => machine.release(),
            }
            finger = touched;
        }

        let passed = before.elapsed().min(LONGEST_STEP);
        before = Instant::now();
        machine.run_for(passed).map_err(|error| error.to_string())?;
        #[cfg(feature = "sound")]
        sound.set(machine.board().buzzer());

        let text = machine.uart();
        if text.len() > shown {
            print!("{}", &text[shown..]);
            let _ = std::io::stdout().flush();
            shown = text.len();
        }
        if machine.eeprom().cells() != kept {
            kept = machine.eeprom().cells().to_vec();
            keep(machine)?;
        }
        canvas.draw(machine, &pressed);
        window.update_with_buffer(&canvas.0, TOTAL_WIDTH, TOTAL_HEIGHT).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[cfg(feature = "sound")]
mod sound {
    //! The buzzer on the computer's loudspeaker.

    use rodio::source::SquareWave;
    use rodio::{DeviceSinkBuilder, MixerDeviceSink, Player, Source};

    /// The tone of the board's buzzer, about 2.7 kHz.
    const TONE: f32 = 2700.0;

    pub struct Buzzer(Option<(MixerDeviceSink, Player)>);

    impl Buzzer {
        /// Opens the default device; without one the buzzer stays silent.
        pub fn open() -> Self {
            let opened = DeviceSinkBuilder::open_default_sink().map(|mut sink| {
                sink.log_on_drop(false);
                let player = Player::connect_new(sink.mixer());
                player.append(SquareWave::new(TONE).amplify(0.1));
                player.pause();
                (sink, player)
            });
            if let Err(error) = &opened {
                eprintln!("wuzi-board: the buzzer stays silent: {error}");
            }
            Self(opened.ok())
        }

        pub fn set(&self, on: bool) {
            match &self.0 {
                Some((_, player)) if on => player.play(),
                Some((_, player)) => player.pause(),
                None => {}
            }
        }
    }
}
