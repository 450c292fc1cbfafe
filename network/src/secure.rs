// SPDX-License-Identifier: GPL-3.0-only
//! The encrypted and authenticated connection: `Noise_XX_25519_ChaChaPoly_BLAKE2s`.

use core::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;

use snow::params::HashChoice;
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::{Builder, HandshakeState, StatelessTransportState};

use crate::fault::Fault;
use crate::frame;
use crate::key::Key;
use crate::message::PROTOCOL;

const NOISE: &str = "Noise_XX_25519_ChaChaPoly_BLAKE2s";
/// The first four of the eight bytes that both send before anything else; the protocol's version,
/// the higher byte first, and two zeros follow.
const MAGIC: [u8; 4] = *b"WUZI";
/// What a cipher adds.
const TAG: usize = 16;

/// A fresh private key.
///
/// # Errors
/// If the system has no source of chance.
pub fn generate() -> io::Result<Key> {
    let pair = builder()?.generate_keypair().map_err(io::Error::other)?;
    to_key(&pair.private).ok_or_else(|| io::Error::other("a key of another length"))
}

/// The public key of a private one.
///
/// # Errors
/// Never for 32 bytes; the library's interface allows for it.
pub fn public(private: &Key) -> io::Result<Key> {
    // The library derives it during a handshake only.
    let mut initiator = state(private, &[], true)?;
    let other = generate()?;
    let mut responder = state(&other, &[], false)?;
    let (mut message, mut payload) = ([0; 256], [0; 256]);
    for turn in 0..3 {
        let (writer, reader) =
            if turn == 1 { (&mut responder, &mut initiator) } else { (&mut initiator, &mut responder) };
        let length = writer.write_message(&[], &mut message).map_err(io::Error::other)?;
        reader.read_message(&message[..length], &mut payload).map_err(io::Error::other)?;
    }
    responder.get_remote_static().and_then(to_key).ok_or_else(|| io::Error::other("no public key"))
}

fn to_key(bytes: &[u8]) -> Option<Key> {
    bytes.try_into().ok().map(Key)
}

fn builder<'a>() -> io::Result<Builder<'a>> {
    Ok(Builder::new(NOISE.parse().map_err(io::Error::other)?))
}

fn state(private: &Key, prologue: &[u8], initiator: bool) -> io::Result<HandshakeState> {
    let builder = builder()?.local_private_key(&private.0).and_then(|b| b.prologue(prologue));
    let builder = builder.map_err(io::Error::other)?;
    let state = if initiator { builder.build_initiator() } else { builder.build_responder() };
    state.map_err(io::Error::other)
}

/// BLAKE2s over the parts, one after the other. The library's interface allows for none.
#[must_use]
pub fn digest(parts: &[&[u8]]) -> Option<[u8; 32]> {
    let mut hash = DefaultResolver.resolve_hash(&HashChoice::Blake2s)?;
    parts.iter().for_each(|part| hash.input(part));
    let mut digest = [0; 32];
    hash.result(&mut digest);
    Some(digest)
}

fn hexadecimal(bytes: &[u8; 32]) -> String {
    Key(*bytes).to_string()
}

/// Whether this is the secret to which the commitment was made.
#[must_use]
pub fn opens(commitment: &str, secret: &str) -> bool {
    let digest = digest(&[secret.as_bytes()]).map(|digest| hexadecimal(&digest));
    secret.len() == 64 && digest.is_some_and(|digest| digest == commitment)
}

/// Something by chance, to which its side commits itself before it hears what the other side has:
/// neither can choose what comes of both.
#[derive(Clone, PartialEq, Eq)]
pub struct Nonce {
    secret: String,
    commitment: String,
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nonce").field("commitment", &self.commitment).finish_non_exhaustive()
    }
}

impl Nonce {
    /// Something by chance.
    ///
    /// # Errors
    /// If the system has no source of chance.
    pub fn draw() -> io::Result<Self> {
        let mut bytes = [0; 32];
        let mut chance = DefaultResolver.resolve_rng().ok_or(io::ErrorKind::Unsupported)?;
        chance.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
        Self::of(&bytes).ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    /// These 32 bytes. The library's interface allows for none.
    #[must_use]
    pub fn of(bytes: &[u8; 32]) -> Option<Self> {
        let secret = hexadecimal(bytes);
        let commitment = hexadecimal(&digest(&[secret.as_bytes()])?);
        Some(Self { secret, commitment })
    }

    /// What is told later: 64 hexadecimal digits.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// What is told first: BLAKE2s of the digits, as 64 hexadecimal digits.
    #[must_use]
    pub fn commitment(&self) -> &str {
        &self.commitment
    }
}

/// The result of a handshake.
pub struct Secured {
    /// The other side's public key, proved.
    pub key: Key,
    /// The hash of the handshake, which only this connection has.
    pub hash: [u8; 32],
    /// This side's part of the code.
    pub code: Nonce,
    /// This side's part of the lot.
    pub lot: Nonce,
    /// Encrypts what is sent.
    pub sealer: Sealer,
    /// Decrypts what is received.
    pub opener: Opener,
}

impl fmt::Debug for Secured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secured").finish_non_exhaustive()
    }
}

/// Encrypts frames in their order.
pub struct Sealer {
    state: Arc<StatelessTransportState>,
    nonce: u64,
}

/// Decrypts frames in their order.
pub struct Opener {
    state: Arc<StatelessTransportState>,
    nonce: u64,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer").finish_non_exhaustive()
    }
}

impl fmt::Debug for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener").finish_non_exhaustive()
    }
}

impl Sealer {
    /// The next frame.
    ///
    /// # Errors
    /// If the text is longer than a frame may be.
    pub fn seal(&mut self, text: &[u8]) -> io::Result<Vec<u8>> {
        let mut frame = vec![0; text.len() + TAG];
        let length = self.state.write_message(self.nonce, text, &mut frame).map_err(io::Error::other)?;
        self.nonce += 1;
        frame.truncate(length);
        if frame.len() > frame::LONGEST { Err(io::ErrorKind::InvalidInput.into()) } else { Ok(frame) }
    }
}

impl Opener {
    /// The text of the next frame.
    ///
    /// # Errors
    /// If the frame is not the one that the other side has sent next.
    pub fn open(&mut self, frame: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = vec![0; frame.len()];
        let length = self
            .state
            .read_message(self.nonce, frame, &mut text)
            .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        self.nonce += 1;
        text.truncate(length);
        Ok(text)
    }
}

/// Makes a connection secret and proves both sides' keys.
///
/// # Errors
/// If the other side is no Wuzi, speaks another version, fails to prove its key, or is too slow.
pub fn handshake(stream: &mut (impl Read + Write), initiator: bool, private: &Key) -> Result<Secured, Fault> {
    let broken = |error: io::Error| {
        log::debug!("handshake: {error}");
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Fault::NoAnswer,
            io::ErrorKind::InvalidData | io::ErrorKind::Other => Fault::NotWuzi,
            _ => Fault::Broken,
        }
    };
    let mut mine = [0; 8];
    mine[..4].copy_from_slice(&MAGIC);
    mine[4..6].copy_from_slice(&PROTOCOL.to_be_bytes());
    // If the other side has gone already, what it said still tells who it was.
    let sent = stream.write_all(&mine).and_then(|()| stream.flush());
    let mut theirs = [0; 8];
    stream.read_exact(&mut theirs[..4]).map_err(broken)?;
    if theirs[..4] != MAGIC {
        return Err(Fault::NotWuzi);
    }
    stream.read_exact(&mut theirs[4..]).map_err(broken)?;
    let version = u16::from_be_bytes([theirs[4], theirs[5]]);
    if version != PROTOCOL {
        return Err(Fault::Version { theirs: version });
    }
    sent.map_err(broken)?;
    let prologue = if initiator { [mine, theirs] } else { [theirs, mine] }.concat();
    let state = state(private, &prologue, initiator).map_err(broken)?;
    exchange(stream, state).map_err(broken)
}

fn exchange(stream: &mut (impl Read + Write), mut state: HandshakeState) -> io::Result<Secured> {
    let invalid = |_| io::Error::from(io::ErrorKind::InvalidData);
    let mut buffer = vec![0; frame::LONGEST];
    while !state.is_handshake_finished() {
        if state.is_my_turn() {
            let length = state.write_message(&[], &mut buffer).map_err(io::Error::other)?;
            frame::write(stream, &buffer[..length])?;
        } else {
            let payload = state.read_message(&frame::read(stream)?, &mut buffer).map_err(invalid)?;
            if payload > 0 {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
    }
    let key = state.get_remote_static().and_then(to_key).ok_or(io::ErrorKind::InvalidData)?;
    let hash = state.get_handshake_hash().try_into().map_err(|_| io::ErrorKind::InvalidData)?;
    let state = Arc::new(state.into_stateless_transport_mode().map_err(invalid)?);
    Ok(Secured {
        key,
        hash,
        code: Nonce::draw()?,
        lot: Nonce::draw()?,
        sealer: Sealer { state: state.clone(), nonce: 0 },
        opener: Opener { state, nonce: 0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::memory;
    use std::thread;

    #[test]
    fn both_sides_know_each_other_and_share_a_hash() {
        let (a, b) = (generate().unwrap(), generate().unwrap());
        let (mut left, mut right) = memory();
        let responder = thread::spawn(move || handshake(&mut right, false, &b).unwrap());
        let mut initiator = handshake(&mut left, true, &a).unwrap();
        let mut responder = responder.join().unwrap();
        assert_eq!(initiator.key, public(&b).unwrap());
        assert_eq!(responder.key, public(&a).unwrap());
        assert_eq!(initiator.hash, responder.hash);
        let frame = initiator.sealer.seal(b"a stone").unwrap();
        assert!(!frame.windows(5).any(|part| part == b"stone"));
        assert_eq!(responder.opener.open(&frame).unwrap(), b"a stone");
        assert!(responder.opener.open(&frame).is_err(), "a replayed frame");
        let next = initiator.sealer.seal(b"another").unwrap();
        let mut spoiled = next.clone();
        spoiled[0] ^= 1;
        assert!(responder.opener.open(&spoiled).is_err());
        assert_eq!(responder.opener.open(&next).unwrap(), b"another");
    }

    #[test]
    fn a_handshake_has_no_room_for_anything_else() {
        let key = generate().unwrap();
        let (mut left, mut right) = memory();
        let caller = thread::spawn(move || {
            let hello = *b"WUZI\x00\x01\x00\x00";
            right.write_all(&hello).unwrap();
            let mut theirs = [0; 8];
            right.read_exact(&mut theirs).unwrap();
            let mut state = state(&generate().unwrap(), &[hello, theirs].concat(), true).unwrap();
            let mut buffer = [0; 256];
            for payload in [&[][..], b"x"] {
                let length = state.write_message(payload, &mut buffer).unwrap();
                frame::write(&mut right, &buffer[..length]).unwrap();
                if payload.is_empty() {
                    let answer = frame::read(&mut right).unwrap();
                    state.read_message(&answer, &mut buffer).unwrap();
                }
            }
            assert!(state.is_handshake_finished());
            right
        });
        assert_eq!(handshake(&mut left, false, &key).err(), Some(Fault::NotWuzi));
        drop(caller.join().unwrap());
    }

    #[test]
    fn a_commitment_is_for_one_secret() {
        let (one, other) = (Nonce::draw().unwrap(), Nonce::draw().unwrap());
        assert_ne!(one, other);
        assert!(opens(one.commitment(), one.secret()));
        assert!(!opens(one.commitment(), other.secret()) && !opens(other.commitment(), one.secret()));
        assert!(!format!("{one:?}").contains(one.secret()));
        // RFC 7693, appendix B.
        let abc = digest(&[b"a", b"bc"]).map(|digest| hexadecimal(&digest));
        let expected = "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982";
        assert_eq!(abc.as_deref(), Some(expected));
    }

    #[test]
    fn who_is_no_wuzi_or_of_another_version_is_named() {
        let key = generate().unwrap();
        for (said, fault) in [
            (&b"GET / HTTP/1.1\r\n\r\n"[..], Fault::NotWuzi),
            (b"WUZI\x00\x02\x00\x00", Fault::Version { theirs: 2 }),
            (b"WUZI\x00\x01\x00\x00\x00\x05hello", Fault::NotWuzi),
            (b"WUZI\x00\x01\x00\x00\xFF\xFF", Fault::NotWuzi),
        ] {
            let (mut left, mut right) = memory();
            right.write_all(said).unwrap();
            let failed = handshake(&mut left, false, &key);
            assert_eq!(failed.err(), Some(fault), "{said:?}");
        }
    }
}
