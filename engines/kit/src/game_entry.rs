//! A game and its engine with the type erased: what a program needs to offer the game.
//!
//! Code is generic over a game everywhere below. Each game crate erases its type here, once, so that its rules and its
//! search are compiled in that crate alone.

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

/// A game in play, or why there is none.
pub type Opened = Result<Box<dyn DynHistory>, Rejection>;

/// What is told of each move that is proved; whether to go on.
pub type ProofListener<'a> = &'a mut dyn FnMut(&MoveProof<String>) -> bool;

/// A position as a `position` line gives it.
#[derive(Debug, Clone, Copy)]
pub struct PositionLine<'a> {
    /// A position string; `None` for the start position.
    pub fen: Option<&'a str>,
    /// The codes of the moves played from there.
    pub moves: &'a [String],
}

/// A game with its rules, notation and engine, as plain function pointers.
#[derive(Debug, Clone, Copy)]
pub struct GameEntry {
    /// The name in the registry and on the wire.
    pub name: &'static str,
    /// What a newcomer reads of it.
    pub about: &'static About,
    /// The options that shape its board or its rules.
    pub options: fn() -> Vec<OptionDecl>,
    /// Options that a person is asked for before a game, each with its question.
    pub questions: &'static [(&'static str, &'static str)],
    /// Positions that test an engine's rules one by one; may be empty.
    pub check_positions: &'static [CheckPosition],
    /// The game by these options, in this position.
    pub open: fn(&Options, PositionLine<'_>) -> Opened,
    /// What a line of a pasted text is to a drawn board whose rows so far are given.
    pub figure_line: fn(&[String], &str) -> FigureLine,
    /// Runs the engine on standard input and output, until it is told to quit.
    pub serve: fn() -> ExitCode,
    /// Measures the engine's search, on standard output.
    pub bench: fn() -> ExitCode,
    /// The weights of its evaluation by these options; empty where it is no weighted sum.
    pub weights: fn(&Options) -> &'static [i16],
    /// The training samples of a finished game.
    pub samples: fn(&Options, &TrainingGame) -> Result<Vec<Sample>, Rejection>,
    /// Proves that a position has this value, and that these moves alone keep it.
    pub verify: fn(&Options, PositionLine<'_>, &[String], Value) -> Result<(), Rejection>,
    /// The score that a search of so many nodes gives a position, from the side to move; the same at each call. The game must
    /// go on there.
    pub score: fn(&Options, PositionLine<'_>, u64) -> Result<Score, Rejection>,
    /// Proves the value of each legal move of a position, one after another, until the function returns false; none
    /// if the game is over there.
    pub prove:
        fn(&Options, PositionLine<'_>, &ProofSettings, ProofListener<'_>) -> Result<(), Rejection>,
    /// What it learns; `None` where it has neither a network nor a policy.
    pub learns: Option<Learns>,
    /// Finds positions with a forced win in games of the engine against itself.
    pub mine: fn(&Options, &MiningSettings) -> Vec<Mined>,
    /// Its tables of perfect play, if it has any.
    pub tables: Option<TableEntry>,
}

impl GameEntry {
    /// The entry of a game. Make it a `static` of the game's own crate: the search is compiled where the entry is made.
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

    /// The same entry; tables of this game, which is the entry's, can be built.
    pub const fn with_tables<G: Engine + Tabulated>(self) -> GameEntry {
        GameEntry {
            tables: Some(TableEntry::of::<G>()),
            ..self
        }
    }

    /// The same entry; a person is asked for these options before a game.
    pub const fn asking(self, questions: &'static [(&'static str, &'static str)]) -> GameEntry {
        GameEntry { questions, ..self }
    }

    /// The same entry; these positions test whether an engine keeps the rules.
    pub const fn checked_at(self, check_positions: &'static [CheckPosition]) -> GameEntry {
        GameEntry {
            check_positions,
            ..self
        }
    }

    /// The whole of an engine's `main`: serves without arguments, measures for `bench`. Anything else is a line on
    /// standard error and exit code 2.
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
