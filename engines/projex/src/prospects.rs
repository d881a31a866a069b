//! The minimum number of stones that give a colour a global loop, with bridges counted as connected.
//!
//! Start at [`Prospects::of_both`]. A colour can step between cells that the other has not taken, and over open
//! bridges. Own stones cost nothing, an empty cell costs one stone. A breadth-first search from a cell finds the
//! distance and the sheet of each cell; a step across the edge changes the sheet. A step between two cells that
//! contradicts their sheets closes a global loop. The searches begin on a cut, a set that every loop meets (see
//! `loop_tables`), and need to cover only half of a loop.

use crate::cells::{Cells, DoubleCoverSet};
use crate::geometry::Cell;
use crate::loop_tables::{LoopTables, SizedLoopTables};
use crate::position::{Colour, Position};

/// A colour's distance from a global loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Prospects {
    /// Minimum number of stones that complete a loop; 0 if it is complete except for bridges.
    pub(crate) need: u16,
    /// The empty cells on loops that need only that number.
    pub(crate) keys: Vec<Cell>,
}

impl Prospects {
    /// The prospects of `x` and of `o` in an unfinished game. They always exist: if one colour could not make a loop,
    /// the other would have one.
    pub(crate) fn of_both(loop_tables: &LoopTables, position: &Position) -> [Prospects; 2] {
        match loop_tables {
            LoopTables::Small(loop_tables) => prospects(loop_tables, position),
            LoopTables::Medium(loop_tables) => prospects(loop_tables, position),
            LoopTables::Large(loop_tables) => prospects(loop_tables, position),
        }
    }
}

fn prospects<const W: usize>(
    loop_tables: &SizedLoopTables<W>,
    position: &Position,
) -> [Prospects; 2] {
    let ground = StepGraph::new(loop_tables, position);
    Colour::BOTH.map(|colour| {
        let mut search = LoopSearch::new(&ground, colour);
        for start in loop_tables.starts(position, colour) {
            search.look_through(start);
        }
        Prospects {
            need: search.need,
            keys: search.keys.iter().collect(),
        }
    })
}

/// The steps that each colour can make in a position.
struct StepGraph<'a, const W: usize> {
    position: &'a Position,
    empty: Cells<W>,
    /// By cell: the cells one step away, including those over open bridges, if the cell is on the first sheet.
    reach: Vec<DoubleCoverSet<W>>,
}

impl<'a, const W: usize> StepGraph<'a, W> {
    fn new(loop_tables: &SizedLoopTables<W>, position: &'a Position) -> StepGraph<'a, W> {
        let empty: Cells<W> = Cells::which(position.stones(), Option::is_none);
        let mut reach = loop_tables.near.clone();
        for via in empty.iter() {
            for &(from, bridge) in &loop_tables.bridges[usize::from(via)] {
                if empty.contains(bridge.via[1]) {
                    reach[usize::from(from)].insert((bridge.to, bridge.is_crossing));
                    reach[usize::from(bridge.to)].insert((from, bridge.is_crossing));
                }
            }
        }
        StepGraph {
            position,
            empty,
            reach,
        }
    }
}

/// The search for the cheapest loops of one colour.
struct LoopSearch<'a, const W: usize> {
    ground: &'a StepGraph<'a, W>,
    stones: Cells<W>,
    /// Minimum number of stones found so far, and the empty cells on loops that need only that number.
    need: u16,
    keys: Cells<W>,
    /// By distance from the current start: the cells at that distance, each on its sheet.
    levels: Vec<DoubleCoverSet<W>>,
    seen: Cells<W>,
}

impl<'a, const W: usize> LoopSearch<'a, W> {
    fn new(ground: &'a StepGraph<'a, W>, colour: Colour) -> LoopSearch<'a, W> {
        let stones = ground.position.stones();
        LoopSearch {
            ground,
            stones: Cells::which(stones, |&stone| stone == Some(colour)),
            need: u16::MAX,
            keys: Cells::default(),
            levels: Vec::new(),
            seen: Cells::default(),
        }
    }

    /// Searches for loops through a cell that need no more stones than the best so far.
    fn look_through(&mut self, start: Cell) {
        let mut level = DoubleCoverSet::default().with((start, false));
        self.seen = level.flat();
        self.levels.clear();
        // Both halves of a loop that closes at a distance have that length, and the start may cost one more stone.
        let mut need = self.ground.empty.contains(start).into();
        while !level.is_empty() && need <= self.need {
            let (whole, reached) = self.complete(level);
            self.levels.push(whole);
            let next = (reached & DoubleCoverSet::both(self.ground.empty & !self.seen)).settled();
            let even = (reached & whole.turned()).flat();
            let odd = (reached & next.turned()).flat();
            if !even.is_empty() {
                return self.close(need, Cells::default(), DoubleCoverSet::both(even));
            }
            if !odd.is_empty() {
                let before = DoubleCoverSet::both(odd).spread(&self.ground.reach);
                return self.close(need + 1, odd, before);
            }
            self.seen |= next.flat();
            level = next;
            need += 2;
        }
    }

    /// Extends a level by the own stones that it reaches, which cost nothing. Also returns all cells that the extended
    /// level reaches.
    fn complete(&mut self, mut level: DoubleCoverSet<W>) -> (DoubleCoverSet<W>, DoubleCoverSet<W>) {
        let open = DoubleCoverSet::both(self.ground.empty | self.stones);
        let mut reached = DoubleCoverSet::default();
        let mut fresh = level;
        while !fresh.is_empty() {
            let step = fresh.spread(&self.ground.reach) & open;
            reached |= step;
            fresh = (step & DoubleCoverSet::both(self.stones & !self.seen)).settled();
            self.seen |= fresh.flat();
            level |= fresh;
        }
        (level, reached)
    }

    /// Records loops that need this number of stones: over these keys, and back to the start from these cells of the
    /// last level on both paths.
    fn close(&mut self, need: u16, keys: Cells<W>, mut front: DoubleCoverSet<W>) {
        if need > self.need {
            return;
        }
        if need < self.need {
            self.keys = Cells::default();
        }
        self.need = need;
        self.keys |= keys;
        for &level in self.levels.iter().rev() {
            front = front & level;
            self.trace(&mut front, level);
            let keys = front & DoubleCoverSet::both(self.ground.empty);
            self.keys |= keys.flat();
            front = keys.spread(&self.ground.reach);
        }
    }

    /// Adds the cells of a level from which its own stones among these were reached.
    fn trace(&self, front: &mut DoubleCoverSet<W>, level: DoubleCoverSet<W>) {
        let mut fresh = *front;
        while !fresh.is_empty() {
            let before =
                (fresh & DoubleCoverSet::both(self.stones)).spread(&self.ground.reach) & level;
            fresh = before & DoubleCoverSet::both(!front.flat());
            *front |= fresh;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use kit::PositionHistory;

    use super::*;
    use crate::bridges::{Bridge, bridges};
    use crate::geometry::Geometry;
    use crate::rules::Projex;

    /// By cell: all cells that a colour can reach in one step; the flag is `true` if the step crosses the edge.
    fn steps(board: &Geometry, position: &Position, colour: Colour) -> Vec<Vec<(Cell, bool)>> {
        let is_empty = |cell: &Cell| position.stone(*cell).is_none();
        let from = |(cell, bridges): (Cell, Vec<Bridge>)| {
            let open = bridges.iter().filter(|to| to.via.iter().all(is_empty));
            let open = open.map(|bridge| (bridge.to, bridge.is_crossing));
            let all = board.steps(cell).chain(open);
            all.filter(|(to, _)| position.stone(*to) != Some(colour.other()))
                .collect()
        };
        board.cells().zip(bridges(board)).map(from).collect()
    }

    /// Minimum number of stones for a loop through each cell, by a search from the cell to itself on the other sheet.
    fn needs(board: &Geometry, position: &Position, colour: Colour) -> Vec<Option<u16>> {
        let steps = steps(board, position, colour);
        let need = |start: Cell| {
            let mut costs = vec![[u16::MAX; 2]; board.n_cells()];
            let mut queue = VecDeque::from([(start, false, 0)]);
            while let Some((cell, sheet, cost)) = queue.pop_front() {
                for &(to, is_crossing) in &steps[usize::from(cell)] {
                    let (to_sheet, paid) =
                        (sheet ^ is_crossing, u16::from(position.stone(to).is_none()));
                    let known = &mut costs[usize::from(to)][usize::from(to_sheet)];
                    if cost + paid < *known {
                        *known = cost + paid;
                        queue.push_back((to, to_sheet, *known));
                    }
                }
            }
            costs[usize::from(start)][1]
        };
        let is_open = |cell: &Cell| position.stone(*cell) != Some(colour.other());
        board
            .cells()
            .map(|cell| is_open(&cell).then(|| need(cell)))
            .collect()
    }

    fn plain_prospects(board: &Geometry, position: &Position, colour: Colour) -> Prospects {
        let needs = needs(board, position, colour);
        let need = needs
            .iter()
            .flatten()
            .copied()
            .min()
            .expect("a cell to use");
        let is_key = |cell: &Cell| {
            position.stone(*cell).is_none() && needs[usize::from(*cell)] == Some(need)
        };
        Prospects {
            need,
            keys: board.cells().filter(is_key).collect(),
        }
    }

    /// Compares at about every fifth ply of a random game.
    fn compare_game(size: i32, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut play: PositionHistory<Projex> =
            laws::testing::at(&format!("Size={size}"), "startpos");
        while play.outcome().is_none() {
            if rng.u8(..5) == 0 {
                let (board, position) = (play.game().board(), play.position());
                let found = Prospects::of_both(&play.game().tables.loop_tables, position);
                let plain = Colour::BOTH.map(|colour| plain_prospects(board, position, colour));
                assert_eq!(found, plain, "size {size}, seed {seed}, ply {}", play.ply());
            }
            play.play(*rng.choice(&play.moves()).expect("a move"));
        }
    }

    #[test]
    fn prospects_are_those_of_a_plain_search_from_every_cell() {
        for size in 3..=6 {
            for seed in 0..10 {
                compare_game(size, seed);
            }
        }
    }

    /// Covers sizes with wider sets of cells.
    #[test]
    fn prospects_on_large_boards_are_those_of_a_plain_search() {
        compare_game(7, 1);
        compare_game(9, 1);
        compare_game(11, 1);
    }
}
