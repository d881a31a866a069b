//! An engine for the tests of `check`: the sound engine of a game with one fault.
//!
//! `mutant-engine GAME [FAULT]`. A mutant has one rule changed ([`rules`]); each game has a table of its mutants. Other
//! faults change a line of the input or of the output ([`filter`]). `mutant-engine list GAME` prints the names of the
//! mutants of a game and of the other faults that each game is tested with, one per line.

mod filter;
mod rows;
mod rules;

mod entropy;
mod gobblet;
mod graph_hockey;
mod projex;
mod susan;

use std::io::{self, Write};
use std::process::ExitCode;

use rules::{Mutant, Spoil, Spoilt};

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

/// The mutants of every game.
const ANYWHERE: &[Mutant] = &[("position-in-part", Spoil::Partly)];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (game, fault) = match words.as_slice() {
        [list, game] if list == "list" => return list_faults(game),
        [game] => (game, ""),
        [game, fault] => (game, fault.as_str()),
        _ => return usage("expected GAME [FAULT]"),
    };
    let Ok(entry) = linesman::GAMES.find(game) else {
        return usage(&format!("unknown game {game:?}"));
    };
    let mut entry = *entry;
    let mut mutants = mutants_of(game).iter().chain(ANYWHERE);
    if let Some((_, spoil)) = mutants.find(|(name, _)| *name == fault) {
        entry.source = Box::leak(Box::new(Spoilt {
            sound: entry.source,
            spoil: *spoil,
        }));
    }
    filter::serve(entry, fault)
}

fn list_faults(game: &str) -> ExitCode {
    let mutants = mutants_of(game).iter().chain(ANYWHERE);
    let names = mutants.map(|(name, _)| *name).chain(filter::ANYWHERE);
    let names: String = names.map(|name| format!("{name}\n")).collect();
    match io::stdout().write_all(names.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn usage(why: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "error: {why}");
    ExitCode::from(2)
}
