//! Evaluation.
//!
//! A learned network scores positions. It has an input for each cell, given by its content and that of its neighbours, up
//! to rotation and reflection, so the same network serves boards of every size. The empty neighbours of a stone are its
//! *liberties*. The [prior](Evaluate::move_priors) of a move is the change in the value of the stones by their liberties.
//! An opponent's stone with one liberty usually means a win, which [`win_in_one`](Evaluate::win_in_one) finds without a
//! search.

use std::iter;
use std::sync::{Arc, LazyLock};

use kit::network::{FeaturePair, Network, NetworkSums, PlacedInput, pattern_classes};
use kit::weights::built_in;
use kit::{Evaluate, Game, NetworkInputs, Outcome, Side};

use crate::cells::{CENTRE, Cell, Cells, Window, cells_in};
use crate::geometry::{CLOCKWISE, Geometry};
use crate::position::{Move, Position, Susan};

/// The network trained by `linesman-lab learn`; `spec/lab.md` lists the commands.
pub(crate) static NETWORK: LazyLock<Arc<Network>> =
    LazyLock::new(|| built_in(include_bytes!("susan.net")));

/// Value of a stone by its number of liberties, for move ordering.
const LIBERTY_VALUES: [i32; 7] = [-2_000, -160, -10, 30, 40, 40, 40];

/// Weight of a prior relative to killers and history: large enough that they never outweigh the loss of surrounding
/// one's own stone.
const PRIOR_WEIGHT: i32 = 20;

impl Evaluate for Susan {
    const N_UNPRUNED_MOVES: Option<usize> = Some(16);

    type Sums = NetworkSums;

    fn evaluate(&self, position: &Position, sums: &NetworkSums) -> i32 {
        self.network.score(sums.accumulator(), position.side)
    }

    fn network_inputs(&self) -> Option<&dyn NetworkInputs<Susan>> {
        Some(self)
    }

    fn win_in_one(&self, position: &Position) -> Option<Move> {
        let targets = position.stones[position.side.other().index()].iter();
        targets
            .filter_map(|stone| self.last_liberty(position, stone))
            .find_map(|cell| self.winning_fill(position, cell))
    }

    fn move_priors<'a>(&'a self, position: &'a Position) -> impl Fn(Move) -> i32 + 'a {
        move |mv| self.prior(position, mv)
    }
}

impl Susan {
    /// The change in the value of the stones by a move.
    fn prior(&self, position: &Position, mv: Move) -> i32 {
        let empty = after(&position.empty, mv);
        let stone = self.liberty_value(&empty, mv.to);
        let gain = match mv.from() {
            None => stone + self.gain_around(position, &empty, mv.to),
            Some(from) => {
                // The sliding stone is still counted at its origin, among the neighbours of its destination.
                // Neighbours of both cells are counted twice, but their liberties do not change.
                stone - self.liberty_value(&empty, from)
                    + self.gain_around(position, &empty, mv.to)
                    + self.gain_around(position, &empty, from)
            }
        };
        gain * PRIOR_WEIGHT
    }

    /// The value of a stone, given the empty cells.
    fn liberty_value(&self, empty: &Cells, stone: Cell) -> i32 {
        LIBERTY_VALUES[self.liberties(empty, stone).count_ones() as usize]
    }

    /// The change in value for the side to move, over the stones around a cell, if the empty cells become `empty`.
    fn gain_around(&self, position: &Position, empty: &Cells, centre: Cell) -> i32 {
        let gain = |side: Side| -> i32 {
            cells_in(self.stones_around(position, side, centre), centre)
                .map(|stone| {
                    self.liberty_value(empty, stone) - self.liberty_value(&position.empty, stone)
                })
                .sum()
        };
        gain(position.side) - gain(position.side.other())
    }

    /// A player's stones next to a cell, in the window around it.
    fn stones_around(&self, position: &Position, side: Side, centre: Cell) -> Window {
        self.board.near(centre) & position.stones[side.index()].window(centre)
    }

    /// The only liberty of a stone; `None` if it has none or several.
    fn last_liberty(&self, position: &Position, stone: Cell) -> Option<Cell> {
        let liberties = self.liberties(&position.empty, stone);
        cells_in(liberties, stone)
            .next()
            .filter(|_| liberties.is_power_of_two())
    }

    /// A move to this empty cell that wins at once.
    fn winning_fill(&self, position: &Position, to: Cell) -> Option<Move> {
        let sliders = cells_in(self.stones_around(position, position.side, to), to);
        iter::once(Move::place(to))
            .chain(sliders.map(|from| Move::slide(from, to)))
            .find(|&mv| self.wins(position, mv))
    }

    fn wins(&self, position: &Position, mv: Move) -> bool {
        let mut after = position.clone();
        self.play(&mut after, mv);
        self.outcome(&after) == Some(Outcome::Win(position.side))
    }
}

/// The empty cells after a move.
fn after(empty: &Cells, mv: Move) -> Cells {
    let mut after = *empty;
    after.flip(mv.to);
    if let Some(from) = mv.from() {
        after.flip(from);
    }
    after
}

/// Number of patterns around a cell: bits for neighbours with own stones, and with enemy stones; both bits are set for
/// a neighbour beyond the edge.
const PATTERNS: usize = 1 << 12;

/// Number of patterns up to symmetry, by Burnside's lemma.
const CLASSES: usize = 430;

/// The class of each pattern.
static CLASS: LazyLock<Box<[u16; PATTERNS]>> =
    LazyLock::new(|| pattern_classes(|pattern| symmetric(pattern).min()));

/// Number of inputs: the classes for each of three states of the cell.
const N_INPUTS: usize = 3 * CLASSES;

/// The images of a pattern under all twelve symmetries of the hexagon.
fn symmetric(pattern: u16) -> impl Iterator<Item = u16> {
    let moved = move |way: &dyn Fn(usize) -> usize| {
        (0..6).fold(0, |sum, i| {
            let (from, to) = (CLOCKWISE[i], CLOCKWISE[way(i) % 6]);
            sum | (pattern >> from & 1) << to | (pattern >> (6 + from) & 1) << (6 + to)
        })
    };
    (0..6).flat_map(move |by| [moved(&|i| i + by), moved(&|i| by + 6 - i)])
}

impl NetworkInputs<Susan> for Susan {
    fn n_inputs(&self) -> usize {
        N_INPUTS
    }

    fn network(&self) -> Option<&Arc<Network>> {
        Some(&self.network)
    }

    fn with_network(&self, network: Arc<Network>) -> Susan {
        Susan {
            network,
            ..self.clone()
        }
    }

    /// The places are the cells. A move changes those that it fills or vacates, and their neighbours.
    fn placed_inputs(
        &self,
        position: &Position,
        last: Option<Move>,
        placed: &mut Vec<PlacedInput>,
    ) {
        let board = &self.board;
        let at = |cell| PlacedInput {
            place: usize::from(cell),
            input: Some(input(board, position, cell)),
        };
        let Some(mv) = last else {
            placed.extend(board.cells().map(at));
            return;
        };
        let mut touched = board.ring(mv.to).touched;
        if let Some(from) = mv.from() {
            touched = touched.union(&board.ring(from).touched);
        }
        placed.extend(touched.iter().map(at));
    }
}

/// The input of a cell, from the point of view of player 1 and of player 2.
fn input(board: &Geometry, position: &Position, cell: Cell) -> FeaturePair {
    let (ring, near) = (board.ring(cell), board.near(cell));
    let six = Side::BOTH.map(|side| {
        let stones = position.stones[side.index()].window(cell);
        (ring.six(stones & near), stones >> CENTRE & 1)
    });
    let seen = |own: usize| {
        let ((own_six, is_own), (enemy_six, is_enemy)) = (six[own], six[1 - own]);
        // The cell is empty, or has an own stone, or an enemy stone.
        let held = (is_own + 2 * is_enemy) as usize;
        (held * CLASSES) as u16 + CLASS[usize::from(own_six | enemy_six << 6)]
    };
    [seen(0), seen(1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::PositionHistory;
    use laws::testing::at;

    /// Calls `look` with the unfinished positions of random games.
    fn along_random_games(look: impl Fn(&PositionHistory<Susan>)) {
        for size in 3..=8 {
            let start = at(&format!("Size={size}"), "startpos");
            laws::testing::along_random_games(&start, 0..50, &look);
        }
    }

    #[test]
    fn the_prior_of_a_move_is_what_it_adds_to_the_worth_of_stones() {
        along_random_games(|history| {
            let (game, position) = (history.game(), history.position());
            let worth = |position: &Position, side: Side| -> i32 {
                let stones = position.stones[side.index()].iter();
                stones
                    .map(|stone| game.liberty_value(&position.empty, stone))
                    .sum()
            };
            let balance = |position: &Position, side: Side| {
                worth(position, side) - worth(position, side.other())
            };
            for mv in history.moves() {
                let mut after = position.clone();
                game.play(&mut after, mv);
                let gain = balance(&after, position.side) - balance(position, position.side);
                let prior = game.prior(position, mv);
                assert_eq!(prior, gain * PRIOR_WEIGHT, "{history:?}: {mv:?}");
            }
        });
    }

    #[test]
    fn a_move_that_wins_at_once_is_seen_wherever_there_is_one() {
        along_random_games(|history| {
            laws::testing::check_win_in_one(history);
        });
    }

    #[test]
    fn patterns_are_numbered_without_gaps() {
        let most = CLASS.iter().max().expect("patterns");
        assert_eq!(usize::from(*most) + 1, CLASSES);
    }
}
