//! The engine behind a bridge: a child process with line-based input and output.

use std::time::{Duration, Instant};

use crossbeam_channel::TryRecvError;
use protocol::Line;
use record::engine_spec::OwnProgram;
use referee::engine;
use referee::process::{Death, Launch, Process, QUIT_TIMEOUT, wait_any};
use referee::stop::Stop;

use crate::{BridgeError, BridgeSetup, Done, Lines};

/// Maximum time for which an engine may leave a full pipe unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// Interval at which a wait checks for a stop request.
const STOP_CHECK: Duration = Duration::from_millis(50);

/// A running engine.
pub(super) struct Pipe {
    engine: engine::Lines,
    name: String,
}

/// Next input.
pub(super) enum Happened {
    /// A line of the client.
    Line(Line),
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
    pub(super) fn start(setup: &BridgeSetup) -> Done<Pipe> {
        let host = &setup.host;
        let own = OwnProgram::new(&host.executable, &setup.game.name, host.registry);
        let launch = Launch {
            log: setup.log.clone(),
            ..Launch::command_of(&setup.engine, own)
        };
        let process = Process::start(&launch).map_err(|error| {
            let (why, program) = (error.to_string(), launch.program.display().to_string());
            BridgeError::Ended(match why.contains(&program) {
                true => why,
                false => format!("{program}: {why}"),
            })
        })?;
        Ok(Pipe {
            engine: engine::Lines::of(process, Stop::default()),
            name: launch.name,
        })
    }

    /// Sends a line. Blocks while the pipe is full.
    ///
    /// # Errors
    /// The engine reads nothing for a minute, or has closed its input.
    pub(super) fn send(&mut self, line: &str) -> Done {
        self.engine.process.send(format!("{line}\n").as_bytes());
        match self.engine.wait_for_room(Instant::now() + WRITE_TIMEOUT) {
            true => Ok(()),
            false => Err(self.failed("does not read")),
        }
    }

    /// Closes the engine's input.
    pub(super) fn close_input(&mut self) {
        self.engine.process.close_input();
    }

    /// Waits for the next input. While `hears_client` is false, the client's lines stay queued.
    pub(super) fn wait(
        &mut self,
        lines: &Lines,
        hears_client: bool,
        until: Option<Instant>,
    ) -> Happened {
        loop {
            if let Some(line) = self.engine.next_read() {
                match line {
                    Line::Text(text) => return Happened::FromEngine(text),
                    Line::TooLong(_) => continue,
                }
            }
            if lines.stop.try_recv() != Err(TryRecvError::Empty) {
                return Happened::Stopped;
            }
            if hears_client {
                lines.alarm.clear();
                match lines.lines.try_recv() {
                    Ok((line, _)) => return Happened::Line(line),
                    Err(TryRecvError::Disconnected) => return Happened::End,
                    Err(TryRecvError::Empty) => {}
                }
            }
            if self.engine.process.is_output_closed() {
                return Happened::EngineClosed;
            }
            let now = Instant::now();
            if until.is_some_and(|until| now >= until) {
                return Happened::TimedOut;
            }
            let check = now + STOP_CHECK;
            let due = until.map_or(check, |until| until.min(check));
            let wake = hears_client.then(|| &*lines.alarm);
            wait_any(&mut [&mut self.engine.process], wake, Some(due));
            self.engine.read(Instant::now());
        }
    }

    /// Closes the engine's input, waits until it has ended, and kills it after a timeout. Discards its remaining
    /// output.
    pub(super) fn end(mut self) {
        let process = &mut self.engine.process;
        process.close_input();
        process.await_exit(Instant::now() + QUIT_TIMEOUT);
    }

    /// Checks the exit of an engine that has closed its output. `is_told` is `true` if the end was requested.
    ///
    /// # Errors
    /// The engine ended without a request, or with an error.
    pub(super) fn check_end(&mut self, is_told: bool) -> Done {
        let deadline = Instant::now() + QUIT_TIMEOUT;
        let death = self.engine.process.await_exit(deadline);
        if is_told && matches!(death, None | Some(Death::Exited(0))) {
            return Ok(());
        }
        let how = death.map_or("closed its output".to_owned(), |death| death.to_string());
        let stderr = self.engine.process.stderr();
        Err(match stderr.lines().last().map(str::trim) {
            None | Some("") => self.failed(&how),
            Some(last) => self.failed(&format!("{how}: {last}")),
        })
    }

    fn failed(&self, what: &str) -> BridgeError {
        BridgeError::Ended(format!("{} {what}", self.name))
    }
}
