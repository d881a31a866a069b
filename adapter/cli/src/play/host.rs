//! The person who started the program: opens the table, which guests may join.

use std::cell::RefCell;
use std::io;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Sender, bounded};
use parking_lot::Mutex;
use record::registry::Registry;
use table::token::password_bits;
use table::{ClientGame, JoinWish, Role, SessionError, TableHandle, TableSession};

use super::another::Tables;
use super::client::{Client, End, Left};
use super::screen::Input;
use super::socket::{Door, GuestSecrets, Guests, Server};
use super::start::begin;
use super::terminal::Terminal;
use super::text;
use crate::args::PlayArgs;
use crate::matches::host::quiet_host;
use crate::platform::{self, CaughtSignals, Wish};
use crate::usage::{Failure, OrFail};

/// Time limit for the whole shutdown after a signal. Engines get one second of it.
const GRACE: Duration = Duration::from_secs(5);

/// Exit status of `--strict` after a refused line.
const STRICT_STATUS: u8 = 4;

/// Maximum number of queued lines and signals.
const MAX_WAITING: usize = 64;

/// Bits of a password that resists guessing.
const SAFE_BITS: f64 = 40.0;

/// Plays until the person leaves. Returns the exit status.
pub(crate) fn run(args: &PlayArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let host = quiet_host(registry)?;
    let terminal = Terminal::here();
    let begun = begin(args, host, terminal.is_interactive)?;
    let secrets = GuestSecrets::of(&begun.setup);
    let server = begun.server.map(|server| (server, secrets));
    let tables = Tables::new(begun.table, begun.setup, server.is_some());
    let tables = Rc::new(RefCell::new(tables));
    let sat = sit(
        args,
        registry,
        terminal,
        &tables,
        (begun.signals, server, begun.note),
    );
    // Engines end before the program does, even if the client has failed.
    if let Some(tables) = Rc::into_inner(tables) {
        tables.into_inner().close()?;
    }
    Ok(match sat? {
        n_refused if n_refused > 0 && args.strict => ExitCode::from(STRICT_STATUS),
        _ => ExitCode::SUCCESS,
    })
}

/// The signals, the server for guests with their passwords, and what the host is told first.
type Begun = (
    CaughtSignals,
    Option<(Server, GuestSecrets)>,
    Option<String>,
);

/// Runs the client of the host until the person leaves or the table ends. Returns the number of refused lines.
fn sit(
    args: &PlayArgs,
    registry: Registry,
    terminal: Terminal,
    tables: &Rc<RefCell<Tables>>,
    (signals, server, note): Begun,
) -> Result<usize, Failure> {
    let handles = tables.borrow().handles();
    let table = handles.lock()[0].clone();
    let mut session = TableSession::join(&table, registry, JoinWish::new("host", Role::Host))?;
    // Signals are handled only from here on: if a table stops before the host joins, its reason is lost.
    let (sender, input) = bounded(MAX_WAITING);
    let interrupt = Arc::new(Mutex::new(Interrupt::Ends));
    heed_signals(signals, handles, sender.clone(), Arc::clone(&interrupt))?;
    session.await_start(None).map_err(|error| match error {
        SessionError::Closed(_) => Failure::Interrupted,
        error => error.into(),
    })?;
    if args.json {
        return super::json::run(session);
    }
    let served = server.map(|(server, secrets)| {
        let invitation = invitation(&server, &secrets, session.game())?;
        let door = Arc::new(Door::new(registry, table, invitation.1, secrets));
        let guests = server
            .serve(Arc::clone(&door), args.ascii)
            .map_err(no_thread)?;
        Ok::<(String, Arc<Door>, Guests), Failure>((invitation.0, door, guests))
    });
    let (invitation, door, guests) = match served.transpose()? {
        Some((invitation, door, guests)) => (Some(invitation), Some(door), Some(guests)),
        None => (None, None, None),
    };
    let style = terminal.style(args);
    let mut screen = terminal.open(sender, input, &style).map_err(no_thread)?;
    *interrupt.lock() = match screen.reads_keys() {
        true => Interrupt::IsIgnored,
        false => Interrupt::IsTold,
    };
    let begins_with_keys = !args.lines && screen.reads_keys() && screen.size().is_some();
    let header = text::header(session.game(), begins_with_keys);
    let greeting = [Some(header), note, invitation].into_iter().flatten();
    let greeting = greeting.collect::<Vec<_>>().join("\n");
    let mut client = Client::new(session.into_parts(), screen.as_mut(), style);
    client.returns_to_keys = begins_with_keys;
    client.another = Some(Tables::opener(tables));
    client.talk.puzzle_set = args.puzzles.clone();
    client.door = door;
    let Left {
        end,
        game,
        n_refused,
    } = client.run(&greeting)?;
    let is_error = matches!(end, End::Closed { is_error: true, .. });
    let farewell = text::to_go_on(&game).filter(|_| !is_error);
    screen.close(&farewell.map_or_else(String::new, |line| line + "\n"));
    if let Some(guests) = guests {
        guests.wait_for_farewells();
    }
    Ok(n_refused)
}

/// The lines that invite guests, and the password in them.
fn invitation(
    server: &Server,
    secrets: &GuestSecrets,
    game: &ClientGame,
) -> Result<(String, String), Failure> {
    let (address, port) = (server.address.ip(), server.address.port());
    let machine = match address.is_unspecified() {
        true => "ADDRESS-OF-THIS-MACHINE".to_owned(),
        false => address.to_string(),
    };
    let password = match &server.password {
        Some(password) => password.clone(),
        None => secrets.password().or_fail()?,
    };
    let note = match password_bits(&password) {
        bits if bits < SAFE_BITS && server.password.is_some() => format!(
            "note: this password has at most {bits:.0} bits and can be guessed. Safe are {SAFE_BITS}, such as 8 random \
             letters and digits.\n"
        ),
        _ => String::new(),
    };
    let awaited = match game.n_missing() {
        0 | 1 => "the other person".to_owned(),
        n_missing => format!("{n_missing} other people"),
    };
    let lines = format!(
        "{note}waiting for {awaited}: nc {machine} {port}\n\
         to play: join {password}\n\
         to watch: join {password} watch"
    );
    Ok((lines, password))
}

fn no_thread(error: io::Error) -> Failure {
    Failure::Trouble(format!("cannot start a thread: {error}"))
}

/// The effect of SIGINT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interrupt {
    /// It ends the program, while the table's engines start.
    Ends,
    /// It is forwarded to the client.
    IsTold,
    /// None: Ctrl-C is a key.
    IsIgnored,
}

/// Starts the handling of signals. SIGTERM and SIGHUP stop the tables at any time, and end the program if a blocked
/// terminal holds up the client.
fn heed_signals(
    signals: CaughtSignals,
    tables: Arc<Mutex<Vec<TableHandle>>>,
    input: Sender<Input>,
    interrupt: Arc<Mutex<Interrupt>>,
) -> Result<(), Failure> {
    let stop = move || tables.lock().iter().for_each(TableHandle::stop);
    let act = move |wish: Wish| match wish {
        Wish::Terminate => {
            stop();
            platform::exit_after(GRACE, 1);
        }
        Wish::Interrupt => match *interrupt.lock() {
            Interrupt::Ends => stop(),
            // If the queue is full, the interrupt is dropped: the client is busy with earlier input.
            Interrupt::IsTold => drop(input.try_send(Input::Interrupt)),
            Interrupt::IsIgnored => {}
        },
    };
    signals.act(act)
}
