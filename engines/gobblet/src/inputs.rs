//! The inputs of the learned evaluation: the visible pieces on each line, the pile on each square, and the pieces that
//! each player has on the board.

use std::sync::Arc;

use kit::network::{FeaturePair, Network, PlacedInput};
use kit::{NetworkInputs, Side};

use crate::line_reader::{LINES, N_KINDS};
use crate::pieces::{N_BITS, Pieces, Square, bit};
use crate::position::{Gobblet, Move, Origin, Position};

/// The first input of piles: in the middle, at the border, in a corner. A pile has a bit for each size of the own
/// pieces, then of the enemy's.
const PILES: usize = LINES + 3 * N_KINDS;
/// The first input of the numbers of own pieces on the board, two bits per size. They determine those off the board.
const COUNTS: usize = PILES + 3 * 256;
/// The same for the enemy's pieces.
const ENEMY_COUNTS: usize = COUNTS + 256;

/// Number of inputs.
const N_INPUTS: usize = ENEMY_COUNTS + 256;

impl NetworkInputs<Gobblet> for Gobblet {
    fn n_inputs(&self) -> usize {
        N_INPUTS
    }

    fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    fn with_network(&self, network: Arc<Network>) -> Gobblet {
        Gobblet {
            network: Some(network),
            ..self.clone()
        }
    }

    /// The places are the lines, the squares, and for each player the pieces on the board. A move changes the lines
    /// through the squares that it touches.
    fn placed_inputs(
        &self,
        position: &Position,
        last: Option<Move>,
        placed: &mut Vec<PlacedInput>,
    ) {
        let pieces = position.pieces;
        let mut add = |place, input| placed.push(PlacedInput { place, input });
        let (touched, is_placement) = match last {
            None => (!0, true),
            Some(Move { from, to }) => match from {
                Origin::Square(from) => (bit(from) | bit(to), false),
                Origin::Reserve(_) => (bit(to), true),
            },
        };
        let tops = pieces.tops();
        let seen = [tops, with_colours_swapped(tops)];
        for (place, (line, reader)) in self
            .board
            .lines()
            .iter()
            .zip(self.board.readers)
            .enumerate()
        {
            if line & touched != 0 {
                add(place, Some(seen.map(|tops| reader.input(tops))));
            }
        }
        let squares_from = self.board.lines().len();
        for square in Square::of(touched) {
            add(squares_from + square.index(), self.pile(pieces, square));
        }
        if is_placement {
            let counts_from = squares_from + N_BITS;
            for side in Side::BOTH {
                add(counts_from + side.index(), Some(counts(pieces, side)));
            }
        }
    }
}

impl Gobblet {
    /// The input of a pile; `None` for an empty square.
    fn pile(&self, pieces: Pieces, square: Square) -> Option<FeaturePair> {
        let [own, enemy] = pieces.sizes_on(square).map(usize::from);
        let first = PILES + 256 * self.board.borders(square);
        let seen = [first + (own | enemy << 4), first + (enemy | own << 4)];
        (own | enemy != 0).then(|| seen.map(|input| input as u16))
    }
}

/// The input of the numbers of a player's pieces on the board.
fn counts(pieces: Pieces, side: Side) -> FeaturePair {
    Side::BOTH.map(|viewer| {
        let first = if viewer == side { COUNTS } else { ENEMY_COUNTS };
        (first + pieces.counts(side)) as u16
    })
}

/// The visible pieces with own and enemy bits exchanged.
fn with_colours_swapped(tops: u64) -> u64 {
    const EACH: u64 = 0x1111_1111_1111_1111;
    tops & (3 * EACH) | (tops & (4 * EACH)) << 1 | (tops & (8 * EACH)) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::Square;
    use crate::pieces::TOP_BITS;
    use kit::Game;

    /// The positions of a random game on 4x4, with the game.
    fn random_game(seed: u64) -> (Gobblet, Vec<Position>) {
        let game = Gobblet::with_width(4);
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut position = game.start();
        let mut positions = vec![position];
        while game.outcome(&position).is_none() && positions.len() < 60 {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            game.play(&mut position, moves[rng.usize(..moves.len())]);
            positions.push(position);
        }
        (game, positions)
    }

    fn inputs(game: &Gobblet, pieces: Pieces) -> Vec<FeaturePair> {
        let position = Position {
            pieces,
            ..game.start()
        };
        let mut inputs = Vec::new();
        game.inputs(&position, &mut |seen| inputs.push(seen));
        inputs.sort_unstable();
        inputs
    }

    /// The pieces with the squares mapped and, with `swap`, the players exchanged.
    fn changed(pieces: Pieces, way: impl Fn(u8, u8) -> (u8, u8), swap: bool) -> Pieces {
        let mut after = Pieces::default();
        for square in Square::of(u16::MAX) {
            let (file, rank) = way(square.file(), square.rank());
            for (side, size) in pieces.pile(square) {
                let side = if swap { side.other() } else { side };
                after.put(side, size, Square::at(file, rank));
            }
        }
        after
    }

    #[test]
    fn a_turned_or_mirrored_board_has_the_same_inputs() {
        for seed in 0..20 {
            let (game, positions) = random_game(seed);
            for Position { pieces, .. } in positions {
                let turned = changed(pieces, |file, rank| (3 - rank, file), false);
                let mirrored = changed(pieces, |file, rank| (3 - file, rank), false);
                assert_eq!(inputs(&game, turned), inputs(&game, pieces));
                assert_eq!(inputs(&game, mirrored), inputs(&game, pieces));
            }
        }
    }

    #[test]
    fn each_player_sees_his_own_pieces_as_the_other_sees_his() {
        for seed in 0..20 {
            let (game, positions) = random_game(seed);
            for Position { pieces, .. } in positions {
                let swapped = changed(pieces, |file, rank| (file, rank), true);
                let mut expected = inputs(&game, pieces);
                expected.iter_mut().for_each(|seen| seen.reverse());
                expected.sort_unstable();
                assert_eq!(inputs(&game, swapped), expected);
            }
        }
    }

    #[test]
    fn a_pattern_holds_the_squares_of_its_line_in_order() {
        let mut rng = fastrand::Rng::with_seed(1);
        for width in [3, 4] {
            let game = Gobblet::with_width(width);
            for (&line, reader) in game.board.lines().iter().zip(game.board.readers) {
                let tops = rng.u64(..);
                let mut path: Vec<Square> = Square::of(line).collect();
                path.sort_by_key(|square| (square.file(), square.rank()));
                let expected = path.iter().rev().fold(0, |sum, square| {
                    sum << 4 | (tops >> (TOP_BITS * square.index()) & 15)
                });
                assert_eq!(u64::from(reader.pattern(tops)), expected, "{line:b}");
            }
        }
    }
}
