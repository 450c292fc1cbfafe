// SPDX-License-Identifier: MIT OR Apache-2.0
//! The brain over its pipes, as a manager sees it.

#[allow(dead_code)]
mod support;

use std::collections::HashSet;

use support::{Brain, output, read_move};
use wuzi_engine::{Game, Outcome, Point, Rule, Size};

fn board(stones: &[(u8, u8, u8)]) -> String {
    let lines: String = stones.iter().map(|(x, y, field)| format!("{x},{y},{field}\r\n")).collect();
    format!("BOARD\r\n{lines}DONE")
}

#[test]
fn about_names_the_program() {
    let answer = Brain::new().ask("ABOUT");
    for part in ["name=\"Wuzi\"", "version=\"", "author=\"", "country=\""] {
        assert!(answer.contains(part), "{answer}");
    }
}

#[test]
fn sizes_from_10_to_20_are_played() {
    let mut brain = Brain::new();
    brain.send("INFO timeout_turn 0");
    for lines in 10..=20u8 {
        assert_eq!(brain.ask(&format!("START {lines}")), "OK");
        assert_eq!(brain.ask_move("BEGIN"), (lines / 2, lines / 2));
        assert_eq!(brain.ask(&format!("RECTSTART {lines},{lines}")), "OK");
    }
    for bad in ["START 9", "START 21", "START 0", "START -15", "START 4294967311", "RECTSTART 15,16"] {
        brain.expect_error(bad);
    }
    assert_eq!(brain.ask("RESTART"), "OK");
    assert_eq!(brain.ask_move("BEGIN"), (10, 10), "the last board that was started");
}

#[test]
fn a_game_is_played_with_turns_and_takebacks() {
    let mut brain = Brain::started();
    let first = brain.ask_move("TURN 7,7");
    assert_ne!(first, (7, 7));
    let second = brain.ask_move("TURN 0,0");
    brain.expect_error(&format!("TAKEBACK {},{}", first.0, first.1));
    assert_eq!(brain.ask(&format!("TAKEBACK {},{}", second.0, second.1)), "OK");
    assert_eq!(brain.ask("TAKEBACK 0,0"), "OK");
    brain.expect_error("TAKEBACK 0,0");
    let mut stones = HashSet::from([(7, 7), first, (0, 1)]);
    let answer = brain.ask_move("TURN 0,1");
    assert!(stones.insert(answer), "the stone taken back is gone, the others are not");
    assert_eq!(brain.ask("RESTART"), "OK");
    assert_eq!(brain.ask_move("BEGIN"), (7, 7));
}

#[test]
fn what_cannot_be_played_is_refused_and_changes_nothing() {
    let mut brain = Brain::started();
    let (x, y) = brain.ask_move("BEGIN");
    for bad in [
        &format!("TURN {x},{y}"),
        "TURN 15,0",
        "TURN 0,15",
        "TURN -1,0",
        "TURN 256,0",
        "BEGIN",
        "PLAY 0,0",
        "TAKEBACK 3,3",
        "TAKEBACK 77,3",
        "TURN 1",
        "TURN",
        "DONE",
        "BOARD\n1,1,1\n1,1,2\nDONE",
        "BOARD\n1,1,1\nDONE",
        "BOARD\n1,1,3\nDONE",
        "BOARD\n15,1,2\nDONE",
        "BOARD\nhello\nDONE",
        "SWAP2BOARD\n1,1\nDONE",
        "SWAP2BOARD\n1,1\n1,1\n1,1\nDONE",
        "YXBOARD\n1,1,1\n2,2,1\nDONE",
    ] {
        brain.expect_error(bad);
    }
    brain.expect_silence();
    assert_eq!(brain.ask(&format!("TAKEBACK {x},{y}")), "OK", "the game is as it was");
}

#[test]
fn without_a_start_there_is_no_game() {
    let mut brain = Brain::new();
    for early in [
        "BEGIN",
        "TURN 7,7",
        "RESTART",
        "BOARD\nDONE",
        "TAKEBACK 7,7",
        "SWAP2BOARD\nDONE",
        "YXBOARD\nDONE",
        "YXSHOWFORBID",
    ] {
        brain.expect_error(early);
    }
    brain.expect_silence();
}

#[test]
fn unknown_commands_are_named_unknown() {
    let mut brain = Brain::started();
    for unknown in ["HELLO", "7,7", "五子棋", "\u{7}", "yxquit"] {
        let answer = brain.ask(unknown);
        assert!(answer.starts_with("UNKNOWN "), "{unknown:?}: {answer:?}");
    }
}

#[test]
fn info_is_never_answered() {
    let mut brain = Brain::started();
    for info in [
        "timeout_turn 50",
        "timeout_match 100000",
        "time_left 100000",
        "time_left -5",
        "time_left 2147483647",
        "max_memory 83886080",
        "max_memory 0",
        "max_memory 1",
        "game_type 1",
        "rule 1",
        "rule 8",
        "rule 4",
        "rule 99999999999999999999",
        "rule -1",
        "rule 0",
        "evaluate 7,7",
        "folder /no/such/folder",
        "max_depth 4",
        "max_node 1000",
        "hash_size 1024",
        "hash_size 99999999999999999999",
        "thread_num 1",
        "thread_num 100000",
        "no_such_key 5",
        "timeout_turn soon",
        "timeout_turn",
        "",
    ] {
        brain.send(&format!("INFO {info}"));
        brain.expect_silence();
    }
    brain.ask_move("TURN 7,7");
}

#[test]
fn rules_that_are_not_known_are_refused_until_one_is() {
    for mask in ["2", "3", "8", "9", "16", "99999999999999999999"] {
        let mut brain = Brain::started();
        brain.send(&format!("INFO rule {mask}"));
        for question in ["BEGIN", "TURN 7,7", "BOARD\n7,7,2\nDONE", "SWAP2BOARD\nDONE", "YXSHOWFORBID"] {
            if mask != "2" || question != "YXSHOWFORBID" {
                brain.expect_error(question);
            }
        }
        brain.send("INFO rule 1");
        brain.ask_move("TURN 7,7");
    }
}

#[test]
fn rule_2_is_renju_in_yixins_dialect() {
    let mut brain = Brain::started();
    brain.send("INFO thread_num 1");
    brain.send("INFO rule 2");
    // Black's overline point at 5,0 would make six.
    let stones: Vec<_> = [0, 1, 2, 3, 4].map(|x| (if x < 3 { x } else { x + 1 }, 0, 1)).into();
    let others: Vec<_> = [0, 2, 4, 6, 8].map(|x| (x, 14, 2)).into();
    brain.send(&board(&[stones, others].concat()).replace("BOARD", "YXBOARD"));
    assert_eq!(brain.ask("YXSHOWFORBID"), "FORBID 0300.");
}

#[test]
fn fives_are_made_and_stopped_under_every_rule() {
    for rule in [0, 1, 4] {
        let mut brain = Brain::started();
        brain.send(&format!("INFO rule {rule}"));
        let four = [5, 6, 7, 8].map(|x| (x, 7));
        let others = [(1, 1), (3, 3), (12, 1), (1, 12)];
        let stones = |own: [(u8, u8); 4], opponent: [(u8, u8); 4]| {
            let own = own.map(|(x, y)| (x, y, 1));
            let opponent = opponent.map(|(x, y)| (x, y, 2));
            [own, opponent].concat()
        };
        let (x, y) = brain.ask_move(&board(&stones(four, others)));
        assert!(y == 7 && (x == 4 || x == 9), "rule {rule}: {x},{y} makes no five");
        let mut stopped = stones(others, four);
        stopped.push((4, 7, 1));
        stopped.push((10, 12, 2));
        assert_eq!(brain.ask_move(&board(&stopped)), (9, 7), "rule {rule}");
    }
}

#[test]
fn a_board_need_not_come_in_the_order_of_play() {
    let mut brain = Brain::started();
    let stones = [(5, 7, 2), (6, 7, 2), (7, 7, 2), (8, 7, 2), (4, 7, 1), (1, 1, 1), (3, 3, 1)];
    assert_eq!(brain.ask_move(&board(&stones)), (9, 7));
}

#[test]
fn nothing_is_played_after_the_end() {
    let mut brain = Brain::started();
    let five = [5, 6, 7, 8, 9].map(|x| (x, 7, 2));
    let others = [1, 3, 5, 9].map(|x| (x, 1, 1));
    brain.expect_error(&board(&[&five[..], &others].concat()));
    assert_eq!(brain.ask("START 10"), "OK");
    // A full board but one point, without any row: the brain plays it, and then the game is over.
    let stones: Vec<(u8, u8, u8)> = Size::MIN
        .iter()
        .filter(|&point| point != Point::new(9, 9))
        .map(|point| (point.x, point.y, 2 - (point.x / 2 + point.y) % 2))
        .collect();
    let (own, opponent): (Vec<_>, Vec<_>) = stones.into_iter().partition(|stone| stone.2 == 1);
    assert_eq!((own.len(), opponent.len()), (49, 50));
    assert_eq!(brain.ask_move(&board(&[own, opponent].concat())), (9, 9));
    brain.expect_error("TURN 0,0");
}

#[test]
fn every_line_end_and_case_is_understood() {
    let mut brain = Brain::new();
    brain.send_bytes(b"info timeout_turn 50\nstart 15\rTurn 7 , 7\r\n\r\n\n");
    assert_eq!(brain.line(), "OK");
    assert!(read_move(&brain.line()).is_some());
    brain.expect_silence();
}

#[test]
fn endless_lines_and_bytes_that_are_no_text_are_survived() {
    let mut brain = Brain::started();
    brain.send_bytes(&vec![b'A'; 3 << 20]);
    let answer = brain.ask("");
    assert!(answer.starts_with("ERROR "), "{answer}");
    brain.send_bytes(b"\xff\xfe\xfd");
    let answer = brain.ask("");
    assert!(answer.starts_with("UNKNOWN "), "{answer}");
    brain.send_bytes(&b"BOARD\n".repeat(1000));
    brain.send("DONE");
    for _ in 0..999 {
        assert!(brain.line().starts_with("ERROR "));
    }
    let (x, y) = brain.ask_move("");
    assert_eq!((x, y), (7, 7), "the last BOARD was empty and done");
}

#[test]
fn yxstop_ends_a_long_search() {
    let mut brain = Brain::started();
    brain.send("INFO timeout_turn 86400000");
    brain.send("TURN 7,7");
    brain.send("YXSTOP");
    assert!(read_move(&brain.line()).is_some());
    // Out of turn it says and stops nothing.
    brain.send("YXSTOP");
    brain.expect_silence();
    brain.send("INFO timeout_turn 50");
    brain.ask_move("TURN 0,0");
}

#[test]
fn a_flood_of_commands_ends_the_search_they_wait_for() {
    for last in ["YXSTOP", "END"] {
        let mut brain = Brain::started();
        brain.send("INFO timeout_turn 86400000");
        brain.send("TURN 7,7");
        brain.send_bytes(&b"ABOUT\n".repeat(3000));
        brain.send(last);
        assert!(read_move(&brain.line()).is_some());
        for _ in 0..3000 {
            assert!(brain.line().starts_with("name="));
        }
    }
}

/// The system refuses a table as large as the manager grants; a smaller one does.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_done_without() {
    let program = env!("CARGO_BIN_EXE_wuzi-brain");
    let limited = format!("ulimit -v 600000; exec '{program}'");
    let input = "INFO hash_size 99999999\nINFO timeout_turn 50\nSTART 15\nTURN 7,7\nEND\n";
    let (status, text, errors) = output("sh", &["-c", &limited], input.as_bytes());
    assert!(status.success(), "{errors}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 2 && lines[0] == "OK" && read_move(lines[1]).is_some(), "{text}");
}

#[test]
fn end_exits_at_once_even_from_a_long_search() {
    let mut brain = Brain::started();
    brain.send("INFO timeout_turn 86400000");
    brain.send("TURN 7,7");
    brain.send("END");
    assert!(brain.exit().success());
    let mut brain = Brain::started();
    brain.send("END");
    assert!(brain.exit().success());
    assert!(brain.is_silent(), "END is not answered");
}

#[test]
fn the_end_of_the_input_ends_it_after_its_answers() {
    let mut brain = Brain::started();
    brain.send("TURN 7,7");
    brain.close_input();
    assert!(read_move(&brain.line()).is_some());
    assert!(brain.exit().success());
    assert!(brain.is_silent());
    let mut brain = Brain::started();
    brain.send_bytes(b"BOARD\n1,1,2\n");
    brain.close_input();
    assert!(brain.line().starts_with("ERROR "));
    assert!(brain.exit().success());
}

#[test]
fn forbidden_points_are_shown_under_renju_only() {
    let mut brain = Brain::started();
    // Two twos that cross at 7,7 make a three-three.
    let stones = [(6, 7, 1), (0, 0, 2), (8, 7, 1), (0, 14, 2), (7, 6, 1), (14, 0, 2), (7, 8, 1), (14, 14, 2)];
    brain.send(&board(&stones).replace("BOARD", "yxboard").replace("DONE", "done"));
    assert_eq!(brain.ask("YXSHOWFORBID"), "FORBID .");
    brain.send("INFO rule 4");
    assert_eq!(brain.ask("yxshowforbid"), "FORBID 0707.");
    brain.expect_error("TURN 7,7");
    brain.send("YXHASHCLEAR");
    brain.expect_silence();
}

#[test]
fn after_yxboard_begin_asks_for_the_move() {
    let mut brain = Brain::started();
    brain.send("YXBOARD\n7,7,2\nDONE");
    brain.expect_silence();
    assert_ne!(brain.ask_move("BEGIN"), (7, 7));
    brain.expect_error("BEGIN");
}

#[test]
fn swap2_is_played_from_every_side() {
    for rule in [0, 1, 4] {
        let mut brain = Brain::started();
        brain.send(&format!("INFO rule {rule}"));
        let opening = brain.ask("SWAP2BOARD\nDONE");
        let points: HashSet<_> = opening.split(' ').filter_map(read_move).collect();
        assert_eq!(points.len(), 3, "{opening}");
        let lines: String = opening.split(' ').map(|point| format!("{point}\n")).collect();
        // The opponent stays white.
        let free = (0..15).map(|x| (x, 7)).find(|point| !points.contains(point)).unwrap();
        let answer = brain.ask_move(&format!("TURN {},{}", free.0, free.1));
        assert!(!points.contains(&answer) && answer != free);
        // The other side of the table: three stones, then five.
        let mut brain = Brain::started();
        let answer = brain.ask(&format!("SWAP2BOARD\n{lines}DONE"));
        let taken = |answer: &str| read_move(answer).is_some_and(|point| points.contains(&point));
        assert!(answer == "SWAP" || read_move(&answer).is_some() && !taken(&answer), "{answer}");
        let answer = brain.ask(&format!("SWAP2BOARD\n{lines}12,7\n12,8\nDONE"));
        assert!(answer == "SWAP" || read_move(&answer).is_some() && !taken(&answer), "{answer}");
    }
}

#[test]
fn a_lost_white_is_swapped_away_and_a_won_one_kept() {
    let mut brain = Brain::started();
    // Five stones, white to move: black has an open three of three stones, white has nothing.
    let lost = "SWAP2BOARD\n7,7\n0,0\n8,7\n14,0\n9,7\nDONE";
    let kept = "SWAP2BOARD\n0,0\n7,7\n14,0\n8,7\n0,14\nDONE";
    let lost = brain.ask(lost);
    let kept = brain.ask(kept);
    assert!(read_move(&kept).is_some(), "{kept}");
    assert!(lost == "SWAP" || read_move(&lost).is_some_and(|(_, y)| y == 7), "{lost}");
}

#[test]
fn against_a_human_it_tells_what_it_found() {
    let mut brain = Brain::started();
    brain.send("INFO game_type 0");
    let first = brain.ask("BOARD\n7,7,2\n8,8,1\n7,8,2\nDONE");
    assert!(first.starts_with("MESSAGE depth "), "{first}");
    assert!(read_move(&brain.line()).is_some());
}

#[test]
fn a_whole_game_against_itself_is_legal() {
    for (rule, mask) in [(Rule::Freestyle, 0), (Rule::Standard, 1), (Rule::Renju, 4)] {
        let mut sides = [Brain::started(), Brain::started()];
        for side in &mut sides {
            side.send(&format!("INFO rule {mask}"));
            side.send("INFO max_node 300");
        }
        let mut game = Game::new(Size::DEFAULT, rule);
        let mut question = "BEGIN".to_owned();
        while !game.outcome().is_over() {
            let side = game.moves().len() % 2;
            let (x, y) = sides[side].ask_move(&question);
            game.play(Point::new(x, y)).expect("a legal move");
            question = format!("TURN {x},{y}");
        }
        assert!(
            !matches!(game.outcome(), Outcome::Win(_, wuzi_engine::WinReason::Forbidden(_))),
            "black keeps off the forbidden points"
        );
    }
}
