//! Moves: immediate, queued, and as answers to e-mails.

use kit::{DynHistory, Side};
use record::opening::Opening;
use record::table::Snapshot;
use rusqlite::{OptionalExtension, params};
use table::TableCommand;
use table::email::Turn as Written;
use table::typing::{TypingError, read_moves};

use super::board::{Board, BoardState, spec};
use super::boards::AtBoard;
use super::work::Work;
use crate::error::{Answer, Halt, refuse};
use crate::game::Engines;
use crate::letter::wrap;
use crate::outbox::Draft;
use crate::script::{self, Line, Script, Words, word};

/// Maximum number of queued moves of a board.
const MAX_QUEUED: i64 = 50;

/// Answer to a message without a command.
const NO_COMMAND: &str = "no command in it: expected one in the subject, or one per line at the start of the text; the \
                          command help lists them";

impl Work<'_> {
    /// `move BOARD USER TOKEN CODE[#N]`. Also accepts what pbmserv allows in place of a move: `move ... resign`.
    pub(super) fn make_move(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        let at = self.seat(line, &mut words)?;
        let text = words.rest();
        match script::command(text) {
            Some("resign") => self.resign_at(&at),
            Some("draw") => self.draw_at(&at),
            Some("undo") => self.undo_at(&at),
            Some("accept") => self.agree(&at.board, at.side),
            Some("decline") => self.disagree(&at.board, at.side),
            _ => {
                let (text, number) = numbered(text);
                self.play(&at, text, number)
            }
        }
    }

    /// `swap BOARD USER TOKEN` and `pass BOARD USER TOKEN`.
    pub(super) fn make_word_move(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        let at = self.seat(line, &mut words)?;
        let (_, number) = numbered(words.rest());
        let number = number.or(self.expected_number(&at.board));
        self.play(&at, line.word, number)
    }

    /// `resign BOARD USER TOKEN`
    pub(super) fn resign(&mut self, line: &Line) -> Answer<String> {
        let at = self.seat(line, &mut Words::new(&line.rest))?;
        self.resign_at(&at)
    }

    fn resign_at(&mut self, at: &AtBoard) -> Answer<String> {
        refuse_not_playing(&at.board)?;
        let mut open = self.open(&at.board, Engines::Held)?;
        open.ask(at.side, TableCommand::Resign)?;
        let closed = open.close()?;
        let board = self.store(&at.board, &closed)?;
        self.tell_all(&board, &closed, &format!("{} resigns.", at.user.name))?;
        Ok(String::new())
    }

    /// Makes a move. If its number is given, it must be the next one.
    fn play(&mut self, at: &AtBoard, text: &str, number: Option<usize>) -> Answer<String> {
        refuse_not_playing(&at.board)?;
        check_number(number, at.board.plies + 1)?;
        if at.board.to_move != at.side {
            let name = at.board.name(at.board.to_move);
            return refuse(format!(
                "{name} is to move: wait, or use queue to make a move in advance"
            ));
        }
        let board = self.play_text(&at.board, at.side, text)?;
        self.play_queued(board)?;
        Ok(String::new())
    }

    /// Makes a move and mails all players and watchers. Returns the board after it.
    fn play_text(&mut self, board: &Board, side: Side, text: &str) -> Answer<Board> {
        let (text, offers_draw) = match Written::parse(text) {
            Written::Move { text, offers_draw } => (text, offers_draw),
            Written::Resign | Written::Draw => {
                return refuse(format!("{}: expected a move", word(text)));
            }
        };
        let mut open = self.open(board, Engines::Held)?;
        let position = self.position(board, &open.snapshot()?, None)?;
        let code = read_one(position.as_ref(), text)?;
        open.ask(
            side,
            TableCommand::Play {
                code: code.clone(),
                from: None,
            },
        )?;
        let is_over = open.snapshot()?.ending.is_some();
        if offers_draw && !is_over {
            open.ask(side, TableCommand::OfferDraw)?;
        }
        let closed = open.close()?;
        let board = self.store(board, &closed)?;
        let offer = if offers_draw && !is_over {
            " and offers a draw"
        } else {
            ""
        };
        let news = format!("{} plays {code}{offer}.", board.name(side));
        self.tell_all(&board, &closed, &news)?;
        Ok(board)
    }

    /// Returns the position after the first `n_moves` moves; after all of them if no number is given.
    pub(super) fn position(
        &self,
        board: &Board,
        snapshot: &Snapshot,
        n_moves: Option<usize>,
    ) -> Answer<Box<dyn DynHistory>> {
        let rules = self.rules(&spec(board)?)?;
        let book = snapshot.opening.moves.iter().cloned();
        let line = snapshot.tree.line().map(|ply| ply.code.clone());
        let opening = Opening {
            fen: snapshot.opening.fen.clone(),
            moves: book
                .chain(line)
                .take(n_moves.unwrap_or(usize::MAX))
                .collect(),
        };
        rules
            .open(&opening)
            .map_err(|why| Halt::Refused(why.to_string()))
    }

    /// `queue BOARD USER TOKEN CODE#N`: queues a move for a later turn.
    pub(super) fn queue(&mut self, line: &Line) -> Answer<String> {
        let mut words = Words::new(&line.rest);
        let at = self.seat(line, &mut words)?;
        refuse_not_playing(&at.board)?;
        let (code, Some(number)) = numbered(words.rest()) else {
            return refuse("expected queue BOARD USER TOKEN CODE#N, with the number of the move");
        };
        let next = at.board.plies + 1;
        if number < next {
            return check_number(Some(number), next).map(|()| String::new());
        }
        let is_own = ((number - next) % 2 == 0) == (at.board.to_move == at.side);
        if !is_own || number > next + 1000 {
            return refuse(format!("move {number} is not one of {}'s", at.user.name));
        }
        if code.is_empty() || code.len() > 40 {
            return refuse(format!("{}: expected a move", word(code)));
        }
        if number == next {
            return self.play(&at, code, None);
        }
        let query = "SELECT count(*) FROM queued WHERE board = ?1";
        let n_queued: i64 = self.db.query_row(query, [at.board.id], |row| row.get(0))?;
        if n_queued >= MAX_QUEUED {
            return refuse(format!(
                "board {} already has {n_queued} queued moves, the maximum",
                at.board.id
            ));
        }
        self.db.execute(
            "INSERT OR REPLACE INTO queued VALUES (?1, ?2, ?3, ?4)",
            params![at.board.id, number, at.user.id, code],
        )?;
        Ok(format!(
            "Move {number} on board {} will be {code}, if it is legal then.",
            at.board.id
        ))
    }

    /// Plays queued moves while there is one for the next turn.
    pub(super) fn play_queued(&mut self, mut board: Board) -> Answer<Board> {
        while board.state == BoardState::Playing {
            let query = "SELECT user, code FROM queued WHERE board = ?1 AND number = ?2";
            let number = board.plies + 1;
            let found = self.db.query_row(query, params![board.id, number], |row| {
                Ok((row.get(0)?, row.get(1)?))
            });
            let Some((user, code)): Option<(i64, String)> = found.optional()? else {
                break;
            };
            self.db.execute(
                "DELETE FROM queued WHERE board = ?1 AND number <= ?2",
                params![board.id, number],
            )?;
            if board.players[board.to_move.index()] != user {
                break;
            }
            match self.play_text(&board, board.to_move, &code) {
                Ok(after) => board = after,
                Err(Halt::Refused(why)) => {
                    self.tell_queued_refused(&board, user, &code, &why)?;
                    break;
                }
                Err(broken) => return Err(broken),
            }
        }
        Ok(board)
    }

    fn tell_queued_refused(&self, board: &Board, user: i64, code: &str, why: &str) -> Answer<()> {
        let user = self.user(user)?;
        let text = format!(
            "Your queued move {}, {code}, is not legal: {why}.",
            board.plies + 1
        );
        self.post(&Draft {
            to: user.address,
            user: Some(user.id),
            board: Some((board.id, board.plies)),
            subject: format!("{} your queued move", board.tag()),
            body: format!(
                "{}\n\nReply to this e-mail with another move.\n",
                wrap(&text)
            ),
            ..Draft::default()
        })
    }

    /// Handles a message without a command: an answer to an e-mail about a board, with a move in its first line.
    pub(super) fn take_answer(&mut self, script: &Script) -> Answer<String> {
        let Some((answered, id)) = self
            .answered()
            .and_then(|answered| Some((answered, answered.board?)))
        else {
            return refuse(NO_COMMAND);
        };
        let board = self.board(id)?;
        let user = self.user(answered.user)?;
        let user = self.authenticated(user, false)?;
        let Some(side) = board.side_of(user.id) else {
            return refuse(NO_COMMAND);
        };
        refuse_not_playing(&board)?;
        let first = script.first();
        if first.is_empty() {
            return refuse("no move in it: expected one as the first line");
        }
        let (text, number) = numbered(first);
        let number = number.or(self.expected_number(&board));
        let at = AtBoard { board, user, side };
        check_number(number, at.board.plies + 1)?;
        let open = self.open(&at.board, Engines::Held)?;
        let position = self.position(&at.board, &open.close()?.snapshot, None)?;
        let written = match Written::parse(text) {
            Written::Resign => return self.resign_at(&at),
            Written::Draw => return self.draw_at(&at),
            Written::Move { text, .. } => text,
        };
        let is_no_move = matches!(
            read_moves(position.as_ref(), written),
            Err(TypingError::NoMove(_))
        );
        if is_no_move
            && let Some(code) = self.drawn_move(&at.board, position.as_ref(), &script.head)?
        {
            return self.play(&at, &code, number);
        }
        self.play(&at, text, number)
    }

    /// Returns the number of the move that the answered e-mail asks for.
    fn expected_number(&self, board: &Board) -> Option<usize> {
        let answered = self
            .answered()
            .filter(|answered| answered.board == Some(board.id))?;
        answered.plies.map(|plies| plies + 1)
    }
}

/// Parses a text as a single legal move.
pub(super) fn read_one(position: &dyn DynHistory, text: &str) -> Answer<String> {
    let codes = read_moves(position, text).map_err(|why| Halt::Refused(why.to_string()))?;
    match <[String; 1]>::try_from(codes) {
        Ok([code]) => Ok(code),
        Err(_) => refuse(format!("{}: expected one move", word(text))),
    }
}

pub(super) fn refuse_not_playing(board: &Board) -> Answer<()> {
    let id = board.id;
    match (board.state, &board.record) {
        (BoardState::Playing, _) => Ok(()),
        (BoardState::Open, _) => refuse(format!(
            "the game on board {id} has not started: expected accept first"
        )),
        (BoardState::Declined, _) => refuse(format!("the challenge on board {id} was declined")),
        (BoardState::Over, Some(record)) => refuse(format!(
            "the game on board {id} is over: {} {{{}}}",
            record.result, record.reason
        )),
        (BoardState::Over, None) => refuse(format!("the game on board {id} is over")),
    }
}

/// Checks that a move is the next one, so that an answer to an old e-mail has no effect.
fn check_number(number: Option<usize>, next: usize) -> Answer<()> {
    match number {
        Some(number) if number < next => refuse(format!(
            "move {number} was already played: expected move {next}"
        )),
        Some(number) if number > next => {
            refuse(format!("move {number} is too early: expected move {next}"))
        }
        _ => Ok(()),
    }
}

/// Splits a move from its number, which comes first as in `5. e5` or last as in `e5#5`.
fn numbered(text: &str) -> (&str, Option<usize>) {
    let text = text.trim();
    if let Some((code, number)) = text.rsplit_once('#')
        && let Ok(number) = number.trim().parse()
    {
        return (code.trim(), Some(number));
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &text[digits..];
    match (text[..digits].parse(), rest.strip_prefix(['.', ')', ':'])) {
        (Ok(number), Some(code)) => (code.trim_start_matches('.').trim(), Some(number)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn a_number_stands_on_either_side() {
        for (text, code, number) in [
            ("e5#3", "e5", Some(3)),
            ("b2 -> c3 # 12", "b2 -> c3", Some(12)),
            ("3. e5", "e5", Some(3)),
            ("3... e5", "e5", Some(3)),
            ("3) e5", "e5", Some(3)),
            ("3@b2", "3@b2", None),
            ("#3", "", Some(3)),
            ("e5#", "e5#", None),
            ("99999999999999999999. e5", "99999999999999999999. e5", None),
        ] {
            assert_eq!(numbered(text), (code, number), "{text}");
        }
    }
}
