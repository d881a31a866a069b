//! Random games: the board is filled, then the colour with a global loop is determined.
//!
//! Stones are never removed, and on a full board exactly one colour has a loop, so no test is needed before the board
//! is full. The empty cells are filled in random order, with one exception: a stone that intrudes on a bridge is
//! answered at once.

use fastrand::Rng;
use kit::{PositionHistory, Side};

use crate::bridges::between;
use crate::cells::{Cells, DoubleCoverSet};
use crate::geometry::{Cell, Geometry};
use crate::loop_tables::{LoopTables, SizedLoopTables};
use crate::position::{Colour, Position};
use crate::rules::{Move, Projex};

/// The contents of a cell. Shifted by its place in a ring, the lower six bits of the sum are the cells with `x`, and the
/// next six those with `o`.
const EMPTY: u8 = 0;
const STONE: [u8; 2] = [1, 1 << RING];
/// Number of cells around a cell; a corner has one less.
const RING: usize = 6;

/// The buffers for filling a board, reused for each game.
#[derive(Debug)]
pub(crate) struct RandomPlayout {
    /// By cell: [`EMPTY`], or a colour's [`STONE`].
    stones: Vec<u8>,
    /// The cells that were empty, in random order.
    filled: Vec<Cell>,
}

impl RandomPlayout {
    pub(crate) fn new(n_cells: usize) -> RandomPlayout {
        RandomPlayout {
            stones: vec![EMPTY; n_cells],
            filled: Vec::with_capacity(n_cells),
        }
    }

    /// Lists the empty cells in random order.
    fn shuffle(&mut self, board: &Geometry, position: &Position, rng: &mut Rng) {
        self.filled.clear();
        let is_empty = |&cell: &Cell| position.stone(cell).is_none();
        self.filled.extend(board.cells().filter(is_empty));
        rng.shuffle(&mut self.filled);
    }

    /// Plays an unfinished game to its end, adds the moves made from here on and their players to `amaf_moves`, and
    /// returns the winner. All randomness comes from `rng`, so equal seeds give equal games.
    pub(crate) fn play(
        &mut self,
        history: &PositionHistory<Projex>,
        rng: &mut Rng,
        amaf_moves: &mut AmafMoves,
    ) -> Side {
        let (game, position) = (history.game(), history.position());
        self.shuffle(game.board(), position, rng);
        let last = match history.last() {
            Some(Move::Place(cell)) => Some(cell),
            Some(Move::Swap) | None => None,
        };
        self.copy_stones(position);
        self.place_all(game.board(), position.turn(), last);
        let owners = Colour::BOTH.map(|colour| position.owner(colour));
        for &cell in &self.filled {
            let colour = usize::from(self.stones[usize::from(cell)] == STONE[1]);
            amaf_moves.add(cell.into(), owners[colour]);
        }
        owners[self.holder(game).index()]
    }

    /// The colour with a global loop on the full board.
    fn holder(&self, game: &Projex) -> Colour {
        match &game.tables.loop_tables {
            LoopTables::Small(tables) => self.winner(tables),
            LoopTables::Medium(tables) => self.winner(tables),
            LoopTables::Large(tables) => self.winner(tables),
        }
    }

    fn copy_stones(&mut self, position: &Position) {
        for (stone, there) in self.stones.iter_mut().zip(position.stones()) {
            *stone = there.map_or(EMPTY, |colour| STONE[colour.index()]);
        }
    }

    /// Places stones in turn: on the cell that repairs a broken bridge, otherwise on the next empty cell.
    fn place_all(&mut self, board: &Geometry, mut turn: Colour, mut last: Option<Cell>) {
        let mut next = self.filled.iter();
        loop {
            let mended = last.and_then(|last| broken_bridge(board, &self.stones, last, turn));
            let is_empty = |cell: &Cell| self.stones[usize::from(*cell)] == EMPTY;
            let Some(cell) = mended.or_else(|| next.find(|cell| is_empty(cell)).copied()) else {
                return;
            };
            self.stones[usize::from(cell)] = STONE[turn.index()];
            last = Some(cell);
            turn = turn.other();
        }
    }

    /// The colour with a global loop on the full board. Every global loop meets the longest row, which is one itself.
    fn winner<const W: usize>(&self, tables: &SizedLoopTables<W>) -> Colour {
        let x = Cells::which(&self.stones, |&stone| stone == STONE[Colour::X.index()]);
        let mut starts = x & tables.row;
        while let Some(start) = starts.iter().next() {
            match chain(tables, x, start) {
                Some(chain) => starts = starts & !chain,
                None => return Colour::X,
            }
        }
        Colour::O
    }
}

/// The chain of a stone among the stones of a colour; `None` if the chain contains a global loop, because one of its
/// stones is reached on both sheets.
fn chain<const W: usize>(
    tables: &SizedLoopTables<W>,
    stones: Cells<W>,
    start: Cell,
) -> Option<Cells<W>> {
    let mut chain = DoubleCoverSet::default().with((start, false));
    let mut fresh = chain;
    while !fresh.is_empty() {
        let reached = fresh.spread(&tables.near) & DoubleCoverSet::both(stones);
        fresh = reached & !chain;
        chain |= reached;
        if !(chain & chain.turned()).is_empty() {
            return None;
        }
    }
    Some(chain.flat())
}

/// The moves of each player in a game, at any ply, for AMAF (all moves as first; Gelly and Silver 2007). Indexed by move
/// index; 1 for the first player, 2 for the second.
#[derive(Debug, Clone)]
pub(crate) struct AmafMoves(Vec<u8>);

impl AmafMoves {
    /// An empty set over `n_indices` move indices.
    pub(crate) fn new(n_indices: usize) -> AmafMoves {
        AmafMoves(vec![0; n_indices])
    }

    /// Removes all moves.
    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds a move by a player.
    #[inline]
    pub(crate) fn add(&mut self, index: usize, side: Side) {
        self.0[index] |= 1 << side.index();
    }

    /// `true` if the player made the move.
    #[inline]
    pub(crate) fn has(&self, index: usize, side: Side) -> bool {
        self.0[index] >> side.index() & 1 != 0
    }
}

/// The empty cell that repairs a bridge of this colour, if the last stone was placed between its ends.
#[inline]
fn broken_bridge(board: &Geometry, stones: &[u8], last: Cell, colour: Colour) -> Option<Cell> {
    let (ring, degree) = board.ring(last);
    let states = ring.iter().enumerate().fold(0, |states, (i, &cell)| {
        states | usize::from(stones[usize::from(cell)]) << i
    });
    let states = match colour {
        Colour::X => states,
        Colour::O => (states >> RING | states << RING) % MENDS[0].len(),
    };
    let mend = MENDS[usize::from(degree == RING)][states];
    ring.get(usize::from(mend)).copied()
}

/// By the states of a ring of five or six cells, the own stones in the lower bits: the first place that repairs a bridge
/// of these; [`RING`] if there is none.
static MENDS: [[u8; 1 << (2 * RING)]; 2] = [mends(RING - 1), mends(RING)];

const fn mends(degree: usize) -> [u8; 1 << (2 * RING)] {
    let mut mends = [RING as u8; 1 << (2 * RING)];
    let ring: u8 = (1 << degree) - 1;
    let mut states = 0;
    while states < mends.len() {
        let own = states as u8 & ring;
        let enemy = (states >> RING) as u8;
        let broken = between(own, degree) & ring & !own & !enemy;
        if broken != 0 {
            mends[states] = broken.trailing_zeros() as u8;
        }
        states += 1;
    }
    mends
}

#[cfg(test)]
mod tests {
    use kit::{Game, Outcome};

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

    /// The stones as a position has them.
    fn colours(filler: &RandomPlayout) -> Vec<Option<Colour>> {
        let of_stone = |&stone: &u8| {
            let is_it = |colour: &Colour| STONE[colour.index()] == stone;
            Colour::BOTH.into_iter().find(is_it)
        };
        filler.stones.iter().map(of_stone).collect()
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
                let winner = filler.play(&play, &mut rng, &mut amaf_moves);
                let full = game.set_up(&colours(&filler), play.position().x_owner);
                assert_eq!(
                    game.outcome(&full),
                    Some(Outcome::Win(winner)),
                    "size {size}"
                );
                wins[winner.index()] += 1;
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
            let stones = colours(&filler);
            let n_x = stones.iter().filter(|&&stone| stone == Some(Colour::X));
            assert_eq!(n_x.count(), game.board().n_cells().div_ceil(2));
            for cell in game.board().cells() {
                let was_empty = position.stone(cell).is_none();
                let owner = stones[usize::from(cell)].map(|colour| position.owner(colour));
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
        let mut filler = RandomPlayout::new(board.n_cells());
        let mut mend = |play: &PositionHistory<Projex>, last, colour| {
            filler.copy_stones(play.position());
            broken_bridge(board, &filler.stones, last, colour)
        };
        for (broken, mended) in [(one, other), (other, one)] {
            play.play(Move::Place(broken));
            assert_eq!(mend(&play, broken, Colour::X), Some(mended));
            play.undo();
        }
        assert_eq!(mend(&play, cell(4, 5), Colour::O), None);
    }
}
