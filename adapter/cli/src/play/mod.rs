//! `linesman play`: people at a table, at a terminal, a pipe or a socket.
//!
//! The table is the library `table`: it manages the game and its clocks, and decides which requests
//! are allowed. The person who started the program and each guest are clients of it ([`client`]). Each client has a
//! separate [`screen`]: a [`terminal`] that passes on each key, plain [`lines`], or a [`socket`].
//! [`start`] opens the table that the arguments describe; this module seats the person who started the program.

mod client;
mod help;
pub(crate) mod ratings;
pub(crate) mod screen;
pub(crate) mod style;
pub(crate) mod text;
mod words;

pub(crate) mod line;
mod lines;
pub(crate) mod socket;
pub(crate) mod terminal;

mod another;
pub(crate) mod start;

use std::env;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use itertools::Itertools;
use parking_lot::Mutex;
use record::registry::Registry;
use table::token::password_bits;
use table::{ClientGame, JoinWish, Role, SessionError, TableHandle, TableSession};

use another::Tables;
use client::{Client, End};
use lines::{Lines, run_json};
use screen::{Input, InputMode, Screen};
use socket::Server;
use socket::join::Door;
use start::{Begun, begin};
use style::BoardStyle;
use terminal::RawTerminal;

use crate::args::PlayArgs;
use crate::matches::quiet_host;
use crate::output::is_ascii_locale;
use crate::platform::{self, CaughtSignals, Wish};
use crate::usage::{Done, Failure, OrFail};

/// Time limit for the whole shutdown after a signal. Engines get one second of it.
const GRACE: Duration = Duration::from_secs(5);

/// Exit status of `--strict` after a refused line.
const STRICT_STATUS: u8 = 4;

/// Maximum number of queued lines and signals.
const MAX_WAITING: usize = 64;

const NO_THREAD: &str = "cannot start a thread";

/// Bits of a password that resists guessing.
const SAFE_BITS: f64 = 40.0;

/// Plays until the person leaves. Returns the exit status.
pub(crate) fn run(args: &PlayArgs, registry: Registry) -> Done<ExitCode> {
    let host = quiet_host(registry)?;
    let Begun {
        mut tables,
        signals,
        server,
        notes,
    } = begin(args, host, io::stdin().is_terminal())?;
    let sat = sit(args, &mut tables, signals, server, notes);
    // Engines end before the program does, even if the client has failed.
    tables.close()?;
    Ok(match sat? {
        n_refused if n_refused > 0 && args.strict => ExitCode::from(STRICT_STATUS),
        _ => ExitCode::SUCCESS,
    })
}

/// Runs the client of the host until the person leaves or the table ends. Returns the number of refused lines.
fn sit(
    args: &PlayArgs,
    tables: &mut Tables,
    signals: CaughtSignals,
    server: Option<Server>,
    notes: Vec<String>,
) -> Done<usize> {
    let registry = tables.setup.host.registry;
    let table = tables.open.handle.clone();
    let mut session = TableSession::join(&table, registry, JoinWish::new("host", Role::Host))?;
    // Signals are handled only from here on: if a table stops before the host joins, its reason is lost.
    let (sender, input) = bounded(MAX_WAITING);
    let is_told = Arc::new(AtomicBool::new(false));
    let handles = Arc::clone(&tables.handles);
    heed_signals(signals, handles, sender.clone(), Arc::clone(&is_told))?;
    session.await_start(None).map_err(|error| match error {
        SessionError::Closed(_) => Failure::Interrupted,
        error => error.into(),
    })?;
    if args.json {
        return run_json(session);
    }
    let (mut invited, mut door) = (None, None);
    if let Some(server) = server {
        let chosen = server.password.clone();
        let own = Door::new(&tables.setup, table, chosen, args.ascii).or_fail()?;
        invited = Some(invitation(&server, &own, &session.game));
        let own = door.insert(Arc::new(own));
        server.serve(Arc::clone(own)).or_trouble(NO_THREAD)?;
    }
    let (mut screen, style) = open_screen(args, sender, input).or_trouble(NO_THREAD)?;
    is_told.store(true, Ordering::Relaxed);
    let begins_with_keys = !args.lines && screen.reads_keys() && screen.size().is_some();
    let header = text::header(&session.game, begins_with_keys);
    let greeting = [header].into_iter().chain(notes).chain(invited).join("\n");
    let mut client = Client::new(session, screen.as_mut(), style);
    client.returns_to_keys = begins_with_keys;
    client.another = Some(tables);
    client.talk.puzzle_set = args.puzzles.clone();
    client.door.clone_from(&door);
    let left = client.run(&greeting)?;
    let is_error = matches!(left.end, End::Closed { is_error: true, .. });
    let farewell = text::to_go_on(&left.game).filter(|_| !is_error);
    screen.close(&farewell.map_or_else(String::new, |line| line + "\n"));
    if let Some(door) = door {
        door.wait_for_farewells();
    }
    Ok(left.n_refused)
}

/// Starts the input, and returns the screen, with line editing and colours at a terminal that is not dumb. Lines sent to
/// `sender` arrive at `input`.
///
/// # Errors
/// No thread can be started.
fn open_screen(
    args: &PlayArgs,
    sender: Sender<Input>,
    input: Receiver<Input>,
) -> io::Result<(Box<dyn Screen>, BoardStyle)> {
    let mut style = BoardStyle::plain(args.ascii || is_ascii_locale());
    let is_dumb = |term: String| matches!(term.as_str(), "dumb" | "emacs" | "cons25");
    let is_interactive = io::stdin().is_terminal();
    let is_edited = is_interactive && io::stdout().is_terminal();
    if is_edited && !env::var("TERM").is_ok_and(is_dumb) {
        style.is_coloured = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        if let Ok(terminal) = RawTerminal::open(sender.clone(), input.clone()) {
            return Ok((Box::new(terminal), style));
        }
    }
    let mode = match is_interactive {
        true => InputMode::Terminal,
        false => InputMode::Script,
    };
    let lines = Lines::open(mode, sender, input, style.clone())?;
    Ok((Box::new(lines), style))
}

/// The lines that invite guests.
fn invitation(server: &Server, door: &Door, game: &ClientGame) -> String {
    let (address, port) = (server.address.ip(), server.address.port());
    let machine = match address.is_unspecified() {
        true => "ADDRESS-OF-THIS-MACHINE".to_owned(),
        false => address.to_string(),
    };
    let note = match server.password.as_deref().map(password_bits) {
        Some(bits) if bits < SAFE_BITS => format!(
            "note: this password has at most {bits:.0} bits and can be guessed. Safe are {SAFE_BITS}, such as 8 random \
             letters and digits.\n"
        ),
        _ => String::new(),
    };
    let awaited = match game.n_missing() {
        0 | 1 => "the other person".to_owned(),
        n_missing => format!("{n_missing} other people"),
    };
    let join = door.line();
    format!(
        "{note}waiting for {awaited}: nc {machine} {port}\nto play: {join}\nto watch: {join} watch"
    )
}

/// Starts the handling of signals. SIGINT ends the program while the table's engines start; then the client `is_told`.
/// SIGTERM and SIGHUP stop the tables at any time, and end the program if a blocked terminal holds up the client.
fn heed_signals(
    signals: CaughtSignals,
    tables: Arc<Mutex<Vec<TableHandle>>>,
    input: Sender<Input>,
    is_told: Arc<AtomicBool>,
) -> Done {
    let stop = move || tables.lock().iter().for_each(TableHandle::stop);
    let act = move |wish: Wish| match wish {
        Wish::Terminate => {
            stop();
            platform::exit_after(GRACE, 1);
        }
        // If the queue is full, the interrupt is dropped: the client is busy with earlier input.
        Wish::Interrupt if is_told.load(Ordering::Relaxed) => {
            drop(input.try_send(Input::Interrupt))
        }
        Wish::Interrupt => stop(),
    };
    signals.act(act)
}
