// SPDX-License-Identifier: MIT OR Apache-2.0
//! The client against a brain by other hands: figrid-board's, from the cargo registry.
//! `WUZI_FIGRID="$(scripts/figrid.sh)" cargo test -p wuzi-brain --test figrid -- --ignored`

use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use wuzi_brain::client::{Client, Setup};
use wuzi_engine::{Game, Level, Player, Rule, Size};

/// Longer than any answer takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(30);

#[test]
#[ignore = "needs the program that scripts/figrid.sh builds"]
fn games_under_every_rule_come_to_their_end() {
    let program = std::env::var_os("WUZI_FIGRID").expect("WUZI_FIGRID is the path of its program");
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let mut setup = Setup::new(&program, Size::DEFAULT, rule, Duration::from_millis(50));
        setup.start_timeout = PATIENCE;
        setup.grace = PATIENCE;
        let mut client =
            Client::start(setup, &mut || false).unwrap_or_else(|error| panic!("{rule:?}: {error}"));
        let mut player = Player::new(1 << 16);
        let mut rng = SmallRng::seed_from_u64(1);
        for client_begins in [true, false] {
            // The second game finds the process with the first one's stones.
            let mut game = Game::new(Size::DEFAULT, rule);
            let mut taken_back = false;
            while !game.outcome().is_over() {
                let point = if game.moves().len().is_multiple_of(2) == client_begins {
                    let reply = client.choose(&game, None, &mut || false);
                    reply.unwrap_or_else(|error| panic!("{rule:?} after {:?}: {error}", game.moves())).point
                } else {
                    let choice = player.choose(&game, Level::Easy, None, &mut rng, &mut || false);
                    choice.expect("the game goes on").point
                };
                game.play(point).expect("a legal move");
                if game.moves().len() == 6 && !taken_back {
                    taken_back = true;
                    // As if the user took two moves back and played on.
                    game.undo();
                    game.undo();
                }
            }
        }
        assert_eq!(client.name(), Some("figrid"));
    }
}
