//! A game that people sit at: seats, the tree of moves, undo, clocks, and a journal that outlives everything.
//!
//! [`Table`] is the referee's [`LiveGame`] with a memory. A person is a player like an engine, under the same clock and
//! the same judge, and what ends is recorded as in a match; what a match does not know is here: moves are taken back and
//! branch, an engine takes over a seat and hands it back. Nothing here prints, or reads anything but
//! files: a console, or any other board, asks [`Table::turn`] who is to move, brings a person's move to
//! [`Table::play`], and lets an engine [`Table::think`].

pub mod mail;

pub use crate::table::{journal, tree, typing};

/// Moves that lose at once.
pub mod danger {
    pub use crate::table::blunder::{Blunder, blunder_check as danger};
}

mod advice;
mod chair;
mod moves;
mod records;
mod review;
mod seats;

use std::fmt;
use std::io;

use kit::{DynHistory, Rejection, Side};

use crate::adjudication::Adjudication;
use crate::arbiter::Arbiter;
use crate::clock::Clock;
use crate::opening::Opening;
use crate::plan::{EngineSpec, Plan};
use crate::play::{Ending, LiveGame};
use crate::player::EnginePlayer;
use crate::record::{GameResult, LedgerError};
use crate::registry::Rules;
use crate::stop::MoveNow;
use crate::tournament::{Host, MatchError};
use chair::Seat;
use records::Records;
use tree::Tree;

pub use advice::Analysis;
pub use moves::{DrawAnswer, Step};
pub use records::new_id;

/// Why something was not done.
#[derive(Debug)]
pub enum TableError {
    /// It makes no sense now; the session is as it was.
    Refused(String),
    /// An engine cannot play; the session is as it was.
    Engine(MatchError),
    /// The records cannot be written: nothing more is safe.
    Records(io::Error),
    /// A file holds no game to go on with.
    File(LedgerError),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Refused(why) => f.write_str(why),
            TableError::Engine(error) => error.fmt(f),
            TableError::Records(error) => error.fmt(f),
            TableError::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TableError {}

impl From<MatchError> for TableError {
    fn from(error: MatchError) -> TableError {
        TableError::Engine(error)
    }
}

impl From<Rejection> for TableError {
    fn from(why: Rejection) -> TableError {
        TableError::Refused(why.to_string())
    }
}

/// Who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// A person sits there.
    Person(Side),
    /// An engine plays there.
    Engine(Side),
    /// An engine plays there, but moves were taken back and it waits until it is told to go on.
    Held(Side),
    /// The game is over.
    Over,
}

/// A game in play, with all that it takes to go on.
pub struct Table {
    plan: Plan,
    rules: Rules,
    host: Host,
    /// The engine that takes a person's seat, and gives hints.
    helper: EngineSpec,
    nudge: MoveNow,
    chairs: [Seat; 2],
    /// Whose engines know that this game has begun.
    is_ready: [bool; 2],
    analyst: Option<EnginePlayer>,
    id: String,
    opening: Opening,
    round: LiveGame<'static>,
    tree: Tree,
    over: Option<Ending>,
    /// Nodes at which the game ended, and how; they are on record.
    endings: Vec<(tree::NodeId, GameResult)>,
    /// Who has offered a draw.
    offer: Option<Side>,
    /// Whether engines wait because someone looks back.
    is_held: bool,
    records: Records,
}

impl Table {
    /// Who is to move.
    pub fn turn(&self) -> Turn {
        let side = self.side();
        match self.chairs[side.index()].is_auto {
            _ if self.over.is_some() => Turn::Over,
            false => Turn::Person(side),
            true if self.is_held => Turn::Held(side),
            true => Turn::Engine(side),
        }
    }

    /// The player to move; on a finished game, the one who would move next.
    pub fn side(&self) -> Side {
        self.board().side()
    }

    /// The game as it stands.
    pub fn board(&self) -> &dyn DynHistory {
        let board = self.round.arbiter().board();
        board.expect("the arbiter of a session knows the rules")
    }

    /// What was planned: the game, the players, where the records are.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The moves with their branches, from the position after the opening.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where the game began.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Canonical codes of all moves, those of the opening first.
    pub fn moves(&self) -> &[String] {
        self.round.arbiter().moves()
    }

    /// What tells this game from others.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How the game ended, where it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.over.as_ref()
    }

    /// The clocks as they stood when the turn began.
    pub fn clocks(&self) -> &[Clock; 2] {
        self.round.clocks()
    }

    /// The name of a player in the records.
    pub fn name(&self, side: Side) -> &str {
        self.chairs[side.index()].name()
    }

    /// Whether an engine plays this side now.
    pub fn is_auto(&self, side: Side) -> bool {
        self.chairs[side.index()].is_auto
    }

    /// Who has offered a draw that is not answered yet.
    pub fn offer(&self) -> Option<Side> {
        self.offer
    }

    /// Has a thinking engine move at once.
    pub fn nudge(&self) -> MoveNow {
        self.nudge.clone()
    }

    /// A round that stands after an opening, which must be sound.
    fn round(
        rules: &Rules,
        opening: &Opening,
        chairs: &[Seat; 2],
    ) -> Result<LiveGame<'static>, Rejection> {
        let board = rules.open(opening)?;
        let clocks = chairs.each_ref().map(Seat::clock);
        let arbiter = Arbiter::rules(board, opening, false);
        Ok(LiveGame::new(arbiter, clocks, BY_THE_RULES))
    }
}

/// Nothing but the rules ends a person's game.
const BY_THE_RULES: Adjudication = Adjudication {
    max_plies: usize::MAX,
    draw: None,
    resign: None,
};
