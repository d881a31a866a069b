//! Boards in the store: found, authenticated and stored.

use kit::Side;
use referee::date::today;
use rusqlite::{Params, params};

use super::board::{Board, COLUMNS};
use super::work::Work;
use crate::error::{Answer, ClubError, misread, refuse};
use crate::game::{ClosedBoard, Engines, OpenBoard};
use crate::outbox::Answered;
use crate::script::{Line, Words, is_number, number};
use crate::token;
use crate::user::User;

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
            Some(side) => Ok(AtBoard {
                board,
                user,
                side,
                is_explicit,
            }),
            None => refuse!("{user} does not play on board {}", board.id),
        }
    }

    /// Checks a command that cannot be taken back. A remark to the opponent must not cause one.
    pub(super) fn check_explicit(&self, word: &str) -> Answer<()> {
        let id = self.board.id;
        match self.is_explicit {
            true => Ok(()),
            false => refuse!("{word} needs the number of the board: expected {word} {id}"),
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
        if named.is_some() {
            words.next();
        }
        let Some(id) = named.or(self.answered_board()) else {
            return misread!("no board is named: expected {}", form(line.word, "BOARD"));
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
        let is_about = |answered: &Answered| answered.board == Some(board.id);
        let granted = self.answered.filter(is_about).map(|answered| answered.user);
        let mut authentic = self.authentic.iter().copied();
        let granted = granted.or_else(|| authentic.find(|user| board.side_of(*user).is_some()));
        let named = match words.peek() {
            Some(word) => self.find_user(word)?,
            None => None,
        };
        let (user, shows_token) = match (named, granted) {
            (Some(user), granted) => {
                words.next();
                let is_granted = granted == Some(user.id);
                let shows_token = self.check_token(&board, &user, words, is_granted)?;
                (user, shows_token)
            }
            (None, Some(granted)) => (self.user(granted)?, false),
            (None, None) => {
                let form = form(line.word, &board.id.to_string());
                return misread!("no user of that name: expected {form}");
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
        let is_right = token::is_same(of_board, word) | token::is_same(&user.token, word);
        if is_right && !user.is_engine() {
            words.next();
            return Ok(true);
        }
        if is_granted || self.is_host() {
            return Ok(false);
        }
        let id = board.id;
        refuse!(
            "wrong token of {user} on board {id}: expected the one in the e-mails about this board"
        )
    }

    /// `token BOARD USER TOKEN`
    pub(super) fn new_board_token(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let AtBoard {
            board, user, side, ..
        } = self.seat(line, &mut words)?;
        words.end("token BOARD USER TOKEN")?;
        let column = ["token1", "token2"][side.index()];
        let query = format!("UPDATE boards SET {column} = ?2 WHERE id = ?1");
        self.db.execute(&query, params![board.id, token::new()?])?;
        // Answers to earlier e-mails no longer authenticate.
        let query = "UPDATE outbox SET user = NULL WHERE user = ?1 AND board = ?2";
        self.db.execute(query, [user.id, board.id])?;
        let board = self.board(board.id)?;
        let closed = self.open(&board, Engines::Held)?.close()?;
        let news = format!("The token of {user} for this board is a new one.");
        self.mail_player(&board, side, &closed, &news)?;
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
        let record = record.as_ref().map(serde_json::to_string).transpose();
        let record = record.map_err(|error| ClubError::Other(error.to_string()))?;
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
        if lines.is_empty() {
            return Ok(());
        }
        let insert = "INSERT INTO journal (board, lines) VALUES (?1, ?2)";
        self.db.execute(insert, params![id, lines])?;
        let update = "UPDATE boards SET n_lines = n_lines + 1 WHERE id = ?1";
        self.db.execute(update, [id])?;
        Ok(())
    }
}
