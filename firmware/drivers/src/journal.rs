// SPDX-License-Identifier: GPL-3.0-only
//! The running game and the settings in 256 bytes that survive a loss of power at any moment.
//!
//! The memory is 32 pages of 8 bytes:
//! - Moves, a byte each, from address 0 up: 15 · row + column. The 225th move of a full board is not
//!   written, it is the point that is left.
//! - A header: number of the lap, number of moves, kind of game, settings, and a checksum over all of
//!   that **and the moves**. Each change writes it into the next of the pages that no move needs, the
//!   last being page 29, after which a new lap begins; the valid one that is farthest counts. So a
//!   write that is interrupted damages no header but its own, and the wear of a game of 60 moves is
//!   spread over 22 pages. A worn page that keeps an old header for ever would count again after half
//!   of the laps, 2048: some thousand games later.
//! - The calibration of a resistive panel in pages 30 and 31.
//!
//! A move is committed by two writes: its byte, which no header counts yet, then the header.

use core::fmt;

/// Bytes of a page; a write stays inside of one.
const PAGE: usize = 8;
/// Points of the board.
const POINTS: usize = 225;
/// Moves that have a byte.
const STORED: usize = POINTS - 1;
/// The last page for headers.
const LAST_HEADER_PAGE: usize = 29;
const CALIBRATION: u8 = 240;
const CALIBRATION_SIZE: usize = 12;
/// Laps are counted in a circle, in twelve bits.
const LAPS: u16 = 1 << 12;

/// A memory that is written in pages of 8 bytes.
pub trait Memory {
    /// Why it failed.
    type Error;

    /// Fills `buffer` from `address` on.
    ///
    /// # Errors
    /// If the chip does not answer.
    fn read(&mut self, address: u8, buffer: &mut [u8]) -> Result<(), Self::Error>;

    /// Writes bytes that lie inside of one page, and returns when they are kept.
    ///
    /// # Errors
    /// If the chip does not answer or does not finish.
    fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// Why something is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error<E> {
    /// The memory did not answer.
    Memory(E),
    /// The byte at this address does not take what is written.
    Worn(u8),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(error) => write!(f, "the EEPROM failed: {error}"),
            Self::Worn(address) => write!(f, "the EEPROM is worn at address {address}"),
        }
    }
}

impl<E> From<E> for Error<E> {
    fn from(error: E) -> Self {
        Self::Memory(error)
    }
}

/// What is kept, besides the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The kind of game: mode, level, side; its bits are the program's affair.
    pub game: u8,
    /// The settings; their bits are the program's affair.
    pub settings: u16,
}

/// The moves of a game: different points, each below 225.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Moves {
    bytes: [u8; POINTS],
    count: u8,
}

impl Moves {
    /// No move.
    pub const EMPTY: Self = Self { bytes: [0; POINTS], count: 0 };

    /// These moves, in the order of play; `None` if a point is off the board or used twice.
    #[must_use]
    pub fn new(moves: impl IntoIterator<Item = u8>) -> Option<Self> {
        let mut list = Self::EMPTY;
        for point in moves {
            if usize::from(point) >= POINTS || list.as_slice().contains(&point) {
                return None;
            }
            list.bytes[usize::from(list.count)] = point;
            list.count += 1;
        }
        Some(list)
    }

    /// The moves as bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    /// Their number.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The bytes that are written.
    fn stored(&self) -> &[u8] {
        &self.bytes[..self.len().min(STORED)]
    }

    /// Reads `count` moves back from their bytes.
    fn restore(bytes: &[u8], count: usize) -> Option<Self> {
        let mut moves = Self::new(bytes.get(..count.min(STORED))?.iter().copied())?;
        if count == POINTS {
            let left = (0..POINTS as u8).find(|point| !moves.as_slice().contains(point))?;
            moves.bytes[STORED] = left;
            moves.count = POINTS as u8;
        }
        Some(moves)
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}

/// The record, and what it holds at the moment.
#[derive(Debug)]
pub struct Journal<M> {
    memory: M,
    place: Place,
    header: Header,
    moves: Moves,
    state: State,
    /// Pages that did not take a header since the start, a bit each: trying them again takes time.
    worn: u32,
}

/// Where a header stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    lap: u16,
    page: usize,
}

impl Place {
    /// The next one for headers, of which `first` is the first page.
    const fn next(self, first: usize) -> Self {
        let Self { lap, page } = self;
        if page < first {
            Self { lap, page: first }
        } else if page < LAST_HEADER_PAGE {
            Self { lap, page: page + 1 }
        } else {
            Self { lap: (lap + 1) % LAPS, page: first }
        }
    }

    /// Whether this one was written after the other.
    const fn is_after(self, other: Self) -> bool {
        const PAGES: u32 = 32;
        const CIRCLE: u32 = LAPS as u32 * PAGES;
        let (this, that) =
            (self.lap as u32 * PAGES + self.page as u32, other.lap as u32 * PAGES + other.page as u32);
        let ahead = (this + CIRCLE - that) % CIRCLE;
        0 < ahead && ahead < CIRCLE / 2
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The memory did not answer: what it holds is not known.
    Unread,
    /// It holds nothing valid.
    Empty,
    /// It holds what stands here.
    Kept,
}

impl<M: Memory> Journal<M> {
    /// Reads the memory. If it cannot be read, or holds nothing valid (a new board), the journal
    /// begins with no moves and a header of zeros; the second value tells which.
    pub fn open(memory: M) -> (Self, Result<bool, M::Error>) {
        let mut journal = Self {
            memory,
            place: Place { lap: 0, page: LAST_HEADER_PAGE },
            header: Header::default(),
            moves: Moves::EMPTY,
            state: State::Unread,
            worn: 0,
        };
        let found = journal.load();
        (journal, found)
    }

    /// Takes over what the memory holds, and tells whether it holds anything.
    fn load(&mut self) -> Result<bool, M::Error> {
        let mut image = [0; (LAST_HEADER_PAGE + 1) * PAGE];
        self.memory.read(0, &mut image)?;
        let found = newest_header(&image);
        if let Some(Record { place, header, moves }) = found {
            (self.place, self.header, self.moves, self.state) = (place, header, moves, State::Kept);
        } else {
            (self.header, self.moves, self.state) = (Header::default(), Moves::EMPTY, State::Empty);
        }
        Ok(self.state == State::Kept)
    }

    /// What is kept besides the moves.
    #[must_use]
    pub const fn header(&self) -> Header {
        self.header
    }

    /// The moves that are kept.
    #[must_use]
    pub const fn moves(&self) -> &Moves {
        &self.moves
    }

    /// Keeps this instead, with as few writes as possible, each move committed by itself.
    ///
    /// # Errors
    /// If the memory fails or is worn; what was committed until then is kept.
    pub fn save(&mut self, header: Header, moves: &Moves) -> Result<(), Error<M::Error>> {
        if self.state == State::Unread {
            self.load()?;
        }
        let result = self.write_difference(header, moves);
        if let Err(Error::Memory(_)) = result {
            // The write may have been done all the same.
            self.state = State::Unread;
        }
        result
    }

    fn write_difference(&mut self, header: Header, moves: &Moves) -> Result<(), Error<M::Error>> {
        let pairs = self.moves.as_slice().iter().zip(moves.as_slice());
        let common = pairs.take_while(|(a, b)| a == b).count();
        if common < self.moves.len() || header != self.header || self.state != State::Kept {
            let kept = Moves::restore(moves.as_slice(), common).unwrap_or(Moves::EMPTY);
            self.commit(header, kept)?;
        }
        for (index, &point) in moves.as_slice().iter().enumerate().skip(common) {
            if index < STORED {
                self.write_checked(index as u8, &[point])?;
            }
            let mut longer = self.moves;
            longer.bytes[index] = point;
            longer.count += 1;
            self.commit(header, longer)?;
        }
        Ok(())
    }

    /// Writes a header for these moves, whose bytes stand in the memory.
    fn commit(&mut self, header: Header, moves: Moves) -> Result<(), Error<M::Error>> {
        // An interrupted write must leave both the moves that were kept and those that are kept now.
        let first = first_header_page(moves.len().max(self.moves.len()));
        let mut place = self.place;
        // A worn page is passed over; the page of the header that counts now is never touched.
        for _ in first..=LAST_HEADER_PAGE {
            place = place.next(first);
            if place.page == self.place.page || self.worn & 1 << place.page != 0 {
                continue;
            }
            match self.write_checked((place.page * PAGE) as u8, &encode(place.lap, header, &moves)) {
                Err(Error::Worn(_)) => self.worn |= 1 << place.page,
                Err(error) => return Err(error),
                Ok(()) => {
                    (self.place, self.header, self.moves) = (place, header, moves);
                    self.state = State::Kept;
                    return Ok(());
                }
            }
        }
        Err(Error::Worn((place.page * PAGE) as u8))
    }

    fn write_checked(&mut self, address: u8, bytes: &[u8]) -> Result<(), Error<M::Error>> {
        let mut back = [0; PAGE];
        let back = &mut back[..bytes.len()];
        self.memory.write(address, bytes)?;
        self.memory.read(address, back)?;
        match bytes.iter().zip(back.iter()).position(|(a, b)| a != b) {
            None => Ok(()),
            Some(offset) => Err(Error::Worn(address + offset as u8)),
        }
    }

    /// The kept calibration, if there is a valid one.
    ///
    /// # Errors
    /// If the memory fails.
    pub fn calibration(&mut self) -> Result<Option<[u8; CALIBRATION_SIZE]>, M::Error> {
        let mut bytes = [0; CALIBRATION_SIZE + 3];
        self.memory.read(CALIBRATION, &mut bytes)?;
        let (data, sum) = bytes.split_at(CALIBRATION_SIZE);
        let valid = checksum(data.iter().copied()) == sum;
        Ok(valid.then(|| core::array::from_fn(|i| data[i])))
    }

    /// Keeps a calibration.
    ///
    /// # Errors
    /// If the memory fails or is worn.
    pub fn save_calibration(&mut self, data: [u8; CALIBRATION_SIZE]) -> Result<(), Error<M::Error>> {
        let mut bytes = [0; CALIBRATION_SIZE + 3];
        bytes[..CALIBRATION_SIZE].copy_from_slice(&data);
        bytes[CALIBRATION_SIZE..].copy_from_slice(&checksum(data.into_iter()));
        for (i, page) in bytes.chunks(PAGE).enumerate() {
            self.write_checked(CALIBRATION + (i * PAGE) as u8, page)?;
        }
        Ok(())
    }
}

/// The first page that holds neither a move nor the byte of the next one.
const fn first_header_page(moves: usize) -> usize {
    if moves < STORED { moves / PAGE + 1 } else { STORED / PAGE }
}

/// The bytes of a header: the lower eight bits of the lap, count, game, settings, the lower twenty bits
/// of the checksum with the upper four of the lap below them.
fn encode(lap: u16, header: Header, moves: &Moves) -> [u8; PAGE] {
    let ([lap, lap_high], [low, high]) = (lap.to_le_bytes(), header.settings.to_le_bytes());
    let fields = [lap, moves.count, header.game, low, high];
    let covered = fields.into_iter().chain([lap_high]).chain(moves.stored().iter().copied());
    let [a, b, c] = checksum(covered);
    [fields[0], fields[1], fields[2], fields[3], fields[4], a << 4 | lap_high, b, c]
}

struct Record {
    place: Place,
    header: Header,
    moves: Moves,
}

fn newest_header(image: &[u8]) -> Option<Record> {
    let records = image.chunks_exact(PAGE).enumerate().filter_map(|(page, bytes)| decode(image, page, bytes));
    records.reduce(|a, b| if b.place.is_after(a.place) { b } else { a })
}

fn decode(image: &[u8], page: usize, bytes: &[u8]) -> Option<Record> {
    let &[lap, count, game, low, high, lap_high, ..] = bytes else { return None };
    let count = usize::from(count);
    if count > POINTS || page < first_header_page(count) {
        return None;
    }
    let moves = Moves::restore(image, count)?;
    let lap = u16::from_le_bytes([lap, lap_high & 0x0F]);
    let header = Header { game, settings: u16::from_le_bytes([low, high]) };
    (encode(lap, header, &moves) == bytes).then_some(Record { place: Place { lap, page }, header, moves })
}

/// CRC-24 of RFC 4880 (polynomial 864CFB, start B704CE).
fn checksum(bytes: impl Iterator<Item = u8>) -> [u8; 3] {
    let mut crc: u32 = 0x00B7_04CE;
    for byte in bytes {
        crc ^= u32::from(byte) << 16;
        for _ in 0..8 {
            crc <<= 1;
            if crc & 0x0100_0000 != 0 {
                crc ^= 0x0186_4CFB;
            }
        }
    }
    let [_, a, b, c] = crc.to_be_bytes();
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_crc_24() {
        // The check value of the catalogue of CRC algorithms for CRC-24/OPENPGP.
        assert_eq!(checksum(b"123456789".iter().copied()), [0x21, 0xCF, 0x02]);
    }
}
