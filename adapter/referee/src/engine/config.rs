//! Configuration of an engine: how to start it, and what was learned at its first start.

use std::sync::Arc;
use std::time::Duration;

use protocol::text::visible;
use protocol::{Dialect, Query};
use record::clock::{Clock, Limit, SearchLimit};
use record::engine_spec::{EngineSpec, OwnProgram, ProcessLimits, Program, Proto, SetOption};
use record::plan::Plan;
use record::registry::Rules;

use super::Script;
use super::fault::{Complaint, Fault, RULES_FAILURE};
use super::hear::Infos;
use crate::host::Host;
use crate::process::Launch;
use crate::stop::Stop;

/// In place of a move: the program behind a bridge resigns.
pub const RESIGN: &str = "resign";

/// Maximum length of an engine's name, in characters.
pub const MAX_NAME: usize = 60;

/// Timeouts for everything that the game clock does not limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timeouts {
    /// For the handshake and for setting options.
    pub startup: Duration,
    /// For any other answer.
    pub ping: Duration,
    /// For a search without a clock limit.
    pub search: Duration,
}

impl Timeouts {
    /// These timeouts with the engine's in their place.
    #[must_use]
    pub fn of_engine(self, own: ProcessLimits) -> Timeouts {
        let or = |own: Option<u64>, usual| own.map_or(usual, Duration::from_millis);
        Timeouts {
            startup: or(own.startup_ms, self.startup),
            ping: or(own.ping_ms, self.ping),
            search: or(own.search_timeout_ms, self.search),
        }
    }

    /// Timeouts in milliseconds, where a search has the time of any other answer.
    pub fn of_ms(startup_ms: u64, ping_ms: u64) -> Timeouts {
        let ping = Duration::from_millis(ping_ms);
        Timeouts {
            startup: Duration::from_millis(startup_ms),
            ping,
            search: ping,
        }
    }
}

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
    /// The `info` lines that become [`EngineEvent::Info`](super::EngineEvent::Info).
    pub infos: Infos,
    /// At its first start, find out which queries the engine answers. Cleared afterwards.
    pub is_probed: bool,
    /// The engine has exited at `query moves`, which is not sent again.
    pub(super) is_fragile: bool,
    /// Options to send at each start; determined at the first one.
    pub(super) options: Option<Vec<SetOption>>,
    /// The queries that the engine answers, as far as is known.
    pub answers: Vec<Query>,
    /// The position string of the game's start position, if `startpos` is another position to this engine.
    pub(crate) start: Option<String>,
    /// Takes the place of the process in tests.
    pub script: Option<Arc<dyn Script>>,
}

impl EngineConfig {
    /// Creates the configuration of an engine in a plan.
    pub fn new(spec: &EngineSpec, plan: &Plan, rules: Option<&Rules>, host: &Host) -> EngineConfig {
        let timeouts = Timeouts {
            search: Duration::from_millis(plan.search_timeout_ms),
            ..Timeouts::of_ms(plan.startup_ms, plan.ping_ms)
        };
        let own = OwnProgram::new(&host.executable, &plan.game.name, host.registry);
        let mut config = EngineConfig::alone(spec, own, timeouts);
        config.launch.memory = config.launch.memory.or(plan.memory);
        config.rules = rules.cloned();
        config.stop = host.stop.clone();
        config
    }

    /// Creates the configuration of an engine outside a plan.
    pub fn alone(spec: &EngineSpec, own: OwnProgram<'_>, timeouts: Timeouts) -> EngineConfig {
        EngineConfig {
            spec: spec.clone(),
            launch: Launch::of(spec, own, timeouts.of_engine(spec.process).startup),
            timeouts: timeouts.of_engine(spec.process),
            ..EngineConfig::default()
        }
    }

    /// `true` for the built-in engine of a game whose rules are a program. It has its own process of the program.
    pub(super) fn searches_program(&self) -> bool {
        let rules = self.rules.as_ref().filter(|rules| rules.are_of_program());
        self.spec.program == Program::Builtin && rules.is_some()
    }

    /// The failure of rules for which their built-in engine, which only waits for them, is silent.
    pub(super) fn slow_rules(&self, silence: &Fault) -> String {
        const ADVICE: &str = "--startup-ms and --ping-ms give more time";
        let name = self.rules.as_ref().map_or("", |rules| rules.entry().name);
        format!("{RULES_FAILURE}{name}: too slow for their built-in engine: {silence}; {ADVICE}")
    }

    /// The reason for which the engine or its protocol cannot keep its limit; `None` if it can.
    pub(super) fn unsuitable_limit(&self) -> Option<String> {
        let (Limit::Search(search) | Limit::Clock(_, Some(search))) = self.spec.limit else {
            return None;
        };
        let of_program = self.rules.as_ref().is_some_and(Rules::are_of_program);
        let why = match (search, self.spec.proto) {
            (SearchLimit::Nodes(_), Proto::Cecp) if of_program => {
                "CECP has no limit of nodes; use tc=, st= or depth="
            }
            (SearchLimit::Depth(_), _) if self.searches_program() => {
                "the built-in engine searches the moves of a rules program to no fixed depth; give it a time or nodes"
            }
            _ => return None,
        };
        Some(format!("{}: {why}", Limit::Search(search)))
    }

    /// The part of its limit that the engine's protocol cannot express.
    pub(crate) fn untold_limit(&self) -> Option<String> {
        const SECONDS: &str = "GTP counts whole seconds";
        let is_short = |time: Duration| time < Duration::from_secs(1);
        let limit = self.spec.limit;
        let why = match limit {
            _ if self.spec.proto != Proto::Gtp => return None,
            Limit::Clock(_, Some(_)) | Limit::Search(_) => "GTP has no limit of depth or nodes",
            Limit::MoveTime(time) if is_short(time) => SECONDS,
            Limit::Clock(control, None) if !control.is_hourglass => match control.moves {
                _ if is_short(control.time) => SECONDS,
                _ if control.inc.is_zero() => return None,
                Some(_) => "GTP has no increment beside moves",
                None if is_short(control.inc) => "GTP has no increment below a second",
                None => return None,
            },
            _ => return None,
        };
        Some(format!("is not told all of {limit}: {why}"))
    }

    /// Display name that does not depend on the engine's `id name`.
    pub fn label(&self) -> &str {
        self.spec.name.as_deref().unwrap_or(&self.launch.name)
    }

    /// The user's name for the engine; by default its `id name`, else the name of its program.
    pub(super) fn given_name(&self, id_name: Option<&str>) -> String {
        if let Some(name) = &self.spec.name {
            return name.clone();
        }
        let id_name = visible(id_name.unwrap_or_default());
        let letters = id_name.chars().filter(|c| !matches!(c, '"' | '\\'));
        let name: String = letters.take(MAX_NAME).collect();
        if !name.trim().is_empty() {
            return name.trim().to_owned();
        }
        // Not the program that is started: that is our bridge if the engine speaks another protocol.
        let program = match &self.spec.program {
            Program::Command { path, .. } => path,
            _ => &self.launch.program,
        };
        let stem = program.file_stem().unwrap_or("engine".as_ref());
        stem.to_string_lossy().into_owned()
    }

    /// The engine's clock at the start of a game.
    pub fn clock(&self) -> Clock {
        Clock::new(self.spec.limit, Duration::from_millis(self.spec.margin_ms))
    }

    /// The failure of a rules program that a built-in engine reports: the engine searches that program's moves.
    pub fn rules_failure(&self, complaint: Option<&Complaint>) -> Option<String> {
        let complaint = complaint.filter(|_| self.searches_program())?;
        let is_it = complaint.words.starts_with(RULES_FAILURE);
        is_it.then(|| complaint.words.clone())
    }

    /// `true` if the engine is fenced by `isready` before a `go`.
    pub(super) fn is_fenced(&self) -> bool {
        Dialect::from(self.spec.proto) == Dialect::Ugi
    }

    /// The queries sent to the engine at its first start, without those that it answers.
    pub(super) fn unanswered(&self) -> Vec<Query> {
        const STANDARD: [Query; 3] = [Query::P1Turn, Query::GameOver, Query::Result];
        let asked: &[Query] = match self.is_fragile {
            true => &STANDARD,
            false => &Query::RULES,
        };
        let is_left = |query: &&Query| !self.answers.contains(query);
        asked.iter().filter(is_left).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::config;

    #[test]
    fn an_engine_is_named_by_the_user_by_itself_or_by_its_program() {
        let mut config = config("engine.exe");
        assert_eq!(config.given_name(Some("Deep Nim")), "engine.exe");
        config.spec.name = None;
        for (told, name) in [
            (Some("\u{1b}Deep\"Nim "), "DeepNim"),
            (Some(" "), "engine"),
            (None, "engine"),
        ] {
            assert_eq!(config.given_name(told), name, "{told:?}");
        }
    }
}
