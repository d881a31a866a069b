//! `linesman mail` and `linesman club`: games by e-mail.
//!
//! The library [`mail`] implements the club; this module handles its files, its error messages and its exit codes.

use std::env;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use mail::{Club, ClubError, MAX_BYTES, Post, Settings};
use record::registry::Registry;

use crate::args::{ClubAction, ClubArgs, ClubCommand, MailArgs, PostArgs};
use crate::matches::host::quiet_host;
use crate::output::{print, printable};
use crate::usage::{Failure, OrFail, refuse};

/// The exit status that makes a mail server try again later: `EX_TEMPFAIL`.
const TRY_AGAIN: u8 = 75;

/// Reads a message or executes the words of `--cli`. Returns the exit status.
pub(crate) fn run(args: &MailArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let post = post(&args.post)?;
    let host = quiet_host(registry)?;
    let now = now();
    let outcome = Club::open(&args.store, &Settings::default(), host).and_then(|mut club| {
        let answer = match &args.cli {
            Some(words) => Some(club.command(words, now)?),
            None => club.receive(&message()?, now).map(|_| None)?,
        };
        Ok((club, answer))
    });
    let (mut club, answer) = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            complain(&args.store, &error);
            return Ok(ExitCode::from(TRY_AGAIN));
        }
    };
    // The message is stored. Any later step that fails is repeated in the next run.
    finish(&mut club, &post, &args.store, now);
    let Some((text, is_done)) = answer else {
        return Ok(ExitCode::SUCCESS);
    };
    if !text.is_empty() {
        print(text.trim_end(), false)?;
    }
    Ok(ExitCode::from(u8::from(!is_done)))
}

/// Shows a club, or carries out the given action. Returns the exit status.
pub(crate) fn club(args: &ClubArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let post = post(&args.post)?;
    let host = quiet_host(registry)?;
    let store = match (&args.create, &args.store) {
        (Some(ClubCommand::Create { store, .. }), _) | (None, Some(store)) => store,
        (None, None) => return refuse!("club: expected FILE"),
    };
    let settings = Settings {
        makes: args.create.is_some(),
        ..Settings::default()
    };
    let now = now();
    let mut club = Club::open(store, &settings, host).or_trouble(store.display())?;
    if let Some(ClubCommand::Create {
        address,
        host,
        authserv_id,
        ..
    }) = &args.create
    {
        club.set_addresses(address, host)
            .or_trouble(store.display())?;
        club.trust(authserv_id).or_trouble(store.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.action == Some(ClubAction::Tick) {
        let (done, faults) = club.tick(now).or_trouble(store.display())?;
        let is_sound = finish(&mut club, &post, store, now);
        if !done.is_empty() {
            print(&done.join("\n"), false)?;
        }
        let is_faulty = complain_all(store, &faults);
        return Ok(ExitCode::from(u8::from(!is_sound || is_faulty)));
    }
    let (text, faults) = club.overview(now).or_trouble(store.display())?;
    print(&text, false)?;
    Ok(ExitCode::from(u8::from(complain_all(store, &faults))))
}

/// Sends e-mails, makes the engines' moves, and sends the resulting e-mails; `true` if there was no error.
fn finish(club: &mut Club, post: &Post, store: &Path, now: i64) -> bool {
    let tell = |notes: Result<Vec<String>, ClubError>| {
        let notes = notes.unwrap_or_else(|error| vec![error.to_string()]);
        !complain_all(store, &notes)
    };
    let leaves = tell(club.settle(post, now));
    let plays = tell(club.play_engines(now));
    // Unsent e-mails are kept for the next run.
    leaves && tell(club.settle(post, now)) && plays
}

/// The message on standard input, cut one byte above the limit, so that an overlong message is recognised.
fn message() -> Result<Vec<u8>, ClubError> {
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

/// Writes a line for each fault to standard error; `true` if there is one.
fn complain_all(store: &Path, faults: &[String]) -> bool {
    faults.iter().for_each(|fault| complain(store, fault));
    !faults.is_empty()
}

/// Writes an error line that names the store to standard error.
fn complain(store: &Path, what: &impl Display) {
    let text = format!("{}: {what}", store.display());
    let _ = writeln!(io::stderr(), "error: {}", printable(&text));
}
