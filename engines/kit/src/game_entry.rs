//! A game and its engine with the type erased, for programs that offer any game.

use std::fmt;
use std::marker::PhantomData;
use std::sync::LazyLock;

use crate::options::{OptionDecl, Options};
use crate::{Bench, DynHistory, Engine, PositionHistory, Rejection, notation};
use draw::{
    about::{About, GameTexts, NO_TEXTS},
    grid::Grid,
};

/// A game in progress, or the reason why it could not be opened.
pub type Opened = Result<Box<dyn DynHistory>, Rejection>;

/// The content of a `position` line.
#[derive(Debug, Clone, Copy)]
pub struct PositionLine<'a> {
    /// A position string; `None` for the start position.
    pub fen: Option<&'a str>,
    /// Move codes played from that position.
    pub moves: &'a [String],
}

/// The code behind a [`GameEntry`]: a game of its crate, or a program that knows the rules.
pub trait GameSource: fmt::Debug + Sync {
    /// Makes the game ready for use.
    ///
    /// # Errors
    /// A program does not start, or does not know its game. The text names it.
    fn start(&self) -> Result<(), Rejection> {
        Ok(())
    }

    /// The introduction of a game whose entry has none.
    fn about(&self) -> &'static About {
        &NO_TEXTS.about
    }

    /// The options that change the board or the rules.
    fn options(&self) -> Vec<OptionDecl>;

    /// Opens the game with these options in this position.
    fn open(&self, options: &Options, line: PositionLine<'_>) -> Opened;

    /// The rows of drawn boards; `None` if a drawing does not show the position.
    fn grid(&self) -> Option<&'static Grid> {
        None
    }

    /// The author and the bench of the game's engine; `None` if it has none.
    fn engine(&self) -> Option<(&'static str, Bench)> {
        None
    }
}

/// A game with its rules, notation and engine, of any source.
#[derive(Debug, Clone, Copy)]
pub struct GameEntry {
    /// The name in the registry and in the protocol.
    pub name: &'static str,
    /// Positions that test an engine's rules one by one, a text in the form of [`CheckPosition`](crate::CheckPosition); may
    /// be empty.
    pub check_positions: &'static str,
    /// Positions that test each place of the default board; may be empty. Each names its place, such as `b2 next to c3`,
    /// instead of a rule.
    pub place_positions: &'static str,
    /// Arguments by which another process of this program knows the game too; empty for a compiled game.
    pub args: &'static [String],
    /// The texts for new players; `None` for a game of another source.
    pub texts: Option<&'static LazyLock<GameTexts>>,
    /// The rules and the engine.
    pub source: &'static dyn GameSource,
}

/// A game of a crate.
struct CompiledGame<G>(PhantomData<fn() -> G>);

impl<G: Engine> fmt::Debug for CompiledGame<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(G::NAME)
    }
}

impl<G: Engine> GameSource for CompiledGame<G> {
    fn options(&self) -> Vec<OptionDecl> {
        G::options()
    }

    fn open(&self, options: &Options, line: PositionLine<'_>) -> Opened {
        let start = PositionHistory::start(G::new(options));
        let mut history: Box<dyn DynHistory> = match line.fen {
            Some(fen) => start.begun_at(fen)?,
            None => Box::new(start),
        };
        for code in line.moves {
            history.play(code)?;
        }
        Ok(history)
    }

    fn grid(&self) -> Option<&'static Grid> {
        notation::grid::<G>()
    }

    fn engine(&self) -> Option<(&'static str, Bench)> {
        Some((G::AUTHOR, G::BENCH))
    }
}

impl GameEntry {
    /// Creates the entry of a game. Store it in a `static` of the game's crate: the search is compiled where the entry
    /// is made.
    pub const fn of<G: Engine>(texts: &'static LazyLock<GameTexts>) -> GameEntry {
        let source = const { &CompiledGame::<G>(PhantomData) };
        GameEntry {
            texts: Some(texts),
            ..GameEntry::of_source(G::NAME, source, &[])
        }
    }

    /// `true` if the rules are a program, not compiled in.
    pub const fn is_of_program(&self) -> bool {
        !self.args.is_empty()
    }

    /// Creates the entry of a game of another source.
    pub const fn of_source(
        name: &'static str,
        source: &'static dyn GameSource,
        args: &'static [String],
    ) -> GameEntry {
        GameEntry {
            name,
            check_positions: "",
            place_positions: "",
            args,
            texts: None,
            source,
        }
    }

    /// The texts for new players; empty for a game of another source.
    pub fn texts(&self) -> &'static GameTexts {
        self.texts.unwrap_or(&NO_TEXTS)
    }

    /// The introduction shown to new players.
    pub fn about(&self) -> &'static About {
        match self.texts {
            Some(texts) => &texts.about,
            None => self.source.about(),
        }
    }
}
