// SPDX-License-Identifier: GPL-3.0-only
//! The players at other machines: runs a node, and keeps its key, its game and the known players.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use serde::{Deserialize, Serialize};
use wuzi_network::key::Key;
use wuzi_network::node::{Node, PORT, Start, Store};
use wuzi_network::peer::{Command, Known, SavedGame, View};
use wuzi_network::secure;

use super::DataDir;
use crate::network::Network;

const KEY: &str = "network-key.json";
const GAME: &str = "network-game.json";
/// The game as the other player knows it until that is on the disk, too; the older one stays whole meanwhile.
const NEWER: &str = "network-game.newer.json";
const PLAYERS: &str = "network-players.json";

/// The name and version that other programs see.
const PROGRAM: &str = concat!("Wuzi ", env!("CARGO_PKG_VERSION"));

/// What a machine has to have done around the use of multicast.
type Hook = Arc<dyn Fn(bool) + Send + Sync>;

static MULTICAST: Mutex<Option<Hook>> = Mutex::new(None);

/// Names what is called with true before multicast is used, and with false afterwards: Android has a
/// lock for it. It is called on any thread; the last one named counts.
pub fn on_multicast(hook: impl Fn(bool) + Send + Sync + 'static) {
    *MULTICAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(hook));
}

fn multicast(on: bool) {
    let hook = MULTICAST.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Some(hook) = hook {
        hook(on);
    }
}

/// The private key of this installation as a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile {
    private: Key,
}

/// The game as a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameFile {
    game: SavedGame,
}

impl GameFile {
    fn is_valid(&self) -> bool {
        self.game.is_valid()
    }
}

/// The game as it was kept last.
fn kept_game(data: &DataDir) -> Option<SavedGame> {
    newer_game(data).or_else(|| older_game(data))
}

/// The newer game, if it is whole: a failure of the power may have spoilt it.
fn newer_game(data: &DataDir) -> Option<SavedGame> {
    data.load_placed(NEWER, GameFile::is_valid).map(|file| file.game)
}

fn older_game(data: &DataDir) -> Option<SavedGame> {
    data.load(GAME, GameFile::is_valid).map(|file| file.game)
}

/// The known players as a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayersFile {
    players: Vec<Known>,
}

/// A node while the page of the network or a game over it is open.
pub struct LocalNetwork {
    data: DataDir,
    show: fn(View),
    node: Option<(Node, Arc<AtomicBool>)>,
    /// The last node says goodbye.
    ending: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for LocalNetwork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LocalNetwork").finish_non_exhaustive()
    }
}

impl LocalNetwork {
    /// A network whose files are kept in `data`; `show` is called on a thread of its own.
    #[must_use]
    pub const fn new(data: DataDir, show: fn(View)) -> Self {
        Self { data, show, node: None, ending: None }
    }

    /// The key of this installation. A second program has one for itself, or others would take it
    /// for the first.
    fn key(&self) -> std::io::Result<Key> {
        if self.data.is_shared() {
            return secure::generate();
        }
        if let Some(KeyFile { private }) = self.data.load(KEY, |_| true) {
            return Ok(private);
        }
        let private = secure::generate()?;
        if let Err(error) = self.data.write_private(KEY, KeyFile { private }) {
            log::warn!("the key is not kept; others will not know this program again: {error}");
        }
        Ok(private)
    }

    fn wait_for_end(&mut self) {
        if let Some(Err(_)) = self.ending.take().map(JoinHandle::join) {
            log::error!("the network has ended with a panic");
        }
    }
}

impl Network for LocalNetwork {
    fn start(&mut self) -> Result<(), String> {
        self.stop();
        // The next one may want the same port.
        self.wait_for_end();
        // What the last one has shown is not this one's.
        newest();
        let known = self.data.load(PLAYERS, |_| true).map_or_else(Vec::new, |file: PlayersFile| file.players);
        let (files, game) = Files::open(&self.data);
        let is_watched = Arc::new(AtomicBool::new(true));
        let (show, watched) = (self.show, is_watched.clone());
        let key = self.key().map_err(|error| error.to_string())?;
        multicast(true);
        let node = Node::start(Start {
            key,
            program: PROGRAM.into(),
            known,
            game,
            port: PORT,
            discovery: true,
            store: Box::new(files),
            show: Box::new(move |view| {
                if watched.load(Ordering::Acquire) {
                    show(view);
                }
            }),
        });
        match node {
            Ok(node) => {
                self.node = Some((node, is_watched));
                Ok(())
            }
            Err(error) => {
                multicast(false);
                Err(error.to_string())
            }
        }
    }

    fn stop(&mut self) {
        if let Some((node, is_watched)) = self.node.take() {
            is_watched.store(false, Ordering::Release);
            self.wait_for_end();
            // Saying goodbye takes a moment, which the interface does not wait for.
            self.ending = Some(thread::spawn(move || {
                drop(node);
                multicast(false);
            }));
        }
    }

    fn send(&mut self, command: Command) {
        if let Some((node, _)) = &self.node {
            node.send(command);
        }
    }

    fn has_game(&self) -> bool {
        !self.data.is_shared() && kept_game(&self.data).is_some_and(|game| game.is_open())
    }
}

impl Drop for LocalNetwork {
    fn drop(&mut self) {
        self.stop();
        self.wait_for_end();
    }
}

/// The files, written on the node's thread.
struct Files {
    /// None for a program that keeps nothing.
    directory: Option<std::path::PathBuf>,
    /// The newer game is whole and waits for the disk. A broken one that could not be set aside must not
    /// take the place of the older one.
    is_placed: bool,
}

impl Files {
    /// The files, and the game that they hold.
    fn open(data: &DataDir) -> (Self, Option<SavedGame>) {
        if data.is_shared() {
            return (Self { directory: None, is_placed: false }, None);
        }
        let newer = newer_game(data);
        let mut files = Self { directory: Some(data.path().to_path_buf()), is_placed: newer.is_some() };
        let game = newer.or_else(|| older_game(data));
        // A program that was killed may not have come to it.
        files.settle();
        (files, game)
    }
}

impl Store for Files {
    fn keep_game(&mut self, game: Option<&SavedGame>) -> bool {
        let Some(directory) = &self.directory else { return game.is_none() };
        let result = match game {
            Some(game) => super::storage::place_in(directory, NEWER, GameFile { game: game.clone() }),
            // The newest stays the last.
            None => super::storage::remove_from(directory, GAME)
                .and_then(|()| super::storage::remove_from(directory, NEWER)),
        };
        if let Err(error) = result {
            log::warn!("{error}");
            return false;
        }
        self.is_placed = game.is_some();
        true
    }

    fn settle(&mut self) -> bool {
        let Some(directory) = self.directory.as_ref().filter(|_| self.is_placed) else { return true };
        if let Err(error) = super::storage::settle_in(directory, NEWER, GAME) {
            log::warn!("{error}");
            return false;
        }
        self.is_placed = false;
        true
    }

    fn keep_known(&mut self, known: &[Known]) {
        let Some(directory) = &self.directory else { return };
        let file = PlayersFile { players: known.to_vec() };
        if let Err(error) = super::storage::write_to(directory, PLAYERS, file) {
            log::warn!("{error}");
        }
    }
}

/// What waits to be shown; a newer view replaces one that nobody has looked at.
static WAITING: Mutex<Option<View>> = Mutex::new(None);

/// Brings a view to the interface's thread through `wake`, at most one at a time. `wake` returns false if
/// there is no interface.
pub(super) fn deliver(view: View, wake: impl FnOnce() -> bool) {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    if waiting.replace(view).is_none() && !wake() {
        *waiting = None;
    }
}

/// The newest view.
pub(super) fn newest() -> Option<View> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).take()
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::path::Path;
    use std::process::{Command, Stdio};

    use serde_json::json;
    use wuzi_engine::Color;
    use wuzi_network::message::{Offer, Side};
    use wuzi_network::table::Table;

    use super::*;
    use crate::services::Storage;

    /// Files of a program that has not looked yet at what is there.
    fn files_in(directory: &Path) -> Files {
        Files { directory: Some(directory.into()), is_placed: false }
    }

    fn key_of(data: &DataDir) -> Option<Key> {
        data.load(KEY, |_| true).map(|KeyFile { private }| private)
    }

    #[test]
    fn an_installation_keeps_its_key_to_itself() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        let network = LocalNetwork::new(data.clone(), |_| {});
        let key = network.key().unwrap();
        assert_eq!(network.key().unwrap(), key, "others know it again");
        assert_eq!(key_of(&data), Some(key));
        let elsewhere = tempfile::tempdir().unwrap();
        let other = LocalNetwork::new(DataDir::new(elsewhere.path()), |_| {});
        assert_ne!(other.key().unwrap(), key);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(directory.path().join(KEY)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn a_second_program_has_a_key_of_its_own_and_keeps_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let first = DataDir::new(directory.path());
        let key = LocalNetwork::new(first.clone(), |_| {}).key().unwrap();
        let second = DataDir::new(directory.path());
        assert!(second.is_shared());
        let network = LocalNetwork::new(second, |_| {});
        assert_ne!(network.key().unwrap(), key);
        assert_eq!(key_of(&first), Some(key), "the first one's is as it was");
    }

    #[test]
    fn what_only_answers_the_other_player_is_no_game_to_go_on_with() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        let network = LocalNetwork::new(data, |_| {});
        let past = r#"{"version":1,"game":{"game":null,"past":[]}}"#;
        std::fs::write(directory.path().join(GAME), past).unwrap();
        assert!(!network.has_game());
        assert!(directory.path().join(GAME).exists(), "it is no broken file");
        let mut files = files_in(directory.path());
        assert!(files.keep_game(None));
        assert!(!directory.path().join(GAME).exists());
    }

    #[test]
    fn a_game_that_cannot_be_kept_is_told() {
        let directory = tempfile::tempdir().unwrap();
        let no_directory = directory.path().join("file");
        std::fs::write(&no_directory, "").unwrap();
        let mut files = files_in(&no_directory);
        assert!(!files.keep_game(Some(&game(0))));
    }

    /// A game that differs from others by when the other player was heard.
    fn game(heard: u64) -> SavedGame {
        let table = Table::new(Side::Host, "0".repeat(32), Offer::default(), Color::Black);
        let partner = json!({ "key": Key([7; 32]), "name": "Ada", "known": null, "addresses": [] });
        let game = json!({ "partner": partner, "table": table.save(), "heard": heard });
        serde_json::from_value(json!({ "game": game, "past": [] })).unwrap()
    }

    #[test]
    fn the_older_game_stays_whole_until_the_newer_one_is_on_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        let path = |name| directory.path().join(name);
        let [older, newer] = [0, 1].map(game);
        let mut files = files_in(directory.path());
        assert!(files.keep_game(Some(&older)) && files.settle());
        let on_disk = std::fs::read(path(GAME)).unwrap();

        assert!(files.keep_game(Some(&newer)));
        assert_eq!(std::fs::read(path(GAME)).unwrap(), on_disk);
        assert_eq!(kept_game(&data).as_ref(), Some(&newer), "so goes on a program that is killed now");
        let placed = std::fs::read(path(NEWER)).unwrap();
        for spoilt in [&placed[..0], &placed[..placed.len() / 2], &vec![0; placed.len()]] {
            std::fs::write(path(NEWER), spoilt).unwrap();
            assert_eq!(kept_game(&data).as_ref(), Some(&older), "so one after a failure of the power");
            assert_eq!(std::fs::read(path(GAME)).unwrap(), on_disk);
            assert!(!path(NEWER).exists(), "set aside");
        }
        assert_eq!(Storage::set_aside(&data), "", "nothing is lost that the user could miss");

        assert!(files.keep_game(Some(&newer)) && files.settle());
        assert!(!path(NEWER).exists());
        assert_eq!(kept_game(&data).as_ref(), Some(&newer));
        for is_settled in [false, true] {
            assert!(files.keep_game(Some(&older)) && (!is_settled || files.settle()));
            assert!(files.keep_game(None) && files.settle());
            assert_eq!(kept_game(&data), None, "a game that has ended does not come back");
        }
    }

    #[test]
    fn a_broken_newer_game_that_cannot_be_set_aside_does_not_replace_the_older_one() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        let mut files = files_in(directory.path());
        assert!(files.keep_game(Some(&game(0))) && files.settle());
        let mut files = files_in(directory.path());
        std::fs::write(directory.path().join(NEWER), "").unwrap();
        assert!(files.settle());
        assert_eq!(older_game(&data), Some(game(0)));
        assert!(files.keep_game(Some(&game(1))) && files.settle());
        assert_eq!(older_game(&data), Some(game(1)), "the next one replaces both");
        assert!(!directory.path().join(NEWER).exists());
    }

    #[test]
    fn a_program_that_starts_anew_brings_to_the_disk_what_a_killed_one_has_written() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        let (mut files, none) = Files::open(&data);
        assert!(none.is_none() && files.keep_game(Some(&game(1))));
        let (_, kept) = Files::open(&data);
        assert_eq!(kept, Some(game(1)));
        assert!(directory.path().join(GAME).exists() && !directory.path().join(NEWER).exists());
    }

    /// Tells the killed program where to keep its game.
    const DIRECTORY: &str = "WUZI_TEST_DIRECTORY";

    #[test]
    fn a_program_that_is_killed_has_kept_all_that_it_has_told() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        for told in 1..=40 {
            let mut program = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "system::network::tests::keeps_games_until_it_is_killed"])
                .args(["--ignored", "--nocapture"])
                .env(DIRECTORY, directory.path())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let lines = BufReader::new(program.stdout.take().unwrap()).lines();
            let mut games = lines.map_while(Result::ok).filter_map(|line| line.parse::<u64>().ok());
            let before = games.by_ref().take(told).last().unwrap();
            program.kill().unwrap();
            program.wait().unwrap();
            let last = games.last().unwrap_or(before);
            let (_, kept) = Files::open(&data);
            assert!(kept == Some(game(last)) || kept == Some(game(last + 1)), "{last}: {kept:?}");
        }
        assert_eq!(Storage::set_aside(&data), "", "no file was broken");
    }

    #[test]
    #[ignore = "run by the test above and killed"]
    fn keeps_games_until_it_is_killed() {
        let mut files = files_in(Path::new(&std::env::var_os(DIRECTORY).unwrap()));
        for number in 0.. {
            assert!(files.keep_game(Some(&game(number))));
            println!("{number}");
            assert!(files.settle());
        }
    }

    #[test]
    fn players_stay_known() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        let mut files = files_in(directory.path());
        let known = [Known { key: Key([7; 32]), name: "Ada".into(), blocked: true }];
        files.keep_known(&known);
        let kept: Option<PlayersFile> = data.load(PLAYERS, |_| true);
        assert_eq!(kept.map(|file| file.players), Some(known.to_vec()));
    }

    #[test]
    fn a_view_that_nobody_is_woken_for_does_not_stop_the_next() {
        newest();
        deliver(View::default(), || false);
        let mut woken = false;
        deliver(View { waiting: true, ..View::default() }, || {
            woken = true;
            true
        });
        assert!(woken);
        assert!(newest().is_some_and(|view| view.waiting));
    }
}
