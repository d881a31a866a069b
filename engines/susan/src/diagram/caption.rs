//! The caption: the side to move, or the result with its reason.

use kit::fen::counted;
use kit::{DrawRequest, Game, Outcome, Side};

use crate::cells::Cell;
use crate::fen::letter;
use crate::position::{Position, Susan};

/// The line below the board.
pub(super) fn caption(game: &Susan, request: &DrawRequest<Susan>) -> String {
    let position = request.position;
    explain(game, position, request.outcome).unwrap_or_else(|| match position.slides {
        0 => format!("{} to move", letter(position.side)),
        n => format!("{} to move, {}", letter(position.side), slides(n)),
    })
}

/// The result with its reason; `None` for an unfinished game.
pub(crate) fn explain(
    game: &Susan,
    position: &Position,
    outcome: Option<Outcome>,
) -> Option<String> {
    Some(match outcome? {
        Outcome::Win(side) => format!("{} wins: {}", letter(side), reason(game, position, side)),
        Outcome::Draw if game.outcome(position).is_some() => {
            format!("draw: {}", slides(position.slides))
        }
        Outcome::Draw => "draw: repetition".to_owned(),
    })
}

fn reason(game: &Susan, position: &Position, winner: Side) -> String {
    let loser = winner.other();
    let lost =
        |&cell: &Cell| position.stone(cell) == Some(loser) && game.is_surrounded(position, cell);
    let cells: Vec<String> = game
        .board
        .cells()
        .filter(lost)
        .map(|cell| game.name(cell))
        .collect();
    format!("{} is surrounded on {}", letter(loser), cells.join(" and "))
}

fn slides(count: u64) -> String {
    format!("{} in a row", counted(count as usize, "slide"))
}
