// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays two players against each other, every opening of `tests/data` with both colours.
//!
//! `cargo run --release -p wuzi-engine --example levels -- NEW OLD RULE GAMES [SEED]`
//!
//! A player is `easy`, `normal`, `hard`, `original-easy`, `original-normal`, `original-hard`, or a
//! search `NODES` or `NODES/KIB` (the positions a move and the memory; 16384 KiB if not given).

use rand::{SeedableRng, rngs::StdRng};
use wuzi_engine::classic::{self, Original, Table};
use wuzi_engine::{Color, Game, Level, Limits, Player, Point, Rule, Size};

enum Contestant {
    Original(Original),
    Level(Level, Option<Limits>, Box<Player>),
}

impl Contestant {
    fn new(name: &str) -> Self {
        let level = |level| Self::Level(level, None, Box::new(Player::new(1 << 20)));
        match name {
            "easy" => level(Level::Easy),
            "normal" => level(Level::Normal),
            "hard" => level(Level::Hard),
            "original-easy" => Self::Original(Original::Easy),
            "original-normal" => Self::Original(Original::Normal),
            "original-hard" => Self::Original(Original::Hard),
            search => {
                let (nodes, kib) = search.split_once('/').unwrap_or((search, "16384"));
                let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{search}: not a player"));
                let limits = Limits { nodes: Some(number(nodes)), depth: None };
                Self::Level(Level::Master, Some(limits), Box::new(Player::new(number(kib) as usize * 1024)))
            }
        }
    }

    fn choose(&mut self, game: &Game, rng: &mut StdRng) -> Point {
        let choice = match self {
            Self::Original(original) => {
                let candidates = classic::candidates(game, Table::Original);
                original.choose(&candidates, game.to_move(), rng).map(|scored| scored.point)
            }
            Self::Level(level, limits, player) => {
                player.choose(game, *level, *limits, rng, &mut || false).map(|choice| choice.point)
            }
        };
        // Black with nothing but forbidden points has to play one.
        choice.or_else(|| game.board().empty_points().next()).expect("the game is not over")
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [new, old, rule_name, games, seed @ ..] = &args[..] else {
        eprintln!("levels NEW OLD RULE GAMES [SEED]");
        return;
    };
    let rule = match rule_name.as_str() {
        "freestyle" => Rule::Freestyle,
        "standard" => Rule::Standard,
        "renju" => Rule::Renju,
        other => panic!("{other}: not a rule"),
    };
    let games: usize = games.parse().expect("a number of games");
    let seed: u64 = seed.first().map_or(1, |seed| seed.parse().expect("a seed"));
    let path = format!("{}/tests/data/openings_{rule_name}.txt", env!("CARGO_MANIFEST_DIR"));
    let openings = std::fs::read_to_string(path).expect("the test data is in the repository");
    let openings: Vec<&str> = openings.lines().collect();
    let (mut wins, mut draws, mut moves, mut time) = (0.0, 0.0, 0u32, std::time::Duration::ZERO);
    for number in 0..games {
        let mut contestants = [Contestant::new(new), Contestant::new(old)];
        let rng = &mut StdRng::seed_from_u64(seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        let mut game = opening(openings[number / 2 % openings.len()], rule);
        let new_color = if number % 2 == 0 { Color::Black } else { Color::White };
        while !game.outcome().is_over() {
            let turn = usize::from(game.to_move() != new_color);
            let start = std::time::Instant::now();
            let point = contestants[turn].choose(&game, rng);
            if turn == 0 {
                time += start.elapsed();
                moves += 1;
            }
            game.play(point).expect("a legal move");
        }
        match game.outcome().winner() {
            Some(winner) => wins += f64::from(u8::from(winner == new_color)),
            None => draws += 1.0,
        }
    }
    let total = games as f64;
    let score = (wins + draws / 2.0) / total;
    let losses = total - wins - draws;
    let spread = wins * (1.0 - score).powi(2) + draws * (0.5 - score).powi(2) + losses * score.powi(2);
    println!(
        "{new} against {old}, {rule_name}, {games} games, seed {seed}: +{wins} ={draws} -{losses}, score {score:.3} ± {:.3}; {:?} a move",
        2.0 * (spread / total / total).sqrt(),
        time / moves.max(1)
    );
}

fn opening(moves: &str, rule: Rule) -> Game {
    let mut game = Game::new(Size::DEFAULT, rule);
    let starts: Vec<usize> =
        moves.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    let ends = starts.iter().copied().skip(1).chain([moves.len()]);
    for (&start, end) in starts.iter().zip(ends) {
        let point = Point::parse(&moves[start..end], game.size()).expect("a point");
        game.play(point).expect("a legal move");
    }
    game
}
