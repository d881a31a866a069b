//! `linesman-lab solve` and `linesman-lab mine`, and proofs of the program's suites.

use std::path::Path;

use check::suite::Puzzle;
use kit::Rejection;

use crate::console::pty::Terminal;
use crate::support::{Folder, in_parallel};

#[test]
fn mining_shows_its_progress() {
    let mut terminal = Terminal::alone("lab mine gobblet --games 100000 --nodes 20");
    terminal.sees("  0% [");
    terminal.kills();
}

#[test]
fn what_is_mined_is_a_suite_and_the_same_each_time() {
    let folder = Folder::new("mine");
    let mine = || {
        let done = folder
            .linesman("lab mine gobblet --games 8 --nodes 20000 --count 4 --seed 3")
            .exits(0);
        done.stdout
    };
    let lines = mine();
    assert_eq!(lines, mine());
    folder.write("suite", lines.join("\n"));
    let puzzles = check::suite::load(&folder.path("suite"), linesman::GAMES).expect("a suite");
    for puzzle in &puzzles {
        assert_eq!(proved(puzzle), Ok(()), "{}", puzzle.name());
    }
}

/// Proves the answers in the suite of a game.
fn verify(game: &str) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../adapter/cli/suites/{game}.epd"));
    let puzzles = check::suite::load(&path, linesman::GAMES).expect("a suite");
    assert!(puzzles.len() >= 20, "{game}: {} positions", puzzles.len());
    for puzzle in &puzzles {
        assert_eq!(puzzle.rules.entry().name, game);
        assert!(!puzzle.best.is_empty(), "{}: bm", puzzle.name());
        assert_eq!(proved(puzzle), Ok(()), "{}", puzzle.name());
    }
}

#[test]
fn the_suites_are_proved() {
    let games = ["graph-hockey", "gobblet", "susan", "projex", "entropy"];
    in_parallel(&games, |game| verify(game));
}

/// Proves the value of a puzzle, and that exactly its best moves keep it.
pub(crate) fn proved(puzzle: &Puzzle) -> Result<(), Rejection> {
    let value = puzzle.value.ok_or("no value to prove")?;
    let engine = puzzle.rules.open(&puzzle.opening)?;
    laws::puzzle::verify(engine.as_ref(), &puzzle.best, value)
}
