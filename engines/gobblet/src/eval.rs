//! How good a position looks.
//!
//! A player's worth is the sum of four things, each a constant below: his lines, his pieces on top, his pieces off
//! the board, and a threat to win at once. The weights were found by matches on 4x4; on 3x3 the search sees so far
//! that they hardly matter.

use kit::{Evaluate, Side};

use crate::board::{Squares, squares};
use crate::pieces::Visible;
use crate::rules::{Gobblet, Move, Origin, Position};

/// What the first, the second and the third piece on a line add to its worth.
const PIECES_ON_LINE: [i32; 3] = [15, 35, 25];
/// A piece that can be seen, for each step of its size.
const ON_TOP: i32 = 6;
/// A piece off the board, for each step of its size; there is no hurry to place it.
const IN_RESERVE: i32 = 7;
/// A square that completes a line and could be taken.
const THREAT: i32 = 30;

impl Evaluate for Gobblet {
    fn evaluate(&self, position: &Position) -> i32 {
        let [own, enemy] = [position.side, position.side.other()];
        self.worth(position, own) - self.worth(position, enemy)
    }

    fn winning_move(&self, position: &Position) -> Option<Move> {
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
    /// What a player has on the board and off it; 100 is two lines of two pieces each.
    fn worth(&self, position: &Position, side: Side) -> i32 {
        let visible = position.pieces.visible();
        let fixed = position.pieces.at_least(self.largest());
        let threats = self.board.completing(visible.of(side)) & !fixed;
        self.worth_of_lines(visible, side, fixed)
            + self.worth_of_pieces(position, visible, side)
            + if threats == 0 { 0 } else { THREAT }
    }

    /// A line counts half where an enemy's piece stands that nothing can cover.
    fn worth_of_lines(&self, visible: Visible, side: Side, fixed: Squares) -> i32 {
        let (own, blocks) = (visible.of(side), visible.of(side.other()) & fixed);
        let worth = |&line: &Squares| worth_of_line(line & own) >> i32::from(line & blocks != 0);
        self.board.lines().iter().map(worth).sum()
    }

    fn worth_of_pieces(&self, position: &Position, visible: Visible, side: Side) -> i32 {
        let worth = |size| {
            let n_on_top = position.pieces.squares_of(side, size) & visible.of(side);
            let n_off = self.n_each() - position.pieces.count(side, size);
            let worth = ON_TOP * n_on_top.count_ones() as i32 + IN_RESERVE * n_off as i32;
            worth * i32::from(size)
        };
        (1..=self.largest()).map(worth).sum()
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

/// The worth of the pieces on a line.
fn worth_of_line(pieces: Squares) -> i32 {
    let mut left = pieces;
    PIECES_ON_LINE
        .iter()
        .map(|worth| {
            let worth = if left == 0 { 0 } else { *worth };
            left &= left.wrapping_sub(1);
            worth
        })
        .sum()
}
