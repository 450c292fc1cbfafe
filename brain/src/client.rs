// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any Gomocup brain as a child process, to play against.
//!
//! Brains are foreign programs of every quality. The client never waits without an end, takes no
//! answer on trust, and turns whatever goes wrong into a [`ClientError`] that says what happened.
//! After an error the process is gone; the next question starts a new one at the position asked.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use wuzi_engine::{Game, PlayError, Point, Rule, Size};

use crate::lines::{Line, LineBuffer};
use crate::protocol::number;

/// So many pieces of output may wait; a brain that floods its output has to wait itself.
const OUTPUT_QUEUE: usize = 256;
/// Output without a line end counts as a line after so much silence.
const QUIET: Duration = Duration::from_millis(100);
/// The longest sleep between two looks at the clock, the process and the wish to stop.
const POLL: Duration = Duration::from_millis(20);
/// How long OK may take to come after ERROR before the START counts as refused.
const AFTER_ERROR: Duration = Duration::from_millis(500);
/// How long RESTART may take before the process is replaced instead.
const RESTART_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the process may take to exit after END.
const END_TIMEOUT: Duration = Duration::from_secs(1);
/// So much of what the process wrote to its error output is kept, in bytes.
const LAST_WORDS: usize = 400;
/// `time_left` without a limit.
const UNLIMITED: u64 = i32::MAX as u64;

/// Which brain to load, and how to play with it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
    /// Time for a move.
    pub turn: Duration,
    /// Time for the brain's moves of a game.
    pub game: Option<Duration>,
    /// Memory it may use in bytes; 0: no limit.
    pub memory: u64,
    /// More `INFO` keys and values, such as Yixin's `max_node`.
    pub info: Vec<(String, String)>,
    /// How long the answer to START may take.
    pub start_timeout: Duration,
    /// How much longer than its time a move may take before the brain counts as hung.
    pub grace: Duration,
    /// The pause between an answer and the next command: some brains drop what comes at once.
    pub settle: Duration,
}

impl Setup {
    /// Plays a program with `turn` for a move, and patience for the rest.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, size: Size, rule: Rule, turn: Duration) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            size,
            rule,
            turn,
            game: None,
            memory: 350 << 20,
            info: Vec::new(),
            start_timeout: Duration::from_secs(10),
            grace: Duration::from_secs(3),
            settle: Duration::from_millis(10),
        }
    }
}

/// What went wrong with a brain. The text is for the user; the game is untouched.
#[derive(Debug)]
pub enum ClientError {
    /// The program could not be started.
    Spawn {
        /// Its path.
        program: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// No answer to START came.
    NoStart {
        /// How long it was waited for.
        waited: Duration,
    },
    /// The brain will not play this size, rule or position.
    Refused {
        /// What it said.
        answer: String,
    },
    /// No move came within the time.
    Hung {
        /// How long it was waited for.
        waited: Duration,
        /// The last line that was no move, if any.
        answer: Option<String>,
    },
    /// The process ended by itself.
    Crashed {
        /// How it ended, if that is known.
        status: Option<ExitStatus>,
        /// The end of its error output.
        last_words: String,
    },
    /// The move is against the rules of the game.
    Illegal {
        /// The move as it was told.
        answer: String,
        /// What is wrong with it.
        error: PlayError,
    },
    /// The caller wished to stop.
    Stopped,
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn { program, error } => {
                write!(f, "the engine {} could not be started: {error}", program.display())
            }
            Self::NoStart { waited } => write!(
                f,
                "the engine did not answer START within {:.1} s; is it a Gomocup engine?",
                waited.as_secs_f32()
            ),
            Self::Refused { answer } => write!(f, "the engine refused to play: {answer}"),
            Self::Hung { waited, answer: None } => {
                write!(f, "the engine made no move within {:.1} s and was stopped", waited.as_secs_f32())
            }
            Self::Hung { waited, answer: Some(answer) } => write!(
                f,
                "the engine made no move within {:.1} s and was stopped; it said: {answer}",
                waited.as_secs_f32()
            ),
            Self::Crashed { status, last_words } => {
                f.write_str("the engine ended by itself")?;
                if let Some(status) = status {
                    write!(f, " ({status})")?;
                }
                if last_words.is_empty() { Ok(()) } else { write!(f, "; its last words: {last_words}") }
            }
            Self::Illegal { answer, error } => write!(f, "the engine played {answer}, but {error}"),
            Self::Stopped => f.write_str("the engine was stopped"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Spawn { error, .. } => Some(error),
            Self::Illegal { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// A brain's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Where it plays; legal, though under Renju it may be forbidden.
    pub point: Point,
    /// From the question to the answer.
    pub took: Duration,
}

/// A brain to play against.
#[derive(Debug)]
pub struct Client {
    setup: Setup,
    process: Option<Process>,
    /// The moves that the running process knows.
    known: Vec<Point>,
    name: Option<String>,
}

impl Client {
    /// Starts the brain and waits until it is ready to play, or until `stop`, asked some times a
    /// second, says `true`.
    ///
    /// # Errors
    /// If the program does not start, does not answer, or refuses the size.
    pub fn start(setup: Setup, stop: &mut dyn FnMut() -> bool) -> Result<Self, ClientError> {
        let mut client = Self { setup, process: None, known: Vec::new(), name: None };
        client.launch(stop)?;
        Ok(client)
    }

    /// The name the brain gives itself, once it has told it.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// How it is played with.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Asks for the move of the side to move. `left` is the brain's time left of the game, if that
    /// is limited. `stop` is asked some times a second; once it says `true` the process is ended.
    ///
    /// # Errors
    /// If no legal move comes in time. The process is then gone; the next call starts a new one.
    pub fn choose(
        &mut self,
        game: &Game,
        left: Option<Duration>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Reply, ClientError> {
        let reply = self.ask(game, left, stop);
        match &reply {
            Ok(reply) => {
                self.known.clear();
                self.known.extend_from_slice(game.moves());
                self.known.push(reply.point);
            }
            Err(_) => self.kill(),
        }
        reply
    }

    /// Ends the brain: politely, then by force.
    pub fn close(&mut self) {
        self.known.clear();
        if let Some(process) = self.process.take() {
            process.end();
        }
    }

    fn kill(&mut self) {
        self.known.clear();
        if let Some(process) = self.process.take() {
            process.kill();
        }
    }

    /// Starts a process and brings it to an empty board.
    fn launch(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<(), ClientError> {
        let process = self.process.insert(Process::spawn(&self.setup)?);
        process.send(&format!("START {}", self.setup.size.lines()));
        let timeout = self.setup.start_timeout;
        let ready = process.wait(timeout, Some(AFTER_ERROR), stop, &mut |line| is_ok(line).then_some(()));
        if let Err(failure) = ready {
            let error = failure.into_error(process, |complaint| match complaint {
                Some(answer) if is_complaint(&answer) => ClientError::Refused { answer },
                _ => ClientError::NoStart { waited: timeout },
            });
            self.kill();
            return Err(error);
        }
        let rule = match self.setup.rule {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
        };
        let game = self.setup.game.map_or(0, millis);
        let send = |key: &str, value: &dyn fmt::Display| process.send(&format!("INFO {key} {value}"));
        send("timeout_turn", &millis(self.setup.turn));
        send("timeout_match", &game);
        send("max_memory", &self.setup.memory);
        send("game_type", &1);
        send("rule", &rule);
        for (key, value) in &self.setup.info {
            send(key, value);
        }
        process.send("ABOUT");
        Ok(())
    }

    fn ask(
        &mut self,
        game: &Game,
        left: Option<Duration>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Reply, ClientError> {
        let moves = game.moves();
        let follows = match moves.split_last() {
            Some((_, before)) => self.known == before,
            None => self.known.is_empty(),
        };
        if self.process.is_none() {
            self.launch(stop)?;
        } else if !follows && !self.known.is_empty() {
            self.restart(stop)?;
        }
        let Some(process) = &mut self.process else {
            return Err(ClientError::Crashed { status: None, last_words: String::new() });
        };
        process.settle(self.setup.settle);
        process.drain(&mut self.name);
        process.send(&format!("INFO time_left {}", left.map_or(UNLIMITED, millis)));
        match moves {
            [] => process.send("BEGIN"),
            [.., last] if follows => process.send(&format!("TURN {},{}", last.x, last.y)),
            _ => process.send(&board(moves)),
        }
        let timeout = left.map_or(self.setup.turn, |left| left.min(self.setup.turn)) + self.setup.grace;
        let name = &mut self.name;
        let answer = process.wait(timeout, None, stop, &mut |line| {
            note_name(line, name);
            Answer::parse(line)
        });
        let took = process.heard.saturating_duration_since(process.written());
        let answer = match answer {
            Ok(answer) => answer,
            Err(failure) => {
                return Err(failure.into_error(process, |answer| match answer {
                    Some(answer) if is_complaint(&answer) => ClientError::Refused { answer },
                    answer => ClientError::Hung { waited: timeout, answer },
                }));
            }
        };
        if answer.is_suggestion {
            // The brain waits for the move to be imposed. Brains without PLAY complain; both are
            // passed over with the answers before the next question.
            process.send(&format!("PLAY {},{}", answer.x, answer.y));
            let _ = process.wait(QUIET, Some(Duration::ZERO), stop, &mut Answer::parse);
        }
        Ok(Reply { point: answer.check(game)?, took })
    }

    /// Brings the process to an empty board, by another process if it does not know how.
    fn restart(&mut self, stop: &mut dyn FnMut() -> bool) -> Result<(), ClientError> {
        if let Some(process) = &mut self.process {
            process.settle(self.setup.settle);
            process.drain(&mut self.name);
            process.send("RESTART");
            let answer = process
                .wait(RESTART_TIMEOUT, Some(Duration::ZERO), stop, &mut |line| is_ok(line).then_some(()));
            match answer {
                Ok(()) => {
                    self.known.clear();
                    return Ok(());
                }
                Err(Failure::Stopped) => return Err(ClientError::Stopped),
                Err(_) => {}
            }
        }
        self.close();
        self.launch(stop)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.close();
    }
}

/// A position in the order of play, for the side to move.
fn board(moves: &[Point]) -> String {
    let mut text = "BOARD".to_owned();
    for (ply, point) in moves.iter().enumerate() {
        let owner = if (moves.len() - ply).is_multiple_of(2) { 1 } else { 2 };
        text.push_str(&format!("\r\n{},{},{owner}", point.x, point.y));
    }
    text.push_str("\r\nDONE");
    text
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).map_or(UNLIMITED, |millis| millis.min(UNLIMITED))
}

/// A move as the brain told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    x: i64,
    y: i64,
    is_suggestion: bool,
}

impl Answer {
    fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (is_suggestion, text) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) if word.eq_ignore_ascii_case("SUGGEST") => (true, rest),
            _ => (false, line),
        };
        let (x, y) = text.split_once(',')?;
        let (x, y) = (number(x.trim())?, number(y.trim())?);
        Some(Self { x, y, is_suggestion })
    }

    /// The point, if it may be played.
    fn check(self, game: &Game) -> Result<Point, ClientError> {
        let point = u8::try_from(self.x).ok().zip(u8::try_from(self.y).ok()).map(|(x, y)| Point::new(x, y));
        let error = match point {
            Some(point) if game.board().is_empty_at(point) => return Ok(point),
            Some(point) if game.size().contains(point) => PlayError::Occupied,
            _ => PlayError::OffBoard,
        };
        Err(ClientError::Illegal { answer: format!("{},{}", self.x, self.y), error })
    }
}

fn is_ok(line: &str) -> bool {
    line.trim().get(..2).is_some_and(|word| word.eq_ignore_ascii_case("OK"))
}

/// What a brain says of a command that it does not take.
fn is_complaint(line: &str) -> bool {
    let word = line.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    word.eq_ignore_ascii_case("ERROR") || word.eq_ignore_ascii_case("UNKNOWN")
}

/// Talk that answers nothing.
fn is_talk(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    let is_about = line.contains("name=\"");
    word.eq_ignore_ascii_case("MESSAGE") || word.eq_ignore_ascii_case("DEBUG") || is_about || is_ok(line)
}

/// Keeps the name out of an answer to ABOUT.
fn note_name(line: &str, name: &mut Option<String>) {
    if name.is_none()
        && let Some((_, rest)) = line.split_once("name=\"")
        && let Some((told, _)) = rest.split_once('"')
    {
        *name = Some(told.chars().filter(|c| !c.is_control()).take(60).collect());
    }
}

/// Why an answer did not come.
#[derive(Debug)]
enum Failure {
    /// Time ran out; with the last line that was no answer.
    Timeout(Option<String>),
    /// The process has ended.
    Ended,
    /// The caller wished to stop.
    Stopped,
}

impl Failure {
    fn into_error(
        self,
        process: &mut Process,
        timeout: impl FnOnce(Option<String>) -> ClientError,
    ) -> ClientError {
        match self {
            Self::Timeout(answer) => timeout(answer),
            Self::Ended => process.crash(),
            Self::Stopped => ClientError::Stopped,
        }
    }
}

/// A piece of output. It is timed where it is read and commands where they are written, so that a
/// brain is not blamed for what the threads of this program wait for each other.
#[derive(Debug)]
struct Output {
    at: Instant,
    bytes: Vec<u8>,
}

impl Output {
    fn now(bytes: &[u8]) -> Self {
        Self { at: Instant::now(), bytes: bytes.to_vec() }
    }
}

/// A running brain and the threads at its pipes.
#[derive(Debug)]
struct Process {
    child: Child,
    commands: Option<Sender<String>>,
    output: Receiver<Output>,
    buffer: LineBuffer,
    lines: std::collections::VecDeque<String>,
    /// When the last output came.
    heard: Instant,
    /// When the last command was written.
    written: Arc<Mutex<Instant>>,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Disconnected once all last words are there.
    errors_end: Receiver<()>,
}

impl Process {
    fn spawn(setup: &Setup) -> Result<Self, ClientError> {
        let fail = |error| ClientError::Spawn { program: setup.program.clone(), error };
        // Brains look for their files beside themselves.
        let (program, folder) = match setup.program.parent() {
            Some(parent) if parent != Path::new("") => {
                let program = setup.program.canonicalize().map_err(fail)?;
                let folder = program.parent().map(Path::to_owned);
                (program, folder)
            }
            _ => (setup.program.clone(), None),
        };
        let mut command = Command::new(program);
        command.args(&setup.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(fail)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(fail(io::ErrorKind::BrokenPipe.into()));
        };
        let (commands, to_write) = channel();
        let (sender, output) = sync_channel(OUTPUT_QUEUE);
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let words = Arc::clone(&last_words);
        let written = Arc::new(Mutex::new(Instant::now()));
        let writes = Arc::clone(&written);
        thread::spawn(move || write_commands(stdin, &to_write, &writes));
        thread::spawn(move || read_output(stdout, &sender));
        let (alive, errors_end) = channel();
        thread::spawn(move || {
            read_errors(stderr, &words);
            drop::<Sender<()>>(alive);
        });
        Ok(Self {
            child,
            commands: Some(commands),
            output,
            buffer: LineBuffer::default(),
            lines: std::collections::VecDeque::new(),
            heard: Instant::now(),
            written,
            last_words,
            errors_end,
        })
    }

    /// Hands a command over to be written; whether the brain takes it shows in its answers.
    fn send(&self, command: &str) {
        if let Some(commands) = &self.commands {
            let _ = commands.send(format!("{command}\r\n"));
        }
    }

    fn written(&self) -> Instant {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets some time pass since the last output.
    fn settle(&self, settle: Duration) {
        thread::sleep(settle.saturating_sub(self.heard.elapsed()));
    }

    fn take_in(&mut self, Output { at, bytes }: &Output) {
        self.heard = *at;
        let lines = &mut self.lines;
        self.buffer.push(bytes, |line| {
            if let Line::Text(text) = line {
                lines.push_back(text);
            }
        });
    }

    /// Passes over what was said before the next question.
    fn drain(&mut self, name: &mut Option<String>) {
        for _ in 0..OUTPUT_QUEUE {
            let Ok(output) = self.output.try_recv() else { break };
            self.take_in(&output);
        }
        for line in self.lines.drain(..) {
            note_name(&line, name);
        }
        self.buffer = LineBuffer::default();
    }

    /// Waits for a line that `accept`s; after a complaint no longer than `after_complaint`.
    fn wait<T>(
        &mut self,
        timeout: Duration,
        after_complaint: Option<Duration>,
        stop: &mut dyn FnMut() -> bool,
        accept: &mut dyn FnMut(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        let mut deadline = Instant::now() + timeout;
        let mut said = None;
        let mut ended = false;
        loop {
            while let Some(line) = self.lines.pop_front() {
                if let Some(answer) = accept(&line) {
                    return Ok(answer);
                }
                if is_complaint(&line)
                    && let Some(patience) = after_complaint
                {
                    deadline = deadline.min(Instant::now() + patience);
                }
                if !is_talk(&line) {
                    said = Some(line.chars().filter(|c| !c.is_control()).take(120).collect());
                }
            }
            if ended || self.heard.elapsed() >= QUIET {
                let rest = String::from_utf8_lossy(self.buffer.rest()).into_owned();
                if let Some(answer) = accept(&rest) {
                    self.buffer = LineBuffer::default();
                    return Ok(answer);
                }
            }
            if ended {
                return Err(Failure::Ended);
            }
            if stop() {
                return Err(Failure::Stopped);
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(Failure::Timeout(said));
            }
            match self.output.recv_timeout(POLL.min(deadline - now)) {
                Ok(output) => self.take_in(&output),
                Err(RecvTimeoutError::Timeout) => {
                    // A child of the brain may hold the pipe open after the brain has ended.
                    ended = self.heard.elapsed() >= QUIET && !matches!(self.child.try_wait(), Ok(None));
                }
                Err(RecvTimeoutError::Disconnected) => ended = true,
            }
        }
    }

    /// The error for a process that has ended by itself.
    fn crash(&mut self) -> ClientError {
        let status = self.exit_within(END_TIMEOUT);
        // A child of the brain may hold this pipe open too.
        let _ = self.errors_end.recv_timeout(END_TIMEOUT);
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words = String::from_utf8_lossy(&words);
        let last_words = words.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        ClientError::Crashed { status, last_words }
    }

    fn exit_within(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    fn end(mut self) {
        self.send("END");
        self.commands = None;
        let _ = self.exit_within(END_TIMEOUT);
        self.kill();
    }

    fn kill(mut self) {
        #[cfg(unix)]
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw)
            && matches!(self.child.try_wait(), Ok(None))
        {
            // Its own children, which a script or an emulator has, go with it.
            let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_commands(mut stdin: impl Write, commands: &Receiver<String>, written: &Mutex<Instant>) {
    while let Ok(command) = commands.recv() {
        *written.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if stdin.write_all(command.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_output(mut stdout: impl Read, sender: &SyncSender<Output>) {
    let mut bytes = [0; 4096];
    loop {
        match stdout.read(&mut bytes) {
            Ok(0) => return,
            Ok(count) if sender.send(Output::now(&bytes[..count])).is_err() => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

fn read_errors(mut stderr: impl Read, words: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend_from_slice(&bytes[..count]);
        let surplus = words.len().saturating_sub(LAST_WORDS);
        words.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_their_forms() {
        let plain = Some(Answer { x: 7, y: 8, is_suggestion: false });
        for text in ["7,8", " 7 , 8 ", "7,8\r"] {
            assert_eq!(Answer::parse(text), plain, "{text:?}");
        }
        assert_eq!(Answer::parse("suggest 7,8"), Some(Answer { x: 7, y: 8, is_suggestion: true }));
        assert_eq!(Answer::parse("99999999999999999999,0").map(|answer| answer.x), Some(i64::MAX));
        for text in ["", "7", "7,", "7,8,9", "H8", "MESSAGE 7,8", "DEBUG 1,2", "ERROR 3,4", "OK"] {
            assert_eq!(Answer::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_board_names_the_mover_own() {
        let moves = [Point::new(7, 7), Point::new(8, 7), Point::new(9, 7)];
        assert_eq!(board(&moves), "BOARD\r\n7,7,2\r\n8,7,1\r\n9,7,2\r\nDONE");
    }

    #[test]
    fn complaints_and_talk_are_told_from_answers() {
        assert!(is_complaint("ERROR no") && is_complaint("unknown command") && is_complaint("ERROR"));
        assert!(!is_complaint("ERRORS") && !is_complaint("7,7") && !is_complaint(""));
        assert!(is_talk("MESSAGE hello") && is_talk("debug x") && is_talk("OK - ready"));
    }

    #[test]
    fn the_name_is_taken_from_about_once() {
        let mut name = None;
        note_name("MESSAGE hello", &mut name);
        assert_eq!(name, None);
        note_name("name=\"SomeBrain\", version=\"1.0\"", &mut name);
        note_name("name=\"Other\"", &mut name);
        assert_eq!(name.as_deref(), Some("SomeBrain"));
    }
}
