//! Tests of `place_positions.txt`: for each square and each of its neighbours, and each side, a piece whose only own
//! neighbour is there; the goal reached with one contact alone; the goal missed by one pair of own neighbours alone. The
//! other pieces are placed at random.

use std::collections::BTreeSet;

use kit::Side;

use crate::Entropy;
use crate::geometry::{BOARD, Square, Squares, neighbours};

/// A corner has three neighbours, a square at an edge five, and each of the nine others eight.
#[test]
fn no_pair_of_neighbours_is_left_out() {
    let all = kit::CheckPosition::parse_table(include_str!("place_positions.txt"));
    let places: BTreeSet<&str> = all.iter().map(|one| one.rule).collect();
    let of_kind = |words: &str| places.iter().filter(|place| place.contains(words)).count();
    assert_eq!(of_kind(" next to "), 4 * 3 + 12 * 5 + 9 * 8);
    assert_eq!(all.len(), 2 * places.len());
    // Without contact at a place, or with a pair overlooked, the game would end otherwise.
    let mut decided = [0; 2];
    for place in all.iter().filter(|place| !place.rule.contains(" next to ")) {
        let history = laws::testing::at::<Entropy>("", place.position);
        let (entropy, position) = (history.game(), history.position());
        let has_reached = |side: Side| {
            let [own, enemy] = [side, side.other()].map(|side| position.pieces.of(side));
            entropy
                .goal
                .is_reached(own, neighbours(own), neighbours(enemy))
        };
        let is_reached = has_reached(position.side.other());
        assert_eq!(is_reached, place.rule.contains("contact"), "{place:?}");
        decided[usize::from(is_reached)] += 1;
    }
    assert_eq!(decided, [2 * of_kind("own pieces"), 2 * of_kind("contact")]);
    for (kind, n_pairs) in pairs_by_search() {
        assert_eq!(of_kind(kind), n_pairs, "{kind}");
    }
}

/// The number of pairs for which there is a position: own squares by trying all sets of seven.
fn pairs_by_search() -> [(&'static str, usize); 2] {
    let all: Vec<Square> = Square::of(BOARD).collect();
    let (mut touching, mut contacts) = (BTreeSet::new(), BTreeSet::new());
    for set in (0_u32..1 << 25).filter(|set| set.count_ones() == 7) {
        let own = (0..25).filter(|at| set >> at & 1 == 1);
        let own = own.fold(0, |own, at: usize| own | all[at].bit());
        let near = own & neighbours(own);
        if near.count_ones() > 2 {
            continue;
        }
        let is_near_room =
            |room: Squares| Square::of(own).all(|one| neighbours(one.bit()) & room != 0);
        if near != 0 {
            if is_near_room(BOARD & !own) {
                touching.insert(near);
            }
            continue;
        }
        for one in Square::of(own) {
            for other in Square::of(neighbours(one.bit()) & BOARD) {
                let room = BOARD & !own & !(neighbours(one.bit()) & !other.bit());
                if room.count_ones() >= 7 && is_near_room(room) {
                    contacts.insert((one, other));
                }
            }
        }
    }
    [("own pieces", touching.len()), ("contact", contacts.len())]
}
