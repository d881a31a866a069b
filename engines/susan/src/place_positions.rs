//! A position for each pair of neighbouring cells of the default board, for `linesman check`.

use kit::{Game, Notation, Options, PlacePosition, Side};

use crate::cells::{Cell, Cells};
use crate::position::Susan;

/// For each cell and each of its neighbours: a stone without any other empty neighbour, except a corner. It can slide
/// there alone, and the opponent surrounds it there.
pub(crate) fn place_positions() -> Vec<PlacePosition> {
    let susan = Susan::new(&Options::new(Susan::options()));
    let cells = || susan.board.cells();
    let is_near = |one: Cell, other: Cell| susan.board.steps(one, other) == 1;
    let pairs = cells().flat_map(|cell| cells().map(move |last| (cell, last)));
    let pairs = pairs.filter(|&(cell, last)| is_near(cell, last));
    let positions = pairs.flat_map(|(cell, last)| {
        let mut own = Cells::default();
        own.insert(cell);
        let is_filled = |other: Cell| is_near(cell, other) && other != last;
        // A stone in the corner next to the cell would be surrounded before.
        let has_room = |&other: &Cell| {
            let mut around = cells().filter(|&next| is_near(other, next));
            around.any(|next| next != cell && !is_filled(next))
        };
        let others = cells().filter(|&other| is_filled(other)).filter(has_room);
        let stones = [own, others.collect()];
        let names = [cell, last].map(|cell| susan.name(cell));
        [(Side::P1, Vec::new()), (Side::P2, vec![names[1].clone()])].map(|(side, moves)| {
            PlacePosition {
                place: names.join(" next to "),
                position: susan.format_position(&susan.position(stones, side, 0)),
                moves,
            }
        })
    });
    positions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_game_is_over_before_the_last_move() {
        let susan = Susan::new(&Options::new(Susan::options()));
        for one in place_positions() {
            let setup = susan.parse_position(&one.position).expect("a position");
            assert_eq!(susan.outcome(&setup.position), None, "{one:?}");
        }
    }

    /// 61 cells: 6 corners with three neighbours, 18 cells at the edges with four, 37 with six.
    #[test]
    fn no_pair_of_neighbours_is_left_out() {
        let mut places: Vec<String> = place_positions().into_iter().map(|one| one.place).collect();
        assert_eq!(places.len(), 2 * (6 * 3 + 18 * 4 + 37 * 6));
        places.dedup();
        let n_places = places.len();
        places.sort();
        places.dedup();
        assert_eq!((places.len(), n_places), (312, 312));
    }
}
