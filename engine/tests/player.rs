// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the computer player promises, whatever the level.

use proptest::prelude::*;
use rand::{SeedableRng, rngs::StdRng};
use wuzi_engine::{Choice, Color, Game, Level, Limits, Player, Point, Rule, Size, forbidden};

mod common;
use common::{game, openings};

const LIMITS: Option<Limits> = Some(Limits { nodes: Some(300), depth: None });

fn choose(player: &mut Player, game: &Game, level: Level, seed: u64) -> Option<Choice> {
    player.choose(game, level, LIMITS, &mut StdRng::seed_from_u64(seed), &mut || false)
}

/// Whether the side to move loses at once by playing there.
fn breaks_the_rule(game: &Game, point: Point) -> bool {
    game.rule() == Rule::Renju && game.to_move() == Color::Black && forbidden(game.board(), point).is_some()
}

fn rules() -> impl Strategy<Value = Rule> {
    prop_oneof![Just(Rule::Freestyle), Just(Rule::Standard), Just(Rule::Renju)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..Default::default() })]

    /// From a random position every level plays on to the end, legally.
    #[test]
    fn every_move_is_legal_to_the_end(
        rule in rules(),
        lines in 10u8..=15,
        moves in proptest::collection::vec((0u8..15, 0u8..15), 0..40),
        levels in proptest::collection::vec(0usize..5, 1..4),
        seed: u64,
    ) {
        let mut game = Game::new(Size::new(lines).unwrap(), rule);
        for (x, y) in moves {
            let point = Point::new(x, y);
            if rule != Rule::Renju || game.to_move() == Color::White || forbidden(game.board(), point).is_none() {
                let _ = game.play(point);
            }
        }
        let mut player = Player::new(1 << 16);
        for ply in 0.. {
            let level = Level::ALL[levels[ply % levels.len()]];
            let Some(choice) = choose(&mut player, &game, level, seed.wrapping_add(ply as u64)) else {
                prop_assert!(game.outcome().is_over());
                break;
            };
            prop_assert!(game.board().is_empty_at(choice.point));
            let escape = game.board().empty_points().any(|p| !breaks_the_rule(&game, p));
            prop_assert!(!escape || !breaks_the_rule(&game, choice.point), "{level:?} plays a forbidden point");
            prop_assert!(choice.line.first().is_none_or(|&first| first == choice.point), "{level:?}");
            let mut line = game.clone();
            for &point in &choice.line {
                prop_assert!(line.play(point).is_ok(), "{level:?}: the line can be played");
            }
            game.play(choice.point).unwrap();
        }
    }
}

#[test]
fn the_first_move_is_the_centre() {
    for level in Level::ALL {
        for size in (10..=20).filter_map(Size::new) {
            let choice = choose(&mut Player::new(1 << 12), &Game::new(size, Rule::Renju), level, 1).unwrap();
            assert_eq!(choice.point, size.centre());
        }
    }
}

#[test]
fn a_search_stopped_at_once_still_has_a_move() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        for game in openings(rule) {
            for level in Level::ALL {
                let rng = &mut StdRng::seed_from_u64(5);
                let choice = Player::new(1 << 16).choose(&game, level, None, rng, &mut || true).unwrap();
                assert!(game.board().is_empty_at(choice.point));
                assert!(!breaks_the_rule(&game, choice.point), "{level:?}: {:?}", choice.point);
            }
        }
    }
}

#[test]
fn equal_inputs_give_equal_choices() {
    for game in openings(Rule::Renju).into_iter().take(10) {
        for level in Level::ALL {
            let limits = Some(Limits { nodes: Some(3_000), depth: None });
            let choice = || {
                let rng = &mut StdRng::seed_from_u64(9);
                Player::new(1 << 18).choose(&game, level, limits, rng, &mut || false)
            };
            assert_eq!(choice(), choice(), "{level:?}");
        }
    }
}

#[test]
fn a_node_limit_is_kept() {
    for game in openings(Rule::Standard) {
        for nodes in [1, 100, 5_000] {
            let limits = Some(Limits { nodes: Some(nodes), depth: None });
            let rng = &mut StdRng::seed_from_u64(9);
            let choice =
                Player::new(1 << 18).choose(&game, Level::Master, limits, rng, &mut || false).unwrap();
            // A four and its answer are entered together.
            assert!(choice.nodes <= nodes + 2, "{} of {nodes}", choice.nodes);
        }
    }
}

#[test]
fn wins_and_losses_are_told_with_their_distance() {
    for (moves, plies) in [
        // Four in a row: the fifth stone wins.
        ("h8a1i8a3j8a5k8a7", 1),
        // An open three: straight four, whatever, five.
        ("h8a1i8a3j8a5", 3),
    ] {
        let game = game(moves, Rule::Freestyle);
        for level in [Level::Hard, Level::Expert, Level::Master] {
            let choice = choose(&mut Player::new(1 << 16), &game, level, 1).unwrap();
            assert_eq!(choice.score.unwrap().win_plies(), Some(plies), "{moves}");
        }
    }
    // White cannot stop a straight four: the better it plays, the longer it takes, but no longer than this.
    let lost = game("h8a1i8a3j8a5k8", Rule::Freestyle);
    let choice = choose(&mut Player::new(1 << 16), &lost, Level::Master, 1).unwrap();
    assert_eq!(choice.score.unwrap().loss_plies(), Some(2));
    assert!(
        ["G8", "L8"].contains(&&*choice.point.name(lost.size()).to_string()),
        "it stops one of the fives"
    );
}

#[test]
fn black_does_not_count_on_a_forbidden_point_and_white_does() {
    // Black's stones make H8 a three-three.
    let shape = game("h7a1h6a3g8a5f8a7", Rule::Renju);
    assert!(forbidden(shape.board(), Point::parse("H8", shape.size()).unwrap()).is_some());
    for level in Level::ALL {
        for seed in 0..20 {
            let choice = choose(&mut Player::new(1 << 16), &shape, level, seed).unwrap();
            assert_ne!(choice.point.name(shape.size()).to_string(), "H8", "{level:?}");
        }
    }
}

#[cfg(feature = "std")]
#[test]
fn threads_find_what_one_finds() {
    let mut player = Player::new(1 << 20);
    player.set_threads(3);
    let game = game("h8a1i8a3j8a5", Rule::Freestyle);
    let choice = choose(&mut player, &game, Level::Master, 1).unwrap();
    assert_eq!(choice.score.unwrap().win_plies(), Some(3));
    for game in openings(Rule::Renju).into_iter().take(5) {
        let limits = Some(Limits { nodes: Some(20_000), depth: None });
        let rng = &mut StdRng::seed_from_u64(9);
        let choice = player.choose(&game, Level::Master, limits, rng, &mut || false).unwrap();
        assert!(forbidden(game.board(), choice.point).is_none() && choice.nodes >= 20_000);
    }
}
