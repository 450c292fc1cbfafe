// SPDX-License-Identifier: GPL-3.0-only
//! What keys mean. Letters name columns as well as commands (`H8` and HELP): such a letter waits
//! a moment for the number that makes it a column.

use alloc::vec::Vec;
use core::time::Duration;

use wuzi_engine::Size;

use crate::controller::{Action, Page};

/// How long a letter that is a column and a command waits for a number.
pub const LETTER_WAIT: Duration = Duration::from_millis(600);

/// A key, free of any toolkit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the keys")]
pub enum Key {
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    Enter,
    Space,
    Escape,
    F1,
    /// The best move.
    F2,
    /// A letter, a digit or a sign, as typed.
    Char(char),
    /// A letter with Ctrl (⌘ on a Mac), in lower case.
    Control(char),
    /// A letter with Ctrl and Shift, in lower case.
    ControlShift(char),
}

/// What a key turned out to mean.
#[derive(Clone, Debug)]
pub enum Typed {
    /// A command.
    Command(Action),
    /// The cursor moves by columns and rows.
    Step(i32, i32),
    /// The cursor moves to a column, from 0 at the left.
    Column(u8),
    /// The cursor moves to a row by its number, 1 at the bottom.
    Row(u8),
    /// A stone on the cursor's point.
    Place,
    /// Another game.
    NewGame,
    /// [`Keyboard::expire`] is due after this time unless another key comes.
    Wait(Duration),
}

/// What has been typed so far of a point's name.
#[derive(Clone, Debug, Default)]
pub struct Keyboard {
    /// A letter that is a column and a command.
    letter: Option<char>,
    /// The first digit of a row's number, while a second may follow.
    tens: Option<u8>,
}

impl Keyboard {
    /// What the key means; letters and digits name points only on a board.
    pub fn press(&mut self, key: Key, board: Option<Size>) -> Vec<Typed> {
        let mut typed = Vec::new();
        if let (Key::Char(digit @ '0'..='9'), Some(size)) = (key, board) {
            if let Some(letter) = self.letter.take() {
                typed.extend(column(letter, size).map(Typed::Column));
            }
            typed.extend(self.digit(digit as u8 - b'0', size).map(Typed::Row));
            return typed;
        }
        typed.extend(self.expire().map(Typed::Command));
        self.tens = None;
        match key {
            Key::Left => typed.push(Typed::Step(-1, 0)),
            Key::Right => typed.push(Typed::Step(1, 0)),
            Key::Up => typed.push(Typed::Step(0, -1)),
            Key::Down => typed.push(Typed::Step(0, 1)),
            Key::Enter | Key::Space => typed.push(Typed::Place),
            Key::Control('n') => typed.push(Typed::NewGame),
            Key::Char(letter) => match (board.and_then(|size| column(letter, size)), command(letter)) {
                (Some(_), Some(_)) => {
                    self.letter = Some(letter);
                    typed.push(Typed::Wait(LETTER_WAIT));
                }
                (Some(column), None) => typed.push(Typed::Column(column)),
                (None, command) => typed.extend(command.map(Typed::Command)),
            },
            other => typed.extend(shortcut(other).map(Typed::Command)),
        }
        typed
    }

    /// The command of a letter that waited in vain for a number.
    pub fn expire(&mut self) -> Option<Action> {
        self.letter.take().and_then(command)
    }

    /// Forgets what was typed: something else happened.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The row that the digits typed so far name.
    fn digit(&mut self, digit: u8, size: Size) -> Option<u8> {
        let is_row = |row: u8| (1..=size.lines()).contains(&row);
        let two = self.tens.take().map(|tens| tens * 10 + digit).filter(|&row| is_row(row));
        if two.is_none() && matches!(digit, 1 | 2) {
            self.tens = Some(digit);
        }
        two.or_else(|| Some(digit).filter(|&row| is_row(row)))
    }
}

fn column(letter: char, size: Size) -> Option<u8> {
    let index = letter.to_ascii_uppercase() as u32;
    let column = index.checked_sub('A' as u32).and_then(|column| u8::try_from(column).ok())?;
    (column < size.lines()).then_some(column)
}

fn command(letter: char) -> Option<Action> {
    Some(match letter.to_ascii_lowercase() {
        'u' => Action::Undo,
        'r' => Action::Redo,
        'h' => Action::Help,
        'p' => Action::Pause,
        '?' => Action::Hint,
        _ => return None,
    })
}

fn shortcut(key: Key) -> Option<Action> {
    Some(match key {
        Key::Escape => Action::Back,
        Key::F1 => Action::Open(Page::Help),
        Key::F2 => Action::Hint,
        Key::Control('z') => Action::Undo,
        Key::Control('y') | Key::ControlShift('z') => Action::Redo,
        Key::Control('q') => Action::Quit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn press(keyboard: &mut Keyboard, text: &str, size: Size) -> String {
        let typed: Vec<Typed> = text.chars().flat_map(|c| keyboard.press(Key::Char(c), Some(size))).collect();
        format!("{typed:?}")
    }

    fn cursor_after(text: &str, size: Size) -> (u8, u8) {
        let mut keyboard = Keyboard::default();
        let (mut column, mut row) = (99, 99);
        for typed in text.chars().flat_map(|c| keyboard.press(Key::Char(c), Some(size))) {
            match typed {
                Typed::Column(c) => column = c,
                Typed::Row(r) => row = r,
                _ => {}
            }
        }
        (column, row)
    }

    #[test]
    fn every_point_can_be_typed_on_every_size() {
        for size in (10..=20).filter_map(Size::new) {
            for point in size.iter() {
                let name = format!("{}", point.name(size)).to_lowercase();
                assert_eq!(cursor_after(&name, size), (point.x, size.lines() - point.y), "{name}");
            }
        }
    }

    #[test]
    fn points_typed_one_after_the_other_do_not_mix() {
        let size = Size::DEFAULT;
        assert_eq!(cursor_after("h12c3", size), (2, 3));
        assert_eq!(cursor_after("a1b15", size), (1, 15));
        assert_eq!(cursor_after("k9h1", size), (7, 1));
    }

    #[test]
    fn a_letter_that_is_no_column_is_a_command_at_once() {
        let mut keyboard = Keyboard::default();
        assert_eq!(press(&mut keyboard, "u", Size::DEFAULT), "[Command(Undo)]");
        assert_eq!(press(&mut keyboard, "R", Size::DEFAULT), "[Command(Redo)]");
        assert_eq!(press(&mut keyboard, "p", Size::DEFAULT), "[Command(Pause)]");
    }

    #[test]
    fn a_letter_that_is_both_waits_for_a_number() {
        let mut keyboard = Keyboard::default();
        assert_eq!(press(&mut keyboard, "h", Size::DEFAULT), "[Wait(600ms)]");
        assert!(matches!(keyboard.expire(), Some(Action::Help)));
        assert!(keyboard.expire().is_none());
        assert_eq!(press(&mut keyboard, "hu", Size::DEFAULT), "[Wait(600ms), Command(Help), Command(Undo)]");
    }

    #[test]
    fn without_a_board_letters_are_commands() {
        let typed = Keyboard::default().press(Key::Char('h'), None);
        assert!(matches!(typed[..], [Typed::Command(Action::Help)]));
    }
}
