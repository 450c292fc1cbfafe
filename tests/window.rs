// SPDX-License-Identifier: GPL-3.0-only
//! The program in a real window: clicks at the original's places, a game to its end. The pictures
//! are left in the directory that the test names, to be looked at.
//!
//! `WUZI_PROGRAM` names the program to test; without it, it is the one of this build.
#![cfg(target_os = "linux")]

#[path = "common/display.rs"]
mod display;

use std::path::PathBuf;

use display::{Display, Fault, Program};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use tempfile::TempDir;
use wuzi_camera::Picture;
use wuzi_camera::board::{place, stone};
use wuzi_engine::{Color, Game, Level, Player, Point, Rule, Size};

const WIDTH: u16 = 480;
const HEIGHT: u16 = 800;

fn program() -> PathBuf {
    std::env::var_os("WUZI_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_wuzi").into(), PathBuf::from)
}

struct Test {
    display: Display,
    program: Program,
    data: TempDir,
    pictures: PathBuf,
}

impl Test {
    fn start(name: &str) -> Result<Self, Fault> {
        Self::start_with(name, None)
    }

    /// Opens the program with a file of this content, or without one.
    fn start_with(name: &str, game: Option<&str>) -> Result<Self, Fault> {
        let display = Display::start(1000, 1000)?;
        let data = tempfile::tempdir()?;
        let file = data.path().join("my game 五.txt");
        if let Some(game) = game {
            std::fs::write(&file, game)?;
        }
        let file = file.to_str().ok_or("a readable path")?;
        let program = run(&display, &data, game.map(|_| file).as_slice())?;
        let pictures = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        println!("pictures: {}", pictures.display());
        display.wait_for_window()?;
        let test = Self { display, program, data, pictures };
        test.save_still("menu.png")?;
        Ok(test)
    }

    fn picture(&self) -> Result<Picture, Fault> {
        self.display.picture(WIDTH, HEIGHT)
    }

    fn save(&self, name: &str) -> Result<(), Fault> {
        wuzi_camera::write(&self.pictures.join(name), &self.picture()?);
        Ok(())
    }

    /// The same once the picture no longer changes.
    fn save_still(&self, name: &str) -> Result<(), Fault> {
        wuzi_camera::write(&self.pictures.join(name), &self.display.still_picture(WIDTH, HEIGHT)?);
        Ok(())
    }

    /// Clicks and waits until the picture has changed.
    fn click(&self, x: i16, y: i16) -> Result<(), Fault> {
        let before = self.picture()?;
        self.display.click(x, y)?;
        self.display.wait("a change of the picture", || Ok((self.picture()? != before).then_some(())))
    }

    fn click_point(&self, point: Point) -> Result<(), Fault> {
        let (x, y) = place(point);
        self.display.click(i16::try_from(x)?, i16::try_from(y)?)
    }

    /// The stones that the window shows.
    fn stones(&self) -> Result<Vec<(Point, Color)>, Fault> {
        let picture = self.picture()?;
        Ok(Size::DEFAULT.iter().filter_map(|point| Some((point, stone(&picture, place(point))?))).collect())
    }

    /// Waits until the window shows that many stones.
    fn wait_for_stones(&self, count: usize) -> Result<Vec<(Point, Color)>, Fault> {
        self.display.wait(&format!("stone {count}"), || {
            let stones = self.stones()?;
            Ok((stones.len() == count).then_some(stones))
        })
    }

    /// Whether a dialog dims the page.
    fn has_dialog(&self, page_without: &Picture) -> Result<bool, Fault> {
        let picture = self.picture()?;
        Ok((20..780).step_by(40).all(|y| brightness(&picture, 4, y) < brightness(page_without, 4, y)))
    }
}

/// How bright a pixel is, 0 to 255.
fn brightness(picture: &Picture, x: usize, y: usize) -> u32 {
    picture.pixel(x, y).into_iter().map(u32::from).sum::<u32>() / 3
}

fn run(display: &Display, data: &TempDir, more: &[&str]) -> Result<Program, Fault> {
    let dir = data.path().to_str().ok_or("a readable path")?;
    let args = ["--data-dir", dir, "--lang", "en", "--seed", "5", "--mute"];
    display.run(&program(), &[&args[..], more].concat())
}

#[test]
fn a_game_against_the_computer_is_played_to_its_end_with_real_clicks() -> Result<(), Fault> {
    let mut test = Test::start("game")?;
    test.click(240, 655)?;
    test.save_still("difficulty.png")?;
    test.click(240, 355)?;

    // The player behind the mouse plays at Hard, the program at Easy; the seed makes it repeat.
    let mut player = Player::new(1 << 16);
    let mut rng = SmallRng::seed_from_u64(9);
    let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
    test.wait_for_stones(0)?;
    while !game.outcome().is_over() {
        let choice = player.choose(&game, Level::Hard, None, &mut rng, &mut || false).ok_or("a move")?;
        game.play(choice.point)?;
        test.click_point(choice.point)?;
        let wanted = game.moves().len() + usize::from(!game.outcome().is_over());
        let stones = test.wait_for_stones(wanted)?;
        assert!(stones.contains(&(choice.point, Color::Black)), "the stone stands where it was clicked");
        if !game.outcome().is_over() {
            let answer =
                stones.iter().find(|(point, _)| game.board().is_empty_at(*point)).ok_or("an answer")?;
            assert_eq!(answer.1, Color::White);
            game.play(answer.0)?;
        }
        if game.moves().len() == 6 {
            test.save("game.png")?;
        }
    }
    assert_eq!(game.outcome().winner(), Some(Color::Black), "Hard beats Easy");
    let row = test.picture()?;
    wuzi_camera::write(&test.pictures.join("five.png"), &row);
    test.display.wait("the game-over dialog", || Ok(test.has_dialog(&row)?.then_some(())))?;
    test.save_still("game-over.png")?;

    // Restart, then quit to the menu through the pause dialog.
    test.click(140, 480)?;
    test.wait_for_stones(0)?;
    test.click_point(Size::DEFAULT.centre())?;
    test.wait_for_stones(2)?;
    test.click(20, 20)?;
    test.wait_for_stones(0)?;
    test.click(455, 20)?;
    test.save_still("pause.png")?;
    test.click(340, 480)?;
    test.display.key(0xFF1B)?;
    assert!(test.program.wait()?.success(), "Esc on the menu leaves the program");
    Ok(())
}

#[test]
fn a_killed_program_offers_the_game_again() -> Result<(), Fault> {
    let mut test = Test::start("killed")?;
    test.click(240, 555)?;
    for name in ["H8", "I9", "J10"] {
        test.click_point(Point::parse(name, Size::DEFAULT)?)?;
    }
    let before = test.wait_for_stones(3)?;
    test.program.kill();
    test.program = run(&test.display, &test.data, &[])?;
    test.display.wait_for_window()?;
    test.save_still("menu-again.png")?;
    test.click(240, 470)?;
    assert_eq!(test.wait_for_stones(3)?, before);
    Ok(())
}

/// The stones on the replay page, whose board stands higher than that of the game.
fn replayed(test: &Test) -> Result<Vec<(Point, Color)>, Fault> {
    let picture = test.picture()?;
    let found = |point: Point| {
        let (x, y) = place(point);
        stone(&picture, (x, y - 56))
    };
    Ok(Size::DEFAULT.iter().filter_map(|point| Some((point, found(point)?))).collect())
}

/// Goes to the end of the replay of `h8 i9 j10`, once it is there.
fn wait_for_replay(test: &Test) -> Result<(), Fault> {
    let point = |name: &str| Point::parse(name, Size::DEFAULT);
    let wanted = [(point("J10")?, Color::Black), (point("I9")?, Color::White), (point("H8")?, Color::Black)];
    test.display.wait("the game", || {
        test.display.key(0xFF57)?;
        let stones = replayed(test)?;
        Ok((stones.len() == 3 && wanted.iter().all(|stone| stones.contains(stone))).then_some(()))
    })
}

#[test]
fn a_file_that_the_command_line_names_is_replayed() -> Result<(), Fault> {
    let test = Test::start_with("named", Some("h8 i9 j10"))?;
    wait_for_replay(&test)?;
    test.save("replay.png")
}

#[test]
fn a_dropped_file_is_replayed() -> Result<(), Fault> {
    let test = Test::start("dropped")?;
    let file = test.data.path().join("my game 五.txt");
    std::fs::write(&file, "h8 i9 j10")?;
    let window = test.display.wait_for_window()?;
    test.display.drop_file(window, &file)?;
    wait_for_replay(&test)?;
    test.save("replay.png")?;

    // A file that is no game is said, and the replay stays.
    std::fs::write(&file, "no game")?;
    let before = test.display.still_picture(WIDTH, HEIGHT)?;
    test.display.drop_file(window, &file)?;
    test.display.wait("a message", || Ok((test.picture()? != before).then_some(())))?;
    test.save_still("refused.png")?;
    assert_eq!(replayed(&test)?.len(), 3);
    Ok(())
}

#[test]
fn a_position_is_copied_and_pasted_by_keys() -> Result<(), Fault> {
    let test = Test::start("copied")?;
    test.click(240, 555)?;
    for name in ["H8", "I9"] {
        test.click_point(Point::parse(name, Size::DEFAULT)?)?;
    }
    let stones = test.wait_for_stones(2)?;
    test.display.control_key(u32::from(b'c'))?;
    test.click(455, 20)?;
    test.click(340, 480)?;
    test.display.still_picture(WIDTH, HEIGHT)?;
    test.display.control_key(u32::from(b'v'))?;
    test.display.wait("the pasted position", || Ok((replayed(&test)? == stones).then_some(())))?;
    test.save_still("pasted.png")
}

/// An ALSA configuration whose default device is that, and a program that plays two stones on it.
fn play_with_sound_device(device: &str) -> Result<(String, TempDir), Fault> {
    let data = tempfile::tempdir()?;
    let config = data.path().join("asound.conf");
    std::fs::write(&config, device.replace("DIR", data.path().to_str().ok_or("a readable path")?))?;
    let display = Display::start(WIDTH, HEIGHT)?;
    let said = data.path().join("stderr");
    let dir = data.path().to_str().ok_or("a readable path")?;
    let config = config.to_str().ok_or("a readable path")?;
    let mut running = display.run_with(
        &program(),
        &["--data-dir", dir, "--lang", "en", "--new", "pvp"],
        &[("ALSA_CONFIG_PATH", config), ("WUZI_LOG", "wuzi=debug")],
        std::fs::File::create(&said)?.into(),
    )?;
    display.wait_for_window()?;
    for (x, y) in [(240, 360), (272, 360)] {
        let before = display.still_board(WIDTH)?;
        display.click(x, y)?;
        display.wait("a stone", || Ok((display.still_board(WIDTH)? != before).then_some(())))?;
    }
    // Either is heard or said before long.
    display.wait("a sound, or that there is none", || {
        let is_heard =
            std::fs::read(data.path().join("sound.raw")).is_ok_and(|raw| raw.iter().any(|&byte| byte != 0));
        Ok((is_heard || std::fs::read_to_string(&said)?.contains("no sound")).then_some(()))
    })?;
    // What the second stone has to say is said before the program ends by itself.
    let change = |what: &str, cause: &dyn Fn() -> Result<(), Fault>| -> Result<(), Fault> {
        let before = display.still_board(WIDTH)?;
        cause()?;
        display.wait(what, || Ok((display.still_board(WIDTH)? != before).then_some(())))?;
        display.still_picture(WIDTH, HEIGHT).map(drop)
    };
    change("the pause dialog", &|| display.key(0xFF1B))?;
    change("the menu", &|| display.click(340, 480))?;
    display.key(0xFF1B)?;
    running.wait()?;
    Ok((std::fs::read_to_string(said)?, data))
}

#[test]
fn a_stone_is_heard_on_the_sound_device() -> Result<(), Fault> {
    let file = "pcm.!default { type file slave.pcm { type null } file \"DIR/sound.raw\" format raw }";
    let (said, data) = play_with_sound_device(file)?;
    let raw = std::fs::read(data.path().join("sound.raw"))?;
    assert!(raw.iter().any(|&byte| byte != 0), "not only silence was played; the program said: {said}");
    assert!(!said.contains("no sound"), "{said}");
    let scores = said.lines().filter(|line| line.contains("attack") && line.contains("defence")).count();
    assert_eq!(scores, 2, "a line for each stone: {said}");
    Ok(())
}

#[test]
fn without_a_sound_device_one_line_says_so() -> Result<(), Fault> {
    let (said, _) = play_with_sound_device("")?;
    assert_eq!(said.lines().filter(|line| line.contains("no sound")).count(), 1, "{said}");
    assert!(!said.contains("ALSA lib"), "{said}");
    Ok(())
}

#[test]
fn without_a_display_the_program_says_what_is_wrong() -> Result<(), Fault> {
    let output = std::process::Command::new(program())
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("SLINT_BACKEND")
        .args(["--data-dir", tempfile::tempdir()?.path().to_str().ok_or("a readable path")?])
        .output()?;
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("no window can be opened"), "{said}");
    Ok(())
}
