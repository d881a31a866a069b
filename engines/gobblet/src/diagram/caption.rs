//! The caption: the side to move, or the result with its reason.

use kit::{DrawRequest, Outcome, Side};

use crate::fen::colour;
use crate::position::{Gobblet, Position};
use crate::square::{Squares, squares};

/// The line below the board.
pub(super) fn caption(game: &Gobblet, request: &DrawRequest<Gobblet>) -> String {
    let position = request.position;
    explain(game, position, request.outcome)
        .unwrap_or_else(|| format!("{} to move", colour(position.side)))
}

/// The result with its reason; `None` for an unfinished game.
pub(crate) fn explain(
    game: &Gobblet,
    position: &Position,
    outcome: Option<Outcome>,
) -> Option<String> {
    Some(match outcome? {
        Outcome::Win(side) => {
            let line = line_of(game, position, side).unwrap_or_default();
            let names: Vec<String> = squares(line).map(|square| square.to_string()).collect();
            format!("{} wins: line {}", colour(side), names.join(" "))
        }
        Outcome::Draw => "draw: third occurrence of this position".to_owned(),
    })
}

/// The first full line of a player's visible pieces.
pub(super) fn line_of(game: &Gobblet, position: &Position, side: Side) -> Option<Squares> {
    let own = position.pieces.visible().of(side);
    let is_full = |&&line: &&Squares| own & line == line;
    game.board.lines().iter().find(is_full).copied()
}
