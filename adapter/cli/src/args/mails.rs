//! The arguments of `mail` and `club`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The arguments of `mail`.
#[derive(Debug, Args)]
pub(crate) struct MailArgs {
    /// The club's file, a new one if there is none
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,

    #[command(flatten)]
    pub(crate) post: PostArgs,

    /// Carry out these words as the host instead of reading a message, and show the answer; the name of a user stands in
    /// the place of a token
    #[arg(long, value_name = "WORDS")]
    pub(crate) cli: Option<String>,
}

/// The arguments of `club`.
#[derive(Debug, Args)]
pub(crate) struct ClubArgs {
    /// The club's file
    #[arg(value_name = "FILE")]
    pub(crate) store: PathBuf,

    /// What to do; show users, boards and standings, check the file and write all ledgers again if absent
    pub(crate) action: Option<ClubAction>,

    /// With init: the address that players write to
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: Option<String>,

    /// With init: the address that hears of damaged messages
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: Option<String>,

    #[command(flatten)]
    pub(crate) post: PostArgs,
}

/// What `club` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClubAction {
    /// Make the club, or change its addresses
    Init,
    /// Send reminders and what waits, and end games whose time is up; for cron, every hour
    Tick,
}

/// Where letters go.
#[derive(Debug, Args)]
pub(crate) struct PostArgs {
    /// The program that takes letters; `-f ADDRESS -- RECIPIENT` is added, and no shell runs it
    #[arg(long, value_name = "COMMAND", default_value = "/usr/sbin/sendmail -i")]
    pub(crate) sendmail: String,

    /// Write letters as .eml files into this folder instead
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
