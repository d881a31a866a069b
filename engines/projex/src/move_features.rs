//! The move features of the learned policy: the stones around the cell, its relation to the last two stones, and the
//! cheapest loops that it is on.
//!
//! All features are from the point of view of the player to move, and up to rotation and reflection, so one policy
//! serves boards of every size.
//!
//! | features | content |
//! | --- | --- |
//! | 131 | the ring: the states of the neighbours |
//! | 135 | for two consecutive neighbours, the wedge: they, the neighbours next to them, and the cell behind them |
//! | 72 | for each neighbour, the ray: the neighbour, the cell straight behind it, and the cells next to that one |
//! | 36 | the relation of the cell to the last stone, and to the one before |
//! | 256 | the colours with the cell on a cheapest loop, and the stones that each colour needs |
//! | 32 | steps to the nearest corner, and phase of the game |
//! | 1 | repairs a bridge that the last stone broke |
//! | 5 | `swap`, by the lead in the stones needed |
//! | 2 x 14 | for both colours: whether the cell is on a cheapest loop, and the number of its neighbours that are |

use std::array;
use std::sync::Arc;

use kit::PositionHistory;

use crate::bridges::between;
use crate::geometry::Cell;
use crate::policy::Policy;
use crate::position::{Colour, Position};
use crate::prospects::Prospects;
use crate::rules::{Move, Projex};
use crate::surroundings::{Classes, FAR_FROM_CORNER, MAX_CELLS, N_RAYS, N_RINGS, N_WEDGES};

/// The states of a cell.
pub(crate) const EMPTY: u8 = 0;
pub(crate) const OWN: u8 = 1;
pub(crate) const ENEMY: u8 = 2;
/// The state of a place without a cell.
pub(crate) const ABSENT: u8 = 3;

/// The relation of a cell to a stone.
const FAR: u8 = 0;
const ADJACENT: u8 = 1;
/// Over two empty cells.
const OPEN_BRIDGE: u8 = 2;
const CLOSED_BRIDGE: u8 = 3;
const STRAIGHT: u8 = 4;
const NO_STONE: u8 = 5;
const N_RELATIONS: u16 = 6;

/// Maximum of the feature for stones needed; larger values count as this one.
const MOST_NEEDED: u16 = 7;
/// Number of phases of a game, by the number of stones on the board.
const N_PHASES: usize = 8;
/// Number of counts of neighbours on cheapest loops, from 0.
const N_KEY_COUNTS: u16 = 7;
/// Maximum lead when `swap` is legal; larger leads count as this one.
const LARGEST_LEAD: i32 = 2;

// The first index of each kind of feature.
const WEDGES: u16 = N_RINGS;
const RAYS: u16 = WEDGES + N_WEDGES;
const RELATIONS: u16 = RAYS + N_RAYS;
const LOOPS: u16 = RELATIONS + N_RELATIONS * N_RELATIONS;
const CORNERS: u16 = LOOPS + 4 * (MOST_NEEDED + 1) * (MOST_NEEDED + 1);
const REPAIR: u16 = CORNERS + N_PHASES as u16 * (FAR_FROM_CORNER as u16 + 1);
const SWAP: u16 = REPAIR + 1;
const KEYS: u16 = SWAP + 2 * LARGEST_LEAD as u16 + 1;
/// Number of features.
pub const N_FEATURES: usize = (KEYS + 4 * N_KEY_COUNTS) as usize;

/// A value for each cell, and for the index that represents an absent cell.
type PerCell = [u8; MAX_CELLS + 1];

/// A position as the features represent it.
struct Seen<'a> {
    game: &'a Projex,
    states: PerCell,
    /// The relation of each cell to the last stone and to the one before.
    relations: [PerCell; 2],
    /// By cell: 1 if it is on a cheapest loop of the player to move, plus 2 if it is on one of the opponent's.
    keys: PerCell,
    /// The stones that the player to move and the opponent need.
    needs: [u16; 2],
    /// Cells that repair a bridge that the last stone broke.
    repairs: Vec<Cell>,
    phase: u16,
}

impl Projex {
    /// The policy.
    pub fn policy(&self) -> &Arc<Policy> {
        &self.policy
    }

    /// The same game with another policy.
    pub fn with_policy(&self, policy: Arc<Policy>) -> Projex {
        Projex {
            policy,
            ..self.clone()
        }
    }

    /// Calls `add` with the index and the active features of each legal move, in canonical order. The game must not be
    /// over.
    pub fn move_features(
        &self,
        history: &PositionHistory<Projex>,
        mut add: impl FnMut(usize, &[u16]),
    ) {
        let position = history.position();
        let seen = Seen::new(self, position, last_two(history.played()));
        let classes = Classes::get();
        let mut features = Vec::new();
        for cell in self.board().cells() {
            if position.stone(cell).is_none() {
                features.clear();
                seen.push_shape(classes, cell, &mut features);
                seen.push_rest(cell, &mut features);
                add(cell.into(), &features);
            }
        }
        if self.can_swap(position) {
            let [own, enemy] = seen.needs.map(i32::from);
            let lead = (own - enemy).clamp(-LARGEST_LEAD, LARGEST_LEAD);
            add(
                self.board().n_cells(),
                &[SWAP + (lead + LARGEST_LEAD) as u16],
            );
        }
    }
}

impl<'a> Seen<'a> {
    fn new(game: &'a Projex, position: &Position, last: [Option<Cell>; 2]) -> Seen<'a> {
        let turn = position.turn();
        let mut states = [ABSENT; MAX_CELLS + 1];
        for (state, stone) in states.iter_mut().zip(position.stones()) {
            *state = match stone {
                None => EMPTY,
                Some(colour) if *colour == turn => OWN,
                Some(_) => ENEMY,
            };
        }
        let prospects = Prospects::of_both(&game.tables.loop_tables, position);
        let mut keys = [0; MAX_CELLS + 1];
        for (prospects, colour) in prospects.iter().zip(Colour::BOTH) {
            for &cell in &prospects.keys {
                keys[usize::from(cell)] |= if colour == turn { 1 } else { 2 };
            }
        }
        let need = |colour: Colour| prospects[colour.index()].need.min(MOST_NEEDED);
        let phase = N_PHASES * position.n_stones() / game.board().n_cells();
        Seen {
            game,
            relations: last.map(|stone| relations(game, &states, stone)),
            repairs: last[0].map_or_else(Vec::new, |last| repairs(game, &states, last)),
            keys,
            needs: [need(turn), need(turn.other())],
            phase: phase as u16,
            states,
        }
    }

    /// Adds the features of the ring, the wedges and the rays.
    fn push_shape(&self, classes: &Classes, cell: Cell, features: &mut Vec<u16>) {
        let around = &self.game.tables.surroundings.around[usize::from(cell)];
        let state = |cell: Cell| self.states[usize::from(cell)];
        let n = around.degree;
        let ring = around.ring.map(state);
        let behind = around.behind.map(state);
        features.push(classes.ring(&ring[..n]));
        for i in 0..n {
            let [before, next, after] = [n - 1, 1, 2].map(|step| (i + step) % n);
            let row = [ring[before], ring[i], ring[next], ring[after]];
            features.push(WEDGES + classes.wedge(row, behind[i]));
            let far = state(around.straight[i]);
            let beside = [behind[before], behind[i]];
            features.push(RAYS + classes.ray(ring[i], far, beside));
        }
    }

    fn push_rest(&self, cell: Cell, features: &mut Vec<u16>) {
        let at = usize::from(cell);
        let [last, before] = [0, 1].map(|i| u16::from(self.relations[i][at]));
        features.push(RELATIONS + N_RELATIONS * last + before);
        let [own, enemy] = self.needs;
        let needs = (MOST_NEEDED + 1) * own + enemy;
        features.push(LOOPS + 4 * needs + u16::from(self.keys[at]));
        let corner = self.game.tables.surroundings.to_corner[usize::from(cell)];
        features.push(CORNERS + (u16::from(FAR_FROM_CORNER) + 1) * self.phase + u16::from(corner));
        if self.repairs.contains(&cell) {
            features.push(REPAIR);
        }
        let ring = self.game.board().neighbours(cell);
        for colour in 0..2 {
            let is_key = |cell: Cell| u16::from(self.keys[usize::from(cell)] >> colour & 1);
            let n_keys: u16 = ring.iter().map(|&cell| is_key(cell)).sum();
            features.push(KEYS + N_KEY_COUNTS * (2 * colour + is_key(cell)) + n_keys);
        }
    }
}

/// The relation of each cell to a stone; of two relations, the closer one.
fn relations(game: &Projex, states: &PerCell, stone: Option<Cell>) -> PerCell {
    let Some(stone) = stone else {
        return [NO_STONE; MAX_CELLS + 1];
    };
    let mut relations = [FAR; MAX_CELLS + 1];
    let around = &game.tables.surroundings.around[usize::from(stone)];
    let n = around.degree;
    for &cell in &around.straight[..n] {
        relations[usize::from(cell)] = STRAIGHT;
    }
    let is_empty = |cell: Cell| states[usize::from(cell)] == EMPTY;
    for i in 0..n {
        let is_open = is_empty(around.ring[i]) && is_empty(around.ring[(i + 1) % n]);
        let bridge = if is_open { OPEN_BRIDGE } else { CLOSED_BRIDGE };
        relations[usize::from(around.behind[i])] = bridge;
    }
    for &cell in &around.ring[..n] {
        relations[usize::from(cell)] = ADJACENT;
    }
    relations
}

/// The cells that repair a bridge that the last stone broke.
fn repairs(game: &Projex, states: &PerCell, last: Cell) -> Vec<Cell> {
    let ring = game.board().neighbours(last);
    let with = |state: u8| {
        let cells = ring.iter().enumerate();
        cells.fold(0, |cells, (i, &cell)| {
            cells | u8::from(states[usize::from(cell)] == state) << i
        })
    };
    let repairs = between(with(OWN), ring.len()) & with(EMPTY);
    let is_repair = |i: &usize| repairs >> i & 1 != 0;
    (0..ring.len()).filter(is_repair).map(|i| ring[i]).collect()
}

/// The stones of the last two moves; `None` for a move that placed none.
pub(crate) fn last_two(mut played: impl DoubleEndedIterator<Item = Move>) -> [Option<Cell>; 2] {
    array::from_fn(|_| match played.next_back() {
        Some(Move::Place(cell)) => Some(cell),
        Some(Move::Swap) | None => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(size: i32) -> Projex {
        laws::testing::game(&format!("Size={size}"))
    }

    /// The sorted features of each move.
    fn features(history: &PositionHistory<Projex>) -> Vec<(usize, Vec<u16>)> {
        let mut all = Vec::new();
        history.game().move_features(history, |index, features| {
            let mut features = features.to_vec();
            features.sort_unstable();
            all.push((index, features));
        });
        all
    }

    #[test]
    fn symmetric_positions_have_equal_features() {
        let mut rng = fastrand::Rng::with_seed(1);
        for size in [3, 4, 5, 7, 9, 11] {
            let game = game(size);
            let symmetries = game.board().symmetries();
            assert!(symmetries.len() >= 6, "size {size}: {}", symmetries.len());
            for _ in 0..10 {
                let n_moves = rng.usize(..game.board().n_cells());
                let images = rng.choice(&symmetries).expect("the identity");
                let mut histories = [(); 2].map(|()| PositionHistory::start(game.clone()));
                for _ in 0..n_moves {
                    let mv = *rng.choice(&histories[0].moves()).expect("a move");
                    let image = match mv {
                        Move::Place(cell) => Move::Place(images[usize::from(cell)]),
                        Move::Swap => mv,
                    };
                    histories[0].play(mv);
                    histories[1].play(image);
                    if histories[0].outcome().is_some() {
                        histories.iter_mut().for_each(|history| {
                            history.undo();
                        });
                        break;
                    }
                }
                let [one, other] = histories.map(|history| features(&history));
                for (index, features) in one {
                    let image = images.get(index).map_or(index, |&cell| cell.into());
                    let found = other.iter().find(|(other, _)| *other == image);
                    assert_eq!(found.map(|found| &found.1), Some(&features), "size {size}");
                }
            }
        }
    }

    /// A6 and C5 have the same two empty common neighbours.
    #[test]
    fn a_cell_that_repairs_a_bridge_has_a_feature() {
        let game = game(5);
        let cell = |row, letter| {
            let found = game.board().cell_at(crate::geometry::Place { row, letter });
            found.expect("on the board")
        };
        let mut history = PositionHistory::start(game.clone());
        for (row, letter) in [(6, 4), (1, 6), (4, 5), (5, 4)] {
            history.play(Move::Place(cell(row, letter)));
        }
        let repairs: Vec<usize> = features(&history)
            .into_iter()
            .filter(|(_, features)| features.contains(&REPAIR))
            .map(|(index, _)| index)
            .collect();
        assert_eq!(repairs, [usize::from(cell(5, 5))]);
    }
}
