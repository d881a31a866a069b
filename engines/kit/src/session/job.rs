//! Jobs that run outside the session: a search, or a `go perft`.

use std::sync::Arc;

use protocol::{Dialect, Reply};

use super::report::report;
use crate::search::{Control, Line, Progress, Request, Searcher, mate_distance};
use crate::tablebase::Tablebase;
use crate::{Engine, PositionHistory, perft};

/// A job with all its data.
pub struct Job<G: Engine> {
    pub(super) history: PositionHistory<G>,
    pub(super) control: Arc<Control>,
    pub(super) work: JobWork<G>,
}

pub(super) enum JobWork<G: Engine> {
    Search(Box<SearchJob<G>>),
    Perft(PerftJob),
}

pub(super) struct SearchJob<G: Engine> {
    pub(super) searcher: Searcher,
    /// The endgame table of this board.
    pub(super) table: Option<Arc<Tablebase<G>>>,
    pub(super) request: Request<G::Move>,
    pub(super) dialect: Dialect,
    /// The number after `go mate`, in the unit of the dialect.
    pub(super) mate_as_written: Option<u32>,
    pub(super) can_ponder: bool,
}

pub(super) struct PerftJob {
    pub(super) depth: u32,
}

/// The result of a job, to be returned to the session.
pub struct Finished {
    pub(super) searcher: Option<Searcher>,
    pub(super) replies: Vec<Reply>,
}

impl<G: Engine> Job<G> {
    /// Makes the job end as soon as it runs: a search then returns a move without searching.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Runs until a limit or the session's control ends it. Replies in the meantime go to `tell`.
    pub fn run(self, tell: &mut dyn FnMut(Reply)) -> Finished {
        match self.work {
            JobWork::Search(search) => search.run(&self.history, &self.control, tell),
            JobWork::Perft(perft) => Finished {
                searcher: None,
                replies: perft.run(self.history, &self.control, tell),
            },
        }
    }
}

impl<G: Engine> SearchJob<G> {
    fn run(
        mut self,
        history: &PositionHistory<G>,
        control: &Control,
        tell: &mut dyn FnMut(Reply),
    ) -> Finished {
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

impl PerftJob {
    fn run<G: Engine>(
        &self,
        mut history: PositionHistory<G>,
        control: &Control,
        tell: &mut dyn FnMut(Reply),
    ) -> Vec<Reply> {
        let start = history.clone();
        let mut each = |mv, nodes| {
            let mv = start.code(mv);
            tell(Reply::Divide { mv, nodes });
        };
        let is_stopped = || control.is_stopped();
        match perft::divide_until(&mut history, self.depth, &is_stopped, &mut each) {
            Some(total) => vec![Reply::PerftTotal(total)],
            None => vec![Reply::string("perft stopped".to_owned())],
        }
    }
}
