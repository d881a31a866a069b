//! Proposals that need the opponent's consent: draws and takebacks.

use kit::Side;
use rusqlite::{OptionalExtension, params};
use table::TableCommand;

use super::board::Board;
use super::boards::AtBoard;
use super::game_text::drawer;
use super::play::refuse_not_playing;
use super::work::Work;
use crate::error::{Answer, refuse};
use crate::game::{Engines, OpenBoard};
use crate::store::ENGINE_NAME;

impl Work<'_> {
    /// `draw BOARD USER TOKEN`: offers a draw, or agrees to one.
    pub(super) fn draw(&mut self, at: &AtBoard) -> Answer<String> {
        refuse_not_playing(&at.board)?;
        at.check_explicit("draw")?;
        let other = self.user(at.board.players[at.side.other().index()])?;
        self.refuse_flood(&at.user, &other)?;
        let is_against_engine = at.board.name(at.side.other()) == ENGINE_NAME;
        if is_against_engine && at.board.to_move != at.side {
            return refuse!("{ENGINE_NAME} is to move: make the offer in your own turn");
        }
        // The engine judges an offer by its last score, so it must be running.
        let engines = match is_against_engine {
            true => Engines::Playing,
            false => Engines::Held,
        };
        let mut open = self.open(&at.board, engines)?;
        let offered = drawer(open.game()?);
        open.ask(at.side, TableCommand::OfferDraw)?;
        let news = match offered {
            Some(_) => "agrees to a draw",
            None => "offers a draw",
        };
        self.finish(&at.board, open, &format!("{} {news}.", at.user))
    }

    /// `undo BOARD USER TOKEN`: asks to take back the user's last move, or agrees to the opponent's request.
    pub(super) fn undo(&mut self, at: &AtBoard) -> Answer<String> {
        refuse_not_playing(&at.board)?;
        match self.asker(&at.board)? {
            Some(asker) if asker == at.side => {
                refuse!("you have already asked: wait for the answer")
            }
            Some(asker) => self.take_back(&at.board, asker),
            None if at.board.name(at.side.other()) == ENGINE_NAME => {
                self.take_back(&at.board, at.side)
            }
            None => self.ask_to_take_back(at),
        }
    }

    fn ask_to_take_back(&mut self, at: &AtBoard) -> Answer<String> {
        let mut open = self.open(&at.board, Engines::Held)?;
        // The table reports an error if there is nothing to take back. Nothing of this is stored.
        open.ask(at.side, TableCommand::Undo)?;
        let closed = open.close()?;
        let (id, user) = (at.board.id, &at.user);
        let insert = "INSERT OR REPLACE INTO asks VALUES (?1, ?2, ?3)";
        self.db
            .execute(insert, params![id, user.id, at.board.plies])?;
        let news = format!(
            "{user} asks to take back their last move. To agree, reply with accept {id}; a move declines."
        );
        self.mail_player(&at.board, at.side.other(), &closed, &news)?;
        let other = at.board.name(at.side.other());
        Ok(format!("The request was sent to {other}."))
    }

    /// Takes moves back until the asker's last turn.
    fn take_back(&mut self, board: &Board, asker: Side) -> Answer<String> {
        let mut open = self.open(board, Engines::Held)?;
        open.ask(asker, TableCommand::Undo)?;
        if open.game()?.snapshot().proposal.is_some() {
            open.ask(asker.other(), TableCommand::Accept)?;
        }
        self.delete("queued WHERE board = ?1", [board.id])?;
        let news = format!("{} takes their move back.", board.name(asker));
        self.finish(board, open, &news)
    }

    /// Returns the side that has asked to take a move back.
    fn asker(&self, board: &Board) -> Answer<Option<Side>> {
        let query = "SELECT user FROM asks WHERE board = ?1 AND plies = ?2";
        let asker = self
            .db
            .query_row(query, params![board.id, board.plies], |row| row.get(0));
        Ok(asker.optional()?.and_then(|user: i64| board.side_of(user)))
    }

    /// Agrees to the opponent's proposal.
    pub(super) fn agree(&mut self, at: &AtBoard) -> Answer<String> {
        let (board, side) = (&at.board, at.side);
        refuse_not_playing(board)?;
        at.check_explicit("accept")?;
        if self.asker(board)? == Some(side.other()) {
            return self.take_back(board, side.other());
        }
        let mut open = self.open(board, Engines::Held)?;
        open.ask(side, TableCommand::Accept)?;
        self.finish(board, open, &format!("{} agrees.", board.name(side)))
    }

    /// Declines the opponent's proposal, or withdraws the player's own.
    pub(super) fn disagree(&mut self, board: &Board, side: Side) -> Answer<String> {
        refuse_not_playing(board)?;
        let is_asked = self.asker(board)?.is_some();
        let mut open = self.open(board, Engines::Held)?;
        if is_asked {
            self.delete("asks WHERE board = ?1", [board.id])?;
        } else {
            open.ask(side, TableCommand::Decline)?;
        }
        self.finish(board, open, &format!("{} declines.", board.name(side)))
    }

    /// Ends a command at a board. The e-mails to both players say all.
    pub(super) fn finish(&self, board: &Board, open: OpenBoard, news: &str) -> Answer<String> {
        self.finish_move(board, open, news)?;
        Ok(String::new())
    }

    /// Stores the result of a command at a board, and mails both players. Returns the board after it.
    pub(super) fn finish_move(&self, board: &Board, open: OpenBoard, news: &str) -> Answer<Board> {
        let closed = open.close()?;
        let board = self.store(board, &closed)?;
        self.mail_all(&board, &closed, news)?;
        Ok(board)
    }
}
