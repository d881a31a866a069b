//! One process of the engine, line by line: what it is told, and all that it says.
//!
//! Unlike a referee's [`client`](crate::client), a dialogue hears every line, keeps what it sent so that a person can
//! send it again, and turns whatever goes wrong into a finding. Every wait has a deadline.

use std::time::{Duration, Instant};

use protocol::line::RawLine;
use protocol::text::excerpt;
use protocol::{Command, Dialect, Line, Query, Reply};

use super::Subject;
use super::notes::{Junk, Notes};
use super::report::{Finding, ensure, fail};
use crate::client::Fault;
use crate::opening::Opening;
use crate::player::{SetOption, Timeouts};
use crate::process::{Death, Filtered, Launch, LineFilter, Process, Reading, Received};
use crate::stop::Stop;

/// How long nothing must be heard where nothing may be said.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// How often a wait looks whether the process lives and whether everything was told to stop.
const SLICE: Duration = Duration::from_millis(50);

/// The most bytes that are kept of what is said in one wait.
const MAX_KEPT: usize = 5 << 20;

/// Something that the engine said.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) at: Instant,
    pub(super) line: String,
    /// `None` for a line that begins like a reply and is none.
    pub(super) reply: Option<Reply>,
}

impl Told {
    pub(super) fn error(&self) -> Option<&str> {
        match &self.reply {
            Some(Reply::Error(why)) => Some(why),
            _ => None,
        }
    }

    /// Whether its first word is `bestmove`, readable or not.
    pub(super) fn is_best_move(&self) -> bool {
        self.line.split_whitespace().next() == Some("bestmove")
    }
}

/// A running engine.
#[derive(Debug)]
pub(super) struct Dialogue {
    launch: Launch,
    process: Process<String>,
    stop: Stop,
    dialect: Dialect,
    patience: Timeouts,
    notes: Notes,
    /// Received and not taken yet: it came too late for its deadline.
    next: Option<Received<String>>,
    /// Whether lines of text are in order: a board is being drawn.
    is_drawing: bool,
}

impl Dialogue {
    /// Starts a process; nothing is said yet.
    pub(super) fn start(subject: &Subject) -> Result<Dialogue, Finding> {
        Ok(Dialogue {
            stop: subject.stop.clone(),
            next: None,
            launch: subject.launch.clone(),
            process: start(&subject.launch)?,
            dialect: subject.dialect,
            patience: subject.patience,
            notes: Notes::default(),
            is_drawing: false,
        })
    }

    /// Replaces the process by a fresh one that was greeted and given its options.
    pub(super) fn restart(&mut self, options: &[SetOption]) -> Result<(), Finding> {
        self.process = start(&self.launch)?;
        self.next = None;
        self.notes.begin_again();
        self.greet(options)
    }

    /// Shakes hands and sets options.
    pub(super) fn greet(&mut self, options: &[SetOption]) -> Result<(), Finding> {
        self.shake_hands()?;
        for (name, value) in options {
            self.command(&Command::SetOption {
                name: name.clone(),
                value: value.clone(),
            })?;
        }
        self.notes.end_greeting();
        Ok(())
    }

    /// Shakes hands; all that was said.
    pub(super) fn shake_hands(&mut self) -> Result<Vec<Told>, Finding> {
        let (due, deadline) = (self.handshake_due(), self.patience.startup);
        let asked = self.command(&Command::Handshake(self.dialect))?;
        self.hear_until(due, asked + deadline, |reply| {
            matches!(reply, Reply::HandshakeOk(_))
        })
    }

    fn handshake_due(&self) -> &'static str {
        match self.dialect {
            Dialect::Ugi => "ugiok",
            Dialect::Uci => "uciok",
        }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How long an answer may take where no clock runs.
    pub(super) fn ping(&self) -> Duration {
        self.patience.ping
    }

    pub(super) fn process(&self) -> &Process<String> {
        &self.process
    }

    /// Sends a command in the engine's dialect; when.
    pub(super) fn command(&mut self, command: &Command) -> Result<Instant, Finding> {
        self.send(&command.display(self.dialect).to_string())
    }

    /// Sends one line, or several split by line breaks; when.
    pub(super) fn send(&mut self, lines: &str) -> Result<Instant, Finding> {
        for line in lines.lines() {
            self.notes.sent(line);
        }
        self.write(format!("{lines}\n").as_bytes())
    }

    /// Sends bytes as they are, told as these words in a report.
    pub(super) fn send_bytes(&mut self, bytes: &[u8], told_as: &str) -> Result<Instant, Finding> {
        self.notes.sent(told_as);
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<Instant, Finding> {
        let now = Instant::now();
        self.process.send(bytes);
        let deadline = now + self.patience.ping;
        while self.process.has_unsent() {
            if Instant::now() >= deadline {
                return Err(accuse(&Fault::Unread("a line to be read")));
            }
            self.process
                .wait_for_room(deadline.min(Instant::now() + SLICE));
        }
        if self.process.is_input_closed() {
            let death = self.process.await_exit(now + SLICE);
            let death = death.unwrap_or(Death::ClosedInput);
            let due = Some("a line to be read");
            return Err(accuse(&Fault::Died { death, due }));
        }
        Ok(now)
    }

    /// The next line by the deadline; `due` is what is waited for.
    pub(super) fn hear(&mut self, due: &'static str, deadline: Instant) -> Result<Told, Finding> {
        match self.receive(deadline) {
            Ok(received) => Ok(self.take(received)),
            Err(Silence::Timeout) => Err(accuse(&Fault::Silent(due))),
            Err(Silence::Stopped) => Err(accuse(&Fault::Stopped)),
            Err(Silence::Dead(death)) => Err(accuse(&Fault::Died {
                death,
                due: Some(due),
            })),
        }
    }

    /// Blocks until the next line comes.
    fn receive(&mut self, deadline: Instant) -> Result<Received<String>, Silence> {
        let mut was_dead = false;
        loop {
            if let Some(received) = self.next.take().or_else(|| self.process.receive()) {
                if received.at <= deadline {
                    return Ok(received);
                }
                // It came too late for this wait, and may be in time for the next.
                self.next = Some(received);
                return Err(Silence::Timeout);
            }
            if self.stop.is_now() {
                return Err(Silence::Stopped);
            }
            if self.process.is_output_closed() {
                let death = self.process.await_exit(Instant::now() + SLICE);
                return Err(Silence::Dead(death.unwrap_or(Death::ClosedOutput)));
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(Silence::Timeout);
            }
            match self.process.exited() {
                // A process that was dead a moment ago has had time for its last words.
                Some(death) if was_dead => return Err(Silence::Dead(death)),
                exited => was_dead = exited.is_some(),
            }
            self.process.wait(deadline.min(now + SLICE));
        }
    }

    /// All lines up to the first reply of this kind, which is the last.
    pub(super) fn hear_until(
        &mut self,
        due: &'static str,
        deadline: Instant,
        is_last: impl Fn(&Reply) -> bool,
    ) -> Result<Vec<Told>, Finding> {
        let mut kept = Kept::default();
        loop {
            let told = self.hear(due, deadline)?;
            if told.reply.as_ref().is_some_and(&is_last) {
                kept.told.push(told);
                return Ok(kept.told);
            }
            kept.push(told);
        }
    }

    /// All that is said within a time; its end or its death ends it too.
    pub(super) fn overhear(&mut self, time: Duration) -> Vec<Told> {
        let deadline = Instant::now() + time;
        let mut kept = Kept::default();
        while let Ok(received) = self.receive(deadline) {
            kept.push(self.take(received));
        }
        kept.told
    }

    fn take(&mut self, received: Received<String>) -> Told {
        let Received { at, message: line } = received;
        self.notes.heard(&line);
        let reply = Reply::parse(&line).ok();
        if matches!(reply, None | Some(Reply::Text(_))) && !self.is_drawing {
            self.notes.junk(&line);
        }
        Told { at, line, reply }
    }

    /// Sends lines and waits until they are carried out; what was said to them.
    pub(super) fn ask(&mut self, lines: &str) -> Result<Vec<Told>, Finding> {
        self.send(lines)?;
        self.settle()
    }

    /// Waits until all that was sent is carried out; what was said meanwhile.
    pub(super) fn settle(&mut self) -> Result<Vec<Told>, Finding> {
        let asked = self.command(&Command::IsReady)?;
        let deadline = asked + self.patience.ping;
        let mut told = self.hear_until("readyok", deadline, |reply| *reply == Reply::ReadyOk)?;
        told.pop();
        Ok(told)
    }

    /// Sets a position that the engine must take.
    pub(super) fn set(&mut self, opening: &Opening) -> Result<(), Finding> {
        let line = format!("position {opening}");
        let told = self.ask(&line)?;
        let error = told.iter().find_map(Told::error);
        ensure(error.is_none(), || {
            let why = excerpt(error.unwrap_or_default());
            format!("refuses \"{}\": {why}", excerpt(&line))
        })
    }

    /// The answer to a question, without `response`; `None` where it gives none.
    pub(super) fn query(&mut self, query: Query) -> Result<Option<String>, Finding> {
        let told = self.ask(&Command::Query(query).display(self.dialect).to_string())?;
        Ok(told.into_iter().find_map(|told| match told.reply {
            Some(Reply::Response(text)) => Some(text),
            _ => None,
        }))
    }

    /// The lines that are said while a board is drawn.
    pub(super) fn draw(&mut self) -> Result<Vec<Told>, Finding> {
        self.is_drawing = true;
        let told = self.ask("d");
        self.is_drawing = false;
        told
    }

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) {
        self.notes.sent("(end of input)");
        self.process.close_input();
    }

    /// Waits for the engine to end by itself; how it ended, and what it said before.
    pub(super) fn await_end(
        &mut self,
        time: Duration,
        after: &str,
    ) -> Result<(Death, Vec<Told>), Finding> {
        let deadline = Instant::now() + time;
        let mut last_words = Kept::default();
        while let Ok(received) = self.receive(deadline) {
            last_words.push(self.take(received));
        }
        let death = self.process.await_exit(deadline);
        let death = death
            .ok_or_else(|| fail(format!("still runs {} ms after {after}", time.as_millis())))?;
        Ok((death, last_words.told))
    }

    /// Asks the process to quit, and kills it when it does not.
    pub(super) fn end(mut self, grace: Duration) {
        self.process.send(b"quit\n");
        self.process.close_input();
        self.process.end(Instant::now() + grace);
    }

    /// What was said in both directions.
    pub(super) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The last lines that were heard, then those of standard error.
    pub(super) fn last_words(&self) -> Vec<String> {
        self.notes.last_words(&self.process.stderr())
    }

    /// The lines that are no replies, handed over.
    pub(super) fn take_junk(&mut self) -> Junk {
        self.notes.take_junk()
    }
}

/// That the system cannot start a program is a failure of the step.
fn start(launch: &Launch) -> Result<Process<String>, Finding> {
    let cannot = |error| {
        fail(format!(
            "{}: cannot be started: {error}",
            launch.program.display()
        ))
    };
    Process::start(launch, EveryLine, Reading::Direct).map_err(cannot)
}

fn accuse(fault: &Fault) -> Finding {
    fail(fault.to_string())
}

/// Lines of one wait, within a bound: what an engine says beyond it is read and dropped.
#[derive(Debug, Default)]
struct Kept {
    told: Vec<Told>,
    n_bytes: usize,
}

impl Kept {
    fn push(&mut self, told: Told) {
        // A reply holds the words of its line once more.
        self.n_bytes += size_of::<Told>() + 2 * told.line.len();
        if self.n_bytes <= MAX_KEPT {
            self.told.push(told);
        }
    }
}

/// Why no line came.
enum Silence {
    Timeout,
    Stopped,
    Dead(Death),
}

/// Passes on every line as text.
struct EveryLine;

impl LineFilter for EveryLine {
    type Message = String;

    fn filter(&mut self, line: RawLine<'_>) -> Filtered<String> {
        let text = match line.to_line() {
            Line::Text(text) => text,
            Line::TooLong(_) => "(a line too long to be read)".to_owned(),
        };
        Filtered {
            message: Some(text),
            is_noise: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_not_kept() {
        let mut kept = Kept::default();
        for _ in 0..1_000_000 {
            kept.push(Told {
                at: Instant::now(),
                line: "info string again".to_owned(),
                reply: None,
            });
        }
        assert!(kept.told.len() * size_of::<Told>() <= MAX_KEPT);
        assert!(
            kept.told.len() > 10_000,
            "an honest engine is heard in full"
        );
    }
}
