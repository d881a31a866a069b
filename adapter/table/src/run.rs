//! The thread of a table: waits for requests, engine output and deadlines in one place.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::model::{TableEvent, Turn};
use crossbeam_channel::TryRecvError;
use referee::engine::{Request, wait_any};
use referee::match_error::MatchError;
use referee::process::QUIT_TIMEOUT;

use crate::error::TableError;
use crate::session::{Inbox, TableHandle, Wanted};
use crate::setup::{PausedTable, TableSetup};
use crate::state::Table;

/// Maximum number of requests handled before engines are polled again.
const MAX_REQUESTS: usize = 64;

/// Poll interval for lagging clients.
const LATE_CHECK: Duration = Duration::from_millis(100);

/// Poll interval for a failure of a rules program, which a client may cause by a question about the board.
const RULES_CHECK: Duration = Duration::from_millis(500);

/// A running table.
#[derive(Debug)]
pub struct OpenTable {
    /// The channel to the table.
    pub handle: TableHandle,
    thread: JoinHandle<Result<(), TableError>>,
}

impl OpenTable {
    /// Blocks until the table has closed and its engines have quit.
    ///
    /// # Errors
    /// The error that closed the table.
    pub fn join(self) -> Result<(), TableError> {
        let ended = self.thread.join();
        ended.unwrap_or_else(|panic| Err(TableError::Panicked(message(panic.as_ref()))))
    }
}

/// Opens a new table. Its engines are started on the table's thread; if one fails to start, the table sends `closed`
/// and [`OpenTable::join`] returns the error.
///
/// # Errors
/// The game has no rules, the opening or the game so far is not legal, or no thread can be started.
pub fn open(setup: TableSetup) -> Result<OpenTable, TableError> {
    spawn(Table::create(setup, None, None)?)
}

/// Reopens the table of a ledger.
///
/// # Errors
/// The same as for [`open`].
pub fn resume(paused: PausedTable) -> Result<OpenTable, TableError> {
    spawn(Table::create(paused.setup, Some(paused.resumed), None)?)
}

fn spawn(table: Table) -> Result<OpenTable, TableError> {
    let (handle, inbox) = TableHandle::pair().map_err(TableError::Thread)?;
    let thread = thread::Builder::new().name("table".to_owned());
    let thread = thread.spawn(move || table.run(&inbox));
    Ok(OpenTable {
        handle,
        thread: thread.map_err(TableError::Thread)?,
    })
}

impl Table {
    /// Serves the clients until the table closes; then shuts the engines down.
    pub(super) fn run(mut self, inbox: &Inbox) -> Result<(), TableError> {
        let served = catch_unwind(AssertUnwindSafe(|| self.serve(inbox)));
        let served =
            served.unwrap_or_else(|panic| Err(TableError::Panicked(message(panic.as_ref()))));
        let (why, is_error) = match &served {
            Ok(()) => ("the table was closed".to_owned(), false),
            Err(error) => (error.to_string(), true),
        };
        self.close(&why, is_error);
        inbox.close(&why);
        refuse_joins(inbox, &why, is_error);
        self.shut_down();
        served
    }

    fn serve(&mut self, inbox: &Inbox) -> Result<(), TableError> {
        let now = Instant::now();
        if self.turn() == Turn::Starting {
            self.start(now)?;
        }
        self.reconcile()?;
        while !self.is_closed() && is_wanted(inbox) {
            self.wait(inbox);
            let requests: Vec<_> = inbox.requests.try_iter().take(MAX_REQUESTS).collect();
            for request in requests {
                self.handle(request, Instant::now())?;
            }
            if !self.is_closed() {
                // A move that arrived in time is handled before the flag is checked.
                let is_behind = !inbox.requests.is_empty();
                self.poll(Instant::now(), is_behind)?;
            }
            if let Some(why) = self.board().fault() {
                return Err(MatchError::Trouble(why).into());
            }
        }
        Ok(())
    }

    /// Blocks until a request, engine output or a deadline arrives.
    fn wait(&mut self, inbox: &Inbox) {
        if !inbox.requests.is_empty() {
            return;
        }
        let deadline = self.deadline(Instant::now());
        let seats = self.seats.iter_mut().flatten();
        let (mut busy, mut idle) = (Vec::new(), Vec::new());
        for seat in seats {
            match seat.is_busy() {
                true => busy.extend(&mut seat.engine),
                false => idle.extend(&mut seat.engine),
            }
        }
        busy.extend(self.analyst.analyser.busy_engine());
        wait_any(busy, idle, Some(&inbox.alarm), deadline);
        inbox.alarm.clear();
    }

    /// Processes engine output, expired clocks and lost connections. If `is_behind`, requests are still queued, so no
    /// flag falls.
    ///
    /// # Errors
    /// The table must close.
    pub(super) fn poll(&mut self, now: Instant, is_behind: bool) -> Result<(), TableError> {
        self.now = now;
        while let Some(end) = self.stop_waiting() {
            self.set_timer(end);
        }
        self.poll_engines()?;
        self.poll_analyst();
        if let Some((side, _)) = self.flag().filter(|(_, end)| *end <= now && !is_behind) {
            self.run_out(side)?;
        }
        for client in self.clients.gone() {
            self.leave(client, "connection lost");
        }
        self.reconcile()?;
        for client in self.clients.late() {
            let snapshot = self.snapshot(client);
            if let Some(client) = self.clients.find_mut(client) {
                client.catch_up(snapshot);
            }
        }
        Ok(())
    }

    /// The latest time for the next [`poll`](Table::poll).
    pub(super) fn deadline(&mut self, now: Instant) -> Option<Instant> {
        self.now = now;
        let flag = self.flag().map(|(_, end)| end);
        let late = self.clients.is_any_late().then(|| now + LATE_CHECK);
        let rules = self.rules.are_of_program().then(|| now + RULES_CHECK);
        let seats = self.seats.iter_mut().flatten();
        let seats = seats.filter_map(|seat| seat.busy_engine()?.deadline(now));
        let engines = seats.min();
        let analyst = self.analyst.analyser.deadline(now);
        let pause = self.pause_end();
        let waiting = self.waiting_end().map(|(end, _)| end);
        [flag, late, rules, engines, analyst, pause, waiting]
            .into_iter()
            .flatten()
            .min()
    }

    /// Tells all engines to quit, and kills those that are still running at the deadline.
    fn shut_down(&mut self) {
        let seats = self.seats.iter_mut().flatten();
        let seats = seats.filter_map(|seat| seat.engine.take());
        let mut engines: Vec<_> = seats.chain(self.analyst.analyser.remove_engine()).collect();
        for engine in &mut engines {
            // A process that is not running has nothing to quit.
            let _ = engine.ask(Request::Quit, Instant::now());
        }
        let deadline = Instant::now() + QUIT_TIMEOUT;
        for engine in &mut engines {
            engine.end(deadline);
        }
    }
}

/// Answers queued `join` requests with `closed`. Their clients are not registered, so they would wait forever.
fn refuse_joins(inbox: &Inbox, why: &str, is_error: bool) {
    for request in inbox.requests.try_iter() {
        if let Wanted::Join(_, events) = request.what {
            let why = why.to_owned();
            // The client may have disconnected.
            let _ = events.try_send(TableEvent::Closed { why, is_error });
        }
    }
}

/// `true` until the table is stopped, or its last handle is dropped and all requests are handled.
fn is_wanted(inbox: &Inbox) -> bool {
    match inbox.stop.try_recv() {
        Ok(()) => false,
        Err(TryRecvError::Empty) => true,
        Err(TryRecvError::Disconnected) => !inbox.requests.is_empty(),
    }
}

/// The text of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without a message".to_owned())
}
