//! The caption: the side to move, or the result with its reason.

use kit::{DrawRequest, Game, Outcome, Side};

use crate::moves::{Move, Moves};
use crate::position::{GraphHockey, Level, Position};

/// The side to move, with its goal.
pub(super) fn turn(game: &GraphHockey, position: &Position) -> &'static str {
    match game.side(position) {
        Side::P1 => "p1 to move, towards the bottom goal",
        Side::P2 => "p2 to move, towards the top goal",
    }
}

/// The level in force, in words.
pub(super) fn level(game: &GraphHockey, position: &Position) -> &'static str {
    match game.level(position).0 {
        Level::Ordinary => "no line may be touched or crossed",
        Level::FreeJump => "free jump: lines may be crossed",
        Level::Strangeness => "strangeness: any move inside the boundary",
    }
}

/// The line below the field.
pub(super) fn caption(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> String {
    let position = request.position;
    explain(game, position, request.outcome).unwrap_or_else(|| match game.level(position).0 {
        Level::Ordinary => turn(game, position).to_owned(),
        _ => format!("{}; {}", turn(game, position), level(game, position)),
    })
}

/// The result with its reason; `None` for an unfinished game.
pub(crate) fn explain(_: &GraphHockey, _: &Position, outcome: Option<Outcome>) -> Option<String> {
    let text = match outcome? {
        Outcome::Win(Side::P1) => "p1 wins: the puck is in the bottom goal",
        Outcome::Win(Side::P2) => "p2 wins: the puck is in the top goal",
        Outcome::Draw => "draw: third occurrence of this position",
    };
    Some(text.to_owned())
}

/// The legal moves; none if the game is over.
pub(super) fn legal(game: &GraphHockey, request: &DrawRequest<GraphHockey>) -> Moves {
    if request.is_over() {
        Moves::default()
    } else {
        game.level(request.position).1
    }
}

/// `true` if the person has excluded a move.
pub(super) fn is_ruled_out(request: &DrawRequest<GraphHockey>, mv: Move) -> bool {
    let is_it = |code: &String| code.eq_ignore_ascii_case(&mv.to_string());
    request.view.ruled_out.iter().any(is_it)
}
