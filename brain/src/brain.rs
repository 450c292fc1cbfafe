// SPDX-License-Identifier: MIT OR Apache-2.0
//! Wuzi's brain: answers a manager's requests.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi_engine::{Choice, Outcome, Rule, Size, WinReason, forbidden_points};

use crate::clock::Clock;
use crate::lines::{Line, LineBuffer};
use crate::position::{Position, PositionError};
use crate::protocol::{Cell, Event, Info, Parser, Request};
use crate::stop::Stop;
use crate::thinker::{Thinker, quick_move, random_opening};
use crate::worker::Worker;

/// How long a search may go on after END: the program must exit within a second.
const END_GRACE: Duration = Duration::from_millis(500);
/// How long a search may go on when the input has ended: nobody can stop it any more.
const EOF_GRACE: Duration = Duration::from_secs(10);
/// How long after its budget a search that has not ended is waited for.
const SLACK: Duration = Duration::from_millis(2);
/// So many requests may wait; a manager that sends more has to wait itself, and a search in progress
/// ends.
const QUEUE: usize = 1024;

/// An event of the input, with the number of its request and when it was read.
#[derive(Debug)]
struct Arrival {
    number: u64,
    at: Instant,
    event: Event,
}

/// Answers the requests that come from `input` until END or the end of the input.
///
/// # Errors
/// If `output` takes no more answers.
pub fn run(input: impl Read + Send + 'static, output: impl Write, seed: u64) -> io::Result<()> {
    let stop = Arc::new(Stop::default());
    let (sender, requests) = sync_channel(QUEUE);
    let reader_stop = Arc::clone(&stop);
    thread::Builder::new().name("input".to_owned()).spawn(move || read(input, &sender, &reader_stop))?;
    let worker = Worker::new(Thinker::new(seed))?;
    Brain::new(output, stop, worker).serve(&requests)
}

/// Reads requests, sends them on and stops the searches that they make useless.
fn read(mut input: impl Read, sender: &SyncSender<Arrival>, stop: &Stop) {
    let mut number = 0;
    let mut parser = Parser::new();
    let mut buffer = LineBuffer::default();
    let mut bytes = [0; 4096];
    let mut send = |event: Event| {
        number += 1;
        match &event {
            Ok(Request::YxStop | Request::Start(_) | Request::RectStart(..) | Request::Restart) => {
                stop.stop_before(number);
            }
            Ok(Request::End) => stop.end_within(END_GRACE),
            _ => {}
        }
        // The other end is gone only when the program is about to exit.
        let arrival = Arrival { number, at: Instant::now(), event };
        if let Err(TrySendError::Full(arrival)) = sender.try_send(arrival) {
            // What is sent next may be the wish to stop.
            stop.stop_before(number);
            let _ = sender.send(arrival);
        }
    };
    let mut take = |line: Line, send: &mut dyn FnMut(Event)| match line {
        Line::Text(text) => parser.line(&text, send),
        Line::TooLong => parser.lost_line(send),
    };
    loop {
        match input.read(&mut bytes) {
            Ok(0) => break,
            Ok(count) => buffer.push(&bytes[..count], |line| take(line, &mut send)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    if let Some(line) = buffer.finish() {
        take(line, &mut send);
    }
    parser.finish(&mut send);
    stop.end_within(EOF_GRACE);
}

/// Why a request cannot be done.
enum Fault {
    /// Told to the manager by ERROR.
    Error(String),
    /// The manager is gone.
    Output(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<PositionError> for Fault {
    fn from(error: PositionError) -> Self {
        Self::Error(error.to_string())
    }
}

impl From<&str> for Fault {
    fn from(text: &str) -> Self {
        Self::Error(text.to_owned())
    }
}

/// The state between requests.
struct Brain<W> {
    output: W,
    stop: Arc<Stop>,
    worker: Worker,
    clock: Clock,
    /// `None` before START.
    position: Option<Position>,
    rule_mask: u64,
    /// The manager has used words of Yixin's dialect.
    yixin: bool,
    /// The opponent is human: tell what the search finds.
    talkative: bool,
    /// BEGIN may ask for a move on a board with stones.
    begin_anywhere: bool,
}

impl<W: Write> Brain<W> {
    fn new(output: W, stop: Arc<Stop>, worker: Worker) -> Self {
        Self {
            output,
            stop,
            worker,
            clock: Clock::default(),
            position: None,
            rule_mask: 0,
            yixin: false,
            talkative: false,
            begin_anywhere: false,
        }
    }

    fn serve(&mut self, requests: &Receiver<Arrival>) -> io::Result<()> {
        while let Ok(Arrival { number, at, event }) = requests.recv() {
            let request = match event {
                Ok(Request::End) => break,
                Ok(request) => request,
                Err(refusal) => {
                    self.say(refusal)?;
                    continue;
                }
            };
            match self.answer(request, number, at) {
                Ok(()) => {}
                Err(Fault::Error(text)) => self.say(format_args!("ERROR {text}"))?,
                Err(Fault::Output(error)) => return Err(error),
            }
        }
        Ok(())
    }

    fn say(&mut self, line: impl fmt::Display) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn answer(&mut self, request: Request, number: u64, at: Instant) -> Result<(), Fault> {
        match request {
            Request::Start(lines) => self.start(lines)?,
            Request::RectStart(width, height) if width == height => self.start(width)?,
            Request::RectStart(..) => return Err("only square boards are supported".into()),
            Request::Restart => {
                let size = self.position()?.size();
                self.begin_game(size)?;
            }
            Request::Begin => {
                if !self.position()?.stones().is_empty() && !self.begin_anywhere {
                    return Err("BEGIN is for the empty board; use TURN or BOARD".into());
                }
                self.play(number, at)?;
            }
            Request::Turn(cell) => {
                let rule = self.rule()?;
                let outcome = self.position()?.play(rule, cell)?;
                self.check_running(outcome)?;
                self.play(number, at)?;
            }
            Request::Board(told) => {
                let rule = self.rule()?;
                let size = self.position()?.size();
                let position = Position::from_board(size, &told)?;
                self.check_running(position.game(rule).outcome())?;
                self.position = Some(position);
                self.play(number, at)?;
            }
            Request::Takeback(cell) => {
                self.position()?.take_back(cell)?;
                self.say("OK")?;
            }
            Request::Play(_) => return Err("PLAY without a move that was suggested".into()),
            Request::Swap2Board(moves) => self.swap2(&moves, number, at)?,
            Request::Info(info) => self.set(info),
            Request::About => {
                let version = env!("CARGO_PKG_VERSION");
                self.say(format_args!(
                    "name=\"Wuzi\", version=\"{version}\", author=\"The Wuzi developers\", country=\"International\""
                ))?;
            }
            Request::YxBoard(told) => {
                self.yixin = true;
                let size = self.position()?.size();
                self.position = Some(Position::from_yxboard(size, &told)?);
                self.begin_anywhere = true;
            }
            Request::YxShowForbid => {
                self.yixin = true;
                self.show_forbidden()?;
            }
            Request::YxHashClear => {
                self.yixin = true;
                self.worker.set(Thinker::forget);
            }
            // The reader has stopped the search.
            Request::YxStop => self.yixin = true,
            // Ends the loop that calls this.
            Request::End => {}
        }
        Ok(())
    }

    fn position(&mut self) -> Result<&mut Position, Fault> {
        self.position.as_mut().ok_or_else(|| "no board yet: START comes first".into())
    }

    fn start(&mut self, lines: i64) -> Result<(), Fault> {
        let size = u8::try_from(lines).ok().and_then(Size::new).ok_or_else(|| {
            let (least, most) = (Size::MIN.lines(), Size::MAX.lines());
            Fault::Error(format!("board size {lines} is not supported, only {least} to {most}"))
        })?;
        self.begin_game(size)
    }

    fn begin_game(&mut self, size: Size) -> Result<(), Fault> {
        self.position = Some(Position::new(size));
        self.begin_anywhere = false;
        self.clock.restart();
        self.worker.set(Thinker::forget);
        self.worker.finish();
        Ok(self.say("OK")?)
    }

    /// The rule that the manager has set, if it is one of the engine's.
    fn rule(&self) -> Result<Rule, Fault> {
        match self.rule_mask {
            0 => Ok(Rule::Freestyle),
            1 => Ok(Rule::Standard),
            4 => Ok(Rule::Renju),
            2 if self.yixin => Ok(Rule::Renju),
            mask => {
                let name = match mask {
                    _ if mask & 2 != 0 => " (continuous)",
                    _ if mask & 8 != 0 => " (Caro)",
                    _ => "",
                };
                Err(Fault::Error(format!("rule {mask}{name} is not supported, only 0, 1 and 4")))
            }
        }
    }

    fn set(&mut self, info: Info) {
        match info {
            Info::TimeoutTurn(millis) => {
                self.clock.set_turn(millis);
                self.worker.set(move |thinker| thinker.set_turn(Duration::from_millis(millis)));
            }
            Info::TimeoutMatch(millis) => self.clock.set_game(millis),
            Info::TimeLeft(millis) => self.clock.set_left(millis),
            Info::MaxMemory(bytes) => self.worker.set(move |thinker| thinker.set_max_memory(bytes)),
            Info::GameType(kind) => self.talkative = kind == 0,
            // One that is not supported is refused when a move is asked for: INFO has no answer.
            Info::Rule(mask) => self.rule_mask = mask,
            Info::MaxDepth(plies) => {
                self.yixin = true;
                self.worker.set(move |thinker| thinker.set_depth(plies));
            }
            Info::MaxNode(nodes) => {
                self.yixin = true;
                self.worker.set(move |thinker| thinker.set_nodes(nodes));
            }
            Info::HashSize(kilobytes) => {
                self.yixin = true;
                self.worker.set(move |thinker| thinker.set_table(kilobytes.saturating_mul(1024)));
            }
            Info::ThreadNum(threads) => {
                self.yixin = true;
                self.worker.set(move |thinker| thinker.set_threads(threads));
            }
            Info::Other => {}
        }
    }

    fn check_running(&self, outcome: Outcome) -> Result<(), Fault> {
        match outcome {
            Outcome::Running => Ok(()),
            Outcome::Win(_, WinReason::Forbidden(_)) => {
                Err("the game is over: black played a forbidden point".into())
            }
            over => Err(PositionError::Over(over).into()),
        }
    }

    /// Searches the position for the side to move.
    fn think(&mut self, number: u64, at: Instant) -> Result<Choice, Fault> {
        let rule = self.rule()?;
        let position = self.position()?;
        let (game, stones) = (position.game(rule), position.stones().len());
        self.check_running(game.outcome())?;
        let budget = self.clock.budget(stones, Duration::ZERO);
        let (stop, quick) = (Arc::clone(&self.stop), game.clone());
        let stopped = || self.stop.is_set_for(number);
        let deadline = |late| at + self.clock.budget(stones, late) + SLACK;
        let (choice, late) = self.worker.best(&deadline, &stopped, move |thinker, over, tell| {
            let is_over = || over.load(Ordering::Relaxed) || stop.is_set_for(number);
            thinker.think(&game, &mut || at.elapsed() >= budget || is_over(), tell);
        });
        let choice = choice.or_else(|| quick_move(&quick)).ok_or("no move is left")?;
        self.clock.count(at.elapsed(), late);
        Ok(choice)
    }

    /// Chooses a move, plays it and tells it.
    fn play(&mut self, number: u64, at: Instant) -> Result<(), Fault> {
        let choice = self.think(number, at)?;
        if self.talkative {
            self.tell_search(&choice, at)?;
        }
        let rule = self.rule()?;
        let cell = self.place(rule, &choice)?;
        Ok(self.say(cell)?)
    }

    fn place(&mut self, rule: Rule, choice: &Choice) -> Result<Cell, Fault> {
        let cell = Cell { x: choice.point.x.into(), y: choice.point.y.into() };
        self.position()?.play(rule, cell)?;
        self.begin_anywhere = false;
        Ok(cell)
    }

    fn tell_search(&mut self, choice: &Choice, at: Instant) -> Result<(), Fault> {
        let score = match choice.score {
            None => return Ok(()),
            Some(score) => match (score.win_plies(), score.loss_plies()) {
                (Some(plies), _) => format!("win in {plies}"),
                (_, Some(plies)) => format!("loss in {plies}"),
                (None, None) => score.raw().to_string(),
            },
        };
        let line: String = choice.line.iter().map(|point| format!(" {},{}", point.x, point.y)).collect();
        Ok(self.say(format_args!(
            "MESSAGE depth {} score {score} nodes {} ms {} line{line}",
            choice.depth,
            choice.nodes,
            at.elapsed().as_millis()
        ))?)
    }

    fn swap2(&mut self, moves: &[Cell], number: u64, at: Instant) -> Result<(), Fault> {
        let rule = self.rule()?;
        let size = self.position()?.size();
        let position = Position::from_moves(size, moves)?;
        match moves.len() {
            0 => {
                let budget = self.clock.budget(0, Duration::ZERO);
                let stop = Arc::clone(&self.stop);
                let stopped = || self.stop.is_set_for(number);
                let deadline = |late| at + self.clock.budget(0, late) + SLACK;
                let (opening, late) = self.worker.best(&deadline, &stopped, move |thinker, over, tell| {
                    let rest = budget.saturating_sub(at.elapsed());
                    let is_over = || over.load(Ordering::Relaxed) || stop.is_set_for(number);
                    thinker.open(size, rule, rest, &is_over, tell);
                });
                let opening =
                    opening.unwrap_or_else(|| random_opening(size, &mut SmallRng::seed_from_u64(number)));
                self.clock.count(at.elapsed(), late);
                let cells = opening.map(|point| Cell { x: point.x.into(), y: point.y.into() });
                self.position = Some(Position::from_moves(size, &cells)?);
                let [a, b, c] = cells;
                self.say(format_args!("{a} {b} {c}"))?;
            }
            // White is to move. Leaving the choice is never better than the better side.
            3 | 5 => {
                self.position = Some(position);
                let choice = self.think(number, at)?;
                if choice.score.is_some_and(|score| score.raw() < 0) {
                    self.say("SWAP")?;
                } else {
                    let cell = self.place(rule, &choice)?;
                    self.say(cell)?;
                }
            }
            count => {
                return Err(Fault::Error(format!("SWAP2BOARD expects 0, 3 or 5 stones, not {count}")));
            }
        }
        self.begin_anywhere = true;
        Ok(())
    }

    fn show_forbidden(&mut self) -> Result<(), Fault> {
        let rule = self.rule()?;
        let game = self.position()?.game(rule);
        let points = if rule == Rule::Renju { forbidden_points(game.board()) } else { Vec::new() };
        let points: String =
            points.iter().map(|(point, _)| format!("{:02}{:02}", point.x, point.y)).collect();
        Ok(self.say(format_args!("FORBID {points}."))?)
    }
}
