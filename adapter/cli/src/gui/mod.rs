//! `linesman gui`: the board in a browser.
//!
//! The library [`gui`] is the server; this module supplies its address, its paths, and the signals that stop it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{env, thread};

use gui::{Host as _, MatchSource, Server, Settings, Wish};
use host::GuiHost;
use record::clock::Limit;
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Registry;
use referee::broadcast::Broadcast;
use referee::capacity::descriptors_of;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::Conclusion;
use table::journal::Journal;
use table::{SeatSpec, new_id};
use tempfile::NamedTempFile;

use crate::args::{GuiArgs, PlayArgs, TableArgs};
use crate::game_name::{parse_game, rules};
use crate::matches::quiet_host;
use crate::output::{print, printable, warn};
use crate::platform::stop_on_signals;
use crate::play::socket::parse_address;
use crate::play::start::arguments::Defaults;
use crate::records::trust;
use crate::usage::{Failure, OrFail};

mod host;

/// Time that the pages of a match have to read its end; the shorter limit applies if the match was stopped at once.
const END_TIMEOUT: Duration = Duration::from_secs(10);
const SHORT_END_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves until a signal arrives. Returns the exit status.
pub(crate) fn run(args: &GuiArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let table = TableArgs {
        search_timeout: args.search_timeout,
        sync: args.sync,
        ..PlayArgs::of("").table
    };
    let host = GuiHost::new(quiet_host(registry)?, table, args.guests.reconnect);
    let listen = args.listen.as_deref().map(parse_address).transpose();
    let settings = Settings {
        port: args.port,
        host_token: host_token(args.port),
        listen: listen.or_usage("--listen")?,
        // clap has checked that there are two.
        tls: args.tls.clone().and_then(|files| files.try_into().ok()),
        url: args.url.clone(),
        start: start(args, &host)?,
        grace: Duration::from_millis(args.grace_ms),
        ..Settings::default()
    };
    let ended = stop_on_signals()?;
    let server = Server::start(settings, Arc::new(host)).or_fail()?;
    let link = server.link();
    let put = print(&link, false);
    if put.is_ok() {
        let _way = args.open.then(|| open(&link));
        let _ = ended.recv();
    }
    server.stop();
    put.map(|()| ExitCode::SUCCESS)
}

/// The token of a fixed port: the same at each start, so that open pages and bookmarks stay valid. `None` without a fixed
/// port, or without the secret of this user.
fn host_token(port: u16) -> Option<String> {
    let secret = trust::secret().filter(|_| port != 0)?;
    Some(secret.token(&format!("gui {port}")))
}

/// Serves a page that shows a match; writes the page's address to standard error.
pub(crate) fn show_match(events: &Broadcast, plan: &Plan, host: &Host) -> Result<Server, Failure> {
    let source = MatchSource {
        events: events.clone(),
        ledger: plan.ledger.clone(),
    };
    let settings = Settings {
        source: Some(source),
        reserved: descriptors_of(plan),
        ..Settings::default()
    };
    let host = GuiHost::new(host.clone(), PlayArgs::of("").table, Duration::ZERO);
    let server = Server::start(settings, Arc::new(host)).or_trouble("--gui")?;
    warn(&server.link());
    Ok(server)
}

/// Sends the end of the match to the pages.
pub(crate) fn end_match(
    server: Server,
    ended: &Result<Conclusion, MatchError>,
    ledger: &Path,
    resume_hint: &str,
    host: &Host,
) {
    let replay = format!("to replay game 3: linesman show {} 3", ledger.display());
    let (how, next) = match ended {
        Ok(ended) if ended.is_complete => ("The match is over.", replay.as_str()),
        Ok(_) => ("The match was interrupted.", resume_hint),
        Err(error) => (
            &*format!("The match cannot continue: {error}."),
            resume_hint,
        ),
    };
    let is_now = host.stop.is_now();
    let limit = if is_now {
        SHORT_END_TIMEOUT
    } else {
        END_TIMEOUT
    };
    let text = format!("{how} This page is no longer updated; {next}.");
    server.end_match(printable(&text).into_owned(), limit);
}

/// The game that the first page opens, from the arguments. It is checked before the server starts.
fn start(args: &GuiArgs, host: &GuiHost) -> Result<Option<Wish>, Failure> {
    let Some(game) = &args.game else {
        return Ok(None);
    };
    let game = parse_game(game, host.registry())?;
    rules(host.registry(), &game)?;
    let defaults = Defaults::of_limit(Limit::Unlimited, None)?;
    let seat = |flag: &str, seat: &Option<String>, usual: SeatSpec| {
        let seat = seat
            .as_ref()
            .map_or(Ok(usual), |text| defaults.parse(flag, text))?;
        defaults.player(flag, seat.clone()).map(|_| seat)
    };
    let seats = [
        seat("--p1", &args.p1, SeatSpec::PERSON)?,
        seat("--p2", &args.p2, SeatSpec::ENGINE)?,
    ];
    let journal = Journal::new(new_id(), Opening::default());
    Ok(Some(Wish::new(game, seats, journal)))
}

/// The program that opens a file in the browser.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// `--open`: opens a page in the browser, by a file that redirects to it. The page's address is not an argument of the
/// browser, since other users of this machine can read a program's arguments, and the address contains the host's token.
/// Only this user can read the file, which is deleted when the result is dropped. If the browser cannot be opened, a note
/// is shown; the address is on standard output in any case.
fn open(link: &str) -> Option<NamedTempFile> {
    let opened = way_to(link).and_then(|file| start_browser(&file).map(|()| file));
    let note =
        |error: &io::Error| warn(&format!("note: --open: {error}: open the address yourself"));
    opened.inspect_err(note).ok()
}

/// Writes a page that redirects to another one at once.
fn way_to(link: &str) -> io::Result<NamedTempFile> {
    // The user's folder for files of a session, or the one for temporary files.
    let own = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let folder = own.filter(|folder| folder.is_dir());
    let mut file = tempfile::Builder::new()
        .prefix("linesman-")
        .suffix(".html")
        .tempfile_in(folder.unwrap_or_else(env::temp_dir))?;
    write!(
        file,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={link}\">\n<title>Linesman</title>\n\
         <p><a href=\"{link}\">To the board</a></p>\n"
    )?;
    file.flush()?;
    Ok(file)
}

fn start_browser(file: &NamedTempFile) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    command.arg(file.path()).stdin(Stdio::null());
    let opener = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let named = |error: io::Error| io::Error::other(format!("{OPENER}: {error}"));
    let mut opener = opener.map_err(named)?;
    thread::Builder::new().spawn(move || drop(opener.wait()))?;
    Ok(())
}
