//! A UGI engine that wraps a program of another protocol.

use std::collections::VecDeque;
use std::io::Write;
use std::ops::ControlFlow;

use protocol::{Command, Dialect, Go, Query, Reply, SyntaxError};

use super::pipe::{Happened, Pipe};
use super::program::{Program, ProgramEvent, Search};
use super::server::Server;
use crate::{BridgeError, BridgeSetup, Lines, Received};

/// Capacity for commands received during a search.
const MAX_WAITING: usize = 1000;

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
    let server = Server::new(setup)?;
    let mut adapter = Adapter {
        server,
        program,
        pipe: Pipe::start(setup)?,
        state: State::ShakingHands,
        name: None,
        dialect: Dialect::default(),
        is_new_game: true,
        waiting: VecDeque::new(),
        output,
    };
    let served = adapter.serve(lines);
    for line in adapter.program.quit() {
        // Fails only if the program has already ended.
        let _ = adapter.pipe.send(&line);
    }
    adapter.pipe.end();
    served
}

/// State of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    ShakingHands,
    Idle,
    Thinking {
        /// `true` while the answer must wait for `stop`.
        is_held: bool,
        /// The waiting answer.
        best: Option<String>,
    },
}

struct Adapter<'a, P> {
    server: Server,
    program: P,
    pipe: Pipe,
    state: State,
    /// Name of the program, if it reported one.
    name: Option<String>,
    dialect: Dialect,
    is_new_game: bool,
    /// Commands that wait until the program is idle.
    waiting: VecDeque<Command>,
    output: &'a mut dyn Write,
}

impl<P: Program> Adapter<'_, P> {
    fn serve(&mut self, lines: &Lines) -> Result<(), BridgeError> {
        let greeting = self.program.shake_hands();
        self.send(&greeting)?;
        let mut hears_client = true;
        loop {
            while self.state == State::Idle
                && let Some(command) = self.waiting.pop_front()
            {
                if self.carry_out(command)?.is_break() {
                    return Ok(());
                }
            }
            if !hears_client && self.state == State::Idle {
                return Ok(());
            }
            match self.pipe.wait(lines, hears_client) {
                Happened::Line(received) => {
                    if self.handle(&received)?.is_break() {
                        return Ok(());
                    }
                }
                Happened::End => {
                    hears_client = false;
                    self.release()?;
                }
                Happened::Stopped => return Ok(()),
                Happened::FromEngine(line) => self.hear(&line)?,
                Happened::EngineClosed => return self.pipe.check_end(false),
            }
        }
    }

    /// Handles a line of the client. Commands that can wait for the end of a search are queued.
    fn handle(&mut self, received: &Received) -> Result<ControlFlow<()>, BridgeError> {
        let parsed = match received.line.command() {
            Ok(parsed) => parsed,
            Err(error) => return self.complain(&error.to_string()).map(ControlFlow::Continue),
        };
        if let Some(surplus) = parsed.surplus {
            self.complain(&SyntaxError::to_string(&surplus))?;
        }
        let is_thinking = matches!(self.state, State::Thinking { .. });
        match parsed.command {
            Command::Quit => return Ok(ControlFlow::Break(())),
            Command::Stop if is_thinking => self.stop()?,
            Command::IsReady if is_thinking => self.reply(&Reply::ReadyOk)?,
            _ if self.waiting.len() >= MAX_WAITING => {
                self.complain("too many lines are waiting")?
            }
            command => self.waiting.push_back(command),
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Carries out a command while the program is idle.
    fn carry_out(&mut self, command: Command) -> Result<ControlFlow<()>, BridgeError> {
        let done = match command {
            Command::Handshake(dialect) => {
                self.dialect = dialect;
                return self.greet().map(ControlFlow::Continue);
            }
            Command::IsReady => return self.reply(&Reply::ReadyOk).map(ControlFlow::Continue),
            Command::SetOption { name, value } => self.server.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.is_new_game = true;
                self.server.new_game()
            }
            Command::Position { base, moves } => self.server.set_position(&base, &moves),
            Command::Go(go) => return self.think(&go).map(ControlFlow::Continue),
            Command::Query(query) => return self.answer(query).map(ControlFlow::Continue),
            Command::Display { .. } => {
                for line in self.server.draw() {
                    self.reply(&Reply::Text(line))?;
                }
                Ok(())
            }
            Command::Perft(_) => Err("go perft: this engine does not support perft".to_owned()),
            Command::Blank | Command::Debug(_) | Command::PonderHit | Command::Stop => Ok(()),
            Command::Quit => return Ok(ControlFlow::Break(())),
        };
        if let Err(why) = done {
            self.complain(&why)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn greet(&mut self) -> Result<(), BridgeError> {
        if let Some(name) = self.name.clone() {
            self.reply(&Reply::IdName(name))?;
        }
        let options: Vec<_> = self.server.options.declared().cloned().collect();
        for option in options {
            self.reply(&Reply::Option(option))?;
        }
        self.reply(&Reply::HandshakeOk(self.dialect))
    }

    fn answer(&mut self, query: Query) -> Result<(), BridgeError> {
        self.reply(&Reply::Response(self.server.answer(query)))
    }

    fn think(&mut self, go: &Go) -> Result<(), BridgeError> {
        if self.server.board.outcome().is_some() {
            self.complain("game is over")?;
            return self.best_move("none");
        }
        let search = Search {
            rules: &self.server.rules,
            line: &self.server.line,
            side: self.server.board.side(),
            go,
            is_new_game: self.is_new_game,
        };
        match self.program.search(&search) {
            Ok(lines) => {
                self.is_new_game = false;
                self.state = State::Thinking {
                    is_held: go.infinite || *go == Go::default(),
                    best: None,
                };
                self.send(&lines)
            }
            Err(why) => {
                self.complain(&why)?;
                self.best_move("none")
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
        let mut lines = Vec::new();
        let event = self.program.hear(line, &mut lines);
        self.send(&lines)?;
        match event {
            None => Ok(()),
            Some(ProgramEvent::Ready { name }) => {
                if self.state == State::ShakingHands {
                    (self.state, self.name) = (State::Idle, name);
                }
                Ok(())
            }
            Some(ProgramEvent::Thought(info)) => self.reply(&Reply::Info(info)),
            Some(ProgramEvent::Moved(code)) => self.finish(&code),
            Some(ProgramEvent::Failed(why)) => {
                self.complain(&why)?;
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
        self.best_move(code)
    }

    fn best_move(&mut self, code: &str) -> Result<(), BridgeError> {
        self.reply(&Reply::BestMove {
            mv: code.to_owned(),
            ponder: None,
        })
    }

    fn complain(&mut self, why: &str) -> Result<(), BridgeError> {
        self.reply(&Reply::Error(why.to_owned()))
    }

    fn send(&mut self, lines: &[String]) -> Result<(), BridgeError> {
        lines.iter().try_for_each(|line| self.pipe.send(line))
    }

    fn reply(&mut self, reply: &Reply) -> Result<(), BridgeError> {
        writeln!(self.output, "{reply}")?;
        Ok(self.output.flush()?)
    }
}
