//! The arguments of all commands. The doc comments are the help texts.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use linesman::args::{MatchArgs, RulesContext, count, nps, small, whole_seconds};
use linesman::program::ManualCommand;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a match between engines on the machines of workers
    Match(Box<FleetMatchArgs>),
    /// Play games of matches that another machine coordinates
    Worker(WorkerArgs),
    /// Show the matches on a server, their workers and rates, and what is stuck
    Status(StatusArgs),
    /// Delete the data of a match on a server, if the match will not be resumed
    Remove(RemoveArgs),
    #[command(flatten)]
    Manual(ManualCommand),
}

impl Command {
    /// The arguments about the rules of a program.
    pub(crate) fn rules_context(&self) -> RulesContext<'_> {
        match self {
            Command::Match(args) => args.game.rules_context(),
            Command::Worker(args) => RulesContext {
                engines_file: args.engines.as_deref(),
                ..RulesContext::default()
            },
            _ => RulesContext::default(),
        }
    }
}

/// A NATS server.
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// Credentials for a NATS server.
#[derive(Debug, Args)]
pub(crate) struct CredentialArgs {
    /// The credentials file for the NATS server, as nsc writes it
    ///
    /// User and password may be in the environment variables NATS_USER and NATS_PASSWORD, or, where other users of the
    /// machine may see them, in the address, as in nats://USER:PASSWORD@HOST:4222
    #[arg(long, value_name = "FILE")]
    pub(crate) creds: Option<PathBuf>,

    /// For TLS, the certificate of the authority that signed the server's
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_ca: Option<PathBuf>,
}

/// The arguments of `match`: those of `linesman match`, and those of a fleet.
#[derive(Debug, Args)]
pub(crate) struct FleetMatchArgs {
    #[command(flatten)]
    pub(crate) game: MatchArgs,

    #[command(flatten)]
    pub(crate) fleet: FleetArgs,
}

/// Defaults of --lost-after-s and --attempts.
pub(crate) const LOST_AFTER: u64 = 30;
pub(crate) const ATTEMPTS: u32 = 5;

/// The arguments of `match` for several machines.
#[derive(Debug, Args)]
pub(crate) struct FleetArgs {
    /// The NATS server that distributes the games to workers, as in nats://HOST:4222
    ///
    /// Workers are `linesman-fleet worker`. This program schedules and records the games and stops the match
    #[arg(long, value_name = "URL", conflicts_with_all = ["concurrency", "affinity"])]
    pub(crate) fleet: String,

    /// Give a worker's games to another one after this many seconds without a message
    #[arg(long = "lost-after-s", value_name = "SECONDS", default_value_t = LOST_AFTER, value_parser = whole_seconds)]
    pub(crate) lost_after: u64,

    /// Stop the match when N workers were lost with the same pair of games, or N machines handed it back
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = ATTEMPTS, value_parser = small)]
    pub(crate) attempts: u32,

    /// The nodes per second of the machine that the time limits are meant for, as `linesman engine GAME bench` shows
    /// them; those of this machine if absent. Each worker multiplies times by NPS and divides them by its own speed
    #[arg(long, hide_short_help = true, value_name = "NPS", value_parser = nps)]
    pub(crate) scale_time: Option<f64>,

    /// Send the engines to workers with --accept-engines
    ///
    /// Those with cmd= that a worker does not have: the whole folder of dir=, the program, and the arguments that name
    /// files
    #[arg(long)]
    pub(crate) send_engines: bool,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// The arguments of `worker`.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,

    /// Maximum number of simultaneous games; the number that the cores allow if absent, which is also the upper limit
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) concurrency: Option<usize>,

    /// Exit after this many seconds without a game to play; wait indefinitely if absent
    #[arg(long = "idle-s", value_name = "SECONDS", value_parser = whole_seconds)]
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

/// The arguments of `status`.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,

    /// Show one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `remove`.
#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,

    /// The id of the match, as `linesman-fleet status` shows it
    #[arg(value_name = "MATCH")]
    pub(crate) id: String,
}

#[cfg(test)]
mod tests {
    use linesman::program::Cli;

    use super::Command;

    #[test]
    fn the_shapes_are_sound() {
        Cli::<Command>::shapes("linesman-fleet", "").debug_assert();
    }
}
