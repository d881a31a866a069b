//! The arguments of `match`. A file of `--plan` has those that determine its games as its keys.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, FromArgMatches};
use record::adjudication::{Adjudication, DRAW_WORDS, RESIGN_WORDS};
use record::format::{CpuList, Format, Shard};
use record::ledger::SyncPolicy;
use record::outputs::{LogLevel, PgnComment};
use record::plan::{DEFAULT_SEARCH_TIMEOUT_MS, Plan};
use serde::{Deserialize, Serialize};

use super::common::{RulesContext, TimeoutArgs, count, mebibytes, milliseconds, seed, sync_policy};
use super::keys;
use crate::config::words::{self, EngineLine};
use crate::matches::openings::source_words;
use crate::usage::Done;

/// The games of a match, in the words of the command line.
#[derive(Debug, Clone, Args, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct PlanArgs {
    /// The game with its options, as in `susan:Size=4`; before --engine and --each
    pub(crate) game: Option<String>,

    /// The words of --rules, in a file.
    #[arg(skip)]
    #[serde(with = "words", skip_serializing_if = "Vec::is_empty")]
    pub(crate) rules: Vec<String>,

    /// An engine, as in `--engine cmd=./mine name=A tc=10+0.1 option.Hash=64`; repeatable. `builtin`, the other one if
    /// absent, or `conf=NAME` of the engines file
    ///
    /// The words go up to the next flag: `builtin`, `conf=NAME`, or `cmd=PATH` with `arg=WORD` and `dir=PATH`; then `name=`,
    /// `proto=ugi|uci|cecp|gtp`, a limit (`tc=[MOVES/]TIME[+INC]` or `hourglass=TIME`, each optionally with `depth=` or
    /// `nodes=`; `st=`, `depth=` or `nodes=`; `tc=inf` is no clock), `timemargin=MS`, `ponder`, `option.NAME=VALUE`,
    /// `restart=auto|on|off`, `stderr=FILE`, and in place of the flags for all engines `memory=MB`, `startup-ms=`,
    /// `ping-ms=` and `search-timeout-ms=`. Without any, two built-in engines play; with one, it plays the built-in engine
    #[arg(id = "engine", long = "engine", value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(skip)]
    pub(crate) engine_words: Vec<String>,

    /// The words of each `--engine`, which [`read_engines`](PlanArgs::read_engines) separates.
    #[arg(skip)]
    pub(crate) engine: Vec<EngineLine>,

    /// Words for all engines, as in `--each tc=10+0.1`
    ///
    /// An engine's own word wins. The limit is st=0.1 if none is given
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(with = "words", skip_serializing_if = "Vec::is_empty")]
    pub(crate) each: Vec<String>,

    /// `true` if `each` is of the command line and the engines are not: then it wins over their words.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) each_wins: bool,

    /// Games of each pairing, 10 if absent
    ///
    /// Openings are played in pairs with sides swapped. With --resume, a larger number than before extends the match
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) games: Option<usize>,

    /// Play each opening once, without swapping sides: the first engine is always p1
    #[arg(long, hide_short_help = true)]
    pub(crate) noswap: bool,

    /// Games at the same time, 1 if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) concurrency: Option<usize>,

    /// Pairings: round-robin, gauntlet, swiss or swiss:rounds=N
    #[arg(long, value_name = "FORMAT", default_value = "round-robin", long_help = Format::HELP)]
    pub(crate) format: String,

    /// Openings: `file=F`, `none`, or random:plies=2 if absent
    ///
    /// `random:plies=N`: random legal moves. `balanced:plies=N` with `score=CP` and `nodes=N`: random moves after which
    /// the built-in engine sees neither side ahead. `book=F` with `plies=N`: a tree of moves with weights. `file=F` with
    /// `order=sequential|random`, `start=K` and `plies=N`: a file with one position or `startpos moves ...` per line, a
    /// suite, or a PGN file of Linesman
    #[arg(long, value_name = "WORD", num_args = 1..)]
    #[serde(with = "words", skip_serializing_if = "Vec::is_empty")]
    pub(crate) openings: Vec<String>,

    /// Seed of the openings and of engines below full strength; random if absent
    #[arg(long, alias = "srand", value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Adjudicate a draw after N plies
    #[arg(long, value_name = "N", default_value = "2000", value_parser = count)]
    pub(crate) max_plies: usize,

    /// A draw when scores stay near 0: `movenumber=N movecount=N score=CP`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(with = "words", skip_serializing_if = "Vec::is_empty")]
    pub(crate) draw: Vec<String>,

    /// A loss when an engine's score stays low: `movecount=N score=CP [twosided]`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(with = "words", skip_serializing_if = "Vec::is_empty")]
    pub(crate) resign: Vec<String>,

    /// End a game as soon as a table of perfect play contains the position; FILE is a table or a folder of tables,
    /// instead of the folder in which `linesman-lab table build` stores them
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "", hide_short_help = true)]
    pub(crate) adjudicate_table: Option<String>,

    /// Stop when a sequential test of two engines is decided: `elo0=X elo1=Y`
    ///
    /// Also `alpha=0.05`, `beta=0.05` and `model=logistic|normalized`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    #[serde(with = "words", skip_serializing_if = "Vec::is_empty")]
    pub(crate) sprt: Vec<String>,

    /// Timeout of an engine's start, in milliseconds
    #[arg(long, hide_short_help = true, value_name = "MS", default_value_t = <TimeoutArgs>::default().startup_ms, value_parser = milliseconds)]
    pub(crate) startup_ms: u64,

    /// Timeout of any answer without a clock, in milliseconds
    #[arg(long, hide_short_help = true, value_name = "MS", default_value_t = <TimeoutArgs>::default().ping_ms, value_parser = milliseconds)]
    pub(crate) ping_ms: u64,

    /// Timeout of a search without a clock, as with depth= and nodes=, in milliseconds
    #[arg(long, hide_short_help = true, value_name = "MS", default_value_t = DEFAULT_SEARCH_TIMEOUT_MS, value_parser = milliseconds)]
    pub(crate) search_timeout_ms: u64,

    /// On Linux, cap the private memory of each engine, and of each process that it starts, at MB MiB
    #[arg(long, hide_short_help = true, value_name = "MB", value_parser = mebibytes)]
    pub(crate) memory: Option<u32>,
}

impl Default for PlanArgs {
    /// The values without any flag.
    fn default() -> PlanArgs {
        let command = PlanArgs::augment_args(clap::Command::new("match"));
        let matches = command.get_matches_from(["match"]);
        PlanArgs::from_arg_matches(&matches).expect("no flag is required")
    }
}

impl PlanArgs {
    /// Takes the words of each `--engine`, if there is one.
    pub(crate) fn read_engines(&mut self, matches: &ArgMatches) {
        if let Some(engines) = matches.get_occurrences::<String>("engine") {
            let engines = engines.map(|words| EngineLine(words.cloned().collect()));
            self.engine = engines.collect();
        }
    }

    /// The rules by which the referee ends a game.
    pub(crate) fn adjudication(&self) -> Done<Adjudication> {
        Ok(Adjudication {
            max_plies: self.max_plies,
            draw: keys::read("--draw", DRAW_WORDS, &self.draw)?,
            resign: keys::read("--resign", RESIGN_WORDS, &self.resign)?,
        })
    }

    /// The flags that describe a plan. They name no output.
    pub(crate) fn of(plan: &Plan) -> PlanArgs {
        let path = |path: &PathBuf| path.display().to_string();
        let words = |words: Option<Vec<String>>| words.unwrap_or_default();
        let Adjudication {
            max_plies,
            draw,
            resign,
        } = &plan.adjudication;
        PlanArgs {
            game: Some(plan.game.to_string()),
            rules: words(plan.rules.as_ref().map(|rules| rules.words.clone())),
            engine: plan.engines.iter().map(EngineLine::of).collect(),
            games: Some(plan.games),
            noswap: !plan.swaps,
            concurrency: Some(plan.concurrency),
            format: plan.format.to_string(),
            openings: words(plan.opening_source.as_ref().map(source_words)),
            seed: Some(plan.srand),
            adjudicate_table: plan.adjudicate_table.as_ref().map(path),
            max_plies: *max_plies,
            draw: words(draw.as_ref().map(keys::format)),
            resign: words(resign.as_ref().map(keys::format)),
            sprt: words(plan.sprt.as_ref().map(keys::format)),
            startup_ms: plan.startup_ms,
            ping_ms: plan.ping_ms,
            search_timeout_ms: plan.search_timeout_ms,
            memory: plan.memory,
            ..PlanArgs::default()
        }
    }
}

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
    PossibleValuesParser::new(["warn", "info", "debug", "trace"]).map(|word| match word.as_str() {
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
    /// The arguments about the rules of a program.
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
