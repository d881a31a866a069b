//! The arguments of matches over several machines.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{count, nps, small, whole_seconds};

/// Credentials for a NATS server.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CredentialArgs {
    /// The credentials file for the NATS server, as nsc writes it. User and password are in the address, as in
    /// nats://USER:PASSWORD@HOST:4222, or in the environment variables NATS_USER and NATS_PASSWORD
    #[arg(long, value_name = "FILE")]
    pub(crate) creds: Option<PathBuf>,

    /// The certificate of the authority that signed the NATS server's certificate, for TLS
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_ca: Option<PathBuf>,
}

/// The arguments of `match` for several machines.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FleetArgs {
    /// Have workers (`linesman worker`) play the games: the address of the NATS server that distributes them, as in
    /// nats://HOST:4222. This program schedules and records the games and stops the match
    #[arg(long, value_name = "URL", conflicts_with = "concurrency")]
    pub(crate) fleet: Option<String>,

    /// With --fleet: give a worker's games to another worker when it has sent nothing for this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = whole_seconds, requires = "fleet")]
    pub(crate) lost_after: u64,

    /// With --fleet: stop the match when N workers were lost with the same pair of games, or N machines handed it back
    #[arg(long, value_name = "N", default_value = "5", value_parser = small, requires = "fleet")]
    pub(crate) attempts: u32,

    /// With --fleet: the nodes per second of the machine that the time limits are meant for, as `linesman engine GAME
    /// bench` shows them; those of this machine if absent. Each worker multiplies times by NPS and divides them by
    /// its own speed
    #[arg(long, value_name = "NPS", value_parser = nps, requires = "fleet")]
    pub(crate) scale_time: Option<f64>,

    /// With --fleet: send the engines with cmd= to workers with --accept-engines that do not have them: the whole folder of
    /// dir=, the program, and the arguments that name files
    #[arg(long, requires = "fleet")]
    pub(crate) send_engines: bool,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// The arguments of `worker`.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) server: FleetServerArgs,

    /// Maximum number of simultaneous games; the number that the cores allow if absent, which is also the upper limit
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) concurrency: Option<usize>,

    /// Exit after this many seconds without a game to play; wait indefinitely if absent
    #[arg(long, value_name = "SECONDS", value_parser = whole_seconds)]
    pub(crate) idle: Option<u64>,

    /// The engines file that describes the engines of a match; `linesman/engines.toml` in $XDG_CONFIG_HOME or
    /// ~/.config if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) engines: Option<PathBuf>,

    /// Run the programs that coordinators send, and set engine options whose text may name files
    #[arg(long)]
    pub(crate) accept_engines: bool,

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

/// The subcommands of `fleet`.
#[derive(Debug, Subcommand)]
pub(crate) enum FleetTool {
    /// Show the matches on a server, their workers and rates, and what is stuck
    Status {
        #[command(flatten)]
        server: FleetServerArgs,

        /// Show one JSON object instead of text
        #[arg(long)]
        json: bool,
    },
    /// Delete the data of a match on a server, if the match will not be resumed
    Remove {
        #[command(flatten)]
        server: FleetServerArgs,

        /// The id of the match, as `linesman fleet status` shows it
        #[arg(value_name = "MATCH")]
        id: String,
    },
}

/// A server of matches.
#[derive(Debug, Args)]
pub(crate) struct FleetServerArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}
