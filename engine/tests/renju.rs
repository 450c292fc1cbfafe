// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the search knows of forbidden points: black never plays one, white plays for them.

use rand::{SeedableRng, rngs::StdRng};
use wuzi_engine::{Choice, Color, Forbidden, Game, Level, Limits, Outcome, Player, Rule, Size, forbidden};

mod common;
use common::{openings, point};

fn choose(game: &Game, level: Level, nodes: u64) -> Choice {
    let limits = Some(Limits { nodes: Some(nodes), depth: None });
    let rng = &mut StdRng::seed_from_u64(1);
    Player::new(1 << 18).choose(game, level, limits, rng, &mut || false).expect("the game is not over")
}

/// A position with white to move, from the points of each colour.
fn position(rule: Rule, black: &str, white: &str) -> Game {
    let points = |names: &str| names.split(' ').map(point).collect::<Vec<_>>();
    let (black, white) = (points(black), points(white));
    assert_eq!(black.len(), white.len() + 1, "white is to move");
    let moves: Vec<_> = (0..black.len() + white.len())
        .map(|ply| if ply % 2 == 0 { black[ply / 2] } else { white[ply / 2] })
        .collect();
    Game::from_moves(Size::DEFAULT, rule, &moves).expect("every point is named once")
}

/// White's three I9, J10, K11 becomes a four by L12, because black holds G7 and M13; the one answer
/// is H8.
#[test]
fn white_wins_by_a_four_whose_only_answer_is_forbidden() {
    for (kind, black, white) in [
        (Forbidden::ThreeThree, "H7 H6 G8 F8 G7 M13", "I9 J10 K11 A1 O1"),
        (Forbidden::FourFour, "H7 H6 H5 I8 G8 F8 G7 M13", "I9 J10 K11 A1 O1 C15 A5"),
        (Forbidden::Overline, "K8 J8 I8 G8 F8 G7 M13", "I9 J10 K11 A1 O1 C15"),
    ] {
        let game = position(Rule::Renju, black, white);
        assert_eq!(forbidden(game.board(), point("H8")), Some(kind));
        for level in [Level::Expert, Level::Master] {
            let choice = choose(&game, level, 2_000);
            assert_eq!(choice.point, point("L12"), "{kind:?}, {level:?}");
            assert_eq!(choice.score.and_then(|score| score.win_plies()), Some(3), "{kind:?}, {level:?}");
        }
        let mut four = game.clone();
        four.play(point("L12")).unwrap();
        // Whatever black answers, white has won.
        for answer in four.board().empty_points() {
            let mut game = four.clone();
            game.play(answer).unwrap();
            if !game.outcome().is_over() {
                let five = choose(&game, Level::Master, 2_000).point;
                game.play(five).unwrap();
            }
            assert_eq!(game.outcome().winner(), Some(Color::White), "{kind:?}, {answer:?}");
        }
        // Where nothing is forbidden, the same stones are no such win.
        let free = choose(&position(Rule::Freestyle, black, white), Level::Master, 2_000);
        assert_ne!(free.score.and_then(|score| score.win_plies()), Some(3), "{kind:?}");
    }
}

/// Games of the search against itself: black is met by forbidden points and plays none, and white wins
/// some by making a five where black could not stop it.
#[test]
fn in_self_play_black_keeps_off_forbidden_points_and_white_uses_them() {
    let (mut met, mut used) = (0, 0);
    for mut game in openings(Rule::Renju) {
        let mut player = Player::new(1 << 18);
        while !game.outcome().is_over() {
            let limits = Some(Limits { nodes: Some(300), depth: None });
            let rng = &mut StdRng::seed_from_u64(1);
            let choice = player.choose(&game, Level::Master, limits, rng, &mut || false).expect("running");
            let kind = forbidden(game.board(), choice.point);
            let black_moves = game.to_move() == Color::Black;
            if black_moves {
                assert_eq!(kind, None, "{}", choice.point.name(game.size()));
                met += usize::from(game.board().empty_points().any(|p| forbidden(game.board(), p).is_some()));
            }
            game.play(choice.point).unwrap();
            let won_by_row = matches!(game.outcome(), Outcome::Win(Color::White, _));
            used += usize::from(won_by_row && kind.is_some());
        }
    }
    println!("{met} moves of black beside forbidden points, {used} games won on one");
    assert!(met > 100 && used > 0, "{met}, {used}");
}
