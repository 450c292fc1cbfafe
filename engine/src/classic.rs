// SPDX-License-Identifier: MIT OR Apache-2.0
//! The player of the original board game: it scores every empty point for both colours by a table
//! of shapes and takes the best.
//!
//! The three *original* choices are kept as they were; how the levels play today is told at
//! [`Level`](crate::Level).

use alloc::vec::Vec;

use rand::Rng;

use crate::game::DIRECTIONS;
use crate::{Board, Color, Game, Point, Rule, forbidden};

/// What a supposed stone makes of the line through it, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// None of the shapes below.
    Nothing,
    /// Two in a row, one end empty.
    DeadTwo,
    /// Two in a row, both ends empty.
    OpenTwo,
    /// Three in a row, one end empty.
    DeadThree,
    /// Three stones around a gap of one point, both outer ends empty.
    JumpThree,
    /// Three in a row, both ends empty.
    OpenThree,
    /// Four stones around a gap of one point, an outer end not empty.
    DeadJumpFour,
    /// Four in a row, one end empty.
    DeadFour,
    /// Four stones around a gap of one point, both outer ends empty.
    JumpFour,
    /// Four in a row, both ends empty.
    OpenFour,
    /// A row that wins.
    Five,
}

/// Which table of scores is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// The original's, which overlooks a lone dead jump four and a lone jump three.
    Original,
    /// Scores those two as the four and the three they are.
    Repaired,
}

/// The score of a point that makes a winning row.
pub const FIVE: i32 = 50_000;

/// The shape of one line through an empty `point` if a stone of `color` stood there.
#[must_use]
pub fn shape(board: &Board, rule: Rule, point: Point, color: Color, (dx, dy): (i32, i32)) -> Shape {
    let ahead = side(board, point, color, dx, dy);
    let behind = side(board, point, color, -dx, -dy);
    let run = ahead.run + behind.run + 1;
    if rule.wins(color, run) {
        return Shape::Five;
    }
    let (open, half) = (ahead.open && behind.open, ahead.open || behind.open);
    let solid = match (run, open, half) {
        (4, true, _) => Shape::OpenFour,
        (4, _, true) => Shape::DeadFour,
        (3, true, _) => Shape::OpenThree,
        (3, _, true) => Shape::DeadThree,
        (2, true, _) => Shape::OpenTwo,
        (2, _, true) => Shape::DeadTwo,
        _ => Shape::Nothing,
    };
    if run >= 4 {
        return solid;
    }
    let gapped = |near: &Side, far: &Side| {
        let stones = run + near.beyond;
        match (near.beyond > 0, stones, near.beyond_open && far.open) {
            (true, 3, true) => Shape::JumpThree,
            (true, 4, true) => Shape::JumpFour,
            (true, 4.., _) => Shape::DeadJumpFour,
            _ => Shape::Nothing,
        }
    };
    solid.max(gapped(&ahead, &behind)).max(gapped(&behind, &ahead))
}

/// What follows the supposed stone on one side.
struct Side {
    /// Own stones without a gap.
    run: u8,
    /// Whether the point after them is empty.
    open: bool,
    /// Own stones after that empty point.
    beyond: u8,
    /// Whether the point after those is empty.
    beyond_open: bool,
}

fn side(board: &Board, point: Point, color: Color, dx: i32, dy: i32) -> Side {
    let empty_after = |at: Point, steps: u8| {
        let steps = i32::from(steps) + 1;
        at.offset(dx * steps, dy * steps, board.size()).filter(|&next| board.is_empty_at(next))
    };
    let run = board.run(point, color, dx, dy);
    let end = empty_after(point, run);
    let beyond = end.map_or(0, |end| board.run(end, color, dx, dy));
    let beyond_open = end.is_some_and(|end| empty_after(end, beyond).is_some());
    Side { run, open: end.is_some(), beyond, beyond_open }
}

/// The score of an empty `point` for `color`: 1 to [`FIVE`].
#[must_use]
pub fn score(board: &Board, rule: Rule, point: Point, color: Color, table: Table) -> i32 {
    let mut count = [0u8; Shape::Five as usize + 1];
    for direction in DIRECTIONS {
        count[shape(board, rule, point, color, direction) as usize] += 1;
    }
    let of = |shape: Shape| count[shape as usize];
    let repaired = table == Table::Repaired;
    let dead_fours = of(Shape::DeadFour) + if repaired { of(Shape::DeadJumpFour) } else { 0 };
    let any_dead_four = of(Shape::DeadFour) + of(Shape::DeadJumpFour) > 0;
    let threes = of(Shape::OpenThree) + of(Shape::JumpThree);

    if of(Shape::Five) > 0 {
        FIVE
    } else if of(Shape::OpenFour) > 0 || dead_fours >= 2 {
        30_000
    } else if (any_dead_four && threes > 0) || threes >= 2 {
        20_000
    } else if of(Shape::JumpFour) > 0 {
        10_000
    } else if of(Shape::DeadFour) > 0 && of(Shape::OpenTwo) >= 2 {
        5_000
    } else if of(Shape::OpenThree) > 0 && of(Shape::DeadThree) > 0 {
        1_000
    } else if dead_fours > 0 {
        500
    } else if of(Shape::OpenThree) > 0 || (repaired && threes > 0) {
        200
    } else if of(Shape::OpenTwo) >= 2 {
        100
    } else if of(Shape::DeadThree) >= 2 {
        50
    } else if of(Shape::OpenTwo) > 0 {
        10
    } else if of(Shape::DeadThree) > 0 {
        5
    } else {
        1
    }
}

/// An empty point with its scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The point.
    pub point: Point,
    /// Its score for the side to move.
    pub attack: i32,
    /// Its score for the other side.
    pub defence: i32,
}

impl Scored {
    /// The scores of one empty point in a game.
    #[must_use]
    pub fn new(game: &Game, point: Point, table: Table) -> Self {
        let of = |color| score(game.board(), game.rule(), point, color, table);
        Self { point, attack: of(game.to_move()), defence: of(game.to_move().opposite()) }
    }
}

/// Every point that the side to move may play, row by row from the top left, with its scores.
///
/// Under Renju a point forbidden to black is no candidate for black.
#[must_use]
pub fn candidates(game: &Game, table: Table) -> Vec<Scored> {
    let (board, mover) = (game.board(), game.to_move());
    let barred =
        |point| game.rule() == Rule::Renju && mover == Color::Black && forbidden(board, point).is_some();
    board
        .empty_points()
        .filter(|&point| !barred(point))
        .map(|point| Scored::new(game, point, table))
        .collect()
}

/// The original's choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Original {
    /// Attacks when it should defend: own scores count half more.
    Easy,
    /// The better of the best own and the best enemy point.
    Normal,
    /// The best sum, black's scores weighted by 1.2.
    Hard,
}

impl Original {
    /// The point the original plays among `candidates`; ties are broken by `rng`, every tied point
    /// equally likely. `None` only if there is no candidate.
    #[must_use]
    pub fn choose(self, candidates: &[Scored], mover: Color, rng: &mut dyn Rng) -> Option<Scored> {
        let best_own = candidates.iter().map(|c| c.attack).max()?;
        let best_enemy = candidates.iter().map(|c| c.defence).max()?;
        let own = |c: &Scored| c.attack;
        let enemy = |c: &Scored| c.defence;
        if best_own == FIVE {
            return pick_best(candidates, own, rng);
        }
        match self {
            Self::Easy if 3 * best_own > 2 * best_enemy => pick_best(candidates, own, rng),
            Self::Normal if best_own > best_enemy => pick_best(candidates, own, rng),
            Self::Easy | Self::Normal => pick_best(candidates, enemy, rng),
            Self::Hard => pick_best(candidates, |c| weighted(c, mover), rng),
        }
    }
}

/// The original Hard's sum, ten times: 1.2 × black's score + white's score.
pub(crate) const fn weighted(scored: &Scored, mover: Color) -> i32 {
    match mover {
        Color::Black => 12 * scored.attack + 10 * scored.defence,
        Color::White => 10 * scored.attack + 12 * scored.defence,
    }
}

/// One of the points with the highest value, every tied point equally likely.
fn pick_best(scored: &[Scored], value: impl Fn(&Scored) -> i32, rng: &mut dyn Rng) -> Option<Scored> {
    let best = scored.iter().map(&value).max()?;
    let tied = scored.iter().filter(|s| value(s) == best);
    let chosen = below(tied.clone().count(), rng);
    tied.clone().nth(chosen).copied()
}

/// Easy as it plays: the original's Easy, but one move in four is a slip to a random one of the six
/// points with the highest sum of both scores.
pub(crate) fn easy(candidates: &[Scored], mover: Color, rng: &mut dyn Rng) -> Option<Scored> {
    if below(4, rng) > 0 {
        return Original::Easy.choose(candidates, mover, rng);
    }
    let mut order: Vec<(i32, u32, Scored)> =
        candidates.iter().map(|&s| (s.attack + s.defence, rng.next_u32(), s)).collect();
    order.sort_unstable_by_key(|&(sum, tie, _)| core::cmp::Reverse((sum, tie)));
    order.truncate(6);
    let chosen = order.get(below(order.len(), rng))?;
    Some(chosen.2)
}

/// A whole number from 0 to `bound` − 1, each equally likely; 0 if `bound` is 0.
pub(crate) fn below(bound: usize, rng: &mut dyn Rng) -> usize {
    let bound = bound as u32;
    if bound <= 1 {
        return 0;
    }
    // The last, incomplete run of `bound` numbers is drawn again, else low results come more often.
    let limit = u32::MAX - u32::MAX % bound;
    loop {
        let drawn = rng.next_u32();
        if drawn < limit {
            return (drawn % bound) as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    /// Reads a row such as `"..xx?x.o"` (own, supposed, enemy) into the middle of an empty board.
    fn row(text: &str) -> (Board, Point) {
        let mut board = Board::new(Size::DEFAULT);
        let mut supposed = None;
        for (x, cell) in text.chars().enumerate() {
            let point = Point::new(x as u8, 7);
            match cell {
                'x' => board.place(point, Color::Black),
                'o' => board.place(point, Color::White),
                '?' => supposed = Some(point),
                _ => {}
            }
        }
        (board, supposed.expect("a row with a supposed stone"))
    }

    #[test]
    fn shapes_of_a_line() {
        for (text, expected) in [
            ("..xx?xx.", Shape::Five),
            (".xxx?.", Shape::OpenFour),
            ("oxxx?.", Shape::DeadFour),
            ("xxx?.", Shape::DeadFour),
            ("oxxx?o", Shape::Nothing),
            (".xx?.x.", Shape::JumpFour),
            (".x?.xx.", Shape::JumpFour),
            ("oxx?.x.", Shape::DeadJumpFour),
            ("?.xxxo", Shape::DeadJumpFour),
            (".x?x.", Shape::OpenThree),
            ("ox?x.", Shape::DeadThree),
            (".x.?x.", Shape::JumpThree),
            (".x.x?o", Shape::DeadTwo),
            (".x?.", Shape::OpenTwo),
            ("ox?.", Shape::DeadTwo),
            ("ox?o", Shape::Nothing),
            ("..?..", Shape::Nothing),
        ] {
            let (board, point) = row(text);
            assert_eq!(shape(&board, Rule::Freestyle, point, Color::Black, (1, 0)), expected, "{text}");
            assert_eq!(
                shape(&board, Rule::Freestyle, point, Color::Black, (-1, 0)),
                expected,
                "{text} mirrored"
            );
        }
    }

    #[test]
    fn six_in_a_row_is_a_five_only_where_it_wins() {
        let (board, point) = row(".xxx?xx.");
        let of = |rule| shape(&board, rule, point, Color::Black, (1, 0));
        assert_eq!(of(Rule::Freestyle), Shape::Five);
        assert_eq!(of(Rule::Standard), Shape::Nothing);
        assert_eq!(of(Rule::Renju), Shape::Nothing);
    }

    #[test]
    fn the_repaired_table_sees_what_the_original_overlooks() {
        for (text, original, repaired) in [("oxx?.x.", 1, 500), (".x.?x.", 1, 200), (".x?x.", 200, 200)] {
            let (board, point) = row(text);
            let of = |table| score(&board, Rule::Freestyle, point, Color::Black, table);
            assert_eq!((of(Table::Original), of(Table::Repaired)), (original, repaired), "{text}");
        }
    }

    /// The score for black of the middle point, through which these lines lie in different
    /// directions; each is read as by [`row`].
    fn star(lines: &[&str], table: Table) -> i32 {
        let (mut board, middle) = (Board::new(Size::DEFAULT), Point::new(7, 7));
        for (line, (dx, dy)) in lines.iter().zip(DIRECTIONS) {
            let supposed = line.find('?').expect("a supposed stone") as i32;
            for (at, cell) in line.chars().enumerate() {
                let steps = at as i32 - supposed;
                let point = middle.offset(dx * steps, dy * steps, board.size()).expect("on the board");
                match cell {
                    'x' => board.place(point, Color::Black),
                    'o' => board.place(point, Color::White),
                    _ => {}
                }
            }
        }
        score(&board, Rule::Freestyle, middle, Color::Black, table)
    }

    #[test]
    fn every_line_of_the_score_table() {
        let (dead_four, dead_jump_four) = ("oxxx?.", "oxx?.x.");
        let (open_three, jump_three, dead_three) = (".xx?.", ".x.?x.", "oxx?.");
        let open_two = ".x?.";
        for (lines, expected) in [
            (&["xxxx?"][..], 50_000),
            (&["xxxx?", ".xxx?."], 50_000),
            (&[".xxx?."], 30_000),
            (&[dead_four, dead_four], 30_000),
            (&[dead_four, open_three], 20_000),
            (&[dead_four, jump_three], 20_000),
            (&[dead_jump_four, open_three], 20_000),
            (&[dead_jump_four, jump_three], 20_000),
            (&[open_three, open_three], 20_000),
            (&[jump_three, jump_three], 20_000),
            (&[open_three, jump_three], 20_000),
            (&[".xx?.x."], 10_000),
            (&[dead_four, open_two, open_two], 5_000),
            (&[open_three, dead_three], 1_000),
            (&[dead_four], 500),
            (&[dead_four, open_two], 500),
            (&[open_three], 200),
            (&[open_three, open_two, open_two], 200),
            (&[open_two, open_two], 100),
            (&[dead_three, dead_three], 50),
            (&[open_two], 10),
            (&[open_two, dead_three], 10),
            (&[dead_three], 5),
            (&["ox?."], 1),
            (&[], 1),
        ] {
            for table in [Table::Original, Table::Repaired] {
                assert_eq!(star(lines, table), expected, "{lines:?} by {table:?}");
            }
        }
        // Only the repaired table takes a dead jump four for the four it is.
        for (lines, original, repaired) in [
            (&[dead_jump_four, dead_jump_four][..], 1, 30_000),
            (&[dead_jump_four, dead_four], 500, 30_000),
            (&[dead_jump_four, open_two, open_two], 100, 500),
        ] {
            assert_eq!(star(lines, Table::Original), original, "{lines:?}");
            assert_eq!(star(lines, Table::Repaired), repaired, "{lines:?}");
        }
    }

    #[test]
    fn easy_slips_one_move_in_four_to_one_of_the_six_best_points() {
        let points: Vec<Scored> = (0..8)
            .map(|x| Scored { point: Point::new(x, 0), attack: 1000 - 100 * i32::from(x), defence: 1 })
            .collect();
        let rng = &mut crate::testing::rng(11);
        let mut times = [0u32; 8];
        for _ in 0..6000 {
            times[usize::from(easy(&points, Color::Black, rng).unwrap().point.x)] += 1;
        }
        // A slip takes each of six points equally often: 250 times each, the best one 4500 times more.
        // Six standard deviations of a binomial of 6000 tries.
        assert!(times[0].abs_diff(4750) < 190, "{times:?}");
        assert!(times[1..6].iter().all(|&t| t.abs_diff(250) < 95), "{times:?}");
        assert_eq!(times[6..], [0, 0], "the worse points are never taken");
    }

    #[test]
    fn normal_attacks_only_when_its_point_is_better_and_easy_already_when_it_is_nearly_as_good() {
        let scored = |x, attack, defence| Scored { point: Point::new(x, 0), attack, defence };
        let points = [scored(0, 200, 1), scored(1, 1, 200)];
        let rng = &mut crate::testing::rng(1);
        assert_eq!(Original::Easy.choose(&points, Color::Black, rng).unwrap().point.x, 0);
        assert_eq!(Original::Normal.choose(&points, Color::Black, rng).unwrap().point.x, 1);
        // 1.2 × 200 + 1 against 1.2 + 200: hard prefers black's points whoever moves.
        assert_eq!(Original::Hard.choose(&points, Color::Black, rng).unwrap().point.x, 0);
        assert_eq!(Original::Hard.choose(&points, Color::White, rng).unwrap().point.x, 1);
    }

    #[test]
    fn a_five_is_taken_although_the_enemy_has_one_too() {
        let scored = |x, attack, defence| Scored { point: Point::new(x, 0), attack, defence };
        let points = [scored(0, 1, FIVE), scored(1, FIVE, 1)];
        for original in [Original::Easy, Original::Normal, Original::Hard] {
            for color in [Color::Black, Color::White] {
                let chosen = original.choose(&points, color, &mut crate::testing::rng(1)).unwrap();
                assert_eq!(chosen.point.x, 1, "{original:?}");
            }
        }
    }

    #[test]
    fn every_tied_point_is_chosen_about_equally_often() {
        let tied: Vec<Scored> =
            (0..5).map(|x| Scored { point: Point::new(x, 0), attack: 10, defence: 1 }).collect();
        let rng = &mut crate::testing::rng(7);
        let mut times = [0u32; 5];
        for _ in 0..5000 {
            times[usize::from(pick_best(&tied, |s| s.attack, rng).unwrap().point.x)] += 1;
        }
        // Six standard deviations of a binomial of 5000 tries at 1/5.
        assert!(times.iter().all(|&t| t.abs_diff(1000) < 170), "{times:?}");
    }
}
