//! The arguments of `bridge`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::common::SearchTimeoutArgs;

/// The arguments of `bridge`.
#[derive(Debug, Args)]
pub(crate) struct BridgeArgs {
    /// The protocol of the GUI
    pub(crate) protocol: BridgeProtocol,

    /// The game with its options, as in `susan` or `susan:Size=4`; with ugi, `any` for a game without rules
    pub(crate) game: String,

    /// The engine, in the words of `match --engine`; the built-in engine if absent. A limit given here replaces the
    /// GUI's; without any limit, a move takes one second
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    pub(crate) engine: Option<Vec<String>>,

    /// With cecp and gtp: print the command that starts XBoard or GoGui with this game and engine, and exit. The images
    /// of XBoard's pieces are written where that command expects them
    #[arg(long)]
    pub(crate) print_command: bool,

    /// With cecp: write the images of the pieces to this folder, and exit; `linesman/xboard` in $XDG_DATA_HOME or
    /// ~/.local/share if absent
    #[arg(long, value_name = "DIR")]
    pub(crate) pieces: Option<PathBuf>,

    /// Log each line from and to the GUI to this file, with its time; with ugi, also the lines from and to the engine
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// With ugi: show the lines of an engine of another protocol as `info string wire`, for the log of a match
    #[arg(long, hide = true)]
    pub(crate) wire: bool,

    #[command(flatten)]
    pub(crate) search_timeout: SearchTimeoutArgs,
}

/// The protocol of a GUI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BridgeProtocol {
    /// XBoard
    Cecp,
    /// GoGui
    Gtp,
    /// UGI or UCI: lines are forwarded, and translated if the engine speaks the other dialect or another protocol
    Ugi,
}
