//! Moves that lose at once.

use kit::{DynHistory, Outcome, Side};

/// Why a move is worth asking for twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blunder {
    /// The move itself loses.
    Loses,
    /// The opponent can win at once.
    LetsWin,
}

/// Whether a legal move loses at once though another does not. A player who is lost anyway is not asked.
pub fn blunder_check(board: &dyn DynHistory, code: &str) -> Option<Blunder> {
    let found = loss(board, code)?;
    let is_way_out = |other: &String| other != code && loss(board, other).is_none();
    board.moves().iter().any(is_way_out).then_some(found)
}

fn loss(board: &dyn DynHistory, code: &str) -> Option<Blunder> {
    let opponent = board.side().other();
    let mut after = board.fork();
    after.play(code).ok()?;
    if wins(after.as_ref(), opponent) {
        return Some(Blunder::Loses);
    }
    let lets_win = after.moves().iter().any(|answer| {
        let was_played = after.play(answer).is_ok();
        let is_won = wins(after.as_ref(), opponent);
        if was_played {
            after.undo();
        }
        is_won
    });
    lets_win.then_some(Blunder::LetsWin)
}

fn wins(board: &dyn DynHistory, side: Side) -> bool {
    board.outcome() == Some(Outcome::Win(side))
}
