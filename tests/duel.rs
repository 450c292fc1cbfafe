// SPDX-License-Identifier: GPL-3.0-only
//! Two programs on two machines, which are two network namespaces here: they find each other and play
//! by real clicks on a slow network that loses packets, through an outage and a crash.
//!
//! Needs root, `ip`, and `tc` or Python; where namespaces are not to be had the test says so and does
//! nothing. `WUZI_PROGRAM` names the program to test.
//!
//! `cargo test --test duel -- --ignored --nocapture` measures how long a stone is on its way.
#![cfg(target_os = "linux")]

#[path = "common/display.rs"]
mod display;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use display::{Display, Fault, Program};
use tempfile::TempDir;
use wuzi_camera::Picture;
use wuzi_camera::board::{place, stone};
use wuzi_engine::{Point, Size};

const WIDTH: u16 = 480;
const HEIGHT: u16 = 800;
/// The devices at the two ends of the wire.
const DEVICES: [&str; 2] = ["wuzi-left", "wuzi-right"];

fn program() -> PathBuf {
    std::env::var_os("WUZI_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_wuzi").into(), PathBuf::from)
}

fn run(command: &str) -> Result<(), Fault> {
    let mut words = command.split(' ');
    let output = Command::new(words.next().unwrap_or_default()).args(words).stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command}: {}", String::from_utf8_lossy(&output.stderr).trim()).into())
}

/// Runs a script that stands beside this file in a namespace.
fn script(namespace: &str, name: &str, arguments: &[&str]) -> Command {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/duel").join(name);
    let mut command = Command::new("ip");
    command.args(["netns", "exec", namespace, "python3"]).arg(path).args(arguments);
    command
}

/// How packets are held back and lost.
enum Wire {
    /// By the kernel, at both ends.
    Netem,
    /// By a program in a third namespace, where the kernel cannot.
    Program(Child),
}

/// Two namespaces with a wire between them.
struct Network {
    names: [String; 2],
    middle: String,
    wire: Wire,
}

impl Network {
    fn new() -> Result<Self, Fault> {
        let name = |end: &str| format!("wuzi-{}-{end}", std::process::id());
        let mut network = Self { names: ["a", "b"].map(name), middle: name("wire"), wire: Wire::Netem };
        let [a, b] = &network.names;
        run(&format!("ip netns add {a}"))?;
        run(&format!("ip netns add {b}"))?;
        run(&format!("ip netns add {}", network.middle))?;
        for name in [a, b] {
            run(&format!("ip -n {name} link set lo up"))?;
        }
        let [left, right] = DEVICES;
        let has_netem = run(&format!("ip netns exec {a} tc qdisc add dev lo root netem delay 1ms")).is_ok();
        if has_netem {
            run(&format!("ip netns exec {a} tc qdisc delete dev lo root"))?;
            run(&format!("ip -n {a} link add {left} type veth peer name {right} netns {b}"))?;
        } else {
            let middle = &network.middle;
            for (name, device) in [(a, left), (b, right)] {
                run(&format!("ip -n {name} link add {device} type veth peer name {device} netns {middle}"))?;
                // The wire has no address of its own.
                run(&format!("ip -n {middle} link set {device} addrgenmode none"))?;
                run(&format!("ip -n {middle} link set {device} up"))?;
            }
            let wire = script(middle, "wire.py", &DEVICES).stdin(Stdio::piped()).spawn()?;
            network.wire = Wire::Program(wire);
        }
        for (side, device) in DEVICES.into_iter().enumerate() {
            run(&format!("ip -n {} link set {device} up", network.names[side]))?;
        }
        network.move_to(1)?;
        Ok(network)
    }

    /// Both machines have these addresses from now on: 10.77.0.N and the next one.
    fn move_to(&self, number: u8) -> Result<(), Fault> {
        for ((name, device), number) in self.names.iter().zip(DEVICES).zip(number..) {
            run(&format!("ip -n {name} -4 address flush dev {device}"))?;
            run(&format!("ip -n {name} address add 10.77.0.{number}/24 dev {device}"))?;
        }
        Ok(())
    }

    /// 100 ms ± 50 ms on each way, and one packet of twenty is lost.
    fn spoil(&mut self) -> Result<(), Fault> {
        match &mut self.wire {
            Wire::Netem => {
                for (name, device) in self.names.iter().zip(DEVICES) {
                    run(&format!(
                        "ip netns exec {name} tc qdisc add dev {device} root netem delay 100ms 50ms loss 5%"
                    ))?;
                }
            }
            Wire::Program(child) => {
                writeln!(child.stdin.as_mut().ok_or("no way to the wire")?, "100 50 5")?;
            }
        }
        Ok(())
    }

    fn set_link(&self, state: &str) -> Result<(), Fault> {
        run(&format!("ip -n {} link set {} {state}", self.names[0], DEVICES[0]))
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        if let Wire::Program(child) = &mut self.wire {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
        for name in self.names.iter().chain([&self.middle]) {
            if let Err(error) = run(&format!("ip netns delete {name}")) {
                eprintln!("{error}");
            }
        }
    }
}

/// A player: a machine with a program, and its screen.
struct Player {
    display: Display,
    program: Program,
    data: TempDir,
    namespace: String,
}

impl Player {
    fn start(namespace: &str) -> Result<Self, Fault> {
        let display = Display::start(WIDTH, HEIGHT)?;
        let data = tempfile::tempdir()?;
        let program = launch(&display, data.path(), namespace)?;
        display.wait_for_window()?;
        let player = Self { display, program, data, namespace: namespace.into() };
        player.display.still_picture(WIDTH, HEIGHT)?;
        assert_eq!(player.sockets()?, [0, 0], "nothing listens before the page is open");
        player.open_network()?;
        Ok(player)
    }

    /// How many TCP sockets listen and how many UDP sockets there are in the namespace, which belongs to
    /// the program alone.
    fn sockets(&self) -> Result<[usize; 2], Fault> {
        let table = |name: &str| fs::read_to_string(format!("/proc/{}/net/{name}", self.program.id()));
        let rows = |text: String, state: &str| {
            text.lines()
                .skip(1)
                .filter(|row| row.split_whitespace().nth(3).is_some_and(|s| s == state))
                .count()
        };
        let listening = rows(table("tcp")?, "0A") + rows(table("tcp6")?, "0A");
        Ok([listening, rows(table("udp")?, "07") + rows(table("udp6")?, "07")])
    }

    /// A line of the program's status, such as the memory that it holds, in KiB.
    fn status(&self, name: &str) -> Result<u64, Fault> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.program.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("a line of the status")?;
        Ok(line.trim_matches(|c: char| !c.is_ascii_digit()).parse()?)
    }

    fn type_text(&self, text: &str) -> Result<(), Fault> {
        text.chars().try_for_each(|letter| self.display.key(u32::from(letter)))
    }

    /// From the menu.
    fn open_network(&self) -> Result<(), Fault> {
        self.display.still_picture(WIDTH, HEIGHT)?;
        self.display.click(426, 746)
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.program.kill();
        self.program = launch(&self.display, self.data.path(), &self.namespace)?;
        self.display.wait_for_window()?;
        self.open_network()
    }

    fn picture(&self) -> Result<Picture, Fault> {
        self.display.picture(WIDTH, HEIGHT)
    }

    /// Waits until something stands there that was not there on `before`.
    fn wait_for_change(&self, what: &str, before: &Picture, y: std::ops::Range<usize>) -> Result<(), Fault> {
        self.display.wait(what, || {
            let now = self.picture()?;
            let differs = y.clone().any(|y| (20..460).any(|x| now.pixel(x, y) != before.pixel(x, y)));
            Ok(differs.then_some(()))
        })
    }

    fn click_point(&self, point: Point) -> Result<(), Fault> {
        let (x, y) = place(point);
        self.display.click(i16::try_from(x)?, i16::try_from(y)?)
    }

    fn stones(&self) -> Result<usize, Fault> {
        let picture = self.picture()?;
        Ok(Size::DEFAULT.iter().filter(|&point| stone(&picture, place(point)).is_some()).count())
    }

    fn wait_for_stones(&self, count: usize) -> Result<(), Fault> {
        self.display.wait(&format!("a board with {count} stones"), || {
            Ok((self.stones()? == count && self.shows_board()?).then_some(()))
        })
    }

    /// Whether the game page is shown: the wood of the board between two lines.
    fn shows_board(&self) -> Result<bool, Fault> {
        let [r, g, b] = self.picture()?.pixel(32 + 16 * 2, 136 + 16);
        Ok(r > 150 && g > 100 && b < 160 && r > b + 40)
    }
}

fn launch(display: &Display, data: &Path, namespace: &str) -> Result<Program, Fault> {
    let program = program();
    let (program, data) = (program.to_str().ok_or("a path")?, data.to_str().ok_or("a path")?);
    let arguments = ["netns", "exec", namespace, program, "--data-dir", data, "--lang", "en", "--mute"];
    display.run(Path::new("ip"), &arguments)
}

/// Both players and how the game stands.
struct Duel {
    /// Who has black, then who has white.
    players: [Player; 2],
    stones: usize,
    pictures: PathBuf,
}

impl Duel {
    fn wait_for_stones(&self, count: usize) -> Result<(), Fault> {
        self.players.iter().try_for_each(|player| player.wait_for_stones(count))
    }

    /// The side to move clicks, and both see the stone.
    fn play(&mut self, x: u8, y: u8) -> Result<(), Fault> {
        self.players[self.stones % 2].click_point(Point::new(x, y))?;
        self.stones += 1;
        self.wait_for_stones(self.stones)
    }

    /// As [`Duel::play`], on a network of which nobody knows whether it is back.
    fn play_at_last(&mut self, x: u8, y: u8) -> Result<(), Fault> {
        let end = Instant::now() + Duration::from_secs(60);
        while self.players[self.stones % 2].stones()? == self.stones {
            if Instant::now() > end {
                return Err("the connection did not come back".into());
            }
            self.players[self.stones % 2].click_point(Point::new(x, y))?;
            sleep(Duration::from_millis(500));
        }
        self.stones += 1;
        self.wait_for_stones(self.stones)
    }

    fn save(&self, name: &str) -> Result<(), Fault> {
        for (player, side) in self.players.iter().zip(["black", "white"]) {
            wuzi_camera::write(&self.pictures.join(format!("{name}-{side}.png")), &player.picture()?);
        }
        Ok(())
    }

    /// From the release of the button to the stone on the other screen.
    fn measure(&mut self, x: u8, y: u8) -> Result<Duration, Fault> {
        let (mover, point) = (self.stones % 2, Point::new(x, y));
        let other = &self.players[1 - mover].display;
        let (left, top) = place(point);
        let (left, top) = (i16::try_from(left)?, i16::try_from(top)?);
        self.players[mover].display.press(left, top)?;
        let began = self.players[mover].display.release(left, top)?;
        let took = other.wait("a stone", || {
            let quarter = other.part(left, top, 16, 16)?;
            Ok(stone(&quarter, (0, 0)).map(|_| began.elapsed()))
        })?;
        self.stones += 1;
        self.wait_for_stones(self.stones)?;
        Ok(took)
    }
}

/// Two programs find each other, and the game that the first waits for begins; it has black.
fn begin(network: &Network, pictures: PathBuf) -> Result<Duel, Fault> {
    println!("pictures: {}", pictures.display());
    let (host, guest) = (Player::start(&network.names[0])?, Player::start(&network.names[1])?);
    for (player, name) in [(&host, "ada"), (&guest, "bob")] {
        player.display.still_picture(WIDTH, HEIGHT)?;
        player.display.click(345, 82)?;
        player.type_text(name)?;
    }
    let nobody = guest.display.still_picture(WIDTH, HEIGHT)?;
    wuzi_camera::write(&pictures.join("nobody.png"), &nobody);
    // My colour: black.
    host.display.click(240, 130)?;
    host.display.still_picture(WIDTH, HEIGHT)?;
    host.display.click(240, 326)?;
    guest.wait_for_change("a player in the list", &nobody, 386..428)?;
    wuzi_camera::write(&pictures.join("found.png"), &guest.display.still_picture(WIDTH, HEIGHT)?);
    let waiting = host.display.still_picture(WIDTH, HEIGHT)?;
    guest.display.click(240, 405)?;
    host.wait_for_change("an invitation", &waiting, 280..300)?;
    wuzi_camera::write(&pictures.join("invited.png"), &host.display.still_picture(WIDTH, HEIGHT)?);
    host.display.click(143, 477)?;
    let duel = Duel { players: [host, guest], stones: 0, pictures };
    duel.wait_for_stones(0)?;
    Ok(duel)
}

fn play_it_all(network: &mut Network, pictures: PathBuf) -> Result<(), Fault> {
    let mut duel = begin(network, pictures)?;
    for x in 1..9 {
        duel.play(x, 1 + 2 * (x % 2))?;
    }
    duel.save("idle")?;

    network.spoil()?;
    // White takes back.
    let before = duel.players[0].picture()?;
    duel.players[1].display.click(25, 20)?;
    duel.players[0].wait_for_change("the question", &before, 150..170)?;
    duel.save("undo")?;
    duel.players[0].display.click(128, 169)?;
    duel.stones -= 1;
    duel.wait_for_stones(duel.stones)?;
    duel.play(10, 10)?;
    // Black offers a draw; it is accepted.
    let before = duel.players[1].picture()?;
    duel.players[0].display.click(240, 762)?;
    duel.players[1].wait_for_change("the offer", &before, 690..710)?;
    duel.save("draw")?;
    let before = duel.players.iter().map(Player::picture).collect::<Result<Vec<_>, _>>()?;
    duel.players[1].display.click(128, 697)?;
    for (player, before) in duel.players.iter().zip(&before) {
        player.wait_for_change("the end", before, 340..350)?;
    }
    duel.save("drawn")?;
    // Black wants another game; then the colours are swapped.
    let before = duel.players[1].display.still_picture(WIDTH, HEIGHT)?;
    duel.players[0].display.click(140, 480)?;
    duel.players[1].wait_for_change("the question", &before, 230..240)?;
    duel.save("restart")?;
    duel.players[1].display.click(128, 265)?;
    duel.players.swap(0, 1);
    duel.stones = 0;
    duel.wait_for_stones(0)?;

    duel.play(3, 1)?;
    duel.play(3, 3)?;
    duel.play(4, 1)?;
    network.set_link("down")?;
    sleep(Duration::from_secs(30));
    duel.players[1].click_point(Point::new(4, 3))?;
    sleep(Duration::from_millis(500));
    duel.save("down")?;
    assert_eq!(duel.players[1].stones()?, 3, "the game waits while the other is away");
    network.set_link("up")?;
    duel.play_at_last(4, 3)?;
    disturb(network, &duel)?;
    duel.play(5, 1)?;
    duel.players[0].restart()?;
    duel.wait_for_stones(5)?;
    duel.play_at_last(5, 3)?;
    // Neither finds the other at the address where it was.
    network.move_to(11)?;
    duel.play_at_last(6, 1)?;
    duel.play(6, 3)?;
    duel.players[0].click_point(Point::new(7, 1))?;
    duel.wait_for_stones(9)?;
    // The dialog comes after the row was seen, and veils the board.
    sleep(Duration::from_secs(3));
    let (black, white) = (duel.players[0].picture()?, duel.players[1].picture()?);
    duel.save("end")?;
    // The dialog stands below the stones.
    let differing = (112..320).flat_map(|y| (0..480).map(move |x| (x, y)));
    let differing = differing.filter(|&(x, y)| black.pixel(x, y) != white.pixel(x, y)).count();
    assert_eq!(differing, 0, "both screens show the same board");

    // Black leaves: white is told, and nothing listens at black any more.
    let before = duel.players[1].picture()?;
    duel.players[0].display.click(342, 480)?;
    duel.players[1].wait_for_change("the news that the other has left", &before, 680..725)?;
    duel.save("left")?;
    let black = &duel.players[0];
    black.display.wait("closed doors", || Ok((black.sockets()? == [0, 0]).then_some(())))
}

/// Strangers call while the game runs.
fn disturb(network: &Network, duel: &Duel) -> Result<(), Fault> {
    // The calls come from the other player's machine.
    let (target, other) = (&duel.players[0], &duel.players[1]);
    let address = if target.namespace == network.names[0] { "10.77.0.1" } else { "10.77.0.2" };
    let (memory, threads) = (target.status("VmRSS:")?, target.status("Threads:")?);
    let mut strangers =
        script(&other.namespace, "garbage.py", &[address, "5858"]).stdout(Stdio::piped()).spawn()?;
    let mut most_threads = 0;
    while strangers.try_wait()?.is_none() {
        most_threads = most_threads.max(target.status("Threads:")?);
        sleep(Duration::from_millis(20));
    }
    let accepted = String::from_utf8(strangers.wait_with_output()?.stdout)?.trim().parse::<usize>()?;
    assert!(accepted > 100, "strangers did reach the program: {accepted}");
    assert!(most_threads <= threads + 10, "{most_threads} threads, {threads} before");
    let now = target.status("VmRSS:")?;
    println!("200 strangers: {memory} KiB before, {now} KiB afterwards, {most_threads} threads at most");
    assert!(now <= memory + 2048, "memory stays flat");
    Ok(())
}

/// The network, or nothing where it is not permitted.
fn network() -> Option<Network> {
    Network::new()
        .map_err(|error| eprintln!("skipped: this machine permits no network namespaces ({error})"))
        .ok()
}

#[test]
fn two_programs_on_two_machines_play_through_every_trouble() -> Result<(), Fault> {
    let Some(mut network) = network() else { return Ok(()) };
    play_it_all(&mut network, PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("duel"))
}

#[test]
#[ignore = "measures, for ./dev bench"]
fn the_way_of_a_stone() -> Result<(), Fault> {
    let Some(network) = network() else { return Ok(()) };
    let mut duel = begin(&network, PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("way"))?;
    let mut times = Vec::new();
    for ply in 0..30 {
        times.push(duel.measure(ply % 14, ply / 14 + 2 * (ply % 2))?);
    }
    times.sort_unstable();
    let load = fs::read_to_string("/proc/loadavg")?;
    println!(
        "idle link, load {}, from the click to the stone on the other screen, goal 50 ms: {} ms in the middle, {} ms at most",
        load.split(' ').next().unwrap_or("?"),
        times[times.len() / 2].as_millis(),
        times[times.len() - 1].as_millis()
    );
    Ok(())
}
