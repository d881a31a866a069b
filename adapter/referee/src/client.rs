//! The dialogue with one engine process: the referee's end of the protocol.
//!
//! [`Client`] turns what the referee wants into lines and what the engine says into typed replies, and knows which
//! of them is due. It judges no move and keeps no clock: it is given deadlines and says when the answer came.

use std::fmt::{self, Write};
use std::io;
use std::time::{Duration, Instant};

use protocol::{Command, Dialect, Go, OptionDecl, Query, Reply, Score};

use crate::process::{self, Launch, Process, Received, ReceivedLine};
use crate::stop::MoveNow;

/// The most options that an engine may declare.
const MAX_OPTIONS: usize = 1000;

/// How often a waiting client looks whether it is nudged.
const NUDGE_SLICE: Duration = Duration::from_millis(100);

/// What an engine did wrong, as far as the protocol goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Its process failed while this was due.
    Process {
        /// How it failed.
        fault: process::Fault,
        /// The word that was due, as in `readyok`.
        due: &'static str,
    },
    /// It sent this `bestmove` line before any was asked for.
    Unasked(String),
    /// It sent this `bestmove` line, which names no move.
    Unreadable(String),
    /// It could not be started again, for this reason.
    Start(String),
}

impl Fault {
    /// Whether the match was stopped, which is nobody's fault.
    pub fn is_stop(&self) -> bool {
        matches!(
            self,
            Fault::Process {
                fault: process::Fault::Stopped,
                ..
            }
        )
    }

    /// Whether the process is gone.
    pub fn is_death(&self) -> bool {
        let Fault::Process { fault, .. } = self else {
            return false;
        };
        matches!(fault, process::Fault::Died(_))
    }

    /// Whether time ran out, rather than the engine.
    pub fn is_silence(&self) -> bool {
        matches!(
            self,
            Fault::Process {
                fault: process::Fault::Silent | process::Fault::Deaf,
                ..
            }
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Process { fault, due } => match fault {
                process::Fault::Died(death) => write!(f, "{death} with {due} due"),
                process::Fault::Silent => write!(f, "no {due} in time"),
                process::Fault::Deaf => write!(f, "did not read its input in time, with {due} due"),
                process::Fault::Stopped => f.write_str("stopped"),
            },
            Fault::Unasked(line) => {
                write!(f, "unasked move: {}", protocol::text::excerpt(line))
            }
            Fault::Unreadable(line) => {
                write!(
                    f,
                    "sent no readable move: {}",
                    protocol::text::excerpt(line)
                )
            }
            Fault::Start(why) => write!(f, "cannot be started: {why}"),
        }
    }
}

/// What an engine thought of its move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Thought {
    /// The score from the mover's point of view; mates as the engine counts them.
    pub score: Option<Score>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The line expected, its own move first.
    pub pv: Vec<String>,
}

/// An engine's answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BestMove {
    /// The code as the engine wrote it.
    pub code: String,
    /// What it expects the other to answer.
    pub ponder: Option<String>,
    /// From the write of `go` to the arrival of the answer.
    pub elapsed: Duration,
    /// What it thought.
    pub thought: Thought,
}

/// One engine, running.
#[derive(Debug)]
pub struct Client {
    process: Process,
    dialect: Dialect,
    id_name: Option<String>,
    declared: Vec<OptionDecl>,
    /// Answers to `go` that were given up; each may still come, and is then no unasked move.
    n_owed: usize,
    /// Who may end a search early; nobody in a match.
    nudge: Option<MoveNow>,
    /// Lines to be written next; kept for its capacity.
    lines: String,
}

impl Client {
    /// Starts the engine and greets it; [`shake_hands`](Client::shake_hands) hears the answer.
    pub fn start(launch: &Launch, dialect: Dialect) -> io::Result<Client> {
        let mut client = Client {
            process: Process::start(launch)?,
            dialect,
            id_name: None,
            declared: Vec::new(),
            n_owed: 0,
            nudge: None,
            lines: String::new(),
        };
        client.push(&Command::Handshake(dialect));
        // An engine that does not read this will not answer either.
        let _ = client.flush(Instant::now() + Duration::from_secs(1), "handshake");
        Ok(client)
    }

    /// Hears who the engine is and what can be set.
    pub fn shake_hands(&mut self, deadline: Instant) -> Result<(), Fault> {
        let due = match self.dialect {
            Dialect::Ugi => "ugiok",
            Dialect::Uci => "uciok",
        };
        loop {
            match self.hear_reply(deadline, due)? {
                Some(Reply::IdName(name)) => self.id_name = Some(name),
                Some(Reply::Option(decl)) if self.declared.len() < MAX_OPTIONS => {
                    self.declared.push(decl);
                }
                Some(Reply::HandshakeOk(_)) => return Ok(()),
                _ => {}
            }
        }
    }

    /// The name that the engine gave itself.
    pub fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    /// The options that the engine declared.
    pub fn declared(&self) -> &[OptionDecl] {
        &self.declared
    }

    /// The process behind the engine.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// Sets options and waits until the engine is ready again.
    pub fn set_options(
        &mut self,
        options: &[(String, Option<String>)],
        deadline: Instant,
    ) -> Result<(), Fault> {
        for (name, value) in options {
            self.push(&Command::SetOption {
                name: name.clone(),
                value: value.clone(),
            });
        }
        self.await_ready(deadline)
    }

    /// Announces another game and waits until the engine is ready for it.
    pub fn new_game(&mut self, deadline: Instant) -> Result<(), Fault> {
        // What is left over from the game before cost its author nothing there.
        while self
            .process
            .overhear()
            .is_some_and(|heard| self.settles(&heard))
        {}
        self.stop_search(deadline)?;
        self.push(&Command::NewGame);
        self.await_ready(deadline)
    }

    /// Sets the position and has the engine search: one write, one answer.
    ///
    /// `position` is a whole line. The time runs from the write; the answer is due `patience` later.
    pub fn go(&mut self, position: &str, go: Go, patience: Duration) -> Result<BestMove, Fault> {
        self.refuse_unasked()?;
        self.lines.push_str(position);
        self.lines.push('\n');
        let fenced = self.dialect == Dialect::Ugi;
        if fenced {
            self.push(&Command::IsReady);
        }
        self.push(&Command::Go(go));
        let asked = Instant::now();
        let deadline = asked + patience;
        self.flush(deadline, "bestmove")?;
        if fenced {
            self.hear_ready(deadline, "bestmove")?;
        }
        self.n_owed += 1;
        let answer = self.hear_best_move(asked, deadline)?;
        self.n_owed -= 1;
        Ok(answer)
    }

    /// Has the engine think on the other's time, in the position that it expects; there is no answer to wait for.
    pub fn ponder(&mut self, position: &str, go: Go, deadline: Instant) -> Result<(), Fault> {
        self.refuse_unasked()?;
        self.lines.push_str(position);
        self.lines.push('\n');
        self.push(&Command::Go(Go { ponder: true, ..go }));
        self.n_owed += 1;
        self.flush(deadline, "readyok")
    }

    /// The position that the engine ponders on came about: from here on it thinks on its own time.
    pub fn ponder_hit(&mut self, patience: Duration) -> Result<BestMove, Fault> {
        if let Some(Received {
            said: ReceivedLine::BestMove { line, .. },
            ..
        }) = self.process.overhear()
        {
            return Err(Fault::Unasked(line));
        }
        self.push(&Command::PonderHit);
        let asked = Instant::now();
        let deadline = asked + patience;
        self.flush(deadline, "bestmove")?;
        let answer = self.hear_best_move(asked, deadline)?;
        self.n_owed -= 1;
        Ok(answer)
    }

    /// Ends a search whose answer is not wanted any more, and waits until it is over.
    pub fn stop_search(&mut self, deadline: Instant) -> Result<(), Fault> {
        if self.n_owed == 0 {
            return Ok(());
        }
        self.push(&Command::Stop);
        self.flush(deadline, "bestmove")?;
        while self.n_owed > 0 {
            self.hear_reply(deadline, "bestmove")?;
        }
        Ok(())
    }

    /// Which of these questions about the start position the engine answers.
    pub fn probe(&mut self, questions: &[Query], deadline: Instant) -> Result<Vec<Query>, Fault> {
        let mut answered = Vec::new();
        for &question in questions {
            self.push(&Command::Query(question));
            self.push(&Command::IsReady);
            self.flush(deadline, "readyok")?;
            loop {
                match self.hear_reply(deadline, "readyok")? {
                    Some(Reply::ReadyOk) => break,
                    Some(Reply::Response(_)) => answered.push(question),
                    _ => {}
                }
            }
        }
        Ok(answered)
    }

    /// Sends the position and questions about it in one write; each is answered by one
    /// [`hear_response`](Client::hear_response).
    pub fn ask(
        &mut self,
        position: &str,
        questions: &[Query],
        deadline: Instant,
    ) -> Result<(), Fault> {
        self.refuse_unasked()?;
        self.lines.push_str(position);
        self.lines.push('\n');
        for &question in questions {
            self.push(&Command::Query(question));
        }
        self.flush(deadline, "response")
    }

    /// The next answer to a question.
    pub fn hear_response(&mut self, deadline: Instant) -> Result<String, Fault> {
        loop {
            if let Some(Reply::Response(text)) = self.hear_reply(deadline, "response")? {
                return Ok(text);
            }
        }
    }

    /// From here on, whoever holds the nudge can have the engine answer a `go` at once.
    pub fn heed(&mut self, nudge: MoveNow) {
        self.nudge = Some(nudge);
    }

    /// Tells the engine to quit, without waiting.
    pub fn ask_to_quit(&mut self) {
        self.process.ask_to_quit();
    }

    /// Waits for the engine to quit, and kills what does not. Whether it went by itself.
    pub fn end(self, deadline: Instant) -> bool {
        self.process.end(deadline)
    }

    /// Any `bestmove` that is there before `go` was written is a move that nobody asked for.
    fn refuse_unasked(&mut self) -> Result<(), Fault> {
        while let Some(heard) = self.process.overhear() {
            match heard.said {
                ReceivedLine::BestMove { line, .. } => self.pay_or_refuse(line)?,
                ReceivedLine::Closed => break,
                ReceivedLine::Line(_) => {}
            }
        }
        Ok(())
    }

    fn pay_or_refuse(&mut self, line: String) -> Result<(), Fault> {
        if self.n_owed == 0 {
            return Err(Fault::Unasked(line));
        }
        self.n_owed -= 1;
        Ok(())
    }

    /// Counts a late `bestmove` as the one owed; whether there may be more to hear.
    fn settles(&mut self, heard: &Received) -> bool {
        if matches!(heard.said, ReceivedLine::BestMove { .. }) {
            self.n_owed = self.n_owed.saturating_sub(1);
        }
        !matches!(heard.said, ReceivedLine::Closed)
    }

    fn await_ready(&mut self, deadline: Instant) -> Result<(), Fault> {
        self.push(&Command::IsReady);
        self.flush(deadline, "readyok")?;
        self.hear_ready(deadline, "readyok")
    }

    /// Passes over everything up to `readyok`; `due` is what is waited for in the end.
    fn hear_ready(&mut self, deadline: Instant, due: &'static str) -> Result<(), Fault> {
        while self.hear_reply(deadline, due)? != Some(Reply::ReadyOk) {}
        Ok(())
    }

    /// The next reply that is no `bestmove`; `None` for a line that cannot be read.
    fn hear_reply(&mut self, deadline: Instant, due: &'static str) -> Result<Option<Reply>, Fault> {
        match self.hear(deadline, due)?.said {
            ReceivedLine::BestMove { line, .. } => self.pay_or_refuse(line).map(|()| None),
            ReceivedLine::Line(line) => Ok(Reply::parse(&line).ok()),
            ReceivedLine::Closed => Ok(None),
        }
    }

    fn hear_best_move(&mut self, asked: Instant, deadline: Instant) -> Result<BestMove, Fault> {
        loop {
            let heard = self.hear_nudged(deadline)?;
            let ReceivedLine::BestMove { line, info } = heard.said else {
                continue;
            };
            if heard.at < asked || self.n_owed > 1 {
                self.pay_or_refuse(line)?;
                continue;
            }
            let Ok(Reply::BestMove { mv, ponder }) = Reply::parse(&line) else {
                self.n_owed -= 1;
                return Err(Fault::Unreadable(line));
            };
            return Ok(BestMove {
                code: mv,
                ponder,
                elapsed: heard.at - asked,
                thought: info.map_or_else(Thought::default, |info| parse_thought(&info)),
            });
        }
    }

    /// Hears the next reply of a search, which is stopped when the nudge comes.
    fn hear_nudged(&mut self, deadline: Instant) -> Result<Received, Fault> {
        while let Some(nudge) = &self.nudge {
            if nudge.take() {
                self.push(&Command::Stop);
                self.flush(deadline, "bestmove")?;
            }
            let now = Instant::now();
            match self.hear(deadline.min(now + NUDGE_SLICE), "bestmove") {
                Err(fault) if fault.is_silence() && now < deadline => {}
                heard => return heard,
            }
        }
        self.hear(deadline, "bestmove")
    }

    fn hear(&mut self, deadline: Instant, due: &'static str) -> Result<Received, Fault> {
        self.process
            .hear(deadline)
            .map_err(|fault| Fault::Process { fault, due })
    }

    fn push(&mut self, command: &Command) {
        writeln!(self.lines, "{}", command.display(self.dialect)).expect("a string takes all");
    }

    fn flush(&mut self, deadline: Instant, due: &'static str) -> Result<(), Fault> {
        let written = self.process.write(self.lines.as_bytes(), deadline);
        self.lines.clear();
        written.map_err(|fault| Fault::Process { fault, due })
    }
}

fn parse_thought(info: &str) -> Thought {
    match Reply::parse(info) {
        Ok(Reply::Info(info)) => Thought {
            score: info.score,
            depth: info.depth,
            nodes: info.nodes,
            pv: info.pv,
        },
        _ => Thought::default(),
    }
}
