//! The engine behind a bridge as a child process that speaks in lines.

use std::time::{Duration, Instant};

use crossbeam_channel::{Select, TryRecvError};
use protocol::Line;
use protocol::line::RawLine;
use referee::process::{Death, Filtered, Launch, LineFilter, Process, QUIT_TIMEOUT, Reading};
use referee::tournament::Host;

use crate::{BridgeError, BridgeSetup, Lines, Received};

/// How long an engine may leave a full pipe unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// Keeps every line.
struct AllLines;

impl LineFilter for AllLines {
    type Message = Line;

    fn filter(&mut self, line: RawLine<'_>) -> Filtered<Line> {
        Filtered {
            message: Some(line.to_line()),
            is_noise: line.is("info"),
        }
    }
}

/// A running engine.
pub(super) struct Pipe {
    process: Process<Line>,
    name: String,
}

/// What comes next.
pub(super) enum Happened {
    /// A line of the client.
    Line(Received),
    /// The client has closed its end.
    End,
    /// The program is told to end.
    Stopped,
    /// A line of the engine.
    FromEngine(String),
    /// The engine writes no more.
    EngineClosed,
}

impl Pipe {
    /// Starts the engine of a setup: a command as it is, or the built-in one.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(setup: &BridgeSetup) -> Result<Pipe, BridgeError> {
        let Host { executable, .. } = &setup.host;
        let spec = &setup.engine;
        let (program, args, dir) = spec.program.command(&setup.game.name, executable);
        let name = spec.name.clone();
        let name = name.unwrap_or_else(|| program.display().to_string());
        let launch = Launch {
            name: name.clone(),
            program,
            args: args.into_iter().map(Into::into).collect(),
            dir,
            stderr: spec.stderr.clone(),
            log: setup.log.clone(),
            cpus: Vec::new(),
        };
        let process = Process::start(&launch, AllLines, Reading::Channel);
        let process = process.map_err(|error| {
            BridgeError::Engine(format!("{}: {error}", launch.program.display()))
        })?;
        Ok(Pipe { process, name })
    }

    /// Sends a line. Blocks while the engine does not read.
    ///
    /// # Errors
    /// It does not read for a minute, or has closed its input.
    pub(super) fn send(&mut self, line: &str) -> Result<(), BridgeError> {
        self.process.send(format!("{line}\n").as_bytes());
        let deadline = Instant::now() + WRITE_TIMEOUT;
        while self.process.has_unsent() {
            if Instant::now() >= deadline {
                return Err(self.failed("does not read"));
            }
            self.process.wait_for_room(deadline);
        }
        Ok(())
    }

    /// Tells the engine that nothing more is sent.
    pub(super) fn close_input(&mut self) {
        self.process.close_input();
    }

    /// Waits for what comes next. `hears_client` is false while the client's lines are to wait.
    pub(super) fn wait(&mut self, lines: &Lines, hears_client: bool) -> Happened {
        loop {
            if let Some(received) = self.process.receive() {
                match received.message {
                    Line::Text(text) => return Happened::FromEngine(text),
                    Line::TooLong(_) => continue,
                }
            }
            let mut select = Select::new();
            select.recv(&lines.stop);
            if hears_client {
                select.recv(&lines.lines);
            }
            let Some(from_engine) = self.process.receiver() else {
                return Happened::EngineClosed;
            };
            select.recv(from_engine);
            select.ready();
            if lines.stop.try_recv() != Err(TryRecvError::Empty) {
                return Happened::Stopped;
            }
            self.process.fetch();
            if !hears_client {
                continue;
            }
            match lines.lines.try_recv() {
                Ok(line) => return Happened::Line(line),
                Err(TryRecvError::Disconnected) => return Happened::End,
                Err(TryRecvError::Empty) => {}
            }
        }
    }

    /// Waits until the engine has ended, and kills it if that takes too long. What it still writes is not heard.
    pub(super) fn end(mut self) {
        self.process.close_input();
        self.process.end(Instant::now() + QUIT_TIMEOUT);
    }

    /// How an engine has ended that writes no more.
    ///
    /// # Errors
    /// It was not told to end, or has ended with an error.
    pub(super) fn check_end(&self, is_told: bool) -> Result<(), BridgeError> {
        let death = self.process.await_exit(Instant::now() + QUIT_TIMEOUT);
        if is_told && matches!(death, None | Some(Death::Exited(0))) {
            return Ok(());
        }
        let how = death.map_or("closed its output".to_owned(), |death| death.to_string());
        let stderr = self.process.stderr();
        Err(match stderr.lines().last().map(str::trim) {
            None | Some("") => self.failed(&how),
            Some(last) => self.failed(&format!("{how}: {last}")),
        })
    }

    fn failed(&self, what: &str) -> BridgeError {
        BridgeError::Engine(format!("{} {what}", self.name))
    }
}
