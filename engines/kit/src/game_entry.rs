//! A game and its engine with the type erased, for programs that offer any game.
//!
//! All code below this level is generic over a game. Each game crate erases its type here, once, so its rules and its
//! search are compiled only in that crate.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::about::About;
use crate::options::{OptionDecl, Options};
use crate::tablebase::{OpenedTable, open_dyn};
use crate::{
    CheckPosition, DynEngine, DynHistory, Engine, FigureLine, PositionHistory, Rejection, bench,
    dyn_history, serve,
};

/// A game in progress, or the reason why it could not be opened.
pub type Opened = Result<Box<dyn DynHistory>, Rejection>;

/// As [`Opened`], with the engine.
pub type OpenedEngine = Result<Box<dyn DynEngine>, Rejection>;

/// The content of a `position` line.
#[derive(Debug, Clone, Copy)]
pub struct PositionLine<'a> {
    /// A position string; `None` for the start position.
    pub fen: Option<&'a str>,
    /// Move codes played from that position.
    pub moves: &'a [String],
}

/// A game with its rules, notation and engine, as plain function pointers.
#[derive(Debug, Clone, Copy)]
pub struct GameEntry {
    /// The name in the registry and in the protocol.
    pub name: &'static str,
    /// The introduction shown to new players.
    pub about: &'static About,
    /// The options that change the board or the rules.
    pub options: fn() -> Vec<OptionDecl>,
    /// Options to ask a person for before a game, each with its question.
    pub questions: &'static [(&'static str, &'static str)],
    /// Positions that test an engine's rules one by one; may be empty.
    pub check_positions: &'static [CheckPosition],
    /// Opens the game with these options in this position.
    pub open: fn(&Options, PositionLine<'_>) -> Opened,
    /// Classifies a line of pasted text, given the rows of the drawn board read so far.
    pub figure_line: fn(&[String], &str) -> FigureLine,
    /// Runs the engine on standard input and output until `quit`.
    pub serve: fn() -> ExitCode,
    /// Runs the engine's bench and writes it to standard output.
    pub bench: fn() -> ExitCode,
    /// As [`open`](GameEntry::open), with the engine.
    pub open_engine: fn(&Options, PositionLine<'_>) -> OpenedEngine,
    /// Opens the table of perfect play for these options, a file or one in a folder; `None` if the folder has none, or the
    /// game has no table for these options.
    pub open_table: fn(&Options, &Path) -> OpenedTable,
}

impl GameEntry {
    /// Creates the entry of a game. Store it in a `static` of the game's crate: the search is compiled where the entry
    /// is made.
    pub const fn of<G: Engine>(about: &'static About) -> GameEntry {
        GameEntry {
            name: G::NAME,
            about,
            options: G::options,
            questions: &[],
            check_positions: &[],
            open: |options, line| Ok(Box::new(open::<G>(options, line)?)),
            figure_line: G::figure_line,
            serve: serve::stdio::<G>,
            bench: bench::main::<G>,
            open_engine: |options, line| Ok(Box::new(open::<G>(options, line)?)),
            open_table: open_dyn::<G>,
        }
    }

    /// Sets the options to ask a person for before a game.
    pub const fn asking(self, questions: &'static [(&'static str, &'static str)]) -> GameEntry {
        GameEntry { questions, ..self }
    }

    /// Sets the positions that test an engine's rules.
    pub const fn checked_at(self, check_positions: &'static [CheckPosition]) -> GameEntry {
        GameEntry {
            check_positions,
            ..self
        }
    }

    /// An engine's whole `main`: serves without arguments, runs the bench for `bench`. Any other argument is an error:
    /// one line on standard error and exit code 2.
    pub fn main(&self) -> ExitCode {
        let words: Vec<OsString> = std::env::args_os().skip(1).collect();
        match &words[..] {
            [] => (self.serve)(),
            [word] if word == "bench" => (self.bench)(),
            [word] | [_, word, ..] => {
                let word = word.to_string_lossy();
                let _ = writeln!(
                    io::stderr(),
                    "error: unknown argument {word:?}: expected bench or nothing"
                );
                ExitCode::from(2)
            }
        }
    }
}

fn open<G: Engine>(
    options: &Options,
    line: PositionLine<'_>,
) -> Result<PositionHistory<G>, Rejection> {
    let game = G::new(options);
    let mut history = match line.fen {
        Some(fen) => dyn_history::parse_history(&game, fen)?,
        None => PositionHistory::start(game),
    };
    for code in line.moves {
        DynHistory::play(&mut history, code)?;
    }
    Ok(history)
}
