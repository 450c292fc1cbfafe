// SPDX-License-Identifier: GPL-3.0-only
//! Settings and session in a handful of bytes, for a machine that keeps 256 of them.
//!
//! What such a machine does not offer is left out: names, music, the size of the next board. Of a
//! session what was taken back and could be placed again is left out too, and boards of more than
//! 15 lines do not fit.

use alloc::vec::Vec;

use crate::session::{SavedRule, SavedSeat, SavedSession};
use crate::settings::{BoardColor, FirstMover, ForbiddenHelp, Language, Settings, TapMode};

const RULES: [SavedRule; 3] = [SavedRule::Freestyle, SavedRule::Standard, SavedRule::Renju];
const MOVERS: [FirstMover; 2] = [FirstMover::Human, FirstMover::Computer];
const COLORS: [BoardColor; 4] =
    [BoardColor::Wood, BoardColor::Green, BoardColor::Paper, BoardColor::HighContrast];
const TAPS: [TapMode; 2] = [TapMode::Direct, TapMode::Confirm];
const LANGUAGES: [Language; 3] = [Language::System, Language::Chinese, Language::English];
const HELPS: [ForbiddenHelp; 3] =
    [ForbiddenHelp::Never, ForbiddenHelp::AgainstComputer, ForbiddenHelp::Always];
const SWITCH: [bool; 2] = [false, true];
const LEVELS: [u8; 5] = [0, 1, 2, 3, 4];
/// The sizes of boards whose moves fit in a byte each.
const LINES: [u8; 6] = [10, 11, 12, 13, 14, 15];
const BLACK_HUMAN: [bool; 2] = [true, false];

/// A number that is put together from choices, and taken apart in the reverse order.
#[derive(Clone, Copy)]
struct Mixed(u16);

impl Mixed {
    fn push<T: PartialEq>(&mut self, value: &T, choices: &[T]) {
        let index = choices.iter().position(|choice| choice == value).unwrap_or(0);
        self.0 = self.0 * choices.len() as u16 + index as u16;
    }

    fn pop<T: Copy>(&mut self, choices: &[T]) -> T {
        let count = choices.len() as u16;
        let choice = choices[usize::from(self.0 % count)];
        self.0 /= count;
        choice
    }
}

/// The settings as a number.
#[must_use]
pub fn pack_settings(settings: &Settings) -> u16 {
    let mut mixed = Mixed(0);
    mixed.push(&settings.level, &LEVELS);
    mixed.push(&settings.evaluation, &SWITCH);
    mixed.push(&settings.forbidden_help, &HELPS);
    mixed.push(&settings.language, &LANGUAGES);
    mixed.push(&settings.sound, &SWITCH);
    mixed.push(&settings.tap_mode, &TAPS);
    mixed.push(&settings.coordinates, &SWITCH);
    mixed.push(&settings.numbers, &SWITCH);
    mixed.push(&settings.rule, &RULES);
    mixed.push(&settings.board_color, &COLORS);
    mixed.push(&settings.first_mover, &MOVERS);
    mixed.0
}

/// The settings of a number; `None` if it is none of [`pack_settings`].
#[must_use]
pub fn unpack_settings(number: u16) -> Option<Settings> {
    let mut mixed = Mixed(number);
    let settings = Settings {
        first_mover: mixed.pop(&MOVERS),
        board_color: mixed.pop(&COLORS),
        rule: mixed.pop(&RULES),
        numbers: mixed.pop(&SWITCH),
        coordinates: mixed.pop(&SWITCH),
        tap_mode: mixed.pop(&TAPS),
        sound: mixed.pop(&SWITCH),
        language: mixed.pop(&LANGUAGES),
        forbidden_help: mixed.pop(&HELPS),
        evaluation: mixed.pop(&SWITCH),
        level: mixed.pop(&LEVELS),
        ..Settings::default()
    };
    (mixed.0 == 0).then_some(settings)
}

/// A session as the kind of game (1 to 198) and a byte a move; `None` if its board is too large,
/// both sides are the computer, or another program plays.
#[must_use]
pub fn pack_session(session: &SavedSession) -> Option<(u8, Vec<u8>)> {
    let lines = session.lines;
    let mut mixed = Mixed(0);
    match session.seats {
        [SavedSeat::Human, SavedSeat::Human] => {}
        [SavedSeat::Human, SavedSeat::Computer(level)] | [SavedSeat::Computer(level), SavedSeat::Human] => {
            mixed.push(&level, &LEVELS);
            mixed.push(&(session.seats[0] == SavedSeat::Human), &BLACK_HUMAN);
            mixed.0 += 1;
        }
        _ => return None,
    }
    mixed.push(&session.rule, &RULES);
    mixed.push(&lines, &LINES);
    let kind = u8::try_from(mixed.0 + 1).ok().filter(|_| LINES.contains(&lines))?;
    let moves = session.moves.iter().map(|&(x, y)| y * lines + x);
    Some((kind, moves.collect()))
}

/// The session of a kind and its moves; `None` for kind 0, which is no game. Whether the moves are
/// possible is [`crate::session::Session::restore`]'s business.
#[must_use]
pub fn unpack_session(kind: u8, moves: &[u8]) -> Option<SavedSession> {
    let mut mixed = Mixed(u16::from(kind.checked_sub(1)?));
    let lines = mixed.pop(&LINES);
    let rule = mixed.pop(&RULES);
    let seats = match mixed.0.checked_sub(1) {
        None => [SavedSeat::Human; 2],
        Some(rest) => {
            mixed.0 = rest;
            let black_human = mixed.pop(&BLACK_HUMAN);
            let computer = SavedSeat::Computer(mixed.pop(&LEVELS));
            if mixed.0 != 0 {
                return None;
            }
            if black_human { [SavedSeat::Human, computer] } else { [computer, SavedSeat::Human] }
        }
    };
    let moves = moves.iter().map(|&byte| (byte % lines, byte / lines)).collect();
    Some(SavedSession {
        lines,
        rule,
        seats,
        moves,
        undone: Vec::new(),
        verdict: None,
        undos: 0,
        helps: 0,
        millis: 0,
        record: None,
        players: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn every_number_of_settings_reads_back() {
        // The product of the choices: 2·4·3·2·2·2·2·3·3·2·5.
        let count = 34_560;
        for number in 0..=u16::MAX {
            let settings = unpack_settings(number);
            assert_eq!(settings.is_some(), number < count);
            if let Some(settings) = settings {
                assert!(settings.is_valid());
                assert_eq!(pack_settings(&settings), number);
            }
        }
    }

    #[test]
    fn the_defaults_read_back() {
        let settings = Settings::default();
        assert_eq!(unpack_settings(pack_settings(&settings)), Some(settings));
    }

    #[test]
    fn every_kind_of_game_reads_back() {
        let kinds =
            (0..=u8::MAX).filter_map(|kind| unpack_session(kind, &[7, 8]).map(|session| (kind, session)));
        let kinds: Vec<_> = kinds.collect();
        // Two people, or five levels on either side; three rules; six sizes.
        assert_eq!(kinds.len(), (1 + 10) * 3 * 6);
        for (kind, session) in kinds {
            assert_eq!(pack_session(&session), Some((kind, vec![7, 8])));
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let human = unpack_session(1, &[]).unwrap();
        let large = SavedSession { lines: 16, ..human.clone() };
        assert_eq!(pack_session(&large), None);
        let no_human = SavedSession { seats: [SavedSeat::Computer(1); 2], ..human };
        assert_eq!(pack_session(&no_human), None);
    }

    proptest! {
        #[test]
        fn a_session_reads_back(
            lines in 10_u8..=15,
            seat in 0_u8..6,
            swapped in any::<bool>(),
            rule in prop::sample::select(&RULES[..]),
            moves in prop::collection::vec((0_u8..15, 0_u8..15), 0..30),
        ) {
            let moves = moves.into_iter().map(|(x, y)| (x % lines, y % lines)).collect();
            let other = if seat == 5 { SavedSeat::Human } else { SavedSeat::Computer(seat) };
            let seats = if swapped { [other, SavedSeat::Human] } else { [SavedSeat::Human, other] };
            let session = SavedSession { lines, rule, seats, moves, undone: vec![], verdict: None, undos: 0, helps: 0, millis: 0, record: None, players: None };
            let (kind, bytes) = pack_session(&session).unwrap();
            prop_assert!(bytes.iter().all(|&byte| byte < 225));
            prop_assert_eq!(unpack_session(kind, &bytes), Some(session));
        }
    }
}
