// SPDX-License-Identifier: MIT OR Apache-2.0
//! Black's forbidden points under Renju.

use alloc::vec::Vec;

use crate::game::DIRECTIONS;
use crate::pattern::{Pattern, pattern};
use crate::{Board, Color, Forbidden, Point};

/// Why `point` is forbidden to black under Renju, whatever side is to move; `None` if it is legal
/// or not an empty point of the board.
///
/// A point that makes exactly five is legal whatever else it makes. A three counts only if a stone
/// that is itself not forbidden, and does not make five at the same time, can make a straight four
/// of it. Of several reasons the first of
/// overline, four-four, three-three is given.
#[must_use]
pub fn forbidden(board: &Board, point: Point) -> Option<Forbidden> {
    if !board.is_empty_at(point) {
        return None;
    }
    match by_patterns(board, point) {
        Verdict::Five | Verdict::Legal => None,
        Verdict::Forbidden(kind) => Some(kind),
        Verdict::DependsOnThrees(threes) => three_three(&mut board.clone(), point, threes),
    }
}

/// Every forbidden point with its reason, row by row from the top left.
#[must_use]
pub fn forbidden_points(board: &Board) -> Vec<(Point, Forbidden)> {
    board.empty_points().filter_map(|point| Some((point, forbidden(board, point)?))).collect()
}

/// What the four lines through a point alone tell.
enum Verdict {
    Five,
    Legal,
    Forbidden(Forbidden),
    /// The lines that look like an open three; at least two.
    DependsOnThrees([bool; 4]),
}

fn by_patterns(board: &Board, point: Point) -> Verdict {
    let lines = DIRECTIONS.map(|direction| pattern(board, point, Color::Black, direction, true));
    let fours = |p: &Pattern| match p {
        Pattern::Four | Pattern::StraightFour => 1,
        Pattern::DoubleFour => 2,
        _ => 0,
    };
    let threes = lines.map(Pattern::is_three);
    if lines.contains(&Pattern::Five) {
        Verdict::Five
    } else if lines.contains(&Pattern::Overline) {
        Verdict::Forbidden(Forbidden::Overline)
    } else if lines.iter().map(fours).sum::<i32>() >= 2 {
        Verdict::Forbidden(Forbidden::FourFour)
    } else if threes.iter().filter(|&&three| three).count() >= 2 {
        Verdict::DependsOnThrees(threes)
    } else {
        Verdict::Legal
    }
}

/// Whether at least two of the lines that look like a three are one; the board is unchanged
/// afterwards.
fn three_three(board: &mut Board, point: Point, threes: [bool; 4]) -> Option<Forbidden> {
    board.place(point, Color::Black);
    let mut real = 0;
    let mut open = threes.iter().filter(|&&three| three).count();
    for (direction, _) in DIRECTIONS.into_iter().zip(threes).filter(|&(_, three)| three) {
        open -= 1;
        real += usize::from(becomes_straight_four(board, point, direction));
        if real >= 2 || real + open < 2 {
            break;
        }
    }
    board.remove(point);
    (real >= 2).then_some(Forbidden::ThreeThree)
}

/// Whether a legal black stone makes a straight four, and no five, of the line through the black
/// stone on `point`.
fn becomes_straight_four(board: &mut Board, point: Point, (dx, dy): (i32, i32)) -> bool {
    [-1, 1].into_iter().any(|sign| {
        // The nearest empty point on either side; every stone before it belongs to the same row.
        let steps = i32::from(board.run(point, Color::Black, dx * sign, dy * sign)) + 1;
        let end = point.offset(dx * sign * steps, dy * sign * steps, board.size());
        end.filter(|&end| board.is_empty_at(end)).is_some_and(|end| {
            pattern(board, end, Color::Black, (dx, dy), true) == Pattern::StraightFour
                && match by_patterns(board, end) {
                    Verdict::Five | Verdict::Forbidden(_) => false,
                    Verdict::Legal => true,
                    Verdict::DependsOnThrees(threes) => three_three(board, end, threes).is_none(),
                }
        })
    })
}
