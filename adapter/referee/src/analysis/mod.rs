//! Analysis by an engine: live lines of a position, and the review of a whole game.
//!
//! `Analyser` runs one engine on successive positions without blocking; `Lines` are its results, checked against the
//! rules. [`Review`] goes through a game ply by ply and computes the loss of each move. A table uses both; [`Review`]
//! can also be used with any engine, blocking.

mod lines;
mod review;

use std::time::{Duration, Instant};

use kit::DynHistory;
use lines::Collector;
use protocol::Go;

use crate::engine::{BestMove, Engine, EngineEvent, Fault, Request, Search, given_name};

pub use lines::{Line, LineBound, Lines, MAX_LINES, ReviewedPly, THROWN_AWAY, score_order};
pub use review::{Review, win_share};

/// The option for the number of lines.
const MULTI_PV: &str = "MultiPV";

/// Shortest interval between two reports of new lines.
const PAUSE: Duration = Duration::from_millis(100);

/// A position to analyse.
pub struct Task {
    /// The `position` line.
    pub position: String,
    /// The same position, for checking the engine's lines.
    pub board: Box<dyn DynHistory>,
    /// The limits of the search.
    pub go: Go,
    /// Number of lines wanted. An engine without `MultiPV` reports one.
    pub n_lines: u32,
    /// Timeout of the search.
    pub allowance: Duration,
    /// Number of restarts allowed after faults.
    pub n_restarts: u32,
}

/// The progress of a task.
#[derive(Debug)]
pub enum AnalysisProgress {
    /// There are new [`lines`](Analyser::lines).
    Lines,
    /// The engine has finished the search.
    Finished(BestMove),
    /// The engine failed and is being restarted.
    Restarted(Fault),
    /// The engine failed, and the task was dropped.
    Failed(Fault),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum AnalysisStage {
    /// Not running, or starting.
    #[default]
    Off,
    Ready,
    Thinking,
}

/// An engine with its current task. The engine is started on first use.
#[derive(Default)]
pub struct Analyser {
    engine: Option<Engine>,
    stage: AnalysisStage,
    task: Option<Task>,
    lines: Collector,
    /// The number of lines last set in the engine; 0 if never set.
    n_told_lines: u32,
    /// `true` if there are unreported lines.
    is_news: bool,
    told_at: Option<Instant>,
}

impl Analyser {
    /// Replaces the task, ending a search in progress; `None` removes the task.
    pub fn set(&mut self, task: Option<Task>) {
        if self.stage == AnalysisStage::Thinking {
            self.stage = AnalysisStage::Ready;
            if let Some(engine) = &mut self.engine {
                // Nothing can fail.
                let _ = engine.ask(Request::GiveUp);
            }
        }
        self.task = task;
        self.lines = Collector::default();
        self.is_news = false;
        self.told_at = None;
    }

    /// The lines found so far.
    pub fn lines(&self) -> &Lines {
        self.lines.shown()
    }

    /// The name of the engine.
    pub fn engine_name(&self) -> String {
        let engine = self.engine.as_ref();
        engine.map_or_else(String::new, given_name)
    }

    /// Advances the task: starts the engine, which `make` makes, or the search if needed.
    pub fn drive(&mut self, make: impl FnOnce() -> Engine) -> Option<AnalysisProgress> {
        let task = self.task.as_ref()?;
        let Some(engine) = &mut self.engine else {
            let engine = self.engine.insert(make());
            let begun = engine.ask(Request::NewGame { seed: None });
            return begun.err().map(|fault| self.fail(fault));
        };
        if self.stage != AnalysisStage::Ready {
            return None;
        }
        if self.n_told_lines.max(1) != task.n_lines {
            // An engine without the option reports one line.
            let _ = engine.set_option(MULTI_PV, &task.n_lines.to_string());
            self.n_told_lines = task.n_lines;
        }
        self.stage = AnalysisStage::Thinking;
        let search = Search {
            position: &task.position,
            go: task.go.clone(),
            allowance: Some(task.allowance),
        };
        let started = engine.ask(Request::Go(search));
        started.err().map(|fault| self.fail(fault))
    }

    /// Processes the engine's output.
    pub fn poll(&mut self, now: Instant) -> Option<AnalysisProgress> {
        while let Some(engine) = self.busy_engine() {
            match engine.poll(now) {
                Ok(Some(EngineEvent::Ready)) => self.stage = AnalysisStage::Ready,
                Ok(Some(EngineEvent::Moved(best))) if self.stage == AnalysisStage::Thinking => {
                    self.stage = AnalysisStage::Ready;
                    self.task = None;
                    return Some(AnalysisProgress::Finished(best));
                }
                Ok(Some(EngineEvent::Info(info))) if self.stage == AnalysisStage::Thinking => {
                    if let Some(task) = &self.task {
                        self.is_news |= self.lines.take(&info, task.board.as_ref(), task.n_lines);
                    }
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(fault) => return Some(self.fail(fault)),
            }
        }
        self.news_at(now).filter(|due| *due <= now)?;
        self.is_news = false;
        self.told_at = Some(now);
        Some(AnalysisProgress::Lines)
    }

    /// The earliest time to report new lines, if there are any.
    fn news_at(&self, now: Instant) -> Option<Instant> {
        let is_news = self.is_news && self.task.is_some();
        is_news.then(|| self.told_at.map_or(now, |told| told + PAUSE))
    }

    /// The latest time of the next call of [`poll`](Analyser::poll).
    pub fn deadline(&mut self, now: Instant) -> Option<Instant> {
        let news = self.news_at(now);
        let engine = self.busy_engine().and_then(|engine| engine.deadline(now));
        news.into_iter().chain(engine).min()
    }

    /// The engine while there is a task, to wait for its output.
    pub fn busy_engine(&mut self) -> Option<&mut Engine> {
        self.engine.as_mut().filter(|_| self.task.is_some())
    }

    /// Stops a search in progress, so that the engine answers immediately.
    pub fn move_now(&mut self) {
        let is_thinking = self.stage == AnalysisStage::Thinking;
        if let Some(engine) = self.engine.as_mut().filter(|_| is_thinking) {
            // Nothing can fail.
            let _ = engine.ask(Request::Stop);
        }
    }

    /// Removes the engine, to be shut down by the caller.
    pub fn remove_engine(&mut self) -> Option<Engine> {
        self.set(None);
        self.stage = AnalysisStage::Off;
        self.engine.take()
    }

    /// Drops a failed engine. It is restarted if the task allows another restart.
    fn fail(&mut self, fault: Fault) -> AnalysisProgress {
        self.engine = None;
        self.stage = AnalysisStage::Off;
        self.n_told_lines = 0;
        match &mut self.task {
            Some(task) if task.n_restarts > 0 => {
                task.n_restarts -= 1;
                AnalysisProgress::Restarted(fault)
            }
            _ => {
                self.set(None);
                AnalysisProgress::Failed(fault)
            }
        }
    }
}
