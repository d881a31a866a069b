//! Calls that block until an engine has answered, and the names of engines.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use protocol::{Go, OptionDecl, Query};

use super::Engine;
use super::config::EngineConfig;
use super::dialogue::Request;
use super::fault::Fault;
use super::hear::{BestMove, EngineEvent};
use crate::process::QUIT_TIMEOUT;

/// Sends a request and blocks until an event that `pick` accepts.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub(crate) fn call<T>(
    engine: &mut Engine,
    request: Request<'_>,
    pick: impl FnMut(EngineEvent) -> Option<T>,
) -> Result<T, Fault> {
    engine.ask(request, Instant::now())?;
    engine.wait(None, pick)
}

/// Starts an engine and blocks until its options are set.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn start(engine: &mut Engine) -> Result<(), Fault> {
    let is_started = |event| (event == EngineEvent::Started).then_some(());
    call(engine, Request::Start, is_started)
}

/// Begins a game and blocks until the engine is ready for it.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn begin(engine: &mut Engine) -> Result<(), Fault> {
    call(engine, Request::NewGame { seed: None }, EngineEvent::ready)
}

/// Asks a query about the position of a `position` line, and blocks until the answer.
///
/// # Errors
/// A fault of the engine, or [`Fault::Stopped`].
pub fn answer(engine: &mut Engine, position: &str, query: Query) -> Result<String, Fault> {
    let queries = &[query];
    let request = Request::Query { position, queries };
    call(engine, request, EngineEvent::response)
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
    let request = Request::Go {
        position,
        go,
        allowance,
    };
    call(engine, request, EngineEvent::moved)
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
    let unique = names.find(|name| taken.insert(name.clone()));
    unique.expect("an unused number exists")
}
