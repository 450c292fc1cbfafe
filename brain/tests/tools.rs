// SPDX-License-Identifier: MIT OR Apache-2.0
//! The batch tools and the match runner as programs.

#[allow(dead_code)]
mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use support::output;

const BRAIN: &str = env!("CARGO_BIN_EXE_wuzi-brain");
const MATCH: &str = env!("CARGO_BIN_EXE_wuzi-match");

fn answers(arguments: &[&str], input: &str) -> Vec<Value> {
    let (status, text, errors) = output(BRAIN, arguments, input.as_bytes());
    assert!(status.success(), "{errors}");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A folder of the test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn forbid_names_the_points_and_their_kinds() {
    let mut rows = [["."; 15]; 15];
    for (x, y) in [(6, 7), (8, 7), (7, 6), (7, 8), (0, 0), (1, 0), (2, 0), (4, 0), (5, 0)] {
        rows[y][x] = "X";
    }
    let rows: Vec<String> = rows.iter().map(|row| row.concat()).collect();
    let record = serde_json::json!({ "id": "a", "board": rows, "unknown": 1 });
    let answers = answers(&["forbid", "-"], &format!("{record}\n"));
    let forbidden = serde_json::json!({ "H8": "three-three", "D15": "overline" });
    assert_eq!(answers, [serde_json::json!({ "id": "a", "forbidden": forbidden })]);
}

#[test]
fn outcome_judges_by_the_rule_asked() {
    let input = "{\"moves\":\"a1a15b1b15c1c15e1e15f1f15d1\",\"rule\":\"standard\"}\n";
    assert_eq!(answers(&["outcome", "-"], input)[0]["outcome"], "none");
    let answer = &answers(&["outcome", "--rule", "freestyle", "-"], input)[0];
    assert_eq!((&answer["outcome"], &answer["ply"], &answer["id"]), (&"black".into(), &11.into(), &1.into()));
}

#[test]
fn solve_gives_a_line_that_wins() {
    // Black, to move, has an open three and two stones apart; white, to move, has nothing.
    let record = |to_move: &str| {
        format!(
            "{{\"id\":7,\"moves\":\"h8a1i8a15j8o1h5o15i6c1\",\"to_move\":\"{to_move}\",\"rule\":\"renju\"}}\n"
        )
    };
    for solver in ["vcf", "vct"] {
        let input = record("black") + &record("white");
        let answers = answers(&["solve", solver, "-", "--nodes", "10000"], &input);
        let [win, none] = &*answers else { panic!("{answers:?}") };
        assert_eq!((&win["id"], &win["result"]), (&7.into(), &"win".into()));
        let line: Vec<&str> =
            win["line"].as_array().expect("a line").iter().filter_map(Value::as_str).collect();
        assert!(line.len() % 2 == 1 && ["G8", "K8", "F8", "L8"].contains(&line[0]), "{line:?}");
        assert!(win["nodes"].as_u64() <= Some(10_000) && win["micros"].is_u64(), "{win}");
        assert_eq!((&none["result"], &none["line"]), (&"none".into(), &Value::Array(vec![])), "{solver}");
    }
}

#[test]
fn bench_tells_nodes_and_time() {
    let lines = answers(&["bench", "--time", "1"], "");
    assert_eq!(lines.len(), 7);
    assert!(lines.iter().all(|line| line["nodes"].as_u64() > Some(0)), "{lines:?}");
}

#[test]
fn bad_arguments_and_bad_lines_exit_with_2_and_say_where() {
    let two = |program: &str, arguments: &[&str], input: &str, reason: &str| {
        let (status, _, errors) = output(program, arguments, input.as_bytes());
        assert_eq!(status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(reason), "{arguments:?}: {errors}");
    };
    two(BRAIN, &["fly"], "", "fly");
    two(BRAIN, &["forbid"], "", "FILE");
    two(BRAIN, &["forbid", "no such file"], "", "no such file: cannot be read");
    two(BRAIN, &["forbid", "-"], "{\"moves\":\"\"}\n{}\n", "-: line 2: neither `board` nor `moves`");
    two(BRAIN, &["outcome", "-"], "hello\n", "line 1: no JSON");
    two(BRAIN, &["outcome", "-", "--rule", "chess"], "", "chess");
    two(BRAIN, &["solve", "vcx", "-"], "", "vcf, vct");
    two(BRAIN, &["solve", "vcf", "-", "--nodes", "many"], "", "many");
    two(BRAIN, &["solve", "vcf", "-", "--memory", "0"], "", "memory");
    two(MATCH, &["level:hard"], "", "SECOND");
    two(MATCH, &["level:hardest", "level:easy"], "", "hard");
    two(MATCH, &["level:easy", "level:easy", "--openings", "no such file"], "", "no such file");
    two(MATCH, &["level:easy", "level:easy", "--size", "9"], "", "10 to 20");
    two(MATCH, &["nodes:10:9999999999999999", "level:easy"], "", "more than 2097152");
    two(MATCH, &["level:easy", "no such program"], "", "could not be started");
    let openings = folder("bad-openings").join("openings.txt");
    fs::write(&openings, "0,0\n0,0, 99,0\n").expect("a file");
    let openings = openings.to_str().expect("text");
    two(MATCH, &["level:easy", "level:easy", "--openings", openings], "", "line 2: ");
}

#[test]
fn answers_before_a_bad_line_are_given() {
    let (status, text, _) = output(BRAIN, &["outcome", "-"], b"{\"id\":1,\"moves\":\"\"}\nx\n");
    assert_eq!((status.code(), text.lines().count()), (Some(2), 1));
}

#[test]
fn a_match_is_counted_and_its_games_saved() {
    let folder = folder("match");
    let openings = folder.join("openings.txt");
    fs::write(&openings, "0,0, 1,1\n1,0, 2,-1, 3,3\n").expect("a file");
    let saved = folder.join("games");
    let arguments = [
        "level:normal",
        "level:easy",
        "--openings",
        openings.to_str().expect("text"),
        "--games",
        "8",
        "--concurrency",
        "2",
        "--save",
        saved.to_str().expect("text"),
    ];
    let (status, first, errors) = output(MATCH, &arguments, b"");
    assert!(status.success(), "{errors}");
    assert!(first.contains("level:normal - level:easy: 8 games, freestyle 15×15"), "{first}");
    let result = |text: &str| text.lines().nth(1).map(str::to_owned);
    let counts: Vec<u32> = result(&first)
        .unwrap_or_default()
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    assert_eq!((counts.len(), counts.iter().sum::<u32>()), (3, 8), "{first}");
    for number in 1..=8 {
        let psq = fs::read_to_string(saved.join(format!("game-000{number}.psq"))).expect("a game");
        assert!(psq.starts_with("Piskvorky 15x15, 11:11, 0\r\n"), "{psq}");
        let sgf = fs::read_to_string(saved.join(format!("game-000{number}.sgf"))).expect("a game");
        let players = if number % 2 == 1 { "PB[level:normal]" } else { "PB[level:easy]" };
        assert!(sgf.contains(players), "colours are exchanged: {sgf}");
        let opening = if (number - 1) / 2 % 2 == 0 { ";B[hh];W[ii]" } else { ";B[ih];W[jg];B[kk]" };
        assert!(sgf.contains(opening), "each opening is played twice: {sgf}");
    }
    let (_, second, _) = output(MATCH, &arguments, b"");
    assert_eq!(result(&first), result(&second), "equal seeds play equally");
}

#[test]
fn a_test_of_hypotheses_ends_the_match_early() {
    let arguments =
        ["level:normal", "classic:easy-original", "--games", "10000", "--sprt", "-800", "-700", "--quiet"];
    let (status, text, errors) = output(MATCH, &arguments, b"");
    assert!(status.success(), "{errors}");
    assert!(text.contains("SPRT -800 -700: ELO1 accepted"), "{text}");
}

#[cfg(unix)]
#[test]
fn the_referee_blames_the_brain_that_fails() {
    let fake = |way: &str| format!("sh '{}/tests/fake-brain.sh' {way}", env!("CARGO_MANIFEST_DIR"));
    for (way, reason) in [
        ("occupied", "illegal move: the engine played 7,7, but a stone stands on that point"),
        ("off-board", "illegal move: the engine played 15,99, but the point is not on the board"),
        ("crashes", "the engine ended by itself"),
        ("hangs", "the engine made no move within"),
    ] {
        let openings = folder(way).join("openings.txt");
        fs::write(&openings, "0,0, 5,5\n").expect("a file");
        let openings = openings.to_str().expect("text");
        let fake = fake(way);
        let arguments =
            [&*fake, "level:normal", "--openings", openings, "--turn", "100", "--tolerance", "5000"];
        let (status, text, errors) = output(MATCH, &arguments, b"");
        assert!(status.success(), "{errors}");
        assert!(errors.contains(reason), "{way}: {errors}");
        assert!(text.contains("won 0, drawn 0, lost 2"), "{way}: {text}");
        assert!(text.ends_with("failures: 2, 0\n"), "{way}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn the_referee_keeps_the_time() {
    let fake = format!("sh '{}/tests/fake-brain.sh' behaves", env!("CARGO_MANIFEST_DIR"));
    // Nobody answers in no time at all, so who is to move first has lost.
    let arguments = [&*fake, "classic:normal-original", "--games", "2", "--turn", "0"];
    let (_, text, errors) = output(MATCH, &arguments, b"");
    assert!(text.ends_with("failures: 1, 1\n"), "{text}");
    assert_eq!(errors.matches("loss on time").count(), 2, "{errors}");
}

#[test]
fn a_proven_win_ends_the_game_if_asked_to() {
    let openings = folder("proven").join("openings.txt");
    // Black, to move, has an open three.
    fs::write(&openings, "0,0, 7,7, 1,0, -7,7, 2,0, 7,-7\n").expect("a file");
    let openings = openings.to_str().expect("text");
    let played = |more: &[&str]| {
        let arguments = [&["level:easy", "level:easy", "--openings", openings], more].concat();
        let (_, _, errors) = output(MATCH, &arguments, b"");
        errors
    };
    assert_eq!(played(&["--adjudicate", "1000"]).matches("after 6 stones, proven win").count(), 2);
    assert_eq!(played(&[]).matches("proven win").count(), 0);
    assert_eq!(played(&["--draw-after", "7"]).matches("draw after 7 stones, long game").count(), 2);
}
