// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who plays in a match: brains, and the engine's own players without a process.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi_engine::classic::{Original, Table, candidates};
use wuzi_engine::{Game, Level, Limits, Player, Point};

use crate::client::{Client, ClientError, Reply, Setup};

/// Memory of the engine's own players, in KiB.
const DEFAULT_KIB: usize = 16 << 10;
/// The most memory that they may be given, in KiB: 2 GiB.
const MOST_KIB: u64 = 2 << 20;
/// The engine's own players stop so much before their time.
const MARGIN: Duration = Duration::from_millis(5);

/// A player as named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spec {
    /// `level:hard`: a level of the game.
    Level(Level),
    /// `classic:hard-original`: one of the original's choices.
    Original(Original),
    /// `nodes:2000` or `nodes:2000:64`: the search with a node limit and a table of so many KiB.
    Nodes(u64, usize),
    /// `time` or `time:64`: the search with the match's time and a table of so many KiB.
    Time(usize),
    /// A program and its arguments.
    Brain(Vec<String>),
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
        let kib = |text: Option<&str>| match text {
            Some(text) => match number(text)? {
                kib @ ..=MOST_KIB => Ok(kib as usize),
                kib => Err(format!("{kib} KiB are more than {MOST_KIB}")),
            },
            None => Ok(DEFAULT_KIB),
        };
        let mut parts = text.split(':');
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some("level"), Some(name), None, None) => match name {
                "easy" => Ok(Self::Level(Level::Easy)),
                "normal" => Ok(Self::Level(Level::Normal)),
                "hard" => Ok(Self::Level(Level::Hard)),
                "expert" => Ok(Self::Level(Level::Expert)),
                "master" => Ok(Self::Level(Level::Master)),
                _ => Err("a level is easy, normal, hard, expert or master".to_owned()),
            },
            (Some("classic"), Some(name), None, None) => match name {
                "easy-original" => Ok(Self::Original(Original::Easy)),
                "normal-original" => Ok(Self::Original(Original::Normal)),
                "hard-original" => Ok(Self::Original(Original::Hard)),
                _ => Err("a classic is easy-original, normal-original or hard-original".to_owned()),
            },
            (Some("nodes"), Some(nodes), table, None) => Ok(Self::Nodes(number(nodes)?, kib(table)?)),
            (Some("time"), table, None, None) => Ok(Self::Time(kib(table)?)),
            _ => match shlex::split(text) {
                Some(words) if !words.is_empty() => Ok(Self::Brain(words)),
                _ => Err("a player is a command line or a name such as level:hard".to_owned()),
            },
        }
    }
}

impl fmt::Display for Spec {
    /// The name as it is read, or the program's file name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => write!(f, "level:{}", format!("{level:?}").to_lowercase()),
            Self::Original(original) => {
                write!(f, "classic:{}-original", format!("{original:?}").to_lowercase())
            }
            Self::Nodes(nodes, kib) => write!(f, "nodes:{nodes}:{kib}"),
            Self::Time(kib) => write!(f, "time:{kib}"),
            Self::Brain(words) => {
                let program = words.first().map(Path::new).and_then(Path::file_name);
                f.write_str(&program.unwrap_or_default().to_string_lossy())
            }
        }
    }
}

/// A player in a match.
#[derive(Debug)]
pub enum Opponent {
    /// A child process.
    Brain(Box<Client>),
    /// The engine in this process.
    BuiltIn(Box<BuiltIn>),
}

/// The engine as a player of a match.
#[derive(Debug)]
pub struct BuiltIn {
    spec: Spec,
    player: Player,
    rng: SmallRng,
    turn: Duration,
}

impl Opponent {
    /// A player of the match; `setup` tells the terms, its program is replaced.
    ///
    /// # Errors
    /// If a brain does not start.
    pub fn new(spec: &Spec, setup: &Setup) -> Result<Self, ClientError> {
        if let Spec::Brain(words) = spec {
            let mut setup = setup.clone();
            let mut words = words.iter();
            setup.program = words.next().map(Into::into).unwrap_or_default();
            setup.arguments = words.map(Into::into).collect();
            return Ok(Self::Brain(Box::new(Client::start(setup, &mut || false)?)));
        }
        let player = Player::new(0);
        let rng = SmallRng::seed_from_u64(0);
        Ok(Self::BuiltIn(Box::new(BuiltIn { spec: spec.clone(), player, rng, turn: setup.turn })))
    }

    /// Prepares for a game; equal seeds make the engine's own players choose equally.
    pub fn begin(&mut self, seed: u64) {
        if let Self::BuiltIn(built_in) = self {
            built_in.begin(seed);
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// If no legal move comes.
    pub fn choose(
        &mut self,
        game: &Game,
        left: Option<Duration>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Reply, ClientError> {
        match self {
            Self::Brain(client) => client.choose(game, left, stop),
            Self::BuiltIn(built_in) => {
                let start = Instant::now();
                let point = built_in.choose(game, left, stop);
                if stop() {
                    return Err(ClientError::Stopped);
                }
                let refusal = || ClientError::Refused { answer: "no move is left".to_owned() };
                Ok(Reply { point: point.ok_or_else(refusal)?, took: start.elapsed() })
            }
        }
    }
}

impl BuiltIn {
    fn begin(&mut self, seed: u64) {
        let kib = match self.spec {
            Spec::Nodes(_, kib) | Spec::Time(kib) => kib,
            Spec::Level(_) => DEFAULT_KIB,
            Spec::Original(_) | Spec::Brain(_) => 0,
        };
        self.player = Player::new(kib << 10);
        self.rng = SmallRng::seed_from_u64(seed);
    }

    fn choose(
        &mut self,
        game: &Game,
        left: Option<Duration>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Point> {
        let start = Instant::now();
        let turn = match (&self.spec, left) {
            (Spec::Level(Level::Expert), _) => self.turn.min(Duration::from_secs(1)),
            (Spec::Level(_) | Spec::Nodes(..), _) => self.turn,
            (_, Some(left)) => self.turn.min(left / 20),
            (_, None) => self.turn,
        };
        let budget = turn.saturating_sub(MARGIN.min(turn / 2));
        let stop = &mut || start.elapsed() >= budget || stop();
        let (level, limits) = match self.spec {
            Spec::Level(level) => (level, None),
            Spec::Nodes(nodes, _) => {
                (Level::Master, Some(Limits { nodes: Some(nodes), ..Limits::default() }))
            }
            Spec::Time(_) => (Level::Master, Some(Limits::default())),
            Spec::Original(original) => {
                if game.moves().is_empty() {
                    return Some(game.size().centre());
                }
                let candidates = candidates(game, Table::Original);
                let choice = original.choose(&candidates, game.to_move(), &mut self.rng);
                return choice.map(|scored| scored.point).or_else(|| game.board().empty_points().next());
            }
            Spec::Brain(_) => return None,
        };
        self.player.choose(game, level, limits, &mut self.rng, stop).map(|choice| choice.point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_named() {
        assert_eq!("level:hard".parse(), Ok(Spec::Level(Level::Hard)));
        assert_eq!("classic:hard-original".parse(), Ok(Spec::Original(Original::Hard)));
        assert_eq!("nodes:2000".parse(), Ok(Spec::Nodes(2000, DEFAULT_KIB)));
        assert_eq!("nodes:2000:64".parse(), Ok(Spec::Nodes(2000, 64)));
        assert_eq!("time".parse(), Ok(Spec::Time(DEFAULT_KIB)));
        let words = |words: &[&str]| Ok(Spec::Brain(words.iter().map(|&word| word.to_owned()).collect()));
        assert_eq!("wuzi-brain --seed 1".parse::<Spec>(), words(&["wuzi-brain", "--seed", "1"]));
        assert_eq!("'my brains/a b' x".parse::<Spec>(), words(&["my brains/a b", "x"]));
        assert!("time:2097152".parse::<Spec>().is_ok() && "time:2097153".parse::<Spec>().is_err());
        assert!("nodes:1:18446744073709551615".parse::<Spec>().is_err());
        for bad in ["", " ", "level:", "level:hardest", "nodes:", "nodes:x", "nodes:1:2:3:", "'open"] {
            let spec = bad.parse::<Spec>();
            assert!(spec.is_err() || matches!(spec, Ok(Spec::Brain(_))) && bad.ends_with(':'), "{bad:?}");
        }
    }

    #[test]
    fn equal_seeds_play_equally() {
        let setup =
            Setup::new("", wuzi_engine::Size::DEFAULT, wuzi_engine::Rule::Freestyle, Duration::from_secs(60));
        let play = |seed| {
            let mut opponent = Opponent::new(&Spec::Level(Level::Easy), &setup).unwrap();
            opponent.begin(seed);
            let mut game = Game::new(setup.size, setup.rule);
            while !game.outcome().is_over() && game.moves().len() < 30 {
                let reply = opponent.choose(&game, None, &mut || false).unwrap();
                game.play(reply.point).unwrap();
            }
            game.moves().to_vec()
        };
        assert_eq!(play(5), play(5));
    }
}
