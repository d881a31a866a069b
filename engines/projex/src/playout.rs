//! Random games to the end: the board is filled up, and only then it is seen who holds a global loop.
//!
//! Stones never leave the board and exactly one colour holds a loop on a full one, so nobody needs to look before. The
//! stones go down in random order, but for one thing: who goes between two stones that a bridge joins is answered at once.

use fastrand::Rng;
use kit::playout::{AmafMoves, Playout};
use kit::{Outcome, PositionHistory};

use crate::geometry::{Cell, Geometry};
use crate::position::{Colour, Position};
use crate::ring;
use crate::rules::{Move, Projex};

/// A board to fill again and again.
#[derive(Debug)]
pub(crate) struct Filler {
    stones: Vec<Option<Colour>>,
    /// The cells that were empty.
    filled: Vec<Cell>,
    flood: Flood,
}

impl Filler {
    pub(crate) fn new(n_cells: usize) -> Filler {
        Filler {
            stones: vec![None; n_cells],
            filled: Vec::with_capacity(n_cells),
            flood: Flood {
                sheets: vec![None; n_cells],
                front: Vec::with_capacity(n_cells),
            },
        }
    }

    /// Fills the board from a position on, and finds the colour that holds a loop then.
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

    /// Places stones in turn: where a bridge was broken, else on the next cell that is still empty.
    fn place_all(&mut self, board: &Geometry, mut turn: Colour, mut last: Option<Cell>) {
        let mut next = self.filled.iter();
        loop {
            let mend = last.and_then(|last| broken_bridge(board, &self.stones, last, turn));
            let is_empty = |cell: &Cell| self.stones[usize::from(*cell)].is_none();
            let Some(cell) = mend.or_else(|| next.find(|cell| is_empty(cell)).copied()) else {
                return;
            };
            self.stones[usize::from(cell)] = Some(turn);
            last = Some(cell);
            turn = turn.other();
        }
    }
}

impl Playout<Projex> for Filler {
    fn play(
        &mut self,
        history: &PositionHistory<Projex>,
        rng: &mut Rng,
        uses: &mut AmafMoves,
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
            uses.note(cell.into(), owners[stone.index()]);
        }
        Outcome::Win(owners[winner.index()])
    }

    /// A cell is another move for the player who has the other colour.
    fn is_watershed(&self, mv: Move) -> bool {
        mv == Move::Swap
    }
}

/// The other cell of a bridge of this colour that the last stone has gone between.
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

/// A walk over the stones of one colour on a full board.
#[derive(Debug)]
struct Flood {
    /// By cell: whether it was reached, and on which of the two sheets it lies then.
    sheets: Vec<Option<bool>>,
    front: Vec<Cell>,
}

impl Flood {
    /// The colour that holds a global loop. Each goes through the longest row, which is a global loop itself.
    fn winner(&mut self, board: &Geometry, stones: &[Option<Colour>]) -> Colour {
        self.sheets.fill(None);
        let mut row = board.row(board.size());
        if row.any(|start| self.closes_loop(board, stones, start as Cell)) {
            Colour::X
        } else {
            Colour::O
        }
    }

    /// Whether a cell is of a chain of `x`, not yet seen, that holds a global loop: one of its stones lies on both
    /// sheets.
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
    use kit::{Game, Options, Side};

    use super::*;

    fn start(size: i32) -> PositionHistory<Projex> {
        let mut options = Options::new(Projex::options());
        let size = options.set("Size", Some(&size.to_string()));
        size.expect("a size there is");
        PositionHistory::start(Projex::new(&options))
    }

    /// Some random moves into a game that is not over.
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
                let mut filler = Filler::new(game.board().n_cells());
                let mut uses = AmafMoves::new(game.n_move_indices());
                let outcome = filler.play(&play, &mut rng, &mut uses);
                let full = game.set_up(&filler.stones, play.position().x_owner);
                assert_eq!(game.outcome(&full), Some(outcome), "size {size}");
                wins[usize::from(outcome == Outcome::Win(Side::P1))] += 1;
            }
        }
        assert!(wins.iter().all(|&n| n > 100), "{wins:?}");
    }

    #[test]
    fn every_empty_cell_is_filled_in_turn_and_used_by_its_owner() {
        let mut rng = Rng::with_seed(2);
        for _ in 0..50 {
            let play = opened(5, &mut rng);
            let (game, position) = (play.game(), play.position());
            let mut filler = Filler::new(game.board().n_cells());
            let mut uses = AmafMoves::new(game.n_move_indices());
            filler.play(&play, &mut rng, &mut uses);
            let n_x = filler
                .stones
                .iter()
                .filter(|&&stone| stone == Some(Colour::X));
            assert_eq!(n_x.count(), game.board().n_cells().div_ceil(2));
            for cell in game.board().cells() {
                let was_empty = position.stone(cell).is_none();
                let owner = filler.stones[usize::from(cell)].map(|colour| position.owner(colour));
                for side in Side::BOTH {
                    let is_used = was_empty && owner == Some(side);
                    assert_eq!(uses.has(cell.into(), side), is_used);
                }
            }
        }
    }

    /// A6 and C5 touch the same two empty cells.
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
