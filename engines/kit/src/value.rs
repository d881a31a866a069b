//! The value of a position by best play, and how values compare.

use std::fmt;

use crate::search::SearchScore;
use crate::search::score::{DRAW, loss_in, win_in};
use crate::{Outcome, Side};

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value {
    /// It wins in this many plies against the longest defence, and not in fewer.
    Win(u32),
    /// It loses in this many plies against the quickest attack, and not sooner.
    Loss(u32),
    /// Neither side can win.
    Draw,
}

impl Value {
    /// The value of a game that is over, for this side.
    pub fn of(outcome: Outcome, side: Side) -> Value {
        match outcome {
            Outcome::Draw => Value::Draw,
            Outcome::Win(winner) if winner == side => Value::Win(0),
            Outcome::Win(_) => Value::Loss(0),
        }
    }

    /// The value as a score of the search: the nearer a win the higher, the nearer a loss the lower.
    pub const fn score(self) -> SearchScore {
        match self {
            Value::Win(plies) => win_in(plies as usize),
            Value::Loss(plies) => loss_in(plies as usize),
            Value::Draw => DRAW,
        }
    }

    /// The same value for the opponent.
    #[must_use]
    pub const fn flipped(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies),
            Value::Loss(plies) => Value::Win(plies),
            Value::Draw => Value::Draw,
        }
    }

    /// The value one ply earlier: of the move that led here, for the player who made it. `self` is for that player, too.
    #[must_use]
    pub const fn before_move(self) -> Value {
        match self {
            Value::Win(plies) => Value::Win(plies + 1),
            Value::Loss(plies) => Value::Loss(plies + 1),
            Value::Draw => Value::Draw,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Win(plies) => write!(f, "win {plies}"),
            Value::Loss(plies) => write!(f, "loss {plies}"),
            Value::Draw => f.write_str("draw"),
        }
    }
}
