//! The two players.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One of the two players: the person or engine, not the pieces. After a swap, a player keeps its `Side`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Moves first.
    #[default]
    P1,
    /// Moves second.
    P2,
}

impl Side {
    /// Both players, in the order of their first moves.
    pub const BOTH: [Side; 2] = [Side::P1, Side::P2];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::P1 => Side::P2,
            Side::P2 => Side::P1,
        }
    }

    /// 0 for player 1, 1 for player 2.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["p1", "p2"][self.index()])
    }
}
