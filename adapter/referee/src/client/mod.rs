//! The dialogue with one engine: the referee's end of the protocol, as a state machine that never waits.
//!
//! A request such as [`Client::go`] sends lines and returns. [`Client::poll`] takes what the engine has said and tells
//! what that means, or that the engine is at fault. What the engine owes is a `State`; a request that comes while the
//! engine still owes something else is queued. The client judges no move and keeps no clock.

mod event;
mod fault;
mod filter;
mod receive;
mod request;
mod send;
mod transport;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::{Command, Dialect, Go, OptionDecl, Query};

use crate::process::{Batch, Death, Received};

pub use event::{BestMove, ClientEvent, Complaint, Thought, Timeouts};
pub use fault::Fault;
pub use filter::{EngineFilter, Infos, Message};
use request::{Request, State};
pub use transport::Transport;

/// The most messages that one [`Client::poll`] takes, so that a flood holds nobody up.
const MAX_MESSAGES: usize = 256;

/// How long a process whose pipe is closed has to end, so that its status can be told.
const EXIT_TIMEOUT: Duration = Duration::from_millis(50);

/// How often a process that owes something is looked at: it may have died while a child of its own holds the pipe.
const LIFE_CHECK: Duration = Duration::from_millis(50);

/// How often a pipe that is full is tried again.
const WRITE_PAUSE: Duration = Duration::from_millis(1);

/// One engine, running.
#[derive(Debug)]
pub struct Client {
    transport: Box<dyn Transport>,
    dialect: Dialect,
    timeouts: Timeouts,
    id_name: Option<String>,
    declared: Vec<OptionDecl>,
    state: State,
    /// When what is due is late.
    deadline: Option<Instant>,
    /// What the engine is asked for next.
    queue: VecDeque<Request<'static>>,
    /// Received and not taken yet: it came too late for its deadline.
    next: Option<Received<Message>>,
    complaint: Option<Complaint>,
    /// What the engine said against its options, as long as nobody has asked.
    option_errors: Vec<String>,
    /// When the process is looked at next, and whether it was found dead at the last look.
    life_check: Option<Instant>,
    was_dead: bool,
    /// Until when a process whose pipe is closed may end by itself.
    exit_deadline: Option<Instant>,
    /// Lines to be sent; kept for its capacity.
    lines: String,
}

impl Client {
    /// The client of an engine that was just started, and the handshake with it.
    pub fn new(
        transport: Box<dyn Transport>,
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
            state: State::Idle,
            deadline: None,
            queue: VecDeque::new(),
            next: None,
            complaint: None,
            option_errors: Vec::new(),
            life_check: None,
            was_dead: false,
            exit_deadline: None,
            lines: String::new(),
        };
        client.send(Request::Handshake(dialect), now);
        client
    }

    /// The name that the engine gave itself.
    pub fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    /// The options that the engine declared.
    pub fn declared(&self) -> &[OptionDecl] {
        &self.declared
    }

    /// What the engine has said against options that were set, since this was last asked.
    pub fn take_option_errors(&mut self) -> Vec<String> {
        std::mem::take(&mut self.option_errors)
    }

    /// What carries the lines.
    pub fn transport(&self) -> &dyn Transport {
        self.transport.as_ref()
    }

    /// What the engine said against the last position or `go`.
    pub fn complaint(&self) -> Option<&Complaint> {
        self.complaint.as_ref()
    }

    /// Sets options; [`ClientEvent::Set`] follows.
    pub fn set_options(&mut self, options: &[(String, Option<String>)], now: Instant) {
        self.end_pondering(now);
        self.submit(Request::Options(Cow::Borrowed(options)), now);
    }

    /// Announces another game; [`ClientEvent::Ready`] follows. A search that still runs is given up.
    pub fn new_game(&mut self, now: Instant) {
        self.forget_game(now);
        self.submit(Request::NewGame, now);
    }

    /// Finds out which of these questions the engine answers; [`ClientEvent::Probed`] follows.
    pub fn probe(&mut self, queries: &[Query], now: Instant) {
        self.submit(Request::Probe(Cow::Borrowed(queries)), now);
    }

    /// Sets the position and has the engine search it; [`ClientEvent::BestMove`] follows.
    ///
    /// `position` is a whole line without its line break. The time runs from the write; the answer is due `timeout`
    /// later.
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
        if self.dialect == Dialect::Uci {
            // There is no fence to find what came too early, so it must be read now.
            self.transport.fetch();
        }
        self.refuse_unasked(now)?;
        let position = Cow::Borrowed(position);
        self.submit(
            Request::Go {
                position,
                go,
                timeout,
            },
            now,
        );
        Ok(())
    }

    /// Has the engine think on the other player's time, in the position that it expects. False if it is busy, or has
    /// sent a move that nobody asked for, which the next request reports.
    pub fn ponder(&mut self, position: &str, go: Go, now: Instant) -> bool {
        self.transport.fetch();
        self.next = self.receive();
        if self.state != State::Idle || self.next.is_some() {
            return false;
        }
        self.push_position(position);
        self.push(&Command::Go(Go { ponder: true, ..go }));
        self.enter(State::Pondering { early: None }, None, now);
        self.write();
        true
    }

    /// The position that the engine ponders on came about: from now on it thinks on its own time, and
    /// [`ClientEvent::BestMove`] follows.
    ///
    /// # Errors
    /// [`Fault::Unasked`] if the engine has already answered.
    pub fn ponder_hit(&mut self, timeout: Duration, now: Instant) -> Result<(), Fault> {
        self.transport.fetch();
        self.refuse_unasked(now)?;
        if let State::Pondering { early: Some(line) } = &mut self.state {
            let line = std::mem::take(line);
            self.rest();
            return Err(Fault::Unasked(line));
        }
        let state = State::Thinking {
            asked: now,
            is_fenced: false,
        };
        self.push(&Command::PonderHit);
        self.enter(state, Some(timeout), now);
        self.write();
        Ok(())
    }

    /// Sends the position and questions about it in one write; each is answered by a [`ClientEvent::Response`].
    ///
    /// # Errors
    /// [`Fault::Unasked`] if the engine has already sent a move.
    pub fn ask(&mut self, position: &str, queries: &[Query], now: Instant) -> Result<(), Fault> {
        self.refuse_unasked(now)?;
        let position = Cow::Borrowed(position);
        let queries = Cow::Borrowed(queries);
        self.submit(Request::Ask { position, queries }, now);
        Ok(())
    }

    /// Has a thinking engine answer at once; its `bestmove` is taken as ever.
    pub fn move_now(&mut self) {
        if matches!(self.state, State::Thinking { .. }) {
            self.push(&Command::Stop);
            self.write();
        }
    }

    /// Ends a search whose answer is not wanted any more. A search that was asked for and not sent is forgotten.
    pub fn give_up(&mut self, now: Instant) {
        self.queue
            .retain(|request| !matches!(request, Request::Go { .. }));
        match self.state {
            State::Thinking { .. } => {
                self.abandon();
                self.stop_abandoned(now);
            }
            State::Pondering { .. } => self.end_pondering(now),
            _ => {}
        }
    }

    /// Tells the engine how the game ended. A search that still runs is given up; nothing is due.
    pub fn end_game(&mut self, position: &str, now: Instant) {
        self.forget_game(now);
        let position = Cow::Borrowed(position);
        self.submit(Request::GameEnd { position }, now);
    }

    /// Tells the engine to quit.
    pub fn ask_to_quit(&mut self) {
        // An engine that has yet to end its search is told of the end of the game before.
        for request in std::mem::take(&mut self.queue) {
            if let Request::GameEnd { position } = request {
                self.push_position(&position);
            }
        }
        self.push(&Command::Quit);
        self.write();
        self.transport.close_input();
    }

    /// Blocks until the engine has quit, and kills it at the deadline. Whether it went by itself.
    pub fn end(mut self, deadline: Instant) -> bool {
        self.transport.end(deadline)
    }

    /// What has come of a request, without waiting; `None` if nothing has yet.
    ///
    /// # Errors
    /// What the engine did wrong, also if a deadline has passed. The client can be used again if the engine lives.
    pub fn poll(&mut self, now: Instant) -> Result<Option<ClientEvent>, Fault> {
        for _ in 0..MAX_MESSAGES {
            let Some(received) = self.receive() else {
                return self.check(now).map(|()| None);
            };
            if self.deadline.is_some_and(|deadline| received.at > deadline) {
                // It is too late for this request, and may be in time for the next.
                self.next = Some(received);
                return Err(self.silence());
            }
            let event = self.take(received)?;
            if self.state == State::Idle {
                self.send_next(now);
            }
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }

    /// Reads what the engine has said, so that [`poll`](Client::poll) finds it. Needed where nobody waits and no channel
    /// is selected on.
    pub fn fetch(&mut self) {
        self.transport.fetch();
    }

    /// Blocks until something was read or the time is there.
    pub fn wait(&mut self, until: Instant) {
        if self.next.is_none() {
            self.transport.wait(until);
        }
    }

    /// Where messages arrive, to be selected on before [`poll`](Client::poll).
    pub fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        self.transport.receiver()
    }

    /// When to [`poll`](Client::poll) at the latest; `None` while nothing is due. Unread messages are due now.
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

    /// Any `bestmove` that was read before `go` is sent is a move that nobody asked for.
    fn refuse_unasked(&mut self, now: Instant) -> Result<(), Fault> {
        while let Some(received) = self.receive_before(now) {
            self.take(received)?;
        }
        Ok(())
    }

    /// What the engine owes from now on, and how long it has for that.
    fn enter(&mut self, state: State, timeout: Option<Duration>, now: Instant) {
        self.state = state;
        self.deadline = timeout.map(|timeout| now + timeout);
        self.life_check = timeout.map(|_| now + LIFE_CHECK);
        self.was_dead = false;
    }

    /// The engine owes nothing any more.
    fn rest(&mut self) {
        self.state = State::Idle;
        self.deadline = None;
        self.life_check = None;
    }

    /// A search is given up, but the engine is not told.
    fn abandon(&mut self) {
        self.rest();
        self.state = State::Abandoned { is_stopped: false };
    }

    /// Ends pondering without an answer; a `bestmove` that came too early was the answer.
    fn end_pondering(&mut self, now: Instant) {
        match self.state {
            State::Pondering { early: Some(_) } => self.rest(),
            State::Pondering { early: None } => {
                self.abandon();
                self.stop_abandoned(now);
            }
            _ => {}
        }
    }

    /// Tells the engine to end a search that was given up; its `bestmove` is due from then on.
    fn stop_abandoned(&mut self, now: Instant) {
        if self.state == (State::Abandoned { is_stopped: false }) {
            let ping = self.timeouts.ping;
            self.enter(State::Abandoned { is_stopped: true }, Some(ping), now);
            self.push(&Command::Stop);
            self.write();
        }
    }

    /// What was said until now belongs to a game that is over: it costs nothing, and nobody waits for it.
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
            State::Thinking { .. } => self.abandon(),
            State::Answering { .. } => self.rest(),
            _ => {}
        }
        self.end_pondering(now);
        self.stop_abandoned(now);
    }

    /// What is wrong though nothing was said: a pipe is closed, the process is dead, a deadline has passed.
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

    /// A process whose pipe is closed is about to end: its status says more than the closed pipe.
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
        // A process that was dead at the last look has written all that it will write.
        let had_time = std::mem::replace(&mut self.was_dead, death.is_some());
        match death {
            Some(death) if had_time => Err(self.died(death)),
            _ => Ok(()),
        }
    }

    fn died(&mut self, death: Death) -> Fault {
        let due = self.state.due(self.dialect);
        self.rest();
        Fault::Died { death, due }
    }

    /// The last line that the engine wrote.
    fn last_heard(&self) -> Option<String> {
        let (lines, _) = self.transport.last_output();
        let heard = lines.iter().rev().find_map(|line| line.strip_prefix("< "));
        heard.map(str::to_owned)
    }

    /// What is due has not come. A search is given up: its answer may still come.
    fn silence(&mut self) -> Fault {
        let due = self.state.due(self.dialect).unwrap_or("answer");
        self.queue.clear();
        let is_greeting = self.state == State::Handshake;
        match self.state {
            State::Thinking { .. } | State::Abandoned { .. } => self.abandon(),
            _ => self.rest(),
        }
        match self.transport.flush() {
            false => Fault::Unread(due),
            true if is_greeting => Fault::Ungreeted {
                dialect: self.dialect,
                heard: self.last_heard(),
            },
            true => Fault::Silent(due),
        }
    }
}

#[cfg(test)]
pub(crate) mod memory;
#[cfg(test)]
mod tests;
