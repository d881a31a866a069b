//! A position for each pair of neighbouring squares, for `linesman check`.

use kit::hash::zobrist;
use kit::{Game, Notation, Options, PlacePosition, Side};

use crate::geometry::{BOARD, Square, Squares, neighbours, squares};
use crate::position::{Entropy, Pieces, Position};

/// Pieces of a player.
const N_PIECES: usize = 7;

/// For each square and each of its neighbours, and each side: a piece whose only own neighbour is there. Without this
/// neighbour it could not slide. The other pieces are placed at random, always the same way.
pub(crate) fn place_positions() -> Vec<PlacePosition> {
    let entropy = Entropy::new(&Options::new(Entropy::options()));
    let mut all = Vec::new();
    for square in squares(BOARD) {
        for next in squares(neighbours(square.bit()) & BOARD) {
            for side in Side::BOTH {
                let position =
                    (0..).find_map(|seed| position(&entropy, [square, next], side, seed));
                all.push(PlacePosition {
                    place: format!("{square} next to {next}"),
                    position: entropy.format_position(&position.expect("seeds do not end")),
                    moves: Vec::new(),
                });
            }
        }
    }
    all
}

/// A position in which the first square's piece has the second one's as its only own neighbour, no own piece is
/// isolated, and the first one can slide; `None` if the seed gives none.
fn position(entropy: &Entropy, pair: [Square; 2], side: Side, seed: u64) -> Option<Position> {
    let [square, next] = pair.map(Square::bit);
    let mut free: Vec<Square> = squares(BOARD & !square & !next).collect();
    free.sort_by_key(|square| zobrist(seed * 64 + square.index() as u64));
    let near = neighbours(square);
    let is_far = |square: &&Square| square.bit() & near == 0;
    let others = free.iter().filter(is_far).take(N_PIECES - 2);
    let own = others.fold(square | next, |own, other| own | other.bit());
    let enemies = free.iter().filter(|square| square.bit() & own == 0);
    let enemy = enemies
        .take(N_PIECES)
        .fold(0, |enemy, other| enemy | other.bit());
    let is_sound = own & !neighbours(own) == 0 && near & BOARD & !own & !enemy != 0;
    let pieces = match side {
        Side::P1 => Pieces::new(own, enemy),
        Side::P2 => Pieces::new(enemy, own),
    };
    let position = Position {
        pieces,
        side,
        passes: 0,
    };
    let n_own: u32 = Squares::count_ones(own);
    (is_sound && n_own as usize == N_PIECES && entropy.outcome(&position).is_none())
        .then_some(position)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A corner has three neighbours, a square at an edge five, and each of the nine others eight.
    #[test]
    fn no_pair_of_neighbours_is_left_out() {
        let all = place_positions();
        let places: BTreeSet<&str> = all.iter().map(|one| one.place.as_str()).collect();
        assert_eq!(places.len(), 4 * 3 + 12 * 5 + 9 * 8);
        assert_eq!(all.len(), 2 * places.len());
    }
}
