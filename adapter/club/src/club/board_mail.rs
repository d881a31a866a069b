//! E-mails about a board: the event, the game, and how to answer.

use kit::Side;
use referee::date::moment;
use table::TableView;

use super::board::{Board, BoardState};
use super::game_text::game_text;
use super::work::Work;
use crate::email::{letter, wrap};
use crate::error::Answer;
use crate::game::ClosedBoard;
use crate::user::User;

impl Work<'_> {
    /// Mails both players. If the engine moves next, the players are mailed after its move.
    pub(super) fn mail_all(&self, board: &Board, closed: &ClosedBoard, news: &str) -> Answer<()> {
        for side in Side::BOTH {
            if !board.awaits_engine() {
                self.mail_player(board, side, closed, news)?;
            }
        }
        Ok(())
    }

    pub(super) fn mail_player(
        &self,
        board: &Board,
        side: Side,
        closed: &ClosedBoard,
        news: &str,
    ) -> Answer<()> {
        let user = self.user(board.players[side.index()])?;
        let is_playing = board.state == BoardState::Playing;
        let is_asked = is_playing && board.to_move == side;
        let ask = match is_asked {
            true => format!(" Your move {}", board.plies + 1),
            false => String::new(),
        };
        let how = match is_playing {
            true => how_to_answer(board, side, &user, &closed.views[side.index()]),
            false => "Thank you for the game.\n".to_owned(),
        };
        let text = wrap(&self.with_time(board, news));
        let body = format!("{text}\n\n{}\n{how}", game_text(board, &closed.game));
        self.post_about(
            board,
            &user,
            &(first_sentence(news).to_owned() + &ask),
            body,
        )
    }

    /// Appends the deadline of the next move to the news.
    fn with_time(&self, board: &Board, news: &str) -> String {
        match board.deadline() {
            Some(at) => format!("{news} {} has until {}.", board.mover(), moment(at)),
            None => news.to_owned(),
        }
    }
}

fn first_sentence(text: &str) -> &str {
    &text[..text.find(". ").map_or(text.len(), |at| at + 1)]
}

/// Lists the commands that are possible for the player now, ready to be copied.
fn how_to_answer(board: &Board, side: Side, user: &User, view: &TableView) -> String {
    let (id, name, token) = (board.id, &user.name, board.token(side));
    let (intro, word, number) = match view.is_own_turn {
        true => (
            "Reply with the move alone as the first line, or send one of these commands from any address:",
            "move",
            board.plies + 1,
        ),
        false => (
            "It is not your turn. You can still send one of these commands from any address:",
            "queue",
            board.plies + 2,
        ),
    };
    let play = format!("{word} {id} {name} {token} MOVE#{number}");
    let possible = view
        .actions
        .iter()
        .filter(|action| action.refused.is_none());
    let actions = possible.filter_map(|action| {
        let (_, word, _) = action.command.by_mail()?;
        Some(format!("{word} {id} {name} {token}"))
    });
    let commands: Vec<String> = std::iter::once(play).chain(actions).collect();
    letter(&[intro], &commands, token)
}
