//! The program `linesman-club`: its arguments, whose doc comments are the help texts, its files, its error messages and its
//! exit codes.

use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use linesman::args::RulesContext;
use linesman::matches::quiet_host;
use linesman::output::{print, say};
use linesman::program::{self, Cli, ManualCommand};
use linesman::rules;
use linesman::usage::{Failure, OrFail, warn};
use record::registry::Registry;
use referee::host::Host;

use crate::{Answer, Club, MAX_BYTES, Post};

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
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
struct StoreArgs {
    /// The club's file
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
}

/// The arguments of `create`.
#[derive(Debug, Args)]
struct CreateArgs {
    #[command(flatten)]
    club: StoreArgs,

    /// The address that players write to
    #[arg(long, value_name = "ADDRESS")]
    address: String,

    /// The address that is notified of damaged messages
    #[arg(long, value_name = "ADDRESS")]
    host: String,

    /// The name of your mail server in the field Authentication-Results; a message whose sender it has verified needs no
    /// token
    #[arg(long, value_name = "ID", default_value = "")]
    authserv_id: String,
}

/// The arguments of `mail`.
#[derive(Debug, Args)]
struct MailArgs {
    #[command(flatten)]
    post: PostArgs,

    /// Execute this command as the host instead of reading a message, and print the answer; it names a user where a
    /// message has a token
    #[arg(long, value_name = "WORDS")]
    cli: Option<String>,
}

/// The club, and the delivery of its e-mails.
#[derive(Debug, Args)]
struct PostArgs {
    #[command(flatten)]
    club: StoreArgs,

    /// The program that sends e-mails; `-f ADDRESS -- RECIPIENT` is added, and no shell runs it
    #[arg(long, value_name = "COMMAND", default_value = "/usr/sbin/sendmail -i")]
    sendmail: String,

    /// Write e-mails as .eml files to this folder instead of sending them
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The exit status that makes a mail server try again later: `EX_TEMPFAIL`.
const TRY_AGAIN: u8 = 75;

/// Runs the command in the process's arguments with these games. Returns the exit status.
pub fn run(registry: Registry) -> ExitCode {
    program::run("linesman-club", |args| {
        let shapes = || Cli::<Command>::shapes("linesman-club", "Board games by e-mail");
        let (cli, _) = Cli::<Command>::read(args, shapes())?;
        let host = || {
            quiet_host(rules::extend(
                registry,
                cli.rules.rules.as_deref(),
                RulesContext::default(),
            )?)
        };
        match &cli.command {
            Command::Create(args) => create(args, host()?),
            Command::Mail(args) => mail(args, host()),
            Command::Tick(args) => tick(args, host()?),
            Command::Games(args) => games(&args.store, host()?),
            Command::Manual(command) => command.run(shapes()),
        }
    })
}

fn create(args: &CreateArgs, host: Host) -> Result<ExitCode, Failure> {
    let store = &args.club.store;
    let is_new = !store.exists();
    let mut club = Club::create(store, host).or_trouble(store.display())?;
    club.set_addresses(&args.address, &args.host, &args.authserv_id)
        .or_trouble(store.display())?;
    let what = ["the club is now", "a new club"][usize::from(is_new)];
    let file = store.display();
    say(&format!(
        "{file}: {what} at {}\nEach message to it goes to: linesman-club mail --store {file} < message",
        args.address
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a message or executes the words of `--cli`. Returns the exit status: a message that is not stored must come
/// again.
fn mail(args: &MailArgs, host: Result<Host, Failure>) -> Result<ExitCode, Failure> {
    let post = post(&args.post)?;
    let host = match host {
        Err(failure @ Failure::Trouble(_)) => {
            failure.report();
            return Ok(ExitCode::from(TRY_AGAIN));
        }
        host => host?,
    };
    let (store, now) = (&args.post.club.store, now());
    let outcome = Club::open(store, host).and_then(|mut club| {
        let answer = args.cli.as_ref().map(|words| club.command(words, now));
        if answer.is_none() {
            club.receive(&message()?, now)?;
        }
        Ok((club, answer.transpose()?))
    });
    let (mut club, answer) = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            complain(store, &[error.to_string()]);
            return Ok(ExitCode::from(TRY_AGAIN));
        }
    };
    // The message is stored. Any later step that fails is repeated in the next run.
    finish(&mut club, &post, store, now);
    let Some((text, is_done)) = answer else {
        return Ok(ExitCode::SUCCESS);
    };
    if !text.is_empty() {
        print(text.trim_end(), false)?;
    }
    Ok(ExitCode::from(u8::from(!is_done)))
}

fn tick(args: &PostArgs, host: Host) -> Result<ExitCode, Failure> {
    let post = post(args)?;
    let (store, now) = (&args.club.store, now());
    let mut club = Club::open(store, host).or_trouble(store.display())?;
    let (done, faults) = club.tick(now).or_trouble(store.display())?;
    let is_sound = finish(&mut club, &post, store, now);
    if !done.is_empty() {
        print(&done.join("\n"), false)?;
    }
    let is_faulty = complain(store, &faults);
    Ok(ExitCode::from(u8::from(!is_sound || is_faulty)))
}

fn games(store: &Path, host: Host) -> Result<ExitCode, Failure> {
    let mut club = Club::open(store, host).or_trouble(store.display())?;
    let (text, faults) = club.overview(now()).or_trouble(store.display())?;
    print(&text, false)?;
    Ok(ExitCode::from(u8::from(complain(store, &faults))))
}

/// Sends e-mails, makes the engines' moves, and sends the resulting e-mails; `true` if there was no error.
fn finish(club: &mut Club, post: &Post, store: &Path, now: i64) -> bool {
    let tell = |notes: Answer<Vec<String>>| {
        let notes = notes.unwrap_or_else(|error| vec![error.to_string()]);
        !complain(store, &notes)
    };
    let leaves = tell(club.settle(post, now));
    let plays = tell(club.play_engines(now));
    // Unsent e-mails are kept for the next run.
    leaves && tell(club.settle(post, now)) && plays
}

/// The message on standard input, cut one byte above the limit, so that an overlong message is recognised.
fn message() -> Answer<Vec<u8>> {
    let mut message = Vec::new();
    // OpenSMTPD, qmail and Postfix's local delivery name the envelope's sender so; a delivery report has none.
    if env::var_os("SENDER").is_some_and(|sender| sender.is_empty()) {
        message.extend_from_slice(b"Return-Path: <>\n");
    }
    let limit = MAX_BYTES as u64 + 1;
    io::stdin().lock().take(limit).read_to_end(&mut message)?;
    // Read the rest, so that the sender does not get a closed pipe.
    io::copy(&mut io::stdin().lock(), &mut io::sink())?;
    Ok(message)
}

fn post(args: &PostArgs) -> Result<Post, Failure> {
    match &args.out {
        Some(folder) => Ok(Post::Folder(folder.clone())),
        None => Post::sendmail(&args.sendmail).or_usage("--sendmail"),
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}

/// Writes a line that names the store for each fault to standard error; `true` if there is one.
fn complain(store: &Path, faults: &[String]) -> bool {
    for fault in faults {
        warn(&format!("error: {}: {fault}", store.display()));
    }
    !faults.is_empty()
}
