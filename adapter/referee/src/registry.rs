//! The games that a program knows: a [`GameEntry`] each, handed to the referee as a [`Registry`].
//!
//! Code is generic over a game everywhere below; here its type is erased, once, into plain function pointers.

use std::fmt;
use std::process::ExitCode;

use kit::mine::{Mined, MiningSettings, mine};
use kit::options::OptionError;
use kit::puzzle::{Value, verify};
use kit::tune::{self, Sample, TrainingGame};
use kit::{DynHistory, Engine, OptionDecl, Options, PositionHistory, Rejection, dyn_history};

use crate::opening::Opening;
use crate::plan::{ANY, GameSpec};

/// The games that a program knows; whoever calls the referee brings them.
#[derive(Debug, Clone, Copy)]
pub struct Registry(pub &'static [GameEntry]);

impl Registry {
    /// All games, in the order in which they are listed.
    pub fn games(self) -> &'static [GameEntry] {
        self.0
    }

    /// The game of this name.
    pub fn find(self, name: &str) -> Result<&'static GameEntry, GameError> {
        let unknown = || GameError::Unknown {
            name: name.to_owned(),
            known: self.0.iter().map(|entry| entry.name).collect(),
        };
        let found = self.0.iter().find(|entry| entry.name == name);
        found.ok_or_else(unknown)
    }

    /// The rules of the game that a specification names, its options checked; `None` for [`ANY`], which has no rules.
    pub fn rules(self, spec: &GameSpec) -> Result<Option<Rules>, GameError> {
        if spec.name != ANY {
            return Rules::new(self.find(&spec.name)?, spec).map(Some);
        }
        match spec.options.first() {
            None => Ok(None),
            Some((name, _)) => Err(GameError::Option(OptionError::Unknown {
                name: name.clone(),
                known: Vec::new(),
            })),
        }
    }
}

/// A game in play, or why there is none.
pub type Opened = Result<Box<dyn DynHistory>, Rejection>;

/// A game with rules, notation and an engine of ours.
#[derive(Debug, Clone, Copy)]
pub struct GameEntry {
    /// The name in the registry and on the wire.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The options that shape its board or its rules.
    pub options: fn() -> Vec<OptionDecl>,
    /// The start position by these options.
    pub start: fn(&Options) -> Box<dyn DynHistory>,
    /// A game after an opening by these options.
    pub open: fn(&Options, &Opening) -> Opened,
    /// Options that a person is asked for before a game, each with its question.
    pub questions: &'static [(&'static str, &'static str)],
    /// Is the engine, on standard input and output, until it is told to quit.
    pub serve: fn() -> ExitCode,
    /// What its evaluation weighs by these options; empty where it is no weighted sum.
    pub weights: fn(&Options) -> &'static [i16],
    /// What a finished game teaches its evaluation.
    pub samples: fn(&Options, &TrainingGame) -> Result<Vec<Sample>, Rejection>,
    /// Proves what a position is worth: its string, the codes of moves played from there, of the best moves, its value.
    pub verify: fn(&Options, &Opening, &[String], Value) -> Result<(), Rejection>,
    /// Finds positions with a forced win in games of the engine against itself.
    pub mine: fn(&Options, &MiningSettings) -> Vec<Mined>,
    /// Measures the engine's search, on standard output.
    pub bench: fn() -> ExitCode,
}

impl GameEntry {
    /// The entry of a game.
    pub const fn of<G: Engine>(about: &'static str) -> GameEntry {
        GameEntry {
            name: G::NAME,
            about,
            options: G::options,
            start: |options| Box::new(PositionHistory::start(G::new(options))),
            open: |options, opening| Ok(Box::new(open::<G>(options, opening)?)),
            questions: &[],
            weights: |options| G::new(options).weights(),
            samples: tune::samples::<G>,
            verify: |options, opening, best, value| {
                let history = open::<G>(options, opening)?;
                let read = |code: &String| dyn_history::parse_legal(&history, code);
                let best: Vec<G::Move> = best.iter().map(read).collect::<Result<_, _>>()?;
                verify(&history, &best, value)
            },
            mine: |options, quarry| mine(&G::new(options), quarry),
            serve: kit::serve::stdio::<G>,
            bench: kit::bench::main::<G>,
        }
    }

    /// The entry of a game that asks a person for some of its options.
    pub const fn asking(self, questions: &'static [(&'static str, &'static str)]) -> GameEntry {
        GameEntry { questions, ..self }
    }
}

fn open<G: Engine>(options: &Options, opening: &Opening) -> Result<PositionHistory<G>, Rejection> {
    let game = G::new(options);
    let mut history = match &opening.fen {
        Some(fen) => dyn_history::parse_history(&game, fen)?,
        None => PositionHistory::start(game),
    };
    for code in &opening.moves {
        DynHistory::play(&mut history, code)?;
    }
    Ok(history)
}

/// Why a game cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameError {
    /// No game has this name.
    Unknown {
        /// The name that was given.
        name: String,
        /// The names of all games.
        known: Vec<&'static str>,
    },
    /// The game does not take this option or value.
    Option(OptionError),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Unknown { name, known } => {
                let known = known.join(", ");
                write!(f, "unknown game {name:?}: expected {known} or {ANY}")
            }
            GameError::Option(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GameError {}

/// A game with its options chosen.
#[derive(Debug, Clone)]
pub struct Rules {
    entry: &'static GameEntry,
    options: Options,
}

impl Rules {
    fn new(entry: &'static GameEntry, spec: &GameSpec) -> Result<Rules, GameError> {
        let mut options = Options::new((entry.options)());
        for (name, value) in &spec.options {
            options.set(name, Some(value)).map_err(GameError::Option)?;
        }
        Ok(Rules { entry, options })
    }

    /// The game's entry in the registry.
    pub fn entry(&self) -> &'static GameEntry {
        self.entry
    }

    /// Whether both are the same game with the same options.
    pub fn is_same(&self, other: &Rules) -> bool {
        self.entry.name == other.entry.name && self.options.values().eq(other.options.values())
    }

    /// All options with their values.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// A game at the start position.
    pub fn start(&self) -> Box<dyn DynHistory> {
        (self.entry.start)(&self.options)
    }

    /// A game after an opening. A refusal names the move or the part of the position string.
    pub fn open(&self, opening: &Opening) -> Opened {
        (self.entry.open)(&self.options, opening)
    }

    /// Proves that a position has this value, and that these moves alone keep it; none for any. A refusal says what is
    /// wrong.
    pub fn verify(
        &self,
        opening: &Opening,
        best: &[String],
        value: Value,
    ) -> Result<(), Rejection> {
        (self.entry.verify)(&self.options, opening, best, value)
    }

    /// Finds positions with a forced win in games of the engine against itself.
    pub fn mine(&self, quarry: &MiningSettings) -> Vec<Mined> {
        (self.entry.mine)(&self.options, quarry)
    }

    /// Whether games can begin with this opening, and if not, why.
    pub fn check(&self, opening: &Opening) -> Result<(), Rejection> {
        let board = self.open(opening)?;
        match board.outcome() {
            None => Ok(()),
            Some(_) => Err(Rejection::from(
                "the game is over: expected a position to play on from",
            )),
        }
    }
}
