//! Positions for each pair of neighbouring squares, for `linesman check`.

use std::collections::BTreeSet;

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
    goals(&entropy, &mut all);
    all
}

/// Adds a position for each pair of neighbouring squares and each side, as far as there is one: the goal reached, with the
/// enemy piece on the second square as the only one next to the first; and the goal missed by one pair of own neighbours
/// alone.
fn goals(entropy: &Entropy, all: &mut Vec<PlacePosition>) {
    let mut known = BTreeSet::new();
    let mut add = |own: Squares, enemy: Squares, place: String| {
        for side in Side::BOTH {
            let pieces = match side {
                Side::P1 => Pieces::new(own, enemy),
                Side::P2 => Pieces::new(enemy, own),
            };
            let side = side.other();
            let passes = 0;
            all.push(PlacePosition {
                place: place.clone(),
                position: entropy.format_position(&Position {
                    pieces,
                    side,
                    passes,
                }),
                moves: Vec::new(),
            });
        }
    };
    for_each_own(0, BOARD, &mut |own| {
        let touching = own & neighbours(own);
        if touching != 0 {
            let mut pair = squares(touching);
            let place = pair.next().zip(pair.next());
            let place = place.map(|(one, other)| format!("own pieces on {one} and {other} alone"));
            if let Some(place) = place.filter(|place| !known.contains(place))
                && let Some(enemy) = enemies(own, BOARD & !own, 0)
            {
                add(own, enemy, place.clone());
                known.insert(place);
            }
            return;
        }
        for square in squares(own) {
            for next in squares(neighbours(square.bit()) & BOARD) {
                let place = format!("contact of {square} with {next} alone");
                let room = BOARD & !own & !(neighbours(square.bit()) & !next.bit());
                if !known.contains(&place)
                    && let Some(enemy) = enemies(own, room, next.bit())
                {
                    add(own, enemy, place.clone());
                    known.insert(place);
                }
            }
        }
    });
}

/// Calls `tell` with each set of seven squares with at most one pair of neighbours. `own` is chosen; `rest` has the
/// squares behind it.
fn for_each_own(own: Squares, rest: Squares, tell: &mut dyn FnMut(Squares)) {
    if Squares::count_ones(own) as usize == N_PIECES {
        return tell(own);
    }
    for square in squares(rest) {
        let with = own | square.bit();
        if Squares::count_ones(with & neighbours(with)) <= 2 {
            let behind = rest & !(square.bit() | (square.bit() - 1));
            for_each_own(with, behind, tell);
        }
    }
}

/// Seven squares of `room`, these among them, with a neighbour of each own piece.
fn enemies(own: Squares, room: Squares, these: Squares) -> Option<Squares> {
    let mut enemy = these;
    for square in squares(own) {
        let near = neighbours(square.bit()) & room;
        if near & enemy == 0 {
            enemy |= squares(near).next()?.bit();
        }
    }
    for square in squares(room & !enemy) {
        if (Squares::count_ones(enemy) as usize) < N_PIECES {
            enemy |= square.bit();
        }
    }
    (Squares::count_ones(enemy) as usize == N_PIECES).then_some(enemy)
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
    use super::*;

    /// A corner has three neighbours, a square at an edge five, and each of the nine others eight.
    #[test]
    fn no_pair_of_neighbours_is_left_out() {
        let all = place_positions();
        let places: BTreeSet<&str> = all.iter().map(|one| one.place.as_str()).collect();
        let of_kind = |words: &str| places.iter().filter(|place| place.contains(words)).count();
        assert_eq!(of_kind(" next to "), 4 * 3 + 12 * 5 + 9 * 8);
        assert_eq!(all.len(), 2 * places.len());
        // Without contact at a place, or with a pair overlooked, the game would end otherwise.
        let entropy = Entropy::new(&Options::new(Entropy::options()));
        let mut decided = [0; 2];
        for place in all
            .iter()
            .filter(|place| !place.place.contains(" next to "))
        {
            let position = entropy
                .parse_position(&place.position)
                .expect("a string")
                .position;
            let has_reached = |side: Side| {
                let [own, enemy] = [side, side.other()].map(|side| position.pieces.of(side));
                entropy
                    .goal
                    .is_reached(own, neighbours(own), neighbours(enemy))
            };
            let is_reached = has_reached(position.side.other());
            assert_eq!(is_reached, place.place.contains("contact"), "{place:?}");
            decided[usize::from(is_reached)] += 1;
        }
        assert_eq!(decided, [2 * of_kind("own pieces"), 2 * of_kind("contact")]);
        for (kind, n_pairs) in pairs_by_search() {
            assert_eq!(of_kind(kind), n_pairs, "{kind}");
        }
    }

    /// The number of pairs for which there is a position: own squares by trying all sets of seven.
    fn pairs_by_search() -> [(&'static str, usize); 2] {
        let all: Vec<Square> = squares(BOARD).collect();
        let (mut touching, mut contacts) = (BTreeSet::new(), BTreeSet::new());
        for set in (0_u32..1 << 25).filter(|set| set.count_ones() == 7) {
            let own = (0..25).filter(|at| set >> at & 1 == 1);
            let own = own.fold(0, |own, at: usize| own | all[at].bit());
            let near = own & neighbours(own);
            if near.count_ones() > 2 {
                continue;
            }
            let is_near_room =
                |room: Squares| squares(own).all(|one| neighbours(one.bit()) & room != 0);
            if near != 0 {
                if is_near_room(BOARD & !own) {
                    touching.insert(near);
                }
                continue;
            }
            for one in squares(own) {
                for other in squares(neighbours(one.bit()) & BOARD) {
                    let room = BOARD & !own & !(neighbours(one.bit()) & !other.bit());
                    if room.count_ones() >= 7 && is_near_room(room) {
                        contacts.insert((one, other));
                    }
                }
            }
        }
        [("own pieces", touching.len()), ("contact", contacts.len())]
    }
}
