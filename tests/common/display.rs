// SPDX-License-Identifier: GPL-3.0-only
//! A display of its own (Xvfb) with the program in a real window: clicks, keys and pictures.
#![allow(dead_code, reason = "each program uses a part of it")]

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use wuzi_camera::Picture;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ClientMessageEvent, ConnectionExt as _, CreateWindowAux,
    EventMask, ImageFormat, InputFocus, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, MapState,
    PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// Any fault of the display.
pub type Fault = Box<dyn Error>;

/// How long anything may take on a loaded machine before it counts as not coming.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running Xvfb.
pub struct Display {
    server: Child,
    number: String,
    connection: RustConnection,
    root: Window,
}

/// The program, ended when dropped.
pub struct Program {
    child: Child,
}

impl Display {
    /// Starts Xvfb with a screen of that size on a free display.
    pub fn start(width: u16, height: u16) -> Result<Self, Fault> {
        let screen = format!("{width}x{height}x24");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", &screen])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb cannot be started ({error}); install the package xvfb"))?;
        let mut line = String::new();
        BufReader::new(server.stdout.take().ok_or("no output")?).read_line(&mut line)?;
        let number = format!(":{}", line.trim());
        let (connection, screen) = x11rb::connect(Some(&number))?;
        let root = connection.setup().roots[screen].root;
        Ok(Self { server, number, connection, root })
    }

    /// Starts the program at `path` on this display.
    pub fn run(&self, path: &Path, args: &[&str]) -> Result<Program, Fault> {
        self.run_with(path, args, &[], Stdio::inherit())
    }

    /// As [`Display::run`], with more environment and a place for the error output.
    pub fn run_with(
        &self,
        path: &Path,
        args: &[&str],
        environment: &[(&str, &str)],
        errors: Stdio,
    ) -> Result<Program, Fault> {
        let child = Command::new(path)
            .args(args)
            .stderr(errors)
            .envs(environment.iter().copied())
            .env("DISPLAY", &self.number)
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("SLINT_BACKEND")
            .env_remove("SLINT_SCALE_FACTOR")
            .stdin(Stdio::null())
            .spawn()?;
        Ok(Program { child })
    }

    /// Waits until a window is shown and gives it the keyboard.
    pub fn wait_for_window(&self) -> Result<Window, Fault> {
        let window = self.wait("a window", || {
            for &window in &self.connection.query_tree(self.root)?.reply()?.children {
                let attributes = self.connection.get_window_attributes(window)?.reply()?;
                let shape = self.connection.get_geometry(window)?.reply()?;
                if attributes.map_state == MapState::VIEWABLE && shape.width > 100 {
                    return Ok(Some(window));
                }
            }
            Ok(None)
        })?;
        self.connection.set_input_focus(InputFocus::PARENT, window, 0u32)?;
        self.connection.flush()?;
        Ok(window)
    }

    /// Asks until there is an answer.
    pub fn wait<T>(&self, what: &str, mut ask: impl FnMut() -> Result<Option<T>, Fault>) -> Result<T, Fault> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = ask()? {
                return Ok(answer);
            }
            if Instant::now() > end {
                return Err(format!("{what} did not come").into());
            }
            sleep(Duration::from_millis(5));
        }
    }

    fn input(&self, kind: u8, detail: u8, x: i16, y: i16) -> Result<(), Fault> {
        self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0)?;
        self.connection.flush()?;
        sleep(Duration::from_millis(20));
        Ok(())
    }

    /// Presses and releases the left button.
    pub fn click(&self, x: i16, y: i16) -> Result<(), Fault> {
        self.press(x, y)?;
        self.input(BUTTON_RELEASE_EVENT, 1, x, y)
    }

    /// Presses the left button.
    pub fn press(&self, x: i16, y: i16) -> Result<(), Fault> {
        self.input(MOTION_NOTIFY_EVENT, 0, x, y)?;
        self.input(BUTTON_PRESS_EVENT, 1, x, y)
    }

    /// Releases the left button and tells when.
    pub fn release(&self, x: i16, y: i16) -> Result<Instant, Fault> {
        let start = Instant::now();
        self.connection.xtest_fake_input(BUTTON_RELEASE_EVENT, 1, 0, self.root, x, y, 0)?;
        self.connection.flush()?;
        Ok(start)
    }

    /// Presses and releases the key with this X keysym.
    pub fn key(&self, keysym: u32) -> Result<(), Fault> {
        let code = self.keycode(keysym)?;
        self.input(KEY_PRESS_EVENT, code, 0, 0)?;
        self.input(KEY_RELEASE_EVENT, code, 0, 0)
    }

    /// The same while Ctrl is held.
    pub fn control_key(&self, keysym: u32) -> Result<(), Fault> {
        let control = self.keycode(0xFFE3)?;
        self.input(KEY_PRESS_EVENT, control, 0, 0)?;
        self.key(keysym)?;
        self.input(KEY_RELEASE_EVENT, control, 0, 0)
    }

    fn keycode(&self, keysym: u32) -> Result<u8, Fault> {
        let setup = self.connection.setup();
        let count = setup.max_keycode - setup.min_keycode + 1;
        let map = self.connection.get_keyboard_mapping(setup.min_keycode, count)?.reply()?;
        let index = map
            .keysyms
            .chunks(map.keysyms_per_keycode.into())
            .position(|syms| syms.first() == Some(&keysym))
            .ok_or("the keyboard lacks that key")?;
        Ok(setup.min_keycode + u8::try_from(index)?)
    }

    /// Drops a file on a window, as a file manager does by the XDND protocol.
    pub fn drop_file(&self, target: Window, path: &Path) -> Result<(), Fault> {
        let atom = |name: &str| -> Result<Atom, Fault> {
            Ok(self.connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
        };
        let (list, selection, copy) =
            (atom("text/uri-list")?, atom("XdndSelection")?, atom("XdndActionCopy")?);
        let source = self.connection.generate_id()?;
        self.connection.create_window(
            0,
            source,
            self.root,
            0,
            0,
            1,
            1,
            0,
            WindowClass::INPUT_OUTPUT,
            0,
            &CreateWindowAux::new(),
        )?;
        self.connection.set_selection_owner(source, selection, 0u32)?;
        let tell = |kind: Atom, data: [u32; 5]| -> Result<(), Fault> {
            let message = ClientMessageEvent::new(32, target, kind, data);
            self.connection.send_event(false, target, EventMask::NO_EVENT, message)?;
            self.connection.flush()?;
            Ok(())
        };
        let address: String =
            path.to_str().ok_or("a readable path")?.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let address = format!("file://{}\r\n", address.replace("%2F", "/"));
        // Serves the target, which asks for the file's address, until it has answered.
        let wait_for = |kind: Atom| {
            self.wait("an answer to the drop", || {
                while let Some(event) = self.connection.poll_for_event()? {
                    match event {
                        Event::SelectionRequest(asked) => self.answer(&asked, list, address.as_bytes())?,
                        Event::ClientMessage(message) if message.type_ == kind => return Ok(Some(())),
                        _ => {}
                    }
                }
                Ok(None)
            })
        };
        tell(atom("XdndEnter")?, [source, 5 << 24, list, 0, 0])?;
        tell(atom("XdndPosition")?, [source, 0, (100 << 16) | 100, 0, copy])?;
        wait_for(atom("XdndStatus")?)?;
        tell(atom("XdndDrop")?, [source, 0, 0, 0, 0])?;
        wait_for(atom("XdndFinished")?)
    }

    /// Hands the selection's content to who asked for it.
    fn answer(&self, asked: &SelectionRequestEvent, kind: Atom, content: &[u8]) -> Result<(), Fault> {
        self.connection.change_property8(
            PropMode::REPLACE,
            asked.requestor,
            asked.property,
            kind,
            content,
        )?;
        let answer = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: asked.time,
            requestor: asked.requestor,
            selection: asked.selection,
            target: asked.target,
            property: asked.property,
        };
        self.connection.send_event(false, asked.requestor, EventMask::NO_EVENT, answer)?;
        self.connection.flush()?;
        Ok(())
    }

    /// The upper left part of the screen.
    pub fn picture(&self, width: u16, height: u16) -> Result<Picture, Fault> {
        self.part(0, 0, width, height)
    }

    /// A part of the screen; a small one is had quickly.
    pub fn part(&self, x: i16, y: i16, width: u16, height: u16) -> Result<Picture, Fault> {
        let reply =
            self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, x, y, width, height, !0)?.reply()?;
        let pixels = reply.data.chunks_exact(4).map(|p| [p[2], p[1], p[0]]).collect();
        Ok(Picture { width: width.into(), height: height.into(), pixels })
    }

    /// The upper part of a game page, where nothing blinks.
    pub fn still_board(&self, width: u16) -> Result<Picture, Fault> {
        self.picture(width, 600)
    }

    /// The picture once it no longer changes.
    pub fn still_picture(&self, width: u16, height: u16) -> Result<Picture, Fault> {
        let mut last = self.picture(width, height)?;
        self.wait("a still picture", || {
            sleep(Duration::from_millis(250));
            let next = self.picture(width, height)?;
            let same = next == last;
            last = next;
            Ok(same.then_some(()))
        })?;
        Ok(last)
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Program {
    /// Its process number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for it to end by itself.
    pub fn wait(&mut self) -> Result<std::process::ExitStatus, Fault> {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > end {
                return Err("the program did not end".into());
            }
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
