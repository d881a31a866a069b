//! One engine that looks at one position after the other, as a state machine without waits.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::DynHistory;
use protocol::Go;

use super::lines::{Collector, Lines};
use crate::client::{BestMove, Fault, Message};
use crate::plan::EngineSpec;
use crate::player::{EngineSource, PlayerEvent, SeatEngine};
use crate::process::Batch;

/// The option by which an engine reports several lines.
const MULTI_PV: &str = "MultiPV";

/// Between two reports at least this time passes; the newest one is told.
const PAUSE: Duration = Duration::from_millis(100);

/// What the engine is to look at.
pub(crate) struct Task {
    /// The `position` line.
    pub(crate) position: String,
    /// The same position, to hold the engine's lines against.
    pub(crate) board: Box<dyn DynHistory>,
    /// When to end.
    pub(crate) go: Go,
    /// How many lines are wanted. An engine without `MultiPV` gives one.
    pub(crate) n_lines: u32,
    /// How long the engine may take.
    pub(crate) allowance: Duration,
    /// How often an engine that fails is started again.
    pub(crate) n_restarts: u32,
}

/// What comes of a task.
#[derive(Debug)]
pub(crate) enum Progress {
    /// There are new [`lines`](Analyser::lines).
    Lines,
    /// The engine has ended the search.
    Finished(BestMove),
    /// The engine failed, and is started again.
    Restarted(Fault),
    /// The engine failed, and the task is given up.
    Failed(Fault),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stage {
    /// It does not run, or gets ready.
    #[default]
    Off,
    Ready,
    Thinking,
}

/// An engine, started when it is first needed, and what it looks at.
#[derive(Default)]
pub(crate) struct Analyser {
    engine: Option<Box<dyn SeatEngine>>,
    stage: Stage,
    task: Option<Task>,
    lines: Collector,
    /// The number of lines that the engine was told; 0 where it has not been told.
    n_told_lines: u32,
    /// Whether there are lines that were not told.
    is_news: bool,
    told_at: Option<Instant>,
}

impl Analyser {
    /// Looks at something else from now on, or at nothing.
    pub(crate) fn set(&mut self, task: Option<Task>) {
        if self.stage == Stage::Thinking {
            self.stage = Stage::Ready;
            if let Some(engine) = &mut self.engine {
                engine.give_up();
            }
        }
        self.task = task;
        self.lines = Collector::default();
        self.is_news = false;
        self.told_at = None;
    }

    /// What was found so far.
    pub(crate) fn lines(&self) -> &Lines {
        self.lines.shown()
    }

    /// The name of the engine.
    pub(crate) fn engine_name(&self) -> String {
        let engine = self.engine.as_ref();
        engine.map_or_else(String::new, |engine| engine.given_name())
    }

    /// Takes the engine one step nearer to its task.
    pub(crate) fn drive(
        &mut self,
        source: &EngineSource,
        spec: &EngineSpec,
        now: Instant,
    ) -> Option<Progress> {
        let task = self.task.as_ref()?;
        let Some(engine) = &mut self.engine else {
            let engine = self.engine.insert(source.make_analyst(spec));
            let begun = engine.begin(now);
            return begun.err().map(|fault| self.fail(fault));
        };
        if self.stage != Stage::Ready {
            return None;
        }
        if self.n_told_lines.max(1) != task.n_lines {
            // An engine without the option gives one line.
            let _ = engine.set_option(MULTI_PV, &task.n_lines.to_string());
            self.n_told_lines = task.n_lines;
        }
        self.stage = Stage::Thinking;
        let started = engine.start_move(&task.position, task.go.clone(), Some(task.allowance));
        started.err().map(|fault| self.fail(fault))
    }

    /// Takes what the engine says.
    pub(crate) fn poll(&mut self, now: Instant) -> Option<Progress> {
        while let Some(engine) = self.engine.as_mut().filter(|_| self.task.is_some()) {
            match engine.poll(now) {
                Ok(Some(PlayerEvent::Ready)) => self.stage = Stage::Ready,
                Ok(Some(PlayerEvent::Moved(best))) if self.stage == Stage::Thinking => {
                    self.stage = Stage::Ready;
                    self.task = None;
                    return Some(Progress::Finished(best));
                }
                Ok(Some(PlayerEvent::Info(info))) if self.stage == Stage::Thinking => {
                    if let Some(task) = &self.task {
                        self.is_news |= self.lines.take(&info, task.board.as_ref(), task.n_lines);
                    }
                }
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(fault) => return Some(self.fail(fault)),
            }
        }
        let is_due = self.news_at(now).is_some_and(|due| due <= now);
        is_due.then(|| {
            self.is_news = false;
            self.told_at = Some(now);
            Progress::Lines
        })
    }

    /// When the news may be told.
    fn news_at(&self, now: Instant) -> Option<Instant> {
        let is_news = self.is_news && self.task.is_some();
        is_news.then(|| self.told_at.map_or(now, |told| told + PAUSE))
    }

    /// When to [`poll`](Analyser::poll) at the latest.
    pub(crate) fn deadline(&mut self, now: Instant) -> Option<Instant> {
        let news = self.news_at(now);
        let engine = self.engine.as_mut().filter(|_| self.task.is_some());
        let engine = engine.and_then(|engine| engine.deadline(now));
        [news, engine].into_iter().flatten().min()
    }

    /// Where the engine's lines arrive, while it has something to look at.
    pub(crate) fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        let engine = self.engine.as_ref().filter(|_| self.task.is_some());
        engine.and_then(|engine| engine.receiver())
    }

    /// Has a thinking engine end its search at once.
    pub(crate) fn hurry(&mut self) {
        if self.stage == Stage::Thinking
            && let Some(engine) = &mut self.engine
        {
            engine.move_now();
        }
    }

    /// Hands the engine over, to be told to quit.
    pub(crate) fn take_engine(&mut self) -> Option<Box<dyn SeatEngine>> {
        self.set(None);
        self.stage = Stage::Off;
        self.engine.take()
    }

    /// An engine that failed is replaced while its task allows that.
    fn fail(&mut self, fault: Fault) -> Progress {
        self.engine = None;
        self.stage = Stage::Off;
        self.n_told_lines = 0;
        match &mut self.task {
            Some(task) if task.n_restarts > 0 => {
                task.n_restarts -= 1;
                Progress::Restarted(fault)
            }
            _ => {
                self.set(None);
                Progress::Failed(fault)
            }
        }
    }
}
