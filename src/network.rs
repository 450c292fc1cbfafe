// SPDX-License-Identifier: GPL-3.0-only
//! A game with a player at another machine, as the controller knows it: what is asked of the network
//! and what it has shown last. The game itself is decided in `wuzi-network`.

use wuzi_engine::Size;
use wuzi_network::fault::Fault;
use wuzi_network::message::{Greeting, Loss, Offer, Request, RuleName, Wish};
use wuzi_network::peer::{Command, GameView, LinkId, Report, View};
use wuzi_network::table::End;

use crate::session::{SavedRule, Seat, Setup, Verdict};
use crate::settings::{NetworkSettings, Settings, WantedColor, clean_name};

/// The players at other machines. Calls return at once, but for [`Network::start`]; what happens comes back
/// as [`Act::Shown`].
pub trait Network {
    /// Begins to listen and to look for others. A game that was kept is gone on with. Soon after
    /// [`Network::stop`] it waits until all has been said there: what that keeps, and its port, are needed.
    ///
    /// # Errors
    /// If the system permits no connections, in its own words.
    fn start(&mut self) -> Result<(), String>;
    /// Says goodbye. Nothing listens afterwards.
    fn stop(&mut self);
    /// Does what the user does.
    fn send(&mut self, command: Command);
    /// Whether a game is kept that is gone on with by the next start.
    fn has_game(&self) -> bool;
}

/// What the page of the network goes through the values of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The colour that I would like.
    Color,
    /// The rule.
    Rule,
    /// The size of the board.
    Lines,
    /// The time for a move.
    Seconds,
}

/// What is to be said of a game over the network, beside whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The stones shown are those of the other side.
    TheirBoard,
    /// The other program no longer has the game.
    Gone,
    /// The game is over and the other player is not there.
    HasLeft,
    /// The other player has left on purpose; the game waits.
    HasLeftForNow,
    /// The other player cannot be reached; the game waits.
    Unreachable,
    /// The other player is asked.
    Asked(Request),
    /// The other player declines.
    Refused,
    /// The other player says something.
    Said(Greeting),
}

/// The win that may be taken because the other player stays away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Claim {
    /// There is none.
    #[default]
    None,
    /// The user is asked whether to take it.
    Asked,
    /// The user would wait on.
    PutOff,
}

/// What happens on the page of the network and in a game over it.
#[derive(Clone, Debug)]
pub enum Act {
    /// My name.
    Name(String),
    /// A choice takes the value that follows, or that comes before.
    Turn(Choice, bool),
    /// Waits for other players, or no longer.
    Wait(bool),
    /// An address is typed.
    Address(String),
    /// Looks who is at the typed address.
    Test,
    /// Invites who is at the typed address.
    InviteTyped,
    /// Invites a player of the list.
    Invite(usize),
    /// Ends the call.
    Cancel,
    /// Answers an invitation.
    Admit {
        /// Whether the game begins.
        yes: bool,
        /// Not from this player again.
        never: bool,
    },
    /// Answers the other player's question.
    Answer(bool),
    /// Says something.
    Greet(Greeting),
    /// Takes the win because the other player stays away.
    Claim,
    /// Does not take the win yet, or would be asked again.
    PutOff(bool),
    /// Would go on from the last common position.
    GoOn,
    /// Shows the other side's position, where the two differ, or this side's.
    ShowTheirs(bool),
    /// What the network shows has changed.
    Shown(Box<View>),
}

/// What the network has shown last.
#[derive(Clone, Debug, Default)]
pub struct Remote {
    is_open: bool,
    /// The player would wait for others, also after the page was out of sight.
    waits: bool,
    /// What came of a call before the page went out of sight, until there is another call.
    earlier: Option<Report>,
    view: View,
    fault: Option<String>,
    shows_theirs: bool,
    /// The user would wait on, although the win may be taken.
    is_put_off: bool,
    /// The address that was tested last.
    tested: String,
    /// The invitation that the user was asked about.
    invitation: Option<LinkId>,
    /// Which game in a row is shown.
    number: Option<u32>,
    /// It was seen running, so that its end is news.
    was_running: bool,
}

impl Remote {
    pub(crate) fn open(&mut self, network: &mut dyn Network, settings: &Settings) {
        *self = Self::default();
        match network.start() {
            Ok(()) => {
                self.is_open = true;
                network.send(profile(settings));
            }
            Err(error) => {
                log::warn!("the network cannot be used: {error}");
                self.fault = Some(error);
            }
        }
    }

    /// The page goes out of sight, which ends a call.
    pub(crate) fn hide(&mut self, network: &mut dyn Network) {
        if self.is_open {
            network.stop();
            let is_called = self.view.calling.is_some();
            let earlier =
                if is_called { Some(Report::Failed(Fault::Broken)) } else { self.view.report.take() };
            let tested = std::mem::take(&mut self.tested);
            *self = Self { waits: self.waits, earlier, tested, ..Self::default() };
        }
    }

    /// The page is seen again.
    pub(crate) fn show(&mut self, network: &mut dyn Network, settings: &Settings) {
        if self.is_open {
            return;
        }
        let before = std::mem::take(self);
        self.open(network, settings);
        (self.waits, self.earlier, self.tested) = (before.waits, before.earlier, before.tested);
        if self.waits {
            network.send(Command::Wait(true));
        }
    }

    /// Does what the user does; the settings have changed already.
    pub(crate) fn act(&mut self, act: Act, network: &mut dyn Network, settings: &Settings) {
        let typed = || settings.network.address.trim().to_owned();
        if matches!(act, Act::Test | Act::InviteTyped | Act::Invite(_)) {
            self.earlier = None;
        }
        network.send(match act {
            Act::Name(_) | Act::Turn(..) => profile(settings),
            Act::Wait(waits) => {
                self.waits = waits;
                Command::Wait(waits)
            }
            Act::Test => {
                self.tested = typed();
                Command::Test(typed())
            }
            Act::InviteTyped => {
                let Some(offer) = self.reached(settings) else { return };
                Command::Invite { address: typed(), offer: Some(offer), id: None }
            }
            Act::Invite(index) => {
                let Some(player) = self.view.players.get(index) else { return };
                Command::Invite {
                    address: player.addresses.join(","),
                    offer: player.offer,
                    id: Some(player.id.clone()),
                }
            }
            Act::Cancel => Command::Cancel,
            Act::Admit { yes, never } => {
                let Some(invitation) = &self.view.invitation else { return };
                Command::Admit { link: invitation.link, yes, never }
            }
            Act::Answer(yes) => {
                let Some(game) = &self.view.game else { return };
                let Some(what) = game.question else { return };
                Command::Answer { what, version: game.version, yes }
            }
            Act::Greet(what) => Command::Greet(what),
            Act::Claim => Command::Claim,
            Act::GoOn => Command::GoOn,
            Act::PutOff(is_put_off) => {
                self.is_put_off = is_put_off;
                return;
            }
            Act::ShowTheirs(shows) => {
                self.shows_theirs = shows;
                return;
            }
            Act::Address(_) | Act::Shown(_) => return,
        });
    }

    /// Takes what is shown now; false if nobody looks any more.
    pub(crate) fn take(&mut self, view: View) -> bool {
        if self.is_open {
            self.shows_theirs &= view.game.as_ref().is_some_and(|game| game.diverged);
            self.is_put_off &= view.game.as_ref().is_some_and(may_claim);
            self.view = view;
            if self.view.report.is_none() {
                self.view.report.clone_from(&self.earlier);
            }
        }
        self.is_open
    }

    /// The game that is offered at the typed address, as a test has shown it.
    pub(crate) fn reached(&self, settings: &Settings) -> Option<Offer> {
        match &self.view.report {
            Some(Report::Reached { offer, .. }) if self.tested == settings.network.address.trim() => *offer,
            _ => None,
        }
    }

    pub(crate) fn note_invitation(&mut self) {
        self.invitation = self.view.invitation.as_ref().map(|invitation| invitation.link);
    }

    /// Whether the user has been asked about the invitation that there is now.
    pub(crate) fn is_invitation_seen(&self) -> bool {
        self.invitation == self.view.invitation.as_ref().map(|invitation| invitation.link)
    }

    pub(crate) const fn begin(&mut self, number: u32) {
        self.number = Some(number);
        self.was_running = false;
    }

    pub(crate) fn is_other_game(&self, number: u32) -> bool {
        self.number != Some(number)
    }

    pub(crate) const fn note_running(&mut self) {
        self.was_running = true;
    }

    /// Whether the end of the game was seen here for the first time.
    pub(crate) const fn is_news(&self) -> bool {
        self.was_running
    }

    /// Everything that is shown.
    #[must_use]
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// Why the network cannot be used, in the system's words.
    #[must_use]
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Whether the other side's position is shown.
    #[must_use]
    pub const fn shows_theirs(&self) -> bool {
        self.shows_theirs
    }

    /// What is to be said of the game: what matters most.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        let game = self.view.game.as_ref()?;
        let status = match *game {
            GameView { diverged: true, .. } if self.shows_theirs => Status::TheirBoard,
            GameView { gone: true, .. } => Status::Gone,
            GameView { connected: false, end: Some(_), .. } => Status::HasLeft,
            GameView { connected: false, left: true, .. } => Status::HasLeftForNow,
            GameView { connected: false, .. } => Status::Unreachable,
            GameView { asked: Some(what), .. } => Status::Asked(what),
            GameView { ref refused, .. } if !refused.is_empty() => Status::Refused,
            GameView { greeting: Some((what, _)), .. } => Status::Said(what),
            _ => return None,
        };
        Some(status)
    }

    /// Whether the win may be taken because the other player stays away.
    #[must_use]
    pub fn claim(&self) -> Claim {
        match &self.view.game {
            Some(game) if may_claim(game) => {
                if self.is_put_off {
                    Claim::PutOff
                } else {
                    Claim::Asked
                }
            }
            _ => Claim::None,
        }
    }

    /// The other player's name.
    #[must_use]
    pub fn partner(&self) -> &str {
        self.view.game.as_ref().map_or("", |game| game.partner.as_str())
    }

    /// Whether the other player can be asked this now.
    #[must_use]
    pub fn may_ask(&self, what: Request) -> bool {
        self.view.game.as_ref().is_some_and(|game| game.may_ask[what as usize])
    }
}

const fn may_claim(game: &GameView) -> bool {
    game.may_claim && !game.diverged
}

/// Takes what was typed over into the settings. Returns whether they have changed.
pub(crate) fn changes_settings(settings: &mut Settings, act: &Act) -> bool {
    let before = settings.clone();
    match act {
        Act::Name(name) => settings.names[0] = clean_name(name),
        Act::Address(address) if address.len() <= NetworkSettings::LONGEST_ADDRESS => {
            settings.network.address.clone_from(address);
        }
        _ => {}
    }
    *settings != before
}

fn profile(settings: &Settings) -> Command {
    let offer = Offer {
        wish: match settings.network.color {
            WantedColor::Either => Wish::Either,
            WantedColor::Black => Wish::Black,
            WantedColor::White => Wish::White,
        },
        rule: match settings.rule {
            SavedRule::Freestyle => RuleName::Freestyle,
            SavedRule::Standard => RuleName::Standard,
            SavedRule::Renju => RuleName::Renju,
        },
        lines: settings.lines,
        seconds: Some(settings.network.seconds).filter(|&seconds| seconds > 0),
    };
    Command::Profile { name: settings.names[0].clone(), offer }
}

/// The seats of a game over the network.
pub(crate) fn setup(game: &GameView) -> Setup {
    let mut seats = [Seat::Remote; 2];
    seats[game.color.index()] = Seat::Human;
    Setup { size: Size::new(game.offer.lines).unwrap_or_default(), rule: game.offer.rule.into(), seats }
}

/// The end that the stones do not show.
pub(crate) const fn verdict(game: &GameView) -> Option<Verdict> {
    match game.end {
        None | Some(End::Stones(_)) => None,
        Some(End::Agreed) => Some(Verdict::Agreed),
        Some(End::Lost(color, Loss::Resigned)) => Some(Verdict::Resigned(color)),
        Some(End::Lost(color, Loss::Time)) => Some(Verdict::TimedOut(color)),
        Some(End::Lost(color, Loss::Absent)) => Some(Verdict::Absent(color)),
    }
}
