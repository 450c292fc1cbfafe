// SPDX-License-Identifier: GPL-3.0-only
//! Two programs on two machines, which are two network namespaces here: they find each other and play
//! by real clicks on a slow network that loses packets, through an outage and a crash.
//!
//! Needs root, `ip` and `tc`; where they are not to be had the test says so and does nothing.
//! `WUZI_PROGRAM` names the program to test. The latency on an idle link is printed:
//! `cargo test --test duel -- --nocapture`.
#![cfg(target_os = "linux")]

#[path = "common/display.rs"]
mod display;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use display::{Display, Fault, Picture, Program};
use tempfile::TempDir;
use wuzi_engine::{Color, Point, Size};

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

/// Two namespaces with a wire between them.
struct Network {
    names: [String; 2],
}

impl Network {
    fn new() -> Result<Self, Fault> {
        let names = ["a", "b"].map(|end| format!("wuzi-{}-{end}", std::process::id()));
        let network = Self { names };
        let [a, b] = &network.names;
        run(&format!("ip netns add {a}"))?;
        run(&format!("ip netns add {b}"))?;
        let [left, right] = DEVICES;
        run(&format!("ip -n {a} link add {left} type veth peer name {right} netns {b}"))?;
        for (name, device, number) in [(a, left, 1), (b, right, 2)] {
            run(&format!("ip -n {name} address add 10.77.0.{number}/24 dev {device}"))?;
            run(&format!("ip -n {name} link set lo up"))?;
            run(&format!("ip -n {name} link set {device} up"))?;
        }
        Ok(network)
    }

    /// 100 ms ± 50 ms on each way, and one packet of twenty is lost.
    fn spoil(&self) -> Result<(), Fault> {
        for (name, device) in self.names.iter().zip(DEVICES) {
            let spoiled = run(&format!(
                "ip netns exec {name} tc qdisc add dev {device} root netem delay 100ms 50ms loss 5%"
            ));
            if let Err(error) = spoiled {
                eprintln!("the network stays fast: {error}");
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
        for name in &self.names {
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
        player.open_network()?;
        Ok(player)
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
        Ok(Size::DEFAULT.iter().filter(|&point| stone(&picture, point).is_some()).count())
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

/// The pixel of a point, by the original's layout.
fn place(point: Point) -> (usize, usize) {
    (16 + 32 * usize::from(point.x), 136 + 32 * usize::from(point.y))
}

/// The stone that a picture shows on a point, looked at aside of lines and marks.
fn stone(picture: &Picture, point: Point) -> Option<Color> {
    let (x, y) = place(point);
    let spots = [(7, 8), (8, 7), (7, 7)].map(|(dx, dy)| picture.pixel(x + dx, (y + dy).min(799)));
    let dark = |[r, g, b]: [u8; 3]| r < 70 && g < 70 && b < 70;
    let light = |[r, g, b]: [u8; 3]| r > 170 && g > 170 && b > 160 && r.abs_diff(b) < 40;
    if spots.into_iter().all(dark) {
        Some(Color::Black)
    } else if spots.into_iter().all(light) {
        Some(Color::White)
    } else {
        None
    }
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
            player.picture()?.save(&self.pictures.join(format!("{name}-{side}.png")))?;
        }
        Ok(())
    }

    /// From the click to the stone on the other screen, in milliseconds.
    fn measure(&mut self, x: u8, y: u8) -> Result<u128, Fault> {
        let mover = self.stones % 2;
        let point = Point::new(x, y);
        let began = Instant::now();
        self.players[mover].click_point(point)?;
        self.players[1 - mover].display.wait("a stone", || {
            let picture = self.players[1 - mover].picture()?;
            Ok(stone(&picture, point).map(|_| ()))
        })?;
        let took = began.elapsed().as_millis();
        self.stones += 1;
        self.wait_for_stones(self.stones)?;
        Ok(took)
    }
}

/// Two programs find each other, and the game that the first waits for begins; it has black.
fn begin(network: &Network, pictures: PathBuf) -> Result<Duel, Fault> {
    std::fs::create_dir_all(&pictures)?;
    println!("pictures: {}", pictures.display());
    let (host, guest) = (Player::start(&network.names[0])?, Player::start(&network.names[1])?);
    let nobody = guest.display.still_picture(WIDTH, HEIGHT)?;
    nobody.save(&pictures.join("nobody.png"))?;
    // My colour: black.
    host.display.click(240, 130)?;
    host.display.still_picture(WIDTH, HEIGHT)?;
    host.display.click(240, 326)?;
    guest.wait_for_change("a player in the list", &nobody, 386..428)?;
    let listed = guest.display.still_picture(WIDTH, HEIGHT)?;
    listed.save(&pictures.join("found.png"))?;
    let waiting = host.display.still_picture(WIDTH, HEIGHT)?;
    guest.display.click(240, 405)?;
    host.wait_for_change("an invitation", &waiting, 280..300)?;
    host.display.still_picture(WIDTH, HEIGHT)?.save(&pictures.join("invited.png"))?;
    host.display.click(143, 477)?;
    let duel = Duel { players: [host, guest], stones: 0, pictures };
    duel.wait_for_stones(0)?;
    Ok(duel)
}

fn play_it_all(network: &Network, pictures: PathBuf) -> Result<(), Fault> {
    let mut duel = begin(network, pictures)?;
    let mut latencies = Vec::new();
    for x in 1..9 {
        latencies.push(duel.measure(x, 1 + 2 * (x % 2))?);
    }
    latencies.sort_unstable();
    println!(
        "from the click (40 ms of which the button is down) to the stone on the other screen, idle link: {} ms in \
         the middle, {} ms at most",
        latencies[latencies.len() / 2],
        latencies[latencies.len() - 1]
    );
    duel.save("idle")?;

    network.spoil()?;
    // White takes back.
    let before = duel.players[0].picture()?;
    duel.players[1].display.click(25, 20)?;
    duel.players[0].wait_for_change("the question", &before, 150..170)?;
    duel.save("undo")?;
    duel.players[0].display.click(352, 169)?;
    duel.stones -= 1;
    duel.wait_for_stones(duel.stones)?;
    duel.play(10, 10)?;
    // Black offers a draw; it is accepted.
    let before = duel.players[1].picture()?;
    duel.players[0].display.click(240, 762)?;
    duel.players[1].wait_for_change("the offer", &before, 690..710)?;
    duel.save("draw")?;
    let before = duel.players.iter().map(Player::picture).collect::<Result<Vec<_>, _>>()?;
    duel.players[1].display.click(352, 697)?;
    for (player, before) in duel.players.iter().zip(&before) {
        player.wait_for_change("the end", before, 340..350)?;
    }
    duel.save("drawn")?;
    // Black wants another game; then the colours are swapped.
    let before = duel.players[1].display.still_picture(WIDTH, HEIGHT)?;
    duel.players[0].display.click(140, 480)?;
    duel.players[1].wait_for_change("the question", &before, 230..240)?;
    duel.save("restart")?;
    duel.players[1].display.click(352, 265)?;
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
    duel.play(5, 1)?;
    duel.players[0].restart()?;
    duel.wait_for_stones(5)?;
    duel.play_at_last(5, 3)?;
    duel.play(6, 1)?;
    duel.play(6, 3)?;
    duel.players[0].click_point(Point::new(7, 1))?;
    duel.wait_for_stones(9)?;
    // The dialog comes after the row was seen, and veils the board.
    sleep(Duration::from_secs(3));
    let (black, white) = (duel.players[0].picture()?, duel.players[1].picture()?);
    duel.save("end")?;
    let differing = (112..600).flat_map(|y| (0..480).map(move |x| (x, y))).filter(|&(x, y)| {
        // The dialog names the winner, whom each knows by another name.
        let in_dialog = (320..530).contains(&y) && (40..440).contains(&x);
        !in_dialog && black.pixel(x, y) != white.pixel(x, y)
    });
    assert_eq!(differing.count(), 0, "both screens show the same board");
    Ok(())
}

#[test]
fn two_programs_on_two_machines_play_through_every_trouble() -> Result<(), Fault> {
    let network = match Network::new() {
        Ok(network) => network,
        Err(error) => {
            eprintln!("skipped: this machine does not permit network namespaces ({error})");
            return Ok(());
        }
    };
    play_it_all(&network, PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("duel"))
}
