//! The creation of engines at a table.

use std::fmt;
use std::time::Instant;

use record::engine_spec::EngineSpec;
use record::plan::Plan;
use record::registry::Rules;

use super::Player;
use super::config::EngineConfig;
use super::engine::EnginePlayer;
use crate::client::{Fault, Infos};
use crate::host::Host;

/// Creates engines that are not started yet. They are processes, except in tests.
pub struct EngineSource(Box<MakeEngine>);

type MakeEngine = dyn Fn(&EngineSpec, Infos) -> Box<dyn SeatEngine> + Send;

impl EngineSource {
    /// Engines that this function makes.
    pub fn new(
        make: impl Fn(&EngineSpec, Infos) -> Box<dyn SeatEngine> + Send + 'static,
    ) -> EngineSource {
        EngineSource(Box::new(make))
    }

    /// Creates engines of a plan as processes.
    pub fn processes(plan: &Plan, rules: &Rules, host: &Host) -> EngineSource {
        let (plan, rules, host) = (plan.clone(), rules.clone(), host.clone());
        EngineSource::new(move |spec, infos| {
            let mut config = EngineConfig::new(spec, &plan, Some(&rules), &host);
            config.is_at_table = true;
            config.infos = infos;
            Box::new(EnginePlayer::new(config))
        })
    }

    /// Creates an engine that plays.
    pub fn make(&self, spec: &EngineSpec) -> Box<dyn SeatEngine> {
        (self.0)(spec, Infos::Best)
    }

    /// Creates an engine for analysis, which reports all lines.
    pub fn make_analyst(&self, spec: &EngineSpec) -> Box<dyn SeatEngine> {
        (self.0)(spec, Infos::All)
    }
}

impl fmt::Debug for EngineSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EngineSource")
    }
}

/// An engine at a table.
pub trait SeatEngine: Player {
    /// Starts the engine; [`PlayerEvent::Started`](crate::player::PlayerEvent::Started) follows.
    fn start(&mut self, now: Instant) -> Result<(), Fault>;

    /// The user's name for the engine; by default its `id name`, else the name of its program.
    fn given_name(&self) -> String;

    /// Changes the display name and the name in the log.
    fn rename(&mut self, name: &str);

    /// Checks an option against those that the running engine declares; any passes until the handshake is over. The
    /// error text says what the engine rejects.
    fn check_option(&self, name: &str, value: &str) -> Result<(), String>;

    /// Sets an option now and at each start. A searching engine receives it after its move. The error text says what
    /// the engine rejects.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// `true` from the end of a game until the message of what the engine learned from it.
    fn is_learning(&self) -> bool {
        false
    }

    /// Sends `quit` without waiting; [`end`](SeatEngine::end) waits for the process to exit.
    fn ask_to_quit(&mut self);

    /// Blocks until the engine has exited; kills it at the deadline. Returns `true` if it exited by itself.
    fn end(&mut self, deadline: Instant) -> bool;
}
