// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a manager may say to a brain: the Gomocup protocol and Yixin's additions, read from lines.
//!
//! The parser knows the language, not the game: whether a point is on the board, or a command makes
//! sense now, is for the brain to judge.

use std::fmt;

/// The most lines a BOARD may have; the largest board has 400 points.
const MAX_BOARD_LINES: usize = 400;

/// The most characters of a refused text that are repeated in the answer.
const MAX_ECHO: usize = 40;

/// A point as written, `x` to the right and `y` down from 0; it may lie off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// Whose stone a line of a BOARD tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The brain's.
    Own,
    /// The opponent's.
    Opponent,
    /// Part of a winning row of a continuous game, or a forbidden point.
    Marked,
}

/// A value of `INFO`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Info {
    /// Milliseconds for a move; 0: as fast as possible.
    TimeoutTurn(u64),
    /// Milliseconds for a game; 0: no limit.
    TimeoutMatch(u64),
    /// Milliseconds left of the game; may be negative.
    TimeLeft(i64),
    /// Bytes; 0: no limit.
    MaxMemory(u64),
    /// 0 against a human, 1 a brain, 2 in a tournament, 3 in a network tournament.
    GameType(u64),
    /// A bit mask: 1 exactly five, 2 continuous (Renju in Yixin's dialect), 4 Renju, 8 Caro.
    Rule(u64),
    /// Yixin: plies of the search; 0: no limit.
    MaxDepth(u64),
    /// Yixin: nodes for a move; 0: no limit.
    MaxNode(u64),
    /// Yixin: size of the transposition table, KiB.
    HashSize(u64),
    /// Yixin: number of threads.
    ThreadNum(u64),
    /// A key or value that means nothing here.
    Other,
}

/// A command, complete with its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A new game on a square board.
    Start(i64),
    /// A new game on a board of this width and height.
    RectStart(i64, i64),
    /// A new game on a board of the same size.
    Restart,
    /// The brain opens the game.
    Begin,
    /// The opponent's move; the brain is to answer.
    Turn(Cell),
    /// A position; the brain is to move.
    Board(Vec<(Cell, Owner)>),
    /// A move is taken back.
    Takeback(Cell),
    /// The manager imposes the move that the brain suggested.
    Play(Cell),
    /// The opening by swap2: the stones so far, in the order of play.
    Swap2Board(Vec<Cell>),
    /// A setting.
    Info(Info),
    /// Who are you?
    About,
    /// Exit.
    End,
    /// Yixin: a position, to be set without an answer.
    YxBoard(Vec<(Cell, Owner)>),
    /// Yixin: stop thinking and answer now.
    YxStop,
    /// Yixin: name the forbidden points.
    YxShowForbid,
    /// Yixin: forget what earlier searches found.
    YxHashClear,
}

/// Why a line is no request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A known command that is malformed.
    Error(String),
    /// An unknown command.
    Unknown(String),
}

impl fmt::Display for Refusal {
    /// The line that answers it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(text) => write!(f, "ERROR {text}"),
            Self::Unknown(text) => write!(f, "UNKNOWN {text}"),
        }
    }
}

/// What a line means.
pub type Event = Result<Request, Refusal>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Board,
    Swap2,
    YxBoard,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Board => "BOARD",
            Self::Swap2 => "SWAP2BOARD",
            Self::YxBoard => "YXBOARD",
        }
    }
}

/// The lines of a BOARD that has not been DONE.
#[derive(Debug)]
struct Open {
    kind: Kind,
    cells: Vec<(Cell, Owner)>,
    lines: usize,
    failed: bool,
}

impl Open {
    const fn new(kind: Kind) -> Self {
        Self { kind, cells: Vec::new(), lines: 0, failed: false }
    }

    /// Takes a line that should be a stone.
    fn stone(&mut self, line: &str) -> Result<(), Refusal> {
        self.lines += 1;
        if self.failed {
            return Ok(());
        }
        let expected = if self.kind == Kind::Swap2 { "x,y" } else { "x,y,f with f 1, 2 or 3" };
        let stone = match (self.kind, &*numbers(line)) {
            (Kind::Swap2, &[x, y]) => cell(x, y).map(|cell| (cell, Owner::Own)),
            (Kind::Board | Kind::YxBoard, &[x, y, field]) => cell(x, y).zip(owner(field)),
            _ => None,
        };
        match stone {
            Some(stone) if self.cells.len() < MAX_BOARD_LINES => {
                self.cells.push(stone);
                Ok(())
            }
            Some(_) => self.fail("more stones than a board has points"),
            None => self.fail(&format!("expected {expected} or DONE, not {}", echo(line))),
        }
    }

    fn fail(&mut self, reason: &str) -> Result<(), Refusal> {
        self.failed = true;
        Err(Refusal::Error(format!("{} line {}: {reason}", self.kind.name(), self.lines)))
    }

    fn done(self) -> Request {
        match self.kind {
            Kind::Board => Request::Board(self.cells),
            Kind::YxBoard => Request::YxBoard(self.cells),
            Kind::Swap2 => Request::Swap2Board(self.cells.into_iter().map(|(cell, _)| cell).collect()),
        }
    }
}

/// Reads commands from lines; keeps the lines of a BOARD until its DONE.
#[derive(Debug, Default)]
pub struct Parser {
    open: Option<Open>,
}

impl Parser {
    /// A parser before the first line.
    #[must_use]
    pub const fn new() -> Self {
        Self { open: None }
    }

    /// Takes a line and hands out what it completes: nothing inside a BOARD, one event for a
    /// command, two where a command breaks off an unfinished BOARD.
    ///
    /// Of the faults inside a BOARD the first is reported, at once; the rest of it up to DONE is
    /// then passed over.
    pub fn line(&mut self, line: &str, mut each: impl FnMut(Event)) {
        let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
        if line.is_empty() {
            return;
        }
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word.to_ascii_uppercase(), rest.trim_start()),
            None => (line.to_ascii_uppercase(), ""),
        };
        match self.open.take() {
            None if word == "DONE" => each(Err(Refusal::Error("DONE without BOARD".to_owned()))),
            None => self.command(&word, rest, each),
            Some(open) if word == "DONE" => {
                if !open.failed {
                    each(Ok(open.done()));
                }
            }
            Some(open) if COMMANDS.contains(&word.as_str()) => {
                if !open.failed {
                    each(Err(Refusal::Error(format!("{} without DONE", open.kind.name()))));
                }
                self.command(&word, rest, each);
            }
            Some(mut open) => {
                if let Err(refusal) = open.stone(line) {
                    each(Err(refusal));
                }
                self.open = Some(open);
            }
        }
    }

    /// Takes a line that was too long to be kept.
    pub fn lost_line(&mut self, mut each: impl FnMut(Event)) {
        let limit = crate::lines::MAX_LINE;
        match &mut self.open {
            Some(open) => {
                open.lines += 1;
                if !open.failed
                    && let Err(refusal) = open.fail(&format!("longer than {limit} bytes"))
                {
                    each(Err(refusal));
                }
            }
            None => each(Err(Refusal::Error(format!("line longer than {limit} bytes")))),
        }
    }

    /// The input has ended; reports a BOARD that has not been DONE.
    pub fn finish(&mut self, mut each: impl FnMut(Event)) {
        if let Some(open) = self.open.take()
            && !open.failed
        {
            each(Err(Refusal::Error(format!("{} without DONE", open.kind.name()))));
        }
    }

    fn command(&mut self, word: &str, rest: &str, mut each: impl FnMut(Event)) {
        let kind = match word {
            "BOARD" => Kind::Board,
            "YXBOARD" => Kind::YxBoard,
            "SWAP2BOARD" => Kind::Swap2,
            _ => return each(request(word, rest)),
        };
        match bare(word, rest) {
            Ok(()) => self.open = Some(Open::new(kind)),
            Err(refusal) => each(Err(refusal)),
        }
    }
}

/// Every command but DONE: inside a BOARD these break it off.
const COMMANDS: [&str; 16] = [
    "START",
    "RECTSTART",
    "RESTART",
    "BEGIN",
    "TURN",
    "BOARD",
    "TAKEBACK",
    "PLAY",
    "SWAP2BOARD",
    "INFO",
    "ABOUT",
    "END",
    "YXBOARD",
    "YXSTOP",
    "YXSHOWFORBID",
    "YXHASHCLEAR",
];

fn request(word: &str, rest: &str) -> Event {
    let argument = |expected: &str| {
        let given = if rest.is_empty() { "nothing".to_owned() } else { echo(rest) };
        Refusal::Error(format!("{word} expects {expected}, not {given}"))
    };
    let point = || match *numbers(rest) {
        [x, y] => cell(x, y).ok_or_else(|| argument("x,y")),
        _ => Err(argument("x,y")),
    };
    let plain = |request: Request| bare(word, rest).map(|()| request);
    match word {
        "START" => match *numbers(rest) {
            [lines] => Ok(Request::Start(lines)),
            _ => Err(argument("a board size")),
        },
        "RECTSTART" => match *numbers(rest) {
            [width, height] => Ok(Request::RectStart(width, height)),
            _ => Err(argument("width,height")),
        },
        "TURN" => Ok(Request::Turn(point()?)),
        "TAKEBACK" => Ok(Request::Takeback(point()?)),
        "PLAY" => Ok(Request::Play(point()?)),
        "INFO" => Ok(Request::Info(info(rest))),
        "RESTART" => plain(Request::Restart),
        "BEGIN" => plain(Request::Begin),
        "ABOUT" => plain(Request::About),
        "END" => plain(Request::End),
        "YXSTOP" => plain(Request::YxStop),
        "YXSHOWFORBID" => plain(Request::YxShowForbid),
        "YXHASHCLEAR" => plain(Request::YxHashClear),
        _ => Err(Refusal::Unknown(format!("command {}", echo(word)))),
    }
}

/// Refuses what follows a command that takes nothing.
fn bare(word: &str, rest: &str) -> Result<(), Refusal> {
    if rest.is_empty() {
        Ok(())
    } else {
        Err(Refusal::Error(format!("{word} expects nothing after it, not {}", echo(rest))))
    }
}

fn info(rest: &str) -> Info {
    let (key, value) = match rest.split_once(char::is_whitespace) {
        Some((key, value)) => (key.to_ascii_lowercase(), value),
        None => return Info::Other,
    };
    let Some(value) = number(value.trim()) else {
        return Info::Other;
    };
    let amount = u64::try_from(value).unwrap_or(0);
    match key.as_str() {
        "timeout_turn" => Info::TimeoutTurn(amount),
        "timeout_match" => Info::TimeoutMatch(amount),
        "time_left" => Info::TimeLeft(value),
        "max_memory" => Info::MaxMemory(amount),
        "game_type" => Info::GameType(amount),
        "rule" => u64::try_from(value).map_or(Info::Other, Info::Rule),
        "max_depth" => Info::MaxDepth(amount),
        "max_node" => Info::MaxNode(amount),
        "hash_size" => Info::HashSize(amount),
        "thread_num" => Info::ThreadNum(amount),
        _ => Info::Other,
    }
}

/// A whole number; one beyond the range of `i64` becomes its end.
pub(crate) fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

/// Numbers between commas, with or without spaces around them; empty if any is none.
fn numbers(text: &str) -> Box<[i64]> {
    text.split(',').map(|part| number(part.trim())).collect::<Option<_>>().unwrap_or_default()
}

fn cell(x: i64, y: i64) -> Option<Cell> {
    Some(Cell { x: i32::try_from(x).ok()?, y: i32::try_from(y).ok()? })
}

const fn owner(field: i64) -> Option<Owner> {
    match field {
        1 => Some(Owner::Own),
        2 => Some(Owner::Opponent),
        3 => Some(Owner::Marked),
        _ => None,
    }
}

/// Foreign text as it may be repeated: short, on one line.
fn echo(text: &str) -> String {
    let mut echo: String =
        text.chars().take(MAX_ECHO).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(MAX_ECHO).is_some() {
        echo.push('…');
    }
    echo
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(text: &str) -> Vec<Event> {
        let mut parser = Parser::new();
        let mut events = Vec::new();
        for line in text.lines() {
            parser.line(line, |event| events.push(event));
        }
        parser.finish(|event| events.push(event));
        events
    }

    fn one(text: &str) -> Event {
        let [event] = <[Event; 1]>::try_from(events(text)).expect("one event");
        event
    }

    fn is_error(event: &Event) -> bool {
        matches!(event, Err(Refusal::Error(_)))
    }

    #[test]
    fn every_command_is_read() {
        for (text, request) in [
            ("START 15", Request::Start(15)),
            ("RECTSTART 20,15", Request::RectStart(20, 15)),
            ("RESTART", Request::Restart),
            ("BEGIN", Request::Begin),
            ("TURN 10,2", Request::Turn(Cell { x: 10, y: 2 })),
            ("BOARD\nDONE", Request::Board(vec![])),
            ("TAKEBACK 9,10", Request::Takeback(Cell { x: 9, y: 10 })),
            ("PLAY 0,0", Request::Play(Cell { x: 0, y: 0 })),
            ("SWAP2BOARD\nDONE", Request::Swap2Board(vec![])),
            ("ABOUT", Request::About),
            ("END", Request::End),
            ("YXBOARD\nDONE", Request::YxBoard(vec![])),
            ("YXSTOP", Request::YxStop),
            ("YXSHOWFORBID", Request::YxShowForbid),
            ("YXHASHCLEAR", Request::YxHashClear),
        ] {
            assert_eq!(one(text), Ok(request.clone()), "{text}");
            assert_eq!(one(&text.to_lowercase()), Ok(request), "{text}");
        }
    }

    #[test]
    fn every_info_is_read() {
        for (text, info) in [
            ("timeout_turn 5000", Info::TimeoutTurn(5000)),
            ("timeout_match 180000", Info::TimeoutMatch(180_000)),
            ("time_left -3", Info::TimeLeft(-3)),
            ("time_left 2147483647", Info::TimeLeft(2_147_483_647)),
            ("max_memory 83886080", Info::MaxMemory(83_886_080)),
            ("game_type 2", Info::GameType(2)),
            ("rule 4", Info::Rule(4)),
            ("max_depth 12", Info::MaxDepth(12)),
            ("max_node 100000", Info::MaxNode(100_000)),
            ("hash_size 65536", Info::HashSize(65_536)),
            ("thread_num 2", Info::ThreadNum(2)),
            ("TIMEOUT_TURN   7", Info::TimeoutTurn(7)),
            ("timeout_turn -5", Info::TimeoutTurn(0)),
            ("time_left -99999999999999999999999", Info::TimeLeft(-i64::MAX)),
            ("max_memory 99999999999999999999999", Info::MaxMemory(i64::MAX as u64)),
            ("evaluate 3,4", Info::Other),
            ("folder C:\\brains\\data", Info::Other),
            ("no_such_key 1", Info::Other),
            ("timeout_turn", Info::Other),
            ("timeout_turn soon", Info::Other),
            ("rule -1", Info::Other),
            ("", Info::Other),
        ] {
            assert_eq!(one(&format!("INFO {text}")), Ok(Request::Info(info)), "{text}");
        }
    }

    #[test]
    fn a_board_is_read_with_its_owners() {
        assert_eq!(
            one("BOARD\n7,7,1\r\n 8 , 7 , 2 \n\n9,7,3\ndone"),
            Ok(Request::Board(vec![
                (Cell { x: 7, y: 7 }, Owner::Own),
                (Cell { x: 8, y: 7 }, Owner::Opponent),
                (Cell { x: 9, y: 7 }, Owner::Marked),
            ]))
        );
        assert_eq!(
            one("SWAP2BOARD\n7,7\n8,7\n9,7\nDONE"),
            Ok(Request::Swap2Board([7, 8, 9].map(|x| Cell { x, y: 7 }).to_vec()))
        );
    }

    #[test]
    fn malformed_commands_are_errors() {
        for text in [
            "START",
            "START x",
            "START 15 15",
            "START 15,15",
            "START 1e9",
            "RECTSTART 15",
            "RECTSTART 15,15,15",
            "TURN",
            "TURN 7",
            "TURN 7,",
            "TURN 7,7,1",
            "TURN ,",
            "TURN a,b",
            "TURN 7;7",
            "TURN 7.0,7",
            "TURN 99999999999,0",
            "TURN 1 2",
            "TAKEBACK",
            "PLAY",
            "PLAY 1",
            "BEGIN 1",
            "RESTART now",
            "ABOUT you",
            "END 1",
            "DONE",
            "BOARD 15",
            "YXSTOP x",
            "TURN --1,2",
            "TURN +,1",
        ] {
            assert!(is_error(&one(text)), "{text}: {:?}", one(text));
        }
    }

    #[test]
    fn unknown_commands_are_unknown() {
        for text in ["HELLO", "7,7", "TURN7,7", "BEGIN!", "五子棋", "INFO_ rule 1", "\u{1}"] {
            assert!(matches!(one(text), Err(Refusal::Unknown(_))), "{text}");
        }
    }

    #[test]
    fn blank_lines_say_nothing() {
        assert_eq!(events("\n \n\t\n\0\n\u{feff}"), []);
    }

    #[test]
    fn a_faulty_board_is_reported_once_and_passed_over() {
        let events = events("BOARD\n1,1,1\nrubbish\nmore rubbish\n2,2,9\nDONE\nABOUT");
        assert!(is_error(&events[0]));
        assert!(events[0].as_ref().unwrap_err().to_string().contains("line 2"), "{events:?}");
        assert_eq!(events[1..], [Ok(Request::About)]);
        for text in ["1,1", "1,1,0", "1,1,4", "1,1,1,1", "x"] {
            assert!(is_error(&one(&format!("BOARD\n{text}\nDONE"))), "{text}");
        }
        assert!(is_error(&one("SWAP2BOARD\n1,1,1\nDONE")));
    }

    #[test]
    fn a_command_breaks_off_an_unfinished_board() {
        let events = events("BOARD\n1,1,1\nEND");
        assert!(is_error(&events[0]));
        assert_eq!(events[1..], [Ok(Request::End)]);
        assert!(is_error(&one("BOARD\n1,1,1")), "the end of the input does too");
    }

    #[test]
    fn a_board_has_no_more_stones_than_points() {
        let stones = |count: usize| format!("BOARD\n{}DONE", "1,1,1\n".repeat(count));
        assert!(one(&stones(MAX_BOARD_LINES)).is_ok());
        assert!(is_error(&one(&stones(MAX_BOARD_LINES + 1))));
        assert!(is_error(&one(&stones(MAX_BOARD_LINES * 10))));
    }

    #[test]
    fn answers_stay_on_one_short_line() {
        for text in ["x".repeat(5000), "\u{7}bell\u{85}".to_owned(), format!("TURN {}", "9".repeat(500))] {
            let answer = one(&text).unwrap_err().to_string();
            assert!(answer.len() < 200 && !answer.contains(char::is_control), "{answer:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_gives_at_most_two_events(lines in proptest::collection::vec(any::<String>(), 0..20)) {
            let mut parser = Parser::new();
            for line in &lines {
                let mut count = 0;
                parser.line(line, |_| count += 1);
                prop_assert!(count <= 2);
            }
        }

        #[test]
        fn a_written_point_reads_back(x in any::<i32>(), y in any::<i32>()) {
            let cell = Cell { x, y };
            prop_assert_eq!(one(&format!("TURN {cell}")), Ok(Request::Turn(cell)));
        }
    }
}
