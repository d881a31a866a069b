//! Engines at a table: their creation, and the operations that a table needs in addition to [`Player`].

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
use crate::player::names::given_name;

/// An engine at a table.
pub trait SeatEngine: Player {
    /// Starts the engine; [`PlayerEvent::Started`](crate::player::PlayerEvent::Started) follows.
    fn start(&mut self, now: Instant) -> Result<(), Fault>;

    /// The user's name for the engine, or else its `id name`.
    fn given_name(&self) -> String;

    /// Changes the display name.
    fn rename(&mut self, name: &str);

    /// Checks an option without setting it. The error text says what the engine rejects.
    fn check_option(&self, name: &str, value: &str) -> Result<(), String>;

    /// Sets an option now and at each start. The error text says what the engine rejects.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String>;

    /// Returns and clears the engine's error messages about options.
    fn drain_option_errors(&mut self) -> Vec<String>;

    /// `true` from the end of a game until the message of what the engine learned from it.
    fn is_learning(&self) -> bool {
        false
    }

    /// Sends `quit` without waiting.
    fn ask_to_quit(&mut self);

    /// Blocks until the engine has exited; kills it at the deadline.
    fn end(&mut self, deadline: Instant);
}

impl SeatEngine for EnginePlayer {
    fn start(&mut self, now: Instant) -> Result<(), Fault> {
        EnginePlayer::start(self, now)
    }

    fn given_name(&self) -> String {
        given_name(self)
    }

    fn rename(&mut self, name: &str) {
        EnginePlayer::rename(self, name);
    }

    fn check_option(&self, name: &str, value: &str) -> Result<(), String> {
        EnginePlayer::check_option(self, name, value)
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        EnginePlayer::set_option(self, name, value)
    }

    fn drain_option_errors(&mut self) -> Vec<String> {
        EnginePlayer::drain_option_errors(self)
    }

    fn is_learning(&self) -> bool {
        EnginePlayer::is_learning(self)
    }

    fn ask_to_quit(&mut self) {
        EnginePlayer::ask_to_quit(self);
    }

    fn end(&mut self, deadline: Instant) {
        EnginePlayer::end(self, deadline);
    }
}

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
