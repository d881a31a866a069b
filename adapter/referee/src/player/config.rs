//! Configuration of an engine: how to start it, and what was learned at its first start.

use std::borrow::Cow;
use std::fmt;
use std::io;

use std::sync::Arc;
use std::time::Duration;

use protocol::Query;
use record::clock::{Limit, SearchLimit, TimeControl};
use record::engine_spec::{EngineSpec, OwnProgram, Program, Proto, SetOption};
use record::plan::Plan;
use record::registry::Rules;

use crate::client::{EngineFilter, Fault, Infos, Message, Timeouts};
use crate::host::Host;
use crate::process::{Launch, Process, Reading, Transport};
use crate::rules_program::FAILURE;
use crate::stop::Stop;

/// Why the built-in engine of a game whose rules are a program takes no `depth`.
pub const NO_DEPTH: &str = "the built-in engine searches the moves of a rules program to no fixed depth: expected a time or nodes";

/// Settings for starting an engine. Cheap to clone for another process of the same engine.
#[derive(Debug, Clone, Default)]
pub struct EngineConfig {
    /// The user's engine specification.
    pub spec: EngineSpec,
    /// The process to start.
    pub launch: Launch,
    /// The rules of the game, if known.
    pub rules: Option<Rules>,
    /// Timeouts for everything that the game clock does not limit.
    pub timeouts: Timeouts,
    /// Interrupts any wait for the engine.
    pub stop: Stop,
    /// The engine serves a table, which selects on [`Player::receiver`](super::Player::receiver). Without it, only the
    /// thread of a game waits for the engine.
    pub is_at_table: bool,
    /// The `info` lines that become [`PlayerEvent::Info`](super::PlayerEvent::Info).
    pub infos: Infos,
    /// At its first start, find out which queries the engine answers. Cleared afterwards.
    pub is_probed: bool,
    /// The engine has exited at `query moves`, which is not sent again.
    pub(super) is_fragile: bool,
    /// Options to send at each start; determined at the first one.
    pub(super) options: Option<Vec<SetOption>>,
    /// The queries that the engine answers.
    pub(super) answers: Vec<Query>,
    /// The position string of the game's start position, if `startpos` is another position to this engine.
    pub(crate) start: Option<String>,
    connect: Connect,
}

impl EngineConfig {
    /// Creates the configuration of an engine in a plan.
    pub fn new(spec: &EngineSpec, plan: &Plan, rules: Option<&Rules>, host: &Host) -> EngineConfig {
        let timeouts = Timeouts {
            startup: Duration::from_millis(plan.startup_ms),
            ping: Duration::from_millis(plan.ping_ms),
            search: Duration::from_millis(plan.search_timeout_ms),
        };
        let own = OwnProgram::new(&host.executable, &plan.game.name, host.registry);
        let mut config = EngineConfig::alone(spec, own, timeouts);
        config.launch.memory = config.launch.memory.or(plan.memory);
        EngineConfig {
            rules: rules.cloned(),
            stop: host.stop.clone(),
            ..config
        }
    }

    /// Creates the configuration of an engine outside a plan.
    pub fn alone(spec: &EngineSpec, own: OwnProgram<'_>, timeouts: Timeouts) -> EngineConfig {
        EngineConfig {
            spec: spec.clone(),
            launch: Launch::of(spec, own),
            timeouts: timeouts.of_engine(spec.process),
            ..EngineConfig::default()
        }
    }

    /// Replaces the function that creates the transport.
    #[cfg(test)]
    pub(crate) fn connect_by(
        mut self,
        connect: impl Fn() -> io::Result<Box<dyn Transport<Message>>> + Send + Sync + 'static,
    ) -> EngineConfig {
        self.connect = Connect(Arc::new(move |_, _, _| connect()));
        self
    }

    /// Starts the process and connects to it.
    pub(super) fn connect(&self) -> io::Result<Box<dyn Transport<Message>>> {
        let reading = match self.is_at_table {
            true => Reading::Channel,
            false => Reading::Direct,
        };
        (self.connect.0)(&self.launch, EngineFilter::new(self.infos), reading)
    }

    /// `true` for the built-in engine of a game whose rules are a program. It has its own process of the program.
    pub(super) fn searches_program(&self) -> bool {
        let rules = self.rules.as_ref().filter(|rules| rules.are_of_program());
        self.spec.program == Program::Builtin && rules.is_some()
    }

    /// The failure of rules for which their built-in engine, which only waits for them, is silent.
    pub(super) fn slow_rules(&self, silence: &Fault) -> String {
        let name = self.rules.as_ref().map_or("", |rules| rules.entry().name);
        format!(
            "{FAILURE}{name}: too slow for their built-in engine: {silence}; --startup-ms and --ping-ms give more time"
        )
    }

    /// Why the engine or its protocol cannot keep its limit; `None` if it can.
    pub(super) fn unsuitable_limit(&self) -> Option<String> {
        let (Limit::Search(search) | Limit::Clock(_, Some(search))) = self.spec.limit else {
            return None;
        };
        let of_program = self.rules.as_ref().is_some_and(Rules::are_of_program);
        let why = match (search, self.spec.proto) {
            (SearchLimit::Nodes(_), Proto::Cecp) if of_program => {
                "CECP has no limit of nodes: expected tc=, st= or depth="
            }
            (SearchLimit::Depth(_), _) if self.searches_program() => NO_DEPTH,
            _ => return None,
        };
        Some(format!("{search}: {why}"))
    }

    /// What the engine's protocol does not tell it of its limit.
    pub(crate) fn untold_limit(&self) -> Option<String> {
        let limit = self.spec.limit;
        let whole = |time: Duration| time >= Duration::from_secs(1);
        let why = match limit {
            _ if self.spec.proto != Proto::Gtp => return None,
            Limit::MoveTime(time) if whole(time) => return None,
            Limit::Clock(TimeControl::Hourglass { .. }, None) | Limit::Unlimited => return None,
            Limit::Clock(_, Some(_)) | Limit::Search(_) => "GTP has no limit of depth or nodes",
            Limit::Clock(TimeControl::Countdown { moves, time, inc }, None) => match moves {
                _ if !whole(time) => "GTP counts whole seconds",
                Some(_) if !inc.is_zero() => "GTP has no increment beside moves",
                None if !inc.is_zero() && !whole(inc) => "GTP has no increment below a second",
                _ => return None,
            },
            Limit::MoveTime(_) => "GTP counts whole seconds",
        };
        Some(format!("is not told all of {limit}: {why}"))
    }

    /// Display name that does not depend on the engine's `id name`.
    pub fn label(&self) -> &str {
        self.spec.name.as_deref().unwrap_or(&self.launch.name)
    }

    /// A `position` line as this engine understands it.
    pub(super) fn position<'p>(&self, line: &'p str) -> Cow<'p, str> {
        let moves = line.strip_prefix("position startpos");
        match self.start.as_ref().zip(moves) {
            Some((start, moves)) => format!("position fen {start}{moves}").into(),
            None => line.into(),
        }
    }

    /// The queries that the engine answers, as far as is known.
    pub fn answers(&self) -> &[Query] {
        &self.answers
    }
}

/// Function that creates a transport. Starts a process, except in tests.
#[derive(Clone)]
struct Connect(Arc<ConnectFn>);

type ConnectFn =
    dyn Fn(&Launch, EngineFilter, Reading) -> io::Result<Box<dyn Transport<Message>>> + Send + Sync;

impl Default for Connect {
    fn default() -> Connect {
        Connect(Arc::new(|launch, filter, reading| {
            Ok(Box::new(Process::start(launch, filter, reading)?))
        }))
    }
}

impl fmt::Debug for Connect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connect")
    }
}
