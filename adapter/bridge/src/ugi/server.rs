//! The engine as a UGI client sees it: options, position, and answers that need only the rules.

use draw::View;
use kit::dyn_history::expected_reply;
use kit::{DynHistory, Options};
use protocol::{Base, Query};
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};

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
