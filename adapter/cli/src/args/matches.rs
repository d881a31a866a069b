//! The arguments of `match`.

use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use record::cpu_list::CpuList;
use record::format::{MAX_ROUNDS, Shard};
use record::outputs::{LogLevel, PgnComments};

use super::common::{SearchTimeoutArgs, SyncArg, TimeoutArgs};
use super::fleet::FleetArgs;
use super::values::{count, mebibytes, seed};
use crate::config::{Origin, SavedConfig};
use crate::usage::{Failure, refuse};

/// The arguments of `match`.
#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The game with its options, as in `susan` or `susan:Size=4,SlideLimit=8`; before --engine and --each
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) words: EngineWords,

    /// The engines file, in which conf=NAME looks up an engine; `linesman/engines.toml` in $XDG_CONFIG_HOME or
    /// ~/.config if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) engines: Option<PathBuf>,

    /// Read a match from a TOML file with these flags as its keys. A flag on the command line overrides the file's
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Save this command line and the seed to this new file, for --config
    #[arg(long, value_name = "FILE")]
    pub(crate) save_config: Option<PathBuf>,

    /// Values taken from the file of --config.
    #[arg(skip)]
    pub(crate) origin: Origin,

    /// Contents for the file of --save-config.
    #[arg(skip)]
    pub(crate) saved: Option<SavedConfig>,

    /// Total number of games of each pairing, 10 if absent; openings are played in pairs with sides swapped. With
    /// --resume, a larger number than before extends the match
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) games: Option<usize>,

    /// Play each opening once, without swapping sides: the first engine is always p1
    #[arg(long)]
    pub(crate) noswap: bool,

    /// Play one part of the match: every Nth pair of games, starting with the Kth. `linesman stats` reads the ledgers
    /// of all parts together
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    /// Number of simultaneous games, 1 if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) concurrency: Option<usize>,

    /// On Linux, pin the engines of each game to separate CPUs, one for each thread that can think or ponder at the
    /// same time. CPUS lists the CPUs to use, as in `0,2,4-7`; all CPUs of this process if absent
    #[arg(long, value_name = "CPUS", num_args = 0..=1, conflicts_with = "fleet")]
    pub(crate) affinity: Option<Option<CpuList>>,

    /// Pairings. `round-robin`: every engine plays every other. `gauntlet`: the first engine plays all others. `swiss`
    /// or `swiss:rounds=N`: in each round engines with similar scores meet
    #[arg(long, value_name = "FORMAT", default_value = "round-robin", value_parser = format)]
    pub(crate) format: FormatArg,

    /// Openings: `random:plies=N`, random legal moves; `balanced:plies=N` with `score=CP` and `nodes=N`, random moves
    /// after which the built-in engine sees neither side ahead; `none`; `book=F` with `plies=N`, a tree of moves with
    /// weights; or `file=F` with `order=sequential|random`, `start=K` and `plies=N`: a file with one position or
    /// `startpos moves ...` per line, a suite, or a PGN file of Linesman. random:plies=2 if absent
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub(crate) openings: Vec<String>,

    /// Seed of the openings, their order, and engines below full strength; if absent, a random seed is chosen and shown
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) srand: Option<u64>,

    /// Adjudicate a draw after N plies
    #[arg(long, value_name = "N", default_value = "2000", value_parser = count)]
    pub(crate) max_plies: usize,

    /// Adjudicate a draw when both scores stay near 0: `movenumber=N movecount=N score=CP`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) draw: Option<Vec<String>>,

    /// Adjudicate a loss when an engine's score for itself stays low: `movecount=N score=CP [twosided]`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) resign: Option<Vec<String>>,

    /// End a game as soon as a table of perfect play contains the position; FILE is a table or a folder of tables,
    /// instead of the folder in which `table build` stores them
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, conflicts_with = "fleet")]
    pub(crate) adjudicate_table: Option<Option<PathBuf>>,

    /// Stop when a sequential test of two engines is decided: `elo0=X elo1=Y [alpha=0.05] [beta=0.05]
    /// [model=logistic|normalized]`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) sprt: Option<Vec<String>>,

    /// The ledger that records the match, one JSON object per line, a new file; if absent, a name is chosen and shown
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// Also write the games as PGN to this new file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Append to the file of --pgn if it exists, instead of rejecting it
    #[arg(long, requires = "pgn")]
    pub(crate) pgn_append: bool,

    /// Additions to score, depth and time in the PGN comments: a comma-separated list of `pv`, `nodes` and `nps`
    #[arg(long, value_name = "WORDS", requires = "pgn")]
    pub(crate) pgn_comments: Option<PgnComments>,

    /// Also write the final position of each game to this new file, one per line
    #[arg(long, value_name = "FILE")]
    pub(crate) epdout: Option<PathBuf>,

    /// Resume an interrupted match; no other argument is needed. --games, --concurrency, --trust and the flags for
    /// files and output are allowed
    #[arg(long, value_name = "LEDGER")]
    pub(crate) resume: Option<PathBuf>,

    /// With --resume: run the commands of a ledger that was not created here without asking
    #[arg(long, requires = "resume")]
    pub(crate) trust: bool,

    /// Force records to the disk after each finished game, so that they survive a power failure, or never
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sync: SyncArg,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs,

    #[command(flatten)]
    pub(crate) search_timeout: SearchTimeoutArgs,

    /// On Linux, cap the private memory of each engine, and of each process that it starts, at MB MiB
    #[arg(long, value_name = "MB", value_parser = mebibytes)]
    pub(crate) memory: Option<u32>,

    /// Log events and each line from and to each engine to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// The contents of the log: games lost by a fault and notes (`warn`), starts and ends of games (`info`), lines except
    /// the engines' `info` lines (`debug`), all lines (`trace`); each level includes those before it; `trace` if absent
    #[arg(long, value_enum, requires = "log")]
    pub(crate) log_level: Option<LogLevelArg>,

    #[command(flatten)]
    pub(crate) fleet: FleetArgs,

    /// Show the schedule without playing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormatArg {
    /// Every engine plays every other.
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
    /// Engines with similar scores meet, for the given or the usual number of rounds.
    Swiss(Option<usize>),
}

fn format(text: &str) -> Result<FormatArg, String> {
    let expected = "expected round-robin, gauntlet, swiss or swiss:rounds=N";
    match text {
        "round-robin" => Ok(FormatArg::RoundRobin),
        "gauntlet" => Ok(FormatArg::Gauntlet),
        "swiss" => Ok(FormatArg::Swiss(None)),
        _ => text
            .strip_prefix("swiss:rounds=")
            .and_then(|rounds| rounds.parse().ok())
            .filter(|rounds| (1..=MAX_ROUNDS).contains(rounds))
            .map(|rounds| FormatArg::Swiss(Some(rounds)))
            .ok_or_else(|| format!("{expected}, N from 1 to {MAX_ROUNDS}")),
    }
}

/// The level of a log.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LogLevelArg {
    /// Games lost by a fault, and notes
    Warn,
    /// Starts and ends of games
    Info,
    /// Lines except the engines' `info` lines
    Debug,
    /// All lines
    Trace,
}

impl From<LogLevelArg> for LogLevel {
    fn from(arg: LogLevelArg) -> LogLevel {
        match arg {
            LogLevelArg::Warn => LogLevel::Warn,
            LogLevelArg::Info => LogLevel::Info,
            LogLevelArg::Debug => LogLevel::Debug,
            LogLevelArg::Trace => LogLevel::Trace,
        }
    }
}

/// The output of a match.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OutputArgs {
    /// Show events, one JSON object per line, instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Show only the final standings
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Show the standings after every N games; 0: only at the end
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) rating_interval: usize,

    /// Exit with 4 if an engine broke the rules, crashed, stopped answering, or disagreed with the other about a
    /// result
    #[arg(long)]
    pub(crate) strict: bool,

    /// Also show the match on a page in the browser; its address is written to standard error
    #[arg(long)]
    pub(crate) gui: bool,
}

/// The words after each `--engine` and all `--each`.
#[derive(Debug, Default)]
pub(crate) struct EngineWords {
    /// Shape: one list per engine.
    pub(crate) engines: Vec<Vec<String>>,
    pub(crate) each: Vec<String>,
}

const ENGINE_HELP: &str = "An engine, in words up to the next flag; repeatable. `builtin`, `conf=NAME` of the engines file, or \
`cmd=PATH` with `arg=WORD` and `dir=PATH`; then `name=`, `proto=ugi|uci|cecp|gtp`, a limit (`tc=[MOVES/]TIME[+INC]` or `hourglass=TIME`, each optionally with `depth=` or `nodes=`; `st=`, `depth=` or `nodes=`; `tc=inf` is no clock), `timemargin=MS`, \
`ponder`, `option.NAME=VALUE`, `restart=auto|on|off`, `stderr=FILE`. Without any, two built-in engines play; with one, it plays the built-in engine";
const EACH_HELP: &str =
    "Words for all engines; an engine's own word wins. The limit is st=0.1 if none is given";

// clap's derive flattens the words of all occurrences into one list, but each engine needs a separate list.
impl Args for EngineWords {
    fn augment_args(command: clap::Command) -> clap::Command {
        let words = |name: &'static str, help: &'static str| {
            Arg::new(name)
                .long(name)
                .help(help)
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
        };
        command
            .arg(words("engine", ENGINE_HELP))
            .arg(words("each", EACH_HELP))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        EngineWords::augment_args(command)
    }
}

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineWords, clap::Error> {
        let lists = |name: &str| {
            let occurrences = matches
                .get_occurrences::<String>(name)
                .into_iter()
                .flatten();
            occurrences.map(|words| words.cloned().collect()).collect()
        };
        let each = matches.get_many::<String>("each").into_iter().flatten();
        Ok(EngineWords {
            engines: lists("engine"),
            each: each.cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineWords::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The arguments allowed with `--resume`; all others are fixed by the plan in the ledger.
const WITH_RESUME: &[&str] = &[
    "resume",
    "games",
    "concurrency",
    "pgn",
    "pgn_comments",
    "epdout",
    "log",
    "log_level",
    "sync",
    "json",
    "quiet",
    "rating_interval",
    "strict",
    "gui",
    "trust",
    "fleet",
    "lost_after",
    "attempts",
    "scale_time",
    "send_engines",
    "send_program",
    "verify",
    "trusted",
    "priority",
    "share",
    "password_file",
    "creds",
    "tls_ca",
];

/// Rejects arguments that `--resume` does not allow. `command` is `match`.
pub(super) fn refuse_with_resume(
    matches: &ArgMatches,
    command: &clap::Command,
) -> Result<(), Failure> {
    if !matches.contains_id("resume") {
        return Ok(());
    }
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    // Groups of arguments have ids too; only flags matter here.
    let mut flags = command.get_arguments().map(|arg| arg.get_id().as_str());
    let stray = flags.find(|id| is_given(id) && !WITH_RESUME.contains(id));
    stray.map_or(Ok(()), |id| {
        let flag = match id {
            "game" => "GAME".to_owned(),
            id => format!("--{}", id.replace('_', "-")),
        };
        let others: Vec<String> = WITH_RESUME[1..]
            .iter()
            .map(|id| format!("--{}", id.replace('_', "-")))
            .collect();
        refuse!(
            "{flag}: fixed by the plan in the ledger: with --resume, expected only {}",
            others.join(", ")
        )
    })
}
