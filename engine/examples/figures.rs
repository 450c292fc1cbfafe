// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures what a match cannot: the rules and the solvers against the data of `tests/data`, and the
//! memory of a microcontroller's player. Writes the rows of a Markdown table.
//!
//! `cargo run --release -p wuzi-engine --example figures`
#![allow(unsafe_code, reason = "the stack is looked at from outside")]

use std::collections::BTreeSet;
use std::ptr;
use std::thread;
use std::time::Instant;

use rand::{SeedableRng, rngs::StdRng};
use serde::Deserialize;
use wuzi_engine::{
    Answer, Board, Color, Game, Level, Limits, Outcome, Player, Rule, Size, Solution, forbidden_points, vcf,
    vct,
};

#[path = "../tests/common/mod.rs"]
mod common;
#[path = "../tests/common/counting.rs"]
mod counting;
use common::{board, openings, point, records};
use counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    println!("| measure | figure | goal |");
    println!("| --- | --- | --- |");
    forbidden_sets("forbidden points, random boards", "forbidden_random.json");
    forbidden_sets("forbidden points, dense boards", "forbidden_dense.json");
    outcomes();
    let puzzles: Vec<Puzzle> = records("vcf.json");
    solved("continuous fours, 20,000 nodes", vcf, &puzzles, 20_000, "97 %, median 200 µs, 0 wrong");
    solved("continuous fours, 200,000 nodes", vcf, &puzzles, 200_000, "99.5 %, 0 wrong");
    let puzzles: Vec<Puzzle> = records("vct.json");
    solved("continuous threats, 100,000 nodes", vct, &puzzles, 100_000, "85 %");
    memory();
}

#[derive(Deserialize)]
struct ForbiddenRecord {
    board: Vec<String>,
    forbidden: BTreeSet<String>,
}

fn forbidden_sets(name: &str, file: &str) {
    let records: Vec<ForbiddenRecord> = records(file);
    let (mut points, mut differences) = (0, 0);
    for record in &records {
        let board = board(&record.board);
        points += board.empty_points().count();
        let found: BTreeSet<String> =
            forbidden_points(&board).iter().map(|(point, _)| point.name(board.size()).to_string()).collect();
        differences += found.symmetric_difference(&record.forbidden).count();
    }
    println!("| {name} | {differences} differences on {points} points of {} boards | 0 |", records.len());
}

#[derive(Deserialize)]
struct GameRecord {
    moves: Vec<String>,
    freestyle: Expected,
    standard: Expected,
    renju: Expected,
}

#[derive(Deserialize)]
struct Expected {
    result: String,
    ends_at: Option<usize>,
}

fn outcomes() {
    let games: Vec<GameRecord> = records("outcomes.json");
    let mut differences = 0;
    for game in &games {
        let rules = [
            (Rule::Freestyle, &game.freestyle),
            (Rule::Standard, &game.standard),
            (Rule::Renju, &game.renju),
        ];
        for (rule, expected) in rules {
            differences += usize::from(outcome(&game.moves, rule) != (&*expected.result, expected.ends_at));
        }
    }
    println!("| outcomes | {differences} differences on {} games under three rules | 0 |", games.len());
}

/// The result in the words of the data and the number of the move that decides.
fn outcome(moves: &[String], rule: Rule) -> (&'static str, Option<usize>) {
    let mut game = Game::new(Size::DEFAULT, rule);
    for name in moves {
        if game.outcome().is_over() || game.play(point(name)).is_err() {
            break;
        }
    }
    let result = match game.outcome() {
        Outcome::Running => return ("none", None),
        Outcome::Draw => "draw",
        Outcome::Win(Color::Black, _) => "black",
        Outcome::Win(Color::White, _) => "white",
    };
    (result, Some(game.moves().len()))
}

#[derive(Deserialize)]
struct Puzzle {
    rule: String,
    to_move: String,
    board: Vec<String>,
    has_vcf: bool,
    mate_plies: Option<u32>,
}

type Solver = fn(&Board, Rule, Color, u64, usize) -> Solution;

/// Memory of a solver, in bytes.
const SOLVER_MEMORY: usize = 1 << 20;

fn solved(name: &str, solver: Solver, puzzles: &[Puzzle], limit: u64, goal: &str) {
    let (mut solved, mut positives, mut wrong, mut proven, mut negatives) = (0, 0, 0, 0, 0);
    let mut micros = Vec::new();
    for puzzle in puzzles {
        let rule = match puzzle.rule.as_str() {
            "freestyle" => Rule::Freestyle,
            "standard" => Rule::Standard,
            _ => Rule::Renju,
        };
        let attacker = if puzzle.to_move == "black" { Color::Black } else { Color::White };
        let board = board(&puzzle.board);
        let start = Instant::now();
        let solution = solver(&board, rule, attacker, limit, SOLVER_MEMORY);
        let time = start.elapsed().as_micros();
        let win = matches!(solution.answer, Answer::Win(_));
        if puzzle.has_vcf || puzzle.mate_plies.is_some() {
            positives += 1;
            solved += u32::from(win);
            micros.push(time);
        } else {
            negatives += 1;
            wrong += u32::from(win);
            proven += u32::from(solution.answer == Answer::None);
        }
    }
    micros.sort_unstable();
    let share = 100.0 * f64::from(solved) / f64::from(positives);
    let (median, slowest) = (micros[micros.len() / 2], micros[micros.len() * 99 / 100]);
    let without = match negatives {
        0 => String::new(),
        _ => format!("; of {negatives} without a win {proven} proven, {wrong} wrong"),
    };
    println!(
        "| {name} | {solved} of {positives} ({share:.1} %), median {median} µs, 99th percentile {slowest} µs{without} | {goal} |"
    );
}

/// The memory of a microcontroller's player, in bytes, and the positions it looks at.
const SMALL: usize = 64 << 10;
const SMALL_NODES: u64 = 2_000;
/// The openings of each rule that are played on, and for how many moves.
const GAMES: usize = 10;
const MOVES: usize = 30;

/// The heap that a microcontroller's player takes at most, and the stack.
fn memory() {
    let heap = [Rule::Freestyle, Rule::Standard, Rule::Renju]
        .into_iter()
        .flat_map(|rule| openings(rule).into_iter().take(GAMES))
        .map(|game| {
            let before = counting::begin();
            play(game);
            counting::peak_since(before)
        })
        .max()
        .unwrap_or(0);
    println!("| microcontroller: heap of a player with 64 KiB, 2,000 nodes | {heap} bytes | |");
    let stack = stack();
    println!(
        "| microcontroller: heap and the stack of this machine's 64-bit code | {} bytes | 110,000 |",
        heap + stack
    );
}

fn play(mut game: Game) {
    let mut player = Player::new(SMALL);
    for level in [Level::Hard, Level::Master].into_iter().cycle().take(MOVES) {
        let limits = Some(Limits { nodes: Some(SMALL_NODES), depth: None });
        let rng = &mut StdRng::seed_from_u64(1);
        let Some(choice) = player.choose(&game, level, limits, rng, &mut || false) else { break };
        let _ = game.play(choice.point);
    }
}

/// The stack that a microcontroller's player takes at most, found by painting that of a thread.
fn stack() -> usize {
    /// The thread's stack, and the part of it that is painted, below a frame of at most so many bytes.
    const STACK: usize = 1 << 20;
    const PAINTED: usize = 1 << 19;
    const FRAME: usize = 1 << 10;
    const PAINT: u8 = 0xa5;
    let measure = || {
        let here = PAINT;
        let top = (&raw const here).expose_provenance();
        let painted = (top - PAINTED)..(top - FRAME);
        for address in painted.clone() {
            // SAFETY: the address is in this thread's stack, below all that is in use.
            unsafe { ptr::with_exposed_provenance_mut::<u8>(address).write_volatile(PAINT) };
        }
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            openings(rule).into_iter().take(GAMES).for_each(play);
        }
        // SAFETY: as above; every byte was written.
        let is_paint = |&address: &usize| unsafe {
            ptr::with_exposed_provenance::<u8>(address).read_volatile() == PAINT
        };
        PAINTED - painted.take_while(is_paint).count()
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(measure).expect("a thread");
    thread.join().expect("the thread only measures")
}
