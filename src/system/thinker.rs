// SPDX-License-Identifier: GPL-3.0-only
//! The computer player on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi_engine::{Level, Player};

use crate::services::{Task, Thinker, Thought, Ticket};

/// Memory of the search's transposition table, in bytes.
const TABLE_BYTES: usize = 16 << 20;

/// The time that a level may think; the weaker ones end by themselves long before.
const fn time(level: Level) -> Duration {
    match level {
        Level::Easy | Level::Normal | Level::Hard | Level::Expert => Duration::from_millis(1000),
        Level::Master => Duration::from_millis(5000),
    }
}

/// Sends tasks to the worker thread.
#[derive(Debug)]
pub struct Worker {
    tasks: Sender<Task>,
    /// The ticket of the task that is wanted; every other one ends at once.
    wanted: Arc<AtomicU32>,
    nothing_wanted: Arc<AtomicBool>,
}

impl Worker {
    /// Starts the thread. `seed` makes its choices repeat. `deliver` is called on the thread.
    pub fn new(seed: Option<u64>, deliver: impl Fn(Thought) + Send + 'static) -> Self {
        let (tasks, inbox) = channel::<Task>();
        let wanted = Arc::new(AtomicU32::new(0));
        let nothing_wanted = Arc::new(AtomicBool::new(true));
        let (ticket, idle) = (Arc::clone(&wanted), Arc::clone(&nothing_wanted));
        thread::spawn(move || {
            let mut rng = SmallRng::seed_from_u64(seed.unwrap_or_else(clock_seed));
            let mut player = Player::new(TABLE_BYTES);
            for task in inbox {
                let is_stale =
                    || idle.load(Ordering::Relaxed) || ticket.load(Ordering::Relaxed) != task.ticket.0;
                if is_stale() {
                    continue;
                }
                let deadline = Instant::now() + time(task.level);
                let mut stop = || is_stale() || Instant::now() >= deadline;
                let choice = player.choose(&task.game, task.level, None, &mut rng, &mut stop);
                deliver(Thought { ticket: task.ticket, choice });
            }
        });
        Self { tasks, wanted, nothing_wanted }
    }

    fn want(&self, ticket: Ticket) {
        self.wanted.store(ticket.0, Ordering::Relaxed);
        self.nothing_wanted.store(false, Ordering::Relaxed);
    }
}

impl Thinker for Worker {
    fn start(&mut self, task: Task) {
        self.want(task.ticket);
        if self.tasks.send(task).is_err() {
            log::error!("the computer player has stopped; restart the program to play against it");
        }
    }

    fn stop(&mut self) {
        self.nothing_wanted.store(true, Ordering::Relaxed);
    }
}

fn clock_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::services::Purpose;
    use std::sync::mpsc::Receiver;
    use wuzi_engine::{Game, Rule, Size};

    fn worker(seed: u64) -> (Worker, Receiver<Thought>) {
        let (found, thoughts) = channel();
        (Worker::new(Some(seed), move |thought| found.send(thought).unwrap()), thoughts)
    }

    fn task(ticket: u32, game: &Game, level: Level) -> Task {
        Task { ticket: Ticket(ticket), purpose: Purpose::Move, game: game.clone(), level }
    }

    #[test]
    fn a_task_is_answered_with_its_ticket() {
        let (mut worker, thoughts) = worker(1);
        let game = Game::new(Size::DEFAULT, Rule::Freestyle);
        worker.start(task(5, &game, Level::Normal));
        let thought = thoughts.recv().unwrap();
        assert_eq!(thought.ticket, Ticket(5));
        assert_eq!(thought.choice.unwrap().point, Size::DEFAULT.centre());
    }

    #[test]
    fn a_later_task_ends_the_one_before() {
        let (mut worker, thoughts) = worker(1);
        let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
        game.play(Size::DEFAULT.centre()).unwrap();
        worker.start(task(1, &game, Level::Master));
        worker.start(task(2, &game, Level::Normal));
        let last = std::iter::from_fn(|| thoughts.recv().ok()).find(|thought| thought.ticket == Ticket(2));
        assert!(last.is_some());
    }

    #[test]
    fn the_same_seed_makes_the_same_choices() {
        let moves = |seed| {
            let (mut worker, thoughts) = worker(seed);
            let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
            for ply in 0..12 {
                worker.start(task(ply, &game, Level::Easy));
                game.play(thoughts.recv().unwrap().choice.unwrap().point).unwrap();
            }
            game.moves().to_vec()
        };
        assert_eq!(moves(3), moves(3));
        assert!((4..40).any(|seed| moves(seed) != moves(3)));
    }
}
