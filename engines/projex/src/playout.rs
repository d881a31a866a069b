//! Random games to the end: the board is filled up, and then it is seen who holds a global loop.
//!
//! Stones never leave the board and exactly one colour holds a loop on a full one, so that nobody needs to look before.

use fastrand::Rng;
use kit::playout::{Playout, Uses};
use kit::{History, Outcome, Side};

use crate::board::{Board, Cell};
use crate::position::Colour;
use crate::rules::{Move, Projex};

/// A board to fill.
#[derive(Debug)]
pub(crate) struct Filler {
    stones: Vec<Option<Colour>>,
    empties: Vec<Cell>,
    /// By cell, while loops are looked for: 0 unseen, else 1 or 2, the sheet that it lies on.
    sheets: Vec<u8>,
    stack: Vec<Cell>,
    bridges: bool,
}

impl Filler {
    pub(crate) fn new(n_cells: usize) -> Filler {
        Filler {
            stones: vec![None; n_cells],
            empties: Vec::with_capacity(n_cells),
            sheets: vec![0; n_cells],
            stack: Vec::with_capacity(n_cells),
            bridges: std::env::var("M_NOBRIDGE").is_err(),
        }
    }

    /// Fills all empty cells in random order, the colours in turn; a broken bridge is mended at once.
    fn fill(&mut self, board: &Board, mut turn: Colour, mut last: Option<Cell>, rng: &mut Rng) {
        for i in 0..self.empties.len() {
            let j = i + rng.usize(..self.empties.len() - i);
            self.empties.swap(i, j);
        }
        let mut next = 0;
        loop {
            let mend = last.filter(|_| self.bridges).and_then(|last| self.mend(board, last, turn));
            let cell = match mend {
                Some(cell) => cell,
                None => loop {
                    let Some(&cell) = self.empties.get(next) else {
                        return;
                    };
                    next += 1;
                    if self.stones[usize::from(cell)].is_none() {
                        break cell;
                    }
                },
            };
            self.stones[usize::from(cell)] = Some(turn);
            last = Some(cell);
            turn = turn.other();
        }
    }

    /// The other cell of a bridge of this colour that the stone went between.
    #[inline]
    fn mend(&self, board: &Board, last: Cell, colour: Colour) -> Option<Cell> {
        let ring = board.neighbours(last);
        let (mut own, mut empty) = (0u8, 0u8);
        for (i, &cell) in ring.iter().enumerate() {
            let stone = self.stones[usize::from(cell)];
            own |= u8::from(stone == Some(colour)) << i;
            empty |= u8::from(stone.is_none()) << i;
        }
        let n = ring.len();
        let before = own << 1 | own >> (n - 1);
        let after = own >> 1 | own << (n - 1);
        let found = before & after & empty;
        (found != 0).then(|| ring[found.trailing_zeros() as usize])
    }

    /// The colour that holds a global loop on the full board: every loop goes through the longest row.
    fn winner(&mut self, board: &Board) -> Colour {
        self.sheets.fill(0);
        for start in board.row(board.size()) {
            if self.stones[start] == Some(Colour::X) && self.sheets[start] == 0 && self.closes(board, start as Cell) {
                return Colour::X;
            }
        }
        Colour::O
    }

    /// Whether the chain of a stone holds a global loop: one of its cells lies on both sheets.
    fn closes(&mut self, board: &Board, start: Cell) -> bool {
        self.stack.clear();
        self.stack.push(start);
        self.sheets[usize::from(start)] = 1;
        while let Some(cell) = self.stack.pop() {
            let sheet = self.sheets[usize::from(cell)];
            let crossings = board.crossings(cell);
            for (i, &next) in board.neighbours(cell).iter().enumerate() {
                if self.stones[usize::from(next)] != Some(Colour::X) {
                    continue;
                }
                let there = if crossings >> i & 1 != 0 { 3 - sheet } else { sheet };
                let seen = &mut self.sheets[usize::from(next)];
                if *seen == 0 {
                    *seen = there;
                    self.stack.push(next);
                } else if *seen != there {
                    return true;
                }
            }
        }
        false
    }
}

impl Playout<Projex> for Filler {
    fn play(&mut self, history: &History<Projex>, rng: &mut Rng, uses: &mut Uses) -> Outcome {
        let (board, position) = (history.game().board(), history.position());
        self.stones.copy_from_slice(position.stones());
        self.empties.clear();
        self.empties.extend(board.cells().filter(|&cell| position.stone(cell).is_none()));
        let last = match history.played().next_back() {
            Some(Move::Place(cell)) => Some(cell),
            _ => None,
        };
        self.fill(board, position.turn(), last, rng);
        let owners = Colour::BOTH.map(|colour| position.owner(colour));
        for &cell in &self.empties {
            let owner: Side = owners[self.stones[usize::from(cell)].map_or(0, Colour::index)];
            uses.note(cell.into(), owner);
        }
        Outcome::Win(owners[self.winner(board).index()])
    }
}
