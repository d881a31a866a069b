//! An engine as a program: a [`Session`] between standard input and standard output.
//!
//! [`stdio`] is what the executable of a game runs when no argument says otherwise.
//!
//! Three threads: one reads lines, one searches, and this one holds the session and alone writes. The session is
//! asked in the order of arrival, so that `isready` and `stop` are heard while the search runs.

use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, never, select, unbounded};
use protocol::connection::{Connection, Output};
use protocol::{Line, Reply};

use crate::Engine;
use crate::session::{Finished, Job, Session, Step};

/// The engine on standard input and output. The exit code is 0 after `quit`, at the end of the input, and when
/// nobody reads the output any more; 1, with a line on standard error, when writing fails otherwise.
pub fn stdio<G: Engine>() -> ExitCode {
    env_logger::init();
    match serve::<G>(Connection::stdio()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            log::error!("{}: cannot write to standard output: {error}", G::NAME);
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Answers the lines of a connection until `quit` or the end of its input.
///
/// # Errors
/// Those of the output; the conversation is over then.
pub fn serve<G: Engine>(connection: Connection) -> io::Result<()> {
    let (job_sender, jobs) = unbounded();
    let (event_sender, events) = unbounded();
    thread::spawn(move || search::<G>(&jobs, &event_sender));
    let Connection { lines, output } = connection;
    Server::<G> {
        session: Session::new(),
        output,
        jobs: job_sender,
        events,
    }
    .run(lines)
}

/// News from the search thread.
enum Event {
    Info(Reply),
    Done(Finished),
}

fn search<G: Engine>(jobs: &Receiver<Job<G>>, events: &Sender<Event>) {
    for job in jobs {
        // Nobody listens any more only when the program is about to end.
        let finished = job.run(&mut |info| drop(events.send(Event::Info(info))));
        drop(events.send(Event::Done(finished)));
    }
}

struct Server<G: Engine> {
    session: Session<G>,
    output: Output,
    jobs: Sender<Job<G>>,
    events: Receiver<Event>,
}

impl<G: Engine> Server<G> {
    fn run(mut self, mut lines: Receiver<Line>) -> io::Result<()> {
        let mut is_ending = false;
        while !is_ending || self.session.is_searching() {
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => is_ending = self.answer(&line)?,
                    Err(_) => {
                        self.session.end_of_input();
                        is_ending = true;
                    }
                },
                recv(self.events) -> event => self.tell(event.map_err(io::Error::other)?)?,
            }
            if is_ending {
                lines = never();
            }
        }
        Ok(())
    }

    /// Carries out one line; whether it was the last.
    fn answer(&mut self, line: &Line) -> io::Result<bool> {
        let arrival = Instant::now();
        log::debug!("< {line:?}");
        let step = match line.command() {
            Ok(parsed) => {
                self.send(
                    parsed
                        .surplus
                        .map(|surplus| Reply::Error(surplus.to_string())),
                )?;
                self.session.handle(parsed.command, arrival)
            }
            Err(why) => Step::Replies(vec![Reply::Error(why.to_string())]),
        };
        match step {
            Step::Replies(replies) => self.send(replies)?,
            Step::Search(replies, job) => {
                self.send(replies)?;
                self.jobs.send(*job).map_err(io::Error::other)?;
            }
            Step::Quit => return Ok(true),
        }
        Ok(false)
    }

    fn tell(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Info(info) => self.send([info]),
            Event::Done(finished) => {
                let replies = self.session.finish(finished);
                self.send(replies)
            }
        }
    }

    fn send(&mut self, replies: impl IntoIterator<Item = Reply>) -> io::Result<()> {
        self.output.send(
            replies
                .into_iter()
                .inspect(|reply| log::debug!("> {reply}")),
        )
    }
}
