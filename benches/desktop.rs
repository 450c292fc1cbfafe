// SPDX-License-Identifier: GPL-3.0-only
//! Measures the desktop program: first frame, memory, idle processor time, the computer's moves.
//! `WUZI_PROGRAM` names the program; `./dev bench desktop` builds and names the release program.

#[cfg(target_os = "linux")]
#[path = "../tests/common/display.rs"]
mod display;

#[cfg(target_os = "linux")]
fn main() -> Result<(), display::Fault> {
    measure::machine();
    measure::first_frame()?;
    measure::running()?;
    measure::games()?;
    measure::most_memory()?;
    measure::moves();
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("this measures under X11 on Linux only");
}

#[cfg(target_os = "linux")]
mod measure {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use wuzi::system::TABLE_BYTES;
    use wuzi_engine::{Game, Level, Player, Rule, Size};

    use super::display::{Display, Fault, Program};

    const WIDTH: u16 = 480;
    const HEIGHT: u16 = 800;
    const RUNS: usize = 7;
    const WATCH: Duration = Duration::from_secs(5);

    fn program() -> PathBuf {
        std::env::var_os("WUZI_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_wuzi").into(), PathBuf::from)
    }

    fn run(display: &Display, args: &[&str]) -> Result<(Program, tempfile::TempDir), Fault> {
        let data = tempfile::tempdir()?;
        let dir = data.path().to_str().ok_or("a readable path")?;
        let program = display.run(&program(), &[&["--data-dir", dir, "--lang", "en"], args].concat())?;
        Ok((program, data))
    }

    /// What the figures were measured on.
    pub fn machine() {
        let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu.lines().find_map(|line| line.strip_prefix("model name\t: ")).unwrap_or("unknown");
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        println!("machine: {model}, {cores} cores, load {}", load.split(' ').next().unwrap_or("?"));
        println!("program: {}", program().display());
    }

    /// From the start of the process to the first painted pixel of the window.
    pub fn first_frame() -> Result<(), Fault> {
        let mut times = Vec::new();
        for _ in 0..RUNS {
            let display = Display::start(WIDTH, HEIGHT)?;
            let blank = display.picture(WIDTH, HEIGHT)?;
            let start = Instant::now();
            let running = run(&display, &["--mute"])?;
            display
                .wait("the first frame", || Ok((display.picture(WIDTH, HEIGHT)? != blank).then_some(())))?;
            times.push(start.elapsed());
            drop(running);
        }
        times.sort();
        println!(
            "first frame: {:?} (median of {RUNS}; {:?} to {:?})",
            times[RUNS / 2],
            times[0],
            times[RUNS - 1]
        );
        Ok(())
    }

    /// Memory and processor time on the menu and in a game whose lamp blinks.
    pub fn running() -> Result<(), Fault> {
        for (place, args) in [("menu", &["--mute"][..]), ("game, lamp blinking", &["--mute", "--new", "pvp"])]
        {
            let display = Display::start(WIDTH, HEIGHT)?;
            let (program, _data) = run(&display, args)?;
            display.wait_for_window()?;
            sleep(Duration::from_secs(2));
            let before = processor_time(&program)?;
            sleep(WATCH);
            let used = processor_time(&program)?.saturating_sub(before);
            let share = 100.0 * used.as_secs_f64() / WATCH.as_secs_f64();
            println!(
                "{place}: {:.1} MB resident, {share:.1} % of a core over {WATCH:?}",
                memory(&program, "VmRSS:")?
            );
        }
        Ok(())
    }

    /// The most memory in use: a game against Hard with hints, where the search fills its table.
    pub fn most_memory() -> Result<(), Fault> {
        const HINT: u32 = 0xFFBF;
        let display = Display::start(WIDTH, HEIGHT)?;
        let (program, _data) = run(&display, &["--mute", "--new", "hard"])?;
        display.wait_for_window()?;
        for (x, y) in [(240, 360), (208, 328), (304, 296)] {
            display.click(x, y)?;
            sleep(Duration::from_millis(500));
            display.key(HINT)?;
            sleep(Duration::from_secs(2));
        }
        println!("game against Hard with hints: {:.1} MB resident at most", memory(&program, "VmHWM:")?);
        Ok(())
    }

    /// User and system time, in the kernel's hundredths of a second.
    fn processor_time(program: &Program) -> Result<Duration, Fault> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", program.id()))?;
        let fields: Vec<&str> = stat.rsplit(") ").next().ok_or("no fields")?.split(' ').collect();
        let ticks: u64 =
            fields.get(11).ok_or("utime")?.parse::<u64>()? + fields.get(12).ok_or("stime")?.parse::<u64>()?;
        Ok(Duration::from_millis(ticks * 10))
    }

    /// A line of the kernel's account of the program's memory, in megabytes.
    fn memory(program: &Program, wanted: &str) -> Result<f64, Fault> {
        let status = fs::read_to_string(format!("/proc/{}/status", program.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(wanted)).ok_or("no such line")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
    }

    /// How long 10,000 kept games take to be listed, searched and opened, as it is seen.
    pub fn games() -> Result<(), Fault> {
        let display = Display::start(WIDTH, HEIGHT)?;
        let data = tempfile::tempdir()?;
        keep_games(data.path())?;
        let dir = data.path().to_str().ok_or("a readable path")?;
        let _running = display.run(&program(), &["--data-dir", dir, "--lang", "en", "--mute"])?;
        display.wait_for_window()?;
        display.still_picture(WIDTH, HEIGHT)?;
        // The list changes in the frame in which the button is up again.
        let seen = |x: i16, y: i16, top: u16| -> Result<Duration, Fault> {
            display.press(x, y)?;
            let before = display.picture(WIDTH, top)?;
            let start = display.release(x, y)?;
            display.wait("a change", || Ok((display.picture(WIDTH, top)? != before).then_some(())))?;
            Ok(start.elapsed())
        };
        let listed = seen(377, 746, 600)?;
        display.still_picture(WIDTH, HEIGHT)?;
        let filtered = seen(240, 173, 500)?.max(seen(240, 173, 500)?);
        let next = seen(412, 555, 500)?;
        display.click(240, 219)?;
        display.still_picture(WIDTH, HEIGHT)?;
        let opened = seen(84, 648, 560)?;
        println!(
            "{KEPT} games: listed in {listed:?}, filtered in {filtered:?}, next page in {next:?}, opened in {opened:?}"
        );
        Ok(())
    }

    const KEPT: usize = 10_000;

    /// Fills a data directory with games, as the program would have kept them.
    fn keep_games(path: &Path) -> Result<(), Fault> {
        let directory = path.join("games");
        fs::create_dir_all(&directory)?;
        let mut index = String::from("{\"version\":1}\n");
        for number in 0..KEPT {
            let file = format!("{number:05}.sgf");
            let record = wuzi_record::Format::Sgf.read(sgf(number).as_bytes())?;
            let entry = wuzi::archive::Entry::of_record(&record, &file);
            index += &serde_json::to_string(&entry)?;
            index.push('\n');
            fs::write(directory.join(file), sgf(number))?;
        }
        fs::write(directory.join("index.jsonl"), index)?;
        Ok(())
    }

    /// A game of sixty moves, another one for each number.
    fn sgf(number: usize) -> String {
        let names = ["Ada", "Bo", "\u{5C0F}\u{660E}", "Zo\u{EB}"];
        let rule = ["Freestyle", "Standard", "Renju"][number % 3];
        let result = ["B+", "W+", "0"][number % 5 % 3];
        let (black, white) = (names[number % 4], names[number / 4 % 4]);
        let mut text =
            format!("(;GM[4]FF[4]CA[UTF-8]SZ[15]RU[{rule}]PB[{black}]PW[{white}]RE[{result}]DT[2026-11-30]");
        for ply in 0..60 {
            let at = (ply * 7 + number * 11) % 225;
            let letter = |line: usize| char::from(b'a' + line as u8);
            let color = if ply % 2 == 0 { 'B' } else { 'W' };
            text += &format!(";{color}[{}{}]", letter(at % 15), letter(at / 15));
        }
        text + ")"
    }

    /// The time for a move at the quick levels, over the positions of seeded games.
    pub fn moves() {
        for level in [Level::Easy, Level::Normal, Level::Hard] {
            let mut times = Vec::new();
            let mut player = Player::new(TABLE_BYTES);
            for seed in 0..6 {
                let mut rng = SmallRng::seed_from_u64(seed);
                let mut game = Game::new(Size::DEFAULT, Rule::Freestyle);
                while let Some(choice) = {
                    let start = Instant::now();
                    let choice = player.choose(&game, level, None, &mut rng, &mut || false);
                    times.push(start.elapsed());
                    choice
                } {
                    if game.play(choice.point).is_err() {
                        break;
                    }
                }
            }
            times.sort();
            let at = |share: usize| times[(times.len() - 1) * share / 100];
            println!(
                "{level:?} move: {:?} median, {:?} at 99 %, {:?} most ({} moves)",
                at(50),
                at(99),
                at(100),
                times.len()
            );
        }
    }
}
