//! How good a position looks.
//!
//! A player's worth is the sum of four things: his lines, his pieces on top, his pieces off the board, and a threat to
//! win at once. The weights were fitted on 4x4; on 3x3 the search sees so far that they hardly matter.

use kit::{Evaluate, Side};

use crate::geometry::{Squares, squares};
use crate::pieces::Visible;
use crate::rules::{Gobblet, Move, Origin, Position};

/// What the features are worth, as `linesman tune` fitted them; `spec/gobblet.md` tells from which games.
const WEIGHTS: [i16; N_FEATURES] = include!("weights.in");

/// A line by the pieces on it, one to three and more, that the enemy can still be covered on.
const OPEN_LINE: usize = 0;
/// The same where an enemy's piece stands that nothing can cover.
const BLOCKED_LINE: usize = OPEN_LINE + 3;
/// A piece that can be seen, by its size.
const ON_TOP: usize = BLOCKED_LINE + 3;
/// A piece off the board, by its size.
const IN_RESERVE: usize = ON_TOP + 4;
/// A square that completes a line and could be taken.
const THREAT: usize = IN_RESERVE + 4;
/// Features of the player to move; those of the opponent follow.
const N_OWN: usize = THREAT + 1;
const N_FEATURES: usize = 2 * N_OWN;

impl Evaluate for Gobblet {
    fn weights(&self) -> &'static [i16] {
        &WEIGHTS
    }

    /// Shape: what the player to move has, then what the opponent has.
    fn features(&self, position: &Position, add: &mut impl FnMut(usize, i32)) {
        self.add_worth(position, position.side, add);
        let enemy = position.side.other();
        self.add_worth(position, enemy, &mut |index, count| {
            add(N_OWN + index, -count);
        });
    }

    fn win_in_one(&self, position: &Position) -> Option<Move> {
        let own = position.pieces.visible().of(position.side);
        if self.board.completing(own) == 0 {
            return None;
        }
        let mut winning = None;
        self.each_piece(position, |from, targets| {
            if winning.is_none() {
                let mut wins = squares(targets & self.winning_squares(position, from));
                winning = wins.next().map(|to| Move { from, to });
            }
        });
        winning
    }
}

impl Gobblet {
    /// Adds what a player has on the board and off it.
    fn add_worth(&self, position: &Position, side: Side, add: &mut impl FnMut(usize, i32)) {
        let visible = position.pieces.visible();
        let fixed = position.pieces.at_least(self.largest());
        self.add_lines(visible, side, fixed, add);
        self.add_pieces(position, visible, side, add);
        let threats = self.board.completing(visible.of(side)) & !fixed;
        add(THREAT, i32::from(threats != 0));
    }

    fn add_lines(
        &self,
        visible: Visible,
        side: Side,
        fixed: Squares,
        add: &mut impl FnMut(usize, i32),
    ) {
        let (own, blocks) = (visible.of(side), visible.of(side.other()) & fixed);
        for line in self.board.lines() {
            let n_pieces = (line & own).count_ones() as usize;
            if n_pieces > 0 {
                let is_blocked = line & blocks != 0;
                let kind = if is_blocked { BLOCKED_LINE } else { OPEN_LINE };
                add(kind + n_pieces.min(3) - 1, 1);
            }
        }
    }

    fn add_pieces(
        &self,
        position: &Position,
        visible: Visible,
        side: Side,
        add: &mut impl FnMut(usize, i32),
    ) {
        for size in 1..=self.largest() {
            let on_top = position.pieces.squares_of(side, size) & visible.of(side);
            let n_off = self.n_each() - position.pieces.count(side, size);
            add(ON_TOP + usize::from(size) - 1, on_top.count_ones() as i32);
            add(IN_RESERVE + usize::from(size) - 1, n_off as i32);
        }
    }

    /// The squares where a piece of the player to move wins by landing; lifting it never completes a line of his.
    fn winning_squares(&self, position: &Position, from: Origin) -> Squares {
        let mut pieces = position.pieces;
        if let Origin::Square(from) = from {
            pieces.lift(position.side, from);
        }
        let visible = pieces.visible();
        // A line of the enemy's that the move exposes must be broken by the same move.
        let own = visible.of(position.side);
        let enemy = visible.of(position.side.other());
        self.board.completing(own) & self.board.common(enemy)
    }
}
