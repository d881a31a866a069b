//! E-mails about a board: the event, the game, and how to answer.

use kit::Side;
use record::date::moment;

use super::board::{Board, BoardState};
use super::user::User;
use super::work::Work;
use crate::error::Answer;
use crate::game::ClosedBoard;
use crate::letter::wrap;
use crate::outbox::Draft;
use crate::store::ENGINE_NAME;

impl Work<'_> {
    /// Mails both players and all watchers. If the engine moves next, the players are mailed after its move.
    pub(super) fn tell_all(&self, board: &Board, closed: &ClosedBoard, news: &str) -> Answer<()> {
        for side in Side::BOTH {
            let is_engine_next =
                board.state == BoardState::Playing && board.name(board.to_move) == ENGINE_NAME;
            if !is_engine_next {
                self.tell_player(board, side, closed, news)?;
            }
        }
        self.tell_watchers(board, closed, news)
    }

    pub(super) fn tell_player(
        &self,
        board: &Board,
        side: Side,
        closed: &ClosedBoard,
        news: &str,
    ) -> Answer<()> {
        let user = self.user(board.players[side.index()])?;
        if !user.is_reachable() {
            return Ok(());
        }
        let is_asked = board.state == BoardState::Playing && board.to_move == side;
        let number = board.plies + 1;
        let ask = match is_asked {
            true => format!(" Your move {number}"),
            false => String::new(),
        };
        let how = match board.state {
            BoardState::Playing => how_to_answer(board, side, &user, is_asked),
            _ => "Thank you for the game.\n".to_owned(),
        };
        let body = format!(
            "{}\n\n{}\n\n{how}",
            wrap(&self.with_time(board, news)),
            closed.letter
        );
        self.post(&Draft {
            to: user.address,
            user: Some(user.id),
            board: Some((board.id, board.plies)),
            subject: subject(board, news) + &ask,
            body,
            ..Draft::default()
        })
    }

    /// Mails the watchers, without tokens.
    fn tell_watchers(&self, board: &Board, closed: &ClosedBoard, news: &str) -> Answer<()> {
        let mut query = self
            .db
            .prepare("SELECT user FROM watchers WHERE board = ?1 ORDER BY user")?;
        let watchers = query.query_map([board.id], |row| row.get(0))?;
        let watchers: Vec<i64> = watchers.collect::<Result<_, _>>()?;
        for watcher in watchers {
            let user = self.user(watcher)?;
            if !user.is_reachable() {
                continue;
            }
            let stop = format!("You watch this game. To stop: unwatch {} TOKEN", board.id);
            let body = format!("{}\n\n{}\n\n{}\n", wrap(news), closed.letter, wrap(&stop));
            self.post(&Draft {
                to: user.address,
                user: Some(user.id),
                // An answer to it cannot move.
                board: Some((board.id, board.plies)),
                subject: subject(board, news),
                body,
                ..Draft::default()
            })?;
        }
        Ok(())
    }

    /// Appends the deadline of the next move to the news.
    fn with_time(&self, board: &Board, news: &str) -> String {
        match board.deadline() {
            Some(deadline) => format!(
                "{news} {} has until {}.",
                board.name(board.to_move),
                moment(deadline)
            ),
            None => news.to_owned(),
        }
    }
}

/// Builds the subject: the tag of the board and the first sentence of the news.
fn subject(board: &Board, news: &str) -> String {
    let end = news.find(". ").map_or(news.len(), |at| at + 1);
    format!("{} {}", board.tag(), &news[..end])
}

/// Lists the player's possible commands, ready to be copied.
fn how_to_answer(board: &Board, side: Side, user: &User, is_asked: bool) -> String {
    let (id, name, token) = (board.id, &user.name, board.token(side));
    let (intro, first) = if is_asked {
        let number = board.plies + 1;
        (
            "Reply with the move alone as the first line, or send one of these commands from any address:",
            format!("move {id} {name} {token} MOVE#{number}"),
        )
    } else {
        let number = board.plies + 2;
        (
            "It is not your turn. You can still send one of these commands from any address:",
            format!("queue {id} {name} {token} MOVE#{number}"),
        )
    };
    let rest = ["resign", "draw", "undo"].map(|word| format!("    {word} {id} {name} {token}\n"));
    format!(
        "{}\n\n    {first}\n{}\nToken: {token}\n",
        wrap(intro),
        rest.concat()
    )
}
