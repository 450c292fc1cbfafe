// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many fast games over the protocol. `WUZI_STORM_GAMES` tells how many for each rule (16), and
//! `WUZI_STORM_TOLERANCE` by how many milliseconds a move may be late: by default more than a loaded
//! machine holds a program up, so that the test shows hung searches and illegal moves, not the load.

#[allow(dead_code)]
mod support;

use support::output;

fn setting(name: &str, usual: u32) -> String {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual).to_string()
}

#[test]
fn fast_games_end_without_faults() {
    let brain = env!("CARGO_BIN_EXE_wuzi-brain");
    let games = setting("WUZI_STORM_GAMES", 16);
    let tolerance = setting("WUZI_STORM_TOLERANCE", 2000);
    let openings = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openings.txt");
    for rule in ["freestyle", "standard", "renju"] {
        let arguments = [
            brain,
            brain,
            "--openings",
            openings,
            "--rule",
            rule,
            "--games",
            &games,
            "--turn",
            "25",
            "--match",
            "4000",
            "--tolerance",
            &tolerance,
            "--quiet",
            "--concurrency",
            "2",
        ];
        let (status, text, errors) = output(env!("CARGO_BIN_EXE_wuzi-match"), &arguments, b"");
        assert!(status.success(), "{errors}");
        assert!(text.contains(&format!(" {games} games, ")), "{text}");
        assert!(text.ends_with("games lost by time, illegal moves or failures: 0, 0\n"), "{text}");
    }
}
