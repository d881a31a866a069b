//! The dialogue with one engine: the referee's side of the protocol, as a state machine that never blocks.
//!
//! A request such as [`Client::go`] sends lines and returns. [`Client::poll`] processes received lines and returns the
//! resulting event or the engine's fault. `ClientState` is the reply that the client waits for; a request made while another
//! reply is outstanding is queued. The client does not check moves and has no game clock.

mod event;
mod fault;
mod filter;
mod receive;
mod request;
mod send;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::Outcome;
use protocol::{Command, Dialect, Go, OptionDecl, Query};

use crate::process::{Batch, Death, Received, Transport, last_heard};

pub use event::{BestMove, ClientEvent, Complaint, Thought, Timeouts};
pub use fault::Fault;
pub use filter::{EngineFilter, Infos, Message, NOTE};
pub(crate) use receive::MAX_OPTIONS;
pub use request::RESIGN;
use request::{ClientState, EngineRequest};

/// Maximum number of messages processed by one [`Client::poll`], so that a flooding engine cannot block the caller.
const MAX_MESSAGES: usize = 256;

/// Time that a process with a closed pipe has to exit, so that its exit status can be reported.
const EXIT_TIMEOUT: Duration = Duration::from_millis(50);

/// Interval for checking that a process with an outstanding reply is alive. If it dies while one of its children holds
/// the pipe open, the pipe does not close.
const LIFE_CHECK: Duration = Duration::from_millis(50);

/// Interval for retrying a write to a full pipe.
const WRITE_PAUSE: Duration = Duration::from_millis(1);

/// Protocol client of one running engine.
#[derive(Debug)]
pub struct Client {
    transport: Box<dyn Transport<Message>>,
    dialect: Dialect,
    timeouts: Timeouts,
    id_name: Option<String>,
    declared: Vec<OptionDecl>,
    state: ClientState,
    /// Deadline of the outstanding reply.
    deadline: Option<Instant>,
    /// Requests to be sent after the current one.
    queue: VecDeque<EngineRequest>,
    /// A message that was received but not processed yet, for example because it missed a deadline.
    next: Option<Received<Message>>,
    complaint: Option<Complaint>,
    /// Notes about options and of a bridge, until [`drain_notes`](Client::drain_notes) returns them.
    notes: Vec<String>,
    /// Time of the next check that the process is alive, and whether it was dead at the last one.
    life_check: Option<Instant>,
    was_dead: bool,
    /// Deadline for a process with a closed pipe to exit by itself.
    exit_deadline: Option<Instant>,
    /// Buffer of lines to be sent; reused for its capacity.
    lines: String,
    /// The position of the last queries, until anything else is sent. A search of it needs no second `position`.
    asked: String,
}

impl Client {
    /// Creates the client of an engine that was just started, and begins the handshake.
    pub fn new(
        transport: Box<dyn Transport<Message>>,
        dialect: Dialect,
        timeouts: Timeouts,
        now: Instant,
    ) -> Client {
        let mut client = Client {
            transport,
            dialect,
            timeouts,
            id_name: None,
            declared: Vec::new(),
            state: ClientState::Idle,
            deadline: None,
            queue: VecDeque::new(),
            next: None,
            complaint: None,
            notes: Vec::new(),
            life_check: None,
            was_dead: false,
            exit_deadline: None,
            lines: String::new(),
            asked: String::new(),
        };
        client.send(EngineRequest::Handshake(dialect), now);
        client
    }

    /// The name from the engine's `id name`.
    pub fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    /// `true` once the handshake is over.
    pub fn is_greeted(&self) -> bool {
        self.state != ClientState::Handshake
    }

    /// The options that the engine declared.
    pub fn declared(&self) -> &[OptionDecl] {
        &self.declared
    }

    /// Returns and clears what the user should know: options that the engine rejected, and notes of a bridge.
    pub fn drain_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// The transport of the lines.
    pub fn transport(&self) -> &dyn Transport<Message> {
        self.transport.as_ref()
    }

    /// The engine's error message about the last position or `go`.
    pub fn complaint(&self) -> Option<&Complaint> {
        self.complaint.as_ref()
    }

    /// Sets options; [`ClientEvent::Set`] follows.
    pub fn set_options(&mut self, options: &[(String, Option<String>)], now: Instant) {
        self.end_pondering(now);
        self.submit(EngineRequest::Options(options.to_vec()), now);
    }

    /// Announces a new game; [`ClientEvent::Ready`] follows. A running search is abandoned.
    pub fn new_game(&mut self, now: Instant) {
        self.forget_game(now);
        self.submit(EngineRequest::NewGame(None), now);
    }

    /// Announces a new game from the position of this line, which a bridge sets up; [`ClientEvent::Ready`] follows.
    pub fn try_position(&mut self, position: &str, now: Instant) {
        self.submit(EngineRequest::NewGame(Some(position.to_owned())), now);
    }

    /// Finds out which queries the engine answers; [`ClientEvent::Probed`] follows.
    pub fn probe(&mut self, queries: &[Query], now: Instant) {
        self.submit(EngineRequest::Probe(queries.to_vec()), now);
    }

    /// Sets the position and starts a search; [`ClientEvent::BestMove`] follows.
    ///
    /// `position` is a whole line without its line break. Thinking time starts when the lines are written; the answer
    /// must arrive within `timeout`.
    ///
    /// # Errors
    /// [`Fault::Unasked`] if the engine has already sent a move.
    pub fn go(
        &mut self,
        position: &str,
        go: Go,
        timeout: Duration,
        now: Instant,
    ) -> Result<(), Fault> {
        self.end_pondering(now);
        if self.dialect != Dialect::Ugi {
            // UCI has no `isready` fence that would reveal an early `bestmove`, so it must be read now.
            self.transport.fetch();
        }
        self.refuse_unasked(now)?;
        let position = position.to_owned();
        self.submit(
            EngineRequest::Go {
                position,
                go,
                timeout,
            },
            now,
        );
        Ok(())
    }

    /// Starts pondering on the position with the expected reply. Returns `false` if the engine is busy, or if it has
    /// sent an unasked `bestmove`, which the next request reports.
    pub fn ponder(&mut self, position: &str, go: Go, now: Instant) -> bool {
        self.transport.fetch();
        self.next = self.receive();
        if self.state != ClientState::Idle || self.next.is_some() {
            return false;
        }
        self.push_position(position);
        self.push(&Command::Go(Go { ponder: true, ..go }));
        self.enter(ClientState::Pondering { early: None }, None, now);
        self.write();
        true
    }

    /// Reports that the expected reply was played: the engine now uses its own time, and [`ClientEvent::BestMove`]
    /// follows.
    ///
    /// # Errors
    /// [`Fault::Unasked`] if the engine has already answered.
    pub fn ponder_hit(&mut self, timeout: Duration, now: Instant) -> Result<(), Fault> {
        self.transport.fetch();
        self.refuse_unasked(now)?;
        if let ClientState::Pondering { early: Some(line) } = &mut self.state {
            let line = std::mem::take(line);
            self.rest();
            return Err(Fault::Unasked(line));
        }
        let state = ClientState::Thinking {
            asked: now,
            is_fenced: false,
        };
        self.push(&Command::PonderHit);
        self.enter(state, Some(timeout), now);
        self.write();
        Ok(())
    }

    /// Sends a position and queries about it in one write. A [`ClientEvent::Response`] follows for each query.
    ///
    /// # Errors
    /// [`Fault::Unasked`] if the engine has already sent a move.
    pub fn ask(&mut self, position: &str, queries: &[Query], now: Instant) -> Result<(), Fault> {
        self.refuse_unasked(now)?;
        let position = position.to_owned();
        let queries = queries.to_vec();
        self.submit(EngineRequest::Ask { position, queries }, now);
        Ok(())
    }

    /// Makes a thinking engine answer immediately; its `bestmove` is handled as usual.
    pub fn move_now(&mut self) {
        if matches!(self.state, ClientState::Thinking { .. }) {
            self.push(&Command::Stop);
            self.write();
        }
    }

    /// Ends a search whose result is not needed any more, and removes any search that is still queued.
    pub fn give_up(&mut self, now: Instant) {
        self.queue
            .retain(|request| !matches!(request, EngineRequest::Go { .. }));
        match self.state {
            ClientState::Thinking { .. } => {
                self.abandon();
                self.stop_abandoned(now);
            }
            ClientState::Pondering { .. } => self.end_pondering(now),
            _ => {}
        }
    }

    /// Sends the final position of a game, and its result if that is not by the rules. A running search is abandoned; no
    /// reply is expected.
    pub fn end_game(&mut self, position: &str, result: Option<Outcome>, now: Instant) {
        self.forget_game(now);
        let position = position.to_owned();
        self.submit(EngineRequest::GameEnd { position, result }, now);
    }

    /// Sends `quit`.
    pub fn ask_to_quit(&mut self) {
        // A final position queued behind a running search is sent first.
        for request in std::mem::take(&mut self.queue) {
            if let EngineRequest::GameEnd { position, result } = request {
                self.push_game_end(&position, result);
            }
        }
        self.push(&Command::Quit);
        self.write();
        self.transport.close_input();
    }

    /// Blocks until the engine has exited; kills it at the deadline. Returns `true` if it exited by itself.
    pub fn end(mut self, deadline: Instant) -> bool {
        self.transport.end(deadline)
    }

    /// Returns the next event, or `None` if there is none yet. Does not block.
    ///
    /// # Errors
    /// The engine's fault, including a missed deadline. The client remains usable while the process is alive.
    pub fn poll(&mut self, now: Instant) -> Result<Option<ClientEvent>, Fault> {
        for _ in 0..MAX_MESSAGES {
            let Some(received) = self.receive() else {
                return self.check(now).map(|()| None);
            };
            if self.deadline.is_some_and(|deadline| received.at > deadline) {
                // Too late for this request, but possibly in time for the next one.
                self.next = Some(received);
                return Err(self.silence());
            }
            let event = self.take(received)?;
            if self.state == ClientState::Idle {
                self.send_next(now);
            }
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }

    /// Reads available output for [`poll`](Client::poll). Needed if no thread waits for the engine and no channel is
    /// selected on.
    pub fn fetch(&mut self) {
        self.transport.fetch();
    }

    /// Blocks until output was read or the time is reached.
    pub fn wait(&mut self, until: Instant) {
        if self.next.is_none() {
            self.transport.wait(until);
        }
    }

    /// The channel of messages, for selecting on it before [`poll`](Client::poll).
    pub fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        self.transport.receiver()
    }

    /// Latest time of the next [`poll`](Client::poll): now if there are unread messages, `None` if nothing is expected.
    pub fn deadline(&mut self, now: Instant) -> Option<Instant> {
        if self.next.is_none() {
            self.next = self.transport.receive();
        }
        if self.next.is_some() {
            return Some(now);
        }
        let unsent = (!self.transport.flush()).then(|| now + WRITE_PAUSE);
        [self.deadline, self.life_check, self.exit_deadline, unsent]
            .into_iter()
            .flatten()
            .min()
    }

    /// Processes messages received before `go` is sent: any `bestmove` among them is a fault.
    fn refuse_unasked(&mut self, now: Instant) -> Result<(), Fault> {
        while let Some(received) = self.receive_before(now) {
            self.take(received)?;
        }
        Ok(())
    }

    /// Waits for the replies of a new state, with an optional timeout.
    fn enter(&mut self, state: ClientState, timeout: Option<Duration>, now: Instant) {
        self.state = state;
        self.deadline = timeout.map(|timeout| now + timeout);
        self.life_check = timeout.map(|_| now + LIFE_CHECK);
        self.was_dead = false;
    }

    /// Becomes idle: no reply is outstanding.
    fn rest(&mut self) {
        self.state = ClientState::Idle;
        self.deadline = None;
        self.life_check = None;
    }

    /// Abandons the search without sending `stop`.
    fn abandon(&mut self) {
        self.rest();
        self.state = ClientState::Abandoned { is_stopped: false };
    }

    /// Ends pondering and ignores its result. If the engine has already sent a `bestmove`, that was the result.
    fn end_pondering(&mut self, now: Instant) {
        match self.state {
            ClientState::Pondering { early: Some(_) } => self.rest(),
            ClientState::Pondering { early: None } => {
                self.abandon();
                self.stop_abandoned(now);
            }
            _ => {}
        }
    }

    /// Sends `stop` for an abandoned search; its `bestmove` has a deadline from then on.
    fn stop_abandoned(&mut self, now: Instant) {
        if self.state == (ClientState::Abandoned { is_stopped: false }) {
            let ping = self.timeouts.ping;
            self.enter(ClientState::Abandoned { is_stopped: true }, Some(ping), now);
            self.push(&Command::Stop);
            self.write();
        }
    }

    /// Discards messages that belong to a game that is over: they cause no fault and need not be waited for.
    fn forget_game(&mut self, now: Instant) {
        if !self.state.belongs_to_game() {
            return;
        }
        self.transport.fetch();
        while let Some(received) = self.receive_before(now) {
            if matches!(received.message, Message::BestMove { .. }) {
                self.rest();
            }
        }
        match self.state {
            ClientState::Thinking { .. } => self.abandon(),
            ClientState::Answering { .. } => self.rest(),
            _ => {}
        }
        self.end_pondering(now);
        self.stop_abandoned(now);
    }

    /// Checks for faults that no message reports: a closed pipe, a dead process, a missed deadline.
    fn check(&mut self, now: Instant) -> Result<(), Fault> {
        if let Some(closed) = self.transport.closed() {
            return self.check_closed(closed, now);
        }
        self.transport.flush();
        self.check_life(now)?;
        match self.deadline {
            Some(deadline) if now >= deadline => Err(self.silence()),
            _ => Ok(()),
        }
    }

    /// Gives a process with a closed pipe time to exit, since its exit status is more informative than the closed pipe.
    fn check_closed(&mut self, closed: Death, now: Instant) -> Result<(), Fault> {
        let last = *self.exit_deadline.get_or_insert(now + EXIT_TIMEOUT);
        match self.transport.exited() {
            Some(death) => Err(self.died(death)),
            None if now >= last => Err(self.died(closed)),
            None => Ok(()),
        }
    }

    fn check_life(&mut self, now: Instant) -> Result<(), Fault> {
        if self.life_check.is_none_or(|check| now < check) {
            return Ok(());
        }
        self.life_check = Some(now + LIFE_CHECK);
        let death = self.transport.exited();
        // A process that was already dead at the previous check cannot have written anything since.
        let had_time = std::mem::replace(&mut self.was_dead, death.is_some());
        match death {
            Some(death) if had_time => Err(self.died(death)),
            _ => Ok(()),
        }
    }

    fn died(&mut self, death: Death) -> Fault {
        let due = self.state.due(self.dialect);
        self.rest();
        Fault::died(death, due)
    }

    /// Returns the fault of a missed deadline. The `bestmove` of a search may still arrive, so the search is abandoned.
    fn silence(&mut self) -> Fault {
        let due = self.state.due(self.dialect).unwrap_or("answer");
        self.queue.clear();
        let is_greeting = self.state == ClientState::Handshake;
        match self.state {
            ClientState::Thinking { .. } | ClientState::Abandoned { .. } => self.abandon(),
            _ => self.rest(),
        }
        match self.transport.flush() {
            false => Fault::Unread(due),
            true if is_greeting => Fault::Ungreeted {
                dialect: self.dialect,
                heard: last_heard(&self.transport.last_output().0),
            },
            true => Fault::Silent(due),
        }
    }
}

#[cfg(test)]
#[path = "tests/memory.rs"]
pub(crate) mod memory;
#[cfg(test)]
mod tests;
