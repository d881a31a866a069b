//! A position for each pair of neighbouring cells of the default board, for `linesman check`.

use std::collections::VecDeque;

use kit::hash::zobrist;
use kit::{Game, Notation, Options, PlacePosition, Side};

use crate::board::Projex;
use crate::fen::format_cell;
use crate::geometry::{Cell, Geometry};
use crate::position::{Colour, Position};

/// Number of ways to place the opponent's stones that are tried.
const N_SEEDS: u64 = 20;

/// For each pair of neighbours, also across the edge: a stone on the first completes a shortest global loop by the step
/// to the second. The opponent's stones are placed at random, always the same way.
pub(crate) fn place_positions() -> Vec<PlacePosition> {
    let projex = Projex::new(&Options::new(Projex::options()));
    let board = projex.board();
    let mut all = Vec::new();
    for cell in board.cells() {
        for (next, crosses) in board.steps(cell) {
            let ends = board.neighbours(cell).iter();
            let paths = ends.filter_map(|&end| path(board, cell, (next, crosses), end));
            let mut positions = paths.filter_map(|path| {
                (0..N_SEEDS).find_map(|seed| position(&projex, cell, &path, seed))
            });
            let Some(position) = positions.next() else {
                continue;
            };
            let names = [cell, next].map(|cell| format_cell(board, cell));
            all.push(PlacePosition {
                place: names.join(" next to "),
                position: projex.format_position(&position),
                moves: vec![names[0].clone()],
            });
        }
    }
    all
}

/// The other cells of a shortest loop that begins with this step, ends with the step from `end`, and crosses the edge an
/// odd number of times; `None` if there is none. No other of its cells is next to `cell`, so only these steps complete
/// it.
fn path(
    board: &Geometry,
    cell: Cell,
    (next, crosses): (Cell, bool),
    end: Cell,
) -> Option<Vec<Cell>> {
    let around = board.neighbours(cell);
    if end == next || board.neighbours(next).contains(&end) {
        return None;
    }
    let index = |(cell, is_odd): (Cell, bool)| 2 * usize::from(cell) + usize::from(is_odd);
    let (_, ends_odd) = board.steps(end).find(|&(to, _)| to == cell)?;
    let mut before: Vec<Option<(Cell, bool)>> = vec![None; 2 * board.n_cells()];
    let mut queue = VecDeque::from([(next, crosses)]);
    while let Some(state) = queue.pop_front() {
        if state == (end, !ends_odd) {
            let back = |at: &(Cell, bool)| before[index(*at)];
            let states = std::iter::successors(Some(state), back);
            return Some(states.map(|(cell, _)| cell).collect());
        }
        for (to, crosses) in board.steps(state.0) {
            let reached = (to, state.1 != crosses);
            let is_free = to != cell && (to == end || !around.contains(&to));
            if is_free && before[index(reached)].is_none() {
                before[index(reached)] = Some(state);
                queue.push_back(reached);
            }
        }
    }
    None
}

/// The position with these stones of the player to move and as many of the opponent's, one move before the end; `None`
/// if a loop is complete, or if the seed's stones of the opponent complete one.
fn position(projex: &Projex, cell: Cell, path: &[Cell], seed: u64) -> Option<Position> {
    let n_cells = projex.board().n_cells();
    let mut stones = vec![None; n_cells];
    for &at in path {
        stones[usize::from(at)] = Some(Colour::X);
    }
    let is_free = |at: &usize| stones[*at].is_none() && *at != usize::from(cell);
    let mut free: Vec<usize> = (0..n_cells).filter(is_free).collect();
    free.sort_by_key(|at| zobrist(seed * n_cells as u64 + *at as u64));
    let n_own = stones.iter().flatten().count();
    for &at in free.iter().take(n_own) {
        stones[at] = Some(Colour::O);
    }
    let position = projex.set_up(&stones, Side::P1);
    projex.outcome(&position).is_none().then_some(position)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kit::Outcome;

    use super::*;

    #[test]
    fn each_step_completes_a_loop_and_none_is_left_out() {
        let projex = Projex::new(&Options::new(Projex::options()));
        let all = place_positions();
        let places: BTreeSet<&str> = all.iter().map(|one| one.place.as_str()).collect();
        let board = projex.board();
        let n_steps: usize = board.cells().map(|cell| board.steps(cell).count()).sum();
        assert_eq!((all.len(), places.len()), (n_steps, n_steps));
        for one in &all {
            let setup = projex.parse_position(&one.position).expect("a position");
            let mut position = setup.position;
            let mv = projex.parse_move(&position, &one.moves[0]).expect("a move");
            projex.play(&mut position, mv);
            assert_eq!(
                projex.outcome(&position),
                Some(Outcome::Win(Side::P1)),
                "{one:?}"
            );
        }
    }
}
