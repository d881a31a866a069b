//! An engine as a program: a [`Session`] between standard input and standard output.
//!
//! [`GameEntry::main`] is the whole `main` of a game's executable.
//!
//! One thread reads lines, each search has a thread, and the calling thread holds the session and is the only one that
//! writes. The session receives each line when it arrives, so `isready` and `stop` are answered during a search.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded, never, select, unbounded};
use protocol::{Connection, Line, Output, Reply};

use crate::session::{Job, Session};
use crate::{GameEntry, Options, bench};

impl GameEntry {
    /// Runs the engine on standard input and output until `quit`, with these defaults of the board's options. A game
    /// without an engine is played by [`uct`](crate::uct). The exit code is 0 after `quit`, at the end of the
    /// input, and if the reader closes the output; it is 1, with a line on standard error, if the engine cannot start or on
    /// any other write error.
    ///
    /// # Panics
    /// If the session or a search panics. The lines that led to it are then written to standard error.
    pub fn serve(&self, board: &Options) -> ExitCode {
        let fail = |what: &str, error: &dyn Display| {
            log::error!("{}: {what}: {error}", self.name);
            ExitCode::FAILURE
        };
        log_with_times();
        let connection = match Connection::stdio() {
            Ok(connection) => connection,
            Err(error) => return fail("cannot start a thread to read with", &error),
        };
        let session = Session::on(*self, board);
        if let Err(why) = session.check_memory() {
            return fail("cannot start", &why);
        }
        session.crash_log().install(self.name);
        match serve(session, connection) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                fail("cannot write to standard output", &error)
            }
            _ => ExitCode::SUCCESS,
        }
    }

    /// Runs the engine's bench and writes it to standard output; `None` if it has none.
    pub fn bench(&self) -> Option<ExitCode> {
        let _ = self.source.engine()?;
        Some(bench::main(self))
    }

    /// An engine's whole `main`: serves without arguments, runs the bench for `bench`. Any other argument is an error:
    /// one line on standard error and exit code 2.
    pub fn main(&self) -> ExitCode {
        let words: Vec<OsString> = std::env::args_os().skip(1).collect();
        match &words[..] {
            [] => self.serve(&Options::new(self.source.options())),
            [word] if word == "bench" => self.bench().unwrap_or(ExitCode::FAILURE),
            [word] | [_, word, ..] => {
                let word = word.to_string_lossy();
                let _ = writeln!(
                    io::stderr(),
                    "error: unknown argument {word:?}: give bench, or nothing to serve"
                );
                ExitCode::from(2)
            }
        }
    }
}

/// Writes log messages to standard error as `RUST_LOG` says, with the seconds since the start.
fn log_with_times() {
    let start = Instant::now();
    let mut logger = env_logger::Builder::from_default_env();
    let logger = logger.format(move |out, record| {
        let (seconds, level) = (start.elapsed().as_secs_f64(), record.level());
        writeln!(
            out,
            "[{seconds:.3} {level} {}] {}",
            record.target(),
            record.args()
        )
    });
    logger.init();
}

/// Answers the lines of a connection until `quit` or the end of its input.
///
/// # Errors
/// Errors of the output; serving then ends.
///
/// # Panics
/// If the session or a search panics.
pub fn serve(session: Session, connection: Connection) -> io::Result<()> {
    let server = EngineServer {
        session,
        output: connection.output,
        running: None,
    };
    server.run(connection.lines)
}

/// A job in its own thread.
struct RunningJob {
    /// Disconnected at the end of the job.
    replies: Receiver<Reply>,
    thread: JoinHandle<()>,
}

struct EngineServer {
    session: Session,
    output: Output,
    running: Option<RunningJob>,
}

impl EngineServer {
    fn run(mut self, mut lines: Receiver<Line>) -> io::Result<()> {
        let no_replies = never();
        while !self.session.is_closed() || self.session.is_running() {
            let replies = self.running.as_ref().map(|running| &running.replies);
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => {
                        log::debug!("< {line:?}");
                        let replies = self.session.receive(&line, Instant::now());
                        self.carry_on(replies)?;
                    }
                    Err(_) => self.session.end_of_input(),
                },
                recv(replies.unwrap_or(&no_replies)) -> reply => match reply {
                    Ok(last @ (Reply::BestMove { .. } | Reply::PerftTotal(_))) => {
                        self.finish(Some(last))?;
                    }
                    Ok(reply) => self.send([reply])?,
                    Err(_) => self.finish(None)?,
                },
            }
            if self.session.is_closed() {
                lines = never();
            }
        }
        Ok(())
    }

    /// Sends the replies to a line, and starts the job that it began.
    fn carry_on(&mut self, replies: Vec<Reply>) -> io::Result<()> {
        self.send(replies)?;
        match self.session.take_job() {
            Some(job) => self.start(job),
            None => Ok(()),
        }
    }

    fn start(&mut self, job: Job) -> io::Result<()> {
        // The thread receives the job once it runs, so that the job is not lost with a thread that does not start.
        let (jobs, waiting) = bounded::<Job>(1);
        let (sender, replies) = unbounded();
        let run = move || {
            if let Ok(job) = waiting.recv() {
                // Sending fails only if the receiver is dropped, which happens when the program ends.
                job(&mut |reply| drop(sender.send(reply)));
            }
        };
        let thread = thread::Builder::new().name("search".to_owned());
        match thread.spawn(run) {
            Ok(thread) => {
                self.running = Some(RunningJob { replies, thread });
                let sent = jobs.send(job);
                sent.map_err(|_| io::Error::other("the search thread has ended"))
            }
            Err(error) => self.run_stopped(job, &error),
        }
    }

    /// Runs a job on this thread with `stop` already set: a longer job would keep the engine from reading `stop`.
    fn run_stopped(&mut self, job: Job, error: &io::Error) -> io::Result<()> {
        self.session.stop_job();
        let text = format!("cannot start a search thread: {error}; the job ends at once");
        let mut replies = vec![Reply::string(text)];
        job(&mut |reply| replies.push(reply));
        self.send(replies)?;
        self.finish(None)
    }

    /// Ends a job, or resumes its panic on this thread, and carries out the lines that waited for it. Its `last` reply is
    /// sent afterwards: the client may then send a line at once, which must not wait any more.
    fn finish(&mut self, last: Option<Reply>) -> io::Result<()> {
        let mut replies = Vec::from_iter(last);
        if let Some(running) = self.running.take() {
            let ended = running.thread.join();
            ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            replies.extend(running.replies);
        }
        self.session.finish();
        self.send(replies)?;
        while let Some(replies) = self.session.next_waiting(Instant::now()) {
            self.carry_on(replies)?;
        }
        Ok(())
    }

    fn send(&mut self, replies: impl IntoIterator<Item = Reply>) -> io::Result<()> {
        let replies = replies.into_iter();
        self.output
            .send(replies.inspect(|reply| log::debug!("> {reply}")))
    }
}
