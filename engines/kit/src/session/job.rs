//! Jobs that run outside the session: a search, or a `go perft`.

use std::sync::Arc;

use protocol::{Dialect, Reply};

use super::report::report;
use crate::DynHistory;
use crate::search::{Control, Line, Progress, Request, Searcher, mate_distance};
use crate::tablebase::Tablebase;

/// A job with all its data.
pub struct Job {
    pub(super) control: Arc<Control>,
    pub(super) history: Box<dyn DynHistory>,
    pub(super) task: Task,
}

/// What a job does.
pub(super) enum Task {
    Search(Box<SearchTask>),
    /// `go perft` with this depth.
    Perft(u32),
}

/// A search for the move to play.
pub(super) struct SearchTask {
    pub(super) searcher: Searcher,
    /// The endgame table of this board.
    pub(super) table: Option<Arc<Tablebase>>,
    pub(super) request: Request<String>,
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

impl Job {
    /// Makes the job end as soon as it runs: a search then returns a move without searching.
    pub fn stop(&self) {
        self.control.stop();
    }

    /// Runs until a limit or the session's control ends it. Replies in the meantime go to `tell`.
    pub fn run(self, tell: &mut dyn FnMut(Reply)) -> Finished {
        let Job {
            control,
            mut history,
            task,
        } = self;
        match task {
            Task::Search(task) => task.run(history.as_ref(), &control, tell),
            Task::Perft(depth) => {
                let mut each = |mv, nodes| tell(Reply::Divide { mv, nodes });
                let last = match history.divide(depth, &|| control.is_stopped(), &mut each) {
                    Some(total) => Reply::PerftTotal(total),
                    None => Reply::string("perft stopped".to_owned()),
                };
                Finished {
                    searcher: None,
                    replies: vec![last],
                }
            }
        }
    }
}

impl SearchTask {
    fn run(
        mut self,
        history: &dyn DynHistory,
        control: &Control,
        tell: &mut dyn FnMut(Reply),
    ) -> Finished {
        let mut progress =
            |found: &Progress<String>| report(self.dialect, found).for_each(&mut *tell);
        let table = self.table.as_ref();
        let answer = table.and_then(|table| table.answer(history, &self.request, control));
        let end = match answer {
            Some(Ok(found)) => {
                progress(&found);
                found
            }
            failed => {
                if let Some(Err(error)) = failed {
                    let note = format!("TablePath: {error}; searching without it");
                    progress(&Progress::note(note));
                }
                history.search(&mut self.searcher, &self.request, control, &mut progress)
            }
        };
        control.wait_for_release(self.request.limits.is_infinite);
        let best = &end.lines[0];
        let mut replies: Vec<Reply> = self.no_mate(best).into_iter().collect();
        replies.push(Reply::BestMove {
            mv: best.pv[0].clone(),
            ponder: best.pv.get(1).filter(|_| self.can_ponder).cloned(),
        });
        Finished {
            searcher: Some(self.searcher),
            replies,
        }
    }

    /// The message after `go mate` if the best line is not a win within the limit.
    fn no_mate(&self, best: &Line<String>) -> Option<Reply> {
        let limit = self.request.limits.mate?;
        let is_win = mate_distance(best.score).is_some_and(|n| n > 0 && n as u32 <= limit);
        let written = self.mate_as_written?;
        (!is_win).then(|| Reply::string(format!("no mate in {written}")))
    }
}
