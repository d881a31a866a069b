//! Tests of Gobblet! through its public face: worked examples, perft, a second implementation, the laws, the search.

mod diagram;
mod differential;
mod naive;
mod notation;
mod perft;
mod rules;
mod search;

use gobblet::Gobblet;
use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Options, Outcome, PositionHistory, Side};

/// The game on the board of this width.
fn game(width: u8) -> Gobblet {
    let mut options = Options::new(Gobblet::options());
    let set = options.set("Size", Some(&width.to_string()));
    set.expect("a size");
    Gobblet::new(&options)
}

/// A game in play in three words: `Case::new(position).play("3@b2").refusal(...)`.
struct Case(PositionHistory<Gobblet>);

impl Case {
    /// From a position string.
    #[track_caller]
    fn new(position: &str) -> Case {
        let read = parse_history(&game(3), position);
        Case(read.unwrap_or_else(|why| panic!("{position}: {why}")))
    }

    /// From the beginning.
    fn start(width: u8) -> Case {
        Case(PositionHistory::start(game(width)))
    }

    /// Plays canonical codes, split by blanks.
    #[track_caller]
    fn play(mut self, codes: &str) -> Case {
        for code in codes.split_whitespace() {
            let played = DynHistory::play(&mut self.0, code);
            assert_eq!(played.as_deref().map_err(|why| &why.0), Ok(code));
        }
        self
    }

    /// What a refused move is answered.
    #[track_caller]
    fn refusal(&mut self, code: &str) -> String {
        let refused = DynHistory::play(&mut self.0, code);
        refused.expect_err("an illegal move").0
    }

    fn moves(&self) -> Vec<String> {
        DynHistory::moves(&self.0)
    }

    fn fen(&self) -> String {
        DynHistory::fen(&self.0)
    }

    #[track_caller]
    fn won_by(self, side: Side) -> Case {
        assert_eq!(self.0.outcome(), Some(Outcome::Win(side)), "{}", self.fen());
        self
    }

    #[track_caller]
    fn drawn(self) -> Case {
        assert_eq!(self.0.outcome(), Some(Outcome::Draw), "{}", self.fen());
        self
    }

    #[track_caller]
    fn goes_on(self) -> Case {
        assert_eq!(self.0.outcome(), None, "{}", self.fen());
        self
    }
}
