//! Arguments that several commands share.

use clap::{Args, ValueEnum};
use record::ledger::SyncPolicy;
use record::plan::DEFAULT_SEARCH_TIMEOUT_MS;
use referee::client::Timeouts;

use super::values::milliseconds;

/// The timeouts of engines when no clock runs.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct TimeoutArgs {
    /// Timeout of an engine's start, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = TimeoutArgs::DEFAULT.startup_ms, value_parser = milliseconds)]
    pub(crate) startup_ms: u64,

    /// Timeout of any answer without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = TimeoutArgs::DEFAULT.ping_ms, value_parser = milliseconds)]
    pub(crate) ping_ms: u64,
}

impl TimeoutArgs {
    /// The defaults, also of commands without these flags.
    pub(crate) const DEFAULT: TimeoutArgs = TimeoutArgs {
        startup_ms: 10_000,
        ping_ms: 5_000,
    };
}

impl From<TimeoutArgs> for Timeouts {
    fn from(args: TimeoutArgs) -> Timeouts {
        Timeouts::of_ms(args.startup_ms, args.ping_ms)
    }
}

/// The timeout of searches without a clock.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SearchTimeoutArgs {
    /// Timeout of a search without a clock, as with depth= and nodes=, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_SEARCH_TIMEOUT_MS, value_parser = milliseconds)]
    pub(crate) search_timeout_ms: u64,
}

/// The moments at which records are forced to the disk.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum SyncArg {
    /// After each finished game
    #[default]
    Game,
    /// Never
    Off,
}

impl From<SyncArg> for SyncPolicy {
    fn from(arg: SyncArg) -> SyncPolicy {
        match arg {
            SyncArg::Game => SyncPolicy::EachGame,
            SyncArg::Off => SyncPolicy::Off,
        }
    }
}
