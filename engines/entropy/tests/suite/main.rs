//! Tests of Entropy through its public face: worked examples, perft, a second implementation, the laws, the search.

mod diagram;
mod differential;
mod figures;
mod naive;
mod notation;
mod perft;
mod rules;
mod search;

use entropy::Entropy;
use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Options, Outcome, PositionHistory, Side, View};

/// The game with this value of the option `Goal`.
fn game(goal: &str) -> Entropy {
    let mut options = Options::new(Entropy::options());
    options.set("Goal", Some(goal)).expect("a goal");
    Entropy::new(&options)
}

/// A game in play in three words: `Case::new(figure).play("a4-c4").refuses(...)`.
struct Case(PositionHistory<Entropy>);

impl Case {
    /// By the default goal, from a position string or a figure.
    fn new(position: &str) -> Case {
        Case::with_goal("contact", position)
    }

    fn with_goal(goal: &str, position: &str) -> Case {
        let read = parse_history(&game(goal), position);
        Case(read.unwrap_or_else(|why| panic!("{position}: {why}")))
    }

    /// Plays moves, split by blanks.
    fn play(mut self, codes: &str) -> Case {
        for code in codes.split_whitespace() {
            let played = DynHistory::play(&mut self.0, code);
            assert_eq!(played.as_deref().map_err(|why| &why.0), Ok(code));
        }
        self
    }

    /// What a refused move is answered.
    fn refusal(&mut self, code: &str) -> String {
        DynHistory::play(&mut self.0, code)
            .expect_err("an illegal move")
            .0
    }

    fn moves(&self) -> Vec<String> {
        DynHistory::moves(&self.0)
    }

    fn fen(&self) -> String {
        DynHistory::fen(&self.0)
    }

    fn drawn(&self) -> String {
        DynHistory::draw(&self.0, View::default())
    }

    #[track_caller]
    fn ends_won_by(self, side: Side) -> Case {
        assert_eq!(self.0.outcome(), Some(Outcome::Win(side)), "{}", self.fen());
        self
    }

    #[track_caller]
    fn ends_drawn(self) -> Case {
        assert_eq!(self.0.outcome(), Some(Outcome::Draw), "{}", self.fen());
        self
    }

    #[track_caller]
    fn goes_on(self) -> Case {
        assert_eq!(self.0.outcome(), None, "{}", self.fen());
        self
    }
}
