//! Tables for one field: the segments that each move draws, and those that conflict with it.
//!
//! Drawn lines are stored as *pieces*, the shortest segments between lattice points: each of the eight kinds in
//! [`KINDS`], at any location. A move draws one piece, two, or eight. A set of pieces determines exactly the set of
//! points in the union of all segments. Each lattice point has a *cell* of eight bits, one per kind, for the pieces
//! whose midpoint, rounded down, is that point. Only the pieces in a few cells around the puck can therefore conflict
//! with a move, and a few [`Probe`]s test whether any of them is drawn.

use std::array;
use std::collections::VecDeque;

use kit::Side;
use kit::bits::bits;

use crate::field::Field;
use crate::moves::{Move, Moves, N_MOVES};
use crate::plane::{GridPoint, Meeting, Segment};

/// The kinds of pieces, as steps from one end to the other. The index of a kind is that of its bit in a cell.
pub(crate) const KINDS: [GridPoint; 8] = [
    GridPoint::new(1, 0),
    GridPoint::new(0, 1),
    GridPoint::new(1, 1),
    GridPoint::new(1, -1),
    GridPoint::new(2, 1),
    GridPoint::new(2, -1),
    GridPoint::new(1, 2),
    GridPoint::new(1, -2),
];

/// Margin of cells around the field, so that every probe stays within the table: the longest move and its neighbours.
const MARGIN: i32 = 10;

/// Number of short moves, which come first. They extend at most `SHORT` to each side, and only pieces in cells within
/// that distance conflict with them.
const N_SHORT: usize = 16;
const SHORT: i32 = 2;
/// Number of cells in a row, and of rows, within that distance.
const NEAR_CELLS: usize = 2 * SHORT as usize + 1;

/// A field with its tables.
#[derive(Debug)]
pub(crate) struct Geometry {
    pub(crate) field: Field,
    /// Distance between the cells of adjacent rows.
    pub(crate) stride: i32,
    /// For each cell, the moves from its point that end inside the boundary and do not run along a goal's outline.
    open: Vec<Moves>,
    /// For each player and cell, the number of moves to that player's goal on an empty field.
    distances: [Vec<u8>; 2],
    /// The segments that each move draws.
    strokes: [Stroke; N_MOVES],
    /// The pieces that a move would touch, cross or run along.
    conflicts: Blockers,
    /// The pieces that a move would run along.
    overlaps: Blockers,
}

/// One piece: its cell, and its kind as the index of a bit in the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) cell: usize,
    pub(crate) kind: u8,
}

/// The pieces of a move, with cells relative to the puck's.
#[derive(Debug, Clone, Copy)]
struct Stroke {
    kind: u8,
    n_pieces: u8,
    first: isize,
    step: isize,
}

/// The pieces that block moves.
#[derive(Debug)]
struct Blockers {
    /// Indexed by row of cells and bit of the row: the short moves that this piece blocks.
    near: [[Moves; 8 * NEAR_CELLS]; NEAR_CELLS],
    /// For each long move, the locations of the pieces that block it.
    far: [(Move, Vec<Probe>); N_MOVES - N_SHORT],
    /// Offset from a cell to the first cell of `near`.
    first: isize,
    stride: usize,
}

/// Pieces in eight cells of a row: the first cell, relative to the puck's, and a byte per cell.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Probe {
    first: isize,
    pieces: u64,
}

impl Geometry {
    pub(crate) fn new(field: Field) -> Geometry {
        let stride = field.width() + 1 + 2 * MARGIN;
        let all: [Move; N_MOVES] = array::from_fn(Move::at);
        let mut board = Geometry {
            field,
            stride,
            open: Vec::new(),
            distances: [Vec::new(), Vec::new()],
            strokes: all.map(|mv| Stroke::new(mv, stride)),
            conflicts: Blockers::new(Meeting::Touching, stride),
            overlaps: Blockers::new(Meeting::Along, stride),
        };
        board.open = board.open_moves();
        board.distances = Side::BOTH.map(|side| board.moves_to_goal(side));
        board
    }

    fn open_moves(&self) -> Vec<Moves> {
        let outlines = self.outlines();
        let mut open = vec![Moves::default(); self.n_cells()];
        for from in self.field.inside() {
            let at = self.cell(from);
            let inside = self.field.moves_inside(from);
            open[at] = self.overlaps.leave(inside, &outlines, at);
        }
        open
    }

    /// Counts moves by a breadth-first search from the inside of the goal, because every move can be reversed.
    fn moves_to_goal(&self, side: Side) -> Vec<u8> {
        let (low, high) = self.field.goal(side);
        let rows = low.y + 1..high.y;
        let inside = rows.flat_map(|y| (low.x + 1..high.x).map(move |x| GridPoint { x, y }));
        let mut reached: VecDeque<GridPoint> = inside.collect();
        let mut distances = vec![u8::MAX; self.n_cells()];
        for &point in &reached {
            distances[self.cell(point)] = 0;
        }
        while let Some(point) = reached.pop_front() {
            let at = self.cell(point);
            let further = distances[at] + 1;
            for mv in self.open(at) {
                let next = point + mv.step();
                let distance = &mut distances[self.cell(next)];
                if *distance > further {
                    *distance = further;
                    reached.push_back(next);
                }
            }
        }
        distances
    }

    /// The cells with the goals' outlines, each side drawn by a long move.
    fn outlines(&self) -> Vec<u8> {
        let mut cells = vec![0; self.n_cells()];
        let outlines = Side::BOTH.map(|side| self.field.outline(side));
        for side in outlines.iter().flatten() {
            for piece in self.pieces(self.cell(side.from), Move::along(side)) {
                cells[piece.cell] |= 1 << piece.kind;
            }
        }
        cells
    }

    /// Number of cells, including the margin.
    pub(crate) fn n_cells(&self) -> usize {
        let rows = self.field.height() + 1 + 2 * MARGIN;
        (rows * self.stride) as usize
    }

    /// Index of a point's cell.
    pub(crate) fn cell(&self, point: GridPoint) -> usize {
        ((point.y + MARGIN) * self.stride + point.x + MARGIN) as usize
    }

    /// The pieces of a move from a cell's point.
    pub(crate) fn pieces(&self, at: usize, mv: Move) -> impl Iterator<Item = Piece> + use<> {
        let stroke = self.strokes[mv.index()];
        let cell = move |i| at.wrapping_add_signed(stroke.first + stroke.step * i);
        let kind = stroke.kind;
        (0..stroke.n_pieces.into()).map(move |i| Piece {
            cell: cell(i),
            kind,
        })
    }

    /// The moves from a cell's point that the empty field allows, goals' outlines included.
    pub(crate) fn open(&self, at: usize) -> Moves {
        self.open[at]
    }

    /// Number of moves from a cell's point into a player's goal, on an empty field.
    pub(crate) fn distance(&self, at: usize, side: Side) -> i32 {
        self.distances[side.index()][at].into()
    }

    /// The open moves that would share no point with the drawn lines, except at their ends.
    pub(crate) fn clear(&self, cells: &[u8], at: usize) -> Moves {
        self.conflicts.leave(self.open(at), cells, at)
    }

    /// The open moves that would share at most isolated points with the drawn lines.
    pub(crate) fn jumps(&self, cells: &[u8], at: usize) -> Moves {
        self.overlaps.leave(self.open(at), cells, at)
    }
}

impl Blockers {
    /// The pieces that conflict with moves at least to this degree.
    fn new(closely: Meeting, stride: i32) -> Blockers {
        let short = || Move::all().take(N_SHORT);
        let blocked = |row: usize, bit: usize| {
            let cell = GridPoint::new((bit / 8) as i32 - SHORT, row as i32 - SHORT);
            let piece = piece(bit % 8, cell);
            let is_blocked = |mv: &Move| path(*mv).meets(&piece) >= closely;
            short().filter(is_blocked).collect()
        };
        Blockers {
            near: array::from_fn(|row| array::from_fn(|bit| blocked(row, bit))),
            far: array::from_fn(|i| {
                let mv = Move::at(N_SHORT + i);
                (mv, probes(mv, closely, stride))
            }),
            first: offset(GridPoint::new(-SHORT, -SHORT), stride),
            stride: stride as usize,
        }
    }

    /// The moves from a cell's point that no drawn piece blocks.
    fn leave(&self, moves: Moves, cells: &[u8], at: usize) -> Moves {
        let mut blocked = 0;
        let first = at.wrapping_add_signed(self.first);
        for (row, near) in self.near.iter().enumerate() {
            for piece in bits(row_of_eight(cells, first + row * self.stride) & NEAR_BITS) {
                blocked |= near[usize::from(piece)].0;
            }
        }
        for (mv, probes) in &self.far {
            if moves.contains(*mv) && !none_drawn(probes, cells, at) {
                blocked |= 1 << mv.index();
            }
        }
        Moves(moves.0 & !blocked)
    }
}

/// The bits of the first [`NEAR_CELLS`] cells.
const NEAR_BITS: u64 = (1 << (8 * NEAR_CELLS)) - 1;

/// Eight cells, one byte each, the first one lowest.
fn row_of_eight(cells: &[u8], first: usize) -> u64 {
    let row = cells[first..].first_chunk();
    u64::from_le_bytes(*row.expect("the margin is wide enough"))
}

fn none_drawn(probes: &[Probe], cells: &[u8], at: usize) -> bool {
    probes.iter().all(|probe| {
        let first = at.wrapping_add_signed(probe.first);
        row_of_eight(cells, first) & probe.pieces == 0
    })
}

impl Stroke {
    fn new(mv: Move, stride: i32) -> Stroke {
        let step = mv.step();
        let n_pieces = divisor(step.x, step.y);
        let piece = GridPoint::new(step.x / n_pieces, step.y / n_pieces);
        let is_kind = |&kind: &GridPoint| kind == piece || kind == GridPoint::new(0, 0) - piece;
        let kind = KINDS.iter().position(is_kind);
        Stroke {
            kind: kind.expect("every way to go is a kind of piece") as u8,
            n_pieces: n_pieces as u8,
            first: offset(middle(piece), stride),
            step: offset(piece, stride),
        }
    }
}

/// The pieces that conflict with a move at least to this degree.
fn probes(mv: Move, closely: Meeting, stride: i32) -> Vec<Probe> {
    let way = path(mv);
    let bits_at = |cell: GridPoint| -> u8 {
        let meets = |kind: &usize| way.meets(&piece(*kind, cell)) >= closely;
        (0..KINDS.len()).filter(meets).map(|kind| 1 << kind).sum()
    };
    let mut probes = Vec::new();
    for y in -MARGIN..=MARGIN {
        let mut x = -MARGIN;
        while x <= MARGIN {
            if bits_at(GridPoint { x, y }) == 0 {
                x += 1;
                continue;
            }
            let bytes = array::from_fn(|i| bits_at(GridPoint { x: x + i as i32, y }));
            probes.push(Probe {
                first: offset(GridPoint { x, y }, stride),
                pieces: u64::from_le_bytes(bytes),
            });
            x += 8;
        }
    }
    probes
}

/// The segment that a move from the origin draws.
fn path(mv: Move) -> Segment {
    Segment {
        from: GridPoint::new(0, 0),
        to: mv.step(),
    }
}

/// The piece of a kind that belongs to the cell of a point.
fn piece(kind: usize, cell: GridPoint) -> Segment {
    let step = KINDS[kind];
    let from = cell - middle(step);
    let to = from + step;
    Segment { from, to }
}

/// Half a step, rounded down.
fn middle(step: GridPoint) -> GridPoint {
    GridPoint::new(step.x.div_euclid(2), step.y.div_euclid(2))
}

fn offset(step: GridPoint, stride: i32) -> isize {
    (step.y * stride + step.x) as isize
}

/// The greatest common divisor, of which at most one is 0.
fn divisor(a: i32, b: i32) -> i32 {
    if b == 0 { a.abs() } else { divisor(b, a % b) }
}
