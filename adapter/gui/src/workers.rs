//! The machines that play the match of a page, where it is not this one.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

/// A worker of a match.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchWorker {
    /// Tells it from all others.
    pub name: String,
    /// The machine's name.
    pub machine: String,
    /// The model of its processor.
    pub cpu: String,
    /// Cores that it may use.
    pub cores: usize,
    /// Games at once.
    pub concurrency: usize,
    /// Pairs of this match that it has played.
    pub pairs: usize,
    /// Pairs an hour since it began.
    pub rate: f64,
    /// Pairs that it plays now.
    pub playing: usize,
    /// By how much it multiplies time limits.
    pub scale: f64,
    /// Load of the machine.
    pub load: f64,
    /// Seconds since it was heard of last.
    pub seen: f64,
    /// Whether it was lost without a word.
    pub is_gone: bool,
    /// Why it does not play the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// Tells who plays a match now. Clones tell the same.
#[derive(Clone)]
pub struct WorkerList(Arc<dyn Fn() -> Vec<MatchWorker> + Send + Sync>);

impl fmt::Debug for WorkerList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WorkerList").finish_non_exhaustive()
    }
}

impl WorkerList {
    /// A list that is made whenever a page is told, which takes no time to speak of.
    pub fn new(list: impl Fn() -> Vec<MatchWorker> + Send + Sync + 'static) -> WorkerList {
        WorkerList(Arc::new(list))
    }

    /// The workers.
    pub(crate) fn workers(&self) -> Vec<MatchWorker> {
        (self.0)()
    }
}
