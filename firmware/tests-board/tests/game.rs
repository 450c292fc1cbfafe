// SPDX-License-Identifier: GPL-2.0-only
//! Games by touch: moves, buttons, lamps and beeps.

use wuzi_board::Key;
use wuzi_board_tests::{Player, game_of, place};
use wuzi_engine::classic::{Scored, Table};
use wuzi_engine::{Point, Size};

#[test]
fn a_whole_game_against_hard_is_played_by_touch() {
    let mut player = Player::at_menu();
    player.begin_pve(2);
    let mut moves: Vec<Point> = Vec::new();
    // The person plays close to the middle, which is enough for a game but not for a win. `game_of`
    // refuses every move that is not possible.
    while !game_of(&moves).outcome().is_over() {
        let log = player.log_length();
        let game = game_of(&moves);
        let middle = Size::DEFAULT.centre();
        let distance = |point: &Point| point.x.abs_diff(middle.x).max(point.y.abs_diff(middle.y));
        let point = game.board().empty_points().min_by_key(distance).expect("an empty point");
        player.tap(place::point(point.x, point.y));
        assert_eq!(player.wait_for_move(log, moves.len() + 1), point, "{}", player.board.uart());
        moves.push(point);
        if !game_of(&moves).outcome().is_over() {
            moves.push(player.wait_for_move(log, moves.len() + 1));
        }
        player.pass(100);
    }
    player.pass(1000);
    let events = player.board.events().len();
    player.pass(3000);
    assert_eq!(
        player.lamp_since(0, events).len() + player.lamp_since(1, events).len(),
        0,
        "dark after the end"
    );
    assert_eq!(player.board.resets(), 0);
    // The dialog: the same game anew.
    player.tap(place::RESTART);
    let log = player.log_length();
    player.play("H8");
    assert_eq!(player.wait_for_move(log, 1), Size::DEFAULT.centre());
}

#[test]
fn every_point_can_be_touched_and_only_when_it_is_empty() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    // Whole rows, two apart, then those between: the sides alternate along each row, and a column or
    // a diagonal of one side is broken by the order of the rows.
    let mut moves: Vec<Point> = Vec::new();
    for y in [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13_u8] {
        for x in 0..15_u8 {
            let point = Point::new(x, y);
            if game_of(&moves).outcome().is_over() || would_end(&moves, point) {
                continue;
            }
            let log = player.log_length();
            player.tap(place::point(x, y));
            moves.push(point);
            assert_eq!(player.moves_since(log), [(moves.len(), point)]);
            if x == 7 {
                player.tap(place::point(x, y));
                assert_eq!(player.moves_since(log).len(), 1, "a stone stands there");
            }
        }
    }
    assert!(moves.len() > 150, "{} points", moves.len());
}

#[test]
fn each_move_is_logged_with_its_scores() {
    let mut player = Player::at_menu();
    player.begin_pve(1);
    let log = player.log_length();
    // G7 scores beside H8. If the computer stands at one of the points, the next in its row is played; there
    // are more of them than the computer has stones.
    for (number, mut x, y) in [(2, 7, 7), (4, 2, 12), (6, 6, 8), (8, 11, 3)] {
        while player.moves_since(log).iter().any(|&(_, point)| point == Point::new(x, y)) {
            x += 1;
        }
        player.tap(place::point(x, y));
        player.wait_for_move(log, number);
        player.pass(50);
    }
    let moves: Vec<Point> = player.moves_since(log).into_iter().map(|(_, point)| point).collect();
    assert_eq!(moves.len(), 8);
    let mut attacks = 0;
    for (index, &point) in moves.iter().enumerate() {
        let game = game_of(&moves[..index]);
        let Scored { attack, defence, .. } = Scored::new(&game, point, Table::Original);
        let (number, color, name) = (index + 1, game.to_move(), point.name(Size::DEFAULT));
        let line = format!("DEBUG move {number}: {color:?} {name}, attack {attack}, defence {defence}\r\n");
        assert!(
            player.board.uart()[log..].contains(&line),
            "{line:?} is missing in\n{}",
            player.board.uart()
        );
        attacks = attacks.max(attack);
    }
    assert!(attacks > 1, "some move scores");
}

fn would_end(moves: &[Point], point: Point) -> bool {
    game_of(&[moves, &[point]].concat()).outcome().is_over()
}

#[test]
fn the_nearest_point_counts_up_to_half_a_cell_outside() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    let tap = |player: &mut Player, place| {
        let log = player.log_length();
        player.tap(place);
        player.moves_since(log).into_iter().map(|(_, point)| point).next()
    };
    let (x, y) = place::point(14, 0);
    assert_eq!(tap(&mut player, (x + 13, y - 13)), Some(Point::new(14, 0)));
    let (x, y) = place::point(7, 7);
    assert_eq!(tap(&mut player, (x - 14, y - 14)), Some(Point::new(7, 7)), "truncation would miss it");
    let (x, y) = place::point(3, 14);
    assert_eq!(tap(&mut player, (x, y + 20)), None, "too far outside");
}

#[test]
fn undo_takes_one_stone_between_people_and_two_against_the_computer() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    player.play("H8");
    player.play("I8");
    player.tap(place::UNDO);
    let log = player.log_length();
    player.play("J8");
    assert_eq!(player.wait_for_move(log, 2), Point::new(9, 7));
    player.tap(place::PAUSE);
    player.tap(place::QUIT);
    player.begin_pve(1);
    let log = player.log_length();
    player.play("H8");
    player.wait_for_move(log, 2);
    player.pass(200);
    player.tap(place::UNDO);
    let log = player.log_length();
    player.play("G7");
    assert_eq!(player.wait_for_move(log, 1), Point::new(6, 8));
}

#[test]
fn help_plays_a_stone_and_pause_keeps_stones_away() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    let log = player.log_length();
    player.tap(place::HELP);
    player.wait_for_move(log, 1);
    player.pass(100);
    player.tap(place::PAUSE);
    let log = player.log_length();
    player.play("A1");
    player.play("O15");
    assert_eq!(player.moves_since(log), [], "paused");
    player.tap(place::CLOSE);
    player.play("A1");
    assert_eq!(player.moves_since(log).len(), 1);
}

#[test]
fn the_keys_undo_help_and_pause() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    player.play("H8");
    player.play("H9");
    player.press(Key::Key0);
    let log = player.log_length();
    player.press(Key::Key1);
    player.wait_for_move(log, 2);
    player.press(Key::Key2);
    let log = player.log_length();
    player.play("A1");
    assert_eq!(player.moves_since(log), [], "paused");
    player.press(Key::Key2);
    player.play("A1");
    assert_eq!(player.moves_since(log).len(), 1);
}

#[test]
fn the_lamp_of_the_side_to_move_blinks_once_a_second() {
    let mut player = Player::at_menu();
    let events = player.board.events().len();
    player.pass(3000);
    assert_eq!(
        player.lamp_since(0, events).len() + player.lamp_since(1, events).len(),
        0,
        "dark in the menu"
    );
    player.begin_pvp();
    for (lamp, column) in [(0, 3), (1, 4), (0, 5)] {
        player.pass(1000);
        let events = player.board.events().len();
        player.pass(5000);
        let changes = player.lamp_since(lamp, events);
        assert_eq!(changes.len(), 10, "lamp {lamp}: {changes:?}");
        assert!(changes.windows(2).all(|pair| (499..=501).contains(&(pair[1].0 - pair[0].0))), "{changes:?}");
        assert_eq!(player.lamp_since(1 - lamp, events), []);
        player.tap(place::point(column, 7));
    }
}

#[test]
fn a_stone_beeps_once_and_five_in_a_rhythm() {
    let mut player = Player::at_menu();
    player.begin_pvp();
    player.pass(500);
    let events = player.board.events().len();
    player.play("H8");
    player.pass(500);
    assert_eq!(player.beeps_since(events), [100]);
    for name in ["A1", "I8", "A2", "J8", "A3", "K8", "A4"] {
        player.play(name);
    }
    player.pass(500);
    let events = player.board.events().len();
    player.play("L8");
    player.pass(3000);
    assert_eq!(player.beeps_since(events), [300, 300, 300, 600]);
    // Then the dialog; its button leads to the menu.
    player.tap(place::QUIT);
    player.begin_pvp();
    let log = player.log_length();
    player.play("A1");
    assert_eq!(player.moves_since(log).len(), 1);
}

#[test]
fn the_levels_answer_in_their_time() {
    for (level, limit_ms) in [(0, 100), (1, 100), (2, 1000)] {
        let mut player = Player::at_menu();
        player.begin_pve(level);
        for (number, (x, y)) in [(1, (7, 7)), (3, (0, 0)), (5, (14, 3)), (7, (2, 12))] {
            let log = player.log_length();
            player.tap(place::point(x, y));
            player.wait_for_move(log, number);
            player.wait_for_move(log, number + 1);
            let thought = player.thought_ms(log);
            assert!(thought <= limit_ms, "level {level}: {thought} ms");
        }
    }
}

#[test]
fn pause_works_while_master_thinks() {
    let mut player = Player::at_menu();
    player.begin_pve(4);
    player.play("H8");
    let log = player.log_length();
    player.tap(place::PAUSE);
    player.pass(6000);
    assert_eq!(player.moves_since(log), [], "a paused computer plays nothing");
    player.tap(place::CLOSE);
    player.wait_for_move(log, 2);
    assert_eq!(player.board.resets(), 0);
    // The search, and on top of it a dialog that comes to be: the stack is never deeper.
    let memory = player.memory();
    assert!(memory.stack >= memory.stack_peak + 4096, "{memory:?}");
}
