//! A game as the text of an e-mail: its players, the board, the numbered moves, and who is to move.

use std::fmt::Write;

use draw::{Room, View};
use kit::{DynHistory, Side};
use record::game::Ending;
use table::ClientGame;

use super::actions::how_to_agree;
use super::board::Board;
use crate::email::{WIDTH, wrap};

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
        let _ = writeln!(text, "\n{}", wrap(&how_to_agree(proposal, board.id)));
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
