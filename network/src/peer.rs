// SPDX-License-Identifier: GPL-3.0-only
//! One program among others: who calls whom, who is invited, which connection belongs to the game.
//!
//! No socket, no thread, no clock: what happens goes in with the time at which it happened, what is
//! to be done comes out.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wuzi_engine::{Color, Point};

use crate::fault::Fault;
use crate::key::Key;
use crate::message::{ColorName, Greeting, Loss, Message, Offer, Refusal, Request, Side, Wish};
use crate::name;
use crate::secure::{self, Nonce};
use crate::table::{End, SavedTable, Table, Violation};

/// How often a side says that it is there.
pub const HEARTBEAT: Duration = Duration::from_secs(2);
/// A connection on which nothing was heard for so long is lost.
pub const SILENCE: Duration = Duration::from_secs(8);
/// How long the game waits for the other side to come back.
pub const PATIENCE: Duration = Duration::from_secs(180);
/// So much less of it may have passed for the other side: it may have heard of this one for longer.
const LENIENCY: Duration = Duration::from_secs(15);
/// If nobody looked at the time for longer, the program or the machine slept.
const SLEEP: Duration = Duration::from_secs(2);
/// How often the host's clock is kept.
const CLOCK_KEPT: Duration = Duration::from_secs(5);
/// How often a side tries to come back.
const RETRY: Duration = Duration::from_secs(2);
/// How soon the first message must have come.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// How long an invitation waits for its answer, and a stranger for its invitation.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// Players that are remembered.
const MOST_KNOWN: usize = 256;
/// Addresses of the other side that are remembered.
const MOST_ADDRESSES: usize = 8;
/// Ended games that are remembered until the other side has heard of the end.
const MOST_PAST: usize = 8;

/// Numbers the connections: even numbers are calls of this program, odd ones were accepted.
pub type LinkId = u64;

/// What the user does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// My name and the game that I would like.
    Profile {
        /// The name.
        name: String,
        /// The game.
        offer: Offer,
    },
    /// Waits for other players, or no longer.
    Wait(bool),
    /// Looks who is at an address.
    Test(String),
    /// Invites who is at an address.
    Invite {
        /// The address.
        address: String,
        /// What they offer, as it is known.
        offer: Option<Offer>,
        /// The short key that they must have; none if nobody in particular is expected.
        id: Option<String>,
    },
    /// Ends the call under way.
    Cancel,
    /// Answers an invitation.
    Admit {
        /// The connection of the invitation that is answered.
        link: LinkId,
        /// Whether the game begins.
        yes: bool,
        /// Not from this player again.
        never: bool,
    },
    /// Places a stone.
    Play(Point),
    /// Asks the other side.
    Ask(Request),
    /// Answers the other side.
    Answer {
        /// What was asked.
        what: Request,
        /// How many changes there were when it was asked.
        version: u32,
        /// Whether this player consents.
        yes: bool,
    },
    /// Gives up.
    Resign,
    /// Says something.
    Greet(Greeting),
    /// Takes the win because the other side stays away.
    Claim,
    /// Would go on from the last common position.
    GoOn,
    /// Leaves the game; one that runs can be gone on with later.
    Leave,
}

/// What happens.
#[derive(Clone, Debug)]
pub enum Input {
    /// The user does something.
    Command(Command),
    /// A connection is encrypted and both sides' keys are proved.
    Linked {
        /// The connection.
        link: LinkId,
        /// The other side's public key.
        key: Key,
        /// What only this connection has: the hash of its handshake.
        hash: [u8; 32],
        /// This side's part of the code.
        code: Nonce,
        /// This side's part of the lot.
        lot: Nonce,
        /// The other side's address without the port.
        host: String,
    },
    /// A call failed.
    Failed {
        /// The call.
        link: LinkId,
        /// Why.
        fault: Fault,
    },
    /// A message arrived.
    Message {
        /// The connection.
        link: LinkId,
        /// The message.
        message: Message,
    },
    /// A connection ended.
    Broken {
        /// The connection.
        link: LinkId,
    },
    /// Who is on the network.
    Found(Vec<Found>),
    /// The port at which this program can be called.
    Listening(u16),
    /// The addresses of this machine.
    Here(Vec<String>),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// Calls an address; `Linked` or `Failed` follows.
    Call {
        /// The connection.
        link: LinkId,
        /// The address.
        address: String,
    },
    /// Sends a message.
    Send {
        /// The connection.
        link: LinkId,
        /// The message.
        message: Message,
    },
    /// Ends a connection after what was sent.
    Close {
        /// The connection.
        link: LinkId,
    },
    /// Keeps the game before anything else is done, or forgets it.
    KeepGame(Option<Box<SavedGame>>),
    /// Keeps the known players.
    KeepKnown(Vec<Known>),
}

/// A player seen on the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The short key, which tells two players of one name apart.
    pub id: String,
    /// The player's name, cleaned.
    pub name: String,
    /// The program and its version, cleaned.
    pub program: String,
    /// The version of the protocol.
    pub protocol: u16,
    /// What the player waits for; none while the player plays.
    pub offer: Option<Offer>,
    /// Where the player can be called.
    pub addresses: Vec<String>,
}

/// A player met before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The key.
    pub key: Key,
    /// The name at that time.
    pub name: String,
    /// Whether this player is not to invite again.
    pub blocked: bool,
}

/// The other player of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Partner {
    key: Key,
    name: String,
    /// The name at an earlier game, if there was one.
    known: Option<String>,
    addresses: Vec<String>,
}

/// A game with its other player in the form in which it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPlaying {
    partner: Partner,
    table: SavedTable,
    /// When the other player was last heard, in seconds since 1970.
    heard: u64,
}

/// Games in the form in which they are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// The game to go on with.
    game: Option<SavedPlaying>,
    /// Ended games of whose end the other player has not heard.
    past: Vec<SavedPlaying>,
}

impl SavedGame {
    /// Whether the games are possible.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let is_possible = |saved: &SavedPlaying| {
            name::clean(&saved.partner.name) == saved.partner.name && Table::restore(&saved.table).is_some()
        };
        self.past.len() <= MOST_PAST && self.game.iter().chain(&self.past).all(is_possible)
    }

    /// Whether there is a game to go on with; what else is kept only answers the other player.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.game.is_some()
    }
}

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Test,
    /// With the colour asked for, once the invitation is sent.
    Invite {
        offer: Option<Offer>,
        wish: Option<Wish>,
    },
    Resume,
}

/// A call under way.
#[derive(Clone, Debug)]
struct Call {
    link: LinkId,
    purpose: Purpose,
    address: String,
    since: Duration,
}

/// A connection whose keys are proved.
#[derive(Clone, Debug)]
struct Link {
    key: Key,
    hash: [u8; 32],
    code: Nonce,
    lot: Nonce,
    host: String,
    /// Since when it is in the state in which it is.
    since: Duration,
    hello: Option<Greeted>,
    /// Six digits that both see, when the other side's part is known.
    digits: Option<String>,
    /// What the lot says, when the other side's part is known: whether the host is black.
    lot_is_black: Option<bool>,
}

impl Link {
    /// Learns the other side's part of the lot; that of the caller comes first.
    fn draw(&mut self, theirs: &str, is_caller: bool) -> Result<(), Violation> {
        let committed = self.hello.as_ref().is_some_and(|hello| secure::opens(&hello.lot, theirs));
        let mine = self.lot.secret();
        let parts = if is_caller { [mine, theirs] } else { [theirs, mine] };
        let digest = secure::digest(&parts.map(str::as_bytes)).filter(|_| committed);
        self.lot_is_black = Some(digest.ok_or(Violation("a lot that was changed"))?[0] & 1 == 0);
        Ok(())
    }

    /// Learns the other side's part of the code; that of the caller comes first.
    fn reveal(&mut self, theirs: &str, is_caller: bool) -> Result<(), Violation> {
        let committed = self.hello.as_ref().is_some_and(|hello| secure::opens(&hello.code, theirs));
        let mine = self.code.secret();
        let [first, second] = if is_caller { [mine, theirs] } else { [theirs, mine] };
        let digest = secure::digest(&[&self.hash, first.as_bytes(), second.as_bytes()]);
        let digest = digest.filter(|_| committed && self.digits.is_none());
        self.digits = Some(digits(&digest.ok_or(Violation("a code that was changed"))?));
        Ok(())
    }
}

/// What a hello said.
#[derive(Clone, Debug)]
struct Greeted {
    name: String,
    port: u16,
    /// The commitments.
    code: String,
    lot: String,
}

/// A game and its other player.
#[derive(Clone, Debug)]
struct Playing {
    table: Table,
    partner: Partner,
    code: String,
    link: Option<LinkId>,
    heard: Duration,
    /// How long nothing had been heard when this program was started.
    unheard: Duration,
    /// How long nothing had been heard when this connection came; nothing once the game goes on.
    away: Duration,
    pinged: Duration,
    /// When the clock was last kept.
    kept: Duration,
    round_trip: Duration,
    /// Since when this program has been looking for the other.
    lost: Duration,
    tried: Option<Duration>,
    tries: usize,
    /// The other player has left on purpose.
    left: bool,
    /// The other program no longer has the game: it ends without a winner.
    gone: bool,
    /// What the other player has said last, and in which game in a row it arrived.
    greeting: Option<(Greeting, u32)>,
    greetings: u32,
}

/// What came of the last call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// Who answered a test.
    Reached {
        /// The player's name.
        name: String,
        /// The program and its version.
        program: String,
        /// What the player waits for.
        offer: Option<Offer>,
        /// How long it took, in milliseconds.
        millis: u32,
    },
    /// Why it failed.
    Failed(Fault),
}

/// A player who is asked for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The player's name.
    pub name: String,
    /// Whether a game was played with this key before, and under which name.
    pub known: Option<String>,
    /// Six digits that both see; empty for the moment until both have what they come from.
    pub code: String,
}

/// A player who asks for a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The connection, by which the answer names the invitation.
    pub link: LinkId,
    /// The player's name.
    pub name: String,
    /// Whether a game was played with this key before, and under which name.
    pub known: Option<String>,
    /// The colour that this player would have; none if the lot decides.
    pub color: Option<Color>,
    /// The game.
    pub offer: Offer,
    /// Six digits that both see.
    pub code: String,
}

/// A game as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameView {
    /// This player's colour.
    pub color: Color,
    /// The other player's name.
    pub partner: String,
    /// Whether a game was played with this key before, and under which name.
    pub known: Option<String>,
    /// Six digits that both see; of the last connection.
    pub code: String,
    /// What is played.
    pub offer: Offer,
    /// Which game in a row.
    pub number: u32,
    /// How many changes there were.
    pub version: u32,
    /// The moves.
    pub moves: Vec<Point>,
    /// How it ended.
    pub end: Option<End>,
    /// What this side has asked.
    pub asked: Option<Request>,
    /// What this side was refused.
    pub refused: Vec<Request>,
    /// What this side may ask: undo, draw, restart.
    pub may_ask: [bool; 3],
    /// What the other side asks.
    pub question: Option<Request>,
    /// Whether the other side is there.
    pub connected: bool,
    /// For how many seconds the game still waits.
    pub patience: u16,
    /// Whether the other player has left on purpose.
    pub left: bool,
    /// Whether the other program no longer has the game.
    pub gone: bool,
    /// Whether the win may be taken because the other side stays away.
    pub may_claim: bool,
    /// Seconds that the side to move has left.
    pub seconds_left: Option<u16>,
    /// Whether the two sides have different ideas of the position.
    pub diverged: bool,
    /// The other side's moves then.
    pub their_moves: Option<Vec<Point>>,
    /// Whether this side would go on from the last common position.
    pub willing: bool,
    /// What the other side has said last in this game, and how often it said something.
    pub greeting: Option<(Greeting, u32)>,
}

/// Everything that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// The port at which this program can be called.
    pub port: Option<u16>,
    /// The addresses of this machine, for those who type one.
    pub addresses: Vec<String>,
    /// Whether this player waits for others.
    pub waiting: bool,
    /// Who is on the network.
    pub players: Vec<Found>,
    /// The address that is called.
    pub calling: Option<String>,
    /// Who is asked for a game, while that player has not answered.
    pub asked: Option<Asked>,
    /// What came of the last call.
    pub report: Option<Report>,
    /// Who asks for a game.
    pub invitation: Option<Invitation>,
    /// The game.
    pub game: Option<GameView>,
    /// The game is not kept as it stands: the disk is full, say.
    pub unkept: bool,
}

/// One program among others.
#[derive(Clone, Debug)]
pub struct Peer {
    key: Key,
    program: String,
    name: String,
    offer: Offer,
    port: Option<u16>,
    addresses: Vec<String>,
    waiting: bool,
    known: Vec<Known>,
    found: Vec<Found>,
    links: BTreeMap<LinkId, Link>,
    calls: u64,
    call: Option<Call>,
    /// The call back to the other player of the game.
    retry: Option<Call>,
    invitation: Option<(LinkId, Wish)>,
    /// The short key that the player who is called must have.
    expected: Option<String>,
    report: Option<Report>,
    playing: Option<Playing>,
    /// The game that was left and can be gone on with in another run.
    parked: Option<SavedPlaying>,
    /// Games of whose end the other player has not heard.
    past: Vec<Playing>,
    /// The games are to be kept.
    changed: bool,
    /// The time since 1970 at which this program's time began.
    began: Duration,
    now: Duration,
    outputs: Vec<Output>,
}

impl Peer {
    /// A program with this public key, whose time began so long after 1970. A game that was kept is
    /// gone on with.
    #[must_use]
    pub fn new(
        key: Key,
        program: &str,
        known: Vec<Known>,
        kept: Option<&SavedGame>,
        began: Duration,
    ) -> Self {
        let playing = kept.and_then(|kept| Playing::restore(kept.game.as_ref()?, began));
        let past = kept.map_or(&[][..], |kept| &kept.past);
        let past = past.iter().filter_map(|saved| Playing::restore(saved, began)).collect();
        Self {
            key,
            program: program.into(),
            name: String::new(),
            offer: Offer::default(),
            port: None,
            addresses: Vec::new(),
            waiting: false,
            known,
            found: Vec::new(),
            links: BTreeMap::new(),
            calls: 0,
            call: None,
            retry: None,
            invitation: None,
            expected: None,
            report: None,
            playing,
            parked: None,
            past,
            changed: false,
            began,
            now: Duration::ZERO,
            outputs: Vec::new(),
        }
    }

    /// Takes what happened at this time, which never goes back.
    pub fn handle(&mut self, now: Duration, input: Input) {
        self.pass(now);
        match input {
            Input::Command(command) => self.command(command),
            Input::Linked { link, key, hash, code, lot, host } => {
                let (since, hello, digits, lot_is_black) = (self.now, None, None, None);
                self.linked(link, Link { key, hash, code, lot, host, since, hello, digits, lot_is_black });
            }
            Input::Failed { link, fault } => self.broken(link, fault),
            Input::Message { link, message } => {
                if let Err(violation) = self.message(link, message) {
                    log::warn!("connection {link} is closed: {}", violation.0);
                    self.close(link);
                }
            }
            Input::Broken { link } => self.broken(link, Fault::Broken),
            Input::Found(found) => self.found = found,
            Input::Listening(port) => self.port = Some(port),
            Input::Here(addresses) => self.addresses = addresses,
        }
        self.flush();
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Duration) {
        self.pass(now);
        self.watch_clock();
        self.expire();
        self.keep_in_touch();
        self.flush();
    }

    /// When [`Peer::tick`] should be called at the latest.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        let second = self.now + Duration::from_secs(1);
        let flag = self.playing.as_ref().and_then(|playing| {
            let flag = playing.table.deadline(playing.round_trip)?;
            // Afterwards the other side's answer is waited for.
            (flag > self.now || playing.has_answered(flag)).then_some(flag)
        });
        flag.map_or(second, |flag| flag.min(second)).max(self.now + Duration::from_millis(10))
    }

    /// What is to be done, in order.
    pub fn take_outputs(&mut self) -> Vec<Output> {
        std::mem::take(&mut self.outputs)
    }

    /// This player as others see it on the network; none while it shall not be seen.
    #[must_use]
    pub fn advert(&self) -> Option<Found> {
        let offer = (self.waiting && self.playing.is_none()).then_some(self.offer);
        (self.waiting || self.playing.is_some()).then(|| Found {
            id: self.key.short(),
            name: self.name.clone(),
            program: self.program.clone(),
            protocol: crate::message::PROTOCOL,
            offer,
            addresses: Vec::new(),
        })
    }

    fn pass(&mut self, now: Duration) {
        let slept = Some(now.saturating_sub(self.now)).filter(|&gap| gap > SLEEP);
        self.now = self.now.max(now);
        for playing in self.playing.iter_mut().chain(&mut self.past) {
            playing.table.at(self.now);
            // Nobody could place a stone here, or see the other come back.
            if let Some(slept) = slept {
                playing.table.forgive(slept);
                playing.lost = (playing.lost + slept).min(self.now);
            }
        }
        let games = self.playing.iter().chain(&self.past);
        let silent = games.filter(|playing| self.now.saturating_sub(playing.heard) > SILENCE);
        let silent: Vec<LinkId> = silent.filter_map(|playing| playing.link).collect();
        for link in silent {
            log::warn!("the other player is not heard any more");
            self.close(link);
        }
    }

    /// The games are kept before what changed them is told.
    fn flush(&mut self) {
        let mut messages = Vec::new();
        for playing in self.playing.iter_mut().chain(&mut self.past) {
            let told = playing.table.take_messages();
            self.changed |= !told.is_empty();
            // Only what can be said again later is said by the table; without a connection it waits.
            if let Some(link) = playing.link {
                messages.extend(told.into_iter().map(|message| Output::Send { link, message }));
            }
        }
        let is_heard = |playing: &Playing| playing.table.is_heard();
        let heard: Vec<LinkId> =
            self.past.iter().filter(|playing| is_heard(playing)).filter_map(|playing| playing.link).collect();
        let before = self.past.len();
        self.past.retain(|playing| !is_heard(playing));
        if std::mem::take(&mut self.changed) || self.past.len() < before {
            self.outputs.insert(0, Output::KeepGame(self.save().map(Box::new)));
        }
        self.outputs.extend(messages);
        for link in heard {
            self.close(link);
        }
    }

    /// What is to be kept; none if there is nothing.
    fn save(&self) -> Option<SavedGame> {
        let save = |playing: &Playing| playing.save(self.now, self.began);
        let game = self.playing.as_ref().map(save).or_else(|| self.parked.clone());
        let past: Vec<SavedPlaying> = self.past.iter().map(save).collect();
        (game.is_some() || !past.is_empty()).then_some(SavedGame { game, past })
    }

    /// Whether somebody is still to hear how a game has ended that was left.
    #[must_use]
    pub fn is_parting(&self) -> bool {
        self.past.iter().any(|playing| playing.link.is_some())
    }

    /// The game for which the connection is.
    fn game_on(&mut self, link: LinkId) -> Option<&mut Playing> {
        self.playing.iter_mut().chain(&mut self.past).find(|playing| playing.link == Some(link))
    }

    // The user.

    fn command(&mut self, command: Command) {
        match command {
            Command::Profile { name, offer } => {
                self.name = name::clean(&name);
                if offer.is_valid() && offer != self.offer {
                    self.decline(Refusal::Changed);
                    self.offer = offer;
                }
            }
            Command::Wait(waiting) => {
                self.waiting = waiting;
                if !waiting {
                    self.decline(Refusal::Busy);
                }
            }
            Command::Test(address) => self.start_call(address, Purpose::Test),
            Command::Invite { address, offer, id } => {
                self.start_call(address, Purpose::Invite { offer, wish: None });
                self.expected = id;
            }
            Command::Cancel => self.end_call(None),
            Command::Admit { link, yes, never } => self.admit(link, yes, never),
            Command::Leave => self.leave(),
            command => self.game_command(command),
        }
    }

    fn game_command(&mut self, command: Command) {
        let may_claim = self.may_claim();
        let Some(playing) = &mut self.playing else { return };
        match command {
            Command::Play(point) if playing.link.is_some() => {
                playing.table.play(point);
            }
            Command::Ask(what) => {
                playing.table.ask(what);
            }
            Command::Answer { what, version, yes } => playing.table.answer(what, version, yes),
            Command::Resign => playing.table.resign(),
            Command::GoOn => playing.table.go_on(),
            Command::Claim if may_claim => playing.table.claim_absence(),
            Command::Greet(what) => {
                if let Some(link) = playing.link {
                    self.outputs.push(Output::Send { link, message: Message::Greet { what } });
                }
                return;
            }
            _ => return,
        }
        self.changed = true;
    }

    fn leave(&mut self) {
        let Some(mut playing) = self.playing.take() else { return };
        let link = playing.link;
        if let Some(link) = link {
            self.outputs.push(Output::Send { link, message: Message::Leave {} });
        }
        if let Some(retry) = self.retry.take() {
            self.close(retry.link);
        }
        self.changed = true;
        let is_over = playing.table.end().is_some();
        if is_over && !playing.gone && !playing.table.is_heard() {
            // The connection stays until the other side has heard of it or ends it.
            if self.past.len() >= MOST_PAST {
                self.past.remove(0);
            }
            self.past.push(playing);
            return;
        }
        if let Some(link) = link {
            playing.lose(self.now);
            self.close(link);
        }
        // Without both players' stones there is nothing to claim and, after a while, nothing to keep.
        let is_stale = link.is_none() && !playing.table.has_begun() && self.is_long(&playing);
        if !is_over && !playing.gone && !is_stale {
            self.parked = Some(playing.save(self.now, self.began));
        }
    }

    /// Whether the other player has been looked for as long as a game waits.
    fn is_long(&self, playing: &Playing) -> bool {
        self.now.saturating_sub(playing.lost) >= PATIENCE
    }

    // Calls.

    fn start_call(&mut self, address: String, purpose: Purpose) {
        self.end_call(None);
        self.report = None;
        self.expected = None;
        if self.playing.is_none() {
            let link = self.next_call();
            self.outputs.push(Output::Call { link, address: address.clone() });
            self.call = Some(Call { link, purpose, address, since: self.now });
        }
    }

    const fn next_call(&mut self) -> LinkId {
        self.calls += 2;
        self.calls
    }

    fn end_call(&mut self, report: Option<Report>) {
        if let Some(call) = self.call.take() {
            self.close(call.link);
            self.report = report;
        }
    }

    fn close(&mut self, link: LinkId) {
        self.outputs.push(Output::Close { link });
        self.forget(link);
    }

    /// A connection is no more.
    fn forget(&mut self, link: LinkId) {
        self.links.remove(&link);
        if self.invitation.is_some_and(|(inviting, _)| inviting == link) {
            self.invitation = None;
        }
        self.retry.take_if(|retry| retry.link == link);
        if self.call.as_ref().is_some_and(|call| call.link == link) {
            self.call = None;
            self.report = Some(Report::Failed(Fault::Broken));
        }
        let now = self.now;
        if let Some(playing) = self.game_on(link) {
            playing.lose(now);
            self.changed = true;
        }
    }

    fn broken(&mut self, link: LinkId, fault: Fault) {
        if self.call.as_ref().is_some_and(|call| call.link == link) {
            self.end_call(Some(Report::Failed(fault)));
        } else {
            self.forget(link);
        }
    }

    fn linked(&mut self, link: LinkId, other: Link) {
        let key = other.key;
        let is_wanted =
            link % 2 == 1 || [&self.call, &self.retry].into_iter().flatten().any(|call| call.link == link);
        if !is_wanted {
            return self.close(link);
        }
        if key == self.key {
            return self.broken_and_closed(link, Fault::Own);
        }
        let is_called = self.call.as_ref().is_some_and(|call| call.link == link);
        if is_called && self.expected.as_ref().is_some_and(|id| *id != key.short()) {
            return self.broken_and_closed(link, Fault::Another);
        }
        let (code, lot) = (other.code.commitment().to_owned(), other.lot.commitment().to_owned());
        self.links.insert(link, other);
        let offer = (self.waiting && self.playing.is_none()).then_some(self.offer);
        let (name, program, port) = (self.name.clone(), self.program.clone(), self.port.unwrap_or(0));
        self.send(link, Message::Hello { name, program, port, offer, code, lot });
    }

    fn broken_and_closed(&mut self, link: LinkId, fault: Fault) {
        self.outputs.push(Output::Close { link });
        self.broken(link, fault);
    }

    fn send(&mut self, link: LinkId, message: Message) {
        self.outputs.push(Output::Send { link, message });
    }

    // Messages.

    fn message(&mut self, link: LinkId, message: Message) -> Result<(), Violation> {
        let Some(from) = self.links.get_mut(&link) else { return Ok(()) };
        if let Message::Hello { name, program, port, offer, code, lot } = message {
            if from.hello.is_some() || offer.is_some_and(|offer| !offer.is_valid()) {
                return Err(Violation("a second or impossible hello"));
            }
            let name = name::clean(&name);
            from.hello = Some(Greeted { name: name.clone(), port, code, lot });
            let code = from.code.secret().to_owned();
            self.send(link, Message::Reveal { code });
            self.hello(link, name, &program, offer);
            return Ok(());
        }
        if let Message::Reveal { code } = &message {
            return from.reveal(code, link.is_multiple_of(2));
        }
        if from.digits.is_none() {
            return Err(Violation("a message before the hello and what belongs to it"));
        }
        match message {
            Message::Invite { wish, offer, lot } => self.invited(link, wish, offer, &lot),
            Message::Accept { host, lot } => self.accepted(link, host, &lot),
            Message::Decline { why } => self.declined(link, why),
            Message::Resume { game, version, hash } => self.resume(link, &game, version, &hash),
            message => self.game_message(link, message),
        }
    }

    fn hello(&mut self, link: LinkId, name: String, program: &str, offer: Option<Offer>) {
        let key = self.links.get(&link).map(|link| link.key);
        if let Some(playing) = &self.playing
            && Some(playing.partner.key) == key
        {
            // What the other says next is answered then: it is no game of this program's.
            if playing.gone {
                return;
            }
            let message = playing.table.resume();
            return self.send(link, message);
        }
        if !self.keeps_call(link) {
            return;
        }
        let Some(call) = self.call.as_mut().filter(|call| call.link == link) else { return };
        match &mut call.purpose {
            Purpose::Test => {
                let millis =
                    u32::try_from((self.now.saturating_sub(call.since)).as_millis()).unwrap_or(u32::MAX);
                let program = name::clean(program);
                self.send(link, Message::Leave {});
                self.end_call(Some(Report::Reached { name, program, offer, millis }));
            }
            Purpose::Invite { offer: expected, wish: asked } => match offer {
                None => self.end_call(Some(Report::Failed(Fault::NotWaiting))),
                Some(offer) if expected.is_some_and(|expected| expected != offer) => {
                    self.end_call(Some(Report::Failed(Fault::Refused(Refusal::Changed))));
                }
                Some(offer) => {
                    let wish = self.offer.wish;
                    (*expected, *asked) = (Some(offer), Some(wish));
                    call.since = self.now;
                    let Some(to) = self.links.get(&link) else { return };
                    let lot = to.lot.secret().to_owned();
                    self.send(link, Message::Invite { wish, offer, lot });
                }
            },
            Purpose::Resume => {}
        }
    }

    /// Two players who invite each other have one game: that to which the one with the lower key has
    /// called. Returns whether this call is to be gone on with.
    fn keeps_call(&mut self, link: LinkId) -> bool {
        let Some(key) = self.links.get(&link).map(|link| link.key) else { return false };
        let inviting = self.invitation.map(|(inviting, _)| inviting);
        let inviting = inviting.filter(|inviting| self.links.get(inviting).is_some_and(|i| i.key == key));
        let is_call = self
            .call
            .as_ref()
            .is_some_and(|call| call.link == link && matches!(call.purpose, Purpose::Invite { .. }));
        match inviting {
            Some(_) if is_call && self.key.0 < key.0 => self.decline(Refusal::Busy),
            Some(_) if is_call => {
                self.end_call(None);
                return false;
            }
            _ => {}
        }
        true
    }

    fn invited(&mut self, link: LinkId, wish: Wish, offer: Offer, lot: &str) -> Result<(), Violation> {
        let Some(from) = self.links.get_mut(&link).filter(|_| link % 2 == 1) else {
            return Err(Violation("an invitation from who was called"));
        };
        if from.lot_is_black.is_some() {
            return Err(Violation("invited twice"));
        }
        from.draw(lot, false)?;
        from.since = self.now;
        let key = from.key;
        // Only an invitation that has been sent crosses this one.
        let crossing = self.call.as_ref().filter(|call| {
            matches!(call.purpose, Purpose::Invite { wish: Some(_), .. })
                && self.links.get(&call.link).is_some_and(|called| called.key == key)
        });
        let is_crossed = crossing.is_some();
        if is_crossed && key.0 < self.key.0 {
            self.end_call(None);
        }
        let is_blocked = self.known.iter().any(|known| known.key == key && known.blocked);
        let refusal = if is_blocked {
            Some(Refusal::Declined)
        } else if !self.waiting
            || self.playing.is_some()
            || self.invitation.is_some()
            || is_crossed && self.key.0 < key.0
        {
            Some(Refusal::Busy)
        } else {
            (offer != self.offer).then_some(Refusal::Changed)
        };
        match refusal {
            Some(why) => {
                self.send(link, Message::Decline { why });
                self.close(link);
            }
            None => self.invitation = Some((link, wish)),
        }
        Ok(())
    }

    fn decline(&mut self, why: Refusal) {
        if let Some((link, _)) = self.invitation.take() {
            self.send(link, Message::Decline { why });
            self.close(link);
        }
    }

    fn admit(&mut self, link: LinkId, yes: bool, never: bool) {
        let Some((_, wish)) = self.invitation.filter(|&(inviting, _)| inviting == link) else { return };
        let Some(from) = self.links.get(&link) else { return };
        let (key, lot_is_black, lot) = (from.key, from.lot_is_black, from.lot.secret().to_owned());
        let name = from.hello.as_ref().map(|hello| hello.name.clone()).unwrap_or_default();
        if !yes {
            if never {
                self.remember(key, &name, true);
            }
            return self.decline(Refusal::Declined);
        }
        self.invitation = None;
        let Some(host) = host_color(self.offer.wish, wish, lot_is_black) else { return };
        self.send(link, Message::Accept { host: host.into(), lot });
        self.begin(link, Side::Host, self.offer, host);
    }

    fn accepted(&mut self, link: LinkId, host: ColorName, lot: &str) -> Result<(), Violation> {
        let purpose = self.call.as_ref().filter(|call| call.link == link).map(|call| call.purpose);
        let (Some(Purpose::Invite { offer: Some(offer), wish: Some(wish) }), Some(from)) =
            (purpose, self.links.get_mut(&link))
        else {
            return Err(Violation("an acceptance of nothing"));
        };
        from.draw(lot, true)?;
        if host_color(offer.wish, wish, from.lot_is_black) != Some(host.into()) {
            return Err(Violation("colours that were not agreed on"));
        }
        self.call = None;
        self.begin(link, Side::Guest, offer, host.into());
        Ok(())
    }

    fn begin(&mut self, link: LinkId, side: Side, offer: Offer, host: Color) {
        let Some(from) = self.links.get(&link) else { return };
        let (name, address) = from
            .hello
            .as_ref()
            .map(|hello| (hello.name.clone(), address(&from.host, hello.port)))
            .unwrap_or_default();
        let id = from.hash.iter().skip(1).take(16).map(|byte| format!("{byte:02x}")).collect();
        let key = from.key;
        let code = from.digits.clone().unwrap_or_default();
        let partner = Partner { key, name: name.clone(), known: self.met(&key), addresses: vec![address] };
        self.end_call(None);
        self.report = None;
        let mut table = Table::new(side, id, offer, host);
        table.at(self.now);
        table.run_clock(true);
        let mut playing = Playing::new(table, partner, code, self.now);
        playing.link = Some(link);
        self.playing = Some(playing);
        self.parked = None;
        self.remember(key, &name, false);
        self.changed = true;
    }

    /// The name of a player with whom a game was played.
    fn met(&self, key: &Key) -> Option<String> {
        self.known.iter().find(|known| known.key == *key && !known.blocked).map(|known| known.name.clone())
    }

    fn remember(&mut self, key: Key, name: &str, blocked: bool) {
        self.known.retain(|known| known.key != key);
        if self.known.len() >= MOST_KNOWN {
            self.known.remove(0);
        }
        self.known.push(Known { key, name: name.into(), blocked });
        self.outputs.push(Output::KeepKnown(self.known.clone()));
    }

    fn declined(&mut self, link: LinkId, why: Refusal) -> Result<(), Violation> {
        if self.call.as_ref().is_some_and(|call| call.link == link) {
            self.end_call(Some(Report::Failed(Fault::Refused(why))));
            return Ok(());
        }
        let key = self.links.get(&link).map(|link| link.key);
        match &mut self.playing {
            Some(playing) if Some(playing.partner.key) == key && why == Refusal::UnknownGame => {
                if playing.table.is_heard() {
                    playing.left = true;
                } else {
                    playing.gone = true;
                }
                let games = playing.link.filter(|&games| games != link);
                self.close(link);
                if let Some(games) = games {
                    self.close(games);
                }
                Ok(())
            }
            _ => Err(Violation("a refusal of nothing")),
        }
    }

    fn resume(&mut self, link: LinkId, game: &str, version: u32, hash: &str) -> Result<(), Violation> {
        let Some(from) = self.links.get(&link) else { return Ok(()) };
        let is_meant = |playing: &&mut Playing| {
            playing.partner.key == from.key && playing.table.id() == game && !playing.gone
        };
        let is_playing = self.playing.as_mut().filter(|playing| is_meant(playing)).is_some();
        let Some(playing) = self.playing.iter_mut().chain(&mut self.past).find(is_meant) else {
            if self.parked.as_ref().is_some_and(|parked| parked.table.id() == game) {
                // It is gone on with in another run.
                self.close(link);
                return Ok(());
            }
            // Who would go on with another game is heard first: its answer is on the way.
            let is_partner = self.playing.as_ref().is_some_and(|p| p.partner.key == from.key && !p.gone);
            self.send(link, Message::Decline { why: Refusal::UnknownGame });
            if !is_partner {
                self.close(link);
            }
            return Ok(());
        };
        if playing.link == Some(link) {
            return Err(Violation("resumed twice"));
        }
        let called_by_guest = |link: LinkId| link.is_multiple_of(2) == (playing.table.side() == Side::Guest);
        let old = playing.link;
        if let Some(old) = old {
            let is_fresh = self.now.saturating_sub(playing.heard) < HEARTBEAT * 2;
            // Of two calls that crossed, both keep the guest's.
            if is_fresh && called_by_guest(old) && !called_by_guest(link) {
                self.close(link);
                return Ok(());
            }
        }
        if let Some(hello) = &from.hello {
            playing.partner.met_at(address(&from.host, hello.port));
            playing.partner.name.clone_from(&hello.name);
        }
        playing.code = from.digits.clone().unwrap_or_default();
        playing.link = Some(link);
        playing.away = playing.silence(self.now);
        (playing.heard, playing.unheard) = (self.now, Duration::ZERO);
        // The next tick pings: both compare how many changes they know.
        playing.pinged = self.now.saturating_sub(HEARTBEAT);
        playing.left = false;
        if !is_playing {
            // Who goes on with a game has said so with the hello.
            self.outputs.push(Output::Send { link, message: playing.table.resume() });
        }
        // What was said before the other side was back is said again by what follows.
        playing.table.take_messages();
        playing.table.resumed(version, hash);
        playing.table.run_clock(true);
        if let Some(old) = old {
            self.close(old);
        }
        if is_playing
            && let Some(retry) = self.retry.take()
            && retry.link != link
        {
            self.close(retry.link);
        }
        self.changed = true;
        Ok(())
    }

    fn game_message(&mut self, link: LinkId, message: Message) -> Result<(), Violation> {
        let now = self.now;
        if matches!(message, Message::Leave {}) {
            if let Some(playing) = self.game_on(link) {
                playing.left = true;
            }
            self.close(link);
            return Ok(());
        }
        let Some(playing) = self.game_on(link) else {
            return Err(Violation("a message of no game"));
        };
        // What the network held back is not charged.
        if !playing.is_heard_at(now) {
            playing.table.forgive(now.saturating_sub(playing.heard));
        }
        playing.heard = now;
        match message {
            Message::Ping { at, version, left } => {
                playing.away = Duration::ZERO;
                if let Some(left) = left {
                    playing.table.set_clock(version, Duration::from_millis(left.into()));
                }
                playing.table.receive(Message::Ping { at, version, left })?;
                self.send(link, Message::Pong { at });
                Ok(())
            }
            Message::Pong { at } => {
                let way = millis(now).wrapping_sub(at);
                if way <= millis(SILENCE) {
                    playing.round_trip = Duration::from_millis(way.into());
                }
                Ok(())
            }
            Message::Greet { what } => {
                playing.greeting = Some((what, playing.table.number()));
                playing.greetings = playing.greetings.wrapping_add(1);
                Ok(())
            }
            message => {
                if matches!(message, Message::Lost { why: Loss::Absent, .. })
                    && !playing.was_absent()
                    && playing.away < PATIENCE.saturating_sub(LENIENCY)
                {
                    // It stays true how long nothing was heard before.
                    playing.unheard = playing.away;
                    return Err(Violation("a win by an absence that was none"));
                }
                playing.table.receive(message)?;
                self.changed = true;
                Ok(())
            }
        }
    }

    // Time.

    fn expire(&mut self) {
        let games: Vec<LinkId> =
            self.playing.iter().chain(&self.past).filter_map(|playing| playing.link).collect();
        let is_late = |(&id, link): (&LinkId, &Link)| {
            let limit = if link.digits.is_none() { HELLO_TIME } else { ANSWER_TIME };
            (self.now.saturating_sub(link.since) > limit && !games.contains(&id)).then_some(id)
        };
        let late: Vec<LinkId> = self.links.iter().filter_map(is_late).collect();
        for link in late {
            self.broken_and_closed(link, Fault::NoAnswer);
        }
        if self.call.as_ref().is_some_and(|call| self.now.saturating_sub(call.since) > ANSWER_TIME) {
            self.end_call(Some(Report::Failed(Fault::NoAnswer)));
        }
        if self.retry.as_ref().is_some_and(|retry| self.now.saturating_sub(retry.since) > 2 * HELLO_TIME)
            && let Some(retry) = self.retry.take()
        {
            self.close(retry.link);
        }
    }

    /// The host says when the time of a move is over. A stone that the guest has placed in time counts
    /// even if the network holds it back: first something must come that was sent later.
    fn watch_clock(&mut self) {
        let Some(playing) = &mut self.playing else { return };
        let Some(flag) = playing.table.deadline(playing.round_trip).filter(|&flag| self.now >= flag) else {
            return;
        };
        if playing.has_answered(flag) {
            playing.table.flag(playing.round_trip);
        } else if playing.pinged < flag {
            self.ping();
        }
    }

    /// Says that this side is there, and hears how long the way is.
    fn ping(&mut self) {
        let Some(playing) = &mut self.playing else { return };
        let Some(link) = playing.link else { return };
        playing.pinged = self.now;
        let at = millis(self.now);
        let is_host = playing.table.side() == Side::Host && playing.table.is_running();
        let left = playing.table.left().filter(|_| is_host).map(millis);
        if left.is_some() && self.now.saturating_sub(playing.kept) >= CLOCK_KEPT {
            playing.kept = self.now;
            self.changed = true;
        }
        let version = playing.table.version();
        self.send(link, Message::Ping { at, version, left });
    }

    fn keep_in_touch(&mut self) {
        let Some(playing) = &mut self.playing else { return };
        match playing.link {
            Some(_) => {
                if self.now.saturating_sub(playing.pinged) >= HEARTBEAT {
                    self.ping();
                }
            }
            None => {
                let is_due = playing.tried.is_none_or(|tried| self.now.saturating_sub(tried) >= RETRY);
                // Who has left after an end that both know does not come back.
                let is_parted = playing.gone || playing.left && playing.table.is_heard();
                if is_due && !is_parted && self.retry.is_none() {
                    self.call_back();
                }
            }
        }
    }

    /// Looks for the other player where it was and where it may be now.
    fn call_back(&mut self) {
        let Some(playing) = &mut self.playing else { return };
        playing.tried = Some(self.now);
        let id = playing.partner.key.short();
        let seen: Vec<&String> =
            self.found.iter().filter(|found| found.id == id).flat_map(|found| &found.addresses).collect();
        let known: Vec<&String> = playing.partner.addresses.iter().collect();
        // In turn: anybody can say on the network that the other player is somewhere else.
        let lists = if playing.tries.is_multiple_of(2) { [&known, &seen] } else { [&seen, &known] };
        let Some(list) = lists.into_iter().find(|list| !list.is_empty()) else { return };
        let address = list[playing.tries / 2 % list.len()].clone();
        playing.tries = playing.tries.wrapping_add(1);
        let link = self.next_call();
        self.outputs.push(Output::Call { link, address: address.clone() });
        self.retry = Some(Call { link, purpose: Purpose::Resume, address, since: self.now });
    }

    fn may_claim(&self) -> bool {
        self.playing.as_ref().is_some_and(|playing| {
            let is_away = playing.link.is_none() && !playing.gone && self.is_long(playing);
            is_away && playing.table.is_running() && playing.table.has_begun()
        })
    }

    // What is shown.

    /// Everything that is shown.
    #[must_use]
    pub fn view(&self) -> View {
        let invitation = self.invitation.and_then(|(id, wish)| {
            let link = self.links.get(&id)?;
            Some(Invitation {
                link: id,
                name: link.hello.as_ref()?.name.clone(),
                known: self.met(&link.key),
                color: host_color(self.offer.wish, wish, None),
                offer: self.offer,
                code: link.digits.clone().unwrap_or_default(),
            })
        });
        let calling = self.call.as_ref();
        let asked = calling.and_then(|call| {
            let link = self.links.get(&call.link)?;
            let name = link.hello.as_ref()?.name.clone();
            Some(Asked { name, known: self.met(&link.key), code: link.digits.clone().unwrap_or_default() })
        });
        View {
            port: self.port,
            addresses: self.addresses.clone(),
            waiting: self.waiting,
            players: self.found.iter().filter(|found| found.id != self.key.short()).cloned().collect(),
            calling: calling.map(|call| call.address.clone()),
            asked,
            report: self.report.clone(),
            invitation,
            game: self.playing.as_ref().map(|playing| playing.view(self.now, self.may_claim())),
            unkept: false,
        }
    }
}

impl Playing {
    const fn new(table: Table, partner: Partner, code: String, now: Duration) -> Self {
        Self {
            table,
            partner,
            code,
            link: None,
            heard: now,
            unheard: Duration::ZERO,
            away: Duration::ZERO,
            pinged: now,
            kept: now,
            round_trip: Duration::ZERO,
            lost: now,
            tried: None,
            tries: 0,
            left: false,
            gone: false,
            greeting: None,
            greetings: 0,
        }
    }

    /// Whether the side to move, if it is the other one, was heard after this moment; for this one the
    /// connection must live.
    fn has_answered(&self, moment: Duration) -> bool {
        if self.table.mover() == self.table.side() {
            self.is_heard_at(self.table.now())
        } else {
            self.heard >= moment
        }
    }

    /// Whether the connection lives as far as one can tell.
    fn is_heard_at(&self, now: Duration) -> bool {
        now.saturating_sub(self.heard) <= 2 * HEARTBEAT
    }

    /// How long nothing has been heard of the other player.
    fn silence(&self, now: Duration) -> Duration {
        now.saturating_sub(self.heard) + self.unheard
    }

    /// Whether it is known already that this player has lost by staying away.
    fn was_absent(&self) -> bool {
        self.table.end() == Some(End::Lost(self.table.color(self.table.side()), Loss::Absent))
    }

    fn lose(&mut self, now: Duration) {
        self.table.forgive(now.saturating_sub(self.heard));
        self.link = None;
        self.lost = now;
        self.tried = None;
        self.table.run_clock(false);
    }

    fn save(&self, now: Duration, began: Duration) -> SavedPlaying {
        let heard = (began + now).saturating_sub(self.silence(now)).as_secs();
        SavedPlaying { partner: self.partner.clone(), table: self.table.save(), heard }
    }

    /// The game that was kept, in a program whose time begins so long after 1970.
    fn restore(saved: &SavedPlaying, began: Duration) -> Option<Self> {
        let table = Table::restore(&saved.table)?;
        let mut playing = Self::new(table, saved.partner.clone(), String::new(), Duration::ZERO);
        playing.unheard = began.saturating_sub(Duration::from_secs(saved.heard));
        Some(playing)
    }

    fn view(&self, now: Duration, may_claim: bool) -> GameView {
        let table = &self.table;
        let side = table.side();
        let seconds = |time: Duration| u16::try_from(time.as_millis().div_ceil(1000)).unwrap_or(u16::MAX);
        let may_ask = [Request::Undo, Request::Draw, Request::Restart].map(|what| {
            self.link.is_some()
                && table.asked().is_none()
                && !table.is_diverged()
                && !table.refused().contains(&what)
                && table.makes_sense(what, side)
        });
        GameView {
            color: table.color(side),
            partner: self.partner.name.clone(),
            known: self.partner.known.clone(),
            code: self.code.clone(),
            offer: *table.offer(),
            number: table.number(),
            version: table.version(),
            moves: table.game().moves().to_vec(),
            end: table.end(),
            asked: table.asked(),
            refused: table.refused().to_vec(),
            may_ask,
            question: table.question().filter(|_| self.link.is_some()),
            connected: self.link.is_some(),
            patience: seconds(if self.link.is_some() {
                PATIENCE
            } else {
                PATIENCE.saturating_sub(now.saturating_sub(self.lost))
            }),
            left: self.left,
            gone: self.gone,
            may_claim,
            seconds_left: table.left().filter(|_| table.is_running()).map(seconds),
            diverged: table.is_diverged(),
            their_moves: table.their_moves(),
            willing: table.is_willing(),
            greeting: self
                .greeting
                .filter(|&(_, number)| number == table.number())
                .map(|(what, _)| (what, self.greetings)),
        }
    }
}

impl Partner {
    /// The newest address comes first.
    fn met_at(&mut self, address: String) {
        self.addresses.retain(|known| *known != address);
        self.addresses.insert(0, address);
        self.addresses.truncate(MOST_ADDRESSES);
    }
}

/// The host's colour: the host's wish, else what the guest leaves, else the lot, if it is drawn.
fn host_color(host: Wish, guest: Wish, lot_is_black: Option<bool>) -> Option<Color> {
    match (host, guest) {
        (Wish::Black, _) | (Wish::Either, Wish::White) => Some(Color::Black),
        (Wish::White, _) | (Wish::Either, Wish::Black) => Some(Color::White),
        (Wish::Either, Wish::Either) => {
            lot_is_black.map(|is_black| if is_black { Color::Black } else { Color::White })
        }
    }
}

/// Six digits to compare by voice: the last eight bytes, the highest first, modulo a million.
fn digits(digest: &[u8; 32]) -> String {
    let number = digest[24..].iter().fold(0, |number, &byte| number << 8 | u64::from(byte)) % 1_000_000;
    format!("{:03} {:03}", number / 1000, number % 1000)
}

/// A host and a port in one text.
fn address(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

fn millis(time: Duration) -> u32 {
    // Wraps after 49 days, which differences bear.
    time.as_millis() as u32
}
