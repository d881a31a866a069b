//! Detection of moves that lose immediately.

use kit::{DynHistory, Outcome, Side};

/// Kind of blunder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blunder {
    /// The move itself ends the game with a loss.
    Loses,
    /// The opponent has a win in one.
    LetsWin,
}

/// Checks whether a legal move loses immediately. Returns `None` if all other moves do so too.
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
