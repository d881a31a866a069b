//! Tests of Graph Hockey through its public face: worked examples, perft, a second implementation, the laws, the search.

mod diagram;
mod differential;
mod naive;
mod notation;
mod perft;
mod rules;
mod search;

use graph_hockey::GraphHockey;
use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Options, Outcome, PositionHistory};

/// The game on the default field.
fn game() -> GraphHockey {
    GraphHockey::new(&Options::new(GraphHockey::options()))
}

/// A game in play in three words: `Case::new("4x8 GH").play("J").moves()`.
struct Case(PositionHistory<GraphHockey>);

impl Case {
    /// From a position string.
    fn new(position: &str) -> Case {
        let read = parse_history(&game(), position);
        Case(read.unwrap_or_else(|why| panic!("{position}: {why}")))
    }

    /// Plays moves, their letters run together.
    fn play(mut self, letters: &str) -> Case {
        for letter in letters.chars() {
            let played = DynHistory::play(&mut self.0, &letter.to_string());
            assert!(played.is_ok(), "{}: {played:?}", self.fen());
        }
        self
    }

    /// What a refused move is answered.
    fn refusal(&mut self, code: &str) -> String {
        DynHistory::play(&mut self.0, code)
            .expect_err("an illegal move")
            .0
    }

    /// The letters of the legal moves, run together.
    fn moves(&self) -> String {
        DynHistory::moves(&self.0).concat()
    }

    fn fen(&self) -> String {
        DynHistory::fen(&self.0)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
}

#[test]
fn keeps_the_laws() {
    kit::laws::check::<GraphHockey>();
}
