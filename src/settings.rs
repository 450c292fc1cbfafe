// SPDX-License-Identifier: GPL-3.0-only
//! What the user has chosen and the program remembers.

use alloc::string::String;
use core::time::Duration;

use serde::{Deserialize, Serialize};
use wuzi_engine::{Level, Size};

use crate::session::{SavedRule, Seat, Setup};

/// The longest player name, in characters.
pub const NAME_LENGTH: usize = 24;

/// Who moves first against the computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum FirstMover {
    #[default]
    Human,
    Computer,
}

/// The look of the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum BoardColor {
    #[default]
    Wood,
    Green,
    Paper,
    HighContrast,
}

/// What a tap on an empty point does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TapMode {
    /// It places the stone.
    #[default]
    Direct,
    /// It shows where the stone would go; a second tap there places it.
    Confirm,
}

/// The language of the interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// That of the machine.
    #[default]
    System,
    /// 简体中文
    Chinese,
    /// English
    English,
}

/// When a person is shown black's forbidden points and kept from playing them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForbiddenHelp {
    /// A forbidden point can be played, and loses.
    Never,
    /// In games against the computer.
    #[default]
    AgainstComputer,
    /// In every game.
    Always,
}

/// Another program to play against, which speaks the Gomocup protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineSettings {
    /// Where the program is; empty for none.
    pub path: String,
    /// Its time for a move, 1 to [`EngineSettings::MOST_SECONDS`].
    pub seconds: u8,
}

impl EngineSettings {
    /// The longest time for a move.
    pub const MOST_SECONDS: u8 = 60;
    /// The longest path, in bytes.
    const LONGEST_PATH: usize = 4096;

    pub(crate) fn is_valid(&self) -> bool {
        (1..=Self::MOST_SECONDS).contains(&self.seconds)
            && self.path.len() <= Self::LONGEST_PATH
            && !self.path.contains('\0')
    }
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self { path: String::new(), seconds: 5 }
    }
}

/// The colour that the user would like in a game over the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum WantedColor {
    #[default]
    Either,
    Black,
    White,
}

/// What the user has chosen for games over the network; size and rule are those of every game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkSettings {
    /// The colour.
    pub color: WantedColor,
    /// The time for a move, up to [`NetworkSettings::MOST_SECONDS`]; 0 for no limit.
    pub seconds: u16,
    /// The address that was typed last.
    pub address: String,
}

impl NetworkSettings {
    /// The longest time for a move.
    pub const MOST_SECONDS: u16 = 3600;
    /// The times for a move that the page of the network goes through.
    pub const SECONDS: [u16; 7] = [0, 10, 20, 30, 60, 120, 300];
    /// The longest address, in bytes: a host name, brackets and a port.
    pub const LONGEST_ADDRESS: usize = 264;

    fn is_valid(&self) -> bool {
        self.seconds <= Self::MOST_SECONDS && self.address.len() <= Self::LONGEST_ADDRESS
    }
}

/// What the user has chosen. Missing fields take their defaults, so that older files stay good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Who moves first against the computer.
    pub first_mover: FirstMover,
    /// The look of the board.
    pub board_color: BoardColor,
    /// The number of lines of the next board, 10 to 20.
    pub lines: u8,
    /// The rule of the next game.
    pub rule: SavedRule,
    /// The level played last, 0 Easy to 4 Master.
    pub level: u8,
    /// How long Master thinks about a move, 1 to [`Settings::MOST_MASTER_SECONDS`].
    pub master_seconds: u8,
    /// Whether stones show their number.
    pub numbers: bool,
    /// Whether the board shows letters and numbers at its edge.
    pub coordinates: bool,
    /// What a tap does.
    pub tap_mode: TapMode,
    /// Whether stones and fives are heard.
    pub sound: bool,
    /// Whether quiet music plays.
    pub music: bool,
    /// The language of the interface.
    pub language: Language,
    /// When forbidden points are shown and refused.
    pub forbidden_help: ForbiddenHelp,
    /// Whether the evaluation bar is shown.
    pub evaluation: bool,
    /// Another program to play against.
    pub engine: EngineSettings,
    /// Games over the network.
    pub network: NetworkSettings,
    /// The names of the first and the second player; empty for the words of the interface. The
    /// first plays against the computer, and black between two people.
    pub names: [String; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            first_mover: FirstMover::default(),
            board_color: BoardColor::default(),
            lines: Size::DEFAULT.lines(),
            rule: SavedRule::Freestyle,
            level: Level::default() as u8,
            master_seconds: 5,
            numbers: false,
            coordinates: true,
            tap_mode: TapMode::default(),
            sound: true,
            music: false,
            language: Language::default(),
            forbidden_help: ForbiddenHelp::default(),
            evaluation: false,
            engine: EngineSettings::default(),
            network: NetworkSettings::default(),
            names: [String::new(), String::new()],
        }
    }
}

impl Settings {
    /// The longest time for Master to think about a move.
    pub const MOST_MASTER_SECONDS: u8 = 60;

    /// Whether every value is within its bounds; what was read from a file may not be.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        Size::new(self.lines).is_some()
            && (1..=Self::MOST_MASTER_SECONDS).contains(&self.master_seconds)
            && self.engine.is_valid()
            && self.network.is_valid()
            && usize::from(self.level) < Level::ALL.len()
            && self.names.iter().all(|name| clean_name(name) == *name)
    }

    /// The board of the next game.
    #[must_use]
    pub fn size(&self) -> Size {
        Size::new(self.lines).unwrap_or_default()
    }

    /// The level played last.
    #[must_use]
    pub fn level(&self) -> Level {
        Level::ALL.get(usize::from(self.level)).copied().unwrap_or_default()
    }

    /// How long a level may think, where time is what limits it. Easy, Normal and Hard end by
    /// themselves long before.
    #[must_use]
    pub fn time(&self, level: Level) -> Duration {
        match level {
            Level::Master => Duration::from_secs(self.master_seconds.into()),
            Level::Easy | Level::Normal | Level::Hard | Level::Expert => Duration::from_secs(1),
        }
    }

    /// A game between two people.
    #[must_use]
    pub fn pvp(&self) -> Setup {
        self.setup([Seat::Human; 2])
    }

    /// A game against the computer.
    #[must_use]
    pub fn pve(&self, level: Level) -> Setup {
        self.against(Seat::Computer(level))
    }

    /// A game against the other program.
    #[must_use]
    pub fn against_engine(&self) -> Setup {
        self.against(Seat::Engine)
    }

    fn against(&self, computer: Seat) -> Setup {
        self.setup(match self.first_mover {
            FirstMover::Human => [Seat::Human, computer],
            FirstMover::Computer => [computer, Seat::Human],
        })
    }

    fn setup(&self, seats: [Seat; 2]) -> Setup {
        Setup { size: self.size(), rule: self.rule.into(), seats }
    }
}

/// A name as it can be shown: trimmed, without control and direction characters, at most
/// [`NAME_LENGTH`] characters.
#[must_use]
pub fn clean_name(text: &str) -> String {
    let turns_direction =
        |c: char| matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let name: String = text.chars().filter(|&c| !c.is_control() && !turns_direction(c)).collect();
    shortened(name.trim()).trim_end().into()
}

/// As much of a text as a name may have, [`NAME_LENGTH`] characters.
#[must_use]
pub fn shortened(text: &str) -> &str {
    text.char_indices().nth(NAME_LENGTH).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_computer_moves_first_if_the_user_wants_it() {
        let mut settings = Settings::default();
        assert_eq!(settings.pve(Level::Easy).seats, [Seat::Human, Seat::Computer(Level::Easy)]);
        settings.first_mover = FirstMover::Computer;
        assert_eq!(settings.pve(Level::Easy).seats, [Seat::Computer(Level::Easy), Seat::Human]);
        assert_eq!(settings.pvp().seats, [Seat::Human, Seat::Human]);
    }

    #[test]
    fn names_lose_what_cannot_be_shown() {
        assert_eq!(clean_name("  五子\u{202E}棋\n "), "五子棋");
        assert_eq!(clean_name(&"x".repeat(40)).len(), NAME_LENGTH);
        assert_eq!(shortened(&"棋 ".repeat(20)), "棋 ".repeat(12));
        assert_eq!(shortened("棋"), "棋");
    }

    proptest! {
        #[test]
        fn a_clean_name_stays_as_it_is(text in any::<String>()) {
            let name = clean_name(&text);
            prop_assert!(name.chars().count() <= NAME_LENGTH);
            prop_assert_eq!(clean_name(&name), name);
        }
    }
}
