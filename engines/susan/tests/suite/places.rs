//! Tests of `place_positions.txt`: for each cell and each of its neighbours, a stone without any other empty neighbour.
//! It can slide there alone, and the opponent surrounds it there.

use crate::at;
use susan::GAME;

#[test]
fn no_game_is_over_before_the_last_move() {
    for one in kit::CheckPosition::parse_table(GAME.place_positions) {
        assert_eq!(at("", one.position).outcome(), None, "{one:?}");
    }
}

/// 61 cells: 6 corners with three neighbours, 18 cells at the edges with four, 37 with six.
#[test]
fn no_pair_of_neighbours_is_left_out() {
    let all = kit::CheckPosition::parse_table(GAME.place_positions);
    let mut places: Vec<&str> = all.iter().map(|one| one.rule).collect();
    assert_eq!(places.len(), 2 * (6 * 3 + 18 * 4 + 37 * 6));
    places.dedup();
    let n_places = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!((places.len(), n_places), (312, 312));
}
