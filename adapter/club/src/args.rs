//! The arguments of all commands. The doc comments are the help texts.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use linesman::program::ManualCommand;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a club, or change its addresses
    Create(CreateArgs),
    /// Read a message from standard input, carry out its commands and send the answers: the filter of a mail server
    Mail(MailArgs),
    /// Send reminders and queued e-mails, and end games whose time is up; for cron, every hour
    Tick(PostArgs),
    /// Show users, boards and standings, check the club's file, and write all ledgers again
    Games(StoreArgs),
    #[command(flatten)]
    Manual(ManualCommand),
}

/// The club of a command.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The club's file
    #[arg(long, value_name = "FILE")]
    pub(crate) store: PathBuf,
}

/// The arguments of `create`.
#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    pub(crate) club: StoreArgs,

    /// The address that players write to
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) address: String,

    /// The address that is notified of damaged messages
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) host: String,

    /// The name of your mail server in the field Authentication-Results; a message whose sender it has verified needs no
    /// token
    #[arg(long, value_name = "ID", default_value = "")]
    pub(crate) authserv_id: String,
}

/// The arguments of `mail`.
#[derive(Debug, Args)]
pub(crate) struct MailArgs {
    #[command(flatten)]
    pub(crate) post: PostArgs,

    /// Execute this command as the host instead of reading a message, and print the answer; it names a user where a
    /// message has a token
    #[arg(long, value_name = "WORDS")]
    pub(crate) cli: Option<String>,
}

/// The club, and the delivery of its e-mails.
#[derive(Debug, Args)]
pub(crate) struct PostArgs {
    #[command(flatten)]
    pub(crate) club: StoreArgs,

    /// The program that sends e-mails; `-f ADDRESS -- RECIPIENT` is added, and no shell runs it
    #[arg(long, value_name = "COMMAND", default_value = "/usr/sbin/sendmail -i")]
    pub(crate) sendmail: String,

    /// Write e-mails as .eml files to this folder instead of sending them
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
