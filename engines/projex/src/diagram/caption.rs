//! The caption: the side to move, or the result with its reason.

use kit::{DrawRequest, Outcome};

use super::loops::winning_loop;
use crate::board::{Move, Projex};
use crate::fen::format_cell;
use crate::geometry::Cell;
use crate::position::{Colour, Position};

/// The line below the board as text: `x (p1) to move`.
pub(super) fn caption(game: &Projex, request: &DrawRequest<Projex>) -> String {
    caption_with(game, request, owned)
}

/// The line next to the diagram, without the owner of the colour to move, which is shown elsewhere: `x to move`. The
/// result of a game is given in full.
pub(super) fn short_caption(game: &Projex, request: &DrawRequest<Projex>) -> String {
    caption_with(game, request, |_, colour| colour.symbol().to_string())
}

/// The caption's part on the cells that complete a loop of the player who is not to move: `; o threatens D3`.
pub(super) fn warning(game: &Projex, position: &Position, cells: &[Cell]) -> String {
    let codes: Vec<String> = cells
        .iter()
        .map(|&cell| format_cell(game.board(), cell))
        .collect();
    match codes.as_slice() {
        [] => String::new(),
        codes => format!(
            "; {} threatens {}",
            position.turn().other().symbol(),
            codes.join(" and ")
        ),
    }
}

fn caption_with(
    game: &Projex,
    request: &DrawRequest<Projex>,
    name: fn(&Position, Colour) -> String,
) -> String {
    let position = request.position;
    explain(game, position, request.outcome).unwrap_or_else(|| {
        let swap = match request.last {
            Some(Move::Swap) => ", after swap",
            _ if game.can_swap(position) => ", or swap",
            _ => "",
        };
        format!("{} to move{swap}", name(position, position.turn()))
    })
}

/// The result with its reason; `None` for an unfinished game.
pub(crate) fn explain(game: &Projex, position: &Position, _: Option<Outcome>) -> Option<String> {
    let holder = position.holder()?;
    let n_stones = winning_loop(game.board(), position).len();
    let winner = owned(position, holder);
    Some(format!("{winner} wins: a global loop of {n_stones} stones"))
}

/// A colour with its owner: `x (p1)`.
fn owned(position: &Position, colour: Colour) -> String {
    format!("{} ({})", colour.symbol(), position.owner(colour))
}
