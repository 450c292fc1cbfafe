// SPDX-License-Identifier: MIT OR Apache-2.0
//! A match: every opening twice with the colours exchanged, several games at a time.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use wuzi_engine::{Color, Point};

use super::opponent::{Opponent, Spec};
use super::referee::{self, Played, Terms};
use super::statistics::{Score, Sprt, Tally, Verdict};
use crate::client::{ClientError, Setup};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Match {
    /// The two players.
    pub players: [Spec; 2],
    /// What each of them is told when it starts; the programs are taken from `players`.
    pub setups: [Setup; 2],
    /// What is the same for all games.
    pub terms: Terms,
    /// The openings, each played twice in turn; repeated if there are more pairs.
    pub openings: Vec<Vec<Point>>,
    /// The number of pairs of games.
    pub pairs: u32,
    /// Games at a time.
    pub concurrency: NonZeroUsize,
    /// Where the random choices of the engine's own players come from.
    pub seed: u64,
    /// The test that may end the match early.
    pub sprt: Option<Sprt>,
}

/// A game of the match that has ended.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its number, from 1; odd: the first player is black.
    pub number: u32,
    /// The index of the player with the black stones.
    pub black: usize,
    /// The result for the first player.
    pub score: Score,
    /// Moves and end.
    pub played: Played,
}

type Pair = [Game; 2];

/// Plays the match; `each` sees every pair of games as it ends, and the results so far.
///
/// # Errors
/// If a brain does not start. What goes wrong with it later loses the game instead.
pub fn run(config: &Match, mut each: impl FnMut(&Pair, &Tally)) -> Result<Tally, ClientError> {
    let next = AtomicU32::new(0);
    let stop = AtomicBool::new(false);
    let mut tally = Tally::default();
    let (sender, results) = channel();
    thread::scope(|scope| {
        for _ in 0..config.concurrency.get() {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                if let Err(error) = work(config, next, stop, &sender) {
                    let _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut failure = None;
        for result in results {
            match result {
                Ok(pair) => {
                    let pair: Pair = pair;
                    tally.add([pair[0].score, pair[1].score]);
                    each(&pair, &tally);
                    if config.sprt.is_some_and(|sprt| sprt.verdict(&tally) != Verdict::Open) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
        }
        failure.map_or(Ok(tally), Err)
    })
}

/// Plays pairs until none is left.
fn work(
    config: &Match,
    next: &AtomicU32,
    stop: &AtomicBool,
    sender: &Sender<Result<Pair, ClientError>>,
) -> Result<(), ClientError> {
    let mut first = Opponent::new(&config.players[0], &config.setups[0])?;
    let mut second = Opponent::new(&config.players[1], &config.setups[1])?;
    let stopped = || stop.load(Ordering::Relaxed);
    while !stopped() {
        let pair = next.fetch_add(1, Ordering::Relaxed);
        if pair >= config.pairs {
            break;
        }
        let opening = &config.openings[pair as usize % config.openings.len()];
        let mut game = |black: usize| {
            let number = 2 * pair + 1 + black as u32;
            let seed = config.seed ^ (u64::from(number) << 32);
            first.begin(seed);
            second.begin(!seed);
            let (blacks, whites) =
                if black == 0 { (&mut first, &mut second) } else { (&mut second, &mut first) };
            let played = referee::play(&config.terms, opening, blacks, whites, &mut || stopped())?;
            let score = match played.winner {
                None => Score::Draw,
                Some(Color::Black) if black == 0 => Score::Win,
                Some(Color::White) if black == 1 => Score::Win,
                Some(_) => Score::Loss,
            };
            Some(Game { number, black, score, played })
        };
        let Some(pair) = game(0).and_then(|one| Some([one, game(1)?])) else { break };
        if sender.send(Ok(pair)).is_err() {
            break;
        }
    }
    Ok(())
}
