//! Positions that test an engine's rules one by one, for `linesman check`.

use crate::{Outcome, Side};

/// A rule of a game, with a line of moves that shows whether an engine follows it. Codes are separated by blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckPosition {
    /// The rule, in one sentence.
    pub rule: &'static str,
    /// Options that differ from the defaults, as `Size=3 Repetition=2`, the size of the board included.
    pub options: &'static str,
    /// A position string, or `startpos`.
    pub position: &'static str,
    /// The codes of the moves played from there.
    pub moves: &'static str,
    /// The result after these moves; `None` if the game is not over.
    pub outcome: Option<Outcome>,
    /// Codes that are legal after these moves.
    pub legal: &'static str,
    /// Codes that are illegal after these moves.
    pub illegal: &'static str,
    /// The forced end after these moves: plies until the side to move wins, negative if it loses; `None` if none is
    /// claimed.
    pub mate: Option<i32>,
}

/// A position that tests one place of the default board. Together these positions reach all places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacePosition {
    /// The place, such as `b2 next to c3`.
    pub place: String,
    /// A position string.
    pub position: String,
    /// The codes of the moves played from there.
    pub moves: Vec<String>,
}

impl CheckPosition {
    /// A rule shown by a position, with the default options and no moves; the game is not over.
    pub const fn new(rule: &'static str, position: &'static str) -> CheckPosition {
        CheckPosition {
            rule,
            options: "",
            position,
            moves: "",
            outcome: None,
            legal: "",
            illegal: "",
            mate: None,
        }
    }

    /// Sets the options.
    pub const fn with(self, options: &'static str) -> CheckPosition {
        CheckPosition { options, ..self }
    }

    /// Sets the moves.
    pub const fn after(self, moves: &'static str) -> CheckPosition {
        CheckPosition { moves, ..self }
    }

    /// Expects a win of this player.
    pub const fn won_by(self, side: Side) -> CheckPosition {
        CheckPosition {
            outcome: Some(Outcome::Win(side)),
            ..self
        }
    }

    /// Expects a draw.
    pub const fn drawn(self) -> CheckPosition {
        CheckPosition {
            outcome: Some(Outcome::Draw),
            ..self
        }
    }

    /// Expects these codes to be legal.
    pub const fn allows(self, legal: &'static str) -> CheckPosition {
        CheckPosition { legal, ..self }
    }

    /// Expects these codes to be illegal.
    pub const fn forbids(self, illegal: &'static str) -> CheckPosition {
        CheckPosition { illegal, ..self }
    }

    /// Expects the side to move to win in this number of plies, or to lose if it is negative.
    pub const fn mate(self, plies: i32) -> CheckPosition {
        CheckPosition {
            mate: Some(plies),
            ..self
        }
    }

    /// The options as names and values.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let pairs = self.options.split_whitespace();
        pairs.filter_map(|pair| pair.split_once('='))
    }

    /// The position string; `None` for the start position.
    pub fn fen(&self) -> Option<&'static str> {
        (self.position != "startpos").then_some(self.position)
    }

    /// The codes of the moves.
    pub fn moves(&self) -> Vec<String> {
        self.moves.split_whitespace().map(str::to_owned).collect()
    }
}
