//! The index of each input, by the properties of a field, and sums of a network's parts, computed before any search.

use std::sync::{Arc, LazyLock};

use kit::Side;
use kit::network::{FeaturePair, Network, PartialAccumulator};

use crate::geometry::{Geometry, KINDS};
use crate::moves::Move;
use crate::plane::GridPoint;

/// Largest distances from the middle column, and from the border behind the own goal, with separate inputs; points
/// farther away share the inputs of these.
const FARTHEST: GridPoint = GridPoint::new(36, 80);
const N_COLUMNS: usize = FARTHEST.x as usize + 1;
const N_ROWS: usize = FARTHEST.y as usize + 1;
/// Number of goal distances with separate inputs, in moves.
const N_DISTANCES: usize = 16;
/// Maximum distance from the puck of the pieces that are inputs, to each side, and ahead and behind.
pub(crate) const REACH: GridPoint = GridPoint::new(3, 8);
/// Number of cells in a row within that distance, and of rows.
pub(crate) const ACROSS: usize = 2 * REACH.x as usize;
pub(crate) const UP: usize = 2 * REACH.y as usize;

/// The first input of each group: the puck's points, columns, rows, distance of the own goal and of the other.
const POINTS: usize = 0;
const COLUMNS: usize = POINTS + N_COLUMNS * N_ROWS;
const ROWS: usize = COLUMNS + N_COLUMNS;
const OWN_GOAL: usize = ROWS + N_ROWS;
const OTHER_GOAL: usize = OWN_GOAL + N_DISTANCES;
/// The first input of the puck's surroundings: sets of legal moves, and pieces.
const NEAR: usize = OTHER_GOAL + N_DISTANCES;

/// Number of inputs.
pub(crate) const N_INPUTS: usize = NEAR + N_NEAR;
/// Number of surroundings features: sets of legal moves by level and [`MoveGroup`], then pieces by cell and kind.
const N_NEAR: usize = PIECES + ACROSS * UP * KINDS.len();
/// The bits of the cells within reach in eight cells of a row.
pub(crate) const ROW: u64 = (1 << (ACROSS * KINDS.len())) - 1;
/// Index of the first piece.
pub(crate) const PIECES: usize = 3 * N_SETS;

/// Maximum number of pieces that are inputs, row by row. No game draws this many around a point.
pub(crate) const MAX_PIECES: usize = 200;
/// Maximum number of surroundings features at the same time.
pub(crate) const MAX_NEAR: usize = MAX_PIECES + MOVE_GROUPS.len();

/// Moves in similar directions: a range of moves. The set of legal moves among them is one input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveGroup {
    pub(crate) first: usize,
    pub(crate) len: usize,
    /// Index of the empty set.
    pub(crate) empty: usize,
}

impl MoveGroup {
    const fn new(first: usize, len: usize, empty: usize) -> MoveGroup {
        MoveGroup { first, len, empty }
    }
}

/// Up, sideways, down, and far. From the other player's point of view or mirrored, they are also groups.
pub(crate) const MOVE_GROUPS: [MoveGroup; 4] = [
    MoveGroup::new(0, 5, 0),
    MoveGroup::new(5, 6, 32),
    MoveGroup::new(11, 5, 96),
    MoveGroup::new(16, 4, 128),
];
/// Number of sets in all groups.
pub(crate) const N_SETS: usize = 144;

/// A player's view of the puck's surroundings: the input of each feature; `None` at the edge of the pieces in reach.
type NearInputs = Vec<Option<u16>>;

/// For each player, the view without and with reflection.
static VIEWS: LazyLock<[[NearInputs; 2]; 2]> = LazyLock::new(|| {
    Side::BOTH.map(|side| [false, true].map(|is_mirrored| view(side, is_mirrored)))
});

fn view(side: Side, is_mirrored: bool) -> NearInputs {
    let turned = |step: GridPoint| {
        GridPoint::new(
            if is_mirrored { -step.x } else { step.x },
            if side == Side::P2 { -step.y } else { step.y },
        )
    };
    let levels = (0..3).flat_map(|level| {
        let groups = MOVE_GROUPS.into_iter();
        let sets = groups.flat_map(|group| (0..1 << group.len).map(move |set| (group, set)));
        sets.map(move |(group, set)| {
            let number = level * N_SETS + turned_set(group, set, turned);
            Some((NEAR + number) as u16)
        })
    });
    let cells = (0..ACROSS * UP).flat_map(|at| (0..KINDS.len()).map(move |kind| (at, kind)));
    let pieces = cells.map(|(at, kind)| piece_input(at, kind, turned));
    levels.chain(pieces).collect()
}

/// The index, within a level, of a set of a group's moves after a symmetry.
fn turned_set(group: MoveGroup, set: usize, turned: impl Fn(GridPoint) -> GridPoint) -> usize {
    let image = |mv: Move| {
        let image = Move::all().find(|image| image.step() == turned(mv.step()));
        image.expect("the moves are symmetric").index()
    };
    let first = image(Move::at(group.first));
    let mut groups = MOVE_GROUPS.into_iter().rev();
    let seen = groups
        .find(|group| group.first <= first)
        .expect("the first group begins at 0");
    let members = (0..group.len).filter(|i| set >> i & 1 == 1);
    let bits = members.map(|i| 1 << (image(Move::at(group.first + i)) - seen.first));
    seen.empty + bits.sum::<usize>()
}

/// The input of a piece by its cell and kind.
fn piece_input(at: usize, kind: usize, turned: impl Fn(GridPoint) -> GridPoint) -> Option<u16> {
    let step = KINDS[kind];
    let cell = GridPoint::new((at % ACROSS) as i32, (at / ACROSS) as i32) - REACH;
    // In half units, because the cell is the midpoint rounded down.
    let middle = turned(GridPoint::new(
        2 * cell.x + (step.x & 1),
        2 * cell.y + (step.y & 1),
    ));
    // The same pieces are in reach of every view.
    if middle.x.abs() >= 2 * REACH.x || middle.y.abs() >= 2 * REACH.y {
        return None;
    }
    let x = middle.x.div_euclid(2) + REACH.x;
    let y = middle.y.div_euclid(2) + REACH.y;
    let ways = [turned(step), GridPoint::new(0, 0) - turned(step)];
    let kind = KINDS.iter().position(|kind| ways.contains(kind));
    let kind = kind.expect("the kinds are symmetric");
    let cell = y as usize * ACROSS + x as usize;
    Some((NEAR + PIECES + cell * KINDS.len() + kind) as u16)
}

/// The input of a feature from a player's point of view; `None` at the edge of the pieces in reach.
pub(crate) fn near_input(number: usize, side: Side, is_mirrored: bool) -> Option<u16> {
    VIEWS[side.index()][usize::from(is_mirrored)][number]
}

/// Calls `add` with the inputs of the puck's point.
pub(crate) fn add_place(board: &Geometry, puck: GridPoint, add: &mut impl FnMut(FeaturePair)) {
    let off_middle = 2 * puck.x - board.field.width();
    let column = (off_middle.abs() / 2).min(FARTHEST.x) as usize;
    let rows = [puck.y, board.field.height() - puck.y].map(|y| y.min(FARTHEST.y) as usize);
    let distances = Side::BOTH.map(|side| {
        let distance = board.distance(board.cell(puck), side);
        (distance as usize).min(N_DISTANCES - 1)
    });
    let mut add_seen = |inputs: [usize; 2]| add(inputs.map(|input| input as u16));
    add_seen(rows.map(|row| POINTS + row * N_COLUMNS + column));
    add_seen([COLUMNS + column; 2]);
    add_seen(rows.map(|row| ROWS + row));
    add_seen(distances.map(|distance| OWN_GOAL + distance));
    let [own, other] = distances;
    add_seen([other, own].map(|distance| OTHER_GOAL + distance));
}

/// `true` if the views are mirrored with the puck at this point.
pub(crate) fn is_mirrored(board: &Geometry, puck: GridPoint) -> bool {
    2 * puck.x > board.field.width()
}

/// A network with the parts of its sums on one field, from each player's point of view.
#[derive(Debug)]
pub(crate) struct Learned {
    pub(crate) network: Arc<Network>,
    /// By the puck's cell: the part of all inputs of its point.
    places: [Vec<PartialAccumulator>; 2],
    /// Without and with reflection, by the features of the puck's surroundings.
    near: [[Vec<PartialAccumulator>; 2]; 2],
}

impl Learned {
    pub(crate) fn new(network: Arc<Network>, board: &Geometry) -> Learned {
        let part = |input: &Option<u16>| match *input {
            Some(input) => network.partial(|add| add(input)),
            None => PartialAccumulator::default(),
        };
        let parts = |view: &NearInputs| view.iter().map(part).collect();
        Learned {
            places: Side::BOTH.map(|side| places(&network, board, side)),
            near: VIEWS.each_ref().map(|views| views.each_ref().map(parts)),
            network,
        }
    }

    /// The sum of the part of a puck's point and those of its surroundings, by their indices.
    pub(crate) fn sum(
        &self,
        board: &Geometry,
        puck: GridPoint,
        side: Side,
        near: &[u16],
    ) -> PartialAccumulator {
        let mirror = usize::from(is_mirrored(board, puck));
        let place = &self.places[side.index()][board.cell(puck)];
        place.plus(&self.near[side.index()][mirror], near)
    }
}

fn places(network: &Network, board: &Geometry, side: Side) -> Vec<PartialAccumulator> {
    let mut places = vec![PartialAccumulator::default(); board.n_cells()];
    for puck in board.field.inside() {
        places[board.cell(puck)] = network.partial(|add| {
            add_place(board, puck, &mut |seen| add(seen[side.index()]));
        });
    }
    places
}
