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
use super::client::{Client, End};
use super::input::Input;
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
    let handle = begun.table.handle.clone();
    let secrets = GuestSecrets::of(&begun.setup);
    let tables = Tables::new(begun.table, begun.setup, begun.server.is_some());
    let tables = Rc::new(RefCell::new(tables));
    let sitting = Sitting {
        args,
        registry,
        terminal,
        table: handle,
        tables: Rc::clone(&tables),
    };
    let server = begun.server.map(|server| (server, secrets));
    let sat = sitting.sit(begun.signals, server, begun.note);
    drop(sitting);
    // Engines end before the program does, even if the client has failed.
    if let Some(tables) = Rc::into_inner(tables) {
        tables.into_inner().close()?;
    }
    sat
}

/// The host's place at the table.
struct Sitting<'a> {
    args: &'a PlayArgs,
    registry: Registry,
    terminal: Terminal,
    /// The first table.
    table: TableHandle,
    tables: Rc<RefCell<Tables>>,
}

impl Sitting<'_> {
    /// Runs the client until the person leaves or the table ends.
    fn sit(
        &self,
        signals: CaughtSignals,
        server: Option<(Server, GuestSecrets)>,
        note: Option<String>,
    ) -> Result<ExitCode, Failure> {
        let mut session = TableSession::join(
            &self.table,
            self.registry,
            JoinWish::new("host", Role::Host),
        )?;
        // Signals are handled only from here on: if a table stops before the host joins, its reason is lost.
        let (sender, input) = bounded(MAX_WAITING);
        let interrupt = Arc::new(Mutex::new(Interrupt::Ends));
        let tables = self.tables.borrow().handles();
        heed_signals(signals, tables, sender.clone(), Arc::clone(&interrupt))?;
        session.await_start(None).map_err(|error| match error {
            SessionError::Closed(_) => Failure::Interrupted,
            error => error.into(),
        })?;
        if self.args.json {
            return Ok(self.status(super::json::run(session)?));
        }
        let served = server.map(|(server, secrets)| self.serve(server, secrets, session.game()));
        let served = served.transpose()?;
        let (invitation, accepted) = served.unzip();
        let style = self.terminal.style(self.args);
        let opened = self.terminal.open(sender, input, &style);
        let (mut screen, reads_keys) = opened.map_err(no_thread)?;
        *interrupt.lock() = match reads_keys {
            true => Interrupt::IsIgnored,
            false => Interrupt::IsTold,
        };
        let begins_with_keys = !self.args.lines && screen.reads_keys() && screen.size().is_some();
        let header = text::header(session.game(), begins_with_keys);
        let greeting = [Some(header), note, invitation].into_iter().flatten();
        let greeting = greeting.collect::<Vec<_>>().join("\n");
        let mut client = Client::new(session.into_parts(), screen.as_mut(), style);
        client.returns_to_keys = begins_with_keys;
        client.another = Some(Tables::opener(&self.tables));
        client.talk.puzzle_set = self.args.puzzles.clone();
        let (door, guests) = accepted.unzip();
        if let Some(door) = door {
            client.door = Some(door);
        }
        let left = client.run(&greeting)?;
        screen.close(&farewell(&left.end, &left.game));
        if let Some(guests) = guests {
            guests.wait_for_farewells();
        }
        Ok(self.status(left.n_refused))
    }

    fn status(&self, n_refused: usize) -> ExitCode {
        match n_refused {
            n if n > 0 && self.args.strict => ExitCode::from(STRICT_STATUS),
            _ => ExitCode::SUCCESS,
        }
    }

    /// Accepts guests. Returns the invitation that the host sees, who may join, and the guests.
    fn serve(
        &self,
        server: Server,
        secrets: GuestSecrets,
        game: &ClientGame,
    ) -> Result<(String, (Arc<Door>, Guests)), Failure> {
        let (address, port) = (server.address.ip(), server.address.port());
        let machine = if address.is_unspecified() {
            "ADDRESS-OF-THIS-MACHINE".to_owned()
        } else {
            address.to_string()
        };
        let (password, note) = match &server.password {
            Some(password) => (password.clone(), weakness(password)),
            None => {
                let made = secrets.password().or_fail()?;
                (made, String::new())
            }
        };
        let awaited = match game.n_missing() {
            0 | 1 => "the other person".to_owned(),
            n_missing => format!("{n_missing} other people"),
        };
        let invitation = format!(
            "{note}waiting for {awaited}: nc {machine} {port}\n\
             to play: join {password}\n\
             to watch: join {password} watch"
        );
        let door = Door::new(self.registry, self.table.clone(), password, secrets);
        let door = Arc::new(door);
        let guests = server.serve(Arc::clone(&door), self.args.ascii);
        Ok((invitation, (door, guests.map_err(no_thread)?)))
    }
}

/// A note on a password that is easy to guess; empty for a good one.
fn weakness(password: &str) -> String {
    match password_bits(password) {
        bits if bits >= SAFE_BITS => String::new(),
        bits => format!(
            "note: this password has at most {bits:.0} bits and can be guessed. Safe are {SAFE_BITS}, such as 8 random \
             letters and digits.\n"
        ),
    }
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

/// A line that shows how to resume an unfinished game.
fn farewell(end: &End, game: &ClientGame) -> String {
    let is_error = matches!(end, End::Closed { is_error: true, .. });
    match text::to_go_on(game).filter(|_| !is_error) {
        Some(line) => format!("{line}\n"),
        None => String::new(),
    }
}
