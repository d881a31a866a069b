//! Message formats of a fleet. All messages are JSON.

use record::engine_spec::{EngineSpec, Program};
use record::game::GameRecord;
use record::opening::Opening;
use record::plan::Plan;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum size of a message other than a result, in bytes.
pub(crate) const MAX_MESSAGE: usize = 1 << 19;

/// Maximum size of a result, in bytes.
pub(crate) const MAX_RESULT: u64 = 1 << 24;

/// A match that workers may play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Announcement {
    /// Version of the coordinator.
    pub(crate) version: String,
    /// Host name of the coordinator.
    pub(crate) host: String,
    /// Random id of the coordinator.
    pub(crate) coordinator: String,
    /// Open or paused.
    pub(crate) state: MatchState,
    /// The plan without paths and outputs of the coordinator's machine.
    pub(crate) plan: Plan,
    /// Its settings in addition to the plan.
    #[serde(flatten)]
    pub(crate) settings: MatchSettings,
}

/// Settings of a fleet match in addition to its plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MatchSettings {
    /// Content of each engine; `None` for built-in ones.
    pub(crate) engines: Vec<Option<Content>>,
    /// Content of the program that knows the rules; `None` for a compiled game, and without rules.
    pub(crate) rules: Option<Content>,
    /// Silence after which a worker counts as lost and its pair is redelivered, in milliseconds.
    pub(crate) lost_after_ms: u64,
    /// Number of lost workers, or of machines that hand it back, after which a pair stops the match.
    pub(crate) attempts: usize,
    /// The principal variations are sent with the results, for `--pgn-comments pv`.
    #[serde(default)]
    pub(crate) keeps_pv: bool,
    /// Benchmark that measures the machines; `None` if neither speed nor built-in engines matter.
    pub(crate) bench: Option<WireBench>,
}

/// State of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MatchState {
    /// Its pairs are played.
    Open,
    /// It has ended, or its pairs are not played until it is resumed.
    Paused,
}

/// Benchmark that measures the machines: `linesman engine GAME bench`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WireBench {
    /// Game of the benchmark.
    pub(crate) game: String,
    /// Node count of the coordinator's built-in engine. Equal counts mean equal engines.
    pub(crate) nodes: u64,
    /// Nodes per second of the machine for which the limits are meant; `None` if no limit is a time.
    pub(crate) nps: Option<f64>,
}

/// Identity of a program by its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Content {
    /// SHA-256 of its files, as 64 hex digits.
    pub(crate) hash: String,
    /// Its archive, if the coordinator sends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) archive: Option<Archive>,
}

/// A program in the object store, with its start command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Archive {
    /// SHA-256 of the archive as 64 hex digits; also its name in the store.
    pub(crate) hash: String,
    /// Size in bytes.
    pub(crate) n_bytes: u64,
    /// The program.
    pub(crate) program: Word,
    /// Its arguments.
    pub(crate) args: Vec<Word>,
    /// `true` if its working folder is in the archive.
    pub(crate) has_folder: bool,
    /// The archive itself, which is not part of a message.
    #[serde(skip)]
    pub(crate) bytes: Vec<u8>,
}

/// Program or argument of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    /// Literal text.
    Plain(String),
    /// Path of a file in the archive.
    File(String),
}

/// Result of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairResult {
    /// Number of the pair.
    pub(crate) pair: usize,
    /// Name of the worker.
    pub(crate) worker: String,
    pub(crate) outcome: Outcome,
}

/// The result of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// It was played.
    Played(Vec<GameRecord>),
    /// It cannot be played here, for this reason. The pair is in the queue again.
    HandedBack {
        /// Identity of the machine.
        machine: String,
        reason: String,
    },
    /// The result is too long for a message: the SHA-256 and the size of an object in the store.
    Stored(String, u64),
}

/// Report of a worker.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct WorkerState {
    /// Name of the worker: host name, process id, a random number.
    pub(crate) worker: String,
    /// Name of the machine.
    pub(crate) machine: String,
    /// Cores available to the worker.
    pub(crate) cores: usize,
    /// Number of simultaneous games.
    pub(crate) concurrency: usize,
    /// Id of the match that it plays; empty for none.
    pub(crate) match_id: String,
    /// Factor of this machine for time limits.
    pub(crate) scale: f64,
    /// Pairs of this match that it has finished.
    pub(crate) pairs: usize,
    /// Pairs in play.
    pub(crate) playing: Vec<usize>,
    /// Reason why it refuses an open match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<String>,
}

/// Progress of a match, as its coordinator reports it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct CoordinatorState {
    /// Host name.
    pub(crate) host: String,
    /// Games finished.
    pub(crate) games: usize,
    /// Games in total.
    pub(crate) total: usize,
    /// Score, as text.
    pub(crate) score: String,
    /// Games an hour since the coordinator started.
    pub(crate) games_an_hour: f64,
}

/// Returns the part of a plan that workers play by. It names no program, no file and no output; the coordinator sends
/// it, and a worker takes no more from what it receives.
pub(crate) fn portable(plan: &Plan) -> Plan {
    let engine = |spec: &EngineSpec| EngineSpec {
        program: Program::Builtin,
        stderr: None,
        ..spec.clone()
    };
    Plan {
        id: plan.id.clone(),
        version: plan.version.clone(),
        game: plan.game.clone(),
        engines: plan.engines.iter().map(engine).collect(),
        srand: plan.srand,
        games: 1,
        concurrency: 1,
        openings: vec![Opening::default()],
        adjudication: plan.adjudication,
        startup_ms: plan.startup_ms,
        ping_ms: plan.ping_ms,
        search_timeout_ms: plan.search_timeout_ms,
        memory: plan.memory,
        ..Plan::default()
    }
}

/// Parses a message of limited size. Control characters are rejected, because texts of messages are shown to people or
/// sent to engines as lines.
///
/// # Errors
/// The message is too long, not valid JSON, has the wrong fields, or contains control characters.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    if bytes.len() > MAX_MESSAGE {
        return Err(format!("{} bytes, more than {MAX_MESSAGE}", bytes.len()));
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
        Value::Object(fields) => {
            fields.keys().any(|key| is_bad(key)) || fields.values().any(has_control_characters)
        }
        _ => false,
    }
}

/// Serializes a message.
pub(crate) fn format(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("plain data has a form in JSON")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use record::engine_spec::{ProcessLimits, Proto, Restart};

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
        assert!(read(&long).is_err_and(|why| why.contains(" bytes, more than ")));
        let escaped = r#"{"worker":"a\nquit"}"#;
        assert!(read(escaped).is_err_and(|why| why.contains("control characters")));
    }

    /// A field that is added to plans must not bring a file or a command to the workers.
    #[test]
    fn workers_take_neither_programs_nor_files_from_a_plan() {
        let secret = || PathBuf::from("/secret/file");
        let engine = EngineSpec {
            name: Some("A".to_owned()),
            program: Program::Command {
                path: secret(),
                args: vec!["/secret/net".to_owned()],
                dir: Some(secret()),
            },
            proto: Proto::Ugi,
            limit: "nodes=1".parse().expect("a limit"),
            margin_ms: 0,
            ponder: false,
            options: Vec::new(),
            restart: Restart::Auto,
            process: ProcessLimits::default(),
            stderr: Some(secret()),
        };
        let plan = Plan {
            engines: vec![engine],
            ledger: secret(),
            pgn: Some(secret()),
            log: Some(secret()),
            adjudicate_table: Some(secret()),
            ..Plan::default()
        };
        let sent = String::from_utf8(format(&portable(&plan))).expect("JSON");
        assert!(sent.contains("\"A\"") && !sent.contains("secret"), "{sent}");
    }
}
