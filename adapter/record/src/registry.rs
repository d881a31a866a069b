//! The [`Registry`] of games, provided by the calling program. The referee itself names no game.

use std::collections::HashSet;

use kit::game_entry::{Opened, PositionLine};
use kit::options;
use kit::search::{Ladder, SearchScore, Searcher};
use kit::{DynHistory, GameEntry, Options, Rejection, Side};

use crate::game_spec::{ANY, GameSpec, RulesSpec};
use crate::opening::Opening;

/// The games known to the calling program.
#[derive(Debug, Clone, Copy)]
pub struct Registry(pub &'static [&'static GameEntry]);

impl Registry {
    /// All games, in listing order.
    pub fn games(self) -> &'static [&'static GameEntry] {
        self.0
    }

    /// Adds games of different names at the end; each replaces one of its name. The list lives as long as the process.
    #[must_use]
    pub fn with(self, entries: impl IntoIterator<Item = GameEntry>) -> Registry {
        let added: &[GameEntry] = Vec::from_iter(entries).leak();
        let names: HashSet<&str> = added.iter().map(|game| game.name).collect();
        let kept = self.games().iter().copied();
        let kept = kept.filter(|game| !names.contains(game.name));
        Registry(Vec::from_iter(kept.chain(added)).leak())
    }

    /// As [`with`](Registry::with), for one game at the beginning.
    #[must_use]
    pub fn led_by(self, entry: GameEntry) -> Registry {
        let mut games = self.with([entry]).0.to_vec();
        games.rotate_right(1);
        Registry(games.leak())
    }

    /// Finds a game by name.
    pub fn find(self, name: &str) -> Result<&'static GameEntry, GameError> {
        let found = self.0.iter().find(|entry| entry.name == name);
        found.copied().ok_or_else(|| GameError::Unknown {
            name: name.to_owned(),
            known: self.0.iter().map(|entry| entry.name).collect(),
        })
    }

    /// The program that knows the rules of a game, for its ledger; `None` for a compiled game.
    pub fn rules_spec(self, game: &str) -> Option<RulesSpec> {
        Some(RulesSpec::new(self.find(game).ok()?.args.get(1..)?))
    }

    /// The rules of a game with its options checked; `None` for [`ANY`].
    pub fn rules(self, spec: &GameSpec) -> Result<Option<Rules>, GameError> {
        if spec.name != ANY {
            return Rules::new(self.find(&spec.name)?, spec).map(Some);
        }
        match spec.options.first() {
            None => Ok(None),
            Some((name, _)) => Err(GameError::Option(options::unknown(name, &[]))),
        }
    }
}

/// An unknown game or an invalid option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// No game has this name.
    #[error("unknown game {name:?}: choose {} or {ANY}", known.join(", "))]
    Unknown {
        /// The name given.
        name: String,
        /// The names of all games.
        known: Vec<&'static str>,
    },
    /// The game rejects this option or value.
    #[error("{0}")]
    Option(Rejection),
    /// The program that knows the rules does not start. The text names it.
    #[error("{0}")]
    Rules(Rejection),
}

/// A game with chosen options.
#[derive(Debug, Clone)]
pub struct Rules {
    entry: &'static GameEntry,
    options: Options,
}

impl Rules {
    fn new(entry: &'static GameEntry, spec: &GameSpec) -> Result<Rules, GameError> {
        entry.source.start().map_err(GameError::Rules)?;
        let mut options = Options::new(entry.source.options());
        for (name, value) in &spec.options {
            options.set(name, Some(value)).map_err(GameError::Option)?;
        }
        Ok(Rules { entry, options })
    }

    /// The game's entry in the registry.
    pub fn entry(&self) -> &'static GameEntry {
        self.entry
    }

    /// `true` if the rules are a program, not compiled in.
    pub fn are_of_program(&self) -> bool {
        self.entry.is_of_program()
    }

    /// `true` if both are the same game with the same option values.
    pub fn is_same(&self, other: &Rules) -> bool {
        self.entry.name == other.entry.name && self.options.values().eq(other.options.values())
    }

    /// All options with their current values.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game with the options that differ from their defaults.
    pub fn spec(&self) -> GameSpec {
        let defaults = Options::new(self.entry.source.options());
        let values = self.options.values().zip(defaults.values());
        let changed = values.filter(|(value, default)| value != default);
        GameSpec::new(self.entry.name, changed.map(|(option, _)| option))
    }

    /// The measured playing strengths of the built-in engine on this board; `None` if they were not measured.
    pub fn ladder(&self) -> Option<Ladder> {
        self.start().ladder()
    }

    /// Opens the start position.
    pub fn start(&self) -> Box<dyn DynHistory> {
        self.open(&Opening::default())
            .expect("the start position is sound")
    }

    /// The game's name and the options that determine the board, as the answer to `query game`.
    pub fn board(&self) -> String {
        let text = format!("{} {}", self.entry.name, self.start().shape());
        text.trim_end().to_owned()
    }

    /// Opens the position after an opening. The error names the move or the part of the position string.
    pub fn open(&self, opening: &Opening) -> Opened {
        let line = PositionLine {
            fen: opening.fen.as_deref(),
            moves: &opening.moves,
        };
        self.entry.source.open(&self.options, line)
    }

    /// The side to move at the base position of an opening; `None` if the position is not sound.
    pub fn first_mover(&self, opening: &Opening) -> Option<Side> {
        Some(self.open(&opening.prefix(0)).ok()?.side())
    }

    /// The score of the position after an opening, from the side to move, by a search of this many nodes.
    ///
    /// # Errors
    /// The opening is illegal, or the game is over.
    pub fn score(&self, opening: &Opening, nodes: u64) -> Result<SearchScore, Rejection> {
        self.check(opening)?;
        let board = self.open(opening)?;
        Ok(board.search_nodes(&mut Searcher::new(1, 1), nodes, 0).score)
    }

    /// Checks that games can begin with this opening.
    pub fn check(&self, opening: &Opening) -> Result<(), Rejection> {
        match self.open(opening)?.outcome() {
            None => Ok(()),
            Some(_) => Err("the game is over: name a position to play on from".into()),
        }
    }
}
