//! Exchanges lines with one process of the engine.
//!
//! Unlike a referee's [`Engine`](referee::engine::Engine), a dialogue receives every line, records its input so that a user
//! can reproduce a fault, and turns every failure into a finding. Every wait has a deadline.

use std::time::{Duration, Instant};

use protocol::text::excerpt;
use protocol::{Command, Dialect, Line, Query, Reply};
use record::opening::Opening;
use referee::engine::{Fault, Lines, SetOption};
use referee::process::{Death, Life, Process};

use crate::case::Case;
use crate::report::{Checked, Finding, FindingKind, ensure, fail};
use crate::transcript::{BoundedOutput, OutputLine, Transcript};

/// Duration of silence required where no output is allowed.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// Time that a process with a closed input has to exit, so that its exit status can be reported.
const EXIT_TIMEOUT: Duration = Duration::from_millis(50);

/// A running engine and the lines exchanged with it.
#[derive(Debug)]
pub(super) struct Dialogue<'a> {
    /// The known facts about the engine.
    pub(super) case: &'a Case<'a>,
    pub(super) engine: Lines,
    /// The options that were set when the process started.
    options: Vec<SetOption>,
    /// The lines exchanged.
    pub(super) transcript: Transcript,
    /// This process has answered a handshake.
    is_greeted: bool,
    /// A `bestmove` is expected.
    is_searching: bool,
    /// Nothing was sent that another step could notice: no option, no malformed bytes, no second handshake.
    pub(super) is_as_new: bool,
}

impl<'a> Dialogue<'a> {
    /// Starts a process without sending anything.
    pub(super) fn start(case: &'a Case<'_>) -> Checked<Dialogue<'a>> {
        let launch = &case.subject.launch;
        let program = launch.program.display().to_string();
        let process = Process::start(launch);
        let process = process.map_err(|error| match Fault::of_start(&program, &error) {
            // A shortage of the system ends the check.
            Fault::Shortage(why) => {
                case.subject.stop.fail(why.clone());
                fail!("{why}")
            }
            fault => fail!("{program}: {fault}"),
        })?;
        Ok(Dialogue {
            case,
            engine: Lines::of(process, case.subject.stop.clone()),
            options: Vec::new(),
            transcript: Transcript::default(),
            is_greeted: false,
            is_searching: false,
            is_as_new: false,
        })
    }

    /// Begins another step with this process. Returns `false` if it needs a new one.
    pub(super) fn renew(&mut self) -> bool {
        let new_game = Command::NewGame.display(self.dialect()).to_string();
        let is_quiet = self.is_as_new
            && !self.is_searching
            && self.ask(&new_game).is_ok_and(|output| output.is_empty());
        self.transcript.forget_step();
        is_quiet
    }

    /// Replaces the process by a new one with the same options.
    pub(super) fn again(&mut self) -> Checked<()> {
        self.restart(self.options.clone())
    }

    /// Replaces the process by a new one, then performs the handshake and sets the options.
    pub(super) fn restart(&mut self, options: Vec<SetOption>) -> Checked<()> {
        *self = Dialogue::start(self.case)?;
        self.set_up(options)
    }

    /// Performs the handshake and sets the options.
    pub(super) fn set_up(&mut self, options: Vec<SetOption>) -> Checked<()> {
        self.handshake()?;
        for (name, value) in options.iter().cloned() {
            self.command(&Command::SetOption { name, value })?;
        }
        self.transcript.end_setup();
        self.is_as_new = options == self.case.options;
        self.options = options;
        Ok(())
    }

    /// Performs the handshake. Returns all output up to `ugiok` or `uciok`.
    pub(super) fn handshake(&mut self) -> Checked<Vec<OutputLine>> {
        self.is_as_new = false;
        let asked = self.command(&Command::Handshake(self.dialect()))?;
        let deadline = asked + self.case.subject.timeouts.startup;
        let is_done = |reply: &Reply| matches!(reply, Reply::HandshakeOk(_));
        let lines = self.receive_until(self.dialect().handshake_ok(), deadline, is_done)?;
        self.is_greeted = true;
        Ok(lines)
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.case.subject.dialect
    }

    /// The timeout for an answer without a clock.
    pub(super) fn ping(&self) -> Duration {
        self.case.subject.timeouts.ping
    }

    /// Sends a command in the engine's dialect. Returns the time of sending.
    pub(super) fn command(&mut self, command: &Command) -> Checked<Instant> {
        self.send(&command.display(self.dialect()).to_string())
    }

    /// Sends one or more lines, separated by line breaks. Returns the time of sending.
    pub(super) fn send(&mut self, lines: &str) -> Checked<Instant> {
        for line in lines.lines() {
            self.transcript.sent(line);
            self.is_as_new &= !line.starts_with("setoption");
            self.is_searching |=
                line == "go" || line.starts_with("go ") && !line.starts_with("go perft");
        }
        self.write(format!("{lines}\n").as_bytes())
    }

    /// Sends raw bytes; reports show them as `shown_as`.
    pub(super) fn send_bytes(&mut self, bytes: &[u8], shown_as: &str) -> Checked<Instant> {
        self.transcript.sent(shown_as);
        self.is_as_new = false;
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Checked<Instant> {
        let now = Instant::now();
        self.engine.process.send(bytes);
        if !self.engine.wait_for_room(now + self.ping()) {
            return Err(self.fault(&Fault::Unread("a line to be read")));
        }
        let process = &mut self.engine.process;
        if process.is_input_closed() {
            let death = process.await_exit(now + EXIT_TIMEOUT);
            let death = death.unwrap_or(Death::ClosedInput);
            let due = Some("a line to be read");
            return Err(self.fault(&Fault::died(death, due)));
        }
        Ok(now)
    }

    /// Waits for the next line; `due` names the expected reply in an error message.
    pub(super) fn receive_line(
        &mut self,
        due: &'static str,
        deadline: Instant,
    ) -> Checked<OutputLine> {
        match self.engine.receive(due, deadline) {
            Ok(received) => Ok(self.read(received)),
            Err(Fault::Silent(_)) if due == self.dialect().handshake_ok() && !self.is_greeted => {
                let heard = self.engine.process.last_heard();
                let heard = heard.or_else(|| self.transcript.last_output("").pop());
                let fault = Fault::ungreeted(self.dialect(), heard.as_deref());
                Err(fail!("{fault}"))
            }
            Err(fault) => Err(self.fault(&fault)),
        }
    }

    /// Returns all lines up to and including the first reply for which `is_last` is true.
    pub(super) fn receive_until(
        &mut self,
        due: &'static str,
        deadline: Instant,
        is_last: impl Fn(&Reply) -> bool,
    ) -> Checked<Vec<OutputLine>> {
        let mut kept = BoundedOutput::default();
        loop {
            let output = self.receive_line(due, deadline)?;
            if output.reply.as_ref().is_some_and(&is_last) {
                kept.output.push(output);
                return Ok(kept.output);
            }
            kept.push(output);
        }
    }

    /// Returns all lines up to and including `readyok`.
    pub(super) fn receive_until_ready(&mut self, deadline: Instant) -> Checked<Vec<OutputLine>> {
        self.receive_until("readyok", deadline, |reply| *reply == Reply::ReadyOk)
    }

    /// Returns all output within `time`, or until the output is closed or the process ends.
    pub(super) fn receive_for(&mut self, time: Duration) -> Vec<OutputLine> {
        let deadline = Instant::now() + time;
        let mut kept = BoundedOutput::default();
        while let Ok(received) = self.engine.receive("", deadline) {
            kept.push(self.read(received));
        }
        kept.output
    }

    /// Creates the finding for an engine that died or timed out, with the commands that led to it.
    fn fault(&self, fault: &Fault) -> Finding {
        fail!("{fault}{}", self.transcript.context())
    }

    /// Records a received line and parses it.
    fn read(&mut self, (at, line): (Instant, Line)) -> OutputLine {
        let line = match line {
            Line::Text(text) => text,
            Line::TooLong(_) => "(a line too long to be read)".to_owned(),
        };
        self.transcript.received(&line);
        let reply = Reply::parse(&line).ok();
        if matches!(reply, None | Some(Reply::Text(_))) {
            self.case.non_replies.borrow_mut().add(&line);
        }
        let output = OutputLine { at, line, reply };
        self.is_searching &= !output.is_best_move();
        output
    }

    /// Sends lines and `isready` in one write, and waits until the engine has processed them. Returns its output in the
    /// meantime, without `readyok`. Fails if the answer to a query among them arrives after it.
    pub(super) fn ask(&mut self, lines: &str) -> Checked<Vec<OutputLine>> {
        let ready = Command::IsReady.display(self.dialect()).to_string();
        // Without lines there is no line break before it.
        let asked = self.send(format!("{lines}\n{ready}").trim_start_matches('\n'))?;
        let deadline = asked + self.ping();
        let mut output = self.receive_until_ready(deadline)?;
        output.pop();
        if !self.is_searching {
            // Only queries that the engine is known to answer are awaited. The caller judges a missing answer.
            let words = lines.lines().filter_map(|line| line.strip_prefix("query "));
            let answers = &self.case.answers;
            let mut due = words.filter(|word| answers.iter().any(|query| query.word() == *word));
            let n_answered = output.iter().filter(|output| output.is_answer()).count();
            if let Some(late) = due.nth(n_answered) {
                let is_late = self
                    .receive_first(deadline, OutputLine::is_answer)
                    .is_some();
                ensure!(!is_late, "readyok came before the answer to query {late}");
            }
            self.transcript.forget_ready();
        }
        Ok(output)
    }

    /// Waits with `isready` until all lines are processed. Returns the output in the meantime, without `readyok`.
    pub(super) fn sync(&mut self) -> Checked<Vec<OutputLine>> {
        self.ask("")
    }

    /// Returns the first line for which `is_wanted` is true; `None` if none arrives until the deadline.
    pub(super) fn receive_first(
        &mut self,
        deadline: Instant,
        is_wanted: impl Fn(&OutputLine) -> bool,
    ) -> Option<OutputLine> {
        std::iter::from_fn(|| self.receive_line("", deadline).ok()).find(is_wanted)
    }

    /// Drops input lines that a new position makes irrelevant, unless a search is running.
    pub(super) fn forget_position(&mut self) {
        if !self.is_searching {
            self.transcript.forget_position();
        }
    }

    /// Sets a position that the engine must accept.
    pub(super) fn set(&mut self, opening: &Opening) -> Checked<()> {
        match self.refuses(opening)? {
            Some(why) => Err(self.refusal(opening, &why)),
            None => Ok(()),
        }
    }

    /// Sets a position. Returns the engine's reason if it rejects it.
    pub(super) fn refuses(&mut self, opening: &Opening) -> Checked<Option<String>> {
        self.forget_position();
        let output = self.ask(&format!("position {opening}"))?;
        let error = output.iter().find_map(OutputLine::error);
        Ok(error.map(str::to_owned))
    }

    /// Creates the finding for a legal position that the engine rejects.
    pub(super) fn refusal(&self, opening: &Opening, why: &str) -> Finding {
        let line = format!("position {opening}");
        let mut finding = fail!("refuses \"{}\": {}", excerpt(&line), excerpt(why));
        finding.kind = FindingKind::Refusal;
        self.shown_by(finding, vec![line])
    }

    /// Returns the answer to a query without the word `response`, or `None`.
    pub(super) fn query(&mut self, query: Query) -> Checked<Option<String>> {
        let output = self.ask(&format!("query {}", query.word()))?;
        let answer = output.iter().find_map(OutputLine::response);
        Ok(answer.map(str::to_owned))
    }

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) {
        self.transcript.sent("(end of input)");
        self.is_as_new = false;
        self.engine.process.close_input();
    }

    /// Waits for the engine to exit with status 0. Returns the output before.
    pub(super) fn await_end(&mut self, after: &str) -> Checked<Vec<OutputLine>> {
        let time = self.ping();
        let deadline = Instant::now() + time;
        let last_output = self.receive_for(time);
        match self.engine.process.await_exit(deadline) {
            Some(Death::Exited(0)) => Ok(last_output),
            Some(death) => Err(fail!("{death} after {after}: expected status 0")),
            None => Err(fail!("still runs {} ms after {after}", time.as_millis())),
        }
    }

    /// Adds the set-up and these lines as input that reproduces the finding.
    pub(super) fn shown_by(&self, mut finding: Finding, lines: Vec<String>) -> Finding {
        finding.lines = self.transcript.setup_lines().chain(lines).collect();
        finding
    }

    /// Adds the input and last output of the current process to a finding, before another process replaces it.
    pub(super) fn with_evidence(&mut self, mut finding: Finding) -> Finding {
        if finding.lines.is_empty() {
            finding.lines = self.transcript.to_paste();
        }
        if finding.received.is_empty() {
            finding.received = self.transcript.last_output(&self.engine.process.stderr());
        }
        finding
    }
}

/// Sends `quit` and kills the process if it does not exit soon.
impl Drop for Dialogue<'_> {
    fn drop(&mut self) {
        const GRACE: Duration = Duration::from_millis(300);
        let process = &mut self.engine.process;
        process.send(b"quit\n");
        process.close_input();
        process.await_exit(Instant::now() + GRACE);
    }
}
