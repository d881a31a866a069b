//! The arguments of `mail` and `club`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// The arguments of `mail`.
#[derive(Debug, Args)]
pub(crate) struct MailArgs {
    /// The club's file
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,

    #[command(flatten)]
    pub(crate) post: PostArgs,

    /// Execute this command as the host instead of reading a message, and print the answer; it names a user where a
    /// message has a token
    #[arg(long, value_name = "WORDS")]
    pub(crate) cli: Option<String>,
}

/// The arguments of `club`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ClubArgs {
    #[command(subcommand)]
    pub(crate) create: Option<ClubCommand>,

    /// The club's file
    #[arg(value_name = "FILE", required = true)]
    pub(crate) store: Option<PathBuf>,

    /// The action; if absent: show users, boards and standings, check the file and rewrite all ledgers
    pub(crate) action: Option<ClubAction>,

    #[command(flatten)]
    pub(crate) post: PostArgs,
}

/// The subcommand of `club`.
#[derive(Debug, Subcommand)]
pub(crate) enum ClubCommand {
    /// Create a club, or change its addresses
    Create {
        /// The club's file
        #[arg(value_name = "FILE")]
        store: PathBuf,

        /// The address that players write to
        #[arg(long, value_name = "ADDRESS")]
        address: String,

        /// The address that is notified of damaged messages
        #[arg(long, value_name = "ADDRESS")]
        host: String,

        /// The name of your mail server in the field Authentication-Results; a message whose sender it has verified needs
        /// no token
        #[arg(long, value_name = "ID", default_value = "")]
        authserv_id: String,
    },
}

/// The actions of `club`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClubAction {
    /// Send reminders and queued e-mails, and end games whose time is up; for cron, every hour
    Tick,
}

/// Delivery of outgoing e-mails.
#[derive(Debug, Args)]
pub(crate) struct PostArgs {
    /// The program that sends e-mails; `-f ADDRESS -- RECIPIENT` is added, and no shell runs it
    #[arg(long, value_name = "COMMAND", default_value = "/usr/sbin/sendmail -i")]
    pub(crate) sendmail: String,

    /// Write e-mails as .eml files to this folder instead of sending them
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
