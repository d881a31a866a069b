//! A UGI client of an engine: its commands in order, and the replies to it.

use std::collections::VecDeque;
use std::io::Write;

use kit::Options;
use protocol::{Command, Dialect, Line, Reply};

use super::server::Server;
use crate::BridgeError;

/// Capacity for commands received during a search.
const MAX_WAITING: usize = 1000;

/// A client, and the game as it sees it.
pub(super) struct Client<'a> {
    pub(super) server: Server,
    /// Name of the engine, if known.
    pub(super) name: Option<String>,
    /// Options of the engine beside those of the game.
    pub(super) options: Options,
    dialect: Dialect,
    /// Commands that wait until the engine is idle.
    waiting: VecDeque<Command>,
    output: &'a mut dyn Write,
}

impl<'a> Client<'a> {
    pub(super) fn new(server: Server, output: &'a mut dyn Write) -> Client<'a> {
        Client {
            server,
            name: None,
            options: Options::new(Vec::new()),
            dialect: Dialect::default(),
            waiting: VecDeque::new(),
            output,
        }
    }

    /// Handles a line. Returns a command that must not wait; all others are queued.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(super) fn receive(
        &mut self,
        line: &Line,
        is_thinking: bool,
    ) -> Result<Option<Command>, BridgeError> {
        let parsed = match line.command() {
            Ok(parsed) => parsed,
            Err(error) => {
                self.complain(&error.to_string())?;
                return Ok(None);
            }
        };
        if let Some(surplus) = parsed.surplus {
            self.complain(&surplus.to_string())?;
        }
        match parsed.command {
            command @ (Command::Quit | Command::Stop | Command::PonderHit) => {
                return Ok(Some(command));
            }
            Command::IsReady if is_thinking => self.reply(&Reply::ReadyOk)?,
            _ if self.waiting.len() >= MAX_WAITING => {
                self.complain("too many lines are waiting")?;
            }
            command => self.waiting.push_back(command),
        }
        Ok(None)
    }

    /// Carries out the queued commands of an idle engine that need only the rules. Returns the first other one: `go`, `go
    /// perft`, `isready`, or `setoption` with a sound value of the engine's own option.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(super) fn next(&mut self) -> Result<Option<Command>, BridgeError> {
        while let Some(command) = self.waiting.pop_front() {
            let done = match command {
                Command::Handshake(dialect) => {
                    self.dialect = dialect;
                    self.greet()?;
                    Ok(())
                }
                Command::SetOption { name, value } if self.options.has(&name) => {
                    match self.options.set(&name, value.as_deref()) {
                        Ok(()) => return Ok(Some(Command::SetOption { name, value })),
                        Err(error) => Err(error.to_string()),
                    }
                }
                Command::SetOption { name, value } => {
                    self.server.set_option(&name, value.as_deref())
                }
                Command::NewGame => self.server.new_game(),
                Command::Position { base, moves } => self.server.set_position(&base, &moves),
                Command::Query(query) => {
                    self.reply(&Reply::Response(self.server.answer(query)))?;
                    Ok(())
                }
                Command::Display { .. } => {
                    for line in self.server.draw() {
                        self.reply(&Reply::Text(line))?;
                    }
                    Ok(())
                }
                Command::Go(_) | Command::Perft(_) | Command::IsReady => return Ok(Some(command)),
                Command::Blank
                | Command::Debug(_)
                | Command::PonderHit
                | Command::Stop
                | Command::Quit => Ok(()),
            };
            if let Err(why) = done {
                self.complain(&why)?;
            }
        }
        Ok(None)
    }

    fn greet(&mut self) -> Result<(), BridgeError> {
        if let Some(name) = self.name.clone() {
            self.reply(&Reply::IdName(name))?;
        }
        let options = self.server.options.declared();
        let options: Vec<_> = options.chain(self.options.declared()).cloned().collect();
        for option in options {
            self.reply(&Reply::Option(option))?;
        }
        self.reply(&Reply::HandshakeOk(self.dialect))
    }

    pub(super) fn best_move(&mut self, code: &str) -> Result<(), BridgeError> {
        self.reply(&Reply::BestMove {
            mv: code.to_owned(),
            ponder: None,
        })
    }

    pub(super) fn complain(&mut self, why: &str) -> Result<(), BridgeError> {
        self.reply(&Reply::Error(why.to_owned()))
    }

    pub(super) fn reply(&mut self, reply: &Reply) -> Result<(), BridgeError> {
        writeln!(self.output, "{reply}")?;
        Ok(self.output.flush()?)
    }
}
