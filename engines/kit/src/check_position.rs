//! Positions that test an engine's rules one by one, for `linesman check`.

use crate::{Outcome, Side};

/// A rule of a game, and a line of moves that shows whether an engine keeps it. All codes are split by blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckPosition {
    /// The rule, in one sentence.
    pub rule: &'static str,
    /// Options with values other than the defaults, as `Size=3 Repetition=2`; among them the size of the board.
    pub options: &'static str,
    /// A position string, or `startpos`.
    pub position: &'static str,
    /// The codes of the moves played from there.
    pub moves: &'static str,
    /// How the game has ended after these moves; `None` if it goes on.
    pub outcome: Option<Outcome>,
    /// Codes that are legal after these moves.
    pub legal: &'static str,
    /// Codes that are not.
    pub illegal: &'static str,
    /// The value after these moves, where it is a forced end: the plies in which the side to move wins, negative if it
    /// loses.
    pub mate: Option<i32>,
}

impl CheckPosition {
    /// A rule shown by a position, with the default options and without moves; the game goes on.
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

    /// The same with these options.
    pub const fn with(self, options: &'static str) -> CheckPosition {
        CheckPosition { options, ..self }
    }

    /// The same after these moves.
    pub const fn after(self, moves: &'static str) -> CheckPosition {
        CheckPosition { moves, ..self }
    }

    /// The same where this player has won.
    pub const fn won_by(self, side: Side) -> CheckPosition {
        CheckPosition {
            outcome: Some(Outcome::Win(side)),
            ..self
        }
    }

    /// The same where the game is drawn.
    pub const fn drawn(self) -> CheckPosition {
        CheckPosition {
            outcome: Some(Outcome::Draw),
            ..self
        }
    }

    /// The same where these codes are legal.
    pub const fn allows(self, legal: &'static str) -> CheckPosition {
        CheckPosition { legal, ..self }
    }

    /// The same where these codes are not legal.
    pub const fn forbids(self, illegal: &'static str) -> CheckPosition {
        CheckPosition { illegal, ..self }
    }

    /// The same where the side to move wins in so many plies, or loses if they are negative.
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
