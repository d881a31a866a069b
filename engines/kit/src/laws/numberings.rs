//! The numbering of a game's positions, and the moves between numbers, agree with its rules.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use crate::puzzle::Value;
use crate::tablebase::{Ending, MoveGraph, Numbering, Order, Slot, Successor, Tabulated, Walker};
use crate::{Outcome, PositionHistory, Side};

/// A successor in a form that can be sorted: a number, or the end of the game.
type Reached = Result<u64, &'static str>;

/// Checks the numbering of a game by the options of `game`, at `n` numbers chosen at random and along random games: numbers and positions are
/// inverse to each other, the walker lists the moves of the rules in both directions, and the order of solving can be kept.
///
/// # Panics
/// With the number or the position that is at fault.
pub fn check_numbering<G: Tabulated>(game: &G, n: u64) {
    let graph = game.graph().expect("a board that has tables");
    let law = Law {
        game,
        graph: &graph,
        layers: match graph.order() {
            Order::Layers(layers) => Some(layers),
            Order::Distance => None,
        },
    };
    law.check_layers();
    let mut walker = graph.walker();
    for seed in 0..n {
        let number = fastrand::Rng::with_seed(seed).u64(0..graph.n_numbers());
        law.check_number(number, &mut walker);
    }
    for seed in 0..n / 20 {
        law.check_game(seed);
    }
}

struct Law<'a, G: Tabulated> {
    game: &'a G,
    graph: &'a G::Graph,
    layers: Option<Vec<Range<u64>>>,
}

impl<G: Tabulated> Law<'_, G> {
    /// The layers are all numbers, each once.
    fn check_layers(&self) {
        if let Some(layers) = &self.layers {
            let mut sorted = layers.clone();
            sorted.sort_by_key(|layer| layer.start);
            let mut next = 0;
            for layer in sorted {
                assert_eq!(layer.start, next, "a gap or an overlap before {layer:?}");
                next = layer.end;
            }
            assert_eq!(next, self.graph.n_numbers());
        }
    }

    fn layer(&self, number: u64) -> Option<usize> {
        let layers = self.layers.as_ref()?;
        layers.iter().position(|layer| layer.contains(&number))
    }

    fn check_number(&self, number: u64, walker: &mut impl Walker) {
        let slot = walker.slot(number);
        let Some(position) = self.graph.position(number) else {
            assert_eq!(slot, Slot::Unused, "number {number}");
            return;
        };
        let at = format!("number {number}, {position:?}");
        let side = self.game.side(&position);
        if let Some(ending) = self.ending(&position, side) {
            let value = match ending {
                Ending::Win => Value::Win(0),
                Ending::Loss => Value::Loss(0),
                Ending::Draw => Value::Draw,
            };
            assert_eq!(slot, Slot::Known(value), "{at}");
            return;
        }
        assert_eq!(self.graph.number(&position), Some(number), "{at}");
        assert_ne!(slot, Slot::Unused, "{at}");
        let expected = self.successors(&position);
        let mut listed = BTreeSet::new();
        walker.successors(number, |successor| {
            listed.insert(match successor {
                Successor::To(number) => Ok(number),
                Successor::End(ending) => Err(word(ending)),
            });
            ControlFlow::Continue(())
        });
        assert_eq!(listed, expected, "{at}");
        for next in listed.into_iter().flatten() {
            match self.layer(number) {
                Some(layer) => assert!(self.layer(next) < Some(layer), "{at}: {next}"),
                None => self.check_back(number, next, walker, &at),
            }
        }
    }

    /// A number is among the predecessors of its successor, and these have moves to it.
    fn check_back(&self, number: u64, next: u64, walker: &mut impl Walker, at: &str) {
        let mut before = BTreeSet::new();
        walker.predecessors(next, |number| {
            before.insert(number);
        });
        assert!(before.contains(&number), "{at}: not before {next}");
        for before in before {
            let position = self.graph.position(before);
            let position = position.unwrap_or_else(|| panic!("{before} before {next} is unused"));
            if self.game.outcome(&position).is_none() {
                let successors = self.successors(&position);
                assert!(
                    successors.contains(&Ok(next)),
                    "{position:?} is not before {next}"
                );
            }
        }
    }

    /// Where the moves lead, by the rules.
    fn successors(&self, position: &G::Position) -> BTreeSet<Reached> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        let side = self.game.side(position);
        let reach = |mv| {
            let mut after = position.clone();
            self.game.play(&mut after, mv);
            let number = self.graph.number(&after);
            let ending = || {
                word(
                    self.ending(&after, side)
                        .expect("a game that goes on has a number"),
                )
            };
            number.ok_or_else(ending)
        };
        moves.into_iter().map(reach).collect()
    }

    fn ending(&self, position: &G::Position, side: Side) -> Option<Ending> {
        self.game.outcome(position).map(|outcome| match outcome {
            Outcome::Draw => Ending::Draw,
            Outcome::Win(winner) if winner == side => Ending::Win,
            Outcome::Win(_) => Ending::Loss,
        })
    }

    /// Each position of a game has a number, and a position of that number has the same.
    fn check_game(&self, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut history = PositionHistory::start(self.game.clone());
        while history.outcome().is_none() && history.ply() < 100 {
            let position = history.position();
            let number = self.graph.number(position);
            let number = number.unwrap_or_else(|| panic!("{position:?} has no number"));
            assert!(number < self.graph.n_numbers(), "{position:?}: {number}");
            let again = self.graph.position(number).expect("the number is used");
            assert_eq!(
                self.graph.number(&again),
                Some(number),
                "{position:?}, {again:?}"
            );
            history.play(*rng.choice(&history.moves()).expect("a move"));
        }
    }
}

const fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Win => "win",
        Ending::Loss => "loss",
        Ending::Draw => "draw",
    }
}
