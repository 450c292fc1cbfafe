// SPDX-License-Identifier: GPL-3.0-only
//! `NetworkAdapter`: the page of the network, and what a game over it shows beside the board.

use std::cmp::Ordering;
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
use crate::interface::{
    AppWindow, NetworkAdapter, NetworkClaim, NetworkGame, NetworkGreeting, NetworkQuestion, NetworkReport,
    NetworkStatus, OfferChoice, OfferColor, OfferRow, OfferRule, PlayerRow, PlayerState,
};
use crate::network::{Act, Choice, Claim, Remote, Status};
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
    adapter.on_turn(move |choice, forward| {
        let choice = match choice {
            OfferChoice::Color => Choice::Color,
            OfferChoice::Rule => Choice::Rule,
            OfferChoice::Lines => Choice::Lines,
            OfferChoice::Seconds => Choice::Seconds,
        };
        a(Act::Turn(choice, forward));
    });
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
        if let Some(what) = Greeting::ALL.into_iter().find(|&known| greeting(known) == what) {
            a(Act::Greet(what));
        }
    });
    let a = act(actor);
    adapter.on_claim(move || a(Act::Claim));
    let a = act(actor);
    adapter.on_put_off(move |is_put_off| a(Act::PutOff(is_put_off)));
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
        adapter.set_game(shown(game, controller.remote()));
    }
    if controller.page() != Page::Network {
        return;
    }
    adapter.set_name(settings.names[0].as_str().into());
    adapter.set_color(match settings.network.color {
        WantedColor::Either => OfferColor::Either,
        WantedColor::Black => OfferColor::Black,
        WantedColor::White => OfferColor::White,
    });
    adapter.set_rule(match settings.rule {
        SavedRule::Freestyle => OfferRule::Freestyle,
        SavedRule::Standard => OfferRule::Standard,
        SavedRule::Renju => OfferRule::Renju,
    });
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
            None => OfferColor::Either,
            Some(Color::Black) => OfferColor::Black,
            Some(Color::White) => OfferColor::White,
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
        state: match found.protocol.cmp(&PROTOCOL) {
            Ordering::Greater => PlayerState::Newer,
            Ordering::Less => PlayerState::Older,
            Ordering::Equal if found.offer.is_some() => PlayerState::Waits,
            Ordering::Equal => PlayerState::Plays,
        },
        offer: offer_row(found.offer.as_ref()),
    }
}

fn offer_row(offer: Option<&Offer>) -> OfferRow {
    offer.map_or_else(OfferRow::default, |offer| OfferRow {
        offered: true,
        color: match offer.wish {
            Wish::Either => OfferColor::Either,
            Wish::Black => OfferColor::Black,
            Wish::White => OfferColor::White,
        },
        rule: match offer.rule {
            RuleName::Freestyle => OfferRule::Freestyle,
            RuleName::Standard => OfferRule::Standard,
            RuleName::Renju => OfferRule::Renju,
        },
        lines: offer.lines.into(),
        seconds: offer.seconds.map_or(0, i32::from),
    })
}

fn shown(game: &GameView, remote: &Remote) -> NetworkGame {
    NetworkGame {
        partner: game.partner.as_str().into(),
        code: game.code.as_str().into(),
        connected: game.connected,
        patience: clock(game.patience),
        status: status(remote.status()),
        greeting: game.greeting.map(|(what, _)| greeting(what)).unwrap_or_default(),
        claim: match remote.claim() {
            Claim::None => NetworkClaim::None,
            Claim::Asked => NetworkClaim::Asked,
            Claim::PutOff => NetworkClaim::PutOff,
        },
        time: game.seconds_left.map(clock).unwrap_or_default(),
        hurry: game.seconds_left.is_some_and(|seconds| seconds <= 10),
        question: match game.question {
            None => NetworkQuestion::None,
            Some(Request::Undo) => NetworkQuestion::Undo,
            Some(Request::Draw) => NetworkQuestion::Draw,
            Some(Request::Restart) => NetworkQuestion::Restart,
        },
        diverged: game.diverged,
        has_theirs: game.their_moves.is_some(),
        shows_theirs: remote.shows_theirs(),
        willing: game.willing,
    }
}

const fn status(status: Option<Status>) -> NetworkStatus {
    match status {
        None => NetworkStatus::None,
        Some(Status::TheirBoard) => NetworkStatus::TheirBoard,
        Some(Status::Gone) => NetworkStatus::Gone,
        Some(Status::HasLeft) => NetworkStatus::HasLeft,
        Some(Status::HasLeftForNow) => NetworkStatus::HasLeftForNow,
        Some(Status::Unreachable) => NetworkStatus::Unreachable,
        Some(Status::Asked(Request::Undo)) => NetworkStatus::UndoAsked,
        Some(Status::Asked(Request::Draw)) => NetworkStatus::DrawAsked,
        Some(Status::Asked(Request::Restart)) => NetworkStatus::RestartAsked,
        Some(Status::Refused) => NetworkStatus::Refused,
        Some(Status::Said(_)) => NetworkStatus::Said,
    }
}

const fn greeting(greeting: Greeting) -> NetworkGreeting {
    match greeting {
        Greeting::Hello => NetworkGreeting::Hello,
        Greeting::GoodLuck => NetworkGreeting::GoodLuck,
        Greeting::WellPlayed => NetworkGreeting::WellPlayed,
        Greeting::Thanks => NetworkGreeting::Thanks,
        Greeting::OneMoment => NetworkGreeting::OneMoment,
        Greeting::Goodbye => NetworkGreeting::Goodbye,
    }
}

fn clock(seconds: u16) -> SharedString {
    format!("{}:{:02}", seconds / 60, seconds % 60).into()
}

fn number(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
