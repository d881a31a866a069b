//! Engines in memory, for tests of what drives an engine.

use std::fmt;
use std::sync::Arc;

use record::engine_spec::SetOption;

use super::dialogue::Request;
use super::fault::Fault;
use super::hear::EngineEvent;

/// An engine in memory: it takes requests and gives events, without lines.
pub trait Script: Send {
    /// Takes a request.
    ///
    /// # Errors
    /// As for [`Engine::ask`](super::Engine::ask).
    fn ask(&mut self, request: &Request<'_>) -> Result<(), Fault>;

    /// The next event.
    ///
    /// # Errors
    /// As for [`Engine::poll`](super::Engine::poll).
    fn poll(&mut self) -> Result<Option<EngineEvent>, Fault>;

    /// `true` if there is an event.
    fn is_due(&self) -> bool {
        true
    }

    /// `true` if the engine has this option.
    fn has_option(&self, _name: &str) -> bool {
        true
    }

    /// Sets an option.
    fn set_option(&mut self, _option: &SetOption) {}

    /// The last lines exchanged.
    fn last_lines(&self) -> Vec<String> {
        Vec::new()
    }

    /// The process has ended.
    fn end(&mut self) {}
}

/// Makes the [`Script`] of each engine.
#[derive(Clone)]
pub struct MakeScript(Arc<dyn Fn() -> Box<dyn Script> + Send + Sync>);

impl MakeScript {
    /// Scripts that this function makes.
    pub fn new(make: impl Fn() -> Box<dyn Script> + Send + Sync + 'static) -> MakeScript {
        MakeScript(Arc::new(make))
    }

    pub(super) fn make(&self) -> Box<dyn Script> {
        (self.0)()
    }
}

impl fmt::Debug for MakeScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MakeScript")
    }
}
