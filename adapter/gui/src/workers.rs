//! The workers of a match that is played by a fleet.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// A worker of a match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchWorker {
    /// Unique name.
    pub name: String,
    /// Name of the machine.
    pub machine: String,
    /// Model of the processor.
    pub cpu: String,
    /// Cores available to the worker.
    pub cores: usize,
    /// Number of simultaneous games.
    pub concurrency: usize,
    /// Pairs of this match that it has finished.
    pub pairs: usize,
    /// Pairs per hour since it joined.
    pub rate: f64,
    /// Number of pairs in play.
    pub playing: usize,
    /// Factor for time limits.
    pub scale: f64,
    /// Load average of the machine.
    pub load: f64,
    /// Seconds since its last report.
    pub seen: f64,
    /// `true` if it stopped reporting without leaving.
    pub is_gone: bool,
    /// Reason why it refuses the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Provides the current workers of a match. Clones share the source.
#[derive(Clone)]
pub struct WorkerList(Arc<dyn Fn() -> Vec<MatchWorker> + Send + Sync>);

impl fmt::Debug for WorkerList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WorkerList").finish_non_exhaustive()
    }
}

impl WorkerList {
    /// Creates a list from a function, which is called for each update of a page and must be fast.
    pub fn new(list: impl Fn() -> Vec<MatchWorker> + Send + Sync + 'static) -> WorkerList {
        WorkerList(Arc::new(list))
    }

    /// Returns the current workers.
    pub(crate) fn workers(&self) -> Vec<MatchWorker> {
        (self.0)()
    }
}
