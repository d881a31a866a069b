//! Evaluation: the stones that each colour needs for a global loop, and the number of ways to place them.

use kit::search::NewSearch;
use kit::{Evaluate, Forced};

use crate::bridges::between;
use crate::connections::{MAX_PROOF_CELLS, wins};
use crate::geometry::Cell;
use crate::position::{Colour, Position};
use crate::prospects::Prospects;
use crate::rules::{Move, Projex, SWAP_AFTER};
use crate::tree::SearchTree;

/// The value of needing one stone less.
const STONE: i32 = 100;
/// Maximum value of alternative ways to a loop. Three times as many cells as needed have half of it.
const WAYS: i32 = 90;
/// The value of a loop that is complete except for bridges.
const VIRTUAL_WIN: i32 = 600;
/// Cap on the number of stones needed, which keeps scores small. More are needed only in positions that do not occur in
/// play.
const MOST_STONES: u16 = 100;
/// The value of being the side to move.
const TEMPO: i32 = 50;

/// The prior of a cell on a cheapest loop, for each colour.
const KEY: i32 = 1_500;
/// The prior of a cell that repairs a broken bridge of either colour or completes the cut.
const BROKEN_BRIDGE: i32 = 3_000;
/// The prior of `swap`: it is one move among a hundred and often the best.
const SWAP: i32 = 10_000;
/// The prior of a cell for each adjacent stone of the opponent.
const TOUCH: i32 = 100;

impl Evaluate for Projex {
    type Sums = ();

    fn evaluate(&self, position: &Position, (): &()) -> i32 {
        let [x, o] = Prospects::of_both(&self.tables.loop_tables, position).map(value);
        let lead = match position.turn() {
            Colour::X => x - o,
            Colour::O => o - x,
        };
        let score = lead + TEMPO;
        // A player who may swap gets the better colour.
        if self.can_swap(position) {
            score.abs()
        } else {
            score
        }
    }

    fn move_priors<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        let mut keys = vec![0; self.board().n_cells()];
        for prospects in Prospects::of_both(&self.tables.loop_tables, position) {
            for cell in prospects.keys {
                keys[usize::from(cell)] += KEY;
            }
        }
        move |mv| match mv {
            Move::Place(cell) => keys[usize::from(cell)] + self.contact(position, cell),
            Move::Swap => SWAP,
        }
    }

    fn own_search(&self) -> Option<NewSearch<Projex>> {
        Some(|mib| Some(Box::new(SearchTree::new(mib)?)))
    }

    fn forced(&self, position: &Position) -> Option<Forced<Move>> {
        Some(forced(self, position))
    }

    fn symmetric_key(&self, position: &Position) -> u64 {
        self.smallest_key(position)
    }

    fn win_in_one(&self, position: &Position) -> Option<Move> {
        let wins = |&cell: &Cell| {
            position.stone(cell).is_none()
                && position.closes_loop(self.board(), cell, position.turn())
        };
        self.board().cells().find(wins).map(Move::Place)
    }
}

impl Projex {
    /// The prior of a cell by the stones around it.
    fn contact(&self, position: &Position, cell: Cell) -> i32 {
        let turn = position.turn();
        let own = position.stones_around(self.board(), cell, turn);
        let enemy = position.stones_around(self.board(), cell, turn.other());
        let degree = self.board().neighbours(cell).len();
        let is_broken = between(own, degree) & enemy | between(enemy, degree) & own != 0;
        BROKEN_BRIDGE * i32::from(is_broken) + TOUCH * enemy.count_ones() as i32
    }
}

/// The value of a colour's prospects.
fn value(prospects: Prospects) -> i32 {
    if prospects.need == 0 {
        return VIRTUAL_WIN;
    }
    let (need, n_keys) = (
        i32::from(prospects.need.min(MOST_STONES)),
        prospects.keys.len() as i32,
    );
    WAYS * (n_keys - need) / (n_keys + need) - STONE * need
}

/// The proof about a position that is not over.
fn forced(game: &Projex, position: &Position) -> Forced<Move> {
    let n_empty = (game.board().n_cells() - position.n_stones()) as u32;
    if game.can_swap(position) {
        // One colour wins, and the player to move can choose this colour.
        return Forced::Win { plies: n_empty + 1 };
    }
    if game.has_swap && position.n_stones() < SWAP_AFTER {
        return Forced::Open;
    }
    if game.board().n_cells() > MAX_PROOF_CELLS {
        return Forced::Open;
    }
    let threats = wins(game.board(), position, position.turn().other());
    if threats.semi.is_empty() {
        return Forced::Open;
    }
    // A full board ends every game.
    let plies = n_empty.min(2 * u32::from(threats.n_stones()));
    let moves: Vec<Move> = threats.common.iter().map(Move::Place).collect();
    if moves.is_empty() {
        Forced::Loss { plies }
    } else {
        Forced::Only { moves, plies }
    }
}
