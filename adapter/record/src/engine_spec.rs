//! Engines of a match: program, protocol, limit and options.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use kit::session::LEARN;
use serde::{Deserialize, Serialize};

use crate::clock::Limit;
use crate::registry::{Registry, Rules};
use crate::text_as_serde;

/// An option to set, as name and value; a button has no value.
pub type SetOption = (String, Option<String>);

/// Configuration of one engine of a match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct EngineSpec {
    /// The displayed name; if absent, the engine's `id name`.
    pub name: Option<String>,
    /// The program to start.
    pub program: Program,
    /// The protocol of the engine.
    pub proto: Proto,
    /// Its limit: a clock, or a fixed time, depth or number of nodes a move.
    pub limit: Limit,
    /// Tolerated overrun of the clock.
    pub margin_ms: u64,
    /// `true` if the engine ponders.
    pub ponder: bool,
    /// Options to set.
    pub options: Vec<SetOption>,
    /// The conditions for a new process.
    pub restart: Restart,
    /// Limits of its process, which win over those of the plan.
    #[serde(skip_serializing_if = "ProcessLimits::is_empty")]
    pub process: ProcessLimits,
    /// Log file of its standard error; if absent, only the end is kept in memory.
    #[serde(skip)]
    pub stderr: Option<PathBuf>,
}

/// Limits of one engine's process, by the words of the command line such as `startup-ms=20000`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ProcessLimits {
    /// Private memory, in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Timeout of the handshake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub startup_ms: Option<u64>,
    /// Timeout of any other answer that the clock does not cover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ping_ms: Option<u64>,
    /// Timeout of a search without a time limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_timeout_ms: Option<u64>,
}

impl ProcessLimits {
    fn is_empty(&self) -> bool {
        *self == ProcessLimits::default()
    }

    /// The limits with the words that set them.
    pub fn by_word(&mut self) -> [(&'static str, &mut Option<u64>); 4] {
        [
            ("memory", &mut self.memory),
            ("startup-ms", &mut self.startup_ms),
            ("ping-ms", &mut self.ping_ms),
            ("search-timeout-ms", &mut self.search_timeout_ms),
        ]
    }

    /// These limits; `other` gives those that are absent.
    #[must_use]
    pub fn or(mut self, mut other: ProcessLimits) -> ProcessLimits {
        for ((_, own), (_, other)) in self.by_word().into_iter().zip(other.by_word()) {
            *own = own.or(*other);
        }
        self
    }
}

impl EngineSpec {
    /// Returns the specification of a program without a limit and options.
    pub fn new(program: Program) -> EngineSpec {
        EngineSpec {
            program,
            ..EngineSpec::default()
        }
    }

    /// Limit and margin as on the command line: `st=0.1 timemargin=50`. A clock without a margin stands alone.
    pub fn limit_words(&self) -> String {
        match (self.limit.is_time(), self.margin_ms, self.limit) {
            (false, ..) | (_, 0, Limit::Clock(..)) => self.limit.to_string(),
            (_, margin, limit) => format!("{limit} timemargin={margin}"),
        }
    }

    /// The value to which an option is set, if it can be parsed. The last of several values counts.
    pub fn number<T: FromStr>(&self, option: &str) -> Option<T> {
        let mut options = self.options.iter().rev();
        let (_, value) = options.find(|(name, _)| name.eq_ignore_ascii_case(option))?;
        value.as_ref()?.parse().ok()
    }

    /// Forgets the values of an option.
    pub fn unset(&mut self, option: &str) {
        let is_other = |(name, _): &SetOption| !name.eq_ignore_ascii_case(option);
        self.options.retain(is_other);
    }

    /// Sets an option in place of its former values.
    pub fn set(&mut self, option: &str, value: String) {
        self.unset(option);
        self.options.push((option.to_owned(), Some(value)));
    }

    /// The file in which the engine learns.
    pub fn learning_file(&self) -> Option<&str> {
        let mut set = self.options.iter();
        let (_, file) = set.find(|(name, file)| {
            name.eq_ignore_ascii_case(LEARN) && file.as_ref().is_some_and(|file| !file.is_empty())
        })?;
        file.as_deref()
    }
}

/// The program behind an engine of a match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// The built-in engine, run from this executable.
    #[default]
    Builtin,
    /// A person at a console. The built-in engine plays for them on request.
    Person,
    /// An external executable.
    Command {
        /// An absolute path, or a name that the system searches for.
        path: PathBuf,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Its working folder.
        dir: Option<PathBuf>,
    },
}

/// The protocol that an engine speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Proto {
    /// The Universal Game Interface.
    #[default]
    Ugi,
    /// The Universal Chess Interface.
    Uci,
    /// The protocol of Ataxx engines.
    Uai,
    /// XBoard's protocol, by the conventions of `linesman bridge cecp`. The engine runs behind `linesman bridge ugi`.
    Cecp,
    /// GoGui's protocol, by the conventions of `linesman bridge gtp`. The engine runs behind `linesman bridge ugi`.
    Gtp,
}

impl Proto {
    /// `true` if the engine runs behind a bridge.
    pub fn is_bridged(self) -> bool {
        matches!(self, Proto::Cecp | Proto::Gtp)
    }
}

/// The conditions under which an engine gets a new process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// After a fault. This is the default.
    #[default]
    Auto,
    /// For each game.
    On,
    /// Only after its process has exited.
    Off,
}

text_as_serde!(Proto, Restart);

/// This executable, which runs as the built-in engine of a game.
#[derive(Debug, Clone, Copy)]
pub struct OwnProgram<'a> {
    /// Path of the executable.
    pub path: &'a Path,
    /// Name of the game.
    pub game: &'a str,
    /// Arguments by which it knows a game that is not compiled in.
    pub args: &'a [String],
}

impl<'a> OwnProgram<'a> {
    /// The executable for a game of a registry.
    pub fn new(path: &'a Path, game: &'a str, registry: Registry) -> OwnProgram<'a> {
        let args = registry.find(game).map_or(&[][..], |entry| entry.args);
        OwnProgram { path, game, args }
    }

    /// The executable for the game of these rules.
    pub fn of(path: &'a Path, rules: &Rules) -> OwnProgram<'a> {
        let (game, args) = (rules.entry().name, rules.entry().args);
        OwnProgram { path, game, args }
    }
}

impl Program {
    /// Returns program, arguments and working folder. `own` runs a built-in engine when started with `engine GAME`.
    pub fn command(&self, own: OwnProgram<'_>) -> (PathBuf, Vec<String>, Option<PathBuf>) {
        match self {
            Program::Builtin | Program::Person => {
                let words = ["engine", own.game].map(str::to_owned).into_iter();
                let words = words.chain(own.args.iter().cloned()).collect();
                (own.path.to_owned(), words, None)
            }
            Program::Command { path, args, dir } => (path.clone(), args.clone(), dir.clone()),
        }
    }
}

impl From<Proto> for protocol::Dialect {
    fn from(proto: Proto) -> protocol::Dialect {
        match proto {
            Proto::Uci => protocol::Dialect::Uci,
            Proto::Uai => protocol::Dialect::Uai,
            // Bridges speak UGI.
            Proto::Ugi | Proto::Cecp | Proto::Gtp => protocol::Dialect::Ugi,
        }
    }
}
