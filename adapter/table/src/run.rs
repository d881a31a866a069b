//! The thread of a table: waits for requests, engine output and deadlines in one place, checks permissions and carries out
//! the requests.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::model::{
    ClientId, Command, CommandId, CommandId as C, Question, Refusal, RequestId, Role, TableCommand,
    TableEvent, Turn, Users, When,
};
use crossbeam_channel::TryRecvError;
use protocol::text::one_line;
use referee::engine;
use referee::match_error::MatchError;
use referee::process::QUIT_TIMEOUT;

use crate::error::{Done, TableError, failed, refuse};
use crate::session::{Client, Inbox, Request, TableHandle, Wanted};
use crate::setup::{PausedTable, TableSetup};
use crate::state::{Phase, Table};

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
    pub fn join(self) -> Done {
        self.thread.join().unwrap_or_else(panicked)
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
    pub(super) fn run(mut self, inbox: &Inbox) -> Done {
        let served = catch_unwind(AssertUnwindSafe(|| self.serve(inbox)));
        let served = served.unwrap_or_else(panicked);
        let (why, is_error) = match &served {
            Ok(()) => ("the table was closed".to_owned(), false),
            Err(error) => (error.to_string(), true),
        };
        self.close(&why, is_error);
        inbox.close(&why);
        // The clients of queued requests to join are not registered, so they would wait forever.
        for request in inbox.requests.try_iter() {
            if let Wanted::Join(_, events) = request.what {
                let why = why.clone();
                // The client may have disconnected.
                let _ = events.try_send(TableEvent::Closed { why, is_error });
            }
        }
        self.shut_down();
        served
    }

    fn serve(&mut self, inbox: &Inbox) -> Done {
        let now = Instant::now();
        if self.turn() == Turn::Starting {
            self.start(now)?;
        }
        self.reconcile()?;
        while !self.is_closed() && !inbox.is_stopped() {
            self.wait(inbox);
            for _ in 0..MAX_REQUESTS {
                match inbox.requests.try_recv() {
                    Ok(request) => self.handle(request, Instant::now())?,
                    Err(TryRecvError::Empty) => break,
                    // The last handle was dropped.
                    Err(TryRecvError::Disconnected) => return Ok(()),
                }
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
        engine::wait_any(busy, idle, Some(&inbox.alarm), deadline);
        inbox.alarm.clear();
    }

    /// Processes engine output, expired clocks and lost connections. If `is_behind`, requests are still queued, so no
    /// flag falls.
    ///
    /// # Errors
    /// The table must close.
    pub(super) fn poll(&mut self, now: Instant, is_behind: bool) -> Done {
        self.now = now;
        while let Some(end) = self.stop_waiting() {
            self.set_timer(end);
        }
        self.poll_engines()?;
        while let Some(progress) = self.analyst.analyser.poll(now) {
            self.on_progress(progress);
        }
        if let Some((side, _)) = self.flag().filter(|(_, end)| *end <= now && !is_behind) {
            self.run_out(side)?;
        }
        for client in self.clients.ids_where(|client| client.is_gone) {
            self.leave(client, "connection lost");
        }
        self.reconcile()?;
        for client in self.clients.late() {
            let snapshot = self.snapshot(client);
            if let Some(client) = self.clients.all.get_mut(&client) {
                client.catch_up(snapshot);
            }
        }
        Ok(())
    }

    /// Updates engines, clocks and clients after a change of the game.
    pub(super) fn reconcile(&mut self) -> Done {
        while self.stop_waiting().is_some() {}
        self.pace.arrive(self.tree.here(), self.now);
        // Ends: a second failure at the same node holds the engine.
        while let Turn::Engine(side) = self.turn()
            && self.drive(side)?
        {}
        self.drive_analyst();
        self.set_timer(self.now);
        let turn = (self.tree.here(), self.turn(), self.is_clock_running());
        let is_new = self.told != Some(turn) && self.phase != Phase::Starting;
        self.clients.has_told |= is_new;
        // At the event `turn`, a client already knows what it may do.
        self.send_views();
        if is_new {
            self.told = Some(turn);
            self.tell_all(TableEvent::Turn {
                node: self.tree.here(),
                turn: self.turn(),
                player: self.turn_name(),
                clocks: self.clocks(),
            });
        }
        Ok(())
    }

    /// The latest time for the next [`poll`](Table::poll).
    pub(super) fn deadline(&mut self, now: Instant) -> Option<Instant> {
        self.now = now;
        let flag = self.flag().map(|(_, end)| end);
        let is_late = self.clients.all.values().any(Client::is_late);
        let late = is_late.then(|| now + LATE_CHECK);
        let rules = self.rules.are_of_program().then(|| now + RULES_CHECK);
        let seats = self.seats.iter_mut().flatten();
        let seats = seats.filter_map(|seat| seat.busy_engine()?.deadline(now));
        let engines = seats.min();
        let analyst = self.analyst.analyser.deadline(now);
        let pause = self.pause_end();
        let waiting = self.waiting_end().map(|(end, _)| end);
        let ends = [flag, late, rules, engines, analyst, pause, waiting];
        ends.into_iter().flatten().min()
    }

    /// Tells all engines to quit, and kills those that are still running at the deadline.
    fn shut_down(&mut self) {
        let seats = self.seats.iter_mut().flatten();
        let seats = seats.filter_map(|seat| seat.engine.take());
        let mut engines: Vec<_> = seats.chain(self.analyst.analyser.remove_engine()).collect();
        for engine in &mut engines {
            // A process that is not running has nothing to quit.
            let _ = engine.ask(engine::Request::Quit);
        }
        let deadline = Instant::now() + QUIT_TIMEOUT;
        for engine in &mut engines {
            engine.end(deadline);
        }
    }

    /// Carries out a request and sends its answer, `done` or `refused`.
    ///
    /// # Errors
    /// The table must close.
    pub(super) fn handle(&mut self, request: Request, now: Instant) -> Done {
        self.now = now;
        let (client, at, id) = (request.client, request.at.min(now), request.id);
        let command = match request.what {
            Wanted::Command(command) => command,
            Wanted::Join(wish, events) => {
                self.join(client, id, wish, events)?;
                return self.reconcile();
            }
        };
        let Some(role) = self.clients.role(client) else {
            // The client has left, or its request to join was refused.
            return Ok(());
        };
        let (request, kind) = (id, command.id());
        let permitted = self.permit(client, role, kind);
        let done = permitted.and_then(|()| self.dispatch(client, request, at, command));
        let answer = match done {
            // The engine's answer is that of the request.
            Ok(()) if matches!(kind, C::Hint | C::Eval) => return self.reconcile(),
            Ok(()) => TableEvent::Done { request },
            Err(error @ (TableError::Records(_) | TableError::Panicked(_))) => return Err(error),
            Err(error) => {
                let why = match error {
                    TableError::Refused(why) => why,
                    error => failed(error),
                };
                TableEvent::Refused { request, why }
            }
        };
        self.reconcile()?;
        // After `closed`, no event follows.
        if !self.is_closed() {
            self.tell(client, answer);
        }
        Ok(())
    }

    /// Checks that the client may send this command now.
    fn permit(&mut self, client: ClientId, role: Role, id: CommandId) -> Done {
        let guest = self
            .clients
            .all
            .get_mut(&client)
            .filter(|_| role != Role::Host);
        if guest.is_some_and(|guest| !guest.budget.take(1.0, self.now)) {
            return refuse(Refusal::TooManyRequests);
        }
        self.refuse_by_row(role, id)?;
        if matches!(id, C::Hint | C::Eval | C::Analyse | C::Review) {
            self.refuse_help(client)?;
            self.propose_hints(client)?;
        }
        Ok(())
    }

    /// Checks that the client may be helped by an engine, or may ask for it.
    pub(super) fn refuse_help(&self, client: ClientId) -> Result<(), Refusal> {
        if self.over.is_some() || self.allows_hints {
            Ok(())
        } else if self.has_partners() {
            Err(Refusal::NoHelpForPartners)
        } else if !self.with_others(client).is_empty() && !self.moves().is_empty() {
            Err(Refusal::HelpIsOff)
        } else {
            Ok(())
        }
    }

    /// Checks who may use a command, and when.
    pub(super) fn refuse_by_row(&self, role: Role, id: CommandId) -> Result<(), Refusal> {
        let Command { users, when, .. } = id.row();
        let is_starting = self.phase == Phase::Starting;
        match users {
            Users::Host if !users.include(role) => Err(Refusal::OnlyHost { command: id }),
            _ if !users.include(role) => Err(Refusal::OnlyPlayers { command: id }),
            _ if is_starting && when != When::Always => Err(Refusal::Starting),
            _ if self.over.is_some() && when == When::Playing => Err(Refusal::GameOver),
            _ => Ok(()),
        }
    }

    fn dispatch(
        &mut self,
        client: ClientId,
        request: RequestId,
        at: Instant,
        command: TableCommand,
    ) -> Done {
        match command {
            TableCommand::Leave => self.leave(client, "quit"),
            TableCommand::Kick { client } => self.kick(client)?,
            TableCommand::Snapshot => {
                let snapshot = self.snapshot(client);
                self.tell(client, snapshot);
            }
            TableCommand::Play { code, from } => self.play(client, &code, from, at)?,
            TableCommand::MoveNow => self.move_now(client)?,
            TableCommand::Undo => self.undo(client)?,
            TableCommand::Redo => self.redo(client)?,
            TableCommand::Back { n } => self.look(client, self.tree.back(n))?,
            TableCommand::Forward { n } => self.look(client, self.tree.forward(n))?,
            TableCommand::GoTo { node } => self.look(client, node)?,
            TableCommand::Go { limit, once } => self.go(client, limit, once)?,
            TableCommand::Pause => self.is_held = true,
            TableCommand::OfferDraw => self.offer_draw(client)?,
            TableCommand::Resign => self.resign(client)?,
            TableCommand::Forfeit { side } => self.forfeit(side)?,
            TableCommand::Claim { draw } => self.claim(client, draw)?,
            TableCommand::Accept => self.accept(client)?,
            TableCommand::Decline => self.decline(client)?,
            TableCommand::Say { text } => self.say(client, &text)?,
            TableCommand::Hint => self.ask_engine(client, request, Question::Hint)?,
            TableCommand::Eval => self.ask_engine(client, request, Question::Eval)?,
            TableCommand::Analyse {
                node,
                lines,
                seconds,
            } => self.analyse(client, node, lines, seconds)?,
            TableCommand::Review { seconds } => self.review_game(client, seconds)?,
            TableCommand::StopAnalysis => self.stop_study(client)?,
            TableCommand::Clock => {
                let clocks = self.clocks();
                self.tell(client, TableEvent::Clocks { clocks });
            }
            TableCommand::SetAuto { sides } => self.set_auto(sides)?,
            TableCommand::AddLine { from, codes } => self.add_line(from, &codes)?,
            TableCommand::SetSeat { seat, player } => self.set_seat(seat, player)?,
            TableCommand::SetLevel { level } => self.choose_level(level)?,
            TableCommand::SetOption { name, value } => self.set_option(&name, &value)?,
            TableCommand::ForgetResults => self.forget_results()?,
            TableCommand::SetPace { seconds } => self.set_pace(seconds)?,
            TableCommand::Save { path } => {
                self.save(&path)?;
                self.tell(client, TableEvent::Saved { path });
            }
            TableCommand::Load { path } => self.load(client, &path)?,
            TableCommand::New {
                opening,
                lines,
                auto,
            } => self.new_game(client, opening, lines, auto)?,
            TableCommand::Rematch => self.rematch(client)?,
            TableCommand::Quit => {
                let name = self.name_of(client);
                self.close(&format!("{name} closed the table"), false);
            }
        }
        Ok(())
    }

    fn say(&mut self, client: ClientId, text: &str) -> Done {
        self.refuse_partners_talk(client)?;
        if let Some(client) = self.clients.all.get(&client) {
            let who = client.info.clone();
            let text: String = text.chars().take(MAX_SAID).collect();
            let text = one_line(&text).into_owned();
            self.tell_all(TableEvent::Said { who, text });
        }
        Ok(())
    }

    pub(super) fn name_of(&self, client: ClientId) -> String {
        let client = self.clients.all.get(&client);
        client.map_or_else(String::new, |client| client.info.name.clone())
    }

    /// Closes the table and notifies all clients.
    pub(super) fn close(&mut self, why: &str, is_error: bool) {
        if self.is_closed() {
            return;
        }
        self.phase = Phase::Closed;
        self.tell_all(TableEvent::Closed {
            why: why.to_owned(),
            is_error,
        });
    }
}

/// Maximum length of a chat message in characters.
const MAX_SAID: usize = 1000;

/// The error of a panic, with its text.
fn panicked(panic: Box<dyn Any + Send>) -> Done {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("panic without a message");
    Err(TableError::Panicked(text.to_owned()))
}
