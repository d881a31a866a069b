//! Mutants of every game: what the engine reports about a search, and faults in long games.

use std::process::exit;

use kit::Outcome;

use crate::play::{Mutant, Play, Spoil, Talk};

pub(crate) const MUTANTS: &[Mutant] = &[
    (
        "mate-in-moves",
        Spoil::Said(|_, line| mate(line, |plies| plies - plies / 2)),
    ),
    (
        "mate-one-more",
        Spoil::Said(|_, line| mate(line, |plies| plies + plies.signum())),
    ),
    (
        "mate-one-less",
        Spoil::Said(|_, line| mate(line, |plies| plies - plies.signum())),
    ),
    (
        "mate-for-the-other",
        Spoil::Said(|_, line| mate(line, |plies| -plies)),
    ),
    ("no-mate-in-1", Spoil::Said(denies_mate)),
    ("dies-after-60-plies", Spoil::Said(dies)),
    ("silent-after-60-plies", Spoil::Said(is_silent)),
    (
        "illegal-40th",
        Spoil::Said(|talk, line| illegal(talk, line, 40)),
    ),
    ("position-in-part", Spoil::Partly),
];

/// Changes the number after `score mate`.
fn mate(line: &str, change: fn(i32) -> i32) -> String {
    let Some((before, after)) = line.split_once(" score mate ") else {
        return line.to_owned();
    };
    let (number, rest) = after.split_once(' ').unwrap_or((after, ""));
    let plies = number.parse().map_or(0, change);
    format!("{before} score mate {plies} {rest}")
}

/// Claims before each move that there is no win in one.
fn denies_mate(_: &mut Talk, line: &str) -> String {
    match line.starts_with("bestmove") {
        true => format!("info string no mate in 1\n{line}"),
        false => line.to_owned(),
    }
}

const LONG: usize = 60;

fn dies(talk: &mut Talk, line: &str) -> String {
    if talk.n_moves > LONG && line.starts_with("bestmove") {
        exit(3);
    }
    line.to_owned()
}

fn is_silent(talk: &mut Talk, line: &str) -> String {
    match talk.n_moves > LONG && line.starts_with("bestmove") {
        true => "info string no move comes to mind".to_owned(),
        false => line.to_owned(),
    }
}

fn illegal(talk: &mut Talk, line: &str, n: usize) -> String {
    match line.starts_with("bestmove") && talk.n_searches.is_multiple_of(n) {
        true => "bestmove a0".to_owned(),
        false => line.to_owned(),
    }
}

/// A draw at the `limit`-th occurrence of a position instead of the third.
pub(crate) fn repetition(play: &Play, limit: usize) -> Option<Outcome> {
    let n = play.occurrences();
    let drawn = (n >= limit).then_some(Outcome::Draw);
    match play.now().outcome {
        Some(Outcome::Draw) if n >= 3 => drawn,
        outcome => outcome.or(drawn),
    }
}
