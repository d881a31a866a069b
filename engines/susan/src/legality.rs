//! Explains why a move is illegal, independently of move generation.

use kit::Rejection;

use crate::cells::Cell;
use crate::position::{Move, Position, Susan};

/// Numerals up to 14, the largest distance on any board.
const NUMBERS: [&str; 15] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen",
];

/// Checks a move of the side to move. The error names the conflicting cell.
pub(crate) fn check(game: &Susan, position: &Position, mv: Move) -> Result<(), Rejection> {
    if let Some(from) = mv.from() {
        check_stone(game, position, from)?;
        check_step(game, from, mv.to)?;
    }
    check_empty(game, position, mv.to)
}

fn check_stone(game: &Susan, position: &Position, from: Cell) -> Result<(), Rejection> {
    let name = game.name(from);
    match position.stone(from) {
        None => Err(format!("{name} is empty; nothing to slide").into()),
        Some(side) if side != position.side => {
            Err(format!("the stone on {name} is the opponent's").into())
        }
        Some(_) => Ok(()),
    }
}

fn check_step(game: &Susan, from: Cell, to: Cell) -> Result<(), Rejection> {
    let steps = NUMBERS[usize::from(game.board.steps(from, to))];
    if steps == "one" {
        return Ok(());
    }
    let (from, to) = (game.name(from), game.name(to));
    Err(format!("{to} is {steps} steps from {from}; a stone slides one").into())
}

fn check_empty(game: &Susan, position: &Position, to: Cell) -> Result<(), Rejection> {
    let name = game.name(to);
    match position.stone(to) {
        None => Ok(()),
        Some(side) if side == position.side => Err(format!("{name} holds your own stone").into()),
        Some(_) => Err(format!("{name} holds a stone of the opponent's").into()),
    }
}
