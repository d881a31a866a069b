//! The engine behind a bridge: a child process with line-based input and output.

use std::time::{Duration, Instant};

use crossbeam_channel::{Select, TryRecvError};
use protocol::Line;
use record::engine_spec::OwnProgram;
use referee::host::Host;
use referee::process::{AllLines, Death, Launch, Process, QUIT_TIMEOUT, Reading, Transport};

use crate::{BridgeError, BridgeSetup, Lines, Received};

/// Maximum time for which an engine may leave a full pipe unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// A running engine.
pub(super) struct Pipe {
    process: Process<Line>,
    name: String,
}

/// Next input.
pub(super) enum Happened {
    /// A line of the client.
    Line(Received),
    /// The client has closed its output.
    End,
    /// This program must stop.
    Stopped,
    /// A line of the engine.
    FromEngine(String),
    /// The engine has closed its output.
    EngineClosed,
    /// The time is reached.
    TimedOut,
}

impl Pipe {
    /// Starts the engine of a setup, which is a command or built in.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(setup: &BridgeSetup) -> Result<Pipe, BridgeError> {
        let Host {
            executable,
            registry,
            ..
        } = &setup.host;
        let spec = &setup.engine;
        let own = OwnProgram::new(executable, &setup.game.name, *registry);
        let launch = Launch {
            log: setup.log.clone(),
            ..Launch::command_of(spec, own)
        };
        let process = Process::start(&launch, AllLines, Reading::Channel);
        let process = process.map_err(|error| {
            let (why, program) = (error.to_string(), launch.program.display().to_string());
            BridgeError::Engine(match why.contains(&program) {
                true => why,
                false => format!("{program}: {why}"),
            })
        })?;
        Ok(Pipe {
            process,
            name: launch.name,
        })
    }

    /// Sends a line. Blocks while the pipe is full.
    ///
    /// # Errors
    /// The engine reads nothing for a minute, or has closed its input.
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

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) {
        self.process.close_input();
    }

    /// Waits for the next input. While `hears_client` is false, the client's lines stay queued.
    pub(super) fn wait(
        &mut self,
        lines: &Lines,
        hears_client: bool,
        until: Option<Instant>,
    ) -> Happened {
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
            let is_ready = match until {
                Some(until) => select.ready_deadline(until).is_ok(),
                None => {
                    select.ready();
                    true
                }
            };
            if !is_ready {
                return Happened::TimedOut;
            }
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

    /// Closes the engine's input, waits until it has ended, and kills it after a timeout. Discards its remaining
    /// output.
    pub(super) fn end(mut self) {
        self.process.close_input();
        self.process.end(Instant::now() + QUIT_TIMEOUT);
    }

    /// Checks the exit of an engine that has closed its output. `is_told` is `true` if the end was requested.
    ///
    /// # Errors
    /// The engine ended without a request, or with an error.
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
