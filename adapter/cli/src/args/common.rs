//! Arguments that several commands share.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, StringValueParser, TypedValueParser};
use kit::search::MAX_PLY;
use record::clock::Limit;
use record::ledger::SyncPolicy;
use record::plan::{DEFAULT_SEARCH_TIMEOUT_MS, MAX_COUNT, MAX_WAIT_MS};
use referee::engine::Timeouts;

use crate::config::words::EngineLine;
use crate::engines::words::ONE_SECOND;

/// The rules of a program, for all commands of a program.
#[derive(Debug, Clone, Args)]
pub struct RulesArgs {
    /// The rules of the game are a program, as in `--rules cmd=./hex.py`
    ///
    /// Its command in the words of --engine, with name=GAME if it is not to name the game itself; or `engine`, the program
    /// of the first engine. GAME is then its game, or any
    #[arg(long, global = true, value_name = "KEY=VALUE", num_args = 1..)]
    pub rules: Option<Vec<String>>,
}

/// The arguments of a command about the rules of a program.
#[derive(Debug, Clone, Copy, Default)]
pub struct RulesContext<'a> {
    /// The engines file that the arguments name.
    pub engines_file: Option<&'a Path>,
    /// The timeouts of a program that knows the rules.
    pub timeouts: TimeoutArgs,
    /// A file of recorded games that the command reads.
    pub records: Option<&'a Path>,
    /// The words of each `--engine` of a match.
    pub engines: &'a [EngineLine],
}

/// The timeouts of engines when no clock runs, with the default of any answer.
#[derive(Debug, Clone, Copy, Args)]
pub struct TimeoutArgs<const PING_MS: u64 = 5_000> {
    /// Timeout of an engine's start, in milliseconds
    #[arg(long, hide_short_help = true, value_name = "MS", default_value_t = STARTUP_MS, value_parser = milliseconds)]
    pub startup_ms: u64,

    /// Timeout of any answer without a clock, in milliseconds
    #[arg(long, hide_short_help = true, value_name = "MS", default_value_t = PING_MS, value_parser = milliseconds)]
    pub ping_ms: u64,
}

/// The engine that searches positions one after the other.
#[derive(Debug, Args)]
pub struct SolverArgs {
    /// The engine, in the words of `match --engine`; the built-in engine if absent
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) engine: Option<Vec<String>>,

    #[command(flatten)]
    pub(crate) limit: LimitArgs,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs<60_000>,
}

/// The timeout of an engine's start without a flag.
pub(crate) const STARTUP_MS: u64 = 10_000;

/// The defaults, also of commands without these flags.
impl<const PING_MS: u64> Default for TimeoutArgs<PING_MS> {
    fn default() -> TimeoutArgs<PING_MS> {
        TimeoutArgs {
            startup_ms: STARTUP_MS,
            ping_ms: PING_MS,
        }
    }
}

impl<const PING_MS: u64> From<TimeoutArgs<PING_MS>> for Timeouts {
    fn from(args: TimeoutArgs<PING_MS>) -> Timeouts {
        Timeouts::of_ms(args.startup_ms, args.ping_ms)
    }
}

/// The timeout of searches without a clock.
#[derive(Debug, Clone, Copy, Args)]
pub struct SearchTimeoutArgs {
    /// Timeout of a search without a clock, as with depth= and nodes=, in milliseconds
    #[arg(long, hide_short_help = true, value_name = "MS", default_value_t = DEFAULT_SEARCH_TIMEOUT_MS, value_parser = milliseconds)]
    pub search_timeout_ms: u64,
}

/// The limit of an engine's search of each position.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Seconds for each position; 1 if no limit is given
    #[arg(long, value_name = "SECONDS", value_parser = limit("st"))]
    pub st: Option<Limit>,

    /// Search depth for each position, in plies
    #[arg(long, value_name = "N", conflicts_with = "st", value_parser = limit("depth"))]
    pub depth: Option<Limit>,

    /// Nodes to search for each position
    #[arg(long, value_name = "N", conflicts_with_all = ["st", "depth"], value_parser = limit("nodes"))]
    pub nodes: Option<Limit>,
}

impl LimitArgs {
    /// The limit.
    pub fn limit(&self) -> Limit {
        self.st.or(self.depth).or(self.nodes).unwrap_or(ONE_SECOND)
    }
}

/// Reads the value of a limit with this key, such as `st`.
pub(crate) fn limit(key: &'static str) -> impl TypedValueParser<Value = Limit> {
    let read = move |value: String| {
        let limit = Limit::parse_word(key, &value);
        limit.unwrap_or_else(|| Err(format!("{key} is no limit")))
    };
    StringValueParser::new().try_map(read)
}

/// Reads the moments at which records are forced to the disk.
pub fn sync_policy() -> impl TypedValueParser<Value = SyncPolicy> {
    PossibleValuesParser::new(["game", "off"]).map(|word| match word.as_str() {
        "off" => SyncPolicy::Off,
        _ => SyncPolicy::EachGame,
    })
}

/// A number of `what` in a range.
fn within<T: FromStr + PartialOrd + Display>(
    text: &str,
    range: RangeInclusive<T>,
    what: &str,
) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("give {what} from {} to {}", range.start(), range.end()))
}

/// A number of things, at least 1.
pub fn count(text: &str) -> Result<usize, String> {
    within(text, 1..=MAX_COUNT, "a whole number")
}

/// A number of mebibytes, at least 1.
pub fn mebibytes(text: &str) -> Result<u32, String> {
    within(text, 1..=u32::MAX, "a whole number")
}

/// A number from 1 to 99.
pub fn small(text: &str) -> Result<u32, String> {
    within(text, 1..=99, "a whole number")
}

/// A number of plies that a search may look ahead.
pub fn plies(text: &str) -> Result<u32, String> {
    within(text, 1..=MAX_PLY as u32, "a whole number")
}

/// Seconds, with decimals.
pub fn seconds(text: &str) -> Result<Duration, String> {
    within(text, 0.001..=1e7, "seconds").map(Duration::from_secs_f64)
}

/// Seconds, or 0 for none.
pub fn seconds_or_none(text: &str) -> Result<Duration, String> {
    match text {
        "0" => Ok(Duration::ZERO),
        text => seconds(text).map_err(|why| format!("{why}, or 0")),
    }
}

/// The seed of random numbers.
pub fn seed(text: &str) -> Result<u64, String> {
    within(text, 0..=u64::MAX, "a whole number")
}

/// A number of milliseconds, at least 1.
pub fn milliseconds(text: &str) -> Result<u64, String> {
    within(text, 1..=MAX_WAIT_MS, "milliseconds")
}

/// Whole seconds up to a day.
pub fn whole_seconds(text: &str) -> Result<u64, String> {
    within(text, 1..=86_400, "seconds")
}

/// Nodes a second.
pub fn nps(text: &str) -> Result<f64, String> {
    within(text, 1.0..=1e12, "").map_err(|_| "give nodes a second, above 0".to_owned())
}
