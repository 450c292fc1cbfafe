// SPDX-License-Identifier: MIT OR Apache-2.0
//! Questions about many positions: JSON lines in, JSON lines out.

use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use wuzi_engine::{
    Answer, Board, Color, Forbidden, Game, Outcome, Point, Rule, Size, WinReason, forbidden_points, vcf, vct,
};

/// The longest record, in bytes.
const MAX_RECORD: u64 = 1 << 20;

/// Why a batch broke off.
#[derive(Debug)]
pub enum BatchError {
    /// A line is no record that can be answered.
    Record {
        /// Its number, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The records cannot be read.
    Read(io::Error),
    /// The answers cannot be written.
    Write(io::Error),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record { line, reason } => write!(f, "line {line}: {reason}"),
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Write(error) => write!(f, "the answers cannot be written: {error}"),
        }
    }
}

impl std::error::Error for BatchError {}

/// A record of the input: a position by its `board` or its `moves`. Other fields are passed over.
#[derive(Debug, Deserialize)]
pub struct Record {
    id: Option<Value>,
    board: Option<Vec<String>>,
    moves: Option<Moves>,
    size: Option<u8>,
    rule: Option<String>,
    to_move: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "`moves` is neither a list of names nor a text")]
enum Moves {
    List(Vec<String>),
    Text(String),
}

impl Record {
    /// The rule that the record names.
    ///
    /// # Errors
    /// If it names one that is not known.
    pub fn rule(&self) -> Result<Option<Rule>, String> {
        self.rule.as_deref().map(rule_by_name).transpose()
    }

    fn size(&self, lines: usize) -> Result<Size, String> {
        u8::try_from(lines).ok().and_then(Size::new).ok_or_else(|| {
            format!("a board has {} to {} lines, not {lines}", Size::MIN.lines(), Size::MAX.lines())
        })
    }

    /// The stones, from the picture of the board or from the moves.
    ///
    /// # Errors
    /// If neither is there, or it is malformed.
    pub fn board(&self) -> Result<Board, String> {
        let Some(rows) = &self.board else {
            if self.moves.is_none() {
                return Err("neither `board` nor `moves` is there".to_owned());
            }
            let (size, moves) = self.moves()?;
            let game = Game::from_moves(size, Rule::Freestyle, &moves).map_err(|error| error.to_string())?;
            return Ok(game.board().clone());
        };
        let size = self.size(rows.len())?;
        let mut board = Board::new(size);
        for (y, row) in (0u8..).zip(rows) {
            if row.chars().count() != rows.len() {
                return Err(format!("row {} of the board has not {} points: {row:?}", y + 1, rows.len()));
            }
            for (x, c) in (0u8..).zip(row.chars()) {
                let color = match c {
                    'X' => Color::Black,
                    'O' => Color::White,
                    '.' => continue,
                    other => return Err(format!("row {} of the board has {other:?}, not X, O or .", y + 1)),
                };
                board.place(Point::new(x, y), color);
            }
        }
        Ok(board)
    }

    /// The moves in the order of play, and the size of their board.
    ///
    /// # Errors
    /// If they are not there, or one names no point of the board.
    pub fn moves(&self) -> Result<(Size, Vec<Point>), String> {
        let size = self.size(self.size.unwrap_or(Size::DEFAULT.lines()).into())?;
        let moves = match &self.moves {
            Some(Moves::List(names)) => names
                .iter()
                .map(|name| Point::parse(name, size).map_err(|error| format!("{name:?}: {error}")))
                .collect::<Result<_, _>>()?,
            Some(Moves::Text(text)) => parse_moves(text, size)?,
            None => return Err("`moves` is not there".to_owned()),
        };
        Ok((size, moves))
    }

    /// The side to move, by its name or by the number of stones.
    ///
    /// # Errors
    /// If it is neither black nor white.
    pub fn to_move(&self, board: &Board) -> Result<Color, String> {
        match self.to_move.as_deref() {
            None => Ok(Color::to_move_after(board.stones())),
            Some("black") => Ok(Color::Black),
            Some("white") => Ok(Color::White),
            Some(other) => Err(format!("`to_move` is {other:?}, not black or white")),
        }
    }
}

/// The rule of this name.
///
/// # Errors
/// If there is none.
pub fn rule_by_name(name: &str) -> Result<Rule, String> {
    match name {
        "freestyle" => Ok(Rule::Freestyle),
        "standard" => Ok(Rule::Standard),
        "renju" => Ok(Rule::Renju),
        other => Err(format!("the rule is {other:?}, not freestyle, standard or renju")),
    }
}

/// The name of a rule in records and options.
#[must_use]
pub const fn rule_name(rule: Rule) -> &'static str {
    match rule {
        Rule::Freestyle => "freestyle",
        Rule::Standard => "standard",
        Rule::Renju => "renju",
    }
}

/// Reads moves run together or apart, such as `h8i9` or `H8 I9`; row 1 is at the bottom.
///
/// # Errors
/// If a piece of the text names no point of the board.
pub fn parse_moves(text: &str, size: Size) -> Result<Vec<Point>, String> {
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (name, next) = rest.split_at(letter.len_utf8() + digits);
        moves.push(Point::parse(name, size).map_err(|error| format!("{name:?}: {error}"))?);
        rest = next.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    Ok(moves)
}

/// The name of a kind of forbidden point in records.
#[must_use]
pub const fn forbidden_name(kind: Forbidden) -> &'static str {
    match kind {
        Forbidden::ThreeThree => "three-three",
        Forbidden::FourFour => "four-four",
        Forbidden::Overline => "overline",
    }
}

fn names(points: impl IntoIterator<Item = Point>, size: Size) -> Vec<String> {
    points.into_iter().map(|point| point.name(size).to_string()).collect()
}

/// Answers every record of `input`; the answer begins with the record's id or its line number.
///
/// # Errors
/// At the first line that cannot be answered.
pub fn run(
    mut input: impl BufRead,
    mut output: impl Write,
    mut answer: impl FnMut(&Record) -> Result<Map<String, Value>, String>,
) -> Result<(), BatchError> {
    let mut bytes = Vec::new();
    for line in 1.. {
        let fail = |reason| BatchError::Record { line, reason };
        bytes.clear();
        let count =
            input.by_ref().take(MAX_RECORD).read_until(b'\n', &mut bytes).map_err(BatchError::Read)?;
        if count == 0 {
            break;
        }
        if count as u64 == MAX_RECORD {
            return Err(fail(format!("longer than {MAX_RECORD} bytes")));
        }
        // Some editors begin a file with a byte order mark.
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).trim_ascii();
        if text.is_empty() {
            continue;
        }
        let record: Record = serde_json::from_slice(text).map_err(|error| fail(fault(&error)))?;
        let mut object = Map::new();
        object.insert("id".to_owned(), record.id.clone().unwrap_or_else(|| json!(line)));
        object.extend(answer(&record).map_err(fail)?);
        serde_json::to_writer(&mut output, &object)
            .map_err(io::Error::from)
            .and_then(|()| output.write_all(b"\n"))
            .map_err(BatchError::Write)?;
    }
    output.flush().map_err(BatchError::Write)
}

/// What is wrong with a line that is no record; the place within the line, whose number is told
/// beside it.
fn fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(reason) => format!("no JSON record: {reason}, column {}", error.column()),
        None => format!("no JSON record: {text}"),
    }
}

/// Which points are forbidden to black under Renju: `{"forbidden":{"H8":"three-three"}}`.
///
/// # Errors
/// If the record tells no position.
pub fn forbidden(record: &Record) -> Result<Map<String, Value>, String> {
    let board = record.board()?;
    let size = board.size();
    let points: Map<_, _> = forbidden_points(&board)
        .into_iter()
        .map(|(point, kind)| (point.name(size).to_string(), json!(forbidden_name(kind))))
        .collect();
    Ok(Map::from_iter([("forbidden".to_owned(), Value::Object(points))]))
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct OutcomeAnswer {
    outcome: &'static str,
    ply: Option<usize>,
    line: Vec<String>,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    forbidden: Option<&'static str>,
}

/// How a game ends: `{"outcome":"black","ply":9,"line":["H8",…],"reason":"five"}`. Moves after the
/// end are not looked at. Where neither the record nor `rule` names a rule the answer is for
/// freestyle, and the answers for all three rules stand beside it under their names.
///
/// # Errors
/// If the record tells no moves, or one before the end cannot be played.
pub fn outcome(record: &Record, rule: Option<Rule>) -> Result<Map<String, Value>, String> {
    let (size, moves) = record.moves()?;
    let mut object = Map::new();
    let rule = rule.or(record.rule()?);
    let fields = |answer: OutcomeAnswer| match serde_json::to_value(answer) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) | Err(_) => Err("the answer cannot be written as JSON".to_owned()),
    };
    object.extend(fields(judge(size, rule.unwrap_or_default(), &moves)?)?);
    if rule.is_none() {
        for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
            let fields = fields(judge(size, rule, &moves)?)?;
            object.insert(rule_name(rule).to_owned(), Value::Object(fields));
        }
    }
    Ok(object)
}

fn judge(size: Size, rule: Rule, moves: &[Point]) -> Result<OutcomeAnswer, String> {
    let mut game = Game::new(size, rule);
    for (ply, &point) in (1..).zip(moves) {
        game.play(point).map_err(|error| format!("move {ply} ({}): {error}", point.name(size)))?;
        if game.outcome().is_over() {
            break;
        }
    }
    let (outcome, reason, line, forbidden) = match game.outcome() {
        Outcome::Running => ("none", "not finished", Vec::new(), None),
        Outcome::Draw => ("draw", "full board", Vec::new(), None),
        Outcome::Win(winner, reason) => {
            let name = if winner == Color::Black { "black" } else { "white" };
            match reason {
                WinReason::Row(row) => {
                    let line = names(row.points(), size);
                    (name, if line.len() > 5 { "overline" } else { "five" }, line, None)
                }
                WinReason::Forbidden(kind) => (name, "forbidden", Vec::new(), Some(forbidden_name(kind))),
            }
        }
    };
    let ply = game.outcome().is_over().then_some(game.moves().len());
    Ok(OutcomeAnswer { outcome, ply, line, reason, forbidden })
}

/// What a `solve` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Solver {
    /// A win by continuous fours.
    Vcf,
    /// A win by continuous fours and threes.
    Vct,
}

/// A forced win of the side to move, within `nodes` positions and with `memory` bytes:
/// `{"result":"win|none|unknown","line":["H8",…],"nodes":…,"micros":…}`.
///
/// # Errors
/// If the record tells no position.
pub fn solve(
    record: &Record,
    solver: Solver,
    rule: Option<Rule>,
    nodes: u64,
    memory: usize,
) -> Result<Map<String, Value>, String> {
    let board = record.board()?;
    let attacker = record.to_move(&board)?;
    let rule = rule.or(record.rule()?).unwrap_or_default();
    let start = Instant::now();
    let solution = match solver {
        Solver::Vcf => vcf(&board, rule, attacker, nodes, memory),
        Solver::Vct => vct(&board, rule, attacker, nodes, memory),
    };
    let micros = start.elapsed().as_micros();
    let (result, line) = match solution.answer {
        Answer::Win(line) => ("win", line),
        Answer::None => ("none", Vec::new()),
        Answer::Unknown => ("unknown", Vec::new()),
    };
    Ok(Map::from_iter([
        ("result".to_owned(), json!(result)),
        ("line".to_owned(), json!(names(line, board.size()))),
        ("nodes".to_owned(), json!(solution.nodes)),
        ("micros".to_owned(), json!(u64::try_from(micros).unwrap_or(u64::MAX))),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> Record {
        serde_json::from_str(text).unwrap()
    }

    fn answers(input: &str) -> Result<Vec<Value>, BatchError> {
        let mut output = Vec::new();
        run(input.as_bytes(), &mut output, |record| outcome(record, Some(Rule::Freestyle)))?;
        let text = String::from_utf8(output).unwrap();
        Ok(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    #[test]
    fn moves_are_read_together_and_apart() {
        let size = Size::DEFAULT;
        let expected = Ok(vec![Point::new(7, 7), Point::new(8, 6), Point::new(0, 0)]);
        for text in ["h8i9a15", "H8 I9 A15", " h8, i9,a15\n"] {
            assert_eq!(parse_moves(text, size), expected, "{text:?}");
        }
        assert_eq!(parse_moves("", size), Ok(vec![]));
        for text in ["h", "8", "h8i", "h16", "h8;i9", "五8"] {
            assert!(parse_moves(text, size).is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_answer_carries_the_id_or_the_line_number() {
        let answers =
            answers("{\"id\":\"a\",\"moves\":[]}\n\n{\"moves\":\"h8\"}\n{\"id\":7,\"moves\":[]}").unwrap();
        let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
        assert_eq!(ids, [json!("a"), json!(3), json!(7)]);
    }

    #[test]
    fn a_bad_line_is_named_with_its_reason() {
        for (bad, reason) in [
            ("{", "no JSON record"),
            ("[]", "no JSON record"),
            ("[1,2", "column 4"),
            ("{\"moves\":5}", "`moves` is neither a list of names nor a text"),
            ("{}", "`moves` is not there"),
            ("{\"moves\":[\"Z99\"]}", "Z99"),
            ("{\"moves\":\"h8h8\"}", "move 2 (H8): a stone stands on that point"),
            ("{\"moves\":[],\"size\":9}", "a board has 10 to 20 lines"),
        ] {
            let error = answers(&format!("{{\"moves\":[]}}\n{bad}\n")).unwrap_err().to_string();
            assert!(error.starts_with("line 2: ") && error.contains(reason), "{error}");
            assert!(!error.contains("line 1"), "the line has one number: {error}");
        }
    }

    #[test]
    fn a_byte_order_mark_and_any_line_end_are_passed_over() {
        let answers = answers("\u{feff}{\"id\":1,\"moves\":[]}\r\n{\"id\":2,\"moves\":[]}\r\n").unwrap();
        assert_eq!(answers.len(), 2);
    }

    #[test]
    fn a_board_is_a_square_of_known_characters() {
        let rows = |row: &str, count: usize| json!({ "board": vec![row; count] }).to_string();
        let board = record(&rows("X.........", 10)).board().unwrap();
        assert_eq!((board.stones(), board.get(Point::new(0, 9))), (10, Some(Color::Black)));
        for (row, count) in
            [("..........", 9), (".........", 10), ("....Y.....", 10), ("x.........", 10), ("", 0)]
        {
            assert!(record(&rows(row, count)).board().is_err(), "{row:?} × {count}");
        }
    }

    #[test]
    fn the_side_to_move_is_told_or_follows_from_the_stones() {
        let side = |text: &str| {
            let record = record(text);
            record.to_move(&record.board().unwrap())
        };
        assert_eq!(side("{\"moves\":\"h8\"}"), Ok(Color::White));
        assert_eq!(side("{\"moves\":\"h8\",\"to_move\":\"black\"}"), Ok(Color::Black));
        assert!(side("{\"moves\":\"h8\",\"to_move\":\"red\"}").is_err());
    }

    #[test]
    fn without_a_rule_all_three_are_judged() {
        let six = record("{\"moves\":\"a1a15b1b15c1c15e1e15f1f15d1\"}");
        let answer = outcome(&six, None).unwrap();
        assert_eq!(answer["outcome"], "black");
        assert_eq!(answer["line"], json!(["A1", "B1", "C1", "D1", "E1", "F1"]));
        assert_eq!(answer["reason"], "overline");
        assert_eq!(answer["standard"]["outcome"], "none");
        assert_eq!(answer["renju"]["outcome"], "white");
        assert_eq!(answer["renju"]["forbidden"], "overline");
        assert!(outcome(&six, Some(Rule::Standard)).unwrap().get("renju").is_none());
    }
}
