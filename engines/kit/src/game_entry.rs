//! A game and its engine with the type erased, for programs that offer any game.
//!
//! All code below this level is generic over a game. Each game crate erases its type here, once, so its rules and its
//! search are compiled only in that crate.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::about::About;
use crate::learn::Learns;
use crate::mine::{Mined, MiningSettings, mine, search_nodes};
use crate::options::{OptionDecl, Options};
use crate::puzzle::{Value, verify};
use crate::search::proof::{MoveProof, ProofSettings, prove_moves};
use crate::search::{Score, Searcher};
use crate::tablebase::{TableEntry, Tabulated};
use crate::tune::{self, Sample, TrainingGame};
use crate::{
    CheckPosition, DynHistory, Engine, FigureLine, PositionHistory, Rejection, bench, dyn_history,
    serve,
};

/// A game in progress, or the reason why it could not be opened.
pub type Opened = Result<Box<dyn DynHistory>, Rejection>;

/// Receives the proof of each move; returns `false` to stop.
pub type ProofListener<'a> = &'a mut dyn FnMut(&MoveProof<String>) -> bool;

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
    /// The weights of the evaluation with these options; empty if it is not a weighted sum.
    pub weights: fn(&Options) -> &'static [i16],
    /// The training samples of a finished game.
    pub samples: fn(&Options, &TrainingGame) -> Result<Vec<Sample>, Rejection>,
    /// Verifies that a position has this value and that exactly these moves keep it.
    pub verify: fn(&Options, PositionLine<'_>, &[String], Value) -> Result<(), Rejection>,
    /// The score of a position after a search of this number of nodes, from the side to move. Deterministic. An error
    /// if the game is over.
    pub score: fn(&Options, PositionLine<'_>, u64) -> Result<Score, Rejection>,
    /// Proves the value of each legal move of a position, one after another, until the listener returns `false`. A
    /// finished game has no moves to prove.
    pub prove:
        fn(&Options, PositionLine<'_>, &ProofSettings, ProofListener<'_>) -> Result<(), Rejection>,
    /// Training of its network and policy; `None` if it has neither.
    pub learns: Option<Learns>,
    /// Searches self-play games for positions with a forced win.
    pub mine: fn(&Options, &MiningSettings) -> Vec<Mined>,
    /// The game's endgame tables; `None` if it has none.
    pub tables: Option<TableEntry>,
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
            weights: |options| G::new(options).weights(),
            samples: tune::samples::<G>,
            verify: |options, line, best, value| {
                let history = open::<G>(options, line)?;
                let read = |code: &String| dyn_history::parse_legal(&history, code);
                let best: Vec<G::Move> = best.iter().map(read).collect::<Result<_, _>>()?;
                verify(&history, &best, value)
            },
            score: |options, line, nodes| {
                let history = open::<G>(options, line)?;
                if history.outcome().is_some() {
                    return Err(Rejection::from(
                        "the game is over: expected a position to search",
                    ));
                }
                Ok(search_nodes(&history, &mut Searcher::new(1, 1), nodes, 0).score)
            },
            prove: |options, line, settings, tell| {
                let history = open::<G>(options, line)?;
                let code = |mv| history.game().format_move(history.position(), mv);
                let mut tell = |proof: MoveProof<G::Move>| tell(&proof.map(code));
                prove_moves(&history, &history.moves(), settings, &mut tell);
                Ok(())
            },
            learns: Learns::of::<G>(),
            mine: |options, settings| mine(&G::new(options), settings),
            tables: None,
        }
    }

    /// Adds the game's tables to the entry; `G` must be the entry's game.
    pub const fn with_tables<G: Engine + Tabulated>(self) -> GameEntry {
        GameEntry {
            tables: Some(TableEntry::of::<G>()),
            ..self
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
