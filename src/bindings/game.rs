// SPDX-License-Identifier: GPL-3.0-only
//! `GameAdapter`: the game page.

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use slint::{ComponentHandle, Model, ModelRc, SharedString, VecModel};
use wuzi_engine::{Color, Forbidden, Level, Point};
#[cfg(feature = "std")]
use wuzi_engine::{Outcome, WinReason};

use crate::app::Actor;
#[cfg(feature = "std")]
use crate::controller::Page;
use crate::controller::{self, Action, Controller, Dialog};
use crate::interface::{AppWindow, GameAdapter, Lamp, Mark, MarkKind, Notice, Spot, Stone};
use crate::session::{Ending, Seat, Session};

/// The rows that the board repeats over: only what stands on it.
#[derive(Default)]
pub(crate) struct Models {
    stones: Rc<VecModel<Stone>>,
    marks: Rc<VecModel<Mark>>,
}

pub(super) fn connect(window: &AppWindow, models: &Models, actor: &Actor) {
    let game = window.global::<GameAdapter>();
    game.set_stones(ModelRc::from(models.stones.clone()));
    game.set_marks(ModelRc::from(models.marks.clone()));
    let a = actor.clone();
    game.on_tap(move |x, y| a.act(Action::Tap { x, y }));
    let a = actor.clone();
    game.on_undo(move || a.act(Action::Undo));
    let a = actor.clone();
    game.on_redo(move || a.act(Action::Redo));
    let a = actor.clone();
    game.on_help(move || a.act(Action::Help));
    let a = actor.clone();
    game.on_hint(move || a.act(Action::Hint));
    let a = actor.clone();
    game.on_pause(move || a.act(Action::Pause));
    let a = actor.clone();
    game.on_resign(move || a.act(Action::AskResign));
    let a = actor.clone();
    game.on_offer_draw(move || a.act(Action::OfferDraw));
}

pub(super) fn show(window: &AppWindow, models: &Models, controller: &Controller) {
    let game = window.global::<GameAdapter>();
    let settings = controller.settings();
    game.set_coordinates(settings.coordinates);
    game.set_numbers(settings.numbers);
    game.set_evaluation_shown(settings.evaluation && !controller.is_remote());
    #[cfg(feature = "std")]
    if controller.page() == Page::Replay
        && let Some(replay) = controller.shelf().replay()
    {
        let position = replay.game();
        let row = match position.outcome() {
            Outcome::Win(_, WinReason::Row(row)) => row.points().collect(),
            _ => Vec::new(),
        };
        game.set_lines(i32::from(position.size().lines()));
        sync(&models.stones, stones(position.moves(), &row));
        sync(&models.marks, Vec::new());
        game.set_cursor(spot(None));
        game.set_ghost(spot(None));
        game.set_lamp(Lamp::Dark);
        return;
    }
    let Some(session) = controller.session() else {
        sync(&models.stones, Vec::new());
        sync(&models.marks, Vec::new());
        game.set_lamp(Lamp::Dark);
        return;
    };
    let size = session.game().size();
    game.set_lines(i32::from(size.lines()));
    let row: Vec<Point> = match session.ending() {
        Some(Ending::Row(_, row)) => row.points().collect(),
        _ => Vec::new(),
    };
    sync(&models.stones, stones(moves(controller, session), &row));
    sync(&models.marks, marks(controller));
    game.set_cursor(spot(controller.cursor()));
    game.set_ghost(spot(controller.ghost()));
    game.set_black_to_move(session.game().to_move() == Color::Black);
    game.set_lamp(match controller.lamp() {
        None => Lamp::Dark,
        Some(Color::Black) => Lamp::Black,
        Some(Color::White) => Lamp::White,
    });
    game.set_thinking(controller.thinking().is_some());
    game.set_over(!session.is_running());
    game.set_black_name(controller.name(Color::Black).into());
    game.set_white_name(controller.name(Color::White).into());
    game.set_black_level(level(session.setup().seat(Color::Black)));
    game.set_white_level(level(session.setup().seat(Color::White)));
    game.set_can_undo(controller.can_undo());
    game.set_can_redo(controller.can_redo());
    game.set_can_help(controller.can_help());
    game.set_can_resign(controller.can_resign());
    game.set_can_offer_draw(controller.can_offer_draw());
    game.set_notice(notice(controller));
    if settings.evaluation {
        game.set_evaluation(evaluation(session));
    }
    let line: Vec<String> = controller
        .hint()
        .map(|hint| hint.line.iter().map(|point| format!("{}", point.name(size))).collect())
        .unwrap_or_default();
    game.set_hint_line(line.join(" ").into());

    let at = controller.cursor().unwrap_or(size.centre());
    let ply = session.game().moves().iter().position(|&point| point == at);
    game.set_cursor_name(name(at, session));
    game.set_cursor_empty(ply.is_none());
    game.set_cursor_black(ply.is_some_and(|ply| Color::to_move_after(ply) == Color::Black));
    game.set_cursor_number(ply.map_or(0, |ply| number(ply + 1)));
    let last = session.game().moves().last();
    game.set_last_name(last.map(|&point| name(point, session)).unwrap_or_default());
    game.set_last_number(number(session.game().moves().len()));
}

/// The moves to show: the other side's where the two positions differ and the user looks at them.
#[cfg(feature = "std")]
fn moves<'a>(controller: &'a Controller, session: &'a Session) -> &'a [Point] {
    let theirs = controller.remote().view().game.as_ref().and_then(|game| game.their_moves.as_deref());
    theirs.filter(|_| controller.remote().shows_theirs()).unwrap_or(session.game().moves())
}

#[cfg(not(feature = "std"))]
fn moves<'a>(_controller: &'a Controller, session: &'a Session) -> &'a [Point] {
    session.game().moves()
}

fn name(point: Point, session: &Session) -> SharedString {
    format!("{}", point.name(session.game().size())).into()
}

fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn level(seat: Seat) -> i32 {
    match seat {
        Seat::Human => -1,
        Seat::Remote => -2,
        Seat::Engine => Level::ALL.len() as i32,
        Seat::Computer(level) => level as i32,
    }
}

fn spot(point: Option<Point>) -> Spot {
    let at = point.unwrap_or(Point::new(0, 0));
    Spot { shown: point.is_some(), column: at.x.into(), row: at.y.into() }
}

/// The stones of moves, of which some make the winning row.
fn stones(moves: &[Point], winning: &[Point]) -> Vec<Stone> {
    moves
        .iter()
        .enumerate()
        .map(|(ply, &point)| Stone {
            column: point.x.into(),
            row: point.y.into(),
            black: Color::to_move_after(ply) == Color::Black,
            number: number(ply + 1),
            last: ply + 1 == moves.len(),
            winning: winning.contains(&point),
        })
        .collect()
}

fn marks(controller: &Controller) -> Vec<Mark> {
    let mark =
        |kind: MarkKind| move |point: Point| Mark { column: point.x.into(), row: point.y.into(), kind };
    let forbidden = controller.forbidden_points().into_iter().map(mark(MarkKind::Forbidden));
    forbidden.chain(controller.hint().map(|hint| mark(MarkKind::Hint)(hint.point))).collect()
}

fn notice(controller: &Controller) -> Notice {
    match controller.notice() {
        None if controller.dialog() == Some(Dialog::DrawOffer) => Notice::DrawOffered,
        None => Notice::None,
        Some(controller::Notice::DrawDeclined) => Notice::DrawDeclined,
        Some(controller::Notice::Forbidden(Forbidden::ThreeThree)) => Notice::ThreeThree,
        Some(controller::Notice::Forbidden(Forbidden::FourFour)) => Notice::FourFour,
        Some(controller::Notice::Forbidden(Forbidden::Overline)) => Notice::Overline,
        Some(controller::Notice::NotSaved) => Notice::NotSaved,
        #[cfg(feature = "std")]
        Some(controller::Notice::Copied) => Notice::Copied,
        #[cfg(feature = "std")]
        Some(controller::Notice::NotCopied) => Notice::NotCopied,
        #[cfg(feature = "std")]
        Some(controller::Notice::Written) => Notice::Written,
    }
}

/// How black stands, from -1 (lost) to 1 (won).
fn evaluation(session: &Session) -> f32 {
    match session.ending().map(Ending::winner) {
        Some(Some(Color::Black)) => 1.0,
        Some(Some(Color::White)) => -1.0,
        Some(None) => 0.0,
        None => {
            let mover = f32::from(wuzi_engine::evaluate(session.game()).chance()) / 500.0 - 1.0;
            if session.game().to_move() == Color::Black { mover } else { -mover }
        }
    }
}

/// Makes the model equal to the rows and touches only the rows that differ, so that only these
/// are painted again.
pub(super) fn sync<T: Clone + PartialEq + 'static>(model: &VecModel<T>, rows: Vec<T>) {
    while model.row_count() > rows.len() {
        model.remove(model.row_count() - 1);
    }
    for (index, row) in rows.into_iter().enumerate() {
        match model.row_data(index) {
            None => model.push(row),
            Some(old) if old != row => model.set_row_data(index, row),
            Some(_) => {}
        }
    }
}
