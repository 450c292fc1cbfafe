// SPDX-License-Identifier: GPL-3.0-only
//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use wuzi_engine::Level;
use wuzi_record::text::Rows;

use crate::settings::Language;

/// Wuzi (五子棋): five in a row.
#[derive(Clone, Debug, Parser)]
#[command(
    version,
    about,
    args_conflicts_with_subcommands = true,
    after_help = "WUZI_LOG=debug shows more on the error output, such as each move's attack and defence score."
)]
pub struct Args {
    /// What to do instead of opening the window.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Game to open: .sgf, .psq, .lib, .pos or .txt.
    #[arg(value_name = "FILE", conflicts_with = "new")]
    pub file: Option<PathBuf>,

    /// Language of the interface for this run.
    #[arg(long, value_parser = language)]
    pub lang: Option<Language>,

    /// Directory of the settings and games, instead of the user's data directory.
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// Number that the computer's random choices start from, so that they repeat.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// No sound in this run.
    #[arg(long)]
    pub mute: bool,

    /// Starts a game at once: pvp, easy, normal, hard, expert or master.
    #[arg(long, value_name = "GAME", value_parser = new_game)]
    pub new: Option<NewGame>,

    /// What draws the window.
    #[arg(long, value_enum, default_value_t = Renderer::Software)]
    pub renderer: Renderer,
}

/// What the program does without a window.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Converts a game; the extensions name the formats.
    Convert(Convert),
}

/// A conversion.
#[derive(Clone, Debug, clap::Args)]
pub struct Convert {
    /// Game to read: .sgf, .psq, .lib, .pos or .txt.
    #[arg(value_name = "IN")]
    pub input: PathBuf,

    /// File to write: the formats above, .png for the board or .gif for the whole game.
    #[arg(value_name = "OUT")]
    pub output: PathBuf,

    /// Where row 1 is in a .txt that does not say it: bottom or top.
    #[arg(long, value_name = "SIDE", value_parser = rows, default_value = "bottom")]
    pub row_one: Rows,
}

/// A game to start with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewGame {
    /// Two people.
    Pvp,
    /// Against the computer.
    Pve(Level),
}

/// What draws the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Renderer {
    /// The processor; works everywhere.
    Software,
    /// The graphics card; needs a working OpenGL driver.
    Opengl,
}

impl Renderer {
    /// Slint's name of the renderer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Software => "software",
            Self::Opengl => "femtovg",
        }
    }
}

fn language(text: &str) -> Result<Language, String> {
    match text {
        "zh" => Ok(Language::Chinese),
        "en" => Ok(Language::English),
        _ => Err("expected zh or en".into()),
    }
}

fn rows(text: &str) -> Result<Rows, String> {
    match text {
        "bottom" => Ok(Rows::FromBottom),
        "top" => Ok(Rows::FromTop),
        _ => Err("expected bottom or top".into()),
    }
}

fn new_game(text: &str) -> Result<NewGame, String> {
    Ok(match text {
        "pvp" => NewGame::Pvp,
        "easy" => NewGame::Pve(Level::Easy),
        "normal" => NewGame::Pve(Level::Normal),
        "hard" => NewGame::Pve(Level::Hard),
        "expert" => NewGame::Pve(Level::Expert),
        "master" => NewGame::Pve(Level::Master),
        _ => return Err("expected pvp, easy, normal, hard, expert or master".into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn bad_arguments_end_with_code_2() {
        for bad in [
            &["--lang", "fr"][..],
            &["--seed", "x"],
            &["--seed", "-1"],
            &["--new", "impossible"],
            &["--new"],
            &["--renderer", "cairo"],
            &["--unknown"],
            &["a.sgf", "stray"],
            &["a.sgf", "--new", "pvp"],
            &["convert"],
            &["convert", "a.sgf"],
            &["convert", "a.sgf", "b.psq", "stray"],
            &["convert", "a.sgf", "b.psq", "--row-one", "left"],
            &["--mute", "convert", "a.sgf", "b.psq"],
        ] {
            let error = Args::try_parse_from([&["wuzi"], bad].concat()).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{bad:?}");
        }
    }

    #[test]
    fn good_arguments_are_understood() {
        let args =
            Args::try_parse_from(["wuzi", "--lang", "zh", "--new", "hard", "--seed", "7", "--mute"]).unwrap();
        assert_eq!(args.lang, Some(Language::Chinese));
        assert_eq!(args.new, Some(NewGame::Pve(Level::Hard)));
        assert_eq!(args.seed, Some(7));
        assert!(args.mute && args.file.is_none() && args.command.is_none());
        let args = Args::try_parse_from(["wuzi", "--mute", "games/last game.sgf"]).unwrap();
        assert_eq!(args.file, Some(PathBuf::from("games/last game.sgf")));
        let args = Args::try_parse_from(["wuzi", "convert", "a.txt", "b.lib", "--row-one", "top"]).unwrap();
        let Some(Command::Convert(convert)) = args.command else { panic!("a conversion") };
        assert_eq!((convert.input, convert.output), ("a.txt".into(), "b.lib".into()));
        assert_eq!(convert.row_one, Rows::FromTop);
    }
}
