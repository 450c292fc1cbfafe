// SPDX-License-Identifier: GPL-2.0-only
//! Scripts on the emulated board.

mod support;

use std::path::Path;

use wuzi_board::Frame;
use wuzi_board::script::{self, Runner, ScriptError};

fn run(image: &str, text: &str, out: &Path) -> Result<(), ScriptError> {
    let mut board = support::board(image);
    Runner::new(&mut board, out, out).run(&script::parse(text)?)
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn lamps_and_serial_text_are_checked() {
    let out = folder("script-lamp");
    let script = "until 1s Hz\nexpect uart '168000000 Hz'\nmark\nwait 1s\nexpect lamp DS0 5\nexpect lamp DS1 off\n\
                  expect buzzer\nexpect resets 0\nexpect no-warnings\nexpect no-faults\nexpect dark\n";
    assert_eq!(run("lamp", script, &out), Ok(()));
    for (line, wrong) in [
        "expect uart nothing",
        "expect lamp DS0 1.0",
        "expect buzzer 100",
        "expect resets 1",
        "expect visible",
        "until 10ms nothing",
    ]
    .into_iter()
    .enumerate()
    {
        let script = format!("wait 300ms\n{}{wrong}\n", "\n".repeat(line));
        let error = run("lamp", &script, &out).unwrap_err();
        assert_eq!(error.line, line + 2, "{wrong}: {error}");
    }
}

#[test]
fn pictures_are_written_and_compared() {
    let out = folder("script-lcd");
    let script = "until 1s 'line in'\nshot green\nexpect picture green.png\nexpect pixel 3 99 00ff00\nexpect visible\n";
    assert_eq!(run("lcd", script, &out), Ok(()));
    let mut picture = Frame::load(&out.join("green.png")).unwrap();
    picture.pixels[1000] ^= 0x20;
    picture.pixels[2000] ^= 0x20;
    picture.save(&out.join("other.png")).unwrap();
    let compare = |allowed: &str| {
        run("lcd", &format!("until 1s 'line in'\nexpect picture other.png {allowed}\n"), &out)
    };
    assert_eq!(compare("2"), Ok(()));
    let error = compare("1").unwrap_err();
    assert!(error.what.contains("2 pixels differ") && error.what.contains("(40, 2)"), "{error}");
    assert!(out.join("differs-other.png").exists());
}

#[test]
fn a_power_cut_and_a_reset_are_counted() {
    let out = folder("script-faults");
    let script =
        "until 1s 'by power'\nreset\nuntil 1s 'by pin'\npower-cut\nuntil 1s 'by power'\nexpect resets 2\n";
    assert_eq!(run("faults", script, &out), Ok(()));
}

/// What can happen to the core and its memory.
#[test]
fn the_core_hangs_jumps_and_runs_out_of_stack() {
    let out = folder("script-core");
    for (fault, seen) in [
        ("hang\n", ""),
        // An undefined instruction in the RAM.
        (
            "poke 0x2001F000 0x00 0xDE\njump 0x2001F000\n",
            "until 50ms 'hard fault pc 2001f000 cfsr 00010000'\n",
        ),
        ("stack 0x10008020 64\nsend b\n", ""),
    ] {
        let script = format!(
            "until 1s 'by power'\nwait 100ms\nexpect resets 0\n{fault}{seen}until 1s 'by watchdog'\nexpect resets 1\n"
        );
        assert_eq!(run("faults", &script, &out), Ok(()), "{fault}");
    }
    for (line, wrong) in
        ["jump no_such_symbol", "poke 0x08000000 1", "stack 0x20020000 4"].into_iter().enumerate()
    {
        let script = format!("wait 1ms\n{}{wrong}\n", "\n".repeat(line));
        assert_eq!(run("faults", &script, &out).unwrap_err().line, line + 2, "{wrong}");
    }
}

/// The program itself: exit status, files, and an EEPROM that outlives the run.
#[test]
fn the_program_keeps_the_eeprom_and_writes_its_logs() {
    let out = folder("script-program");
    let (eeprom, script) = (out.join("eeprom.bin"), out.join("script.txt"));
    let _ = std::fs::remove_file(&eeprom);
    let run = |text: &str| {
        std::fs::write(&script, text).unwrap();
        std::process::Command::new(env!("CARGO_BIN_EXE_wuzi-board"))
            .arg("run")
            .arg("--elf")
            .arg(support::images().join("devices"))
            .arg("--eeprom")
            .arg(&eeprom)
            .arg("--script")
            .arg(&script)
            .arg("--out")
            .arg(&out)
            .output()
            .unwrap()
    };
    let first = run("until 1s 'eeprom held [ff, ff]'\nuntil 1s 'eeprom holds [00, a5, ff]'\n");
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    assert!(String::from_utf8_lossy(&first.stdout).contains(" s emulated, "));
    assert_eq!(std::fs::read(&eeprom).unwrap()[0x20..0x22], [0x00, 0xA5]);
    let second = run("until 1s 'eeprom held [00, a5]'\nnack eeprom 1\nwait 10ms\nexpect uart never\n");
    assert!(!second.status.success());
    let message = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(message.contains("script.txt: line 4: the serial line did not show: never"), "{message}");
    let log = std::fs::read_to_string(out.join("events.log")).unwrap();
    assert!(log.contains("reset power-on") && log.contains("uart eeprom held [00, a5]"), "{log}");
    assert!(std::fs::read_to_string(out.join("uart.txt")).unwrap().starts_with("uid "));
    std::fs::write(&eeprom, [1, 2, 3]).unwrap();
    let third = run("wait 1ms\n");
    assert!(String::from_utf8_lossy(&third.stderr).contains("an EEPROM holds 256 bytes"));
}
