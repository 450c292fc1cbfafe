// SPDX-License-Identifier: GPL-3.0-only
//! The computer player, and other programs, on a thread of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi_engine::Player;

use super::guest::Guest;
use crate::services::{Mind, Task, Thinker, Thought};

/// Memory of the search's transposition table, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// The value of `wanted` that is no ticket.
const NOTHING: u64 = u64::MAX;

/// Sends tasks to the worker thread.
#[derive(Debug)]
pub struct Worker {
    tasks: Sender<Task>,
    /// The ticket of the task that is wanted; every other one ends at once.
    wanted: Arc<AtomicU64>,
}

impl Worker {
    /// Starts the thread. `seed` makes its choices repeat. `deliver` is called on the thread.
    pub fn new(seed: Option<u64>, deliver: impl Fn(Thought) + Send + 'static) -> Self {
        let (tasks, inbox) = channel::<Task>();
        let wanted = Arc::new(AtomicU64::new(NOTHING));
        let ticket = Arc::clone(&wanted);
        thread::spawn(move || {
            let mut rng = SmallRng::seed_from_u64(seed.unwrap_or_else(clock_seed));
            let mut player = Player::new(TABLE_BYTES);
            let mut guest = Guest::default();
            for task in inbox {
                let mut is_stale = || ticket.load(Ordering::Relaxed) != u64::from(task.ticket.0);
                if is_stale() {
                    continue;
                }
                let choice = match &task.mind {
                    Mind::Level(level) => {
                        let deadline = Instant::now() + task.time;
                        let mut stop = || is_stale() || Instant::now() >= deadline;
                        Ok(player.choose(&task.game, *level, None, &mut rng, &mut stop))
                    }
                    Mind::Engine(settings) => {
                        guest.choose(settings, &task.game, task.time, &mut is_stale).map(Some)
                    }
                };
                deliver(Thought { ticket: task.ticket, choice });
            }
        });
        Self { tasks, wanted }
    }
}

impl Thinker for Worker {
    fn start(&mut self, task: Task) {
        self.wanted.store(task.ticket.0.into(), Ordering::Relaxed);
        if self.tasks.send(task).is_err() {
            log::error!("the computer player has stopped; restart the program to play against it");
        }
    }

    fn stop(&mut self) {
        self.wanted.store(NOTHING, Ordering::Relaxed);
    }

    fn has_engines(&self) -> bool {
        Guest::CAN_PLAY
    }
}

fn clock_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::{EngineFault, Purpose, Ticket};
    use crate::settings::EngineSettings;
    use std::sync::mpsc::Receiver;
    use std::time::Duration;
    use wuzi_engine::{Game, Level, Rule, Size};

    fn worker(seed: u64) -> (Worker, Receiver<Thought>) {
        let (found, thoughts) = channel();
        (Worker::new(Some(seed), move |thought| found.send(thought).unwrap()), thoughts)
    }

    fn task(ticket: u32, game: &Game, mind: Mind) -> Task {
        let time = Duration::from_secs(5);
        Task { ticket: Ticket(ticket), purpose: Purpose::Move, game: game.clone(), mind, time }
    }

    #[test]
    fn a_task_is_answered_with_its_ticket() {
        let (mut worker, thoughts) = worker(1);
        let game = Game::new(Size::DEFAULT, Rule::Freestyle);
        worker.start(task(5, &game, Mind::Level(Level::Normal)));
        let thought = thoughts.recv().unwrap();
        assert_eq!(thought.ticket, Ticket(5));
        assert_eq!(thought.choice.unwrap().unwrap().point, Size::DEFAULT.centre());
    }

    #[test]
    fn a_later_task_ends_the_one_before() {
        let (mut worker, thoughts) = worker(1);
        let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
        game.play(Size::DEFAULT.centre()).unwrap();
        worker.start(task(1, &game, Mind::Level(Level::Master)));
        worker.start(task(2, &game, Mind::Level(Level::Normal)));
        let last = std::iter::from_fn(|| thoughts.recv().ok()).find(|thought| thought.ticket == Ticket(2));
        assert!(last.is_some());
    }

    #[test]
    fn the_same_seed_makes_the_same_choices() {
        let moves = |seed| {
            let (mut worker, thoughts) = worker(seed);
            let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
            for ply in 0..12 {
                worker.start(task(ply, &game, Mind::Level(Level::Easy)));
                game.play(thoughts.recv().unwrap().choice.unwrap().unwrap().point).unwrap();
            }
            game.moves().to_vec()
        };
        assert_eq!(moves(3), moves(3));
        assert!((4..40).any(|seed| moves(seed) != moves(3)));
    }

    #[test]
    fn a_program_that_is_no_engine_is_reported_and_the_thread_lives() {
        let (mut worker, thoughts) = worker(1);
        let game = Game::new(Size::DEFAULT, Rule::Freestyle);
        let mut error_of = |path: &str| {
            let engine = EngineSettings { path: path.into(), seconds: 1 };
            worker.start(task(1, &game, Mind::Engine(engine)));
            thoughts.recv().unwrap().choice.unwrap_err()
        };
        let error = error_of("/no/such/engine");
        assert_eq!(error.fault, EngineFault::NotStarted);
        assert!(error.detail.contains("/no/such/engine"), "{error}");
        if cfg!(unix) {
            assert_eq!(error_of("/bin/false").fault, EngineFault::NoEngine);
        }
        worker.start(task(2, &game, Mind::Level(Level::Normal)));
        assert!(thoughts.recv().unwrap().choice.is_ok());
    }
}
