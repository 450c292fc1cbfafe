// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plays matches between Gomoku players and tells what the results mean.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use wuzi_brain::batch::{rule_by_name, rule_name};
use wuzi_brain::client::Setup;
use wuzi_brain::contest::openings::{self, RowOrigin};
use wuzi_brain::contest::opponent::Spec;
use wuzi_brain::contest::record;
use wuzi_brain::contest::referee::Terms;
use wuzi_brain::contest::runner::{self, Game, Match};
use wuzi_brain::contest::statistics::{Sprt, Tally, Verdict};
use wuzi_engine::{Rule, Size};

/// What the documentation's links would make of its brackets keeps this out of a comment.
const PLAYERS: &str = "\
A player is the command line of a Gomocup brain, or one of the engine's own without a process:
  level:easy|normal|hard|expert|master
  classic:easy-original|normal-original|hard-original
  nodes:N[:KIB]  the search with a node limit and a table of so many KiB
  time[:KIB]     the search with the match's time";

/// Plays a match between two Gomoku players, each opening twice with the colours exchanged.
#[derive(Parser)]
#[command(version, after_long_help = PLAYERS)]
struct Options {
    /// The first player, a command line or a name such as level:hard; the results are from its view
    first: Spec,
    /// The second player
    second: Spec,
    /// Openings, one a line: offsets from the centre (x right, y down) or moves such as h8i9
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Where row 1 of moves such as h8i9 is
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    rows: Rows,
    /// Games, rounded up to an even number [default: each opening twice]
    #[arg(long)]
    games: Option<u32>,
    /// freestyle, standard or renju
    #[arg(long, default_value = "freestyle", value_parser = rule_by_name)]
    rule: Rule,
    /// Lines of the board, 10 to 20
    #[arg(long, default_value = "15", value_parser = size)]
    size: Size,
    /// Time for a move, ms
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    turn: u64,
    /// Time for a side's moves of a game, ms; 0: no limit
    #[arg(long = "match", default_value_t = 0, value_name = "MS")]
    game: u64,
    /// So much may a time be exceeded, ms
    #[arg(long, default_value_t = 0, value_name = "MS")]
    tolerance: u64,
    /// Node limit that both brains are told (INFO max_node); 0: none
    #[arg(long, default_value_t = 0)]
    nodes: u64,
    /// Memory that both brains are told, MiB; 0: no limit
    #[arg(long, default_value_t = 350, value_name = "MIB")]
    memory: u64,
    /// An INFO key and value more for the first brain, such as "thread_num 1"
    #[arg(long, value_name = "KEY VALUE", value_parser = info)]
    info_first: Vec<(String, String)>,
    /// An INFO key and value more for the second brain
    #[arg(long, value_name = "KEY VALUE", value_parser = info)]
    info_second: Vec<(String, String)>,
    /// Games with so many stones are a draw; 0: only full boards are
    #[arg(long, default_value_t = 0, value_name = "STONES")]
    draw_after: usize,
    /// A side with a win by continuous fours proven within so many nodes has won; 0: play it out
    #[arg(long, default_value_t = 0, value_name = "NODES")]
    adjudicate: u64,
    /// Games at a time
    #[arg(long, default_value = "1")]
    concurrency: NonZeroUsize,
    /// Where random choices of the engine's own players come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// End as soon as one of two Elo differences is accepted
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The test's chance to accept a change that is worth nothing
    #[arg(long, default_value_t = 0.05, value_parser = chance)]
    alpha: f64,
    /// The test's chance to miss a change that is worth something
    #[arg(long, default_value_t = 0.05, value_parser = chance)]
    beta: f64,
    /// Folder for the games, each as .psq and .sgf
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
    /// Names of the players in the games and the summary
    #[arg(long, num_args = 2, value_names = ["FIRST", "SECOND"])]
    names: Option<Vec<String>>,
    /// Say nothing of single games
    #[arg(long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Rows {
    Bottom,
    Top,
}

fn size(text: &str) -> Result<Size, String> {
    let size = text.parse().ok().and_then(Size::new);
    size.ok_or_else(|| format!("{} to {} lines", Size::MIN.lines(), Size::MAX.lines()))
}

fn chance(text: &str) -> Result<f64, String> {
    let chance = text.parse().ok().filter(|chance| (0.0001..0.5).contains(chance));
    chance.ok_or_else(|| "0.0001 to 0.5".to_owned())
}

fn info(text: &str) -> Result<(String, String), String> {
    match text.split_once(' ') {
        Some((key, value)) if !text.contains(char::is_control) => {
            Ok((key.to_owned(), value.trim().to_owned()))
        }
        _ => Err("a key, a space and a value".to_owned()),
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    match play(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            let _ = writeln!(io::stderr(), "wuzi-match: {text}");
            ExitCode::from(2)
        }
    }
}

fn play(options: &Options) -> Result<(), String> {
    let config = configure(options)?;
    let names = names(options);
    if let Some(folder) = &options.save {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut longest = [Duration::ZERO; 2];
    let mut faults = [0; 2];
    let mut fault = None;
    let tally = runner::run(&config, |pair, tally| {
        for game in pair {
            for (ply, &time) in game.played.times.iter().enumerate() {
                let player = if ply.is_multiple_of(2) { game.black } else { 1 - game.black };
                longest[player] = longest[player].max(time);
            }
            if let Some(winner) = game.played.winner
                && game.played.end.is_fault()
            {
                let loser = if winner.index() == 0 { 1 - game.black } else { game.black };
                faults[loser] += 1;
            }
            if !options.quiet {
                let _ = writeln!(io::stderr(), "{}", GameLine { game, names: &names });
            }
            if let Some(folder) = &options.save
                && let Err(error) = save(folder, &config.terms, game, &names)
            {
                fault.get_or_insert(error);
            }
        }
        if !options.quiet {
            let [wins, draws, losses] = tally.games;
            let _ = writeln!(io::stderr(), "    +{wins} ={draws} -{losses}  Elo {}", tally.elo());
        }
    })
    .map_err(|error| error.to_string())?;
    let summary = Summary { tally: &tally, config: &config, names: &names, longest, faults };
    writeln!(io::stdout(), "{summary}").map_err(|error| error.to_string())?;
    fault.map_or(Ok(()), Err)
}

fn configure(options: &Options) -> Result<Match, String> {
    let Options { size, rule, .. } = *options;
    let openings = match &options.openings {
        None => vec![Vec::new()],
        Some(file) => {
            let origin = match options.rows {
                Rows::Bottom => RowOrigin::Bottom,
                Rows::Top => RowOrigin::Top,
            };
            let fail = |reason: &dyn fmt::Display| format!("{}: {reason}", file.display());
            let text = fs::read_to_string(file).map_err(|error| fail(&error))?;
            openings::parse(&text, size, rule, origin).map_err(|error| fail(&error))?
        }
    };
    let turn = Duration::from_millis(options.turn);
    let game = (options.game > 0).then(|| Duration::from_millis(options.game));
    let setup = |info: &[(String, String)]| {
        let mut setup = Setup::new("", size, rule, turn);
        setup.game = game;
        setup.memory = options.memory << 20;
        setup.settle = Duration::ZERO;
        if options.nodes > 0 {
            setup.info.push(("max_node".to_owned(), options.nodes.to_string()));
        }
        setup.info.extend_from_slice(info);
        setup
    };
    let sprt = options.sprt.as_deref().map(|elo| match elo {
        &[elo0, elo1] if elo0 < elo1 => Ok(Sprt { elo0, elo1, alpha: options.alpha, beta: options.beta }),
        _ => Err("--sprt: ELO0 must be less than ELO1".to_owned()),
    });
    let pairs = options.games.map_or(openings.len() as u32, |games| games.div_ceil(2));
    Ok(Match {
        players: [options.first.clone(), options.second.clone()],
        setups: [setup(&options.info_first), setup(&options.info_second)],
        terms: Terms {
            size,
            rule,
            turn,
            game,
            tolerance: Duration::from_millis(options.tolerance),
            draw_after: options.draw_after,
            proof_nodes: options.adjudicate,
        },
        openings,
        pairs,
        concurrency: options.concurrency,
        seed: options.seed,
        sprt: sprt.transpose()?,
    })
}

fn names(options: &Options) -> [String; 2] {
    if let Some([first, second]) = options.names.as_deref() {
        return [first.clone(), second.clone()];
    }
    [&options.first, &options.second].map(ToString::to_string)
}

fn save(folder: &Path, terms: &Terms, game: &Game, names: &[String; 2]) -> Result<(), String> {
    let (black, white) = (&names[game.black], &names[1 - game.black]);
    let write = |extension: &str, text: String| {
        let file = folder.join(format!("game-{:04}.{extension}", game.number));
        fs::write(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    };
    write("psq", record::psq(terms, black, white, &game.played))?;
    write("sgf", record::sgf(terms, black, white, &game.played))
}

/// What happened in a game, on one line.
struct GameLine<'a> {
    game: &'a Game,
    names: &'a [String; 2],
}

impl fmt::Display for GameLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Game { number, black, played, .. } = self.game;
        let stones = played.moves.len();
        let result = match played.winner {
            None => "draw".to_owned(),
            Some(winner) => {
                let player = if winner.index() == 0 { *black } else { 1 - black };
                format!(
                    "{} wins as {}",
                    self.names[player],
                    if winner.index() == 0 { "black" } else { "white" }
                )
            }
        };
        write!(f, "game {number}: {result} after {stones} stones, {}", played.end)
    }
}

/// The result of the match.
struct Summary<'a> {
    tally: &'a Tally,
    config: &'a Match,
    names: &'a [String; 2],
    longest: [Duration; 2],
    faults: [u32; 2],
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tally, config, names, longest, faults } = self;
        let [wins, draws, losses] = tally.games;
        let terms = &config.terms;
        let lines = terms.size.lines();
        writeln!(
            f,
            "{} - {}: {} games, {} {lines}×{lines}",
            names[0],
            names[1],
            tally.count(),
            rule_name(terms.rule)
        )?;
        if tally.count() == 0 {
            return f.write_str("no game was played");
        }
        let (low, high) = tally.interval();
        writeln!(f, "won {wins}, drawn {draws}, lost {losses}")?;
        writeln!(f, "score {:.3} [{low:.3}, {high:.3}] (95 %, by pairs)", tally.share())?;
        writeln!(f, "Elo {} (95 %)", tally.elo())?;
        writeln!(f, "pairs by half points 0-4: {:?}", tally.pairs)?;
        if let Some(sprt) = config.sprt {
            let (lower, upper) = sprt.bounds();
            let verdict = match sprt.verdict(tally) {
                Verdict::Open => "open",
                Verdict::Elo0 => "ELO0 accepted",
                Verdict::Elo1 => "ELO1 accepted",
            };
            let llr = sprt.llr(tally);
            writeln!(
                f,
                "SPRT {} {}: {verdict}, LLR {llr:.2} [{lower:.2}, {upper:.2}]",
                sprt.elo0, sprt.elo1
            )?;
        }
        writeln!(f, "longest moves: {} ms, {} ms", longest[0].as_millis(), longest[1].as_millis())?;
        write!(f, "games lost by time, illegal moves or failures: {}, {}", faults[0], faults[1])
    }
}
