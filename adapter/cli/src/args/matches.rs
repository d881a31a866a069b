//! The arguments of `match`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use record::format::{CpuList, Shard};
use record::ledger::SyncPolicy;
use record::outputs::{LogLevel, PgnComment};

use super::common::{RulesContext, TimeoutArgs, sync_policy};
use super::plan::PlanArgs;

/// The arguments of `match`.
#[derive(Debug, Args)]
pub struct MatchArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,

    #[command(flatten)]
    pub(crate) new: NewMatchArgs,

    /// Also write the games as PGN to this new file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Additions to score, depth and time in the PGN comments: a comma-separated list of `pv`, `nodes` and `nps`
    #[arg(
        long,
        hide_short_help = true,
        value_name = "WORDS",
        value_delimiter = ',',
        requires = "pgn"
    )]
    pub(crate) pgn_comments: Vec<PgnComment>,

    /// Also write the final position of each game to this new file, one per line
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub(crate) epdout: Option<PathBuf>,

    /// Resume an interrupted match; no other argument is needed
    ///
    /// --games, --concurrency, --trust and the flags for files and output are allowed
    #[arg(long, value_name = "LEDGER", group = "old")]
    pub(crate) resume: Option<PathBuf>,

    /// With --resume and --like: run the commands of a ledger that was not begun on this machine without asking
    #[arg(long, hide_short_help = true, requires = "old")]
    pub(crate) trust: bool,

    /// Force records to the disk after each finished game, so that they survive a power failure, or never
    #[arg(long, hide_short_help = true, default_value = "game", value_parser = sync_policy())]
    pub(crate) sync: SyncPolicy,

    /// Log each line from and to each engine, and events, to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// The contents of the log: games lost by a fault and notes (`warn`), starts and ends of games (`info`), lines except
    /// the engines' `info` lines (`debug`), all lines (`trace`); each level includes those before it; `trace` if absent
    #[arg(long, hide_short_help = true, value_name = "LEVEL", requires = "log", value_parser = log_level())]
    pub(crate) log_level: Option<LogLevel>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The arguments of a new match alone. With `--resume`, the plan in the ledger has their values.
#[derive(Debug, Args)]
pub(crate) struct NewMatchArgs {
    /// The engines file, in which conf=NAME looks up an engine; `linesman/engines.toml` in $XDG_CONFIG_HOME or
    /// ~/.config if absent
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub(crate) engines: Option<PathBuf>,

    /// Play the match of a TOML file, whose keys are flags of this command. A flag of the command line wins
    #[arg(
        id = "plan",
        long = "plan",
        value_name = "FILE",
        hide_short_help = true,
        conflicts_with = "old"
    )]
    pub(crate) from_plan: Option<PathBuf>,

    /// Save the plan of the match, with its seed, to this new file, for --plan
    #[arg(long, hide_short_help = true, value_name = "FILE")]
    pub(crate) save_plan: Option<PathBuf>,

    /// Play the match of this ledger again, as a new match. A flag of the command line wins
    #[arg(long, hide_short_help = true, value_name = "LEDGER", group = "old")]
    pub(crate) like: Option<PathBuf>,

    /// Play one part of the match: every Nth pair of games, starting with the Kth. `linesman stats` reads the ledgers
    /// of all parts together
    #[arg(long, hide_short_help = true, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// On Linux, pin the engines of each game to separate CPUs, one for each thread that can think or ponder at the
    /// same time. CPUS lists the CPUs to use, as in `0,2,4-7`; all CPUs of this process if absent
    #[arg(long, hide_short_help = true, value_name = "CPUS", num_args = 0..=1)]
    pub(crate) affinity: Option<Option<CpuList>>,

    /// The new file that records the match; its name is chosen and shown if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// Append to the file of --pgn if it exists, instead of rejecting it
    #[arg(long, hide_short_help = true, requires = "pgn")]
    pub(crate) pgn_append: bool,

    /// Show the schedule without playing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

fn log_level() -> impl TypedValueParser<Value = LogLevel> {
    let levels = ["warn", "info", "debug", "trace"];
    PossibleValuesParser::new(levels).map(|word| match word.as_str() {
        "warn" => LogLevel::Warn,
        "info" => LogLevel::Info,
        "debug" => LogLevel::Debug,
        _ => LogLevel::Trace,
    })
}

/// The output of a match.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OutputArgs {
    /// Show events as lines of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Show only the final standings
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Show the standings after every N games; 0: only at the end
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) rating_interval: usize,

    /// Exit with 4 if a game was lost by a fault
    ///
    /// An engine broke the rules, crashed, stopped answering, or disagreed with the other about a result
    #[arg(long)]
    pub(crate) strict: bool,

    /// Also show the match in the browser, at the address on standard error
    #[arg(long)]
    pub(crate) gui: bool,
}

impl MatchArgs {
    /// What the arguments say about the rules of a program.
    pub fn rules_context(&self) -> RulesContext<'_> {
        RulesContext {
            engines_file: self.new.engines.as_deref(),
            timeouts: TimeoutArgs {
                startup_ms: self.plan.startup_ms,
                ping_ms: self.plan.ping_ms,
            },
            engines: &self.plan.engine,
            ..RulesContext::default()
        }
    }
}
