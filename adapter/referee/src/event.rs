//! What happens in a match, told to anyone who subscribes.
//!
//! `play` and `tournament` send, subscribers write: the ledger first, so that nothing is shown that is not kept.

use std::fmt::Display;
use std::io;

use serde::Serialize;

use crate::opening::Opening;
use crate::plan::Plan;
use crate::record::{GameRecord, PlyRecord};
use crate::stats::Standing;
use crate::table::TableEvent;
use crate::table::event::Placed;

/// Something that happened.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// All engines are ready, and their names known. A match that is taken up again does not start.
    MatchStarted {
        /// What will be played.
        plan: Box<Plan>,
    },
    /// A game begins.
    GameStarted {
        /// The number in the schedule, from 1.
        game: usize,
        /// The number of the pair, from 1.
        pair: usize,
        /// Who moves first.
        p1: String,
        /// Who moves second.
        p2: String,
        /// Where it begins.
        opening: Opening,
    },
    /// A legal move was played.
    MovePlayed {
        /// The game's number.
        game: usize,
        /// How many moves there are now, the opening's included.
        ply: usize,
        /// Its canonical code.
        #[serde(rename = "move")]
        code: String,
        /// What is known of it.
        #[serde(flatten)]
        record: PlyRecord,
        /// At a table, where the move stands in the tree.
        #[serde(flatten)]
        placed: Option<Placed>,
    },
    /// A game ended.
    GameOver {
        /// All there is to know of it.
        #[serde(flatten)]
        record: Box<GameRecord>,
    },
    /// Something that costs nobody anything, but is worth knowing.
    Note {
        /// About whom.
        engine: String,
        /// What.
        text: String,
    },
    /// How the match stands, after each game.
    Standing {
        /// Games played and to be played.
        standing: Standing,
    },
    /// Something that happens at tables alone.
    #[serde(untagged)]
    Table(TableEvent),
}

/// An error of the same kind that names the file, or whatever else could not be written.
pub fn naming(what: impl Display, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// Someone who wants to know what happens.
pub trait Subscriber {
    /// Takes notice. An error stops the match; it says what could not be written.
    fn notice(&mut self, event: &Event) -> io::Result<()>;

    /// Whether [`Event::MovePlayed`] is of interest; it is not sent where nobody wants it.
    fn wants_moves(&self) -> bool {
        false
    }
}
