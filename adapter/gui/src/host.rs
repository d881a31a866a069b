//! What the server needs of the program that it runs in: games, engines, files.

use std::path::{Path, PathBuf};

use referee::plan::{EngineSpec, GameSpec};
use referee::registry::Registry;
use referee::table::journal::Journal;
use referee::table::{PausedTable, TableSetup};
use serde::{Deserialize, Serialize};

/// The program around the server. It owns paths and the executable, and decides which commands may run.
pub trait Host: Send + Sync {
    /// The games that are known.
    fn registry(&self) -> Registry;

    /// What a new table begins with.
    ///
    /// # Errors
    /// Says what is wrong with the wish, in words for the person at the page.
    fn set_up(&self, wish: &Wish) -> Result<TableSetup, String>;

    /// Who takes a seat, in the words of [`Wish::seats`] and with a limit as in [`Wish::clock`], and whether the seat is
    /// kept for a guest.
    ///
    /// # Errors
    /// Says what is wrong with the words.
    fn player(
        &self,
        words: &str,
        clock: &str,
        level: Option<u32>,
    ) -> Result<(EngineSpec, bool), String>;

    /// The table of a ledger, locked, to be opened again.
    ///
    /// # Errors
    /// Names the file and says why the game cannot go on. A ledger that was not begun here and runs commands shows them,
    /// and needs `is_trusted`.
    fn resume(&self, path: &Path, is_trusted: bool) -> Result<PausedTable, String>;

    /// A table has begun this new ledger.
    fn remember(&self, ledger: &Path);

    /// The games that can be opened again, the newest first.
    fn recent(&self) -> Vec<RecentGame>;
}

/// The table that a page asks for.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The game with those options that differ from their defaults.
    pub game: GameSpec,
    /// Who plays, in the order of the sides, in the words of `linesman play --p1`.
    pub seats: [String; 2],
    /// The limit of both players: `-`, `tc=[MOVES/]TIME[+INC]` or `st=SECONDS`.
    pub clock: String,
    /// How well built-in engines play, 0 to 20; full strength if absent.
    pub level: Option<u32>,
    /// The game so far: at least where it begins.
    pub journal: Journal,
    /// What the persons are called whom the seats do not name.
    pub names: Option<[String; 2]>,
}

/// A game in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentGame {
    /// The ledger.
    pub path: PathBuf,
    /// The game with its options.
    pub game: String,
    /// The names of the players, in the order of the sides.
    pub names: [String; 2],
    /// How many moves were played.
    pub plies: usize,
    /// Whether the game is over.
    pub is_over: bool,
}
