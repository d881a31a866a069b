//! Moves that are shown before they are made: `preview`, `submit`, `confirm`.

use rusqlite::{OptionalExtension, params};

use super::boards::AtBoard;
use super::play::{read_one, refuse_not_playing};
use super::work::Work;
use crate::email::wrap;
use crate::error::{Answer, ClubError, refuse};
use crate::game::Engines;
use crate::script::{Line, Words};

impl Work<'_> {
    /// `preview BOARD USER TOKEN CODE`: shows the board after a move, without making it.
    pub(super) fn preview(&mut self, line: &Line) -> Answer<String> {
        let (_, code, drawn) = self.tried(line)?;
        Ok(format!("After {code}, which is not played:\n\n{drawn}"))
    }

    /// `submit BOARD USER TOKEN CODE`: shows the board after a move, which `confirm` makes.
    pub(super) fn submit(&mut self, line: &Line) -> Answer<String> {
        let (
            AtBoard {
                board, user, side, ..
            },
            code,
            drawn,
        ) = self.tried(line)?;
        if board.to_move != side {
            return refuse!("{} is to move: expected queue, or to wait", board.mover());
        }
        let (id, number) = (board.id, board.plies + 1);
        let insert = "INSERT OR REPLACE INTO submitted VALUES (?1, ?2, ?3, ?4)";
        self.db
            .execute(insert, params![id, user.id, number, code])?;
        let (name, token) = (&user.name, board.token(side));
        let how = wrap(&format!(
            "Your move {number} on board {id} is {code} as soon as you confirm it: reply with the word confirm, or \
             send this command."
        ));
        Ok(format!(
            "{how}\n\n    confirm {id} {name} {token}\n\n{drawn}"
        ))
    }

    /// `confirm BOARD USER TOKEN`: makes the submitted move.
    pub(super) fn confirm_move(&mut self, line: &Line, mut words: Words<'_>) -> Answer<String> {
        let at = self.seat(line, &mut words)?;
        words.end("confirm BOARD USER TOKEN")?;
        let params = [at.board.id, at.user.id];
        let query = "SELECT number, code FROM submitted WHERE board = ?1 AND user = ?2";
        let row = self.db.query_row(query, params, |row| row.try_into());
        let Some((number, code)): Option<(usize, String)> = row.optional()? else {
            return refuse!("no move is submitted on board {}", at.board.id);
        };
        self.delete("submitted WHERE board = ?1 AND user = ?2", params)?;
        self.play(&at, &code, Some(number))
    }

    /// Parses `BOARD USER TOKEN CODE`. Returns the move as canonical code, and the board after it.
    fn tried(&mut self, line: &Line) -> Answer<(AtBoard, String, String)> {
        let mut words = Words::new(&line.rest);
        let at = self.seat(line, &mut words)?;
        refuse_not_playing(&at.board)?;
        let closed = self.open(&at.board, Engines::Held)?.close()?;
        let mut position = self.position(&at.board, &closed.snapshot, None)?;
        let code = read_one(position.as_ref(), words.rest())?;
        let code = position.play(&code);
        let code = code.map_err(|why| ClubError::Refused(why.to_string()))?;
        let drawn = table::letter::board(position.as_ref());
        Ok((at, code, drawn))
    }
}
