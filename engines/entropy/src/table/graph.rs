//! The index of each class of positions.

use kit::tablebase::{Indexing, PredecessorBlock, Tabulated};
use kit::{Rejection, Side};

use super::rank::{FreeSets, N_FREE_SETS, Ranks};
use super::symmetry::{Symmetries, Symmetry};
use crate::geometry::Squares;
use crate::position::{Entropy, Pieces, Position};

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
}

impl Tabulated for Entropy {
    type Graph = EntropyPositions;

    fn graph(&self) -> Result<EntropyPositions, Rejection> {
        let ranks = Ranks::new();
        Ok(EntropyPositions {
            game: self.clone(),
            symmetries: Symmetries::new(&ranks),
            ranks,
        })
    }
}

impl Indexing<Entropy> for EntropyPositions {
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![(crate::position::GOAL, self.game.goal().name().to_owned())]
    }

    fn n_indices(&self) -> u64 {
        (self.symmetries.n_classes() * N_FREE_SETS) as u64
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
        (self.ranks.n_bytes() + self.symmetries.n_bytes()) as u64
    }
}

impl EntropyPositions {
    pub(super) fn game(&self) -> &Entropy {
        &self.game
    }

    pub(super) fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// The waiting pieces of a section.
    #[inline]
    pub(super) fn waiting(&self, class: usize) -> Squares {
        self.symmetries.first(class)
    }

    /// The symmetries, except the identity, that preserve the waiting pieces of a section.
    #[inline]
    pub(super) fn fixing(&self, class: usize) -> &[Symmetry] {
        self.symmetries.fixing(class)
    }

    /// The image of a set under a symmetry.
    #[inline]
    pub(super) fn image(&self, symmetry: Symmetry, set: Squares) -> Squares {
        self.symmetries.image(symmetry, set)
    }

    /// The section of all positions with these waiting pieces.
    #[inline]
    pub(super) fn section(&self, waiting: Squares) -> Section<'_> {
        let (class, symmetry) = self.symmetries.class(self.ranks.of_set(waiting));
        Section {
            graph: self,
            class,
            symmetry,
            waiting: self.waiting(class),
            fixing: self.fixing(class),
        }
    }
}

/// The positions with one set of waiting pieces.
pub(super) struct Section<'a> {
    graph: &'a EntropyPositions,
    class: usize,
    /// The symmetry that maps the waiting pieces to the first set of their class.
    symmetry: Symmetry,
    /// The first set of the class.
    waiting: Squares,
    fixing: &'a [Symmetry],
}

impl Section<'_> {
    /// The index of the position with these pieces of the mover.
    #[inline]
    pub(super) fn number(&self, mover: Squares) -> u64 {
        let mover = self.turned(mover);
        let images = self
            .fixing
            .iter()
            .map(|&symmetry| self.rank(self.graph.symmetries.image(symmetry, mover)));
        let lowest = images.fold(self.rank(mover), usize::min);
        (self.class * N_FREE_SETS + lowest) as u64
    }

    /// The section, and a set of the mover in it that represents these pieces of the mover.
    #[inline]
    pub(super) fn predecessor_block(&self, mover: Squares) -> PredecessorBlock {
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
pub(super) fn split(number: u64) -> (usize, usize) {
    let number = number as usize;
    (number / N_FREE_SETS, number % N_FREE_SETS)
}

#[cfg(test)]
mod tests {
    use kit::Value;
    use kit::tablebase::{InitialValue, MoveGraph, Successor, Walker};
    use kit::{Evaluate, Game, Outcome, PositionHistory};
    use std::collections::BTreeSet;
    use std::ops::ControlFlow;

    use super::*;
    use crate::position::Move;

    fn graph(goal: &str) -> EntropyPositions {
        let game: Entropy = laws::testing::game(&format!("Goal={goal}"));
        game.graph().expect("each goal has a table")
    }

    /// Positions of random games, finished ones included.
    fn positions(graph: &EntropyPositions, n_games: u64) -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 0..n_games {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut history = PositionHistory::start(graph.game().clone());
            positions.push(*history.position());
            while let Some(mv) = rng.choice(history.moves()).filter(|_| history.ply() < 80) {
                // Short games are a better test than long ones.
                history.play(graph.game().win_in_one(history.position()).unwrap_or(mv));
                positions.push(*history.position());
            }
        }
        positions
    }

    /// Positions whose waiting pieces are symmetric, and positions around them.
    fn symmetric_positions(graph: &EntropyPositions) -> Vec<Position> {
        let classes =
            (0..graph.symmetries.n_classes()).filter(|&class| !graph.fixing(class).is_empty());
        let mut rng = fastrand::Rng::with_seed(7);
        let numbers = classes
            .step_by(9)
            .map(|class| (class * N_FREE_SETS + rng.usize(..N_FREE_SETS)) as u64);
        numbers
            .filter_map(|number| graph.position(number))
            .collect()
    }

    fn all_positions(graph: &EntropyPositions) -> Vec<Position> {
        [positions(graph, 40), symmetric_positions(graph)].concat()
    }

    fn successors(graph: &EntropyPositions, number: u64) -> BTreeSet<u64> {
        let mut found = BTreeSet::new();
        graph.walker().successors(number, |successor| {
            match successor {
                Successor::To(number) => found.insert(number),
                Successor::End(_) => panic!("finished games have numbers"),
            };
            ControlFlow::Continue(())
        });
        found
    }

    fn predecessors(graph: &EntropyPositions, number: u64) -> BTreeSet<u64> {
        let mut walker = graph.walker();
        let block_before = walker.predecessor_block(number);
        let first = u64::from(block_before.section) * N_FREE_SETS as u64;
        let mut found = BTreeSet::new();
        walker.predecessors_in(block_before, |place| {
            found.insert(first + u64::from(place));
        });
        found
    }

    fn number(graph: &EntropyPositions, position: &Position) -> u64 {
        graph.index(position).expect("each position has a number")
    }

    #[test]
    fn the_position_of_a_number_has_this_number() {
        let graph = graph("contact");
        let mut rng = fastrand::Rng::with_seed(3);
        let mut n_unused = 0;
        for _ in 0..20_000 {
            let number = rng.u64(..graph.n_indices());
            match graph.position(number) {
                Some(position) => assert_eq!(graph.index(&position), Some(number)),
                None => n_unused += 1,
            }
        }
        assert!((50..500).contains(&n_unused), "{n_unused}");
    }

    #[test]
    fn turned_positions_and_exchanged_colours_have_one_number() {
        let graph = graph("contact");
        for position in all_positions(&graph) {
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
            let read = graph.position(expected).expect("a number in use");
            assert_eq!(
                graph.game().count_moves(&read),
                graph.game().count_moves(&position)
            );
        }
    }

    /// Compares the walker's slots and successors with the rules.
    #[test]
    fn the_walker_follows_the_rules() {
        for goal in ["contact", "apart"] {
            let graph = graph(goal);
            let game = graph.game();
            for position in all_positions(&graph) {
                let at = number(&graph, &position);
                let outcome = game.outcome(&Position {
                    passes: 0,
                    ..position
                });
                let expected = match outcome {
                    None => InitialValue::Open,
                    Some(Outcome::Draw) => InitialValue::Known(Value::Draw),
                    Some(Outcome::Win(side)) if side == position.side => {
                        InitialValue::Known(Value::Win(0))
                    }
                    Some(Outcome::Win(_)) => InitialValue::Known(Value::Loss(0)),
                };
                assert_eq!(
                    graph.walker().initial_value(at),
                    expected,
                    "{goal}: {position:?}"
                );
                if outcome.is_some() {
                    continue;
                }
                let mut moves: Vec<Move> = Vec::new();
                game.moves(&position, &mut moves);
                let after = moves.into_iter().map(|mv| {
                    let mut after = position;
                    game.play(&mut after, mv);
                    number(&graph, &after)
                });
                assert_eq!(
                    successors(&graph, at),
                    after.collect(),
                    "{goal}: {position:?}"
                );
            }
        }
    }

    #[test]
    fn each_move_is_taken_back_and_each_move_back_is_a_move() {
        let graph = graph("contact");
        for position in all_positions(&graph) {
            let at = number(&graph, &position);
            let is_open = |number| graph.walker().initial_value(number) == InitialValue::Open;
            if is_open(at) {
                for after in successors(&graph, at) {
                    assert!(predecessors(&graph, after).contains(&at), "{position:?}");
                }
            }
            for before in predecessors(&graph, at)
                .into_iter()
                .filter(|&before| is_open(before))
            {
                assert!(successors(&graph, before).contains(&at), "{position:?}");
            }
        }
    }

    #[test]
    fn numbers_without_a_position_are_unused() {
        let graph = graph("contact");
        let class =
            (0..graph.symmetries.n_classes()).find(|&class| !graph.fixing(class).is_empty());
        let first = class.expect("a symmetric class") * N_FREE_SETS;
        let mut walker = graph.walker();
        for number in (first..first + N_FREE_SETS).map(|number| number as u64) {
            let is_used = graph.position(number).is_some();
            assert_eq!(
                walker.initial_value(number) != InitialValue::Unused,
                is_used,
                "{number}"
            );
        }
    }
}
