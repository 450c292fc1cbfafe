// SPDX-License-Identifier: GPL-3.0-only
//! The menu and the dialogs.

use slint::ComponentHandle;
use wuzi_engine::{Color, Level};

use crate::app::Actor;
use crate::controller::{Action, Controller};
use crate::interface::{
    AppWindow, DifficultyAdapter, DrawOfferAdapter, Ending, EndingReason, EngineFailedAdapter, EngineFault,
    GameOverAdapter, MenuAdapter, PauseAdapter, ResignAdapter,
};
use crate::{services, session};

pub(super) fn connect(window: &AppWindow, actor: &Actor) {
    let menu = window.global::<MenuAdapter>();
    let a = actor.clone();
    menu.on_play_pvp(move || a.act(Action::PlayPvp));
    let a = actor.clone();
    menu.on_play_pve(move || a.act(Action::PlayPve));
    let a = actor.clone();
    menu.on_continue_game(move || a.act(Action::Continue));

    let a = actor.clone();
    window.global::<DifficultyAdapter>().on_choose(move |level| {
        if let Some(&level) = usize::try_from(level).ok().and_then(|index| Level::ALL.get(index)) {
            a.act(Action::Start(level));
        }
    });

    let a = actor.clone();
    window.global::<DifficultyAdapter>().on_choose_engine(move || a.act(Action::StartEngine));
    let a = actor.clone();
    window.global::<EngineFailedAdapter>().on_replace(move || a.act(Action::ReplaceEngine));

    let pause = window.global::<PauseAdapter>();
    let a = actor.clone();
    pause.on_restart(move || a.act(Action::Restart));
    let a = actor.clone();
    pause.on_quit(move || a.act(Action::Leave));

    let a = actor.clone();
    window.global::<DrawOfferAdapter>().on_answer(move |accepted| a.act(Action::AnswerDraw(accepted)));
    let a = actor.clone();
    window.global::<ResignAdapter>().on_confirm(move || a.act(Action::Resign));
}

pub(super) fn show(window: &AppWindow, controller: &Controller) {
    window.global::<MenuAdapter>().set_can_continue(controller.can_continue());
    window.global::<MenuAdapter>().set_shared(controller.is_shared());
    #[cfg(feature = "std")]
    window.global::<MenuAdapter>().set_aside(controller.set_aside().into());
    window.global::<MenuAdapter>().set_keeps_games(cfg!(feature = "std"));
    #[cfg(feature = "std")]
    window.global::<MenuAdapter>().set_network_waits(controller.network_waits());
    window.global::<DifficultyAdapter>().set_last(i32::from(controller.settings().level));

    window.global::<DifficultyAdapter>().set_has_engine(controller.can_play_engine());
    let failed = window.global::<EngineFailedAdapter>();
    let error = controller.engine_error();
    failed.set_fault(match error.fault {
        services::EngineFault::NotStarted => EngineFault::NotStarted,
        services::EngineFault::NoEngine => EngineFault::NoEngine,
        services::EngineFault::Refused => EngineFault::Refused,
        services::EngineFault::Hung => EngineFault::Hung,
        services::EngineFault::Crashed => EngineFault::Crashed,
        services::EngineFault::Illegal => EngineFault::Illegal,
    });
    failed.set_detail(error.detail.in_language(controller.language()).into());

    let Some(session) = controller.session() else { return };
    if let Some(offering) = session.draw_offer() {
        window.global::<DrawOfferAdapter>().set_offered_by_black(offering == Color::Black);
    }
    if let Some(side) = session.resigning_side() {
        window.global::<ResignAdapter>().set_black(side == Color::Black);
    }
    if let Some(ending) = session.ending() {
        let over = window.global::<GameOverAdapter>();
        over.set_ending(match ending.winner() {
            Some(Color::Black) => Ending::BlackWins,
            Some(Color::White) => Ending::WhiteWins,
            None => Ending::Draw,
        });
        over.set_reason(match ending {
            session::Ending::Row(..) => EndingReason::Row,
            session::Ending::Forbidden(..) => EndingReason::Forbidden,
            session::Ending::Resignation(_) => EndingReason::Resignation,
            session::Ending::Agreement => EndingReason::Agreement,
            session::Ending::FullBoard => EndingReason::FullBoard,
            session::Ending::Time(_) => EndingReason::Time,
            session::Ending::Absence(_) => EndingReason::Absence,
        });
        over.set_winner_name(
            ending.winner().map(|winner| controller.name(winner).into()).unwrap_or_default(),
        );
        #[cfg(feature = "std")]
        over.set_place(
            controller.shelf().place().and_then(|place| i32::try_from(place).ok()).unwrap_or_default(),
        );
        over.set_plies(i32::try_from(session.game().moves().len()).unwrap_or(i32::MAX));
    }
}
