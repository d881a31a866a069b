//! E-mails about a board: the event, the game as text, and how to answer.

use std::fmt::Write;

use draw::{Room, View};
use kit::{DynHistory, Side};
use record::game::Ending;
use referee::date::moment;
use table::{ClientGame, CommandId, TableView, Voice};

use super::boards::{Board, BoardState};
use super::work::Work;
use crate::email::{WIDTH, letter, wrap};
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
        let mut about = news[..news.find(". ").map_or(news.len(), |at| at + 1)].to_owned();
        if is_playing && board.to_move == side {
            about += &format!(" Your move {}", board.plies + 1);
        }
        let how = match is_playing {
            true => how_to_answer(board, side, &user, &closed.views[side.index()]),
            false => "Thank you for the game.\n".to_owned(),
        };
        let deadline = board.deadline().map(moment);
        let until = deadline.map(|at| format!(" {} has until {at}.", board.mover()));
        let text = wrap(&format!("{news}{}", until.unwrap_or_default()));
        let body = format!("{text}\n\n{}\n{how}", game_text(board, &closed.game));
        self.post_about(board, &user, &about, body)
    }
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
    let actions = view.actions.iter().filter_map(|action| {
        let (_, word, _) = action
            .command
            .by_mail()
            .filter(|_| action.refused.is_none())?;
        Some(format!("{word} {id} {name} {token}"))
    });
    let commands: Vec<String> = std::iter::once(play).chain(actions).collect();
    letter(&[intro], &commands, token)
}

pub(super) fn game_text(board: &Board, game: &ClientGame) -> String {
    let (position, ending) = (game.board(), game.snapshot().ending.as_ref());
    let names = position.side_names();
    let player = |side: Side| format!("{} ({})", board.name(side), names[side.index()]);
    let mut text = format!("Game: {}\n", board.game);
    for side in Side::BOTH {
        let _ = writeln!(text, "Player {}: {}", side.index() + 1, player(side));
    }
    let _ = write!(text, "\n{}\n\n", drawn(position, ending));
    for (number, code) in (1..).zip(codes(game)) {
        let _ = writeln!(text, "{number}. {code}");
    }
    if let Some(ending) = ending {
        let over = format!("The game is over: {} {{{}}}", ending.result, ending.reason);
        return format!("{text}\n{}\n", wrap(&over));
    }
    if let Some(proposal) = &game.snapshot().proposal {
        let (asked, accept) = (&proposal.text, CommandId::Accept.name(Voice::Mail));
        let how = format!(
            "{asked}. To agree, reply with {accept} {}; a move declines.",
            board.id
        );
        let _ = writeln!(text, "\n{}", wrap(&how));
    }
    let (number, player) = (game.n_moves() + 1, player(position.side()));
    let next = format!("Move {number} is for {player}.");
    format!("{text}\n{}\n", wrap(&next))
}

/// Returns the moves of a game, including those of its opening.
pub(super) fn codes(game: &ClientGame) -> impl Iterator<Item = &str> {
    let book = game.snapshot().opening.moves.iter().map(String::as_str);
    book.chain(game.tree().line().map(|ply| ply.code.as_str()))
}

/// Draws a board in ASCII within [`WIDTH`] columns; a wider one is clipped to the part around the last move. `ending` is
/// that of a game that ended in this position.
pub(super) fn drawn(position: &dyn DynHistory, ending: Option<&Ending>) -> String {
    let ending = ending.and_then(|ending| {
        ending
            .result
            .caption(&position.side_names(), &ending.reason)
    });
    let view = View {
        is_ascii: true,
        ending: ending.as_deref(),
        ..View::default()
    };
    let whole = position.draw(view);
    if whole.lines().all(|line| line.len() <= WIDTH) {
        return whole;
    }
    let room = Room {
        columns: WIDTH,
        lines: usize::MAX,
        shows: "",
    };
    position.draw(View {
        room: Some(room),
        ..view
    })
}
