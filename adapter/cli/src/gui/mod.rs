//! `linesman gui`: the board in a browser. The server is the library's [`gui`]; here are its address, its paths, and
//! the signals that end it.

mod host;

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crossbeam_channel::bounded;
use gui::{MatchSource, Server, Settings, Start};
use referee::event::Broadcast;
use referee::registry::Registry;
use referee::tournament::Host;

use crate::args::GuiArgs;
use crate::output::{printable, put};
use crate::plan::{parse_game, usage};
use crate::platform;
use crate::play::arguments;
use crate::play::begin::{catch_signals, no_signals};
use crate::play::socket::address;
use crate::usage::Failure;
use host::GuiHost;

/// How long the program may take to end when it is told to. Engines have a second of it.
const GRACE: Duration = Duration::from_secs(5);

/// The program that opens an address in the browser.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// Serves until a signal comes; the status to exit with.
pub(crate) fn run(args: &GuiArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let executable = env::current_exe()
        .map_err(|error| Failure::Trouble(format!("cannot find this executable: {error}")))?;
    let host = GuiHost::new(registry, executable, args);
    let listen = args.listen.as_deref().map(address::parse).transpose();
    let settings = Settings {
        port: args.port,
        listen: listen.map_err(|why| usage("--listen", &why))?,
        start: start(args, &host)?,
        ..Settings::default()
    };
    let (end, ended) = bounded(1);
    let signals = catch_signals()?;
    let server = Server::start(settings, Arc::new(host));
    let server = server.map_err(|error| Failure::Trouble(error.to_string()))?;
    let act = move |_| {
        let _ = end.try_send(());
        platform::exit_after(GRACE, 1);
    };
    signals.act(act).map_err(no_signals)?;
    let link = server.link();
    let put = put(&link, false).map_err(Failure::Output);
    if put.is_ok() {
        if args.open {
            open(&link);
        }
        let _ = ended.recv();
    }
    server.stop();
    put.map(|()| ExitCode::SUCCESS)
}

/// Serves a page that shows a match, and writes its address to standard error.
pub(crate) fn show_match(
    events: &Broadcast,
    ledger: &Path,
    host: &Host,
) -> Result<Server, Failure> {
    let source = MatchSource {
        events: events.clone(),
        ledger: ledger.to_owned(),
    };
    let settings = Settings {
        source: Some(source),
        ..Settings::default()
    };
    let host = GuiHost::of_match(host.clone());
    let server = Server::start(settings, Arc::new(host));
    let server = server.map_err(|error| Failure::Trouble(format!("--gui: {error}")))?;
    let _ = writeln!(io::stderr(), "{}", server.link());
    Ok(server)
}

/// What the first page opens: the game of the arguments, checked before anything is served.
fn start(args: &GuiArgs, host: &GuiHost) -> Result<Option<Start>, Failure> {
    let Some(game) = &args.game else {
        return Ok(None);
    };
    let game = parse_game(game)?;
    arguments::rules(host.registry(), &game)?;
    let seat = |seat: &Option<String>, usual: &str| seat.clone().unwrap_or(usual.to_owned());
    let seats = [seat(&args.p1, "human"), seat(&args.p2, "builtin")];
    host.check_seats(&seats)?;
    Ok(Some(Start { game, seats }))
}

/// Opens the page in the browser. Where that fails, the address is on standard output all the same.
fn open(link: &str) {
    let mut command = Command::new(OPENER);
    command.arg(link).stdin(Stdio::null());
    let opened = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let opened = opened.and_then(|mut opener| {
        let wait = move || drop(opener.wait());
        thread::Builder::new().spawn(wait)
    });
    if let Err(error) = opened {
        let note = format!("note: --open: {OPENER}: {error}: open the address by hand");
        let _ = writeln!(io::stderr(), "{}", printable(&note));
    }
}
