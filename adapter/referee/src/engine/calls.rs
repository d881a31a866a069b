//! Calls that block until an engine has answered, and the names of engines.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use protocol::{Go, OptionDecl, Query};

use super::Engine;
use super::config::EngineConfig;
use super::fault::Fault;
use super::hear::{BestMove, EngineEvent};
use super::request::Request;
use crate::process::QUIT_TIMEOUT;

/// Starts an engine and blocks until its options are set.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn start(engine: &mut Engine) -> Result<(), Fault> {
    engine.ask(Request::Start, Instant::now())?;
    engine.wait(None, |event| (event == EngineEvent::Started).then_some(()))
}

/// Begins a game and blocks until the engine is ready for it.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn begin(engine: &mut Engine) -> Result<(), Fault> {
    engine.ask(Request::NewGame { seed: None }, Instant::now())?;
    engine.wait(None, EngineEvent::ready)
}

/// Asks a query about the position of a `position` line, and blocks until the answer.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn answer(engine: &mut Engine, position: &str, query: Query) -> Result<String, Fault> {
    let queries = &[query];
    engine.ask(Request::Query { position, queries }, Instant::now())?;
    engine.wait(None, EngineEvent::response)
}

/// Searches the position of a `position` line, and blocks until the move.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn best_move(
    engine: &mut Engine,
    position: &str,
    go: Go,
    allowance: Option<Duration>,
) -> Result<BestMove, Fault> {
    let go = Request::Go {
        position,
        go,
        allowance,
    };
    engine.ask(go, Instant::now())?;
    engine.wait(None, EngineEvent::moved)
}

/// Sends `quit` and blocks until the process has exited; kills it after [`QUIT_TIMEOUT`].
pub fn quit(engine: &mut Engine) {
    // A process that is not running has nothing to quit.
    let _ = engine.ask(Request::Quit, Instant::now());
    engine.end(Instant::now() + QUIT_TIMEOUT);
}

/// Starts an engine for the options that it declares, and ends it.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn declarations(config: EngineConfig) -> Result<Vec<OptionDecl>, Fault> {
    let mut engine = Engine::new(config);
    let started = start(&mut engine);
    let declared = std::mem::take(&mut engine.facts().declared);
    quit(&mut engine);
    started.map(|()| declared)
}

/// The user's name for an engine; by default its `id name`, else the name of its program.
pub fn given_name(engine: &Engine) -> String {
    let id_name = engine.dialogue.facts.id_name.as_deref();
    engine.config.given_name(id_name)
}

/// The name, with a number appended if it is taken.
pub fn unique_name(name: String, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|n| format!("{name} #{n}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    let unique = names.find(|name| !taken.contains(name));
    let unique = unique.expect("an unused number exists");
    taken.insert(unique.clone());
    unique
}
