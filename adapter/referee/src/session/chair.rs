//! A side of the board, and whoever plays it: a person, or an engine that may take over and hand back at any time.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::Go;

use crate::client::{BestMove, Complaint, Fault, Message, Thought};
use crate::clock::{Clock, Limit};
use crate::plan::EngineSpec;
use crate::player::{EnginePlayer, Oracle, Player, PlayerEvent};
use crate::process::Batch;

/// A person, whose moves are brought by whoever speaks with him.
#[derive(Debug)]
pub(super) struct Person {
    name: String,
    limit: Limit,
    chosen: Option<(String, Duration)>,
    is_ready: bool,
}

impl Person {
    fn new(name: String, limit: Limit) -> Person {
        Person {
            name,
            limit,
            chosen: None,
            is_ready: false,
        }
    }
}

impl Player for Person {
    fn name(&self) -> &str {
        &self.name
    }

    fn clock(&self) -> Clock {
        Clock::new(self.limit, Duration::ZERO)
    }

    fn begin(&mut self, _: Instant) -> Result<(), Fault> {
        self.is_ready = true;
        Ok(())
    }

    fn start_move(&mut self, _: &str, _: Go, _: Option<Duration>) -> Result<(), Fault> {
        Ok(())
    }

    fn move_now(&mut self) {}

    fn give_up(&mut self) {}

    fn ponder(&mut self, _: String, _: Go) {}

    fn poll(&mut self, _: Instant) -> Result<Option<PlayerEvent>, Fault> {
        if std::mem::take(&mut self.is_ready) {
            return Ok(Some(PlayerEvent::Ready));
        }
        let chosen = self.chosen.take();
        Ok(chosen.map(|(code, elapsed)| {
            PlayerEvent::Moved(BestMove {
                code,
                ponder: None,
                elapsed,
                thought: Thought::default(),
            })
        }))
    }

    fn deadline(&mut self, _: Instant) -> Option<Instant> {
        None
    }

    fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        None
    }

    fn wait(&mut self) -> Result<PlayerEvent, Fault> {
        let event = self.poll(Instant::now())?;
        event.ok_or_else(|| Fault::Start("nobody brought a move".to_owned()))
    }

    fn oracle(&mut self) -> Option<&mut dyn Oracle> {
        None
    }

    fn blame(&mut self) {}

    fn complaint(&self) -> Option<&Complaint> {
        None
    }

    fn last_words(&self) -> (Vec<String>, String) {
        Default::default()
    }
}

/// One side of the board.
#[derive(Debug)]
pub(super) struct Seat {
    person: Person,
    /// The engine that plays here when one does.
    pub(super) spec: EngineSpec,
    engine: Option<EnginePlayer>,
    /// Whether the engine plays now.
    pub(super) is_auto: bool,
}

impl Seat {
    /// A chair whose engine is not started yet; a person's limit is `limit`.
    pub(super) fn new(name: String, limit: Limit, spec: EngineSpec, is_auto: bool) -> Seat {
        Seat {
            person: Person::new(name, limit),
            spec,
            engine: None,
            is_auto,
        }
    }

    /// The name in the records, whoever plays.
    pub(super) fn name(&self) -> &str {
        &self.person.name
    }

    pub(super) fn engine(&mut self) -> Option<&mut EnginePlayer> {
        self.engine.as_mut()
    }

    pub(super) fn has_engine(&self) -> bool {
        self.engine.is_some()
    }

    pub(super) fn seat(&mut self, engine: EnginePlayer) {
        self.engine = Some(engine);
    }

    /// Whoever plays now.
    pub(super) fn player(&mut self) -> &mut dyn Player {
        match &mut self.engine {
            Some(engine) if self.is_auto => engine,
            _ => &mut self.person,
        }
    }

    pub(super) fn clock(&self) -> Clock {
        match &self.engine {
            Some(engine) if self.is_auto => engine.clock(),
            _ => self.person.clock(),
        }
    }

    /// Brings the person's move.
    pub(super) fn choose(&mut self, code: String, elapsed: Duration) {
        self.person.chosen = Some((code, elapsed));
    }
}
