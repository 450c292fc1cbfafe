// SPDX-License-Identifier: GPL-3.0-only
//! Binds the globals of `ui/` to the controller: one file a global or a group of small ones, each
//! with `connect` (what the user does becomes an action) and `show` (what the controller knows
//! becomes properties).

#[cfg(feature = "std")]
mod archive;
#[cfg(feature = "std")]
mod art;
mod dialogs;
mod game;
mod navigator;
#[cfg(feature = "std")]
mod network;
mod settings;

use slint::ComponentHandle;

use crate::app::Actor;
use crate::controller::Controller;
use crate::interface::{AppWindow, Machine};

/// What the interface repeats over.
#[derive(Default)]
pub(crate) struct Models {
    game: game::Models,
    #[cfg(feature = "std")]
    archive: archive::Models,
    #[cfg(feature = "std")]
    network: network::Models,
}

/// Connects every callback.
pub(crate) fn connect(window: &AppWindow, models: &Models, actor: &Actor) {
    #[cfg(feature = "std")]
    art::connect(window);
    // A microcontroller has no time for movements.
    window.global::<Machine>().set_animated(cfg!(feature = "std"));
    navigator::connect(window, actor);
    dialogs::connect(window, actor);
    game::connect(window, &models.game, actor);
    #[cfg(feature = "std")]
    archive::connect(window, &models.archive, actor);
    #[cfg(feature = "std")]
    network::connect(window, &models.network, actor);
    settings::connect(window, actor);
}

/// Sets every property.
pub(crate) fn show(window: &AppWindow, models: &Models, controller: &Controller) {
    settings::show(window, controller);
    game::show(window, &models.game, controller);
    #[cfg(feature = "std")]
    archive::show(window, &models.archive, controller);
    #[cfg(feature = "std")]
    network::show(window, &models.network, controller);
    dialogs::show(window, controller);
    navigator::show(window, controller);
}
