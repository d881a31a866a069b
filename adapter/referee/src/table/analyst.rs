//! What an engine thinks of a position: a hint, a score. It thinks beside the game.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::Side;
use protocol::Go;

use super::TableError;
use super::engine::{EngineSource, SeatEngine};
use super::event::{Analysis, Question, TableEvent};
use super::request::{ClientId, RequestId};
use super::start::LEVEL;
use super::state::Table;
use crate::client::{BestMove, Fault, Message};
use crate::clock::{Clock, Limit, limits};
use crate::plan::EngineSpec;
use crate::player::PlayerEvent;
use crate::process::Batch;

/// How much longer than its limit an analysis may take.
const MARGIN: Duration = Duration::from_secs(60);

/// How long an analysis takes in a game with clocks.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// How many questions may wait.
const MAX_WAITING: usize = 16;

/// A question to the engine.
#[derive(Debug)]
struct Asked {
    client: ClientId,
    request: RequestId,
    what: Question,
    side: Side,
    position: String,
    go: Go,
    allowance: Duration,
}

/// The engine that answers questions, and those that wait for it; the first is the one that it thinks about.
#[derive(Default)]
pub(super) struct Analyst {
    engine: Option<Box<dyn SeatEngine>>,
    waiting: VecDeque<Asked>,
    is_ready: bool,
    is_thinking: bool,
}

impl Analyst {
    /// The engine, if it owes something.
    pub(super) fn busy_engine(&mut self) -> Option<&mut dyn SeatEngine> {
        let is_busy = !self.waiting.is_empty();
        let engine = self.engine.as_mut().filter(|_| is_busy);
        engine.map(|engine| engine.as_mut() as &mut dyn SeatEngine)
    }

    /// Where the engine's lines arrive, if it owes something.
    pub(super) fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        let engine = self.engine.as_ref().filter(|_| !self.waiting.is_empty());
        engine.and_then(|engine| engine.receiver())
    }

    /// Takes the engine one step nearer to its next answer.
    fn drive(
        &mut self,
        source: &EngineSource,
        spec: &EngineSpec,
        now: Instant,
    ) -> Result<(), Fault> {
        let Some(asked) = self.waiting.front() else {
            return Ok(());
        };
        let Some(engine) = &mut self.engine else {
            return self.engine.insert(source.make(spec)).begin(now);
        };
        if self.is_ready && !self.is_thinking {
            self.is_thinking = true;
            return engine.start_move(&asked.position, asked.go.clone(), Some(asked.allowance));
        }
        Ok(())
    }

    /// Tells the engine to quit and hands it over.
    pub(super) fn take_engine(&mut self) -> Option<Box<dyn SeatEngine>> {
        self.engine.take()
    }

    /// Forgets a client's questions.
    pub(super) fn forget(&mut self, client: ClientId) {
        let is_first = self
            .waiting
            .front()
            .is_some_and(|asked| asked.client == client);
        if is_first
            && std::mem::take(&mut self.is_thinking)
            && let Some(engine) = &mut self.engine
        {
            engine.give_up();
        }
        self.waiting.retain(|asked| asked.client != client);
    }

    /// Has the engine answer this client at once; whether it thinks for him.
    pub(super) fn hurry(&mut self, client: ClientId) -> bool {
        let is_his = self
            .waiting
            .front()
            .is_some_and(|asked| asked.client == client);
        if is_his
            && self.is_thinking
            && let Some(engine) = &mut self.engine
        {
            engine.move_now();
        }
        is_his
    }
}

impl Table {
    /// Asks the built-in engine, at its full strength, about the position. The answer comes as events.
    pub(super) fn ask_engine(
        &mut self,
        client: ClientId,
        request: RequestId,
        what: Question,
    ) -> Result<(), TableError> {
        self.refuse_over()?;
        let is_his = |asked: &Asked| asked.client == client;
        if self.analyst.waiting.iter().any(is_his) || self.analyst.waiting.len() >= MAX_WAITING {
            return Err(TableError::refused(
                "an analysis is under way: wait for its answer",
            ));
        }
        let limit = match self.helper.limit {
            Limit::Clock(_) | Limit::Unlimited => Limit::MoveTime(MOVE_TIME),
            limit => limit,
        };
        let clock = Clock::new(limit, MARGIN);
        let side = self.side();
        self.analyst.waiting.push_back(Asked {
            client,
            request,
            what,
            side,
            position: self.game.arbiter().position().to_owned(),
            allowance: clock.allowance().unwrap_or(self.search_timeout()),
            go: limits(side, &[clock.clone(), clock]),
        });
        let info = self.clients.find(client).map(|client| client.info.clone());
        if let Some(who) = info {
            self.clients.tell_all(TableEvent::AskedEngine { who, what });
        }
        Ok(())
    }

    /// Takes what the analysing engine says.
    pub(super) fn poll_analyst(&mut self, now: Instant) {
        while let Some(engine) = self.analyst.busy_engine() {
            match engine.poll(now) {
                Ok(Some(event)) => self.on_analysis(event),
                Ok(None) => break,
                Err(fault) => self.lose_analyst(&fault),
            }
        }
    }

    /// Has the analysing engine go on with the next question.
    pub(super) fn drive_analyst(&mut self, now: Instant) {
        let mut spec = self.helper.clone();
        spec.options
            .retain(|(name, _)| !name.eq_ignore_ascii_case(LEVEL));
        if let Err(fault) = self.analyst.drive(&self.source, &spec, now) {
            self.lose_analyst(&fault);
        }
    }

    fn on_analysis(&mut self, event: PlayerEvent) {
        match event {
            PlayerEvent::Ready => self.analyst.is_ready = true,
            PlayerEvent::Moved(best) => self.answer(best),
            PlayerEvent::Info(info) => {
                if let Some(asked) = self.analyst.waiting.front() {
                    let event = TableEvent::AnalysisLine {
                        request: asked.request,
                        analysis: (*info).into(),
                    };
                    self.clients.tell(asked.client, event);
                }
            }
            PlayerEvent::Started | PlayerEvent::Response(_) => {}
        }
    }

    fn answer(&mut self, best: BestMove) {
        self.analyst.is_thinking = false;
        let Some(asked) = self.analyst.waiting.pop_front() else {
            return;
        };
        let event = TableEvent::Analysis {
            request: asked.request,
            what: asked.what,
            side: asked.side,
            analysis: Analysis {
                code: Some(best.code),
                score: best.thought.score.map(Into::into),
                depth: best.thought.depth,
                nodes: best.thought.nodes,
                line: best.thought.pv,
            },
        };
        self.clients.tell(asked.client, event);
        let done = TableEvent::Done {
            request: asked.request,
        };
        self.clients.tell(asked.client, done);
    }

    /// A failed analysis costs nobody anything; the next question gets a fresh engine.
    fn lose_analyst(&mut self, fault: &Fault) {
        let waiting = std::mem::take(&mut self.analyst).waiting;
        for asked in waiting {
            let refused = TableEvent::Refused {
                request: asked.request,
                why: format!("the built-in engine: {fault}"),
            };
            self.clients.tell(asked.client, refused);
        }
    }
}
