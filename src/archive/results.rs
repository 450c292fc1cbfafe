// SPDX-License-Identifier: GPL-3.0-only
//! The leaderboard of people's wins against the computer, and the statistics of all such games.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use wuzi_engine::{Color, Level};

use crate::session::{SavedRule, SavedSession, Seat, Session};

/// How many wins a table of the leaderboard holds.
pub const PLACES: usize = 10;

/// What is kept of games that are over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Results {
    /// The tables that have a place.
    pub leaderboard: Vec<Table>,
    /// One a level, the easiest first.
    pub statistics: [Tally; Level::ALL.len()],
}

/// What games must have in common to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// The computer's level, 0 Easy to 4 Master.
    pub level: u8,
    /// The number of lines of the board.
    pub lines: u8,
    /// The rule.
    pub rule: SavedRule,
}

/// The best wins of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Of which games.
    pub class: Class,
    /// The best one first.
    pub places: Vec<Win>,
}

/// A person's win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Win {
    /// The player's name; empty for the word of the interface.
    pub name: String,
    /// The day, such as `2026-11-30`.
    pub date: String,
    /// The number of the winner's moves.
    pub moves: u16,
    /// How long the winner thought, in milliseconds.
    pub millis: u64,
    /// How often the winner took back.
    pub undos: u16,
}

/// How a level's games ended for the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Games won.
    pub won: u32,
    /// Games lost.
    pub lost: u32,
    /// Games drawn.
    pub drawn: u32,
    /// The number of wins (or, negative, of losses) since another result.
    pub run: i32,
}

/// A game of a person against the computer that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// Its class.
    pub class: Class,
    person: Color,
    winner: Option<Color>,
    saved: SavedSession,
}

impl Finished {
    /// The game of a session that is over, if one person played the computer at a level.
    #[must_use]
    pub fn of(session: &Session) -> Option<Self> {
        let winner = session.ending()?.winner();
        let (person, level) = match session.setup().seats {
            [Seat::Human, Seat::Computer(level)] => (Color::Black, level),
            [Seat::Computer(level), Seat::Human] => (Color::White, level),
            _ => return None,
        };
        let saved = session.save();
        let class = Class { level: level as u8, lines: saved.lines, rule: saved.rule };
        Some(Self { class, person, winner, saved })
    }

    /// The person's colour.
    #[must_use]
    pub const fn person(&self) -> Color {
        self.person
    }

    /// The win that may enter the leaderboard: the person's, without HELP.
    #[must_use]
    pub fn win(&self, name: &str, date: &str) -> Option<Win> {
        if self.winner != Some(self.person) || self.saved.helps > 0 {
            return None;
        }
        let plies = self.saved.moves.len();
        let own = if self.person == Color::Black { plies.div_ceil(2) } else { plies / 2 };
        Some(Win {
            name: name.into(),
            date: date.into(),
            moves: u16::try_from(own).unwrap_or(u16::MAX),
            millis: self.saved.millis,
            undos: self.saved.undos,
        })
    }
}

impl Results {
    /// Whether what was read from a file is within its bounds.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.leaderboard.iter().all(|table| {
            usize::from(table.class.level) < Level::ALL.len()
                && table.places.len() <= PLACES
                && table.places.is_sorted_by_key(Win::rank)
        })
    }

    /// Counts a game in the statistics.
    pub fn count(&mut self, game: &Finished) {
        let Some(tally) = self.statistics.get_mut(usize::from(game.class.level)) else { return };
        let (counter, run) = match game.winner {
            Some(winner) if winner == game.person => (&mut tally.won, tally.run.max(0).saturating_add(1)),
            Some(_) => (&mut tally.lost, tally.run.min(0).saturating_sub(1)),
            None => (&mut tally.drawn, 0),
        };
        *counter = counter.saturating_add(1);
        tally.run = run;
    }

    /// Enters a win and returns its place, from 1; `None` if ten are better. Of equal wins the
    /// earlier one stands before.
    pub fn enter(&mut self, class: Class, win: Win) -> Option<usize> {
        let index = match self.leaderboard.iter().position(|table| table.class == class) {
            Some(index) => index,
            None => {
                self.leaderboard.push(Table { class, places: Vec::new() });
                self.leaderboard.len() - 1
            }
        };
        let places = &mut self.leaderboard[index].places;
        let at = places.partition_point(|other| other.rank() <= win.rank());
        if at >= PLACES {
            return None;
        }
        places.insert(at, win);
        places.truncate(PLACES);
        Some(at + 1)
    }

    /// The places of a class, the best first.
    #[must_use]
    pub fn places(&self, class: Class) -> &[Win] {
        self.leaderboard.iter().find(|table| table.class == class).map_or(&[], |table| &table.places)
    }

    /// Gives a win its player's name.
    pub fn rename(&mut self, class: Class, place: usize, name: &str) {
        let table = self.leaderboard.iter_mut().find(|table| table.class == class);
        if let Some(win) = table.and_then(|table| table.places.get_mut(place.checked_sub(1)?)) {
            win.name = name.into();
        }
    }

    /// Empties the table of a class.
    pub fn clear(&mut self, class: Class) {
        self.leaderboard.retain(|table| table.class != class);
    }
}

impl Win {
    const fn rank(&self) -> (u16, u64) {
        (self.moves, self.millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Setup;
    use alloc::string::ToString;
    use proptest::prelude::*;
    use wuzi_engine::{Point, Rule, Size};

    const CLASS: Class = Class { level: 2, lines: 15, rule: SavedRule::Freestyle };

    fn win(moves: u16, millis: u64, name: &str) -> Win {
        Win { name: name.into(), date: "2026-11-30".into(), moves, millis, undos: 0 }
    }

    fn played(seats: [Seat; 2], names: &str) -> Session {
        let mut session = Session::new(Setup { size: Size::DEFAULT, rule: Rule::Freestyle, seats });
        for name in names.split(' ') {
            session.play(Point::parse(name, Size::DEFAULT).unwrap()).unwrap();
        }
        session
    }

    const BLACK_WINS: &str = "H8 A1 I8 A2 J8 A3 K8 A4 L8";

    #[test]
    fn fewest_moves_come_first_then_the_shortest_time() {
        let mut results = Results::default();
        assert_eq!(results.enter(CLASS, win(12, 500, "a")), Some(1));
        assert_eq!(results.enter(CLASS, win(12, 400, "b")), Some(1));
        assert_eq!(results.enter(CLASS, win(9, 900, "c")), Some(1));
        assert_eq!(results.enter(CLASS, win(12, 400, "d")), Some(3), "the earlier of equals stands before");
        let names: Vec<_> = results.places(CLASS).iter().map(|win| win.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "d", "a"]);
        assert!(results.places(Class { lines: 19, ..CLASS }).is_empty(), "each class has its own table");
    }

    #[test]
    fn a_table_has_ten_places() {
        let mut results = Results::default();
        for moves in 1..=10 {
            assert_eq!(results.enter(CLASS, win(moves, 0, &moves.to_string())), Some(usize::from(moves)));
        }
        assert_eq!(results.enter(CLASS, win(10, 0, "late")), None);
        assert_eq!(results.enter(CLASS, win(5, 0, "good")), Some(6));
        assert_eq!(results.places(CLASS).len(), PLACES);
        assert_eq!(results.places(CLASS).last().unwrap().name, "9");
        results.rename(CLASS, 6, "better");
        assert_eq!(results.places(CLASS)[5].name, "better");
        results.clear(CLASS);
        assert!(results.places(CLASS).is_empty());
    }

    #[test]
    fn only_a_persons_win_against_a_level_enters() {
        let computer = Seat::Computer(Level::Hard);
        let finished = |seats| Finished::of(&played(seats, BLACK_WINS));
        let black = finished([Seat::Human, computer]).unwrap();
        assert_eq!(black.class, CLASS);
        assert_eq!(black.win("Ada", "2026-11-30").map(|win| (win.moves, win.name)), Some((5, "Ada".into())));
        assert_eq!(finished([computer, Seat::Human]).unwrap().win("Ada", ""), None, "the computer won");
        assert_eq!(finished([Seat::Human, Seat::Human]), None);
        assert_eq!(Finished::of(&played([Seat::Human, computer], "H8")), None, "it still runs");
    }

    #[test]
    fn help_keeps_a_game_out_and_undo_is_counted() {
        let mut session = played([Seat::Human, Seat::Computer(Level::Hard)], "H8 A1 I8 A2 J8 A3 K8 A4");
        session.undo();
        session.redo();
        session.play(Point::parse("L8", Size::DEFAULT).unwrap()).unwrap();
        let win = Finished::of(&session).unwrap().win("", "").unwrap();
        assert_eq!(win.undos, 1);
        session.undo();
        session.play_help(Point::parse("L8", Size::DEFAULT).unwrap()).unwrap();
        assert_eq!(Finished::of(&session).unwrap().win("", ""), None);
    }

    #[test]
    fn the_statistics_count_results_and_runs() {
        let mut results = Results::default();
        let level = Seat::Computer(Level::Easy);
        let won = Finished::of(&played([Seat::Human, level], BLACK_WINS)).unwrap();
        let lost = Finished::of(&played([level, Seat::Human], BLACK_WINS)).unwrap();
        let drawn = Finished { winner: None, ..won.clone() };
        let mut runs = Vec::new();
        for game in [&won, &won, &lost, &lost, &lost, &drawn, &won] {
            results.count(game);
            runs.push(results.statistics[0].run);
        }
        assert_eq!(runs, [1, 2, -1, -2, -3, 0, 1]);
        assert_eq!(results.statistics[0], Tally { won: 3, lost: 3, drawn: 1, run: 1 });
        assert_eq!(results.statistics[1], Tally::default());
    }

    proptest! {
        #[test]
        fn a_table_holds_the_best_in_order(wins in prop::collection::vec((0..20u16, 0..5u64), 0..40)) {
            let mut results = Results::default();
            for &(moves, millis) in &wins {
                results.enter(CLASS, win(moves, millis, ""));
            }
            let mut best = wins;
            best.sort();
            best.truncate(PLACES);
            let held: Vec<_> = results.places(CLASS).iter().map(Win::rank).collect();
            prop_assert_eq!(held, best);
            prop_assert!(results.is_valid());
        }
    }
}
