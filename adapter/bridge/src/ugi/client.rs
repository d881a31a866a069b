//! A UGI client of an engine: the game as the client sees it, its commands in order, and the replies to it.

use std::collections::VecDeque;
use std::io::Write;
use std::time::Instant;

use kit::session::Session;
use kit::{DynHistory, Options};
use protocol::{Base, Command, Dialect, Line, OptionDecl, Reply};
use record::opening::Opening;
use record::registry::Rules;

use crate::Done;

/// Capacity for commands received during a search.
const MAX_WAITING: usize = 1000;

/// A client, and the game as it sees it.
pub(super) struct Client<'a> {
    /// Our own engine of the game, which keeps the position and answers questions about it.
    session: Session,
    /// The position string from which the game began; `None` for the start position.
    fen: Option<String>,
    /// `true` until the first search of a game.
    pub(super) is_new_game: bool,
    /// `true` after a new game or position, until the engine has set it up.
    pub(super) is_new_position: bool,
    /// Name of the engine, if known.
    pub(super) name: Option<String>,
    /// Options of the board, and of the engine.
    of_board: Vec<OptionDecl>,
    pub(super) options: Options,
    dialect: Dialect,
    /// Commands that wait until the engine is idle.
    waiting: VecDeque<Command>,
    output: &'a mut dyn Write,
}

impl<'a> Client<'a> {
    pub(super) fn new(rules: &Rules, output: &'a mut dyn Write) -> Client<'a> {
        Client {
            session: Session::on(*rules.entry(), rules.options()),
            fen: None,
            is_new_game: true,
            is_new_position: false,
            name: None,
            of_board: rules.options().declared().cloned().collect(),
            options: Options::new(Vec::new()),
            dialect: Dialect::default(),
            waiting: VecDeque::new(),
            output,
        }
    }

    /// The current position.
    pub(super) fn board(&self) -> &dyn DynHistory {
        self.session.history()
    }

    /// The position string and all moves from it.
    pub(super) fn line(&self) -> Opening {
        let fen = self.fen.clone();
        let base = fen.as_deref().map(|fen| self.board().begun_at(fen));
        let n_before = base.and_then(Result::ok).map_or(0, |base| base.ply());
        let moves = self.board().played().split_off(n_before);
        Opening { fen, moves }
    }

    /// Handles a line. Returns a command that must not wait; all others are queued.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(super) fn receive(&mut self, line: &Line, is_thinking: bool) -> Done<Option<Command>> {
        let parsed = match line.text().and_then(Command::parse) {
            Ok(parsed) => parsed,
            Err(error) => return self.complain(&error.to_string()).map(|()| None),
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
    pub(super) fn next(&mut self) -> Done<Option<Command>> {
        while let Some(command) = self.waiting.pop_front() {
            match command {
                Command::Handshake(dialect) => {
                    self.dialect = dialect;
                    self.greet()?;
                }
                Command::SetOption { name, value } if self.options.has(&name) => {
                    match self.options.set(&name, value.as_deref()) {
                        Ok(()) => return Ok(Some(Command::SetOption { name, value })),
                        Err(error) => self.complain(&error.to_string())?,
                    }
                }
                Command::Go(_) | Command::Perft(_) | Command::IsReady => return Ok(Some(command)),
                command => self.follow(command)?,
            }
        }
        Ok(None)
    }

    /// Carries out a command about the game. One that fails leaves the game unchanged.
    fn follow(&mut self, command: Command) -> Done {
        let line = command.display(Dialect::Ugi).to_string();
        let replies = self.session.receive(&line, Instant::now());
        if !replies.iter().any(|reply| matches!(reply, Reply::Error(_))) {
            match command {
                Command::NewGame => {
                    self.fen = None;
                    (self.is_new_game, self.is_new_position) = (true, true);
                }
                Command::Position { base, .. } => {
                    self.fen = match base {
                        Base::Start => None,
                        Base::Fen(text) => Some(text),
                    };
                    self.is_new_position = true;
                }
                _ => {}
            }
        }
        replies.iter().try_for_each(|reply| self.reply(reply))
    }

    fn greet(&mut self) -> Done {
        if let Some(name) = self.name.clone() {
            self.reply(&Reply::IdName(name))?;
        }
        let options = self.of_board.iter().chain(self.options.declared());
        for option in options.cloned().collect::<Vec<_>>() {
            self.reply(&Reply::Option(option))?;
        }
        self.reply(&Reply::HandshakeOk(self.dialect))
    }

    pub(super) fn best_move(&mut self, code: &str) -> Done {
        self.reply(&Reply::BestMove {
            mv: code.to_owned(),
            ponder: None,
        })
    }

    pub(super) fn complain(&mut self, why: &str) -> Done {
        self.reply(&Reply::Error(why.to_owned()))
    }

    pub(super) fn reply(&mut self, reply: &Reply) -> Done {
        writeln!(self.output, "{reply}")?;
        Ok(self.output.flush()?)
    }
}
