// SPDX-License-Identifier: GPL-3.0-only
//! The controller: turns actions into calls on the session, and what happened into services and
//! a view. The only one that knows pages and dialogs.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

use wuzi_engine::{Color, Forbidden, Level, Point, Rule, Score, Size, classic};

#[cfg(feature = "std")]
use crate::archive::{Act, Chosen, Errand, Replay, Shelf, Subject};
use crate::cursor::Cursor;
use crate::keyboard::{Key, Keyboard, Typed};
use crate::message::Message;
#[cfg(feature = "std")]
use crate::network::{self, Remote};
use crate::services::{EngineError, Mind, Purpose, Services, Task, Thought, Ticket};
use crate::session::{Ending, SavedRule, SavedSession, Seat, Session, Setup};
use crate::settings::{
    BoardColor, EngineSettings, FirstMover, ForbiddenHelp, Language, Settings, TapMode, clean_name,
};
#[cfg(feature = "std")]
use crate::settings::{NetworkSettings, WantedColor};

/// How long the winning row is seen and heard before the game-over dialog covers it.
pub const ROW_SHOWN: Duration = Duration::from_millis(1800);

/// How long the computer looks for the best move to show, where time is what limits it.
pub const HINT_TIME: Duration = Duration::from_secs(1);

/// A running game that is restarted is filed if it has so many stones; fewer are soon placed again.
#[cfg(feature = "std")]
const LEAST_RESTARTED: usize = 6;

/// What fills the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Page {
    #[default]
    Menu,
    Game,
    Settings,
    Help,
    About,
    /// The list of kept games.
    Games,
    Replay,
    Leaderboard,
    /// Choosing a file.
    Files,
    /// Who else is on the local network.
    Network,
}

/// What stands over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Which level to play against.
    Difficulty,
    /// Restart, quit, or back to the game.
    Pause,
    /// Who won.
    GameOver,
    /// Whether the side really gives up.
    Resign,
    /// Whether the other side accepts a draw.
    DrawOffer,
    /// The other program made no legal move.
    EngineFailed,
    /// A player at another machine asks for a game.
    Invitation,
}

/// What the line below the board says beside whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The computer does not accept the draw.
    DrawDeclined,
    /// That point is forbidden to black.
    Forbidden(Forbidden),
    /// The game or the settings could not be kept.
    NotSaved,
    /// The position is on the clipboard.
    #[cfg(feature = "std")]
    Copied,
    /// The clipboard has not taken the position.
    #[cfg(feature = "std")]
    NotCopied,
    /// The game is in its file.
    #[cfg(feature = "std")]
    Written,
}

/// A setting of several values, which a row of the settings page goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of `Settings`")]
pub enum Row {
    FirstMover,
    BoardColor,
    Lines,
    Rule,
    Numbers,
    Coordinates,
    TapMode,
    Sound,
    Music,
    Language,
    ForbiddenHelp,
    Evaluation,
    EngineSeconds,
    MasterSeconds,
}

/// The seconds for a move that a row goes through.
const SECONDS: [u8; 8] = [1, 2, 3, 5, 10, 20, 30, 60];

/// The value after this one, or before it; after the last one comes the first.
fn turned<T: Copy + PartialEq>(values: &[T], value: T, forward: bool) -> T {
    let at = values.iter().position(|&other| other == value).unwrap_or(0);
    values[(at + if forward { 1 } else { values.len() - 1 }) % values.len()]
}

/// As [`turned`], of numbers that grow; also from one between two of them.
fn turned_number<T: Copy + PartialOrd>(values: &[T], value: T, forward: bool) -> T {
    let following = if forward {
        values.iter().find(|&&next| next > value).or(values.first())
    } else {
        values.iter().rev().find(|&&next| next < value).or(values.last())
    };
    following.copied().unwrap_or(value)
}

/// A chosen value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields of `Settings`")]
pub enum Choose {
    FirstMover(FirstMover),
    BoardColor(BoardColor),
    Lines(u8),
    Rule(SavedRule),
    Numbers(bool),
    Coordinates(bool),
    TapMode(TapMode),
    Sound(bool),
    Music(bool),
    Language(Language),
    ForbiddenHelp(ForbiddenHelp),
    Evaluation(bool),
    EnginePath(String),
    EngineSeconds(u8),
    MasterSeconds(u8),
    /// The first or the second player's name.
    Name(usize, String),
}

/// Everything that can happen to the program.
#[derive(Clone, Debug)]
pub enum Action {
    /// From the menu: two people.
    PlayPvp,
    /// From the menu: against the computer; asks for the level.
    PlayPve,
    /// From the menu: the game that was kept.
    Continue,
    /// A game against the computer at this level.
    Start(Level),
    /// A game against the other program.
    StartEngine,
    /// The computer player takes the place of the other program that failed.
    ReplaceEngine,
    /// Another page.
    Open(Page),
    /// One step back: closes a dialog, pauses a game, leaves a page.
    Back,
    /// Leaves the program.
    Quit,
    /// The board was touched, in cells from the first column's and the first row's line.
    Tap {
        /// To the right.
        x: f32,
        /// Down.
        y: f32,
    },
    /// Takes back.
    Undo,
    /// Places again what was taken back.
    Redo,
    /// The computer plays a stone for the person to move.
    Help,
    /// The computer shows its best move.
    Hint,
    /// Opens the pause dialog.
    Pause,
    /// Asks whether to give up.
    AskResign,
    /// Gives up.
    Resign,
    /// Offers a draw.
    OfferDraw,
    /// Answers a draw offer.
    AnswerDraw(bool),
    /// The same game anew.
    Restart,
    /// From the pause or game-over dialog: to the menu.
    Leave,
    /// A setting.
    Set(Choose),
    /// A setting takes the value that follows, or that comes before.
    Turn(Row, bool),
    /// A key that belongs to no control.
    Key(Key),
    /// The computer has finished to think.
    Thought(Thought),
    /// The time of [`Controller::alarm`] has passed.
    Alarm(Ticket),
    /// The machine speaks another language now.
    SystemLanguage(Language),
    /// Something on the pages of kept games.
    #[cfg(feature = "std")]
    Archive(Act),
    /// Something in a game over the network, or before it.
    #[cfg(feature = "std")]
    Network(network::Act),
    /// The program may be ended from now on: what could not be kept is tried again.
    Suspend,
    /// The program is seen by its user, or no longer: others do not see it meanwhile, either. A game over
    /// the network goes on.
    #[cfg(feature = "std")]
    Seen(bool),
}

/// A hint that is shown until the position changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The move.
    pub point: Point,
    /// How the computer expects the game to go on.
    pub line: Vec<Point>,
}

/// What waits for time to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    /// The winning row is seen.
    GameOver,
    /// A letter that is a column or a command.
    Letter,
    /// A position of the replay that plays by itself is seen.
    #[cfg(feature = "std")]
    Replay,
}

/// Pages, dialogs, the session and the settings.
#[expect(missing_debug_implementations, reason = "the services are traits")]
pub struct Controller {
    services: Services,
    settings: Settings,
    system_language: Language,
    language_override: Option<Language>,
    page: Page,
    /// Where the page that is read was opened from.
    origin: Page,
    /// Where the choice of a file was opened from.
    #[cfg(feature = "std")]
    chooser: Page,
    /// The number of the move that is typed on the replay page.
    #[cfg(feature = "std")]
    typed_ply: usize,
    dialog: Option<Dialog>,
    session: Option<Session>,
    /// The game that was kept when the program ended.
    kept: Option<Session>,
    cursor: Cursor,
    keyboard: Keyboard,
    ghost: Option<Point>,
    notice: Option<Notice>,
    /// Why the settings were not kept the last time.
    unsaved_settings: Option<Message>,
    hint: Option<Hint>,
    engine_error: EngineError,
    #[cfg(feature = "std")]
    shelf: Shelf,
    /// The end of the session could not be kept.
    #[cfg(feature = "std")]
    unfiled: bool,
    #[cfg(feature = "std")]
    remote: Remote,
    /// When the time of the session was last counted.
    #[cfg(feature = "std")]
    counted: Duration,
    thinking: Option<(Ticket, Purpose)>,
    waiting: Option<(Ticket, Waiting, Duration)>,
    tickets: u32,
    quit: bool,
}

impl Controller {
    /// The program at its start: the menu, with what was kept.
    #[must_use]
    pub fn new(
        mut services: Services,
        settings: Settings,
        system_language: Language,
        kept: Option<&SavedSession>,
    ) -> Self {
        services.lamps.show(None);
        services.sound.set_music(settings.music);
        #[cfg(feature = "std")]
        let shelf = {
            let mut shelf = Shelf::default();
            if let Some(kept) = kept {
                shelf.left(kept.record.clone(), kept.players.clone());
            }
            shelf
        };
        let kept = kept.and_then(Session::restore);
        #[cfg(feature = "std")]
        let ended = kept.clone().filter(|session| !session.is_running());
        #[cfg_attr(not(feature = "std"), expect(unused_mut, reason = "nothing is filed"))]
        let mut controller = Self {
            services,
            cursor: Cursor::new(settings.size()),
            settings,
            system_language,
            language_override: None,
            page: Page::Menu,
            origin: Page::Menu,
            #[cfg(feature = "std")]
            chooser: Page::Menu,
            #[cfg(feature = "std")]
            typed_ply: 0,
            dialog: None,
            session: None,
            kept: kept.filter(is_to_continue),
            keyboard: Keyboard::default(),
            ghost: None,
            notice: None,
            unsaved_settings: None,
            hint: None,
            engine_error: EngineError::default(),
            #[cfg(feature = "std")]
            shelf,
            #[cfg(feature = "std")]
            unfiled: false,
            #[cfg(feature = "std")]
            remote: Remote::default(),
            #[cfg(feature = "std")]
            counted: Duration::ZERO,
            thinking: None,
            waiting: None,
            tickets: 0,
            quit: false,
        };
        // The end of a game that could not be filed then.
        #[cfg(feature = "std")]
        if let Some(session) = ended
            && controller.file_ended(&session)
            && let Err(error) = controller.services.storage.save_session(None)
        {
            log::warn!("{error}");
        }
        controller
    }

    /// Shows this language until the user chooses another one, whatever the settings say.
    pub fn override_language(&mut self, language: Language) {
        self.language_override = Some(language);
    }

    /// Does what the user, the computer player or the clock asks for. What makes no sense now is
    /// ignored.
    pub fn act(&mut self, action: Action) {
        #[cfg(feature = "std")]
        self.count_time();
        match action {
            Action::Alarm(ticket) => self.alarm_rings(ticket),
            Action::Key(key) => self.key(key),
            Action::Thought(thought) => self.thought(thought),
            Action::SystemLanguage(language) => self.system_language = language,
            Action::Suspend => self.keep(),
            #[cfg(feature = "std")]
            Action::Seen(is_seen) => self.set_seen(is_seen),
            #[cfg(feature = "std")]
            Action::Network(network::Act::Shown(view)) => self.follow(*view),
            other => {
                self.keyboard.forget();
                self.command(other);
            }
        }
        self.services.lamps.show(self.lamp());
    }

    fn command(&mut self, action: Action) {
        match action {
            Action::PlayPvp if self.is_at(Page::Menu) => self.begin(self.settings.pvp()),
            Action::PlayPve if self.is_at(Page::Menu) => self.dialog = Some(Dialog::Difficulty),
            Action::Continue if self.is_at(Page::Menu) => self.continue_kept(),
            Action::Start(level) if self.dialog == Some(Dialog::Difficulty) => {
                self.settings.level = level as u8;
                self.save_settings();
                self.begin(self.settings.pve(level));
            }
            Action::StartEngine if self.dialog == Some(Dialog::Difficulty) && self.can_play_engine() => {
                self.begin(self.settings.against_engine());
            }
            Action::ReplaceEngine if self.dialog == Some(Dialog::EngineFailed) => self.replace_engine(),
            Action::Open(page) => self.open(page),
            Action::Back => self.back(),
            Action::Quit => self.quit = true,
            Action::Tap { x, y } => self.tap(x, y),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::Help if self.can_help() => self.think(Purpose::Help, Mind::Level(Level::Hard)),
            Action::Hint if self.can_help() => self.think(Purpose::Hint, Mind::Level(Level::Master)),
            Action::Pause => self.pause(),
            Action::AskResign if self.can_resign() => self.ask_resign(),
            Action::Resign if self.dialog == Some(Dialog::Resign) => self.resign(),
            Action::OfferDraw if self.can_offer_draw() => self.offer_draw(),
            Action::AnswerDraw(accepted) if self.dialog == Some(Dialog::DrawOffer) => {
                self.answer_draw(accepted)
            }
            Action::Restart if self.may_leave() => self.restart(),
            Action::Leave if self.may_leave() => self.leave(),
            Action::Set(choice) if self.page == Page::Settings => self.set(choice),
            Action::Turn(row, forward) if self.page == Page::Settings => self.set(self.turn(row, forward)),
            #[cfg(feature = "std")]
            Action::Archive(act) if self.dialog.is_none() || passes_dialogs(&act) => self.archive(act),
            #[cfg(feature = "std")]
            Action::Network(act) => self.network(act),
            _ => {}
        }
    }

    /// Whether a dialog is shown that offers to restart or to leave.
    const fn may_leave(&self) -> bool {
        matches!(self.dialog, Some(Dialog::Pause | Dialog::GameOver | Dialog::EngineFailed))
    }

    fn is_at(&self, page: Page) -> bool {
        self.page == page && self.dialog.is_none()
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets = self.tickets.wrapping_add(1);
        Ticket(self.tickets)
    }

    // Beginning and ending a game.

    fn begin(&mut self, setup: Setup) {
        #[cfg(feature = "std")]
        self.shelf.begin();
        self.enter(Session::new(setup));
    }

    fn enter(&mut self, session: Session) {
        self.stop_thinking();
        self.waiting = None;
        self.cursor = Cursor::new(session.game().size());
        self.page = Page::Game;
        self.dialog = None;
        self.session = Some(session);
        self.position_changed();
    }

    fn continue_kept(&mut self) {
        if let Some(session) = self.kept.take() {
            #[cfg(feature = "std")]
            self.shelf.resume(session.game().size(), &mut *self.services.games);
            self.enter(session);
        }
    }

    fn restart(&mut self) {
        #[cfg(feature = "std")]
        if self.is_remote() {
            return self.ask_remote(wuzi_network::message::Request::Restart);
        }
        #[cfg(feature = "std")]
        if self.unfiled {
            self.file_game();
        }
        let Some(session) = self.session.take() else { return };
        #[cfg(feature = "std")]
        self.file_restarted(&session);
        self.begin(*session.setup());
    }

    /// To the menu; a running game can be continued from there.
    fn leave(&mut self) {
        self.stop_thinking();
        self.waiting = None;
        self.page = Page::Menu;
        self.dialog = None;
        self.ghost = None;
        self.hint = None;
        self.notice = None;
        let left = self.session.take();
        #[cfg(feature = "std")]
        if left.as_ref().is_some_and(|session| session.setup().is_remote()) {
            // It is kept by the network, with the other player's key.
            return self.close_network();
        }
        let left = left.filter(is_to_continue);
        #[cfg(feature = "std")]
        if left.is_some() {
            self.shelf.leave();
        }
        self.kept = left.or(self.kept.take());
    }

    fn pause(&mut self) {
        if !self.is_board_free() {
            return;
        }
        self.stop_thinking();
        self.waiting = None;
        let running = self.session.as_ref().is_some_and(Session::is_running);
        if let Some(session) = &mut self.session {
            session.answer_draw(false);
        }
        self.dialog = Some(if running { Dialog::Pause } else { Dialog::GameOver });
    }

    fn back(&mut self) {
        match (self.page, self.dialog) {
            (_, Some(Dialog::DrawOffer)) => self.answer_draw(false),
            #[cfg(feature = "std")]
            (_, Some(Dialog::Invitation)) => self.network(network::Act::Admit { yes: false, never: false }),
            #[cfg(feature = "std")]
            (Page::Network, None) => {
                self.page = Page::Menu;
                self.close_network();
            }
            (_, Some(_)) => {
                self.dialog = None;
                self.resume_thinking();
            }
            (Page::Game, None) => self.pause(),
            (Page::Menu, None) => self.quit = true,
            #[cfg(feature = "std")]
            (Page::Replay, None) => self.close_replay(),
            #[cfg(feature = "std")]
            (Page::Files, None) => self.leave_chooser(),
            (_, None) if self.origin == Page::Game => self.go_on(),
            (_, None) => {
                self.page = self.origin;
                self.resume_thinking();
            }
        }
    }

    /// A page that is read and left again, from the menu or from a game.
    fn open(&mut self, page: Page) {
        let may_leave =
            matches!(self.page, Page::Menu | Page::Game) && self.dialog.is_none() && self.waiting.is_none();
        if may_leave && matches!(page, Page::Settings | Page::Help | Page::About) {
            self.stop_thinking();
            self.origin = self.page;
            self.page = page;
        }
        #[cfg(feature = "std")]
        if page == Page::Network && self.is_at(Page::Menu) {
            self.open_network();
        }
        #[cfg(feature = "std")]
        if matches!(self.page, Page::Menu | Page::Games | Page::Leaderboard)
            && self.dialog.is_none()
            && matches!(page, Page::Games | Page::Leaderboard)
        {
            self.shelf.refresh(&mut *self.services.games);
            self.origin = Page::Menu;
            self.page = page;
        }
    }

    // Moves.

    /// Whether stones can be placed and commands given: the game page with no dialog over it but
    /// one that leaves the board free.
    fn is_board_free(&self) -> bool {
        self.page == Page::Game && matches!(self.dialog, None | Some(Dialog::DrawOffer))
    }

    fn tap(&mut self, x: f32, y: f32) {
        let Some(session) = &self.session else { return };
        let Some(point) = nearest(x, y, session.game().size()) else { return };
        if self.is_board_free() {
            self.cursor.hide();
            self.touch(point);
        }
    }

    /// A tap on a point, or Enter on the cursor: places the stone, or asks for confirmation.
    fn touch(&mut self, point: Point) {
        let Some(session) = &self.session else { return };
        if !session.is_human_to_move() || !session.game().board().is_empty_at(point) {
            return;
        }
        if let Some(kind) = self.refused(point) {
            self.notice = Some(Notice::Forbidden(kind));
            self.ghost = None;
            return;
        }
        if self.settings.tap_mode == TapMode::Confirm && self.ghost != Some(point) {
            self.ghost = Some(point);
            self.notice = None;
            return;
        }
        #[cfg(feature = "std")]
        if self.is_remote() {
            return self.play_remote(point);
        }
        self.stop_thinking();
        self.place(point, false);
    }

    fn place(&mut self, point: Point, is_help: bool) {
        let Some(session) = &mut self.session else { return };
        let scored = classic::Scored::new(session.game(), point, classic::Table::Original);
        let color = session.game().to_move();
        let played = if is_help { session.play_help(point) } else { session.play(point) };
        if played.is_err() {
            return;
        }
        log::debug!(
            "move {}: {color:?} {}, attack {}, defence {}",
            session.game().moves().len(),
            point.name(session.game().size()),
            scored.attack,
            scored.defence
        );
        if self.settings.sound {
            match session.ending() {
                Some(Ending::Row(..)) => self.services.sound.five(),
                _ => self.services.sound.stone(),
            }
        }
        self.position_changed();
        self.announce_ending();
    }

    /// After every change of the position: what was said or thought of the old one is gone, the
    /// new one is kept, and the computer thinks if it is to move.
    fn position_changed(&mut self) {
        self.ghost = None;
        self.hint = None;
        self.notice = None;
        if self.dialog == Some(Dialog::DrawOffer) {
            self.dialog = None;
        }
        #[cfg(feature = "std")]
        self.file_game();
        self.save_session();
        self.resume_thinking();
    }

    /// A game that was kept gives way to a new one with its first stone, not before. A finished game
    /// is forgotten once it is filed.
    fn save_session(&mut self) {
        if self.is_remote() {
            // It is kept by the network, with the other player's key.
            return;
        }
        if self.kept.is_some() && self.session.as_ref().is_some_and(is_untouched) {
            return;
        }
        #[cfg(feature = "std")]
        self.file_left();
        self.kept = None;
        #[cfg(feature = "std")]
        let unfiled = self.unfiled;
        #[cfg(not(feature = "std"))]
        let unfiled = false;
        let is_wanted = |session: &&Session| is_to_continue(session) || (unfiled && !session.is_running());
        let saved = self.session.as_ref().filter(is_wanted).map(Session::save);
        #[cfg(feature = "std")]
        let saved = saved.map(|saved| SavedSession {
            record: self.shelf.link(),
            players: self.shelf.players(),
            ..saved
        });
        if let Err(error) = self.services.storage.save_session(saved.as_ref()) {
            log::warn!("{error}");
            self.notice = Some(Notice::NotSaved);
        }
    }

    /// Keeps the game and the settings once more. A game that was left stays kept as it is.
    fn keep(&mut self) {
        self.save_settings();
        #[cfg(feature = "std")]
        if self.unfiled {
            self.file_game();
        }
        if self.session.is_some() {
            self.save_session();
        }
    }

    fn announce_ending(&mut self) {
        // On another page it waits until the user is back at the game.
        if self.page != Page::Game {
            return;
        }
        match self.session.as_ref().and_then(Session::ending) {
            None => {}
            Some(Ending::Row(..)) => {
                let ticket = self.ticket();
                self.waiting = Some((ticket, Waiting::GameOver, ROW_SHOWN));
            }
            Some(_) => self.dialog = Some(Dialog::GameOver),
        }
    }

    fn undo(&mut self) {
        #[cfg(feature = "std")]
        if self.is_remote() {
            if self.is_board_free() {
                self.ask_remote(wuzi_network::message::Request::Undo);
            }
            return;
        }
        let may = self.page == Page::Game
            && matches!(self.dialog, None | Some(Dialog::DrawOffer | Dialog::GameOver));
        if !may || self.session.as_ref().is_none_or(|session| !session.can_undo()) {
            return;
        }
        self.stop_thinking();
        self.waiting = None;
        self.dialog = None;
        if let Some(session) = &mut self.session {
            session.undo();
        }
        self.position_changed();
    }

    fn redo(&mut self) {
        if !self.is_board_free() || self.session.as_ref().is_none_or(|session| !session.can_redo()) {
            return;
        }
        self.stop_thinking();
        if let Some(session) = &mut self.session {
            session.redo();
        }
        self.position_changed();
        self.announce_ending();
    }

    /// The question is about one side: the position stands still under it, and an older question
    /// is answered.
    fn ask_resign(&mut self) {
        if self.thinking() != Some(Purpose::Move) {
            self.stop_thinking();
        }
        self.answer_draw(false);
        self.dialog = Some(Dialog::Resign);
    }

    fn resign(&mut self) {
        self.stop_thinking();
        self.dialog = None;
        #[cfg(feature = "std")]
        if self.is_remote() {
            return self.services.network.send(wuzi_network::peer::Command::Resign);
        }
        if self.session.as_mut().is_some_and(Session::resign) {
            self.position_changed();
            self.announce_ending();
        }
    }

    fn offer_draw(&mut self) {
        #[cfg(feature = "std")]
        if self.is_remote() {
            return self.ask_remote(wuzi_network::message::Request::Draw);
        }
        let Some(session) = &mut self.session else { return };
        if !session.offer_draw() {
            return;
        }
        if session.setup().is_against_computer() {
            // The evaluation is the view of the side to move, here the person's.
            let accepted = wuzi_engine::evaluate(session.game()) >= Score::EVEN;
            self.answer_draw(accepted);
            if !accepted {
                self.notice = Some(Notice::DrawDeclined);
            }
        } else {
            self.dialog = Some(Dialog::DrawOffer);
        }
    }

    fn answer_draw(&mut self, accepted: bool) {
        if self.dialog == Some(Dialog::DrawOffer) {
            self.dialog = None;
        }
        if self.session.as_mut().is_some_and(|session| session.answer_draw(accepted)) && accepted {
            self.stop_thinking();
            self.position_changed();
            self.announce_ending();
        }
    }

    /// Why the person to move is kept from playing the point, if so.
    fn refused(&self, point: Point) -> Option<Forbidden> {
        let session = self.session.as_ref()?;
        self.shows_forbidden().then(|| wuzi_engine::forbidden(session.game().board(), point)).flatten()
    }

    /// Whether forbidden points are shown and refused now.
    fn shows_forbidden(&self) -> bool {
        let Some(session) = &self.session else { return false };
        let wanted = match self.settings.forbidden_help {
            ForbiddenHelp::Never => false,
            ForbiddenHelp::AgainstComputer => session.setup().is_against_computer(),
            ForbiddenHelp::Always => true,
        };
        wanted
            && session.setup().rule == Rule::Renju
            && session.game().to_move() == Color::Black
            && session.is_human_to_move()
    }

    // The computer player.

    fn think(&mut self, purpose: Purpose, mind: Mind) {
        let ticket = self.ticket();
        let Some(session) = &self.session else { return };
        self.thinking = Some((ticket, purpose));
        let time = match mind {
            Mind::Level(_) if purpose == Purpose::Hint => HINT_TIME,
            Mind::Level(level) => self.settings.time(level),
            Mind::Engine(_) => Duration::from_secs(self.settings.engine.seconds.into()),
        };
        self.services.thinker.start(Task { ticket, purpose, game: session.game().clone(), mind, time });
    }

    fn stop_thinking(&mut self) {
        if self.thinking.take().is_some() {
            self.services.thinker.stop();
        }
    }

    /// Lets the computer think if it is to move and the board is free.
    fn resume_thinking(&mut self) {
        let seat = self.session.as_ref().and_then(Session::seat_to_move);
        let mind = match seat {
            Some(Seat::Computer(level)) => Mind::Level(level),
            Some(Seat::Engine) => Mind::Engine(self.settings.engine.clone()),
            Some(Seat::Human | Seat::Remote) | None => return,
        };
        if self.is_board_free() && self.thinking.is_none() {
            self.think(Purpose::Move, mind);
        }
    }

    fn replace_engine(&mut self) {
        self.dialog = None;
        if let Some(session) = &mut self.session {
            session.replace_engine(Level::Hard);
            self.position_changed();
        }
    }

    fn thought(&mut self, thought: Thought) {
        let Some((ticket, purpose)) = self.thinking else { return };
        if ticket != thought.ticket {
            return;
        }
        self.thinking = None;
        let choice = match thought.choice {
            Ok(Some(choice)) => choice,
            Ok(None) => return,
            Err(error) => {
                log::warn!("{error}");
                self.engine_error = error;
                self.dialog = Some(Dialog::EngineFailed);
                return;
            }
        };
        if let Some(score) = choice.score {
            log::debug!("computer: score {score}, depth {}, {} positions", choice.depth, choice.nodes);
        }
        match purpose {
            Purpose::Move => self.place(choice.point, false),
            Purpose::Help => self.place(choice.point, true),
            Purpose::Hint => {
                self.notice = None;
                self.hint = Some(Hint { point: choice.point, line: choice.line });
            }
        }
    }

    // Time.

    /// What waits: after this time [`Action::Alarm`] is due with the ticket. A new ticket replaces
    /// the old one.
    #[must_use]
    pub fn alarm(&self) -> Option<(Ticket, Duration)> {
        self.waiting.map(|(ticket, _, duration)| (ticket, duration))
    }

    fn alarm_rings(&mut self, ticket: Ticket) {
        let Some((due, waiting, _)) = self.waiting else { return };
        if due != ticket {
            return;
        }
        self.waiting = None;
        match waiting {
            Waiting::GameOver => self.dialog = Some(Dialog::GameOver),
            #[cfg(feature = "std")]
            Waiting::Replay => self.tick_replay(),
            Waiting::Letter => {
                if let Some(action) = self.keyboard.expire() {
                    self.command(action);
                }
            }
        }
    }

    // The keyboard.

    fn key(&mut self, key: Key) {
        #[cfg(feature = "std")]
        if self.file_key(key) || self.page == Page::Replay && self.replay_key(key) {
            return;
        }
        let size = self.session.as_ref().map_or(self.settings.size(), |session| session.game().size());
        let on_board = self.is_board_free() && self.session.as_ref().is_some_and(Session::is_running);
        if matches!(self.waiting, Some((_, Waiting::Letter, _))) {
            self.waiting = None;
        }
        let typed = self.keyboard.press(key, on_board.then_some(size));
        for typed in typed {
            self.typed(typed);
        }
    }

    fn typed(&mut self, typed: Typed) {
        match typed {
            Typed::Command(action) => self.command(action),
            Typed::Step(..) | Typed::Column(_) | Typed::Row(_) | Typed::Place if !self.is_board_free() => {}
            Typed::Step(dx, dy) => self.cursor.step(dx, dy),
            Typed::Column(column) => self.cursor.set_column(column),
            Typed::Row(row) => self.cursor.set_row(row),
            Typed::Place => {
                if self.cursor.is_shown() {
                    self.touch(self.cursor.point());
                } else {
                    self.cursor.show();
                }
            }
            Typed::NewGame => self.new_game(),
            Typed::Wait(duration) => {
                let ticket = self.ticket();
                self.waiting = Some((ticket, Waiting::Letter, duration));
            }
        }
    }

    /// Ctrl+N: from the menu the difficulty dialog; a game with stones is not thrown away unasked.
    fn new_game(&mut self) {
        match self.page {
            Page::Menu if self.dialog.is_none() => self.dialog = Some(Dialog::Difficulty),
            Page::Game
                if self.session.as_ref().is_some_and(|s| !s.is_running() || s.game().moves().is_empty()) =>
            {
                self.restart();
            }
            Page::Game => self.pause(),
            _ => {}
        }
    }

    // Kept games.

    /// Time that has passed since the last action counts if the game was played meanwhile.
    #[cfg(feature = "std")]
    fn count_time(&mut self) {
        let now = self.services.games.elapsed();
        let passed = now.saturating_sub(core::mem::replace(&mut self.counted, now));
        let is_played = self.is_board_free();
        if let Some(session) = self.session.as_mut().filter(|_| is_played) {
            session.pass(passed);
        }
    }

    #[cfg(feature = "std")]
    fn file_game(&mut self) {
        if self.is_remote() && !self.remote.is_news() {
            return;
        }
        let Some(session) = self.session.as_ref().filter(|session| !session.is_running()) else {
            self.unfiled = false;
            return;
        };
        let players = self.players(session);
        let filed = self.shelf.file(session, players, &mut *self.services.games);
        self.unfiled = filed.is_err();
        if let Err(error) = filed {
            log::warn!("{error}");
            self.notice = Some(Notice::NotSaved);
        }
    }

    /// A game that could be continued gives way to another one; what it adds to the list is kept.
    #[cfg(feature = "std")]
    fn file_left(&mut self) {
        let Some(left) = &self.kept else { return };
        let players = self.players(left);
        if let Err(error) = self.shelf.file_left(left, &players, &mut *self.services.games) {
            log::warn!("{error}");
            self.notice = Some(Notice::NotSaved);
        }
    }

    /// A running game that gives way to a new one of its kind, unless hardly anything was played.
    #[cfg(feature = "std")]
    fn file_restarted(&mut self, session: &Session) {
        if !session.is_running() || session.game().moves().len() < LEAST_RESTARTED {
            return;
        }
        let players = self.players(session);
        self.shelf.leave();
        if let Err(error) = self.shelf.file_left(session, &players, &mut *self.services.games) {
            log::warn!("{error}");
        }
    }

    /// A game that had ended but could not be filed before the program ended. Returns whether it is
    /// filed now.
    #[cfg(feature = "std")]
    fn file_ended(&mut self, session: &Session) -> bool {
        let players = self.players(session);
        self.shelf.resume(session.game().size(), &mut *self.services.games);
        let filed = self.shelf.file(session, players, &mut *self.services.games);
        if let Err(error) = &filed {
            log::warn!("{error}");
        }
        self.shelf.begin();
        filed.is_ok()
    }

    /// Black's and white's name.
    #[cfg(feature = "std")]
    fn players(&self, session: &Session) -> [String; 2] {
        [Color::Black, Color::White].map(|color| self.name_in(session, color))
    }

    #[cfg(feature = "std")]
    fn archive(&mut self, act: Act) {
        match (act, self.page) {
            (act, _) if opens(&act) => self.open_replay(act),
            (Act::LookBack, Page::Game) => self.look_back(),
            (Act::Browse(errand), _) => self.browse(errand),
            (Act::Save, _) => self.save_file(),
            (Act::Copy, _) => self.copy(),
            (Act::NotCopied, _) => {
                self.notice = self.notice.map(|notice| match notice {
                    Notice::Copied => Notice::NotCopied,
                    other => other,
                });
                self.shelf.not_copied();
            }
            (Act::Share, Page::Replay) => self.share(),
            (Act::NotShared(cause), _) => self.shelf.not_shared(cause),
            (Act::PlayOn { computer }, Page::Replay) => self.play_on(computer),
            (act, Page::Replay) => self.replay(&act),
            (act, Page::Files) => self.choose_file(act),
            (Act::NameWinner(name), _) => {
                self.settings.names[0] = clean_name(&name);
                self.save_settings();
                self.shelf.act(Act::NameWinner(name), &mut *self.services.games);
            }
            (act, Page::Games | Page::Leaderboard) => self.shelf.act(act, &mut *self.services.games),
            _ => {}
        }
    }

    /// A replay opens from the list, and from anywhere if a file or a text is given to the program.
    /// What cannot be read is said where it was asked for, or on the list's page.
    #[cfg(feature = "std")]
    fn open_replay(&mut self, act: Act) {
        let is_given = is_given(&act);
        if self.page != Page::Games && !is_given {
            return;
        }
        let is_open = self.shelf.open(act, &mut *self.services.games);
        if !is_open && matches!(self.page, Page::Files | Page::Replay | Page::Games) {
            return;
        }
        if self.session.is_some() {
            self.leave();
        } else if self.page == Page::Network {
            self.close_network();
        }
        self.dialog = None;
        self.stop_thinking();
        self.waiting = None;
        self.origin = Page::Menu;
        self.page = if is_open { Page::Replay } else { Page::Games };
        if !is_open {
            self.shelf.relist(&mut *self.services.games);
        }
    }

    /// The running game is replayed and goes on afterwards.
    #[cfg(feature = "std")]
    fn look_back(&mut self) {
        let may = matches!(self.dialog, None | Some(Dialog::Pause | Dialog::GameOver));
        let Some(session) = self.session.as_ref().filter(|session| may && has_moves(session)) else { return };
        let players = self.players(session);
        self.shelf.look_back(session, &players, &self.services.games.date());
        self.stop_thinking();
        self.waiting = None;
        self.dialog = None;
        self.page = Page::Replay;
    }

    /// Back to the game that was looked at, or to the list.
    #[cfg(feature = "std")]
    fn close_replay(&mut self) {
        self.waiting = None;
        self.shelf.close_replay();
        self.origin = Page::Menu;
        if self.session.is_some() {
            self.go_on();
        } else {
            self.page = Page::Games;
            self.shelf.relist(&mut *self.services.games);
        }
    }

    /// Back to the page from which a file was chosen.
    #[cfg(feature = "std")]
    fn leave_chooser(&mut self) {
        self.page = self.chooser;
        if self.page == Page::Game {
            self.go_on();
        }
    }

    /// Back to the game, which may have ended.
    fn go_on(&mut self) {
        self.page = Page::Game;
        let is_over = self.session.as_ref().is_some_and(|session| !session.is_running());
        self.dialog = is_over.then_some(Dialog::GameOver);
        self.resume_thinking();
    }

    /// The game that the page shows, to be written.
    #[cfg(feature = "std")]
    fn subject(&mut self) -> Option<Subject> {
        match (self.page, &self.session) {
            (Page::Game, Some(session)) if has_moves(session) => {
                let players = self.players(session);
                Some(self.shelf.subject_of(session, &players, &self.services.games.date()))
            }
            (Page::Games | Page::Replay, _) => self.shelf.subject(&mut *self.services.games),
            _ => None,
        }
    }

    #[cfg(feature = "std")]
    fn browse(&mut self, errand: Errand) {
        if !matches!(self.page, Page::Menu | Page::Game | Page::Games | Page::Replay) {
            return;
        }
        let subject = match errand {
            Errand::Open => None,
            Errand::Save(_) => match self.subject() {
                Some(subject) => Some(subject),
                None => return,
            },
        };
        self.stop_thinking();
        self.stop_replay();
        self.waiting = None;
        self.shelf.browse(errand, subject, &mut *self.services.games);
        self.chooser = self.page;
        self.page = Page::Files;
    }

    /// Writes to the file that the game came from, or asks for one.
    #[cfg(feature = "std")]
    fn save_file(&mut self) {
        let Some(subject) = self.subject() else { return };
        let Some(file) = subject.file.clone().filter(|file| crate::files::holds_all(file)) else {
            self.browse(Errand::Save(crate::files::extensions().next().unwrap_or_default()));
            return;
        };
        let written = self.shelf.write(file, &subject, &mut *self.services.games);
        if self.page == Page::Game {
            self.notice = Some(if written { Notice::Written } else { Notice::NotSaved });
        }
    }

    #[cfg(feature = "std")]
    fn choose_file(&mut self, act: Act) {
        // On the game page and on the replay of the running game.
        let running = self.session.as_ref().map(|session| session.game().size());
        let names = matches!(act, Act::NamePlayer { .. });
        match self.shelf.choose_file(act, &mut *self.services.games) {
            None => {
                if let Some(size) = running.filter(|_| names) {
                    self.shelf.name_players(size);
                    self.save_session();
                }
            }
            Some(Chosen::Open(file)) => self.open_replay(Act::OpenFile(file)),
            Some(Chosen::Written) => {
                self.leave_chooser();
                let named = self.shelf.is_in(running, &mut *self.services.games);
                if self.page == Page::Game {
                    self.notice = Some(if named.is_ok() { Notice::Written } else { Notice::NotSaved });
                }
            }
        }
    }

    /// Copies the position that the page shows.
    #[cfg(feature = "std")]
    fn copy(&mut self) {
        if let Some(subject) = self.subject() {
            let is_copied = self.shelf.copy(&subject.record, subject.part.at);
            if is_copied && self.page == Page::Game {
                self.notice = Some(Notice::Copied);
            }
        }
    }

    /// Hands the replayed game to another program.
    #[cfg(feature = "std")]
    fn share(&mut self) {
        self.stop_replay();
        self.waiting = None;
        self.shelf.forget_report();
        if let (Some(sharing), Some(replay)) = (&mut self.services.sharing, self.shelf.replay()) {
            sharing.share(crate::archive::shared_text(replay.record(), replay.end()));
        }
    }

    /// Whether games can be handed to other programs.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn can_share(&self) -> bool {
        self.services.sharing.is_some()
    }

    /// What was copied since this was asked last.
    #[cfg(feature = "std")]
    pub const fn take_copied(&mut self) -> Option<String> {
        self.shelf.take_copied()
    }

    /// Whether the key is one of those for files, which mean the same on every page.
    #[cfg(feature = "std")]
    fn file_key(&mut self, key: Key) -> bool {
        let act = match key {
            Key::Control('o') => Act::Browse(Errand::Open),
            Key::Control('s') => Act::Save,
            Key::ControlShift('s') => {
                Act::Browse(Errand::Save(crate::files::extensions().next().unwrap_or_default()))
            }
            Key::Control('c') => Act::Copy,
            _ => return false,
        };
        if self.dialog.is_none() {
            self.archive(act);
        }
        true
    }

    #[cfg(feature = "std")]
    fn stop_replay(&mut self) {
        if let Some(replay) = self.shelf.replay_mut() {
            replay.set_playing(false);
        }
    }

    #[cfg(feature = "std")]
    fn replay(&mut self, act: &Act) {
        self.shelf.forget_report();
        let Some(replay) = self.shelf.replay_mut() else { return };
        let stones = replay.ply();
        let moved = match *act {
            Act::GoTo(ply) => replay.go_to(ply),
            Act::Step(true) => replay.forward(),
            Act::Step(false) => replay.back(),
            Act::NextVariation => replay.next_variation(),
            Act::Play(playing) => {
                replay.set_playing(playing);
                replay.ply() != stones
            }
            Act::Pace(pace) => {
                replay.set_pace(pace);
                false
            }
            _ => return,
        };
        // Who walks by hand does not want to be pushed.
        if !matches!(act, Act::Play(_) | Act::Pace(_)) {
            replay.set_playing(false);
        }
        self.replay_moved(moved);
    }

    /// A stone is heard, and the next position is waited for.
    #[cfg(feature = "std")]
    fn replay_moved(&mut self, moved: bool) {
        if moved && self.settings.sound {
            self.services.sound.stone();
        }
        let interval = self.shelf.replay().filter(|replay| replay.is_playing()).map(Replay::interval);
        self.waiting = interval.map(|interval| (self.ticket(), Waiting::Replay, interval));
    }

    #[cfg(feature = "std")]
    fn tick_replay(&mut self) {
        let moved = self.shelf.replay_mut().is_some_and(Replay::tick);
        self.replay_moved(moved);
    }

    /// Whether the key means something to the replay.
    #[cfg(feature = "std")]
    fn replay_key(&mut self, key: Key) -> bool {
        let Some(replay) = self.shelf.replay() else { return false };
        let typed = core::mem::take(&mut self.typed_ply);
        let act = match key {
            // Digits that follow one another are a number, as long as there is such a move.
            Key::Char(digit @ '0'..='9') => {
                let digit = digit as usize - '0' as usize;
                let number = typed * 10 + digit;
                self.typed_ply = if number <= replay.len() { number } else { digit };
                Act::GoTo(self.typed_ply)
            }
            Key::Home => Act::GoTo(0),
            Key::Left => Act::Step(false),
            Key::Right => Act::Step(true),
            Key::End => Act::GoTo(usize::MAX),
            Key::Space => Act::Play(!replay.is_playing()),
            Key::Down | Key::Char('v') => Act::NextVariation,
            _ => return false,
        };
        self.archive(act);
        true
    }

    /// A game from the replayed position; what the record has else stays with it.
    #[cfg(feature = "std")]
    fn play_on(&mut self, computer: bool) {
        let Some(replay) = self.shelf.replay() else { return };
        let game = replay.game();
        let rule = replay.record().info.rule.unwrap_or_else(|| self.settings.pvp().rule);
        let mut seats = [Seat::Human; 2];
        if computer {
            seats[game.to_move().opposite().index()] = Seat::Computer(self.settings.level());
        }
        let mut session = Session::new(Setup { size: game.size(), rule, seats });
        let is_possible =
            game.moves().iter().all(|&point| session.play(point).is_ok()) && session.is_running();
        if !is_possible {
            return;
        }
        // The game that was looked at gives way.
        if self.session.is_some() {
            self.leave();
        }
        let kept = self.shelf.begin_from_replay(&mut *self.services.games);
        self.enter(session);
        if let Err(error) = kept {
            log::warn!("{error}");
            self.notice = Some(Notice::NotSaved);
        }
    }

    // Over the network.

    /// Whether the other player is at another machine.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.setup().is_remote())
    }

    #[cfg(feature = "std")]
    fn open_network(&mut self) {
        self.origin = Page::Menu;
        self.page = Page::Network;
        self.remote.open(&mut *self.services.network, &self.settings);
    }

    #[cfg(feature = "std")]
    fn close_network(&mut self) {
        self.remote = Remote::default();
        self.services.network.stop();
    }

    #[cfg(feature = "std")]
    fn set_seen(&mut self, is_seen: bool) {
        if self.page != Page::Network {
            return;
        }
        if is_seen {
            self.remote.show(&mut *self.services.network, &self.settings);
        } else {
            self.remote.hide(&mut *self.services.network);
            self.show_invitation();
        }
    }

    #[cfg(feature = "std")]
    fn ask_remote(&mut self, what: wuzi_network::message::Request) {
        self.dialog = None;
        self.services.network.send(wuzi_network::peer::Command::Ask(what));
    }

    /// The stone is placed when the network has taken it.
    #[cfg(feature = "std")]
    fn play_remote(&mut self, point: Point) {
        self.ghost = None;
        self.services.network.send(wuzi_network::peer::Command::Play(point));
    }

    /// What the user does on the page of the network or with its questions.
    #[cfg(feature = "std")]
    fn network(&mut self, act: network::Act) {
        if matches!(act, network::Act::Admit { .. }) {
            self.dialog = None;
            // The answer was meant for somebody who has gone meanwhile.
            if !self.remote.is_invitation_seen() {
                return self.show_invitation();
            }
        }
        if let network::Act::Turn(choice, forward) = act {
            self.turn_offer(choice, forward);
        } else if network::changes_settings(&mut self.settings, &act) {
            self.save_settings();
        }
        self.remote.act(act, &mut *self.services.network, &self.settings);
    }

    #[cfg(feature = "std")]
    fn turn_offer(&mut self, choice: network::Choice, forward: bool) {
        let settings = &mut self.settings.network;
        match choice {
            network::Choice::Rule => return self.set(self.turn(Row::Rule, forward)),
            network::Choice::Lines => return self.set(self.turn(Row::Lines, forward)),
            network::Choice::Color => {
                let colors = [WantedColor::Either, WantedColor::Black, WantedColor::White];
                settings.color = turned(&colors, settings.color, forward);
            }
            network::Choice::Seconds => {
                settings.seconds = turned_number(&NetworkSettings::SECONDS, settings.seconds, forward);
            }
        }
        self.save_settings();
    }

    /// Opens or closes the question whether a game begins.
    #[cfg(feature = "std")]
    fn show_invitation(&mut self) {
        let is_invited = self.page == Page::Network && self.remote.view().invitation.is_some();
        match self.dialog {
            None if is_invited => {
                self.remote.note_invitation();
                self.dialog = Some(Dialog::Invitation);
            }
            Some(Dialog::Invitation) if !is_invited => self.dialog = None,
            _ => {}
        }
    }

    /// Whether a game over the network waits to be gone on with.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn network_waits(&self) -> bool {
        self.page == Page::Menu && self.services.network.has_game()
    }

    /// Shows what the network tells.
    #[cfg(feature = "std")]
    fn follow(&mut self, view: wuzi_network::peer::View) {
        if !self.remote.take(view) {
            return;
        }
        self.show_invitation();
        let Some(game) = self.remote.view().game.clone() else { return };
        let setup = network::setup(&game);
        if self.remote.is_other_game(game.number) || self.session.as_ref().is_none_or(|s| *s.setup() != setup)
        {
            self.begin(setup);
            self.remote.begin(game.number);
        }
        if game.end.is_none() {
            self.remote.note_running();
        }
        let known = self.session.as_ref().map(|session| session.game().moves().to_vec()).unwrap_or_default();
        match game.moves.split_last() {
            Some((&point, before)) if before == known => self.place(point, false),
            _ if game.moves == known => {}
            _ => {
                self.waiting = self.waiting.filter(|_| self.page != Page::Game);
                self.dialog = self.dialog.filter(|dialog| *dialog != Dialog::GameOver);
                let followed = self.session.as_mut().map(|session| session.follow(&game.moves));
                if let Some(Err(error)) = followed {
                    log::error!("moves that cannot be: {error}");
                }
                self.position_changed();
                self.announce_ending();
            }
        }
        let verdict = network::verdict(&game);
        if self.session.as_mut().is_some_and(|session| session.follow_verdict(verdict)) {
            self.position_changed();
            self.announce_ending();
        }
        if self.remote.view().unkept && self.notice.is_none() {
            self.notice = Some(Notice::NotSaved);
        }
    }

    /// What the network shows.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn remote(&self) -> &Remote {
        &self.remote
    }

    /// The pages of kept games.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    // Settings.

    /// The value of a row that follows its present one, or comes before it.
    fn turn(&self, row: Row, forward: bool) -> Choose {
        use {
            BoardColor as B, FirstMover as F, ForbiddenHelp as H, Language as L, SavedRule as R, TapMode as T,
        };
        let now = &self.settings;
        match row {
            Row::FirstMover => Choose::FirstMover(turned(&[F::Human, F::Computer], now.first_mover, forward)),
            Row::BoardColor => {
                let colors = [B::Wood, B::Green, B::Paper, B::HighContrast];
                Choose::BoardColor(turned(&colors, now.board_color, forward))
            }
            Row::Lines => {
                let sizes: Vec<u8> = (Size::MIN.lines()..=Size::MAX.lines()).collect();
                Choose::Lines(turned(&sizes, now.lines, forward))
            }
            Row::Rule => Choose::Rule(turned(&[R::Freestyle, R::Standard, R::Renju], now.rule, forward)),
            Row::Numbers => Choose::Numbers(!now.numbers),
            Row::Coordinates => Choose::Coordinates(!now.coordinates),
            Row::TapMode => Choose::TapMode(turned(&[T::Direct, T::Confirm], now.tap_mode, forward)),
            Row::Sound => Choose::Sound(!now.sound),
            Row::Music => Choose::Music(!now.music),
            Row::Language => {
                Choose::Language(turned(&[L::System, L::Chinese, L::English], now.language, forward))
            }
            Row::ForbiddenHelp => {
                let when = [H::Never, H::AgainstComputer, H::Always];
                Choose::ForbiddenHelp(turned(&when, now.forbidden_help, forward))
            }
            Row::Evaluation => Choose::Evaluation(!now.evaluation),
            Row::EngineSeconds => Choose::EngineSeconds(turned_number(&SECONDS, now.engine.seconds, forward)),
            Row::MasterSeconds => Choose::MasterSeconds(turned_number(&SECONDS, now.master_seconds, forward)),
        }
    }

    fn set(&mut self, choice: Choose) {
        let settings = &mut self.settings;
        match choice {
            Choose::FirstMover(value) => settings.first_mover = value,
            Choose::BoardColor(value) => settings.board_color = value,
            Choose::Lines(lines) if Size::new(lines).is_some() => settings.lines = lines,
            Choose::Lines(_) => {}
            Choose::Rule(value) => settings.rule = value,
            Choose::Numbers(value) => settings.numbers = value,
            Choose::Coordinates(value) => settings.coordinates = value,
            Choose::TapMode(value) => settings.tap_mode = value,
            Choose::Sound(value) => settings.sound = value,
            Choose::Music(value) => {
                settings.music = value;
                self.services.sound.set_music(value);
            }
            Choose::Language(value) => {
                settings.language = value;
                self.language_override = None;
            }
            Choose::ForbiddenHelp(value) => settings.forbidden_help = value,
            Choose::Evaluation(value) => settings.evaluation = value,
            Choose::MasterSeconds(seconds) => {
                settings.master_seconds = seconds.clamp(1, Settings::MOST_MASTER_SECONDS);
            }
            Choose::EnginePath(path) => {
                let engine = EngineSettings { path: path.trim().into(), ..settings.engine.clone() };
                if engine.is_valid() {
                    settings.engine = engine;
                }
            }
            Choose::EngineSeconds(seconds) => {
                settings.engine.seconds = seconds.clamp(1, EngineSettings::MOST_SECONDS);
            }
            Choose::Name(player, name) => {
                if let Some(slot) = settings.names.get_mut(player) {
                    *slot = clean_name(&name);
                }
            }
        }
        self.save_settings();
    }

    fn save_settings(&mut self) {
        let saved = self.services.storage.save_settings(&self.settings);
        self.unsaved_settings = saved
            .map_err(|error| {
                log::warn!("{error}");
                self.notice = Some(Notice::NotSaved);
                error.cause
            })
            .err();
    }

    // What the view shows.

    /// Why the settings were not kept when they were changed the last time.
    #[must_use]
    pub const fn unsaved_settings(&self) -> Option<&Message> {
        self.unsaved_settings.as_ref()
    }

    /// Whether another running program keeps the settings and the running game, and this one does
    /// not.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.services.storage.is_shared()
    }

    /// The files that could not be used since the program began; empty for none.
    #[must_use]
    pub fn set_aside(&self) -> String {
        self.services.storage.set_aside()
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The language to show: the chosen one, or the machine's.
    #[must_use]
    pub fn language(&self) -> Language {
        match (self.language_override, self.settings.language) {
            (Some(language), _) => language,
            (None, Language::System) => self.system_language,
            (None, chosen) => chosen,
        }
    }

    /// Whether the machine can load another program.
    #[must_use]
    pub fn has_engines(&self) -> bool {
        self.services.thinker.has_engines()
    }

    /// Whether another program is there to play against.
    #[must_use]
    pub fn can_play_engine(&self) -> bool {
        self.has_engines() && !self.settings.engine.path.is_empty()
    }

    /// What is wrong with the other program.
    #[must_use]
    pub const fn engine_error(&self) -> &EngineError {
        &self.engine_error
    }

    /// Whether the machine can play music.
    #[must_use]
    pub fn has_music(&self) -> bool {
        self.services.sound.has_music()
    }

    /// What fills the window.
    #[must_use]
    pub const fn page(&self) -> Page {
        self.page
    }

    /// What stands over it.
    #[must_use]
    pub const fn dialog(&self) -> Option<Dialog> {
        self.dialog
    }

    /// The game on the game page.
    #[must_use]
    pub const fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }

    /// Whether the menu offers a kept game.
    #[must_use]
    pub const fn can_continue(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether the program shall end.
    #[must_use]
    pub const fn wants_to_quit(&self) -> bool {
        self.quit
    }

    /// The keyboard's cursor, if it is shown.
    #[must_use]
    pub fn cursor(&self) -> Option<Point> {
        self.cursor.is_shown().then(|| self.cursor.point())
    }

    /// The stone that waits for its confirmation.
    #[must_use]
    pub const fn ghost(&self) -> Option<Point> {
        self.ghost
    }

    /// What the status line says.
    #[must_use]
    pub const fn notice(&self) -> Option<Notice> {
        self.notice
    }

    /// The hint that is shown.
    #[must_use]
    pub const fn hint(&self) -> Option<&Hint> {
        self.hint.as_ref()
    }

    /// What the computer thinks about.
    #[must_use]
    pub fn thinking(&self) -> Option<Purpose> {
        self.thinking.map(|(_, purpose)| purpose)
    }

    /// The side whose lamp blinks: the side to move of a game that runs and is not paused.
    #[must_use]
    pub fn lamp(&self) -> Option<Color> {
        let session = self.session.as_ref().filter(|session| session.is_running())?;
        (self.page == Page::Game && self.dialog != Some(Dialog::Pause)).then(|| session.game().to_move())
    }

    /// Black's forbidden points, where they are shown.
    #[must_use]
    pub fn forbidden_points(&self) -> Vec<Point> {
        match &self.session {
            Some(session) if self.shows_forbidden() => wuzi_engine::forbidden_points(session.game().board())
                .into_iter()
                .map(|(point, _)| point)
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether UNDO does something.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        #[cfg(feature = "std")]
        if self.is_remote() {
            return self.remote.may_ask(wuzi_network::message::Request::Undo);
        }
        self.session.as_ref().is_some_and(Session::can_undo)
    }

    /// Whether REDO does something.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.session.as_ref().is_some_and(Session::can_redo)
    }

    /// Whether HELP and the hint do something: a person is to move and the computer is free.
    #[must_use]
    pub fn can_help(&self) -> bool {
        self.is_board_free()
            && self.thinking.is_none()
            && !self.is_remote()
            && self.session.as_ref().is_some_and(Session::is_human_to_move)
    }

    /// Whether a person can resign.
    #[must_use]
    pub fn can_resign(&self) -> bool {
        self.is_board_free()
            && self.session.as_ref().is_some_and(|session| session.resigning_side().is_some())
    }

    /// Whether a draw can be offered.
    #[must_use]
    pub fn can_offer_draw(&self) -> bool {
        #[cfg(feature = "std")]
        if self.is_remote() {
            return self.is_board_free() && self.remote.may_ask(wuzi_network::message::Request::Draw);
        }
        self.is_board_free()
            && self.thinking.is_none()
            && self.session.as_ref().is_some_and(Session::can_offer_draw)
    }

    /// The name of a side; empty for the words of the interface.
    #[must_use]
    pub fn name(&self, color: Color) -> String {
        let Some(session) = &self.session else { return String::new() };
        #[cfg(feature = "std")]
        if session.setup().seat(color).is_human()
            && let Some(players) = self.shelf.players()
        {
            let [black, white] = players;
            return if color == Color::Black { black } else { white };
        }
        self.name_in(session, color)
    }

    fn name_in(&self, session: &Session, color: Color) -> String {
        let [first, second] = &self.settings.names;
        let seat = session.setup().seat(color);
        #[cfg(feature = "std")]
        if session.setup().is_remote() {
            return if seat.is_human() { first.to_string() } else { self.remote.partner().to_string() };
        }
        match (session.setup().is_against_computer(), seat.is_human(), color) {
            (true, false, _) => String::new(),
            (true, true, _) | (false, _, Color::Black) => first.to_string(),
            (false, _, Color::White) => second.to_string(),
        }
    }
}

/// Whether a dialog does not stand in the way: it belongs to what is asked for, or to a game that
/// can be continued afterwards.
#[cfg(feature = "std")]
const fn passes_dialogs(act: &Act) -> bool {
    matches!(act, Act::NameWinner(_) | Act::LookBack | Act::NotCopied | Act::NotShared(_)) || is_given(act)
}

/// Whether a game is given to the program from outside of its list.
#[cfg(feature = "std")]
const fn is_given(act: &Act) -> bool {
    matches!(act, Act::OpenFile(_) | Act::OpenText(_) | Act::OpenGiven { .. })
}

/// Whether a replay opens.
#[cfg(feature = "std")]
const fn opens(act: &Act) -> bool {
    matches!(act, Act::Open | Act::OpenOpening(_)) || is_given(act)
}

#[cfg(feature = "std")]
fn has_moves(session: &Session) -> bool {
    !session.game().moves().is_empty()
}

/// Whether nothing has been played or taken back.
fn is_untouched(session: &Session) -> bool {
    session.game().moves().is_empty() && !session.can_redo()
}

/// Whether there is something to continue.
fn is_to_continue(session: &Session) -> bool {
    session.is_running() && !is_untouched(session)
}

/// The intersection nearest to a place given in cells; `None` more than half a cell outside the
/// outer lines.
fn nearest(x: f32, y: f32, size: Size) -> Option<Point> {
    let nearest_line = |at: f32| {
        let last = f32::from(size.lines() - 1);
        ((-0.5..=last + 0.5).contains(&at)).then(|| (at + 0.5).clamp(0.0, last) as u8)
    };
    Some(Point::new(nearest_line(x)?, nearest_line(y)?))
}
