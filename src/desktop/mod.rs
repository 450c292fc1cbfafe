// SPDX-License-Identifier: GPL-3.0-only
//! The desktop: its command line and its run.

mod args;
mod convert;
mod logger;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use slint::ComponentHandle;
use slint::winit_030::winit::event::WindowEvent;
use slint::winit_030::{EventResult, WinitWindowAccessor};

pub use args::{Args, Command, Convert, NewGame};

use crate::app::App;
use crate::archive::Act;
use crate::controller::{Action, Controller};
use crate::interface::Navigator;
use crate::services::Sound;
use crate::settings::Language;
use crate::system::{self, DataDir, Loudspeaker, Silence};

/// Runs the program until its window is closed.
#[must_use]
pub fn run(args: &Args) -> ExitCode {
    logger::start();
    if let Some(Command::Convert(convert)) = &args.command {
        return convert::run(convert);
    }
    let Some(path) = data_path(args.data_dir.as_deref()) else {
        eprintln!("wuzi: the system names no home directory; choose a directory with --data-dir DIR");
        return ExitCode::FAILURE;
    };
    match open(args, &DataDir::new(path)) {
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
    let sound: Box<dyn Sound> = if args.mute { Box::new(Silence) } else { Box::new(Loudspeaker::default()) };
    let services = system::services(data, sound, args.seed);
    let mut controller = Controller::new(services, settings, system_language(), kept.as_ref());
    if let Some(language) = args.lang {
        controller.override_language(language);
    }
    let app = system::open(controller)?;
    app.window().global::<Navigator>().set_can_quit(true);
    take_dropped_files(&app);
    if let Some(file) = &args.file {
        app.act(Action::Archive(Act::OpenFile(file.clone())));
    }
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

/// A file that is dropped on the window is opened.
fn take_dropped_files(app: &Rc<App>) {
    let weak = Rc::downgrade(app);
    app.window().window().on_winit_window_event(move |_, event| {
        if let WindowEvent::DroppedFile(file) = event
            && let Some(app) = weak.upgrade()
        {
            app.act(Action::Archive(Act::OpenFile(file.clone())));
        }
        EventResult::Propagate
    });
}

/// The directory `chosen`, or the user's own; `None` if the system knows no home directory.
fn data_path(chosen: Option<&Path>) -> Option<PathBuf> {
    match chosen {
        Some(path) => Some(path.to_path_buf()),
        None => Some(directories::ProjectDirs::from("", "", "wuzi")?.data_dir().to_path_buf()),
    }
}

/// Chinese on a Chinese system, else English.
fn system_language() -> Language {
    match sys_locale::get_locale() {
        Some(locale) if locale.to_ascii_lowercase().starts_with("zh") => Language::Chinese,
        _ => Language::English,
    }
}
