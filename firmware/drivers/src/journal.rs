// SPDX-License-Identifier: GPL-3.0-only
//! The running game and the settings in 256 bytes that survive a loss of power at any moment.
//!
//! The memory is 32 pages of 8 bytes:
//! - Moves, a byte each, from address 0 up: 15 · row + column. The 225th move of a full board is not
//!   written, it is the point that is left.
//! - A header: sequence number, number of moves, kind of game, settings, and a checksum over all of
//!   that **and the moves**. Each change writes it into the next of the pages that no move needs, the
//!   last being page 29; the valid one with the newest number counts. So a write that is interrupted
//!   damages no header but its own, and the wear of a game of 60 moves is spread over 22 pages.
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
    sequence: u8,
    page: usize,
    header: Header,
    moves: Moves,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The memory did not answer yet: its newest sequence number is not known.
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
            sequence: 0,
            page: LAST_HEADER_PAGE,
            header: Header::default(),
            moves: Moves::EMPTY,
            state: State::Unread,
        };
        let found = journal.load();
        (journal, found)
    }

    /// Takes over what the memory holds, and tells whether it holds anything.
    fn load(&mut self) -> Result<bool, M::Error> {
        let mut image = [0; (LAST_HEADER_PAGE + 1) * PAGE];
        self.memory.read(0, &mut image)?;
        self.state = State::Empty;
        if let Some(record) = newest_header(&image) {
            let Record { sequence, page, header, moves } = record;
            (self.sequence, self.page, self.header, self.moves) = (sequence, page, header, moves);
            self.state = State::Kept;
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
        let sequence = self.sequence.wrapping_add(1);
        let bytes = encode(sequence, header, &moves);
        // An interrupted write must leave both the moves that were kept and those that are kept now.
        let first = first_header_page(moves.len().max(self.moves.len()));
        let pages = LAST_HEADER_PAGE + 1 - first;
        let mut result = Ok(());
        let mut page = self.page;
        // A worn page is passed over; the page of the header that counts now is never touched.
        for _ in 0..pages {
            page = if page >= first && page < LAST_HEADER_PAGE { page + 1 } else { first };
            if page == self.page {
                continue;
            }
            result = self.write_checked((page * PAGE) as u8, &bytes);
            match result {
                Err(Error::Worn(_)) => {}
                Err(Error::Memory(_)) => return result,
                Ok(()) => {
                    (self.sequence, self.page, self.header, self.moves) = (sequence, page, header, moves);
                    self.state = State::Kept;
                    return Ok(());
                }
            }
        }
        result
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

fn encode(sequence: u8, header: Header, moves: &Moves) -> [u8; PAGE] {
    let [low, high] = header.settings.to_le_bytes();
    let fields = [sequence, moves.count, header.game, low, high];
    let sum = checksum(fields.into_iter().chain(moves.stored().iter().copied()));
    [fields[0], fields[1], fields[2], fields[3], fields[4], sum[0], sum[1], sum[2]]
}

struct Record {
    sequence: u8,
    page: usize,
    header: Header,
    moves: Moves,
}

fn newest_header(image: &[u8]) -> Option<Record> {
    let records = image.chunks_exact(PAGE).enumerate().filter_map(|(page, bytes)| decode(image, page, bytes));
    records.reduce(|a, b| if (b.sequence.wrapping_sub(a.sequence) as i8) > 0 { b } else { a })
}

fn decode(image: &[u8], page: usize, bytes: &[u8]) -> Option<Record> {
    let &[sequence, count, game, low, high, ..] = bytes else { return None };
    let count = usize::from(count);
    if count > POINTS || page < first_header_page(count) {
        return None;
    }
    let moves = Moves::restore(image, count)?;
    let header = Header { game, settings: u16::from_le_bytes([low, high]) };
    (encode(sequence, header, &moves) == bytes).then_some(Record { sequence, page, header, moves })
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
