// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random play under each rule: taking a move back restores the game, the forbidden points are those
//! that are forbidden when asked one by one, and the computer's moves are legal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi_engine::{
    Color, Game, Level, Limits, Outcome, Player, Point, Rule, Size, WinReason, forbidden, forbidden_points,
};

fuzz_target!(|bytes: &[u8]| {
    let &[rule, lines, ref moves @ ..] = bytes else { return };
    let rule = [Rule::Freestyle, Rule::Standard, Rule::Renju][usize::from(rule % 3)];
    let Some(size) = Size::new(10 + lines % 11) else { return };
    let mut game = Game::new(size, rule);
    for pair in moves.chunks_exact(2) {
        let point = Point::new(pair[0] % size.lines(), pair[1] % size.lines());
        let before = game.clone();
        if game.play(point).is_err() {
            assert_eq!(game, before, "a refused move changes nothing");
            continue;
        }
        let mut undone = game.clone();
        assert_eq!(undone.undo(), Some(point));
        assert_eq!(undone, before);
        if game.outcome().is_over() {
            break;
        }
    }
    let listed = forbidden_points(game.board());
    for point in game.board().empty_points() {
        let kind = listed.iter().find(|(listed, _)| *listed == point).map(|&(_, kind)| kind);
        assert_eq!(forbidden(game.board(), point), kind, "{point:?} of {:?}", game.board());
    }
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let mut rng = SmallRng::seed_from_u64(1);
    let choice = Player::new(1 << 16).choose(&game, Level::Master, Some(limits), &mut rng, &mut || false);
    let Some(choice) = choice else {
        assert!(game.outcome().is_over());
        return;
    };
    let escape = game.board().empty_points().any(|point| forbidden(game.board(), point).is_none());
    let outcome = game.play(choice.point).expect("the computer's move is legal");
    if let Outcome::Win(Color::White, WinReason::Forbidden(_)) = outcome {
        assert!(!escape, "black is made to play a forbidden point only if there is no other");
    }
});
