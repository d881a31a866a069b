//! Positions that are won or lost by virtual connections, and the moves left to a player who is threatened.

use kit::Forced;

use crate::board::{Move, Projex, SWAP_AFTER};
use crate::connections::{MAX_CELLS, wins};
use crate::position::Position;

/// The game's forced result for a position that is not over.
pub(crate) fn forced(game: &Projex, position: &Position) -> Option<Forced<Move>> {
    let n_empty = (game.board().n_cells() - position.n_stones()) as u32;
    if game.can_swap(position) {
        // One colour wins, and the player to move can choose this colour.
        return Some(Forced::Win { plies: n_empty + 1 });
    }
    if game.has_swap() && position.n_stones() < SWAP_AFTER {
        return None;
    }
    if game.board().n_cells() > MAX_CELLS {
        return None;
    }
    let threats = wins(game.board(), position, position.turn().other());
    if threats.semi.is_empty() {
        return None;
    }
    // A full board ends every game.
    let plies = n_empty.min(2 * u32::from(threats.n_stones()));
    let moves: Vec<Move> = threats.common.iter().map(Move::Place).collect();
    Some(if moves.is_empty() {
        Forced::Loss { plies }
    } else {
        Forced::Only { moves, plies }
    })
}
