//! Jobs that run outside the session: a search, or a `go perft`.

use std::sync::Arc;

use protocol::{Dialect, Reply};

use super::report::report;
use crate::search::{Control, Line, Progress, Request, Searcher, mate_distance};
use crate::tablebase::Tablebase;
use crate::{Engine, PositionHistory, perft};

/// Runs a job. Replies in the meantime go to the function.
type Work = dyn FnOnce(&Control, &mut dyn FnMut(Reply)) -> Finished + Send;

/// A job with all its data.
pub struct Job {
    pub(super) control: Arc<Control>,
    pub(super) work: Box<Work>,
}

impl Job {
    /// Makes the job end as soon as it runs: a search then returns a move without searching.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Runs until a limit or the session's control ends it. Replies in the meantime go to `tell`.
    pub fn run(self, tell: &mut dyn FnMut(Reply)) -> Finished {
        (self.work)(&self.control, tell)
    }
}

pub(super) struct SearchJob<G: Engine> {
    pub(super) history: PositionHistory<G>,
    pub(super) searcher: Searcher,
    /// The endgame table of this board.
    pub(super) table: Option<Arc<Tablebase<G>>>,
    pub(super) request: Request<G::Move>,
    pub(super) dialect: Dialect,
    /// The number after `go mate`, in the unit of the dialect.
    pub(super) mate_as_written: Option<u32>,
    pub(super) can_ponder: bool,
}

/// The result of a job, to be returned to the session.
pub struct Finished {
    pub(super) searcher: Option<Searcher>,
    pub(super) replies: Vec<Reply>,
}

impl<G: Engine> SearchJob<G> {
    pub(super) fn run(mut self, control: &Control, tell: &mut dyn FnMut(Reply)) -> Finished {
        let history = &self.history;
        let mut progress = |progress: &Progress<G::Move>| {
            report(history, self.dialect, progress).for_each(&mut *tell);
        };
        let answer = self
            .table
            .as_ref()
            .and_then(|table| table.answer(history, &self.request, control));
        let end = match answer {
            Some(Ok(found)) => {
                progress(&found);
                found
            }
            failed => {
                if let Some(Err(error)) = failed {
                    progress(&Progress::note(format!(
                        "TablePath: {error}; searching without it"
                    )));
                }
                self.searcher
                    .search(history, &self.request, control, &mut progress)
            }
        };
        control.wait_for_release(self.request.limits.is_infinite);
        let best = &end.lines[0];
        let mut replies: Vec<Reply> = self.no_mate(best).into_iter().collect();
        let mut codes = history.codes(&best.pv).into_iter();
        replies.push(Reply::BestMove {
            mv: codes.next().expect("a line has a move"),
            ponder: codes.next().filter(|_| self.can_ponder),
        });
        Finished {
            searcher: Some(self.searcher),
            replies,
        }
    }

    /// The message after `go mate` if the best line is not a win within the limit.
    fn no_mate(&self, best: &Line<G::Move>) -> Option<Reply> {
        let limit = self.request.limits.mate?;
        let is_win = mate_distance(best.score).is_some_and(|n| n > 0 && n as u32 <= limit);
        let written = self.mate_as_written?;
        (!is_win).then(|| Reply::string(format!("no mate in {written}")))
    }
}

pub(super) fn run_perft<G: Engine>(
    mut history: PositionHistory<G>,
    depth: u32,
    control: &Control,
    tell: &mut dyn FnMut(Reply),
) -> Finished {
    let start = history.clone();
    let mut each = |mv, nodes| {
        let mv = start.code(mv);
        tell(Reply::Divide { mv, nodes });
    };
    let is_stopped = || control.is_stopped();
    let last = match perft::divide_until(&mut history, depth, &is_stopped, &mut each) {
        Some(total) => Reply::PerftTotal(total),
        None => Reply::string("perft stopped".to_owned()),
    };
    Finished {
        searcher: None,
        replies: vec![last],
    }
}
