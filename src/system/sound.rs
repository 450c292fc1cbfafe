// SPDX-License-Identifier: GPL-3.0-only
//! The loudspeaker: a thread that owns the sound device while something is to be heard.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rodio::buffer::SamplesBuffer;
use rodio::{ChannelCount, DeviceSinkBuilder, DeviceSinkError, MixerDeviceSink, Player, SampleRate, Source};

use super::beep::{self, RATE};
use super::music::Melody;
use crate::services::Sound;

/// An open device costs processor time even when it is silent; it is closed after this time.
const LINGER: Duration = Duration::from_secs(3);
const CHANNELS: ChannelCount = NonZero::new(1).expect("one channel");
const SAMPLE_RATE: SampleRate = NonZero::new(RATE).expect("a positive rate");

enum Command {
    Stone,
    Five,
    Music(bool),
    Suspend(bool),
}

/// Hands what is to be heard to the thread, and never waits for it.
#[derive(Clone, Debug)]
pub struct Loudspeaker {
    commands: Sender<Command>,
}

impl Default for Loudspeaker {
    /// Starts the thread. The device is opened when something is to be heard.
    fn default() -> Self {
        let (commands, inbox) = channel();
        thread::spawn(move || serve(&inbox));
        Self { commands }
    }
}

impl Loudspeaker {
    /// While the program is out of sight the device is closed and nothing is heard; music goes on
    /// when it is back.
    pub fn suspend(&self, suspended: bool) {
        self.send(Command::Suspend(suspended));
    }

    /// Music must end when it is told to, so no command is dropped; the thread is gone only when
    /// the program ends.
    fn send(&self, command: Command) {
        let _ = self.commands.send(command);
    }
}

impl Sound for Loudspeaker {
    fn stone(&mut self) {
        self.send(Command::Stone);
    }

    fn five(&mut self) {
        self.send(Command::Five);
    }

    fn set_music(&mut self, on: bool) {
        self.send(Command::Music(on));
    }

    fn has_music(&self) -> bool {
        true
    }
}

/// Nothing is heard.
#[derive(Debug)]
pub struct Silence;

impl Sound for Silence {
    fn stone(&mut self) {}
    fn five(&mut self) {}
    fn set_music(&mut self, _on: bool) {}
    fn has_music(&self) -> bool {
        true
    }
}

/// The open device and the music on it.
struct Device {
    sink: MixerDeviceSink,
    music: Option<Player>,
    lost: Arc<AtomicBool>,
    silent_at: Instant,
}

impl Device {
    fn open() -> Result<Self, DeviceSinkError> {
        let lost = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&lost);
        let mut sink = DeviceSinkBuilder::from_default_device()?
            .with_error_callback(move |_| flag.store(true, Ordering::Relaxed))
            .open_sink_or_fallback()?;
        sink.log_on_drop(false);
        Ok(Self { sink, music: None, lost, silent_at: Instant::now() })
    }

    fn play(&mut self, samples: Vec<f32>) {
        let source = SamplesBuffer::new(CHANNELS, SAMPLE_RATE, samples);
        let end = Instant::now() + source.total_duration().unwrap_or_default();
        self.silent_at = self.silent_at.max(end);
        self.sink.mixer().add(source);
    }

    fn set_music(&mut self, on: bool) {
        if !on {
            self.music = None;
            self.silent_at = self.silent_at.max(Instant::now());
        } else if self.music.is_none() {
            let player = Player::connect_new(self.sink.mixer());
            player.append(Stream(Melody::new(RATE.into())));
            self.music = Some(player);
        }
    }

    fn is_idle(&self) -> bool {
        self.music.is_none() && Instant::now() >= self.silent_at + LINGER
    }
}

/// Serves commands until the program ends.
fn serve(commands: &Receiver<Command>) {
    #[cfg(all(feature = "desktop", target_os = "linux"))]
    let _alsa_messages_kept_off_stderr = alsa::Output::local_error_handler();
    let mut output = Output::default();
    loop {
        let command = match &output.device {
            None => commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => commands.recv_timeout(LINGER),
        };
        output.close_if_lost();
        match command {
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => output.close_if_idle(),
            Ok(command) => output.obey(&command),
        }
    }
}

/// What is to be heard, and the device while there is something.
#[derive(Default)]
struct Output {
    device: Option<Device>,
    music: bool,
    suspended: bool,
    said: bool,
}

impl Output {
    fn obey(&mut self, command: &Command) {
        match command {
            Command::Music(on) => self.music = *on,
            Command::Suspend(on) => self.suspended = *on,
            Command::Stone | Command::Five => {}
        }
        if self.suspended {
            self.device = None;
            return;
        }
        let beep = match command {
            Command::Stone => Some(beep::stone()),
            Command::Five => Some(beep::five()),
            Command::Music(_) | Command::Suspend(_) => None,
        };
        if beep.is_some() || self.music {
            self.open();
        }
        if let Some(device) = &mut self.device {
            if let Some(samples) = beep {
                device.play(samples);
            }
            device.set_music(self.music);
        }
    }

    /// A device that cannot be opened, or that vanishes, is said once in the log; the game goes on
    /// silently, and the next sound tries again.
    fn open(&mut self) {
        if self.device.is_none() {
            match Device::open() {
                Ok(device) => self.device = Some(device),
                Err(error) => say_once(&mut self.said, &error.to_string()),
            }
        }
    }

    fn close_if_lost(&mut self) {
        if self.device.as_ref().is_some_and(|device| device.lost.load(Ordering::Relaxed)) {
            self.device = None;
            say_once(&mut self.said, "the sound device is gone");
        }
    }

    fn close_if_idle(&mut self) {
        if self.device.as_ref().is_some_and(Device::is_idle) {
            self.device = None;
        }
    }
}

fn say_once(said: &mut bool, cause: &str) {
    if !std::mem::replace(said, true) {
        log::warn!("no sound ({cause}); the game goes on silently");
    }
}

/// The melody as a source.
struct Stream(Melody);

impl Iterator for Stream {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        self.0.next()
    }
}

impl Source for Stream {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> ChannelCount {
        CHANNELS
    }

    fn sample_rate(&self) -> SampleRate {
        SAMPLE_RATE
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}
