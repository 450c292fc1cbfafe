// SPDX-License-Identifier: GPL-3.0-only
//! Brings what the controller knows onto the painted board.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use slint::{Color, ComponentHandle, Model, ModelRc, VecModel};
use wuzi::app::App;
use wuzi::controller::Controller;
use wuzi::interface::{AppWindow, PlateAdapter, Spot, Theme};
use wuzi::session::{Ending, Session};
use wuzi_engine::{Color as Side, Point};
use wuzi_plate::{Look, MAX_LINES, PlatePixel, Stone};

/// The board's part of the interface: the strips that the painter fills, and the winning row.
pub struct PlateView {
    strips: Rc<VecModel<Color>>,
    winning: Rc<VecModel<Spot>>,
}

impl PlateView {
    /// Gives the interface its models.
    pub fn connect(window: &AppWindow) -> Self {
        let view = Self { strips: Rc::default(), winning: Rc::default() };
        let adapter = window.global::<PlateAdapter>();
        adapter.set_strips(ModelRc::from(view.strips.clone()));
        adapter.set_winning(ModelRc::from(view.winning.clone()));
        view
    }

    /// Shows the board as it is now; only strips that differ are drawn anew.
    pub fn show(&self, app: &App) {
        app.with_controller(|controller| {
            let session = controller.session();
            let lines = session.map_or(15, |session| usize::from(session.game().size().lines()));
            let look = look(app.window(), controller);
            if wuzi_plate::change(|plate| plate.set_look(lines, look)) || self.strips.row_count() != lines + 2
            {
                let odd = self.strips.row_data(0) == Some(PlatePixel::strip(true));
                self.strips.set_vec(vec![PlatePixel::strip(!odd); lines + 2]);
            }
            self.show_stones(lines, session, look.numbers);
            self.show_winning(session);
        });
    }

    fn show_stones(&self, lines: usize, session: Option<&Session>, numbers: bool) {
        let moves = session.map_or(&[][..], |session| session.game().moves());
        let mut rows = [[None; MAX_LINES]; MAX_LINES];
        for (ply, point) in moves.iter().enumerate() {
            let stone = Stone {
                black: Side::to_move_after(ply) == Side::Black,
                number: u16::try_from(ply + 1).unwrap_or(u16::MAX),
                last: numbers && ply + 1 == moves.len(),
            };
            rows[usize::from(point.y)][usize::from(point.x)] = Some(stone);
        }
        for (row, stones) in rows.iter().enumerate().take(lines) {
            if wuzi_plate::change(|plate| plate.set_row(row, stones))
                && let Some(old) = self.strips.row_data(row + 1)
            {
                self.strips.set_row_data(row + 1, PlatePixel::strip(old != PlatePixel::strip(true)));
            }
        }
    }

    fn show_winning(&self, session: Option<&Session>) {
        let row: Vec<Point> = match session.and_then(Session::ending) {
            Some(Ending::Row(_, row)) => row.points().collect(),
            _ => Vec::new(),
        };
        let spot = |point: &Point| Spot { shown: true, column: i32::from(point.x), row: i32::from(point.y) };
        if !self.winning.iter().eq(row.iter().map(spot)) {
            self.winning.set_vec(row.iter().map(spot).collect::<Vec<_>>());
        }
    }
}

fn look(window: &AppWindow, controller: &Controller) -> Look {
    let theme = window.global::<Theme>();
    let settings = controller.settings();
    Look {
        board: theme.get_board(),
        grain: theme.get_grained().then(|| theme.get_grain()),
        light: theme.get_board_light(),
        edge: theme.get_board_edge(),
        line: theme.get_line(),
        label: theme.get_label(),
        coordinates: settings.coordinates,
        numbers: settings.numbers,
    }
}
