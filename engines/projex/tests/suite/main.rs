//! Tests of Projex: worked examples, counted trees, a second implementation, the laws, the search.

mod diagram;
mod differential;
mod far_side;
mod naive;
mod notation;
mod rules;
mod search;

use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Options, PositionHistory};
use projex::Projex;

/// A game in play.
type Play = PositionHistory<Projex>;

/// The game by options written as in `Size=5 Swap=false`.
fn game(words: &str) -> Projex {
    let mut options = Options::new(Projex::options());
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').expect("an option has a value");
        options.set(name, Some(value)).expect("a declared option");
    }
    Projex::new(&options)
}

/// A game that begins at a position string, or at the start for `startpos`.
fn at(words: &str, text: &str) -> Play {
    if text == "startpos" {
        return PositionHistory::start(game(words));
    }
    parse_history(&game(words), text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// The game after these moves.
fn after(words: &str, codes: &str) -> Play {
    let mut play = PositionHistory::start(game(words));
    play_all(&mut play, codes);
    play
}

/// Plays legal moves.
fn play_all(play: &mut Play, codes: &str) {
    for code in codes.split_whitespace() {
        DynHistory::play(play, code).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn keeps_the_laws() {
    kit::laws::check::<Projex>();
}
