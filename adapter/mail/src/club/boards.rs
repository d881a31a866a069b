//! Boards: games and their players in the store.

use std::path::PathBuf;

use kit::Side;
use record::game::GameRecord;
use record::game_spec::GameSpec;
use record::ledger::parse_ledger;
use record::table::{Snapshot, Turn};
use rusqlite::{OptionalExtension, Row, params};

use super::accounts::User;
use super::work::Work;
use crate::error::{Answer, ClubError, Halt, refuse};
use crate::game::{ClosedBoard, Engines, OpenBoard};
use crate::script::{Line, Words};
use crate::token;

/// State of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// A challenge not yet accepted.
    Open,
    Playing,
    Over,
    Declined,
}

impl State {
    fn parse(text: &str) -> State {
        match text {
            "open" => State::Open,
            "playing" => State::Playing,
            "over" => State::Over,
            _ => State::Declined,
        }
    }
}

/// A game, or a challenge to one.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    pub(crate) id: i64,
    /// The game with its options, as on the command line.
    pub(crate) game: String,
    pub(crate) state: State,
    /// Indexed by side, as the two arrays after it.
    pub(crate) players: [i64; 2],
    pub(crate) names: [String; 2],
    tokens: [String; 2],
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
    /// Ends of the players' vacations, past or future.
    vacations: [i64; 2],
}

const COLUMNS: &str = "boards.id, game, state, p1, p2, one.name, two.name, token1, token2, challenger, level, days, plies, \
                       to_move, since, reminded, record, n_lines, one.vacation, two.vacation";

impl Board {
    fn read(row: &Row<'_>) -> rusqlite::Result<Board> {
        let record: Option<String> = row.get(16)?;
        let state: String = row.get(2)?;
        let to_move: i64 = row.get(13)?;
        Ok(Board {
            id: row.get(0)?,
            game: row.get(1)?,
            state: State::parse(&state),
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
            vacations: [row.get(18)?, row.get(19)?],
        })
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
        Side::BOTH
            .into_iter()
            .find(|side| self.players[side.index()] == user)
    }

    pub(crate) fn name(&self, side: Side) -> &str {
        &self.names[side.index()]
    }

    pub(crate) fn token(&self, side: Side) -> &str {
        &self.tokens[side.index()]
    }

    /// Name of its ledger file, in the folder next to the store.
    pub(crate) fn file(game: &str, id: i64) -> PathBuf {
        PathBuf::from(format!("{game}-{id}.jsonl"))
    }

    /// Time at which the player to move loses on time. The clock does not run during the player's vacation.
    pub(crate) fn deadline(&self) -> Option<i64> {
        let is_running = self.state == State::Playing;
        let days = self.days.filter(|_| is_running)?;
        let since = self.since.max(self.vacations[self.to_move.index()]);
        Some(since + days * super::accounts::DAY)
    }
}

/// Returns `true` for a board number, with or without `#`.
pub(super) fn is_number(word: &str) -> bool {
    number(word).is_some()
}

fn number(word: &str) -> Option<i64> {
    let digits = word.trim_start_matches('#');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(i64::MAX))
}

/// A player at one of the player's boards.
#[derive(Debug)]
pub(super) struct AtBoard {
    pub(super) board: Board,
    pub(super) user: User,
    pub(super) side: Side,
}

impl Work<'_> {
    pub(super) fn board(&self, id: i64) -> Answer<Board> {
        let query = format!(
            "SELECT {COLUMNS} FROM boards JOIN users one ON one.id = p1 JOIN users two ON two.id = p2 WHERE boards.id = ?1"
        );
        let found = self.db.query_row(&query, [id], Board::read).optional()?;
        found.ok_or_else(|| Halt::Refused(format!("there is no board {id}")))
    }

    /// Returns the boards that satisfy an SQL condition, in which `?1` stands for `value`.
    pub(super) fn boards_where(&self, condition: &str, value: i64) -> Answer<Vec<Board>> {
        let query = format!(
            "SELECT {COLUMNS} FROM boards JOIN users one ON one.id = p1 JOIN users two ON two.id = p2
             WHERE {condition} AND ?1 IS NOT NULL ORDER BY boards.id"
        );
        let mut query = self.db.prepare(&query)?;
        let boards = query.query_map([value], Board::read)?;
        Ok(boards.collect::<Result<_, _>>()?)
    }

    /// Returns the board that the command names first, or the board of the e-mail that it answers.
    pub(super) fn named_board(&self, line: &Line, words: &mut Words<'_>) -> Answer<Board> {
        let id = match words.peek().and_then(number) {
            Some(id) => {
                words.next();
                id
            }
            None => match self.answered().and_then(|answered| answered.board) {
                Some(board) => board,
                None => {
                    return refuse(format!(
                        "no board is named: expected {} BOARD USER TOKEN",
                        line.word
                    ));
                }
            },
        };
        let board = self.board(id)?;
        match line.game {
            Some(game) if game != board.game_name() => refuse(format!(
                "board {id} is a game of {}, not of {game}",
                board.game_name()
            )),
            _ => Ok(board),
        }
    }

    /// Parses `BOARD USER TOKEN`. Parts that an answered e-mail implies may be omitted.
    pub(super) fn seat(&mut self, line: &Line, words: &mut Words<'_>) -> Answer<AtBoard> {
        let board = self.named_board(line, words)?;
        let granted = self
            .answered()
            .filter(|answered| answered.board == Some(board.id));
        let named = match words.peek() {
            Some(word) => self.find_user(word)?,
            None => None,
        };
        let user = match (named, granted) {
            (Some(user), granted) => {
                words.next();
                let is_granted = granted.is_some_and(|granted| granted.user == user.id);
                self.check_token(&board, &user, words, is_granted)?;
                user
            }
            (None, Some(granted)) => self.user(granted.user)?,
            (None, None) => {
                let why = format!(
                    "no user of that name: expected {} {} USER TOKEN",
                    line.word, board.id
                );
                return refuse(why);
            }
        };
        let user = match self.is_host() {
            true => user,
            false => self.authenticated(user, false)?,
        };
        let Some(side) = board.side_of(user.id) else {
            return refuse(format!("{} does not play on board {}", user.name, board.id));
        };
        Ok(AtBoard { board, user, side })
    }

    /// Consumes and checks the token after a user's name. The host and answers to e-mails need none.
    fn check_token(
        &self,
        board: &Board,
        user: &User,
        words: &mut Words<'_>,
        is_granted: bool,
    ) -> Answer<()> {
        let word = words.peek().unwrap_or_default();
        let of_board = board.side_of(user.id).map_or("", |side| board.token(side));
        let is_right = token::is_same(of_board, word) | token::is_same(&user.token, word);
        if is_right && !user.is_engine() {
            words.next();
            return Ok(());
        }
        if is_granted || self.is_host() {
            return Ok(());
        }
        refuse(format!(
            "wrong token of {} on board {}: expected the one in the e-mails about this board",
            user.name, board.id
        ))
    }

    /// `token BOARD USER TOKEN`
    pub(super) fn new_board_token(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        let AtBoard { board, user, side } = self.seat(line, &mut words)?;
        let column = ["token1", "token2"][side.index()];
        let query = format!("UPDATE boards SET {column} = ?2 WHERE id = ?1");
        self.db.execute(&query, params![board.id, token::new()?])?;
        // Answers to earlier e-mails no longer authenticate.
        self.db.execute(
            "UPDATE outbox SET user = NULL WHERE user = ?1 AND board = ?2",
            [user.id, board.id],
        )?;
        let board = self.board(board.id)?;
        let closed = self.open(&board, Engines::Held)?.close()?;
        let news = format!("The token of {} for this board is a new one.", user.name);
        self.tell_player(&board, side, &closed, &news)?;
        Ok(String::new())
    }

    /// Returns the ledger of a board.
    pub(super) fn ledger(&self, id: i64) -> Answer<Vec<u8>> {
        let mut query = self
            .db
            .prepare("SELECT lines FROM journal WHERE board = ?1 ORDER BY id")?;
        let lines = query.query_map([id], |row| row.get(0))?;
        let lines: Vec<Vec<u8>> = lines.collect::<Result<_, _>>()?;
        Ok(lines.concat())
    }

    pub(super) fn open(&self, board: &Board, engines: Engines) -> Answer<OpenBoard> {
        OpenBoard::open(&self.ledger(board.id)?, engines, self.host)
    }

    /// Stores the new state of a board and its ledger lines.
    pub(super) fn store(&self, board: &Board, closed: &ClosedBoard) -> Answer<Board> {
        self.add_lines(board.id, &closed.lines)?;
        let Snapshot { turn, ending, .. } = &closed.snapshot;
        let to_move = match turn {
            Turn::Person(side) | Turn::Engine(side) | Turn::Held(side) | Turn::Waiting(side) => {
                *side
            }
            Turn::Starting | Turn::Over => board.to_move,
        };
        let record = match ending {
            None => None,
            Some(_) => Some(self.last_record(board.id)?),
        };
        let is_new_turn = closed.n_moves() != board.plies;
        let since = if is_new_turn { self.now } else { board.since };
        let state = if record.is_some() { "over" } else { "playing" };
        self.db.execute(
            "UPDATE boards SET state = ?2, plies = ?3, to_move = ?4, since = ?5, record = ?6,
             reminded = reminded AND NOT ?7 WHERE id = ?1",
            params![
                board.id,
                state,
                closed.n_moves(),
                to_move.index(),
                since,
                record,
                is_new_turn
            ],
        )?;
        if is_new_turn || record.is_some() {
            self.db
                .execute("DELETE FROM asks WHERE board = ?1", [board.id])?;
        }
        if record.is_some() {
            self.db
                .execute("DELETE FROM queued WHERE board = ?1", [board.id])?;
        }
        self.board(board.id)
    }

    pub(super) fn add_lines(&self, id: i64, lines: &[u8]) -> Answer<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.db.execute(
            "INSERT INTO journal (board, lines) VALUES (?1, ?2)",
            params![id, lines],
        )?;
        self.db.execute(
            "UPDATE boards SET n_lines = n_lines + 1 WHERE id = ?1",
            [id],
        )?;
        Ok(())
    }

    /// Returns the record of the game that has just ended, as JSON.
    fn last_record(&self, id: i64) -> Answer<String> {
        let ledger = parse_ledger(&self.ledger(id)?);
        let broken = |why: String| Halt::Broken(ClubError::Other(format!("board {id}: {why}")));
        let ledger = ledger.map_err(|error| broken(error.to_string()))?;
        let record = ledger
            .games
            .last()
            .ok_or_else(|| broken("its end is not recorded".to_owned()))?;
        serde_json::to_string(record).map_err(|error| broken(error.to_string()))
    }
}

/// Returns the game of a board. It was validated when the board was created.
pub(super) fn spec(board: &Board) -> Answer<GameSpec> {
    GameSpec::parse(&board.game).map_err(Halt::Refused)
}
