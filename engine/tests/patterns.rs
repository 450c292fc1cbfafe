// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a stone makes of a line: examples of every pattern, and the tables against their definition.

use std::collections::HashMap;

use proptest::prelude::*;
use wuzi_engine::pattern::{Pattern, pattern};
use wuzi_engine::{Board, Color, Point, Size};

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The board on which `line`, drawn with `*` for the point asked about, `X` for stones of `color`
/// and `O` for the enemy's, runs through `centre` in a direction.
fn draw(line: &[u8], centre: Point, (dx, dy): (i32, i32), color: Color) -> Board {
    let mut board = Board::new(Size::MAX);
    let middle = line.iter().position(|&cell| cell == b'*').expect("a point is asked about") as i32;
    for (n, &cell) in (0..).zip(line) {
        let steps: i32 = n - middle;
        let at = centre.offset(steps * dx, steps * dy, board.size()).expect("the line fits the board");
        match cell {
            b'X' => board.place(at, color),
            b'O' => board.place(at, color.opposite()),
            _ => {}
        }
    }
    board
}

#[test]
fn every_pattern_has_its_examples() {
    use Pattern::{
        ClosedOne, ClosedThree, ClosedTwo, Dead, DoubleFour, Five, Four, NarrowThree, OpenOne, OpenThree,
        OpenTwo, Overline, StraightFour, WideTwo,
    };
    for (line, where_five_or_more_win, where_exactly_five_wins) in [
        ("XX*XX", Five, Five),
        ("OXXXX*O", Five, Five),
        ("XX*XXX", Five, Overline),
        ("XXXX*XXXX", Five, Overline),
        (".XXX*.", StraightFour, StraightFour),
        (".X*XX.", StraightFour, StraightFour),
        // At the left end a fifth stone would make six.
        ("X.XXX*..", StraightFour, Four),
        ("OXXX*.", Four, Four),
        ("XX*.X", Four, Four),
        ("*.XXX", Four, Four),
        // Both ends of the four make six.
        ("X.XX*X.X", StraightFour, Dead),
        ("X.X*X.X", DoubleFour, DoubleFour),
        ("XX.X*.XX", DoubleFour, DoubleFour),
        ("..X*X..", OpenThree, OpenThree),
        (".X.*X.", NarrowThree, NarrowThree),
        ("O.X*X..O", NarrowThree, NarrowThree),
        ("OX*X...", ClosedThree, ClosedThree),
        ("O.X*X.O", ClosedThree, ClosedThree),
        ("X.X.*", ClosedThree, ClosedThree),
        ("...X*...", WideTwo, WideTwo),
        ("O.X*...O", OpenTwo, OpenTwo),
        ("OX*....", ClosedTwo, ClosedTwo),
        ("....*....", OpenOne, OpenOne),
        ("O*....", ClosedOne, ClosedOne),
        ("OX*..O", Dead, Dead),
        ("O....O*O", Dead, Dead),
    ] {
        let mirrored: Vec<u8> = line.bytes().rev().collect();
        for color in [Color::Black, Color::White] {
            for direction in DIRECTIONS {
                for line in [line.as_bytes(), &mirrored] {
                    let centre = Point::new(10, 10);
                    let board = draw(line, centre, direction, color);
                    for (exact, expected) in
                        [(false, where_five_or_more_win), (true, where_exactly_five_wins)]
                    {
                        assert_eq!(
                            pattern(&board, centre, color, direction, exact),
                            expected,
                            "{} {color:?} {direction:?}, exactly five: {exact}",
                            String::from_utf8_lossy(line)
                        );
                    }
                }
            }
        }
    }
}

/// The definition of the patterns, by trying every further stone on a line of text.
struct Slow {
    exact: bool,
    known: HashMap<Line, Pattern>,
}

/// How far a line is looked at from its middle, the point asked about.
const REACH: usize = 5;
/// `X` own, `.` empty, `O` enemy or no point of the board; the middle is own.
type Line = [u8; 2 * REACH + 1];

impl Slow {
    fn new(exact: bool) -> Self {
        Self { exact, known: HashMap::new() }
    }

    /// The first and the last stone of the row through the middle.
    fn row(line: &Line) -> (usize, usize) {
        let first = (0..=REACH).rev().take_while(|&at| line[at] == b'X').last();
        let last = (REACH..line.len()).take_while(|&at| line[at] == b'X').last();
        (first.expect("the middle is own"), last.expect("the middle is own"))
    }

    fn pattern(&mut self, line: &Line) -> Pattern {
        if let Some(&known) = self.known.get(line) {
            return known;
        }
        let pattern = self.classify(line);
        self.known.insert(*line, pattern);
        pattern
    }

    fn classify(&mut self, line: &Line) -> Pattern {
        let (first, last) = Self::row(line);
        let stones = last - first + 1;
        if stones == 5 || stones > 5 && !self.exact {
            return Pattern::Five;
        }
        if stones > 5 {
            return Pattern::Overline;
        }
        // What stands farther away cannot matter to a five through the middle.
        let near = if self.exact { REACH } else { REACH - 1 };
        let with: Vec<(usize, Pattern)> = (REACH - near..=REACH + near)
            .filter(|&at| line[at] == b'.')
            .map(|at| {
                let mut next = *line;
                next[at] = b'X';
                (at, self.pattern(&next))
            })
            .collect();
        let places = |made: &[Pattern]| with.iter().filter(|(_, pattern)| made.contains(pattern)).count();
        let fives: Vec<usize> =
            with.iter().filter(|(_, made)| *made == Pattern::Five).map(|&(at, _)| at).collect();
        match fives[..] {
            [] => {}
            [_] => return Pattern::Four,
            [before, after] if stones == 4 && before + 1 == first && after == last + 1 => {
                return Pattern::StraightFour;
            }
            _ => return Pattern::DoubleFour,
        }
        match places(&[Pattern::StraightFour]) {
            0 => {}
            1 => return Pattern::NarrowThree,
            _ => return Pattern::OpenThree,
        }
        if places(&[Pattern::Four, Pattern::DoubleFour]) > 0 {
            return Pattern::ClosedThree;
        }
        match places(&[Pattern::NarrowThree, Pattern::OpenThree]) {
            0 => {}
            1 => panic!("of the two stones that are missing either may come first"),
            2 | 3 => return Pattern::OpenTwo,
            _ => return Pattern::WideTwo,
        }
        if places(&[Pattern::ClosedThree]) > 0 {
            Pattern::ClosedTwo
        } else if places(&[Pattern::OpenTwo, Pattern::WideTwo]) > 0 {
            Pattern::OpenOne
        } else if places(&[Pattern::ClosedTwo]) > 0 {
            Pattern::ClosedOne
        } else {
            Pattern::Dead
        }
    }
}

/// Every line of five neighbours each way, in one of the directions and for one of the colours.
#[test]
fn every_line_has_the_pattern_of_its_definition() {
    for exact in [false, true] {
        let mut slow = Slow::new(exact);
        let mut seen = [false; Pattern::COUNT];
        for number in 0..3u32.pow(2 * REACH as u32) {
            let mut line = [b'X'; 2 * REACH + 1];
            let mut rest = number;
            for at in (0..line.len()).filter(|&at| at != REACH) {
                line[at] = b".XO"[(rest % 3) as usize];
                rest /= 3;
            }
            let expected = slow.pattern(&line);
            seen[expected as usize] = true;
            let direction = DIRECTIONS[number as usize % 4];
            let color = if number % 8 < 4 { Color::Black } else { Color::White };
            let mut drawn = line;
            drawn[REACH] = b'*';
            let centre = Point::new(9, 10);
            let board = draw(&drawn, centre, direction, color);
            let found = pattern(&board, centre, color, direction, exact);
            assert_eq!(found, expected, "{}, exactly five: {exact}", String::from_utf8_lossy(&drawn));
        }
        let unseen: Vec<usize> = (0..Pattern::COUNT).filter(|&n| !seen[n]).collect();
        let missing = if exact { vec![] } else { vec![Pattern::Overline as usize] };
        assert_eq!(unseen, missing, "every other pattern occurs");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..Default::default() })]

    /// The edge of the board is as good as an enemy.
    #[test]
    fn lines_end_at_the_edge(
        lines in 10u8..=20,
        stones in proptest::collection::vec((0u8..20, 0u8..20, any::<bool>()), 20..150),
        exact: bool,
    ) {
        let size = Size::new(lines).unwrap();
        let mut board = Board::new(size);
        for (x, y, is_black) in stones {
            let at = Point::new(x % lines, y % lines);
            if board.is_empty_at(at) {
                board.place(at, if is_black { Color::Black } else { Color::White });
            }
        }
        let mut slow = Slow::new(exact);
        for at in board.empty_points() {
            for (dx, dy) in DIRECTIONS {
                for color in [Color::Black, Color::White] {
                    let mut line = [b'X'; 2 * REACH + 1];
                    for (n, cell) in (0..).zip(&mut line).filter(|&(n, _)| n != REACH as i32) {
                        let steps: i32 = n - REACH as i32;
                        *cell = match at.offset(steps * dx, steps * dy, size).map(|p| board.get(p)) {
                            Some(None) => b'.',
                            Some(Some(stone)) if stone == color => b'X',
                            _ => b'O',
                        };
                    }
                    prop_assert_eq!(pattern(&board, at, color, (dx, dy), exact), slow.pattern(&line));
                }
            }
        }
    }
}
