//! Pairs of games played by workers, their results, and the queue between coordinator and workers.
//!
//! The coordinator of a match keeps a window of pairs of games in a queue. Workers lease pairs, play them and store the
//! results. A queue delivers each pair at least once: if a worker is lost after playing, another one receives the same
//! pair. [`Dispatch`] counts each pair once, by its number.
//!
//! [`Queue`] is the worker's interface, [`QueueControl`] the coordinator's.
//! Queues over a network are implemented elsewhere.

mod chance;
pub(crate) mod check;
mod coordinator;
mod dispatch;
mod verify;

pub(crate) use coordinator::Coordinator;
pub use dispatch::{Dispatch, MAX_WINDOW, PairValues};
pub use verify::Sampling;

use std::collections::BTreeSet;
use std::time::Duration;

use record::game::GameRecord;
use record::opening::Opening;
use record::schedule::Slot;
use serde::{Deserialize, Serialize};

/// Games from one opening for one worker: both games of a pair, or the one that is left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairOrder {
    /// The number of the pair, from 1.
    pub pair: usize,
    /// Number of times that the coordinator has put the pair into the queue, from 1.
    pub attempt: u32,
    /// The seed of the match, from which the opening was drawn.
    pub srand: u64,
    /// The opening of the games.
    pub opening: Opening,
    /// The games, in playing order.
    pub games: Vec<Slot>,
    /// Workers that have played the pair, and hand it back: another one verifies it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not: Vec<String>,
    /// In a tuning, the values of spin options for these games, for each engine of the match.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<SpinValues>,
}

/// Names of spin options with their values.
pub type SpinValues = Vec<(String, i64)>;

/// A pair that a worker has played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedPair {
    /// Its number.
    pub pair: usize,
    /// The attempt that was played.
    pub attempt: u32,
    /// Its games, in the order of the [`PairOrder`].
    pub games: Vec<GameRecord>,
}

impl PlayedPair {
    /// Name of the worker that played the pair; empty if unknown.
    pub fn worker(&self) -> &str {
        let machine = self.games.first().and_then(|game| game.machine.as_ref());
        machine.map_or("", |machine| &machine.worker)
    }
}

/// Length of the part of a public key that ends the name of a worker with a key: 80 bits.
pub const KEY_PART: usize = 16;

/// The part of a worker's name that identifies it. The name of a worker with a key ends with a hyphen and
/// [`KEY_PART`] letters and digits of its public key, which other names of this worker have too. The whole name if it
/// has none.
pub fn key_of(worker: &str) -> &str {
    let is_part = |part: &&str| {
        let mut bytes = part.bytes();
        part.len() == KEY_PART
            && bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    let part = worker.rsplit_once('-').map(|(_, part)| part);
    part.filter(is_part).unwrap_or(worker)
}

/// `true` if both are names of workers with one key, or the same name.
pub fn is_same_worker(one: &str, other: &str) -> bool {
    key_of(one) == key_of(other)
}

/// A pair assigned to a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Identifies the lease among those of this worker.
    pub id: u64,
    /// The games to play.
    pub order: PairOrder,
}

/// The worker's interface to a queue. Several threads may call its methods at the same time.
pub trait Queue: Sync {
    /// Blocks until a pair is available and returns it; `None` if no more pairs are to be played. Each call checks
    /// whether the match has ended.
    fn lease(&self) -> Option<Lease>;

    /// Renews a lease while its pair is being played, so that no other worker receives the pair.
    fn keep(&self, lease: u64);

    /// Stores the result of a pair, then removes the pair from the queue.
    fn finish(&self, lease: Lease, played: PlayedPair);

    /// Returns a pair without a result, for another worker.
    fn hand_back(&self, lease: Lease);

    /// Removes an order from the queue that cannot belong to this match.
    fn reject(&self, lease: Lease, why: &str);
}

/// The coordinator's interface to a queue.
pub trait QueueControl {
    /// Puts pairs into the queue. Returns the outcome for each.
    fn offer(&mut self, orders: &[PairOrder]) -> Vec<Result<(), Unreachable>>;

    /// Returns the next incoming message, or `None` after the timeout.
    fn receive(&mut self, timeout: Duration) -> Option<Incoming>;

    /// Confirms that a report was recorded or rejected, so that it is not delivered again.
    fn settle(&mut self, receipt: u64);

    /// Returns the pairs in the queue, including those being played.
    fn held(&mut self) -> Result<BTreeSet<usize>, Unreachable>;

    /// Maximum number of pairs in the queue; large enough that no worker has to wait.
    fn window(&self) -> usize;

    /// Stops the assignment of pairs to workers. Pairs being played are finished.
    fn stop(&mut self, ending: Ending) -> Result<(), Unreachable>;

    /// `true` if a worker is still playing a pair, as far as is known.
    fn is_playing(&mut self) -> bool;

    /// Number of workers of the match that are present and not set aside.
    fn n_workers(&self) -> usize;

    /// Makes a worker leave the match.
    fn set_aside(&mut self, worker: &str);

    /// Returns the error text if another coordinator of the match has begun. This one ends without a change to the queue.
    fn replaced(&self) -> Option<String>;

    /// Deletes the match from the queue after all results are recorded.
    fn close(&mut self);
}

/// A message to the coordinator.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// A report about a pair. It is delivered again until its receipt is settled.
    Report {
        /// Identifies the report.
        receipt: u64,
        /// The report.
        report: PairReport,
    },
    /// A note about a worker or the queue.
    Note {
        /// The subject of the note.
        about: String,
        /// The text.
        text: String,
    },
    /// A worker is banned.
    Banned {
        /// Its name, or that of its machine.
        worker: String,
        /// The reason, as text.
        why: String,
        /// Its recorded pairs are played again.
        is_purged: bool,
    },
    /// The connection to the queue was restored. Pairs may have been lost.
    Reconnected,
    /// Another change that may allow further work.
    Changed,
}

/// A report about a pair. Workers send lists of them in JSON, without `Failed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairReport {
    /// The pair was played.
    Played(PlayedPair),
    /// A worker handed the pair back.
    HandedBack {
        /// The pair.
        pair: usize,
        /// The attempt that was handed back.
        attempt: u32,
        /// The reason that its result cannot be sent; `None` if it has no result.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// Name of the worker, if there is a reason.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        worker: String,
    },
    /// The pair is not delivered any more.
    #[serde(skip)]
    Failed {
        /// The pair.
        pair: usize,
        /// The reason, as text.
        reason: String,
    },
}

impl PairReport {
    /// The report of a worker that has no result.
    pub fn without_result(pair: usize, attempt: u32) -> PairReport {
        PairReport::HandedBack {
            pair,
            attempt,
            why: None,
            worker: String::new(),
        }
    }
}

/// Ways of ending a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Permanently: all games are finished, or a test is decided.
    Over,
    /// Temporarily, until the match is resumed.
    Paused,
}

/// The queue is unreachable. The operation may be repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreachable(pub String);
