//! Values and how they compare.

use crate::puzzle::Value;
use crate::search::Score;
use crate::search::score::{DRAW, loss_in, win_in};

/// The value as a score of the search: the nearer a win the higher, the nearer a loss the lower.
pub(crate) const fn score(value: Value) -> Score {
    match value {
        Value::Win(plies) => win_in(plies as usize),
        Value::Loss(plies) => loss_in(plies as usize),
        Value::Draw => DRAW,
    }
}

/// The same value from the other side.
pub(crate) const fn flipped(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        Value::Draw => Value::Draw,
    }
}

/// The value of a move, from the player who makes it, by the value after it, also from him.
pub(crate) const fn before_move(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Win(plies + 1),
        Value::Loss(plies) => Value::Loss(plies + 1),
        Value::Draw => Value::Draw,
    }
}
