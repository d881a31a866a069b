//! One process of the engine, line by line: what it is told, and all that it says.
//!
//! Unlike a referee's [`client`](crate::client), a dialogue hears every line, keeps what it sent so that a person can
//! send it again, and turns whatever goes wrong into a finding. Every wait has a deadline.

use std::time::{Duration, Instant};

use protocol::text::excerpt;
use protocol::{Command, Dialect, Query, Reply};

use super::notes::{Junk, Notes};
use super::report::{Finding, ensure, fail};
use crate::client;
use crate::opening::Opening;
use crate::player::{SetOption, Timeouts};
use crate::process::{Death, Fault, Launch, LineFilter, Process, Received, ReceivedLine};

/// How long nothing must be heard where nothing may be said.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

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
    process: Process,
    dialect: Dialect,
    patience: Timeouts,
    notes: Notes,
    /// Whether lines of text are in order: a board is being drawn.
    is_drawing: bool,
}

impl Dialogue {
    /// Starts a process; nothing is said yet.
    pub(super) fn start(
        launch: &Launch,
        dialect: Dialect,
        patience: Timeouts,
    ) -> Result<Dialogue, Finding> {
        Ok(Dialogue {
            launch: launch.clone(),
            process: start(launch)?,
            dialect,
            patience,
            notes: Notes::default(),
            is_drawing: false,
        })
    }

    /// Replaces the process by a fresh one that was greeted and given its options.
    pub(super) fn restart(&mut self, options: &[SetOption]) -> Result<(), Finding> {
        self.process = start(&self.launch)?;
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

    pub(super) fn process(&self) -> &Process {
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
        let written = self.process.write(bytes, now + self.patience.ping);
        written.map_err(|fault| accuse(fault, "a line to be read"))?;
        Ok(now)
    }

    /// The next line by the deadline; `due` is what is waited for.
    pub(super) fn hear(&mut self, due: &'static str, deadline: Instant) -> Result<Told, Finding> {
        match self.process.hear(deadline) {
            Ok(heard) => Ok(self.take(heard)),
            Err(fault) => Err(accuse(fault, due)),
        }
    }

    /// All lines up to the first reply of this kind, which is the last.
    pub(super) fn hear_until(
        &mut self,
        due: &'static str,
        deadline: Instant,
        is_last: impl Fn(&Reply) -> bool,
    ) -> Result<Vec<Told>, Finding> {
        let mut all = Vec::new();
        loop {
            let told = self.hear(due, deadline)?;
            let ends = told.reply.as_ref().is_some_and(&is_last);
            all.push(told);
            if ends {
                return Ok(all);
            }
        }
    }

    /// All that is said within a time; its end or its death ends it too.
    pub(super) fn overhear(&mut self, time: Duration) -> Vec<Told> {
        let deadline = Instant::now() + time;
        let mut all = Vec::new();
        while let Ok(heard) = self.process.hear(deadline) {
            all.push(self.take(heard));
        }
        all
    }

    fn take(&mut self, heard: Received) -> Told {
        let line = match heard.said {
            ReceivedLine::Line(line) | ReceivedLine::BestMove { line, .. } => line,
            ReceivedLine::Closed => String::new(),
        };
        self.notes.heard(&line);
        let reply = Reply::parse(&line).ok();
        if matches!(reply, None | Some(Reply::Text(_))) && !self.is_drawing {
            self.notes.junk(&line);
        }
        let at = heard.at;
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
        let mut last_words = Vec::new();
        while let Ok(heard) = self.process.hear(deadline) {
            last_words.push(self.take(heard));
        }
        let death = self.process.await_exit(deadline);
        let death = death
            .ok_or_else(|| fail(format!("still runs {} ms after {after}", time.as_millis())))?;
        Ok((death, last_words))
    }

    /// Asks the process to quit, and kills it when it does not.
    pub(super) fn end(mut self, grace: Duration) {
        self.process.ask_to_quit();
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

/// The system's refusal to start a program is a failure of the step.
fn start(launch: &Launch) -> Result<Process, Finding> {
    let cannot = |error| {
        fail(format!(
            "{}: cannot be started: {error}",
            launch.program.display()
        ))
    };
    Process::start_heard(launch, LineFilter::Open).map_err(cannot)
}

fn accuse(fault: Fault, due: &'static str) -> Finding {
    fail(client::Fault::Process { fault, due }.to_string())
}
