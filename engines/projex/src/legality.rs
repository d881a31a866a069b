//! Explanations of illegal moves, in the game's terms.

use kit::{Rejection, Side};

use crate::board::{Move, Projex};
use crate::position::{Colour, Position};

/// Checks a move of the side to move.
pub(crate) fn check(game: &Projex, position: &Position, mv: Move) -> Result<(), Rejection> {
    let is_legal = match mv {
        Move::Swap => game.can_swap(position),
        Move::Place(cell) => position.stone(cell).is_none(),
    };
    if is_legal {
        return Ok(());
    }
    Err(match mv {
        Move::Place(cell) if position.stone(cell) == Some(position.turn()) => {
            "the cell holds your own stone".into()
        }
        Move::Place(_) => "the cell holds your opponent's stone".into(),
        Move::Swap if !game.has_swap() => "the option Swap is off in this game".into(),
        Move::Swap if position.owner(Colour::X) == Side::P2 => {
            "the colours have been exchanged already".into()
        }
        Move::Swap => {
            let number = position.n_stones() + 1;
            format!("swap can only be the fourth move, and this is move {number}").into()
        }
    })
}
