//! Checks that the position indices of a game, and the moves between them, agree with the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use kit::Value;
use kit::tablebase::{Indexing, InitialValue, MoveGraph, Successor, Tabulated, Walker};
use kit::{PositionHistory, Side};

/// A successor in a sortable form: an index, or the score of the end of the game.
type Reached = Result<u64, i32>;

/// Checks the position indexing of a game with the options of `game`, at `n` random indices and along random games.
/// Index and position must be inverse to each other, and the walker must list the moves of the rules. With layers, each
/// move must lead to an earlier one. With sections, move
/// counts must be right, and moves back must be listed as often as moves forward lead to an index.
///
/// # Panics
/// With the wrong index or position.
pub fn check_indexing<G: Tabulated>(game: &G, n: u64) {
    let graph = game.graph().expect("a board that has tables");
    if let Some(size) = graph.section_size() {
        assert!((1..=1 << 16).contains(&size), "{size} numbers in a section");
        assert_eq!(
            graph.n_indices() % size,
            0,
            "the last section is incomplete"
        );
    }
    let random = |seed| fastrand::Rng::with_seed(seed).u64(0..graph.n_indices());
    check_indices(game, &graph, (0..n).map(random));
    for seed in 0..n / 20 {
        Law {
            game,
            graph: &graph,
        }
        .check_game(seed);
    }
}

/// Checks these indices, as [`check_indexing`] does random ones.
///
/// # Panics
/// With the wrong index or position.
pub fn check_indices<G: Tabulated>(
    game: &G,
    graph: &G::Graph,
    numbers: impl IntoIterator<Item = u64>,
) {
    let mut walker = graph.walker();
    for number in numbers {
        Law { game, graph }.check_number(number, &mut walker);
    }
}

struct Law<'a, G: Tabulated> {
    game: &'a G,
    graph: &'a G::Graph,
}

impl<G: Tabulated> Law<'_, G> {
    fn check_number(&self, number: u64, walker: &mut impl Walker) {
        let slot = walker.initial_value(number);
        let Some(position) = self.graph.position(number) else {
            assert_eq!(slot, InitialValue::Unused, "number {number}");
            return;
        };
        let at = format!("number {number}, {position:?}");
        let side = self.game.side(&position);
        if let Some(value) = self.ending(&position, side) {
            assert_eq!(slot, InitialValue::Known(value), "{at}");
            return;
        }
        assert_eq!(self.graph.index(&position), Some(number), "{at}");
        assert_ne!(slot, InitialValue::Unused, "{at}");
        let expected = self.successors(&position);
        let mut listed = BTreeSet::new();
        walker.successors(number, |successor| {
            listed.insert(match successor {
                Successor::To(number) => Ok(number),
                Successor::End(value) => Err(value.score()),
            });
            ControlFlow::Continue(())
        });
        assert_eq!(listed, expected, "{at}");
        let layers = self.graph.layers();
        let layer = |number: u64| layers.partition_point(|&end| end <= number);
        for &next in listed.iter().flatten().filter(|_| !layers.is_empty()) {
            assert!(layer(next) < layer(number), "{at}: a move back to {next}");
        }
        if let Some(size) = self.graph.section_size() {
            self.check_count(number, &position, walker);
            for next in listed.into_iter().flatten() {
                self.check_back_in(number, next, size, walker);
            }
        }
    }

    /// Checks that slots listed together equal those listed one by one, with the number of moves that do not lose at
    /// once.
    fn check_count(&self, number: u64, position: &G::Position, walker: &mut impl Walker) {
        let slot = walker.initial_value(number);
        let mut slots = Vec::new();
        walker.initial_values(number..number + 1, |slot, n_moves| {
            slots.push((slot, n_moves))
        });
        let lost = Err(Value::Loss(0).score());
        let moves = self.moves(position).into_iter();
        let n_moves = moves.filter(|reached| *reached != lost).count() as u16;
        let expected = (
            slot,
            if slot == InitialValue::Open {
                n_moves
            } else {
                0
            },
        );
        assert_eq!(slots, [expected], "number {number}, {position:?}");
    }

    /// Checks that an index has as many moves to each successor as there are moves back from the successor, also for
    /// the successor's other predecessors.
    fn check_back_in(&self, number: u64, next: u64, size: u64, walker: &mut impl Walker) {
        let block_before = walker.predecessor_block(next);
        let first = u64::from(block_before.section) * size;
        let mut before: BTreeMap<u64, usize> = BTreeMap::from([(number, 0)]);
        walker.predecessors_in(block_before, |place| {
            *before.entry(first + u64::from(place)).or_default() += 1;
        });
        for (before, n) in before {
            if walker.initial_value(before) == InitialValue::Open {
                let position = self.graph.position(before).expect("an open slot is used");
                let moves = self.moves(&position).into_iter();
                let expected = moves.filter(|reached| *reached == Ok(next)).count();
                assert_eq!(
                    n, expected,
                    "moves back from {next} to {before}, {position:?}"
                );
            }
        }
    }

    /// The distinct targets of the moves by the rules.
    fn successors(&self, position: &G::Position) -> BTreeSet<Reached> {
        self.moves(position).into_iter().collect()
    }

    /// The target of each move by the rules.
    fn moves(&self, position: &G::Position) -> Vec<Reached> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let side = self.game.side(position);
        let reach = |mv| {
            let mut after = position.clone();
            self.game.play(&mut after, mv);
            let number = self.graph.index(&after);
            number.ok_or_else(|| {
                let ending = self.ending(&after, side);
                let value = ending.expect("a game that goes on has a number");
                value.score()
            })
        };
        moves.into_iter().map(reach).collect()
    }

    fn ending(&self, position: &G::Position, side: Side) -> Option<Value> {
        let outcome = self.game.outcome(position)?;
        Some(Value::of(outcome, side))
    }

    /// Checks that each position of a game has an index, and that the position of that index has the same one.
    fn check_game(&self, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut history = PositionHistory::start(self.game.clone());
        while history.outcome().is_none() && history.ply() < 100 {
            let position = history.position();
            let number = self.graph.index(position);
            let number = number.unwrap_or_else(|| panic!("{position:?} has no number"));
            assert!(number < self.graph.n_indices(), "{position:?}: {number}");
            let again = self.graph.position(number).expect("the number is used");
            assert_eq!(
                self.graph.index(&again),
                Some(number),
                "{position:?}, {again:?}"
            );
            history.play(*rng.choice(&history.moves()).expect("a move"));
        }
    }
}
