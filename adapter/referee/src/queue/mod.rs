//! Pairs of games that others play: what goes out, what comes back, and the queue between.
//!
//! The coordinator of a match puts pairs of games into a queue, a window of them ahead of what is played. Workers lease
//! pairs, play them and store their results. A queue delivers each pair at least once: a worker may be lost after it has
//! played, and the pair is then given to another. [`Dispatch`] counts each pair once, by its number.
//!
//! [`Queue`] is the worker's end of a queue, [`QueueControl`] the coordinator's. [`MemoryQueue`] has both ends in memory. What
//! carries a queue over a network is elsewhere; nothing here knows it.

mod check;
mod coordinator;
mod dispatch;
mod memory;

pub(crate) use coordinator::Coordinator;
pub use dispatch::{Dispatch, MAX_WINDOW};
pub use memory::MemoryQueue;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::opening::Opening;
use crate::record::GameRecord;
use crate::schedule::Slot;

/// Games from one opening that one worker plays: both games of a pair, or what is left of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairOrder {
    /// The number of the pair, from 1.
    pub pair: usize,
    /// How often the coordinator has put it into the queue, from 1.
    pub attempt: u32,
    /// The seed of the match, from which the opening was drawn.
    pub srand: u64,
    /// Where both games begin.
    pub opening: Opening,
    /// The games, in the order in which they are played.
    pub games: Vec<Slot>,
}

/// A pair that a worker has played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedPair {
    /// Its number.
    pub pair: usize,
    /// The attempt that was played.
    pub attempt: u32,
    /// Its games, in the order of the [`PairOrder`].
    pub games: Vec<GameRecord>,
    /// What was noticed that cost nobody a game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<EngineNote>,
}

/// Something about an engine that costs nobody a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineNote {
    /// The engine's name.
    pub engine: String,
    /// What was noticed.
    pub text: String,
}

/// A pair that a worker plays now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Tells it from all other leases of this worker.
    pub id: u64,
    /// What to play.
    pub order: PairOrder,
}

/// The end of a queue at which pairs are played. Its methods are called by many threads at the same time.
pub trait Queue: Sync {
    /// The next pair to play. Blocks until there is one; `None` if nothing is to be played any more. Asks each time whether
    /// the match has ended.
    fn lease(&self) -> Option<Lease>;

    /// The pair with this lease is still played: nobody else gets it.
    fn keep(&self, lease: u64);

    /// Stores what came of a pair, and then takes the pair off the queue.
    fn finish(&self, lease: Lease, played: PlayedPair);

    /// Gives a pair back without a result: another worker plays it.
    fn hand_back(&self, lease: Lease);

    /// Takes off the queue what cannot be a pair of this match. Nobody else gets it.
    fn reject(&self, lease: Lease, why: &str);
}

/// The end of a queue at which a match is kept.
pub trait QueueControl {
    /// Puts a pair into the queue.
    fn offer(&mut self, order: &PairOrder) -> Result<(), Unreachable>;

    /// The next thing that has come in; `None` if nothing comes within this time.
    fn receive(&mut self, timeout: Duration) -> Option<Incoming>;

    /// A report is recorded or rejected; it is not delivered again.
    fn settle(&mut self, receipt: u64);

    /// The pairs that are in the queue now, those that are played included.
    fn held(&mut self) -> Result<BTreeSet<usize>, Unreachable>;

    /// How many pairs may be in the queue at once: enough that no worker waits.
    fn window(&self) -> usize;

    /// From now on no worker takes a pair. Those that are played are played to their end.
    fn stop(&mut self, ending: Ending) -> Result<(), Unreachable>;

    /// Whether a worker still plays a pair, as far as is known.
    fn is_playing(&mut self) -> bool;

    /// Forgets the match: all is on record.
    fn close(&mut self);
}

/// What comes to the coordinator.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// What came of a pair. It is delivered again until its receipt is settled.
    Report {
        /// Tells it from other reports.
        receipt: u64,
        /// What came of it.
        report: PairReport,
    },
    /// Something worth knowing about a worker or the queue.
    Note {
        /// What it is about.
        about: String,
        /// What was noticed.
        text: String,
    },
    /// The queue was out of reach for a while, and may have lost something.
    Reconnected,
    /// Anything else that changes what may be done next.
    Changed,
}

/// What came of a pair.
#[derive(Debug, Clone, PartialEq)]
pub enum PairReport {
    /// It was played.
    Played(PlayedPair),
    /// A worker gave it back.
    HandedBack {
        /// The pair.
        pair: usize,
        /// The attempt that was given back.
        attempt: u32,
    },
    /// It is not delivered any more.
    Failed {
        /// The pair.
        pair: usize,
        /// Why, in words.
        reason: String,
    },
}

/// How the coordinator stops a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// For good: all games are played, or a test is decided.
    Over,
    /// Until it is resumed.
    Paused,
}

/// The queue does not answer. What was asked of it may be asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable(pub String);

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unreachable {}
