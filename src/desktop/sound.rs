// SPDX-License-Identifier: GPL-3.0-only
//! The loudspeaker: a thread that owns the sound device while something is to be heard.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
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
}

/// Hands what is to be heard to the thread, and never waits for it.
#[derive(Debug)]
pub struct Loudspeaker {
    commands: SyncSender<Command>,
}

impl Loudspeaker {
    /// Starts the thread. The device is opened when something is to be heard.
    #[must_use]
    pub fn new() -> Self {
        let (commands, inbox) = sync_channel(16);
        thread::spawn(move || serve(&inbox));
        Self { commands }
    }

    /// A beep that finds the queue full or the thread gone is not worth waiting for.
    fn send(&self, command: Command) {
        let _ = self.commands.try_send(command);
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

/// `--mute`.
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

/// Serves commands until the program ends. A device that cannot be opened, or that vanishes, is
/// said once in the log; the game goes on silently, and the next sound tries again.
fn serve(commands: &Receiver<Command>) {
    #[cfg(target_os = "linux")]
    let _alsa_messages_kept_off_stderr = alsa::Output::local_error_handler();
    let mut device: Option<Device> = None;
    let mut music = false;
    let mut said = false;
    loop {
        let command = match &device {
            None => commands.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(_) => commands.recv_timeout(LINGER),
        };
        if device.as_ref().is_some_and(|device| device.lost.load(Ordering::Relaxed)) {
            device = None;
            say_once(&mut said, "the sound device is gone");
        }
        match command {
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                if device.as_ref().is_some_and(Device::is_idle) {
                    device = None;
                }
                continue;
            }
            Ok(Command::Music(false)) if device.is_none() => {
                music = false;
                continue;
            }
            Ok(command) => {
                if device.is_none() {
                    match Device::open() {
                        Ok(opened) => device = Some(opened),
                        Err(error) => say_once(&mut said, &error.to_string()),
                    }
                }
                if let Command::Music(on) = command {
                    music = on;
                }
                let Some(device) = &mut device else { continue };
                match command {
                    Command::Stone => device.play(beep::stone()),
                    Command::Five => device.play(beep::five()),
                    Command::Music(_) => {}
                }
                device.set_music(music);
            }
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
