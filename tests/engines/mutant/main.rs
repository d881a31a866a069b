//! An engine for the tests of `check`: the sound engine of a game with one thing changed, a mutant.
//!
//! `mutant-engine GAME [MUTANT]`, or `mutant-engine list GAME` for the names. The sound engine is a child process.
//! Lines are passed to it and back, but queries are answered and moves are checked here, by the changed rules
//! ([`play`]). Each game has a table with its mutants; `anywhere` has those of every game.

mod anywhere;
mod play;
mod proxy;
mod rows;

mod entropy;
mod gobblet;
mod graph_hockey;
mod projex;
mod susan;

use std::io::{self, Write};
use std::process::ExitCode;

use play::Mutant;

/// Mutants of one game, in addition to those of every game.
fn mutants_of(game: &str) -> &'static [Mutant] {
    match game {
        "graph-hockey" => graph_hockey::MUTANTS,
        "gobblet" => gobblet::MUTANTS,
        "susan" => susan::MUTANTS,
        "projex" => projex::MUTANTS,
        "entropy" => entropy::MUTANTS,
        _ => &[],
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (game, name) = match words.as_slice() {
        [list, game] if list == "list" => return list_mutants(game),
        [game] => (game, None),
        [game, name] => (game, Some(name)),
        _ => return usage("expected GAME [MUTANT]"),
    };
    let Ok(entry) = linesman::GAMES.find(game) else {
        return usage(&format!("unknown game {game:?}"));
    };
    let Some(name) = name else {
        return entry.serve(&kit::Options::new(entry.source.options()));
    };
    let mutants = mutants_of(game).iter().chain(anywhere::MUTANTS);
    let found = mutants.into_iter().find(|(known, _)| known == name);
    match found {
        Some((_, spoil)) => proxy::run(entry, *spoil),
        None => usage(&format!("unknown mutant {name:?}")),
    }
}

/// Prints the names of a game's mutants, one per line.
fn list_mutants(game: &str) -> ExitCode {
    let mutants = mutants_of(game).iter().chain(anywhere::MUTANTS);
    let names: String = mutants.map(|(name, _)| format!("{name}\n")).collect();
    match io::stdout().write_all(names.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn usage(why: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {why}");
    ExitCode::from(2)
}
