// SPDX-License-Identifier: GPL-3.0-only
//! The computer player, and other programs, on a thread of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi_engine::Player;

use super::guest::Guest;
use crate::services::{Mind, Task, Thinker, Thought};

/// Memory of the search's transposition table, in bytes. The program as a whole stays below 30 MB.
pub const TABLE_BYTES: usize = 4 << 20;

/// The value of `wanted` that is no ticket.
const NOTHING: u64 = u64::MAX;

/// Sends tasks to the worker thread.
#[derive(Debug)]
pub struct Worker {
    /// `None` once the thread is told to end.
    tasks: Option<Sender<Task>>,
    /// The ticket of the task that is wanted; every other one ends at once.
    wanted: Arc<AtomicU64>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread. `seed` makes its choices repeat. `deliver` is called on the thread.
    pub fn new(seed: Option<u64>, deliver: impl Fn(Thought) + Send + 'static) -> Self {
        let (tasks, inbox) = channel::<Task>();
        let wanted = Arc::new(AtomicU64::new(NOTHING));
        let ticket = Arc::clone(&wanted);
        let thread = thread::spawn(move || {
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
        Self { tasks: Some(tasks), wanted, thread: Some(thread) }
    }
}

impl Thinker for Worker {
    fn start(&mut self, task: Task) {
        self.wanted.store(task.ticket.0.into(), Ordering::Relaxed);
        if self.tasks.as_ref().is_none_or(|tasks| tasks.send(task).is_err()) {
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

impl Drop for Worker {
    /// Waits until the thread has ended the other program, which would outlive this one.
    fn drop(&mut self) {
        self.stop();
        self.tasks = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the computer player ended by a fault");
        }
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
        worker.start(endless(1, &game));
        worker.start(task(2, &game, Mind::Level(Level::Normal)));
        let last = std::iter::from_fn(|| thoughts.recv().ok()).find(|thought| thought.ticket == Ticket(2));
        assert!(last.is_some());
    }

    /// A task that is never finished by itself.
    fn endless(ticket: u32, game: &Game) -> Task {
        Task { time: Duration::from_secs(1 << 20), ..task(ticket, game, Mind::Level(Level::Master)) }
    }

    #[test]
    fn a_thought_ends_when_it_is_told_to() {
        let (mut worker, thoughts) = worker(1);
        let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
        game.play(Size::DEFAULT.centre()).unwrap();
        worker.start(endless(1, &game));
        worker.stop();
        // One that had not begun is dropped without an answer.
        worker.start(task(2, &game, Mind::Level(Level::Normal)));
        let last = std::iter::from_fn(|| thoughts.recv().ok()).find(|thought| thought.ticket == Ticket(2));
        assert!(last.is_some());
        worker.start(endless(3, &game));
        drop(worker);
    }

    #[test]
    #[cfg(unix)]
    fn the_other_program_ends_with_this_one() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (path, pid) = (dir.path().join("engine"), dir.path().join("pid"));
        // It takes every command and never moves.
        let script = format!("#!/bin/sh\necho $$ > {}\necho OK\nwhile :; do sleep 1; done\n", pid.display());
        std::fs::write(&path, script).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let (mut worker, _thoughts) = worker(1);
        let game = Game::new(Size::DEFAULT, Rule::Freestyle);
        let engine = EngineSettings { path: path.to_str().unwrap().into(), seconds: 60 };
        worker.start(task(1, &game, Mind::Engine(engine)));
        let number = loop {
            match std::fs::read_to_string(&pid) {
                Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
                _ => thread::yield_now(),
            }
        };
        let is_alive =
            || std::process::Command::new("kill").args(["-0", &number]).output().unwrap().status.success();
        assert!(is_alive());
        drop(worker);
        assert!(!is_alive(), "process {number} still runs");
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
        assert!(error.detail.to_string().contains("/no/such/engine"), "{error}");
        if cfg!(unix) {
            assert_eq!(error_of("/bin/false").fault, EngineFault::NoEngine);
        }
        worker.start(task(2, &game, Mind::Level(Level::Normal)));
        assert!(thoughts.recv().unwrap().choice.is_ok());
    }
}
