//! An engine as a program: a [`Session`] between standard input and standard output.
//!
//! [`GameEntry::main`] is the whole `main` of a game's executable.
//!
//! One thread reads lines, each search has a thread, and the calling thread holds the session and is the only one that
//! writes. The session receives each line when it arrives, so `isready` and `stop` are answered during a search.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded, never, select, unbounded};
use protocol::{Line, LineReader, ProtocolOutput, Reply};

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
        let lines = match read_lines(io::stdin()) {
            Ok(lines) => lines,
            Err(error) => return fail("cannot start a thread to read with", &error),
        };
        let session = Session::on(*self, board);
        if let Err(why) = session.check_memory() {
            return fail("cannot start", &why);
        }
        session.crash_log().install(self.name);
        match serve(session, lines, ProtocolOutput::default()) {
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

/// Number of unread lines after which the reader stops reading. The pipe then fills, and the writer at its other end
/// blocks.
const BACKLOG: usize = 16;

/// Stack size of the reader in bytes. Its buffer is on the heap. The size is below the default, so that the thread also
/// starts when memory is short.
const READER_STACK: usize = 256 << 10;

/// Reads the lines of an input on a separate thread, without those that hold no word. The channel is disconnected at the
/// end of the input; a read error counts as one.
///
/// The thread is never joined, since a blocked read cannot be interrupted. It ends with the input, or with the first line
/// after the receiver was dropped.
///
/// # Errors
/// The thread cannot be started.
pub fn read_lines(input: impl Read + Send + 'static) -> io::Result<Receiver<Line>> {
    let (sender, lines) = bounded(BACKLOG);
    let thread = thread::Builder::new().name("input".to_owned());
    thread.stack_size(READER_STACK).spawn(move || {
        let mut input = LineReader::new(input);
        while let Ok(Some(line)) = input.read() {
            if !line.is_blank() && sender.send(line.to_line()).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

/// Answers lines until `quit` or their end. The replies to a line are one write, followed by a flush.
///
/// # Errors
/// Errors of the output; serving then ends. `BrokenPipe` means that the reader closed its end, which is a normal end.
///
/// # Panics
/// If the session or a search panics.
pub fn serve(
    session: Session,
    mut lines: Receiver<Line>,
    mut output: impl Write,
) -> io::Result<()> {
    let mut server = EngineServer {
        session,
        output: &mut output,
        running: None,
    };
    let no_replies = never();
    while !server.session.is_closed() || server.session.is_running() {
        let replies = server.running.as_ref().map(|running| &running.replies);
        select! {
            recv(lines) -> line => match line {
                Ok(line) => server.receive(&line)?,
                Err(_) => server.session.end_of_input(),
            },
            recv(replies.unwrap_or(&no_replies)) -> reply => match reply {
                Ok(reply) => server.send([reply])?,
                Err(_) => server.finish()?,
            },
        }
        if server.session.is_closed() {
            lines = never();
        }
    }
    Ok(())
}

/// A job in its own thread.
struct RunningJob {
    /// The replies on the way; disconnected at the end of the job.
    replies: Receiver<Reply>,
    /// Returns the last replies.
    thread: JoinHandle<Vec<Reply>>,
}

struct EngineServer<'a> {
    session: Session,
    output: &'a mut dyn Write,
    running: Option<RunningJob>,
}

impl EngineServer<'_> {
    fn receive(&mut self, line: &Line) -> io::Result<()> {
        log::debug!("< {line:?}");
        let replies = match line.text() {
            Ok(text) => self.session.receive(text, Instant::now()),
            Err(why) => vec![Reply::Error(why.to_string())],
        };
        self.send_and_start(replies)
    }

    /// Sends the replies to a line, and starts the job that it began.
    fn send_and_start(&mut self, replies: Vec<Reply>) -> io::Result<()> {
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
        let run = move || match waiting.recv() {
            // Sending fails only if the receiver is dropped, which happens when the program ends.
            Ok(job) => job(&mut |reply| drop(sender.send(reply))),
            Err(_) => Vec::new(),
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
        let last = job(&mut |reply| replies.push(reply));
        replies.extend(last);
        self.end_job(replies)
    }

    /// Ends the job of the search thread, or resumes its panic on this thread.
    fn finish(&mut self) -> io::Result<()> {
        let running = self.running.take().expect("a job is running");
        let ended = running.thread.join();
        let last = ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.end_job(last)
    }

    /// Sends the last replies of a job that has ended: the client may then send a line at once, which must not wait any
    /// more. Carries out the lines that waited.
    fn end_job(&mut self, last: Vec<Reply>) -> io::Result<()> {
        self.session.finish();
        self.send(last)?;
        while let Some(replies) = self.session.next_waiting(Instant::now()) {
            self.send_and_start(replies)?;
        }
        Ok(())
    }

    fn send(&mut self, replies: impl IntoIterator<Item = Reply>) -> io::Result<()> {
        let mut lines = String::new();
        for reply in replies {
            log::debug!("> {reply}");
            lines += &format!("{reply}\n");
        }
        if !lines.is_empty() {
            self.output.write_all(lines.as_bytes())?;
            self.output.flush()?;
        }
        Ok(())
    }
}
