//! Moves: immediate, queued, and as answers to e-mails.

use kit::Side;
use rusqlite::{OptionalExtension, params};
use table::{TableCommand, typing};

use super::actions::action;
use super::board::{Board, BoardState};
use super::boards::AtBoard;
use super::reply::{Turn, numbered, read_one};
use super::work::Work;
use crate::email::letter;
use crate::error::{Answer, ClubError, misread, refuse};
use crate::game::Engines;
use crate::script::{self, Line, Words, word};

/// Maximum number of queued moves of a board.
const MAX_QUEUED: i64 = 50;

/// Answer to a message without a command.
const NO_COMMAND: &str = "no command in it: expected one in the subject, or one per line at the start of the text; the \
                          command help lists them";

impl Work<'_> {
    /// Commands of a player at a board, as in `move BOARD USER TOKEN CODE[#N]`; actions, `swap` and `pass` take no code.
    /// Like pbmserv, also accepts the other commands in place of a move: `move ... resign`.
    pub(super) fn make_move(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        let (text, number) = numbered(words.rest());
        let word = match line.word {
            "move" => script::command(words.rest()).unwrap_or(line.word),
            word => {
                Words::new(text).end(&format!("{word} BOARD USER TOKEN"))?;
                word
            }
        };
        match (action(word), word) {
            (Some(id), _) => self.act(&at, id),
            (None, "swap" | "pass") if line.word == word => {
                let number = number.or(self.expected_number(&at.board));
                self.play(&at, word, number)
            }
            _ => self.play(&at, text, number),
        }
    }

    /// Makes a move. If its number is given, it must be the next one.
    pub(super) fn play(
        &mut self,
        at: &AtBoard,
        text: &str,
        number: Option<usize>,
    ) -> Answer<String> {
        at.board.check_playing()?;
        check_number(number, at.board.plies + 1)?;
        let board = self.play_text(&at.board, at.side, text)?;
        self.play_queued(board)?;
        Ok(String::new())
    }

    /// Makes a move and mails both players. Returns the board after it.
    fn play_text(&mut self, board: &Board, side: Side, text: &str) -> Answer<Board> {
        let (text, offers_draw) = match Turn::parse(text) {
            Turn::Move { text, offers_draw } => (text, offers_draw),
            Turn::Action(_) => return refuse!("{}: expected a move", word(text)),
        };
        let mut open = self.open(board, Engines::Held)?;
        open.check_turn(side)?;
        let code = read_one(open.game()?.board(), text)?;
        let play = TableCommand::Play {
            code: code.clone(),
            from: None,
        };
        open.ask(side, play)?;
        let mut offer = "";
        if offers_draw && !open.game()?.is_over() {
            open.ask(side, TableCommand::OfferDraw)?;
            offer = " and offers a draw";
        }
        let news = format!("{} plays {code}{offer}.", board.name(side));
        self.finish(board, open, &news)
    }

    /// `queue BOARD USER TOKEN CODE#N`: queues a move for a later turn.
    pub(super) fn queue(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        at.board.check_playing()?;
        let (code, Some(number)) = numbered(words.rest()) else {
            return misread!("expected queue BOARD USER TOKEN CODE#N, with the number of the move");
        };
        let next = at.board.plies + 1;
        if number < next {
            return check_number(Some(number), next).map(|()| String::new());
        }
        let is_own = ((number - next) % 2 == 0) == (at.board.to_move == at.side);
        if !is_own || number > next + 1000 {
            return refuse!("move {number} is not one of {}'s", at.user);
        }
        if code.is_empty() || code.len() > 40 {
            return refuse!("{}: expected a move", word(code));
        }
        if number == next {
            return self.play(&at, code, None);
        }
        let id = at.board.id;
        let n_queued = self.count("queued WHERE board = ?1", [id])?;
        if n_queued >= MAX_QUEUED {
            return refuse!("board {id} already has {n_queued} queued moves, the maximum");
        }
        let insert = "INSERT OR REPLACE INTO queued VALUES (?1, ?2, ?3, ?4)";
        let row = params![id, number, at.user.id, code];
        self.db.execute(insert, row)?;
        Ok(format!(
            "Move {number} on board {id} will be {code}, if it is legal then."
        ))
    }

    /// Plays queued moves while there is one for the next turn.
    pub(super) fn play_queued(&mut self, mut board: Board) -> Answer<Board> {
        while board.state == BoardState::Playing {
            let query = "SELECT user, code FROM queued WHERE board = ?1 AND number = ?2";
            let number = params![board.id, board.plies + 1];
            let found = self.db.query_row(query, number, |row| row.try_into());
            let Some((user, code)): Option<(i64, String)> = found.optional()? else {
                break;
            };
            self.delete("queued WHERE board = ?1 AND number <= ?2", number)?;
            if board.players[board.to_move.index()] != user {
                break;
            }
            match self.play_text(&board, board.to_move, &code) {
                Ok(after) => board = after,
                Err(ClubError::Refused(why) | ClubError::Misread(why)) => {
                    self.report_queued_refused(&board, user, &code, &why)?;
                    break;
                }
                Err(broken) => return Err(broken),
            }
        }
        Ok(board)
    }

    fn report_queued_refused(&self, board: &Board, user: i64, code: &str, why: &str) -> Answer<()> {
        let number = board.plies + 1;
        let text = format!("Your queued move {number}, {code}, is not legal: {why}.");
        let body = letter(
            &[&text, "Reply to this e-mail with another move."],
            &[""; 0],
            "",
        );
        self.post_about(board, &self.user(user)?, "your queued move", body)
    }

    /// Makes the move on a line of an answer to an e-mail about a board.
    pub(super) fn play_answer(&mut self, line: &str) -> Answer<String> {
        let answered = self.answered;
        let Some((answered, id)) = answered.and_then(|answered| Some((answered, answered.board?)))
        else {
            return refuse!("{NO_COMMAND}");
        };
        let board = self.board(id)?;
        let user = self.authenticated(self.user(answered.user)?)?;
        if board.side_of(user.id).is_none() {
            return refuse!("{NO_COMMAND}");
        }
        board.check_playing()?;
        if line.is_empty() {
            return refuse!("no move in it: write one as the first line");
        }
        let at = AtBoard::new(board, user, false)?;
        let (text, number) = numbered(line);
        let number = number.or(self.expected_number(&at.board));
        check_number(number, at.board.plies + 1)?;
        match Turn::parse(text) {
            Turn::Action(id) => self.act(&at, id),
            Turn::Move { .. } => self.play(&at, text, number),
        }
    }

    /// Returns the number of the move that the answered e-mail asks for.
    fn expected_number(&self, board: &Board) -> Option<usize> {
        let answered = self.answered?;
        let plies = answered.plies.filter(|_| answered.board == Some(board.id));
        plies.map(|plies| plies + 1)
    }
}

/// Checks that a move is the next one, so that an answer to an old e-mail has no effect.
fn check_number(number: Option<usize>, next: usize) -> Answer<()> {
    let check = |number| typing::check_number(number, next).map_err(ClubError::Refused);
    number.map_or(Ok(()), check)
}
