//! The [`Registry`] of games, provided by the calling program. The referee itself names no game.

use std::fmt;

use kit::game_entry::{Opened, ProofListener};
use kit::mine::{Mined, MiningSettings};
use kit::options::OptionError;
use kit::puzzle::Value;
use kit::search::Score;
use kit::search::proof::ProofSettings;
use kit::{DynHistory, GameEntry, Options, Rejection};

use crate::game_spec::{ANY, GameSpec};
use crate::opening::position::Opening;

/// The games known to the calling program.
#[derive(Debug, Clone, Copy)]
pub struct Registry(pub &'static [&'static GameEntry]);

impl Registry {
    /// All games, in listing order.
    pub fn games(self) -> &'static [&'static GameEntry] {
        self.0
    }

    /// Finds a game by name.
    pub fn find(self, name: &str) -> Result<&'static GameEntry, GameError> {
        let unknown = || GameError::Unknown {
            name: name.to_owned(),
            known: self.0.iter().map(|entry| entry.name).collect(),
        };
        let found = self.0.iter().copied().find(|entry| entry.name == name);
        found.ok_or_else(unknown)
    }

    /// The rules of a game with its options checked; `None` for [`ANY`].
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

/// An unknown game or an invalid option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameError {
    /// No game has this name.
    Unknown {
        /// The name given.
        name: String,
        /// The names of all games.
        known: Vec<&'static str>,
    },
    /// The game rejects this option or value.
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

/// A game with chosen options.
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

    /// `true` if both are the same game with the same option values.
    pub fn is_same(&self, other: &Rules) -> bool {
        self.entry.name == other.entry.name && self.options.values().eq(other.options.values())
    }

    /// All options with their current values.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Opens the start position.
    pub fn start(&self) -> Box<dyn DynHistory> {
        self.open(&Opening::default())
            .expect("the start position is sound")
    }

    /// Opens the position after an opening. The error names the move or the part of the position string.
    pub fn open(&self, opening: &Opening) -> Opened {
        (self.entry.open)(&self.options, opening.position_line())
    }

    /// Proves the value of a position, and that only the moves in `best` keep it; an empty `best` is not checked. The
    /// error says what is wrong.
    pub fn verify(
        &self,
        opening: &Opening,
        best: &[String],
        value: Value,
    ) -> Result<(), Rejection> {
        (self.entry.verify)(&self.options, opening.position_line(), best, value)
    }

    /// Proves the value of each legal move after an opening. Calls `tell` with each result until it returns `false`.
    pub fn prove(
        &self,
        opening: &Opening,
        settings: &ProofSettings,
        tell: ProofListener<'_>,
    ) -> Result<(), Rejection> {
        (self.entry.prove)(&self.options, opening.position_line(), settings, tell)
    }

    /// The score of the position after an opening by a search of `nodes` nodes, for the side to move.
    pub fn score(&self, opening: &Opening, nodes: u64) -> Result<Score, Rejection> {
        (self.entry.score)(&self.options, opening.position_line(), nodes)
    }

    /// Searches self-play games for positions with a forced win.
    pub fn mine(&self, quarry: &MiningSettings) -> Vec<Mined> {
        (self.entry.mine)(&self.options, quarry)
    }

    /// Checks that games can begin with this opening.
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
