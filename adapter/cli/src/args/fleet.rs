//! The arguments of matches over several machines.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::values::{count, key_name, nps, percent, share, small, whole_seconds};

/// Credentials for a NATS server.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CredentialArgs {
    /// The credentials file for the NATS server, as `linesman fleet serve` or nsc writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) creds: Option<PathBuf>,

    /// The file with the password of the user that the address names, as in nats://USER@HOST:4222; its mode must be
    /// 0600. Without it, the environment variable LINESMAN_FLEET_PASSWORD
    #[arg(long, value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,

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

    /// With --fleet: record a pair of games as failed when N workers that played it were lost
    #[arg(long, value_name = "N", default_value = "5", value_parser = small, requires = "fleet")]
    pub(crate) attempts: u32,

    /// With --fleet: the nodes per second of the machine that the time limits are meant for, as `linesman engine GAME
    /// bench` shows them; those of this machine if absent. Each worker multiplies times by NPS and divides them by
    /// its own speed
    #[arg(long, value_name = "NPS", value_parser = nps, requires = "fleet")]
    pub(crate) scale_time: Option<f64>,

    /// With --fleet: send the engines with cmd= to workers with --trust that do not have them: the whole folder of
    /// dir=, the program, and the arguments that name files
    #[arg(long, requires = "fleet")]
    pub(crate) send_engines: bool,

    /// With --fleet: send this program, a newer linesman, to workers that were started with `--update` and the public key
    /// of --creds, by which it is signed. It must run on this machine and on theirs
    #[arg(long, value_name = "FILE", requires_all = ["fleet", "creds"])]
    pub(crate) send_program: Option<PathBuf>,

    /// With --fleet: let a second worker play this share of the pairs, as 5%, and compare their moves. A worker whose
    /// games differ is set aside, and its games are played again. All limits must be nodes= or depth=
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "fleet")]
    pub(crate) verify: Option<f64>,

    /// With --fleet: of several matches, workers play those with the highest priority, as long as these have games
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i32).range(-100..=100),
          allow_negative_numbers = true, requires = "fleet")]
    pub(crate) priority: i32,

    /// With --fleet: of several matches with the same priority, each gets workers in proportion to its share
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = share, requires = "fleet")]
    pub(crate) share: f64,

    /// With --fleet: accept only the results of workers whose keys are in this file, as `linesman fleet trust` and
    /// `linesman fleet serve` write it. A change applies at once
    #[arg(long, value_name = "FILE", requires = "fleet")]
    pub(crate) trusted: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// The arguments of `worker`.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    /// Maximum number of simultaneous games; the number that the cores allow if absent, which is also the upper limit
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) concurrency: Option<usize>,

    /// The file with the secret key that signs the results, created if it does not exist. If absent, the key of --creds,
    /// else `linesman/worker-HOST.nk` in $XDG_DATA_HOME or ~/.local/share
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,

    /// Measure the speed of the machine again after this many seconds, between pairs
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = whole_seconds)]
    pub(crate) measure_every: u64,

    /// Exit after this many seconds without a game to play; wait indefinitely if absent
    #[arg(long, value_name = "SECONDS", value_parser = whole_seconds)]
    pub(crate) idle: Option<u64>,

    /// The engines file that describes the engines of a match; `linesman/engines.toml` in $XDG_CONFIG_HOME or
    /// ~/.config if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) engines: Option<PathBuf>,

    /// Maximum memory for the hash tables of all engines at once, in MiB; the memory of the machine if absent. Fewer
    /// games are played at once to keep it, and a match that needs more for one game is rejected
    #[arg(long, value_name = "MIB", value_parser = count)]
    pub(crate) max_memory: Option<usize>,

    /// Maximum number of threads of all engines at once; the number of cores if absent, which is also the upper limit
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) max_threads: Option<usize>,

    /// Play no games against the clock while more than X threads per core want to run on this machine, as 1.5, and
    /// discard those that were played meanwhile; other workers play them. Linux only
    #[arg(long, value_name = "X", value_parser = share)]
    pub(crate) max_load: Option<f64>,

    /// Trust the coordinator: set engine options whose text may name files, and run the engines that it sends
    #[arg(long)]
    pub(crate) trust: bool,

    /// Continue as the newer program that a match sends (`match --send-program`), if it is signed with the secret part of
    /// this key, is for this platform and has a higher version. It is kept in the cache; this program is not changed
    #[arg(long, value_name = "KEY")]
    pub(crate) update: Option<String>,

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

/// The subcommands of `fleet`.
#[derive(Debug, Subcommand)]
pub(crate) enum FleetTool {
    /// Show the matches on a server, their workers and rates, and stuck games
    Status(StatusArgs),
    /// Serve a page with all matches of a server and their workers, which refreshes itself
    Web(FleetWebArgs),
    /// Delete the data of a match on a server, if the match will not be resumed
    Remove(RemoveArgs),
    /// Start a NATS server with a key for coordinators and one for each worker, which allow no more than they need
    Serve(ServeArgs),
    /// Add a worker's key to the file of `match --trusted`, so that the match accepts its results
    Trust(TrustArgs),
    /// Accept no further result of a worker in the matches that a server has now
    Ban(BanArgs),
    /// Remove the games of a worker, so that they are played again: from the matches that a server has now, which also
    /// bans the worker, or from a ledger
    Purge(PurgeArgs),
}

/// The arguments of `fleet serve`.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The folder of the server: its configuration, its keys and what it stores. Keys that are there are kept; a worker
    /// without its file is not let in any more
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,

    /// The address and port at which the server listens
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4222")]
    pub(crate) listen: String,

    /// Create a key for a worker of this name, or for several that share it; repeatable. A new folder without any gets
    /// one for `workers`
    #[arg(long, value_name = "NAME", value_parser = key_name)]
    pub(crate) worker: Vec<String>,

    /// The certificate of the server, for TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The secret key of the certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// Let workers download the engines of matches with --send-engines. They can then read all streams
    #[arg(long)]
    pub(crate) send_engines: bool,
}

/// The arguments of `fleet trust`.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// The file of `match --trusted`, created if it does not exist
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The public key of the worker, as the worker and the match show it when the match rejects it
    #[arg(value_name = "KEY")]
    pub(crate) key: String,

    /// A name for it, which is only for readers of the file
    #[arg(value_name = "NAME", default_value = "")]
    pub(crate) name: String,
}

/// The arguments of `fleet web`.
#[derive(Debug, Args)]
pub(crate) struct FleetWebArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    /// The address and port at which the page is served
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: String,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// The arguments of `fleet ban`.
#[derive(Debug, Args)]
pub(crate) struct BanArgs {
    /// The address of the NATS server, as in nats://HOST:4222
    #[arg(value_name = "URL")]
    pub(crate) url: String,

    /// The name of the worker, as `linesman fleet status` shows it, or of its machine
    #[arg(value_name = "WORKER")]
    pub(crate) worker: String,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
}

/// The arguments of `fleet purge`.
#[derive(Debug, Args)]
pub(crate) struct PurgeArgs {
    /// The address of the NATS server, as in nats://HOST:4222, or the ledger of a match that is not running
    #[arg(value_name = "URL|LEDGER")]
    pub(crate) place: String,

    /// The name of the worker, as `linesman fleet status` shows it, or of its machine
    #[arg(value_name = "WORKER")]
    pub(crate) worker: String,

    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
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
