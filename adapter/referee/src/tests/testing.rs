//! Shared test code: engines in memory that play Nim.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use protocol::Info;
use record::engine_spec::OwnProgram;
use record::opening::Opening;

use crate::engine::{
    BestMove, EngineConfig, EngineEvent, Fault, Request, Script, SetOption, Timeouts,
};
use crate::record_testing::{rules, spec};

pub(crate) const TIMEOUTS: Timeouts = Timeouts {
    startup: Duration::from_secs(60),
    ping: Duration::from_secs(60),
    search: Duration::from_secs(60),
};

/// An engine in memory that plays Nim.
pub(crate) fn config(name: &str) -> EngineConfig {
    starting(name, || Ok(()))
}

/// An engine whose process starts like this.
pub(crate) fn starting(
    name: &str,
    start: impl Fn() -> io::Result<()> + Send + Sync + 'static,
) -> EngineConfig {
    let own = OwnProgram {
        path: Path::new("linesman"),
        game: "nim",
        args: &[],
    };
    let mut config = EngineConfig::alone(&spec(name), own, TIMEOUTS);
    config.rules = Some(rules());
    config.script = Some(Arc::new(Nim {
        name: name.to_owned(),
        start: Arc::new(start),
        is_running: false,
        events: VecDeque::new(),
    }));
    config
}

/// The script of a correct engine, which takes the first stone it finds.
#[derive(Clone)]
struct Nim {
    name: String,
    start: Arc<dyn Fn() -> io::Result<()> + Send + Sync>,
    is_running: bool,
    events: VecDeque<EngineEvent>,
}

impl Nim {
    fn run(&mut self) -> Result<(), Fault> {
        if !self.is_running {
            (self.start)().map_err(|error| Fault::of_start(&self.name, &error))?;
            self.is_running = true;
        }
        Ok(())
    }
}

impl fmt::Debug for Nim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nim")
    }
}

impl Script for Nim {
    fn fresh(&self) -> Box<dyn Script> {
        Box::new(self.clone())
    }

    fn ask(&mut self, request: &Request<'_>) -> Result<(), Fault> {
        match request {
            Request::Start => {
                self.run()?;
                self.events.push_back(EngineEvent::Started);
            }
            Request::NewGame { .. } => {
                self.run()?;
                self.events.push_back(EngineEvent::Ready);
            }
            Request::Go(search) => {
                let opening = search
                    .position
                    .strip_prefix("position ")
                    .expect("a position");
                let board = rules().open(&Opening::parse(opening));
                let mut moves = board.expect("a legal position").moves();
                self.events.push_back(EngineEvent::Moved(BestMove {
                    code: moves.swap_remove(0),
                    ponder: None,
                    elapsed: Duration::ZERO,
                    thought: Info::default(),
                }));
            }
            _ => {}
        }
        Ok(())
    }

    fn poll(&mut self) -> Result<Option<EngineEvent>, Fault> {
        Ok(self.events.pop_front())
    }

    fn is_due(&self) -> bool {
        true
    }

    fn has_option(&self, _: &str) -> bool {
        true
    }

    fn set_option(&mut self, _: &SetOption) {}

    fn end(&mut self) {
        self.is_running = false;
    }
}
