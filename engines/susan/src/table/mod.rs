//! The position indexing of the smallest board, for endgame tables.
//!
//! Whether a stone is surrounded depends on which cells are empty, not on the owners of its neighbours. A set of cells
//! is *live* if each stone on it has an empty neighbour; the boards of unfinished games are exactly those whose stones
//! form a live set. [`boards`] indexes these boards up to the symmetries of the board, with the stones of the player to
//! move and of the opponent; this module adds the count of slides. `walker` lists the moves.

mod boards;
mod walker;

use kit::tablebase::{Indexing, Tabulated};
use kit::{Rejection, Side};

use crate::cells::Cells;
use crate::position::{Position, Susan};
use boards::{Boards, MAX_STONES, Mask};

/// Cells per side of the board that has tables.
const SIZE: u8 = 3;

/// Maximum slide limit with tables: each additional slide adds 24 million positions.
const MAX_SLIDE_LIMIT: u64 = 12;

/// The positions of the board with fewer consecutive slides than draw.
#[derive(Debug)]
pub struct SusanPositions {
    game: Susan,
    boards: Boards,
    slide_limit: u64,
    /// First index of the positions with each number of stones.
    starts: [u64; MAX_STONES + 1],
}

impl Tabulated for Susan {
    type Graph = SusanPositions;

    fn graph(&self) -> Result<SusanPositions, Rejection> {
        let size = self.board.size;
        if size != SIZE {
            return Err(format!("no table of Size={size}: expected Size={SIZE}").into());
        }
        let limit = self.slide_limit;
        if !(1..=MAX_SLIDE_LIMIT).contains(&limit) {
            let why = format!(
                "no table of SlideLimit={limit}: expected a limit from 1 to {MAX_SLIDE_LIMIT}"
            );
            return Err(why.into());
        }
        let boards = Boards::new(&self.board);
        let mut starts = [0; MAX_STONES + 1];
        let mut next = 0;
        for n_stones in (0..=MAX_STONES).rev() {
            starts[n_stones] = next;
            next += boards.count(n_stones) * limit;
        }
        Ok(SusanPositions {
            game: self.clone(),
            boards,
            slide_limit: limit,
            starts,
        })
    }
}

impl SusanPositions {
    /// Index of the first board with this number of stones and slides.
    fn start(&self, n_stones: usize, slides: u64) -> u64 {
        self.starts[n_stones] + (self.slide_limit - 1 - slides) * self.boards.count(n_stones)
    }

    /// Splits an index into the number of stones, the number of slides, and the number of the board among those with equally
    /// many stones.
    fn parts(&self, number: u64) -> (usize, u64, u64) {
        // The more stones, the lower the index.
        let n_more = self.starts.iter().rev().filter(|&&start| start <= number);
        let n_stones = MAX_STONES + 1 - n_more.count();
        let rest = number - self.starts[n_stones];
        let n_boards = self.boards.count(n_stones);
        let slides = self.slide_limit - 1 - rest / n_boards;
        (n_stones, slides, rest % n_boards)
    }
}

impl Indexing<Susan> for SusanPositions {
    /// The third option, the repetition rule, changes no value: a higher count of slides never helps the winning side,
    /// so a shortest win repeats no board.
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Size", SIZE.to_string()),
            ("SlideLimit", self.slide_limit.to_string()),
        ]
    }

    fn n_indices(&self) -> u64 {
        self.starts[0] + self.boards.count(0) * self.slide_limit
    }

    fn index(&self, position: &Position) -> Option<u64> {
        if position.slides >= self.slide_limit {
            return None;
        }
        let mask = |side: Side| -> Mask {
            let stones = position.stones[side.index()].iter();
            stones.fold(0, |mask, cell| mask | 1 << cell)
        };
        let (own, theirs) = (mask(position.side), mask(position.side.other()));
        let board = self.boards.number(own, theirs)?;
        let n_stones = (own | theirs).count_ones() as usize;
        Some(self.start(n_stones, position.slides) + board)
    }

    fn position(&self, number: u64) -> Option<Position> {
        let (n_stones, slides, board) = self.parts(number);
        let (own, theirs) = self.boards.board(n_stones, board);
        let cells = |mask: Mask| -> Cells {
            let has = |&cell: &u8| mask >> cell & 1 != 0;
            self.game.board.cells().filter(has).collect()
        };
        let stones = [cells(own), cells(theirs)];
        Some(self.game.position(stones, Side::P1, slides))
    }

    fn n_bytes(&self) -> u64 {
        self.boards.n_bytes()
    }
}
