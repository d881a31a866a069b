//! A game as the text of an e-mail: its players, the board, the numbered moves, and who is to move.

use std::fmt::Write;

use draw::{Room, View};
use kit::{DynHistory, Side};
use record::game::Ending;
use table::{Proposed, Snapshot};

use super::board::Board;
use super::work::Work;
use crate::email::{WIDTH, wrap};
use crate::error::Answer;

impl Work<'_> {
    pub(super) fn game_text(&self, board: &Board, snapshot: &Snapshot) -> Answer<String> {
        let position = self.position(board, snapshot, None)?;
        let names = position.side_names();
        let player = |side: Side| format!("{} ({})", board.name(side), names[side.index()]);
        let mut text = format!("Game: {}\n", board.game);
        for side in Side::BOTH {
            let _ = writeln!(text, "Player {}: {}", side.index() + 1, player(side));
        }
        let _ = write!(
            text,
            "\n{}\n\n",
            drawn(position.as_ref(), snapshot.ending.as_ref())
        );
        let codes = codes(snapshot);
        for (number, code) in (1..).zip(&codes) {
            let _ = writeln!(text, "{number}. {code}");
        }
        if let Some(ending) = &snapshot.ending {
            let over = format!("The game is over: {} {{{}}}", ending.result, ending.reason);
            return Ok(format!("{text}\n{}\n", wrap(&over)));
        }
        if let Some(side) = drawer(snapshot) {
            let id = board.id;
            let offer = format!(
                "{} offers a draw. To agree, reply with accept {id}.",
                player(side)
            );
            let _ = writeln!(text, "\n{}", wrap(&offer));
        }
        let next = format!(
            "Move {} is for {}.",
            codes.len() + 1,
            player(position.side())
        );
        Ok(format!("{text}\n{}\n", wrap(&next)))
    }
}

/// Returns the moves of a game, including those of its opening.
pub(super) fn codes(snapshot: &Snapshot) -> Vec<&str> {
    let book = snapshot.opening.moves.iter().map(String::as_str);
    let line = snapshot.tree.line().map(|ply| ply.code.as_str());
    book.chain(line).collect()
}

/// Returns the side with a pending draw offer.
pub(super) fn drawer(snapshot: &Snapshot) -> Option<Side> {
    let proposal = snapshot.proposal.as_ref()?;
    proposal.side.filter(|_| proposal.what == Proposed::Draw)
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
