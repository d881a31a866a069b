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

/// A hint is the first half of a code's characters, also if they take several bytes.
#[test]
fn a_hint_of_a_rules_program_may_have_any_characters() {
    let folder = Folder::new("puzzle-rules");
    folder.copy_data("counts.py");
    let suite = "game counts\nstartpos; bm é1\n";
    std::fs::write(folder.path("suite"), suite).expect("written");
    let words = "counts suite --rules cmd=python3 arg=counts.py arg=accents";
    let seen = solve(&folder, words, "hint\nhint\né1\n");
    for part in ["hint: its code begins with é", "right: é1"] {
        has(&seen, part);
    }
}

/// The puzzle of the FAQ, answered right and wrong, and the positions of its figures.
#[test]
fn the_puzzles_of_the_faq_are_asked_first() {
    let folder = Folder::new("puzzle-entropy");
    let seen = solve(
        &folder,
        "entropy",
        "A4 -> C4\nd2e1\nb4b3\nboard\nundo\nhint\nhint\nb4c4\nquit\n",
    );
    for part in [
        "Puzzle 1 of 31: entropy.00",
        " S     .     O     S     O  <---5",
        "O to move> A4 -> C4",
        "right: a4-c4 wins in 7 plies (Augustine Carreno's puzzle, 1994)",
        "line: a4-c4 ",
        "S to move> d2e1",
        "right: d2-e1 wins at once",
        "line: d2-e1",
        "wrong: b4-b3 pass",
        "hint: the best move wins in 7 plies",
        "hint: its code begins with b4",
        "right: b4-c4 or b4-d4 or b4-e4 wins in 7 plies",
        "solved 3 of 3, 2 at the first try",
    ] {
        has(&seen, part);
    }
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

#[test]
fn a_suite_of_ones_own_is_asked() {
    let folder = Folder::new("puzzle-file");
    let suite = "game entropy\ns1o1o/o1sos/s4/oosso/s4 s 0; bm d2-e1; id \"mine\";\n";
    std::fs::write(folder.path("suite"), suite).expect("a suite");
    let seen = solve(&folder, "entropy suite", "d2-e1\n");
    has(&seen, "Puzzle 1 of 1: mine");
    has(&seen, "solved 1 of 1");
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
        (":puzzle", "Puzzle 2: "),
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
    terminal.leaves();
    // No game is recorded.
    let names = std::fs::read_dir(folder.path(".")).expect("a folder");
    let names = names.map(|file| file.expect("a file").file_name());
    assert!(
        names
            .into_iter()
            .all(|name| !name.to_string_lossy().ends_with(".jsonl"))
    );
}
