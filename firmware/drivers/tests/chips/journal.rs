// SPDX-License-Identifier: GPL-3.0-only
//! The journal on a memory that loses its power at any moment.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use proptest::prelude::*;
use wuzi_drivers::journal::{Error, Header, Journal, Memory, Moves};

/// Cells that outlive the program, the writes they took, and when the power fails.
#[derive(Debug)]
struct Cells {
    bytes: [u8; 256],
    writes: [u32; 256],
    /// Writes until the power fails in the middle of one; what the cells then hold instead.
    cut: Option<(u32, [u8; 8])>,
    dead: bool,
    worn: Vec<u8>,
    /// What becomes of the next accesses, first to last; after them everything is well.
    trouble: VecDeque<Trouble>,
}

/// What may become of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    None,
    /// No answer.
    Silent,
    /// A write that is done although it was not acknowledged.
    Late,
}

#[derive(Clone, Debug)]
struct Chip(Rc<RefCell<Cells>>);

impl Chip {
    fn new() -> Self {
        let cells = Cells {
            bytes: [0xFF; 256],
            writes: [0; 256],
            cut: None,
            dead: false,
            worn: Vec::new(),
            trouble: VecDeque::new(),
        };
        Self(Rc::new(RefCell::new(cells)))
    }

    fn open(&self) -> Journal<Self> {
        let (journal, result) = Journal::open(self.clone());
        result.unwrap();
        journal
    }
}

/// The power is off, or the chip does not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dead;

impl Memory for Chip {
    type Error = Dead;

    fn read(&mut self, address: u8, buffer: &mut [u8]) -> Result<(), Dead> {
        let mut cells = self.0.borrow_mut();
        let trouble = cells.trouble.pop_front();
        if cells.dead || trouble == Some(Trouble::Silent) {
            return Err(Dead);
        }
        let from = usize::from(address);
        buffer.copy_from_slice(&cells.bytes[from..from + buffer.len()]);
        Ok(())
    }

    fn write(&mut self, address: u8, bytes: &[u8]) -> Result<(), Dead> {
        let mut cells = self.0.borrow_mut();
        assert!(usize::from(address) % 8 + bytes.len() <= 8, "a write stays inside of a page");
        let trouble = cells.trouble.pop_front();
        if cells.dead || trouble == Some(Trouble::Silent) {
            return Err(Dead);
        }
        let garbage = match &mut cells.cut {
            Some((0, garbage)) => Some(*garbage),
            Some((left, _)) => {
                *left -= 1;
                None
            }
            None => None,
        };
        for (i, &byte) in bytes.iter().enumerate() {
            let at = usize::from(address) + i;
            cells.writes[at] += 1;
            if !cells.worn.contains(&(at as u8)) {
                cells.bytes[at] = garbage.map_or(byte, |garbage| garbage[i]);
            }
        }
        cells.dead = garbage.is_some();
        if cells.dead || trouble == Some(Trouble::Late) { Err(Dead) } else { Ok(()) }
    }
}

fn moves(points: &[u8]) -> Moves {
    Moves::new(points.iter().copied()).unwrap()
}

/// All points in an order that visits the board irregularly.
fn whole_board() -> Vec<u8> {
    (0..225_u32).map(|i| (i * 97 % 225) as u8).collect()
}

const HEADER: Header = Header { game: 0x5A, settings: 0x1234 };

#[test]
fn a_new_chip_holds_nothing() {
    for fill in [0xFF, 0x00, 0x55] {
        let chip = Chip::new();
        chip.0.borrow_mut().bytes = [fill; 256];
        let (journal, found) = Journal::open(chip);
        assert_eq!(found, Ok(false));
        assert_eq!((journal.header(), journal.moves().len()), (Header::default(), 0));
    }
}

#[test]
fn a_game_of_every_length_reads_back() {
    let chip = Chip::new();
    let board = whole_board();
    for length in 0..=225 {
        let mut journal = chip.open();
        journal.save(HEADER, &moves(&board[..length])).unwrap();
        let journal = chip.open();
        assert_eq!(journal.moves().as_slice(), &board[..length]);
        assert_eq!(journal.header(), HEADER);
    }
}

#[test]
fn a_move_costs_one_byte_and_one_header() {
    let chip = Chip::new();
    let mut journal = chip.open();
    journal.save(HEADER, &moves(&[1, 2, 3])).unwrap();
    let written = |chip: &Chip| chip.0.borrow().writes.iter().sum::<u32>();
    let before = written(&chip);
    journal.save(HEADER, &moves(&[1, 2, 3, 4])).unwrap();
    assert_eq!(written(&chip) - before, 1 + 8);
    journal.save(HEADER, &moves(&[1, 2, 3, 4])).unwrap();
    assert_eq!(written(&chip) - before, 1 + 8, "nothing new costs nothing");
}

#[test]
fn moves_off_the_board_or_twice_are_refused() {
    assert!(Moves::new([225]).is_none());
    assert!(Moves::new([7, 8, 7]).is_none());
    assert_eq!(Moves::new([]).unwrap().len(), 0);
}

/// What a player does.
#[derive(Clone, Debug)]
enum Step {
    Play(u8),
    Undo(usize),
    Restart,
    Settings(u16),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0_u8..225).prop_map(Step::Play),
        2 => (1_usize..4).prop_map(Step::Undo),
        1 => Just(Step::Restart),
        1 => any::<u16>().prop_map(Step::Settings),
    ]
}

fn apply(step: &Step, points: &mut Vec<u8>, header: &mut Header) {
    match *step {
        Step::Play(wish) => {
            // The next free point from there on.
            let free = (0..225_u16).map(|i| ((u16::from(wish) + i) % 225) as u8);
            points.extend(free.into_iter().find(|point| !points.contains(point)));
        }
        Step::Undo(count) => points.truncate(points.len().saturating_sub(count)),
        Step::Restart => points.clear(),
        Step::Settings(settings) => header.settings = settings,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn a_power_cut_at_any_write_loses_at_most_the_step_being_written(
        start in 0_usize..226,
        steps in prop::collection::vec(step(), 1..40),
        cut in 0_u32..60,
        garbage in prop::array::uniform8(any::<u8>()),
    ) {
        let chip = Chip::new();
        let mut journal = chip.open();
        let (mut points, mut header) = (whole_board()[..start].to_vec(), HEADER);
        journal.save(header, &moves(&points)).unwrap();
        chip.0.borrow_mut().cut = Some((cut, garbage));
        for step in &steps {
            let (before, header_before) = (points.clone(), header);
            apply(step, &mut points, &mut header);
            if journal.save(header, &moves(&points)).is_err() {
                chip.0.borrow_mut().dead = false;
                chip.0.borrow_mut().cut = None;
                let kept = chip.open();
                let (kept, kept_header) = (kept.moves().as_slice(), kept.header());
                let old = kept == before && kept_header == header_before;
                let new = kept == points && kept_header == header;
                prop_assert!(old || new, "{:?} after {:?} then {:?}", kept, before, step);
                // And the game goes on from there.
                let mut journal = chip.open();
                journal.save(header, &moves(&points)).unwrap();
                let reopened = chip.open();
                prop_assert_eq!(reopened.moves().as_slice(), points.as_slice());
                return Ok(());
            }
        }
        let reopened = chip.open();
        prop_assert_eq!(reopened.moves().as_slice(), points.as_slice());
        prop_assert_eq!(reopened.header(), header);
    }

    #[test]
    fn worn_cells_and_failing_accesses_never_make_a_wrong_board(
        start in 0_usize..226,
        steps in prop::collection::vec(step(), 1..60),
        worn in prop::collection::vec(0_u8..240, 0..6),
        worn_pages in prop::collection::vec(0_u8..30, 0..3),
        trouble in prop::collection::vec(
            prop_oneof![20 => Just(Trouble::None), 1 => Just(Trouble::Silent), 1 => Just(Trouble::Late)],
            0..400,
        ),
    ) {
        let chip = Chip::new();
        let mut journal = chip.open();
        let (mut points, mut header) = (whole_board()[..start].to_vec(), HEADER);
        journal.save(header, &moves(&points)).unwrap();
        chip.0.borrow_mut().worn = worn;
        chip.0.borrow_mut().worn.extend(worn_pages.iter().flat_map(|page| page * 8..(page + 1) * 8));
        chip.0.borrow_mut().trouble = trouble.into();
        // What has been on the table since it was kept the last time.
        let mut boards = vec![(header, points.clone())];
        for step in &steps {
            apply(step, &mut points, &mut header);
            boards.push((header, points.clone()));
            let result = journal.save(header, &moves(&points));
            if result.is_ok() {
                boards = vec![(header, points.clone())];
            }
            let trouble = std::mem::take(&mut chip.0.borrow_mut().trouble);
            let reopened = chip.open();
            let (kept_header, kept) = (reopened.header(), reopened.moves().as_slice());
            if result.is_ok() {
                prop_assert_eq!((kept_header, kept), (header, points.as_slice()));
            } else {
                // One of them, or as far as it was kept.
                let was_there = boards.iter().any(|(header, points)| *header == kept_header && points.starts_with(kept));
                prop_assert!(was_there, "{:?} after {:?}: {:?}", kept, boards, result);
            }
            chip.0.borrow_mut().trouble = trouble;
        }
        // Without wear, everything is kept again once the chip answers.
        if chip.0.borrow().worn.is_empty() {
            chip.0.borrow_mut().trouble.clear();
            journal.save(header, &moves(&points)).unwrap();
            let reopened = chip.open();
            prop_assert_eq!((reopened.header(), reopened.moves().as_slice()), (header, points.as_slice()));
        }
    }

    #[test]
    fn whatever_the_chip_holds_is_never_a_wrong_board(bytes in prop::collection::vec(any::<u8>(), 256)) {
        let chip = Chip::new();
        chip.0.borrow_mut().bytes.copy_from_slice(&bytes);
        let journal = chip.open();
        prop_assert!(Moves::new(journal.moves().as_slice().iter().copied()).is_some());
    }
}

#[test]
fn several_moves_at_once_are_kept_up_to_the_cut() {
    let board = whole_board();
    for cut in 0..20 {
        let chip = Chip::new();
        let mut journal = chip.open();
        journal.save(HEADER, &moves(&[])).unwrap();
        chip.0.borrow_mut().cut = Some((cut, [0xA5; 8]));
        assert!(journal.save(HEADER, &moves(&board[..20])).is_err());
        chip.0.borrow_mut().dead = false;
        let kept = chip.open();
        // Two writes a move: those whose second write is done.
        assert_eq!(kept.moves().as_slice(), &board[..cut as usize / 2]);
    }
}

#[test]
fn wear_is_spread() {
    let chip = Chip::new();
    let board = whole_board();
    let mut journal = chip.open();
    for game in 0..100 {
        for length in 0..=60 {
            let moves: Vec<u8> = board.iter().cycle().skip(game).take(length).copied().collect();
            journal.save(HEADER, &self::moves(&moves)).unwrap();
        }
    }
    // 61 headers a game over 22 to 29 pages: about three a page. A chip stands 100,000 at least.
    let most = chip.0.borrow().writes.iter().copied().max().unwrap();
    assert!(most <= 400, "{most} writes to one cell in 100 games");
}

#[test]
fn a_worn_header_page_is_passed_over_and_a_worn_move_is_told() {
    let chip = Chip::new();
    chip.0.borrow_mut().worn = vec![100, 180];
    let board = whole_board();
    let mut journal = chip.open();
    for length in 0..=100 {
        journal.save(HEADER, &moves(&board[..length])).unwrap();
        assert_eq!(chip.open().moves().as_slice(), &board[..length]);
    }
    assert_eq!(journal.save(HEADER, &moves(&board[..101])), Err(Error::Worn(100)));
    assert_eq!(chip.open().moves().as_slice(), &board[..100]);
}

#[test]
fn a_header_that_a_worn_page_keeps_does_not_count_again() {
    let chip = Chip::new();
    let board = whole_board();
    let mut journal = chip.open();
    // An empty game, whose header no move makes invalid.
    journal.save(Header { game: 1, settings: 1 }, &Moves::EMPTY).unwrap();
    chip.0.borrow_mut().worn = (8..16).collect();
    for settings in 0..10_000 {
        let header = Header { game: 2, settings };
        journal.save(header, &moves(&board[..4])).unwrap();
        if settings % 100 == 0 {
            let reopened = chip.open();
            assert_eq!((reopened.header(), reopened.moves().as_slice()), (header, &board[..4]));
        }
    }
}

#[test]
fn laps_are_counted_in_a_circle() {
    let chip = Chip::new();
    let mut journal = chip.open();
    // With 224 moves two pages are left, so that each second header begins a lap.
    let board = moves(&whole_board()[..224]);
    for number in 0..10_000 {
        let header = Header { game: 1, settings: number };
        journal.save(header, &board).unwrap();
        if number % 100 == 0 {
            assert_eq!(chip.open().header(), header);
        }
    }
}

#[test]
fn a_move_that_was_kept_without_acknowledge_and_taken_back_does_not_return() {
    let chip = Chip::new();
    let mut journal = chip.open();
    journal.save(HEADER, &moves(&[1, 2])).unwrap();
    // Byte, reading back, header.
    chip.0.borrow_mut().trouble = [Trouble::None, Trouble::None, Trouble::Late].into();
    assert_eq!(journal.save(HEADER, &moves(&[1, 2, 3])), Err(Error::Memory(Dead)));
    journal.save(HEADER, &moves(&[1, 2])).unwrap();
    assert_eq!(chip.open().moves().as_slice(), [1, 2]);
}

#[test]
fn a_memory_that_was_silent_at_the_start_is_not_overtaken_by_its_old_record() {
    let chip = Chip::new();
    let mut journal = chip.open();
    for length in 0..=50 {
        journal.save(HEADER, &moves(&whole_board()[..length])).unwrap();
    }
    chip.0.borrow_mut().dead = true;
    let (mut journal, result) = Journal::open(chip.clone());
    assert_eq!(result, Err(Dead));
    assert_eq!(journal.save(HEADER, &moves(&[9])), Err(Error::Memory(Dead)));
    chip.0.borrow_mut().dead = false;
    journal.save(HEADER, &moves(&[9, 8])).unwrap();
    assert_eq!(chip.open().moves().as_slice(), [9, 8]);
}

#[test]
fn the_calibration_is_kept_apart() {
    let chip = Chip::new();
    let mut journal = chip.open();
    assert_eq!(journal.calibration(), Ok(None));
    let data = std::array::from_fn(|i| i as u8 * 3);
    journal.save_calibration(data).unwrap();
    journal.save(HEADER, &moves(&whole_board())).unwrap();
    assert_eq!(chip.open().calibration(), Ok(Some(data)));
    chip.0.borrow_mut().bytes[245] ^= 1;
    assert_eq!(chip.open().calibration(), Ok(None));
}
