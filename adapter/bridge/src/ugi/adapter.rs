//! A UGI engine that wraps a program of another protocol.

use std::io::Write;

use protocol::{Command, Go, Reply};

use super::client::Client;
use super::pipe::{Happened, Pipe};
use super::program::{Program, ProgramEvent, Search};
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
        state: State::ShakingHands,
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
    client: Client<'a>,
    program: P,
    pipe: Pipe,
    state: State,
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
                    _ => self
                        .client
                        .complain("go perft: this engine does not support perft")?,
                }
            }
            if !hears_client && self.state == State::Idle {
                return Ok(());
            }
            match self.pipe.wait(lines, hears_client) {
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
            }
        }
    }

    fn think(&mut self, go: &Go) -> Result<(), BridgeError> {
        let server = &mut self.client.server;
        if server.board.outcome().is_some() {
            self.client.complain("game is over")?;
            return self.client.best_move("none");
        }
        let search = Search {
            rules: &server.rules,
            line: &server.line,
            side: server.board.side(),
            go,
            is_new_game: server.is_new_game,
        };
        match self.program.search(&search) {
            Ok(lines) => {
                server.is_new_game = false;
                self.state = State::Thinking {
                    is_held: go.infinite || *go == Go::default(),
                    best: None,
                };
                self.send(&lines)
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
        let mut lines = Vec::new();
        let event = self.program.hear(line, &mut lines);
        self.send(&lines)?;
        match event {
            None => Ok(()),
            Some(ProgramEvent::Ready { name }) => {
                if self.state == State::ShakingHands {
                    (self.state, self.client.name) = (State::Idle, name);
                }
                Ok(())
            }
            Some(ProgramEvent::Thought(info)) => self.client.reply(&Reply::Info(info)),
            Some(ProgramEvent::Moved(code)) => self.finish(&code),
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
        lines.iter().try_for_each(|line| self.pipe.send(line))
    }
}
