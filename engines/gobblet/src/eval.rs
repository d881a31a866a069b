//! Evaluation.
//!
//! On 4x4 a learned network scores positions, from the [`inputs`](crate::inputs). On 3x3 the score is a weighted
//! sum of features. Each player's features are lines, visible pieces, pieces off the board, and a threat to win at
//! once. The weights were fitted on 4x4, but on 3x3 the search is deep enough that they have little effect.

use kit::evaluate::weighted_sum;
use kit::network::NetworkSums;
use kit::{Evaluate, NetworkInputs, Side};

use crate::pieces::{Square, Squares};
use crate::position::{Gobblet, Move, Origin, Position};

/// The weights of the features, fitted by `linesman-lab tune`; `spec/lab.md` lists the games.
const WEIGHTS: [i16; N_FEATURES] = include!("weights.in");

/// First feature of lines without an enemy piece of the largest size, by the number of own pieces on it (one, two,
/// three or more).
const OPEN_LINE: usize = 0;
/// The same for lines with an enemy piece of the largest size, which cannot be covered.
const BLOCKED_LINE: usize = OPEN_LINE + 3;
/// First feature of visible pieces, by size.
const ON_TOP: usize = BLOCKED_LINE + 3;
/// First feature of pieces off the board, by size.
const IN_RESERVE: usize = ON_TOP + 4;
/// A square that completes a line and has no piece of the largest size.
const THREAT: usize = IN_RESERVE + 4;
/// Number of features of the player to move; those of the opponent follow.
const N_OWN: usize = THREAT + 1;
const N_FEATURES: usize = 2 * N_OWN;

impl Evaluate for Gobblet {
    type Sums = NetworkSums;

    fn evaluate(&self, position: &Position, sums: &NetworkSums) -> i32 {
        match &self.network {
            Some(network) => network.score(sums.accumulator(), position.side),
            None => weighted_sum(self, position),
        }
    }

    fn network_inputs(&self) -> Option<&dyn NetworkInputs<Gobblet>> {
        Some(self)
    }

    fn weights(&self) -> &'static [i16] {
        &WEIGHTS
    }

    /// Shape: the features of the player to move, then those of the opponent.
    fn features(&self, position: &Position, add: &mut impl FnMut(usize, i32)) {
        self.add_side_features(position, position.side, add);
        let enemy = position.side.other();
        self.add_side_features(position, enemy, &mut |index, count| {
            add(N_OWN + index, -count);
        });
    }

    fn win_in_one(&self, position: &Position) -> Option<Move> {
        let own = position.pieces.visible()[position.side.index()];
        // Lifting a piece completes no line, so the last square of a line is one of these.
        let completing = self.board.completing(own);
        if completing == 0 {
            return None;
        }
        self.movable(position).find_map(|(from, targets)| {
            if targets & completing == 0 {
                return None;
            }
            let mut wins = Square::of(targets & self.winning_squares(position, from));
            wins.next().map(|to| Move { from, to })
        })
    }
}

impl Gobblet {
    /// Adds a player's features, on the board and off it.
    fn add_side_features(&self, position: &Position, side: Side, add: &mut impl FnMut(usize, i32)) {
        let (pieces, visible) = (position.pieces, position.pieces.visible());
        let (own, fixed) = (visible[side.index()], pieces.at_least(self.largest()));
        let blocks = visible[side.other().index()] & fixed;
        for line in self.board.lines() {
            let n_pieces = (line & own).count_ones() as usize;
            if n_pieces > 0 {
                let is_blocked = line & blocks != 0;
                let kind = if is_blocked { BLOCKED_LINE } else { OPEN_LINE };
                add(kind + n_pieces.min(3) - 1, 1);
            }
        }
        for size in 1..=self.largest() {
            let on_top = pieces.squares_of(side, size) & own;
            let n_off = self.n_each() - pieces.count(side, size);
            add(ON_TOP + usize::from(size) - 1, on_top.count_ones() as i32);
            add(IN_RESERVE + usize::from(size) - 1, n_off as i32);
        }
        let threats = self.board.completing(own) & !fixed;
        add(THREAT, i32::from(threats != 0));
    }

    /// The squares where a piece of the side to move wins by landing. Lifting it never completes a line of its owner.
    fn winning_squares(&self, position: &Position, from: Origin) -> Squares {
        let mut pieces = position.pieces;
        if let Origin::Square(from) = from {
            pieces.lift(position.side, from);
        }
        let visible = pieces.visible();
        // The move must also break any enemy line that it exposes.
        let own = visible[position.side.index()];
        let enemy = visible[position.side.other().index()];
        self.board.completing(own) & self.board.common(enemy)
    }
}
