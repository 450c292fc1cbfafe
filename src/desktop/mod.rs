// SPDX-License-Identifier: GPL-3.0-only
//! The desktop: its services, its command line and its run.

mod args;
mod beep;
mod logger;
mod music;
mod sound;
mod storage;
mod thinker;

use std::process::ExitCode;
use std::rc::Rc;

use slint::ComponentHandle;
use wuzi_engine::Color;

pub use args::{Args, NewGame};

use crate::app::App;
use crate::controller::{Action, Controller};
use crate::services::{Lamps, Services};
use crate::settings::Language;
use storage::DataDir;

/// Runs the program until its window is closed.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    logger::start();
    let data = match DataDir::open(args.data_dir.as_deref()) {
        Ok(data) => data,
        Err(error) => {
            eprintln!("wuzi: {error}");
            return ExitCode::FAILURE;
        }
    };
    match open(args, &data) {
        Ok(app) => match app.window().run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => no_window(&error),
        },
        Err(error) => no_window(&error),
    }
}

fn no_window(error: &slint::PlatformError) -> ExitCode {
    eprintln!(
        "wuzi: no window can be opened: {error}\n\
         Wuzi needs a graphical desktop: start it from one, or set DISPLAY or WAYLAND_DISPLAY."
    );
    ExitCode::FAILURE
}

fn open(args: &Args, data: &DataDir) -> Result<Rc<App>, slint::PlatformError> {
    slint::BackendSelector::new().renderer_name(args.renderer.name().into()).select()?;
    let settings = data.load_settings();
    let kept = data.load_session();
    let services = Services {
        sound: if args.mute { Box::new(sound::Silence) } else { Box::new(sound::Loudspeaker::new()) },
        lamps: Box::new(DrawnLamps),
        storage: Box::new(data.clone()),
        thinker: Box::new(thinker::Worker::new(args.seed, deliver)),
    };
    let language = args.lang.unwrap_or_else(system_language);
    let mut controller = Controller::new(services, settings, language, kept.as_ref());
    if args.lang.is_some() {
        controller.override_language(language);
    }
    let app = App::new(controller)?;
    APP.with_borrow_mut(|slot| *slot = Rc::downgrade(&app));
    match args.new {
        None => {}
        Some(NewGame::Pvp) => app.act(Action::PlayPvp),
        Some(NewGame::Pve(level)) => {
            app.act(Action::PlayPve);
            app.act(Action::Start(level));
        }
    }
    Ok(app)
}

thread_local! {
    static APP: std::cell::RefCell<std::rc::Weak<App>> = const { std::cell::RefCell::new(std::rc::Weak::new()) };
}

/// Brings what a worker thread has found to the app on the interface's thread.
fn deliver(thought: crate::services::Thought) {
    let delivered = slint::invoke_from_event_loop(move || {
        if let Some(app) = APP.with_borrow(std::rc::Weak::upgrade) {
            app.act(Action::Thought(thought));
        }
    });
    if let Err(error) = delivered {
        log::debug!("a move came after the end: {error}");
    }
}

/// Chinese on a Chinese system, else English.
fn system_language() -> Language {
    match sys_locale::get_locale() {
        Some(locale) if locale.to_ascii_lowercase().starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
}

/// On the desktop the lamps are drawn on the game page.
struct DrawnLamps;

impl Lamps for DrawnLamps {
    fn show(&mut self, _side: Option<Color>) {}
}
