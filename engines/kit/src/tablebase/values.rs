//! Values and their order.

use crate::puzzle::Value;
use crate::search::Score;
use crate::search::score::{DRAW, loss_in, win_in};

/// Converts a value to a score of the search: nearer wins score higher, nearer losses lower.
pub(crate) const fn score(value: Value) -> Score {
    match value {
        Value::Win(plies) => win_in(plies as usize),
        Value::Loss(plies) => loss_in(plies as usize),
        Value::Draw => DRAW,
    }
}

/// The same value from the other side's point of view.
pub(crate) const fn flipped(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        Value::Draw => Value::Draw,
    }
}

/// The value of a move for the player who makes it, from the value after it for the same player.
pub(crate) const fn before_move(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Win(plies + 1),
        Value::Loss(plies) => Value::Loss(plies + 1),
        Value::Draw => Value::Draw,
    }
}
