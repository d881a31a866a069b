//! A number for each position of the smallest board, for tables of perfect play.
//!
//! Whether a stone is surrounded depends on which cells are empty, not on whose stones are beside it. So a set of cells is
//! *live* if on each of them a stone has an empty neighbour, and exactly the boards whose stones stand on live sets have
//! a game that goes on. [`boards`] numbers these boards up to the symmetries of the board, with the stones of the player to move and of
//! his opponent; here the count of slides is added. A placement leads to a set with one stone more, a slide to a higher count: the layers are
//! solved from many stones to few, and in these from high counts to low ones. `walker` lists the moves.

mod boards;
mod walker;

use std::ops::Range;

use kit::tablebase::{MoveGraph, Numbering, Order, Tabulated};
use kit::{Rejection, Side};

use crate::cells::Cells;
use crate::rules::{Position, Susan};
use boards::{Boards, MAX_STONES, Mask};
use walker::Moves;

/// Cells a side of the board that has tables.
const SIZE: u8 = 3;

/// The highest slide limit that has tables: each slide more is 24 million positions more.
const MAX_SLIDE_LIMIT: u64 = 12;

/// The positions of the board, with fewer slides in a row than draw.
#[derive(Debug)]
pub struct Positions {
    game: Susan,
    boards: Boards,
    slide_limit: u64,
    /// The first number of the positions with so many stones.
    starts: [u64; MAX_STONES + 1],
}

/// What a number says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Parts {
    n_stones: usize,
    slides: u64,
    /// The board among those with so many stones.
    board: u64,
}

impl Tabulated for Susan {
    type Graph = Positions;

    fn graph(&self) -> Result<Positions, Rejection> {
        let size = self.board.size();
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
        Ok(Positions::new(self))
    }
}

impl Positions {
    fn new(game: &Susan) -> Positions {
        let boards = Boards::new(&game.board);
        let mut starts = [0; MAX_STONES + 1];
        let mut next = 0;
        for n_stones in (0..=MAX_STONES).rev() {
            starts[n_stones] = next;
            next += boards.count(n_stones) * game.slide_limit;
        }
        Positions {
            game: game.clone(),
            boards,
            slide_limit: game.slide_limit,
            starts,
        }
    }

    /// The number of the first board with so many stones and slides.
    fn start(&self, n_stones: usize, slides: u64) -> u64 {
        self.starts[n_stones] + (self.slide_limit - 1 - slides) * self.boards.count(n_stones)
    }

    fn parts(&self, number: u64) -> Parts {
        // The more stones, the lower the number.
        let n_more = self.starts.iter().rev().filter(|&&start| start <= number);
        let n_stones = MAX_STONES + 1 - n_more.count();
        let rest = number - self.starts[n_stones];
        let n_boards = self.boards.count(n_stones);
        Parts {
            n_stones,
            slides: self.slide_limit - 1 - rest / n_boards,
            board: rest % n_boards,
        }
    }
}

impl Numbering<Susan> for Positions {
    /// The third option, the repetition rule, changes no value: a higher count of slides never helps the side that
    /// wins, so a shortest win repeats no board.
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![
            ("Size", SIZE.to_string()),
            ("SlideLimit", self.slide_limit.to_string()),
        ]
    }

    fn n_numbers(&self) -> u64 {
        self.starts[0] + self.boards.count(0) * self.slide_limit
    }

    fn number(&self, position: &Position) -> Option<u64> {
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
        let Parts {
            n_stones,
            slides,
            board,
        } = self.parts(number);
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

impl MoveGraph<Susan> for Positions {
    const MAX_PLIES: u32 = 125;
    type Walker<'a> = Moves<'a>;

    fn walker(&self) -> Moves<'_> {
        Moves::new(self)
    }

    fn order(&self) -> Order {
        let layer = |n_stones, slides| -> Range<u64> {
            let start = self.start(n_stones, slides);
            start..start + self.boards.count(n_stones)
        };
        let stones = (0..=MAX_STONES).rev();
        let layers = stones.flat_map(|n| {
            (0..self.slide_limit)
                .rev()
                .map(move |slides| layer(n, slides))
        });
        Order::Layers(layers.collect())
    }
}
