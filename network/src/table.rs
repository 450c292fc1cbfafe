// SPDX-License-Identifier: GPL-3.0-only
//! A game between two programs, as one of them knows it: moves, questions, ends, and what is said
//! again after a lost connection. No connection, no clock of its own: the time is told.
//!
//! Both stay of one mind because only the side to move changes the position, by a move or by doing
//! what both have agreed on. Each change has a number. What was changed and may not have arrived is
//! told again after a new connection; what arrives twice is known by its number.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wuzi_engine::{Color, Game, Outcome, Point, Size};

use crate::message::{ColorName, Loss, Message, Offer, Request, Side};

/// Changes that are remembered. A peer that knows less than the oldest cannot be told.
const LOG: usize = 512;
/// No honest game has more changes.
const MOST_VERSION: u32 = 1 << 20;
/// More is not believed: a game that goes on from what was said has room for many changes.
const MOST_TOLD: u32 = MOST_VERSION / 2;
/// The host lets the guest's last moment arrive.
const GRACE: Duration = Duration::from_millis(250);
/// More is not taken for time on the way.
const MOST_ROUND_TRIP: Duration = Duration::from_secs(2);

/// A message that no honest program sends here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation(pub &'static str);

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The stones decide.
    Stones(Outcome),
    /// Both agreed on a draw.
    Agreed,
    /// The side has lost.
    Lost(Color, Loss),
}

/// What a change does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Act {
    Move(u8, u8),
    Agreed { what: Request, asker: Side },
}

/// A change that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    version: u32,
    by: Side,
    act: Act,
    /// Stones that it took back, the last first.
    taken: Vec<(u8, u8)>,
    /// The questions that it ended.
    ended: Questions,
    /// The position after it.
    hash: String,
}

impl Entry {
    const fn is_restart(&self) -> bool {
        matches!(self.act, Act::Agreed { what: Request::Restart, .. })
    }
}

/// An end that was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    version: u32,
    side: Side,
    why: Loss,
    by: Side,
}

/// An end as it is told: the number of changes, and who has lost why if the end was said.
type Over = (u32, Option<(Side, Loss)>);

/// The questions about the position as it is; a change ends them all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Questions {
    /// What this side has asked and was not refused, the last last. An end that was said makes room
    /// for another question.
    mine: Vec<Request>,
    /// What this side was refused.
    refused: Vec<Request>,
    /// What the other side has asked.
    theirs: Option<Request>,
    /// What this side has refused.
    refused_them: Vec<Request>,
    /// To what this side has consented; the other side, which is to move, does it.
    consented: Vec<Request>,
}

/// The other side's position.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Theirs {
    version: u32,
    number: u32,
    moves: Vec<(u8, u8)>,
}

/// Two ideas of the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Divergence {
    /// The other side's position, once it is known.
    theirs: Option<Theirs>,
    /// Who would go on from the last common position.
    willing: [bool; 2],
}

/// A table in the form in which it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTable {
    side: Side,
    id: String,
    offer: Offer,
    host: ColorName,
    number: u32,
    version: u32,
    moves: Vec<(u8, u8)>,
    agreed: bool,
    declared: Option<Declared>,
    heard: Option<Over>,
    questions: Questions,
    base: String,
    log: Vec<Entry>,
    spent: u32,
}

impl SavedTable {
    /// The name of the game.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// A game between two programs, as one of them knows it.
#[derive(Clone, Debug)]
pub struct Table {
    side: Side,
    id: String,
    offer: Offer,
    /// The host's colour in the first game.
    host: Color,
    number: u32,
    version: u32,
    game: Game,
    agreed: bool,
    declared: Option<Declared>,
    /// The end that was told on this connection.
    told: Option<Over>,
    /// The end of which the other side has said that it knows it.
    heard: Option<Over>,
    questions: Questions,
    /// The position before the oldest entry.
    base: String,
    log: VecDeque<Entry>,
    divergence: Option<Divergence>,
    now: Duration,
    /// Time of this move before the clock last started.
    spent: Duration,
    /// Since when the clock runs.
    since: Option<Duration>,
    outbox: Vec<Message>,
}

impl Table {
    /// A new game.
    #[must_use]
    pub fn new(side: Side, id: String, offer: Offer, host: Color) -> Self {
        let game = Game::new(Size::new(offer.lines).unwrap_or_default(), offer.rule.into());
        let mut table = Self {
            side,
            id,
            offer,
            host,
            number: 0,
            version: 0,
            game,
            agreed: false,
            declared: None,
            told: None,
            heard: None,
            questions: Questions::default(),
            base: String::new(),
            log: VecDeque::new(),
            divergence: None,
            now: Duration::ZERO,
            spent: Duration::ZERO,
            since: None,
            outbox: Vec::new(),
        };
        table.base = table.hash();
        table
    }

    // What it knows.

    /// This side.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The name of the game.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is played.
    #[must_use]
    pub const fn offer(&self) -> &Offer {
        &self.offer
    }

    /// Which game in a row it is, from 0.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// How many changes there were.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// The stones and the moves.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// A side's colour.
    #[must_use]
    pub const fn color(&self, side: Side) -> Color {
        let host = if self.number.is_multiple_of(2) { self.host } else { self.host.opposite() };
        match side {
            Side::Host => host,
            Side::Guest => host.opposite(),
        }
    }

    /// The side to move; after the end, the side that would be.
    #[must_use]
    pub fn mover(&self) -> Side {
        if self.color(Side::Host) == self.game.to_move() { Side::Host } else { Side::Guest }
    }

    /// How the game ended.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        if self.game.outcome().is_over() {
            return Some(End::Stones(self.game.outcome()));
        }
        if self.agreed {
            return Some(End::Agreed);
        }
        self.declared.map(|declared| End::Lost(self.color(declared.side), declared.why))
    }

    /// Whether the other side knows the end.
    #[must_use]
    pub fn is_heard(&self) -> bool {
        self.over().is_some_and(|over| self.heard == Some(over))
    }

    fn over(&self) -> Option<Over> {
        let end = self.end().filter(|_| self.divergence.is_none())?;
        let said = self.declared.filter(|_| matches!(end, End::Lost(..)));
        Some((self.version, said.map(|declared| (declared.side, declared.why))))
    }

    /// Whether both sides have placed a stone in this game.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        self.game.moves().len() >= 2
    }

    /// Whether moves can be made.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.end().is_none() && self.divergence.is_none()
    }

    /// What this side has asked and is not answered.
    #[must_use]
    pub fn asked(&self) -> Option<Request> {
        self.questions.mine.last().copied().filter(|&what| self.makes_sense(what, self.side))
    }

    /// What this side was refused in this position.
    #[must_use]
    pub fn refused(&self) -> &[Request] {
        &self.questions.refused
    }

    /// What the other side asks.
    #[must_use]
    pub fn question(&self) -> Option<Request> {
        self.questions.theirs.filter(|&what| self.makes_sense(what, self.side.other()))
    }

    /// The other side's moves, where the two positions differ and both are known.
    #[must_use]
    pub fn their_moves(&self) -> Option<Vec<Point>> {
        let theirs = self.divergence.as_ref()?.theirs.as_ref()?;
        Some(theirs.moves.iter().map(|&(x, y)| Point::new(x, y)).collect())
    }

    /// Whether the two sides have different ideas of the position.
    #[must_use]
    pub const fn is_diverged(&self) -> bool {
        self.divergence.is_some()
    }

    /// Whether this side would go on from the last common position.
    #[must_use]
    pub fn is_willing(&self) -> bool {
        self.divergence.as_ref().is_some_and(|divergence| divergence.willing[0])
    }

    /// What is left to the side to move.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        let limit = Duration::from_secs(self.offer.seconds?.into());
        Some(limit.saturating_sub(self.used()))
    }

    /// The position: FNV-1a, 64 bits, over the size, the rule, the number of the game and the moves.
    #[must_use]
    pub fn hash(&self) -> String {
        let head = [self.offer.lines, self.offer.rule as u8];
        let moves = self.game.moves().iter().flat_map(|point| [point.x, point.y]);
        let bytes = head.into_iter().chain(self.number.to_be_bytes()).chain(moves);
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }

    /// What is to be sent, in order.
    pub fn take_messages(&mut self) -> Vec<Message> {
        let over = self.over();
        if over != self.told {
            self.told = over;
            self.outbox.extend(over.map(|(version, said)| Message::Over {
                version,
                side: said.map(|(side, _)| side),
                why: said.map(|(_, why)| why),
            }));
        }
        std::mem::take(&mut self.outbox)
    }

    // Time.

    /// Tells the time.
    pub const fn at(&mut self, now: Duration) {
        self.now = now;
    }

    /// The time that was told last.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// The host says that the time of the side to move is over, if it is. `round_trip` is how long a
    /// message takes to the other side and back.
    pub fn flag(&mut self, round_trip: Duration) {
        if self.side == Side::Host
            && self.since.is_some()
            && self.flag_at(round_trip).is_some_and(|at| self.now >= at)
        {
            self.declare(self.mover(), Loss::Time);
        }
    }

    /// When [`Table::flag`] should be called for the clock's sake.
    #[must_use]
    pub fn deadline(&self, round_trip: Duration) -> Option<Duration> {
        if self.side == Side::Host && self.since.is_some() { self.flag_at(round_trip) } else { None }
    }

    /// When the side to move has lost by the host's clock: the way there and back is not charged to
    /// the guest.
    fn flag_at(&self, round_trip: Duration) -> Option<Duration> {
        let limit = Duration::from_secs(self.offer.seconds?.into());
        let allowance = match self.mover() {
            Side::Host => Duration::ZERO,
            Side::Guest => round_trip.min(MOST_ROUND_TRIP) + GRACE,
        };
        self.is_running().then(|| self.now + (limit + allowance).saturating_sub(self.used()))
    }

    fn used(&self) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| self.now.saturating_sub(since))
    }

    /// The clock runs while both are there.
    pub fn run_clock(&mut self, runs: bool) {
        self.spent = self.used();
        self.since = runs.then_some(self.now);
    }

    /// Does not charge the last so much time of this move, in which the other side was away.
    pub fn forgive(&mut self, time: Duration) {
        self.since = self.since.map(|since| (since + time).min(self.now));
    }

    /// The guest's clock is set by the host's.
    pub fn set_clock(&mut self, version: u32, left: Duration) {
        if let Some(seconds) = self.offer.seconds
            && self.side == Side::Guest
            && version == self.version
        {
            self.spent = Duration::from_secs(seconds.into()).saturating_sub(left);
            self.since = self.since.map(|_| self.now);
        }
    }

    fn turn_clock(&mut self) {
        self.spent = Duration::ZERO;
        self.since = self.since.map(|_| self.now);
    }

    // What this side does.

    /// Places a stone. Returns whether it could be placed.
    pub fn play(&mut self, point: Point) -> bool {
        let may = self.is_running() && self.mover() == self.side;
        may && self.change(self.side, Act::Move(point.x, point.y)).is_some()
    }

    /// Asks the other side. Returns whether it could be asked.
    pub fn ask(&mut self, what: Request) -> bool {
        let may = self.asked().is_none()
            && !self.questions.mine.contains(&what)
            && !self.questions.refused.contains(&what)
            && self.divergence.is_none()
            && self.makes_sense(what, self.side);
        if may {
            self.questions.mine.push(what);
            self.outbox.push(Message::Ask { version: self.version, what });
        }
        may
    }

    /// Answers a question of the other side, which was asked after so many changes; nothing happens
    /// if that question is no longer open.
    pub fn answer(&mut self, what: Request, version: u32, yes: bool) {
        if version != self.version || self.questions.theirs.take_if(|theirs| *theirs == what).is_none() {
            return;
        }
        if !yes || !self.makes_sense(what, self.side.other()) {
            self.questions.refused_them.push(what);
            self.outbox.push(Message::Answer { version: self.version, what, yes: false });
        } else if self.mover() == self.side {
            self.change(self.side, Act::Agreed { what, asker: self.side.other() });
        } else {
            self.questions.consented.push(what);
            self.outbox.push(Message::Answer { version: self.version, what, yes: true });
        }
    }

    /// Gives up.
    pub fn resign(&mut self) {
        if self.is_running() {
            self.declare(self.side, Loss::Resigned);
        }
    }

    /// Takes the win because the other side stayed away.
    pub fn claim_absence(&mut self) {
        if self.is_running() && self.has_begun() {
            self.declare(self.side.other(), Loss::Absent);
        }
    }

    /// Would go on from the last common position.
    pub fn go_on(&mut self) {
        let Some((version, stones)) = self.common() else { return };
        if let Some(divergence) = &mut self.divergence
            && !std::mem::replace(&mut divergence.willing[0], true)
        {
            self.outbox.push(Message::Common { version, stones });
            self.join();
        }
    }

    // What the other side says.

    /// Takes a message of the other side.
    ///
    /// # Errors
    /// If no honest program would send it; the connection is then to be closed.
    pub fn receive(&mut self, message: Message) -> Result<(), Violation> {
        match message {
            Message::Diverged { version, number, moves } => {
                return self.receive_diverged(version, number, moves);
            }
            Message::Common { version, stones } => return self.receive_common(version, stones),
            _ if self.divergence.is_some() => {}
            Message::Move { version, x, y, hash } => self.receive_change(version, Act::Move(x, y), &hash),
            Message::Change { version, what, asker, hash } => {
                self.receive_change(version, Act::Agreed { what, asker }, &hash);
            }
            Message::Ask { version, what } => self.receive_question(version, what),
            Message::Answer { version, what, yes } => self.receive_answer(version, what, yes),
            Message::Lost { version, side, why } => return self.receive_loss(version, side, why),
            Message::Over { version, .. } | Message::Ping { version, .. } if version > self.version => {
                // Whatever was changed was told before.
                self.fall_behind();
            }
            Message::Over { version, side, why } => self.heard = Some((version, side.zip(why))),
            Message::Ping { .. } => {}
            _ => return Err(Violation("a message out of place")),
        }
        Ok(())
    }

    fn receive_change(&mut self, version: u32, act: Act, hash: &str) {
        let sender = self.side.other();
        if version <= self.version {
            // Said again after a lost connection, if it is the same.
            if self.log.iter().any(|entry| entry.version == version && entry.hash != hash) {
                self.diverge();
            }
            return;
        }
        let is_restart = matches!(act, Act::Agreed { what: Request::Restart, .. });
        let is_next = version == self.version + 1 && self.mover() == sender;
        let is_agreed = match act {
            Act::Move(..) => true,
            Act::Agreed { what, asker } if asker == self.side => self.questions.mine.contains(&what),
            Act::Agreed { what, .. } => self.questions.consented.contains(&what),
        };
        match self.declared {
            // What crossed the end of the time comes too late; the other side takes it back.
            Some(Declared { why: Loss::Time, by, .. }) if by == self.side && !is_restart => return,
            Some(Declared { by, .. }) if by == sender && !is_restart => return self.diverge(),
            _ => {}
        }
        if !is_next || !is_agreed {
            return self.diverge();
        }
        let before = self.clone();
        if self.change(sender, act).is_none() {
            self.diverge();
        } else if self.hash() != hash {
            *self = before;
            self.diverge();
        }
    }

    fn receive_question(&mut self, version: u32, what: Request) {
        let asker = self.side.other();
        if version > self.version {
            return self.fall_behind();
        }
        if version < self.version {
            return;
        }
        let answer = |yes| Message::Answer { version, what, yes };
        if self.questions.consented.contains(&what) {
            self.outbox.push(answer(true));
        } else if self.questions.refused_them.contains(&what) || !self.makes_sense(what, asker) {
            self.outbox.push(answer(false));
        } else if self.question().is_none() {
            // An open question stays where it is: the answer to it must not be taken for another's.
            self.questions.theirs = Some(what);
        }
    }

    /// The other side knows a change that this side does not. After the end of its time that is one
    /// which came too late and which it takes back when it hears of the end.
    fn fall_behind(&mut self) {
        if !self.declared.is_some_and(|declared| declared.why == Loss::Time && declared.by == self.side) {
            self.diverge();
        }
    }

    fn receive_answer(&mut self, version: u32, what: Request, yes: bool) {
        if version != self.version || !self.questions.mine.contains(&what) {
            return;
        }
        if !yes {
            self.questions.mine.retain(|&mine| mine != what);
            self.questions.refused.push(what);
        } else if self.mover() == self.side && self.makes_sense(what, self.side) {
            self.change(self.side, Act::Agreed { what, asker: self.side });
        }
    }

    fn receive_loss(&mut self, version: u32, side: Side, why: Loss) -> Result<(), Violation> {
        let sender = self.side.other();
        let may = match why {
            Loss::Resigned => side == sender,
            Loss::Absent => side == self.side,
            Loss::Time => sender == Side::Host && self.offer.seconds.is_some(),
        };
        if !may {
            return Err(Violation("an end that is not the sender's to say"));
        }
        if version > self.version {
            self.fall_behind();
            return Ok(());
        }
        let crossed = usize::try_from(self.version - version).unwrap_or(usize::MAX);
        // The sender knew what it had done itself, and a new game is a new game.
        let is_stale = crossed > self.log.len()
            || self.log.iter().rev().take(crossed).any(|entry| entry.by == sender || entry.is_restart());
        if is_stale {
            return Ok(());
        }
        if why == Loss::Absent && crossed == 0 && !self.has_begun() {
            return Err(Violation("a win before the game has begun"));
        }
        if why == Loss::Time {
            for _ in 0..crossed {
                self.take_back();
            }
        }
        let is_decided = self.game.outcome().is_over() || self.agreed;
        // If both have said an end, the host's counts.
        if !is_decided && (self.declared.is_none() || sender == Side::Host) {
            self.declared = Some(Declared { version, side, why, by: sender });
        }
        if crossed > 0 {
            // What was asked before what is taken back may not have arrived.
            self.ask_again();
        }
        Ok(())
    }

    // Changes.

    /// Makes the next change, which the side to move makes. `None` if it cannot be made.
    fn change(&mut self, by: Side, act: Act) -> Option<()> {
        let version = self.version.checked_add(1).filter(|&version| version <= MOST_VERSION)?;
        let mut taken = Vec::new();
        match act {
            Act::Move(..) if self.agreed => return None,
            Act::Move(x, y) => {
                self.game.play(Point::new(x, y)).ok()?;
            }
            Act::Agreed { what: Request::Undo, asker } => {
                for _ in 0..self.stones_to_undo(asker)? {
                    let point = self.game.undo()?;
                    taken.push((point.x, point.y));
                }
            }
            Act::Agreed { what: Request::Draw, .. } => self.agreed = true,
            Act::Agreed { what: Request::Restart, .. } => {
                self.number = self.number.checked_add(1)?;
                self.game = Game::new(self.game.size(), self.game.rule());
                self.agreed = false;
                self.declared = None;
            }
        }
        self.version = version;
        let ended = std::mem::take(&mut self.questions);
        let entry = Entry { version, by, act, taken, ended, hash: self.hash() };
        if by == self.side {
            self.outbox.push(told(&entry));
        }
        if entry.is_restart() {
            // The other side knew everything before when it consented.
            if let Some(last) = self.log.back() {
                self.base = last.hash.clone();
            }
            self.log.clear();
        } else if self.log.len() >= LOG
            && let Some(oldest) = self.log.pop_front()
        {
            self.base = oldest.hash;
        }
        self.log.push_back(entry);
        self.turn_clock();
        Some(())
    }

    /// Takes the last change back, which is this side's own and no new game.
    fn take_back(&mut self) {
        let Some(entry) = self.log.pop_back() else { return };
        match entry.act {
            Act::Move(..) => {
                self.game.undo();
            }
            Act::Agreed { what: Request::Draw, .. } => self.agreed = false,
            Act::Agreed { .. } => {
                for &(x, y) in entry.taken.iter().rev() {
                    // These stones stood there.
                    let _ = self.game.play(Point::new(x, y));
                }
            }
        }
        self.version -= 1;
        self.questions = entry.ended;
    }

    fn declare(&mut self, side: Side, why: Loss) {
        self.declared = Some(Declared { version: self.version, side, why, by: self.side });
        self.outbox.push(Message::Lost { version: self.version, side, why });
        // Who takes a move back has not heard what was asked meanwhile.
        self.ask_again();
    }

    /// How many stones go when the side takes back to its last move.
    fn stones_to_undo(&self, asker: Side) -> Option<usize> {
        let count = if self.mover() == asker { 2 } else { 1 };
        (!self.game.outcome().is_over() && !self.agreed && self.game.moves().len() >= count).then_some(count)
    }

    /// Whether the side may ask this now.
    #[must_use]
    pub fn makes_sense(&self, what: Request, asker: Side) -> bool {
        let has_stones = !self.game.moves().is_empty();
        match what {
            Request::Undo => self.end().is_none() && self.stones_to_undo(asker).is_some(),
            Request::Draw => self.end().is_none() && has_stones,
            Request::Restart => self.end().is_some() || has_stones,
        }
    }

    // After a new connection.

    /// Where this side stands.
    #[must_use]
    pub fn resume(&self) -> Message {
        Message::Resume { game: self.id.clone(), version: self.version, hash: self.hash() }
    }

    /// The other side is back and stands there: it is told what it may have missed.
    pub fn resumed(&mut self, version: u32, hash: &str) {
        self.told = None;
        if self.divergence.is_some() {
            self.outbox.push(self.diverged());
            return;
        }
        if version <= self.version {
            let oldest = self.log.front().map_or(self.version, |entry| entry.version - 1);
            let known = if version == oldest {
                Some(&self.base)
            } else {
                self.log.iter().find(|entry| entry.version == version).map(|entry| &entry.hash)
            };
            if known.is_none_or(|known| known != hash) {
                return self.diverge();
            }
            // Its own changes are known to it; it has made them since it said where it stands.
            let missed =
                self.log.iter().rev().take_while(|entry| entry.version > version && entry.by == self.side);
            let missed: Vec<Message> = missed.map(told).collect();
            self.outbox.extend(missed.into_iter().rev());
        }
        if let Some(Declared { version, side, why, by }) = self.declared
            && by == self.side
        {
            self.outbox.push(Message::Lost { version, side, why });
        }
        self.ask_again();
    }

    fn ask_again(&mut self) {
        if let Some(what) = self.asked() {
            self.outbox.push(Message::Ask { version: self.version, what });
        }
    }

    // Two ideas of the position.

    fn diverged(&self) -> Message {
        Message::Diverged { version: self.version, number: self.number, moves: pairs(self.game.moves()) }
    }

    fn diverge(&mut self) {
        if self.divergence.is_none() {
            self.outbox.push(self.diverged());
            self.divergence = Some(Divergence::default());
            self.questions = Questions::default();
        }
    }

    fn receive_diverged(&mut self, version: u32, number: u32, moves: Vec<(u8, u8)>) -> Result<(), Violation> {
        let points: Vec<Point> = moves.iter().map(|&(x, y)| Point::new(x, y)).collect();
        let is_position = Game::from_moves(self.game.size(), self.game.rule(), &points).is_ok();
        if version > MOST_TOLD || number > MOST_TOLD || !is_position {
            return Err(Violation("a position that cannot be"));
        }
        self.diverge();
        if let Some(divergence) = &mut self.divergence {
            *divergence = Divergence { theirs: Some(Theirs { version, number, moves }), willing: [false; 2] };
        }
        Ok(())
    }

    /// The version and the stones of the last common position.
    fn common(&self) -> Option<(u32, u16)> {
        let Theirs { version, number, moves } = self.divergence.as_ref()?.theirs.as_ref()?;
        let stones = if *number == self.number {
            let own = pairs(self.game.moves());
            own.iter().zip(moves).take_while(|(a, b)| a == b).count()
        } else {
            0
        };
        Some(((*version).max(self.version) + 1, u16::try_from(stones).ok()?))
    }

    fn receive_common(&mut self, version: u32, stones: u16) -> Result<(), Violation> {
        let Some(common) = self.common() else { return Ok(()) };
        if common != (version, stones) {
            return Err(Violation("not the last common position"));
        }
        if let Some(divergence) = &mut self.divergence {
            divergence.willing[1] = true;
        }
        self.join();
        Ok(())
    }

    /// Goes on from the last common position if both would.
    fn join(&mut self) {
        let Some((version, stones)) = self.common() else { return };
        let Some(Divergence { theirs: Some(theirs), willing: [true, true] }) = &self.divergence else {
            return;
        };
        self.number = self.number.max(theirs.number);
        while self.game.moves().len() > usize::from(stones) {
            self.game.undo();
        }
        self.version = version;
        self.agreed = false;
        self.declared = None;
        self.divergence = None;
        self.questions = Questions::default();
        self.log.clear();
        self.base = self.hash();
        self.turn_clock();
    }

    // What is kept.

    /// The table in the form in which it is kept.
    #[must_use]
    pub fn save(&self) -> SavedTable {
        SavedTable {
            side: self.side,
            id: self.id.clone(),
            offer: self.offer,
            host: self.host.into(),
            number: self.number,
            version: self.version,
            moves: pairs(self.game.moves()),
            agreed: self.agreed,
            declared: self.declared,
            heard: self.heard,
            questions: self.questions.clone(),
            base: self.base.clone(),
            log: self.log.iter().cloned().collect(),
            spent: u32::try_from(self.used().as_millis()).unwrap_or(u32::MAX),
        }
    }

    /// The table that was kept; `None` if what was kept is no possible table.
    #[must_use]
    pub fn restore(saved: &SavedTable) -> Option<Self> {
        if !saved.offer.is_valid() || saved.version > MOST_VERSION || saved.log.len() > LOG {
            return None;
        }
        let mut table = Self::new(saved.side, saved.id.clone(), saved.offer, saved.host.into());
        for &(x, y) in &saved.moves {
            table.game.play(Point::new(x, y)).ok()?;
        }
        table.number = saved.number;
        table.version = saved.version;
        table.agreed = saved.agreed;
        table.declared = saved.declared;
        table.heard = saved.heard;
        table.questions = saved.questions.clone();
        table.base = saved.base.clone();
        table.log = saved.log.iter().cloned().collect();
        table.spent = Duration::from_millis(saved.spent.into());
        let versions = table.log.iter().rev().map(|entry| entry.version);
        let in_order = versions.eq((0..=saved.version).rev().take(table.log.len()));
        let newest = table.log.back().map_or(&table.base, |entry| &entry.hash);
        let is_whole = in_order && saved.log.len() <= saved.version as usize && *newest == table.hash();
        is_whole.then_some(table)
    }
}

/// How a change is told.
fn told(entry: &Entry) -> Message {
    let (version, hash) = (entry.version, entry.hash.clone());
    match entry.act {
        Act::Move(x, y) => Message::Move { version, x, y, hash },
        Act::Agreed { what, asker } => Message::Change { version, what, asker, hash },
    }
}

fn pairs(moves: &[Point]) -> Vec<(u8, u8)> {
    moves.iter().map(|point| (point.x, point.y)).collect()
}
