//! A UGI client of an engine: the game as the client sees it, its commands in order, and the replies to it.

use std::collections::VecDeque;
use std::io::Write;

use draw::View;
use kit::dyn_history::expected_reply;
use kit::{DynHistory, Options};
use protocol::{Base, Command, Dialect, Line, Query, Reply};
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};

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

/// State of the game.
pub(super) struct Server {
    registry: Registry,
    name: String,
    pub(super) options: Options,
    pub(super) rules: Rules,
    /// Start position, and all moves.
    pub(super) line: Opening,
    pub(super) board: Box<dyn DynHistory>,
    /// `true` until the first search of a game.
    pub(super) is_new_game: bool,
    /// `true` after a new game or position, until the engine has set it up.
    pub(super) is_new_position: bool,
}

impl Server {
    /// Creates the state at the start of a game with these rules.
    pub(super) fn new(registry: Registry, name: &str, rules: Rules) -> Server {
        Server {
            registry,
            name: name.to_owned(),
            options: rules.options().clone(),
            line: Opening::default(),
            board: rules.start(),
            is_new_game: true,
            is_new_position: false,
            rules,
        }
    }

    /// Sets an option. It takes effect with the next position or game.
    ///
    /// # Errors
    /// The name or value is invalid; the text says what was expected.
    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let set = self.options.set(name, value);
        set.map_err(|error| error.to_string())
    }

    /// Sets the start position for the current options.
    ///
    /// # Errors
    /// The options are incompatible.
    pub(super) fn new_game(&mut self) -> Result<(), String> {
        self.is_new_game = true;
        self.set_position(&Base::Start, &[])
    }

    /// Sets a position. On errors, the position is unchanged.
    ///
    /// # Errors
    /// Names the invalid move or part of the position string.
    pub(super) fn set_position(&mut self, base: &Base, moves: &[String]) -> Result<(), String> {
        let spec = GameSpec::new(&self.name, self.options.values());
        let rules = self.registry.rules(&spec);
        let rules = rules.map_err(|error| error.to_string())?;
        let rules = rules.ok_or_else(|| format!("{spec} has no rules"))?;
        let mut line = Opening {
            fen: match base {
                Base::Start => None,
                Base::Fen(text) => Some(text.clone()),
            },
            moves: Vec::new(),
        };
        let mut board = rules.open(&line).map_err(|why| why.to_string())?;
        for word in moves {
            let codes = board.split_codes(word).into_iter();
            for code in codes.map(str::to_owned).collect::<Vec<_>>() {
                let code = board.play(&code).map_err(|why| why.to_string())?;
                line.moves.push(code);
            }
        }
        (self.rules, self.line, self.board) = (rules, line, board);
        self.is_new_position = true;
        Ok(())
    }

    /// Returns the text after `response`.
    pub(super) fn answer(&self, query: Query) -> String {
        let game = || match query {
            Query::About => self.rules.entry().about().json(self.board.side_names()),
            _ => format!("{} {}", self.name, self.board.shape())
                .trim_end()
                .to_owned(),
        };
        expected_reply(self.board.as_ref(), query).unwrap_or_else(game)
    }

    /// Returns the board as text, followed by the position string.
    pub(super) fn draw(&self) -> Vec<String> {
        let board = self.board.draw(View::default());
        let fen = format!("fen: {}", self.board.fen());
        board.lines().map(str::to_owned).chain([fen]).collect()
    }
}

/// A game on the program's board.
pub(crate) struct KnownGame {
    pub(crate) line: Opening,
    pub(crate) board: Box<dyn DynHistory>,
}

impl KnownGame {
    /// Opens the position in which a game starts.
    ///
    /// # Errors
    /// The position is illegal.
    pub(crate) fn start(rules: &Rules, game: &Opening) -> Result<KnownGame, String> {
        let line = game.prefix(0);
        let board = rules.open(&line).map_err(|why| why.to_string())?;
        Ok(KnownGame { line, board })
    }

    /// `true` if a line continues this game.
    pub(super) fn is_beginning_of(&self, line: &Opening) -> bool {
        self.line.fen == line.fen && line.moves.starts_with(&self.line.moves)
    }

    /// Makes a move.
    ///
    /// # Errors
    /// The move is illegal.
    pub(crate) fn play(&mut self, code: &str) -> Result<(), String> {
        self.board.play(code).map_err(|why| why.to_string())?;
        self.line.moves.push(code.to_owned());
        Ok(())
    }
}
