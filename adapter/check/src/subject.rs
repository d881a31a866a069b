//! The engine under test.

use protocol::Dialect;
use record::engine_spec::EngineSpec;
use record::game_spec::GameSpec;
use record::registry::Registry;
use referee::client::Timeouts;
use referee::process::Launch;
use referee::stop::Stop;

/// The engine to check, and the settings of the check.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The games whose rules are known.
    pub registry: Registry,
    /// The process.
    pub launch: Launch,
    /// The engine specification with its options.
    pub spec: EngineSpec,
    /// Tolerated overrun of time limits; if `None`, the default of each kind of limit.
    pub margin_ms: Option<u64>,
    /// The engine's protocol dialect.
    pub dialect: Dialect,
    /// The game; if `None`, the engine is asked.
    pub game: Option<GameSpec>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Number of games whose positions are compared with the rules.
    pub games: usize,
    /// Stops the check.
    pub stop: Stop,
    /// Timeouts for answers.
    pub timeouts: Timeouts,
    /// Names of the steps to run; empty for all.
    pub only: Vec<String>,
}
