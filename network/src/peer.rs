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
use crate::message::{ColorName, Greeting, Message, Offer, Refusal, Request, Side, Wish};
use crate::name;
use crate::table::{End, SavedTable, Table, Violation};

/// How often a side says that it is there.
pub const HEARTBEAT: Duration = Duration::from_secs(2);
/// A connection on which nothing was heard for so long is lost.
pub const SILENCE: Duration = Duration::from_secs(8);
/// How long the game waits for the other side to come back.
pub const PATIENCE: Duration = Duration::from_secs(180);
/// How often a side tries to come back.
const RETRY: Duration = Duration::from_secs(2);
/// How soon the first message must have come.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// How long an invitation waits for its answer, and a stranger for its invitation.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// Players that are remembered.
const MOST_KNOWN: usize = 256;
/// Addresses at which the other side is looked for.
const MOST_ADDRESSES: usize = 8;

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

/// A game in the form in which it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    partner: Partner,
    table: SavedTable,
}

impl SavedGame {
    /// Whether it is a possible game.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        name::clean(&self.partner.name) == self.partner.name && Table::restore(&self.table).is_some()
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
    host: String,
    since: Duration,
    hello: Option<Greeted>,
}

/// What a hello said.
#[derive(Clone, Debug)]
struct Greeted {
    name: String,
    port: u16,
}

/// A game and its other player.
#[derive(Clone, Debug)]
struct Playing {
    table: Table,
    partner: Partner,
    code: String,
    link: Option<LinkId>,
    heard: Duration,
    pinged: Duration,
    round_trip: Duration,
    lost: Duration,
    tried: Option<Duration>,
    tries: usize,
    /// The other player has left on purpose.
    left: bool,
    /// The other program no longer has the game.
    gone: bool,
    greeting: Option<Greeting>,
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
    /// What the other side has said last, and how often it said something.
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
    /// The game is to be kept.
    changed: bool,
    now: Duration,
    outputs: Vec<Output>,
}

impl Peer {
    /// A program with this public key. A game that was kept is gone on with.
    #[must_use]
    pub fn new(key: Key, program: &str, known: Vec<Known>, kept: Option<&SavedGame>) -> Self {
        let playing = kept.and_then(|kept| {
            let table = Table::restore(&kept.table)?;
            Some(Playing::new(table, kept.partner.clone(), String::new(), Duration::ZERO))
        });
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
            changed: false,
            now: Duration::ZERO,
            outputs: Vec::new(),
        }
    }

    /// Takes what happened at this time, which never goes back.
    pub fn handle(&mut self, now: Duration, input: Input) {
        self.pass(now);
        match input {
            Input::Command(command) => self.command(command),
            Input::Linked { link, key, hash, host } => self.linked(link, key, hash, host),
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
        self.expire();
        self.keep_in_touch();
        self.flush();
    }

    /// When [`Peer::tick`] should be called at the latest.
    #[must_use]
    pub fn deadline(&self) -> Duration {
        let second = self.now + Duration::from_secs(1);
        let flag = self.playing.as_ref().and_then(|playing| playing.table.deadline(playing.round_trip));
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
        self.now = self.now.max(now);
        if let Some(playing) = &mut self.playing {
            playing.table.at(self.now, playing.round_trip);
        }
    }

    /// The game is kept before what changed it is told.
    fn flush(&mut self) {
        let changed = std::mem::take(&mut self.changed);
        let Some(playing) = &mut self.playing else { return };
        let messages = playing.table.take_messages();
        if changed || !messages.is_empty() {
            self.outputs.insert(0, Output::KeepGame(Some(Box::new(playing.save()))));
        }
        // Only what can be said again later is said by the table; without a connection it waits.
        if let Some(link) = playing.link {
            self.outputs.extend(messages.into_iter().map(|message| Output::Send { link, message }));
        }
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
        let Some(playing) = self.playing.take() else { return };
        if let Some(link) = playing.link {
            self.outputs.push(Output::Send { link, message: Message::Leave {} });
            self.close(link);
        }
        if let Some(retry) = self.retry.take() {
            self.close(retry.link);
        }
        if playing.table.end().is_some() {
            self.outputs.push(Output::KeepGame(None));
        }
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
        if let Some(playing) = &mut self.playing
            && playing.link == Some(link)
        {
            playing.lose(self.now);
        }
    }

    fn broken(&mut self, link: LinkId, fault: Fault) {
        if self.call.as_ref().is_some_and(|call| call.link == link) {
            self.end_call(Some(Report::Failed(fault)));
        } else {
            self.forget(link);
        }
    }

    fn linked(&mut self, link: LinkId, key: Key, hash: [u8; 32], host: String) {
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
        self.links.insert(link, Link { key, hash, host, since: self.now, hello: None });
        let offer = (self.waiting && self.playing.is_none()).then_some(self.offer);
        let (name, program, port) = (self.name.clone(), self.program.clone(), self.port.unwrap_or(0));
        self.send(link, Message::Hello { name, program, port, offer });
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
        let Some(known) = self.links.get_mut(&link) else { return Ok(()) };
        if let Message::Hello { name, program, port, offer } = message {
            if known.hello.is_some() || offer.is_some_and(|offer| !offer.is_valid()) {
                return Err(Violation("a second or impossible hello"));
            }
            let name = name::clean(&name);
            known.hello = Some(Greeted { name: name.clone(), port });
            self.hello(link, name, &program, offer);
            return Ok(());
        }
        if known.hello.is_none() {
            return Err(Violation("a message before the hello"));
        }
        match message {
            Message::Invite { wish, offer } => self.invited(link, wish, offer),
            Message::Accept { host } => self.accepted(link, host),
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
            let message = playing.table.resume();
            return self.send(link, message);
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
                    self.send(link, Message::Invite { wish, offer });
                }
            },
            Purpose::Resume => {}
        }
    }

    fn invited(&mut self, link: LinkId, wish: Wish, offer: Offer) -> Result<(), Violation> {
        let Some(known) = self.links.get(&link).filter(|_| link % 2 == 1) else {
            return Err(Violation("an invitation from who was called"));
        };
        let is_blocked = self.known.iter().any(|other| other.key == known.key && other.blocked);
        let refusal = if is_blocked {
            Some(Refusal::Declined)
        } else if !self.waiting || self.playing.is_some() || self.invitation.is_some() {
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
        let Some(known) = self.links.get(&link) else { return };
        let (key, hash) = (known.key, known.hash);
        let name = known.hello.as_ref().map(|hello| hello.name.clone()).unwrap_or_default();
        if !yes {
            if never {
                self.remember(key, &name, true);
            }
            return self.decline(Refusal::Declined);
        }
        self.invitation = None;
        let host = host_color(self.offer.wish, wish, &hash);
        self.send(link, Message::Accept { host: host.into() });
        self.begin(link, Side::Host, self.offer, host);
    }

    fn accepted(&mut self, link: LinkId, host: ColorName) -> Result<(), Violation> {
        let call = self.call.take_if(|call| call.link == link);
        let Some(Call { purpose: Purpose::Invite { offer: Some(offer), wish: Some(wish) }, .. }) = call
        else {
            return Err(Violation("an acceptance of nothing"));
        };
        let hash = self.links.get(&link).map(|link| link.hash).unwrap_or_default();
        if host_color(offer.wish, wish, &hash) != host.into() {
            return Err(Violation("colours that were not agreed on"));
        }
        self.begin(link, Side::Guest, offer, host.into());
        Ok(())
    }

    fn begin(&mut self, link: LinkId, side: Side, offer: Offer, host: Color) {
        let Some(known) = self.links.get(&link) else { return };
        let (name, address) = known
            .hello
            .as_ref()
            .map(|hello| (hello.name.clone(), address(&known.host, hello.port)))
            .unwrap_or_default();
        let id = known.hash.iter().skip(1).take(16).map(|byte| format!("{byte:02x}")).collect();
        let met = self.met(&known.key);
        let partner = Partner { key: known.key, name: name.clone(), known: met, addresses: vec![address] };
        let code = code(&known.hash);
        let key = known.key;
        self.end_call(None);
        self.report = None;
        let mut table = Table::new(side, id, offer, host);
        table.at(self.now, Duration::ZERO);
        table.run_clock(true);
        let mut playing = Playing::new(table, partner, code, self.now);
        playing.link = Some(link);
        self.playing = Some(playing);
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
                playing.gone = true;
                self.close(link);
                Ok(())
            }
            _ => Err(Violation("a refusal of nothing")),
        }
    }

    fn resume(&mut self, link: LinkId, game: &str, version: u32, hash: &str) -> Result<(), Violation> {
        let Some(known) = self.links.get(&link) else { return Ok(()) };
        let Some(playing) =
            self.playing.as_mut().filter(|p| p.partner.key == known.key && p.table.id() == game)
        else {
            self.send(link, Message::Decline { why: Refusal::UnknownGame });
            self.close(link);
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
        if let Some(hello) = &known.hello {
            playing.partner.met_at(address(&known.host, hello.port));
            playing.partner.name.clone_from(&hello.name);
        }
        playing.code = code(&known.hash);
        playing.link = Some(link);
        (playing.heard, playing.pinged) = (self.now, self.now);
        (playing.left, playing.gone) = (false, false);
        // What was said before the other side was back is said again by what follows.
        playing.table.take_messages();
        playing.table.resumed(version, hash);
        playing.table.run_clock(true);
        if let Some(old) = old {
            self.close(old);
        }
        if let Some(retry) = self.retry.take()
            && retry.link != link
        {
            self.close(retry.link);
        }
        self.changed = true;
        Ok(())
    }

    fn game_message(&mut self, link: LinkId, message: Message) -> Result<(), Violation> {
        let is_players = self.playing.as_ref().is_some_and(|playing| playing.link == Some(link));
        if matches!(message, Message::Leave {}) {
            if let Some(playing) = self.playing.as_mut().filter(|_| is_players) {
                playing.left = true;
            }
            self.close(link);
            return Ok(());
        }
        let Some(playing) = self.playing.as_mut().filter(|_| is_players) else {
            return Err(Violation("a message of no game"));
        };
        playing.heard = self.now;
        match message {
            Message::Ping { at, version, left } => {
                if let Some(left) = left {
                    playing.table.set_clock(version, Duration::from_millis(left.into()));
                }
                self.send(link, Message::Pong { at });
                Ok(())
            }
            Message::Pong { at } => {
                let way = millis(self.now).wrapping_sub(at);
                if way <= millis(SILENCE) {
                    playing.round_trip = Duration::from_millis(way.into());
                }
                Ok(())
            }
            Message::Greet { what } => {
                playing.greeting = Some(what);
                playing.greetings = playing.greetings.wrapping_add(1);
                Ok(())
            }
            message => {
                playing.table.receive(message)?;
                self.changed = true;
                Ok(())
            }
        }
    }

    // Time.

    fn expire(&mut self) {
        let players = self.playing.as_ref().and_then(|playing| playing.link);
        let inviting = self.invitation.map(|(link, _)| link);
        let is_late = |(&id, link): (&LinkId, &Link)| {
            let limit = if link.hello.is_none() { HELLO_TIME } else { ANSWER_TIME };
            let is_old = self.now.saturating_sub(link.since) > limit;
            (is_old && Some(id) != players && (link.hello.is_none() || Some(id) != inviting)).then_some(id)
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

    fn keep_in_touch(&mut self) {
        let Some(playing) = &mut self.playing else { return };
        match playing.link {
            Some(link) if self.now.saturating_sub(playing.heard) > SILENCE => {
                log::warn!("the other player is not heard any more");
                self.close(link);
            }
            Some(link) => {
                if self.now.saturating_sub(playing.pinged) >= HEARTBEAT {
                    playing.pinged = self.now;
                    let at = millis(self.now);
                    let is_host = playing.table.side() == Side::Host && playing.table.is_running();
                    let left = playing.table.left().filter(|_| is_host).map(millis);
                    let version = playing.table.version();
                    self.send(link, Message::Ping { at, version, left });
                }
            }
            None => {
                let is_due = playing.tried.is_none_or(|tried| self.now.saturating_sub(tried) >= RETRY);
                if is_due && !playing.gone && self.retry.is_none() {
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
        let seen = self.found.iter().filter(|found| found.id == id).flat_map(|found| &found.addresses);
        let mut addresses: Vec<&String> = Vec::new();
        for address in seen.chain(&playing.partner.addresses) {
            if !addresses.contains(&address) && addresses.len() < MOST_ADDRESSES {
                addresses.push(address);
            }
        }
        let Some(address) = addresses.get(playing.tries % addresses.len().max(1)).copied().cloned() else {
            return;
        };
        playing.tries = playing.tries.wrapping_add(1);
        let link = self.next_call();
        self.outputs.push(Output::Call { link, address: address.clone() });
        self.retry = Some(Call { link, purpose: Purpose::Resume, address, since: self.now });
    }

    fn may_claim(&self) -> bool {
        self.playing.as_ref().is_some_and(|playing| {
            let is_long = self.now.saturating_sub(playing.lost) >= PATIENCE;
            playing.link.is_none() && (is_long || playing.gone) && playing.table.is_running()
        })
    }

    // What is shown.

    /// Everything that is shown.
    #[must_use]
    pub fn view(&self) -> View {
        let invitation = self.invitation.and_then(|(id, wish)| {
            let link = self.links.get(&id)?;
            let is_lot = self.offer.wish == Wish::Either && wish == Wish::Either;
            let host = host_color(self.offer.wish, wish, &link.hash);
            Some(Invitation {
                link: id,
                name: link.hello.as_ref()?.name.clone(),
                known: self.met(&link.key),
                color: (!is_lot).then_some(host),
                offer: self.offer,
                code: code(&link.hash),
            })
        });
        let calling = self.call.as_ref();
        let asked = calling.and_then(|call| {
            let link = self.links.get(&call.link)?;
            let name = link.hello.as_ref()?.name.clone();
            Some(Asked { name, known: self.met(&link.key), code: code(&link.hash) })
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
            pinged: now,
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

    fn lose(&mut self, now: Duration) {
        self.link = None;
        self.lost = now;
        self.tried = None;
        self.table.run_clock(false);
    }

    fn save(&self) -> SavedGame {
        SavedGame { partner: self.partner.clone(), table: self.table.save() }
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
            greeting: self.greeting.map(|what| (what, self.greetings)),
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

/// The host's colour: the host's wish, else what the guest leaves, else the lot, which is the lowest
/// bit of the handshake's hash.
fn host_color(host: Wish, guest: Wish, hash: &[u8; 32]) -> Color {
    match (host, guest) {
        (Wish::Black, _) | (Wish::Either, Wish::White) => Color::Black,
        (Wish::White, _) | (Wish::Either, Wish::Black) => Color::White,
        (Wish::Either, Wish::Either) if hash[0] & 1 == 0 => Color::Black,
        (Wish::Either, Wish::Either) => Color::White,
    }
}

/// Six digits to compare by voice: the last eight bytes of the handshake's hash, the highest first,
/// modulo a million.
fn code(hash: &[u8; 32]) -> String {
    let number = hash[24..].iter().fold(0, |number, &byte| number << 8 | u64::from(byte)) % 1_000_000;
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
