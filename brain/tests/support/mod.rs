// SPDX-License-Identifier: MIT OR Apache-2.0
//! A brain at the other end of two pipes.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes on a loaded machine; reached only when a test fails.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The brain under test as a running process.
pub struct Brain {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Brain {
    pub fn new() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wuzi-brain"))
            .args(["--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the brain starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, stdin, lines }
    }

    /// A brain with a board and little time.
    pub fn started() -> Self {
        let mut brain = Self::new();
        brain.send("INFO timeout_turn 50");
        assert_eq!(brain.ask("START 15"), "OK");
        brain
    }

    pub fn send(&mut self, text: &str) {
        self.send_bytes(format!("{text}\r\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("not closed");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the brain reads");
    }

    pub fn line(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the brain answers")
    }

    pub fn ask(&mut self, text: &str) -> String {
        self.send(text);
        self.line()
    }

    /// Asks for a move.
    pub fn ask_move(&mut self, text: &str) -> (u8, u8) {
        let answer = self.ask(text);
        read_move(&answer).unwrap_or_else(|| panic!("{text:?} was answered by {answer:?}"))
    }

    /// Asserts that a command is refused.
    pub fn expect_error(&mut self, text: &str) {
        let answer = self.ask(text);
        assert!(answer.starts_with("ERROR "), "{text:?} was answered by {answer:?}");
    }

    /// Asserts that nothing was said that has not been read: the next answer is to ABOUT.
    pub fn expect_silence(&mut self) {
        let answer = self.ask("ABOUT");
        assert!(answer.starts_with("name=\"Wuzi\""), "{answer:?}");
    }

    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    pub fn exit(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "the brain does not exit");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether the output has ended.
    pub fn is_silent(&self) -> bool {
        matches!(self.lines.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected))
    }
}

impl Drop for Brain {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn read_move(line: &str) -> Option<(u8, u8)> {
    let (x, y) = line.split_once(',')?;
    Some((x.parse().ok()?, y.parse().ok()?))
}

/// Runs a program to its end and returns its output.
pub fn output(program: &str, arguments: &[&str], input: &[u8]) -> (ExitStatus, String, String) {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let mut stderr = child.stderr.take().expect("a pipe");
    let errors = thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).map(|_| text)
    });
    let mut text = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut text).expect("text");
    // A program that refuses its arguments does not read its input.
    let _ = writer.join().expect("the writer ends");
    let errors = errors.join().expect("the reader ends").expect("text");
    (child.wait().expect("a child"), text, errors)
}
