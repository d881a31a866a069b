//! The inputs of the learned evaluation: where the puck is, what moves are legal, and the lines drawn around it.
//!
//! A player sees the field with his goal at the bottom and the puck in the left half.

use std::array;
use std::sync::LazyLock;

use kit::Side;
use kit::network::{MAX_ACTIVE, Seen};

use crate::geometry::{Geometry, KINDS};
use crate::moves::{Move, N_MOVES};
use crate::plane::Point;
use crate::rules::{GraphHockey, Position};

/// From the middle column, and from the border behind the own goal: points farther off share the inputs of these.
const FARTHEST: Point = Point { x: 36, y: 80 };
const N_COLUMNS: usize = FARTHEST.x as usize + 1;
const N_ROWS: usize = FARTHEST.y as usize + 1;
/// Distances of a goal that are told apart, in moves.
const N_DISTANCES: usize = 16;
/// Pieces of lines are seen up to this many units from the puck, to each side, ahead and behind.
const REACH: i32 = 8;
/// Cells in a row of those in reach.
const ACROSS: usize = 2 * REACH as usize;

/// The first input of the puck's points, and so on: its columns, rows, distances of the own goal and of the other.
const POINTS: usize = 0;
const COLUMNS: usize = POINTS + N_COLUMNS * N_ROWS;
const ROWS: usize = COLUMNS + N_COLUMNS;
const OWN_GOAL: usize = ROWS + N_ROWS;
const OTHER_GOAL: usize = OWN_GOAL + N_DISTANCES;
/// The first input of legal moves, for each of the three levels.
const MOVES: usize = OTHER_GOAL + N_DISTANCES;
/// The first input of drawn pieces, by their cell and kind.
const PIECES: usize = MOVES + 3 * N_MOVES;

/// The most pieces that are seen, so that all inputs are not too many: besides them there are those of the place and the moves.
const MAX_PIECES: usize = MAX_ACTIVE - 5 - N_MOVES;

/// Inputs in all.
pub(crate) const N_INPUTS: usize = PIECES + ACROSS * ACROSS * KINDS.len();

/// How a player sees moves and pieces.
#[derive(Debug)]
struct View {
    /// The number of each move.
    moves: [u16; N_MOVES],
    /// The input of each cell and kind; `None` at the edge of those in reach.
    pieces: [[Option<u16>; KINDS.len()]; ACROSS * ACROSS],
}

/// For each player, without and with a mirror.
static VIEWS: LazyLock<[[View; 2]; 2]> = LazyLock::new(|| {
    Side::BOTH.map(|side| [false, true].map(|is_mirrored| View::new(side, is_mirrored)))
});

impl View {
    fn new(side: Side, is_mirrored: bool) -> View {
        let turned = |step: Point| Point {
            x: if is_mirrored { -step.x } else { step.x },
            y: if side == Side::P2 { -step.y } else { step.y },
        };
        let turned_move = |step| Move::all().find(|mv| mv.step() == turned(step));
        View {
            moves: array::from_fn(|i| {
                let mv = turned_move(Move::at(i).step());
                mv.expect("the moves are symmetric").index() as u16
            }),
            pieces: array::from_fn(|at| array::from_fn(|kind| piece_input(at, kind, turned))),
        }
    }
}

/// The input of a piece by its cell and kind.
fn piece_input(at: usize, kind: usize, turned: impl Fn(Point) -> Point) -> Option<u16> {
    let step = KINDS[kind];
    let (x, y) = ((at % ACROSS) as i32 - REACH, (at / ACROSS) as i32 - REACH);
    // In half units, because the cell is the middle rounded down.
    let middle = turned(Point {
        x: 2 * x + (step.x & 1),
        y: 2 * y + (step.y & 1),
    });
    // The same pieces are in reach of every view.
    if middle.x.abs().max(middle.y.abs()) >= 2 * REACH {
        return None;
    }
    let [x, y] = [middle.x, middle.y].map(|n| n.div_euclid(2) + REACH);
    let ways = [turned(step), Point { x: 0, y: 0 } - turned(step)];
    let kind = KINDS.iter().position(|kind| ways.contains(kind));
    let kind = kind.expect("the kinds are symmetric");
    let cell = y as usize * ACROSS + x as usize;
    Some((PIECES + cell * KINDS.len() + kind) as u16)
}

impl GraphHockey {
    /// Calls `add` with all inputs of a position, as player 1 and as player 2 see them.
    pub(crate) fn add_inputs(&self, position: &Position, add: &mut impl FnMut(Seen)) {
        let board = &*self.board;
        let off_middle = 2 * position.puck.x - board.field.width();
        let views = &*VIEWS;
        let views = Side::BOTH.map(|side| &views[side.index()][usize::from(off_middle > 0)]);
        add_place(board, position.puck, off_middle, add);
        let (level, moves) = self.level(position);
        let first = (MOVES + N_MOVES * level as usize) as u16;
        for mv in moves {
            add(views.map(|view| first + view.moves[mv.index()]));
        }
        add_pieces(board, position, views, add);
    }
}

/// Adds the puck's point, `off_middle` half units from the middle column.
fn add_place(board: &Geometry, puck: Point, off_middle: i32, add: &mut impl FnMut(Seen)) {
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

/// Adds the pieces in reach of the puck.
fn add_pieces(
    board: &Geometry,
    position: &Position,
    views: [&View; 2],
    add: &mut impl FnMut(Seen),
) {
    let corner = position.puck - Point { x: REACH, y: REACH };
    let rows = position.rows_of_cells(board, corner).take(ACROSS);
    let mut left = MAX_PIECES;
    for (y, row) in rows.enumerate() {
        for (i, cells) in row[..ACROSS].chunks_exact(8).enumerate() {
            let mut pieces = u64::from_le_bytes(cells.try_into().expect("eight cells"));
            while pieces != 0 && left > 0 {
                let bit = pieces.trailing_zeros() as usize;
                pieces &= pieces - 1;
                let (at, kind) = (y * ACROSS + 8 * i + bit / 8, bit % 8);
                if let [Some(one), Some(two)] = views.map(|view| view.pieces[at][kind]) {
                    add([one, two]);
                    left -= 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use kit::{Evaluate, Game};

    /// The position with no line drawn and the puck in the middle.
    fn empty(game: &GraphHockey) -> Position {
        let mut position = game.start();
        position.cells.fill(0);
        position.puck = Point { x: 36, y: 40 };
        position
    }

    fn inputs(game: &GraphHockey, position: &Position) -> Vec<Seen> {
        let mut inputs = Vec::new();
        game.inputs(position, &mut |seen| inputs.push(seen));
        inputs.sort_unstable();
        inputs
    }

    /// Compares the inputs along random games with those of the same games turned, as `seen` makes them.
    fn compare(turned: impl Fn(Point) -> Point, seen: impl Fn(Seen) -> Seen) {
        let game = GraphHockey::on(Field { side: 4, gap: 8 });
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut positions = [empty(&game), empty(&game)];
            for _ in 0..100 {
                let mut moves = Vec::new();
                game.moves(&positions[0], &mut moves);
                let mv = moves[rng.usize(..moves.len())];
                let image = Move::all().find(|image| image.step() == turned(mv.step()));
                game.play(&mut positions[0], mv);
                game.play(&mut positions[1], image.expect("a move"));
                if game.outcome(&positions[0]).is_some() {
                    break;
                }
                // In the middle column nothing is mirrored.
                if positions[0].puck.x != 36 {
                    let mut expected: Vec<Seen> = inputs(&game, &positions[0])
                        .into_iter()
                        .map(&seen)
                        .collect();
                    expected.sort_unstable();
                    assert_eq!(inputs(&game, &positions[1]), expected, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn a_game_in_the_mirror_has_the_same_inputs() {
        compare(
            |step| Point {
                x: -step.x,
                y: step.y,
            },
            |seen| seen,
        );
    }

    #[test]
    fn upside_down_the_players_see_what_the_other_saw() {
        compare(
            |step| Point {
                x: step.x,
                y: -step.y,
            },
            |[one, two]| [two, one],
        );
    }

    #[test]
    fn a_field_full_of_lines_has_not_too_many_inputs() {
        let game = GraphHockey::on(Field { side: 4, gap: 8 });
        let mut position = empty(&game);
        position.cells.fill(u8::MAX);
        assert_eq!(inputs(&game, &position).len(), MAX_ACTIVE);
    }
}
