//! The 5 x 5 board: squares, sets of them, neighbours and slides.
//!
//! A set of squares is a `u32` with six bits per rank, the sixth of which is always 0. One shift therefore moves a
//! whole set by a step in any direction, and squares that leave the board fall into the gap. This module handles
//! squares only, not pieces.

/// A set of squares. From the lowest bit up, they are in canonical order a1, b1, ..., then rank 2.
pub(crate) type Squares = u32;

/// Number of files, and of ranks.
pub(crate) const SIDE: u8 = 5;

/// Distance between the bits of adjacent ranks.
pub(crate) const RANK: u8 = 6;

/// The squares of file a.
const FILE_A: Squares = 1 | 1 << 6 | 1 << 12 | 1 << 18 | 1 << 24;

/// All squares.
pub(crate) const BOARD: Squares = FILE_A * 0b11111;

/// The square c3.
pub(crate) const CENTRE: Squares = 1 << 14;

/// The squares with fewer than eight neighbours.
pub(crate) const BORDER: Squares = FILE_A | FILE_A << 4 | 0b11111 | 0b11111 << 24;

/// Upper bound of the bit positions of squares.
pub(crate) const N_BITS: usize = 30;

/// A square of the board.
pub type Square = kit::Square<RANK>;

/// The squares between two, exclusive; `None` if they are not on one straight line.
pub(crate) fn way(from: Square, to: Square) -> Option<impl Iterator<Item = Square>> {
    let files = to.file() as i8 - from.file() as i8;
    let ranks = to.rank() as i8 - from.rank() as i8;
    let is_straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let step = (files.signum(), ranks.signum());
    is_straight.then(|| walk(from, step).take_while(move |&square| square != to))
}

/// The squares next to at least one of these, diagonals included. The result may contain bits of the gap between ranks.
pub(crate) fn neighbours(set: Squares) -> Squares {
    let beside = set << 1 | set >> 1;
    let row = set | beside;
    beside | row << RANK | row >> RANK
}

/// A set of squares for each player: the first one's in the low half of the word, the other one's in the high half.
pub(crate) type Both = u64;

/// A set in both halves.
pub(crate) const fn twice(set: Squares) -> Both {
    set as Both | (set as Both) << 32
}

/// In each half, the squares next to at least one in that half, as [`neighbours`] finds them.
pub(crate) fn neighbours_of_each(sets: Both) -> Both {
    let beside = sets << 1 | sets >> 1;
    let row = sets | beside;
    // A shift carries squares at the edge of the board into the other half, where they do not belong.
    let (above, below) = (row << RANK & !(0x3f << 32), row >> RANK & !(0xff << 24));
    beside | above | below
}

/// For each of the eight directions, the empty squares to which pieces slide, in the half of the pieces. Two pieces never
/// reach one square in the same direction, so the sizes of the sets add up to the number of slides.
pub(crate) fn slides_of_each(pieces: Both, empty: Squares) -> [Both; 8] {
    let level = twice(empty);
    // No slide up ends on the first rank, and none down on the last: such a square comes from the other half.
    let (up, down) = (level & !twice(0b11111), level & !twice(0b11111 << 24));
    [
        slides(pieces, level, |set| set << 1),
        slides(pieces, level, |set| set >> 1),
        slides(pieces, up, |set| set << (RANK - 1)),
        slides(pieces, up, |set| set << RANK),
        slides(pieces, up, |set| set << (RANK + 1)),
        slides(pieces, down, |set| set >> (RANK - 1)),
        slides(pieces, down, |set| set >> RANK),
        slides(pieces, down, |set| set >> (RANK + 1)),
    ]
}

/// The empty squares that a piece can reach.
pub(crate) fn reach(from: Square, occupied: Squares) -> Squares {
    let slides = slides_of_each(from.bit().into(), BOARD & !occupied);
    slides.into_iter().fold(0, |all, set| all | set) as Squares
}

/// The slides in one direction, of up to four steps.
fn slides(pieces: Both, empty: Both, step: impl Fn(Both) -> Both) -> Both {
    let one = pieces | empty & step(pieces);
    let pairs = empty & step(empty);
    let three = one | pairs & step(step(one));
    empty & step(three)
}

/// For each half, the sum of the sizes of the sets. At most seven of them have a square in common.
pub(crate) fn count_each(sets: [Both; 8]) -> [i32; 2] {
    // The digits of a binary number for each square.
    let [mut ones, mut twos, mut fours] = [0; 3];
    for set in sets {
        let carry = ones & set;
        ones ^= set;
        fours ^= twos & carry;
        twos ^= carry;
    }
    let bytes = count_bytes(ones) + 2 * count_bytes(twos) + 4 * count_bytes(fours);
    [bytes, bytes >> 32].map(|half| ((half as u32).wrapping_mul(0x0101_0101) >> 24) as i32)
}

/// The number of bits in each byte.
fn count_bytes(set: Both) -> Both {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f
}

/// The squares from one to the border, without the square itself. A step is a difference of files and ranks.
fn walk(from: Square, (files, ranks): (i8, i8)) -> impl Iterator<Item = Square> {
    let next = move |square: &Square| {
        let file = square.file().checked_add_signed(files)?;
        let rank = square.rank().checked_add_signed(ranks)?;
        (file < SIDE && rank < SIDE).then(|| Square::at(file, rank))
    };
    std::iter::successors(next(&from), next)
}

/// The subsets of a set, ascending as numbers.
pub(crate) fn subsets(set: Squares) -> impl Iterator<Item = Squares> {
    let next = move |&subset: &Squares| Some(subset.wrapping_sub(set) & set);
    std::iter::successors(Some(0), next).take(1 << set.count_ones())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Square> {
        Square::of(BOARD)
    }

    #[test]
    fn squares_are_listed_by_rank_then_file() {
        let names: Vec<String> = all().map(|square| square.to_string()).collect();
        assert_eq!(names.len(), 25);
        assert_eq!(names[..6], ["a1", "b1", "c1", "d1", "e1", "a2"]);
        assert_eq!(names[24], "e5");
    }

    #[test]
    fn neighbours_are_the_squares_a_king_reaches() {
        for square in all() {
            let near = |other: Square| {
                square.file().abs_diff(other.file()) <= 1
                    && square.rank().abs_diff(other.rank()) <= 1
                    && square != other
            };
            let expected = all().filter(|&other| near(other));
            assert!(
                Square::of(neighbours(square.bit()) & BOARD).eq(expected),
                "{square}"
            );
        }
    }

    #[test]
    fn slides_reach_the_empty_squares_with_a_free_way() {
        let squares: Vec<Square> = all().collect();
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            // Two pieces of one player, and one of the other.
            let pieces: [Square; 3] = std::array::from_fn(|_| squares[rng.usize(..squares.len())]);
            let [one, two, enemy] = pieces.map(Square::bit);
            let occupied = rng.u32(..) & rng.u32(..) & BOARD | one | two | enemy;
            let is_free = |other: &Square| other.bit() & occupied == 0;
            let slides = |square: Square| {
                let is_reached = |&other: &Square| {
                    let way = way(square, other).filter(|_| other != square && is_free(&other));
                    way.is_some_and(|mut way| way.all(|between| is_free(&between)))
                };
                let reached = all().filter(is_reached);
                reached.fold(0, |set, other| set | other.bit())
            };
            let both = Both::from(one | two) | Both::from(enemy) << 32;
            let near = neighbours_of_each(both);
            assert_eq!(near as Squares & BOARD, neighbours(one | two) & BOARD);
            assert_eq!((near >> 32) as Squares & BOARD, neighbours(enemy) & BOARD);
            let here = format!("{pieces:?} among {occupied:#b}");
            let expected = pieces.map(slides);
            for (piece, expected) in pieces.into_iter().zip(&expected) {
                assert_eq!(reach(piece, occupied), *expected, "{here}");
            }
            let found = slides_of_each(both, BOARD & !occupied);
            let [one, two, enemy] = expected;
            let all = found.into_iter().fold(0, |all, set| all | set);
            assert_eq!(
                all,
                Both::from(one | two) | Both::from(enemy) << 32,
                "{here}"
            );
            let count = |set: Squares| set.count_ones() as i32;
            let n_own = count(one)
                + if pieces[0] == pieces[1] {
                    0
                } else {
                    count(two)
                };
            assert_eq!(count_each(found), [n_own, count(enemy)], "{here}");
        }
    }
}
