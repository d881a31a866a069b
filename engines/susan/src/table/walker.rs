//! The moves from an indexed position.
//!
//! All colourings of a set have the same moves, except for whose stones may slide. The moves are therefore listed once
//! for each set, each with a permutation that maps the colours of the stones to the board after it.

use std::ops::{ControlFlow, Range};

use kit::Value;
use kit::tablebase::{InitialValue, MoveGraph, Successor, Walker};

use super::SusanPositions;
use super::boards::{Class, Colouring, MAX_STONES, Mask, N_CELLS, cells};

/// Lists moves; keeps those of the last set.
#[derive(Debug)]
pub struct SusanWalker<'a> {
    positions: &'a SusanPositions,
    /// The indices of the boards of this set with one count of slides.
    numbers: Range<u64>,
    class: Option<&'a Class>,
    moves: Vec<ClassMove<'a>>,
}

/// A move on the boards of one set.
#[derive(Debug)]
struct ClassMove<'a> {
    /// The stone that slides, as a bit of the colouring; 0 for a placement.
    slider: Colouring,
    target: MoveTarget<'a>,
}

#[derive(Debug)]
enum MoveTarget<'a> {
    /// No stone is surrounded: the target is a board of a class.
    Live {
        class: &'a Class,
        /// Index of the class's first board.
        first: u64,
        colours: Permutation,
    },
    /// Stones are surrounded.
    Dead {
        /// The surrounded stones that were already on the board.
        stones: Colouring,
        /// `true` if the placed stone is surrounded.
        is_placed: bool,
    },
    /// The slide reaches the count that draws.
    Drawn,
}

/// Permutes the bits of a colouring, by one table for each half.
#[derive(Debug)]
struct Permutation {
    n_low: u32,
    low: Vec<Colouring>,
    high: Vec<Colouring>,
    /// All target bits.
    all: Colouring,
}

impl MoveGraph for SusanPositions {
    type Walker<'a> = SusanWalker<'a>;

    fn walker(&self) -> SusanWalker<'_> {
        SusanWalker {
            positions: self,
            numbers: 0..0,
            class: None,
            moves: Vec::new(),
        }
    }

    /// The boards with one number of stones and of slides.
    fn layers(&self) -> Vec<u64> {
        let parts = (0..=MAX_STONES).rev().flat_map(|n_stones| {
            let slides = (0..self.slide_limit).rev();
            slides.map(move |slides| (n_stones, slides))
        });
        let end = |(n_stones, slides)| self.start(n_stones, slides) + self.boards.count(n_stones);
        parts.map(end).collect()
    }
}

impl<'a> SusanWalker<'a> {
    /// The colouring of the board with this index, after listing the moves of its set.
    fn seek(&mut self, number: u64) -> Colouring {
        if !self.numbers.contains(&number) {
            self.list(number);
        }
        let class = self.class.expect("moves are listed");
        class.colouring(number - self.numbers.start)
    }

    fn list(&mut self, number: u64) {
        let positions = self.positions;
        let (n_stones, slides, board) = positions.parts(number);
        let class = positions.boards.class_at(n_stones, board);
        let start = positions.start(n_stones, slides) + class.first;
        self.numbers = start..start + class.n_boards;
        self.class = Some(class);
        self.moves.clear();
        let stones: Vec<usize> = cells(class.set).collect();
        let empty = !class.set & ((1 << N_CELLS) - 1);
        for to in cells(empty) {
            let target = self.target(&stones, class.set | 1 << to, Some(to), n_stones + 1, 0);
            self.moves.push(ClassMove { slider: 0, target });
        }
        for (i, &from) in stones.iter().enumerate() {
            for to in cells(positions.boards.near[from] & empty) {
                let mut after = stones.clone();
                after[i] = to;
                let set = class.set ^ 1 << from | 1 << to;
                let target = self.target(&after, set, None, n_stones, slides + 1);
                let slider = 1 << i;
                self.moves.push(ClassMove { slider, target });
            }
        }
        // A move that wins at once ends the solving of a position, so final moves come first.
        self.moves
            .sort_by_key(|mv| matches!(mv.target, MoveTarget::Live { .. }));
    }

    /// The target of a move after which the stones of the colouring are on the cells `stones`.
    fn target(
        &self,
        stones: &[usize],
        set: Mask,
        placed: Option<usize>,
        n_stones: usize,
        slides: u64,
    ) -> MoveTarget<'a> {
        let positions = self.positions;
        let Some((class, map)) = positions.boards.class_of(set) else {
            let surrounded = positions.boards.surrounded(set);
            let bit = |(i, cell): (usize, &usize)| ((surrounded >> cell & 1) as Colouring) << i;
            return MoveTarget::Dead {
                stones: stones.iter().enumerate().map(bit).sum(),
                is_placed: placed.is_some_and(|cell| surrounded >> cell & 1 != 0),
            };
        };
        if slides >= positions.slide_limit {
            return MoveTarget::Drawn;
        }
        let place = |&cell: &usize| {
            let below = class.set & ((1 << map[cell]) - 1);
            below.count_ones()
        };
        let places: Vec<u32> = stones.iter().map(place).collect();
        MoveTarget::Live {
            class,
            first: positions.start(n_stones, slides) + class.first,
            colours: Permutation::new(&places),
        }
    }
}

impl Walker for SusanWalker<'_> {
    fn initial_value(&mut self, _number: u64) -> InitialValue {
        InitialValue::Open
    }

    fn successors(&mut self, number: u64, mut visit: impl FnMut(Successor) -> ControlFlow<()>) {
        let own = self.seek(number);
        for mv in &self.moves {
            if own & mv.slider != mv.slider {
                continue;
            }
            let successor = match &mv.target {
                MoveTarget::Live {
                    class,
                    first,
                    colours,
                } => Successor::To(first + class.board(colours.of_opponent(own))),
                MoveTarget::Dead { stones, is_placed } => {
                    Successor::End(match *is_placed || own & stones != 0 {
                        true => Value::Loss(0),
                        false => Value::Win(0),
                    })
                }
                MoveTarget::Drawn => Successor::End(Value::Draw),
            };
            if visit(successor).is_break() {
                return;
            }
        }
    }
}

impl Permutation {
    /// Bit `i` is mapped to `places[i]`.
    fn new(places: &[u32]) -> Permutation {
        let n_low = places.len() / 2;
        let (low, high) = places.split_at(n_low);
        let low = sums(low);
        let high = sums(high);
        Permutation {
            n_low: n_low as u32,
            all: low.last().unwrap_or(&0) | high.last().unwrap_or(&0),
            low,
            high,
        }
    }

    /// The colouring from the point of view of the opponent, who is then to move. A placed stone is not the opponent's,
    /// so its bit is 0.
    #[inline]
    fn of_opponent(&self, own: Colouring) -> Colouring {
        let low = usize::from(own) & (self.low.len() - 1);
        self.all ^ (self.low[low] | self.high[usize::from(own >> self.n_low)])
    }
}

/// For each set of bits, the set of their targets.
fn sums(places: &[u32]) -> Vec<Colouring> {
    let mut sums = vec![0; 1 << places.len()];
    for set in 1..sums.len() {
        let last = set.trailing_zeros() as usize;
        sums[set] = sums[set & (set - 1)] | 1 << places[last];
    }
    sums
}
