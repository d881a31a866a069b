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
        .filter_map(|start| LoopTree::grow(board, position, holder, start).shortest_loop(board))
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
        .filter_map(|cell| LoopTree::grow(board, position, colour, cell).shortest_loop(board))
        .collect()
}

/// The shortest paths from one cell to all stones that it is connected to.
struct LoopTree {
    nodes: Vec<Option<LoopNode>>,
}

#[derive(Clone, Copy)]
struct LoopNode {
    /// The previous stone on the path; the start's is itself.
    parent: Cell,
    n_steps: usize,
    /// `true` if an odd number of the path's steps crosses the edge.
    is_odd: bool,
}

impl LoopTree {
    fn grow(board: &Geometry, position: &Position, colour: Colour, start: Cell) -> LoopTree {
        let mut nodes = vec![None; board.n_cells()];
        nodes[usize::from(start)] = Some(LoopNode {
            parent: start,
            n_steps: 0,
            is_odd: false,
        });
        let mut queue = VecDeque::from([start]);
        while let Some(cell) = queue.pop_front() {
            let node: LoopNode = nodes[usize::from(cell)].expect("a queued stone was reached");
            for (next, is_crossing) in board.steps(cell) {
                let slot = &mut nodes[usize::from(next)];
                if position.stone(next) == Some(colour) && slot.is_none() {
                    *slot = Some(LoopNode {
                        parent: cell,
                        n_steps: node.n_steps + 1,
                        is_odd: node.is_odd ^ is_crossing,
                    });
                    queue.push_back(next);
                }
            }
        }
        LoopTree { nodes }
    }

    /// The shortest global loop that consists of two paths from the start and a step between their ends. The minimum
    /// over all starts is the shortest of all loops.
    fn shortest_loop(&self, board: &Geometry) -> Option<Vec<Cell>> {
        let n_steps = |cell: Cell| self.node(cell).map_or(0, |node| node.n_steps);
        board
            .cells()
            .flat_map(|cell| board.steps(cell).map(move |step| (cell, step)))
            .filter(|&(cell, (next, is_crossing))| {
                let ends = self.node(cell).zip(self.node(next));
                ends.is_some_and(|(a, b)| a.is_odd ^ b.is_odd ^ is_crossing)
            })
            .map(|(cell, (next, _))| (cell, next))
            .min_by_key(|&(cell, next)| n_steps(cell) + n_steps(next))
            .map(|(cell, next)| self.join(cell, next))
    }

    /// The path from `a` back to the start and from there to `b`.
    fn join(&self, a: Cell, b: Cell) -> Vec<Cell> {
        let mut way = self.way_back(a);
        way.pop();
        way.extend(self.way_back(b).into_iter().rev());
        way
    }

    fn way_back(&self, cell: Cell) -> Vec<Cell> {
        let parent = |&cell: &Cell| {
            let parent = self.node(cell)?.parent;
            (parent != cell).then_some(parent)
        };
        std::iter::successors(Some(cell), parent).collect()
    }

    fn node(&self, cell: Cell) -> Option<LoopNode> {
        self.nodes[usize::from(cell)]
    }
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
