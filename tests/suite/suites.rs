//! `linesman-lab solve` and `linesman-lab mine`, and proofs of the program's suites.

use std::path::Path;

use serde_json::Value;

use check::suite::Puzzle;
use kit::Rejection;

use crate::console::pty::Terminal;
use crate::support::{Done, Folder, begins, has};

const PUZZLE: &str = "s1oso/o3s/o3o/1o2s/sss1o o 0";

fn solve(test: &str, suite: &str, words: &str) -> Done {
    let folder = Folder::new(test);
    std::fs::write(folder.path("suite"), suite).expect("a suite");
    folder.linesman(&format!("lab solve suite {words}")).done()
}

fn puzzle(fields: &str) -> String {
    format!("# one\ngame entropy\n{PUZZLE}; {fields}\n")
}

#[test]
fn a_suite_is_solved_with_a_line_a_position_and_the_score_at_the_end() {
    let suite = puzzle("bm a4-c4; win 7; id \"FAQ\"") + PUZZLE + "; bm b2-b3; win 5\n";
    let done = solve("solve", &suite, "--depth 8");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    begins(&done.stdout[0], "solved FAQ: a4-c4 {+M7/");
    assert!(
        done.stdout[0].ends_with("win 7, told"),
        "{}",
        done.stdout[0]
    );
    begins(&done.stdout[1], "FAILED line 4: a4-c4");
    assert!(
        done.stdout[1].ends_with("win 5, expected b2-b3"),
        "{}",
        done.stdout[1]
    );
    assert_eq!(done.stdout[2..], ["values found 1 of 2", "solved 1 of 2"]);
}

#[test]
fn a_value_alone_is_solved_when_it_is_told() {
    for (fields, words, score) in [
        ("win 7", "--depth 8", "solved 1 of 1"),
        ("win 7", "--depth 1", "solved 0 of 1"),
        (
            "win 7",
            "--engine builtin proto=uci depth=8",
            "solved 1 of 1",
        ),
        ("loss 7", "--depth 8", "solved 0 of 1"),
        ("draw", "--depth 8", "solved 0 of 1"),
    ] {
        let done = solve("value", &puzzle(fields), words);
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        assert_eq!(
            done.stdout.last().map(String::as_str),
            Some(score),
            "{fields} {words}"
        );
    }
}

#[test]
fn answers_are_told_as_json() {
    let done = solve("json", &puzzle("bm a4-c4; win 7"), "--nodes 20000 --json");
    let lines: Vec<Value> = done
        .stdout
        .iter()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    assert_eq!(lines[0]["answer"]["move"], "a4-c4");
    assert_eq!(lines[0]["answer"]["score"]["mate"], 7);
    assert_eq!(lines[0]["value"], "win 7");
    assert_eq!(lines[1]["solved"], 1);
    assert_eq!(lines[1]["of"], 1);
}

#[test]
fn files_and_words_that_are_wrong_are_named() {
    for (suite, words, named) in [
        (puzzle("bm a1-a2"), "", &["suite, line 3", "a1-a2"][..]),
        (puzzle("win 0"), "", &["suite, line 3", "win 0"]),
        (PUZZLE.to_owned(), "", &["suite, line 1", "game NAME"]),
        (
            "game entropy\n5/5 o 0; win 7".to_owned(),
            "",
            &["suite, line 2"],
        ),
        ("game entropy\n".to_owned(), "", &["suite", "no positions"]),
        (puzzle("win 7"), "--st never", &["--st", "never"]),
        (puzzle("win 7"), "--engine fast", &["--engine", "fast"]),
        (puzzle("win 7"), "--engine option.Hsh=1", &["--engine"]),
        (puzzle("win 7"), "--engine builtin option.Hsh=1", &["Hsh"]),
    ] {
        let done = solve("wrong", &suite, words);
        assert_eq!(done.status, Some(2), "{suite} {words}: {}", done.stderr);
        for name in named {
            has(&done.stderr, name);
        }
    }
}

#[test]
fn a_suite_that_cannot_be_read_is_no_wrong_argument() {
    let folder = Folder::new("no-suite");
    for words in ["lab solve missing", "puzzle susan missing"] {
        let done = folder.linesman(words).done();
        let why = "error: missing: No such file or directory\n";
        assert_eq!((done.status, done.stderr.as_str()), (Some(1), why));
    }
}

#[test]
fn an_engine_that_fails_ends_it() {
    for (words, named) in [
        ("--engine cmd=./missing", "No such file"),
        ("--engine cmd=true", "ugiok"),
        ("--startup-ms 300 --engine cmd=cat", "no ugiok in time"),
    ] {
        let done = solve("failing", &puzzle("win 7"), words);
        assert_eq!(done.status, Some(1), "{words}: {}", done.stderr);
        has(&done.stderr, named);
    }
}

#[test]
fn mining_shows_its_progress() {
    let folder = Folder::new("mine-progress");
    let mut terminal = Terminal::new(&folder, "lab mine gobblet --games 100000 --nodes 20");
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
    let none = folder
        .linesman("lab mine gobblet --games 1 --shortest 9 --longest 7")
        .done();
    let why = "error: --longest 7: expected --shortest, 9, or more\n";
    assert_eq!((none.status, none.stderr.as_str()), (Some(2), why));
    std::fs::write(folder.path("suite"), lines.join("\n")).expect("a suite");
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
fn the_suite_of_graph_hockey_is_proved() {
    verify("graph-hockey");
}

#[test]
fn the_suite_of_gobblet_is_proved() {
    verify("gobblet");
}

#[test]
fn the_suite_of_susan_is_proved() {
    verify("susan");
}

#[test]
fn the_suite_of_projex_is_proved() {
    verify("projex");
}

#[test]
fn the_suite_of_entropy_is_proved() {
    verify("entropy");
}

/// Proves the value of a puzzle, and that exactly its best moves keep it.
pub(crate) fn proved(puzzle: &Puzzle) -> Result<(), Rejection> {
    let value = puzzle.value.ok_or("no value to prove")?;
    let engine = puzzle.rules.engine(&puzzle.opening)?;
    laws::puzzle::verify(engine.as_ref(), &puzzle.best, value)
}
