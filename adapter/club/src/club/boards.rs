//! Boards, each a game with its players or a challenge to one: in the store, found, authenticated and stored.

use std::path::PathBuf;

use kit::Side;
use record::game::GameRecord;
use record::game_spec::GameSpec;
use referee::date::today;
use rusqlite::{Params, Row, params};

use super::Work;
use crate::{
    Answer, ClosedBoard, ClubError, DAY, ENGINE_NAME, Engines, Line, OpenBoard, User, Words,
    is_number, is_same_token, misread, new_token, number, refuse,
};

/// State of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoardState {
    /// A challenge not yet accepted.
    Open,
    Playing,
    Over,
    Declined,
}

/// A game, or a challenge to one.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub(crate) id: i64,
    /// The game with its options, as on the command line.
    pub(crate) game: String,
    pub(crate) state: BoardState,
    /// Indexed by side, as the two arrays after it.
    pub(crate) players: [i64; 2],
    pub(crate) names: [String; 2],
    pub(super) tokens: [String; 2],
    pub(crate) challenger: i64,
    pub(crate) level: Option<u32>,
    /// Days per move.
    pub(crate) days: Option<i64>,
    /// Number of moves made.
    pub(crate) plies: usize,
    pub(crate) to_move: Side,
    /// Begin of the turn, in Unix seconds.
    pub(crate) since: i64,
    pub(crate) reminded: bool,
    /// Record of the finished game.
    pub(crate) record: Option<GameRecord>,
    pub(crate) n_lines: i64,
}

/// Columns of a row that [`Board::read`] reads, in their order.
const COLUMNS: &str = "boards.id, game, state, p1, p2, one.name, two.name, token1, token2, challenger, level, days, plies, \
                       to_move, since, reminded, record, n_lines";

impl Board {
    fn read(row: &Row<'_>) -> rusqlite::Result<Board> {
        let record: Option<String> = row.get(16)?;
        let state: String = row.get(2)?;
        let to_move: i64 = row.get(13)?;
        Ok(Board {
            id: row.get(0)?,
            game: row.get(1)?,
            state: match state.as_str() {
                "open" => BoardState::Open,
                "playing" => BoardState::Playing,
                "over" => BoardState::Over,
                _ => BoardState::Declined,
            },
            players: [row.get(3)?, row.get(4)?],
            names: [row.get(5)?, row.get(6)?],
            tokens: [row.get(7)?, row.get(8)?],
            challenger: row.get(9)?,
            level: row.get(10)?,
            days: row.get(11)?,
            plies: row.get(12)?,
            to_move: Side::BOTH[usize::from(to_move == 1)],
            since: row.get(14)?,
            reminded: row.get(15)?,
            record: record.and_then(|text| serde_json::from_str(&text).ok()),
            n_lines: row.get(17)?,
        })
    }

    /// The game. It was validated when the board was created.
    pub(super) fn spec(&self) -> Answer<GameSpec> {
        GameSpec::parse(&self.game).map_err(ClubError::Refused)
    }

    /// Name of the game without its options.
    pub(crate) fn game_name(&self) -> &str {
        self.game.split(':').next().unwrap_or_default()
    }

    /// Subject prefix of the board's e-mails, as in `[susan 12]`.
    pub(crate) fn tag(&self) -> String {
        format!("[{} {}]", self.game_name(), self.id)
    }

    pub(crate) fn side_of(&self, user: i64) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|side| self.players[side.index()] == user)
    }

    pub(crate) fn name(&self, side: Side) -> &str {
        &self.names[side.index()]
    }

    /// Name of the player to move.
    pub(crate) fn mover(&self) -> &str {
        self.name(self.to_move)
    }

    /// `true` if the game is not over and the engine is to move.
    pub(crate) fn awaits_engine(&self) -> bool {
        self.state == BoardState::Playing && self.mover() == ENGINE_NAME
    }

    pub(crate) fn token(&self, side: Side) -> &str {
        &self.tokens[side.index()]
    }

    /// Name of its ledger file, in the folder next to the store. Characters that no game has in its name are replaced,
    /// so that a store from elsewhere names no other folder.
    pub(crate) fn file(game: &str, id: i64) -> PathBuf {
        let is_usual = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let game = game.replace(|c| !is_usual(c), "_");
        PathBuf::from(format!("{game}-{id}.jsonl"))
    }

    /// Checks that the game is in play.
    ///
    /// # Errors
    /// It has not begun, or is over.
    pub(crate) fn check_playing(&self) -> Answer<()> {
        let id = self.id;
        match self.state {
            BoardState::Playing => Ok(()),
            BoardState::Open => refuse!("the game on board {id} has not started: accept it first"),
            BoardState::Declined => refuse!("the game on board {id} was called off"),
            BoardState::Over => {
                refuse!("the game on board {id} is over{}", self.how_it_ended(": "))
            }
        }
    }

    /// Result and reason of a finished game after a prefix, if they are known.
    pub(super) fn how_it_ended(&self, prefix: &str) -> String {
        let record = self.record.as_ref();
        record.map_or_else(String::new, |record| {
            format!("{prefix}{} {{{}}}", record.result, record.reason)
        })
    }

    /// Time at which the player to move loses on time.
    pub(crate) fn deadline(&self) -> Option<i64> {
        let is_running = self.state == BoardState::Playing;
        Some(self.since + self.days.filter(|_| is_running)? * DAY)
    }
}

/// A player at one of the player's boards.
pub(super) struct AtBoard {
    pub(super) board: Board,
    pub(super) user: User,
    pub(super) side: Side,
    /// `true` if the command contains the board's number or a token, or is the host's.
    pub(super) is_explicit: bool,
}

impl AtBoard {
    /// # Errors
    /// The user does not play on this board.
    pub(super) fn new(board: Board, user: User, is_explicit: bool) -> Answer<AtBoard> {
        match board.side_of(user.id) {
            None => refuse!("{user} does not play on board {}", board.id),
            Some(side) => Ok(AtBoard {
                board,
                user,
                side,
                is_explicit,
            }),
        }
    }

    /// Checks a command that cannot be taken back. A remark to the opponent must not cause one.
    pub(super) fn check_explicit(&self, word: &str) -> Answer<()> {
        let id = self.board.id;
        match self.is_explicit {
            true => Ok(()),
            false => refuse!("{word} needs the number of the board: write {word} {id}"),
        }
    }
}

/// Returns the form of a command that concerns a board.
fn form(word: &str, board: &str) -> String {
    let rest = match word {
        "show" | "history" => "",
        "accept" | "decline" => " TOKEN",
        "move" => " USER TOKEN CODE",
        "queue" => " USER TOKEN CODE#N",
        "note" => " USER TOKEN TEXT",
        _ => " USER TOKEN",
    };
    format!("{word} {board}{rest}")
}

impl Work<'_> {
    /// Returns the player of a board who receives e-mails at this address.
    pub(super) fn player_at(&self, board: &Board, address: &str) -> Answer<Option<i64>> {
        let users = [self.user(board.players[0])?, self.user(board.players[1])?];
        let mut users = users.iter().filter(|user| user.is_reachable());
        Ok(users
            .find(|user| user.address == address)
            .map(|user| user.id))
    }

    pub(super) fn board(&self, id: i64) -> Answer<Board> {
        match self.boards_where("boards.id = ?1", [id])?.pop() {
            Some(board) => Ok(board),
            None => refuse!("there is no board {id}"),
        }
    }

    /// Returns the boards that satisfy an SQL condition.
    pub(super) fn boards_where(&self, condition: &str, params: impl Params) -> Answer<Vec<Board>> {
        let query = format!(
            "SELECT {COLUMNS} FROM boards JOIN users one ON one.id = p1 JOIN users two ON two.id = p2
             WHERE {condition} ORDER BY boards.id"
        );
        let mut query = self.db.prepare(&query)?;
        let boards = query.query_map(params, Board::read)?;
        Ok(boards.collect::<Result<_, _>>()?)
    }

    /// Returns the challenges and games in play of a user.
    pub(super) fn open_boards(&self, user: i64) -> Answer<Vec<Board>> {
        self.boards_where(
            "state IN ('open', 'playing') AND (p1 = ?1 OR p2 = ?1)",
            [user],
        )
    }

    /// Returns the board that the command names first, or the board of the e-mail that it answers.
    pub(super) fn named_board(&mut self, line: &Line, words: &mut Words<'_>) -> Answer<Board> {
        let named = words.peek().and_then(number);
        words.skip_if(named.is_some());
        let Some(id) = named.or(self.answered_board()) else {
            return misread!("no board is named: write {}", form(line.word, "BOARD"));
        };
        let board = self.board(id)?;
        self.named.insert(id);
        let own = board.game_name();
        match line.game {
            Some(game) if game != own => refuse!("board {id} is a game of {own}, not of {game}"),
            _ => Ok(board),
        }
    }

    /// Parses `BOARD USER TOKEN`. Parts that an answered e-mail implies may be omitted.
    pub(super) fn seat(&mut self, line: &Line, words: &mut Words<'_>) -> Answer<AtBoard> {
        let is_numbered = words.peek().is_some_and(is_number);
        let board = self.named_board(line, words)?;
        let answered = self
            .answered
            .filter(|_| self.answered_board() == Some(board.id));
        let granted = answered.map(|answered| answered.user);
        let mut authentic = self.authentic.iter().copied();
        let granted = granted.or_else(|| authentic.find(|user| board.side_of(*user).is_some()));
        let named = match words.peek() {
            Some(word) => self.find_user(word)?,
            None => None,
        };
        words.skip_if(named.is_some());
        let (user, shows_token) = match (named, granted) {
            (Some(user), granted) => {
                let is_granted = granted == Some(user.id);
                let shows_token = self.check_token(&board, &user, words, is_granted)?;
                (user, shows_token)
            }
            (None, Some(granted)) => (self.user(granted)?, false),
            (None, None) => {
                let form = form(line.word, &board.id.to_string());
                return misread!("no user of that name: write {form}");
            }
        };
        let user = match self.is_host() {
            true => user,
            false => self.authenticated(user)?,
        };
        AtBoard::new(board, user, is_numbered || shows_token || self.is_host())
    }

    /// Consumes and checks the token after a user's name; `true` if it is there. The host and answers to e-mails need
    /// none.
    fn check_token(
        &self,
        board: &Board,
        user: &User,
        words: &mut Words<'_>,
        is_granted: bool,
    ) -> Answer<bool> {
        let word = words.peek().unwrap_or_default();
        let of_board = board.side_of(user.id).map_or("", |side| board.token(side));
        let is_right = is_same_token(of_board, word) | is_same_token(&user.token, word);
        if is_right && !user.is_engine() {
            words.next();
            return Ok(true);
        }
        if is_granted || self.is_host() {
            return Ok(false);
        }
        let id = board.id;
        refuse!("wrong token of {user} on board {id}: use the one in the e-mails about it")
    }

    /// `token BOARD USER TOKEN`
    pub(super) fn new_board_token(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        words.end("token BOARD USER TOKEN")?;
        let (id, user) = (at.board.id, &at.user);
        let column = ["token1", "token2"][at.side.index()];
        let query = format!("UPDATE boards SET {column} = ?2 WHERE id = ?1");
        self.db.execute(&query, params![id, new_token()?])?;
        // Answers to earlier e-mails no longer authenticate.
        let query = "UPDATE outbox SET user = NULL WHERE user = ?1 AND board = ?2";
        self.db.execute(query, [user.id, id])?;
        let board = self.board(id)?;
        let closed = self.open(&board, Engines::Held)?.close()?;
        let news = format!("The token of {user} for this board is a new one.");
        self.mail_player(&board, at.side, &closed, &news)?;
        Ok(String::new())
    }

    /// Returns the ledger of a board.
    pub(super) fn ledger(&self, id: i64) -> Answer<Vec<u8>> {
        let query = "SELECT lines FROM journal WHERE board = ?1 ORDER BY id";
        let lines: Vec<Vec<u8>> = self.column(query, id)?;
        Ok(lines.concat())
    }

    pub(super) fn open(&self, board: &Board, engines: Engines) -> Answer<OpenBoard> {
        OpenBoard::open(&self.ledger(board.id)?, engines, self.host)
    }

    /// Stores the new state of a board and its ledger lines.
    pub(super) fn store(&self, board: &Board, closed: &ClosedBoard) -> Answer<Board> {
        self.add_lines(board.id, &closed.lines)?;
        let game = &closed.game;
        let to_move = game.turn().side().unwrap_or(board.to_move);
        let record = game.is_over().then(|| game.record(today()));
        let record = record.as_ref().map(serde_json::to_string).transpose()?;
        let is_new_turn = game.n_moves() != board.plies;
        let since = if is_new_turn { self.now } else { board.since };
        let state = if record.is_some() { "over" } else { "playing" };
        let (id, plies, to_move) = (board.id, game.n_moves(), to_move.index());
        self.db.execute(
            "UPDATE boards SET state = ?2, plies = ?3, to_move = ?4, since = ?5, record = ?6,
             reminded = reminded AND NOT ?7 WHERE id = ?1",
            params![id, state, plies, to_move, since, record, is_new_turn],
        )?;
        if record.is_some() {
            self.delete("queued WHERE board = ?1", [board.id])?;
        }
        self.board(board.id)
    }

    pub(super) fn add_lines(&self, id: i64, lines: &[u8]) -> Answer<()> {
        if !lines.is_empty() {
            let insert = "INSERT INTO journal (board, lines) VALUES (?1, ?2)";
            self.db.execute(insert, params![id, lines])?;
            let update = "UPDATE boards SET n_lines = n_lines + 1 WHERE id = ?1";
            self.db.execute(update, [id])?;
        }
        Ok(())
    }
}
