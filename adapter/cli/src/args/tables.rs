//! The arguments of the commands that open a table.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use check::suite::Puzzle;
use clap::{Args, FromArgMatches};
use record::clock::Limit;
use record::ledger::SyncPolicy;
use table::LevelChoice;

use super::common::{SearchTimeoutArgs, limit, milliseconds, seconds_or_none, sync_policy};

/// The arguments of `play`.
#[derive(Debug, Clone, Args)]
pub(crate) struct PlayArgs {
    /// The game with its options, as in `susan:Size=4`; asked for if absent
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) table: TableArgs,

    /// Let other people join with nc or telnet, as in `--listen 0.0.0.0:4000`
    ///
    /// A port without an address is open on this machine only
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<String>,

    /// Ask for the password of guests; a random one is shown if absent
    #[arg(long, requires = "listen", conflicts_with = "password_file")]
    pub(crate) password: bool,

    /// The password with which guests join is the first line of this file
    #[arg(long, hide_short_help = true, value_name = "FILE", requires = "listen")]
    pub(crate) password_file: Option<PathBuf>,

    /// Time in each game for which a guest who lost the connection stops the clocks
    ///
    /// After another minute in the guest's turn, the opponent may claim the game
    #[arg(hide_short_help = true, long = "reconnect-s", value_name = "SECONDS", default_value = "0", value_parser = seconds_or_none)]
    pub(crate) reconnect: Duration,

    /// Have the built-in engine learn from each game, and keep what it learned in this file
    ///
    /// It starts with untrained weights, or continues with an existing file. A game counts that ends by its rules, by
    /// resignation or by an agreed draw. `linesman-lab learner FILE` shows the record
    #[arg(long, value_name = "FILE")]
    pub(crate) learn: Option<PathBuf>,

    /// End with exit code 4 if a line was refused, such as an illegal move
    #[arg(long, hide_short_help = true)]
    pub(crate) strict: bool,

    /// Read requests and write events as lines of JSON, as `spec/play.md` describes them
    #[arg(long, hide_short_help = true, conflicts_with = "listen")]
    pub(crate) json: bool,

    /// Resume a game; without LEDGER the last unfinished one of this folder
    #[arg(long = "continue", value_name = "LEDGER", num_args = 0..=1)]
    pub(crate) resume: Option<Option<PathBuf>>,

    /// With --continue: run the commands of a ledger that was not begun on this machine without asking
    #[arg(long, hide_short_help = true)]
    pub(crate) trust: bool,

    /// Write ASCII only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Begin with a prompt for lines instead of the screen of keys
    #[arg(long)]
    pub(crate) lines: bool,

    /// Puzzles to pose, for `linesman puzzle`.
    #[arg(skip)]
    pub(crate) puzzles: Option<PuzzleSet>,
}

impl PlayArgs {
    /// The default arguments, for a game.
    pub(crate) fn of(game: &str) -> PlayArgs {
        let command = PlayArgs::augment_args(clap::Command::new("play"));
        let matches = command.get_matches_from(["play", game]);
        PlayArgs::from_arg_matches(&matches).expect("defaults of all arguments")
    }
}

/// Players, time limits and records of a table.
#[derive(Debug, Clone, Args)]
pub(crate) struct TableArgs {
    /// The first player: `human`, `'human name=Ann'`, `remote` (a guest), `builtin` or `'cmd=PATH ...'`
    ///
    /// An engine has the words of `match --engine`, quoted as one argument; `none` is the built-in engine, for watching.
    /// Repeat the flag to add a partner; partners take turns
    #[arg(long, value_name = "SEAT")]
    pub(crate) p1: Vec<String>,

    /// The second player; the built-in engine if absent, or `remote` with --listen
    #[arg(long, value_name = "SEAT")]
    pub(crate) p2: Vec<String>,

    /// Seconds per move of an engine; 1 if absent
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc", value_parser = limit("st"))]
    pub(crate) st: Option<Limit>,

    /// A clock for both players, in seconds
    #[arg(long, value_name = "[MOVES/]TIME[+INC]", value_parser = limit("tc"))]
    pub(crate) tc: Option<Limit>,

    /// The limit of an engine in place of these, for `linesman puzzle`.
    #[arg(skip)]
    pub(crate) limit: Option<Limit>,

    #[command(flatten)]
    pub(crate) search_timeout: SearchTimeoutArgs,

    /// Strength of the built-in engine, 0 to 20, or `adaptive`, which follows your results; if absent, asked for at a
    /// terminal, else 20
    #[arg(long, value_name = "N")]
    pub(crate) level: Option<LevelChoice>,

    /// The new file that records the game; its name is chosen and shown if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,

    /// Also write finished games as PGN to this new file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Force the ledger to the disk after each move and each finished game, so that it survives a power failure, or
    /// never
    #[arg(long, hide_short_help = true, default_value = "game", value_parser = sync_policy())]
    pub(crate) sync: SyncPolicy,
}

/// The arguments of `gui`.
#[derive(Debug, Args)]
pub(crate) struct GuiArgs {
    /// The first game with its options, as in `susan` or `susan:Size=4,SlideLimit=8`; if absent, the page offers a
    /// choice
    pub(crate) game: Option<String>,

    /// The first player: `human`, `human name=Ann`, `remote` (a guest, by a link), or an engine in the words of
    /// `match --engine`, quoted as one argument: `builtin`, `cmd=PATH ...`
    #[arg(long, value_name = "SEAT", requires = "game")]
    pub(crate) p1: Option<String>,

    /// The second player; the built-in engine if absent
    #[arg(long, value_name = "SEAT", requires = "game")]
    pub(crate) p2: Option<String>,

    /// The port of the page on this machine; 0 means any free port
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) port: u16,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Also let guests join by a link to this address; a port without an address is open on this machine only
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<String>,

    /// Serve guests by TLS, with a chain of certificates and its private key in PEM files
    #[arg(long, value_names = ["CERT", "KEY"], num_args = 2, requires = "listen")]
    pub(crate) tls: Option<Vec<PathBuf>>,

    /// The address in guests' links, if it is not that of --listen: the name in the certificate, or that of a reverse
    /// proxy
    #[arg(long, value_name = "https://NAME[:PORT]", requires = "listen")]
    pub(crate) url: Option<gui::Origin>,

    /// Lifetime of a game without a page, in milliseconds; then its engines end, and its ledger is kept
    #[arg(long, value_name = "MS", default_value = "30000", value_parser = milliseconds)]
    pub(crate) grace_ms: u64,

    /// Time in each game for which a guest who lost the connection stops the clocks
    ///
    /// After another minute in the guest's turn, the opponent may claim the game
    #[arg(hide_short_help = true, long = "reconnect-s", value_name = "SECONDS", default_value = "0", value_parser = seconds_or_none)]
    pub(crate) reconnect: Duration,

    #[command(flatten)]
    pub(crate) search_timeout: SearchTimeoutArgs,

    /// Force each ledger to the disk after each move and each finished game, so that it survives a power failure, or
    /// never
    #[arg(long, hide_short_help = true, default_value = "game", value_parser = sync_policy())]
    pub(crate) sync: SyncPolicy,
}

/// Puzzles, and the number of the one that opens the table, if one does.
#[derive(Debug, Clone)]
pub(crate) struct PuzzleSet {
    pub(crate) puzzles: Arc<[Puzzle]>,
    pub(crate) first: Option<usize>,
}
