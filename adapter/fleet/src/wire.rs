//! Message formats of a fleet. All messages are JSON.

use record::adjudication::Adjudication;
use record::clock::Limit;
use record::engine_spec::{EngineSpec, Program, Proto, Restart, SetOption};
use record::game_spec::GameSpec;
use record::plan::Plan;
use referee::queue::is_same_worker;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the message format. Coordinators and workers of different formats are incompatible.
pub const FORMAT: u32 = 2;

/// Maximum size of a message other than a result, in bytes.
pub const MAX_MESSAGE: usize = 1 << 19;

/// Maximum total size of a pair's result, in bytes.
pub const MAX_RESULT: usize = 1 << 24;

/// A newer version of this program, in an announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WireUpdate {
    /// Its version.
    pub(crate) version: String,
    /// The system and processor it is for.
    pub(crate) platform: String,
    /// Its archive in the object store.
    pub(crate) archive: WireArchive,
    /// Public key of the coordinator.
    pub(crate) key: String,
    /// Signature of the version, the platform and the archive's hash by this key.
    pub(crate) signature: String,
}

/// A match that workers may play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Announcement {
    /// Version of the message format.
    pub format: u32,
    /// Id of the match.
    pub id: String,
    /// Version of the coordinator.
    pub version: String,
    /// Host name of the coordinator.
    pub host: String,
    /// Open, paused or over.
    pub state: MatchState,
    /// Game and options.
    pub game: GameSpec,
    /// The program that knows the rules; `None` for a compiled game, and without rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<WireProgram>,
    /// Engines of the match.
    pub engines: Vec<WireEngine>,
    /// Rules by which the referee ends a game early.
    pub adjudication: Adjudication,
    /// Timeout of an engine's handshake, in milliseconds.
    pub startup_ms: u64,
    /// Timeout of its other answers that the clock does not cover, in milliseconds.
    pub ping_ms: u64,
    /// Timeout of a search without a time limit, in milliseconds.
    pub search_timeout_ms: u64,
    /// Limit of the memory of each engine, in MiB.
    #[serde(default)]
    pub memory: Option<u32>,
    /// Records principal variations.
    pub keeps_pv: bool,
    /// Silence after which a worker counts as lost and its pair is redelivered, in milliseconds.
    pub lost_after_ms: u64,
    /// Benchmark that measures the machines; `None` if neither speed nor built-in engines matter.
    #[serde(default)]
    pub bench: Option<WireBench>,
    /// Names of workers or machines that must not play it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<String>,
    /// Public keys of the workers whose results are accepted; empty for all workers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trusted: Vec<String>,
    /// A newer program for workers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<WireUpdate>,
    /// Workers play the matches with the highest priority.
    #[serde(default)]
    pub priority: i32,
    /// Part of the workers, relative to other matches of the same priority.
    #[serde(default = "usual_share")]
    pub share: f64,
}

fn usual_share() -> f64 {
    1.0
}

/// The part of an announcement that workers of all versions read.
#[derive(Debug, Deserialize)]
pub(crate) struct UpdateAnnouncement {
    #[serde(default)]
    pub(crate) program: Option<WireUpdate>,
}

/// State of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// Its pairs are played.
    Open,
    /// Its pairs are not played until it is resumed.
    Paused,
    /// It has ended.
    Over,
}

/// Benchmark that measures the machines: `linesman engine GAME bench`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WireBench {
    /// Game of the benchmark.
    pub game: String,
    /// Node count of the coordinator's built-in engine. Equal counts mean equal engines.
    pub nodes: u64,
    /// Nodes per second of the machine for which the limits are meant; `None` if no limit is a time.
    pub nps: Option<f64>,
}

/// An engine as workers see it: identified by its content, not by its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WireEngine {
    /// Its name in the match, by which a worker looks it up.
    pub name: String,
    /// Its content.
    pub program: WireProgram,
    /// Protocol dialect.
    pub proto: Proto,
    /// Search limit.
    pub limit: Limit,
    /// Tolerated overrun of the clock, in milliseconds.
    pub margin_ms: u64,
    /// Thinks on the opponent's time.
    pub ponder: bool,
    /// Options to set.
    pub options: Vec<SetOption>,
    /// Restart policy of its process.
    pub restart: Restart,
}

/// Identity of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WireProgram {
    /// The built-in engine of the same version.
    Builtin,
    /// A program with this content.
    Content {
        /// [`content_hash`](crate::content_hash) of its files.
        hash: String,
        /// Its archive, for workers that trust the coordinator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        archive: Option<WireArchive>,
    },
}

/// Archive of an engine in the object store, with its start command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireArchive {
    /// SHA-256 of the archive as 64 hex digits; also its name in the store.
    pub hash: String,
    /// Size in bytes.
    pub n_bytes: u64,
    /// The program.
    pub program: Word,
    /// Its arguments.
    pub args: Vec<Word>,
    /// `true` if its working folder is in the archive.
    pub has_folder: bool,
}

/// Program or argument of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// Literal text.
    Plain(String),
    /// Path of a file in the archive.
    File(String),
}

/// Report of a worker.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WorkerState {
    /// Name of the worker: host name, process id, a random number, and a part of its public key.
    pub worker: String,
    /// Its public key.
    #[serde(default)]
    pub key: String,
    /// Name of the machine.
    pub machine: String,
    /// Model of the processor.
    pub cpu: String,
    /// Cores available to the worker.
    pub cores: usize,
    /// Version of the worker.
    pub version: String,
    /// Number of simultaneous games.
    pub concurrency: usize,
    /// Id of the match that it plays; empty for none.
    pub match_id: String,
    /// Factor of this machine for time limits.
    pub scale: f64,
    /// Load average of the machine.
    pub load: f64,
    /// Pairs of this match that it has finished.
    pub pairs: usize,
    /// Seconds since it joined this match.
    #[serde(default)]
    pub seconds: f64,
    /// Pairs in play.
    pub playing: Vec<Playing>,
    /// Reason why it refuses an open match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A pair in play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Playing {
    /// Number of the pair.
    pub pair: usize,
    /// Seconds since it began.
    pub seconds: f64,
}

/// Command to the coordinator of a match. It answers with its state, as to an empty message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinatorCommand {
    /// Accepts no further result of a worker.
    Ban {
        /// Name of the worker, or of its machine.
        worker: String,
    },
    /// As `Ban`, and plays the worker's recorded pairs again.
    Purge {
        /// Name of the worker, or of its machine.
        worker: String,
    },
}

/// Progress of a match, as its coordinator reports it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CoordinatorState {
    /// Random id of the coordinator.
    pub coordinator: String,
    /// Host name.
    pub host: String,
    /// Games finished.
    pub games: usize,
    /// Games in total.
    pub total: usize,
    /// Pairs in the queue.
    pub offered: usize,
    /// Score, as text.
    pub score: String,
    /// Seconds since the coordinator started.
    pub seconds: f64,
    /// Games finished since then.
    pub recent: usize,
}

impl WireEngine {
    /// Describes an engine of a plan for workers.
    pub fn new(spec: &EngineSpec, program: WireProgram) -> WireEngine {
        WireEngine {
            name: spec.name.clone().unwrap_or_default(),
            program,
            proto: spec.proto,
            limit: spec.limit,
            margin_ms: spec.margin_ms,
            ponder: spec.ponder,
            options: spec.options.clone(),
            restart: spec.restart,
        }
    }

    /// Returns the engine spec for a machine on which `local` is the same engine. Options of the match override local
    /// ones.
    pub fn spec(&self, local: Option<&EngineSpec>) -> EngineSpec {
        let is_set = |name: &str| {
            let mut options = self.options.iter();
            options.any(|(set, _)| set.eq_ignore_ascii_case(name))
        };
        let own = local.map_or(&[][..], |local| &local.options);
        let own = own.iter().filter(|(name, _)| !is_set(name));
        EngineSpec {
            name: Some(self.name.clone()),
            program: local.map_or(Program::Builtin, |local| local.program.clone()),
            proto: self.proto,
            limit: self.limit,
            margin_ms: self.margin_ms,
            ponder: self.ponder,
            options: own.chain(&self.options).cloned().collect(),
            restart: self.restart,
            stderr: None,
        }
    }
}

impl WorkerState {
    /// Returns the pairs per hour since the worker joined its match; 0 if it plays none.
    pub fn pairs_an_hour(&self) -> f64 {
        match self.seconds > 0.0 {
            true => 3600.0 * self.pairs as f64 / self.seconds,
            false => 0.0,
        }
    }
}

impl CoordinatorState {
    /// Returns the games per hour since the coordinator started; 0 at the start.
    pub fn games_an_hour(&self) -> f64 {
        match self.seconds > 0.0 {
            true => 3600.0 * self.recent as f64 / self.seconds,
            false => 0.0,
        }
    }
}

impl Announcement {
    /// `true` if this worker or its machine must not play the match. All workers with the key of one that was set aside
    /// are out.
    pub fn sets_aside(&self, worker: &str, machine: &str) -> bool {
        let mut names = self.set_aside.iter();
        names.any(|name| name == machine || is_same_worker(name, worker))
    }

    /// `true` if the results of workers with this public key are accepted.
    pub fn trusts(&self, key: &str) -> bool {
        self.trusted.is_empty() || self.trusted.iter().any(|trusted| trusted == key)
    }

    /// Makes a worker's plan, with this machine's engines and without output files.
    pub fn plan(&self, engines: Vec<EngineSpec>) -> Plan {
        let mut plan = Plan::one_game(self.game.clone(), Default::default(), "".into());
        plan.engines = engines;
        plan.id.clone_from(&self.id);
        plan.version.clone_from(&self.version);
        plan.adjudication = self.adjudication;
        plan.memory = self.memory;
        plan.startup_ms = self.startup_ms;
        plan.ping_ms = self.ping_ms;
        plan.search_timeout_ms = self.search_timeout_ms;
        plan.outputs.pgn_comments.pv = self.keeps_pv;
        plan
    }
}

/// Parses a message of limited size. Control characters are rejected, because texts of messages are shown to people or
/// sent to engines as lines.
///
/// # Errors
/// The message is too long, not valid JSON, has the wrong fields, or contains control characters.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    if bytes.len() > MAX_MESSAGE {
        return Err(format!(
            "{} bytes: expected at most {MAX_MESSAGE}",
            bytes.len()
        ));
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if has_control_characters(&value) {
        return Err("a text with control characters".to_owned());
    }
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn has_control_characters(value: &Value) -> bool {
    let is_bad = |text: &str| text.contains(char::is_control);
    match value {
        Value::String(text) => is_bad(text),
        Value::Array(values) => values.iter().any(has_control_characters),
        Value::Object(fields) => fields
            .iter()
            .any(|(key, value)| is_bad(key) || has_control_characters(value)),
        _ => false,
    }
}

/// Serializes a message.
pub fn format(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("plain data has a form in JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_messages_are_errors() {
        let state = WorkerState {
            worker: "a".to_owned(),
            ..WorkerState::default()
        };
        assert_eq!(parse(&format(&state)), Ok(state));
        let read = |text: &str| parse::<WorkerState>(text.as_bytes());
        for text in ["", "{", "[]", "null", "{\"worker\":1}", "\u{0}"] {
            assert!(read(text).is_err(), "{text:?}");
        }
        let deep = "[".repeat(100_000);
        assert!(read(&deep).is_err());
        let long = format!("\"{}\"", "x".repeat(MAX_MESSAGE));
        assert!(read(&long).is_err_and(|why| why.contains("expected at most")));
        let escaped = r#"{"worker":"a\nquit"}"#;
        assert!(read(escaped).is_err_and(|why| why.contains("control characters")));
    }
}
