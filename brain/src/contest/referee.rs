// SPDX-License-Identifier: MIT OR Apache-2.0
//! One game between two players, strictly by the rules and the clock.

use std::fmt;
use std::time::Duration;

use wuzi_engine::{Answer, Color, Game, Outcome, Point, Rule, Size, WinReason, vcf};

use super::opponent::Opponent;
use crate::batch::forbidden_name;
use crate::client::ClientError;

/// Memory of the solver that adjudicates, in bytes.
const PROOF_MEMORY: usize = 1 << 16;

/// What is the same for all games of a match.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
    /// Time for a move.
    pub turn: Duration,
    /// Time for a side's moves of a game.
    pub game: Option<Duration>,
    /// So much may a time be exceeded: the way between the processes takes some.
    pub tolerance: Duration,
    /// A game with so many stones is a draw; 0: only a full board is.
    pub draw_after: usize,
    /// Nodes for the proof of a win by continuous fours, with which a game ends; 0: none.
    pub proof_nodes: u64,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A winning row.
    Row,
    /// Black played a forbidden point.
    Forbidden(&'static str),
    /// The winner has a proven win by continuous fours.
    Proven,
    /// The board is full.
    FullBoard,
    /// So many stones were to be a draw.
    Long,
    /// The loser took this long for a move.
    Time(Duration),
    /// The loser used up its time of the game.
    GameTime(Duration),
    /// The loser played against the rules of the game.
    Illegal(String),
    /// The loser hung, crashed or refused.
    Failure(String),
}

impl End {
    /// Whether the loser's program is to blame, not its play.
    #[must_use]
    pub const fn is_fault(&self) -> bool {
        matches!(self, Self::Time(_) | Self::GameTime(_) | Self::Illegal(_) | Self::Failure(_))
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row => f.write_str("five in a row"),
            Self::Forbidden(kind) => write!(f, "forbidden point ({kind})"),
            Self::Proven => f.write_str("proven win"),
            Self::FullBoard => f.write_str("full board"),
            Self::Long => f.write_str("long game"),
            Self::Time(took) => write!(f, "loss on time ({} ms for a move)", took.as_millis()),
            Self::GameTime(used) => write!(f, "loss on time ({} ms for the game)", used.as_millis()),
            Self::Illegal(text) => write!(f, "illegal move: {text}"),
            Self::Failure(text) => f.write_str(text),
        }
    }
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The moves of the opening and of the players.
    pub moves: Vec<Point>,
    /// The time of each move; zero for those of the opening.
    pub times: Vec<Duration>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// What ended it.
    pub end: End,
}

/// Plays a game from an opening. `None` if `stop` broke it off.
pub fn play(
    terms: &Terms,
    opening: &[Point],
    black: &mut Opponent,
    white: &mut Opponent,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Played> {
    let mut game = Game::new(terms.size, terms.rule);
    let mut times = Vec::new();
    for &point in opening {
        game.play(point).ok()?;
        times.push(Duration::ZERO);
    }
    let mut used = [Duration::ZERO; 2];
    let (winner, end) = loop {
        if let Some(end) = ended(terms, &game) {
            break end;
        }
        let mover = game.to_move();
        let opponent = match mover {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let used = &mut used[mover.index()];
        let left = terms.game.map(|time| time.saturating_sub(*used));
        let fault = match opponent.choose(&game, left, stop) {
            Err(ClientError::Stopped) => return None,
            Err(error @ ClientError::Illegal { .. }) => End::Illegal(error.to_string()),
            Err(error) => End::Failure(error.to_string()),
            Ok(reply) => {
                *used += reply.took;
                if reply.took > terms.turn + terms.tolerance {
                    End::Time(reply.took)
                } else if terms.game.is_some_and(|time| *used > time + terms.tolerance) {
                    End::GameTime(*used)
                } else if let Err(error) = game.play(reply.point) {
                    End::Illegal(format!("{}: {error}", reply.point.name(terms.size)))
                } else {
                    times.push(reply.took);
                    continue;
                }
            }
        };
        break (Some(mover.opposite()), fault);
    };
    Some(Played { moves: game.moves().to_vec(), times, winner, end })
}

/// The winner and why, if the game has ended or is adjudicated.
fn ended(terms: &Terms, game: &Game) -> Option<(Option<Color>, End)> {
    match game.outcome() {
        Outcome::Win(winner, WinReason::Row(_)) => Some((Some(winner), End::Row)),
        Outcome::Win(winner, WinReason::Forbidden(kind)) => {
            Some((Some(winner), End::Forbidden(forbidden_name(kind))))
        }
        Outcome::Draw => Some((None, End::FullBoard)),
        Outcome::Running if terms.draw_after > 0 && game.moves().len() >= terms.draw_after => {
            Some((None, End::Long))
        }
        Outcome::Running => proven(terms, game).map(|winner| (Some(winner), End::Proven)),
    }
}

/// The side to move, if it has a proven win by continuous fours.
fn proven(terms: &Terms, game: &Game) -> Option<Color> {
    // A line of fours needs three stones of its own.
    if terms.proof_nodes == 0 || game.moves().len() < 6 {
        return None;
    }
    let mover = game.to_move();
    let solution = vcf(game.board(), terms.rule, mover, terms.proof_nodes, PROOF_MEMORY);
    matches!(solution.answer, Answer::Win(_)).then_some(mover)
}
