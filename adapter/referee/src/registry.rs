//! The games that a program knows, handed to the referee as a [`Registry`]; it names none itself.

use std::fmt;

use kit::game_entry::{Opened, ProofListener};
use kit::mine::{Mined, MiningSettings};
use kit::options::OptionError;
use kit::puzzle::Value;
use kit::search::Score;
use kit::search::proof::ProofSettings;
use kit::{DynHistory, GameEntry, Options, Rejection};

use crate::opening::Opening;
use crate::plan::{ANY, GameSpec};

/// The games that a program knows; whoever calls the referee brings them.
#[derive(Debug, Clone, Copy)]
pub struct Registry(pub &'static [&'static GameEntry]);

impl Registry {
    /// All games, in the order in which they are listed.
    pub fn games(self) -> &'static [&'static GameEntry] {
        self.0
    }

    /// The game of this name.
    pub fn find(self, name: &str) -> Result<&'static GameEntry, GameError> {
        let unknown = || GameError::Unknown {
            name: name.to_owned(),
            known: self.0.iter().map(|entry| entry.name).collect(),
        };
        let found = self.0.iter().copied().find(|entry| entry.name == name);
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
        self.open(&Opening::default())
            .expect("the start position is sound")
    }

    /// A game after an opening. A refusal names the move or the part of the position string.
    pub fn open(&self, opening: &Opening) -> Opened {
        (self.entry.open)(&self.options, opening.position_line())
    }

    /// Proves that a position has this value, and that these moves alone keep it; none for any. A refusal says what is
    /// wrong.
    pub fn verify(
        &self,
        opening: &Opening,
        best: &[String],
        value: Value,
    ) -> Result<(), Rejection> {
        (self.entry.verify)(&self.options, opening.position_line(), best, value)
    }

    /// Proves the value of each legal move after an opening, and tells each at once, until `tell` returns false.
    pub fn prove(
        &self,
        opening: &Opening,
        settings: &ProofSettings,
        tell: ProofListener<'_>,
    ) -> Result<(), Rejection> {
        (self.entry.prove)(&self.options, opening.position_line(), settings, tell)
    }

    /// The score that a search of so many nodes gives the position after an opening, from the side to move.
    pub fn score(&self, opening: &Opening, nodes: u64) -> Result<Score, Rejection> {
        (self.entry.score)(&self.options, opening.position_line(), nodes)
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
