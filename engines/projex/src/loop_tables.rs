//! Tables for the search for global loops: steps, bridges, and sets of cells that every global loop meets.

use crate::bridges::{Bridge, bridges, touching_both};
use crate::cells::{Cells, DoubleCoverSet};
use crate::geometry::{Cell, Geometry, Place};
use crate::position::{Colour, Position};

/// The tables, with sets no larger than the board needs.
#[derive(Debug)]
pub(crate) enum LoopTables {
    /// Sizes up to 7, which has 108 cells.
    Small(SizedLoopTables<2>),
    /// Sizes up to 10, which has 243 cells.
    Medium(SizedLoopTables<4>),
    /// Sizes up to 14, which has 507 cells.
    Large(SizedLoopTables<8>),
}

impl LoopTables {
    pub(crate) fn new(board: &Geometry) -> LoopTables {
        match board.n_cells() {
            ..=128 => LoopTables::Small(SizedLoopTables::new(board)),
            129..=256 => LoopTables::Medium(SizedLoopTables::new(board)),
            _ => LoopTables::Large(SizedLoopTables::new(board)),
        }
    }
}

/// The steps and cuts of a board of at most 64 times W cells.
#[derive(Debug)]
pub(crate) struct SizedLoopTables<const W: usize> {
    /// By cell: its neighbours, those across the edge on the other sheet.
    pub(crate) near: Vec<DoubleCoverSet<W>>,
    /// By cell: the bridges over it and a later cell, each from one of its two ends.
    pub(crate) bridges: Vec<Vec<(Cell, Bridge)>>,
    /// The longest row, which is a global loop.
    pub(crate) row: Cells<W>,
    cuts: [Vec<Cell>; 3],
}

impl<const W: usize> SizedLoopTables<W> {
    fn new(board: &Geometry) -> SizedLoopTables<W> {
        let near = |cell| {
            board
                .steps(cell)
                .fold(DoubleCoverSet::default(), DoubleCoverSet::with)
        };
        SizedLoopTables {
            near: board.cells().map(near).collect(),
            bridges: by_via(board),
            row: board.row(board.size()).map(|i| i as Cell).collect(),
            cuts: cuts(board),
        }
    }

    /// Cells of which every loop of a colour uses at least one: the colour's usable cells of the cut that has the
    /// fewest. One stone represents its whole chain. Stones come first, because they find cheap loops early.
    pub(crate) fn starts(&self, position: &Position, colour: Colour) -> Vec<Cell> {
        let enemy = Some(colour.other());
        let is_open = |cell: &&Cell| position.stone(**cell) != enemy;
        let open = |cut: &Vec<Cell>| cut.iter().filter(is_open).copied().collect();
        let narrowest = self.cuts.iter().map(open).min_by_key(Vec::len);
        let mut starts: Vec<Cell> = narrowest.unwrap_or_default();
        let chain = |cell| {
            (
                position.stone(cell).is_none(),
                position.chain_and_sheet(cell).0,
            )
        };
        starts.sort_by_key(|&cell| chain(cell));
        starts.dedup_by_key(|cell| chain(*cell));
        starts
    }
}

/// The bridges over each cell and a later one, each with one of its ends.
fn by_via(board: &Geometry) -> Vec<Vec<(Cell, Bridge)>> {
    let mut over = vec![Vec::new(); board.n_cells()];
    for (cell, bridges) in (0..).zip(bridges(board)) {
        for bridge in bridges.into_iter().filter(|bridge| cell < bridge.to) {
            let [a, b] = bridge.via;
            let via = [a.min(b), a.max(b)];
            over[usize::from(via[0])].push((cell, Bridge { via, ..bridge }));
        }
    }
    over
}

/// Three cuts: sets of cells of which every global loop of neighbours and bridges uses at least one. A cut consists of
/// a straight loop through the middle of the board and, for every two neighbours on it, a common neighbour of both. Two
/// global loops always meet, and a bridge that jumps over a straight loop starts or ends on such a cell.
fn cuts(board: &Geometry) -> [Vec<Cell>; 3] {
    let n = board.size();
    let straight: [fn(i32, i32) -> Place; 3] = [
        |n, i| Place { row: n, letter: i },
        |n, i| Place { row: i, letter: n },
        |n, i| Place {
            row: i,
            letter: 2 * n - 1 - i,
        },
    ];
    straight.map(|place| {
        let cell = |i| {
            board
                .cell_at(place(n, i))
                .expect("the lines cross the whole board")
        };
        let line: Vec<Cell> = (1..=board.n_rows()).map(cell).collect();
        let next = line.iter().cycle().skip(1);
        let aside = line
            .iter()
            .zip(next)
            .map(|(&a, &b)| touching_both(board, a, b)[0]);
        let mut cut: Vec<Cell> = aside.chain(line.iter().copied()).collect();
        cut.sort_unstable();
        cut.dedup();
        cut
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_a_straight_loop_and_cells_beside_it() {
        for board in Geometry::SIZES.map(Geometry::new) {
            let n_line = board.n_rows() as usize;
            for cut in cuts(&board) {
                assert!((n_line + 1..=2 * n_line).contains(&cut.len()));
            }
        }
    }
}
