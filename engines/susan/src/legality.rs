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
    let to = game.name(mv.to);
    if let Some(from) = mv.from() {
        let (name, steps) = (game.name(from), game.board.steps(from, mv.to));
        let steps = NUMBERS[usize::from(steps)];
        match position.stone(from) {
            None => return Err(format!("{name} is empty; nothing to slide").into()),
            Some(side) if side != position.side => {
                return Err(format!("the stone on {name} is the opponent's").into());
            }
            Some(_) if steps != "one" => {
                return Err(
                    format!("{to} is {steps} steps from {name}; a stone slides one").into(),
                );
            }
            Some(_) => {}
        }
    }
    match position.stone(mv.to) {
        None => Ok(()),
        Some(side) if side == position.side => Err(format!("{to} holds your own stone").into()),
        Some(_) => Err(format!("{to} holds a stone of the opponent's").into()),
    }
}
