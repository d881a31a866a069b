//! Random games: the board is filled, then the colour with a global loop is determined.
//!
//! Stones are never removed, and on a full board exactly one colour has a loop, so no test is needed before the board
//! is full. The empty cells are filled in random order, with one exception: a stone that intrudes on a bridge is
//! answered at once.

use fastrand::Rng;
use kit::playout::{AmafMoves, Playout};
use kit::{Outcome, PositionHistory};

use crate::board::{Move, Projex};
use crate::geometry::{Cell, Geometry};
use crate::position::{Colour, Position};
use crate::ring;

/// The buffers for filling a board, reused for each game.
#[derive(Debug)]
pub(crate) struct RandomPlayout {
    stones: Vec<Option<Colour>>,
    /// The cells that were empty, in random order.
    filled: Vec<Cell>,
    flood: Flood,
}

impl RandomPlayout {
    pub(crate) fn new(n_cells: usize) -> RandomPlayout {
        RandomPlayout {
            stones: vec![None; n_cells],
            filled: Vec::with_capacity(n_cells),
            flood: Flood {
                sheets: vec![None; n_cells],
                front: Vec::with_capacity(n_cells),
            },
        }
    }

    /// Fills the board of a position and returns the colour that then has a loop.
    fn fill(
        &mut self,
        board: &Geometry,
        position: &Position,
        last: Option<Cell>,
        rng: &mut Rng,
    ) -> Colour {
        self.stones.copy_from_slice(position.stones());
        self.filled.clear();
        let is_empty = |&cell: &Cell| position.stone(cell).is_none();
        self.filled.extend(board.cells().filter(is_empty));
        rng.shuffle(&mut self.filled);
        self.place_all(board, position.turn(), last);
        self.flood.winner(board, &self.stones)
    }

    /// Places stones in turn: on the cell that repairs a broken bridge, otherwise on the next empty cell.
    fn place_all(&mut self, board: &Geometry, mut turn: Colour, mut last: Option<Cell>) {
        let mut next = self.filled.iter();
        loop {
            let mended = last.and_then(|last| broken_bridge(board, &self.stones, last, turn));
            let is_empty = |cell: &Cell| self.stones[usize::from(*cell)].is_none();
            let Some(cell) = mended.or_else(|| next.find(|cell| is_empty(cell)).copied()) else {
                return;
            };
            self.stones[usize::from(cell)] = Some(turn);
            last = Some(cell);
            turn = turn.other();
        }
    }
}

impl Playout<Projex> for RandomPlayout {
    fn play(
        &mut self,
        history: &PositionHistory<Projex>,
        rng: &mut Rng,
        amaf_moves: &mut AmafMoves,
    ) -> Outcome {
        let (board, position) = (history.game().board(), history.position());
        let last = match history.played().next_back() {
            Some(Move::Place(cell)) => Some(cell),
            Some(Move::Swap) | None => None,
        };
        let winner = self.fill(board, position, last, rng);
        let owners = Colour::BOTH.map(|colour| position.owner(colour));
        for &cell in &self.filled {
            let stone = self.stones[usize::from(cell)].expect("the board is full");
            amaf_moves.add(cell.into(), owners[stone.index()]);
        }
        Outcome::Win(owners[winner.index()])
    }

    /// After a swap, a player's stone on a cell has the other colour.
    fn resets_amaf(&self, mv: Move) -> bool {
        mv == Move::Swap
    }
}

/// The empty cell that repairs a bridge of this colour, if the last stone was placed between its ends.
#[inline]
fn broken_bridge(
    board: &Geometry,
    stones: &[Option<Colour>],
    last: Cell,
    colour: Colour,
) -> Option<Cell> {
    let ring = board.neighbours(last);
    let (mut own, mut empty) = (0, 0);
    for (i, &cell) in ring.iter().enumerate() {
        let stone = stones[usize::from(cell)];
        own |= u8::from(stone == Some(colour)) << i;
        empty |= u8::from(stone.is_none()) << i;
    }
    let broken = ring::between(own, ring.len()) & empty;
    (broken != 0).then(|| ring[broken.trailing_zeros() as usize])
}

/// A flood fill over the stones of one colour on a full board.
#[derive(Debug)]
struct Flood {
    /// By cell: the sheet on which it is; `None` before it is reached. A step across the edge changes the sheet.
    sheets: Vec<Option<bool>>,
    front: Vec<Cell>,
}

impl Flood {
    /// The colour with a global loop. Every global loop meets the longest row, which is one itself.
    fn winner(&mut self, board: &Geometry, stones: &[Option<Colour>]) -> Colour {
        self.sheets.fill(None);
        let mut row = board.row(board.size());
        if row.any(|start| self.closes_loop(board, stones, start as Cell)) {
            Colour::X
        } else {
            Colour::O
        }
    }

    /// `true` if a cell belongs to a chain of `x`, not searched yet, that contains a global loop: one of its stones is
    /// reached on both sheets.
    fn closes_loop(&mut self, board: &Geometry, stones: &[Option<Colour>], start: Cell) -> bool {
        let is_x = |cell: Cell| stones[usize::from(cell)] == Some(Colour::X);
        if !is_x(start) || self.sheets[usize::from(start)].is_some() {
            return false;
        }
        self.sheets[usize::from(start)] = Some(false);
        self.front.clear();
        self.front.push(start);
        while let Some(cell) = self.front.pop() {
            let sheet = self.sheets[usize::from(cell)] == Some(true);
            for (next, is_crossing) in board.steps(cell).filter(|step| is_x(step.0)) {
                let there = Some(sheet ^ is_crossing);
                let known = &mut self.sheets[usize::from(next)];
                if known.is_none() {
                    *known = there;
                    self.front.push(next);
                } else if *known != there {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use kit::{Game, Side};

    use super::*;

    fn start(size: i32) -> PositionHistory<Projex> {
        laws::testing::at(&format!("Size={size}"), "startpos")
    }

    /// A random game that is not over.
    fn opened(size: i32, rng: &mut Rng) -> PositionHistory<Projex> {
        let mut play = start(size);
        for _ in 0..rng.usize(..play.game().board().n_cells()) {
            play.play(*rng.choice(&play.moves()).expect("a move"));
            if play.outcome().is_some() {
                play.undo();
                break;
            }
        }
        play
    }

    #[test]
    fn the_winner_of_a_filled_board_is_that_of_the_rules() {
        let mut rng = Rng::with_seed(1);
        let mut wins = [0; 2];
        for size in Geometry::SIZES {
            for _ in 0..40 {
                let play = opened(size, &mut rng);
                let game = play.game();
                let mut filler = RandomPlayout::new(game.board().n_cells());
                let mut amaf_moves = AmafMoves::new(game.n_move_indices());
                let outcome = filler.play(&play, &mut rng, &mut amaf_moves);
                let full = game.set_up(&filler.stones, play.position().x_owner);
                assert_eq!(game.outcome(&full), Some(outcome), "size {size}");
                wins[usize::from(outcome == Outcome::Win(Side::P1))] += 1;
            }
        }
        assert!(wins.iter().all(|&n| n > 100), "{wins:?}");
    }

    #[test]
    fn every_empty_cell_is_filled_in_turn_by_its_owner() {
        let mut rng = Rng::with_seed(2);
        for _ in 0..50 {
            let play = opened(5, &mut rng);
            let (game, position) = (play.game(), play.position());
            let mut filler = RandomPlayout::new(game.board().n_cells());
            let mut amaf_moves = AmafMoves::new(game.n_move_indices());
            filler.play(&play, &mut rng, &mut amaf_moves);
            let n_x = filler
                .stones
                .iter()
                .filter(|&&stone| stone == Some(Colour::X));
            assert_eq!(n_x.count(), game.board().n_cells().div_ceil(2));
            for cell in game.board().cells() {
                let was_empty = position.stone(cell).is_none();
                let owner = filler.stones[usize::from(cell)].map(|colour| position.owner(colour));
                for side in Side::BOTH {
                    let is_made = was_empty && owner == Some(side);
                    assert_eq!(amaf_moves.has(cell.into(), side), is_made);
                }
            }
        }
    }

    /// A6 and C5 have the same two empty common neighbours.
    #[test]
    fn a_broken_bridge_is_mended_at_once() {
        let mut play = start(5);
        let game = play.game().clone();
        let board = game.board();
        let cell = |row, letter| {
            let found = board.cell_at(crate::geometry::Place { row, letter });
            found.expect("on the board")
        };
        for (row, letter) in [(6, 4), (1, 6), (4, 5)] {
            play.play(Move::Place(cell(row, letter)));
        }
        let [one, other] = [cell(5, 4), cell(5, 5)];
        for (broken, mended) in [(one, other), (other, one)] {
            play.play(Move::Place(broken));
            let found = broken_bridge(board, play.position().stones(), broken, Colour::X);
            assert_eq!(found, Some(mended));
            play.undo();
        }
        let found = broken_bridge(board, play.position().stones(), cell(4, 5), Colour::O);
        assert_eq!(found, None);
    }
}
