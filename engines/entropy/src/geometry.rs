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

/// A step, as a difference of files and ranks.
type SlideStep = (i8, i8);

/// The four lines through a square, each given by one of its two directions.
const LINES: [SlideStep; 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Tables of slides, by the square of the piece and the occupied squares.
#[derive(Debug)]
pub(crate) struct Slides {
    /// The lines through each square, by [`Square::index`]; empty for the gap.
    lines: [[SlideLine; 4]; N_BITS],
}

impl Slides {
    pub(crate) fn new() -> Slides {
        let mut lines = [[SlideLine::EMPTY; 4]; N_BITS];
        for square in Square::of(BOARD) {
            lines[square.index()] = LINES.map(|step| SlideLine::new(square, step));
        }
        Slides { lines }
    }

    /// The empty squares that a piece can reach, in all eight directions.
    pub(crate) fn from(&self, square: Square, occupied: Squares) -> Squares {
        self.counted(square, occupied).0
    }

    /// As [`from`](Slides::from), with the number of these squares.
    pub(crate) fn counted(&self, square: Square, occupied: Squares) -> (Squares, i32) {
        let lines = self.lines[square.index()].iter();
        // The lines share no square but the piece's own, so the sum of their sets is the union.
        let sum: u64 = lines.map(|line| line.reached(occupied)).sum();
        (sum as Squares, (sum >> COUNT) as i32)
    }
}

/// A line through a square. It has at most five squares, so its occupancy is a number below 32, which indexes a table
/// of slides.
#[derive(Debug, Clone, Copy)]
struct SlideLine {
    /// The squares of the line.
    squares: Squares,
    /// Multiplication by this factor gathers the squares of the line into adjacent bits from [`GATHERED`] up.
    gather: u32,
    /// The reachable squares, and their number from the bit [`COUNT`] up, by the occupancy of the line.
    reached: [u64; 32],
}

/// The lowest bit of the number of reachable squares.
const COUNT: u32 = 32;

/// The first of the five bits into which a line is gathered.
const GATHERED: u32 = 24;

impl SlideLine {
    const EMPTY: SlideLine = SlideLine {
        squares: 0,
        gather: 0,
        reached: [0; 32],
    };

    fn new(square: Square, step: SlideStep) -> SlideLine {
        let back = (-step.0, -step.1);
        let both_ways = || walk(square, step).chain(walk(square, back));
        let squares = both_ways().fold(square.bit(), |line, square| line | square.bit());
        let gather = if step.0 == 0 {
            gather_file(square.file())
        } else {
            // Moves a square to the top rank on its file.
            FILE_A
        };
        let mut line = SlideLine {
            squares,
            gather,
            ..SlideLine::EMPTY
        };
        for occupied in subsets(squares) {
            let free = |step| walk(square, step).take_while(|other| other.bit() & occupied == 0);
            let reached = free(step).chain(free(back));
            line.reached[line.index(occupied)] =
                reached.fold(0, |all, other| all + u64::from(other.bit()) + (1 << COUNT));
        }
        line
    }

    fn reached(&self, occupied: Squares) -> u64 {
        self.reached[self.index(occupied)]
    }

    fn index(&self, occupied: Squares) -> usize {
        let gathered = (occupied & self.squares).wrapping_mul(self.gather) >> GATHERED;
        (gathered & 0b11111) as usize
    }
}

/// The factor that moves the square on each rank of a file to the bit at [`GATHERED`] plus the rank. No two products of
/// a square and a bit of the factor coincide, so there are no carries.
fn gather_file(file: u8) -> u32 {
    (0..SIDE)
        .map(|rank| 1 << (GATHERED as u8 + rank - (file + rank * RANK)))
        .sum()
}

/// The squares from one to the border, without the square itself.
fn walk(from: Square, (files, ranks): SlideStep) -> impl Iterator<Item = Square> {
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
        let slides = Slides::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..2_000 {
            let occupied = rng.u32(..) & rng.u32(..) & BOARD;
            for square in all() {
                let is_free = |other: &Square| other.bit() & occupied == 0;
                let is_reached = |&other: &Square| {
                    let way = way(square, other);
                    other != square
                        && is_free(&other)
                        && way.is_some_and(|mut way| way.all(|s| is_free(&s)))
                };
                let expected = all().filter(is_reached);
                let (found, count) = slides.counted(square, occupied | square.bit());
                assert!(
                    Square::of(found).eq(expected),
                    "{square} among {occupied:#b}"
                );
                assert_eq!(count, found.count_ones() as i32);
            }
        }
    }
}
