//! The arguments of a match over many machines.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{count, nps, small, whole_seconds};

/// How to be let in by a server.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CredentialArgs {
    /// The credentials for the NATS server, a file as nsc writes them
    #[arg(long, value_name = "FILE")]
    pub(crate) creds: Option<PathBuf>,

    /// The certificate of the authority that has signed the NATS server's own, for TLS
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_ca: Option<PathBuf>,
}

/// The arguments of `match` for many machines.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FleetArgs {
    /// Have workers (`linesman worker`) play the games: the address of the NATS server where they get them, as in
    /// nats://HOST:4222. This program schedules, records and decides
    #[arg(long, value_name = "URL", conflicts_with_all = ["concurrency", "affinity", "adjudicate_table"])]
    pub(crate) fleet: Option<String>,

    /// With --fleet: after so many seconds of a worker's silence its pair goes to another worker
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = whole_seconds, requires = "fleet")]
    pub(crate) lost_after: u64,

    /// With --fleet: how many workers get a pair, if all of them are lost, before it is recorded as failed
    #[arg(long, value_name = "N", default_value = "5", value_parser = small, requires = "fleet")]
    pub(crate) attempts: u32,

    /// With --fleet: the nodes a second of the machine that the time limits are meant for, as `linesman engine GAME bench`
    /// shows them; those of this machine if absent. Each worker multiplies times by NPS and divides by its own
    #[arg(long, value_name = "NPS", value_parser = nps, requires = "fleet")]
    pub(crate) scale_time: Option<f64>,

    /// With --fleet: send the engines with cmd= to workers with --trust that do not have them: the folder of dir= with all that is
    /// in it, the program, and arguments that name files
    #[arg(long, requires = "fleet")]
    pub(crate) send_engines: bool,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// The arguments of `worker`.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    /// Games at once at most; if absent, and at most, as many as there are cores for
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) concurrency: Option<usize>,

    /// End when there was nothing to play for so many seconds; wait for ever if absent
    #[arg(long, value_name = "SECONDS", value_parser = whole_seconds)]
    pub(crate) idle: Option<u64>,

    /// The engines file, where the engines of a match are looked up; `linesman/engines.toml` in $XDG_CONFIG_HOME or
    /// ~/.config if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) engines: Option<PathBuf>,

    /// Trust the coordinator: texts that may name files are set as options of engines, and engines that it sends are run
    #[arg(long)]
    pub(crate) trust: bool,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,

    /// Show no games
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The arguments of `fleet`.
#[derive(Debug, Args)]
pub(crate) struct FleetToolArgs {
    #[command(subcommand)]
    pub(crate) tool: FleetTool,
}

/// What to do with a fleet.
#[derive(Debug, Subcommand)]
pub(crate) enum FleetTool {
    /// Show the matches of a server, their workers and rates, and what is stuck
    Status(StatusArgs),
    /// Delete what a match has left on a server, if nobody will resume it
    Remove(RemoveArgs),
}

/// The arguments of `fleet remove`.
#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    /// The id of the match, as `linesman fleet status` shows it
    #[arg(value_name = "MATCH")]
    pub(crate) id: String,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// The arguments of `fleet status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,

    /// Show one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
