//! The table of Entropy: an index for each position, and the moves between the indices.
//!
//! Everything is from the point of view of the player to move: *mover* is the set of that player's pieces, *waiting* the
//! opponent's. The rules treat both colours equally, so the colours themselves do not matter. [`EntropyPositions`] provides
//! the indices, [`walker`] the moves. Passes are not part of an index: the value of a position does not depend on them,
//! because a game in which both players can only pass is a draw in any case.

mod rank;
mod symmetry;
mod walker;

use kit::bits::bits;
use kit::tablebase::{Indexing, PredecessorBlock, SymmetryClasses, Tabulated};
use kit::{Rejection, Side};

use crate::geometry::Squares;
use crate::position::{Entropy, Pieces, Position};
use rank::{FreeSets, N_FREE_SETS, Ranks};
use symmetry::Symmetries;

pub use walker::EntropyWalker;

/// The indexing of Entropy's positions. The indices of a class of waiting pieces are a *section*, because a backward
/// move, which moves a waiting piece, leads from all positions with the same mover's pieces into one section.
///
/// A section has an index for each set of the mover's pieces. If the waiting pieces of a section are symmetric
/// themselves, only the lowest of the indices that the symmetry exchanges is used: 1,912,317,000 of 1,929,966,480
/// indices in all.
#[derive(Debug)]
pub struct EntropyPositions {
    game: Entropy,
    ranks: Ranks,
    symmetries: Symmetries,
    classes: SymmetryClasses,
}

impl Tabulated for Entropy {
    type Graph = EntropyPositions;

    fn graph(&self) -> Result<EntropyPositions, Rejection> {
        let (ranks, symmetries) = (Ranks::new(), Symmetries::new());
        Ok(EntropyPositions {
            game: self.clone(),
            classes: symmetries.classes(&ranks),
            symmetries,
            ranks,
        })
    }
}

impl Indexing<Entropy> for EntropyPositions {
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![(crate::position::GOAL, self.game.goal.name().to_owned())]
    }

    fn n_indices(&self) -> u64 {
        (self.classes.classes().len() * N_FREE_SETS) as u64
    }

    fn index(&self, position: &Position) -> Option<u64> {
        Some(self.section(position.enemy()).number(position.own()))
    }

    fn position(&self, number: u64) -> Option<Position> {
        let (class, rank) = split(number);
        let waiting = self.waiting(class);
        let mover = FreeSets::new(waiting).get(&self.ranks, rank);
        (self.section(waiting).number(mover) == number).then_some(Position {
            pieces: Pieces::new(mover, waiting),
            side: Side::P1,
            passes: 0,
        })
    }

    fn n_bytes(&self) -> u64 {
        (self.ranks.n_bytes() + self.classes.n_bytes() + size_of::<Symmetries>()) as u64
    }
}

impl EntropyPositions {
    /// The waiting pieces of a section.
    #[inline]
    fn waiting(&self, class: usize) -> Squares {
        self.classes.classes()[class].first
    }

    /// The symmetries, except the identity, that preserve the waiting pieces of a section, one bit each.
    #[inline]
    fn fixing(&self, class: usize) -> u16 {
        self.classes.classes()[class].keeping & !1
    }

    /// The section of all positions with these waiting pieces.
    #[inline]
    fn section(&self, waiting: Squares) -> Section<'_> {
        let class = self.classes.of(self.ranks.of_set(waiting));
        let (class, symmetry) = class.expect("each set has a class");
        Section {
            graph: self,
            class,
            symmetry,
            waiting: self.waiting(class),
        }
    }
}

/// The positions with one set of waiting pieces.
struct Section<'a> {
    graph: &'a EntropyPositions,
    class: usize,
    /// The symmetry that maps the waiting pieces to the first set of their class.
    symmetry: usize,
    /// The first set of the class.
    waiting: Squares,
}

impl Section<'_> {
    /// The index of the position with these pieces of the mover.
    #[inline]
    fn number(&self, mover: Squares) -> u64 {
        let mover = self.turned(mover);
        let images = bits(self.graph.fixing(self.class))
            .map(|symmetry| self.rank(self.graph.symmetries.image(symmetry.into(), mover)));
        let lowest = images.fold(self.rank(mover), usize::min);
        (self.class * N_FREE_SETS + lowest) as u64
    }

    /// The section, and a set of the mover in it that represents these pieces of the mover.
    #[inline]
    fn predecessor_block(&self, mover: Squares) -> PredecessorBlock {
        PredecessorBlock {
            section: self.class as u32,
            item: self.rank(self.turned(mover)) as u16,
        }
    }

    /// The image of a set under the symmetry of the waiting pieces.
    #[inline]
    fn turned(&self, set: Squares) -> Squares {
        self.graph.symmetries.image(self.symmetry, set)
    }

    #[inline]
    fn rank(&self, mover: Squares) -> usize {
        self.graph.ranks.of_free_set(self.waiting, mover)
    }
}

/// The section of an index, and the index of the mover's pieces in it.
#[inline]
fn split(number: u64) -> (usize, usize) {
    let number = number as usize;
    (number / N_FREE_SETS, number % N_FREE_SETS)
}

#[cfg(test)]
mod tests {
    use kit::{Evaluate, PositionHistory};

    use super::*;

    fn graph(goal: &str) -> EntropyPositions {
        let game: Entropy = laws::testing::game(&format!("Goal={goal}"));
        game.graph().expect("each goal has a table")
    }

    /// Positions of random games, finished ones included.
    fn positions(graph: &EntropyPositions, n_games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..n_games {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut history = PositionHistory::start(graph.game.clone());
            positions.push(*history.position());
            while let Some(mv) = rng.choice(history.moves()).filter(|_| history.ply() < 80) {
                // Short games are a better test than long ones.
                history.play(graph.game.win_in_one(history.position()).unwrap_or(mv));
                positions.push(*history.position());
            }
        }
        positions
    }

    /// Positions whose waiting pieces are symmetric, and positions around them.
    fn symmetric_positions(graph: &EntropyPositions) -> Vec<Position> {
        let classes = 0..graph.classes.classes().len();
        let classes = classes.filter(|&class| graph.fixing(class) != 0);
        let mut rng = fastrand::Rng::with_seed(7);
        let numbers = classes
            .step_by(9)
            .map(|class| (class * N_FREE_SETS + rng.usize(..N_FREE_SETS)) as u64);
        numbers
            .filter_map(|number| graph.position(number))
            .collect()
    }

    fn number(graph: &EntropyPositions, position: &Position) -> u64 {
        graph.index(position).expect("each position has a number")
    }

    #[test]
    fn turned_positions_and_exchanged_colours_have_one_number() {
        let graph = graph("contact");
        for position in [positions(&graph, 40), symmetric_positions(&graph)].concat() {
            let expected = number(&graph, &position);
            let [own, enemy] = [position.own(), position.enemy()];
            for symmetry in 0..8 {
                let image = |set| graph.symmetries.image(symmetry, set);
                for (side, pieces) in [
                    (Side::P1, Pieces::new(image(own), image(enemy))),
                    (Side::P2, Pieces::new(image(enemy), image(own))),
                ] {
                    let turned = Position {
                        pieces,
                        side,
                        passes: 0,
                    };
                    assert_eq!(number(&graph, &turned), expected, "{position:?}");
                }
            }
        }
    }

    /// Numbers that random ones seldom are: of positions near the end, of symmetric pieces, and without a position.
    #[test]
    fn rare_numbers_keep_the_law() {
        let step = if laws::testing::full() { 1 } else { 3 };
        for goal in ["contact", "apart"] {
            let graph = graph(goal);
            let mut classes = 0..graph.classes.classes().len();
            let symmetric = classes.find(|&class| graph.fixing(class) != 0);
            let first = symmetric.expect("a symmetric class") * N_FREE_SETS;
            let section = (first..first + N_FREE_SETS).map(|number| number as u64);
            let rare = [positions(&graph, 20), symmetric_positions(&graph)].concat();
            let numbers = rare.iter().map(|position| number(&graph, position));
            let numbers = numbers.chain(section.step_by(97)).step_by(step);
            laws::check_indices(&graph.game, &graph, numbers);
        }
    }
}
