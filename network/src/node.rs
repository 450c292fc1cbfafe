// SPDX-License-Identifier: GPL-3.0-only
//! The peer on a real network: one thread that decides, with sockets and clock around it.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::discovery::Discovery;
use crate::fault::Fault;
use crate::key::Key;
use crate::link::{self, Event};
use crate::message::Message;
use crate::peer::{Command, Found, Input, Known, LinkId, Output, Peer, SavedGame, View};
use crate::secure;

/// Where other programs call, if it is free.
pub const PORT: u16 = 5858;
/// Connections from others at once, that of the game among them.
const MOST_ACCEPTED: usize = 8;
/// From one machine.
const MOST_FROM_ONE: usize = 4;
/// How often it is looked whether this machine has other addresses.
const LOOK: Duration = Duration::from_secs(5);
/// Addresses of this machine that are told.
const MOST_ADDRESSES: usize = 2;
/// How long the last words may take when the program ends.
const FAREWELL: Duration = Duration::from_millis(300);
/// What happened is looked at first, at most so much of it, before the time is.
const MOST_AT_ONCE: usize = 64;
/// How long it may take to close the door.
const CLOSING: Duration = Duration::from_secs(1);

/// What is kept between runs. Called on the node's thread.
pub trait Store: Send {
    /// Keeps the game before it is told to the other side, so that it outlasts the program; `None` when there
    /// is none to go on with. It does not wait for the disk, which the other side would wait for, too. False if
    /// it is not kept.
    fn keep_game(&mut self, game: Option<&SavedGame>) -> bool;
    /// Brings what was kept to the disk, after the other side was told. False if that fails.
    fn settle(&mut self) -> bool;
    /// Keeps the known players.
    fn keep_known(&mut self, known: &[Known]);
}

/// What a node begins with.
pub struct Start {
    /// The private key of this installation.
    pub key: Key,
    /// The program's name and version.
    pub program: String,
    /// Players met before.
    pub known: Vec<Known>,
    /// The game that was kept.
    pub game: Option<SavedGame>,
    /// The port to listen at; another is taken if it is not free.
    pub port: u16,
    /// Whether players are looked for by multicast.
    pub discovery: bool,
    /// Where things are kept.
    pub store: Box<dyn Store>,
    /// Called on the node's thread with everything that is shown, whenever it has changed.
    pub show: Box<dyn FnMut(View) + Send>,
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Start").field("program", &self.program).finish_non_exhaustive()
    }
}

/// A running peer. It listens and is seen until it is dropped.
#[derive(Debug)]
pub struct Node {
    inbox: Sender<Happening>,
    thread: Option<JoinHandle<()>>,
}

/// What comes to the node's thread.
#[derive(Debug)]
enum Happening {
    Link(Event),
    Command(Command),
    /// There is something new in the slot of those who were found.
    Found,
    Stop,
}

/// Who was found last; nothing once it was looked at.
type FoundSlot = Arc<Mutex<Option<Vec<Found>>>>;

impl From<Event> for Happening {
    fn from(event: Event) -> Self {
        Self::Link(event)
    }
}

impl Node {
    /// Begins to listen.
    ///
    /// # Errors
    /// If no port is free or a thread cannot be made.
    pub fn start(start: Start) -> io::Result<Self> {
        let (inbox, events) = mpsc::channel();
        let (listeners, port) = listen(start.port)?;
        let door = Door::open(listeners, start.key, &inbox)?;
        let found = FoundSlot::default();
        let discovery = start.discovery.then(|| {
            let (inbox, found) = (inbox.clone(), found.clone());
            Discovery::start(move |players| {
                let mut slot = found.lock().unwrap_or_else(PoisonError::into_inner);
                // Who looks at the slot later finds the newest.
                slot.replace(players).is_some() || inbox.send(Happening::Found).is_ok()
            })
        });
        let discovery = match discovery {
            Some(Ok(discovery)) => Some(discovery),
            // An address can still be typed.
            Some(Err(error)) => {
                log::warn!("players cannot be looked for: {error}");
                None
            }
            None => None,
        };
        let clock = Clock::new();
        let key = secure::public(&start.key)?;
        let peer = Peer::new(key, &start.program, start.known, start.game.as_ref(), clock.began);
        let mut worker = Worker {
            peer,
            key: start.key,
            inbox: inbox.clone(),
            clock,
            found,
            links: HashMap::new(),
            discovery,
            port,
            advert: None,
            store: start.store,
            show: start.show,
            shown: None,
            unkept: false,
            door,
        };
        let thread = thread::Builder::new().name("network".into()).spawn(move || worker.run(&events))?;
        Ok(Self { inbox, thread: Some(thread) })
    }

    /// Does what the user does. Returns at once.
    pub fn send(&self, command: Command) {
        // It only fails after the thread has ended, and that ends with this.
        let _ = self.inbox.send(Happening::Command(command));
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.inbox.send(Happening::Stop);
        if let Some(thread) = self.thread.take() {
            // A panic there has been told already.
            let _ = thread.join();
        }
    }
}

/// The node's thread.
struct Worker {
    peer: Peer,
    key: Key,
    inbox: Sender<Happening>,
    clock: Clock,
    found: FoundSlot,
    links: HashMap<LinkId, SyncSender<Message>>,
    discovery: Option<Discovery>,
    port: u16,
    advert: Option<Found>,
    store: Box<dyn Store>,
    show: Box<dyn FnMut(View) + Send>,
    shown: Option<View>,
    /// The game is not kept as it stands.
    unkept: bool,
    door: Door,
}

/// The time since the node began, also while the machine slept.
struct Clock {
    /// Since 1970.
    began: Duration,
    last: (Instant, Duration),
    now: Duration,
}

impl Clock {
    fn new() -> Self {
        let began = Self::calendar();
        Self { began, last: (Instant::now(), began), now: Duration::ZERO }
    }

    fn calendar() -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn now(&mut self) -> Duration {
        self.at(Instant::now(), Self::calendar())
    }

    /// Many systems stop the steady clock during their sleep; then the calendar tells.
    fn at(&mut self, steady: Instant, calendar: Duration) -> Duration {
        let passed = steady.saturating_duration_since(self.last.0);
        let calendar_passed = calendar.saturating_sub(self.last.1);
        let has_slept = calendar_passed > passed + Duration::from_secs(1);
        self.now += if has_slept { calendar_passed } else { passed };
        self.last = (steady, calendar);
        self.now
    }
}

impl Worker {
    fn run(&mut self, events: &Receiver<Happening>) {
        let now = self.clock.now();
        self.peer.handle(now, Input::Listening(self.port));
        self.follow();
        // However much happens meanwhile, the peer hears of the time when it wants to.
        let mut due = Duration::ZERO;
        let mut looked = None;
        loop {
            let now = self.clock.now();
            if looked.is_none_or(|looked| now.saturating_sub(looked) >= LOOK) {
                looked = Some(now);
                self.peer.handle(now, Input::Here(addresses()));
            }
            due = due.min(self.peer.deadline());
            let wait = due.saturating_sub(self.clock.now());
            let first = match events.recv_timeout(wait) {
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => None,
                Ok(happening) => Some(happening),
            };
            // A stone that has arrived counts before the clock does.
            let happenings = first.into_iter().chain(events.try_iter()).take(MOST_AT_ONCE);
            let mut stops = false;
            for happening in happenings {
                stops = matches!(happening, Happening::Stop);
                if stops {
                    break;
                }
                self.take(happening);
                self.follow();
            }
            if stops {
                break;
            }
            let now = self.clock.now();
            if now >= due {
                self.peer.tick(now);
                due = Duration::MAX;
                self.follow();
            }
        }
        self.stop(events);
    }

    fn take(&mut self, happening: Happening) {
        let input = match happening {
            Happening::Stop => return,
            Happening::Command(command) => Input::Command(command),
            Happening::Found => {
                let found = self.found.lock().unwrap_or_else(PoisonError::into_inner).take();
                Input::Found(found.unwrap_or_default())
            }
            Happening::Link(event) => self.link(event),
        };
        let now = self.clock.now();
        self.peer.handle(now, input);
    }

    fn link(&mut self, event: Event) -> Input {
        match event {
            Event::Linked { link, key, hash, code, lot, host, outgoing } => {
                self.links.insert(link, outgoing);
                Input::Linked { link, key, hash, code, lot, host }
            }
            Event::Failed { link, fault } => Input::Failed { link, fault },
            Event::Message { link, message } => Input::Message { link, message },
            Event::Broken { link } => {
                self.links.remove(&link);
                Input::Broken { link }
            }
        }
    }

    /// Shows and does what follows from what happened. A stone is seen before it is kept, told to the other
    /// side afterwards, and on the disk at last.
    fn follow(&mut self) {
        self.show();
        let mut kept = None;
        let mut full = Vec::new();
        for output in self.peer.take_outputs() {
            match output {
                Output::Call { link, address } => self.call(link, address),
                Output::Send { link, message } => {
                    // A full queue belongs to a receiver that takes nothing.
                    if self.links.get(&link).is_some_and(|outgoing| outgoing.try_send(message).is_err()) {
                        full.push(link);
                    }
                }
                Output::Close { link } => {
                    self.links.remove(&link);
                }
                Output::KeepGame(game) => kept = Some(self.store.keep_game(game.as_deref())),
                Output::KeepKnown(known) => self.store.keep_known(&known),
            }
        }
        for link in full {
            self.links.remove(&link);
        }
        let advert = self.peer.advert();
        if advert != self.advert {
            if let Some(discovery) = &mut self.discovery {
                discovery.show(advert.as_ref(), self.port);
            }
            self.advert = advert;
        }
        if let Some(is_kept) = kept {
            self.unkept = !(self.store.settle() && is_kept);
            self.show();
        }
    }

    fn show(&mut self) {
        let view = View { unkept: self.unkept, ..self.peer.view() };
        if self.shown.as_ref() != Some(&view) {
            self.shown = Some(view.clone());
            (self.show)(view);
        }
    }

    fn call(&self, link: LinkId, address: String) {
        let (key, inbox) = (self.key, self.inbox.clone());
        let call = move || match link::connect(&address, PORT) {
            Ok(stream) => {
                let host = stream.peer_addr().map(host).unwrap_or_default();
                link::run(link, stream, host, &key, &inbox);
            }
            Err(fault) => {
                // Nobody asks any more if the node has ended.
                let _ = inbox.send(Happening::Link(Event::Failed { link, fault }));
            }
        };
        if let Err(error) = thread::Builder::new().name("call".into()).spawn(call) {
            log::warn!("nobody can be called: {error}");
            let _ = self.inbox.send(Happening::Link(Event::Failed { link, fault: Fault::Broken }));
        }
    }

    /// Tells the others. Their writers get a moment for it, and who is to hear of the end of a game
    /// one for the answer.
    fn stop(&mut self, events: &Receiver<Happening>) {
        self.discovery = None;
        self.door.close();
        let was_connected = !self.links.is_empty();
        for last in [Command::Wait(false), Command::Leave] {
            self.take(Happening::Command(last));
            self.follow();
        }
        let end = Instant::now() + FAREWELL;
        while self.peer.is_parting()
            && let Ok(happening) = events.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            self.take(happening);
            self.follow();
        }
        self.links.clear();
        if was_connected {
            thread::sleep(end.saturating_duration_since(Instant::now()));
        }
    }
}

/// An address as another program can call it, without the port.
fn host(address: SocketAddr) -> String {
    match address {
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => match (address.ip().to_ipv4_mapped(), address.scope_id()) {
            (Some(ip), _) => ip.to_string(),
            (None, 0) => address.ip().to_string(),
            (None, scope) => format!("{}%{scope}", address.ip()),
        },
    }
}

/// The addresses of this machine at which others can call it: IPv4, else IPv6.
fn addresses() -> Vec<String> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_else(|error| {
        log::debug!("the addresses of this machine are not known: {error}");
        Vec::new()
    });
    let ips = interfaces.iter().filter(|one| !one.is_loopback() && !one.is_link_local()).map(|one| one.ip());
    let (v4, v6): (Vec<IpAddr>, Vec<IpAddr>) = ips.partition(IpAddr::is_ipv4);
    let ips = if v4.is_empty() { v6 } else { v4 };
    ips.iter().take(MOST_ADDRESSES).map(IpAddr::to_string).collect()
}

/// Both kinds of addresses at one port, the given one or another. On some systems one listener has both.
fn listen(port: u16) -> io::Result<(Vec<TcpListener>, u16)> {
    let at = |mut port| -> io::Result<_> {
        let mut listeners = Vec::new();
        let mut result = Ok(());
        for ip in [IpAddr::V6(Ipv6Addr::UNSPECIFIED), IpAddr::V4(Ipv4Addr::UNSPECIFIED)] {
            match TcpListener::bind((ip, port)) {
                Ok(listener) => {
                    port = listener.local_addr()?.port();
                    listeners.push(listener);
                }
                Err(error) => result = Err(error),
            }
        }
        if listeners.is_empty() {
            result?;
        }
        Ok((listeners, port))
    };
    at(port).or_else(|_| at(0))
}

/// How many connections there are from whom.
type Guests = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// The listeners and their threads.
struct Door {
    addresses: Vec<SocketAddr>,
    is_open: Arc<AtomicBool>,
    /// Hears from each thread when it has ended.
    closed: Receiver<()>,
}

impl Door {
    fn open(listeners: Vec<TcpListener>, key: Key, inbox: &Sender<Happening>) -> io::Result<Self> {
        let (closing, closed) = mpsc::channel();
        let mut door = Self { addresses: Vec::new(), is_open: Arc::new(AtomicBool::new(true)), closed };
        let (guests, links) = (Guests::default(), Arc::new(AtomicU64::new(1)));
        for listener in listeners {
            let address = listener.local_addr()?;
            let (is_open, guests, links) = (door.is_open.clone(), guests.clone(), links.clone());
            let (inbox, closing) = (inbox.clone(), closing.clone());
            thread::Builder::new().name("door".into()).spawn(move || {
                while let Ok(accepted) = accept(&listener, &is_open) {
                    if let Some((stream, address, guest)) = accepted.and_then(|(stream, address)| {
                        Some((stream, address, Guest::admit(&guests, address.ip())?))
                    }) {
                        let link = links.fetch_add(2, Ordering::Relaxed);
                        serve(link, stream, address, key, inbox.clone(), guest);
                    }
                }
                drop(listener);
                // Nobody waits for it if the door was left as it is.
                let _ = closing.send(());
            })?;
            door.addresses.push(address);
        }
        Ok(door)
    }

    /// Nothing listens any more, and the port is free.
    fn close(&mut self) {
        self.is_open.store(false, Ordering::Release);
        let end = Instant::now() + CLOSING;
        for address in std::mem::take(&mut self.addresses) {
            let mut local = [IpAddr::V6(Ipv6Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::LOCALHOST)];
            if address.is_ipv4() {
                local.reverse();
            }
            // Wakes the listener. Not every machine has both addresses.
            let woken = local
                .iter()
                .any(|&ip| TcpStream::connect_timeout(&(ip, address.port()).into(), CLOSING / 4).is_ok());
            let left = end.saturating_duration_since(Instant::now());
            if !woken || self.closed.recv_timeout(left).is_err() {
                log::warn!("port {} stays open until somebody calls", address.port());
            }
        }
    }
}

/// The next connection; none if the system could not make one.
fn accept(listener: &TcpListener, is_open: &AtomicBool) -> Result<Option<(TcpStream, SocketAddr)>, ()> {
    let accepted = listener.accept();
    if !is_open.load(Ordering::Acquire) {
        return Err(());
    }
    match accepted {
        Ok(accepted) => Ok(Some(accepted)),
        Err(error) => {
            log::warn!("a connection cannot be accepted: {error}");
            thread::sleep(Duration::from_millis(100));
            Ok(None)
        }
    }
}

fn serve(
    link: LinkId,
    stream: TcpStream,
    address: SocketAddr,
    key: Key,
    inbox: Sender<Happening>,
    guest: Guest,
) {
    let run = move || {
        // A stone must not wait for a full packet.
        let _ = stream.set_nodelay(true);
        link::run(link, stream, host(address), &key, &inbox);
        drop(guest);
    };
    if let Err(error) = thread::Builder::new().name("link".into()).spawn(run) {
        log::warn!("a connection cannot be served: {error}");
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.close();
    }
}

/// A place for one connection.
struct Guest {
    guests: Guests,
    ip: IpAddr,
}

impl Guest {
    fn admit(guests: &Guests, ip: IpAddr) -> Option<Self> {
        let mut counts = guests.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = counts.values().sum();
        let from_one = counts.get(&ip).copied().unwrap_or_default();
        if all >= MOST_ACCEPTED || from_one >= MOST_FROM_ONE {
            log::info!("too many connections: one from {ip} is not taken");
            return None;
        }
        counts.insert(ip, from_one + 1);
        drop(counts);
        Some(Self { guests: guests.clone(), ip })
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut counts = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.ip) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.ip);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_goes_on_while_the_machine_sleeps() {
        let mut clock = Clock::new();
        let (steady, calendar) = clock.last;
        let second = Duration::from_secs(1);
        assert_eq!(clock.at(steady + second, calendar + second), second);
        assert_eq!(clock.at(steady + 2 * second, calendar + 100 * second), 100 * second);
        // A calendar that is set back changes nothing.
        assert_eq!(clock.at(steady + 3 * second, calendar), 101 * second);
    }

    #[test]
    fn the_port_is_free_when_the_door_is_closed() {
        let (listeners, port) = listen(0).unwrap();
        let (inbox, _events) = mpsc::channel();
        let door = Door::open(listeners, secure::generate().unwrap(), &inbox).unwrap();
        drop(door);
        let (_again, same) = listen(port).unwrap();
        assert_eq!(same, port);
    }
}
