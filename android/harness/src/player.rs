// SPDX-License-Identifier: GPL-3.0-only
//! A player at another machine: the network's side of the desktop's program, without a window.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use wuzi_network::message::Offer;
use wuzi_network::node::{Node, Start, Store};
use wuzi_network::peer::{Command, Known, SavedGame, View};
use wuzi_network::secure;
use wuzi_network::table::Table;

/// Longer than anything takes here; a test that waits so long has failed.
const LONG: Duration = Duration::from_secs(60);

/// What tells the position of a game that is kept: size, rule, number and stones. `None` if there is no game.
///
/// # Panics
/// If the game is none that can be.
#[must_use]
pub fn hash(saved: &Value) -> Option<String> {
    let playing = saved.get("game").filter(|playing| !playing.is_null())?;
    let table = serde_json::from_value(playing["table"].clone()).expect("a game");
    Some(Table::restore(&table).expect("a possible game").hash())
}

/// Keeps the game in memory.
struct Memory(Arc<Mutex<Option<SavedGame>>>);

impl Store for Memory {
    fn keep_game(&mut self, game: Option<&SavedGame>) -> bool {
        *self.0.lock().unwrap() = game.cloned();
        true
    }
    fn settle(&mut self) -> bool {
        true
    }
    fn keep_known(&mut self, _known: &[Known]) {}
}

/// The player.
#[derive(Debug)]
pub struct Player {
    node: Node,
    views: Receiver<View>,
    /// What the player sees.
    pub view: View,
    /// The short key, under which others see the player.
    pub id: String,
    kept: Arc<Mutex<Option<SavedGame>>>,
}

impl Player {
    /// A player who would like this game; `discovery`: who looks for others by multicast.
    ///
    /// # Panics
    /// If the machine permits no connections; as all of the methods do when nothing happens.
    #[must_use]
    pub fn new(name: &str, offer: Offer, discovery: bool) -> Self {
        let (show, views) = channel();
        let kept = Arc::default();
        let key = secure::generate().unwrap();
        let id = secure::public(&key).unwrap().short();
        let node = Node::start(Start {
            key,
            program: "Wuzi test".into(),
            known: Vec::new(),
            game: None,
            port: 0,
            discovery,
            store: Box::new(Memory(Arc::clone(&kept))),
            show: Box::new(move |view| {
                // Nobody looks any more when the test is over.
                let _ = show.send(view);
            }),
        })
        .unwrap();
        node.send(Command::Profile { name: name.into(), offer });
        let mut player = Self { node, views, view: View::default(), id, kept };
        player.until("the port", |view| view.port.is_some());
        player
    }

    /// Does something.
    pub fn act(&self, command: Command) {
        self.node.send(command);
    }

    /// Looks until something is so.
    pub fn until(&mut self, what: &str, is_so: impl Fn(&View) -> bool) {
        let end = Instant::now() + LONG;
        self.look();
        while !is_so(&self.view) {
            let left = end.saturating_duration_since(Instant::now());
            self.view = self
                .views
                .recv_timeout(left)
                .unwrap_or_else(|_| panic!("never: {what}, still {:?}", self.view));
        }
    }

    /// What the player sees now.
    pub fn look(&mut self) -> &View {
        if let Some(newest) = self.views.try_iter().last() {
            self.view = newest;
        }
        &self.view
    }

    /// Where the player can be called from this machine.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.view.port.unwrap())
    }

    /// Waits until both are there and this player knows of so many stones.
    pub fn stones(&mut self, count: usize) {
        self.until(&format!("{count} stones"), |view| {
            view.game.as_ref().is_some_and(|game| game.connected && game.moves.len() == count)
        });
    }

    /// What tells the position of the game that the player keeps.
    #[must_use]
    pub fn hash(&self) -> Option<String> {
        let saved = self.kept.lock().unwrap();
        hash(&serde_json::to_value(saved.as_ref()?).expect("a game"))
    }
}
