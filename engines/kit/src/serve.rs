//! An engine as a program: a [`Session`] between standard input and standard output.
//!
//! [`stdio`] is what a game's executable runs without arguments.
//!
//! There are three threads. One reads lines, one runs searches, and the calling thread holds the session and is the
//! only one that writes. The session receives each line when it arrives, so `isready` and `stop` are answered during a
//! search.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use protocol::connection::{Connection, Output};
use protocol::{Line, Reply};

use crate::session::{Finished, Job, Session, Step};
use crate::{GameEntry, Options};

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

/// Runs the engine on standard input and output. The options of the board are declared with
/// these values as their defaults. The exit code is 0 after `quit`, at the end of the input, and if the
/// reader closes the output; it is 1, with a line on standard error, if the engine cannot start or on any other write
/// error.
///
/// # Panics
/// If the session or a search panics. The lines that led to it are then written to standard error.
pub fn stdio(entry: GameEntry, board: &Options) -> ExitCode {
    let fail = |what: &str, error: &dyn Display| {
        log::error!("{}: {what}: {error}", entry.name);
        ExitCode::FAILURE
    };
    log_with_times();
    let connection = match Connection::stdio() {
        Ok(connection) => connection,
        Err(error) => return fail("cannot start a thread to read with", &error),
    };
    let session = Session::on(entry, board);
    if let Err(why) = session.check_memory() {
        return fail("cannot start", &why);
    }
    session.crash_log().install(entry.name);
    match run(session, connection) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail("cannot write to standard output", &error)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Answers the lines of a connection until `quit` or the end of its input.
///
/// # Errors
/// Errors of the output; serving then ends.
///
/// # Panics
/// If the session or a search panics.
pub fn serve(entry: GameEntry, connection: Connection) -> io::Result<()> {
    run(Session::new(entry), connection)
}

fn run(session: Session, connection: Connection) -> io::Result<()> {
    let Connection { lines, output } = connection;
    let server = EngineServer {
        session,
        output,
        worker: None,
    };
    server.run(lines)
}

/// The thread that runs jobs.
struct JobThread {
    jobs: Sender<Job>,
    events: Receiver<JobEvent>,
    thread: JoinHandle<()>,
}

/// A message from the worker.
enum JobEvent {
    Reply(Reply),
    Done(Finished),
}

impl JobThread {
    fn start() -> io::Result<JobThread> {
        let (jobs, waiting) = unbounded::<Job>();
        let (sender, events) = unbounded();
        // Sending fails only if the receiver is dropped, which happens when the program ends.
        let run = move || {
            for job in waiting {
                let finished = job.run(&mut |reply| drop(sender.send(JobEvent::Reply(reply))));
                drop(sender.send(JobEvent::Done(finished)));
            }
        };
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .spawn(run)?;
        Ok(JobThread {
            jobs,
            events,
            thread,
        })
    }

    /// Resumes on this thread the panic that ended the worker.
    fn resume_panic(self) -> ! {
        drop(self.jobs);
        match self.thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("the worker ends before its jobs only by a panic"),
        }
    }
}

struct EngineServer {
    session: Session,
    output: Output,
    /// Started with the first job.
    worker: Option<JobThread>,
}

impl EngineServer {
    fn run(mut self, mut lines: Receiver<Line>) -> io::Result<()> {
        let no_events = never();
        let mut is_ending = false;
        while !is_ending || self.session.is_running() {
            let events = self.worker.as_ref().map(|worker| &worker.events);
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => {
                        log::debug!("< {line:?}");
                        let step = self.session.receive(&line, Instant::now());
                        is_ending = self.take(step)?;
                    }
                    Err(_) => {
                        self.session.end_of_input();
                        is_ending = true;
                    }
                },
                recv(events.unwrap_or(&no_events)) -> event => match event {
                    Ok(event) => self.handle(event)?,
                    Err(_) => self.worker.take().expect("it sent events").resume_panic(),
                },
            }
            if is_ending {
                lines = never();
            }
        }
        Ok(())
    }

    /// Carries out a session's step. Returns `true` if it was the last one.
    fn take(&mut self, step: Step) -> io::Result<bool> {
        self.send(step.replies)?;
        if let Some(job) = step.job {
            self.start(job)?;
        }
        Ok(step.is_last)
    }

    fn start(&mut self, job: Job) -> io::Result<()> {
        if self.worker.is_none() {
            match JobThread::start() {
                Ok(worker) => self.worker = Some(worker),
                Err(error) => return self.run_stopped(job, &error),
            }
        }
        let worker = self.worker.as_ref().expect("it was started");
        let sent = worker.jobs.send(job);
        sent.map_err(|_| io::Error::other("the search thread has ended"))
    }

    /// Runs a job on this thread with `stop` already set: a longer job would keep the engine from reading `stop`.
    fn run_stopped(&mut self, job: Job, error: &io::Error) -> io::Result<()> {
        let text = format!("cannot start a search thread: {error}; the job ends at once");
        self.send([Reply::string(text)])?;
        job.stop();
        let mut replies = Vec::new();
        let finished = job.run(&mut |reply| replies.push(reply));
        self.send(replies)?;
        self.handle(JobEvent::Done(finished))
    }

    fn handle(&mut self, event: JobEvent) -> io::Result<()> {
        let finished = match event {
            JobEvent::Reply(reply) => return self.send([reply]),
            JobEvent::Done(finished) => finished,
        };
        let replies = self.session.finish(finished);
        self.send(replies)?;
        while let Some(step) = self.session.next_waiting(Instant::now()) {
            self.take(step)?;
        }
        Ok(())
    }

    fn send(&mut self, replies: impl IntoIterator<Item = Reply>) -> io::Result<()> {
        let replies = replies.into_iter();
        self.output
            .send(replies.inspect(|reply| log::debug!("> {reply}")))
    }
}
