//! The shapes of the command line. The doc comments are the help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{
    Arg, ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};

use clap_complete::Shell;

use referee::record::SyncPolicy;

use crate::manual;
use crate::usage::Failure;

/// Matches between engines of two-player games, and the engines themselves.
#[derive(Debug, Parser)]
#[command(name = "linesman", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a match between engines
    Match(Box<MatchArgs>),
    /// Play a game in the terminal, against an engine or another person
    Play(Box<PlayArgs>),
    /// Play, watch and study games in a browser
    #[cfg(feature = "gui")]
    Gui(GuiArgs),
    /// Test an engine: the protocol, its rules and its timing
    Check(CheckArgs),
    /// Run the built-in engine of a game on standard input and output
    Engine(EngineArgs),
    /// Statistics of ledgers and PGN files: standings, Elo, ratings
    Stats(StatsArgs),
    /// Replay a recorded game, board by board
    Show(ShowArgs),
    /// Let an engine go through a recorded game and show what each move cost
    Analyse(AnalyseArgs),
    /// Fit the evaluation weights of a built-in engine to recorded games
    Tune(TuneArgs),
    /// Let an engine solve the positions of a suite, and show its score
    Solve(SolveArgs),
    /// Find positions with a forced win and one move to it, in games of the built-in engine against itself
    Mine(MineArgs),
    /// List the games and their options
    Games,
    /// Write the completion script of a shell to standard output
    Completions(CompletionsArgs),
    /// Write the man pages into a folder
    Man(ManArgs),
}

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell: bash, elvish, fish, powershell or zsh
    #[arg(value_parser = manual::shell)]
    pub(crate) shell: Shell,
}

/// The arguments of `man`.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder; created if absent
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// The arguments of `play`.
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The game with its options, as in `susan` or `susan:Size=4,SlideLimit=8`
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) table: TableArgs,

    /// Let other people join with nc or telnet at this address; a bare port is open on this machine only. --continue
    /// listens there again, or at another address given here
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<String>,

    /// The password to join; random and shown if absent
    #[arg(long, value_name = "WORD", value_parser = password)]
    pub(crate) password: Option<String>,

    /// Play moves that lose at once without asking for confirmation
    #[arg(long)]
    pub(crate) sure: bool,

    /// Resume an unfinished game; without LEDGER the last one of this game in this folder
    #[arg(long = "continue", value_name = "LEDGER", num_args = 0..=1)]
    pub(crate) resume: Option<Option<PathBuf>>,

    /// With --continue or --mail: run the commands of a ledger that was not begun here without asking
    #[arg(long)]
    pub(crate) trust: bool,

    /// Read an e-mail: one that the word `mail` wrote, or a reply that quotes it; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) mail: Option<PathBuf>,

    /// Write ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Write plain lines: no colours, no line editing
    #[arg(long)]
    pub(crate) plain: bool,
}

/// Who plays at a table, how long they think, and the records.
#[derive(Debug, Args)]
pub(crate) struct TableArgs {
    /// Who plays first: `human`, `human name=Ann`, `remote` (a guest at --listen), or an engine in the words of
    /// `match --engine`, quoted as one argument: `builtin`, `cmd=PATH ...`; `none` is the built-in engine, to watch
    #[arg(long, value_name = "SEAT")]
    pub(crate) p1: Option<String>,

    /// Who plays second; the built-in engine if absent, or `remote` with --listen
    #[arg(long, value_name = "SEAT")]
    pub(crate) p2: Option<String>,

    /// Seconds per move of an engine; 1 if absent
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc")]
    pub(crate) st: Option<String>,

    /// A clock for both players, in seconds
    #[arg(long, value_name = "[MOVES/]TIME[+INC]")]
    pub(crate) tc: Option<String>,

    /// How long a search may take that no clock bounds, in milliseconds
    #[arg(long, value_name = "MS", default_value = "600000", value_parser = milliseconds)]
    pub(crate) search_timeout_ms: u64,

    /// Playing strength of the built-in engine, 0 to 20
    #[arg(long, value_name = "N", value_parser = level)]
    pub(crate) level: Option<u32>,

    /// The ledger that records the game, a new file; if absent, a name is chosen and shown
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// Write finished games as PGN to this new file too
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Force the ledger to the disk after each move and each finished game, so that it survives a power cut, or never
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sync: SyncArg,
}

/// The arguments of `gui`.
#[cfg(feature = "gui")]
#[derive(Debug, Args)]
pub(crate) struct GuiArgs {
    /// The game to begin with, with its options, as in `susan` or `susan:Size=4,SlideLimit=8`; the page lets you choose
    /// if absent
    pub(crate) game: Option<String>,

    /// Who plays first: `human`, `human name=Ann`, `remote` (a guest, by a link), or an engine in the words of
    /// `match --engine`, quoted as one argument: `builtin`, `cmd=PATH ...`
    #[arg(long, value_name = "SEAT", requires = "game")]
    pub(crate) p1: Option<String>,

    /// Who plays second; the built-in engine if absent
    #[arg(long, value_name = "SEAT", requires = "game")]
    pub(crate) p2: Option<String>,

    /// The port of the page on this machine; any free one if 0
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) port: u16,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Let guests join by a link to this address too; a bare port is open on this machine only
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<String>,

    /// How long a search may take that no clock bounds, in milliseconds
    #[arg(long, value_name = "MS", default_value = "600000", value_parser = milliseconds)]
    pub(crate) search_timeout_ms: u64,

    /// Force each ledger to the disk after each move and each finished game, so that it survives a power cut, or never
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sync: SyncArg,
}

/// The arguments of `engine`.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The game, as `linesman games` lists it
    pub(crate) game: String,

    /// Run this command instead of the protocol
    pub(crate) task: Option<EngineTask>,
}

/// The commands of an engine besides the protocol.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum EngineTask {
    /// Search fixed positions to a fixed depth; show the node count, the search's fingerprint, and nodes a second
    Bench,
}

/// The arguments of `mine`.
#[derive(Debug, Args)]
pub(crate) struct MineArgs {
    /// The game with its options, as in `susan` or `susan:Size=4`
    pub(crate) game: String,

    /// Games to play
    #[arg(long, value_name = "N", default_value = "100", value_parser = count)]
    pub(crate) games: usize,

    /// Maximum number of positions, spread over the lengths found
    #[arg(long, value_name = "N", default_value = "20", value_parser = count)]
    pub(crate) count: usize,

    /// Seed of the games
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) srand: u64,

    /// One move in N is random
    #[arg(long, value_name = "N", default_value = "7", value_parser = small)]
    pub(crate) mistakes: u32,

    /// Maximum number of positions per proof
    #[arg(long, value_name = "N", default_value = "300000", value_parser = count)]
    pub(crate) nodes: usize,

    /// Plies of the shortest win to look for
    #[arg(long, value_name = "N", default_value = "3", value_parser = small)]
    pub(crate) shortest: u32,

    /// Plies of the longest win to look for
    #[arg(long, value_name = "N", default_value = "15", value_parser = small)]
    pub(crate) longest: u32,
}

/// The arguments of `solve`.
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// A suite of positions with their best moves or proven values
    pub(crate) file: PathBuf,

    /// The engine, described as after `match --engine`; the built-in one if absent
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) engine: Option<Vec<String>>,

    #[command(flatten)]
    pub(crate) limit: LimitArgs,

    #[command(flatten)]
    pub(crate) patience: PatienceArgs,

    /// Show one JSON object a position and one for the score, instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// How long an engine may search each position.
#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Seconds for each position; 1 if no limit is given
    #[arg(long, value_name = "SECONDS")]
    pub(crate) st: Option<String>,

    /// Plies to search each position
    #[arg(long, value_name = "N", conflicts_with = "st")]
    pub(crate) depth: Option<String>,

    /// Positions to search for each position
    #[arg(long, value_name = "N", conflicts_with_all = ["st", "depth"])]
    pub(crate) nodes: Option<String>,
}

/// The timeouts of an engine that answers one position after the other.
#[derive(Debug, Args)]
pub(crate) struct PatienceArgs {
    /// Timeout of the start, in milliseconds
    #[arg(long, value_name = "MS", default_value = "10000", value_parser = milliseconds)]
    pub(crate) startup_ms: u64,

    /// Timeout of any answer without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value = "60000", value_parser = milliseconds)]
    pub(crate) ping_ms: u64,
}

/// The arguments of `analyse`.
#[derive(Debug, Args)]
pub(crate) struct AnalyseArgs {
    /// A ledger, or a PGN file of Linesman
    pub(crate) file: PathBuf,

    /// The number of the game
    #[arg(default_value = "1", value_parser = count)]
    pub(crate) game: usize,

    /// The engine, described as after `match --engine`; the built-in one if absent
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) engine: Option<Vec<String>>,

    #[command(flatten)]
    pub(crate) limit: LimitArgs,

    #[command(flatten)]
    pub(crate) patience: PatienceArgs,

    /// Write the game with what was found as comments into this new PGN file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// 7-bit characters only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Show one JSON object a move instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The engine, in words as after `match --engine`: `cmd=PATH` with `arg=WORD` and `dir=PATH`, or `builtin`; then
    /// `proto=ugi|uci`, `timemargin=MS`, `option.NAME=VALUE`, `stderr=FILE`. And the game, as in `susan` or
    /// `susan:Size=4`; if absent, `query game` names it; the rules are checked only for a game of the catalogue
    #[arg(required = true, value_name = "KEY=VALUE|GAME")]
    pub(crate) words: Vec<String>,

    /// Random games whose positions are compared with the rules
    #[arg(long, value_name = "N", default_value = "20", value_parser = count)]
    pub(crate) games: usize,

    /// Seed of the random games; random and shown if absent
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,

    /// Run only this step; repeatable
    #[arg(long, value_name = "STEP")]
    pub(crate) only: Vec<String>,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs,

    /// Log each line to and from the engine to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Show reports, one JSON object a line, instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `stats`.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Ledgers or PGN files of Linesman; their games are pooled
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Judge the games by a sequential test: `elo0=X elo1=Y [alpha=0.05] [beta=0.05] [model=logistic|normalized]`;
    /// without it, by the test of the first ledger that has one, where two players met
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) sprt: Option<Vec<String>>,

    /// Show one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the report with its plots into this HTML file, which needs no other file; a report of Linesman that
    /// stands there is replaced, any other file is refused
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Also write the plots (Elo, sequential test, time, game lengths) into this SVG file; an existing file is treated
    /// as by --html
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

/// The arguments of `show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A ledger, or a PGN file of Linesman
    pub(crate) file: PathBuf,

    /// The number of the game
    #[arg(default_value = "1", value_parser = count)]
    pub(crate) game: usize,

    /// Draw the last position into this SVG file; with `%d` in the name each position, `%d` being its ply
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<String>,

    /// Draw the position after this many plies
    #[arg(long, value_name = "N", requires = "svg")]
    pub(crate) ply: Option<usize>,
}

/// The arguments of `tune`.
#[derive(Debug, Args)]
pub(crate) struct TuneArgs {
    /// Ledgers of one game, or PGN files of Linesman
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Number of passes over all positions
    #[arg(long, value_name = "N", default_value = "40", value_parser = count)]
    pub(crate) epochs: usize,

    /// Seed of the order of the positions
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) srand: u64,

    /// Start from zero weights instead of the engine's
    #[arg(long)]
    pub(crate) from_zero: bool,
}

/// The arguments of `match`.
#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The game with its options, as in `susan` or `susan:Size=4,SlideLimit=8`; stands before --engine and --each
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) words: EngineWords,

    /// Games of each pairing in all, 10 if absent; openings are played in pairs with sides swapped. With --resume, a
    /// larger number than before makes the match longer
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) games: Option<usize>,

    /// Play each opening once, without swapping sides: the first engine is always p1
    #[arg(long)]
    pub(crate) noswap: bool,

    /// Games at once, 1 if absent
    #[arg(long, value_name = "N", value_parser = count)]
    pub(crate) concurrency: Option<usize>,

    /// Pairings: every engine against every other, or the first against all others
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: FormatArg,

    /// Openings: `random:plies=N`, random legal moves; `none`; or `file=F` with
    /// `order=sequential|random`, `start=K` and `plies=N`, a file with a position or `startpos moves ...` a line, or
    /// a PGN file of Linesman. random:plies=2 if absent
    #[arg(long, value_name = "WORD", num_args = 1..)]
    pub(crate) openings: Vec<String>,

    /// Seed of the openings and their order; random and shown if absent
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) srand: Option<u64>,

    /// Adjudicate a draw after N plies
    #[arg(long, value_name = "N", default_value = "2000", value_parser = count)]
    pub(crate) max_plies: usize,

    /// Adjudicate a draw when both scores stay near 0: `movenumber=N movecount=N score=CP`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) draw: Option<Vec<String>>,

    /// Adjudicate a loss when an engine's own score stays low: `movecount=N score=CP [twosided]`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) resign: Option<Vec<String>>,

    /// Stop when a sequential test of two engines is decided: `elo0=X elo1=Y [alpha=0.05] [beta=0.05]
    /// [model=logistic|normalized]`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) sprt: Option<Vec<String>>,

    /// For `any`: an engine that decides where the two players differ, described as after --engine
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) arbiter: Option<Vec<String>>,

    /// Compare each engine's answers to `query` with the rules at every ply
    #[arg(long)]
    pub(crate) cross_check: bool,

    /// The ledger that records the match, one JSON object a line, a new file; if absent, a name is chosen and shown
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// Write the games as PGN to this new file too
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Resume an interrupted match; no other argument is needed. Takes --games, --concurrency, --pgn, --log, --sync, --json,
    /// --quiet and --trust
    #[arg(long, value_name = "LEDGER")]
    pub(crate) resume: Option<PathBuf>,

    /// With --resume: run the commands of a ledger from elsewhere without asking
    #[arg(long, requires = "resume")]
    pub(crate) trust: bool,

    /// Force records to the disk after each finished game, so that they survive a power cut, or never
    #[arg(long, value_enum, default_value_t)]
    pub(crate) sync: SyncArg,

    #[command(flatten)]
    pub(crate) timeouts: TimeoutArgs,

    /// How long a search may take that no clock bounds, as under depth= and nodes=, in milliseconds
    #[arg(long, value_name = "MS", default_value = "600000", value_parser = milliseconds)]
    pub(crate) search_timeout_ms: u64,

    /// Log each line to and from each engine to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Show the schedule without playing
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The timeouts of engines where no clock runs.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct TimeoutArgs {
    /// Timeout of an engine's start, in milliseconds
    #[arg(long, value_name = "MS", default_value = "10000", value_parser = milliseconds)]
    pub(crate) startup_ms: u64,

    /// Timeout of any answer without a clock, in milliseconds
    #[arg(long, value_name = "MS", default_value = "5000", value_parser = milliseconds)]
    pub(crate) ping_ms: u64,
}

/// When records are forced to the disk.
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

/// The pairings.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum FormatArg {
    /// Every engine plays every other
    #[default]
    RoundRobin,
    /// The first engine plays all others
    Gauntlet,
}

/// The output of a match.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OutputArgs {
    /// Show events, one JSON object a line, instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Show only the final standing
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The words after each `--engine`, and those after `--each`.
#[derive(Debug, Default)]
pub(crate) struct EngineWords {
    /// Shape: one list an engine.
    pub(crate) engines: Vec<Vec<String>>,
    pub(crate) each: Vec<String>,
}

const ENGINE_HELP: &str = "An engine, in words up to the next flag; repeatable. `builtin`, or `cmd=PATH` with `arg=WORD` and \
`dir=PATH`; then `name=`, `proto=ugi|uci`, a limit (`tc=[MOVES/]TIME[+INC]`, `st=`, `depth=` or `nodes=`), `timemargin=MS`, \
`ponder`, `option.NAME=VALUE`, `restart=auto|on|off`, `stderr=FILE`. Without any, two built-in engines meet; with one, it meets \
the built-in";
const EACH_HELP: &str =
    "Words for all engines; an engine's own word wins. The limit is st=0.1 where none is given";

// clap's derive flattens the words of all occurrences into one list, and an engine is a list of its own.
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
        let occurrences = matches
            .get_occurrences::<String>("engine")
            .into_iter()
            .flatten();
        let each = matches.get_many::<String>("each").into_iter().flatten();
        Ok(EngineWords {
            engines: occurrences.map(|words| words.cloned().collect()).collect(),
            each: each.cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineWords::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The whole command line, for completions and man pages.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

/// Reads the arguments of this process.
pub(crate) fn read() -> Result<Command, Failure> {
    let args: Vec<OsString> = std::env::args_os().collect();
    refuse_single_dashes(&args)?;
    let clap_failure = |error| Failure::Clap(Box::new(error));
    let matches = Cli::command()
        .try_get_matches_from(args)
        .map_err(clap_failure)?;
    if let Some(("match", matches)) = matches.subcommand() {
        refuse_with_resume(matches)?;
    }
    let cli = Cli::from_arg_matches(&matches).map_err(clap_failure)?;
    Ok(cli.command)
}

/// The arguments allowed with `--resume`; the plan in the ledger settles the rest.
const WITH_RESUME: &[&str] = &[
    "resume",
    "games",
    "concurrency",
    "pgn",
    "log",
    "sync",
    "json",
    "quiet",
    "trust",
];

fn refuse_with_resume(matches: &ArgMatches) -> Result<(), Failure> {
    if !matches.contains_id("resume") {
        return Ok(());
    }
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    // Groups of arguments have ids as well; what is wanted is the flag.
    let args = Cli::command();
    let args = args.find_subcommand("match").into_iter();
    let mut flags = args
        .flat_map(clap::Command::get_arguments)
        .map(|arg| arg.get_id().as_str());
    let stray = flags.find(|id| is_given(id) && !WITH_RESUME.contains(id));
    stray.map_or(Ok(()), |id| {
        let flag = match id {
            "game" => "GAME".to_owned(),
            id => format!("--{}", id.replace('_', "-")),
        };
        let others: Vec<String> = WITH_RESUME[1..]
            .iter()
            .map(|id| format!("--{id}"))
            .collect();
        Err(Failure::Usage(format!(
            "{flag}: settled by the plan of the ledger: expected none but {} with --resume",
            others.join(", ")
        )))
    })
}

/// Users of other referees write `-engine`; clap would take it for seven short flags.
fn refuse_single_dashes(args: &[OsString]) -> Result<(), Failure> {
    for arg in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        let Some(name) = arg.strip_prefix('-').filter(|name| !name.starts_with('-')) else {
            continue;
        };
        let is_long = |arg: &Arg| arg.get_long() == Some(name);
        let knows = |command: &clap::Command| command.get_arguments().any(is_long);
        if name.len() > 1 && Cli::command().get_subcommands().any(knows) {
            return Err(Failure::Usage(format!(
                "unknown flag -{name}: expected --{name}"
            )));
        }
    }
    Ok(())
}

fn count(text: &str) -> Result<usize, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=100_000_000).contains(number));
    number.ok_or_else(|| "expected a whole number from 1 to 100000000".to_owned())
}

fn level(text: &str) -> Result<u32, String> {
    let level = text.parse().ok().filter(|level| *level <= 20);
    level.ok_or_else(|| "expected a whole number from 0 to 20".to_owned())
}

fn password(text: &str) -> Result<String, String> {
    let is_word = text.chars().all(|c| c.is_ascii_graphic());
    if is_word && (1..=64).contains(&text.len()) {
        return Ok(text.to_owned());
    }
    Err("expected 1 to 64 visible ASCII characters without blanks".to_owned())
}

fn small(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (1..=99).contains(number));
    number.ok_or_else(|| "expected a whole number from 1 to 99".to_owned())
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn milliseconds(text: &str) -> Result<u64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=86_400_000).contains(number));
    number.ok_or_else(|| "expected milliseconds from 1 to 86400000".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn play_forces_its_ledger_to_the_disk_unless_told() {
        for (line, policy) in [
            ("linesman play susan", SyncPolicy::EachGame),
            ("linesman play susan --sync game", SyncPolicy::EachGame),
            ("linesman play susan --sync off", SyncPolicy::Off),
        ] {
            let Ok(cli) = Cli::try_parse_from(line.split(' ')) else {
                panic!("a sound command line: {line}");
            };
            let Command::Play(args) = cli.command else {
                panic!("a game");
            };
            assert_eq!(SyncPolicy::from(args.table.sync), policy);
        }
    }

    #[test]
    fn each_engine_has_its_own_words() {
        let line = "linesman match susan --engine cmd=a name=A --engine builtin --each st=1 --games 2 --each ponder";
        let Ok(cli) = Cli::try_parse_from(line.split(' ')) else {
            panic!("a sound command line");
        };
        let Command::Match(args) = cli.command else {
            panic!("a match");
        };
        assert_eq!(
            args.words.engines,
            [vec!["cmd=a", "name=A"], vec!["builtin"]]
        );
        assert_eq!(args.words.each, ["st=1", "ponder"]);
        assert_eq!(args.games, Some(2));
    }

    #[test]
    fn single_dashes_are_explained() {
        let refuse = |word: &str| refuse_single_dashes(&["linesman".into(), word.into()]);
        let Err(Failure::Usage(text)) = refuse("-engine") else {
            panic!("-engine is no flag");
        };
        assert!(text.contains("--engine"));
        for word in ["--engine", "-h", "-", "engine", "-unheard"] {
            assert!(refuse(word).is_ok(), "{word}");
        }
    }
}
