//! `linesman puzzle`: positions with known best moves, at a pipe.

use crate::console::pty::Terminal;
use crate::support::{Folder, has};

fn solve(folder: &Folder, words: &str, lines: &str) -> Vec<String> {
    std::fs::write(folder.path("lines"), lines).expect("lines");
    let done = folder
        .shell(&format!("LINESMAN puzzle {words} --nodes 2000 < lines"))
        .exits(0);
    done.stdout
}

#[test]
fn every_game_has_puzzles() {
    for game in [
        "graph-hockey",
        "gobblet",
        "gobblet:Size=4",
        "susan",
        "projex",
        "entropy",
    ] {
        let folder = Folder::new("puzzle-games");
        let seen = solve(&folder, game, "xyzzy\nmoves\nboard\n?\nnext\nanswer\n");
        has(&seen, "Puzzle 1 of ");
        has(&seen, "Puzzle 3 of ");
        has(&seen, "; ? lists the commands");
        has(&seen, "line: ");
        has(&seen, "solved 0 of 1");
    }
}

/// At a terminal a puzzle is a game on the screen of keys: several tries, undo, hint, and the answer.
#[test]
fn puzzles_are_played_at_a_terminal() {
    let folder = Folder::new("puzzle-terminal");
    let mut terminal = Terminal::painted(&folder, "puzzle entropy --st 0.05", (80, 24));
    terminal.sees("Puzzle 1: entropy.00: ");
    terminal.sees("1. O> ");
    for (line, answer) in [
        ("a4-b4", "wrong: undo, and try again"),
        (":undo", "were taken back; move 1 is next"),
        (":puzzle answer", "a4-c4 wins in 7 plies"),
        ("a4-c4", "right, at try 2: a4-c4 wins in 7 plies"),
        (":puzzle", "1. S> "),
        (":puzzle 99", "expected a number from 1 to 31, or answer"),
    ] {
        terminal.presses(line);
        terminal.presses("\r");
        terminal.sees(answer);
        if answer.starts_with("wrong") {
            // The engine has replied.
            terminal.sees("3. O> ");
        }
    }
    terminal.presses(":quit\r");
    // What was said is repeated where the screen is left.
    has(&terminal.leaves(), "Puzzle 2: ");
    // No game is recorded.
    let names = std::fs::read_dir(folder.path(".")).expect("a folder");
    let names = names.map(|file| file.expect("a file").file_name());
    assert!(
        names
            .into_iter()
            .all(|name| !name.to_string_lossy().ends_with(".jsonl"))
    );
}
