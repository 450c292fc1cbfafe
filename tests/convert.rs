// SPDX-License-Identifier: GPL-3.0-only
//! `wuzi convert` as a user runs it.
#![cfg(feature = "desktop")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn convert(directory: &Path, arguments: &[&str]) -> Output {
    convert_in("C", directory, arguments)
}

/// On a system that is set to this language.
fn convert_in(locale: &str, directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wuzi"))
        .current_dir(directory)
        .arg("convert")
        .args(arguments)
        // No window is needed.
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env("LC_ALL", locale)
        .output()
        .expect("the program runs")
}

#[test]
fn a_game_goes_through_every_format_and_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let first = "# board 15, row 1 at the bottom\nh8 i9 g7 a15 o1\n";
    fs::write(dir.path().join("0.txt"), first).unwrap();
    for (input, output) in [
        ("0.txt", "1.sgf"),
        ("1.sgf", "2.psq"),
        ("2.psq", "3.lib"),
        ("3.lib", "4.pos"),
        ("4.pos", "5.SGF"),
        ("5.SGF", "6.txt"),
    ] {
        let ran = convert(dir.path(), &[input, output]);
        assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
    }
    assert_eq!(fs::read_to_string(dir.path().join("6.txt")).unwrap(), first);
}

#[test]
fn pictures_are_written_and_not_read() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.txt"), "h8i9").unwrap();
    for (output, magic) in [("b.png", &b"\x89PNG\r\n"[..]), ("b.GIF", b"GIF89a")] {
        let ran = convert(dir.path(), &["a.txt", output]);
        assert!(ran.status.success(), "{ran:?}");
        assert!(fs::read(dir.path().join(output)).unwrap().starts_with(magic));
    }
    let ran = convert(dir.path(), &["b.png", "c.sgf"]);
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(ran.stderr, b"wuzi: b.png: a picture is written, never read\n");
}

#[test]
fn the_origin_of_a_text_can_be_said() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.txt"), "h8i9").unwrap();
    assert!(convert(dir.path(), &["a.txt", "b.txt", "--row-one", "top"]).status.success());
    let text = fs::read_to_string(dir.path().join("b.txt")).unwrap();
    assert_eq!(text, "# board 15, row 1 at the bottom\nh8 i7\n");
}

#[test]
fn what_is_wrong_is_said_in_the_language_of_the_system() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.sgf"), "(;GM[4]\n;B[hh];W[hh])").unwrap();
    fs::write(dir.path().join("large.txt"), "# board 19\nh8").unwrap();
    for (input, output, message) in [
        ("bad.sgf", "out.psq", "wuzi: bad.sgf：第 2 行第 8 列：这一点已有棋子\n"),
        ("none.sgf", "out.psq", "wuzi: none.sgf：没有这个文件或目录\n"),
        ("large.txt", "out.lib", "wuzi: out.lib：这种格式只能存 15×15 棋盘的对局"),
        ("large.txt", "out.doc", "wuzi: out.doc：没有格式用这个扩展名；可用 .sgf .psq .lib .pos .txt"),
        ("large.png", "out.sgf", "wuzi: large.png：图片只写不读\n"),
    ] {
        let ran = convert_in("zh_CN.UTF-8", dir.path(), &[input, output]);
        assert_eq!(ran.status.code(), Some(2));
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert!(stderr.starts_with(message), "{stderr}");
    }
}

#[test]
fn bad_input_ends_with_code_2_and_says_the_file_the_place_and_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.sgf"), "(;GM[4]\n;B[hh];W[hh])").unwrap();
    fs::write(dir.path().join("large.txt"), "# board 19\nh8").unwrap();
    for (arguments, message) in [
        (&["bad.sgf", "out.psq"][..], "wuzi: bad.sgf: line 2, column 8: a stone stands on that point\n"),
        (&["none.sgf", "out.psq"], "wuzi: none.sgf: "),
        (&["large.txt", "out.lib"], "wuzi: out.lib: this format holds games on 15×15 boards only"),
        (&["large.txt", "out.doc"], "wuzi: out.doc: no format has this extension; known are .sgf"),
        (&["large", "out.sgf"], "wuzi: large: no format has this extension"),
        #[cfg(unix)]
        (
            &["large.txt", "no/such/out.sgf"],
            "wuzi: no/such/out.sgf: No such file or directory (os error 2)\n",
        ),
        (&["."], "error: the following required arguments were not provided"),
    ] {
        let ran = convert(dir.path(), arguments);
        let stderr = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{arguments:?}");
        assert!(stderr.starts_with(message), "{arguments:?}: {stderr}");
        assert!(ran.stdout.is_empty());
    }
    let mut files: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["bad.sgf", "large.txt"], "no half-written file is left");
}
