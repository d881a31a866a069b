//! SUSAN held against its rules: worked examples, perft tables, the laws of every game, and a second implementation.

use kit::dyn_history::{parse_history, parse_legal};
use kit::{Game, Options, PositionHistory};
use susan::Susan;

mod diagram;
mod differential;
mod naive;
mod notation;
mod perft;
mod rules;
mod search;

/// The game by options such as `Size=3 SlideLimit=0`.
fn game(options: &str) -> Susan {
    let mut chosen = Options::new(Susan::options());
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').expect("an option is Name=value");
        chosen.set(name, Some(value)).expect("a valid option");
    }
    Susan::new(&chosen)
}

/// A game in play at a position, or at `startpos`.
fn at(options: &str, position: &str) -> PositionHistory<Susan> {
    let game = game(options);
    if position == "startpos" {
        return PositionHistory::start(game);
    }
    parse_history(&game, position).unwrap_or_else(|why| panic!("{position}: {why}"))
}

/// Plays move codes, split by commas.
fn play(history: &mut PositionHistory<Susan>, codes: &str) {
    for code in codes.split(", ") {
        let mv = parse_legal(history, code).unwrap_or_else(|why| panic!("{codes}: {why}"));
        history.play(mv);
    }
}

/// The game after these moves.
fn after(options: &str, position: &str, codes: &str) -> PositionHistory<Susan> {
    let mut history = at(options, position);
    play(&mut history, codes);
    history
}

/// Why a move is refused.
fn refusal(history: &PositionHistory<Susan>, code: &str) -> String {
    match parse_legal(history, code) {
        Ok(mv) => panic!("{code} is taken as {mv:?}"),
        Err(why) => why.to_string(),
    }
}
