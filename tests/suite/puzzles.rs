//! `linesman puzzle`: positions with known best moves, at a table.

use crate::console::pty::Terminal;
use crate::support::{Folder, has};

/// At a terminal a puzzle is a game on the screen of keys: several tries, undo, hint, and the answer.
#[test]
fn puzzles_are_played_at_a_terminal() {
    let folder = Folder::new("puzzle-terminal");
    let mut terminal = Terminal::painted(&folder, "puzzle entropy --nodes 5000", (80, 24));
    terminal.sees("Puzzle 1: entropy.00: ");
    terminal.sees("1. O> ");
    for (line, answer) in [
        ("a4-b4", "wrong: undo, and try again"),
        (":undo", "were taken back; move 1 is next"),
        (":hint", "hint: the best move wins in 7 plies"),
        (":hint", "hint: its code begins with a4"),
        (":hint", ", score "),
        (":puzzle answer", "a4-c4 wins in 7 plies"),
        ("a4-c4", "right, at try 2: a4-c4 wins in 7 plies"),
        (":puzzle", "1. S> "),
        (":puzzle 99", "type a number from 1 to 31, or answer"),
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
    // The last messages are repeated where the screen is left.
    let said = terminal.leaves();
    has(&said, "Puzzle 2: ");
    has(&said, "solved 1 of 1, 0 at the first try");
    // No game is recorded.
    let names = std::fs::read_dir(folder.path(".")).expect("a folder");
    let names = names.map(|file| file.expect("a file").file_name());
    assert!(
        names
            .into_iter()
            .all(|name| !name.to_string_lossy().ends_with(".jsonl"))
    );
}
