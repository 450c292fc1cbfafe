// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays two builds of this program against each other.
//!
//! `duel serve` answers lines `RULE LEVEL NODES moves` with a move; `duel OLD NEW RULE NODES GAMES`
//! starts two such programs and plays every opening of `tests/data` with both colours.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use rand::{SeedableRng, rngs::SmallRng};
use wuzi_engine::{Game, Level, Limits, Player, Point, Rule, Size};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve(),
        [old, new, rule, nodes, games] => {
            duel([old, new], rule, nodes, games.parse().expect("a number of games"))
        }
        _ => eprintln!("duel OLD NEW RULE NODES GAMES"),
    }
}

fn rule(name: &str) -> Rule {
    match name {
        "freestyle" => Rule::Freestyle,
        "standard" => Rule::Standard,
        _ => Rule::Renju,
    }
}

fn play(moves: &str, rule: Rule) -> Game {
    let mut game = Game::new(Size::DEFAULT, rule);
    let starts: Vec<usize> =
        moves.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    for (n, &start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(moves.len());
        game.play(Point::parse(&moves[start..end], game.size()).expect("a point")).expect("a legal move");
    }
    game
}

fn serve() {
    let mut player = Player::new(16 << 20);
    let mut rng = SmallRng::seed_from_u64(1);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [rule_name, nodes, moves] = words[..] else {
            player.forget();
            continue;
        };
        let game = play(moves, rule(rule_name));
        let (level, nodes) = match nodes {
            "easy" => (Level::Easy, None),
            "normal" => (Level::Normal, None),
            "hard" => (Level::Hard, None),
            nodes => (Level::Master, nodes.parse().ok()),
        };
        let choice = player
            .choose(&game, level, Some(Limits { nodes, depth: None }), &mut rng, &mut || false)
            .expect("a move");
        println!("{} {}", choice.point.name(game.size()), choice.nodes);
    }
}

struct Brain {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    nodes: u64,
    micros: u128,
}

impl Brain {
    fn start(program: &str) -> Self {
        let mut child = Command::new(program)
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, input, output, nodes: 0, micros: 0 }
    }

    fn ask(&mut self, question: &str) -> String {
        let start = std::time::Instant::now();
        writeln!(self.input, "{question}").expect("the program listens");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("the program answers");
        self.micros += start.elapsed().as_micros();
        let mut words = answer.split_whitespace();
        let point = words.next().expect("a point").to_string();
        self.nodes += words.next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
        point
    }
}

fn duel(programs: [&str; 2], rule_name: &str, nodes: &str, games: usize) {
    let path = format!("{}/tests/data/openings_{rule_name}.txt", env!("CARGO_MANIFEST_DIR"));
    let openings = std::fs::read_to_string(path).expect("the test data is in the repository");
    let openings: Vec<&str> = openings.lines().collect();
    let limits: Vec<&str> = nodes.split(',').collect();
    let limits = [limits[0], limits[limits.len() - 1]];
    let mut brains = programs.map(Brain::start);
    // Wins, draws and losses of the new one.
    let mut results = [0u32; 3];
    for number in 0..games {
        let mut moves = openings[number / 2 % openings.len()].to_string();
        let new_is_black = number % 2 == 0;
        for brain in &mut brains {
            writeln!(brain.input, "new").expect("the program listens");
        }
        loop {
            let game = play(&moves, rule(rule_name));
            if game.outcome().is_over() {
                let new = if new_is_black { wuzi_engine::Color::Black } else { wuzi_engine::Color::White };
                match game.outcome().winner() {
                    Some(winner) if winner == new => results[0] += 1,
                    Some(_) => results[2] += 1,
                    None => results[1] += 1,
                }
                break;
            }
            let black = game.to_move() == wuzi_engine::Color::Black;
            let turn = usize::from(black == new_is_black);
            let point = brains[turn].ask(&format!("{rule_name} {} {moves}", limits[turn]));
            moves += &point.to_lowercase();
        }
    }
    let [wins, draws, losses] = results.map(f64::from);
    let total = wins + draws + losses;
    let score = (wins + draws / 2.0) / total;
    let variance =
        (wins * (1.0 - score).powi(2) + draws * (0.5 - score).powi(2) + losses * score.powi(2)) / total;
    let error = (variance / total).sqrt();
    let elo = |s: f64| 400.0 * (s.clamp(0.001, 0.999) / (1.0 - s.clamp(0.001, 0.999))).log10();
    println!(
        "{rule_name} {nodes}: +{wins} ={draws} -{losses}  {score:.3}  Elo {:+.0} ({:+.0} to {:+.0})",
        elo(score),
        elo(score - 2.0 * error),
        elo(score + 2.0 * error)
    );
    for (name, brain) in ["old", "new"].iter().zip(&mut brains) {
        println!(
            "{name}: {} nodes, {:.0} a second",
            brain.nodes,
            brain.nodes as f64 * 1e6 / brain.micros as f64
        );
        brain.child.kill().expect("the program ends");
    }
}
