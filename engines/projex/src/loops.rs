//! Global loops as lists of stones, for display.
//!
//! The rules only need to know whether there is one, which `chains` finds faster.

use std::collections::VecDeque;

use crate::geometry::{Cell, Geometry};
use crate::position::{Colour, Position};

/// The stones of a shortest global loop of the winner, in the order of the loop; empty for an unfinished game.
pub(crate) fn winning_loop(board: &Geometry, position: &Position) -> Vec<Cell> {
    let Some(holder) = position.holder() else {
        return Vec::new();
    };
    let is_own = |&cell: &Cell| position.stone(cell) == Some(holder);
    board
        .cells()
        .filter(is_own)
        .filter_map(|start| shortest_loop(board, position, holder, start))
        .min_by_key(Vec::len)
        .unwrap_or_default()
}

/// The empty cells at which one stone would close a global loop of this colour, each with a shortest such loop; none in
/// a finished game.
pub(crate) fn threats(board: &Geometry, position: &Position, colour: Colour) -> Vec<Vec<Cell>> {
    if position.holder().is_some() {
        return Vec::new();
    }
    let is_own = |&&cell: &&Cell| position.stone(cell) == Some(colour);
    let is_open = |&cell: &Cell| {
        position.stone(cell).is_none() && board.neighbours(cell).iter().filter(is_own).count() > 1
    };
    board
        .cells()
        .filter(is_open)
        .filter_map(|cell| shortest_loop(board, position, colour, cell))
        .collect()
}

/// A shortest global loop of a colour's stones through a cell: a shortest path to the same cell on the other sheet of the
/// double cover. It uses no cell twice, unless there is a shorter loop without the cell.
fn shortest_loop(
    board: &Geometry,
    position: &Position,
    colour: Colour,
    start: Cell,
) -> Option<Vec<Cell>> {
    let mut before = vec![[None; 2]; board.n_cells()];
    let mut queue = VecDeque::from([(start, false)]);
    while let Some((cell, sheet)) = queue.pop_front() {
        for (next, is_crossing) in board.steps(cell) {
            let to = sheet ^ is_crossing;
            let is_open = position.stone(next) == Some(colour) || (next, to) == (start, true);
            let known = &mut before[usize::from(next)][usize::from(to)];
            if is_open && known.is_none() && (next, to) != (start, false) {
                *known = Some((cell, sheet));
                queue.push_back((next, to));
            }
        }
    }
    let back = |&(cell, sheet): &(Cell, bool)| before[usize::from(cell)][usize::from(sheet)];
    let end = back(&(start, true))?;
    let path = std::iter::successors(Some(end), back);
    Some(path.map(|(cell, _)| cell).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kit::PositionHistory;

    use super::*;
    use crate::rules::{Move, Projex};

    fn random_game(seed: u64) -> PositionHistory<Projex> {
        let mut rng = fastrand::Rng::with_seed(seed);
        let size = rng.i32(Geometry::SIZES);
        let mut play: PositionHistory<Projex> =
            laws::testing::at(&format!("Size={size}"), "startpos");
        while play.outcome().is_none() {
            assert!(winning_loop(play.game().board(), play.position()).is_empty());
            play.play(*rng.choice(&play.moves()).expect("a move"));
        }
        play
    }

    /// A cell is shown as threatened exactly if a stone there wins.
    #[test]
    fn threats_are_the_winning_moves() {
        for seed in 0..30 {
            let mut play = random_game(seed);
            for _ in 0..3 {
                play.undo();
                let (board, turn) = (play.game().board(), play.position().turn());
                let loops = threats(board, play.position(), turn);
                let shown: BTreeSet<Cell> = loops
                    .iter()
                    .flatten()
                    .copied()
                    .filter(|&cell| play.position().stone(cell).is_none())
                    .collect();
                let wins = |cell: &Cell| {
                    let mut next = play.clone();
                    next.play(Move::Place(*cell));
                    next.outcome().is_some()
                };
                let empty = board
                    .cells()
                    .filter(|&cell| play.position().stone(cell).is_none());
                assert_eq!(shown, empty.filter(wins).collect(), "seed {seed}");
                assert_eq!(loops.len(), shown.len(), "seed {seed}");
            }
        }
    }

    #[test]
    fn the_loop_shown_is_one() {
        for seed in 0..100 {
            let play = random_game(seed);
            let (board, position) = (play.game().board(), play.position());
            let cells = winning_loop(board, position);
            assert!(
                cells
                    .iter()
                    .all(|&cell| position.stone(cell) == position.holder())
            );
            assert_eq!(
                cells.iter().collect::<BTreeSet<_>>().len(),
                cells.len(),
                "seed {seed}"
            );
            let next = cells.iter().cycle().skip(1);
            let crossings = cells.iter().zip(next).filter(|&(&cell, &next)| {
                let mut steps = board.steps(cell);
                steps.find(|step| step.0 == next).expect("neighbours").1
            });
            assert_eq!(crossings.count() % 2, 1, "seed {seed}");
        }
    }
}
