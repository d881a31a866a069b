//! A UGI engine that wraps a program of another protocol.
//!
//! `isready` sets up the game in the program, so that its client learns before the first move what it cannot do. Beside
//! the protocol, `bestmove resign` is a resignation, `info string note TEXT` a note for the user, and with
//! [`shows_wire`](BridgeSetup::shows_wire) `info string wire > LINE` and `< LINE` are the program's own lines.

use std::io::Write;
use std::time::{Duration, Instant};

use kit::{Options, Side};
use protocol::{Command, Go, Info, OptionDecl, Reply};
use record::opening::Opening;
use record::registry::Rules;
use referee::engine::{NOTE, RESIGN};
use referee::process::WIRE;

use super::client::Client;
use super::pipe::{Happened, Pipe};
use super::server::Server;
use crate::{BridgeError, BridgeSetup, Lines};

/// Serves a UGI client until it quits, or until its input ends and all commands are done.
///
/// # Errors
/// The program cannot be started or ends unexpectedly, or the output cannot be written.
pub(super) fn run(
    setup: &BridgeSetup,
    lines: &Lines,
    output: &mut dyn Write,
    program: impl Program,
) -> Result<(), BridgeError> {
    let server = Server::new(setup.host.registry, &setup.game.name, setup.rules()?);
    let mut adapter = Adapter {
        client: Client::new(server, output),
        program,
        pipe: Pipe::start(setup)?,
        started: Instant::now(),
        state: State::ShakingHands {
            is_ready_due: false,
        },
        options: Vec::new(),
        setup,
    };
    let served = adapter.serve(lines);
    adapter.quit();
    adapter.pipe.end();
    served
}

/// State of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    ShakingHands {
        /// `true` in a process that was started for a game that waits.
        is_ready_due: bool,
    },
    Idle,
    /// Setting up a game for `isready`.
    Preparing,
    Thinking {
        /// `true` while the answer must wait for `stop`.
        is_held: bool,
        /// The waiting answer.
        best: Option<String>,
    },
}

struct Adapter<'a, P> {
    client: Client<'a>,
    program: P,
    pipe: Pipe,
    /// Start of the process.
    started: Instant,
    state: State,
    /// The program's options that were set, for its next process.
    options: Vec<(String, Option<String>)>,
    setup: &'a BridgeSetup,
}

impl<P: Program> Adapter<'_, P> {
    fn serve(&mut self, lines: &Lines) -> Result<(), BridgeError> {
        let greeting = self.program.shake_hands();
        self.send(&greeting)?;
        let mut hears_client = true;
        loop {
            while self.state == State::Idle
                && let Some(command) = self.client.next()?
            {
                match command {
                    Command::Go(go) => self.think(&go)?,
                    Command::IsReady => self.get_ready()?,
                    Command::SetOption { name, value } => self.set_option(name, value)?,
                    _ => self
                        .client
                        .complain("go perft: this engine does not support perft")?,
                }
            }
            if !hears_client && self.state == State::Idle {
                return Ok(());
            }
            let is_greeting = matches!(self.state, State::ShakingHands { .. });
            let timeout = self.program.handshake_timeout().filter(|_| is_greeting);
            let until = timeout.map(|timeout| self.started + timeout);
            match self.pipe.wait(lines, hears_client, until) {
                Happened::Line(received) => {
                    let is_thinking = matches!(self.state, State::Thinking { .. });
                    match self.client.receive(&received.line, is_thinking)? {
                        Some(Command::Quit) => return Ok(()),
                        Some(Command::Stop) => self.stop()?,
                        _ => {}
                    }
                }
                Happened::End => {
                    hears_client = false;
                    self.release()?;
                }
                Happened::Stopped => return Ok(()),
                Happened::FromEngine(line) => self.hear(&line)?,
                Happened::EngineClosed => return self.pipe.check_end(false),
                Happened::TimedOut => self.greeted(None)?,
            }
        }
    }

    /// Begins with the game after the handshake of a process.
    fn greeted(&mut self, name: Option<String>) -> Result<(), BridgeError> {
        let State::ShakingHands { is_ready_due } = self.state else {
            return Ok(());
        };
        self.state = State::Idle;
        if is_ready_due {
            for (name, value) in self.options.clone() {
                let lines = self.program.set_option(&name, value.as_deref());
                self.send(&lines)?;
            }
            return self.prepare();
        }
        self.client.name = name;
        self.client.options = Options::new(self.program.options().to_vec());
        Ok(())
    }

    fn set_option(&mut self, name: String, value: Option<String>) -> Result<(), BridgeError> {
        let lines = self.program.set_option(&name, value.as_deref());
        // A match sets `Seed` before each game: only the last value is for the next process.
        self.options
            .retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
        self.options.push((name, value));
        self.send(&lines)
    }

    /// `isready`: sets up the game, in a new process if the old one plays only one game.
    fn get_ready(&mut self) -> Result<(), BridgeError> {
        if !std::mem::take(&mut self.client.server.is_new_position) {
            return self.client.reply(&Reply::ReadyOk);
        }
        if !(self.program.is_used_up() && self.client.server.is_new_game) {
            return self.prepare();
        }
        self.quit();
        let pipe = Pipe::start(self.setup)?;
        std::mem::replace(&mut self.pipe, pipe).end();
        self.started = Instant::now();
        self.state = State::ShakingHands { is_ready_due: true };
        let greeting = self.program.shake_hands();
        self.send(&greeting)
    }

    fn prepare(&mut self) -> Result<(), BridgeError> {
        let go = Go::default();
        let prepared = self.program.prepare(&search(&self.client.server, &go));
        match prepared {
            Ok(lines) => {
                self.state = State::Preparing;
                self.send(&lines)?;
                match self.program.is_preparing() {
                    true => Ok(()),
                    false => self.prepared(),
                }
            }
            Err(why) => self.unprepared(&why),
        }
    }

    fn prepared(&mut self) -> Result<(), BridgeError> {
        self.client.server.is_new_game = false;
        self.state = State::Idle;
        self.client.reply(&Reply::ReadyOk)
    }

    fn unprepared(&mut self, why: &str) -> Result<(), BridgeError> {
        self.state = State::Idle;
        self.client.complain(why)?;
        self.client.reply(&Reply::ReadyOk)
    }

    fn think(&mut self, go: &Go) -> Result<(), BridgeError> {
        let server = &mut self.client.server;
        if server.board.outcome().is_some() {
            self.client.complain("game is over")?;
            return self.client.best_move("none");
        }
        match self.program.search(&search(server, go)) {
            Ok(lines) => {
                server.is_new_game = false;
                self.state = State::Thinking {
                    is_held: go.infinite || *go == Go::default(),
                    best: None,
                };
                self.send(&lines)?;
                let event = self.program.event_of_search();
                self.act(event)
            }
            Err(why) => {
                self.client.complain(&why)?;
                self.client.best_move("none")
            }
        }
    }

    fn stop(&mut self) -> Result<(), BridgeError> {
        self.release()?;
        if matches!(self.state, State::Thinking { .. }) {
            let lines = self.program.move_now();
            self.send(&lines)?;
        }
        Ok(())
    }

    /// Sends the waiting answer, and lets a later one pass at once.
    fn release(&mut self) -> Result<(), BridgeError> {
        if let State::Thinking { is_held, best, .. } = &mut self.state {
            *is_held = false;
            if let Some(best) = best.take() {
                return self.finish(&best);
            }
        }
        Ok(())
    }

    fn hear(&mut self, line: &str) -> Result<(), BridgeError> {
        self.show_wire('<', line)?;
        let mut lines = Vec::new();
        let event = self.program.hear(line, &mut lines);
        self.send(&lines)?;
        self.act(event)
    }

    fn act(&mut self, event: Option<ProgramEvent>) -> Result<(), BridgeError> {
        let is_preparing = self.state == State::Preparing;
        match event {
            None => Ok(()),
            Some(ProgramEvent::Ready { name }) => self.greeted(name),
            Some(ProgramEvent::Prepared) if is_preparing => self.prepared(),
            Some(ProgramEvent::Prepared) => Ok(()),
            Some(ProgramEvent::Thought(info)) => self.client.reply(&Reply::Info(info)),
            Some(ProgramEvent::Moved(code)) => self.finish(&code),
            Some(ProgramEvent::Resigned) => self.finish(RESIGN),
            Some(ProgramEvent::Noted(text)) => {
                self.client.reply(&Reply::string(format!("{NOTE} {text}")))
            }
            Some(ProgramEvent::Failed(why)) if is_preparing => self.unprepared(&why),
            Some(ProgramEvent::Failed(why)) => {
                self.client.complain(&why)?;
                self.finish("none")
            }
        }
    }

    /// Sends the program's move, or keeps it until `stop`.
    fn finish(&mut self, code: &str) -> Result<(), BridgeError> {
        let State::Thinking { is_held, best } = &mut self.state else {
            return Ok(());
        };
        if *is_held {
            *best = Some(code.to_owned());
            return Ok(());
        }
        self.state = State::Idle;
        self.client.best_move(code)
    }

    fn send(&mut self, lines: &[String]) -> Result<(), BridgeError> {
        lines.iter().try_for_each(|line| {
            self.show_wire('>', line)?;
            self.pipe.send(line)
        })
    }

    fn show_wire(&mut self, arrow: char, line: &str) -> Result<(), BridgeError> {
        if !self.setup.shows_wire {
            return Ok(());
        }
        let text = format!("{WIRE} {arrow} {line}");
        self.client.reply(&Reply::string(text))
    }

    /// Asks the process to end. Fails only if it has ended already.
    fn quit(&mut self) {
        let lines = self.program.quit();
        let _ = self.send(&lines);
    }
}

/// A search of the client's position.
fn search<'a>(server: &'a Server, go: &'a Go) -> Search<'a> {
    Search {
        rules: &server.rules,
        line: &server.line,
        side: server.board.side(),
        go,
        is_new_game: server.is_new_game,
    }
}

/// A program of another protocol, as a state machine: it converts requests to lines for the program, and lines of the
/// program to events. It neither waits nor accesses the process.
pub(crate) trait Program {
    /// Returns the lines of the handshake. [`ProgramEvent::Ready`] follows.
    fn shake_hands(&mut self) -> Vec<String>;

    /// The time after which a program counts as ready although it has not ended its handshake; `None` without one.
    fn handshake_timeout(&self) -> Option<Duration> {
        None
    }

    /// Options that the program has declared in its handshake.
    fn options(&self) -> &[OptionDecl] {
        &[]
    }

    /// Returns the lines that set one of the program's options.
    fn set_option(&mut self, _name: &str, _value: Option<&str>) -> Vec<String> {
        Vec::new()
    }

    /// `true` if the program must be started anew for another game.
    fn is_used_up(&self) -> bool {
        false
    }

    /// Returns the lines that set up a game without starting a search. While [`is_preparing`](Program::is_preparing),
    /// [`ProgramEvent::Prepared`] or [`ProgramEvent::Failed`] follows.
    ///
    /// # Errors
    /// The protocol or the program cannot do it; the text gives the reason.
    fn prepare(&mut self, search: &Search<'_>) -> Result<Vec<String>, String>;

    /// `true` while the answer of [`prepare`](Program::prepare) is outstanding.
    fn is_preparing(&self) -> bool;

    /// Returns the lines that start a search. [`ProgramEvent::Moved`] or [`ProgramEvent::Failed`] follows. Moves that
    /// are already on the program's board are not sent again.
    ///
    /// # Errors
    /// The protocol cannot express the position; the text gives the reason.
    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String>;

    /// Returns the lines that make a thinking program move at once; none if it cannot be interrupted.
    fn move_now(&mut self) -> Vec<String>;

    /// Returns the lines that end the program.
    fn quit(&mut self) -> Vec<String>;

    /// Returns an event that follows a search at once: the program has resigned before, or has made a false claim.
    fn event_of_search(&mut self) -> Option<ProgramEvent> {
        None
    }

    /// Handles a line of the program. Lines to be sent in response are added to `send`.
    fn hear(&mut self, line: &str, send: &mut Vec<String>) -> Option<ProgramEvent>;
}

/// Position and limits of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'a> {
    /// Game and options.
    pub(crate) rules: &'a Rules,
    /// Start position, and all moves as canonical codes.
    pub(crate) line: &'a Opening,
    /// The side to move.
    pub(crate) side: Side,
    /// Limits. A protocol ignores those that it cannot express.
    pub(crate) go: &'a Go,
    /// `true` for the first search of a game.
    pub(crate) is_new_game: bool,
}

/// Event of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ProgramEvent {
    /// The handshake is complete.
    Ready {
        /// Name of the program, if it reported one.
        name: Option<String>,
    },
    /// The game is set up.
    Prepared,
    /// The program has made this move, as a code.
    Moved(String),
    /// Search information.
    Thought(Info),
    /// The program resigns in place of a move.
    Resigned,
    /// A message for the user; the game is not affected.
    Noted(String),
    /// The program failed to move or to set up the game, with the reason.
    Failed(String),
}

/// Formats seconds, as an integer if possible, because some programs accept nothing else.
pub(crate) fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}
