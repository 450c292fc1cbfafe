// SPDX-License-Identifier: MIT OR Apache-2.0
//! The client against this project's brain, and against brains that misbehave in every known way.
#![cfg(unix)]

use std::time::Duration;

use wuzi_brain::client::{Client, ClientError, Setup};
use wuzi_engine::{Game, PlayError, Point, Rule, Size};

/// Longer than any answer takes on a loaded machine; waited for in full only by what never answers.
const PATIENCE: Duration = Duration::from_secs(20);

/// A fake that should play well enough to be played with.
fn patient(way: &str) -> Setup {
    let mut setup = Setup::new("sh", Size::DEFAULT, Rule::Freestyle, Duration::from_millis(100));
    setup.arguments = vec![concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake-brain.sh").into(), way.into()];
    setup.start_timeout = PATIENCE;
    setup.grace = PATIENCE;
    setup
}

/// A fake that is expected never to answer.
fn hasty(way: &str) -> Setup {
    let mut setup = patient(way);
    setup.grace = Duration::from_millis(900);
    setup
}

fn game(names: &str) -> Game {
    let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
    for name in names.split_whitespace() {
        game.play(Point::parse(name, game.size()).unwrap()).unwrap();
    }
    game
}

fn choose(client: &mut Client, names: &str) -> Result<String, ClientError> {
    let game = game(names);
    let reply = client.choose(&game, None, &mut || false)?;
    Ok(reply.point.name(game.size()).to_string())
}

/// The moves of a fake at 0,14, 1,14, … in a game where the client asks three times.
fn plays_on(setup: Setup) {
    let way = setup.arguments[1].clone();
    let mut client = Client::start(setup, &mut || false).unwrap_or_else(|error| panic!("{way:?}: {error}"));
    let mut moves = String::from("H8");
    for expected in ["A1", "B1", "C1"] {
        let answer = choose(&mut client, &moves).unwrap_or_else(|error| panic!("{way:?}: {error}"));
        assert_eq!(answer, expected, "{way:?} after {moves}");
        let reply = format!(" {answer} {}15", &answer[..1]);
        moves.push_str(&reply);
    }
}

fn fails(way: &str) -> ClientError {
    let mut client =
        Client::start(hasty(way), &mut || false).unwrap_or_else(|error| panic!("{way}: {error}"));
    choose(&mut client, "H8").expect_err(way)
}

#[test]
fn odd_brains_are_played_with_all_the_same() {
    for way in [
        "behaves",
        "complains-and-plays",
        "complains-of-info",
        "talks",
        "no-newline",
        "suggests",
        "suggests-only",
        "carriage-returns",
        "twice",
        "starts-verbosely",
        "silent-about",
    ] {
        plays_on(patient(way));
    }
    plays_on(Setup { start_timeout: PATIENCE, ..patient("complains-and-starts") });
}

#[test]
fn brains_that_drop_early_commands_get_their_pause() {
    plays_on(Setup { settle: Duration::from_secs(1), ..patient("drops") });
}

#[test]
fn a_move_in_the_last_breath_counts() {
    let mut client = Client::start(patient("last-breath"), &mut || false).unwrap();
    assert_eq!(choose(&mut client, "H8").unwrap(), "A1");
    // The next question finds it gone.
    let error = choose(&mut client, "H8 A1 A15").unwrap_err();
    assert!(matches!(error, ClientError::Crashed { .. }), "{error}");
    // The one after that starts it anew.
    assert_eq!(choose(&mut client, "H8 A1 A15").unwrap(), "K1");
}

#[test]
fn brains_that_do_not_start_are_named() {
    let start = |way: &str| {
        let setup = Setup { start_timeout: Duration::from_secs(1), ..patient(way) };
        Client::start(setup, &mut || false).map(|_| ()).expect_err(way)
    };
    assert!(matches!(start("never-starts"), ClientError::NoStart { .. }));
    assert!(matches!(start("echoes"), ClientError::NoStart { .. }), "an answer, but no brain's");
    match start("refuses") {
        ClientError::Refused { answer } => assert_eq!(answer, "ERROR size"),
        other => panic!("{other}"),
    }
    let setup = patient("dies-at-start");
    match Client::start(setup, &mut || false).map(|_| ()).unwrap_err() {
        ClientError::Crashed { status, last_words } => {
            assert_eq!(status.and_then(|status| status.code()), Some(1));
            assert_eq!(last_words, "no licence");
        }
        other => panic!("{other}"),
    }
    for program in
        ["no such program", "/no/such/program", "/", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]
    {
        let setup = Setup::new(program, Size::DEFAULT, Rule::Freestyle, PATIENCE);
        let error = Client::start(setup, &mut || false).map(|_| ()).expect_err(program);
        assert!(matches!(error, ClientError::Spawn { .. }), "{error}");
        assert!(error.to_string().contains(program), "{error}");
    }
}

#[test]
fn brains_that_make_no_move_are_named() {
    for (way, said) in
        [("hangs", None), ("rubbish", Some("I resign")), ("floods", None), ("floods-one-line", None)]
    {
        match fails(way) {
            ClientError::Hung { answer, .. } => assert_eq!(answer.as_deref(), said, "{way}"),
            other => panic!("{way}: {other}"),
        }
    }
    match fails("complains") {
        ClientError::Refused { answer } => assert_eq!(answer, "ERROR I would rather not"),
        other => panic!("{other}"),
    }
}

#[test]
fn brains_that_crash_are_named_with_their_last_words() {
    let mut client = Client::start(patient("crashes"), &mut || false).unwrap();
    match choose(&mut client, "H8").unwrap_err() {
        ClientError::Crashed { status, last_words } => {
            assert_eq!(status.and_then(|status| status.code()), Some(3));
            assert_eq!(last_words, "out of cheese");
        }
        other => panic!("{other}"),
    }
    // A child that holds the pipes open does not hide the end.
    let mut client = Client::start(patient("orphans"), &mut || false).unwrap();
    let error = choose(&mut client, "H8").unwrap_err();
    assert!(matches!(error, ClientError::Crashed { .. }), "{error}");
}

#[test]
fn brains_that_cheat_are_named() {
    let cheats = |way: &str| {
        let mut client = Client::start(patient(way), &mut || false).unwrap();
        match choose(&mut client, "H8").expect_err(way) {
            ClientError::Illegal { answer, error } => (answer, error),
            other => panic!("{way}: {other}"),
        }
    };
    assert_eq!(cheats("occupied"), ("7,7".to_owned(), PlayError::Occupied));
    assert_eq!(cheats("off-board"), ("15,99".to_owned(), PlayError::OffBoard));
    assert_eq!(cheats("huge").1, PlayError::OffBoard);
}

#[test]
fn another_position_restarts_the_game_or_the_process() {
    for way in ["behaves", "no-restart", "silent-restart"] {
        let mut client = Client::start(patient(way), &mut || false).unwrap();
        assert_eq!(choose(&mut client, "H8").unwrap(), "A1");
        assert_eq!(choose(&mut client, "H8 A1 I9").unwrap(), "B1");
        // Two moves were taken back: the position is told as a whole, and fakes then play from K1 on.
        assert_eq!(choose(&mut client, "H8 A1 J10").unwrap(), "K1", "{way}");
        assert_eq!(choose(&mut client, "H8 A1 J10 K1 A9").unwrap(), "L1", "{way}");
        // A new game that the brain begins.
        assert_eq!(choose(&mut client, "").unwrap(), "A1", "{way}");
    }
}

#[test]
fn the_caller_may_stop_waiting() {
    let mut client = Client::start(patient("hangs"), &mut || false).unwrap();
    let mut asked = 0;
    let error = client
        .choose(&game("H8"), None, &mut || {
            asked += 1;
            asked > 3
        })
        .unwrap_err();
    assert!(matches!(error, ClientError::Stopped), "{error}");
}

#[test]
fn a_brain_that_does_not_end_is_ended() {
    let mut client = Client::start(patient("never-ends"), &mut || false).unwrap();
    assert_eq!(choose(&mut client, "H8").unwrap(), "A1");
    client.close();
    assert_eq!(choose(&mut client, "").unwrap(), "A1", "it may be asked again");
}

#[test]
fn the_name_is_learnt_with_the_first_move() {
    let mut client = Client::start(patient("behaves"), &mut || false).unwrap();
    choose(&mut client, "H8").unwrap();
    assert_eq!(client.name(), Some("Fake"));
}

#[test]
fn this_brain_is_played_with_under_every_rule() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let turn = Duration::from_millis(100);
        let mut setup = Setup::new(env!("CARGO_BIN_EXE_wuzi-brain"), Size::MIN, rule, turn);
        setup.start_timeout = PATIENCE;
        setup.grace = PATIENCE;
        setup.settle = Duration::ZERO;
        setup.info.push(("max_node".to_owned(), "200".to_owned()));
        let mut client = Client::start(setup, &mut || false).unwrap();
        let mut game = Game::new(Size::MIN, rule);
        while !game.outcome().is_over() {
            // The other side plays the first free point.
            let reply = client.choose(&game, Some(PATIENCE), &mut || false).unwrap();
            game.play(reply.point).unwrap();
            let free = game.board().empty_points().next();
            if let Some(free) = free
                && !game.outcome().is_over()
            {
                game.play(free).unwrap();
            }
        }
        assert_eq!(client.name(), Some("Wuzi"));
        assert_eq!(game.outcome().winner(), Some(wuzi_engine::Color::Black), "{rule:?}");
    }
}
