//! Explains why a move is illegal, independently of move generation.

use kit::Rejection;

use crate::position::{Move, Position, Susan};

/// Numerals up to 14, the largest distance on any board.
const NUMBERS: [&str; 15] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen",
];

/// Checks a move of the side to move. The error names the conflicting cell.
pub(crate) fn check(game: &Susan, position: &Position, mv: Move) -> Result<(), Rejection> {
    let why = match (mv.from(), position.stone(mv.to)) {
        (Some(from), _) if position.stone(from) != Some(position.side) => {
            let name = game.name(from);
            match position.stone(from) {
                None => format!("{name} is empty; nothing to slide"),
                Some(_) => format!("the stone on {name} is the opponent's"),
            }
        }
        (Some(from), _) if game.board.steps(from, mv.to) != 1 => {
            let steps = NUMBERS[usize::from(game.board.steps(from, mv.to))];
            let (name, to) = (game.name(from), game.name(mv.to));
            format!("{to} is {steps} steps from {name}; a stone slides one")
        }
        (_, None) => return Ok(()),
        (_, Some(side)) => {
            let to = game.name(mv.to);
            match side == position.side {
                true => format!("{to} holds your own stone"),
                false => format!("{to} holds a stone of the opponent's"),
            }
        }
    };
    Err(why.into())
}
