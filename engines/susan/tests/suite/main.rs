//! Tests of SUSAN: worked examples, perft tables, the laws of every game, and comparison with a second implementation.

use std::time::Instant;

use kit::{PositionHistory, Session};
use laws::testing;
use susan::Susan;

mod differential;
mod examples;
mod learning;
mod naive;
mod places;
mod search;
mod tables;

/// Creates the game from options such as `Size=3 SlideLimit=0`.
fn game(options: &str) -> Susan {
    testing::game(options)
}

/// A game in progress at a position, or at `startpos`.
fn at(options: &str, position: &str) -> PositionHistory<Susan> {
    testing::at(options, position)
}

/// The game after these moves, separated by commas.
fn after(options: &str, position: &str, codes: &str) -> PositionHistory<Susan> {
    let mut history = at(options, position);
    testing::play(&mut history, codes);
    history
}

/// The answers of a session to a line; a search runs to its end.
fn answers(session: &mut Session, line: &str) -> Vec<String> {
    let mut replies = session.receive(line, Instant::now());
    if let Some(job) = session.take_job() {
        let last = job(&mut |reply| replies.push(reply));
        replies.extend(last);
        session.finish();
    }
    replies.iter().map(ToString::to_string).collect()
}
