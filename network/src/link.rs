// SPDX-License-Identifier: GPL-3.0-only
//! One connection: a thread that reads and one that writes.

use std::sync::mpsc::{Receiver, Sender, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use std::{io, net};

use crate::fault::Fault;
use crate::frame;
use crate::key::Key;
use crate::message::Message;
use crate::peer::LinkId;
use crate::secure::{self, Nonce, Opener, Sealer, Secured};
use crate::stream::{Limited, Stream};

/// How long a handshake may take.
pub const HANDSHAKE_TIME: Duration = Duration::from_secs(5);
/// How long a frame may take from its first byte, and a write.
const FRAME_TIME: Duration = Duration::from_secs(5);
/// A connection on which nothing comes at all for so long is ended, whatever it is for.
const IDLE_TIME: Duration = Duration::from_secs(90);
/// Messages that wait to be sent. A receiver that takes none of so many is given up.
const QUEUE: usize = 64;
/// Addresses of one machine that are tried.
const MOST_ADDRESSES: usize = 6;
/// Messages at once, and each second, that are taken from a connection.
const BURST: f64 = 60.0;
const RATE: f64 = 20.0;

/// What connections tell.
#[derive(Debug)]
pub enum Event {
    /// The keys are proved.
    Linked {
        /// The connection.
        link: LinkId,
        /// The other side's public key.
        key: Key,
        /// The hash of the handshake.
        hash: [u8; 32],
        /// This side's part of the code.
        code: Nonce,
        /// This side's part of the lot.
        lot: Nonce,
        /// The other side's address without the port.
        host: String,
        /// Where messages to the other side go. The connection ends when it is dropped.
        outgoing: SyncSender<Message>,
    },
    /// It failed before.
    Failed {
        /// The connection.
        link: LinkId,
        /// Why.
        fault: Fault,
    },
    /// A message came.
    Message {
        /// The connection.
        link: LinkId,
        /// The message.
        message: Message,
    },
    /// It ended.
    Broken {
        /// The connection.
        link: LinkId,
    },
}

/// Runs a connection to its end, on this thread and another one.
pub fn run<E: From<Event>>(
    link: LinkId,
    mut stream: impl Stream,
    host: String,
    private: &Key,
    inbox: &Sender<E>,
) {
    let initiator = link.is_multiple_of(2);
    let tell = |event| inbox.send(E::from(event)).is_ok();
    let limited = &mut Limited::within(&mut stream, HANDSHAKE_TIME);
    let Secured { key, hash, code, lot, sealer, opener } =
        match secure::handshake(limited, initiator, private) {
            Ok(secured) => secured,
            Err(fault) => {
                log::info!("connection {link} from {host}: {fault}");
                stream.end();
                tell(Event::Failed { link, fault });
                return;
            }
        };
    let (outgoing, messages) = sync_channel(QUEUE);
    let writer = match stream.second() {
        Ok(writer) => writer,
        Err(error) => {
            log::warn!("connection {link}: {error}");
            tell(Event::Failed { link, fault: Fault::Broken });
            return;
        }
    };
    let writing = thread::Builder::new().name("sender".into());
    if let Err(error) = writing.spawn(move || write(writer, sealer, &messages)) {
        log::warn!("connection {link}: {error}");
        stream.end();
        tell(Event::Failed { link, fault: Fault::Broken });
        return;
    }
    if tell(Event::Linked { link, key, hash, code, lot, host, outgoing })
        && let Err(error) = read(&mut stream, opener, |message| tell(Event::Message { link, message }))
    {
        log::info!("connection {link} has ended: {error}");
    }
    stream.end();
    tell(Event::Broken { link });
}

fn read(
    stream: &mut impl Stream,
    mut opener: Opener,
    mut take: impl FnMut(Message) -> bool,
) -> io::Result<()> {
    let mut allowance = Allowance::new();
    loop {
        let frame = frame::read(&mut Limited::after_first(stream, IDLE_TIME, FRAME_TIME))?;
        let message = Message::decode(&opener.open(&frame)?).map_err(io::Error::other)?;
        if !allowance.take(Instant::now()) {
            return Err(io::Error::other("too many messages"));
        }
        if !take(message) {
            return Ok(());
        }
    }
}

fn write(mut stream: impl Stream, mut sealer: Sealer, messages: &Receiver<Message>) {
    for message in messages {
        let sent = stream
            .set_times(IDLE_TIME, FRAME_TIME)
            .and_then(|()| sealer.seal(&message.encode()))
            .and_then(|frame| frame::write(&mut stream, &frame));
        if let Err(error) = sent {
            log::info!("a message cannot be sent: {error}");
            break;
        }
    }
    stream.end();
}

/// How many messages may still come.
struct Allowance {
    left: f64,
    at: Instant,
}

impl Allowance {
    fn new() -> Self {
        Self { left: BURST, at: Instant::now() }
    }

    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * RATE).min(BURST) - 1.0;
        self.at = now;
        self.left >= 0.0
    }
}

/// A host and a port as a user types them; `port` where none is said.
#[must_use]
pub fn parse_address(text: &str, port: u16) -> Option<(String, u16)> {
    let text = text.trim();
    let is_host = |host: &str| {
        !host.is_empty()
            && host.len() <= 253
            && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '%'))
    };
    let number = |digits: &str| digits.parse::<u16>().ok().filter(|&port| port > 0);
    let (host, port) =
        if let Some((host, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
            host.parse::<net::Ipv6Addr>().ok().map(|_| ()).or_else(|| host.contains('%').then_some(()))?;
            (host, if rest.is_empty() { port } else { number(rest.strip_prefix(':')?)? })
        } else {
            match text.rsplit_once(':') {
                Some((host, _)) if host.contains(':') => (text, port),
                Some((host, digits)) => (host, number(digits)?),
                None => (text, port),
            }
        };
    is_host(host).then(|| (host.to_owned(), port))
}

/// Connects to an address that a user has typed or another program has told; of several with commas
/// between them, the first that answers.
///
/// # Errors
/// What is wrong.
pub fn connect(text: &str, port: u16) -> Result<net::TcpStream, Fault> {
    let mut result = Err(Fault::Address);
    for address in text.split(',').take(MOST_ADDRESSES) {
        result = connect_one(address, port);
        if result.is_ok() {
            break;
        }
    }
    result
}

fn connect_one(text: &str, port: u16) -> Result<net::TcpStream, Fault> {
    use net::ToSocketAddrs;
    let (host, port) = parse_address(text, port).ok_or(Fault::Address)?;
    // The system knows the interfaces that an IPv6 address may name, by number or by name.
    let found = (host.as_str(), port).to_socket_addrs();
    let mut fault = Fault::UnknownHost;
    for address in found.map_err(|_| Fault::UnknownHost)?.take(MOST_ADDRESSES) {
        match net::TcpStream::connect_timeout(&address, HANDSHAKE_TIME) {
            Ok(stream) => {
                // A stone must not wait for a full packet.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Err(error) => {
                log::debug!("{address}: {error}");
                fault = match error.kind() {
                    io::ErrorKind::ConnectionRefused => Fault::NobodyListens,
                    io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Fault::NoAnswer,
                    _ => Fault::Unreachable,
                };
            }
        }
    }
    Err(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_understood_as_they_are_typed() {
        let parse = |text| parse_address(text, 5858);
        let good = |host: &str, port| Some((host.to_owned(), port));
        assert_eq!(parse(" 192.168.1.7 "), good("192.168.1.7", 5858));
        assert_eq!(parse("192.168.1.7:6000"), good("192.168.1.7", 6000));
        assert_eq!(parse("grandpa.local"), good("grandpa.local", 5858));
        assert_eq!(parse("grandpa:1"), good("grandpa", 1));
        assert_eq!(parse("fe80::1%2"), good("fe80::1%2", 5858));
        assert_eq!(parse("::1"), good("::1", 5858));
        assert_eq!(parse("[::1]:99"), good("::1", 99));
        assert_eq!(parse("[fe80::1%2]:99"), good("fe80::1%2", 99));
        for bad in
            ["", " ", "a b", "host:", "host:0", "host:65536", "host:x", "[::1", "[::1]x", "[host]", "a/b"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn too_many_messages_are_not_taken() {
        let mut allowance = Allowance::new();
        let start = allowance.at;
        let taken = (0..2000).filter(|_| allowance.take(start)).count();
        assert_eq!(taken, BURST as usize);
        let mut allowance = Allowance { left: BURST, at: start };
        let steady = (0..2000).all(|i| allowance.take(start + Duration::from_millis(50 * i)));
        assert!(steady, "{RATE} a second are");
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        assert_eq!(connect("no such host", 1).err(), Some(Fault::Address));
        let closed = net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert_eq!(connect(&closed.to_string(), 1).err(), Some(Fault::NobodyListens));
        if cfg!(target_os = "linux") {
            let by_name = connect("[fe80::1%lo]:1", 1).err();
            assert_ne!(by_name, Some(Fault::UnknownHost), "the name of an interface is understood");
        }
        let open = net::TcpListener::bind("127.0.0.1:0").unwrap();
        let several = format!("{closed},{}", open.local_addr().unwrap());
        assert!(connect(&several, 1).is_ok(), "the next address is tried");
    }
}
