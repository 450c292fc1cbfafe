// SPDX-License-Identifier: GPL-3.0-only
//! `NetworkAdapter`: the page of the network, and what a game over it shows beside the board.

use std::rc::Rc;

use slint::{ComponentHandle, ModelRc, SharedString, VecModel};
use wuzi_engine::Color;
use wuzi_network::fault::Fault;
use wuzi_network::message::{Greeting, Offer, PROTOCOL, Refusal, Request, RuleName, Wish};
use wuzi_network::node::PORT;
use wuzi_network::peer::{Found, GameView, Report};

use super::game::sync;
use crate::app::Actor;
use crate::controller::{Action, Controller, Page};
use crate::interface::{AppWindow, NetworkAdapter, NetworkGame, NetworkReport, OfferRow, PlayerRow};
use crate::network::Act;
use crate::session::SavedRule;
use crate::settings::WantedColor;

/// The players of the list.
#[derive(Default)]
pub(super) struct Models {
    players: Rc<VecModel<PlayerRow>>,
}

pub(super) fn connect(window: &AppWindow, models: &Models, actor: &Actor) {
    let adapter = window.global::<NetworkAdapter>();
    adapter.set_players(ModelRc::from(models.players.clone()));
    let act = |actor: &Actor| {
        let actor = actor.clone();
        move |act: Act| actor.act(Action::Network(act))
    };
    let a = act(actor);
    adapter.on_change_name(move |name| a(Act::Name(name.into())));
    let a = act(actor);
    adapter.on_choose_color(move |color| {
        a(Act::Color(match color {
            1 => WantedColor::Black,
            2 => WantedColor::White,
            _ => WantedColor::Either,
        }));
    });
    let a = act(actor);
    adapter.on_choose_rule(move |rule| {
        a(Act::Rule(match rule {
            1 => SavedRule::Standard,
            2 => SavedRule::Renju,
            _ => SavedRule::Freestyle,
        }));
    });
    let a = act(actor);
    adapter.on_choose_lines(move |lines| a(Act::Lines(u8::try_from(lines).unwrap_or(0))));
    let a = act(actor);
    adapter.on_choose_seconds(move |seconds| a(Act::Seconds(u16::try_from(seconds).unwrap_or(0))));
    let a = act(actor);
    adapter.on_wait(move |waits| a(Act::Wait(waits)));
    let a = act(actor);
    adapter.on_change_address(move |address| a(Act::Address(address.into())));
    let a = act(actor);
    adapter.on_test(move || a(Act::Test));
    let a = act(actor);
    adapter.on_invite_typed(move || a(Act::InviteTyped));
    let a = act(actor);
    adapter.on_invite(move |row| a(Act::Invite(usize::try_from(row).unwrap_or(usize::MAX))));
    let a = act(actor);
    adapter.on_cancel(move || a(Act::Cancel));
    let a = act(actor);
    adapter.on_admit(move |yes, never| a(Act::Admit { yes, never }));
    let a = act(actor);
    adapter.on_answer(move |yes| a(Act::Answer(yes)));
    let a = act(actor);
    adapter.on_greet(move |what| {
        if let Some(&what) = usize::try_from(what).ok().and_then(|what| Greeting::ALL.get(what)) {
            a(Act::Greet(what));
        }
    });
    let a = act(actor);
    adapter.on_claim(move || a(Act::Claim));
    let a = act(actor);
    adapter.on_go_on(move || a(Act::GoOn));
    let a = act(actor);
    adapter.on_show_theirs(move |shows| a(Act::ShowTheirs(shows)));
}

pub(super) fn show(window: &AppWindow, models: &Models, controller: &Controller) {
    let adapter = window.global::<NetworkAdapter>();
    let (settings, view) = (controller.settings(), controller.remote().view());
    adapter.set_playing(controller.is_remote());
    if let Some(game) = view.game.as_ref().filter(|_| controller.is_remote()) {
        adapter.set_game(shown(game, controller.remote().shows_theirs()));
    }
    if controller.page() != Page::Network {
        return;
    }
    adapter.set_name(settings.names[0].as_str().into());
    adapter.set_color(match settings.network.color {
        WantedColor::Either => 0,
        WantedColor::Black => 1,
        WantedColor::White => 2,
    });
    adapter.set_rule(settings.rule as i32);
    adapter.set_lines(settings.lines.into());
    adapter.set_seconds(settings.network.seconds.into());
    adapter.set_address(settings.network.address.as_str().into());
    adapter.set_failure(controller.remote().fault().unwrap_or_default().into());
    adapter.set_port(view.port.unwrap_or(0).into());
    adapter.set_own_address(own_address(&view.addresses, view.port).into());
    adapter.set_waiting(view.waiting);
    adapter.set_calling(view.calling.is_some());
    adapter.set_may_invite(controller.remote().reached(settings).is_some());
    let asked = view.asked.as_ref();
    adapter.set_code(asked.map(|asked| asked.code.as_str()).unwrap_or_default().into());
    adapter.set_callee(asked.map(|asked| asked.name.as_str()).unwrap_or_default().into());
    adapter.set_is_known(asked.is_some_and(|asked| asked.known.is_some()));
    adapter.set_known_as(asked.map(|asked| met_as(&asked.name, asked.known.as_deref())).unwrap_or_default());
    sync(&models.players, view.players.iter().map(player).collect());
    match &view.report {
        None => adapter.set_report(NetworkReport::None),
        Some(Report::Reached { name, program, offer, millis }) => {
            adapter.set_report(NetworkReport::Reached);
            adapter.set_reached_name(name.into());
            adapter.set_reached_program(program.into());
            adapter.set_reached_offer(offer_row(offer.as_ref()));
            adapter.set_reached_millis(number(*millis));
        }
        Some(Report::Failed(fault)) => {
            adapter.set_report(report(*fault));
            if let Fault::Version { theirs } = fault {
                adapter.set_other_is_newer(*theirs > PROTOCOL);
            }
        }
    }
    if let Some(invitation) = &view.invitation {
        adapter.set_inviter(invitation.name.as_str().into());
        adapter.set_known_as(met_as(&invitation.name, invitation.known.as_deref()));
        adapter.set_is_known(invitation.known.is_some());
        // The color in the view is this player's.
        adapter.set_my_color(match invitation.color {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        });
        adapter.set_code(invitation.code.as_str().into());
        adapter.set_invited_offer(offer_row(Some(&invitation.offer)));
    }
}

/// The name under which a player was met, if it was another one.
fn met_as(name: &str, known: Option<&str>) -> SharedString {
    known.filter(|&known| known != name).unwrap_or_default().into()
}

/// What the other player may type.
fn own_address(addresses: &[String], port: Option<u16>) -> String {
    let with_port = |address: &String| match port {
        Some(port) if port != PORT && address.contains(':') => format!("[{address}]:{port}"),
        Some(port) if port != PORT => format!("{address}:{port}"),
        _ => address.clone(),
    };
    addresses.iter().map(with_port).collect::<Vec<_>>().join("  ·  ")
}

fn report(fault: Fault) -> NetworkReport {
    match fault {
        Fault::Address => NetworkReport::Address,
        Fault::UnknownHost => NetworkReport::UnknownHost,
        Fault::NobodyListens => NetworkReport::NobodyListens,
        Fault::Unreachable => NetworkReport::Unreachable,
        Fault::NoAnswer => NetworkReport::NoAnswer,
        Fault::NotWuzi => NetworkReport::NotWuzi,
        Fault::Version { .. } => NetworkReport::Version,
        Fault::Own => NetworkReport::Own,
        Fault::NotWaiting => NetworkReport::NotWaiting,
        Fault::Refused(Refusal::Declined) => NetworkReport::Declined,
        Fault::Refused(Refusal::Busy) => NetworkReport::Busy,
        Fault::Refused(Refusal::Changed) => NetworkReport::Changed,
        Fault::Another => NetworkReport::Another,
        Fault::Refused(Refusal::UnknownGame) | Fault::Broken => NetworkReport::Broken,
    }
}

fn player(found: &Found) -> PlayerRow {
    PlayerRow {
        name: found.name.as_str().into(),
        program: found.program.as_str().into(),
        version: if found.protocol == PROTOCOL { 0 } else { 2 * i32::from(found.protocol > PROTOCOL) - 1 },
        waits: found.offer.is_some(),
        offer: offer_row(found.offer.as_ref()),
    }
}

fn offer_row(offer: Option<&Offer>) -> OfferRow {
    offer.map_or_else(OfferRow::default, |offer| OfferRow {
        offered: true,
        color: match offer.wish {
            Wish::Either => 0,
            Wish::Black => 1,
            Wish::White => 2,
        },
        rule: match offer.rule {
            RuleName::Freestyle => 0,
            RuleName::Standard => 1,
            RuleName::Renju => 2,
        },
        lines: offer.lines.into(),
        seconds: offer.seconds.map_or(0, i32::from),
    })
}

fn shown(game: &GameView, shows_theirs: bool) -> NetworkGame {
    let request = |what: Option<Request>| match what {
        None => 0,
        Some(Request::Undo) => 1,
        Some(Request::Draw) => 2,
        Some(Request::Restart) => 3,
    };
    NetworkGame {
        partner: game.partner.as_str().into(),
        code: game.code.as_str().into(),
        connected: game.connected,
        patience: clock(game.patience),
        left: game.left,
        gone: game.gone,
        may_claim: game.may_claim,
        time: game.seconds_left.map(clock).unwrap_or_default(),
        hurry: game.seconds_left.is_some_and(|seconds| seconds <= 10),
        asked: request(game.asked),
        refused: request(game.refused.last().copied()),
        question: request(game.question),
        diverged: game.diverged,
        has_theirs: game.their_moves.is_some(),
        shows_theirs,
        willing: game.willing,
        greeting: game.greeting.map_or(-1, |(what, _)| what as i32),
    }
}

fn clock(seconds: u16) -> SharedString {
    format!("{}:{:02}", seconds / 60, seconds % 60).into()
}

fn number(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
