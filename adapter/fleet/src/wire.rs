//! What messages hold. All of them are JSON.

use referee::adjudication::Adjudication;
use referee::clock::Limit;
use referee::plan::{EngineSpec, GameSpec, Plan, Program, Proto, Restart};
use referee::queue::PlayedPair;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::content::Content;

/// The format of the messages. Coordinators and workers of different formats do not understand each other.
pub const FORMAT: u32 = 1;

/// The longest message but for results, in bytes.
pub const MAX_MESSAGE: usize = 1 << 19;

/// The longest result of a pair, all its parts together, in bytes.
pub const MAX_RESULT: usize = 1 << 24;

/// A match that workers may play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Announcement {
    /// The format of the messages.
    pub format: u32,
    /// The id of the match.
    pub id: String,
    /// The version of the coordinator.
    pub version: String,
    /// The machine of the coordinator.
    pub host: String,
    /// Whether pairs are played now.
    pub state: MatchState,
    /// What is played.
    pub game: GameSpec,
    /// Who plays.
    pub engines: Vec<WireEngine>,
    /// Engines that take turns as one side, by their indices.
    #[serde(default)]
    pub teams: Vec<Vec<usize>>,
    /// Who decides where engines differ.
    #[serde(default)]
    pub arbiter: Option<WireEngine>,
    /// When the referee ends a game by itself.
    pub adjudication: Adjudication,
    /// Whether answers of engines are held against the rules.
    pub cross_check: bool,
    /// How long an engine may take to shake hands.
    pub startup_ms: u64,
    /// How long it may take for any other answer that the clock does not cover.
    pub ping_ms: u64,
    /// How long a search may take that no clock bounds.
    pub search_timeout_ms: u64,
    /// Whether expected lines are recorded.
    pub keeps_pv: bool,
    /// How long a worker may be silent before its pair goes to another.
    pub lost_after_ms: u64,
    /// The search that all machines are measured by; `None` if neither speed nor built-in engines matter.
    #[serde(default)]
    pub bench: Option<WireBench>,
}

/// Whether the pairs of a match are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// They are.
    Open,
    /// They are not until the match is resumed.
    Paused,
    /// There are none any more.
    Over,
}

/// The search that machines are measured by: `linesman engine GAME bench`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WireBench {
    /// The game.
    pub game: String,
    /// Its node count with the coordinator's built-in engine. Equal counts are equal engines.
    pub nodes: u64,
    /// Nodes a second of the machine that the limits are meant for; `None` if no limit is a time.
    pub nps: Option<f64>,
}

/// An engine as workers are told of it: by what it is, not by where it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WireEngine {
    /// Its name in the match, by which a worker looks it up.
    pub name: String,
    /// What it is.
    pub program: WireProgram,
    /// Which dialect it speaks.
    pub proto: Proto,
    /// How long it thinks.
    pub limit: Limit,
    /// What is forgiven over the clock, in milliseconds.
    pub margin_ms: u64,
    /// Whether it thinks on the other's time.
    pub ponder: bool,
    /// Options to set.
    pub options: Vec<(String, Option<String>)>,
    /// When it gets a fresh process.
    pub restart: Restart,
}

/// What an engine is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WireProgram {
    /// The built-in engine of the same version.
    Builtin,
    /// A program with this content.
    Content {
        /// The hash of its files: [`content_hash`](crate::content_hash).
        hash: String,
        /// Its files, for workers that trust the coordinator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        archive: Option<WireArchive>,
    },
}

/// The files of an engine in the object store, and how it is started from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireArchive {
    /// The hash of the archive, SHA-256 as 64 hex digits; also its name in the store.
    pub hash: String,
    /// Its length in bytes.
    pub n_bytes: u64,
    /// The program.
    pub program: Word,
    /// Its arguments.
    pub args: Vec<Word>,
    /// Whether it is started in a folder of the archive.
    pub has_folder: bool,
}

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// It is taken as it stands.
    Plain(String),
    /// The path of this file of the archive.
    File(String),
}

/// What a worker stores when it is done with a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PairResult {
    /// It was played.
    Played(PlayedPair),
    /// It goes to another worker.
    HandedBack {
        /// The pair.
        pair: usize,
        /// The attempt.
        attempt: u32,
    },
}

/// How a worker is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct WorkerState {
    /// Its name: host name, process id and a random number.
    pub worker: String,
    /// The machine's name.
    pub machine: String,
    /// The model of its processor.
    pub cpu: String,
    /// Cores that it may use.
    pub cores: usize,
    /// The version of the worker.
    pub version: String,
    /// Games at once.
    pub concurrency: usize,
    /// The match that it plays; empty for none.
    pub match_id: String,
    /// By how much it multiplies time limits.
    pub scale: f64,
    /// Load of the machine.
    pub load: f64,
    /// Pairs that it has played of this match.
    pub pairs: usize,
    /// Seconds since it began to play this match.
    #[serde(default)]
    pub seconds: f64,
    /// Pairs that it plays now.
    pub playing: Vec<Playing>,
    /// Why it does not play a match that is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A pair that a worker plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Playing {
    /// Its number.
    pub pair: usize,
    /// How long, in seconds.
    pub seconds: f64,
}

/// How a match is, as its coordinator tells it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct CoordinatorState {
    /// Tells it from other coordinators.
    pub coordinator: String,
    /// Its machine.
    pub host: String,
    /// Games finished.
    pub games: usize,
    /// Games in all.
    pub total: usize,
    /// Pairs in the queue.
    pub offered: usize,
    /// The score, in words.
    pub score: String,
    /// Seconds since it began to coordinate.
    pub seconds: f64,
    /// Games finished since then.
    pub recent: usize,
}

impl WireEngine {
    /// How workers are told of an engine of a plan.
    pub fn new(spec: &EngineSpec, content: Option<&Content>) -> WireEngine {
        WireEngine {
            name: spec.name.clone().unwrap_or_default(),
            program: match content {
                Some(content) => WireProgram::Content {
                    hash: content.hash.clone(),
                    archive: content.packed.as_ref().map(|packed| packed.archive.clone()),
                },
                None => WireProgram::Builtin,
            },
            proto: spec.proto,
            limit: spec.limit,
            margin_ms: spec.margin_ms,
            ponder: spec.ponder,
            options: spec.options.clone(),
            restart: spec.restart,
        }
    }

    /// The engine on a machine where `local` is the same one, with its own options below those of the match.
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
    /// Pairs an hour since it began to play its match; 0 if it plays none.
    pub fn pairs_an_hour(&self) -> f64 {
        match self.seconds > 0.0 {
            true => 3600.0 * self.pairs as f64 / self.seconds,
            false => 0.0,
        }
    }
}

impl Announcement {
    /// The plan of a worker: the engines of this machine, and no file that is written.
    pub fn plan(&self, engines: Vec<EngineSpec>, arbiter: Option<EngineSpec>) -> Plan {
        let mut plan = Plan::one_game(self.game.clone(), [engines, Vec::new()], "".into());
        plan.id.clone_from(&self.id);
        plan.version.clone_from(&self.version);
        plan.teams.clone_from(&self.teams);
        plan.arbiter = arbiter;
        plan.adjudication = self.adjudication;
        plan.cross_check = self.cross_check;
        plan.startup_ms = self.startup_ms;
        plan.ping_ms = self.ping_ms;
        plan.search_timeout_ms = self.search_timeout_ms;
        plan.outputs.pgn_comments.pv = self.keeps_pv;
        plan
    }
}

/// Reads a message of the coordinator or a worker, which is bounded and whose texts hold no control characters: some of them
/// are shown to people or become lines to an engine.
///
/// # Errors
/// What is wrong with it.
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

/// A message as bytes.
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
